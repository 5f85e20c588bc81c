"""Hollywood, partnership, cutthroat and matches: who plays, and runs that are cut anew.

``test_forms_literal.py`` has literal sheets and games, ``test_forms_scored.py`` random ones, scored again.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import gincore
from gincore.errors import RunError, UsageError
from gincore.runs.tally import Moments
from gincore.schema import GAME_METRICS, METRICS

FORMS = ("hollywood", "partnership", "cutthroat", "gin-rami-competition")
TWO = ("gin-only", "simple")
THREE = ("gin-only", "simple", "threshold,limit=5")


def strategies_of(rules: gincore.Rules) -> tuple[str, ...]:
    return THREE if rules.form == "cutthroat" else TWO


def play(rules: gincore.Rules, games: int, seed: int = 5, **options: Any) -> gincore.GameRun:
    chosen = options.pop("strategies", strategies_of(rules))
    return gincore.simulate_games(rules, chosen, games=games, seed=seed, progress=False, **options)


# ---------------------------------------------------------------- who plays


@gincore.decision
def pass_by(view: Any, params: Any) -> Any:
    return 0


def test_four_partners_play_at_two_tables() -> None:
    """Only the partner who never knocks is told apart: side 0's second, at table 1."""
    never = gincore.Strategy("never", knock=pass_by, base="simple")
    rules = gincore.rules("partnership")
    run = play(rules, 40, strategies=("simple", "simple", never, "simple"))
    hands = run.hands
    assert not ((hands["table"] == 1) & (hands["knocker"] == 0)).any()
    assert ((hands["table"] == 0) & (hands["knocker"] == 0)).any()
    assert (hands["round"] == hands["hand"] // 2).all()
    second = play(rules, 40, strategies=("simple", "simple", "simple", never)).hands
    at = (second["round"] + second["table"]) % 2  # side 1's partners change tables every round
    assert not ((at == 1) & (second["knocker"] == 1)).any()
    assert ((at == 0) & (second["knocker"] == 1)).any()
    assert len(run.manifest["strategies"]) == 4


def test_three_players_have_their_own_strategies() -> None:
    never = gincore.Strategy("never", knock=pass_by, base="simple")
    for player in range(3):
        chosen = ["simple"] * 3
        hands = play(gincore.rules("cutthroat"), 30, strategies=[*chosen[:player], never, *chosen[player + 1 :]]).hands
        assert not (hands["knocker"] == player).any()
        assert all((hands["knocker"] == other).any() for other in range(3) if other != player)
        assert not hands[[f"points_{p}" for p in range(3)]].to_numpy()[np.arange(len(hands)), hands["sits_out"]].any()
        assert not hands[[f"pickups_{p}" for p in range(3)]].to_numpy()[np.arange(len(hands)), hands["sits_out"]].any()


def test_a_mirrored_game_of_three_has_the_same_first_dealer_and_cards() -> None:
    first = play(gincore.rules("cutthroat"), 200).hands.query("hand == 0").reset_index(drop=True)
    one, two = first[first["mirror"] == 0], first[first["mirror"] == 1]
    assert one["sits_out"].tolist() == two["sits_out"].tolist()
    assert (one["starter"].to_numpy() + two["starter"].to_numpy() + one["sits_out"].to_numpy() == 3).all()
    assert set(one["sits_out"]) == {0, 1, 2}


@gincore.decision
def wrong(view: Any, params: Any) -> Any:
    return -7


@pytest.mark.parametrize(("form", "given"), [("partnership", 4), ("cutthroat", 3), ("hollywood", 2)])
def test_an_illegal_answer_names_the_player(form: str, given: int) -> None:
    bad = gincore.Strategy("bad", discard=wrong, base="simple")
    for player in range(given):
        chosen: list[Any] = ["simple"] * given
        chosen[player] = bad
        with pytest.raises(RunError, match=rf"'bad' \(player {player}\) in (game|sheet) \d+, hand \d+, mirror \d:"):
            play(gincore.rules(form), 5, strategies=chosen)


# ---------------------------------------------------------------- runs


def same(one: gincore.GameRun, two: gincore.GameRun) -> bool:
    return (
        one.result.rows().tobytes() == two.result.rows().tobytes()
        and one.result.games().tobytes() == two.result.games().tobytes()
        and np.array_equal(one.moments.second, two.moments.second)
        and one.moments.units == two.moments.units
    )


@pytest.mark.parametrize("name", FORMS)
def test_runs_are_the_same_however_they_are_cut(name: str, tmp_path: Path) -> None:
    rules = gincore.rules(name)
    whole = play(rules, 60)
    for folder, options in (("a", {"workers": 2, "chunk": 7}), ("b", {"workers": 1, "chunk": 60})):
        assert same(play(rules, 60, out=tmp_path / folder, **options), whole)
    opened = gincore.open_run(tmp_path / "a")
    assert isinstance(opened, gincore.GameRun)
    assert same(opened, whole)
    pd.testing.assert_frame_equal(opened.games, whole.games)
    pd.testing.assert_frame_equal(opened.hands, whole.hands)
    pd.testing.assert_frame_equal(opened.matches, whole.matches)
    (tmp_path / "a" / "hands" / "part-00003.parquet").unlink()
    (tmp_path / "a" / "games" / "part-00005.parquet").write_bytes(b"cut")
    assert same(play(rules, 60, out=tmp_path / "a", chunk=7, resume=True), whole)
    sums = play(rules, 60, keep="stats", chunk=11)
    assert np.array_equal(sums.moments.second, whole.moments.second)
    assert sums.moments == pytest.approx(sums.moments)
    part = play(rules, 10, first_game=50)
    assert part.result.games().tobytes() == whole.result.games()[whole.result.games()["game"] >= 50].tobytes()


@pytest.mark.parametrize("name", FORMS)
def test_small_buffers_change_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = gincore.rules(name)
    whole = play(rules, 30)
    monkeypatch.setattr("gincore.runs.play.GAME_ROWS", 16)
    monkeypatch.setattr("gincore.runs.play.MATCH_ROWS", 1)
    assert same(play(rules, 30), whole)


def rows_of(hands: pd.DataFrame) -> np.ndarray:
    """Points of every player, one column each."""
    return hands[[name for name in hands if name.startswith("points_")]].to_numpy(np.int64)


@pytest.mark.parametrize("name", FORMS)
def test_moments_are_those_of_the_rows(name: str) -> None:
    run = play(gincore.rules(name), 40)
    sums: Moments = run.moments
    values = dict(zip(METRICS + GAME_METRICS, sums.first.tolist(), strict=True))
    games, hands, champions = run.games, run.hands, run.matches
    assert sums.units == 40
    assert values["games"] == len(games)
    assert values["legs"] == (games["column"] == 0).sum()
    assert values["matches"] == len(champions) == 80
    assert values["hands"] == len(hands) == champions["hands"].sum()
    assert values["margin"] == games["margin"].sum() == champions["margin"].sum()
    for player in range(3):
        assert values[f"game_won_{player}"] == (games["winner"] == player).sum()
        assert values[f"match_won_{player}"] == (champions["winner"] == player).sum()
        assert values[f"game_points_{player}"] == games[f"points_{player}"].sum()
        if f"points_{player}" in champions:
            assert champions[f"points_{player}"].sum() == games[f"points_{player}"].sum()
            assert champions[f"games_won_{player}"].sum() == (games["winner"] == player).sum()
    assert values["margin_2"] == games["margin_2"].sum()
    gains = hands["points_0"].sum() - hands["points_1"].sum()
    if name == "cutthroat":
        plays = hands[hands["sits_out"] != 0]
        gains = (plays["points_0"] - plays["points_1"] - plays["points_2"]).sum()
    assert values["net"] == gains
    points, starters, knockers = rows_of(hands), hands["starter"].to_numpy(), hands["knocker"].fillna(-1).to_numpy(int)
    at = np.arange(len(hands))
    assert values["starter_net"] == (2 * points[at, starters] - points.sum(axis=1)).sum()
    ended = knockers >= 0
    gained = (2 * points[at, knockers] - points.sum(axis=1))[ended]
    cells = run.cells.reshape(-1, run.cells.shape[-1]).sum(axis=0)
    undercuts = int((hands["result"] == "undercut").sum())
    assert cells.tolist() == [ended.sum(), undercuts, gained.sum(), (gained**2).sum()]
    net = games.groupby("game")["margin"].sum().to_numpy()
    place = (METRICS + GAME_METRICS).index("margin")
    assert sums.second[place, place] == (net.astype(np.int64) ** 2).sum()


@pytest.mark.parametrize(
    ("name", "unit", "metrics"),
    [
        ("hollywood", "pair of sheets", {"margin_per_sheet", "sheet_won_0_share", "hands_per_game"}),
        ("partnership", "pair of games", {"game_won_1_share"}),
        ("cutthroat", "pair of games", {"game_won_2_share", "margin_2_per_game", "shutouts_per_game"}),
        ("gin-rami-competition", "pair of matches", {"match_won_0_share", "games_per_match", "margin_per_match"}),
    ],
)
def test_summaries_name_the_unit(name: str, unit: str, metrics: set[str]) -> None:
    run = play(gincore.rules(name), 50)
    table = run.summary()
    assert set(table["unit"]) == {unit}
    assert (table["n"] == 50).all()
    assert metrics <= set(table["metric"])
    assert ("undercut_share_of_knocks_0" in set(table["metric"])) == (name != "cutthroat")
    assert not {"match_won_2_share", "game_won_2_share"} & set(table["metric"]) - metrics
    row = table.set_index("metric")["estimate"]
    assert row["hands_per_game"] == pytest.approx(len(run.hands) / (run.games["column"] == 0).sum())
    assert unit.removeprefix("pair of ") in repr(run)


@pytest.mark.parametrize("name", gincore.preset_names())
def test_every_estimate_lies_in_its_interval_and_shares_are_shares(name: str) -> None:
    table = play(gincore.rules(name), 12).summary().set_index("metric").dropna()
    assert len(table) > 40
    assert (table["low"] <= table["estimate"]).all()
    assert (table["estimate"] <= table["high"]).all()
    shares = table[table.index.str.contains("_share")]
    assert shares["estimate"].between(0, 1).all()
    assert shares["low"].between(0, 1).all()
    assert shares["high"].between(0, 1).all()


def test_matches_of_ordinary_games_are_the_games() -> None:
    run = play(gincore.rules("classic"), 20)
    assert run.matches["winner"].tolist() == run.games["winner"].tolist() == run.games["match_winner"].tolist()
    assert run.matches["hands"].tolist() == run.games["hands"].tolist()


def test_hands_of_a_match_know_their_game() -> None:
    run = play(gincore.rules("hollywood", match="best-of-3"), 10)
    counted = run.hands.groupby(["game", "mirror", "leg"]).size()
    last = run.games[run.games["column"] == 2].set_index(["game", "mirror", "leg"])["hands"]
    assert counted.tolist() == last.tolist()
    assert {"sits_out", "round", "table"}.isdisjoint(run.hands.columns)


def test_single_hands_are_the_same_under_every_form() -> None:
    plain = gincore.simulate("classic", TWO, deals=200, seed=3, progress=False)
    for form in ("hollywood", "partnership", "cutthroat"):
        run = gincore.simulate(form, TWO, deals=200, seed=3, progress=False)
        assert run.result.rows().tobytes() == plain.result.rows().tobytes()
        assert f"single hands, without form = {form}" in repr(run)
    with pytest.raises(UsageError, match="exactly two"):
        gincore.simulate("cutthroat", THREE, deals=10, seed=3, progress=False)


def test_rows_of_every_form_stay_small_on_the_disk(tmp_path: Path) -> None:
    for name in FORMS:
        run = play(gincore.rules(name), 1_500, out=tmp_path / name)
        size = sum(path.stat().st_size for path in (tmp_path / name).glob("*.parquet"))
        assert size / len(run.hands) < 12


SCRIPT = """
import sys
import gincore
for name in sys.argv[1:]:
    rules = gincore.rules(name)
    given = ("simple", "gin-only", "simple") if rules.form == "cutthroat" else ("simple", "gin-only")
    run = gincore.simulate_games(rules, given, games=1, seed=9, mirror=False, progress=False, workers=1)
    print(run.result.rows().tobytes().hex(), run.result.games().tobytes().hex())
"""


@pytest.mark.parametrize(
    ("words", "players", "unit"),
    [
        (["hollywood"], 2, "sheets"),
        (["partnership"], 2, "games"),
        (["partnership", "--strategy", "simple", "--strategy", "gin-only", "--strategy", "random"], 4, "games"),
        (["cutthroat", "--strategy", "gin-only"], 3, "games"),
        (["gin-rami-competition"], 2, "matches"),
    ],
)
def test_the_command_plays_every_form(words: list[str], players: int, unit: str, capsys: Any, tmp_path: Path) -> None:
    from gincore.cli import main

    assert main(("games", "--games", "20", "--out", str(tmp_path / "run"), "--rules", *words)) == 0
    text = capsys.readouterr().out
    assert f"{unit}: 20 {unit} x 2 (mirrored)" in text
    assert len(gincore.open_run(tmp_path / "run").manifest["strategies"]) == players
    assert main(("games", "--games", "20", "--rules", words[0], *["--strategy", "simple"] * 5)) == 2
    assert "given 5 times" in capsys.readouterr().err


@pytest.mark.slow
def test_pure_python_plays_the_same_games() -> None:
    names = ["hollywood", "partnership", "cutthroat"]
    outputs = []
    for pure in ("0", "1"):
        environment = os.environ | {"NUMBA_DISABLE_JIT": pure}
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, *names], env=environment, capture_output=True, text=True, check=True
        )
        outputs.append(done.stdout)
    assert outputs[0] == outputs[1]
