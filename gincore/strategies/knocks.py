"""Whether to go out, where that is legal. Gin and big gin are never passed by, except at random."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gincore._jit import kernel
from gincore.core.bits import ZERO, pick
from gincore.core.rng import mix
from gincore.strategies.choose import knock_least_not_repeated
from gincore.strategies.decisions import decision
from gincore.strategies.entry import Entry, Parameter


@kernel
def knock_within(view, limit):
    """Go out with at most ``limit`` points, and always with gin or big gin."""
    if view.can_big_gin:
        return np.int64(1)
    if view.knock_deadwood > limit and view.knock_deadwood > 0:
        return np.int64(0)
    return knock_least_not_repeated(view)


@kernel
def opponent_deadwood(turn, pickups, start, end, life, kept):
    """Points of deadwood that the opponent may be expected to keep after lay-offs.

    They fall from ``start`` to ``end`` as turns go by, the excess to 37 % (1/e) in ``life`` turns; each pick-up of the
    opponent leaves the share ``kept`` of them.
    """
    return (end + (start - end) * math.exp(-turn / life)) * kept**pickups


@decision
def knock_at_once(view: Any, params: Any) -> Any:
    """Go out at the first legal chance.

    Source: T. W. Neller, "Gin Rummy EAAI Undergraduate Research Challenge", EAAI 2021: SimpleGinRummyPlayer. Guides
    agree: "if you're going to knock, knock!", the second of GamesGrid's ten strategies (dqsoft.com/news/0809.html).
    """
    return np.int64(1) if view.can_big_gin else knock_least_not_repeated(view)


@decision
def knock_with_gin(view: Any, params: Any) -> Any:
    """Go out with no deadwood only.

    Source: the rules of straight gin, played where knocking is allowed.
    """
    return view.knock_deadwood == 0 or view.can_big_gin != 0


@decision
def knock_at_limit(view: Any, params: Any) -> Any:
    """Knock at or below limit points.

    Source: the one parameter of knocking (maxKnockDeadwood) of players made for the EAAI-21 challenge
    (github.com/bendstein/Gin-Rummy).
    """
    return knock_within(view, params[0])


@decision
def knock_by_turn(view: Any, params: Any) -> Any:
    """Knock at or below limit points; from turn late_turn on at or below late_limit, unless that is -1.

    Source: "be the first to knock", the first of Rubl's gin rummy tips (rubl.com/rules/gin-rummy-tips.html), early; and
    the opponent's deadwood, which falls as turns go by, later.
    """
    late = params[1] >= 0 and view.turn >= params[2]
    return knock_within(view, params[1] if late else params[0])


@decision
def knock_by_pickups(view: Any, params: Any) -> Any:
    """Knock at or below a limit that falls with each turn and with each pick-up of the opponent.

    It is limit less turn_step for each turn and pickup_step for each pick-up, and never below low_limit.

    Source: two tips that rule pages give: not to knock at ten against an opponent who took much from the discard pile,
    and to knock with six points at the fourth or fifth turn.
    """
    limit = params[0] - params[1] * view.turn - params[2] * view.opp_pickups
    return knock_within(view, max(limit, params[3]))


@decision
def knock_by_estimate(view: Any, params: Any) -> Any:
    """Knock if the opponent's deadwood may be expected to lie margin points or more above the own.

    What it is after lay-offs is estimated from the turn and from the opponent's pick-ups.

    Source: what ``simple`` holds when its equal knocks, by draws so far: 50.9 points at the first draw, then 34.4,
    24.6, 19.2, 16.1, 14.4 and 12.9 every fourth draw (62,000 hands of the engine that T. W. Neller published for the
    EAAI-21 challenge). The defaults are a fit to 600,000 hands of the same pair here, by turn and pick-ups.
    """
    expected = opponent_deadwood(view.turn, view.opp_pickups, params[1], params[2], params[3], params[4])
    return knock_within(view, expected - params[0])


@decision
def knock_by_score(view: Any, params: Any) -> Any:
    """Knock at once if the points to be expected reach the target; far behind go for gin; else at or below limit.

    The points are the opponent's expected deadwood less the own, as ``by-estimate`` has them. Outside a game only the
    limit counts.

    Source: GameAccount's gin rummy tips (gameaccount.com/skillSchool), by which what to do depends on the relative
    scores: close to winning a match make sure of it; that one far behind takes risks is the other half.
    """
    if view.target > 0:
        expected = opponent_deadwood(view.turn, view.opp_pickups, params[3], params[4], params[5], params[6])
        points = view.multiplier * (expected - view.knock_deadwood)
        if points > 0 and view.my_score + points >= view.target:
            return knock_within(view, view.knock_limit)
        if view.opp_score - view.my_score >= params[1]:
            return knock_within(view, params[2])
    return knock_within(view, params[0])


@decision
def knock_by_table(view: Any, params: Any) -> Any:
    """Knock at or below the number that a table has for the turn and the opponent's pick-ups; -1: with gin only.

    The table has turn_bins rows of pickup_bins numbers: the last row holds for all later turns, the last number of a
    row for all more pick-ups. It is given as ``Strategy(table=...)``, or as ``table`` in a file.

    Source: B. Goldstein et al., "Extracting Learned Discard and Knocking Strategies from a Gin Rummy Bot", AAAI-21,
    who learn when to knock, state by state, by counterfactual regret minimisation.
    """
    turns, pickups = np.int64(params[0]), np.int64(params[1])
    row, column = min(view.turn, turns - 1), min(view.opp_pickups, pickups - 1)
    return knock_within(view, params[2 + row * pickups + column])


@decision
def knock_at_random(view: Any, params: Any) -> Any:
    """Where going out is legal: do it with probability 1/2, throwing any card with which it is legal.

    Source: the random player of every game toolkit: a yardstick for hand lengths and a tester of rules.
    """
    if view.can_big_gin and view.random & np.uint64(2) != ZERO:
        return np.int64(1)
    if view.random & np.uint64(1) != ZERO:
        return np.int64(0)
    return 2 + pick(view.knocks, np.uint64(mix(view.random))) if view.knocks != ZERO else np.int64(0)


LIMIT = Parameter("limit", 10, 0, 100, "highest deadwood in points to knock with; a fraction counts as the whole below")
EXPECTED = (
    Parameter("opp_start", 51, 0, 100, "points of deadwood expected of the opponent before the first turn"),
    Parameter("opp_end", 14, 0, 100, "what that comes down to when many turns have gone by"),
    Parameter("opp_life", 8, 0.5, 100, "turns of both players in which the excess falls to 37 %"),
    Parameter("opp_kept", 0.82, 0, 1, "share of the points that each pick-up of the opponent leaves"),
)

KNOCKS = (
    Entry("knock", "at-once", knock_at_once),
    Entry("knock", "fixed", knock_at_limit, (LIMIT,)),
    Entry(
        "knock",
        "by-turn",
        knock_by_turn,
        (
            LIMIT,
            Parameter("late_limit", -1, -1, 100, "the same from turn late_turn on; -1: no other limit then"),
            Parameter("late_turn", 0, 0, 400, "completed turns of both players from which late_limit holds"),
        ),
    ),
    Entry(
        "knock",
        "by-pickups",
        knock_by_pickups,
        (
            LIMIT,
            Parameter("turn_step", 0.5, 0, 10, "points that the limit falls by for each completed turn"),
            Parameter("pickup_step", 1, 0, 100, "points that it falls by for each pick-up of the opponent"),
            Parameter("low_limit", 0, 0, 100, "points below which it does not fall"),
        ),
    ),
    Entry(
        "knock",
        "by-estimate",
        knock_by_estimate,
        (Parameter("margin", 20, -100, 100, "points by which the opponent must be expected to lie above"), *EXPECTED),
    ),
    Entry(
        "knock",
        "by-score",
        knock_by_score,
        (
            LIMIT,
            Parameter("far_behind", 25, 1, 1000, "points behind from which far_limit holds"),
            Parameter("far_limit", 0, 0, 100, "highest deadwood to knock with when so far behind; 0: gin only"),
            *EXPECTED,
        ),
    ),
    Entry("knock", "gin-only", knock_with_gin),
    Entry(
        "knock",
        "by-table",
        knock_by_table,
        (
            Parameter("turn_bins", 1, 1, 400, "rows of the table, one a completed turn from 0"),
            Parameter("pickup_bins", 1, 1, 400, "numbers in a row, one a pick-up of the opponent from 0"),
        ),
        shape=("turn_bins", "pickup_bins"),
    ),
    Entry("knock", "random", knock_at_random),
)
"""The knock decisions of the library."""
