"""Many hands, many games: the kernels that ``runs`` calls, and their Python doors.

The kernels are compiled for one signature, so that a strategy is an argument and never a reason to compile the engine
again. They release the GIL: chunks are played by a pool of threads. Nothing depends on how the work is cut.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import from_dtype, types

from gincore import schema
from gincore._jit import eager, kernel
from gincore.core import decide, game, hand, play, showdown, tables, view

_PLAYERS = from_dtype(decide.PLAYERS_DTYPE)
_RULES = from_dtype(schema.RULES_DTYPE)
_ROWS = types.Array(from_dtype(schema.HAND_DTYPE), 1, "C", aligned=False)
_GAMES = types.Array(from_dtype(schema.GAME_DTYPE), 1, "C", aligned=False)
_STATE = from_dtype(hand.STATE_DTYPE)
_DISCARDS = from_dtype(tables.DISCARDS_DTYPE)
_OUTCOME = from_dtype(showdown.OUTCOME_DTYPE)
_FAULT = from_dtype(hand.FAULT_DTYPE)
_SCRATCH = (_STATE, decide.VIEW_TYPE, decide.VIEW_TYPE, _OUTCOME, _FAULT)


@kernel
def _hands(players, rules, discards, seed, first_deal, copies, rows, state, view_0, view_1, out, fault):
    """Single hands until ``rows`` is full; returns a status."""
    zero = np.int64(0)
    view.score(view_0, zero, zero, zero)
    view.score(view_1, zero, zero, zero)
    for index in range(len(rows)):
        number = first_deal + index // copies
        mirror = index % copies
        row = rows[index]
        row.deal = number
        row.mirror = mirror
        hand.deal(state, view_0, view_1, rules, seed, np.uint64(number))
        status = play.play(state, view_0, view_1, rules, discards, players, (number + mirror) % 2, row, out, fault)
        if status != play.OK:
            fault.deal = number
            fault.mirror = mirror
            return status
    return play.OK


@kernel
def _games(players, rules, discards, seed, first_game, copies, games, rows, state, view_0, view_1, out, fault):
    """Whole games until ``games`` is full or ``rows`` runs out; returns status, games and rows filled."""
    done = np.int64(0)
    used = np.int64(0)
    while done < len(games):
        place = used
        for mirror in range(copies):
            status, place = game.play_game(
                state, view_0, view_1, rules, discards, players, seed, first_game + done // copies, mirror,
                games[done + mirror], rows, place, out, fault,
            )  # fmt: skip
            if status == game.NO_ROOM:
                return play.OK, done, used
            if status != play.OK:
                return status, done, used
        done += copies
        used = place
    return play.OK, done, used


@eager(
    types.UniTuple(types.int64, 3)(
        _PLAYERS, _RULES, _DISCARDS, types.uint64, types.int64, types.int64, _GAMES, _ROWS, *_SCRATCH
    )
)
def _play(players, rules, discards, seed, first, copies, games, rows, state, view_0, view_1, out, fault):
    """Games, or single hands where ``games`` is empty: one kernel, so that the engine is compiled once."""
    if len(games) == 0:
        status = _hands(players, rules, discards, seed, first, copies, rows, state, view_0, view_1, out, fault)
        return status, np.int64(0), np.int64(len(rows))
    return _games(players, rules, discards, seed, first, copies, games, rows, state, view_0, view_1, out, fault)


def _scratch() -> list[Any]:
    """Fresh records for one call; a kernel allocates nothing."""
    views = np.zeros(2, schema.VIEW_DTYPE)
    dtypes = (hand.STATE_DTYPE, showdown.OUTCOME_DTYPE, hand.FAULT_DTYPE)
    state, out, fault = (np.zeros(1, dtype)[0] for dtype in dtypes)
    return [state, views[0], views[1], out, fault]


def play_hands(strategies: Any, rules: Any, seed: int, first_deal: int, mirror: bool, rows: Any, fault: Any) -> int:
    """Play deals from ``first_deal`` on until ``rows`` is full.

    Parameters
    ----------
    strategies : pair of Strategy
        Player 0 and player 1.
    rules : record of ``schema.RULES_DTYPE``
    seed : int
        0 to 2**64 - 1.
    first_deal : int
        Number of the first deal.
    mirror : bool
        Play each deal twice, the second time with the seats exchanged.
    rows : ndarray of ``schema.HAND_DTYPE``, filled in place
        Its length is the number of hands: deals, or twice as many.
    fault : ndarray of int64, shape (8,), filled if the status is not ok
        Deal, mirror, player, phase, answer, hand mask, deadwood, knock limit.

    Returns
    -------
    int
        A code of ``schema.Status``.
    """
    return _run(strategies, rules, seed, first_deal, mirror, np.zeros(0, schema.GAME_DTYPE), rows, fault)[0]


def play_games(
    strategies: Any, rules: Any, seed: int, first_game: int, mirror: bool, games: Any, rows: Any, fault: Any
) -> tuple[int, int, int]:
    """Play games from ``first_game`` on until ``games`` is full or ``rows`` cannot hold the next pair.

    The parameters are those of :func:`play_hands`, and ``games``, an ndarray of ``schema.GAME_DTYPE``.

    Returns
    -------
    tuple of int
        Status, rows of ``games`` filled, rows of ``rows`` filled.
    """
    return _run(strategies, rules, seed, first_game, mirror, games, rows, fault)


def _run(
    strategies: Any, rules: Any, seed: int, first: int, mirror: bool, games: Any, rows: Any, fault: Any
) -> tuple[int, int, int]:
    players, alive = decide.seat_players(strategies)
    scratch = _scratch()
    table = tables.discards(int(rules.ace), int(rules.ace_points))
    copies = 2 if mirror else 1
    with np.errstate(over="ignore"):  # the generator wraps; compiled code never warns, pure Python would
        status, done, used = _play(players, rules, table, np.uint64(seed), first, copies, games, rows, *scratch)
    del alive
    fault[:] = list(scratch[-1].tolist())
    return int(status), int(done), int(used)
