"""A Hollywood sheet: three games in columns, scored from the same hands (form ``hollywood``).

Each win opens for its player the next column that is not closed, and is entered in every open column up to there: the
first win of the sheet in column 1, the second in 1 and 2, the third and later ones in all. A player who has not scored
in a column when it closes starts in the next open one. Whatever is entered in a column is entered in the open ones
before it, so that columns close in their order.
"""

from __future__ import annotations

import numpy as np

from gincore._jit import kernel
from gincore.core import game
from gincore.schema import COLUMNS, HollywoodBoxes

ALL = int(HollywoodBoxes.all)


@kernel
def begin(course, starter):
    """Before the first hand of a sheet."""
    game.begin(course, starter)
    course.closed = 0
    course.columns_0 = 0
    course.columns_1 = 0


@kernel
def reach(course, winner):
    """Columns that the winner of a hand has reached with it; 0 if nobody won."""
    if winner == 0:
        course.columns_0 = min(max(course.columns_0, course.closed) + 1, np.int64(COLUMNS))
        return course.columns_0
    if winner == 1:
        course.columns_1 = min(max(course.columns_1, course.closed) + 1, np.int64(COLUMNS))
        return course.columns_1
    return np.int64(0)


@kernel
def enter(column, row, written, rules):
    """A hand in an open column; ``written`` says whether it is entered there."""
    if written:
        game.enter(column, row, rules)
        return
    column.hands += 1
    if rules.hollywood_boxes == ALL:
        column.boxes_0 += rules.box_bonus if row.winner == 0 else 0
        column.boxes_1 += rules.box_bonus if row.winner == 1 else 0


@kernel
def after(course, one, two, three, row, rules):
    """Enter a hand that has been played, and say whether the sheet is full.

    The score that players see is that of the first open column.
    """
    columns = reach(course, row.winner)
    if course.closed < 1:
        enter(one, row, columns > 0, rules)
    if course.closed < 2:
        enter(two, row, columns > 1, rules)
    enter(three, row, columns > 2, rules)
    if course.closed == 0 and game.finish(one, rules):
        course.closed = 1
    if course.closed == 1 and game.finish(two, rules):
        course.closed = 2
    if course.closed == 2 and game.finish(three, rules):
        return True
    shown = one if course.closed == 0 else (two if course.closed == 1 else three)
    course.score_0 = shown.points_0
    course.score_1 = shown.points_1
    course.starter = game.next_starter(course.starter, np.int64(row.winner), rules.next_dealer)
    return False
