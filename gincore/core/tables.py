"""Look-up tables over the 8,192 masks of one suit, three blocks for each ace rule.

The blocks of an ace rule count points with the ace 1, points with the ace 15, and cards. Kernels reach the tables
through small functions only: numba freezes a global array into the function that names it, so each exists once.
"""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import NDArray

from gincore._jit import kernel

SIZE = 1 << 13
VALUES_LOW = np.array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10], np.int64)
_MASKS = np.arange(SIZE)


def runs_of(ace: int, longest: int = 13) -> list[int]:
    """All runs of a suit as 13-bit masks, three cards or more; ``ace`` is a code of ``schema.Ace``."""
    lines = {0: 13, 1: 14, 2: 13}[ace]
    found = []
    for length in range(3, min(longest, 13) + 1):
        starts = range(13) if ace == 2 and length < 13 else range(lines - length + 1)
        found += [sum(1 << ((start + k) % 13) for k in range(length)) for start in starts]
    return list(dict.fromkeys(found))


CARDS = 0
"""Stands for the ace's points where cards are counted instead of points."""
_KINDS = (1, 15, CARDS)


def _values(kind: int) -> NDArray[np.int64]:
    if kind == CARDS:
        return np.ones(13, np.int64)
    values = VALUES_LOW.copy()
    values[0] = kind
    return values


def points_of(kind: int) -> NDArray[np.int64]:
    """Points (or cards) of every mask of a suit, no run taken out."""
    return ((_MASKS[:, None] >> np.arange(13)) & 1) @ _values(kind)


def least_cost(loose: NDArray[np.int64], runs: list[int], price: int) -> NDArray[np.int64]:
    """Least cost of every mask of a suit: that of its loose cards, and ``price`` for each run taken out.

    ``loose`` is the cost of every mask if no run is taken out.
    """
    least = loose.copy()
    for _ in range(4):  # no suit has more than four runs
        for run in runs:
            holds = _MASKS[(_MASKS & run) == run]
            least[holds] = np.minimum(least[holds], least[holds ^ run] + price)
    return least


def _deadwood(ace: int, kind: int) -> NDArray[np.int64]:
    """Least points (or cards) left in every mask of a suit after runs are taken out."""
    return least_cost(points_of(kind), runs_of(ace, 5), 0)  # a longer run is made of these


def _in_runs(ace: int) -> NDArray[np.int64]:
    """The cards of every mask that lie in some run of it."""
    cards = np.zeros(SIZE, np.int64)
    for run in runs_of(ace, 3):
        cards[(_MASKS & run) == run] |= run
    return cards


def _ways() -> NDArray[np.int64]:
    """Number of ways to lay all run cards of a mask as runs, ace low (six in a row: as one run or as two)."""
    by_length = [1, 0, 0]  # compositions of a length into parts of three or more
    for length in range(3, 14):
        by_length.append(sum(by_length[: length - 2]))
    runs = _in_runs(0)
    ways = np.ones(SIZE, np.int64)
    lengths = np.zeros(SIZE, np.int64)
    for rank in range(14):  # a block of neighbours ends where the next rank is missing
        held = (runs >> rank) & 1 == 1
        ways[~held] *= np.array(by_length)[lengths[~held]]
        lengths = np.where(held, lengths + 1, 0)
    return ways


_DEAD = np.concatenate([_deadwood(ace, kind) for ace in range(3) for kind in _KINDS]).astype(np.uint8)
_RUNS = np.concatenate([_in_runs(ace) for ace in range(3)]).astype(np.uint16)
_WAYS = _ways().astype(np.uint8)
_POINTS = np.concatenate([points_of(points) for points in (1, 15)]).astype(np.uint8)

DISCARDS_DTYPE = np.dtype((np.record, [("change", np.uint8, (SIZE * 16,)), ("loose", np.uint8, (SIZE * 16,))]))
"""For each mask of a suit 16 lanes: ``BIAS`` plus how the suit changes when the card of that rank is thrown.

``change`` is in points of deadwood, ``loose`` in cards that no run takes. Lanes of cards that are not there hold
``NO_LANE``, and so do those beyond the king but for ``WHOLE``: what the suit has if nothing is thrown.
"""
WHOLE = 13
BIAS = 15
"""The most that throwing one card takes away: an ace's points."""
NO_LANE = 255
"""More than any deadwood and ``BIAS``."""
_NOT_HELD = 127


def offset(ace: int, ace_points: int) -> int:
    """Where a rule's block of the deadwood table begins (``CARDS`` for the ace's points: the block of cards)."""
    return (3 * ace + _KINDS.index(ace_points)) * SIZE


def _changes(start: int) -> NDArray[np.int8]:
    dead = _DEAD[start : start + SIZE].astype(np.int64)
    change = np.full((SIZE, 16), _NOT_HELD, np.int8)
    for rank in range(13):
        held = _MASKS[(_MASKS >> rank) & 1 == 1]
        change[held, rank] = dead[held ^ (1 << rank)] - dead[held]
    return change.ravel()


def _reliefs(start: int) -> NDArray[np.int8]:
    """How a suit changes at best when one of its cards is thrown; more than any deadwood where it has none."""
    best: NDArray[np.int8] = _changes(start).reshape(SIZE, 16).min(axis=1)
    return best


_RELIEF = np.concatenate([_reliefs(number * SIZE) for number in range(3 * len(_KINDS))])


@functools.cache
def discards(ace: int, ace_points: int) -> np.record:
    """The table of a rule's discards, a record that kernels pass around without counting references."""
    table = np.zeros(1, DISCARDS_DTYPE)
    for field, kind in (("change", ace_points), ("loose", CARDS)):
        start = offset(ace, kind)
        change = _changes(start).astype(np.int16)
        rows = np.where(change == _NOT_HELD, NO_LANE, change + BIAS).reshape(SIZE, 16)
        rows[:, WHOLE] = _DEAD[start : start + SIZE]
        table[field][0] = rows.ravel()
    record: np.record = table[0]
    return record


@kernel
def block(ace, ace_points):
    """Offset of a rule's block in the deadwood table."""
    return (3 * ace + (1 if ace_points == 15 else 0)) * SIZE


@kernel
def card_block(ace):
    """Offset of the block that counts cards."""
    return (3 * ace + 2) * SIZE


@kernel
def run_dead(place):
    """Points that stay in a suit after its best runs; ``place`` is a block's offset plus the suit's mask."""
    return np.int64(_DEAD[np.uint64(place)])


@kernel
def best_relief(place):
    """How the points of a suit change at best when one of its cards is thrown; see ``run_dead``."""
    return np.int64(_RELIEF[np.uint64(place)])


@kernel
def run_cards(ace, suit_mask):
    """The cards of a suit that lie in some run of it."""
    return np.int64(_RUNS[np.uint64(ace * SIZE + suit_mask)])


@kernel
def suit_points(ace_points, suit_mask):
    """Points of a suit's cards, no run taken out."""
    return np.int64(_POINTS[np.uint64((SIZE if ace_points == 15 else 0) + suit_mask)])


@kernel
def run_ways(suit_mask):
    """Number of ways to lay all run cards of a suit as runs, ace low."""
    return np.int64(_WAYS[np.uint64(suit_mask)])
