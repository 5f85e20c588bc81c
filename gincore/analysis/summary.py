"""The summary of a run: every quantity with its interval, its number of units and what a unit is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import pandas as pd

from gincore.analysis.intervals import (
    Interval,
    check_level,
    deviation_interval,
    ratio_interval,
    share_interval,
)

if TYPE_CHECKING:
    from gincore.runs.tally import Moments

SUMMARY_COLUMNS: Final = ("metric", "estimate", "low", "high", "n", "unit")
"""Columns of a summary frame; `n` counts independent units and `unit` names them."""


THREE: Final = 3
"""Players of a game of cutthroat."""


@dataclass(frozen=True)
class Metric:
    """One quantity of a summary: a ratio of two sums, or the spread of a value.

    Attributes
    ----------
    name
        As in the column ``metric``; it carries the unit (``net_points_per_hand``, ``dead_share``).
    text
        The same in words, with the unit and what it is counted over.
    kind
        ``mean``, ``share`` (between 0 and 1) or ``deviation`` (`top` names the value and its square, in that order).
    top, bottom
        Weights of the run's moments in the numerator and the denominator.
    """

    name: str
    text: str
    kind: Literal["mean", "share", "deviation"]
    top: Mapping[str, int]
    bottom: Mapping[str, int]


_HANDS: Final = {"hands": 1}
_DECIDED: Final = {"hands": 1, "dead": -1, "stalled": -1}
_KNOCKS: Final = {"nongin_knocks": 1}
_GAMES: Final = {"games": 1}
_LEGS: Final = {"legs": 1}
_MATCHES: Final = {"matches": 1}


def _of(names: str) -> dict[str, int]:
    return dict.fromkeys(names.split(), 1)


def _results() -> list[Metric]:
    """Shares of the ways in which a hand ends, over all hands and over decided hands."""
    words = {
        "knock": "knocks that won",
        "gin": "gins",
        "big_gin": "big gins",
        "undercut": "undercuts",
        "dead": "dead hands",
        "stalled": "stalled hands",
        "won_0": "hands won by player 0",
        "won_1": "hands won by player 1",
        "starter_won": "hands won by the starter",
    }
    of_all = [Metric(f"{k}_share", f"{text}, share of all hands", "share", _of(k), _HANDS) for k, text in words.items()]
    of_decided = [
        Metric(f"{k}_share_of_decided", f"{text}, share of decided hands", "share", _of(k), _DECIDED)
        for k, text in words.items()
        if k not in ("dead", "stalled")
    ]
    tie = Metric("tie_share", "undercuts at equal deadwood, share of all hands", "share", _of("tie"), _HANDS)
    return [*of_all[:6], tie, *of_all[6:], *of_decided]


HAND_METRICS: Final[tuple[Metric, ...]] = (
    Metric("net_points_per_hand", "net points of player 0 a hand", "mean", _of("net"), _HANDS),
    Metric("net_points_sd", "standard deviation of a hand's net points", "deviation", _of("net net_squared"), _HANDS),
    Metric("points_0_per_hand", "points of player 0 a hand", "mean", _of("points_0"), _HANDS),
    Metric("points_1_per_hand", "points of player 1 a hand", "mean", _of("points_1"), _HANDS),
    Metric(
        "winner_points_per_decided_hand",
        "points to the winner of a decided hand",
        "mean",
        _of("points_0 points_1"),
        _DECIDED,
    ),
    *_results(),
    Metric("undercut_share_of_knocks", "undercuts, share of ordinary knocks", "share", _of("undercut"), _KNOCKS),
    Metric("undercut_share_of_knocks_0", "player 0's knocks undercut", "share", _of("undercuts_1"), _of("knocks_0")),
    Metric("undercut_share_of_knocks_1", "player 1's knocks undercut", "share", _of("undercuts_0"), _of("knocks_1")),
    Metric("gin_0_share", "gins and big gins of player 0, share of all hands", "share", _of("gins_0"), _HANDS),
    Metric("gin_1_share", "gins and big gins of player 1, share of all hands", "share", _of("gins_1"), _HANDS),
    Metric("knock_points_mean", "points of a knock that won", "mean", _of("knock_points"), _of("knock")),
    Metric("gin_points_mean", "points of a gin", "mean", _of("gin_points"), _of("gin")),
    Metric("undercut_points_mean", "points of an undercut", "mean", _of("undercut_points"), _of("undercut")),
    Metric(
        "knocker_deadwood_mean", "deadwood points of who went out, gin as 0", "mean", _of("knocker_deadwood"), _DECIDED
    ),
    Metric("nongin_deadwood_mean", "deadwood points at an ordinary knock", "mean", _of("nongin_deadwood"), _KNOCKS),
    Metric(
        "defender_deadwood_mean",
        "defender's deadwood points after lay-offs",
        "mean",
        _of("defender_deadwood"),
        _DECIDED,
    ),
    Metric("layoff_cards_per_knock", "cards laid off on an ordinary knock", "mean", _of("layoff_cards"), _KNOCKS),
    Metric("layoff_share_of_knocks", "ordinary knocks with a lay-off", "share", _of("laid_off_any"), _KNOCKS),
    Metric("turns_mean", "turns a hand, both players counted", "mean", _of("turns"), _HANDS),
    Metric("turns_sd", "standard deviation of a hand's turns", "deviation", _of("turns turns_squared"), _HANDS),
    Metric("stock_left_mean", "cards left in the stock", "mean", _of("stock_left"), _HANDS),
    Metric("pickups_0_per_hand", "cards player 0 took from the pile, a hand", "mean", _of("pickups_0"), _HANDS),
    Metric("pickups_1_per_hand", "cards player 1 took from the pile, a hand", "mean", _of("pickups_1"), _HANDS),
    Metric("upcard_0_share", "hands in which player 0 took the upcard", "share", _of("upcard_0"), _HANDS),
    Metric("upcard_1_share", "hands in which player 1 took the upcard", "share", _of("upcard_1"), _HANDS),
    Metric("starter_net_points_per_hand", "net points of the starter a hand", "mean", _of("starter_net"), _HANDS),
    Metric("knock_limit_mean", "knock limit, points", "mean", _of("knock_limit"), _HANDS),
    Metric("doubled_share", "doubled hands, share of all hands", "share", _of("doubled"), _HANDS),
)
"""What every run is summarised by."""

GAME_SUMMARY: Final[tuple[Metric, ...]] = (
    Metric("game_won_0_share", "games won by player 0, share of all games", "share", _of("game_won_0"), _GAMES),
    Metric("game_won_1_share", "games won by player 1, share of all games", "share", _of("game_won_1"), _GAMES),
    Metric("margin_per_game", "settled points of player 0 a game", "mean", _of("margin"), _GAMES),
    Metric("shutout_share", "shut-outs, share of all games", "share", _of("shutout"), _GAMES),
    Metric("game_points_0_per_game", "hand points of player 0 a game", "mean", _of("game_points_0"), _GAMES),
    Metric("game_points_1_per_game", "hand points of player 1 a game", "mean", _of("game_points_1"), _GAMES),
    Metric("hands_per_game", "hands a game (a sheet in Hollywood), dead hands included", "mean", _HANDS, _LEGS),
    Metric("turns_per_game", "turns a game (a sheet in Hollywood), all players counted", "mean", _of("turns"), _LEGS),
)
"""What a run of games has besides; each column of a Hollywood sheet counts as a game where nothing else is said."""

THIRD_PLAYER: Final[tuple[Metric, ...]] = (
    Metric("game_won_2_share", "games won by player 2, share of all games", "share", _of("game_won_2"), _GAMES),
    Metric("margin_2_per_game", "settled points of player 2 a game", "mean", _of("margin_2"), _GAMES),
    Metric("game_points_2_per_game", "hand points of player 2 a game", "mean", _of("game_points_2"), _GAMES),
    Metric("shutouts_per_game", "losers without a hand point, a game of three", "mean", _of("shutout"), _GAMES),
)
"""What a run of games for three has besides."""

OF_TWO_PLAYERS: Final = frozenset({"undercut_share_of_knocks_0", "undercut_share_of_knocks_1", "shutout_share"})
"""Metrics that name the opponent, or the one loser: there is no such one among three."""

MATCH_SUMMARY: Final[tuple[Metric, ...]] = (
    Metric("match_won_0_share", "matches won by player 0, share of all matches", "share", _of("match_won_0"), _MATCHES),
    Metric("match_won_1_share", "matches won by player 1, share of all matches", "share", _of("match_won_1"), _MATCHES),
    Metric("games_per_match", "games a match", "mean", _LEGS, _MATCHES),
    Metric("margin_per_match", "settled points of player 0 a match", "mean", _of("margin"), _MATCHES),
    Metric("hands_per_match", "hands a match, dead hands included", "mean", _HANDS, _MATCHES),
)
"""What a run of matches has besides."""

MATCH_THIRD_PLAYER: Final[tuple[Metric, ...]] = (
    Metric("match_won_2_share", "matches won by player 2, share of all matches", "share", _of("match_won_2"), _MATCHES),
)

SHEET_SUMMARY: Final[tuple[Metric, ...]] = (
    Metric("sheet_won_0_share", "sheets on which player 0 is ahead, share", "share", _of("match_won_0"), _MATCHES),
    Metric("sheet_won_1_share", "sheets on which player 1 is ahead, share", "share", _of("match_won_1"), _MATCHES),
    Metric("margin_per_sheet", "settled points of player 0 a sheet", "mean", _of("margin"), _MATCHES),
)
"""What a run of Hollywood sheets has besides."""

METRIC_TEXT: Final[Mapping[str, str]] = {
    m.name: m.text
    for m in (
        *HAND_METRICS, *GAME_SUMMARY, *THIRD_PLAYER, *MATCH_SUMMARY, *MATCH_THIRD_PLAYER, *SHEET_SUMMARY,
    )
}  # fmt: skip
"""Every metric's name in words."""


NOTES: Final = (
    "net, margin and what ends in _0: player 0's view (a plus: player 0 is ahead); _1: player 1's",
    "undercut counts ties that score as undercuts; tie, an undercut at equal deadwood, is a part of it",
)
"""What a reader of a summary must know beside the names."""


def counted(moments: Moments) -> str:
    """Return how many independent units there are, in words: ``1,000 pairs of deals``."""
    unit = unit_name(moments)
    many = {"match": "matches"}.get(unit, f"{unit}s") if moments.per_unit == 1 else unit.replace("pair", "pairs", 1)
    return f"{moments.units:,} {unit if moments.units == 1 else many}"


def is_games(moments: Moments) -> bool:
    """Return whether the moments are of a run of whole games."""
    return "games" in moments.names


def unit_name(moments: Moments) -> str:
    """Return the name of the independent unit: ``deal``, ``game``, ``match`` or ``sheet``, or a pair of them."""
    noun = moments.unit or ("game" if is_games(moments) else "deal")
    if moments.per_unit == 1:
        return noun
    return f"pair of {'matches' if noun == 'match' else f'{noun}s'}"


def metrics_of(moments: Moments) -> tuple[Metric, ...]:
    """Return what these moments are summarised by: of games first, then of hands."""
    if not is_games(moments):
        return HAND_METRICS
    three = moments.players == THREE
    chosen = {"match": MATCH_SUMMARY, "sheet": SHEET_SUMMARY}.get(moments.unit, ())
    if three and moments.unit == "match":
        chosen += MATCH_THIRD_PLAYER
    if not three:
        return (*chosen, *GAME_SUMMARY, *HAND_METRICS)
    every = (*chosen, *GAME_SUMMARY, *THIRD_PLAYER, *HAND_METRICS)
    return tuple(metric for metric in every if metric.name not in OF_TWO_PLAYERS)


def summarise(moments: Moments, level: float = 0.95) -> pd.DataFrame:
    """Summarise a run.

    Means and ratios have Student's interval from the delta-method standard error over units, shares have Wilson's
    interval with the number of trials that this error is worth and, as the error is estimated, with Student's quantile
    for n - 1 degrees of freedom (see :mod:`gincore.analysis.intervals`).
    Shares ``..._share`` are of all hands; ``..._share_of_decided`` leave dead and stalled hands out of the count.

    Parameters
    ----------
    moments
        Sums over the run's units.
    level
        Coverage of the intervals.

    Returns
    -------
    DataFrame
        One row a metric: ``metric`` (its name carries the unit), ``estimate``, ``low``, ``high`` (float; NaN where
        there are no data or a single unit), ``n`` (independent units), ``unit`` (what a unit is). In a run of games
        the metrics of games come first.

    Raises
    ------
    UsageError
        If `level` is not between 0 and 1.

    Examples
    --------
    >>> run = gincore.simulate("classic", ("simple", "simple"), deals=1000, seed=1)  # doctest: +SKIP
    >>> summarise(run.moments).set_index("metric").loc["gin_share"]  # doctest: +SKIP
    """
    level = check_level(level)
    unit = unit_name(moments)
    rows = [(m.name, *_interval(moments, m, level), moments.units, unit) for m in metrics_of(moments)]
    return pd.DataFrame(rows, columns=list(SUMMARY_COLUMNS))


def _interval(moments: Moments, metric: Metric, level: float) -> Interval:
    if metric.kind == "deviation":
        value, square = metric.top
        (count,) = metric.bottom
        return deviation_interval(moments, value, square, count, level)
    estimate = share_interval if metric.kind == "share" else ratio_interval
    return estimate(moments, metric.top, metric.bottom, level)
