"""A Hollywood sheet: three games in columns, scored from the same hands (form ``hollywood``).

Each win opens for its player the next column that is not closed, and is entered in every open column up to there: the
first win of the sheet in column 1, the second in 1 and 2, the third and later ones in all. A player who has not scored
in a column when it closes starts in the next open one. Whatever is entered in a column is entered in the open ones
before it, so that columns close in their order.
"""

from __future__ import annotations

import numpy as np

from gincore._jit import kernel
from gincore.core import game, play
from gincore.schema import COLUMNS, HollywoodBoxes

ALL = int(HollywoodBoxes.all)


@kernel
def opened(columns, closed):
    """Columns that a player has reached with another win, who had reached ``columns`` before."""
    return min(max(columns, closed) + 1, np.int64(COLUMNS))


@kernel
def enter(column, row, entered, rules):
    """A hand in an open column; ``entered`` says whether it is written there."""
    if entered:
        game.enter(column, row, rules)
        return
    column.hands += 1
    if rules.hollywood_boxes == ALL:
        column.boxes_0 += rules.box_bonus if row.winner == 0 else 0
        column.boxes_1 += rules.box_bonus if row.winner == 1 else 0


@kernel
def play_sheet(
    state, view_0, view_1, rules, discards, players, seed, deal, mirror, starter, games, place, rows, used, out, fault
):  # fmt: skip
    """Play a sheet; its columns are the cleared rows ``place`` to ``place + 2`` of ``games``.

    The score that players see is that of the first open column. Returns as :func:`gincore.core.game.play_game`.
    """
    end = game.deals_end(deal)
    closed = np.int64(0)
    columns_0 = np.int64(0)
    columns_1 = np.int64(0)
    while deal < end:
        if used >= len(rows):
            return game.NO_ROOM, used
        row = rows[used]
        shown = games[place + closed]
        status = game.play_hand(
            state, view_0, view_1, rules, discards, players, seed, deal, mirror, starter,
            np.int64(shown.points_0), np.int64(shown.points_1), row, out, fault,
        )  # fmt: skip
        if status != play.OK:
            return status, used
        used += 1
        deal += 1
        winner = np.int64(row.winner)
        written = np.int64(0)
        if winner == 0:
            columns_0 = opened(columns_0, closed)
            written = columns_0
        elif winner == 1:
            columns_1 = opened(columns_1, closed)
            written = columns_1
        for column in range(closed, COLUMNS):
            enter(games[place + column], row, column < written, rules)
        while closed < COLUMNS and game.finish(games[place + closed], rules):
            closed += 1
        if closed == COLUMNS:
            return play.OK, used
        starter = game.next_starter(starter, winner, rules.next_dealer)
    return game.too_many(fault, deal, mirror), used
