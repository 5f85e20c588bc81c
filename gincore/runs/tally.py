"""Integer sums over the units of a run; they merge exactly, in any order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gincore.core import moments as kernels
from gincore.runs.layout import Layout
from gincore.schema import CELL_FIELDS, CELL_SHAPE, GAME_METRICS, METRICS

Int64Array = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Moments:
    """Sums of the metrics over independent units, enough for every mean, ratio and their errors.

    Attributes
    ----------
    names
        The K metrics: ``schema.METRICS``, and ``schema.GAME_METRICS`` after them in a run of games.
    units
        Independent units summed: deals, games or matches (pairs of them with mirror).
    per_unit
        Times that each unit is played: 2 with mirror, else 1.
    first
        int64 of shape (K,): sums of each metric.
    second
        int64 of shape (K, K): sums of the products of two metrics of the same unit.
    unit
        What a unit is without mirror: ``deal``, ``game``, ``match`` or ``sheet``; if empty, the names tell.
    players
        Players, or sides: 3 in games of cutthroat, else 2.
    """

    names: tuple[str, ...]
    units: int
    per_unit: int
    first: Int64Array
    second: Int64Array
    unit: str = ""
    players: int = 2


def metric_names(kind: str) -> tuple[str, ...]:
    """Return the metrics summed in a run of this kind."""
    return METRICS if kind == "hands" else METRICS + GAME_METRICS


@dataclass
class Tally:
    """The sums of some chunks: ``units``, ``first``, ``second`` as in :class:`Moments`, and the knock cells."""

    units: int
    first: Int64Array
    second: Int64Array
    cells: Int64Array

    @classmethod
    def empty(cls, kind: str) -> Tally:
        """Make a tally of no unit."""
        k = len(metric_names(kind))
        return cls(
            units=0,
            first=np.zeros(k, np.int64),
            second=np.zeros((k, k), np.int64),
            cells=np.zeros((*CELL_SHAPE, len(CELL_FIELDS)), np.int64),
        )

    def add(self, rows: np.ndarray, games: np.ndarray | None, per_unit: int) -> None:
        """Add whole units: hand rows of a run of hands, or game rows with all their hand rows."""
        if games is None:
            kernels.hand_moments(rows, per_unit, self.first, self.second)
            self.units += len(rows) // per_unit
        else:
            self.units += kernels.game_moments(games, rows, self.first, self.second)
        kernels.knock_cells(rows, self.cells)

    def merge(self, other: Tally) -> None:
        """Add the sums of other units to this tally."""
        self.units += other.units
        self.first += other.first
        self.second += other.second
        self.cells += other.cells

    def moments(self, layout: Layout) -> Moments:
        """Return the sums under their names."""
        return Moments(
            metric_names(layout.kind), self.units, layout.per_unit, self.first, self.second, layout.noun, layout.players
        )
