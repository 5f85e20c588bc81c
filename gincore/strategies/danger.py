"""How much a card that is thrown may help the opponent."""

from __future__ import annotations

from typing import Any

import numpy as np

from gincore._jit import kernel
from gincore.core.bits import ACES, ZERO, bit, drop_lowest, lowest, pick
from gincore.schema import Ace
from gincore.strategies.choose import allowed
from gincore.strategies.decisions import decision
from gincore.strategies.entry import Entry, Parameter
from gincore.strategies.unseen import held_by_opponent

HIGH_LOW, ROUND = int(Ace.high_low), int(Ace.round)
NOWHERE = np.int64(-1)


@kernel
def rank_at(place, ace):
    """Rank that stands at a place of a suit's line, where -1 is left of the ace and 13 right of the king; -1: none."""
    if 0 <= place < 13:
        return np.int64(place)
    if ace == ROUND:
        return np.int64((place + 13) % 13)
    return np.int64(0) if ace == HIGH_LOW and place == 13 else NOWHERE


@kernel
def at(number, place, ace):
    """The card at a place of the line of suit ``number``, as a mask; empty where the line has ended."""
    rank = rank_at(place, ace)
    return ZERO if rank < 0 else bit(13 * number + rank)


@kernel
def likelihood(one, two, others, gone, taken, refused, taken_weight, refused_weight):
    """Weight of the chance that the opponent holds the cards ``one`` and ``two`` (masks), in combinations.

    0 where one of them is in sight; a card that the opponent took counts ``taken_weight``; where the opponent threw or
    left one of ``others``, with which the two would have been a meld as well, ``refused_weight``.
    """
    if one == ZERO or two == ZERO or (one | two) & gone != ZERO:
        return 0.0
    weight = 1.0
    if one & taken != ZERO:
        weight *= taken_weight
    if two & taken != ZERO:
        weight *= taken_weight
    return weight * refused_weight if others & refused != ZERO else weight


@kernel
def run_danger(number, place, ace, gone, taken, refused, taken_weight, refused_weight):
    """The part of ``danger`` that is in runs of three through a place of the line of suit ``number``."""
    total = 0.0
    for start in range(place - 2, place + 1):  # where the run begins
        one = at(number, start if start < place else place + 1, ace)
        two = at(number, start + 2 if start + 2 > place else place - 1, ace)
        others = at(number, place, ace)
        if start == place - 2:
            others |= at(number, start - 1, ace)
        if start == place:
            others |= at(number, start + 3, ace)
        total += likelihood(one, two, others, gone, taken, refused, taken_weight, refused_weight)
    return total


@kernel
def danger(view, card, taken_weight, refused_weight):
    """How many pairs of cards would make a meld with ``card`` in the opponent's hand, each with its likelihood.

    Six for a card in the middle of a suit of which nothing is known: three pairs of its rank, three of its suit.
    """
    gone, taken, refused = view.hand | view.pile, held_by_opponent(view), view.opp_threw | view.opp_declined
    number, rank, ace, own = card // 13, card % 13, view.ace, bit(card)
    equal = (ACES << np.uint64(rank)) & ~own
    total, left = 0.0, equal
    while left != ZERO:  # the pair of its rank that leaves this card out
        out = bit(lowest(left))
        left = drop_lowest(left)
        pair = equal & ~out
        one = bit(lowest(pair))
        total += likelihood(one, pair & ~one, out | own, gone, taken, refused, taken_weight, refused_weight)
    total += run_danger(number, rank, ace, gone, taken, refused, taken_weight, refused_weight)
    if ace == HIGH_LOW and rank == 0:  # the ace stands right of the king too
        total += run_danger(number, 13, ace, gone, taken, refused, taken_weight, refused_weight)
    return total


@decision
def discard_safely(view: Any, params: Any) -> Any:
    """Throw by the deadwood that is left and, weighted, the chances of the opponent to use the card.

    A chance is a pair of cards that would make a meld with it. None is left where one of the two is in sight; it counts
    taken_weight times for each of the two that the opponent took, and refused_weight times where the opponent threw or
    left a card that the pair would have made a meld with, or this card itself.

    Source: "Discarding in Gin-Rummy. Understanding Safety values" (rubl.com/rules/gin-rummy-discard.html), where a wild
    nine has a value of six and a king one of four; the weights are ours.
    """
    cards = allowed(view)
    best, found = np.inf, ZERO
    while cards != ZERO:
        card = lowest(cards)
        cards = drop_lowest(cards)
        cost = view.after[card] + params[0] * danger(view, card, params[1], params[2])
        if cost < best:
            best, found = cost, ZERO
        if cost == best:
            found |= bit(card)
    return pick(found, view.random)


WEIGHTS = (
    Parameter("danger_weight", 0.25, 0, 10, "points that a chance of the opponent to use the card costs"),
    Parameter("taken_weight", 4, 0, 20, "how many times a chance counts for each of its cards that the opponent took"),
    Parameter("refused_weight", 0.3, 0, 1, "how many times it counts where the opponent refused a card like it"),
)

SAFE = (Entry("discard", "safe", discard_safely, WEIGHTS),)
"""Discard decisions that look at the opponent."""
