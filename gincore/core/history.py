"""Single hands together with the dealt cards and the whole course of draws and discards.

The rows are those of ``batch.play_hands``; a hand that fails there fails here too, and is played there for the error.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from gincore import schema
from gincore._jit import eager
from gincore.core import batch, decide, hand, play, tables, view

_HANDS = types.Array(types.uint64, 2, "C")
_COURSE = types.Array(types.int8, 2, "C")
_OPENED = types.Array(types.int8, 1, "C")
_SCRATCH = batch._SCRATCH[:-1]
BIG_GIN = int(schema.Result.big_gin)


@eager(
    types.int64(batch._PAIRS, batch._RULES, batch._DISCARDS, types.uint64, types.int64, types.int64, batch._ROWS,
                _HANDS, _COURSE, _COURSE, _OPENED, *_SCRATCH)
)  # fmt: skip
def _play(
    pairs, rules, discards, seed, first, copies, rows, dealt, drawn, thrown, opened, state, view_0, view_1, out, fault
):  # fmt: skip
    """Play single hands until ``rows`` is full, and note what was dealt, drawn and thrown."""
    none = np.int64(0)
    for index in range(len(rows)):
        number, mirror = first + index // copies, index % copies
        starter = (number + mirror) % 2
        row = rows[index]
        row.deal = number
        row.mirror = mirror
        hand.deal(state, view_0, view_1, rules, seed, np.uint64(number), False)
        dealt[index, starter] = view_0.hand
        dealt[index, 1 - starter] = view_1.hand
        view.score(view_0, none, none, none)
        view.score(view_1, none, none, none)
        status = play.play(state, view_0, view_1, rules, discards, pairs[0], starter, row, out, fault)
        if status != play.OK:
            return status
        opened[index] = 1 - starter if state.upcard_seat == 1 else starter
        for turn in range(min(state.turn, drawn.shape[1])):
            drawn[index, turn] = state.drawn[turn]
            thrown[index, turn] = state.thrown[turn]
        if row.result == BIG_GIN and state.turn <= drawn.shape[1]:
            thrown[index, state.turn - 1] = -1
    return play.OK


def play_history(
    strategies: Any, rules: Any, seed: int, first_deal: int, mirror: bool, rows: Any,
    dealt: Any, drawn: Any, thrown: Any, opened: Any,
) -> int:  # fmt: skip
    """Play deals from ``first_deal`` on until ``rows`` is full.

    Parameters
    ----------
    strategies, rules, seed, first_deal, mirror, rows
        As of :func:`gincore.core.batch.play_hands`.
    dealt : ndarray of uint64, shape (len(rows), 2), filled in place
        The cards dealt to player 0 and player 1, as masks.
    drawn, thrown : ndarray of int8, shape (len(rows), turns), filled with -1, filled in place
        The card drawn and the card thrown in each turn; -1 where there was none. Later turns are left out.
    opened : ndarray of int8, shape (len(rows),), filled in place
        The player of the first turn; they take turns from there on.

    Returns
    -------
    int
        A code of ``schema.Status``. An exception of a decision comes out as it is.
    """
    players, alive = decide.seat_pairs([strategies])
    table = tables.discards(int(rules.ace), int(rules.ace_points))
    with np.errstate(over="ignore"):
        status = _play(
            players, rules, table, np.uint64(seed), first_deal, 2 if mirror else 1, rows, dealt, drawn, thrown,
            opened, *batch._scratch(),
        )  # fmt: skip
    del alive
    return int(status)


OK = int(schema.Status.ok)
