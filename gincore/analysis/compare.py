"""Comparisons of several candidates that met the same cards."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gincore.analysis.intervals import check_level, mean_interval, student_p
from gincore.errors import UsageError

PAIRWISE_COLUMNS: Final = ("a", "b", "difference", "low", "high", "p_value", "n")


def unit_totals(values: NDArray[np.integer], per_unit: int) -> NDArray[np.int64]:
    """Sum the consecutive rows of each unit.

    Parameters
    ----------
    values : ndarray of int, shape (units * per_unit,)
        One value a row, the rows of a unit beside each other.
    per_unit
        Rows in a unit.

    Returns
    -------
    ndarray of int64, shape (units,)

    Examples
    --------
    >>> unit_totals(np.array([1, 0, 5, 5]), 2).tolist()
    [1, 10]
    """
    if per_unit < 1 or len(values) % per_unit:
        raise UsageError(f"{len(values)} rows: not a multiple of the {per_unit} rows of a unit")
    totals: NDArray[np.int64] = np.asarray(values, dtype=np.int64).reshape(-1, per_unit).sum(axis=1)
    return totals


class PairedSums:
    """Sums and cross products of one value of several candidates, over units that all of them met.

    They hold all that paired comparisons need, exactly and in memory that does not grow with the number of units.

    Parameters
    ----------
    labels
        One whole number a candidate, such as its knock limit.
    per_unit
        Hands or games in a unit, by which totals are divided.
    """

    def __init__(self, labels: Sequence[int], per_unit: int) -> None:
        self.labels = tuple(labels)
        self.per_unit = per_unit
        self.units = 0
        self.first = np.zeros(len(self.labels), dtype=np.int64)
        self.second = np.zeros((len(self.labels), len(self.labels)), dtype=np.int64)

    def add(self, totals: Sequence[NDArray[np.integer]]) -> None:
        """Add units: for each candidate the totals of the same units in the same order.

        Raises
        ------
        UsageError
            If the candidates have different numbers of units.
        """
        sizes = sorted({len(values) for values in totals})
        if len(totals) != len(self.labels) or len(sizes) > 1:
            raise UsageError(f"units of the candidates {sizes}: paired comparisons need the same units for all")
        table = np.stack([np.asarray(values, dtype=np.int64) for values in totals])
        self.units += table.shape[1]
        self.first += table.sum(axis=1)
        self.second += table @ table.T


def pairwise(sums: PairedSums, level: float = 0.95) -> pd.DataFrame:
    """Compare every two candidates by their paired differences.

    Parameters
    ----------
    sums
        What the candidates made of the same units.
    level
        Coverage of each interval by itself (not corrected for the number of comparisons).

    Returns
    -------
    DataFrame
        One row for each two candidates ``a`` and ``b``: mean ``difference`` a - b for one hand or game, its Student
        interval ``low`` to ``high``, the two-sided ``p_value``, ``n`` units. Two candidates that never differ have
        p-value 1; a single unit, or a difference that is always the same and not 0, gives no interval and no p-value.
    """
    level = check_level(level)
    places = combinations(range(len(sums.labels)), 2)
    rows = [(sums.labels[i], sums.labels[j], *_difference(sums, i, j, level), sums.units) for i, j in places]
    return pd.DataFrame(rows, columns=list(PAIRWISE_COLUMNS))


def _difference(sums: PairedSums, i: int, j: int, level: float) -> tuple[float, float, float, float]:
    """Mean, low, high and p-value of a paired difference."""
    n, scale = sums.units, sums.per_unit
    total = int(sums.first[i]) - int(sums.first[j])
    squares = int(sums.second[i, i]) - 2 * int(sums.second[i, j]) + int(sums.second[j, j])
    mean, low, high = mean_interval(total, squares, n, level)
    if n >= 2 and squares == 0:
        return 0.0, 0.0, 0.0, 1.0
    spread = n * squares - total * total  # exact: 0 if and only if the difference is always the same
    if n < 2 or spread == 0:
        return mean / scale, math.nan, math.nan, math.nan
    error = math.sqrt(spread / (n * n * (n - 1)))
    p_value = student_p(mean / error, n)
    return mean / scale, low / scale, high / scale, p_value
