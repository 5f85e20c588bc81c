"""What questions read off game rows, as quantities with their errors."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gincore.analysis.questions_quantity import Floats, Quantity, by_unit, mean, ratio

SURE: Final = 1.959963984540054
"""Normal quantile of a two-sided 95 % interval, as in ``variants.games_needed``."""


@dataclass(frozen=True)
class Games:
    """Game rows of a run of games, the game numbers from 0.

    Attributes
    ----------
    rows : ndarray of ``schema.GAME_DTYPE``
    units
        Game numbers, the independent units.
    target
        Points that end a game.
    """

    rows: NDArray[Any]
    units: int
    target: int

    def sums(self, values: Any = None) -> Floats:
        """Sum values by game number; without them count rows."""
        return by_unit(self.rows["game"], self.units, values)


def _score(winners: NDArray[Any]) -> Floats:
    """Return 1 for a win of player 0, 1/2 for a draw."""
    return np.where(winners == 0, 1.0, np.where(winners < 0, 0.5, 0.0))


def games_won(games: Games) -> Quantity:
    """Share of games won by player 0, a draw as half; of Hollywood sheets those with the higher sum of the columns."""
    last = games.rows["column"] == games.rows["column"].max()
    units, rows = games.rows["game"][last], games.rows[last]
    winners = rows["match_winner"] if rows["column"].any() else rows["winner"]
    return ratio(by_unit(units, games.units, _score(winners)), by_unit(units, games.units))


def game_hands(games: Games) -> Quantity:
    """Hands a game, dead ones included; in Hollywood until all columns of a sheet are closed."""
    columns = int(games.rows["column"].max()) + 1
    hands = games.rows["hands"].reshape(-1, columns).max(axis=1)
    units = games.rows["game"][::columns]
    return ratio(by_unit(units, games.units, hands), by_unit(units, games.units))


def shutouts(games: Games) -> Quantity:
    """Share of games whose loser scored no hand points."""
    return ratio(games.sums(games.rows["shutout"]), games.sums())


def turned_round(games: Games) -> Quantity:
    """Share of games that the player who reached the target did not win: the final total was below the other's."""
    rows = games.rows
    reached = np.where(rows["points_0"] >= games.target, 0, np.where(rows["points_1"] >= games.target, 1, -1))
    return ratio(games.sums((reached >= 0) & (rows["winner"] != reached)), games.sums())


def winners_differ(one: Games, two: Games) -> Quantity:
    """Share of games that another player wins under the second run's rules, game by game on the same cards."""
    differ = one.rows["winner"] != two.rows["winner"]
    return ratio(one.sums(differ), one.sums())


def _needed(variance: Quantity, share: Quantity, games: float) -> Quantity:
    """Games until the 95 % interval of the share won leaves out 1/2, from the variance of a unit of so many games."""
    edge = share + (-0.5)
    if edge.value == 0:
        return Quantity(math.inf, np.zeros(edge.units), edge.seen)
    return (games * SURE**2) * (variance / (edge * edge))


def games_to_know(games: Games) -> Quantity:
    """Games to 95 % if every game is dealt anew: the variance is that of single games."""
    share = games_won(games)
    square = ratio(games.sums(_score(games.rows["winner"]) ** 2), games.sums())
    return _needed(square - share * share, share, 1)


def games_to_know_paired(games: Games) -> Quantity:
    """Games to 95 % if every game is played twice with the seats exchanged: the variance is that of pairs."""
    share = games_won(games)
    pairs = games.sums(_score(games.rows["winner"])) / games.sums()
    return _needed(mean(pairs**2) - share * share, share, float(games.sums()[0]))
