"""Whether to take the top of the discard pile."""

from __future__ import annotations

from typing import Any

import numpy as np

from gincore._jit import kernel
from gincore.core.bits import bit
from gincore.core.deadwood import least_throwing, makes_meld
from gincore.core.rng import chance
from gincore.core.tables import block, suit_points
from gincore.schema import Phase
from gincore.strategies.decisions import decision
from gincore.strategies.entry import Entry, Parameter

UPCARD = int(Phase.upcard)


@kernel
def gain_of_top(view):
    """Points by which the top card lowers the least deadwood, once the best card is thrown for it; 0 or more."""
    return view.deadwood - least_throwing(view.hand | bit(view.top), block(view.ace, view.ace_points))


@kernel
def points_of(card, ace_points):
    """Deadwood points of a card."""
    return suit_points(ace_points, 1 << (card % 13))


@decision
def draw_for_meld(view: Any, params: Any) -> Any:
    """Take the top card only if it would be part of a meld of the new hand.

    Source: T. W. Neller, "Gin Rummy EAAI Undergraduate Research Challenge", EAAI 2021: SimpleGinRummyPlayer. Guides
    agree: "don't pick up strays", the fourth of GamesGrid's ten strategies (dqsoft.com/news/0809.html).
    """
    return makes_meld(view.hand, view.top, view.ace)


@decision
def draw_to_improve(view: Any, params: Any) -> Any:
    """Take the top card if it lowers the least deadwood by draw_gain points or more, once the best card is thrown.

    Source: the "improvement" that a pick-up must bring, and its least size (minPickupDifference), in players made for
    the EAAI-21 challenge (github.com/bendstein/Gin-Rummy).
    """
    return gain_of_top(view) >= params[0]


@decision
def draw_eagerly(view: Any, params: Any) -> Any:
    """Take the top card whenever it lowers the least deadwood at all, or makes or extends a meld.

    Source: the contrary of "draw from the discard pile only for melds", the third tip of Rubl's gin rummy tips
    (rubl.com/rules/gin-rummy-tips.html); it is what the advice is to be measured against.
    """
    return gain_of_top(view) > 0 or makes_meld(view.hand, view.top, view.ace)


@decision
def draw_as_a_bluff(view: Any, params: Any) -> Any:
    """Take the top card for a meld; the first upcard also without one, now and then, if it has few points.

    Source: "Gin Rummy Tips - Taking the Top Discard" (yimmaw.com/blog): on a new deal take the upcard, needed or not,
    and the opponent holds back what would go with it. It is not meant for every deal: bluff_share is how often.
    """
    if makes_meld(view.hand, view.top, view.ace):
        return True
    if view.phase != UPCARD or points_of(view.top, view.ace_points) > params[1]:
        return False
    return chance(view.random) < params[0]


@decision
def draw_never(view: Any, params: Any) -> Any:
    """Leave the top card, whatever it is.

    Source: the extreme of "a card taken from the pile tells what you hold"; a yardstick for what the pile is worth.
    """
    return False


@decision
def draw_at_random(view: Any, params: Any) -> Any:
    """Take or leave the top card, each with probability 1/2.

    Source: the random player of every game toolkit: a yardstick for hand lengths and a tester of rules.
    """
    return np.int64(view.random & np.uint64(1))


DRAWS = (
    Entry("draw", "meld", draw_for_meld),
    Entry(
        "draw",
        "improve",
        draw_to_improve,
        (Parameter("draw_gain", 5, 1, 100, "points by which the top card must lower the least deadwood"),),
    ),
    Entry("draw", "eager", draw_eagerly),
    Entry(
        "draw",
        "bluff",
        draw_as_a_bluff,
        (
            Parameter("bluff_share", 0.5, 0, 1, "how often a first upcard that makes no meld is taken all the same"),
            Parameter("bluff_points", 10, 0, 15, "highest points of such an upcard"),
        ),
    ),
    Entry("draw", "never", draw_never),
    Entry("draw", "random", draw_at_random),
)
"""The draw decisions of the library."""
