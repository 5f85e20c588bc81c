"""Which card to throw, by what the next card of the stock may do for the ten that are kept."""

from __future__ import annotations

from typing import Any

import numpy as np

from gincore._jit import kernel
from gincore.core.bits import ACES, ZERO, bit, count, drop_lowest, lowest, pick, suit
from gincore.core.deadwood import least, least_throwing, makes_meld
from gincore.core.tables import block
from gincore.strategies.choose import allowed
from gincore.strategies.danger import WEIGHTS, danger
from gincore.strategies.decisions import decision
from gincore.strategies.draws import points_of
from gincore.strategies.entry import Entry, Parameter
from gincore.strategies.unseen import unseen


@kernel
def touching(hand):
    """Cards that may lie in a meld with cards of the hand, and some more where king and ace are not joined."""
    clubs, diamonds, hearts, spades = suit(hand, 0), suit(hand, 1), suit(hand, 2), suit(hand, 3)
    pairs = (clubs & (diamonds | hearts | spades)) | (diamonds & (hearts | spades)) | (hearts & spades)
    found = ZERO
    for number in range(4):
        ranks = suit(hand, number)
        below, above = ranks << 1 | ranks >> 12, ranks >> 1 | ranks << 12  # a neighbour that is one rank lower, higher
        ends = (below & (ranks << 2 | ranks >> 11)) | (above & (ranks >> 2 | ranks << 11))
        found |= np.uint64((ends | (below & above) | pairs) & 0x1FFF) << np.uint64(13 * number)
    return found


@kernel
def total_after_draw(hand, cards, place, ace_points):
    """Sum over ``cards`` of the least deadwood of ``hand`` once that card is drawn and the best one thrown.

    A card that makes no meld stays loose: it is thrown, or the best other card is thrown and its points are added. So
    only those that touch the hand are laid out one by one.
    """
    near = cards & touching(hand)
    kept, other, total = least(hand, place), least_throwing(hand, place), np.int64(0)
    for rank in range(13):
        far = count(cards & ~near & (ACES << np.uint64(rank)))
        total += far * min(kept, other + points_of(rank, ace_points))
    while near != ZERO:
        total += least_throwing(hand | bit(lowest(near)), place)
        near = drop_lowest(near)
    return total


@kernel
def outs(hand, cards, ace):
    """How many of ``cards`` would lie in a meld together with cards of ``hand``."""
    cards &= touching(hand)
    found = np.int64(0)
    while cards != ZERO:
        found += np.int64(makes_meld(hand, lowest(cards), ace))
        cards = drop_lowest(cards)
    return found


@decision
def discard_by_lookahead(view: Any, params: Any) -> Any:
    """Throw the card that leaves the least deadwood to be expected after the next draw from the stock.

    The mean is over all cards that may be in the stock; after each of them the best card is thrown. Equals are chosen
    from at random.

    Source: forward search of depth one, the best of the planners that A. Vento and S. Rahman compare in "Online
    Planning Strategies for Gin Rummy" (Stanford University).
    """
    return _look(view, 0.0, 1.0, 1.0)


@decision
def discard_by_careful_lookahead(view: Any, params: Any) -> Any:
    """Throw by the deadwood expected after the next draw and, weighted, the chances of the opponent to use the card.

    Source: A. Ahmed et al., "A Heuristic Evaluation Function for Hand Strength Estimation in Gin Rummy", AAAI-21: the
    use of what is kept, less the likelihood that the opponent can use what is thrown.
    """
    return _look(view, params[0], params[1], params[2])


@kernel
def _look(view, danger_weight, taken_weight, refused_weight):
    """Least sum of expected deadwood and weighted danger; see ``danger.danger``."""
    cards = allowed(view)
    hopes, place = unseen(view), block(view.ace, view.ace_points)
    size = max(count(hopes), 1)
    best, found = np.inf, ZERO
    while cards != ZERO:
        card = lowest(cards)
        cards = drop_lowest(cards)
        cost = total_after_draw(view.hand ^ bit(card), hopes, place, view.ace_points) / size
        if danger_weight != 0.0:
            cost += danger_weight * danger(view, card, taken_weight, refused_weight)
        if cost < best:
            best, found = cost, ZERO
        if cost == best:
            found |= bit(card)
    return pick(found, view.random)


@decision
def discard_for_outs(view: Any, params: Any) -> Any:
    """Throw the card that leaves the least deadwood, where each live out counts as out_points less.

    A live out is a card that may be in the stock and would lie in a meld with the ten cards that are kept.

    Source: "memorize the cards that have been discarded to know the chances of completing sets and runs"
    (onlinerummy.co.uk/rummy-strategies/gin-rummy).
    """
    cards, hopes = allowed(view), unseen(view)
    best, found = np.inf, ZERO
    while cards != ZERO:
        card = lowest(cards)
        cards = drop_lowest(cards)
        cost = view.after[card] - params[0] * outs(view.hand ^ bit(card), hopes, view.ace)
        if cost < best:
            best, found = cost, ZERO
        if cost == best:
            found |= bit(card)
    return pick(found, view.random)


AHEAD = (
    Entry("discard", "lookahead", discard_by_lookahead),
    Entry("discard", "lookahead-safe", discard_by_careful_lookahead, WEIGHTS),
    Entry(
        "discard",
        "outs",
        discard_for_outs,
        (Parameter("out_points", 1, 0, 20, "points of deadwood that a live out makes up for"),),
    ),
)
"""Discard decisions that look ahead."""
