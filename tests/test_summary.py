"""The summary of a run, from made-up hands."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from synthetic import column, game_vectors, hand_vectors, moments

from gincore.analysis.compare import PairedSums, pairwise, unit_totals
from gincore.analysis.intervals import wilson
from gincore.analysis.summary import GAME_SUMMARY, HAND_METRICS, METRIC_TEXT, SUMMARY_COLUMNS, summarise, unit_name
from gincore.errors import UsageError
from gincore.schema import GAME_METRICS, METRICS

ALL = METRICS + GAME_METRICS


def table(frame: pd.DataFrame) -> pd.DataFrame:
    return frame.set_index("metric")


def test_columns_and_units_of_a_run_of_pairs() -> None:
    frame = summarise(moments(hand_vectors(400, seed=1), per_unit=2))
    assert tuple(frame.columns) == SUMMARY_COLUMNS
    assert frame["metric"].is_unique
    assert (frame["n"] == 200).all()
    assert (frame["unit"] == "pair of deals").all()


def test_every_metric_is_made_of_known_sums_and_has_words() -> None:
    for metric in (*HAND_METRICS, *GAME_SUMMARY):
        assert {*metric.top, *metric.bottom} <= set(ALL)
        assert METRIC_TEXT[metric.name]


def test_estimates_are_those_of_the_hands() -> None:
    hands = hand_vectors(5000, seed=2)
    found = table(summarise(moments(hands, per_unit=2)))["estimate"]
    net, dead = column(hands, "net"), column(hands, "dead")
    assert found["net_points_per_hand"] == pytest.approx(net.mean())
    assert found["net_points_sd"] == pytest.approx(net.std())
    assert found["dead_share"] == pytest.approx(dead.mean())
    assert found["turns_sd"] == pytest.approx(column(hands, "turns").std())
    assert found["winner_points_per_decided_hand"] == pytest.approx(np.abs(net).sum() / (dead == 0).sum())
    assert found["gin_points_mean"] == pytest.approx(np.abs(net)[column(hands, "gin") == 1].mean())


def test_shares_of_all_and_of_decided_hands_are_both_named() -> None:
    hands = hand_vectors(2000, seed=3, dead=0.4)
    found = table(summarise(moments(hands, per_unit=1)))["estimate"]
    gins, decided = column(hands, "gin").sum(), 2000 - column(hands, "dead").sum()
    assert found["gin_share"] == pytest.approx(gins / 2000)
    assert found["gin_share_of_decided"] == pytest.approx(gins / decided)
    kinds = ["knock", "gin", "big_gin", "undercut"]
    assert sum(found[f"{kind}_share_of_decided"] for kind in kinds) == pytest.approx(1)
    assert sum(found[f"{kind}_share"] for kind in [*kinds, "dead", "stalled"]) == pytest.approx(1)


def test_what_never_happened_has_an_interval_of_some_width() -> None:
    row = table(summarise(moments(hand_vectors(100, seed=4), per_unit=2))).loc["big_gin_share"]
    assert (row["estimate"], row["low"]) == (0, 0)
    assert row["high"] == pytest.approx(wilson(0, 50)[1])


def test_hands_of_a_mirrored_pair_do_not_count_twice() -> None:
    hands = hand_vectors(300, seed=5)
    once = table(summarise(moments(hands, per_unit=1))).loc["gin_share"]
    twice = table(summarise(moments(np.repeat(hands, 2, axis=0), per_unit=2))).loc["gin_share"]
    assert twice[["estimate", "low", "high", "n"]].tolist() == pytest.approx(
        once[["estimate", "low", "high", "n"]].tolist()
    )


def test_one_unit_gives_estimates_and_no_intervals() -> None:
    frame = summarise(moments(hand_vectors(2, seed=6), per_unit=2))
    assert frame[["low", "high"]].isna().all(axis=None)
    assert table(frame)["estimate"]["dead_share"] in (0, 0.5, 1)


def test_no_unit_gives_no_numbers_at_all() -> None:
    frame = summarise(moments(hand_vectors(0, seed=6), per_unit=2))
    assert frame[["estimate", "low", "high"]].isna().all(axis=None)
    assert (frame["n"] == 0).all()


def test_games_come_first_and_their_unit_is_the_game() -> None:
    sums = moments(game_vectors(60, seed=7, edge=0.1), per_unit=2, names=ALL)
    frame = summarise(sums)
    assert unit_name(sums) == "pair of games"
    assert frame["metric"][0] == "game_won_0_share"
    found = table(frame)["estimate"]
    assert found["hands_per_game"] == 10
    assert found["game_won_0_share"] + found["game_won_1_share"] == pytest.approx(1)
    assert (frame["n"] == 30).all()


def test_a_higher_level_gives_wider_intervals() -> None:
    sums = moments(hand_vectors(400, seed=8), per_unit=2)
    narrow, wide = summarise(sums, 0.8), summarise(sums, 0.99)
    width = {level: (f["high"] - f["low"]).dropna() for level, f in (("n", narrow), ("w", wide))}
    assert (width["w"] >= width["n"]).all()
    with pytest.raises(UsageError, match="level 95"):
        summarise(sums, 95)


def test_unit_totals_are_sums_of_consecutive_rows() -> None:
    assert unit_totals(np.array([1, 2, 3, 4], dtype=np.int8), 2).tolist() == [3, 7]
    with pytest.raises(UsageError, match="3 rows"):
        unit_totals(np.array([1, 2, 3]), 2)


def paired(*totals: list[int]) -> PairedSums:
    sums = PairedSums(range(len(totals)), 2)
    sums.add([np.array(each) for each in totals])
    return sums


def test_pairwise_takes_differences_on_the_same_units() -> None:
    rng = np.random.default_rng(9)
    luck = rng.integers(-100, 100, 500)
    better = luck + rng.integers(0, 3, 500)
    row = pairwise(paired(better.tolist(), luck.tolist())).iloc[0]
    gaps = (better - luck) / 2
    assert row["difference"] == pytest.approx(gaps.mean())
    assert row["high"] - row["low"] == pytest.approx(2 * 1.9647 * gaps.std(ddof=1) / np.sqrt(500), rel=1e-3)
    assert row["p_value"] < 1e-6


def test_pairwise_does_not_depend_on_blocks() -> None:
    rng = np.random.default_rng(10)
    table = rng.integers(-50, 50, (3, 100))
    blocks = PairedSums(range(3), 2)
    for part in np.split(table, 4, axis=1):
        blocks.add(list(part))
    pd.testing.assert_frame_equal(pairwise(blocks), pairwise(paired(*table.tolist())))


def test_pairwise_where_nothing_varies() -> None:
    never = pairwise(paired([1, 2, 3], [1, 2, 3])).iloc[0]
    assert (never["difference"], never["low"], never["high"], never["p_value"]) == (0, 0, 0, 1)
    always = pairwise(paired([3, 4, 5], [1, 2, 3])).iloc[0]
    assert always["difference"] == 1
    assert math.isnan(always["p_value"])
    single = pairwise(paired([3], [1])).iloc[0]
    assert single["difference"] == 1
    assert math.isnan(single["low"])


def test_candidates_must_have_met_the_same_units() -> None:
    with pytest.raises(UsageError, match=r"\[2, 3\]"):
        paired([1, 2], [1, 2, 3])
