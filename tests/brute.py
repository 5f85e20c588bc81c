"""An independent oracle: gin rummy by exhaustive search over plain Python sets.

A card is a text such as ``"Td"``, a meld a frozenset of cards, an arrangement a tuple of pairwise disjoint
melds. Everything is found by listing: all melds of the deck, all families of disjoint melds of a hand, all
sets of cards that can be laid off. No bit tricks, no tables of hands, nothing shared with ``gincore``: the
two meet only in :func:`to_mask` and :func:`from_mask`, which state the numbering ``13 * suit + rank``.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import NamedTuple, Protocol

RANKS = "A23456789TJQK"
SUITS = "cdhs"
VALUES = {rank: min(index + 1, 10) for index, rank in enumerate(RANKS)}
DECK = tuple(rank + suit for suit in SUITS for rank in RANKS)

Cards = frozenset[str]
Arrangement = tuple[Cards, ...]


@dataclass(frozen=True)
class House:
    """The options of a rule set that a showdown depends on, named as in the rules."""

    ace: str = "low"
    ace_points: int = 1
    knock_limit: int = 10
    gin_bonus: int = 25
    undercut_bonus: int = 25
    tie: str = "undercut"


class Outcome(NamedTuple):
    """How a knock ends: who wins, how, for how many points, and both deadwoods after lay-offs."""

    winner: str | None
    kind: str
    points: int
    knocker_deadwood: int
    defender_deadwood: int

    @property
    def net(self) -> int:
        """Points seen from the knocker."""
        return {"knocker": self.points, "defender": -self.points, None: 0}[self.winner]


def cards(text: str) -> Cards:
    """Read a hand such as ``"As Td 3h"``; a card named twice is refused."""
    names = text.split()
    hand = frozenset(names)
    assert len(hand) == len(names), f"a card is named twice: {text}"
    assert hand <= frozenset(DECK), f"no such card: {text}"
    return hand


def to_mask(hand: Iterable[str]) -> int:
    """Cards as one integer, bit ``13 * suit + rank``."""
    return sum(1 << (13 * SUITS.index(card[1]) + RANKS.index(card[0])) for card in hand)


def from_mask(mask: int) -> Cards:
    """Cards of an integer, see :func:`to_mask`."""
    return frozenset(card for position, card in enumerate(DECK) if mask >> position & 1)


def points(hand: Iterable[str], ace_points: int = 1) -> int:
    """Deadwood points of cards that lie loose."""
    return sum(ace_points if card[0] == "A" else VALUES[card[0]] for card in hand)


@cache
def all_melds(ace: str = "low") -> frozenset[Cards]:
    """Every meld of a deck: sets of three or four, runs of three or more."""
    circle = {"low": RANKS, "high_low": RANKS + "A", "round": RANKS + RANKS}[ace]
    melds = {frozenset(r + s for s in some) for r in RANKS for size in (3, 4) for some in combinations(SUITS, size)}
    for suit in SUITS:
        for start in range(len(circle)):
            for stop in range(start + 3, len(circle) + 1):
                ranks = circle[start:stop]
                if len(set(ranks)) == len(ranks):
                    melds.add(frozenset(rank + suit for rank in ranks))
    return frozenset(melds)


@cache
def melds_from(ace: str) -> dict[str, list[Cards]]:
    """Every meld of a deck, listed under the first of its cards in alphabetical order."""
    melds = sorted(all_melds(ace), key=sorted)
    return {card: [meld for meld in melds if min(meld) == card] for card in DECK}


def melds_in(hand: Cards, ace: str = "low") -> list[Cards]:
    """Return the melds that a hand contains, overlapping ones too."""
    return [meld for card in sorted(hand) for meld in melds_from(ace)[card] if meld <= hand]


def families(melds: list[Cards]) -> Iterator[Arrangement]:
    """Every family of pairwise disjoint melds, the empty one included: each meld is in or out."""
    if not melds:
        yield ()
        return
    first, rest = melds[0], melds[1:]
    yield from families(rest)
    for family in families([meld for meld in rest if not meld & first]):
        yield (first, *family)


def loose(hand: Cards, family: Arrangement) -> Cards:
    """Return the cards of a hand that an arrangement leaves over."""
    return hand.difference(*family)


def deadwood(hand: Cards, house: House) -> int:
    """Least points that any arrangement of exactly these cards leaves."""
    return min(points(loose(hand, f), house.ace_points) for f in families(melds_in(hand, house.ace)))


def deadwood_after_discard(hand: Cards, house: House) -> int:
    """Least deadwood of an eleven-card hand after throwing some card: every discard is tried."""
    return min(deadwood(hand - {card}, house) for card in hand)


def arrangements(hand: Cards, house: House) -> list[Arrangement]:
    """Return all arrangements of exactly these cards that leave the least deadwood."""
    found = [(points(loose(hand, f), house.ace_points), f) for f in families(melds_in(hand, house.ace))]
    least = min(value for value, _ in found)
    return [family for value, family in found if value == least]


def lay_off_ends(table: Arrangement, hand: Cards, ace: str) -> dict[Cards, bool]:
    """Return each set of cards of ``hand`` that can be laid off on ``table``, and whether no further card fits then."""
    melds = all_melds(ace)
    ends: dict[Cards, bool] = {}
    seen: set[tuple[frozenset[Cards], Cards]] = set()
    stack: list[tuple[frozenset[Cards], Cards]] = [(frozenset(table), frozenset())]
    while stack:
        state = stack.pop()
        if state in seen:
            continue
        seen.add(state)
        laid, gone = state
        moves = [
            (laid - {meld} | {meld | {card}}, gone | {card})
            for card in hand - gone
            for meld in laid
            if meld | {card} in melds
        ]
        ends[gone] = ends.get(gone, False) or not moves
        stack.extend(moves)
    return ends


def score(knocker: int, defender: int, house: House) -> Outcome:
    """Score a knock from the two deadwoods after lay-offs; 0 of the knocker is gin."""
    if knocker == 0:
        return Outcome("knocker", "gin", house.gin_bonus + defender, knocker, defender)
    if knocker < defender:
        return Outcome("knocker", "knock", defender - knocker, knocker, defender)
    if knocker == defender and house.tie == "knocker":
        return Outcome("knocker", "knock", 0, knocker, defender)
    if knocker == defender and house.tie == "nothing":
        return Outcome(None, "knock", 0, knocker, defender)
    return Outcome("defender", "undercut", house.undercut_bonus + knocker - defender, knocker, defender)


def answer(table: Arrangement, defender: Cards, house: House) -> int:
    """Defender's least deadwood against melds on the table: any lay-offs, then any own melds."""
    ends = lay_off_ends(table, defender, house.ace)
    return min(deadwood(defender - gone, house) for gone in ends)


def outcome(family: Arrangement, knocker: Cards, defender: Cards, house: House) -> Outcome:
    """Score a knock with this arrangement against the best answer; there are no lay-offs on gin."""
    left = points(loose(knocker, family), house.ace_points)
    return score(left, deadwood(defender, house) if left == 0 else answer(family, defender, house), house)


def strict_outcomes(knocker: Cards, defender: Cards, house: House) -> set[Outcome]:
    """Outcomes of every minimum arrangement of the knocker."""
    return {outcome(family, knocker, defender, house) for family in arrangements(knocker, house)}


def free_outcomes(knocker: Cards, defender: Cards, house: House) -> set[Outcome]:
    """Outcomes of every arrangement of the knocker within the knock limit."""
    found = set()
    for family in families(melds_in(knocker, house.ace)):
        if points(loose(knocker, family), house.ace_points) <= house.knock_limit:
            found.add(outcome(family, knocker, defender, house))
    return found


def melds_first_outcomes(knocker: Cards, defender: Cards, house: House) -> set[Outcome]:
    """Outcomes when both lay some minimum arrangement and loose cards then go in some order, until none fits."""
    found = set()
    for family in arrangements(knocker, house):
        left = points(loose(knocker, family), house.ace_points)
        for own in arrangements(defender, house):
            rest = loose(defender, own)
            if left == 0:
                found.add(score(0, points(rest, house.ace_points), house))
                continue
            for gone, final in lay_off_ends(family, rest, house.ace).items():
                if final:
                    found.add(score(left, points(rest - gone, house.ace_points), house))
    return found


def best(outcomes: set[Outcome]) -> Outcome:
    """Return the outcome that the knocker prefers: most points, then the lower own deadwood."""
    return max(outcomes, key=lambda o: (o.net, -o.knocker_deadwood))


class Table(Protocol):
    """What a showdown says was laid down: masks of melds and of cards laid off, and both deadwoods."""

    knocker_melds: tuple[int, ...]
    defender_melds: tuple[int, ...]
    laid_off: int
    knocker_deadwood: int
    defender_deadwood: int


def check_table(showdown: Table, knocker: Cards, defender: Cards, house: House) -> None:
    """Assert that what was laid down is possible and leaves the deadwood that is claimed."""
    laid = tuple(from_mask(int(meld)) for meld in showdown.knocker_melds)
    own = tuple(from_mask(int(meld)) for meld in showdown.defender_melds)
    gone = from_mask(int(showdown.laid_off))
    for hand, family in ((knocker, laid), (defender, own)):
        melded = frozenset[str]().union(*family)
        assert set(family) <= all_melds(house.ace), f"no melds: {family}"
        assert melded <= hand, f"not held: {sorted(melded - hand)}"
        assert len(melded) == sum(map(len, family)), f"a card lies in two melds: {family}"
    assert gone <= loose(defender, own), f"laid off but not loose: {sorted(gone)}"
    assert gone in lay_off_ends(laid, defender, house.ace), f"cannot be laid off on {laid}: {sorted(gone)}"
    assert not gone or showdown.knocker_deadwood, f"laid off on gin: {sorted(gone)}"
    assert points(loose(knocker, laid), house.ace_points) == showdown.knocker_deadwood
    assert points(loose(defender, own) - gone, house.ace_points) == showdown.defender_deadwood


# ---------------------------------------------------------------- hands to try


def uniform_hand(rng: random.Random, size: int, house: House) -> Cards:
    """Cards dealt uniformly from a whole deck."""
    return frozenset(rng.sample(DECK, size))


def dense_hand(rng: random.Random, size: int, house: House) -> Cards:
    """Cards of four to seven neighbouring ranks, around the corner too, in all suits: their melds cross."""
    start, width = rng.randrange(13), rng.choice((4, 5, 6, 7))
    ranks = {RANKS[(start + step) % 13] for step in range(width)}
    return frozenset(rng.sample([card for card in DECK if card[0] in ranks], size))


def built_hand(rng: random.Random, size: int, house: House) -> Cards:
    """Return two or three random disjoint melds, filled up at random, often with low cards."""
    melds = [meld for listed in melds_from(house.ace).values() for meld in listed if len(meld) <= 5]
    hand: Cards = frozenset()
    melded = rng.choice((6, 7, 8, 9, size))
    while len(hand) < min(melded, size - 2):
        meld = rng.choice(melds)
        if not meld & hand and len(hand | meld) <= size:
            hand |= meld
    rest = sorted(frozenset(DECK) - hand, key=lambda card: (points([card], house.ace_points), card))
    return hand | frozenset(rng.sample(rest[: rng.choice((12, len(rest)))], size - len(hand)))


def crossing_hand(rng: random.Random, house: House) -> Cards:
    """Eight or nine cards of three or four neighbouring ranks, with low cards: often with several best arrangements."""
    start, width = rng.randrange(13), rng.choice((3, 4))
    ranks = {RANKS[(start + step) % 13] for step in range(width)}
    hand = frozenset(rng.sample([card for card in DECK if card[0] in ranks], rng.choice((8, 9))))
    low = [card for card in DECK if card not in hand and points([card], house.ace_points) <= 6]
    return hand | frozenset(rng.sample(low, 10 - len(hand)))


def knocking_pair(rng: random.Random, house: House) -> tuple[Cards, Cards]:
    """Return a knocker within the limit and a defender of cards that touch the knocker's hand, often a good one."""
    style = rng.choices(("built", "crossing", "tied"), (4, 5, 1))[0]
    while True:
        hand = built_hand(rng, 10, house) if style == "built" else crossing_hand(rng, house)
        left = deadwood(hand, house)
        if left > house.knock_limit or (style == "tied" and (left == 0 or len(arrangements(hand, house)) == 1)):
            continue
        near = [card for card in DECK if card not in hand and touches(card, hand)]
        if len(near) < 10 or rng.random() < 0.2:
            near = [card for card in DECK if card not in hand]
        defenders = [frozenset(rng.sample(near, 10)) for _ in range(rng.choice((1, 10, 30)))]
        return hand, min(defenders, key=lambda other: deadwood(other, house))


def touches(card: str, hand: Cards) -> bool:
    """Whether a card has the rank of a card of the hand, or lies within two ranks of one of its suit."""
    place = RANKS.index(card[0])
    for other in hand:
        distance = abs(place - RANKS.index(other[0]))
        if other[0] == card[0] or (other[1] == card[1] and min(distance, 13 - distance) <= 2):
            return True
    return False
