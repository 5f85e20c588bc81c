"""The best limits to knock with: one for the whole hand, or one for each turn, from hands that were followed."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from gincore.learn.courses import Courses, Floats
from gincore.learn.shape import Shape, Shares

Limits = npt.NDArray[np.int64]
"""Highest deadwood to knock with, one for each bin of turns; 0: gin only."""

MOST_SWEEPS: Final = 20


def limit_table(shape: Shape, limits: npt.ArrayLike) -> Shares:
    """Return the table that knocks at or below a limit, or at or below that of the turn.

    Parameters
    ----------
    shape
        Of the table. Its last bin of deadwood is open-ended: limits must lie below it.
    limits : int or array_like of int, shape (shape.turns,)
        Highest deadwood to knock with.

    Examples
    --------
    >>> limit_table(Shape(deadwoods=4, turns=3, pickups=1), [2, 1, 0])[0, :, :, 0].sum(axis=0).tolist()
    [3.0, 2.0, 1.0]
    """
    by_turn = np.broadcast_to(np.asarray(limits, np.int64), (shape.turns,))
    if np.any(by_turn >= shape.deadwoods - 1):
        raise ValueError(f"limits {by_turn.tolist()}: the bin {shape.deadwoods - 1} of deadwood is open-ended")
    knocks = np.arange(shape.deadwoods)[:, None] <= by_turn
    return np.broadcast_to(knocks[None, :, :, None], shape.axes).astype(np.float64)


def best_limits(courses: Courses, top: int, clear: float = 1.0) -> tuple[int, Limits]:
    """Find the limit, and the limits by turn, that score most in hands that were followed.

    The limits by turn begin as the one limit for all turns. Turn by turn, from the last one on, the limit is replaced
    by the one that scores most in the hands that come to the turn, if it is clearly better; and again until none
    changes. No step lowers the score, but limits that are all changed at once might score more.

    Parameters
    ----------
    courses
        Hands that were followed.
    top
        Highest limit that is tried.
    clear
        Standard errors by which another limit of a turn must score more.

    Returns
    -------
    tuple of (int, ndarray of int64)
        The limit, and one for each bin of turns. Take other deals to say what they are worth.
    """
    shape = courses.shape
    scores = [float(courses.payoff(limit_table(shape, limit)).mean(dtype=np.float64)) for limit in range(top + 1)]
    best = int(np.argmax(scores))
    limits = np.full(shape.turns, best, np.int64)
    for _ in range(MOST_SWEEPS):
        before = limits.copy()
        _sweep(courses, limits, top, clear)
        if np.array_equal(limits, before):
            break
    return best, limits


def _sweep(courses: Courses, limits: Limits, top: int, clear: float) -> None:
    """Decide the limit of every turn once, in place, from the last turn on; that of the open-ended bin stays."""
    table = limit_table(courses.shape, limits)
    value = courses.end.astype(np.float32)
    for level, came in zip(reversed(courses.levels), reversed(courses.reach(table)), strict=True):
        deadwood = np.unravel_index(level.cell, courses.shape.axes)[1]
        if level.turn < courses.shape.turns - 1:
            gains = _gains(deadwood, came, level.points - value[level.hand], top)
            limits[level.turn] = _chosen(*gains, int(limits[level.turn]), clear)
        knocks = deadwood <= limits[level.turn]
        value[level.hand[knocks]] = level.points[knocks]


def _gains(
    deadwood: npt.NDArray[np.intp], came: Floats, value: Floats, top: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Sum over the hands that come to a turn what knocking with each deadwood gains, and its square."""
    inside = deadwood <= top
    sums: npt.NDArray[np.float64] = np.bincount(deadwood[inside], (came * value)[inside], top + 1).astype(np.float64)
    squares = np.bincount(deadwood[inside], (came * value * value)[inside], top + 1).astype(np.float64)
    return sums, squares


def _chosen(sums: npt.NDArray[np.float64], squares: npt.NDArray[np.float64], now: int, clear: float) -> int:
    """Return the limit that gains most, or the one that holds now if that is not clearly worse."""
    totals = np.cumsum(sums)
    best = int(np.argmax(totals))
    between = slice(min(best, now) + 1, max(best, now) + 1)
    error = float(np.sqrt(squares[between].sum()))
    return best if float(totals[best] - totals[now]) > clear * error else now
