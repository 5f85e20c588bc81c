"""The axes of a knock table: knock limit, deadwood, turn and the opponent's pick-ups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy import ndimage

from gincore.ruleset import Rules
from gincore.schema import NO_VALUE
from gincore.strategies.knock_cells import TURNS_A_BIN

Shares = npt.NDArray[np.float64]
"""A knock table: the share of knocks in each cell, of the shape :attr:`Shape.axes`."""

Bools = npt.NDArray[np.bool_]

TURN: Final = 2
"""The axis of turns."""


@dataclass(frozen=True)
class Shape:
    """Bins of a knock table; the last one of each axis is open-ended.

    Attributes
    ----------
    limits
        Bins of the knock limit: 1 where every hand has the same, else one for each limit from 0.
    deadwoods, turns, pickups
        Bins of deadwood (points), of turns (two to a bin: a player has one of them) and of the opponent's pick-ups.
    """

    limits: int = 1
    deadwoods: int = 11
    turns: int = 20
    pickups: int = 5

    @property
    def axes(self) -> tuple[int, int, int, int]:
        """Shape of the table."""
        return self.limits, self.deadwoods, self.turns, self.pickups

    @property
    def size(self) -> int:
        """Number of cells."""
        return self.limits * self.deadwoods * self.turns * self.pickups

    def constant(self, share: float) -> Shares:
        """Return a table with the same share of knocks everywhere: 1 knocks at once, 0 with gin only."""
        return np.full(self.axes, float(share))

    def cells(self, moments: np.ndarray) -> npt.NDArray[np.int32]:
        """Return the number of the cell of each moment (``schema.MOMENT_DTYPE``)."""
        limit = moments["knock_limit"].astype(np.int64)
        places = (
            np.where(limit == NO_VALUE, self.limits - 1, np.minimum(limit, self.limits - 1)),
            np.minimum(moments["deadwood"], self.deadwoods - 1),
            np.minimum(moments["turn"] // TURNS_A_BIN, self.turns - 1),
            np.minimum(moments["opp_pickups"], self.pickups - 1),
        )
        return np.ravel_multi_index(places, self.axes).astype(np.int32)

    def filled(self, table: Shares, known: Bools) -> Shares:
        """Return the table with cells that are not known taken from the nearest known one of their limit and deadwood.

        Where a limit and deadwood has no known cell, its cells stay as they are.
        """
        full = table.copy()
        for place in np.ndindex(self.limits, self.deadwoods):
            if known[place].any():
                nearest = ndimage.distance_transform_edt(~known[place], return_distances=False, return_indices=True)
                full[place] = table[place][tuple(nearest)]
        return full


def shape_of(rules: Rules) -> Shape:
    """Return the shape for a rule set: limits have an axis of their own where they differ from hand to hand."""
    if rules.knock_limit in ("upcard", "second_deck"):
        return Shape(limits=11)
    return Shape()
