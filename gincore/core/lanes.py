"""Deadwood after each of eleven discards, sixteen lanes at a time: explicit vector code through LLVM.

A view's field ``lanes`` holds four rows of sixteen ``int16``, one row a suit and one lane a rank. Written as loops over
array elements the compiler cannot tell that the tables and the view do not overlap, and makes scalar code of it,
four times slower. Each function has a plain form for pure Python, used where compilation is switched off and as the
reference in tests.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from gincore.core.bits import HAS_BMI2, bmi
from gincore.core.tables import DISCARDS_DTYPE
from gincore.schema import VIEW_DTYPE, field_offset

LANES = 16
_I8, _I16, _I64 = ir.IntType(8), ir.IntType(16), ir.IntType(64)
_ROW = ir.VectorType(_I16, LANES)
_ALL = ir.VectorType(_I16, 4 * LANES)
_LANES_AT = field_offset(VIEW_DTYPE, "lanes")
_KNOCK_LANES_AT = field_offset(VIEW_DTYPE, "knock_lanes")
_AFTER_AT = field_offset(VIEW_DTYPE, "after")
_CHANGE_AT = field_offset(DISCARDS_DTYPE, "change")
_LOOSE_AT = field_offset(DISCARDS_DTYPE, "loose")
_NONE = 32767
_LANES_OF_CARDS = 0x1FFF_1FFF_1FFF_1FFF


def _at(builder: Any, record: Any, offset: Any, kind: Any) -> Any:
    """Pointer to ``offset`` bytes (a constant or a value) behind the start of a record."""
    if isinstance(offset, int):
        offset = ir.Constant(_I64, offset)
    return builder.inttoptr(builder.add(builder.ptrtoint(record, _I64), offset), kind.as_pointer())


def _splat(builder: Any, value: Any, kind: Any) -> Any:
    vector = builder.insert_element(ir.Constant(kind, ir.Undefined), value, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), kind.count), None)
    return builder.shuffle_vector(vector, ir.Constant(kind, ir.Undefined), zeros)


def _join(builder: Any, left: Any, right: Any) -> Any:
    """Two vectors, one behind the other."""
    places = ir.Constant(ir.VectorType(ir.IntType(32), 2 * left.type.count), list(range(2 * left.type.count)))
    return builder.shuffle_vector(left, right, places)


def _row(builder: Any, every: Any, number: int) -> Any:
    """One suit's lanes out of all."""
    places = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [LANES * number + lane for lane in range(LANES)])
    return builder.shuffle_vector(every, ir.Constant(_ALL, ir.Undefined), places)


def _points(builder: Any, table: Any, field: int, hand: Any, total: Any) -> Any:
    """``total`` plus the table's rows of the four suits of ``hand``, as one vector."""
    rows = []
    for number in range(4):
        suit = builder.and_(builder.lshr(hand, ir.Constant(_I64, 13 * number)), ir.Constant(_I64, 0x1FFF))
        place = builder.add(builder.mul(suit, ir.Constant(_I64, LANES)), ir.Constant(_I64, field))
        rows.append(builder.load(_at(builder, table, place, ir.VectorType(_I8, LANES)), align=1))
    change = _join(builder, _join(builder, rows[0], rows[1]), _join(builder, rows[2], rows[3]))
    return builder.add(builder.sext(change, _ALL), _splat(builder, builder.trunc(total, _I16), _ALL))


# All lanes are loaded and stored as one vector each time: a load that spans several earlier stores, or only parts of
# them, has to wait until they have left the store buffer, which cost more than all the rest.


@intrinsic
def _set_lanes(_typing: Any, view: Any, discards: Any, _hand: Any, _total: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        record, table, hand, total = arguments
        builder.store(_points(builder, table, _CHANGE_AT, hand, total), _at(builder, record, _LANES_AT, _ALL), align=2)
        return ir.Constant(_I64, 0)

    return types.int64(view, discards, types.uint64, types.int64), generate


@intrinsic
def _lower_lanes(_typing: Any, view: Any, discards: Any, _hand: Any, _total: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        record, table, hand, total = arguments
        pointer = _at(builder, record, _LANES_AT, _ALL)
        before = builder.load(pointer, align=2)
        points = _points(builder, table, _CHANGE_AT, hand, total)
        builder.store(builder.select(builder.icmp_signed("<", before, points), before, points), pointer, align=2)
        return ir.Constant(_I64, 0)

    return types.int64(view, discards, types.uint64, types.int64), generate


@intrinsic
def _lower_knock_lanes(_typing: Any, view: Any, discards: Any, _hand: Any, _total: Any, _loose: Any, _most: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        record, table, hand, total, loose, most = arguments
        pointer = _at(builder, record, _KNOCK_LANES_AT, _ALL)
        before = builder.load(pointer, align=2)
        points = _points(builder, table, _CHANGE_AT, hand, total)
        cards = _points(builder, table, _LOOSE_AT, hand, loose)
        few = builder.icmp_signed("<=", cards, _splat(builder, builder.trunc(most, _I16), _ALL))
        better = builder.and_(few, builder.icmp_signed("<", points, before))
        builder.store(builder.select(better, points, before), pointer, align=2)
        return ir.Constant(_I64, 0)

    return types.int64(view, discards, types.uint64, types.int64, types.int64, types.int64), generate


def _spread(builder: Any, cards: Any) -> Any:
    """Bits of cards, thirteen a suit, moved to the lanes' sixteen a suit."""
    if HAS_BMI2:
        return bmi(builder, "pdep", cards, ir.Constant(_I64, _LANES_OF_CARDS))
    bits = ir.Constant(_I64, 0)
    for k in range(4):
        suit = builder.and_(builder.lshr(cards, ir.Constant(_I64, 13 * k)), ir.Constant(_I64, 0x1FFF))
        bits = builder.or_(bits, builder.shl(suit, ir.Constant(_I64, LANES * k)))
    return bits


def _gather(builder: Any, bits: Any) -> Any:
    """The way back."""
    if HAS_BMI2:
        return bmi(builder, "pext", bits, ir.Constant(_I64, _LANES_OF_CARDS))
    cards = ir.Constant(_I64, 0)
    for k in range(4):
        suit = builder.and_(builder.lshr(bits, ir.Constant(_I64, LANES * k)), ir.Constant(_I64, 0x1FFF))
        cards = builder.or_(cards, builder.shl(suit, ir.Constant(_I64, 13 * k)))
    return cards


def _find(context: Any, builder: Any, kind: Any, every: Any, legal: Any, limit: Any) -> Any:
    """Least of the lanes in ``legal``, the cards that have it, and those at most at ``limit``."""
    spread = _spread(builder, legal)
    chosen = builder.bitcast(spread, ir.VectorType(ir.IntType(1), 4 * LANES))
    allowed = builder.select(chosen, every, ir.Constant(_ALL, [_NONE] * (4 * LANES)))
    reduction = ir.FunctionType(_I16, [_ALL])
    reduce = cgutils.get_or_insert_function(builder.module, reduction, "llvm.vector.reduce.smin.v64i16")
    best = builder.call(reduce, [allowed])
    equal = builder.icmp_signed("==", allowed, _splat(builder, best, _ALL))
    within = builder.icmp_signed("<=", allowed, _splat(builder, builder.trunc(limit, _I16), _ALL))
    least, few = (_gather(builder, builder.and_(builder.bitcast(each, _I64), spread)) for each in (equal, within))
    return context.make_tuple(builder, kind, [builder.sext(best, _I64), least, few])


_FOUND = types.Tuple((types.int64, types.uint64, types.uint64))


@intrinsic
def _finish(_typing: Any, view: Any, _legal: Any, _limit: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        record, legal, limit = arguments
        every = builder.load(_at(builder, record, _LANES_AT, _ALL), align=2)
        for k in range(4):  # in this order: a row's spare lanes are overwritten by the next one
            builder.store(_row(builder, every, k), _at(builder, record, _AFTER_AT + 2 * 13 * k, _ROW), align=2)
        return _find(context, builder, signature.return_type, every, legal, limit)

    return _FOUND(view, types.uint64, types.int64), generate


@intrinsic
def _finish_knock(_typing: Any, view: Any, _legal: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        record, legal = arguments
        every = builder.load(_at(builder, record, _KNOCK_LANES_AT, _ALL), align=2)
        return _find(context, builder, signature.return_type, every, legal, ir.Constant(_I64, _NONE - 1))

    return _FOUND(view, types.uint64), generate


def _plain_points(table: Any, hand: Any, total: Any) -> list[int]:
    points = []
    for number in range(4):
        row = LANES * (int(hand) >> 13 * number & 0x1FFF)
        points += [int(total) + int(change) for change in table[row : row + LANES]]
    return points


def _plain_find(lanes: Any, legal: Any, limit: int) -> Any:
    points = {card: int(lanes[LANES * (card // 13) + card % 13]) for card in range(52) if int(legal) >> card & 1}
    best = min(points.values())
    least = sum(1 << card for card, value in points.items() if value == best)
    few = sum(1 << card for card, value in points.items() if value <= limit)
    return np.int64(best), np.uint64(least), np.uint64(few)


def set_lanes(view, discards, hand, total):
    """Set the lanes to ``total`` plus the table's rows of the suits of ``hand``."""
    view.lanes[:] = _plain_points(discards.change, hand, total)


def lower_lanes(view, discards, hand, total):
    """Lower the lanes to that sum where it is less."""
    view.lanes[:] = np.minimum(view.lanes, _plain_points(discards.change, hand, total))


def lower_knock_lanes(view, discards, hand, total, loose, most):
    """Lower the knock lanes to that sum where it is less and at most ``most`` cards are loose.

    ``loose`` is the number of loose cards of ``hand`` before the discard.
    """
    points = _plain_points(discards.change, hand, total)
    cards = _plain_points(discards.loose, hand, loose)
    lanes = view.knock_lanes
    lanes[:] = [
        min(old, new) if few <= most else old for old, new, few in zip(lanes.tolist(), points, cards, strict=True)
    ]


def finish(view, legal, limit):
    """Copy the lanes to ``view.after`` and look through the cards of ``legal``.

    Returns
    -------
    tuple of (int64, uint64, uint64)
        Least points, the cards that leave them, and the cards that leave ``limit`` points or fewer.
    """
    for card in range(52):
        view.after[card] = view.lanes[LANES * (card // 13) + card % 13]
    return _plain_find(view.lanes, legal, int(limit))


def finish_knock(view, legal):
    """The same for the knock lanes; the third value is the cards with which going out is legal."""
    return _plain_find(view.knock_lanes, legal, _NONE - 1)


@overload(set_lanes)
def _compiled_set_lanes(view, discards, hand, total):
    return lambda view, discards, hand, total: _set_lanes(view, discards, hand, total)


@overload(lower_lanes)
def _compiled_lower_lanes(view, discards, hand, total):
    return lambda view, discards, hand, total: _lower_lanes(view, discards, hand, total)


@overload(lower_knock_lanes)
def _compiled_lower_knock_lanes(view, discards, hand, total, loose, most):
    return lambda view, discards, hand, total, loose, most: _lower_knock_lanes(view, discards, hand, total, loose, most)


@overload(finish)
def _compiled_finish(view, legal, limit):
    return lambda view, legal, limit: _finish(view, legal, limit)


@overload(finish_knock)
def _compiled_finish_knock(view, legal):
    return lambda view, legal: _finish_knock(view, legal)
