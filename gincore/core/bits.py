"""Bit operations on hands (``uint64``) in forms that compile to one machine instruction."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from gincore._jit import kernel

ONE = np.uint64(1)
ZERO = np.uint64(0)
SUIT_BITS = np.uint64(0x1FFF)
ACES = np.uint64(1 | 1 << 13 | 1 << 26 | 1 << 39)
"""The four aces; shifted left by a rank, the four cards of that rank."""
LOW_WORD = np.uint64(0xFFFFFFFF)


@intrinsic
def _cttz(_typing: Any, _mask: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), generate


@intrinsic
def _ctpop(_typing: Any, _mask: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


def lowest(mask):
    """Number of the lowest card of a mask that is not empty."""
    return np.int64((int(mask) & -int(mask)).bit_length() - 1)


def count(mask):
    """Number of cards of a mask."""
    return np.int64(int(mask).bit_count())


@overload(lowest)
def _lowest(mask):
    return lambda mask: _cttz(mask)


@overload(count)
def _count(mask):
    return lambda mask: _ctpop(mask)


@kernel
def bit(card):
    """Mask of one card."""
    return ONE << np.uint64(card)


@kernel
def drop_lowest(mask):
    """The mask without its lowest card."""
    return mask & (mask - ONE)


@kernel
def suit(mask, number):
    """The 13 bits of one suit, as an integer to look up with."""
    return np.int64((mask >> np.uint64(13 * number)) & SUIT_BITS)


@kernel
def pick(mask, word):
    """One card of a mask, uniform over its cards for a uniform 64-bit ``word`` (bias below 1e-8)."""
    skip = np.int64(((word >> np.uint64(32)) * np.uint64(count(mask))) >> np.uint64(32))
    for _ in range(skip):
        mask = drop_lowest(mask)
    return lowest(mask)
