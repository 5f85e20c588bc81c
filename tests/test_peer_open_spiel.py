"""Whole hands of OpenSpiel's gin_rummy, replayed step by step in gincore's engine (see ``peer.py``).

Exact comparisons: cards, deadwoods, legal knocks, scores and winners. What is allowed for stands in ``peer.ALLOWED``;
one test counts it over all hands and holds it to be small.
"""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import numpy as np
import pytest
from peer import ALLOWED, KNOCK, UNIFORM, Habit, Setting, Table, Tally, to_ours

import gincore
from gincore import schema
from gincore.cards import parse_cards
from gincore.core import batch, hand

SETS = {
    "default": Setting({}, {}),
    "oklahoma": Setting(
        {"oklahoma": True, "gin_bonus": 20, "undercut_bonus": 10},
        {"knock_limit": "upcard", "low_limit_is_gin": {"A"}, "gin_bonus": 20, "undercut_bonus": 10},
    ),
    "limit 5": Setting(
        {"knock_card": 5, "gin_bonus": 31, "undercut_bonus": 15},
        {"knock_limit": 5, "gin_bonus": 31, "undercut_bonus": 15},
    ),
    "limit 8, no undercut bonus": Setting(
        {"knock_card": 8, "undercut_bonus": 0}, {"knock_limit": 8, "undercut_bonus": 0}
    ),
    "gin only": Setting({"knock_card": 0, "gin_bonus": 50}, {"knock_limit": 0, "gin_bonus": 50}),
}

HABITS = {
    "uniform": UNIFORM,
    "half": Habit(0.5, 0.5, 0.5),
    "eager": Habit(1, 0.95, 1),
    "patient": Habit(1, 0.97, 0.2),
}

HANDS = {"uniform": 90, "half": 40, "eager": 40, "patient": 40}
"""Hands for each parameter set."""

SCRIPTED = {"uniform": 10, "half": 15, "eager": 10, "patient": 10}
"""Hands for each parameter set that our batch kernel plays again as a whole."""


@cache
def played(setting: str, habit: str) -> Tally:
    """Play and compare the hands of one parameter set and habit."""
    tally = Tally()
    rng = random.Random(f"{setting}/{habit}")
    for _ in range(HANDS[habit]):
        Table(SETS[setting], rng.sample(range(52), 52), HABITS[habit], rng, tally).play()
    return tally


@pytest.mark.parametrize("habit", HABITS)
@pytest.mark.parametrize("setting", SETS)
def test_whole_hands_agree(setting: str, habit: str) -> None:
    tally = played(setting, habit)
    cut_short = tally.allowed["two returns"] + tally.allowed["fifty pick-ups"]
    assert tally.ends.total() + cut_short == HANDS[habit]


def test_what_was_allowed_for_is_rare_and_what_was_compared_is_not() -> None:
    total, uniform = Tally(), Tally()
    for setting in SETS:
        for habit in HABITS:
            total.add(played(setting, habit))
        uniform.add(played(setting, "uniform"))
    print(f"\ncompared: {dict(total.seen)}\nends: {dict(total.ends)}\nallowed for: {dict(total.allowed)}")
    assert set(total.allowed) <= set(ALLOWED)
    # Uniform play takes and throws back one card in 22, so that an eighth of its hands meets the rule of two returns.
    assert total.allowed["two returns"] < 0.12 * sum(HANDS.values()) * len(SETS)
    assert total.allowed["fifty pick-ups"] < 0.01 * sum(HANDS.values()) * len(SETS)
    assert total.allowed["eleven too high"] < 0.001 * total.seen["deadwoods of eleven"]
    assert total.allowed["knock not offered"] < 0.005 * total.seen["legal knocks"]
    assert uniform.ends.total() >= 300
    assert total.seen["showdowns"] >= 400
    assert min(total.ends[end] for end in ("knock", "gin", "undercut", "tie", "dead")) >= 5
    assert total.seen["knocks with the last discard"] >= 3


# ---------------------------------------------------------------- the same hands through the batch kernel


@gincore.decision
def scripted_draw(view: Any, params: Any) -> Any:
    place = 0 if view.phase == 0 else 1 + 3 * view.turn
    return int(params[place])


@gincore.decision
def scripted_discard(view: Any, params: Any) -> Any:
    return int(params[2 + 3 * view.turn])


@gincore.decision
def scripted_knock(view: Any, params: Any) -> Any:
    return int(params[3 + 3 * view.turn])


def actor(answers: dict[tuple[str, int], int], turns: int) -> gincore.Strategy:
    """A strategy that answers as in a hand that was played; what it was not asked there it answers illegally."""
    script = [-9.0] + [-9.0, -9.0, 0.0] * (turns + 1)  # only a knock that the peer did not make is declined
    for (phase, turn), answer in answers.items():
        script[{"upcard": 0, "draw": 1 + 3 * turn, "discard": 2 + 3 * turn, "knock": 3 + 3 * turn}[phase]] = answer
    params = {f"answer_{place}": value for place, value in enumerate(script)}
    return gincore.Strategy("actor", draw=scripted_draw, discard=scripted_discard, knock=scripted_knock, params=params)


def deck_of(rules: np.record, seed: int, deal: int) -> list[int]:
    """Our order of a deal's cards."""
    state = np.zeros(1, hand.STATE_DTYPE)[0]
    views = np.zeros(2, schema.VIEW_DTYPE)
    hand.deal(state, views[0], views[1], rules, np.uint64(seed), np.uint64(deal), False)
    while state.position < 52:
        hand.next_card(state)
    return [int(card) for card in state.deck]


@cache
def played_again(setting: str) -> Tally:
    """Play hands with our cards in both engines, then again as a whole with our batch kernel: equal rows."""
    seed = 20_260
    rules = SETS[setting].rules.to_record()
    tally = Tally()
    for number, habit in enumerate(name for name, hands in SCRIPTED.items() for _ in range(hands)):
        deal = 2 * number  # an even deal: player 0 plays first
        deck = deck_of(rules, seed, deal)
        assert sorted(deck) == list(range(52))
        table = Table(SETS[setting], deck, HABITS[habit], random.Random(f"{setting}/{deal}"), tally)
        if not table.play():
            continue  # two returns, or fifty pick-ups
        players = tuple(actor(answers, int(table.row["turns"])) for answers in table.script)
        rows = np.zeros(1, schema.HAND_DTYPE)
        fault = np.zeros(8, np.int64)
        status = batch.play_hands(players, rules, seed, deal, False, rows, fault)
        assert status == schema.Status.ok, fault
        table.row["deal"] = deal
        assert rows[0] == table.row
    return tally


@pytest.mark.parametrize("setting", SETS)
def test_batch_kernel_plays_the_same_hands(setting: str) -> None:
    assert played_again(setting).ends.total() >= 0.8 * sum(SCRIPTED.values())


def test_batch_kernel_lets_the_last_discard_be_taken_to_knock() -> None:
    assert sum(played_again(setting).seen["knocks with the last discard"] for setting in SETS) >= 2


# ---------------------------------------------------------------- the known differences, one by one


class Directed(Table):
    """A table at which both players follow lists of choices, then throw their lowest card but the one just drawn."""

    def __init__(self, setting: str, deck: list[int], takes: list[bool], throws: list[int]) -> None:
        super().__init__(SETS[setting], deck, HABITS["eager"], random.Random(1), Tally())
        self.takes, self.throws = iter(takes), iter(throws)

    def choose_take(self, seat: int) -> bool:
        return next(self.takes)

    def choose_discard(self, cards: list[int], offered: bool) -> int:
        wanted = next(self.throws, None)
        if wanted == KNOCK:
            return KNOCK
        drew = self.views[self.peer.current_player()].drew
        return next(
            card for card in cards if (to_ours(card) == wanted if wanted is not None else to_ours(card) != drew)
        )


def deck_with(first: str, second: str, upcard: str) -> list[int]:
    """A deck with these hands and this upcard; the stock in order of the numbers."""
    dealt = parse_cards(f"{first} {second} {upcard}")
    assert len(set(dealt)) == 21
    return dealt + [card for card in range(52) if card not in dealt]


def test_gin_that_the_peer_refuses() -> None:
    """Throwing 5C leaves 2D-3D-4D, 2H-3H-4H-5H and 3S-4S-5S: gin; the peer finds 2 points and offers no knock."""
    deck = deck_with("3S 4S 5S 5C 2D 3D 4D 2H 3H 4H", "AS 7S 9S JS KS 6C 8C TC QC KD", "5H")
    table = Directed("gin only", deck, [True], parse_cards("2H"))
    seat, card = table.open()
    assert not table.discard_or_knock(seat, card)
    view = table.views[0]
    assert table.tally.allowed in ({"eleven too high": 1, "knock not offered": 1}, {})  # the latter once it is mended
    assert view.after[parse_cards("5C")[0]] == 0


def test_two_returns_end_the_peers_hand() -> None:
    deck = deck_with("AS 3S 5S 7S 9S JS KS 2C 4C 6C", "AD 3D 5D 7D 9D JD KD 2H 4H 6H", "QC")
    table = Directed("default", deck, [True, True], 2 * parse_cards("QC"))
    assert table.play() is False
    assert table.tally.allowed == {"two returns": 1}


def test_fifty_pick_ups_end_the_peers_hand() -> None:
    """Both take every discard of the other and throw another card: nobody ever draws from the stock."""
    deck = deck_with("AS 3S 5S 7S 9S JS KS 2C 4C 6C", "AD 3D 5D 7D 9D JD KD 2H 4H 6H", "QC")
    table = Directed("default", deck, [True] * 51, [])
    assert table.play() is False
    assert table.tally.allowed == {"fifty pick-ups": 1}


def test_third_lay_off_makes_no_difference() -> None:
    """After 4H-5H-6H the peer takes 7H and 8H, not 9H; but 7H-8H-9H is a run that the defender melds."""
    deck = deck_with("4H 5H 6H JS JC JD 2S 2C 2D 3S", "7H 8H 9H KS KC QD 8S 6C 4D 9D", "KH")
    table = Directed("default", deck, [True], [KNOCK])
    assert table.play()
    assert table.row["winner"] == 0
    assert table.row["defender_deadwood"] == 57
    assert table.row["points_0"] == 54


def test_tie_pays_nothing() -> None:
    deck = deck_with("4H 5H 6H JS JC JD 2S 2C 2D TS", "8H 9H TH QS QC QD AS AC AD TD", "KH")
    table = Directed("default", deck, [True], [KNOCK])
    assert table.play()
    assert table.row["winner"] == -1
    assert table.row["points_0"] == table.row["points_1"] == 0
    assert table.tally.ends == {"tie": 1}
