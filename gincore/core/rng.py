"""Random words as a pure function of (seed, deal, purpose, place).

The generator is SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014):
word ``n`` of a stream with key ``k`` is ``mix(k + (n + 1) * GOLDEN)``. The key of a stream is made by the same mixing
function from the seed, the deal number and the purpose, so no stream depends on another and none on threads or chunks.
"""

from __future__ import annotations

import numpy as np

from gincore._jit import kernel

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_M1 = np.uint64(0xBF58476D1CE4E5B9)
_M2 = np.uint64(0x94D049BB133111EB)
_S30 = np.uint64(30)
_S27 = np.uint64(27)
_S31 = np.uint64(31)
_S32 = np.uint64(32)

# Purposes of a stream. A seat is a place at the table (0 plays first), so that an exchanged pair of
# identical players meets the same words and differs by nothing.
DEAL = 0
KNOCK_CARD = 1
SEAT_0 = 2
SEAT_1 = 3
GAME = 4


@kernel
def mix(word):
    """SplitMix64's output function: a bijection of 64-bit words."""
    word = (word ^ (word >> _S30)) * _M1
    word = (word ^ (word >> _S27)) * _M2
    return word ^ (word >> _S31)


@kernel
def key(seed, deal, purpose):
    """Key of the stream of one purpose in one deal (all ``uint64``)."""
    return mix(mix(mix(seed + GOLDEN) + deal + GOLDEN) + purpose + GOLDEN)


@kernel
def word(stream, place):
    """Word number ``place`` (``uint64``, from 0) of a stream."""
    return mix(stream + (place + np.uint64(1)) * GOLDEN)


@kernel
def below(random, size):
    """Integer in [0, size) from the upper half of a word; the bias is below ``size`` / 2**32."""
    return np.int64(((random >> _S32) * np.uint64(size)) >> _S32)


@kernel
def chance(random):
    """Number in [0, 1) from the upper 53 bits of a word."""
    return np.float64(random >> np.uint64(11)) * 2.0**-53
