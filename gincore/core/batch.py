"""Many hands, many games: the kernels that ``runs`` calls, and their Python doors.

The kernels are compiled for one signature, so that a strategy is an argument and never a reason to compile the engine
again. They release the GIL: chunks are played by a pool of threads. Nothing depends on how the work is cut.

An exception inside a decision comes out as :class:`DecisionError`, with the deal and the question in ``fault``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import from_dtype, types

from gincore import schema
from gincore._jit import eager
from gincore.core import decide, game, hand, match, play, showdown, tables, view

_PAIRS = types.Array(from_dtype(decide.PLAYERS_DTYPE), 1, "C")
_RULES = from_dtype(schema.RULES_DTYPE)
_ROWS = types.Array(from_dtype(schema.HAND_DTYPE), 1, "C", aligned=False)
_GAMES = types.Array(from_dtype(schema.GAME_DTYPE), 1, "C", aligned=False)
_STATE = from_dtype(hand.STATE_DTYPE)
_DISCARDS = from_dtype(tables.DISCARDS_DTYPE)
_OUTCOME = from_dtype(showdown.OUTCOME_DTYPE)
_FAULT = from_dtype(hand.FAULT_DTYPE)
_COURSE = from_dtype(game.COURSE_DTYPE)
_SCRATCH = (_STATE, decide.VIEW_TYPE, decide.VIEW_TYPE, _OUTCOME, _FAULT, _COURSE)


@eager(
    types.UniTuple(types.int64, 3)(
        _PAIRS, _RULES, _DISCARDS, types.uint64, *[types.int64] * 4, _GAMES, _ROWS, *_SCRATCH
    )
)
def _play(
    pairs, rules, discards, seed, first, copies, units, lone, games, rows, state, view_0, view_1, out, fault, course
):  # fmt: skip
    """Play so many units, or as many as ``games`` and ``rows`` hold: single hands if ``lone``, else games and matches.

    One kernel with one loop, so that the engine is compiled once. Returns status, and the rows of both arrays that
    whole units fill.
    """
    match.start(course, first, copies, lone, rules)
    while course.done < units:
        place, columns = course.place, course.columns
        if course.used >= len(rows) or place + columns > len(games):
            break
        row, one = rows[course.used], games[place]
        two, three = games[place + columns // 3], games[place + columns // 3 * 2]
        status = match.before_hand(course, one, two, three, seed, rules)
        row.deal = course.deal
        row.mirror = course.mirror
        if status == play.OK:
            exchanged = course.starter != course.first
            hand.deal(state, view_0, view_1, rules, seed, np.uint64(course.deal), exchanged)
            mine = course.score_0 if course.starter == 0 else course.score_1
            theirs = course.score_1 if course.starter == 0 else course.score_0
            view.score(view_0, mine, theirs, course.target)
            view.score(view_1, theirs, mine, course.target)
            players, starter = pairs[course.pair], course.starter
            status = play.play(state, view_0, view_1, rules, discards, players, starter, row, out, fault)
        if status != play.OK:
            match.fail(course, fault, rules)
            return status, course.games_filled, course.rows_filled
        match.after_hand(course, one, two, three, row, rules)
    return play.OK, course.games_filled, course.rows_filled


class DecisionError(Exception):
    """A decision raised the exception that is this one's cause; ``fault`` says where (its answer is 0)."""


def _scratch() -> list[Any]:
    """Fresh records for one call, each at the beginning of a cache line; a kernel allocates nothing."""
    dtypes = (hand.STATE_DTYPE, schema.VIEW_DTYPE, schema.VIEW_DTYPE, showdown.OUTCOME_DTYPE, hand.FAULT_DTYPE)
    records = []
    for dtype in dtypes:
        room = np.zeros(dtype.itemsize + schema.CACHE_LINE, np.uint8)
        begin = -room.ctypes.data % schema.CACHE_LINE
        records.append(room[begin : begin + dtype.itemsize].view(dtype)[0])
    return records


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

    Raises
    ------
    DecisionError
        A decision raised an exception, its cause; ``fault`` is filled.
    """
    games = np.zeros(1, schema.GAME_DTYPE)  # not touched
    units = len(rows) // (2 if mirror else 1)
    return _run([strategies], rules, seed, first_deal, mirror, units, True, games, rows, fault)[0]


def play_games(
    strategies: Any, rules: Any, seed: int, first: int, mirror: bool, games: Any, rows: Any, fault: Any,
    units: int | None = None,
) -> tuple[int, int, int]:  # fmt: skip
    """Play units from number ``first`` on: as many as asked for, or as many as ``games`` and ``rows`` hold.

    A unit is a game or, where the rules ask for one, a match or a Hollywood sheet; both copies with ``mirror``. The
    parameters are those of :func:`play_hands`, and ``games``, an ndarray of ``schema.GAME_DTYPE``. In a partnership
    there may be four strategies (side 0, side 1, then their second partners); in cutthroat there are three.

    Returns
    -------
    tuple of int
        Status, rows of ``games`` filled, rows of ``rows`` filled. Both end with a whole unit.
    """
    pairs = [[strategies[player] for player in pair] for pair in _pairs(int(rules.form), len(strategies))]
    most = len(games) if units is None else units
    return _run(pairs, rules, seed, first, mirror, most, False, games, rows, fault)


def _pairs(form: int, given: int) -> list[tuple[int, int]]:
    """Who may meet at a table, in the order in which the kernels of the form number the pairs."""
    if form == schema.Form.cutthroat:
        return [(1, 2), (0, 2), (0, 1)]
    if form == schema.Form.partnership:
        return [(2 * a % given, (2 * b + 1) % given) for a in range(2) for b in range(2)]
    return [(0, 1)]


def _run(
    pairs: Any,
    rules: Any,
    seed: int,
    first: int,
    mirror: bool,
    units: int,
    lone: bool,
    games: Any,
    rows: Any,
    fault: Any,
) -> tuple[int, int, int]:  # fmt: skip
    players, alive = decide.seat_pairs(pairs)
    scratch = [*_scratch(), np.zeros(1, game.COURSE_DTYPE)[0]]
    table = tables.discards(int(rules.ace), int(rules.ace_points))
    numbers = (first, 2 if mirror else 1, units, int(lone))
    try:
        with np.errstate(over="ignore"):  # the generator wraps; compiled code never warns, pure Python would
            status, games_filled, rows_filled = _play(
                players, rules, table, np.uint64(seed), *numbers, games, rows, *scratch
            )
    except BaseException as error:
        course = scratch[-1]
        number = int(players[int(course.pair)].raised)
        if number < 0:
            raise
        _note(number, rules, *scratch)
        fault[:] = scratch[-2].tolist()
        raise DecisionError(f"a decision raised {type(error).__name__}: {error}") from error
    del alive
    fault[:] = list(scratch[-2].tolist())
    return int(status), int(games_filled), int(rows_filled)


def _note(number: int, rules: Any, state: Any, view_0: Any, view_1: Any, _out: Any, fault: Any, course: Any) -> None:
    """Note which question decision ``number`` did not answer, as for an answer that is not legal."""
    mine = (view_0, view_1)[number // 3 ^ int(course.starter)]
    hand.fail(fault, state, mine, np.int64(course.starter), np.int64(0))
    match.fail(course, fault, rules)
