"""The best reply within a knock table to an opponent, from hands that were followed against that opponent.

A table does not see all that a hand has been, so that no rule gives the best one for certain. What is found is best in
each cell as long as the other cells stay: cells are decided turn by turn from the last one, those of one turn at once,
over the hands that come to them, and again until no cell changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy import ndimage

from gincore.analysis.intervals import Interval, mean_interval
from gincore.learn.courses import Courses, Floats
from gincore.learn.shape import TURN, Shares

NEIGHBOURS: Final = np.array([0.5, 1.0, 0.5])
"""Weights of neighbouring cells along deadwood, turn and pick-ups."""

UNREACHED: Final = 0.02
"""Weight of a hand that the table would have ended before: such cells are decided too, and never matter much."""

FEWEST: Final = 30
"""Hands, by weight, from which a mean is trusted."""

MOST_SWEEPS: Final = 12


@dataclass(frozen=True)
class Caution:
    """How the noise of a cell is held down.

    A cell's own mean is drawn towards that of its neighbours, the more the fewer hands came to the cell.

    Attributes
    ----------
    clear
        Standard errors by which the value of knocking must differ from zero; else the cell stays as it is.
    spread
        Points by which the values of neighbours are thought to differ: 0 trusts all to be the same, infinity trusts the
        cell alone.
    """

    clear: float = 1.0
    spread: float = 0.5


BOLD: Final = Caution(clear=0.0)
"""No cell stays as it is: for the gain of a best reply that no caution holds back."""


class _Sums:
    """Weighted sums of the value of knocking in every cell."""

    def __init__(self, axes: tuple[int, ...]) -> None:
        self.weight, self.value, self.square = np.zeros(axes), np.zeros(axes), np.zeros(axes)

    def add(self, cell: np.ndarray, weight: Floats, value: Floats) -> None:
        size, axes = self.weight.size, self.weight.shape
        self.weight += np.bincount(cell, weight, size).reshape(axes)
        self.value += np.bincount(cell, weight * value, size).reshape(axes)
        self.square += np.bincount(cell, weight * value * value, size).reshape(axes)

    def neighbours(self) -> _Sums:
        """Return the sums over the neighbouring cells of the same limit, without the cell itself."""
        other = _Sums(self.weight.shape)
        for name in ("weight", "value", "square"):
            own = total = getattr(self, name)
            for axis in range(1, total.ndim):
                total = ndimage.convolve1d(total, NEIGHBOURS, axis=axis, mode="constant")
            setattr(other, name, total - own)
        return other

    def mean_and_precision(self, spread: float = 0.0) -> tuple[Shares, Shares]:
        """Return mean and inverse squared error of every cell, 0 where too few hands came to it.

        ``spread`` is a further error of the mean.
        """
        enough = self.weight >= FEWEST
        weight = np.where(enough, self.weight, 1.0)
        mean: Shares = self.value / weight
        variance = np.maximum(self.square / weight - mean * mean, 1.0)  # of points: never none at all
        return mean, np.where(enough, 1.0 / (variance / weight + spread * spread), 0.0)

    def errors_from_zero(self, spread: float) -> Shares:
        """Return the value of knocking in standard errors, neighbours taken into account; 0 if nothing is known."""
        mean, precision = self.mean_and_precision()
        around, trust = self.neighbours().mean_and_precision(spread)
        total = precision + trust
        errors: Shares = (mean * precision + around * trust) / np.sqrt(np.where(total > 0, total, 1.0))
        return errors


def _decided(table: Shares, sums: _Sums, caution: Caution) -> Shares:
    """Return the table with every cell set to knock or wait where that is clear."""
    errors = sums.errors_from_zero(caution.spread)
    return np.where(errors > caution.clear, 1.0, np.where(errors < -caution.clear, 0.0, table))


def _sweep(courses: Courses, table: Shares, reached: list[Floats], caution: Caution) -> Shares:
    """Decide every cell once, from the last turn on: later turns are played as they have just been decided."""
    table, sums = table.copy(), _Sums(courses.shape.axes)
    value = courses.end.astype(np.float32)
    for level, came in zip(reversed(courses.levels), reversed(reached), strict=True):
        sums.add(level.cell, np.maximum(came, np.float32(UNREACHED)), level.points - value[level.hand])
        turn = (slice(None),) * TURN + (level.turn,)
        table[turn] = _decided(table, sums, caution)[turn]
        shares = table.ravel()[level.cell].astype(np.float32)
        value[level.hand] += shares * (level.points - value[level.hand])
    return table


def best_reply(courses: Courses, table: Shares, caution: Caution | None = None) -> Shares:
    """Find the best reply within the table to the opponent of the courses.

    Parameters
    ----------
    courses
        Hands that were followed against the opponent.
    table
        Where the search begins; cells that cannot be decided stay as they are here.
    caution
        How clear the value of knocking must be; ``Caution()`` by default.

    Returns
    -------
    ndarray of float64
        The table that replies.
    """
    caution = caution or Caution()
    for _ in range(MOST_SWEEPS):
        before = table
        table = _sweep(courses, table, courses.reach(table), caution)
        if np.array_equal(table, before):
            break
    return table


def gain(courses: Courses, table: Shares, other: Shares | None = None, level: float = 0.95) -> Interval:
    """Return the net points a hand of a table, or by how much it beats another one, on the same hands.

    The deal is the independent unit. Take other deals than those from which the table was learned.
    """
    points = courses.payoff(table).astype(np.float64)
    if other is not None:
        points -= courses.payoff(other)
    units = points.reshape(-1, courses.per_unit).mean(axis=1)
    return mean_interval(float(units.sum()), float(np.square(units).sum()), len(units), level)
