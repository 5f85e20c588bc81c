"""A view tells what its player may know, and no more.

The property: play a hand to a random question, give the cards that the player cannot know other places (the opponent's
hand and the stock), repeat the same public events, and compare everything that the player was shown, field by field.
No field is left out. The checker itself is tested on engines that leak on purpose.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from script import at_random, card, leak, names

import gincore
from gincore.core import batch, hand, view
from gincore.schema import HAND_DTYPE, VIEW_DTYPE, Phase, Source, Status
from gincore.strategies import get
from gincore.strategies.base import KINDS
from gincore.strategies.contract import Played, Question, Table, differing_fields

RULE_SETS = [
    gincore.rules("classic"),
    gincore.rules("classic-big-gin", last_discard="knock_only", return_taken=True),
    gincore.rules("oklahoma", last_discard="knock_only"),
    gincore.rules("eaai", dead_stock=0, tie="nothing"),
]


def test_hidden_cards_do_not_show() -> None:
    """Under other ways to open and to go out too."""
    others = [gincore.rules("grand-gin"), gincore.rules("second-deck", upcard_offer="none_eleven")]
    assert leak([*RULE_SETS, *others], 420, seed=5) == ""


def test_the_strategy_snoop_reads_every_field() -> None:
    source = Path(__file__).with_name("snoop.py").read_text()
    assert [name for name in VIEW_DTYPE.names or () if f"view.{name}" not in source] == []


LEAKS = """
import numpy as np
from gincore.core import view
from gincore.core.bits import bit
import gincore
from script import leak

kept = {name: getattr(view, name) for name in ("start", "ask", "drew", "threw", "took")}
views = {}

def start(mine, seat, *rest):
    kept["start"](mine, seat, *rest)
    views[seat] = mine

def spied(mine, phase, turn, key):
    kept["ask"](mine, phase, turn, key)
    return views[1 - mine.seat]

def deadwood(mine, phase, turn, key):
    mine.target = spied(mine, phase, turn, key).deadwood

def word(mine, phase, turn, key):
    mine.random ^= spied(mine, phase, turn, key).hand & np.uint64(0xFF)

def stock(mine, other, drawn):
    kept["drew"](mine, other, drawn)
    other.opp_threw |= bit(drawn)

def spare(mine, other, drawn):
    kept["drew"](mine, other, drawn)
    other.after[52] = drawn

def loose(mine, other, thrown):
    kept["threw"](mine, other, thrown)
    other.lanes[63] = mine.deadwood

rules = [gincore.rules("classic")]
view.start = start
assert leak(rules, 12, 1) == "", "the honest engine"
for name, leaky in (("ask", deadwood), ("ask", word), ("drew", stock), ("drew", spare), ("threw", loose)):
    setattr(view, name, leaky)
    print(leak(rules, 12, 1))
    setattr(view, name, kept[name])
"""


def test_the_checker_finds_engines_that_leak() -> None:
    """Pure Python, where a function of the view can be replaced by one that tells a hidden card."""
    here = Path(__file__).parent
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join([str(here.parent), str(here)])}
    done = subprocess.run(
        [sys.executable, "-c", LEAKS], env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    found = [line.rpartition(": ")[2] for line in done.stdout.splitlines()]
    assert found == ["target", "random", "opp_threw", "after", "lanes"]


def test_a_view_starts_clean() -> None:
    """Nothing of the hand before is left: its cards came from the other seat's future as well as from the past."""
    record = gincore.rules("classic").to_record()
    shown = []
    for filler in (0, 0x55):
        state, views = np.zeros(1, hand.STATE_DTYPE)[0], np.zeros(2, VIEW_DTYPE)
        views.view(np.uint8)[:] = filler
        with np.errstate(over="ignore"):
            for seat in (0, 1):
                view.score(views[seat], np.int64(0), np.int64(0), np.int64(0))
            hand.deal(state, views[0], views[1], record, np.uint64(3), np.uint64(4), False)
            for seat in (0, 1):
                view.ask(views[seat], np.int64(Phase.upcard), state.turn, state.seat_key[seat])
        shown.append(views)
    assert [differing_fields(shown[0][seat], shown[1][seat]) for seat in (0, 1)] == [[], []]


class Witness:
    """Keeps, from what everybody can see, the book that a view of one seat should show."""

    def __init__(self, seat: int, upcard: int) -> None:
        self.seat = seat
        self.pile = [upcard]
        self.stock, self.turn = 31, 0
        self.took: tuple[set[int], set[int]] = (set(), set())
        self.threw: tuple[set[int], set[int]] = (set(), set())
        self.declined: tuple[set[int], set[int]] = (set(), set())
        self.pickups = [0, 0]
        self.drawn: tuple[int, Source] = (-1, Source.nothing)
        self.mover = 0

    def expect(self, question: Question) -> dict[str, Any]:
        """Return the public fields as they should be when the question is put."""
        other = 1 - self.seat
        drawn = self.drawn if question.kind != "draw" else (-1, Source.nothing)
        return {
            "pile": sum(1 << card for card in self.pile),
            "top": self.pile[-1] if self.pile and drawn[1] != Source.pile else -1,
            "stock": self.stock,
            "turn": self.turn,
            "opp_took": sum(1 << card for card in self.took[other]),
            "opp_threw": sum(1 << card for card in self.threw[other]),
            "opp_declined": sum(1 << card for card in self.declined[other]),
            "took": sum(1 << card for card in self.took[self.seat]),
            "threw": sum(1 << card for card in self.threw[self.seat]),
            "declined": sum(1 << card for card in self.declined[self.seat]),
            "pickups": self.pickups[self.seat],
            "opp_pickups": self.pickups[other],
            "drew_from": drawn[1],
        } | ({"drew": drawn[0]} if drawn[1] != Source.stock else {})

    def note(self, question: Question) -> None:
        """Enter an answer."""
        seat, phase = question.seat, Phase(int(question.view.phase))
        if question.kind == "draw" and question.answer == 1:
            self.drawn = (self.pile.pop(), Source.pile)
            self.took[seat].add(self.drawn[0])
            self.pickups[seat] += 1
        elif question.kind == "draw":
            self.declined[seat].add(self.pile[-1])
            if phase == Phase.draw or seat == 1:  # after two refusals of the upcard the stock gives to seat 0
                self.stock -= 1
                self.drawn = (-1, Source.stock)
        elif question.kind == "discard":
            self.pile.append(question.answer)
            self.threw[seat].add(question.answer)
            self.turn += 1


def check_book(played: Played, upcard: int) -> int:
    checked = 0
    for seat in (0, 1):
        book = Witness(seat, upcard)
        for question in played.questions:
            if Phase(int(question.view.phase)) == Phase.last:
                break
            if question.seat == seat:
                expected = book.expect(question)
                assert {name: int(question.view[name]) for name in expected} == expected, question.view
                checked += 1
            book.note(question)
    return checked


@pytest.mark.parametrize("rules", RULE_SETS, ids=lambda rules: rules.name)
def test_a_view_tells_every_public_event(rules: gincore.Rules) -> None:
    """Against a book kept in plain Python from the questions and answers alone."""
    checked = 0
    for deal in range(40):
        cards = Table.dealt(8, deal)
        checked += check_book(Table(rules).play(cards, at_random), cards.upcard)
    assert checked > 1000


def test_a_view_tells_the_terms_of_the_hand() -> None:
    rules = gincore.rules("oklahoma", gin_bonus=20, undercut_bonus=15)
    cards = Table.dealt(8, 0)._replace(upcard=card("7s"))
    used = {*names(cards.first), *names(cards.second), "7s"}
    cards = cards._replace(stock=tuple(each for each in range(52) if not used & names(1 << each)))
    if len(cards.stock) > 31:  # the seven of spades was in neither hand: the deck is one card too long
        cards = cards._replace(stock=cards.stock[:31])
    played = Table(rules, score=(40, 70, 100)).play(cards, at_random)
    for question in played.questions:
        shown = question.view
        assert (shown.seat, shown.target) == (question.seat, 100)
        assert (shown.my_score, shown.opp_score) == ((40, 70) if question.seat == 0 else (70, 40))
        assert (shown.knock_limit, shown.multiplier) == (7, 2)
        assert (shown.gin_bonus, shown.undercut_bonus, shown.ace, shown.ace_points) == (20, 15, 0, 1)


def test_the_table_plays_as_the_compiled_engine_does() -> None:
    """The hands that these tests look into are those of a run, and a decision that reads every field sees the same."""
    players = (get(f"{Path(__file__).with_name('snoop.py')}:snoop"), get("simple"))
    decisions = [(player.functions(), player.values()) for player in players]
    for rules in RULE_SETS:
        rows, fault = np.zeros(60, HAND_DTYPE), np.zeros(8, np.int64)
        assert batch.play_hands(players, rules.to_record(), 9, 0, True, rows, fault) == Status.ok
        for place, row in enumerate(rows):
            first = (place // 2 + place % 2) % 2

            def answer(seat: int, kind: str, shown: Any, first: int = first) -> Any:
                functions, params = decisions[first ^ seat]
                which = KINDS.index(kind)
                return functions[which](shown, params[which])

            played = Table(rules).play(Table.dealt(9, place // 2), answer, first=first)
            played.row.deal, played.row.mirror = place // 2, place % 2
            assert played.row.tobytes() == row.tobytes(), (rules.name, place)
