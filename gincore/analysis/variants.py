"""Frames of the variant-comparison report: rule sets side by side on the same cards.

A rule set's hands are played by one strategy against itself, its games by a better and a weaker one. All rule sets meet
the same deals and game numbers, so they are compared by paired differences.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from gincore.analysis.compare import PairedSums, pairwise
from gincore.analysis.intervals import check_level, holm, mean_interval, share_interval, student_interval, student_p
from gincore.analysis.summary import summarise, unit_name

if TYPE_CHECKING:
    from gincore.runs.tally import Moments

HAND_METRICS: Final = (
    "turns_mean", "dead_share", "knock_share", "gin_share", "big_gin_share", "undercut_share",
    "winner_points_per_decided_hand", "net_points_sd", "starter_net_points_per_hand",
)  # fmt: skip
"""What is shown of a rule set's hands."""

PAIRED: Final = (
    "turns_mean", "dead_share", "knock_share", "gin_share", "big_gin_share", "undercut_share",
    "points_per_hand", "net_points_sd", "starter_net_points_per_hand",
)  # fmt: skip
"""What is compared deal by deal; ``points_per_hand`` are the winner's, 0 in a dead hand."""

GAMES_WON: Final = "better_won_share"
"""Share of games that the better player wins, games nobody wins left out."""

EVEN: Final = 0.5

Floats = NDArray[np.float64]


def deal_values(hands: pd.DataFrame) -> dict[str, Floats]:
    """Return what is compared, one value a deal, from hand rows that are not mirrored.

    ``net_points_sd`` holds each deal's part in the standard deviation: their mean is 0, and the difference of the
    parts of two rule sets has the error of the difference of the deviations.
    """
    points = hands[["points_0", "points_1"]].to_numpy(np.int64)
    net = (points[:, 0] - points[:, 1]).astype(np.float64)
    starter = np.where(hands["starter"].to_numpy() == 0, net, -net)
    deviation = float(net.std()) if len(net) else 0.0
    part = ((net - net.mean()) ** 2 - deviation**2) / (2 * deviation) if deviation > 0 else np.zeros(len(net))
    result = hands["result"]
    shares = {
        f"{name}_share": (result == name).to_numpy(np.float64)
        for name in ("dead", "knock", "gin", "big_gin", "undercut")
    }
    return {
        "turns_mean": hands["turns"].to_numpy(np.float64),
        **shares,
        "points_per_hand": points.sum(axis=1).astype(np.float64),
        "net_points_sd": part + deviation,
        "starter_net_points_per_hand": starter,
    }


def hand_frame(moments: Moments, level: float = 0.95) -> pd.DataFrame:
    """Return :data:`HAND_METRICS` with intervals: ``metric, estimate, low, high, n, unit``."""
    frame = summarise(moments, level)
    return frame[frame["metric"].isin(HAND_METRICS)].reset_index(drop=True)


def paired_frame(
    values: Mapping[str, Floats], baseline: Mapping[str, Floats], unit: str, level: float = 0.95
) -> pd.DataFrame:
    """Compare two rule sets on the same units, value by value.

    Returns
    -------
    DataFrame
        Columns ``metric, difference, low, high, p_value, n, unit``: the mean of value - baseline with Student's
        interval and test. Where the two never differ the p-value is 1 and the interval empty.
    """
    level = check_level(level)
    rows = []
    for metric, mine in values.items():
        change = mine - baseline[metric]
        n = len(change)
        mean = float(change.mean()) if n else math.nan
        error = float(change.std(ddof=1)) / math.sqrt(n) if n > 1 else math.nan
        interval = student_interval(mean, error, n, level) if n > 1 else (mean, math.nan, math.nan)
        p_value = 1.0 if error == 0 and mean == 0 else math.nan
        if n > 1 and error > 0:
            p_value = student_p(mean / error, n)
        rows.append((metric, *interval, p_value, n, unit))
    return pd.DataFrame(rows, columns=["metric", "difference", "low", "high", "p_value", "n", "unit"])


def length_frame(moments: Moments, seconds_a_turn: float, level: float = 0.95) -> pd.DataFrame:
    """Return the length of a game in hands, turns and minutes (``minutes_per_game``), and of a hand in minutes."""
    frame = summarise(moments, level).set_index("metric")
    rows = frame.loc[["hands_per_game", "turns_per_game", "turns_mean"]].reset_index()
    minutes = frame.loc[["turns_per_game", "turns_mean"]].copy()
    minutes[["estimate", "low", "high"]] *= seconds_a_turn / 60
    minutes = minutes.rename(index={"turns_per_game": "minutes_per_game", "turns_mean": "minutes_per_hand"})
    return pd.concat([rows.iloc[:2], minutes.reset_index()], ignore_index=True)


def skill_frame(moments: Moments, level: float = 0.95) -> pd.DataFrame:
    """Return how often the better player (player 0) wins a game, and how many games it takes to see it.

    Returns
    -------
    DataFrame
        Columns ``metric, estimate, low, high, n, unit``: :data:`GAMES_WON`; ``games_needed`` (see the function);
        ``better_net_points_per_hand``.
    """
    won = share_interval(moments, {"match_won_0": 1}, {"match_won_0": 1, "match_won_1": 1}, level)
    needed = (games_needed(won.estimate), games_needed(won.high), games_needed(won.low))
    net = summarise(moments, level).set_index("metric").loc["net_points_per_hand", ["estimate", "low", "high"]]
    rows = [(GAMES_WON, *won), ("games_needed", *needed), ("better_net_points_per_hand", *net)]
    frame = pd.DataFrame(rows, columns=["metric", "estimate", "low", "high"])
    return frame.assign(n=moments.units, unit=unit_name(moments))


def games_needed(share: float, level: float = 0.95) -> float:
    """Games after which a share of games won, as large as expected, has an interval that leaves out one half.

    Infinite where the better player does not win more than half.

    Examples
    --------
    >>> round(games_needed(0.6)), games_needed(0.5)
    (92, inf)
    """
    if math.isnan(share):
        return math.nan
    if share <= EVEN:
        return math.inf
    z = float(stats.norm.ppf((1 + level) / 2))
    return max(z * z * share * (1 - share) / (share - EVEN) ** 2, 1.0)


def hands_needed(net: float, deviation: float, level: float = 0.95) -> float:
    """Hands after which mean net points, as large as expected, have an interval that leaves out 0."""
    z = float(stats.norm.ppf((1 + level) / 2))
    return math.inf if net <= 0 else max((z * deviation / net) ** 2, 1.0)


def limits_frame(sums: PairedSums, level: float = 0.95) -> pd.DataFrame:
    """Compare the knock limits of one rule set by net points a hand against the same field.

    Returns
    -------
    DataFrame
        Columns ``limit, estimate, low, high, n, unit, p_holm`` (against the best; Holm over every two limits), ``best``
        and ``among_best`` (not told apart from the best).
    """
    level = check_level(level)
    rows = []
    for place, limit in enumerate(sums.labels):
        mean, low, high = mean_interval(int(sums.first[place]), int(sums.second[place, place]), sums.units, level)
        rows.append((limit, mean / sums.per_unit, low / sums.per_unit, high / sums.per_unit, sums.units))
    frame = pd.DataFrame(rows, columns=["limit", "estimate", "low", "high", "n"]).assign(unit="pair of deals")
    best = sums.labels[int(frame["estimate"].to_numpy().argmax())]
    pairs = pairwise(sums, level)
    pairs["p_holm"] = holm(pairs["p_value"].to_numpy())
    of_best = {(row["b"] if row["a"] == best else row["a"]): row["p_holm"]
               for row in pairs.to_dict("records") if best in (row["a"], row["b"])}  # fmt: skip
    frame["p_holm"] = frame["limit"].map(of_best)
    frame["best"] = frame["limit"] == best
    return frame.assign(among_best=frame["best"] | ~(frame["p_holm"] < 1 - level))


GRID_METRICS: Final = (
    "undercut_share", "winner_points_per_decided_hand", "net_points_sd", "better_net_points_per_hand", "hands_needed",
)  # fmt: skip
"""What the grid of the city variants shows for each knock limit and undercut bonus."""


def grid_cell(equal: pd.DataFrame, skill: pd.DataFrame, base: int, bonus: int, level: float = 0.95) -> pd.DataFrame:
    """Estimate :data:`GRID_METRICS` under an undercut bonus, from rows that were played under another.

    Parameters
    ----------
    equal
        Hand rows of a strategy against itself, not mirrored.
    skill
        Hand rows of the better player 0 against the weaker, mirrored.
    base, bonus
        Undercut bonus of the rows, and the one that is asked for.
    level
        Coverage of the intervals.
    """
    mine, theirs = (_rescored(rows, base, bonus) for rows in (equal, skill))
    decided = ~equal["result"].isin(["dead", "stalled"]).to_numpy()
    pairs = theirs.reshape(-1, 2).sum(axis=1)
    points: Floats = np.abs(mine[decided])
    net: Floats = pairs / 2
    undercut = np.asarray(equal["result"] == "undercut", dtype=np.float64)
    rows: list[tuple[str, float, float, float]] = [
        ("undercut_share", *_mean(undercut, level)),
        ("winner_points_per_decided_hand", *_mean(points, level)),
        ("net_points_sd", *_deviation(mine, level)),
        ("better_net_points_per_hand", *_mean(net, level)),
    ]
    edge, low, high = _mean(net, level)
    deviation = float(theirs.std())
    needed = [hands_needed(each, deviation) for each in (edge, high, low)]
    rows.append(("hands_needed", needed[0], needed[1], needed[2]))
    frame = pd.DataFrame(rows, columns=["metric", "estimate", "low", "high"])
    return frame.assign(n=[len(equal)] * 3 + [len(net)] * 2, unit=["deal"] * 3 + ["pair of deals"] * 2)


def _rescored(rows: pd.DataFrame, base: int, bonus: int) -> Floats:
    """Player 0's net points under another undercut bonus."""
    net = rows["points_0"].to_numpy(np.int64) - rows["points_1"].to_numpy(np.int64)
    more = (bonus - base) * np.where(rows["doubled"].to_numpy() == 1, 2, 1)
    undercut = (rows["result"] == "undercut").to_numpy()
    points: Floats = np.where(undercut, net + np.sign(net) * more, net).astype(np.float64)
    return points


def _mean(values: Floats, level: float) -> tuple[float, float, float]:
    if len(values) < 2:
        return (float(values.mean()) if len(values) else math.nan, math.nan, math.nan)
    return student_interval(
        float(values.mean()), float(values.std(ddof=1)) / math.sqrt(len(values)), len(values), level
    )


def _deviation(values: Floats, level: float) -> tuple[float, float, float]:
    deviation = float(values.std()) if len(values) else math.nan
    if len(values) < 2 or deviation == 0:
        return deviation, math.nan, math.nan
    parts = ((values - values.mean()) ** 2 - deviation**2) / (2 * deviation)
    return student_interval(deviation, float(parts.std(ddof=1)) / math.sqrt(len(values)), len(values), level)


def with_holm(frame: pd.DataFrame) -> pd.DataFrame:
    """Add ``p_holm``: all comparisons of the frame are one family."""
    return frame.assign(p_holm=holm(frame["p_value"].to_numpy()))


def ordered(frame: pd.DataFrame, metric: str, names: Sequence[str]) -> list[str]:
    """Return rule sets by a metric, largest first; those without a value last."""
    rows = frame[frame["metric"] == metric].set_index("variant")["estimate"].reindex(list(names))
    return list(rows.sort_values(ascending=False, kind="stable", na_position="last").index)
