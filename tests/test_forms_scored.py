"""Random games of every form, scored again: each game row is made from the hand rows alone by ``forms_scorer.py``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from forms_scorer import Played, score_match

import gincore
from gincore.schema import NO_VALUE, Result

TWO = ("gin-only", "simple")
THREE = ("gin-only", "simple", "threshold,limit=5")
RESULTS = [result.name for result in Result]


def play(rules: gincore.Rules, games: int, seed: int) -> gincore.GameRun:
    strategies = THREE if rules.form == "cutthroat" else TWO
    return gincore.simulate_games(rules, strategies, games=games, seed=seed, progress=False)


def lists(rows: Any, *names: str) -> list[tuple[Any, ...]]:
    """Columns of rows as tuples of plain numbers."""
    return list(zip(*(rows[name].tolist() for name in names), strict=True))


def played(rows: Any, players: int) -> list[Played]:
    points = lists(rows, *(f"points_{player}" for player in range(players)))
    return [
        Played(RESULTS[result], None if winner == NO_VALUE else winner, scored)
        for (result, winner), scored in zip(lists(rows, "result", "winner"), points, strict=True)
    ]


def matches(rows: Any, games: Any) -> Iterator[tuple[slice, slice]]:
    """Places of the hands and of the game rows of each match."""

    def cut(table: Any, unit: Any) -> Any:
        return [0, *(np.flatnonzero(np.diff(unit) | np.diff(table["mirror"])) + 1).tolist(), len(table)]

    hand_places, game_places = cut(rows, rows["deal"] >> 20), cut(games, games["game"])
    assert len(hand_places) == len(game_places)
    for place in range(len(hand_places) - 1):
        yield slice(*hand_places[place : place + 2]), slice(*game_places[place : place + 2])


def check(rules: gincore.Rules, count: int, seed: int) -> Any:
    """Play so many pairs of matches and score each of them again; returns the game rows."""
    run = play(rules, count, seed)
    rows, games = run.result.rows(), run.result.games()
    three = rules.form == "cutthroat"
    hands, seats = played(rows, 3 if three else 2), lists(rows, "sits_out", "starter")
    books = games.tolist()
    names = {name: place for place, name in enumerate(games.dtype.names)}
    found = 0
    for own, legs in matches(rows, games):
        check_match(hands[own], seats[own], books[legs], names, rules)
        found += 1
    assert found == 2 * count
    return games


def check_match(
    hands: list[Played],
    seats: list[tuple[int, int]],
    books: list[tuple[int, ...]],
    names: dict[str, int],
    rules: gincore.Rules,
) -> None:
    mirror, column, length, starter = (names[name] for name in ("mirror", "column", "hands", "starter"))
    firsts = [book for book in books if book[column] == 0]
    lots: Iterator[tuple[Any, ...]] = iter([(book[starter],) for book in firsts])
    if rules.form == "cutthroat":  # the first dealer of each game is the one whom its first hand leaves out
        places = np.cumsum([0, *(book[length] for book in firsts)])[:-1]
        lots = iter([(seats[place][0], books[0][mirror] == 0) for place in places.tolist()])
    legs = score_match(hands, rules, lots)
    expected = [(leg, column, row) for leg, each in enumerate(legs) for column, row in enumerate(each.rows)]
    assert len(expected) == len(books)
    for (leg, number, values), book in zip(expected, books, strict=True):
        values = {"leg": leg, "column": number, "match_winner": None} | values
        for name, value in values.items():
            assert book[names[name]] == (NO_VALUE if value is None else value), (book, name, value)
    assert [(NO_VALUE if out is None else out, first) for leg in legs for out, first in leg.seats] == seats


TEN_THOUSAND: dict[str, tuple[str, dict[str, Any]]] = {
    "games, net": ("classic", {}),
    "games, sum": ("rummy-100", {}),
    "games, pro": ("gin-rummy-pro", {}),
    "Hollywood sheets": ("hollywood", {}),
    "partnership": ("partnership", {}),
    "cutthroat": ("cutthroat", {}),
    "best of three": ("classic", {"match": "best-of-3"}),
    "best of five": ("gin-rami-competition", {}),
    "best of three, sums": ("rummy-100", {"match": "best-of-3"}),
    "to 250": ("classic", {"match": "points-250"}),
}
"""Every form of game, with boxes and shutouts, under every settlement, and every kind of match."""


@pytest.mark.parametrize("name", TEN_THOUSAND)
def test_ten_thousand_follow_from_their_hands(name: str) -> None:
    """Games, sheets or matches, whatever the form is made of; each player wins some, with and without a shutout."""
    base, options = TEN_THOUSAND[name]
    rules = gincore.rules(base, **options)
    games = check(rules, 5_000, seed=5)
    champions = games["match_winner"][games["match_winner"] != NO_VALUE]
    assert len(champions) > 9_900
    players = 3 if rules.form == "cutthroat" else 2
    for player in range(players):
        assert (champions == player).sum() > 100
    assert rules.box_bonus > 0
    assert 0 < (games["shutout"] > 0).mean() < 1


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
    "three, pro": ("cutthroat", {"settlement": "pro"}),
    "best of five": ("classic", {"match": "best-of-5", "next_dealer": "alternate"}),
    "to 500": ("classic", {"match": "points-500"}),
    "best of nines, totals": ("grand-gin", {"match": "best-of-9", "target": 100}),
    "totals to 2000": ("grand-gin", {"match": "points-2000"}),
    "best of three, pro": ("gin-rummy-pro", {"match": "best-of-3"}),
}


@pytest.mark.parametrize("name", VARIANTS)
def test_variants_follow_from_their_hands(name: str) -> None:
    base, options = VARIANTS[name]
    check(gincore.rules(base, **options), 150, seed=6)


def test_who_sits_out_has_no_part_in_the_hand() -> None:
    rows = play(gincore.rules("cutthroat"), 500, seed=7).result.rows()
    for name in ("starter", "winner", "knocker", "upcard_taken_by"):
        assert (rows[name] != rows["sits_out"]).all()
