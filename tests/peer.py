"""OpenSpiel's gin_rummy beside gincore's engine: one hand played in both, card by card.

The peer deals a scripted deck and offers its legal actions; a habit chooses one; the same step is then made with the
functions of ``gincore.core.hand`` and both sides are compared: hands, pile, stock, deadwood of ten cards, deadwood
after each discard of eleven, knock moments, and at the end the scores. In the peer the spread of the knocker and the
answer of the defender are actions: all of them are tried, by cloning its state, and the best for each side is played.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import brute
import numpy as np
import pytest

import gincore
from gincore import schema
from gincore.core import hand, showdown, tables, view
from gincore.schema import Result

pyspiel = pytest.importorskip("pyspiel", reason="the peer engine is not installed: pip install 'gincore[peers]'")
gin_rummy = pyspiel.gin_rummy
UTILS = gin_rummy.GinRummyUtils(13, 4, 10)
TAKE, STOCK, PASS, KNOCK = 52, 53, 54, 55
PHASE = gin_rummy.Phase

ALLOWED = {
    "two returns": "OpenSpiel ends a hand 0-0 when two cards in a row were taken and thrown back at once; we play on",
    "fifty pick-ups": "OpenSpiel ends a hand 0-0 at the 50th take from the pile; our bound is max_turns",
    "eleven too high": "OpenSpiel throws the highest loose card of one best spread of eleven, and misses better throws",
    "knock not offered": "where that wrong minimum is over the limit OpenSpiel refuses a knock that is legal",
}
"""All that a comparison may allow for, with the reason; each is counted.

Not listed is what options of ``open-spiel`` play: a tie pays nothing, the card just taken may be thrown back, the last
discard may still be taken to knock. Nor that OpenSpiel never offers a third lay-off in one direction of a run: the
three cards are a run of their own, which the defender melds instead, for the same points.
"""


@dataclass(frozen=True)
class Setting:
    """Parameters of the peer, and the same rules for us."""

    parameters: dict[str, Any]
    options: dict[str, Any]

    @property
    def rules(self) -> gincore.Rules:
        return gincore.rules("open-spiel", **self.options)


class Habit(NamedTuple):
    """Probabilities of judgement instead of a uniform choice among the legal actions."""

    take: float  # take the top card if it would be melded, else leave it
    least: float  # throw one of the cards that leave the least deadwood
    knock: float  # knock where that is offered, and not otherwise


UNIFORM = Habit(0, 0, 0)


def to_ours(card: int) -> int:
    """The peer's card (suits S C D H) in our numbering (C D H S)."""
    return 13 * ((card // 13 - 1) % 4) + card % 13


def to_peer(card: int) -> int:
    return 13 * ((card // 13 + 1) % 4) + card % 13


def mask(cards: Any) -> int:
    """Cards of the peer as one of our masks."""
    return sum(1 << to_ours(card) for card in cards)


@dataclass
class Tally:
    """What happened in a number of hands."""

    ends: Counter[str] = field(default_factory=Counter)  # how our hands ended
    allowed: Counter[str] = field(default_factory=Counter)  # by the names of ALLOWED
    seen: Counter[str] = field(default_factory=Counter)  # what was compared

    def add(self, other: Tally) -> None:
        self.ends += other.ends
        self.allowed += other.allowed
        self.seen += other.seen


class Table:
    """One hand in both engines.

    ``row`` is our row of the hand once :meth:`play` has returned True; it returns False where the peer ended a hand
    that goes on under our rules.
    """

    def __init__(self, setting: Setting, deck: list[int], habit: Habit, rng: random.Random, tally: Tally) -> None:
        """``deck``: 52 cards in our numbering, ten for each seat, the upcard, the stock in the order of drawing."""
        self.peer = pyspiel.load_game("gin_rummy", setting.parameters).new_initial_state()
        self.stock = deck[21:]
        self.habit, self.rng, self.tally = habit, rng, tally
        self.rules = setting.rules.to_record()
        self.best_rules = setting.rules.replace(knocker_spread="best")
        self.discards = tables.discards(int(self.rules.ace), int(self.rules.ace_points))
        self.state = np.zeros(1, hand.STATE_DTYPE)[0]
        both = np.zeros(2, schema.VIEW_DTYPE)
        self.views = (both[0], both[1])
        self.row = np.zeros(1, schema.HAND_DTYPE)[0]
        self.out = np.zeros(1, showdown.OUTCOME_DTYPE)[0]
        self.script: tuple[dict[tuple[str, int], int], ...] = ({}, {})  # seat: (phase, turn) -> answer
        for card in deck[:21]:
            self.peer.apply_action(to_peer(card))
        self.state.position = 21
        first, second = (np.uint64(sum(1 << card for card in deck[start : start + 10])) for start in (0, 10))
        hand.start(self.state, *self.views, self.rules, first, second, np.int64(deck[20]), np.int64(deck[20]))
        assert self.peer.knock_card() == self.state.limit
        self.check()

    # ------------------------------------------------------------ comparing

    def check(self) -> None:
        """Both engines see the same cards, and the same deadwood of ten cards."""
        upcard = self.peer.upcard()  # none after a draw from the stock: the peer turns it over into the pile
        pile = self.peer.discard_pile() + ([] if upcard is None else [upcard])
        for seat, mine in enumerate(self.views):
            cards = self.peer.hands()[seat]
            assert mask(cards) == mine.hand
            assert mask(pile) == mine.pile
            assert upcard is None or to_ours(upcard) == mine.top
            assert self.peer.stock_size() == mine.stock == 52 - self.state.position
            if len(cards) == 10:
                assert self.peer.deadwood()[seat] == mine.deadwood
                self.tally.seen["deadwoods of ten"] += 1

    def check_eleven(self, cards: list[int], peer_deadwood: int, offered: bool, mine: Any) -> None:
        """Compare what each discard leaves, the minimum, and whether going out is legal."""
        left = {card: UTILS.min_deadwood([other for other in cards if other != card]) for card in cards}
        assert mine.legal == mine.hand  # the card just taken may be thrown too
        assert {to_ours(card): points for card, points in left.items()} == {
            to_ours(card): int(mine.after[to_ours(card)]) for card in cards
        }
        assert mine.deadwood == min(left.values())
        self.tally.seen["deadwoods of eleven"] += 1
        self.tally.seen["legal knocks"] += int(mine.deadwood <= self.state.limit)
        assert offered == (peer_deadwood <= self.state.limit)
        if peer_deadwood != mine.deadwood:
            assert peer_deadwood > mine.deadwood
            self.tally.allowed["eleven too high"] += 1
        if offered != (mine.deadwood <= self.state.limit):
            assert peer_deadwood > self.state.limit
            self.tally.allowed["knock not offered"] += 1

    # ------------------------------------------------------------ choosing

    def choose_take(self, seat: int) -> bool:
        if self.rng.random() >= self.habit.take:
            return self.rng.random() < 0.5
        top = self.peer.upcard()
        return any(top in meld for meld in UTILS.best_meld_group([*self.peer.hands()[seat], top]))

    def choose_discard(self, cards: list[int], offered: bool) -> int:
        """A card, or KNOCK."""
        if self.habit == UNIFORM:
            return self.rng.choice([*cards, KNOCK] if offered else cards)
        if offered and self.rng.random() < self.habit.knock:
            return KNOCK
        if self.rng.random() >= self.habit.least:
            return self.rng.choice(cards)
        return self.choose_least(cards, cards)

    def choose_last(self) -> bool:
        """Whether to knock with the last discard."""
        return self.rng.random() < (0.5 if self.habit == UNIFORM else 0.8)

    def choose_least(self, cards: list[int], allowed: list[int]) -> int:
        left = {card: UTILS.min_deadwood([other for other in cards if other != card]) for card in allowed}
        return self.rng.choice([card for card in allowed if left[card] == min(left.values())])

    # ------------------------------------------------------------ playing

    def play(self) -> bool:
        """Play to the end; False if the peer ends a hand that goes on under our rules."""
        card: int | None
        seat, card = self.open()
        while True:
            if card is None:
                if self.draw_from_pile(seat):
                    if self.peer.is_terminal():
                        return self.cut_short("fifty pick-ups")
                    card = hand.take(self.views[seat], self.views[1 - seat])
                else:
                    card = self.draw_from_stock(seat)
            if self.discard_or_knock(seat, card):
                return True
            if self.peer.is_terminal():
                return self.cut_short("two returns")
            seat, card = 1 - seat, None
            self.check()
            at_wall = self.peer.current_phase() == PHASE.WALL
            assert at_wall == (self.views[seat].stock <= self.rules.dead_stock)
            if at_wall:
                self.last_discard(seat)
                return True

    def open(self) -> tuple[int, int]:
        """The upcard is offered to seat 0, to seat 1; else seat 0 draws. The seat that plays and its card."""
        for seat in range(2):
            assert self.peer.current_player() == seat
            assert sorted(self.peer.legal_actions()) == [TAKE, PASS]
            takes = self.choose_take(seat)
            self.script[seat]["upcard", 0] = int(takes)
            self.peer.apply_action(TAKE if takes else PASS)
            if takes:
                self.state.upcard_seat = seat
                return seat, int(hand.take(self.views[seat], self.views[1 - seat]))
            view.left(self.views[seat], self.views[1 - seat])
        assert self.peer.legal_actions() == [STOCK]
        return 0, self.draw_from_stock(0)

    def draw_from_pile(self, seat: int) -> bool:
        assert self.peer.current_player() == seat
        assert self.peer.legal_actions() == [TAKE, STOCK]
        takes = self.choose_take(seat)
        self.script[seat]["draw", int(self.state.turn)] = int(takes)
        if takes:
            self.peer.apply_action(TAKE)
        return takes

    def draw_from_stock(self, seat: int) -> int:
        card: int = self.stock[self.state.position - 21]
        self.peer.apply_action(STOCK)
        self.peer.apply_action(to_peer(card))
        self.state.position += 1
        view.drew(self.views[seat], self.views[1 - seat], np.int64(card))
        return card

    def discard_or_knock(self, seat: int, card: int) -> bool:
        """The player holds eleven cards; returns whether that ended the hand."""
        mine = self.views[seat]
        assert hand.see_eleven(self.state, mine, np.int64(card), self.rules, self.discards) == 0
        self.check()
        cards = sorted(self.peer.hands()[seat])
        legal = self.peer.legal_actions()
        assert self.peer.current_player() == seat
        assert [action for action in legal if action != KNOCK] == cards
        self.check_eleven(cards, self.peer.deadwood()[seat], KNOCK in legal, mine)
        action = self.choose_discard(cards, KNOCK in legal)
        if action == KNOCK:
            self.knock(seat)
            return True
        self.script[seat]["discard", int(self.state.turn)] = to_ours(action)
        self.peer.apply_action(action)
        hand.throw(self.state, mine, self.views[1 - seat], np.int64(to_ours(action)))
        return False

    def last_discard(self, seat: int) -> None:
        """At the wall: knock with the last discard, or the hand is dead."""
        mine, theirs = self.views[seat], self.views[1 - seat]
        top = self.peer.upcard()
        legal = self.peer.legal_actions()
        assert legal in ([PASS], [PASS, KNOCK])
        before = np.int64(mine.deadwood)
        hand.see_eleven(self.state, mine, hand.take(mine, theirs), self.rules, self.discards)
        cards = sorted([*self.peer.hands()[seat], top])
        self.check_eleven(cards, UTILS.min_deadwood(cards), KNOCK in legal, mine)
        if KNOCK in legal and self.choose_last():
            self.tally.seen["knocks with the last discard"] += 1
            self.knock(seat)
            return
        view.gave_back(mine, theirs, np.int64(to_ours(top)), before)
        self.peer.apply_action(PASS)
        assert self.peer.is_terminal()
        assert mask(self.peer.hands()[seat]) == mine.hand
        hand.nobody(self.row, np.int64(Result.dead))
        self.finish(seat)

    def cut_short(self, reason: str) -> bool:
        """The peer ends a hand that goes on under our rules: nobody scores there."""
        assert self.peer.is_terminal()
        assert self.peer.returns() == [0.0, 0.0]
        self.tally.allowed[reason] += 1
        return False

    # ------------------------------------------------------------ the showdown

    def knock(self, seat: int) -> None:
        """Knock in both engines, try all that the peer allows, and compare with our settlement."""
        mine, theirs = self.views[seat], self.views[1 - seat]
        self.peer.apply_action(KNOCK)
        cards = self.peer.hands()[seat]
        legal = self.peer.legal_actions()
        for card in range(52):
            answer = hand.knock_card(mine, np.int64(2 + to_ours(card)))
            assert answer == (to_ours(card) if card in legal else -1)
        thrown = self.rng.choice(legal) if self.habit == UNIFORM else self.choose_least(cards, legal)
        self.script[seat]["knock", int(self.state.turn)] = 2 + to_ours(thrown)
        self.peer.apply_action(thrown)
        hand.throw(self.state, mine, theirs, np.int64(to_ours(thrown)))
        self.check_any_line(seat)
        lines = best_lines(self.peer, seat)
        hand.settle(self.state, mine, theirs, self.rules, False, 0, self.row, self.out)
        self.tally.seen["showdowns"] += 1
        if mine.deadwood > 0:
            ours = gincore.showdown(int(mine.hand), int(theirs.hand), self.best_rules, limit=int(self.state.limit))
            assert lines.any == (-ours.points if ours.winner == "defender" else ours.points)
            self.tally.seen["showdowns with any legal spread"] += 1
        self.peer = lines.state
        self.finish(seat)

    def check_any_line(self, seat: int) -> None:
        """Spread and answer at random: whatever the deadwoods come to, the peer scores them as we do."""
        state = self.peer.clone()
        while not state.is_terminal():
            state.apply_action(self.rng.choice(state.legal_actions()))
        points = brute.score(state.deadwood()[seat], state.deadwood()[1 - seat], self.house()).net
        assert state.returns()[seat] == points == -state.returns()[1 - seat]
        self.tally.seen["showdowns at random"] += 1

    def house(self) -> brute.House:
        """The bonuses of this hand for ``brute.score``."""
        gin, undercut = int(self.rules.gin_bonus), int(self.rules.undercut_bonus)
        return brute.House(gin_bonus=gin, undercut_bonus=undercut, tie="nothing")

    def finish(self, seat: int) -> None:
        """Close our row, and compare it with the peer's end of the hand."""
        row = self.row
        hand.close(self.state, self.views[seat], self.views[1 - seat], 0, row)
        net = int(row.points_0) - int(row.points_1)
        self.tally.ends["tie" if row.knocker >= 0 > row.winner else Result(row.result).name] += 1
        assert row.turns == self.state.turn
        assert row.stock_left == self.peer.stock_size()
        assert (row.knocker >= 0) == any(self.peer.knocked())
        assert row.knocker < 0 or self.peer.knocked()[row.knocker]
        assert self.peer.returns() == [net, -net]
        assert row.winner == (0 if net > 0 else 1 if net < 0 else -1)
        if row.knocker >= 0:
            assert self.peer.deadwood()[row.knocker] == row.knocker_deadwood
            assert self.peer.deadwood()[1 - row.knocker] == row.defender_deadwood


# ---------------------------------------------------------------- the peer's showdown, all of it


class Lines(NamedTuple):
    """The knocker's points in the peer when both choose best."""

    least: int  # among the spreads of least deadwood
    any: int  # among all legal spreads
    state: Any  # an end that is worth ``least``


def best_lines(state: Any, seat: int) -> Lines:
    """Try all spreads of the knocker (who has thrown a card) and all answers to each."""
    spreads = laid_spreads(state)
    least = min(spread.deadwood()[seat] for spread in spreads)
    ends = [(spread.deadwood()[seat], best_answer(spread, 1 - seat)) for spread in spreads]
    minimal = max((end for left, end in ends if left == least), key=lambda end: end.returns()[seat])
    most = max(end.returns()[seat] for _, end in ends)
    return Lines(int(minimal.returns()[seat]), int(most), minimal)


def laid_spreads(state: Any) -> list[Any]:
    """States of the peer in which the knocker has laid melds and passed, one for each set of melds."""
    found: list[Any] = []
    seen: set[frozenset[int]] = set()
    stack = [state]
    while stack:
        here = stack.pop()
        seat = here.current_player()
        laid = frozenset(here.layed_melds()[seat])
        if laid in seen:
            continue
        seen.add(laid)
        for action in here.legal_actions():
            (found if action == PASS else stack).append(here.child(action))
    return found


def best_answer(state: Any, defender: int) -> Any:
    """End of the peer's hand that is best for the defender, over all orders of lay-offs and melds."""
    best: Any = None
    seen: set[tuple[bool, frozenset[int], frozenset[int]]] = set()
    stack = [state]
    while stack:
        here = stack.pop()
        if here.is_terminal():
            if best is None or here.returns()[defender] > best.returns()[defender]:
                best = here
            continue
        key = (here.finished_layoffs(), frozenset(here.layoffs()), frozenset(here.hands()[defender]))
        if key not in seen:
            seen.add(key)
            stack.extend(here.child(action) for action in here.legal_actions())
    return best
