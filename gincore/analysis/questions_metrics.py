"""The metrics that a question can name: what each is read off, its unit, and how it is computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from gincore.analysis import questions_cards as cards
from gincore.analysis import questions_games as games
from gincore.analysis import questions_hands as hands
from gincore.analysis import questions_moments as moments
from gincore.analysis.questions_quantity import Quantity

PLAYS: Final = ("hands", "games", "forks", "courses")
"""What an arm can play: single hands, games, knock-or-wait, hands with their courses."""


@dataclass(frozen=True)
class Metric:
    """A quantity that a row of a question estimates.

    Attributes
    ----------
    play
        What it is read off, one of :data:`PLAYS`.
    unit
        ``points``, ``share``, ``turns``, ``cards``, ``hands`` or ``games``.
    function
        From the data of an arm (of two for ``winners_differ``), the filter of rows and further arguments.
    arms
        How many arms it needs at once.
    """

    play: str
    unit: str
    function: Callable[..., Quantity]
    arms: int = 1


def _of_hands(name: str) -> Callable[..., Quantity]:
    return lambda data, where: hands.mean_of_rows(data, name, where)


def _of_moments(name: str) -> Callable[..., Quantity]:
    return lambda data, where: moments.mean_of_moments(data, name, where)


def _plain(function: Callable[..., Quantity]) -> Callable[..., Quantity]:
    """Take away the filter of rows, which the function does not know."""
    return lambda *data, where, **arguments: function(*data, **arguments)


def _ranks(data: cards.Courses, where: Mapping[str, Any], rank: int, less: list[int], equal: bool = True) -> Quantity:
    """Return what a card of a rank is worth, less the mean of other ranks."""
    weights = dict.fromkeys(less, -1 / len(less))
    weights[rank] = weights.get(rank, 0.0) + 1
    return cards.rank_value(data, weights, equal=equal)


HAND_UNITS: Final = {
    "net": "points", "starter_net": "points", "winner_points": "points", "gin_points": "points", "turns": "turns",
    "stock_left": "cards", "knocker_deadwood": "points",
}  # fmt: skip
"""Units of the means over hands that are not shares."""

METRICS: Final[Mapping[str, Metric]] = {
    **{name: Metric("hands", HAND_UNITS.get(name, "share"), _of_hands(name)) for name in hands.MEANS},
    "net_sd": Metric("hands", "points", hands.spread_of_net),
    "knocks_between": Metric("hands", "share", hands.knocks_between),
    "rows_between": Metric("hands", "share", hands.rows_between),
    "big_gin_points": Metric("hands", "share", hands.big_gin_points),
    "games_won": Metric("games", "share", _plain(games.games_won)),
    "game_hands": Metric("games", "hands", _plain(games.game_hands)),
    "shutouts": Metric("games", "share", _plain(games.shutouts)),
    "turned_round": Metric("games", "share", _plain(games.turned_round)),
    "winners_differ": Metric("games", "share", _plain(games.winners_differ), arms=2),
    "games_to_know": Metric("games", "games", _plain(games.games_to_know)),
    "games_to_know_paired": Metric("games", "games", _plain(games.games_to_know_paired)),
    "knock_less_wait": Metric("forks", "points", _of_moments("knock_less_wait")),
    "knock_less_gin": Metric("forks", "points", _of_moments("knock_less_gin")),
    "wait_less_gin": Metric("forks", "points", _of_moments("wait_less_gin")),
    "undercut_if_knock": Metric("forks", "share", _of_moments("undercut_if_knock")),
    "risk_explained": Metric("forks", "share", _plain(moments.risk_explained)),
    "rank_value": Metric("courses", "points", _ranks),
    "kind_value": Metric("courses", "points", _plain(cards.kind_value)),
    "melds_after_throw": Metric("courses", "share", _plain(cards.melds_after_throw)),
    "late_wins": Metric("courses", "share", _plain(cards.late_wins)),
    "both_low": Metric("courses", "share", _plain(cards.both_low)),
}
"""Every metric by its name."""

SHARES: Final = frozenset(name for name, metric in METRICS.items() if metric.unit == "share") - {"risk_explained"}
"""Metrics whose intervals are those of shares."""

__all__ = ["METRICS", "PLAYS", "SHARES", "Metric"]
