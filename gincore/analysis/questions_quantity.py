"""Quantities with their errors: means over independent units, and what arithmetic makes of them.

A quantity carries its *influence*: by how much each unit (a deal, a game, or a pair of them) pulls it, to first order.
Sums, ratios and differences of quantities over the same units carry theirs along (the delta method), so that whatever
two runs on common cards share drops out of their difference by itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gincore.errors import UsageError

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Quantity:
    """An estimate over independent units.

    Attributes
    ----------
    value
        The estimate, NaN without data.
    influence : ndarray of float64, shape (units,)
        Pull of each unit; its mean is 0.
    seen
        Units that held something to count.
    """

    value: float
    influence: Floats
    seen: int

    @property
    def units(self) -> int:
        """All units, those without anything to count too."""
        return len(self.influence)

    @property
    def error(self) -> float:
        """Standard error; NaN from fewer than two units."""
        n = self.units
        if n < 2 or self.seen < 2 or math.isnan(self.value):
            return math.nan
        return float(np.sqrt(np.sum(self.influence**2) / (n - 1) / n))

    @property
    def weight(self) -> float:
        """About how many units carry the spread: all if they pull alike, one if a single one does; 0 without spread."""
        squares = self.influence**2
        fourth = float(np.sum(squares * squares))
        return float(np.sum(squares)) ** 2 / fourth if fourth > 0 else 0.0

    def __add__(self, other: Quantity | float) -> Quantity:
        """Return the sum."""
        if not isinstance(other, Quantity):
            return Quantity(self.value + other, self.influence, self.seen)
        _check(self, other)
        return Quantity(self.value + other.value, self.influence + other.influence, min(self.seen, other.seen))

    def __sub__(self, other: Quantity | float) -> Quantity:
        """Return the difference."""
        return self + (-1.0) * other

    def __rmul__(self, factor: float) -> Quantity:
        """Return a multiple."""
        return Quantity(factor * self.value, factor * self.influence, self.seen)

    def __mul__(self, other: Quantity) -> Quantity:
        """Return the product."""
        _check(self, other)
        pull = other.value * self.influence + self.value * other.influence
        return Quantity(self.value * other.value, pull, min(self.seen, other.seen))

    def __truediv__(self, other: Quantity) -> Quantity:
        """Return the ratio, NaN over 0; the units that count are those of the denominator."""
        _check(self, other)
        if not other.value:
            return Quantity(math.nan, np.zeros(self.units), 0)
        ratio = self.value / other.value
        return Quantity(ratio, (self.influence - ratio * other.influence) / other.value, other.seen)

    def apply(self, value: float, slope: float) -> Quantity:
        """Return a function of the quantity from its value and slope there."""
        return Quantity(value, slope * self.influence, self.seen)

    def root(self) -> Quantity:
        """Return the square root."""
        root = math.sqrt(max(self.value, 0.0))
        return self.apply(root, 1 / (2 * root) if root > 0 else math.nan)


def mean(values: ArrayLike) -> Quantity:
    """Return the mean of a value of every unit.

    Examples
    --------
    >>> round(mean([1.0, 2.0, 3.0]).error, 4)
    0.5774
    """
    each = np.asarray(values, np.float64)
    if not len(each):
        return Quantity(math.nan, each, 0)
    middle = float(each.mean())
    return Quantity(middle, each - middle, int(np.count_nonzero(each)))


def ratio(top: ArrayLike, bottom: ArrayLike) -> Quantity:
    """Return the ratio of two sums over units, such as points over hands."""
    return mean(top) / mean(bottom)


def by_unit(units: NDArray[np.integer[Any]], count: int, values: ArrayLike | None = None) -> Floats:
    """Sum values of rows (without them: count rows) by the number of their unit, 0 .. count - 1."""
    weights = None if values is None else np.asarray(values, np.float64)
    return np.bincount(units, weights, minlength=count).astype(np.float64)


def deviation(values: ArrayLike, squares: ArrayLike, counts: ArrayLike) -> Quantity:
    """Return the standard deviation of a value over rows, from its sums by unit."""
    middle = ratio(values, counts)
    return (ratio(squares, counts) - middle * middle).root()


def weighted(parts: list[tuple[float, Quantity]]) -> Quantity:
    """Return a weighted sum of quantities over the same units."""
    total = parts[0][0] * parts[0][1]
    for weight, each in parts[1:]:
        total = total + weight * each
    return total


def _check(one: Quantity, other: Quantity) -> None:
    if one.units != other.units:
        raise UsageError(f"{one.units} and {other.units} units: quantities are combined over the same units only")
