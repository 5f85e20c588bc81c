"""A knock decision that looks up a table by knock limit, deadwood, turn and the opponent's pick-ups.

The table is learned: see ``gincore.learn`` and ``results/knock-tables.md``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gincore.errors import UsageError
from gincore.strategies.base import Strategy, decision

TURNS_A_BIN = 2
"""A player has one turn in every two: nobody is asked twice in one bin but the last, which is open-ended."""

LOW_BITS = np.uint64(0xFFFFFF)
"""Of a view's random word, for a share of knocks; the card is picked by the upper bits."""

ALL_LOW = float(1 << 24)
"""Number of values of the low bits."""


@decision
def knock_by_cells(view: Any, params: Any) -> Any:
    """Knock with the share in the cell of knock limit, deadwood, turn and the opponent's pick-ups; with gin at once.

    ``params`` are limits, deadwoods, turn bins and pick-up bins, then the shares, pick-ups varying fastest. The last
    bin of each is open-ended, so that one bin of limits holds them all.
    """
    if view.can_big_gin != 0 or view.knock_deadwood == 0:
        return 1
    place = min(view.knock_limit, int(params[0]) - 1)
    place = place * int(params[1]) + min(view.knock_deadwood, int(params[1]) - 1)
    place = place * int(params[2]) + min(view.turn // TURNS_A_BIN, int(params[2]) - 1)
    place = place * int(params[3]) + min(view.opp_pickups, int(params[3]) - 1)
    return (view.random & LOW_BITS) < params[4 + place] * ALL_LOW


def knock_table(name: str, shares: ArrayLike, base: Strategy | str = "simple") -> Strategy:
    """Make a strategy that knocks as a table says.

    Parameters
    ----------
    name : str
    shares : array_like, shape (limits, deadwoods, turns, pickups)
        Share of knocks, 0 to 1, by knock limit, deadwood, bin of two turns, and the opponent's pick-ups.
    base : Strategy or str
        Draws and discards.
    """
    cells: NDArray[np.float64] = np.asarray(shares, np.float64)
    if cells.ndim != 4 or cells.size == 0:
        raise UsageError(f"strategy {name}: a knock table has four axes, not the shape {cells.shape}")
    if not np.all((cells >= 0) & (cells <= 1)):
        raise UsageError(f"strategy {name}: a knock table holds shares from 0 to 1")
    return Strategy(name, knock=knock_by_cells, table=np.concatenate([cells.shape, cells.ravel()]), base=base)
