"""The public calls and the runs they return."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import gincore
from gincore.api import GameRun, Run, open_run
from gincore.errors import UsageError
from gincore.schema import CUTTHROAT_COLUMNS, GAME_DTYPE, HAND_DTYPE, NULLABLE, Result
from gincore.strategies import get

SIMPLE = ("simple", "simple")


@pytest.fixture(scope="module")
def run() -> Run:
    return gincore.simulate("classic", SIMPLE, deals=2_000, seed=7, progress=False)


@pytest.fixture(scope="module")
def game_run() -> GameRun:
    return gincore.simulate_games("classic", SIMPLE, games=100, seed=7, progress=False)


def test_hands_have_the_columns_and_types_of_the_schema(run: Run) -> None:
    frame = run.hands
    assert tuple(frame.columns) == tuple(name for name in HAND_DTYPE.names or () if name not in CUTTHROAT_COLUMNS)
    assert len(frame) == 4_000
    for name, dtype in frame.dtypes.items():
        if name == "result":
            assert isinstance(dtype, pd.CategoricalDtype)
            assert list(dtype.categories) == [result.name for result in Result]
        elif name in NULLABLE:
            assert str(dtype) == HAND_DTYPE[str(name)].name.capitalize()
        else:
            assert dtype == HAND_DTYPE[str(name)]
    assert frame["deal"].tolist() == np.repeat(np.arange(2_000), 2).tolist()
    assert frame["mirror"].tolist() == [0, 1] * 2_000


def test_absent_values_are_missing_not_minus_one(run: Run) -> None:
    frame = run.hands
    dead = frame["result"].isin(["dead", "stalled"])
    for name in set(NULLABLE) - {"upcard_taken_by", "knock_limit"}:
        assert frame.loc[dead, name].isna().all()
        assert not frame.loc[~dead, name].isna().any()
        assert frame[name].min() >= 0


def test_without_mirror_the_starter_alternates() -> None:
    frame = gincore.simulate("classic", SIMPLE, deals=10, seed=1, mirror=False, progress=False).hands
    assert frame["starter"].tolist() == [0, 1] * 5
    assert frame["mirror"].eq(0).all()


def test_the_frame_is_built_once(run: Run) -> None:
    assert run.hands is run.hands


def test_game_rows(game_run: GameRun) -> None:
    assert tuple(game_run.games.columns) == GAME_DTYPE.names
    assert len(game_run.games) == 200
    assert game_run.games["hands"].sum() == len(game_run.hands)
    assert game_run.moments.units == 100


def test_summary_has_an_interval_beside_every_estimate(run: Run, game_run: GameRun) -> None:
    for each in (run, game_run):
        table = each.summary()
        assert {"metric", "estimate", "low", "high", "n", "unit"} <= set(table.columns)
        whole = table.dropna(subset=["low", "high"])
        assert len(whole) > 10
        assert (whole["low"] <= whole["estimate"]).all()
        assert (whole["estimate"] <= whole["high"]).all()
    wide, narrow = run.summary(level=0.99).set_index("metric"), run.summary(level=0.5).set_index("metric")
    name = "gin_share"  # the net points of a strategy against itself are 0 in every mirrored pair
    assert wide.loc[name, "high"] - wide.loc[name, "low"] > narrow.loc[name, "high"] - narrow.loc[name, "low"]


def test_one_deal_does_not_crash() -> None:
    table = gincore.simulate("classic", SIMPLE, deals=1, seed=1, progress=False).summary()
    assert len(table) > 10


def test_how_a_run_shows_itself(run: Run, game_run: GameRun, tmp_path: Path) -> None:
    assert repr(run) == (
        "<Run rules: classic; strategies: simple v simple; deals: 2,000 deals x 2 (mirrored); seed: 7; keep: rows>"
    )
    assert repr(game_run).startswith("<GameRun rules: classic")
    assert "strategies: simple v simple\n" in str(run)
    for each in (run, game_run):
        assert all(f"\n{metric} " in str(each) for metric in each.summary()["metric"]), "a line is left out"
        assert max(map(len, str(each).splitlines())) <= 100
    assert max(len(line) for line in str(game_run).split("\n\n")[1].splitlines()) < 80
    assert "95 % interval over 2,000 pairs of deals" in str(run)
    assert "90 % interval over 100 pairs of games" in game_run.text(level=0.9)
    changed = gincore.simulate(gincore.rules("pagat", undercut_bonus=15), SIMPLE, deals=5, seed=1, progress=False)
    assert repr(changed).startswith("<Run rules: pagat, undercut_bonus=15; ")
    assert changed.manifest["rules"]["label"] == "pagat, undercut_bonus=15"
    page = run._repr_html_()
    assert "net_points_per_hand" in page
    assert "<th style='text-align:left'>seed</th><td>7</td>" in page
    stored = gincore.simulate("classic", SIMPLE, deals=5, seed=1, out=tmp_path / "<b>", progress=False)
    assert "&lt;b&gt;" in stored._repr_html_()


def test_runs_open_again_as_what_they_were(tmp_path: Path) -> None:
    hands = gincore.simulate("classic", SIMPLE, deals=50, seed=1, out=tmp_path / "hands", progress=False)
    games = gincore.simulate_games("classic", SIMPLE, games=20, seed=1, out=tmp_path / "games", progress=False)
    again, games_again = open_run(tmp_path / "hands"), open_run(str(tmp_path / "games"))
    assert type(again) is Run
    assert isinstance(games_again, GameRun)
    pd.testing.assert_frame_equal(again.hands, hands.hands)
    pd.testing.assert_frame_equal(games_again.games, games.games)
    pd.testing.assert_frame_equal(games_again.hands, games.hands)
    assert again.summary().equals(hands.summary())
    assert games_again.summary().equals(games.summary())


def test_single_hands_have_no_games(run: Run) -> None:
    with pytest.raises(UsageError, match="it has no games"):
        run.result.games()


def test_rules_and_strategies_can_be_objects() -> None:
    ruleset = gincore.rules("classic", gin_bonus=20)
    strategy = get("simple")
    run = gincore.simulate(ruleset, (strategy, "simple"), deals=10, seed=1, progress=False)
    assert run.manifest["rules"]["options"]["gin_bonus"] == 20
