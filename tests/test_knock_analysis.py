"""Frames and verdicts of the knock-threshold report."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from synthetic import column, game_vectors, hand_vectors, moments

from gincore.analysis.compare import PairedSums, unit_totals
from gincore.analysis.knock import (
    MEASURES,
    Arm,
    Verdict,
    against_reference,
    compare_limits,
    judge,
    mark_best,
    opposed,
    sweep_frame,
)
from gincore.schema import GAME_METRICS, METRICS

LIMITS = (0, 5, 10)
EDGES = {0: -0.15, 5: 0.0, 10: 0.15}


def played(n: int, edges: dict[int, float], seed: int = 0) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Sweep and comparisons of n pairs; every limit meets the same luck."""
    arms, sums = [], {name: PairedSums(LIMITS, 2) for name in MEASURES}
    totals: dict[str, list[np.ndarray]] = {name: [] for name in MEASURES}
    for limit in LIMITS:
        hands = hand_vectors(2 * n, seed, edge=edges[limit])
        games = game_vectors(2 * n, seed, edge=edges[limit])
        arms += [Arm(limit, "simple", moments(hands, 2))]
        arms += [Arm(limit, "simple", moments(games, 2, METRICS + GAME_METRICS))]
        totals["net_points_per_hand"].append(unit_totals(column(hands, "net"), 2))
        totals["won_0_share"].append(unit_totals(column(hands, "won_0"), 2))
        totals["game_won_0_share"].append(unit_totals(column(games, "game_won_0"), 2))
    for name, each in totals.items():
        sums[name].add(each)
    return sweep_frame(arms), compare_limits(sums)


def verdict(measure: str, among_best: tuple[int, ...], best: int | None = None) -> Verdict:
    best = among_best[0] if best is None else best
    return Verdict(measure, best, 0.5, 0.4, 0.6, among_best, LIMITS, 100, "pair of deals")


def test_a_sweep_is_tidy_and_takes_games_only_from_games() -> None:
    sweep, _ = played(50, EDGES)
    assert not sweep.duplicated(["opponent", "limit", "metric"]).any()
    assert set(sweep["limit"]) == set(LIMITS)
    units = sweep.groupby("metric")["unit"].first()
    assert units["net_points_per_hand"] == "pair of deals"
    assert units["hands_per_game"] == "pair of games"
    assert (sweep["level"] == 0.95).all()


def test_an_empty_sweep_is_an_empty_frame() -> None:
    assert sweep_frame([]).empty


def test_all_comparisons_are_one_family() -> None:
    _, comparisons = played(50, EDGES)
    assert len(comparisons) == len(MEASURES) * 3
    smallest = comparisons["p_value"].min()
    assert comparisons["p_holm"].min() == pytest.approx(min(1, smallest * len(comparisons)))


def test_differences_to_a_reference_are_the_limit_minus_the_reference() -> None:
    sweep, comparisons = played(200, EDGES)
    to_five = against_reference(comparisons, 5)
    assert to_five.groupby("measure").size().tolist() == [2, 2, 2]
    values = sweep[sweep["metric"] == "won_0_share"].set_index("limit")["estimate"]
    rows = to_five[to_five["measure"] == "won_0_share"].set_index("limit")
    for limit in (0, 10):
        assert rows.loc[limit, "difference"] == pytest.approx(values[limit] - values[5])
        assert rows.loc[limit, "low"] < rows.loc[limit, "difference"] < rows.loc[limit, "high"]


def test_with_many_deals_the_better_limit_stands_out() -> None:
    sweep, comparisons = played(2000, EDGES)
    found = judge(sweep, comparisons, "won_0_share")
    assert found.best == 10
    assert found.among_best == (10,)
    assert found.stands_out
    assert not found.open


def test_with_few_deals_no_limit_stands_out() -> None:
    sweep, comparisons = played(5, EDGES)
    found = judge(sweep, comparisons, "net_points_per_hand")
    assert found.open
    assert not found.stands_out


def test_one_pair_decides_nothing() -> None:
    sweep, comparisons = played(1, EDGES)
    for measure in MEASURES:
        assert judge(sweep, comparisons, measure).among_best == LIMITS


def test_equal_limits_are_told_apart_in_no_more_than_one_family_of_twenty() -> None:
    """Under the null hypothesis at most 5 % of families may have a false finding; 200 families: 3 SE are 4.6 %."""
    false = 0
    for seed in range(200):
        rng = np.random.default_rng(seed)
        sums = {name: PairedSums(LIMITS, 2) for name in MEASURES}
        for each in sums.values():
            each.add(list(rng.integers(-30, 31, (3, 80))))
        false += bool((compare_limits(sums)["p_holm"] < 0.05).any())
    assert false / 200 < 0.05 + 0.046


def test_measures_are_opposed_where_they_share_no_best_limit() -> None:
    assert opposed(verdict(MEASURES[0], (0,)), verdict(MEASURES[1], (5, 10)))
    assert not opposed(verdict(MEASURES[0], (0, 5)), verdict(MEASURES[1], (5, 10)))


def test_the_best_are_marked_for_their_measure_and_opponent_only() -> None:
    sweep, comparisons = played(2000, EDGES)
    found = judge(sweep, comparisons, "won_0_share")
    both = pd.concat([sweep, sweep.assign(opponent="itself")], ignore_index=True)
    marked = mark_best(both, [found], "simple")
    known = marked[marked["among_best"].notna()]
    assert set(known["metric"]) == {"won_0_share"}
    assert set(known["opponent"]) == {"simple"}
    assert known.set_index("limit")["among_best"].tolist() == [False, False, True]
