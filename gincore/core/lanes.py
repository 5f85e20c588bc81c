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

from gincore.schema import VIEW_DTYPE, field_offset

LANES = 16
_I8, _I16, _I64 = ir.IntType(8), ir.IntType(16), ir.IntType(64)
_ROW = ir.VectorType(_I16, LANES)
_ALL = ir.VectorType(_I16, 4 * LANES)
_LANES_AT = field_offset(VIEW_DTYPE, "lanes")
_AFTER_AT = field_offset(VIEW_DTYPE, "after")
_NONE = 32767


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


def _points(builder: Any, table: Any, hand: Any, total: Any) -> Any:
    """``total`` plus the table's rows of the four suits of ``hand``, as one vector."""
    rows = []
    for number in range(4):
        suit = builder.and_(builder.lshr(hand, ir.Constant(_I64, 13 * number)), ir.Constant(_I64, 0x1FFF))
        place = builder.mul(suit, ir.Constant(_I64, LANES))
        rows.append(builder.load(_at(builder, table, place, ir.VectorType(_I8, LANES)), align=1))
    change = _join(builder, _join(builder, rows[0], rows[1]), _join(builder, rows[2], rows[3]))
    return builder.add(builder.sext(change, _ALL), _splat(builder, builder.trunc(total, _I16), _ALL))


# All lanes are loaded and stored as one vector each time: a load that spans several earlier stores, or only parts of
# them, has to wait until they have left the store buffer, which cost more than all the rest.


@intrinsic
def _set_lanes(_typing: Any, view: Any, discards: Any, _hand: Any, _total: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        record, table, hand, total = arguments
        builder.store(_points(builder, table, hand, total), _at(builder, record, _LANES_AT, _ALL), align=2)
        return ir.Constant(_I64, 0)

    return types.int64(view, discards, types.uint64, types.int64), generate


@intrinsic
def _lower_lanes(_typing: Any, view: Any, discards: Any, _hand: Any, _total: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        record, table, hand, total = arguments
        pointer = _at(builder, record, _LANES_AT, _ALL)
        before = builder.load(pointer, align=2)
        points = _points(builder, table, hand, total)
        builder.store(builder.select(builder.icmp_signed("<", before, points), before, points), pointer, align=2)
        return ir.Constant(_I64, 0)

    return types.int64(view, discards, types.uint64, types.int64), generate


@intrinsic
def _finish(_typing: Any, view: Any, _legal: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        record, legal = arguments
        every = builder.load(_at(builder, record, _LANES_AT, _ALL), align=2)
        for k in range(4):  # in this order: a row's spare lanes are overwritten by the next one
            builder.store(_row(builder, every, k), _at(builder, record, _AFTER_AT + 2 * 13 * k, _ROW), align=2)
        spread = ir.Constant(_I64, 0)
        for k in range(4):
            cards = builder.and_(builder.lshr(legal, ir.Constant(_I64, 13 * k)), ir.Constant(_I64, 0x1FFF))
            spread = builder.or_(spread, builder.shl(cards, ir.Constant(_I64, LANES * k)))
        chosen = builder.bitcast(spread, ir.VectorType(ir.IntType(1), 4 * LANES))
        allowed = builder.select(chosen, every, ir.Constant(_ALL, [_NONE] * (4 * LANES)))
        kind = ir.FunctionType(_I16, [_ALL])
        reduce = cgutils.get_or_insert_function(builder.module, kind, "llvm.vector.reduce.smin.v64i16")
        best = builder.call(reduce, [allowed])
        equal = builder.icmp_signed("==", allowed, _splat(builder, best, _ALL))
        found = builder.and_(builder.bitcast(equal, _I64), spread)
        least = ir.Constant(_I64, 0)
        for k in range(4):
            cards = builder.and_(builder.lshr(found, ir.Constant(_I64, LANES * k)), ir.Constant(_I64, 0x1FFF))
            least = builder.or_(least, builder.shl(cards, ir.Constant(_I64, 13 * k)))
        return context.make_tuple(builder, signature.return_type, [builder.sext(best, _I64), least])

    return types.Tuple((types.int64, types.uint64))(view, types.uint64), generate


def _plain_points(discards: Any, hand: Any, total: Any) -> list[int]:
    points = []
    for number in range(4):
        row = LANES * (int(hand) >> 13 * number & 0x1FFF)
        points += [int(total) + int(change) for change in discards.change[row : row + LANES]]
    return points


def set_lanes(view, discards, hand, total):
    """Set the lanes to ``total`` plus the table's rows of the suits of ``hand``."""
    view.lanes[:] = _plain_points(discards, hand, total)


def lower_lanes(view, discards, hand, total):
    """Lower the lanes to that sum where it is less."""
    view.lanes[:] = np.minimum(view.lanes, _plain_points(discards, hand, total))


def finish(view, legal):
    """Copy the lanes to ``view.after`` and find the least among the cards of ``legal``.

    Returns
    -------
    tuple of (int64, uint64)
        Least points, and the cards that leave them.
    """
    for card in range(52):
        view.after[card] = view.lanes[LANES * (card // 13) + card % 13]
    cards = [card for card in range(52) if int(legal) >> card & 1]
    best = min(int(view.after[card]) for card in cards)
    return np.int64(best), np.uint64(sum(1 << card for card in cards if view.after[card] == best))


@overload(set_lanes)
def _compiled_set_lanes(view, discards, hand, total):
    return lambda view, discards, hand, total: _set_lanes(view, discards, hand, total)


@overload(lower_lanes)
def _compiled_lower_lanes(view, discards, hand, total):
    return lambda view, discards, hand, total: _lower_lanes(view, discards, hand, total)


@overload(finish)
def _compiled_finish(view, legal):
    return lambda view, legal: _finish(view, legal)
