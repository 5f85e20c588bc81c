"""Throwing at random now and then: a player a known step weaker than ``simple``.

A yardstick for how much a set of rules lets the better player win: its only parameter is how often it errs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gincore.core.bits import pick
from gincore.strategies.choose import allowed, least_among
from gincore.strategies.decisions import decision
from gincore.strategies.entry import Entry, Parameter

_LOW = np.uint64(1023)
_OF = 1024.0


@decision
def discard_at_times_at_random(view: Any, params: Any) -> Any:
    """Throw any legal card at random with probability errors, else one that leaves the least deadwood.

    Source: the noisy player by which programs are graded, such as a chess engine that plays a random move at times.
    """
    if np.float64(view.random & _LOW) < params[0] * _OF:
        return pick(view.legal, view.random)  # which looks at the upper half of the word
    return pick(least_among(view, allowed(view)), view.random)


CARELESS = Entry(
    "discard",
    "careless",
    discard_at_times_at_random,
    (Parameter("errors", 0.1, 0, 1, "share of throws that are random"),),
)
"""The discard decision of ``careless``."""
