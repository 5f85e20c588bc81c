"""How cyclic a table is: known tables, noise taken away, intervals and error rates by simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from encounters import table
from scipy import stats

from gincore.analysis import cycles
from gincore.analysis.arena import cycle_measure, pair_frame
from gincore.analysis.cycles import cyclic_share, log_odds, measure_cycles, pairs_of, table_of, transitive_part

ROCK_PAPER_SCISSORS = np.array([1.0, -1, 1])
NAMES = ["one", "two", "three"]


@pytest.fixture(autouse=True)
def fewer_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cycles, "DRAWS", 800)


def test_rock_paper_scissors_is_all_cycle_and_a_ladder_none() -> None:
    assert cyclic_share(table_of(ROCK_PAPER_SCISSORS, 3)) == 1
    for size in (3, 5, 9):
        rating = np.random.default_rng(size).normal(size=size)
        ladder = np.subtract.outer(rating, rating)
        assert cyclic_share(ladder) == pytest.approx(0, abs=1e-30)
        assert transitive_part(ladder)[0] == pytest.approx(rating - rating.mean())


def test_the_parts_are_orthogonal_and_add_up() -> None:
    values = np.random.default_rng(1).normal(size=15)
    whole = table_of(values, 6)
    explained = transitive_part(whole)[1]
    assert (explained * (whole - explained)).sum() == pytest.approx(0, abs=1e-12)
    assert transitive_part(whole - explained)[0] == pytest.approx(np.zeros(6))


def test_half_a_ladder_and_half_a_cycle() -> None:
    ladder = np.array([1.0, 2, 1]) / math.sqrt(6)
    round_ = ROCK_PAPER_SCISSORS / math.sqrt(3)
    for share in (0.0, 0.25, 0.5, 1.0):
        values = math.sqrt(1 - share) * ladder + math.sqrt(share) * round_
        assert cyclic_share(table_of(values, 3)) == pytest.approx(share)
        measured = measure_cycles(values, 1e-12 * np.eye(3), 3, level=0.95, seed=0)
        assert measured[0] == pytest.approx(share)
        assert measured[1] == pytest.approx(share, abs=1e-6)


def test_too_few_strategies_and_a_table_of_zeros_have_no_cycles() -> None:
    assert all(math.isnan(value) for value in measure_cycles(np.array([0.3]), np.eye(1), 2, level=0.95, seed=0))
    assert all(math.isnan(value) for value in measure_cycles(np.zeros(3), np.eye(3), 3, level=0.95, seed=0))
    assert math.isnan(cyclic_share(np.zeros((3, 3))))


def simulated(share: float, size: int, error: float, times: int) -> np.ndarray:
    """Results of `measure_cycles` on tables of this cyclic share with noise."""
    rng = np.random.default_rng(int(1000 * share) + size)
    pairs = len(pairs_of(size))
    found = []
    for seed in range(times):
        drawn = table_of(rng.normal(size=pairs), size)
        explained = transitive_part(drawn)[1]
        rows, columns = np.array(pairs_of(size)).T
        parts = [part[rows, columns] for part in (explained, drawn - explained)]
        ladder, round_ = (part / np.linalg.norm(part) for part in parts)
        true = math.sqrt(1 - share) * ladder + math.sqrt(share) * round_
        noisy = true + error * rng.normal(size=pairs)
        found.append(measure_cycles(noisy, error**2 * np.eye(pairs), size, level=0.95, seed=seed))
    return np.array(found)


def test_noise_alone_looks_cyclic_and_is_told_as_noise() -> None:
    """300 ladders of 6: raw shares far from 0, the test rejects in 5 % within chance (p < 1e-4)."""
    found = simulated(0.0, 6, 0.15, 300)
    assert found[:, 0].mean() > 0.1
    assert found[:, 1].mean() < 0.05
    assert stats.binomtest(int((found[:, 5] < 0.05).sum()), 300, 0.05).pvalue > 1e-4
    assert stats.binomtest(int((found[:, 2] > 0).sum()), 300, 0.025, "greater").pvalue > 1e-4


@pytest.mark.parametrize(("size", "error"), [(4, 0.05), (4, 0.15), (8, 0.04)])
def test_the_interval_covers(size: int, error: float) -> None:
    """300 tables of cyclic share 0.3: 95 % covered, not less within chance (p < 1e-4); the correction is unbiased."""
    found = simulated(0.3, size, error, 300)
    covered = int(((found[:, 2] <= 0.3) & (found[:, 3] >= 0.3)).sum())
    assert stats.binomtest(covered, 300, 0.95, "less").pvalue > 1e-4
    assert found[:, 1].mean() == pytest.approx(0.3, abs=0.03)


def test_log_odds_make_an_elo_table_a_ladder() -> None:
    rating = np.array([1.2, 0.3, -0.4, -1.1])
    share = np.array([1 / (1 + math.exp(rating[j] - rating[i])) for i, j in pairs_of(4)])
    odds, covariance = log_odds(share - 0.5, 1e-10 * np.eye(6), 10)
    assert cyclic_share(table_of(odds, 4)) == pytest.approx(0, abs=1e-12)
    assert cyclic_share(table_of(share - 0.5, 4)) > 1e-4
    assert np.diag(covariance) == pytest.approx(1e-10 / (share * (1 - share)) ** 2, rel=1e-4)


def test_log_odds_of_all_games_are_finite_and_uncertain() -> None:
    odds, covariance = log_odds(np.array([0.5, -0.5, 0.0]), np.zeros((3, 3)), 99)
    assert odds == pytest.approx([math.log(199), -math.log(199), 0])
    assert np.sqrt(np.diag(covariance)) == pytest.approx(
        [math.sqrt(200 / 199 * 200 / 99), math.sqrt(200 / 199 * 200 / 99), 0], rel=0.02
    )


def measured(shares: list[float], n: int = 2000) -> cycles.Cycles:
    moments = table(shares, n, seed=4)
    return cycle_measure(NAMES, moments, pair_frame(NAMES, moments), "game_won_share", seed=2)


def test_games_that_go_round_and_games_that_do_not() -> None:
    round_ = measured([0.6, 0.4, 0.6])
    assert round_.share > 0.9
    assert round_.low > 0.8
    assert round_.p_value < 0.002
    assert (round_.triples, round_.cyclic, round_.told) == (1, 1, 1)
    assert (round_.n, round_.unit, round_.strategies) == (2000, "pair of games", 3)
    ladder = measured([0.6, 0.69, 0.6])
    assert ladder.corrected < 0.02
    assert ladder.p_value > 0.05
    assert (ladder.triples, ladder.cyclic, ladder.told) == (1, 0, 0)
    noise = measured([0.5, 0.5, 0.5], 50)
    assert noise.told == 0
