"""What questions read off dealt hands and the courses of hands, as quantities with their errors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gincore import evaluate
from gincore.analysis.questions_quantity import Floats, Quantity, by_unit, ratio
from gincore.errors import UsageError

Masks = NDArray[np.uint64]
RANKS: Final = 13
SUITS: Final = 4
SUIT: Final = np.uint64((1 << RANKS) - 1)
STOCK: Final = 31
"""Cards of the stock after the deal."""


@dataclass(frozen=True)
class Courses:
    """Hands with the cards dealt and the course of play, the deals numbered from 0.

    Attributes
    ----------
    rows : ndarray of ``schema.HAND_DTYPE``
    dealt : ndarray of uint64, shape (hands, 2)
        Cards dealt to player 0 and 1.
    drawn, thrown : ndarray of int8, shape (hands, turns)
        Cards of each turn, -1: none.
    opened : ndarray of int8
        Player of the first turn.
    units
        Deals, the independent units.
    """

    rows: NDArray[Any]
    dealt: Masks
    drawn: NDArray[np.int8]
    thrown: NDArray[np.int8]
    opened: NDArray[np.int8]
    units: int

    @cached_property
    def hands(self) -> Masks:
        """All dealt hands, those of player 0, then those of player 1."""
        return self.dealt.T.reshape(-1)

    @cached_property
    def deals(self) -> NDArray[np.int64]:
        """Deal of every dealt hand."""
        return np.tile(self.rows["deal"].astype(np.int64), 2)

    @cached_property
    def deadwood(self) -> NDArray[np.int64]:
        """Deadwood of every dealt hand."""
        return evaluate.deadwood(self.hands).astype(np.int64)

    @cached_property
    def net(self) -> Floats:
        """Net points of every dealt hand."""
        net = self.rows["points_0"].astype(np.float64) - self.rows["points_1"]
        return np.concatenate([net, -net])

    @cached_property
    def ranks(self) -> RankFit:
        """What a card of each rank in the dealt hand is worth at equal deadwood."""
        return fit_ranks(self, self.deadwood)

    @cached_property
    def free_ranks(self) -> RankFit:
        """The same where deadwood is not held equal."""
        return fit_ranks(self, np.zeros_like(self.deadwood))

    def after_each_turn(self) -> Iterator[tuple[int, NDArray[np.bool_], Masks]]:
        """Walk through the turns: number, which hands had it, and all hands of both players after it."""
        held = self.dealt.copy()
        for turn in range(self.drawn.shape[1]):
            had = self.rows["turns"] > turn
            if not had.any():
                return
            place = np.flatnonzero(had)
            player = (self.opened[place] + turn) % 2
            held[place, player] = (held[place, player] | _bit(self.drawn[place, turn])) & ~_bit(
                self.thrown[place, turn]
            )
            yield turn, had, held


@dataclass(frozen=True)
class RankFit:
    """A least-squares fit of the net points of dealt hands to their cards of each rank, within levels.

    Attributes
    ----------
    slopes : ndarray of float64, shape (13,)
        Points that a card of each rank is worth.
    inverse : ndarray of float64, shape (13, 13)
        (Pseudo-)inverse of the cards' cross products.
    cards : ndarray of int8, shape (13, hands)
        Cards of each rank.
    means : ndarray of float64, shape (13, levels)
        Their means in each level.
    level : ndarray of int64, shape (hands,)
    left : ndarray of float64, shape (hands,)
        Points that the fit leaves unexplained.
    """

    slopes: Floats
    inverse: Floats
    cards: NDArray[np.int8]
    means: Floats
    level: NDArray[np.int64]
    left: Floats

    def pulls(self, weights: Floats) -> Floats:
        """Return by how much each hand pulls the contrast with such weights of the ranks, before it is scaled."""
        along = self.inverse @ weights
        inner = np.zeros(len(self.level))
        for rank in np.flatnonzero(along):
            inner += along[rank] * self.cards[rank]
        return np.asarray((inner - (along @ self.means)[self.level]) * self.left, np.float64)


def fit_ranks(courses: Courses, level: NDArray[np.int64]) -> RankFit:
    """Fit net points to cards of each rank within levels: rank by rank, as all in doubles would fill the memory."""
    cards = np.stack([_count(courses.hands & _rank(rank)).astype(np.int8) for rank in range(RANKS)])
    counts = np.maximum(np.bincount(level), 1)
    means = np.stack([np.bincount(level, each) / counts for each in cards])
    net = within(courses.net[:, None], level)[:, 0]
    products = np.array([[float(one.astype(np.int32) @ other) for other in cards] for one in cards])
    products -= (means * np.bincount(level)) @ means.T
    inverse = np.linalg.pinv(products)
    slopes = inverse @ np.array([float(each @ net) for each in cards])
    left = net.copy()
    for rank, slope in enumerate(slopes):
        left -= slope * (cards[rank] - means[rank][level])
    return RankFit(slopes, inverse, cards, means, level, left)


def rank_value(courses: Courses, weights: dict[int, float], *, equal: bool = True) -> Quantity:
    """Return a contrast of ranks in points, weights that add up to 0; ``equal`` holds the deadwood of hands equal.

    Both dealt hands of a deal count, each with its own net points: both players are to be of one kind.
    """
    if abs(sum(weights.values())) > 1e-9:
        raise UsageError("weights of ranks must add up to 0: only differences between ranks have a value")
    fit = courses.ranks if equal else courses.free_ranks
    each = np.zeros(RANKS)
    for rank, weight in weights.items():
        each[rank] = weight
    pulls = by_unit(courses.deals, courses.units, fit.pulls(each)) * courses.units
    return Quantity(float(each @ fit.slopes), pulls, courses.units)


def kind_value(courses: Courses, one: str, other: str) -> Quantity:
    """Return what dealt hands of one kind win more than those of another at equal deadwood, in points a hand.

    Kinds are ``run-4`` (one run of four, no pair among the rest), ``run-3-pair`` (one run of three and a pair), ``run``
    and ``set`` (one meld of three). Nothing else in the hand is melded. Both dealt hands of a deal count.
    """
    kinds = hand_kinds(courses.hands)
    is_one, chosen = kinds[one], kinds[one] | kinds[other]
    level = courses.deadwood[chosen]
    x, y = within(is_one[chosen, None].astype(np.float64), level)[:, 0], within(courses.net[chosen, None], level)[:, 0]
    square = float(x @ x)
    units = courses.deals[chosen]
    seen = len(np.unique(units))
    if square <= 0:
        return Quantity(np.nan, np.zeros(courses.units), seen)
    slope = float(x @ y) / square
    return Quantity(slope, by_unit(units, courses.units, x * (y - x * slope)) * courses.units / square, seen)


def hand_kinds(hands: Masks) -> dict[str, NDArray[np.bool_]]:
    """Say of ten-card hands which of the kinds of :func:`kind_value` they are."""
    runs = np.zeros_like(hands)
    for suit in range(SUITS):
        cards = (hands >> np.uint64(RANKS * suit)) & SUIT
        starts = cards & (cards >> np.uint64(1)) & (cards >> np.uint64(2))
        covered = starts | (starts << np.uint64(1)) | (starts << np.uint64(2))
        runs |= covered << np.uint64(RANKS * suit)
    loose = hands & ~runs
    sets = np.zeros(len(hands), np.int64)
    pairs = np.zeros(len(hands), np.int64)
    for rank in range(RANKS):
        sets += _count(hands & _rank(rank)) == 3
        sets += 9 * (_count(hands & _rank(rank)) == 4)
        pairs += _count(loose & _rank(rank)) == 2
    length = _count(runs)
    return {
        "run-4": (length == 4) & (sets == 0) & (pairs == 0),
        "run-3-pair": (length == 3) & (sets == 0) & (pairs > 0),
        "run": (length == 3) & (sets == 0),
        "set": (length == 0) & (sets == 1),
    }


def within(values: Floats, group: NDArray[np.int64]) -> Floats:
    """Subtract from every row the mean of its group."""
    counts = np.maximum(np.bincount(group), 1)
    means = np.stack([np.bincount(group, column) / counts for column in values.T], axis=1)
    return np.asarray(values - means[group], np.float64)


def melds_after_throw(courses: Courses, rank: int, turns: int, *, threw: bool, least: int = 3) -> Quantity:
    """Share of players who end with cards of a rank, or a run through a card of it, after they threw that card.

    Parameters
    ----------
    courses
        Hands with their courses.
    rank
        0 .. 12; each suit is an observation.
    turns
        Only throws in the first turns (both players counted) are looked at.
    threw
        Those who threw the card; else those who did not.
    least
        So many cards of the rank count: 3 for a set, 2 for what may become one.
    """
    last = courses.dealt
    for _, _, held in courses.after_each_turn():
        last = held
    whole = courses.rows["turns"] <= courses.drawn.shape[1]
    top, bottom = np.zeros(courses.units), np.zeros(courses.units)
    for player in range(2):
        mine = (courses.opened[:, None] + np.arange(turns)) % 2 == player
        final = last[:, player]
        has_set = _count(final & _rank(rank)) >= least
        for suit in range(SUITS):
            card = RANKS * suit + rank
            early = np.any((courses.thrown[:, :turns] == card) & mine, axis=1)
            chosen = whole & (early if threw else ~early)
            units = courses.rows["deal"][chosen]
            event = has_set | _in_run(final, card)
            top += by_unit(units, courses.units, event[chosen])
            bottom += by_unit(units, courses.units)
    return ratio(top, bottom)


def _in_run(hands: Masks, card: int) -> NDArray[np.bool_]:
    """Whether a card lies in a run of three in each hand."""
    rank, found = card % RANKS, np.zeros(len(hands), np.bool_)
    for start in range(max(rank - 2, 0), min(rank, RANKS - 3) + 1):
        run = np.uint64(0b111 << (card - rank + start))
        found |= (hands & run) == run
    return found


def late_wins(courses: Courses, stock: int, *, one_away: bool) -> Quantity:
    """Share of hands won by players who were, or were not, one card from gin when so few cards were left in the stock.

    The moment is the first turn after which the stock has at most `stock` cards. One card away: some card of the pack
    would make all ten cards melds.
    """
    left = np.full(len(courses.rows), STOCK)
    top, bottom = np.zeros(courses.units), np.zeros(courses.units)
    waiting = np.ones(len(courses.rows), np.bool_)
    for turn, had, held in courses.after_each_turn():
        from_pile = (
            courses.drawn[:, turn] == courses.thrown[:, turn - 1] if turn else courses.rows["upcard_taken_by"] >= 0
        )
        left = left - (had & ~from_pile)
        now = np.flatnonzero(waiting & had & (left <= stock) & (courses.rows["turns"] > turn + 1))
        waiting &= left > stock
        for player in range(2):
            chosen = now[one_card_away(held[now, player]) == one_away]
            units = courses.rows["deal"][chosen]
            top += by_unit(units, courses.units, courses.rows["winner"][chosen] == player)
            bottom += by_unit(units, courses.units)
    return ratio(top, bottom)


def one_card_away(hands: Masks) -> NDArray[np.bool_]:
    """Whether one more card would make gin of ten cards."""
    found = np.zeros(len(hands), np.bool_)
    for card in range(RANKS * SUITS):
        bit = np.uint64(1 << card)
        free = (hands & bit == 0) & ~found
        if free.any():
            found[free] = evaluate.deadwood(hands[free] | bit) == 0
    return found


def both_low(courses: Courses, points: int) -> Quantity:
    """Share of hands in which both players held at most so many points at the same time, and played on."""
    low = np.zeros(len(courses.rows), np.bool_)
    for turn, had, held in courses.after_each_turn():
        place = np.flatnonzero(had & ~low & (courses.rows["turns"] > turn + 1))
        if not len(place):
            continue
        least = evaluate.deadwood(held[place])
        low[place[(least <= points).all(axis=1)]] = True
    return ratio(by_unit(courses.rows["deal"], courses.units, low), by_unit(courses.rows["deal"], courses.units))


def _bit(cards: NDArray[np.int8]) -> Masks:
    """Return the masks of cards, 0 for -1."""
    return np.where(cards >= 0, np.uint64(1) << np.maximum(cards, 0).astype(np.uint64), np.uint64(0))


def _rank(rank: int) -> np.uint64:
    return np.uint64(sum(1 << (RANKS * suit + rank) for suit in range(SUITS)))


def _count(masks: Masks) -> NDArray[np.int64]:
    return np.bitwise_count(masks).astype(np.int64)
