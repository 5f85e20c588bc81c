"""``simple`` against ``simple`` under ``eaai``: the figures measured on the research framework's published engine.

Every figure of the table in the reference page is compared with 40,000 games (some 400,000 hands, a second or two).
Each comparison allows ``Z`` standard errors of both samples together, and half a unit of the reference's last digit;
``Z`` is Bonferroni's for all the comparisons of this file at a family-wise error rate of 1 %: had the seed been drawn
at random, one seed in a hundred would fail somewhere if both engines played alike (one in five with 3 errors).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy.stats import chi2, norm

import gincore
from gincore.core import batch
from gincore.schema import GAME_DTYPE, HAND_DTYPE, NO_VALUE, Result, Status
from gincore.strategies import get

GAMES = 40_000
SEED = 2021
MAIN, SECOND, WHOLE_GAMES = 400_000, 62_000, 6_000
"""Sizes of the reference's samples: hands, hands, games."""

Values = Any
"""An array of one number a hand, or a game."""


class Sample(NamedTuple):
    """Columns of the played hands that the figures are made of."""

    rows: Values
    games: Values
    points: Values  # of the winner
    scored: Values
    knocked: Values  # by an ordinary knock or gin
    ordinary: Values  # knock that is no gin
    tie: Values


@pytest.fixture(scope="module")
def sample() -> Sample:
    games, rows, fault = np.zeros(GAMES, GAME_DTYPE), np.zeros(13 * GAMES, HAND_DTYPE), np.zeros(8, np.int64)
    players = (get("simple"), get("simple"))
    record = gincore.rules("eaai").to_record()
    status, done, used = batch.play_games(players, record, SEED, 0, False, games, rows, fault)
    assert (status, done) == (Status.ok, GAMES)
    rows = rows[:used]
    result = rows["result"]
    knocked = rows["knocker"] != NO_VALUE
    return Sample(
        rows=rows,
        games=games,
        points=np.maximum(rows["points_0"], rows["points_1"]).astype(float),
        scored=rows["winner"] != NO_VALUE,
        knocked=knocked,
        ordinary=knocked & (result != Result.gin),
        tie=(result == Result.undercut) & (rows["knocker_deadwood"] == rows["defender_deadwood"]),
    )


def share(result: Result) -> Callable[[Sample], Values]:
    return lambda s: s.rows["result"] == result


def points(result: Result, tie: bool = False) -> Callable[[Sample], Values]:
    return lambda s: s.points[(s.rows["result"] == result) & (s.tie if tie else ~s.tie)]


def pickups(s: Sample) -> Values:
    return s.rows["pickups_0"].astype(float) + s.rows["pickups_1"]


def starter_net(s: Sample) -> Values:
    net = s.rows["points_0"].astype(float) - s.rows["points_1"]
    return np.where(s.rows["starter"] == 0, net, -net)


def starter_won(s: Sample) -> Values:
    return (s.rows["winner"] == s.rows["starter"])[s.scored]


def upcard(first: bool) -> Callable[[Sample], Values]:
    def taken(s: Sample) -> Values:
        by, starter = s.rows["upcard_taken_by"], s.rows["starter"]
        return ((by != NO_VALUE) & ((by == starter) == first))[s.scored]

    return taken


def of(mask: str, column: str) -> Callable[[Sample], Values]:
    return lambda s: s.rows[column][getattr(s, mask)]


class Figure(NamedTuple):
    """A mean of the reference: value, half of its 95 % interval (None: from our own spread), and its last digit."""

    name: str
    values: Callable[[Sample], Values]
    reference: float
    half: float | None
    digit: float
    sample: int = MAIN


FIGURES = (
    Figure("knock won", share(Result.knock), 0.9347, 0.0008, 1e-4),
    Figure("gin", share(Result.gin), 0.0208, 0.00045, 1e-4),
    Figure("undercut", share(Result.undercut), 0.0427, 0.0006, 1e-4),
    Figure("tie", lambda s: s.tie, 0.0137, None, 1e-4),
    Figure("dead", share(Result.dead), 0.0018, 0.0001, 1e-4),
    Figure("turns", lambda s: s.rows["turns"], 12.550, 0.017, 1e-3),
    Figure("points", lambda s: s.points[s.scored], 16.237, 0.039, 1e-3),
    Figure("points of a knock", points(Result.knock), 15.07, None, 0.01),
    Figure("points of a gin", points(Result.gin), 47.50, None, 0.01),
    Figure("points of an undercut", points(Result.undercut), 27.37, None, 0.01),
    Figure("points of a tie", points(Result.undercut, tie=True), 25.0, None, 0.1),
    Figure("starter's net points", starter_net, 0.226, 0.064, 1e-3),
    Figure("starter wins", starter_won, 0.5021, 0.00155, 1e-4),
    Figure("deadwood at the knock", of("knocked", "knocker_deadwood"), 6.983, 0.009, 1e-3),
    Figure("deadwood without gin", of("ordinary", "knocker_deadwood"), 7.132, 0.008, 1e-3),
    Figure("defender's deadwood", of("knocked", "defender_deadwood"), 21.49, 0.04, 0.01),
    Figure("lay-offs", of("ordinary", "layoff_cards"), 0.607, None, 1e-3),
    Figure("some lay-off", lambda s: s.rows["layoff_cards"][s.ordinary] > 0, 0.4615, None, 1e-4),
    Figure("face-up draws", pickups, 2.054, 0.004, 1e-3),
    Figure("upcard to the first", upcard(first=True), 0.172, None, 1e-3, SECOND),
    Figure("upcard to the second", upcard(first=False), 0.150, None, 1e-3, SECOND),
    Figure("stock left", lambda s: s.rows["stock_left"], 20.6, None, 0.1, SECOND),
    Figure("hands a game", lambda s: s.games["hands"], 10.33, None, 0.01, WHOLE_GAMES),
)

SPREADS = (
    Figure("turns", lambda s: s.rows["turns"], 5.41, None, 0.01),
    Figure("points", lambda s: s.points[s.scored], 12.61, None, 0.01),
    Figure("starter's net points", starter_net, 20.54, None, 0.01),
    Figure("hands a game", lambda s: s.games["hands"], 3.1, None, 0.1, WHOLE_GAMES),
)
"""Standard deviations."""

PERCENTILES = ((5, 4), (10, 6), (25, 9), (50, 12), (75, 16), (90, 20), (95, 22), (99, 27))
"""Of the turns; the longest hand had 35."""

BY_DEADWOOD = (
    (46.96, 0), (18.03, 0.2), (16.90, 0.6), (16.30, 0.6), (15.87, 1.0), (15.67, 1.3), (14.64, 2.2), (13.50, 3.5),
    (12.43, 4.7), (11.39, 6.6), (10.87, 7.6),
)  # fmt: skip
"""Knocker's net points, and undercuts in %, at a knocker's deadwood of 0 (gin) to 10."""

BY_TURN = {
    1: (50.9, 0), 5: (34.4, 1.2), 9: (24.6, 2.3), 13: (19.2, 4.5), 17: (16.1, 6.7), 21: (14.4, 7.8), 25: (12.9, 10.9),
}  # fmt: skip
"""Defender's deadwood, and undercuts in % of ordinary knocks, at the turn of the knock."""

DEADWOOD = (2.09, 4.62, 4.38, 3.96, 4.56, 5.11, 8.64, 12.62, 16.64, 17.87, 19.51)
TURNS = (
    0.80, 0.71, 1.97, 1.79, 3.73, 3.54, 5.62, 5.37, 7.20, 6.69, 7.78, 7.05, 7.41, 6.43, 6.26, 5.23, 4.77, 3.79, 3.22,
    2.51, 2.11, 1.59, 1.21, 0.92, 0.67, 0.49, 1.1,
)  # fmt: skip
"""Shares in %: deadwood at the knock 0 to 10; turns 1 to 26, and 27 or more."""

FAMILY = 0.01
CHECKS = len(FIGURES) + len(SPREADS) + len(PERCENTILES) + 1 + 2 * len(BY_DEADWOOD) + 2 * len(BY_TURN) + 2
Z = float(norm.isf(FAMILY / CHECKS / 2))


def test_the_number_of_checks_is_what_the_bound_is_made_for() -> None:
    assert CHECKS == 23 + 4 + 8 + 1 + 22 + 14 + 2
    assert pytest.approx(3.82, abs=0.02) == Z


def check(ours: float, reference: float, error: float, digit: float) -> None:
    allowed = Z * error + digit / 2
    assert abs(ours - reference) <= allowed, f"{ours:.5g} here, {reference:g} there, {allowed:.2g} allowed"


def mean_error(values: Values, count: float) -> float:
    """Standard error of a mean over so many values of this spread; never quite zero."""
    return float(max(values.std(), 1 / np.sqrt(values.size)) / np.sqrt(count))


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.name)
def test_means(sample: Sample, figure: Figure) -> None:
    values = figure.values(sample).astype(float)
    whole = sample.games if figure.sample == WHOLE_GAMES else sample.rows
    theirs = mean_error(values, figure.sample * values.size / whole.size) if figure.half is None else figure.half / 1.96
    check(values.mean(), figure.reference, np.hypot(mean_error(values, values.size), theirs), figure.digit)


@pytest.mark.parametrize("figure", SPREADS, ids=lambda figure: figure.name)
def test_standard_deviations(sample: Sample, figure: Figure) -> None:
    values = figure.values(sample).astype(float)
    whole = sample.games if figure.sample == WHOLE_GAMES else sample.rows
    spread = values.std()
    fourth = (((values - values.mean()) / spread) ** 4).mean()
    counts = 1 / values.size + whole.size / values.size / figure.sample
    check(spread, figure.reference, spread * np.sqrt((fourth - 1) / 4 * counts), figure.digit)


@pytest.mark.parametrize(("percent", "turns"), PERCENTILES)
def test_percentiles_of_the_turns(sample: Sample, percent: int, turns: int) -> None:
    values, level = sample.rows["turns"], percent / 100
    allowed = Z * np.sqrt(level * (1 - level) * (1 / values.size + 1 / MAIN))
    assert np.mean(values < turns) - allowed <= level <= np.mean(values <= turns) + allowed


def test_the_longest_hands(sample: Sample) -> None:
    """None of theirs was longer than 35: if ours are alike, k longer ones have a probability of about 2 ** -k."""
    assert 0.5 ** int(np.sum(sample.rows["turns"] > 35)) > FAMILY / CHECKS
    assert sample.rows["turns"].max() >= 33


@pytest.mark.parametrize("deadwood", range(11))
def test_by_the_knockers_deadwood(sample: Sample, deadwood: int) -> None:
    rows = sample.rows[sample.rows["knocker_deadwood"] == deadwood]
    won = rows["winner"] == rows["knocker"]
    net = np.where(won, 1.0, -1.0) * np.maximum(rows["points_0"], rows["points_1"])
    counts = 1 / rows.size + sample.rows.size / rows.size / SECOND
    check(net.mean(), BY_DEADWOOD[deadwood][0], net.std() * np.sqrt(counts), 0.01)
    undercut = (~won).astype(float)
    check(undercut.mean(), BY_DEADWOOD[deadwood][1] / 100, mean_error(undercut, 1 / counts), 1e-3)


@pytest.mark.parametrize("turn", BY_TURN)
def test_by_the_turn_of_the_knock(sample: Sample, turn: int) -> None:
    rows = sample.rows[sample.knocked & (sample.rows["turns"] == turn)]
    counts = 1 / rows.size + sample.rows.size / rows.size / SECOND
    deadwood = rows["defender_deadwood"].astype(float)
    check(deadwood.mean(), BY_TURN[turn][0], deadwood.std() * np.sqrt(counts), 0.1)
    ordinary = rows[rows["result"] != Result.gin]
    undercut = (ordinary["result"] == Result.undercut).astype(float)
    check(undercut.mean(), BY_TURN[turn][1] / 100, mean_error(undercut, 1 / counts), 1e-3)


def check_histogram(counts: Values, reference: tuple[float, ...]) -> None:
    """Two samples of one distribution: chi-square, with the rounding of the reference (0.01 %) in the variance."""
    theirs, size = np.array(reference) / 100, counts.sum()
    ours = counts / size
    square = ((ours - theirs) ** 2 / (ours * (1 / size + 1 / MAIN) + 1e-8 / 12)).sum()
    assert square < chi2.isf(FAMILY / CHECKS, len(reference) - 1), np.round(100 * ours, 2)


def test_histogram_of_the_deadwood_at_the_knock(sample: Sample) -> None:
    check_histogram(np.bincount(sample.rows["knocker_deadwood"][sample.knocked], minlength=11), DEADWOOD)


def test_histogram_of_the_turns(sample: Sample) -> None:
    check_histogram(np.bincount(np.minimum(sample.rows["turns"], 27), minlength=28)[1:], TURNS)


def test_another_policy_would_be_found() -> None:
    """The comparison has teeth: a knock limit of 9 in place of 10 is far outside."""
    rows, fault = np.zeros(100_000, HAND_DTYPE), np.zeros(8, np.int64)
    player = get("threshold,limit=9")
    record = gincore.rules("eaai").to_record()
    assert batch.play_hands((player, player), record, SEED, 0, False, rows, fault) == Status.ok
    turns = rows["turns"].astype(float)
    with pytest.raises(AssertionError, match=r"here, 12\.55 there"):
        check(turns.mean(), 12.550, mean_error(turns, turns.size), 1e-3)
