"""A hand of gin rummy in plain Python, from ``brute.py`` alone, by two simple players whose every answer is fixed.

Take the face-up card if two of its rank are held; throw the card that leaves the least, of equal ones the last in the
deck; knock with at most so many points. The same players are written as decisions of the package, so that the engine
and this module play the same hands, and only the engine is on trial. Of the package only the dealt cards come in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import brute
import numpy as np
from literal import Deal

import gincore

Knock = Callable[[int, int], bool]
"""Whether to knock, by deadwood and completed turns."""


@gincore.decision
def take_third(view: Any, params: Any) -> Any:
    """Take the face-up card if two of its rank are held."""
    held = 0
    for suit in range(4):
        held += (view.hand >> np.uint64(13 * suit + view.top % 13)) & np.uint64(1) != np.uint64(0)
    return held >= 2


@gincore.decision
def throw_last(view: Any, params: Any) -> Any:
    """Throw the card that leaves the least, of equal ones the last in the deck."""
    best = -1
    for card in range(52):
        allowed = (view.legal >> np.uint64(card)) & np.uint64(1) != np.uint64(0)
        if allowed and (best < 0 or view.after[card] <= view.after[best]):
            best = card
    return np.int64(best)


@gincore.decision
def knock_low(view: Any, params: Any) -> Any:
    """Knock with gin, or with at most params[0] points from turn params[1] on, throwing as ``throw_last`` does."""
    if view.knock_deadwood > 0 and (view.knock_deadwood > params[0] or view.turn < params[1]):
        return np.int64(0)
    best = -1
    for card in range(52):
        allowed = (view.knocks >> np.uint64(card)) & np.uint64(1) != np.uint64(0)
        if allowed and (best < 0 or view.after[card] <= view.after[best]):
            best = card
    return np.int64(2 + best)


def player(limit: int, first_turn: int = 0) -> gincore.Strategy:
    """The player of this module as a strategy of the package."""
    return gincore.Strategy(
        f"plain-{limit}-{first_turn}", draw=take_third, discard=throw_last, knock=knock_low,
        params={"limit": limit, "first_turn": first_turn},
    )  # fmt: skip


def knocks(limit: int, first_turn: int = 0) -> Knock:
    """The same knocks in plain Python."""
    return lambda deadwood, turn: deadwood <= limit and turn >= first_turn


@dataclass
class Hand:
    """A hand that is played: the cards of both seats, the pile, the stock, and what is known about the moment."""

    deal: Deal
    house: brute.House
    dead_stock: int = 2
    melds_first: bool = False
    turn: int = 0
    pickups: list[int] = field(default_factory=lambda: [0, 0])

    def __post_init__(self) -> None:
        """Deal."""
        self.hands = [set(self.deal.first), set(self.deal.second)]
        self.pile = [self.deal.upcard]
        self.stock = list(self.deal.stock)

    def play(self, answers: tuple[Knock, Knock], watched: int, watch: Callable[[dict[str, Any]], None]) -> set[int]:
        """Play to the end; return what the watched seat may score: several numbers where spreads are equally good.

        `watch` is told of every legal knock of the watched seat with deadwood, before its answer is asked for.
        """
        seat, taken = self._open()
        while True:
            if not taken:
                self.hands[seat].add(self.stock.pop(0))
            legal = sorted(self.hands[seat] - {taken}, key=brute.DECK.index)
            left = {card: brute.deadwood(frozenset(self.hands[seat] - {card}), self.house) for card in legal}
            least = min(left.values())
            card = [each for each in legal if left[each] == least][-1]
            if least <= self.deal.limit or least == 0:
                if seat == watched and least > 0:
                    options = [each for each in legal if left[each] == least]
                    watch(self._moment(seat, least, options))
                if least == 0 or answers[seat](least, self.turn):
                    return self.score(seat, watched, [card])
            self.hands[seat].remove(card)
            self.pile.append(card)
            self.turn += 1
            seat = 1 - seat
            if len(self.stock) <= self.dead_stock:
                return {0}
            taken = self._take(seat)

    def score(self, seat: int, watched: int, thrown: list[str]) -> set[int]:
        """What the watched seat may score if `seat` goes out throwing one of these cards."""
        found = set()
        for card in thrown:
            mine, theirs = frozenset(self.hands[seat] - {card}), frozenset(self.hands[1 - seat])
            judge = brute.melds_first_outcomes if self.melds_first else brute.strict_outcomes
            found |= {outcome.net * self.deal.multiplier for outcome in judge(mine, theirs, self.house)}
        return found if seat == watched else {-points for points in found}

    def _open(self) -> tuple[int, str]:
        for seat in (0, 1):
            taken = self._take(seat)
            if taken:
                return seat, taken
        return 0, ""

    def _take(self, seat: int) -> str:
        """Take the face-up card and return it, if the seat wants it."""
        top = self.pile[-1]
        if sum(card[0] == top[0] for card in self.hands[seat]) < 2:
            return ""
        self.hands[seat].add(self.pile.pop())
        self.pickups[seat] += 1
        return top

    def _moment(self, seat: int, least: int, options: list[str]) -> dict[str, Any]:
        return {
            "deadwood": least,
            "turn": self.turn,
            "opp_pickups": self.pickups[1 - seat],
            "pickups": self.pickups[seat],
            "stock": len(self.stock),
            "points": self.score(seat, seat, options),
            "own": self.score(seat, seat, options[-1:]),
        }
