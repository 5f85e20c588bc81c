"""Single hands together with each player's last discard, which a hand row does not hold.

The rows are those of ``batch.play_hands``; a hand that fails there fails here too, and is played there for the error.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from gincore import schema
from gincore._jit import eager
from gincore.core import batch, decide, hand, play, tables, view

_THROWN = types.Array(types.int8, 2, "C")
_SCRATCH = batch._SCRATCH[:-1]


@eager(
    types.int64(batch._PAIRS, batch._RULES, batch._DISCARDS, types.uint64, types.int64, types.int64, batch._ROWS,
                _THROWN, *_SCRATCH)
)  # fmt: skip
def _play(pairs, rules, discards, seed, first, copies, rows, thrown, state, view_0, view_1, out, fault):
    """Play single hands until ``rows`` is full, and note the last card that each player threw."""
    none = np.int64(0)
    for index in range(len(rows)):
        number, mirror = first + index // copies, index % copies
        starter = (number + mirror) % 2
        row = rows[index]
        row.deal = number
        row.mirror = mirror
        hand.deal(state, view_0, view_1, rules, seed, np.uint64(number), False)
        view.score(view_0, none, none, none)
        view.score(view_1, none, none, none)
        status = play.play(state, view_0, view_1, rules, discards, pairs[0], starter, row, out, fault)
        if status != play.OK:
            return status
        thrown[index, 0] = state.last_throw[starter]
        thrown[index, 1] = state.last_throw[1 - starter]
    return play.OK


def play_thrown(strategies: Any, rules: Any, seed: int, first_deal: int, mirror: bool, rows: Any, thrown: Any) -> int:
    """Play deals from ``first_deal`` on until ``rows`` is full.

    Parameters
    ----------
    strategies, rules, seed, first_deal, mirror, rows
        As of :func:`gincore.core.batch.play_hands`.
    thrown : ndarray of int8, shape (len(rows), 2), filled in place
        The last card that player 0 and player 1 threw in the hand, -1 for none.

    Returns
    -------
    int
        A code of ``schema.Status``. An exception of a decision comes out as it is.
    """
    players, alive = decide.seat_pairs([strategies])
    table = tables.discards(int(rules.ace), int(rules.ace_points))
    with np.errstate(over="ignore"):
        status = _play(
            players, rules, table, np.uint64(seed), first_deal, 2 if mirror else 1, rows, thrown, *batch._scratch()
        )
    del alive
    return int(status)


OK = int(schema.Status.ok)
