"""Integer sums over hands and games from which every estimate and interval is made.

A unit (a deal, a pair of mirrored deals, a pair of games) gives a vector v of integers: the metrics of
``schema.METRICS`` summed over its hands. Kept are the sum of v and of v v^T. They merge exactly in any order.
"""

from __future__ import annotations

import numpy as np

from gincore import schema
from gincore._jit import kernel
from gincore.schema import HANDS_PER_GAME, Result

_PLACE = {name: place for place, name in enumerate(schema.METRICS)}
METRICS = len(schema.METRICS)
BLOCK = 120
"""Units that are multiplied out at a time: they fit the first cache, and rows are no power of two apart."""
(
    HANDS, NET, NET_SQUARED, POINTS_0, POINTS_1, WON_0, WON_1, KNOCK, GIN, BIG_GIN, UNDERCUT, TIE, DEAD, STALLED,
    KNOCKS_0, KNOCKS_1, GINS_0, GINS_1, UNDERCUTS_0, UNDERCUTS_1, NONGIN_KNOCKS, LAYOFF_CARDS, LAID_OFF_ANY,
    NONGIN_DEADWOOD, KNOCKER_DEADWOOD, DEFENDER_DEADWOOD, TURNS, TURNS_SQUARED, STOCK_LEFT, PICKUPS_0, PICKUPS_1,
    UPCARD_0, UPCARD_1, STARTER_NET, STARTER_WON, KNOCK_LIMIT, DOUBLED, KNOCK_POINTS, GIN_POINTS, UNDERCUT_POINTS,
) = range(METRICS)  # fmt: skip
IS_KNOCK, IS_GIN, IS_BIG_GIN, IS_UNDERCUT = (
    int(Result.knock), int(Result.gin), int(Result.big_gin), int(Result.undercut),
)  # fmt: skip
IS_DEAD, IS_STALLED = int(Result.dead), int(Result.stalled)
(
    GAMES, GAME_WON_0, GAME_WON_1, MARGIN, SHUTOUT, GAME_POINTS_0, GAME_POINTS_1, LEGS, MATCHES,
    MATCH_WON_0, MATCH_WON_1, GAME_WON_2, MATCH_WON_2, GAME_POINTS_2, MARGIN_2,
) = range(METRICS, METRICS + len(schema.GAME_METRICS))  # fmt: skip
DEADWOOD_BINS, TURN_BINS, PICKUP_BINS = schema.CELL_SHAPE


@kernel
def add_hand(row, unit):
    """Add one hand's metrics to the unit's vector."""
    points_0, points_1, points_2 = np.int64(row.points_0), np.int64(row.points_1), np.int64(row.points_2)
    points = points_0 + points_1 + points_2
    net = 2 * points_0 - points if row.sits_out != 0 else np.int64(0)
    starters = points_0 if row.starter == 0 else (points_1 if row.starter == 1 else points_2)
    turns = np.int64(row.turns)
    unit[HANDS] += 1
    unit[NET] += net
    unit[NET_SQUARED] += net * net
    unit[POINTS_0] += points_0
    unit[POINTS_1] += points_1
    unit[WON_0] += row.winner == 0
    unit[WON_1] += row.winner == 1
    unit[TURNS] += turns
    unit[TURNS_SQUARED] += turns * turns
    unit[STOCK_LEFT] += row.stock_left
    unit[PICKUPS_0] += row.pickups_0
    unit[PICKUPS_1] += row.pickups_1
    unit[UPCARD_0] += row.upcard_taken_by == 0
    unit[UPCARD_1] += row.upcard_taken_by == 1
    unit[STARTER_NET] += 2 * starters - points
    unit[STARTER_WON] += row.winner == row.starter
    unit[KNOCK_LIMIT] += max(np.int64(row.knock_limit), 0)
    unit[DOUBLED] += row.doubled
    _add_result(row, unit, points)


@kernel
def _add_result(row, unit, points):
    """Add what depends on how the hand ended."""
    result = row.result
    if result == IS_DEAD:
        unit[DEAD] += 1
        return
    if result == IS_STALLED:
        unit[STALLED] += 1
        return
    unit[KNOCKER_DEADWOOD] += row.knocker_deadwood
    unit[DEFENDER_DEADWOOD] += row.defender_deadwood
    if result in (IS_GIN, IS_BIG_GIN):
        unit[GINS_0] += row.knocker == 0
        unit[GINS_1] += row.knocker == 1
        if result == IS_GIN:
            unit[GIN] += 1
            unit[GIN_POINTS] += points
        else:
            unit[BIG_GIN] += 1
        return
    unit[NONGIN_KNOCKS] += 1
    unit[KNOCKS_0] += row.knocker == 0
    unit[KNOCKS_1] += row.knocker == 1
    unit[LAYOFF_CARDS] += row.layoff_cards
    unit[LAID_OFF_ANY] += row.layoff_cards > 0
    unit[NONGIN_DEADWOOD] += row.knocker_deadwood
    if result == IS_KNOCK:
        unit[KNOCK] += 1
        unit[KNOCK_POINTS] += points
    else:
        unit[UNDERCUT] += 1
        unit[UNDERCUT_POINTS] += points
        unit[TIE] += row.knocker_deadwood == row.defender_deadwood
        unit[UNDERCUTS_0] += row.winner == 0
        unit[UNDERCUTS_1] += row.winner == 1


@kernel
def add_units(units, first, second):
    """Add a block of units, the columns of ``units`` (shape (K, BLOCK), K a multiple of 4), to the sums, and clear it.

    Of ``second`` only what is on and below the diagonal is right. Products of whole rows, four rows at a time, compile
    to vector code that reads each row seldom; one unit at a time would cost several times as much.
    """
    for i in range(len(units)):
        total = np.int64(0)
        for unit in range(BLOCK):
            total += units[i, unit]
        first[i] += total
        for j in range(0, i + 1, 4):
            a, b, c, d = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
            for unit in range(BLOCK):
                value = units[i, unit]
                a += value * units[j, unit]
                b += value * units[j + 1, unit]
                c += value * units[j + 2, unit]
                d += value * units[j + 3, unit]
            second[i, j] += a
            second[i, j + 1] += b
            second[i, j + 2] += c
            second[i, j + 3] += d
    units[:] = 0


@kernel
def _hand_moments(rows, per_unit, units, first, second):
    filled = np.int64(0)
    for index in range(len(rows)):
        add_hand(rows[index], units[:, filled])
        if (index + 1) % per_unit == 0:
            filled += 1
            if filled == BLOCK:
                add_units(units, first, second)
                filled = np.int64(0)
    add_units(units, first, second)


@kernel
def _add_game(game, unit):
    unit[GAMES] += 1
    unit[GAME_WON_0] += game.winner == 0
    unit[GAME_WON_1] += game.winner == 1
    unit[MARGIN] += game.margin
    unit[SHUTOUT] += game.shutout
    unit[GAME_POINTS_0] += game.points_0
    unit[GAME_POINTS_1] += game.points_1
    unit[LEGS] += game.column == 0
    unit[MATCHES] += game.column == 0 and game.leg == 0
    unit[MATCH_WON_0] += game.match_winner == 0
    unit[MATCH_WON_1] += game.match_winner == 1
    unit[GAME_WON_2] += game.winner == 2
    unit[MATCH_WON_2] += game.match_winner == 2
    unit[GAME_POINTS_2] += game.points_2
    unit[MARGIN_2] += game.margin_2


@kernel
def _game_moments(games, rows, units, first, second):
    used = np.int64(0)
    filled = np.int64(0)
    done = np.int64(0)
    for index in range(len(games)):
        game = games[index]
        unit = units[:, filled]
        _add_game(game, unit)
        if index + 1 < len(games) and games[index + 1].game == game.game:
            continue
        while used < len(rows) and rows[used].deal // HANDS_PER_GAME == game.game:
            add_hand(rows[used], unit)
            used += 1
        done += 1
        filled += 1
        if filled == BLOCK:
            add_units(units, first, second)
            filled = np.int64(0)
    add_units(units, first, second)
    return done


@kernel
def _knock_cells(rows, cells):
    for index in range(len(rows)):
        row = rows[index]
        knocker = row.knocker
        if knocker < 0:
            continue
        taken = np.int64(row.pickups_0 if knocker == 0 else (row.pickups_1 if knocker == 1 else row.pickups_2))
        mine = np.int64(row.points_0 if knocker == 0 else (row.points_1 if knocker == 1 else row.points_2))
        points = 2 * mine - np.int64(row.points_0) - np.int64(row.points_1) - np.int64(row.points_2)
        theirs = np.int64(row.pickups_0) + np.int64(row.pickups_1) + np.int64(row.pickups_2) - taken
        deadwood = min(np.int64(row.knocker_deadwood), DEADWOOD_BINS - 1)
        turn = min(np.int64(row.turns), TURN_BINS - 1)
        cell = cells[deadwood, turn, min(theirs, PICKUP_BINS - 1)]
        cell[0] += 1
        cell[1] += row.result == IS_UNDERCUT
        cell[2] += points
        cell[3] += points * points


def _scratch(size):
    """A block of units and its sums, with rows of zeros up to a multiple of four."""
    size += -size % 4
    room = np.zeros(size * BLOCK + 8, np.int64)  # rows begin cache lines: half of all loads would lie across two
    begin = -room.ctypes.data % schema.CACHE_LINE // 8
    units = room[begin : begin + size * BLOCK].reshape(size, BLOCK)
    return units, np.zeros(size, np.int64), np.zeros((size, size), np.int64)


def _add(sums, first, second):
    """Add a block's sums, of which the upper half of the products is left out."""
    size = len(first)
    first += sums[0][:size]
    lower = np.tril(sums[1][:size, :size])
    second += lower + np.tril(lower, -1).T


def hand_moments(rows, per_unit, first, second):
    """Add the units of a block of hand rows.

    Parameters
    ----------
    rows : ndarray of ``schema.HAND_DTYPE``
        Whole units, one behind the other.
    per_unit : int
        Hands a unit: 2 with mirrored deals, else 1.
    first, second : ndarray of int64, shapes (K,) and (K, K), added to in place
        Sums of v and of v v^T, K = ``len(schema.METRICS)``.
    """
    units, *sums = _scratch(len(first))
    _hand_moments(rows, per_unit, units, *sums)
    _add(sums, first, second)


def game_moments(games, rows, first, second):
    """Add the units of a block of games; ``rows`` are all their hands in order.

    A unit is what has one game number: a game or a match, and its mirrored copy. The sums have ``schema.METRICS``
    followed by ``schema.GAME_METRICS``.

    Returns
    -------
    int
        Units added.
    """
    units, *sums = _scratch(len(first))
    added = int(_game_moments(games, rows, units, *sums))
    _add(sums, first, second)
    return added


def knock_cells(rows, cells):
    """Add a block of hand rows to the histogram of ``schema.CELL_SHAPE`` with ``schema.CELL_FIELDS`` behind it."""
    _knock_cells(rows, cells)
