"""Hollywood, partnership, cutthroat and matches: literal sheets, random games scored again, and runs that are cut anew.

Every game row of played runs is made again from the hand rows alone by ``forms_scorer.py``.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from forms_scorer import Played, score_match

import gincore
from gincore.core import game, match
from gincore.errors import RunError, UsageError
from gincore.runs.tally import Moments
from gincore.schema import GAME_DTYPE, GAME_METRICS, HAND_DTYPE, METRICS, Result

FORMS = ("hollywood", "partnership", "cutthroat", "gin-rami-competition")
TWO = ("gin-only", "simple")
THREE = ("gin-only", "simple", "threshold,limit=5")


def strategies_of(rules: gincore.Rules) -> tuple[str, ...]:
    return THREE if rules.form == "cutthroat" else TWO


def play(rules: gincore.Rules, games: int, seed: int = 5, **options: Any) -> gincore.GameRun:
    chosen = options.pop("strategies", strategies_of(rules))
    return gincore.simulate_games(rules, chosen, games=games, seed=seed, progress=False, **options)


# ---------------------------------------------------------------- the plain scorer, on hand rows alone


def matches(run: gincore.GameRun) -> Iterator[tuple[list[Any], list[Any]]]:
    """Hand rows and game rows of each match."""
    hands = groupby(run.hands.itertuples(index=False), key=lambda row: (row.game, row.mirror))
    games = groupby(run.games.itertuples(index=False), key=lambda row: (row.game, row.mirror))
    for (number, own), (same, books) in zip(hands, games, strict=True):
        assert number == same
        yield list(own), list(books)


def played(row: Any, players: int) -> Played:
    points = tuple(int(getattr(row, f"points_{player}")) for player in range(players))
    return Played(row.result, None if pd.isna(row.winner) else int(row.winner), points)


def check_match(rows: list[Any], books: list[Any], rules: gincore.Rules) -> None:
    three = rules.form == "cutthroat"
    firsts = [book for book in books if book.column == 0]
    mirror = rows[0].mirror
    if three:  # the first dealer of each game is the one whom its first hand leaves out
        places = np.cumsum([0, *(book.hands for book in firsts)])[:-1]
        lots: Iterator[tuple[Any, ...]] = iter([(rows[place].sits_out, mirror == 0) for place in places])
    else:
        lots = iter([(book.starter,) for book in firsts])
    legs = score_match([played(row, 3 if three else 2) for row in rows], rules, lots)
    expected = [(leg, column, row) for leg, each in enumerate(legs) for column, row in enumerate(each.rows)]
    assert len(expected) == len(books)
    for (leg, column, values), book in zip(expected, books, strict=True):
        assert (book.leg, book.column) == (leg, column)
        values = {"match_winner": None} | values
        for name, value in values.items():
            found = getattr(book, name)
            assert (None if pd.isna(found) else found) == value, (rows[0].game, mirror, leg, column, name)
    seats = [seat for leg in legs for seat in leg.seats]
    if three:
        assert [(row.sits_out, row.starter) for row in rows] == seats
        for row in rows:
            assert row.sits_out not in [
                each for each in (row.winner, row.knocker, row.upcard_taken_by) if pd.notna(each)
            ]
    else:
        assert [row.starter for row in rows] == [starter for _, starter in seats]


@pytest.mark.parametrize("name", FORMS)
def test_ten_thousand_games_follow_from_their_hands(name: str) -> None:
    rules = gincore.rules(name)
    count = 5_000 if rules.match == "one-game" else 1_250
    run = play(rules, count)
    for rows, books in matches(run):
        check_match(rows, books, rules)
    games = int((run.games["column"] == 0).sum())
    assert games >= 2 * count if rules.match == "one-game" else games > 7_500


VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    "all boxes": ("hollywood", {"hollywood_boxes": "all"}),
    "all boxes toward the target": ("hollywood", {"hollywood_boxes": "all", "box_toward_target": True}),
    "sheets, winner deals": ("hollywood", {"next_dealer": "winner", "shutout": "double_total", "target": 60}),
    "best of sheets": ("hollywood", {"match": "best-of-3", "settlement": "sum", "end_gin_bonus": 50, "big_gin": True}),
    "sheets to a total": ("hollywood", {"match": "points-1500", "tie": "nothing"}),
    "pro sheets": ("hollywood", {"settlement": "pro"}),
    "opponents for a game": ("partnership", {"partnership_swap": "game", "partnership_bonus": 40}),
    "sides to 500": ("partnership", {"match": "points-500", "next_dealer": "alternate"}),
    "best of sides": ("partnership", {"match": "best-of-5", "end_gin_bonus": 50, "settlement": "sum", "box_bonus": 0}),
    "three, winner deals": ("cutthroat", {"next_dealer": "winner", "shutout": "flat_100"}),
    "three in turn": ("cutthroat", {"next_dealer": "alternate", "shutout": "double_total", "tie": "nothing"}),
    "three keep their totals": ("cutthroat", {"settlement": "sum", "end_gin_bonus": 50, "match": "best-of-3"}),
    "three to 1000": ("cutthroat", {"match": "points-1000", "target": 50}),
    "best of five": ("classic", {"match": "best-of-5", "next_dealer": "alternate"}),
    "to 500": ("classic", {"match": "points-500"}),
    "best of nines, totals": ("grand-gin", {"match": "best-of-9", "target": 100}),
    "totals to 2000": ("grand-gin", {"match": "points-2000"}),
    "best of three, pro": ("gin-rummy-pro", {"match": "best-of-3"}),
}


@pytest.mark.parametrize("name", VARIANTS)
def test_variants_follow_from_their_hands(name: str) -> None:
    base, options = VARIANTS[name]
    rules = gincore.rules(base, **options)
    for rows, books in matches(play(rules, 150, seed=6)):
        check_match(rows, books, rules)


# ---------------------------------------------------------------- literal sheets


def sheet(hands: Sequence[tuple[int, int]], rules: gincore.Rules) -> tuple[Any, bool]:
    """Enter (winner, points) on a Hollywood sheet, by the engine's own functions; says whether it is full."""
    record, books = rules.to_record(), np.zeros(3, GAME_DTYPE)
    course = np.zeros(1, game.COURSE_DTYPE)[0]
    match.start(course, np.int64(0), np.int64(1), np.int64(0), record)
    with np.errstate(over="ignore"):
        match.begin_game(course, books[0], books[1], books[2], np.uint64(1), record)
    over = False
    for winner, points in hands:
        assert not over, "the sheet is full"
        row = np.zeros(1, HAND_DTYPE)[0]
        row.result, row.winner, row.sits_out = Result.knock, winner, -1
        row.points_0, row.points_1 = (points, 0) if winner == 0 else (0, points if winner == 1 else 0)
        match.after_hand(course, books[0], books[1], books[2], row, record)
        over = course.done == 1
    return books, over


def columns(books: Any, name: str = "points") -> tuple[list[int], list[int]]:
    return books[f"{name}_0"].tolist(), books[f"{name}_1"].tolist()


def test_g07_a_column_closes_by_the_third_win() -> None:
    rules = gincore.rules("hollywood")
    books, over = sheet([(0, 32), (0, 28), (0, 45)], rules)
    assert columns(books)[0] == [105, 73, 45]
    assert books["winner"].tolist() == [0, -1, -1]
    assert not over
    books, _ = sheet([(0, 32), (0, 28), (0, 45), (0, 10)], rules)
    assert columns(books)[0] == [105, 83, 55], "later wins enter only columns 2 and 3"
    assert columns(books, "hands_won")[0] == [3, 3, 2]
    assert books["hands"].tolist() == [3, 4, 4]
    assert books["total_0"].tolist() == [105 + 200 + 3 * 20, 0, 0]


def test_g08_seven_hands_worked_through() -> None:
    hands = [(0, 18), (1, 12), (0, 25), (1, 30), (0, 15), (0, 22), (1, 20)]
    books, over = sheet(hands, gincore.rules("hollywood"))
    assert columns(books) == ([80, 62, 37], [62, 50, 20])
    assert not over


def test_a_player_shut_out_starts_in_the_next_open_column() -> None:
    rules = gincore.rules("hollywood")
    books, _ = sheet([(0, 60), (0, 60), (1, 7), (1, 8), (1, 9)], rules)
    assert columns(books) == ([120, 60, 0], [0, 24, 17])
    assert (books["shutout"][0], books["total_0"][0], books["margin"][0]) == (1, 120 + 200 + 40, 360)
    books, _ = sheet([(0, 60), (0, 60), (0, 60), (1, 7), (1, 8)], rules)  # two columns are closed
    assert columns(books) == ([120, 120, 60], [0, 0, 15])
    books, over = sheet([(0, 60), (1, 5), (0, 60), (0, 60), (1, 7), (0, 40)], rules)  # closed before the second win
    assert columns(books) == ([120, 120, 100], [5, 0, 7])
    assert over


def test_dead_hands_are_counted_and_enter_no_column() -> None:
    books, _ = sheet([(-1, 0), (1, 9), (-1, 0)], gincore.rules("hollywood"))
    assert columns(books) == ([0, 0, 0], [9, 0, 0])
    assert books["hands"].tolist() == [3, 3, 3]


def test_boxes_of_entered_hands_or_of_all() -> None:
    hands = [(0, 40), (1, 5), (0, 30), (0, 40), (0, 40), (0, 40)]
    entered, _ = sheet(hands, gincore.rules("hollywood"))
    every, over = sheet(hands, gincore.rules("hollywood", hollywood_boxes="all"))
    assert over
    assert columns(entered, "boxes") == ([60, 60, 60], [20, 0, 0])
    assert columns(every, "boxes") == ([60, 80, 100], [20, 20, 20])


def test_a_sheet_has_three_game_bonuses() -> None:
    books, over = sheet([(1, 1), (1, 1), (1, 1), (0, 50), (0, 50), (0, 50), (0, 50)], gincore.rules("hollywood"))
    assert over
    assert columns(books) == ([100, 100, 100], [3, 2, 1])
    assert columns(books, "total")[0] == [100 + 100 + 2 * 20 + 0, 100 + 100 + 2 * 20, 100 + 100 + 2 * 20]
    assert books["match_winner"].tolist() == [-1, -1, 0]


# ---------------------------------------------------------------- literal games of the other forms


def entered(rules: gincore.Rules, hands: Sequence[tuple[int, int, str]], dealer: int = 0) -> tuple[Any, bool, Any]:
    """Enter (winner, points, result) in a game of one row; player numbers are those of the engine's rows."""
    record, book = rules.to_record(), np.zeros(1, GAME_DTYPE)[0]
    course = np.zeros(1, game.COURSE_DTYPE)[0]
    match.start(course, np.int64(0), np.int64(1), np.int64(0), record)
    with np.errstate(over="ignore"):
        match.begin_game(course, book, book, book, np.uint64(1), record)
    if rules.form == "cutthroat":
        match.cutthroat.begin(course, np.int64(dealer))
    course.begins = 0
    for winner, points, result in hands:
        assert course.done == 0, "the game is over"
        row = np.zeros(1, HAND_DTYPE)[0]
        row.result, row.winner, row.knocker, row.upcard_taken_by = Result[result], winner, winner, -1
        row.points_0, row.points_1 = (points, 0) if winner == 0 else (0, points if winner == 1 else 0)
        match.after_hand(course, book, book, book, row, record)
    return book, course.done == 1, course


def test_partners_score_the_net_difference_and_one_box() -> None:
    rules = gincore.rules("partnership")
    book, over, _ = entered(rules, [(0, 12, "knock"), (1, 10, "knock")])
    assert (book.points_0, book.points_1, book.hands_won_0, book.boxes_0, book.boxes_1) == (2, 0, 1, 20, 0)
    assert (book.both_won_0, book.hands, over) == (0, 2, False)
    level, _, _ = entered(rules, [(0, 12, "knock"), (1, 12, "knock")])
    assert (level.points_0, level.points_1, level.boxes_0, level.boxes_1) == (0, 0, 0, 0)


def test_a_bonus_when_both_partners_win() -> None:
    rules = gincore.rules("partnership", partnership_bonus=25)
    book, over, _ = entered(
        rules, [(1, 40, "knock"), (1, 30, "knock"), (1, 5, "knock"), (-1, 0, "dead"), (1, 35, "gin")]
    )
    assert not over, "the round is not complete, and the bonus does not count toward the target"
    assert (book.points_1, book.both_won_1) == (75, 1)
    book, over, _ = entered(
        rules, [(1, 40, "knock"), (1, 30, "knock"), (1, 5, "gin"), (-1, 0, "dead"), (1, 35, "gin"), (0, 9, "gin")]
    )
    assert over
    assert (book.points_1, book.total_1, book.margin) == (101, 101 + 200 + 3 * 20 + 25, -(101 + 200 + 60 + 25))
    assert (book.gins_0, book.gins_1, book.winner, book.match_winner) == (1, 2, 1, 1)


def test_opponents_swap_every_hand_or_every_game() -> None:
    hands = [(0, 1, "knock"), (1, 1, "knock")] * 2
    seen = []
    for swap in ("hand", "game"):
        pairs = []
        for so_far in range(4):
            _, _, course = entered(gincore.rules("partnership", partnership_swap=swap), hands[:so_far])
            pairs.append(int(course.pair))
        seen.append(pairs)
    assert seen == [[0, 3, 1, 2], [0, 3, 0, 3]]


def test_three_players_settle_each_with_each() -> None:
    """The loser deals next, who dealt comes in; the engine's row numbers the two who play 0 and 1."""
    rules = gincore.rules("cutthroat")
    hands = [(0, 60, "knock"), (1, 30, "knock"), (0, 20, "knock"), (0, 50, "gin")]
    # dealer 0: 1 v 2, 1 wins 60, 2 deals: 0 v 1, 1 wins 30, 0 deals: 1 v 2, 1 wins 20 -> 110
    book, over, course = entered(rules, hands[:2])
    assert (book.points_0, book.points_1, book.points_2, over) == (0, 90, 0, False)
    assert course.dealer == 0
    book, over, _ = entered(rules, hands[:3])
    assert over
    assert (book.points_1, book.hands_won_1, book.boxes_1, book.shutout) == (110, 3, 60, 2)
    assert (book.total_0, book.total_1, book.total_2) == (0, 270, 0)
    assert (book.margin, book.margin_2, book.winner) == (-370, -370, 1)  # each pays the doubled game bonus


def test_the_winner_collects_twice_and_the_last_pays_twice() -> None:
    rules = gincore.rules("cutthroat", target=50)
    # dealer 2: 0 v 1, 1 wins 10, 0 deals: 1 v 2, 2 wins 20, 1 deals: 0 v 2, 0 wins 55
    book, over, _ = entered(rules, [(1, 10, "knock"), (1, 20, "knock"), (0, 55, "gin")], dealer=2)
    assert over
    totals = (55 + 20 + 100, 10 + 20, 20 + 20)
    assert (book.total_0, book.total_1, book.total_2) == totals
    assert book.margin == 2 * totals[0] - totals[1] - totals[2]
    assert book.margin_2 == 2 * totals[2] - totals[0] - totals[1]


def test_a_dead_hand_of_three_is_dealt_again_by_the_same_player() -> None:
    _, _, course = entered(gincore.rules("cutthroat"), [(-1, 0, "dead"), (-1, 0, "dead")], dealer=1)
    assert (course.dealer, course.pair) == (1, 1)


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
        ("cutthroat", "pair of games", {"game_won_2_share", "margin_2_per_game"}),
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
