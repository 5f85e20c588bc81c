"""A difference split into decisions: weights that add up, coverage by simulation, and mixtures as they are played."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from encounters import Values, encounter, sums
from scipy import stats

import gincore
from gincore.analysis import swaps
from gincore.analysis.contest import GAMES, POINTS
from gincore.analysis.swaps import (
    ALL,
    DECISIONS,
    NONE,
    Cell,
    Played,
    added,
    cells,
    shapley_weights,
    swap_frame,
    swap_weights,
    whole_weights,
)
from gincore.contests.split import mixture, plan_encounters
from gincore.errors import UsageError
from gincore.strategies import Strategy, get

SYNTHETIC = {cell: k for k, cell in enumerate(c for c in cells() if c not in (Cell(NONE, "b"), Cell(ALL, "a")))}
"""The encounters of made-up strategies: all but those that are even by symmetry."""

PLAYED = {cell: Played(SYNTHETIC[cell], 1) if cell in SYNTHETIC else Played(0, 0) for cell in cells()} | {
    Cell(NONE, "a"): Played(SYNTHETIC[Cell(ALL, "b")], -1)
}

EFFECT = {"draw": 0.03, "discard": 0.08, "knock": -0.02}


def true_share(cell: Cell) -> float:
    """What a mixture wins: b's decisions are the baseline, draw and discard of a help each other."""
    gain = sum(EFFECT[decision] for decision in cell.mine) + 0.04 * ({"draw", "discard"} <= cell.mine)
    against_a = sum(EFFECT.values()) + 0.04
    return 0.5 + gain - (against_a if cell.opponent == "a" else 0)


def value(cell: Cell) -> Fraction:
    """A made-up value of a cell, with every kind of interaction; even where both are the same."""
    places = [DECISIONS.index(decision) + 2 for decision in cell.mine]
    start = Fraction(sum(places) + math.prod(places), 7)
    whole = Fraction(9 + 24, 7)
    return start - Fraction(1, 7) if cell.opponent == "b" else start - whole


def total(weights: dict[Cell, Fraction]) -> Fraction:
    return sum((weight * value(cell) for cell, weight in weights.items()), Fraction(0))


def test_the_shapley_values_add_up_to_the_whole_exactly() -> None:
    for opponent in ("a", "b", "both"):
        parts = [shapley_weights(decision, opponent) for decision in DECISIONS]
        assert sum(map(total, parts)) == total(whole_weights("b")) == total(whole_weights("a"))
    for opponent in ("a", "b"):
        parts = [shapley_weights(decision, opponent) for decision in DECISIONS]
        rest = added([*parts, whole_weights(opponent)], [1, 1, 1, -1])
        assert not any(rest.values()), "the weights cancel, whatever the values"


def test_exchanging_a_and_b_turns_the_sign_of_the_shapley_values_only() -> None:
    exchanged = {cell: Cell(ALL - cell.mine, "a" if cell.opponent == "b" else "b") for cell in cells()}
    for decision in DECISIONS:
        weights = shapley_weights(decision, "both")
        assert {exchanged[cell]: -weight for cell, weight in weights.items()} == weights


def test_a_shapley_value_is_the_mean_of_all_orders() -> None:
    for decision in DECISIONS:
        gains = []
        for order in permutations(DECISIONS):
            before = frozenset(order[: order.index(decision)])
            gains.append(value(Cell(before | {decision}, "b")) - value(Cell(before, "b")))
        assert total(shapley_weights(decision, "b")) == sum(gains, Fraction(0)) / 6


def test_swaps_are_single_differences() -> None:
    assert total(swap_weights("draw", "b")) == value(Cell(frozenset({"draw"}), "b")) - value(Cell(NONE, "b"))
    assert total(swap_weights("draw", "a")) == -value(Cell(frozenset({"discard", "knock"}), "a"))


def made_up(n: int, seed: int) -> list[Values]:
    rng = np.random.default_rng(seed)
    luck = 0.12 * rng.normal(size=n)
    return [encounter(true_share(cell), n, rng, luck) for cell in SYNTHETIC]


def rows_of(frame: pd.DataFrame, metric: str, split: str, opponent: str) -> pd.DataFrame:
    return frame[(frame["metric"] == metric) & (frame["split"] == split) & (frame["opponent"] == opponent)]


def test_the_frame_adds_up() -> None:
    frame = swap_frame(sums(made_up(50, 1)), PLAYED)
    for metric in frame["metric"].unique():
        (whole,) = rows_of(frame, metric, "whole", "both")["estimate"]
        for opponent in ("a", "b", "both"):
            assert rows_of(frame, metric, "shapley", opponent)["estimate"].sum() == pytest.approx(whole, abs=1e-14)
        for split, side in (("swap_into_b", "b"), ("swap_out_of_a", "a")):
            assert rows_of(frame, metric, split, side)["estimate"].sum() == pytest.approx(whole, abs=1e-14)
    assert set(frame["unit"]) == {"pair of games"}
    assert set(frame["n"]) == {50}


def test_intervals_cover_on_common_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """250 made-up splits of 150 units: of every part 95 % are covered, not less within chance (p < 1e-4)."""
    monkeypatch.setattr(swaps, "MEASURES", (GAMES, POINTS))
    wanted = {("whole", "both", "all"): whole_weights()}
    wanted |= {("swap_into_b", "b", d): swap_weights(d, "b") for d in DECISIONS}
    wanted |= {("swap_out_of_a", "a", d): swap_weights(d, "a") for d in DECISIONS}
    wanted |= {("shapley", o, d): shapley_weights(d, o) for d in DECISIONS for o in ("a", "b", "both")}
    gains = {key: sum(float(w) * true_share(cell) for cell, w in weights.items()) for key, weights in wanted.items()}
    true = {(GAMES.name, *key): gain for key, gain in gains.items()}
    true |= {(POINTS.name, *key): 10 * gain for key, gain in gains.items()}
    covered = dict.fromkeys(true, 0)
    for seed in range(250):
        for row in swap_frame(sums(made_up(150, seed)), PLAYED).to_dict("records"):
            key = (row["metric"], row["split"], row["opponent"], row["decision"])
            if key in true:
                covered[key] += row["low"] <= true[key] <= row["high"]
    for key, count in covered.items():
        assert stats.binomtest(count, 250, 0.95, "less").pvalue > 1e-4, key
    assert stats.binomtest(sum(covered.values()), 250 * len(true), 0.95, "greater").pvalue > 1e-6, "nor far too wide"


def test_a_share_without_spread_has_an_interval() -> None:
    every = made_up(80, 2)
    place = SYNTHETIC[Cell(ALL, "b")]
    every[place] = every[place] | {"score": np.full(80, 4, dtype=np.int64)}
    (row,) = rows_of(swap_frame(sums(every), PLAYED), "game_won_share", "whole", "both").to_dict("records")
    assert row["estimate"] == row["high"] == 0.5
    assert 0.4 < row["low"] < 0.5


def test_a_single_unit_has_no_interval() -> None:
    frame = swap_frame(sums(made_up(1, 1)), PLAYED)
    assert frame[["low", "high"]].isna().all().all()
    assert frame["estimate"].notna().all()


def test_parameters_and_tables_travel_with_their_decision() -> None:
    @gincore.decision
    def knock(view: Any, params: Any) -> Any:
        return view.deadwood <= params[1]

    a = Strategy("a", knock=knock, params={"limit": 3}, table=[7.0, 8.0])
    b = get("threshold,limit=5")
    mixed = b.with_decisions(a, "knock")
    assert mixed.parts == (b.parts[0], b.parts[1], a.parts[2])
    assert mixed.values()[2].tolist() == [3, 7, 8]
    assert mixed.name == "threshold,limit=5 with knock of a"
    back = a.with_decisions(b, "draw", "knock")
    assert back.values()[2].tolist() == [5, -1, 0]
    assert back.name == "a with draw and knock of threshold,limit=5"
    assert mixture(a, b, Cell(ALL, "b")) is a
    assert mixture(a, b, Cell(NONE, "b")) is b
    with pytest.raises(UsageError, match="no decision 'bid'; allowed: draw, discard, knock"):
        a.with_decisions(b, "bid")


def test_what_plays_the_same_is_played_once() -> None:
    encounters, played = plan_encounters(get("gin-only"), get("random"))
    assert len(encounters) == 13
    assert played[Cell(NONE, "b")].sign == played[Cell(ALL, "a")].sign == 0
    assert played[Cell(NONE, "a")] == Played(played[Cell(ALL, "b")].encounter, -1)
    encounters, played = plan_encounters(get("threshold,limit=4"), get("gin-only"))
    assert len(encounters) == 1, "they differ in the knock only"
    assert {place.encounter for place in played.values()} == {0}
    assert plan_encounters(get("simple"), get("simple"))[0] == []


@pytest.fixture(scope="module")
def split() -> gincore.Explanation:
    return gincore.explain("gin-only", "random", games=60, seed=4, progress=False)


def test_the_whole_is_the_difference_of_a_plain_run(split: gincore.Explanation) -> None:
    run = gincore.simulate_games("eaai", ("gin-only", "random"), games=60, seed=4, progress=False)
    summary = run.summary().set_index("metric")["estimate"]
    whole = split.frame[split.frame["split"] == "whole"].set_index("metric")["estimate"]
    assert whole["game_won_share"] == pytest.approx(summary["game_won_0_share"] - 0.5)
    assert whole["hand_won_share_of_decided"] == pytest.approx(summary["won_0_share_of_decided"] - 0.5)
    assert whole["net_points_per_hand"] == pytest.approx(summary["net_points_per_hand"])


def test_a_swap_is_the_difference_of_a_plain_run(split: gincore.Explanation) -> None:
    a, b = get("gin-only"), get("random")
    run = gincore.simulate_games("eaai", (b.with_decisions(a, "discard"), b), games=60, seed=4, progress=False)
    (row,) = split.frame.query(
        "split == 'swap_into_b' and decision == 'discard' and metric == 'net_points_per_hand'"
    ).to_dict("records")
    assert row["estimate"] == pytest.approx(run.summary().set_index("metric").loc["net_points_per_hand", "estimate"])
    assert row["low"] == pytest.approx(run.summary().set_index("metric").loc["net_points_per_hand", "low"])


def test_exchanged_strategies_have_the_same_parts_with_the_other_sign(split: gincore.Explanation) -> None:
    turned = gincore.explain("random", "gin-only", games=60, seed=4, progress=False)
    for one, two in ((split, turned), (turned, split)):
        mine = one.frame.query("split == 'shapley' and opponent == 'both'")
        theirs = two.frame.query("split == 'shapley' and opponent == 'both'")
        assert mine["estimate"].to_numpy() == pytest.approx(-theirs["estimate"].to_numpy(), abs=1e-12)


def test_only_the_decision_that_differs_has_a_part() -> None:
    split = gincore.explain("threshold,limit=4", "simple", games=100, seed=4, progress=False)
    shapley = split.frame[split.frame["split"] == "shapley"]
    others = shapley[shapley["decision"] != "knock"]
    assert (others[["estimate", "low", "high"]] == 0).all().all()
    (whole,) = split.frame.query("split == 'whole' and metric == 'game_won_share'")["estimate"]
    assert set(shapley.query("decision == 'knock' and metric == 'game_won_share'")["estimate"]) == {whole}


def test_the_split_is_shown(split: gincore.Explanation) -> None:
    text = str(split)
    assert "difference: gin-only minus random" in text
    assert "Shapley" in text
    assert "13 encounters" in text
    assert split._repr_html_().count("<table>") == 3
    assert repr(split).startswith("<Explanation rules: eaai")


def test_one_strategy_twice_is_refused() -> None:
    with pytest.raises(UsageError, match="strategy 'simple' is given twice"):
        gincore.explain("simple", "simple", games=5, seed=1)
