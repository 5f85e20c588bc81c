"""A match: one game, the best of N games, or games until somebody has so many points; each game of any form.

The deal is drawn by lot at the beginning of every game, and the hands are numbered on from game to game.
"""

from __future__ import annotations

import numpy as np

from gincore._jit import kernel
from gincore.core import cutthroat, game, hollywood, partnership, play, rng
from gincore.schema import COLUMNS, HANDS_PER_GAME, MAX_LEGS, Form

HOLLYWOOD, PARTNERSHIP, CUTTHROAT = int(Form.hollywood), int(Form.partnership), int(Form.cutthroat)

MATCH_DTYPE = np.dtype(
    (
        np.record,
        [
            ("legs", np.int64),  # games played
            ("margin_0", np.int64),  # of the game just played (all columns together), view of each player
            ("margin_1", np.int64),
            ("margin_2", np.int64),
            ("won_0", np.int64),  # games won
            ("won_1", np.int64),
            ("won_2", np.int64),
            ("points_0", np.int64),  # settled points that count for the match
            ("points_1", np.int64),
            ("points_2", np.int64),
        ],
    ),
    align=True,
)
"""The state of a match."""


@kernel
def clear(match):
    """A new match."""
    match.legs = 0
    match.won_0 = 0
    match.won_1 = 0
    match.won_2 = 0
    match.points_0 = 0
    match.points_1 = 0
    match.points_2 = 0


@kernel
def clear_leg(match):
    """A game begins."""
    match.margin_0 = 0
    match.margin_1 = 0
    match.margin_2 = 0


@kernel
def add_row(match, row, rules):
    """Add a game's row; under ``sum`` everybody keeps the whole total."""
    match.margin_0 += row.margin
    match.margin_1 -= row.margin + row.margin_2
    match.margin_2 += row.margin_2
    if rules.settlement == game.SUM:
        match.points_0 += row.total_0
        match.points_1 += row.total_1
        match.points_2 += row.total_2


@kernel
def end_leg(match, winner, rules):
    """The game is over: count it for its winner; a settlement other than ``sum`` pays those who are ahead."""
    match.legs += 1
    match.won_0 += winner == 0
    match.won_1 += winner == 1
    match.won_2 += winner == 2
    if rules.settlement != game.SUM:
        match.points_0 += max(match.margin_0, 0)
        match.points_1 += max(match.margin_1, 0)
        match.points_2 += max(match.margin_2, 0)


@kernel
def decide(match, winner, rules):
    """Is the match over, and who has won it (-1: nobody)? ``winner`` is that of the game just played.

    Best of N: whoever has won more than N / 2 games; under ``sum`` all N are played, and the higher sum wins. Points: the
    highest who has so many. What is level is played on, but for a lone game and the N games under ``sum``.
    """
    nobody = np.int64(-1)
    by_points = game.highest(match.points_0, match.points_1, match.points_2, nobody)
    if rules.match_games > 0:
        if rules.settlement == game.SUM:
            return match.legs == rules.match_games, by_points
        by_games = game.highest(match.won_0, match.won_1, match.won_2, nobody)
        return max(match.won_0, match.won_1, match.won_2) > rules.match_games // 2, by_games
    if rules.match_points > 0:
        highest = max(match.points_0, match.points_1, match.points_2)
        return highest >= rules.match_points and by_points >= 0, by_points
    return True, winner


@kernel
def play_leg(
    state, view_0, view_1, rules, discards, pairs, seed, deal, mirror, leg, games, place, rows, used, out, fault
):  # fmt: skip
    """Play one game of the match, of the form that the rules name; returns status and rows used up."""
    number = deal // HANDS_PER_GAME
    lot = rng.word(rng.key(seed, np.uint64(number * HANDS_PER_GAME), np.uint64(rng.GAME)), np.uint64(leg))
    first = games[place]
    if rules.form == CUTTHROAT:
        dealer = rng.below(lot, np.int64(3))
        game.clear(first, number, mirror, leg, np.int64(0), cutthroat.left_of(dealer, mirror))
        return cutthroat.play_game(
            state, view_0, view_1, rules, discards, pairs, seed, deal, mirror, dealer, first, rows, used, out, fault
        )
    starter = np.int64(lot & np.uint64(1)) ^ mirror
    game.clear(first, number, mirror, leg, np.int64(0), starter)
    if rules.form == PARTNERSHIP:
        return partnership.play_game(
            state, view_0, view_1, rules, discards, pairs, seed, deal, mirror, starter, (number + leg) % 2,
            first, rows, used, out, fault,
        )  # fmt: skip
    if rules.form == HOLLYWOOD:
        for column in range(1, COLUMNS):
            game.clear(games[place + column], number, mirror, leg, np.int64(column), starter)
        return hollywood.play_sheet(
            state, view_0, view_1, rules, discards, pairs[0], seed, deal, mirror, starter,
            games, place, rows, used, out, fault,
        )  # fmt: skip
    return game.play_game(
        state, view_0, view_1, rules, discards, pairs[0], seed, deal, mirror, starter, first, rows, used, out, fault
    )


@kernel
def play_match(
    state, view_0, view_1, rules, discards, pairs, seed, number, mirror, match, games, place, rows, used, out, fault
):  # fmt: skip
    """Play match ``number``; its games go to ``games`` from ``place`` on, its hands to ``rows`` from ``used`` on.

    Returns
    -------
    tuple of int64
        Status (``NO_ROOM`` if games or rows ran out: nothing of the match counts), game rows and hand rows used up.
    """
    first_deal = number * HANDS_PER_GAME
    begin = used
    columns = np.int64(COLUMNS if rules.form == HOLLYWOOD else 1)
    clear(match)
    while match.legs < MAX_LEGS:
        if place + columns > len(games):
            return game.NO_ROOM, place, used
        status, used = play_leg(
            state, view_0, view_1, rules, discards, pairs, seed, first_deal + used - begin, mirror, match.legs,
            games, place, rows, used, out, fault,
        )  # fmt: skip
        if status != play.OK:
            return status, place, used
        clear_leg(match)
        for column in range(columns):
            add_row(match, games[place + column], rules)
        place += columns
        last = games[place - 1]
        winner = np.int64(last.winner)
        if columns > 1:
            winner = np.int64(0 if match.margin_0 > 0 else (1 if match.margin_0 < 0 else -1))
        end_leg(match, winner, rules)
        over, won_by = decide(match, winner, rules)
        if over:
            last.match_winner = won_by
            return play.OK, place, used
    return game.too_many(fault, first_deal + used - begin, mirror), place, used
