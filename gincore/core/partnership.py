"""Two against two: partners play at two tables at the same time (form ``partnership``).

Players of a hand's row are the sides. Partner t of side 0 sits at table t, and so does partner t of side 1, or the
other one where the opponents have changed places. One side deals at both tables. That both partners have won is
counted, and its bonus paid at the end, like boxes.
"""

from __future__ import annotations

import numpy as np

from gincore._jit import kernel
from gincore.core import game
from gincore.schema import PartnershipSwap

BY_HAND = int(PartnershipSwap.hand)


@kernel
def begin(course, starter, crossed, rules):
    """Before the first hand of a game; ``crossed`` is 1 where opponents who stay for a game sit crosswise."""
    game.begin(course, starter)
    course.swapped = 0 if rules.partnership_swap == BY_HAND else crossed
    sit_down(course, np.int64(0))


@kernel
def sit_down(course, table):
    """The next hand is that of a table; entry ``2 a + b`` of the pairs is partner a of side 0 against b of side 1."""
    course.table = table
    course.pair = 2 * table + (table ^ course.swapped)


@kernel
def player(course, side):
    """Number of the player of a side at the table: the side's first partner has its number, the second 2 more."""
    return side + 2 * (course.table if side == 0 else course.table ^ course.swapped)


@kernel
def after(course, score, row, rules):
    """Enter the hand of a table, after the second one the round, and say whether the game is over."""
    net = np.int64(row.points_0) - np.int64(row.points_1)
    score.hands += 1
    game.enter_gin(score, row)
    if course.table == 0:
        course.net = net
        course.table_winner = row.winner
        sit_down(course, np.int64(1))
        return False
    score.both_won_0 += row.winner == 0 and course.table_winner == 0
    score.both_won_1 += row.winner == 1 and course.table_winner == 1
    winner = enter_round(score, net + course.net, rules)
    if game.finish(score, rules):
        return True
    course.starter = game.next_starter(course.starter, winner, rules.next_dealer)
    course.score_0 = score.points_0
    course.score_1 = score.points_1
    if rules.partnership_swap == BY_HAND:
        course.swapped = 1 - course.swapped
    sit_down(course, np.int64(0))
    return False


@kernel
def enter_round(score, net, rules):
    """The side ahead scores the net difference and a box; returns that side, -1 if none is."""
    if net > 0:
        score.points_0 += net
        score.hands_won_0 += 1
        score.boxes_0 += rules.box_bonus
        return np.int64(0)
    if net < 0:
        score.points_1 -= net
        score.hands_won_1 += 1
        score.boxes_1 += rules.box_bonus
        return np.int64(1)
    return np.int64(-1)
