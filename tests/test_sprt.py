"""The sequential test: the ratio, its bounds, and error rates by simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import gincore
from gincore.analysis.sprt import (
    LEAST_PAIRS,
    Hypotheses,
    count_outcomes,
    log_likelihood_ratio,
    next_look,
    sprt_interval,
)
from gincore.errors import UsageError


def outcomes(share: float, shared: float) -> list[float]:
    """Probabilities of the five outcomes: this mean, and this probability of one game each."""
    both = share - shared / 2
    return [1 - shared - both, 0, shared, 0, both]


def run_test(test: Hypotheses, probabilities: list[float], rng: np.random.Generator) -> tuple[str, int]:
    counts, pairs = np.zeros(5, np.int64), 0
    while True:
        look = next_look(pairs, 10**7)
        counts += rng.multinomial(look, probabilities)
        pairs += look
        verdict = test.verdict(log_likelihood_ratio(counts, test.h0, test.h1))
        if verdict != "undecided":
            return verdict, pairs


@pytest.mark.parametrize(
    ("h0", "h1", "alpha", "beta"), [(0.5, 0.52, 0.05, 0.05), (0.5, 0.54, 0.01, 0.1), (0.47, 0.53, 0.1, 0.02)]
)
@pytest.mark.parametrize("shared", [0.3, 0.5, 0.8])
def test_errors_are_rare_enough(h0: float, h1: float, alpha: float, beta: float, shared: float) -> None:
    """400 tests under either hypothesis: errors are not above alpha and beta within chance (p < 1e-4)."""
    test = Hypotheses(h0, h1, alpha, beta)
    rng = np.random.default_rng(int(100 * shared))
    under_0 = [run_test(test, outcomes(h0, shared), rng) for _ in range(400)]
    under_1 = [run_test(test, outcomes(h1, shared), rng) for _ in range(400)]
    for results, wrong, rate in ((under_0, "h1", alpha), (under_1, "h0", beta)):
        errors = sum(verdict == wrong for verdict, _ in results)
        assert stats.binomtest(errors, 400, rate, "greater").pvalue > 1e-4


@pytest.mark.parametrize("shared", [0.4, 0.7])
def test_the_number_of_pairs_is_walds(shared: float) -> None:
    """The mean number under h1 is Wald's approximation, and the looks add at most a fifth and one look."""
    test = Hypotheses(0.5, 0.51, 0.05, 0.05)
    rng = np.random.default_rng(7)
    pairs = [run_test(test, outcomes(0.51, shared), rng)[1] for _ in range(200)]
    variance = (1 - shared) / 4
    drift = 0.01**2 / (2 * variance)
    expected = (0.95 * test.upper + 0.05 * test.lower) / drift
    error = np.std(pairs) / math.sqrt(200)
    assert expected - 4 * error < np.mean(pairs) < 1.2 * expected + LEAST_PAIRS + 4 * error


def test_fewer_pairs_than_a_test_of_fixed_size() -> None:
    test = Hypotheses(0.5, 0.51, 0.05, 0.05)
    rng = np.random.default_rng(8)
    pairs = [run_test(test, outcomes(0.51, 0.5), rng)[1] for _ in range(200)]
    fixed = (2 * stats.norm.ppf(0.95) / 0.01) ** 2 * 0.125
    assert np.mean(pairs) < 0.75 * fixed


def test_the_ratio_is_the_likelihoods_where_it_is_known() -> None:
    """Of two outcomes only the mean fixes the distribution, so the ratio is that of two binomials."""
    counts = [40, 0, 0, 0, 60]
    known = 40 * math.log(0.45 / 0.5) + 60 * math.log(0.55 / 0.5)
    assert log_likelihood_ratio(counts, 0.5, 0.55) == pytest.approx(known, abs=0.01)
    assert log_likelihood_ratio(counts, 0.55, 0.5 + 1e-9) == pytest.approx(-known, abs=0.01)


def test_the_ratio_is_near_the_normal_one() -> None:
    counts = np.array([2000, 500, 5000, 500, 2300])
    values = np.arange(5) / 4
    mean = counts @ values / counts.sum()
    variance = counts @ (values - mean) ** 2 / counts.sum()
    normal = counts.sum() * 0.02 * (2 * mean - 0.5 - 0.52) / (2 * variance)
    assert log_likelihood_ratio(counts, 0.5, 0.52) == pytest.approx(normal, rel=0.02)


def test_the_ratio_turns_round_with_the_players() -> None:
    counts = [120, 7, 300, 5, 160]
    assert log_likelihood_ratio(counts, 0.48, 0.53) == pytest.approx(
        -log_likelihood_ratio(counts[::-1], 0.47, 0.52), abs=1e-9
    )


def test_outcomes_that_never_differ_decide_too() -> None:
    assert log_likelihood_ratio([0, 0, 200, 0, 0], 0.5, 0.52) < -3
    assert log_likelihood_ratio([0, 0, 0, 0, 300], 0.5, 0.52) > 3
    assert log_likelihood_ratio([300, 0, 0, 0, 0], 0.5, 0.52) < -3
    assert log_likelihood_ratio([0] * 5, 0.5, 0.52) == 0


def test_outcomes_are_counted_and_looks_end_at_the_cap() -> None:
    assert count_outcomes(np.array([0, 2, 2, 4, 1])).tolist() == [1, 1, 2, 0, 1]
    assert next_look(0, 1000) == LEAST_PAIRS
    assert next_look(990, 1000) == 10
    assert next_look(16_000, 10**6) == 1000


def test_the_interval_is_the_one_of_a_summary() -> None:
    run = gincore.simulate_games("eaai", ("threshold,limit=4", "simple"), games=200, seed=2, progress=False)
    score = 2 * (run.games["winner"] == 0).to_numpy(dtype=np.int64).reshape(-1, 2).sum(axis=1)
    interval = sprt_interval(count_outcomes(score), 0.9)
    row = run.summary(0.9).set_index("metric").loc["game_won_0_share"]
    assert interval == pytest.approx((row["estimate"], row["low"], row["high"]))


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"h0": 0.52, "h1": 0.5}, r"h0 0.52, h1 0.5: h0 must lie below h1"),
        ({"h0": 0.5, "h1": 0.5}, "h0 must lie below h1"),
        ({"h0": 0.0}, "h0 0.0 is not allowed"),
        ({"h1": 1.2}, "h1 1.2 is not allowed"),
        ({"h1": float("nan")}, "h1 nan is not allowed"),
        ({"alpha": 0}, "alpha 0 is not allowed"),
        ({"beta": 0.5}, "beta 0.5 is not allowed"),
    ],
)
def test_wrong_hypotheses_are_refused(wrong: dict[str, float], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        Hypotheses(**({"h0": 0.5, "h1": 0.52, "alpha": 0.05, "beta": 0.05} | wrong))
    with pytest.raises(UsageError, match="five are needed"):
        log_likelihood_ratio([1, 2, 3], 0.5, 0.52)


def test_a_better_strategy_is_found_and_told_with_its_warning() -> None:
    found = gincore.sprt("gin-only", "simple", seed=3, progress=False)
    assert found.verdict == "h1"
    assert found.ratio >= found.hypotheses.upper == pytest.approx(math.log(19))
    assert found.games == 2 * found.pairs == 2 * found.history[-1][0]
    assert "biased" in found.warning
    assert "gincore arena gin-only simple --rules eaai --games 10000 --seed 4" in found.warning
    assert "h1 accepted" in str(found)
    assert "<table>" in found._repr_html_()
    assert repr(found) == f"<SprtResult {found.finding}>"
    assert found.frame()["unit"].tolist() == ["pair of games"]
    turned = gincore.sprt("simple", "gin-only", seed=3, progress=False)
    assert (turned.verdict, turned.counts) == ("h0", found.counts[::-1])


def test_the_cap_leaves_it_undecided() -> None:
    found = gincore.sprt("threshold,limit=9", "simple", h1=0.501, max_games=300, seed=3, progress=False)
    assert (found.verdict, found.pairs) == ("undecided", 300)
    assert "undecided at the cap of 300 pairs" in found.finding
    assert "nearly" in found.warning


def test_a_test_replays_byte_for_byte_whatever_the_threads() -> None:
    one, two = (gincore.sprt("gin-only", "simple", seed=5, workers=n, progress=False) for n in (1, 2))
    assert (one.counts, one.history) == (two.counts, two.history)


def test_wrong_use_is_refused() -> None:
    with pytest.raises(UsageError, match="max_games 0: allowed are whole numbers from 1"):
        gincore.sprt("simple", "gin-only", seed=1, max_games=0)
    with pytest.raises(UsageError, match="rules 'cutthroat'"):
        gincore.sprt("simple", "gin-only", "cutthroat", seed=1)
    with pytest.raises(UsageError, match="strategy 'smiple' is not known"):
        gincore.sprt("smiple", "gin-only", seed=1)
