"""The arena as it is played: copies, equals, common deals, refusals."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import gincore
from gincore.contests import play as playing
from gincore.core.rng import mix
from gincore.errors import UsageError
from gincore.strategies import Strategy, pool
from gincore.strategies.choose import pick

POOL = ["simple", "gin-only", "threshold,limit=4", "random"]


@pytest.fixture(scope="module")
def found() -> gincore.Arena:
    return gincore.arena(POOL, games=300, seed=9, progress=False)


@gincore.decision
def discard_other_words(view: Any, params: Any) -> Any:
    """Throw one of the cards that leave the least deadwood, by other random words than ``simple``."""
    return pick(view.least, mix(view.random))


@gincore.decision
def discard_these_words(view: Any, params: Any) -> Any:
    """Throw one of the cards that leave the least deadwood."""
    return pick(view.least, view.random)


def test_every_pair_is_that_of_a_plain_run(found: gincore.Arena) -> None:
    """Estimates and intervals are those of ``simulate_games`` for the pair by itself."""
    names = {
        "game_won_share": "game_won_0_share",
        "hand_won_share_of_decided": "won_0_share_of_decided",
        "net_points_per_hand": "net_points_per_hand",
    }
    for a, b in (("simple", "gin-only"), ("threshold,limit=4", "random")):
        summary = gincore.simulate_games("eaai", (a, b), games=300, seed=9, progress=False).summary()
        rows = found.frame[(found.frame["a"] == a) & (found.frame["b"] == b)].set_index("metric")
        for mine, theirs in names.items():
            wanted = summary.set_index("metric").loc[theirs, ["estimate", "low", "high"]].to_numpy(dtype=float)
            assert rows.loc[mine, ["estimate", "low", "high"]].to_numpy(dtype=float) == pytest.approx(wanted)


def test_the_table_is_tidy(found: gincore.Arena) -> None:
    assert len(found.frame) == 6 * 3
    assert set(found.frame["n"]) == {300}
    assert found.matrix().index.tolist() == found.names == POOL
    assert found.ranking("net_points_per_hand")["strategy"].tolist()[-1] == "random"
    assert found.manifest["run"]["strategies"][1]["name"] == "gin-only"
    assert found.manifest["games"] == 300


def test_games_and_hands_disagree_and_it_is_said(found: gincore.Arena) -> None:
    rows = found.disagreements().set_index(["a", "b"])
    assert rows.loc[("simple", "gin-only"), "ahead_a"] == "hand_won_share_of_decided"  # type: ignore[index]
    assert "simple v gin-only: simple is ahead in hands won, gin-only in games won and points a hand" in str(found)


def test_the_same_strategy_under_two_names_is_even_in_every_pair() -> None:
    """20,000 pairs: by construction, as mirrored games of equal players are the same games."""
    pool = [Strategy("one", base="simple"), Strategy("two", base="simple")]
    frame = gincore.arena(pool, games=20_000, seed=1, progress=False).frame.set_index("metric")
    assert frame["estimate"].tolist() == [0.5, 0.5, 0.0]
    assert frame["p_value"].tolist() == [1, 1, 1]
    assert (frame["low"] <= frame["estimate"]).all()
    assert (frame["high"] >= frame["estimate"]).all()
    assert frame.loc["game_won_share", "high"] < 0.5001  # type: ignore[operator]


def test_identical_strategies_show_no_difference_over_200_000_pairs() -> None:
    """Pairs of hands: a copy is even in every pair; one with other random words within chance (p < 1e-4)."""
    these, others = (
        Strategy(each.__name__, discard=each, base="simple") for each in (discard_these_words, discard_other_words)
    )
    for pair, same in ((("simple", Strategy("copy", base="simple")), True), ((these, others), False)):
        hands = gincore.simulate("eaai", pair, deals=200_000, seed=3, progress=False).hands
        points = hands["points_0"].to_numpy(int) - hands["points_1"].to_numpy(int)
        for values in (points, np.sign(points)):  # points, and hands won
            net = values.reshape(-1, 2).sum(axis=1)
            assert len(net) == 200_000
            if same:
                assert not net.any()
            else:
                assert net.astype(bool).mean() > 0.1, "they do not play the same"
                assert stats.ttest_1samp(net, 0).pvalue > 1e-4


def test_equal_strategies_that_play_differently_are_not_told_apart() -> None:
    """20,000 pairs: the games differ, the strength does not; each p-value above 1e-3, the error within 0.5 points."""
    pool = [
        Strategy("these", discard=discard_these_words, base="simple"),
        Strategy("others", discard=discard_other_words, base="simple"),
    ]
    frame = gincore.arena(pool, games=20_000, seed=2, progress=False).frame.set_index("metric")
    assert (frame["high"] > frame["low"]).all()
    assert frame.loc["net_points_per_hand", "estimate"] != 0, "they do not play the same"
    assert (frame["p_value"] > 1e-3).all()
    for metric in ("game_won_share", "hand_won_share_of_decided"):
        assert abs(frame.loc[metric, "estimate"] - 0.5) < 0.005  # type: ignore[operator]


def test_even_strategies_are_told_apart_no_more_often_than_the_level() -> None:
    """60 tables of two equal strategies at level 0.9: false findings within chance (p < 1e-4)."""
    pool = [
        Strategy("these", discard=discard_these_words, base="simple"),
        Strategy("others", discard=discard_other_words, base="simple"),
    ]
    told = 0
    for seed in range(60):
        frame = gincore.arena(pool, games=100, seed=1000 + seed, progress=False).frame
        told += bool((frame["p_holm"] < 0.1).any())
    assert stats.binomtest(told, 60, 0.1, "greater").pvalue > 1e-4


def test_a_copy_changes_no_nash_rating(found: gincore.Arena) -> None:
    grown = gincore.arena([*POOL, Strategy("again", base="gin-only")], games=300, seed=9, progress=False)
    for metric in ("game_won_share", "net_points_per_hand"):
        before, after = (each.nash(metric).set_index("strategy") for each in (found, grown))
        assert after.loc[POOL, "rating"].to_numpy() == pytest.approx(before.loc[POOL, "rating"].to_numpy())
        masses = after["mass"].copy()
        masses["gin-only"] += masses.pop("again")
        assert masses[POOL].to_numpy() == pytest.approx(before.loc[POOL, "mass"].to_numpy())
        assert after.loc["again", "copies"] == 2
    assert grown.ranking().iloc[0]["estimate"] != found.ranking().iloc[0]["estimate"], "an average does change"
    assert grown.cycles().share == pytest.approx(found.cycles().share), "copies count once"


def test_blocks_and_threads_change_nothing(monkeypatch: pytest.MonkeyPatch, found: gincore.Arena) -> None:
    monkeypatch.setattr(playing, "GAME_BLOCK", 128)
    again = gincore.arena(POOL, games=300, seed=9, workers=2, progress=False)
    pd.testing.assert_frame_equal(again.frame, found.frame)
    pd.testing.assert_frame_equal(again.nash(), found.nash())
    assert again.cycles() == found.cycles()


def test_games_that_are_drawn_count_half() -> None:
    """Under 'sum' settlement a game can be drawn; a's share and b's still add up to 1."""
    rules = gincore.rules("classic", settlement="sum", game_bonus=0, box_bonus=0)
    run = gincore.simulate_games(rules, ("simple", "gin-only"), games=200, seed=3, progress=False)
    values = playing.values(run)
    won, lost = ((run.games["winner"] == player).fillna(False).to_numpy(dtype=int) for player in (0, 1))
    assert values["score"].tolist() == (1 + won - lost).reshape(-1, 2).sum(axis=1).tolist()


def test_the_default_pool_is_the_usual_one() -> None:
    found = gincore.arena(games=5, seed=1, progress=False)
    assert found.names == pool()
    assert {"simple", "expert"} < set(found.names) < set(gincore.strategy_names())
    assert found.setup.rules.name == "eaai"


def test_one_game_number_gives_estimates_without_intervals() -> None:
    found = gincore.arena(POOL, games=1, seed=1, progress=False)
    assert found.frame[["low", "high", "p_value", "p_holm"]].isna().all().all()
    assert set(found.ranking()["rank_high"]) == {4}
    assert found.nash()["mass_low"].isna().all()
    assert math.isnan(found.cycles().share)
    assert "no interval" in str(found)


def test_two_strategies_have_no_cycles() -> None:
    found = gincore.arena(POOL[:2], games=20, seed=1, progress=False)
    assert "cycles: none to measure among 2 strategies" in str(found)


def test_it_shows_itself(found: gincore.Arena) -> None:
    text = str(found)
    for words in ("rules: eaai", "* told apart from even", "Nash", "95 % interval over 300 pairs of games", "cycles:"):
        assert words in text
    assert found._repr_html_().count("<table>") == 2
    assert repr(found).startswith("<Arena rules: eaai; strategies: simple, gin-only")


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"strategies": ["simple"]}, "1 strategy given: an arena needs 2 to 24"),
        ({"strategies": "simple"}, "1 strategy given"),
        ({"strategies": []}, "0 strategies given"),
        ({"strategies": ["simple"] * 25}, "25 strategies given"),
        ({"strategies": ["simple", "simple"]}, "strategy 'simple' is given twice"),
        ({"strategies": ["simple", "smiple"]}, "strategy 'smiple' is not known"),
        ({"games": 0}, "games 0: allowed are whole numbers from 1"),
        ({"games": -3}, "games -3"),
        ({"seed": -1}, "seed -1"),
        ({"level": 1.0}, "level 1.0"),
        ({"rules": "cutthroat"}, r"rules 'cutthroat' \(form = cutthroat, match = one-game\)"),
        ({"workers": 0}, "workers 0"),
    ],
)
def test_wrong_use_is_refused_before_the_first_hand(
    monkeypatch: pytest.MonkeyPatch, wrong: dict[str, Any], words: str
) -> None:
    monkeypatch.setattr(playing, "simulate_games", pytest.fail)
    usual: dict[str, Any] = {"strategies": POOL, "rules": "eaai", "games": 5, "seed": 1}
    with pytest.raises(UsageError, match=words):
        gincore.arena(**(usual | wrong))


def test_a_metric_that_is_not_known_is_refused(found: gincore.Arena) -> None:
    for method in (found.matrix, found.ranking, found.nash, found.cycles):
        with pytest.raises(UsageError, match="metric 'elo' is not known; allowed: game_won_share"):
            method("elo")


def test_frames_are_the_callers_own(found: gincore.Arena) -> None:
    nash, ranking = found.nash(), found.ranking()
    nash["mass"] = np.nan
    ranking["rank"] = 0
    assert found.nash()["mass"].notna().all()
    assert (found.ranking()["rank"] > 0).all()
