"""The contract of a strategy, as a class of tests to inherit.

Name the strategy, and pytest does the rest::

    from gincore.strategies.contract import StrategyContract

    class TestPatient(StrategyContract):
        strategy = "./mine.py:patient"

:class:`Table` underneath plays single hands in Python, from cards of your choice, and keeps every question that was
put and every view that was shown.
"""

from __future__ import annotations

import contextlib
import json
import math
import pickle
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random
from types import FunctionType
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numba import cloudpickle

from gincore import ruleset
from gincore.cards import format_hand
from gincore.core import batch, hand, play, rng, showdown, tables, view
from gincore.errors import UsageError
from gincore.schema import GAME_DTYPE, HAND_DTYPE, VIEW_DTYPE, Phase, Result, Status
from gincore.strategies.base import Strategy
from gincore.strategies.catalogue import get
from gincore.strategies.decisions import KINDS

Answer = Callable[[int, str, Any], Any]
"""``answer(seat, kind, view)``, with ``kind`` one of ``draw``, ``discard``, ``knock``."""

DEALT = 21
"""Cards that are gone from the deck when a hand begins."""


class Cards(NamedTuple):
    """All that chance decides in a hand."""

    first: int  # hand of seat 0, a mask
    second: int  # hand of seat 1
    upcard: int  # where none is turned, the eleventh card of seat 0
    stock: tuple[int, ...]  # 31 cards, in the order in which they are drawn
    keys: tuple[int, int] = (1, 2)  # of the random words of the two seats
    second_deck: int = 0  # the card of a second deck that is turned under some rules


class Question(NamedTuple):
    """What a strategy was asked, what it was shown, and what it said."""

    seat: int
    kind: str
    view: Any  # a copy, of schema.VIEW_DTYPE
    answer: int

    @property
    def place(self) -> tuple[int, int]:
        """Turn and phase: no seat is asked twice at the same place."""
        return int(self.view.turn), int(self.view.phase)


@dataclass
class Played:
    """A hand that was played at a :class:`Table`."""

    status: Status
    row: Any  # a record of schema.HAND_DTYPE
    questions: list[Question]
    thrown: list[int]  # card thrown in each turn, -1 where big gin ended the hand
    fault: Any  # a record of hand.FAULT_DTYPE
    views: Any  # the two views at the end


class _Enough(Exception):
    """Stops a hand in the middle."""


def _engine_in_python(ask: Callable[[Any, int, Any], Any]) -> Any:
    """Return ``play.play`` as plain Python, with ``ask`` in place of the call of a compiled decision.

    Only the course of the hand runs in Python; whatever a move does is done by the same kernels.
    """
    space = dict(vars(play))
    for name, kernel in vars(play).items():
        function = getattr(kernel, "py_func", kernel)
        if isinstance(function, FunctionType) and function.__module__ == play.__name__:
            space[name] = FunctionType(function.__code__, space, name, function.__defaults__)
    space["ask"] = ask
    return space["play"]


class Table:
    """Plays hands one by one, slowly and in full view.

    Parameters
    ----------
    rules : str or Rules
    score : tuple of int
        Hand points of seat 0 and seat 1 before the hand, and the target; zeros outside a game.
    """

    def __init__(self, rules: str | ruleset.Rules = "classic", score: tuple[int, int, int] = (0, 0, 0)) -> None:
        self.rules = ruleset.rules(rules)
        self.score = score
        self._record = self.rules.to_record()
        self._discards = tables.discards(int(self._record.ace), int(self._record.ace_points))

    @staticmethod
    def dealt(seed: int, number: int) -> Cards:
        """Return the cards of a deal of a run."""
        state, views = np.zeros(1, hand.STATE_DTYPE)[0], np.zeros(2, VIEW_DTYPE)
        record = ruleset.rules("classic").to_record()
        with np.errstate(over="ignore"):
            hand.deal(state, views[0], views[1], record, np.uint64(seed), np.uint64(number), False)
            stock = tuple(int(hand.next_card(state)) for _ in range(52 - DEALT))
            key = np.uint64(rng.key(np.uint64(seed), np.uint64(number), np.uint64(rng.KNOCK_CARD)))
            turned = int(rng.below(np.uint64(rng.word(key, np.uint64(0))), np.int64(52)))
        keys = (int(state.seat_key[0]), int(state.seat_key[1]))
        return Cards(int(views[0].hand), int(views[1].hand), int(views[0].top), stock, keys, turned)

    def play(self, cards: Cards, answer: Answer, *, first: int = 0) -> Played:
        """Play a hand.

        Parameters
        ----------
        cards : Cards
        answer : callable
            Answers the questions of both seats.
        first : int
            The player who sits in seat 0.
        """
        questions: list[Question] = []

        def ask(_players: Any, number: int, seen: Any) -> int:
            kind = KINDS[number % 3]
            reply = int(answer(int(seen.seat), kind, seen))
            questions.append(Question(int(seen.seat), kind, seen.copy(), reply))
            return reply

        state, views = np.zeros(1, hand.STATE_DTYPE)[0], np.zeros(2, VIEW_DTYPE)
        out, fault = np.zeros(1, showdown.OUTCOME_DTYPE)[0], np.zeros(1, hand.FAULT_DTYPE)[0]
        row = np.zeros(1, HAND_DTYPE)[0]
        status = int(Status.ok)
        with np.errstate(over="ignore"):
            self._set(state, views, cards)
            with contextlib.suppress(_Enough):
                seats = (state, views[0], views[1], self._record, self._discards)
                status = int(_engine_in_python(ask)(*seats, None, np.int64(first), row, out, fault))
        turns = range(int(state.turn))
        big = int(row.result) == Result.big_gin
        thrown = [-1 if big and turn == turns[-1] else int(state.thrown[turn]) for turn in turns]
        return Played(Status(status), row, questions, thrown, fault, views)

    def _set(self, state: Any, views: Any, cards: Cards) -> None:
        mine, theirs, target = (np.int64(value) for value in self.score)
        view.score(views[0], mine, theirs, target)
        view.score(views[1], theirs, mine, target)
        state.seat_key[:] = cards.keys
        state.deck[DEALT:] = cards.stock
        state.swaps[:] = range(52)  # the cards come as they lie
        state.position = DEALT
        first, upcard, turned = cards.first, cards.upcard, cards.upcard
        if self.rules.knock_limit == "second_deck":
            turned = cards.second_deck
        if self.rules.upcard_offer == "none_eleven":
            first, upcard = first | 1 << upcard, -1
        hands = np.uint64(first), np.uint64(cards.second)
        hand.start(state, views[0], views[1], self._record, *hands, np.int64(upcard), np.int64(turned))


def swap_hidden(
    table: Table, cards: Cards, answer: Answer, seat: int, random: Random
) -> tuple[list[Question], list[Question]]:
    """Play a hand to a random question of ``seat``; swap the cards it cannot know, and play the same again.

    The hidden cards are those that ``seat`` neither held nor saw on the pile. In the second hand the opponent repeats
    what it did, and ``seat`` answers anew.

    Returns
    -------
    tuple of list of Question
        The questions to ``seat`` in the first and in the second hand. A seat that knows no more than it may was shown
        the same, and a strategy answers the same.
    """
    played = table.play(cards, answer)
    own = [question for question in played.questions if question.seat == seat]
    if not own:
        return [], []
    own = own[: random.randrange(len(own)) + 1]
    last = own[-1].view
    seen = {cards.upcard, *played.thrown[: int(last.turn)], *cards_of(int(last.hand))}
    hidden = [card for card in range(52) if card not in seen]
    becomes = dict(zip(hidden, random.sample(hidden, len(hidden)), strict=True))
    first, second = (
        sum(1 << becomes.get(card, card) for card in cards_of(mask)) for mask in (cards.first, cards.second)
    )
    stock = tuple(becomes.get(card, card) for card in cards.stock)
    script = {question.place: question.answer for question in played.questions if question.seat != seat}
    left = len(own)

    def repeat(asked: int, kind: str, shown: Any) -> Any:
        nonlocal left
        if asked != seat:
            return script.get((int(shown.turn), int(shown.phase)), 0)
        if left == 0:
            raise _Enough
        left -= 1
        return answer(asked, kind, shown)

    again = table.play(cards._replace(first=first, second=second, stock=stock), repeat)
    return own, [question for question in again.questions if question.seat == seat]


def differing_fields(one: Any, other: Any) -> list[str]:
    """Return the names of the fields in which two views differ."""
    return [name for name in VIEW_DTYPE.names or () if np.any(one[name] != other[name])]


def cards_of(mask: int) -> list[int]:
    """Return the cards of a mask."""
    return [card for card in range(52) if mask >> card & 1]


class StrategyContract:
    """Tests that every strategy must pass: subclass it, name it ``Test...``, and set ``strategy``.

    Attributes
    ----------
    strategy : Strategy or str
        What is tested: an object, a shipped name, or ``FILE.py:NAME``.
    rule_sets : tuple of (str, mapping)
        Presets, and the options in which each is changed.
    opponents : tuple of str
    deals : int
        Deals for each rule set and opponent; each is played twice, with the seats exchanged.
    most_stalled : float
        Largest share of hands that may end by ``max_turns``.
    seed : int
    """

    strategy: ClassVar[Strategy | str]
    rule_sets: ClassVar[tuple[tuple[str, Mapping[str, Any]], ...]] = (
        ("classic", {}),
        ("straight", {}),
        ("classic-big-gin", {"last_discard": "knock_only"}),
        ("oklahoma", {"return_taken": True}),
        ("eaai", {}),
        ("grand-gin", {}),
        ("second-deck", {"upcard_offer": "none_eleven"}),
        ("round-the-corner", {}),
    )
    opponents: ClassVar[tuple[Strategy | str, ...]] = ("simple", "random")
    deals: ClassVar[int] = 250
    most_stalled: ClassVar[float] = 0.0
    seed: ClassVar[int] = 20_250

    def run(self) -> list[str]:
        """Run all tests, as in a notebook, and return what they found to hold; the first that fails raises."""
        tests = [name for name in dir(self) if name.startswith("test_")]
        for name in tests:
            getattr(self, name)()
        return [name.removeprefix("test_").replace("_", " ") for name in tests]

    @cached_property
    def mine(self) -> Strategy:
        """The strategy as an object."""
        return get(self.strategy)

    def tables(self) -> list[ruleset.Rules]:
        """Return the rule sets that are played."""
        return [ruleset.rules(name, **options) for name, options in self.rule_sets]

    def hands(self, rules: ruleset.Rules, opponent: Strategy | str, deals: int, first_deal: int = 0) -> Any:
        """Play, and fail with what was asked and answered if an answer was not legal."""
        rows, fault = np.zeros(2 * deals, HAND_DTYPE), np.zeros(8, np.int64)
        players = (self.mine, get(opponent))
        status = Status(batch.play_hands(players, rules.to_record(), self.seed, first_deal, True, rows, fault))
        assert status == Status.ok, (
            f"{status.name}: player {fault[2]} holds {format_hand(int(fault[5]))} and answers {fault[4]} in phase "
            f"{Phase(fault[3]).name} of deal {fault[0]}, mirror {fault[1]}, seed {self.seed}, rules {rules.label}"
        )
        return rows

    def test_describes_itself(self) -> None:
        """The manifest of a run keeps the description as JSON."""
        described = self.mine.describe()
        assert json.loads(json.dumps(described, allow_nan=False)) == described
        assert described["name"] == self.mine.name
        assert described["digest"] == get(self.strategy).digest()

    def test_pickles(self) -> None:
        """Strategies are sent to other processes; a function of a notebook by value, as Dask sends it."""
        mine = self.mine
        by_value = any(part.decision.function.__module__ == "__main__" for part in mine.parts)
        again = pickle.loads((cloudpickle if by_value else pickle).dumps(mine))
        assert by_value or again == mine
        assert again.describe() == mine.describe()

    def test_answers_are_legal_and_hands_end(self) -> None:
        """Against each opponent and itself under each rule set, from both seats."""
        for rules in self.tables():
            for opponent in (*self.opponents, self.mine):
                rows = self.hands(rules, opponent, self.deals)
                assert rows["turns"].max() <= rules.max_turns + 1
                stalled = np.mean(rows["result"] == Result.stalled)
                assert stalled <= self.most_stalled, f"{stalled:.1%} of hands stall under {rules.label}"

    def test_games_end(self) -> None:
        """Whole games, with the score in the views."""
        games, rows, fault = np.zeros(8, GAME_DTYPE), np.zeros(20_000, HAND_DTYPE), np.zeros(8, np.int64)
        record = ruleset.rules("classic").to_record()
        status, done, _ = batch.play_games((self.mine, get("simple")), record, self.seed, 0, True, games, rows, fault)
        assert (Status(status), done) == (Status.ok, len(games))

    def test_same_seed_same_rows(self) -> None:
        """A row depends on the seed and the deal, and on nothing that was played before."""
        rules, deals = self.tables()[0], 40
        rows = self.hands(rules, self.mine, deals)
        assert rows.tobytes() == self.hands(rules, self.mine, deals).tobytes()
        single = np.concatenate([self.hands(rules, self.mine, 1, deal) for deal in range(deals)])
        assert rows.tobytes() == single.tobytes()

    def test_exchanging_equal_players_exchanges_their_rows(self) -> None:
        """In a mirrored pair of equal players the differences cancel to zero exactly."""
        for rules in self.tables():
            rows = self.hands(rules, self.mine, 40)
            net = rows["points_0"].astype(int) - rows["points_1"]
            assert not (net[::2] + net[1::2]).any()

    def test_plain_python_decides_the_same(self) -> None:
        """On every view of some hands; and a decision changes neither the view nor its parameters."""
        mine = self.mine
        compiled, params = mine.functions(), mine.values()

        def answer(_seat: int, kind: str, shown: Any) -> Any:
            place = KINDS.index(kind)
            function, values = mine.parts[place].decision.function, params[place].copy()
            answers = [int(decide(copy := shown.copy(), values)) for decide in (compiled[place], function)]
            assert answers[0] == answers[1], f"{kind}: compiled {answers[0]}, plain {answers[1]}, for {shown}"
            assert not differing_fields(copy, shown), f"{kind} changes the view: {differing_fields(copy, shown)}"
            assert np.array_equal(values, params[place]), f"{kind} changes its parameters"
            return answers[0]

        for rules in self.tables():
            for deal in range(4):
                assert Table(rules).play(Table.dealt(self.seed, deal), answer).status == Status.ok

    def test_hidden_cards_change_nothing(self) -> None:
        """Other cards in the opponent's hand and in the stock, and the same views and answers."""
        mine, other = self.mine, get("random")
        functions = {seat: (each.functions(), each.values()) for seat, each in ((0, mine), (1, other))}
        random, every = Random(self.seed), self.tables()
        for deal in range(60):
            rules, seat = every[deal % len(every)], deal % 2

            def answer(asked: int, kind: str, shown: Any, seat: int = seat) -> Any:
                decide, params = functions[asked ^ seat]
                place = KINDS.index(kind)
                return decide[place](shown, params[place])

            before, after = swap_hidden(Table(rules), Table.dealt(self.seed, deal), answer, seat, random)
            assert len(before) == len(after)
            for one, two in zip(before, after, strict=True):
                assert one.answer == two.answer, f"{one.kind} depends on hidden cards: deal {deal}, view {one.view}"

    def test_parameters_keep_to_their_bounds(self) -> None:
        """Both ends are taken, what lies outside is refused with the parameter's name."""
        mine = self.mine
        for name, low, high in {limit for part in mine.parts for limit in part.bounds}:
            for value in (low, high):
                assert mine.with_params(**{name: value}).params[name] == value
            for value in (low - 1, high + 1):
                self._refused(name, value)
        for name, value in mine.params.items():
            assert mine.with_params(**{name: value}).values()[0] is not None
            for wrong in (math.nan, math.inf):
                self._refused(name, wrong)
        self._refused("no_such_parameter", 1.0)

    def _refused(self, name: str, value: float) -> None:
        try:
            self.mine.with_params(**{name: value})
        except UsageError as error:
            message = str(error)
            assert name in message, message
            assert "\n" not in message, message
        else:
            raise AssertionError(f"{name}={value} was accepted")
