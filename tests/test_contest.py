"""Sums of encounters, the three measures, and the comparisons of a pool that are made of them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from encounters import Values, encounter, same, sums, table
from scipy import stats

from gincore.analysis.arena import matrix, opposed, pair_frame, ranking_frame
from gincore.analysis.contest import (
    GAMES,
    HANDS,
    MEASURES,
    POINTS,
    ContestSums,
    Measure,
    encounter_values,
    even_p_value,
    find_measure,
    measure_interval,
)
from gincore.analysis.intervals import Term, combination
from gincore.errors import UsageError

NAMES = ["one", "two", "three"]


@pytest.fixture(scope="module")
def played() -> list[Values]:
    rng = np.random.default_rng(5)
    luck = 0.1 * rng.normal(size=400)
    return [encounter(share, 400, rng, luck) for share in (0.6, 0.7, 0.55)]


def test_blocks_of_units_add_up(played: list[Values]) -> None:
    whole, parts = ContestSums(3), ContestSums(3)
    whole.add(played)
    parts.add([same(each, range(150)) for each in played])
    parts.add([same(each, range(150, 400)) for each in played])
    assert parts.units == whole.units == 400
    assert np.array_equal(parts.first, whole.first)
    assert np.array_equal(parts.second, whole.second)


def test_different_numbers_of_units_are_refused(played: list[Values]) -> None:
    with pytest.raises(UsageError, match="all encounters need the same units"):
        ContestSums(3).add([played[0], played[1], same(played[2], range(5))])


def test_a_measure_that_is_not_known_is_named() -> None:
    with pytest.raises(UsageError, match="metric 'luck' is not known; allowed: game_won_share, hand_won_share_of_d"):
        find_measure("luck")


@pytest.mark.parametrize("measure", MEASURES, ids=[measure.name for measure in MEASURES])
def test_both_views_of_an_encounter_mirror_each_other(played: list[Values], measure: Measure) -> None:
    moments = sums(played)
    for k in range(3):
        mine, theirs = (measure_interval(moments, measure, measure.ratio(k, turned=t), 0.9) for t in (False, True))
        even = float(measure.even)
        assert (mine.estimate, mine.low, mine.high) == pytest.approx(
            (2 * even - theirs.estimate, 2 * even - theirs.high, 2 * even - theirs.low), abs=1e-12
        )


def test_values_and_covariance_are_those_of_the_units(played: list[Values]) -> None:
    moments = sums(played)
    values, covariance = encounter_values(moments, GAMES, 3)
    scores = np.array([each["score"] / 4 - 0.5 for each in played])
    assert values == pytest.approx(scores.mean(axis=1))
    assert covariance == pytest.approx(np.cov(scores) / 400)
    points, covariance = encounter_values(moments, POINTS, 3)
    ratios = np.array([each["net"].sum() / each["hands"].sum() for each in played])
    assert points == pytest.approx(ratios)
    residuals = np.array([(e["net"] - r * e["hands"]) / e["hands"].mean() for e, r in zip(played, ratios, strict=True)])
    assert covariance == pytest.approx(np.cov(residuals) / 400)


def test_a_combination_is_exact_and_knows_what_is_shared(played: list[Values]) -> None:
    moments = sums(played)
    difference, error = combination(moments, [Term(1, *GAMES.ratio(0)), Term(-1, *GAMES.ratio(1))])
    paired = (played[0]["score"] - played[1]["score"]) / 4
    assert difference == pytest.approx(paired.mean())
    assert error == pytest.approx(paired.std(ddof=1) / 20)
    assert combination(moments, [Term(1, *HANDS.ratio(0)), Term(-1, *HANDS.ratio(0))]) == (0.0, 0.0)
    assert combination(moments, [], 2) == (2.0, 0.0)
    alone = sums([same(each, [0]) for each in played])
    assert math.isnan(combination(alone, [Term(1, *GAMES.ratio(0))])[1])


@pytest.mark.parametrize("share", [0.44, 0.47, 0.5, 0.53, 0.58])
def test_the_p_value_is_the_level_at_which_the_interval_covers_even(share: float) -> None:
    moments = table([share], 500, seed=3)
    for measure in MEASURES:
        ratio = measure.ratio(0)
        p_value = even_p_value(moments, measure, ratio)
        if p_value < 1e-6:
            continue  # 1 - p has too few digits
        interval = measure_interval(moments, measure, ratio, 1 - p_value)
        assert min(abs(bound - float(measure.even)) for bound in interval[1:]) < 1e-9


def test_p_values_without_spread() -> None:
    rng = np.random.default_rng(0)
    base = encounter(0.5, 6, rng)
    every, shared = (sums([base | {"score": np.full(6, score, dtype=np.int64)}]) for score in (4, 2))
    assert even_p_value(every, GAMES, GAMES.ratio(0)) == 2 / 64
    assert even_p_value(shared, GAMES, GAMES.ratio(0)) == 1
    assert math.isnan(even_p_value(sums([same(base, [0])]), GAMES, GAMES.ratio(0)))


def test_null_p_values_are_uniform_enough() -> None:
    """2,000 pools of one even encounter: at most 5 % of the p-values lie below 0.05, within chance (p < 1e-4)."""
    below = 0
    for seed in range(2000):
        moments = table([0.5], 100, seed)
        below += even_p_value(moments, GAMES, GAMES.ratio(0)) < 0.05
    assert stats.binomtest(below, 2000, 0.05).pvalue > 1e-4


def test_the_frame_has_every_pair_and_one_family() -> None:
    frame = pair_frame(NAMES, table([0.6, 0.7, 0.55], 300, seed=1), 0.9)
    assert list(frame.columns) == [
        "a", "b", "metric", "estimate", "low", "high", "p_value", "p_holm", "n", "unit", "level",
    ]  # fmt: skip
    assert len(frame) == 9
    assert set(frame["unit"]) == {"pair of games"}
    assert set(frame["n"]) == {300}
    assert (frame["p_holm"] >= frame["p_value"]).all()
    assert frame["p_holm"].min() == pytest.approx(min(9 * frame["p_value"].min(), 1))
    square = matrix(frame, GAMES.name, NAMES)
    assert (square + square.T == 1).all().all()
    assert square.loc["one", "two"] == frame["estimate"][0]
    assert (np.diag(matrix(frame, POINTS.name, NAMES)) == 0).all()


def test_the_ranking_counts_a_game_number_once(played: list[Values]) -> None:
    """The average against the pool has the error of the units' averages: the encounters share their cards."""
    ranking = ranking_frame(NAMES, sums(played), GAMES.name).set_index("strategy")
    one = (played[0]["score"] + played[1]["score"]) / 8
    two = (4 - played[0]["score"] + played[2]["score"]) / 8
    assert ranking.loc["one", "estimate"] == pytest.approx(one.mean())
    assert ranking.loc["two", "estimate"] == pytest.approx(two.mean())
    half = (ranking.loc["one", "high"] - ranking.loc["one", "low"]) / 2  # type: ignore[operator]
    assert half == pytest.approx(stats.t.ppf(0.975, 399) * one.std(ddof=1) / 20, rel=0.01)


def test_ranks_that_cannot_be_told_apart_are_given() -> None:
    few = ranking_frame(NAMES, table([0.52, 0.53, 0.51], 30, seed=2), GAMES.name)
    assert few["rank_low"].tolist() == [1, 1, 1]
    assert few["rank_high"].tolist() == [3, 3, 3]
    many = ranking_frame(NAMES, table([0.7, 0.9, 0.7], 3000, seed=2), GAMES.name)
    assert many[["rank", "rank_low", "rank_high"]].to_numpy().tolist() == [[1, 1, 1], [2, 2, 2], [3, 3, 3]]
    assert many["strategy"].tolist() == NAMES


def test_ranks_hold_together_at_their_level() -> None:
    """600 pools of three even strategies: some rank is claimed wrongly in at most 10 %, within chance (p < 1e-4)."""
    wrong = 0
    for seed in range(600):
        ranking = ranking_frame(NAMES, table([0.5, 0.5, 0.5], 60, seed, spread=0.15), GAMES.name, 0.9)
        wrong += bool((ranking["rank_low"] > 1).any())
    assert stats.binomtest(wrong, 600, 0.1, "greater").pvalue > 1e-4


def test_disagreements_name_the_measures() -> None:
    rng = np.random.default_rng(1)
    a, b = encounter(0.7, 500, rng), encounter(0.3, 500, rng)
    mixed = {**b, "score": a["score"]}
    found = opposed(pair_frame(NAMES[:2], sums([mixed])), 0.95)
    assert found.iloc[0].tolist() == ["one", "two", "game_won_share", "hand_won_share_of_decided, net_points_per_hand"]
    assert len(found) == 1
    assert opposed(pair_frame(NAMES[:2], sums([a])), 0.95).empty
