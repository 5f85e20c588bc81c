"""Choices that several decisions share; call them from your own decisions too."""

from __future__ import annotations

import numpy as np

from gincore._jit import kernel
from gincore.core.bits import ZERO, bit, count, drop_lowest, lowest, pick
from gincore.core.deadwood import makes_meld
from gincore.core.rng import chance

__all__ = [
    "allowed",
    "bit",
    "chance",
    "count",
    "drop_lowest",
    "knock_least_not_repeated",
    "least_among",
    "least_not_repeated",
    "lowest",
    "makes_meld",
    "pick",
]


@kernel
def allowed(view):
    """The cards that may be thrown without repeating a draw-and-discard pair; ``view.legal`` if there is none."""
    cards = view.legal & ~view.repeats
    return view.legal if cards == ZERO else cards


@kernel
def least_among(view, cards):
    """Those of ``cards`` whose discard leaves the least deadwood."""
    best = np.int64(32767)
    least = ZERO
    while cards != ZERO:
        card = lowest(cards)
        cards = drop_lowest(cards)
        points = np.int64(view.after[card])
        if points < best:
            best = points
            least = ZERO
        if points == best:
            least |= bit(card)
    return least


@kernel
def least_not_repeated(view):
    """A card that leaves the least deadwood, at random among equals, never repeating a draw-and-discard pair.

    If every legal card would repeat one, the rule is dropped.
    """
    cards = view.least & ~view.repeats
    if cards == ZERO:
        cards = least_among(view, allowed(view))
    return pick(cards, view.random)


@kernel
def knock_least_not_repeated(view):
    """Answer of a ``knock`` decision: go out with the least deadwood, never repeating a draw-and-discard pair.

    Play on (0) where the only cards to go out with repeat one.
    """
    cards = view.knock_least & ~view.repeats
    if cards == ZERO:
        cards = view.knocks & ~view.repeats
        if cards == ZERO:
            return np.int64(0)
        cards = least_among(view, cards)
    return 2 + pick(cards, view.random)
