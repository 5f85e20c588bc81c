"""``random``: legal answers at random. A yardstick for hand lengths and a tester of rules."""

from __future__ import annotations

from typing import Any

import numpy as np

from gincore.core.bits import ZERO, pick
from gincore.core.rng import mix
from gincore.strategies.base import Strategy, decision


@decision
def draw_at_random(view: Any, params: Any) -> Any:
    """Take or leave the top card, each with probability 1/2."""
    return np.int64(view.random & np.uint64(1))


@decision
def discard_at_random(view: Any, params: Any) -> Any:
    """Throw any legal card."""
    return pick(view.legal, view.random)


@decision
def knock_at_random(view: Any, params: Any) -> Any:
    """Where going out is legal: do it with probability 1/2, throwing any card with which it is legal."""
    if view.can_big_gin and view.random & np.uint64(2) != ZERO:
        return np.int64(1)
    if view.random & np.uint64(1) != ZERO:
        return np.int64(0)
    return 2 + pick(view.knocks, mix(view.random)) if view.knocks != ZERO else np.int64(0)


RANDOM = Strategy("random", draw=draw_at_random, discard=discard_at_random, knock=knock_at_random)
