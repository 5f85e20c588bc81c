"""Which card to throw, by the own hand as it lies."""

from __future__ import annotations

from typing import Any

import numpy as np

from gincore._jit import kernel
from gincore.core.bits import ZERO, bit, drop_lowest, lowest, pick
from gincore.core.deadwood import meldable
from gincore.strategies.choose import allowed, least_among, least_not_repeated
from gincore.strategies.decisions import decision
from gincore.strategies.draws import points_of
from gincore.strategies.entry import Entry, Parameter


@kernel
def highest_rank(cards):
    """Those of the cards that have the highest rank."""
    best = np.int64(-1)
    found = ZERO
    while cards != ZERO:
        card = lowest(cards)
        cards = drop_lowest(cards)
        if card % 13 > best:
            best = card % 13
            found = ZERO
        if card % 13 == best:
            found |= bit(card)
    return found


@kernel
def dearest(cards, ace_points):
    """Those of the cards that have the most points."""
    best = np.int64(-1)
    found = ZERO
    while cards != ZERO:
        card = lowest(cards)
        cards = drop_lowest(cards)
        points = points_of(card, ace_points)
        if points > best:
            best = points
            found = ZERO
        if points == best:
            found |= bit(card)
    return found


@kernel
def with_a_partner(hand):
    """Cards that have another of their rank in the hand, or a neighbour of their suit at most two ranks away.

    The ends of a suit are not joined, whatever the rules say of the ace.
    """
    found = ZERO
    left = hand
    while left != ZERO:
        card = lowest(left)
        left = drop_lowest(left)
        others = left
        while others != ZERO:
            other = lowest(others)
            others = drop_lowest(others)
            near = other // 13 == card // 13 and other - card <= 2
            if near or other % 13 == card % 13:
                found |= bit(card) | bit(other)
    return found


@decision
def discard_least(view: Any, params: Any) -> Any:
    """Throw one of the cards that leave the least deadwood, at random.

    Source: T. W. Neller, "Gin Rummy EAAI Undergraduate Research Challenge", EAAI 2021: SimpleGinRummyPlayer, which
    never repeats a draw-and-discard pair of the hand either.
    """
    return least_not_repeated(view)


@decision
def discard_highest(view: Any, params: Any) -> Any:
    """Throw the card with the most points of those that lie in no meld, kings before queens before jacks.

    Source: "throw the big cards early", the sixth of Rubl's gin rummy tips (rubl.com/rules/gin-rummy-tips.html). A king
    goes first because it has the fewest neighbours.
    """
    cards = allowed(view)
    loose = cards & ~meldable(view.hand, view.ace)
    if loose == ZERO:
        return pick(least_among(view, cards), view.random)
    return pick(highest_rank(dearest(loose, view.ace_points)), view.random)


@decision
def discard_lone(view: Any, params: Any) -> Any:
    """Until turn pairs_until throw the card with the most points of those that have no partner; then the least.

    A partner is a card of the same rank, or one of the same suit at most two ranks away: pairs and triangles are kept,
    high ones too. Where every card has one, and from turn pairs_until on, a card that leaves the least deadwood goes.

    Source: "form triangles in your hand", the second of Rubl's gin rummy tips (rubl.com/rules/gin-rummy-tips.html), and
    the sixth: a high triangle that is not filled in time is thrown. It says six or seven draws; the default is what won
    most games against ``simple``.
    """
    cards = allowed(view)
    lone = cards & ~with_a_partner(view.hand)
    if lone == ZERO or view.turn >= params[0]:
        return pick(least_among(view, cards), view.random)
    return pick(dearest(lone, view.ace_points), view.random)


@decision
def discard_at_random(view: Any, params: Any) -> Any:
    """Throw any legal card.

    Source: the random player of every game toolkit: a yardstick for hand lengths and a tester of rules.
    """
    return pick(view.legal, view.random)


DISCARDS = (
    Entry("discard", "least", discard_least),
    Entry("discard", "highest", discard_highest),
    Entry(
        "discard",
        "keep-pairs",
        discard_lone,
        (Parameter("pairs_until", 4, 0, 400, "completed turns of both players from which pairs are kept no more"),),
    ),
    Entry("discard", "random", discard_at_random),
)
"""Discard decisions that look at the own hand as it lies."""
