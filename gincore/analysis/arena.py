"""Frames of an arena: every two strategies of a pool compared, and rankings of the pool."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from gincore.analysis.contest import (
    HALF,
    MEASURES,
    Measure,
    Ratio,
    difference_p_value,
    encounter_values,
    even_p_value,
    find_measure,
    measure_interval,
)
from gincore.analysis.cycles import Cycles, log_odds, measure_cycles, pairs_of, table_of, triples
from gincore.analysis.intervals import Term, check_level, combination, holm, wilson
from gincore.analysis.nash import an_equilibrium, copies, nash_average
from gincore.analysis.summary import unit_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gincore.runs.tally import Moments

PAIR_COLUMNS: Final = ("a", "b", "metric", "estimate", "low", "high", "p_value", "n", "unit", "level")

REDRAWS: Final = 400
"""Tables drawn for the intervals of a Nash average."""


def pair_frame(names: Sequence[str], moments: Moments, level: float = 0.95) -> pd.DataFrame:
    """Compare every two strategies in games, hands and points.

    Parameters
    ----------
    names
        The pool.
    moments
        Sums of one encounter for every two of them, in the order of :func:`itertools.combinations`.
    level
        Coverage of each interval by itself.

    Returns
    -------
    DataFrame
        Columns ``a, b, metric, estimate, low, high, p_value, p_holm, n, unit, level``, one row a pair and measure, in
        a's view. All p-values are one family for Holm's correction.
    """
    level = check_level(level)
    unit = unit_name(moments)
    rows = []
    for k, (a, b) in enumerate(combinations(names, 2)):
        for measure in MEASURES:
            ratio = measure.ratio(k)
            interval = measure_interval(moments, measure, ratio, level)
            p_value = even_p_value(moments, measure, ratio)
            rows.append((a, b, measure.name, *interval, p_value, moments.units, unit, level))
    frame = pd.DataFrame(rows, columns=list(PAIR_COLUMNS))
    frame.insert(PAIR_COLUMNS.index("n"), "p_holm", holm(frame["p_value"].to_numpy()))
    return frame


def matrix(frame: pd.DataFrame, metric: str, names: Sequence[str]) -> pd.DataFrame:
    """Return a measure as a square table: the row's strategy against the column's; even on the diagonal.

    Parameters
    ----------
    frame
        Of :func:`pair_frame`.
    metric
        Name of a measure.
    names
        Order of rows and columns.
    """
    even = float(find_measure(metric).even)
    table = pd.DataFrame(even, index=list(names), columns=list(names))
    for a, b, value in frame.loc[frame["metric"] == metric, ["a", "b", "estimate"]].itertuples(index=False):
        table.loc[a, b] = value
        table.loc[b, a] = 2 * even - value
    return table


def against_pool(measure: Measure, player: int, players: int) -> Ratio:
    """Return the measure of a strategy over all its encounters together."""
    top: dict[str, int] = {}
    bottom: dict[str, int] = {}
    for k, pair in enumerate(pairs_of(players)):
        if player in pair:
            ratio = measure.ratio(k, turned=pair[1] == player)
            for total, weights in zip((top, bottom), ratio, strict=True):
                for name, weight in weights.items():
                    total[name] = total.get(name, 0) + weight
    return Ratio(top, bottom)


def ranking_frame(names: Sequence[str], moments: Moments, metric: str, level: float = 0.95) -> pd.DataFrame:
    """Rank a pool by what each strategy makes of all its encounters.

    Returns
    -------
    DataFrame
        Columns ``rank, rank_low, rank_high, strategy, metric, estimate, low, high, n, unit, level``, best first. The
        true ranks of all strategies lie in ``rank_low`` .. ``rank_high`` together with probability `level` or more:
        who is told apart after Holm's correction over the differences of every two is ahead. Equal estimates have
        the same ``rank``.
    """
    level, measure, size = check_level(level), find_measure(metric), len(names)
    ratios = [against_pool(measure, player, size) for player in range(size)]
    intervals = [measure_interval(moments, measure, ratio, level) for ratio in ratios]
    ahead = _told_ahead(moments, ratios, 1 - level)
    estimates = np.array([interval.estimate for interval in intervals])
    unit = unit_name(moments)
    rows = [
        (
            1 + int(np.count_nonzero(estimates > estimates[i])),
            1 + int(ahead[:, i].sum()),
            size - int(ahead[i].sum()),
            name,
            metric,
            *intervals[i],
            moments.units,
            unit,
            level,
        )
        for i, name in enumerate(names)
    ]
    columns = [
        "rank", "rank_low", "rank_high", "strategy", "metric", "estimate", "low", "high", "n", "unit", "level",
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=columns).sort_values("rank", kind="stable", ignore_index=True)


def _told_ahead(moments: Moments, ratios: Sequence[Ratio], alpha: float) -> NDArray[np.bool_]:
    """Return who is told to be ahead of whom, after Holm's correction over all differences."""
    pairs = pairs_of(len(ratios))
    differences = [combination(moments, [Term(1, *ratios[i]), Term(-1, *ratios[j])]) for i, j in pairs]
    p_values = holm([difference_p_value(*each, moments.units) for each in differences])
    ahead = np.zeros((len(ratios), len(ratios)), dtype=bool)
    for (i, j), (difference, _), p_value in zip(pairs, differences, p_values, strict=True):
        if p_value < alpha:
            ahead[(i, j) if difference > 0 else (j, i)] = True
    return ahead


def nash_frame(
    names: Sequence[str], moments: Moments, metric: str, *, level: float = 0.95, seed: int = 0
) -> pd.DataFrame:
    """Average a pool over the equilibrium of its table (see :mod:`gincore.analysis.nash`).

    Parameters
    ----------
    names, moments
        As of :func:`pair_frame`.
    metric
        The table: shares minus 1/2, or points.
    level
        Of the intervals.
    seed
        Of the tables that are drawn for them.

    Returns
    -------
    DataFrame
        Columns ``strategy, group, copies, metric, mass, mass_low, mass_high, rating, rating_low, rating_high, n, unit,
        level``, largest rating first: ``rating`` is the measure against the mixture of the equilibrium (1/2 or 0 points
        for who has mass, less for others), ``group`` numbers those whose results are the same against everybody, and
        ``copies`` is how many there are, itself included. Intervals
        are percentiles over tables drawn around the measured one with its errors; an equilibrium can jump, so they say
        how stable the masses are rather than cover with an exact probability.
    """
    level, measure, size = check_level(level), find_measure(metric), len(names)
    values, covariance = encounter_values(moments, measure, len(pairs_of(size)))
    table = table_of(values, size)
    average = nash_average(table)
    low_high = np.full((2, 2, size), np.nan)
    if moments.units > 1:
        if measure.is_share:
            covariance = _with_extremes(values, covariance, moments.units, level)
        tables = _redrawn(values, covariance, size, seed)
        if measure.is_share:
            tables = np.clip(tables, -HALF, HALF)
        drawn = _averages(tables, average.group)
        low_high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2], axis=0)
    even = float(measure.even)
    frame = pd.DataFrame(
        {
            "strategy": list(names),
            "group": average.group,
            "copies": np.bincount(average.group)[average.group],
            "metric": metric,
            "mass": average.mass,
            "mass_low": low_high[0, 0],
            "mass_high": low_high[1, 0],
            "rating": average.rating + even,
            "rating_low": low_high[0, 1] + even,
            "rating_high": low_high[1, 1] + even,
            "n": moments.units,
            "unit": unit_name(moments),
            "level": level,
        }
    )
    order = np.lexsort([-average.mass.round(9), -average.rating.round(9)])
    return frame.iloc[order].reset_index(drop=True)


def _with_extremes(
    excess: NDArray[np.float64], covariance: NDArray[np.float64], n: int, level: float
) -> NDArray[np.float64]:
    """Give shares of 0 and 1, whose error is 0, the error that goes with Wilson's bound of 0 in n."""
    extreme = np.abs(excess) == HALF
    errors = wilson(0, n, level)[1] / float(stats.norm.ppf((1 + level) / 2))
    filled = covariance.copy()
    filled[extreme, extreme] = errors**2
    return filled


def _redrawn(values: NDArray[np.float64], covariance: NDArray[np.float64], size: int, seed: int) -> NDArray[np.float64]:
    """Tables drawn around a table, with the errors of its estimates."""
    random = np.random.default_rng(seed)
    return table_of(random.multivariate_normal(values, covariance, REDRAWS, "ignore", method="eigh"), size)


def _averages(tables: NDArray[np.float64], group: NDArray[np.int64]) -> NDArray[np.float64]:
    """Masses and ratings (axis 1) of many tables in which the same strategies are copies."""
    first = np.array([int(np.flatnonzero(group == g)[0]) for g in range(group.max() + 1)])
    members = np.bincount(group)
    averages = np.empty((len(tables), 2, len(group)))
    for table, average in zip(tables[:, first][:, :, first], averages, strict=True):
        mixture = an_equilibrium(table)
        average[0] = (mixture / members)[group]
        average[1] = (table @ mixture)[group]
    return averages


def cycle_measure(
    names: Sequence[str], moments: Moments, frame: pd.DataFrame, metric: str, *, level: float = 0.95, seed: int = 0
) -> Cycles:
    """Measure how cyclic a pool is (see :mod:`gincore.analysis.cycles`); copies of a strategy count once.

    Parameters
    ----------
    names, moments, metric, level, seed
        As of :func:`nash_frame`.
    frame
        Of :func:`pair_frame`, for the triples that are told apart.
    """
    level, measure = check_level(level), find_measure(metric)
    pairs = pairs_of(len(names))
    values, covariance = encounter_values(moments, measure, len(pairs))
    group = copies(table_of(values, len(names)))
    first = [int(np.flatnonzero(group == g)[0]) for g in range(group.max() + 1)]
    kept = [k for k, (i, j) in enumerate(pairs) if i in first and j in first]
    values, covariance = values[kept], covariance[np.ix_(kept, kept)]
    if measure.is_share:
        values, covariance = log_odds(values, covariance, moments.units)
    alone = moments.units < 2
    measured = (np.nan,) * 6 if alone else measure_cycles(values, covariance, len(first), level=level, seed=seed)
    different = {names[i] for i in first}
    rows = frame[(frame["metric"] == metric) & frame["a"].isin(different) & frame["b"].isin(different)]
    counts = triples(rows, float(measure.even), 1 - level)
    return Cycles(metric, len(first), *measured, *counts, moments.units, unit_name(moments), level)


def opposed(frame: pd.DataFrame, level: float) -> pd.DataFrame:
    """Return the pairs of which one measure tells a ahead and another b.

    Parameters
    ----------
    frame
        Of :func:`pair_frame`.
    level
        A comparison is told apart if ``p_holm`` is below 1 - level.

    Returns
    -------
    DataFrame
        Columns ``a, b, ahead_a, ahead_b``: the names of the measures in which a and b are ahead, joined by ``, ``.
    """
    even = frame["metric"].map({measure.name: float(measure.even) for measure in MEASURES})
    told = frame.assign(ahead=frame["estimate"] > even)[frame["p_holm"] < 1 - check_level(level)]
    rows = []
    for (a, b), group in told.groupby(["a", "b"], sort=False):
        sides = [", ".join(group.loc[group["ahead"] == side, "metric"]) for side in (True, False)]
        if all(sides):
            rows.append((a, b, *sides))
    return pd.DataFrame(rows, columns=["a", "b", "ahead_a", "ahead_b"])
