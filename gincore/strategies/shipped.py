"""The strategies that come with the package, each composed of decisions of the library."""

from __future__ import annotations

from typing import NamedTuple

from gincore.strategies.base import Strategy


class Shipped(NamedTuple):
    """A strategy, and what it does or stands for."""

    strategy: Strategy
    about: str


_SIMPLE = Strategy("simple", draw="meld", discard="least", knock="at-once")

ALL = (
    Shipped(
        _SIMPLE, "takes the top card only for a meld, throws a card that leaves the least deadwood, knocks at once"
    ),
    Shipped(
        Strategy("threshold", knock="by-turn", base=_SIMPLE),
        "plays as simple, but knocks only at or below a limit of its own, by turn",
    ),
    Shipped(
        Strategy("gin-only", knock="gin-only", base=_SIMPLE),
        "plays as simple, but goes out only with gin or big gin",
    ),
    Shipped(
        Strategy("random", draw="random", discard="random", knock="random"),
        "gives legal answers at random: a yardstick, and a tester of rules",
    ),
    Shipped(
        Strategy("eager", draw="eager", base=_SIMPLE),
        "plays as simple, but takes every top card that lowers its deadwood: the beginner whom guides warn",
    ),
    Shipped(
        Strategy("bluffer", draw="bluff", base=_SIMPLE),
        "plays as simple, but now and then takes the first upcard for no meld, to mislead",
    ),
    Shipped(
        Strategy("keep-pairs", discard="keep-pairs", base=_SIMPLE),
        "plays as simple, but keeps pairs and triangles early, as guides advise",
    ),
    Shipped(
        Strategy("safe", discard="safe", base=_SIMPLE),
        "plays as simple, but throws by what the opponent may use: the defender of the guides",
    ),
    Shipped(
        Strategy("lookahead", discard="lookahead", base=_SIMPLE),
        "plays as simple, but throws by the deadwood to be expected after the next draw: the published planner",
    ),
    Shipped(
        Strategy("lookahead-gin", discard="lookahead", knock="gin-only", base=_SIMPLE),
        "throws as lookahead does, and goes out only with gin or big gin",
    ),
    Shipped(
        Strategy("patient", discard="lookahead-safe", knock="by-estimate", base=_SIMPLE),
        "looks ahead, throws with care, and knocks only where the opponent may be expected to lie far above",
    ),
)
"""In the order in which they are listed."""
