"""What points are worth in a game: the chance to win it from every score.

Points beyond the target are wasted, and a player far behind must take risks: so a learner in a game is taught to win
games, not points. Both players are taken to be equally strong, and their hands' points to be those of a sample.
"""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import NDArray

from gincore._jit import kernel

TARGET = 100
"""Points to which the table plays."""
USUAL = (196, 137, 93, 69, 100, 209, 80, 45, 28, 20, 10, 5, 3, 1, 1, 0, 1)
"""Of a thousand hands that are won, how many bring 1 to 5 points, 6 to 10, and so on: `patient` and `simple`, eaai."""
UNIT = 190.0
"""Points for a chance of 1: about what a point is worth on average, so that both kinds of worth are of one size."""


def chances(points: NDArray[np.int64]) -> NDArray[np.float64]:
    """Chance of winning a game to 100 from every score.

    Parameters
    ----------
    points : ndarray of int64
        Points of the winners of a sample of hands, each above 0.

    Returns
    -------
    ndarray of float64, shape (100, 100)
        By my score and the opponent's.
    """
    share = np.bincount(np.minimum(points, TARGET), minlength=TARGET + 1) / len(points)
    table = np.zeros((2 * TARGET, 2 * TARGET))
    table[TARGET:, :TARGET] = 1.0
    for mine in range(TARGET - 1, -1, -1):
        for theirs in range(TARGET - 1, -1, -1):
            won = share[1:] @ table[mine + 1 : mine + TARGET + 1, theirs]
            lost = share[1:] @ table[mine, theirs + 1 : theirs + TARGET + 1]
            table[mine, theirs] = (won + lost) / 2
    return table[:TARGET, :TARGET].copy()


@functools.cache
def usual_chances() -> NDArray[np.float64]:
    """Chance of winning a game to 100 from every score, if hands bring the usual points."""
    points = np.arange(1, 5 * len(USUAL) + 1)
    return chances(np.repeat(points, np.repeat(USUAL, 5)))


@kernel
def _score(points, target):
    """The score in a game to ``TARGET`` from which as many points are needed, as far as it has one."""
    return min(max(TARGET - target + points, 0), TARGET - 1)


@kernel
def worth(points, view, table):
    """What net points of a hand are worth to the owner of a view: themselves outside a game."""
    if view.target <= 0:
        return points
    mine, theirs = _score(view.my_score, view.target), _score(view.opp_score, view.target)
    now = table[mine, theirs]
    if points > 0.0:
        mine += np.int64(points)
    else:
        theirs -= np.int64(points)
    if mine >= TARGET:
        return UNIT * (1.0 - now)
    if theirs >= TARGET:
        return -UNIT * now
    return UNIT * (table[mine, theirs] - now)
