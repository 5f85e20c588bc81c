"""Literal hands and scripted moves, played by the engine's own course of the hand.

Cards are written as in ``brute.py``. A script is a text of moves, one for each question that the engine puts::

    0 leaves; 1 leaves; 0 throws 5s; 1 takes; 1 plays on; 1 throws Kd; 0 leaves; 0 knocks 4c

``0`` and ``1`` are seats; ``knocks`` without a card answers 1 (the engine chooses the card, or big gin); ``idle 27``
lets both leave the pile, throw what they draw and play on until 27 turns are complete, ``idle`` until the hand ends. A
question that the script does not expect fails the test, and so does a move for which no question comes.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import brute
import numpy as np

import gincore
from gincore.core.bits import count, pick
from gincore.schema import NO_VALUE, Phase, Result, Status
from gincore.strategies.contract import Cards, Played, Table, differing_fields, swap_hidden

HELD = "Ac 2c 3c 4d 5d 6d 7h 8h 9h 5s"  # three runs and a five
OTHER = "2h 4h 6h Th Kh 3s 7s 9s Jd Qd"  # no meld: 71 points
POOR = "Ad 3d 5h 7d 9c Jc Kc 2s 4s 6s"  # no meld either: 57 points

VERBS = {"leaves": "draw", "takes": "draw", "throws": "discard", "plays": "knock", "knocks": "knock"}
SHOWDOWNS = {Result.knock, Result.gin, Result.big_gin, Result.undercut}


def classic(**options: Any) -> gincore.Rules:
    """Return the classic rules with other options."""
    return gincore.rules("classic", **options)


def column(played: Played, *columns: str) -> tuple[Any, ...]:
    """Values of some columns of the row."""
    return tuple(int(played.row[name]) for name in columns)


def views_of(played: Played, seat: int) -> list[Any]:
    """Views of the questions to one seat."""
    return [question.view for question in played.questions if question.seat == seat]


def card(name: str) -> int:
    """Number of a card."""
    return brute.to_mask([name]).bit_length() - 1


def names(mask: Any) -> set[str]:
    """Cards of a mask."""
    return set(brute.from_mask(int(mask)))


def mask(text: str) -> int:
    """Mask of a hand."""
    return brute.to_mask(brute.cards(text))


def layout(first: str, second: str, upcard: str, stock: str = "", late: dict[int, str] | None = None) -> Cards:
    """Cards of a hand: both hands, the upcard, the next cards of the stock, and later ones by their place from 0.

    What is left of the deck fills the stock, the highest cards first.
    """
    places = dict(enumerate(stock.split())) | (late or {})
    used = [*first.split(), *second.split(), upcard, *places.values()]
    assert len(set(used)) == len(used), f"a card lies in two places: {used}"
    rest = sorted(set(brute.DECK) - set(used), key=lambda name: (brute.RANKS.index(name[0]), name[1]))
    order = [places[place] if place in places else rest.pop() for place in range(31)]
    return Cards(mask(first), mask(second), card(upcard), tuple(card(name) for name in order))


def moves(script: str) -> Iterator[tuple[int, str, str]]:
    """Seat, verb and object of each move; an ``idle`` has seat -1."""
    for text in script.split(";"):
        words = text.split()
        if words[0] == "idle":
            yield -1, "idle", words[1] if len(words) > 1 else "1000"
        else:
            assert words[1] in VERBS, f"no such move: {text}"
            yield int(words[0]), words[1], words[2] if len(words) > 2 else ""


class Script:
    """Answers questions as the script says."""

    def __init__(self, text: str) -> None:
        self.moves = list(moves(text))

    def __call__(self, seat: int, kind: str, view: Any) -> int:
        """Answer one question."""
        if self.moves and self.moves[0][1] == "idle":
            if view.turn < int(self.moves[0][2]):
                return int(view.drew) if kind == "discard" else 0
            self.moves.pop(0)
        assert self.moves, f"seat {seat} is asked to {kind} on turn {view.turn}, and the script is at its end"
        mover, verb, what = self.moves.pop(0)
        asked = f"seat {seat} is asked to {kind} on turn {view.turn}"
        assert (mover, VERBS[verb]) == (seat, kind), f"{asked}; the script says: {mover} {verb} {what}"
        if verb == "throws":
            return card(what)
        if verb == "knocks":
            return 2 + card(what) if what else 1
        return int(verb == "takes")


def play(rules: Any, cards: Cards, script: str, *, first: int = 0, status: Status = Status.ok) -> Played:
    """Play the script to the end of the hand."""
    answers = Script(script)
    played = Table(rules).play(cards, answers, first=first)
    assert played.status == status, f"{played.status.name}: {played.fault}"
    left = [move for move in answers.moves if move[1] != "idle"]
    assert not left, f"the hand ended before {left}"
    if status == Status.ok:
        check_row(played.row, gincore.rules(rules))
    return played


def check_row(row: Any, rules: gincore.Rules) -> None:
    """Hold a row to what is true of every row (case W09)."""
    result = Result(int(row.result))
    points = [int(row.points_0), int(row.points_1)]
    assert min(points) == 0
    assert row.turns <= rules.max_turns + 1
    assert sum(int(row[name]) for name in ("pickups_0", "pickups_1")) + 31 - int(row.stock_left) == row.turns
    if result not in SHOWDOWNS:
        assert {int(row[name]) for name in ("winner", "knocker", "knocker_deadwood")} == {NO_VALUE}
        assert {int(row[name]) for name in ("defender_deadwood_before", "defender_deadwood")} == {NO_VALUE}
        assert (row.layoff_cards, row.doubled, points) == (NO_VALUE, 0, [0, 0])
        return
    assert row.knocker in {0, 1}
    assert 0 <= row.knocker_deadwood <= row.knock_limit
    assert 0 <= row.defender_deadwood <= row.defender_deadwood_before
    if result in {Result.gin, Result.big_gin}:
        assert (row.winner, row.knocker_deadwood, row.layoff_cards) == (row.knocker, 0, 0)
        assert row.defender_deadwood == row.defender_deadwood_before
    tied = row.knocker_deadwood == row.defender_deadwood
    if result == Result.undercut:
        assert row.winner == 1 - row.knocker
        assert row.defender_deadwood <= row.knocker_deadwood
    elif result == Result.knock:
        assert row.winner == (NO_VALUE if tied and rules.tie == "nothing" else row.knocker)
    if row.winner != NO_VALUE:
        assert points[1 - row.winner] == 0
        assert points[row.winner] > 0 or tied


def at_random(_seat: int, kind: str, view: Any) -> int:
    """A legal answer that is a function of the view; knocks rarely, so that hands are long."""
    word = int(view.random)
    if kind == "draw":
        return word & 1
    if kind == "knock":
        return int(word & 15 == 0)
    return int(pick(view.legal, view.random))


def leak(rule_sets: list[Any], deals: int, seed: int) -> str:
    """Name the first field of a view that changes when hidden cards do; an empty text if none does."""
    random = Random(seed)
    questions = moved = 0
    for deal in range(deals):
        table, seat = Table(rule_sets[deal % len(rule_sets)]), random.randrange(2)
        before, after = swap_hidden(table, Table.dealt(seed, deal), at_random, seat, random)
        if len(before) != len(after):
            return f"deal {deal}: {len(before)} questions before, {len(after)} after"
        for one, two in zip(before, after, strict=True):
            fields = differing_fields(one.view, two.view)
            if fields:
                return f"deal {deal}, turn {one.view.turn}, {Phase(one.view.phase).name}: {', '.join(fields)}"
        questions += len(before)
        moved += bool(before)
    assert moved > 0.9 * deals
    assert questions > 5 * deals, "hands are too short to show anything"
    return ""


def held(view: Any) -> int:
    """Number of cards in the hand of a view."""
    return int(count(np.uint64(view.hand)))
