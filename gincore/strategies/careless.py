"""``careless``: plays as ``simple``, but throws a card at random now and then: a player a known step weaker.

A yardstick for how much a set of rules lets the better player win: its only parameter is how often it errs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gincore.strategies.base import Strategy, decision
from gincore.strategies.choose import least_not_repeated, pick
from gincore.strategies.simple import SIMPLE

_LOW = np.uint64(1023)
_OF = 1024.0


@decision
def discard_at_times_at_random(view: Any, params: Any) -> Any:
    """Throw any legal card at random with probability params[0], else one that leaves the least deadwood."""
    if np.float64(view.random & _LOW) < params[0] * _OF:
        return pick(view.legal, view.random)  # which looks at the upper half of the word
    return least_not_repeated(view)


CARELESS = Strategy(
    "careless",
    discard=discard_at_times_at_random,
    params={"errors": 0.1},
    bounds={"errors": (0, 1)},
    base=SIMPLE,
)
