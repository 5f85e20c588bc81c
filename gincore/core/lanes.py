"""Deadwood after each of eleven discards, all at a time: explicit vector code through LLVM.

A view's field ``lanes`` holds four rows of sixteen bytes, one row a suit and one lane a rank: the points that are left,
plus ``BIAS``, so that no sum is negative. Sums stop at ``NO_LANE``, where the lanes of cards that are not held stay.
All lanes are one cache line and, where the processor has such, one register. Written as loops over array elements the
compiler cannot tell that the tables and the view do not overlap, and makes scalar code of it, several times slower.
Each function has a plain form for pure Python, used where compilation is switched off and as the reference in tests.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from gincore.core.bits import HAS_BMI2, bmi
from gincore.core.tables import BIAS, DISCARDS_DTYPE, NO_LANE, WHOLE
from gincore.schema import VIEW_DTYPE, field_offset

LANES = 16
_I8, _I16, _I64 = ir.IntType(8), ir.IntType(16), ir.IntType(64)
_ROW = ir.VectorType(_I8, LANES)
_ALL = ir.VectorType(_I8, 4 * LANES)
_AFTER = ir.VectorType(_I16, LANES)
_LANES_AT = field_offset(VIEW_DTYPE, "lanes")
_KNOCK_LANES_AT = field_offset(VIEW_DTYPE, "knock_lanes")
_AFTER_AT = field_offset(VIEW_DTYPE, "after")
_CHANGE_AT = field_offset(DISCARDS_DTYPE, "change")
_LOOSE_AT = field_offset(DISCARDS_DTYPE, "loose")
NONE = 32767
"""Stands for points where nothing may be thrown or laid."""
_ANY = NO_LANE - 1 - BIAS
"""More points than a lane of a card ever holds."""
_LANES_OF_CARDS = 0x1FFF_1FFF_1FFF_1FFF


def _at(builder: Any, record: Any, offset: int, kind: Any) -> Any:
    """Pointer to ``offset`` bytes behind the start of a record."""
    place = builder.add(builder.ptrtoint(record, _I64), ir.Constant(_I64, offset))
    return builder.inttoptr(place, kind.as_pointer())


def _splat(builder: Any, value: Any) -> Any:
    """All lanes with the lowest byte of a word."""
    byte = builder.trunc(value, _I8)
    vector = builder.insert_element(ir.Constant(_ALL, ir.Undefined), byte, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), _ALL.count), None)
    return builder.shuffle_vector(vector, ir.Constant(_ALL, ir.Undefined), zeros)


def _join(builder: Any, left: Any, right: Any) -> Any:
    """Two vectors, one behind the other."""
    places = ir.Constant(ir.VectorType(ir.IntType(32), 2 * left.type.count), list(range(2 * left.type.count)))
    return builder.shuffle_vector(left, right, places)


def _row(builder: Any, every: Any, number: int) -> Any:
    """One suit's lanes out of all."""
    places = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [LANES * number + lane for lane in range(LANES)])
    return builder.shuffle_vector(every, ir.Constant(_ALL, ir.Undefined), places)


def _row_of(builder: Any, table: Any, field: int, hand: Any, number: int) -> Any:
    """Address of the table's row of one suit of ``hand``."""
    suit = builder.and_(builder.lshr(hand, ir.Constant(_I64, 13 * number)), ir.Constant(_I64, 0x1FFF))
    place = builder.add(builder.mul(suit, ir.Constant(_I64, LANES)), ir.Constant(_I64, field))
    return builder.add(builder.ptrtoint(table, _I64), place)


def _sums(builder: Any, table: Any, field: int, hand: Any) -> tuple[Any, Any]:
    """What ``hand`` has as it lies; and that plus the table's rows of its four suits, ``NO_LANE`` at most."""
    rows = [_row_of(builder, table, field, hand, number) for number in range(4)]
    total = ir.Constant(_I64, 0)
    for row in rows:
        whole = builder.load(builder.inttoptr(builder.add(row, ir.Constant(_I64, WHOLE)), _I8.as_pointer()))
        total = builder.add(total, builder.zext(whole, _I64))
    lanes = [builder.load(builder.inttoptr(row, _ROW.as_pointer()), align=1) for row in rows]
    change = _join(builder, _join(builder, lanes[0], lanes[1]), _join(builder, lanes[2], lanes[3]))
    return total, _vectors(builder, "uadd.sat", change, _splat(builder, total))


def _vectors(builder: Any, name: str, left: Any, right: Any) -> Any:
    """One of LLVM's operations on two vectors of all lanes."""
    kind = ir.FunctionType(_ALL, [_ALL, _ALL])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}.v64i8"), [left, right])


# All lanes are loaded and stored as one vector each time: a load that spans several earlier stores, or only parts of
# them, has to wait until they have left the store buffer, which cost more than all the rest.


@intrinsic
def _lower_lanes(_typing: Any, view: Any, discards: Any, _hand: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        record, table, hand = arguments
        pointer = _at(builder, record, _LANES_AT, _ALL)
        before = builder.load(pointer, align=1)
        total, sums = _sums(builder, table, _CHANGE_AT, hand)
        builder.store(_vectors(builder, "umin", before, sums), pointer, align=1)
        return total

    return types.int64(view, discards, types.uint64), generate


@intrinsic
def _lower_knock_lanes(_typing: Any, view: Any, discards: Any, _hand: Any, _most: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        record, table, hand, most = arguments
        pointer = _at(builder, record, _KNOCK_LANES_AT, _ALL)
        before = builder.load(pointer, align=1)
        total, sums = _sums(builder, table, _CHANGE_AT, hand)
        _loose, cards = _sums(builder, table, _LOOSE_AT, hand)
        most = builder.add(most, ir.Constant(_I64, BIAS))
        few = builder.icmp_unsigned("<=", cards, _splat(builder, most))
        lower = _vectors(builder, "umin", before, sums)
        builder.store(builder.select(few, lower, before), pointer, align=1)
        return total

    return types.int64(view, discards, types.uint64, types.int64), generate


def _lane(builder: Any, card: Any) -> Any:
    """Lane of a card given as a mask; more than there are for no card."""
    if HAS_BMI2:
        bits = bmi(builder, "pdep", card, ir.Constant(_I64, _LANES_OF_CARDS))
    else:
        bits = ir.Constant(_I64, 0)
        for k in range(4):
            suit = builder.and_(builder.lshr(card, ir.Constant(_I64, 13 * k)), ir.Constant(_I64, 0x1FFF))
            bits = builder.or_(bits, builder.shl(suit, ir.Constant(_I64, LANES * k)))
    return builder.cttz(bits, ir.Constant(ir.IntType(1), 0))


def _gather(builder: Any, bits: Any) -> Any:
    """Bits of lanes, sixteen a suit, moved to the cards' thirteen a suit."""
    if HAS_BMI2:
        return bmi(builder, "pext", bits, ir.Constant(_I64, _LANES_OF_CARDS))
    cards = ir.Constant(_I64, 0)
    for k in range(4):
        suit = builder.and_(builder.lshr(bits, ir.Constant(_I64, LANES * k)), ir.Constant(_I64, 0x1FFF))
        cards = builder.or_(cards, builder.shl(suit, ir.Constant(_I64, 13 * k)))
    return cards


def _find(builder: Any, every: Any, blocked: Any, limit: Any) -> list[Any]:
    """Least points of the lanes but that of ``blocked``, the cards that have it, and those at most at ``limit``.

    Lanes are left out by comparing their numbers: without AVX-512, LLVM makes hundreds of instructions of a bit mask.
    """
    numbers = ir.Constant(_ALL, list(range(4 * LANES)))
    spare = ir.Constant(_ALL, [NO_LANE if lane % LANES >= 13 else 0 for lane in range(4 * LANES)])
    out = builder.sext(builder.icmp_unsigned("==", numbers, _splat(builder, _lane(builder, blocked))), _ALL)
    allowed = builder.or_(builder.or_(every, spare), out)
    reduction = ir.FunctionType(_I8, [_ALL])
    reduce = cgutils.get_or_insert_function(builder.module, reduction, "llvm.vector.reduce.umin.v64i8")
    best = builder.zext(builder.call(reduce, [allowed]), _I64)
    equal = builder.icmp_unsigned("==", allowed, _splat(builder, best))
    most = builder.add(limit, ir.Constant(_I64, BIAS))
    within = builder.icmp_unsigned("<=", allowed, _splat(builder, most))
    least, few = (_gather(builder, builder.bitcast(each, _I64)) for each in (equal, within))
    none = builder.icmp_unsigned("==", best, ir.Constant(_I64, NO_LANE))
    points = builder.sub(best, ir.Constant(_I64, BIAS))
    return [
        builder.select(none, ir.Constant(_I64, NONE), points), builder.select(none, ir.Constant(_I64, 0), least), few
    ]  # fmt: skip


_FOUND = types.Tuple((types.int64, types.uint64, types.uint64))


def _keep(builder: Any, record: Any, every: Any) -> None:
    """Fill ``view.after`` from all lanes."""
    points = builder.sub(every, ir.Constant(_ALL, [BIAS] * (4 * LANES)))
    for k in range(4):  # in this order: a row's spare lanes are overwritten by the next one
        row = builder.zext(_row(builder, points, k), _AFTER)
        builder.store(row, _at(builder, record, _AFTER_AT + 2 * 13 * k, _AFTER), align=2)


_LOOKED = types.Tuple((types.int64, types.int64, types.uint64, types.uint64))


@intrinsic
def _look(_typing: Any, view: Any, discards: Any, _hand: Any, _rest: Any, _blocked: Any, _limit: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        record, table, hand, rest, blocked, limit = arguments
        total, sums = _sums(builder, table, _CHANGE_AT, hand)
        other, others = _sums(builder, table, _CHANGE_AT, rest)
        every = _vectors(builder, "umin", sums, others)
        builder.store(every, _at(builder, record, _LANES_AT, _ALL), align=1)
        _keep(builder, record, every)
        whole = builder.select(builder.icmp_signed("<", other, total), other, total)
        return context.make_tuple(builder, signature.return_type, [whole, *_find(builder, every, blocked, limit)])

    return _LOOKED(view, discards, types.uint64, types.uint64, types.uint64, types.int64), generate


@intrinsic
def _finish(_typing: Any, view: Any, _blocked: Any, _limit: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        record, blocked, limit = arguments
        every = builder.load(_at(builder, record, _LANES_AT, _ALL), align=1)
        _keep(builder, record, every)
        return context.make_tuple(builder, signature.return_type, _find(builder, every, blocked, limit))

    return _FOUND(view, types.uint64, types.int64), generate


@intrinsic
def _finish_knock(_typing: Any, view: Any, _blocked: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        record, blocked = arguments
        every = builder.load(_at(builder, record, _KNOCK_LANES_AT, _ALL), align=1)
        found = _find(builder, every, blocked, ir.Constant(_I64, _ANY))
        return context.make_tuple(builder, signature.return_type, found)

    return _FOUND(view, types.uint64), generate


def _plain_sums(table: Any, hand: Any) -> tuple[np.int64, list[int]]:
    rows = [LANES * (int(hand) >> 13 * number & 0x1FFF) for number in range(4)]
    total = sum(int(table[row + WHOLE]) for row in rows)
    return np.int64(total), [min(total + int(change), NO_LANE) for row in rows for change in table[row : row + LANES]]


def _plain_find(lanes: Any, blocked: Any, limit: int) -> Any:
    held = {card: int(lanes[LANES * (card // 13) + card % 13]) for card in range(52) if not int(blocked) >> card & 1}
    best = min(held.values())
    least = sum(1 << card for card, value in held.items() if value == best < NO_LANE)
    few = sum(1 << card for card, value in held.items() if value <= limit + BIAS)
    return np.int64(NONE if best == NO_LANE else best - BIAS), np.uint64(least), np.uint64(few)


def look(view, discards, hand, rest, blocked, limit):
    """Set the lanes to what each discard leaves of ``hand``, laid as it is or after a set that leaves ``rest``.

    Where there is no set ``rest`` is the hand.

    Returns
    -------
    tuple of (int64, int64, uint64, uint64)
        Least points of all the cards as they lie, and what :func:`finish` returns.
    """
    total, sums = _plain_sums(discards.change, hand)
    other, others = _plain_sums(discards.change, rest)
    view.lanes[:] = np.minimum(sums, others)
    return (min(total, other), *finish(view, blocked, limit))


def lower_lanes(view, discards, hand):
    """Lower the lanes to what each discard leaves of ``hand`` where it is less; returns the points of all its cards."""
    total, sums = _plain_sums(discards.change, hand)
    view.lanes[:] = np.minimum(view.lanes, sums)
    return total


def lower_knock_lanes(view, discards, hand, most):
    """The same for the knock lanes, where at most ``most`` cards are loose then."""
    total, sums = _plain_sums(discards.change, hand)
    _, cards = _plain_sums(discards.loose, hand)
    lanes = view.knock_lanes
    lanes[:] = [
        min(old, new) if few <= most + BIAS else old for old, new, few in zip(lanes.tolist(), sums, cards, strict=True)
    ]
    return total


def finish(view, blocked, limit):
    """Copy the lanes to ``view.after`` and look through the cards that are held, but for ``blocked`` (one, or none).

    Returns
    -------
    tuple of (int64, uint64, uint64)
        Least points, the cards that leave them, and the cards that leave ``limit`` points or fewer.
    """
    for card in range(52):
        view.after[card] = np.int16(view.lanes[LANES * (card // 13) + card % 13]) - BIAS
    return _plain_find(view.lanes, blocked, int(limit))


def finish_knock(view, blocked):
    """The same for the knock lanes; the third value is the cards with which going out is legal."""
    return _plain_find(view.knock_lanes, blocked, _ANY)


@overload(look)
def _compiled_look(view, discards, hand, rest, blocked, limit):
    return lambda view, discards, hand, rest, blocked, limit: _look(view, discards, hand, rest, blocked, limit)


@overload(lower_lanes)
def _compiled_lower_lanes(view, discards, hand):
    return lambda view, discards, hand: _lower_lanes(view, discards, hand)


@overload(lower_knock_lanes)
def _compiled_lower_knock_lanes(view, discards, hand, most):
    return lambda view, discards, hand, most: _lower_knock_lanes(view, discards, hand, most)


@overload(finish)
def _compiled_finish(view, blocked, limit):
    return lambda view, blocked, limit: _finish(view, blocked, limit)


@overload(finish_knock)
def _compiled_finish_knock(view, blocked):
    return lambda view, blocked: _finish_knock(view, blocked)
