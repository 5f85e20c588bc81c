"""Playing one chunk with the compiled engine, block by block."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np
from numba.core import config

from gincore.core import batch
from gincore.errors import RunError
from gincore.runs.fault import explain, explain_exception
from gincore.runs.layout import BLOCK_UNITS, Chunk, units_of
from gincore.runs.plan import Plan
from gincore.schema import GAME_DTYPE, HAND_DTYPE, Status

GAME_ROWS: Final = 65_536
"""Hand rows of the buffer into which games are played; it grows if a single unit needs more."""

MOST_GAME_ROWS: Final = 1 << 24
"""A unit of games that needs more rows than this will never end."""

MATCH_ROWS: Final = 8
"""Game rows for which a unit of several finds room at first; the buffer grows if a single unit needs more."""


Replay = Callable[[int], str]
"""Says what replays a deal of this number."""


def block_units(plan: Plan) -> int:
    """Return the units that one call of the engine plays; few where numba is switched off, as Ctrl-C waits for them."""
    return 64 if config.DISABLE_JIT else BLOCK_UNITS[plan.kind]


def play_blocks(
    plan: Plan, chunk: Chunk, again: Replay | None = None, room: np.ndarray | None = None
) -> Iterator[tuple[np.ndarray, np.ndarray | None]]:
    """Play the units of a chunk and yield them in order.

    Parameters
    ----------
    plan
        What is played.
    chunk
        Which units of it.
    again
        Says what replays a deal; None for the command of a plain run.
    room
        Where all rows of a chunk of hands are written.

    Yields
    ------
    tuple of (ndarray of HAND_DTYPE, ndarray of GAME_DTYPE or None)
        Whole units. The arrays lie in ``room``; without one they are buffers, valid until the next block is asked for.

    Raises
    ------
    RunError
        A strategy gave an illegal answer or raised an exception; the line names it and the command that replays the
        deal.
    """
    fault = np.zeros(8, np.int64)
    try:
        if plan.kind == "hands":
            yield from ((rows, None) for rows in _hand_blocks(plan, chunk, fault, again, room))
        else:
            yield from _game_blocks(plan, chunk, fault, again)
    except batch.DecisionError as error:
        cause = error.__cause__ or error
        raise RunError(explain_exception(plan, cause, fault, again and again(int(fault[0])))) from cause


def _hand_blocks(
    plan: Plan, chunk: Chunk, fault: np.ndarray, again: Replay | None, room: np.ndarray | None
) -> Iterator[np.ndarray]:
    record = plan.rules.to_record()
    per_unit, block = plan.layout.per_unit, block_units(plan)
    buffer = np.empty(min(block, chunk.units) * per_unit, HAND_DTYPE) if room is None else room
    for start in range(0, chunk.units, block):
        begin = 0 if room is None else start * per_unit
        rows = buffer[begin : begin + min(block, chunk.units - start) * per_unit]
        status = batch.play_hands(plan.strategies, record, plan.seed, chunk.first + start, plan.mirror, rows, fault)
        _check(plan, status, fault, again)
        yield rows


def _game_blocks(
    plan: Plan, chunk: Chunk, fault: np.ndarray, again: Replay | None
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    record = plan.rules.to_record()
    block = block_units(plan)
    room = 1 if plan.layout.noun == "game" else MATCH_ROWS
    games = np.zeros(min(block, chunk.units) * plan.layout.per_unit * room, GAME_DTYPE)
    rows = np.zeros(GAME_ROWS, HAND_DTYPE)
    done = 0
    while done < chunk.units:
        units = min(block, chunk.units - done)
        status, games_filled, rows_filled = batch.play_games(
            plan.strategies, record, plan.seed, chunk.first + done, plan.mirror, games, rows, fault, units
        )
        _check(plan, status, fault, again)
        if games_filled == 0:  # not even one unit was sure to fit
            if len(rows) >= MOST_GAME_ROWS:
                noun, number = plan.layout.noun, chunk.first + done
                raise RunError(f"{noun} {number} needs more than {len(rows):,} hands; it may never end")
            rows, games = np.zeros(2 * len(rows), HAND_DTYPE), np.zeros(2 * len(games), GAME_DTYPE)
            continue
        done += units_of(rows, games[:games_filled], plan.layout.per_unit)
        yield rows[:rows_filled], games[:games_filled]


def _check(plan: Plan, status: int, fault: np.ndarray, again: Replay | None) -> None:
    if status != Status.ok:
        raise RunError(explain(plan, Status(status), fault, again and again(int(fault[0]))))
