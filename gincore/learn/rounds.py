"""Rounds of best replies until a table is the best reply to itself, as far as the hands can tell.

Plain rounds put the best reply in the place of the table. If they come back to a table of an earlier round without
having settled, they cycle; then each further round moves the shares of knocks by a shrinking step towards the best
reply (fictitious play). What has settled by neither is reported as not settled.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from gincore.learn.courses import Courses
from gincore.learn.reply import Caution, best_reply
from gincore.learn.shape import Shares

PLAIN: Final = 1.0
"""Step of a plain round."""

SETTLED_GAIN: Final = 0.005
"""Points a hand: damped rounds have settled when the best reply gains less on the hands it was learned from."""


@dataclass(frozen=True)
class Round:
    """One round.

    Attributes
    ----------
    number
        From 1.
    table
        What both players began with.
    reply
        The best reply to it.
    step
        How far the next table moves towards the reply; 1 in a plain round.
    cells_changed, share_changed
        Cells in which reply and table differ, and the share of the reply's moments that lie in them.
    gain_points_per_hand
        Net points by which the reply beats the table, against the table, on the hands it was learned from.
    """

    number: int
    table: Shares
    reply: Shares
    step: float
    cells_changed: int
    share_changed: float
    gain_points_per_hand: float


@dataclass(frozen=True)
class Learned:
    """What the rounds came to.

    Attributes
    ----------
    table
        The last table.
    settled
        Whether it is the best reply to itself (plain rounds), or nearly (damped ones).
    cycle
        Tables that plain rounds went round; 0 if they never came back to one.
    rounds
        All rounds.
    """

    table: Shares
    settled: bool
    cycle: int
    rounds: tuple[Round, ...]


def iterate(
    play: Callable[[Shares], Courses],
    start: Shares,
    *,
    most: int = 20,
    caution: Caution | None = None,
    told: Callable[[Round, Courses], None] | None = None,
) -> Learned:
    """Reply, and reply to the reply, until nothing changes.

    Parameters
    ----------
    play
        Follows hands against an opponent who knocks as a table says. The same deals in every round: then a table that
        answers itself is found for certain, and no noise makes cells flicker.
    start
        The first table.
    most
        Rounds after which it is given up.
    caution
        As of :func:`gincore.learn.best_reply`.
    told
        Called with every round as it is complete, and with its hands.
    """
    table, cycle, averaged = start, 0, 0
    rounds: list[Round] = []
    seen = {start.tobytes(): 0}
    for number in range(1, most + 1):
        courses = play(table)
        reply = best_reply(courses, table, caution)
        rounds.append(_round(number, courses, table, reply, 1 / (averaged + 1) if averaged else PLAIN))
        if told is not None:
            told(rounds[-1], courses)
        if np.array_equal(table, reply) or (averaged and rounds[-1].gain_points_per_hand < SETTLED_GAIN):
            return Learned(table, True, cycle, tuple(rounds))
        if averaged:
            table, averaged = table + rounds[-1].step * (reply - table), averaged + 1
        elif reply.tobytes() in seen:
            cycle = averaged = number - seen[reply.tobytes()]
            table = np.mean([each.table for each in rounds[-cycle:]], axis=0)
        else:
            table, seen[reply.tobytes()] = reply, number
    return Learned(table, False, cycle, tuple(rounds))


def _round(number: int, courses: Courses, table: Shares, reply: Shares, step: float) -> Round:
    visits, changed = courses.visits(reply), np.abs(reply - table)
    share = float((visits * changed).sum() / visits.sum()) if visits.any() else 0.0
    gained = float(np.mean(courses.payoff(reply).astype(np.float64) - courses.payoff(table)))
    return Round(number, table, reply, step, int(np.count_nonzero(changed)), share, gained)
