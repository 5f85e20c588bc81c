"""Shares of games won and margins of a summary, from the rows of ``run.games`` with plain pandas, under six rule sets.

The interval of a share is Wilson's formula for the number of trials that the delta-method error of the pairs is worth,
with the quantile of Student's t for n - 1 degrees of freedom: the textbook's normal quantile gives a slightly narrower
one. Where no two pairs differ (under straight gin both strategies play alike, so the seats share every pair) the error
is zero, and the interval is that of 0 pairs in n unlike the rest.
"""

from __future__ import annotations

import math

import pytest
from scipy import stats

import gincore

GAMES = 300


RULES = ["eaai", "classic", "pagat", "modern-25", "oklahoma", "straight"]


@pytest.fixture(scope="module", params=[(name, mirror) for name in RULES for mirror in (True, False)], ids=str)
def run(request: pytest.FixtureRequest) -> gincore.GameRun:
    name, mirror = request.param
    pair = ("threshold,limit=4", "simple")
    return gincore.simulate_games(name, pair, games=GAMES, seed=5, mirror=mirror, progress=False)


def row(run: gincore.GameRun, metric: str) -> tuple[float, ...]:
    found = run.summary().set_index("metric").loc[metric]
    return tuple(float(found[name]) for name in ("estimate", "low", "high"))


def test_the_margin_is_the_mean_of_pairs(run: gincore.GameRun) -> None:
    pairs = run.games.groupby("game")["margin"].mean()
    half = stats.t.ppf(0.975, GAMES - 1) * pairs.std(ddof=1) / math.sqrt(GAMES)
    wanted = (pairs.mean(), pairs.mean() - half, pairs.mean() + half)
    assert row(run, "margin_per_game") == pytest.approx(wanted, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("player", [0, 1])
def test_the_share_of_games_won_is_wilsons_with_students_quantile(run: gincore.GameRun, player: int) -> None:
    won = (run.games["winner"] == player).fillna(False).astype(float)
    pairs = won.groupby(run.games["game"]).mean()
    share, error = pairs.mean(), pairs.std(ddof=1) / math.sqrt(GAMES)

    def wilson(quantile: float) -> tuple[float, float]:
        trials = share * (1 - share) / error**2
        shrink = quantile**2 / trials
        centre = (share + shrink / 2) / (1 + shrink)
        half = quantile / (1 + shrink) * math.sqrt(share * (1 - share) / trials + shrink / (4 * trials))
        return centre - half, centre + half

    estimate, low, high = row(run, f"game_won_{player}_share")
    assert estimate == pytest.approx(share)
    if error == 0:
        odd = stats.norm.ppf(0.975) ** 2 / (GAMES + stats.norm.ppf(0.975) ** 2)
        assert (low, high) == pytest.approx((share * (1 - odd), share + (1 - share) * odd), rel=1e-9)
        return
    assert (low, high) == pytest.approx(wilson(stats.t.ppf(0.975, GAMES - 1)), rel=1e-9)
    narrow = wilson(stats.norm.ppf(0.975))
    assert low < narrow[0] < narrow[1] < high
    assert high - low < 1.01 * (narrow[1] - narrow[0])
