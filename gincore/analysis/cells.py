"""Estimates for many cells at once: ratios of sums over deals, each with its interval and p-value.

The unit is the deal: both hands of a mirrored deal count as one, whichever cells they fall into.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from gincore.analysis.intervals import check_level, wilson

Floats = NDArray[np.float64]

CELL_COLUMNS: Final = ("metric", "estimate", "low", "high", "p_value", "n", "unit", "hands")
"""Columns behind those that name the cell; `n` counts deals with a hand in it, `hands` its hands."""


class Value(NamedTuple):
    """A quantity of a cell: the mean of a column over its rows.

    Attributes
    ----------
    metric
        Name with the unit.
    column
        What is averaged.
    share
        Whether the column holds 0 and 1.
    """

    metric: str
    column: str
    share: bool


def cell_frame(
    rows: pd.DataFrame,
    by: Sequence[str],
    values: Sequence[Value],
    level: float = 0.95,
    reference: Mapping[str, float] | None = None,
) -> pd.DataFrame:
    """Average columns over the rows of each cell.

    Parameters
    ----------
    rows
        One row a hand: the columns of `by`, those that `values` name, and ``deal``.
    by
        Columns that name a cell; none for all rows together.
    values
        What is averaged.
    level
        Coverage of each single interval.
    reference
        For each metric the value of the null hypothesis of ``p_value``; 0 where it is not named.

    Returns
    -------
    DataFrame
        Tidy: the columns of `by` and :data:`CELL_COLUMNS`. Shares have Wilson's interval with the number of trials that
        their delta-method error is worth, means Student's. A cell of a single deal has no interval, and no p-value.
    """
    level = check_level(level)
    names = list(dict.fromkeys(value.column for value in values))
    table = pd.DataFrame({name: rows[name].to_numpy(np.int64) for name in names}).assign(hands=1)
    keys = [rows[name].to_numpy() for name in by] or [np.zeros(len(rows), np.int8)]
    units = table.groupby([*keys, rows["deal"].to_numpy()], sort=True).sum()
    units.index.names = [*(by or ["all"]), "deal"]
    products = units.assign(deals=1, hands_hands=units["hands"] ** 2)
    for name in names:
        products[f"{name}_{name}"] = units[name] ** 2
        products[f"{name}_hands"] = units[name] * units["hands"]
    sums = products.groupby(level=list(range(len(keys))), sort=True).sum()
    frames = [_frame(sums, value, level, (reference or {}).get(value.metric, 0.0)) for value in values]
    frame = pd.concat(frames).reset_index()
    if not by:
        frame = frame.drop(columns="all")
    return frame[[*by, *CELL_COLUMNS]]


def _frame(sums: pd.DataFrame, value: Value, level: float, null: float) -> pd.DataFrame:
    top, bottom, n = (sums[name].to_numpy(np.float64) for name in (value.column, "hands", "deals"))
    ratio = top / bottom
    squares = sums[f"{value.column}_{value.column}"] - 2 * ratio * sums[f"{value.column}_hands"]
    spread = np.maximum((squares + ratio**2 * sums["hands_hands"]).to_numpy(np.float64), 0)
    spread[spread < 1e-9 * np.maximum(top, 1)] = 0  # a sum that cancels
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.where(n > 1, np.sqrt(spread * n / (n - 1)) / bottom, np.nan)
        low, high = (share_bounds if value.share else mean_bounds)(ratio, error, n, level)
        p_value = p_values(ratio, error, n, null, share=value.share)
    return pd.DataFrame(
        {
            "metric": value.metric,
            "estimate": ratio,
            "low": low,
            "high": high,
            "p_value": p_value,
            "n": n.astype(np.int64),
            "unit": "deal",
            "hands": bottom.astype(np.int64),
        },
        index=sums.index,
    )


def mean_bounds(mean: Floats, error: Floats, n: Floats, level: float) -> tuple[Floats, Floats]:
    """Student's intervals; NaN where there is a single unit."""
    half = stats.t.ppf((1 + level) / 2, np.maximum(n - 1, 1)) * error
    return mean - half, mean + half


def share_bounds(share: Floats, error: Floats, n: Floats, level: float) -> tuple[Floats, Floats]:
    """Wilson's intervals as :func:`gincore.analysis.intervals.share_interval` has them, for many shares."""
    quantile = stats.t.ppf((1 + level) / 2, np.maximum(n - 1, 1))
    trials = share * (1 - share) / error**2
    shrink = quantile**2 / trials
    centre = (share + shrink / 2) / (1 + shrink)
    half = quantile / (1 + shrink) * np.sqrt(share * (1 - share) / trials + shrink / (4 * trials))
    low, high = np.maximum(centre - half, 0), np.minimum(centre + half, 1)
    for place in np.flatnonzero(error == 0):  # no two units differ
        odd = wilson(0, float(n[place]), level)[1]
        low[place] = share[place] * (1 - odd)
        high[place] = share[place] + (1 - share[place]) * odd
    return low, high


def p_values(estimate: Floats, error: Floats, n: Floats, null: float, *, share: bool) -> Floats:
    """Two-sided p-values of estimates that equal `null`; a share takes the spread that goes with it.

    Where no two units differ the spread is unknown: a share has the exact probability of so many equal units, a mean
    none.
    """
    distance = np.abs(estimate - null)
    spread = error
    if share and 0 < null < 1:
        spread = error * np.sqrt(null * (1 - null) / (estimate * (1 - estimate)))
    found = 2 * stats.t.sf(distance / spread, np.maximum(n - 1, 1))
    alike = (error == 0) & (n > 1)
    if share and 0 < null < 1:
        equal = np.where(estimate < null, 1 - null, null) ** n
        found[alike] = np.where(np.isin(estimate, (0, 1)), np.minimum(2 * equal, 1), np.nan)[alike]
    else:
        found[alike] = np.where(distance == 0, 1.0, np.nan)[alike]
    return np.asarray(found, dtype=np.float64)
