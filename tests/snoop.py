"""A strategy whose answers depend on every bit of the view: whatever changes a view changes its rows."""

from __future__ import annotations

from typing import Any

import numpy as np

import gincore
from gincore._jit import kernel
from gincore.core.bits import pick
from gincore.core.rng import mix


@kernel
def digest(view: Any) -> Any:
    """Mix all fields of a view into one word."""
    word = mix(view.hand)
    word = mix(word ^ view.pile)
    word = mix(word ^ view.opp_took)
    word = mix(word ^ view.opp_threw)
    word = mix(word ^ view.opp_declined)
    word = mix(word ^ view.took)
    word = mix(word ^ view.threw)
    word = mix(word ^ view.declined)
    word = mix(word ^ view.legal)
    word = mix(word ^ view.least)
    word = mix(word ^ view.knocks)
    word = mix(word ^ view.knock_least)
    word = mix(word ^ view.repeats)
    word = mix(word ^ view.random)
    # fmt: off
    for value in (
        view.phase, view.seat, view.top, view.drew, view.drew_from, view.stock, view.turn, view.deadwood,
        view.knock_limit, view.can_big_gin, view.pickups, view.opp_pickups, view.my_score, view.opp_score,
        view.knock_deadwood, view.target, view.multiplier, view.ace, view.ace_points, view.gin_bonus,
        view.undercut_bonus,
    ):
        word = mix(word ^ np.uint64(value))
    # fmt: on
    for card in range(52):  # the entries behind are spare
        word = mix(word ^ np.uint64(np.int64(view.after[card]) + 1000))
    for place in range(64):
        word = mix(word ^ np.uint64(np.int64(view.lanes[place]) + 1000))
        word = mix(word ^ np.uint64(np.int64(view.knock_lanes[place]) + 1000))
    return word


@gincore.decision
def draw(view: Any, params: Any) -> Any:
    return np.int64(digest(view) & np.uint64(1))


@gincore.decision
def discard(view: Any, params: Any) -> Any:
    return pick(view.legal, digest(view))


@gincore.decision
def knock(view: Any, params: Any) -> Any:
    return np.int64((digest(view) >> np.uint64(5)) & np.uint64(1))


snoop = gincore.Strategy("snoop", draw=draw, discard=discard, knock=knock)
