"""Frames of the knock-threshold report: what each knock limit scores, and which limits can be told apart."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import pandas as pd

from gincore.analysis.compare import PairedSums, pairwise
from gincore.analysis.intervals import check_level, holm
from gincore.analysis.summary import is_games, summarise

if TYPE_CHECKING:
    from gincore.runs.tally import Moments

MEASURES: Final = ("net_points_per_hand", "won_0_share", "game_won_0_share")
"""The measures by which limits are compared: points, hands and games. They can point in opposite directions."""


@dataclass(frozen=True)
class Arm:
    """One run of a sweep.

    Attributes
    ----------
    limit
        Knock limit of player 0, deadwood points.
    opponent
        ``simple``, or ``itself`` if both players keep the limit.
    moments
        Sums over the units of the run, of single hands or of games.
    """

    limit: int
    opponent: str
    moments: Moments


@dataclass(frozen=True)
class Verdict:
    """What one measure says about the limits.

    Attributes
    ----------
    measure
        One of :data:`MEASURES`.
    best
        Limit of the highest estimate.
    estimate, low, high
        The best limit's estimate and interval.
    among_best
        The best limit and those which cannot be told from it after Holm's correction, ascending.
    limits
        All limits compared, ascending.
    n, unit
        Independent units and what a unit is.
    """

    measure: str
    best: int
    estimate: float
    low: float
    high: float
    among_best: tuple[int, ...]
    limits: tuple[int, ...]
    n: int
    unit: str

    @property
    def stands_out(self) -> bool:
        """Whether one limit is better than every other."""
        return len(self.among_best) == 1 and len(self.limits) > 1

    @property
    def open(self) -> bool:
        """Whether no limit can be told from the best."""
        return self.among_best == self.limits


def sweep_frame(arms: Iterable[Arm], level: float = 0.95) -> pd.DataFrame:
    """Tidy frame of a sweep.

    Returns
    -------
    DataFrame
        One row for each opponent, limit and metric: ``opponent``, ``limit`` (points), the columns of
        :func:`gincore.analysis.summary.summarise`, and ``level``. Of a run of games only the metrics of games are
        kept: those of its hands depend on how long games last.
    """
    frames = []
    for arm in arms:
        frame = summarise(arm.moments, level)
        if is_games(arm.moments):
            frame = frame[frame["metric"].str.contains("game")]
        frames.append(frame.assign(opponent=arm.opponent, limit=arm.limit, level=level))
    if not frames:
        return pd.DataFrame(columns=["opponent", "limit", "metric", "estimate", "low", "high", "n", "unit", "level"])
    frame = pd.concat(frames, ignore_index=True)
    return frame[["opponent", "limit", *frame.columns.drop(["opponent", "limit"])]]


def compare_limits(measures: Mapping[str, PairedSums], level: float = 0.95) -> pd.DataFrame:
    """Compare every two limits in every measure on the same deals.

    All comparisons of all measures are one family for Holm's correction, so the best limit may be picked from the
    same data and then compared: whichever is picked, its comparisons are in the family.

    Parameters
    ----------
    measures
        For each measure what the limits made of the same units.
    level
        Coverage of each single interval.

    Returns
    -------
    DataFrame
        Columns ``measure, a, b, difference, low, high, p_value, n, p_holm``; a and b are limits.
    """
    frames = [pairwise(sums, level).assign(measure=name) for name, sums in measures.items()]
    frame = pd.concat(frames, ignore_index=True)
    frame = frame[["measure", *frame.columns.drop("measure")]]
    return frame.assign(p_holm=holm(frame["p_value"].to_numpy()))


def against_reference(comparisons: pd.DataFrame, reference: int) -> pd.DataFrame:
    """Differences of every other limit to one limit, from the frame of :func:`compare_limits`.

    Returns
    -------
    DataFrame
        Columns ``measure, limit, reference, difference, low, high, p_value, n, p_holm``; ``difference`` is the limit
        minus the reference.
    """
    first = comparisons[comparisons["b"] == reference].rename(columns={"a": "limit", "b": "reference"})
    second = comparisons[comparisons["a"] == reference].rename(columns={"b": "limit", "a": "reference"})
    turned = second.assign(difference=-second["difference"], low=-second["high"], high=-second["low"])
    frame = pd.concat([first, turned[first.columns]], ignore_index=True)
    return frame.sort_values(["measure", "limit"], ignore_index=True)


def judge(sweep: pd.DataFrame, comparisons: pd.DataFrame, measure: str, level: float = 0.95) -> Verdict:
    """Say which limits are best in a measure, as far as the comparisons allow.

    Parameters
    ----------
    sweep
        Frame of :func:`sweep_frame`, one opponent.
    comparisons
        Frame of :func:`compare_limits`.
    measure
        One of :data:`MEASURES`.
    level
        Two limits can be told apart if ``p_holm`` is below 1 - level.

    Returns
    -------
    Verdict
    """
    alpha = 1 - check_level(level)
    rows = {int(row["limit"]): row for row in sweep[sweep["metric"] == measure].to_dict("records")}
    limits = tuple(sorted(rows))
    best = max(limits, key=lambda limit: float(rows[limit]["estimate"]))
    of_best = against_reference(comparisons[comparisons["measure"] == measure], best)
    apart = set(of_best.loc[of_best["p_holm"] < alpha, "limit"])
    row = rows[best]
    return Verdict(
        measure=measure,
        best=best,
        estimate=float(row["estimate"]),
        low=float(row["low"]),
        high=float(row["high"]),
        among_best=tuple(limit for limit in limits if limit not in apart),
        limits=limits,
        n=int(row["n"]),
        unit=str(row["unit"]),
    )


def opposed(first: Verdict, second: Verdict) -> bool:
    """Return whether two measures contradict each other: no limit is among the best in both."""
    return not set(first.among_best) & set(second.among_best)


def mark_best(sweep: pd.DataFrame, verdicts: Iterable[Verdict], opponent: str) -> pd.DataFrame:
    """Add a column ``among_best`` (nullable boolean) to a sweep: whether a limit is told apart from the best.

    It has a value in the rows of `opponent` whose metric has a verdict, else it is missing.
    """
    column = pd.Series(pd.NA, index=sweep.index, dtype="boolean")
    for verdict in verdicts:
        rows = (sweep["metric"] == verdict.measure) & (sweep["opponent"] == opponent)
        column[rows] = sweep.loc[rows, "limit"].isin(verdict.among_best)
    return sweep.assign(among_best=column)
