"""Two against two: partners play at two tables at the same time (form ``partnership``).

Players of a hand's row are the sides. Partner t of side 0 sits at table t, and so does partner t of side 1, or the other
one where the opponents have changed places. One side deals at both tables.
"""

from __future__ import annotations

import numpy as np

from gincore._jit import kernel
from gincore.core import game, play
from gincore.schema import PartnershipSwap

BY_HAND = int(PartnershipSwap.hand)


@kernel
def enter_round(score, row_0, row_1, rules):
    """Enter the hands of both tables; returns the side that is ahead, -1 if none is.

    The side ahead scores the net difference and a box. Both partners winning is counted, and paid at the end.
    """
    net = np.int64(row_0.points_0) + np.int64(row_1.points_0) - np.int64(row_0.points_1) - np.int64(row_1.points_1)
    score.hands += 2
    game.enter_gin(score, row_0)
    game.enter_gin(score, row_1)
    if row_0.winner == row_1.winner:
        score.both_won_0 += row_0.winner == 0
        score.both_won_1 += row_0.winner == 1
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


@kernel
def play_game(
    state, view_0, view_1, rules, discards, pairs, seed, deal, mirror, starter, swapped, score, rows, used, out, fault
):  # fmt: skip
    """Play a game, a cleared row.

    Parameters are those of :func:`gincore.core.game.play_game`, but for ``pairs``, in which entry ``2 a + b`` is partner
    a of side 0 against partner b of side 1, and ``swapped``, 1 where a game with fixed opponents has them crossed.
    """
    end = game.deals_end(deal)
    if rules.partnership_swap == BY_HAND:
        swapped = np.int64(0)
    while deal + 1 < end:
        if used + 2 > len(rows):
            return game.NO_ROOM, used
        for table in range(2):
            status = game.play_hand(
                state, view_0, view_1, rules, discards, pairs[2 * table + (table ^ swapped)], seed, deal + table,
                mirror, starter, np.int64(score.points_0), np.int64(score.points_1), rows[used + table], out, fault,
            )  # fmt: skip
            if status != play.OK:
                fault.player += 2 * (table if fault.player == 0 else table ^ swapped)
                return status, used
        winner = enter_round(score, rows[used], rows[used + 1], rules)
        used += 2
        deal += 2
        if game.finish(score, rules):
            return play.OK, used
        starter = game.next_starter(starter, winner, rules.next_dealer)
        if rules.partnership_swap == BY_HAND:
            swapped = 1 - swapped
    return game.too_many(fault, deal, mirror), used
