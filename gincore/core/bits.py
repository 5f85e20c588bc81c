"""Bit operations on hands (``uint64``) in forms that compile to one machine instruction."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from gincore._jit import kernel

ONE = np.uint64(1)
ZERO = np.uint64(0)
SUIT_BITS = np.uint64(0x1FFF)
ACES = np.uint64(1 | 1 << 13 | 1 << 26 | 1 << 39)
"""The four aces; shifted left by a rank, the four cards of that rank."""
KING = np.uint64(12)
"""Rank of a king."""
KINGS = np.uint64(ACES << KING)
DECK = np.uint64((1 << 52) - 1)
HAS_BMI2 = bool(binding.get_host_cpu_features().get("bmi2", False))


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


@intrinsic
def _deposit(_typing: Any, _bits: Any, _mask: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return bmi(builder, "pdep", *arguments)

    return types.uint64(types.uint64, types.uint64), generate


def bmi(builder: Any, name: str, bits: Any, mask: Any) -> Any:
    """Deposit (``pdep``) or extract (``pext``) bits by the one instruction that x86 has for it; see ``HAS_BMI2``."""
    word = ir.IntType(64)
    function = cgutils.get_or_insert_function(
        builder.module, ir.FunctionType(word, [word, word]), f"llvm.x86.bmi.{name}.64"
    )
    return builder.call(function, [bits, mask])


def nth(mask, number):
    """Number of the card ``number`` (from 0) of a mask that has it."""
    mask = int(mask)
    for _ in range(int(number)):
        mask &= mask - 1
    return np.int64((mask & -mask).bit_length() - 1)


@overload(nth)
def _nth(mask, number):
    if HAS_BMI2:
        return lambda mask, number: _cttz(_deposit(np.uint64(1) << np.uint64(number), mask))

    def walk(mask, number):
        for _ in range(number):
            mask = mask & (mask - np.uint64(1))
        return _cttz(mask)

    return walk


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
    return nth(mask, np.int64(((word >> np.uint64(32)) * np.uint64(count(mask))) >> np.uint64(32)))
