"""Knock or wait at single positions against a replay in plain Python: the deal played once knocking, once passing.

The replay (``plain_hand.py``) shares nothing with the engine but the dealt cards. Comparisons are exact; where several
best spreads or discards are equally good the engine's number must be one of theirs, and most moments have one only.
"""

from __future__ import annotations

from typing import Any

import brute
import literal
import plain_hand
import pytest

import gincore

SETS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "classic": ({}, {}),
    "classic, 8 points, bonus 10, no points for a tie": (
        {"knock_limit": 8, "undercut_bonus": 10, "tie": "nothing", "gin_bonus": 20, "dead_stock": 8},
        {"knock_limit": 8, "undercut_bonus": 10, "tie": "nothing", "gin_bonus": 20},
    ),
    "round the corner, aces 15": ({"ace": "round", "ace_points": 15}, {"ace": "round", "ace_points": 15}),
    "oklahoma": ({}, {}),
    "eaai": ({}, {}),
}
DEALS, SEED = 12, 31
LIMIT, FROM_TURN = 6, 10
"""The watched player lets knocks pass until so many turns are complete, then knocks with at most so many points."""


def replayed(rules: Any, house: dict[str, Any], deal: int, mirror: int) -> list[dict[str, Any]]:
    """Moments of player 0 with what knocking now, waiting and never knocking score, each from a hand of its own."""
    watched = (deal + mirror) % 2  # the starter sits in seat 0
    dealt = literal.deal(rules, deal, SEED)
    options = {"dead_stock": rules.dead_stock, "melds_first": rules.layoff == "melds_first"}
    terms = brute.House(**{"gin_bonus": rules.gin_bonus, "undercut_bonus": rules.undercut_bonus} | house)

    def play(mine: plain_hand.Knock, moments: list[dict[str, Any]]) -> set[int]:
        other = plain_hand.knocks(10)
        answers = (mine, other) if watched == 0 else (other, mine)
        return plain_hand.Hand(dealt, terms, **options).play(answers, watched, moments.append)

    moments: list[dict[str, Any]] = []
    end = play(lambda *_: False, moments)
    own = plain_hand.knocks(LIMIT, FROM_TURN)
    for moment in moments:
        turn = moment["turn"]
        now = play(lambda _, asked, turn=turn: asked == turn, [])
        assert now == moment["own"], "the knock that is made scores as the one that is looked at"
        moment["end"] = end
        moment["wait"] = play(lambda points, asked, turn=turn: asked > turn and own(points, asked), [])
        moment["answer"] = int(own(moment["deadwood"], turn))
    return moments


@pytest.mark.parametrize("name", SETS)
def test_moments_are_those_of_a_replay(name: str) -> None:
    options, house = SETS[name]
    rules = gincore.rules(name if name in gincore.preset_names() else "classic", **options)
    pair = (plain_hand.player(LIMIT, FROM_TURN), plain_hand.player(10))
    found = gincore.knock_or_wait(rules, pair, deals=DEALS, seed=SEED, progress=False).moments
    checked = exact = 0
    for deal in range(DEALS):
        for mirror in (0, 1):
            rows = found[(found["deal"] == deal) & (found["mirror"] == mirror)].to_dict("records")
            expected = replayed(rules, house, deal, mirror)
            assert [row["turn"] for row in rows] == [moment["turn"] for moment in expected]
            for row, moment in zip(rows, expected, strict=True):
                for column in ("deadwood", "opp_pickups", "pickups", "stock", "answer"):
                    assert row[column] == moment[column], column
                points = moment["own"] if moment["answer"] else moment["points"]
                assert row["points"] in points
                assert row["wait"] in moment["wait"]
                assert row["end"] in moment["end"]
                checked += 1
                exact += len(points) == len(moment["wait"]) == 1
    assert checked >= 20
    assert exact >= 0.7 * checked, "most moments have one outcome only"
