"""Learning when to knock: best replies within a knock table, and rounds of them until a table answers itself.

:mod:`~gincore.learn.courses` plays against a table, :mod:`~gincore.learn.reply` finds the best reply to it,
:mod:`~gincore.learn.rounds` repeats the two.
"""

from __future__ import annotations

from gincore.learn.courses import Courses, courses_of, follow_courses
from gincore.learn.limits import best_limits, limit_table
from gincore.learn.reply import Caution, best_reply, gain
from gincore.learn.rounds import Learned, Round, iterate
from gincore.learn.shape import Shape, shape_of

__all__ = [
    "Caution",
    "Courses",
    "Learned",
    "Round",
    "Shape",
    "best_limits",
    "best_reply",
    "courses_of",
    "follow_courses",
    "gain",
    "iterate",
    "limit_table",
    "shape_of",
]
