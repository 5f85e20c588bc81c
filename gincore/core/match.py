"""A match: one game, the best of N games, or games until somebody has so many points; each game of any form.

The deal is drawn by lot at the beginning of every game, and the hands are numbered on from game to game.
"""

from __future__ import annotations

import numpy as np

from gincore._jit import kernel
from gincore.core import cutthroat, game, hollywood, partnership, rng
from gincore.schema import COLUMNS, HANDS_PER_GAME, MAX_LEGS, Form, Status

HOLLYWOOD, PARTNERSHIP, CUTTHROAT = int(Form.hollywood), int(Form.partnership), int(Form.cutthroat)

OK = np.int64(Status.ok)
TOO_MANY = np.int64(Status.too_many_hands)


@kernel
def start(course, first, copies, lone, rules):
    """Before the first hand of a run of units from number ``first`` on; ``lone``: single hands."""
    course.lone = lone
    course.copies = copies
    course.number = first
    course.mirror = 0
    course.done = 0
    course.columns = 0 if lone != 0 else (COLUMNS if rules.form == HOLLYWOOD else 1)
    course.place = 0
    course.used = 0
    course.games_filled = 0
    course.rows_filled = 0
    course.target = 0 if lone != 0 else rules.target
    game.begin(course, np.int64(0))
    begin_copy(course)


@kernel
def begin_copy(course):
    """A unit begins, or its mirrored copy."""
    if course.lone != 0:
        course.deal = course.number
        course.starter = (course.number + course.mirror) % 2
        course.first = course.starter
        return
    course.deal = course.number * HANDS_PER_GAME
    course.begins = 1
    course.legs = 0
    course.won_0 = 0
    course.won_1 = 0
    course.won_2 = 0
    course.points_0 = 0
    course.points_1 = 0
    course.points_2 = 0


@kernel
def end_copy(course):
    """A unit is over, or its mirrored copy: on to the next one."""
    course.mirror += 1
    if course.mirror == course.copies:
        course.mirror = 0
        course.number += 1
        course.done += 1
        course.games_filled = course.place
        course.rows_filled = course.used
    begin_copy(course)


@kernel
def clear_leg(course):
    """A game begins."""
    course.margin_0 = 0
    course.margin_1 = 0
    course.margin_2 = 0


@kernel
def add_row(course, row, rules):
    """Add a game's row; under ``sum`` everybody keeps the whole total."""
    course.margin_0 += row.margin
    course.margin_1 -= row.margin + row.margin_2
    course.margin_2 += row.margin_2
    if rules.settlement == game.SUM:
        course.points_0 += row.total_0
        course.points_1 += row.total_1
        course.points_2 += row.total_2


@kernel
def end_leg(course, winner, rules):
    """The game is over: count it for its winner; a settlement other than ``sum`` pays those who are ahead."""
    course.legs += 1
    course.won_0 += winner == 0
    course.won_1 += winner == 1
    course.won_2 += winner == 2
    if rules.settlement != game.SUM:
        course.points_0 += max(course.margin_0, 0)
        course.points_1 += max(course.margin_1, 0)
        course.points_2 += max(course.margin_2, 0)


@kernel
def decide(course, winner, rules):
    """Is the match over, and who has won it (-1: nobody)? ``winner`` is that of the game just played.

    Best of N: whoever has won more than N / 2 games; under ``sum`` all N are played, and the higher sum wins. Points:
    the highest who has so many. What is level is played on, but for a lone game and the N games under ``sum``.
    """
    nobody = np.int64(-1)
    by_points = game.highest(course.points_0, course.points_1, course.points_2, nobody)
    if rules.match_games > 0:
        if rules.settlement == game.SUM:
            return course.legs == rules.match_games, by_points
        by_games = game.highest(course.won_0, course.won_1, course.won_2, nobody)
        return max(course.won_0, course.won_1, course.won_2) > rules.match_games // 2, by_games
    if rules.match_points > 0:
        highest = max(course.points_0, course.points_1, course.points_2)
        return highest >= rules.match_points and by_points >= 0, by_points
    return True, winner


@kernel
def clear_row(course, row, column, starter):
    """A new row of the game that begins."""
    game.clear(row, course.number, course.mirror, starter)
    row.leg = course.legs
    row.column = column


@kernel
def begin_game(course, one, two, three, seed, rules):
    """Before the first hand of a game: its rows are cleared, and lots are drawn for the deal."""
    number, mirror, leg = course.number, course.mirror, course.legs
    lot = rng.word(rng.key(seed, np.uint64(number * HANDS_PER_GAME), np.uint64(rng.GAME)), np.uint64(leg))
    starter = np.int64(lot & np.uint64(1)) ^ mirror
    if rules.form == CUTTHROAT:
        dealer = rng.below(lot, np.int64(3))
        starter = cutthroat.left_of(dealer, mirror)
        cutthroat.begin(course, dealer)
    elif rules.form == PARTNERSHIP:
        partnership.begin(course, starter, (number + leg) % 2, rules)
    elif rules.form == HOLLYWOOD:
        hollywood.begin(course, starter)
        clear_row(course, three, np.int64(2), starter)
        clear_row(course, two, np.int64(1), starter)
    else:
        game.begin(course, starter)
    clear_row(course, one, np.int64(0), starter)


@kernel
def before_hand(course, one, two, three, seed, rules):
    """Ready for the next hand; returns a status."""
    if course.lone != 0:
        return OK
    if course.deal == (course.number + 1) * HANDS_PER_GAME or course.legs == MAX_LEGS:
        course.deal -= 1
        return TOO_MANY
    if course.begins != 0:
        begin_game(course, one, two, three, seed, rules)
    return OK


@kernel
def after_hand(course, one, two, three, row, rules):
    """Enter a hand that has been played, and go on to the next one."""
    course.used += 1
    if course.lone != 0:
        end_copy(course)
        return
    course.deal += 1
    if rules.form == CUTTHROAT:
        over = cutthroat.after(course, one, row, rules)
    elif rules.form == PARTNERSHIP:
        over = partnership.after(course, one, row, rules)
    elif rules.form == HOLLYWOOD:
        over = hollywood.after(course, one, two, three, row, rules)
    else:
        over = game.after(course, one, row, rules)
    course.begins = over
    if over:
        course.place += course.columns
        if after_game(course, one, two, three, rules):
            end_copy(course)


@kernel
def after_game(course, one, two, three, rules):
    """Count a game that is over, and say whether the match is; its winner stands in the last row."""
    clear_leg(course)
    add_row(course, one, rules)
    winner = np.int64(one.winner)
    if rules.form == HOLLYWOOD:
        add_row(course, two, rules)
        add_row(course, three, rules)
        winner = np.int64(0 if course.margin_0 > 0 else (1 if course.margin_0 < 0 else -1))
    end_leg(course, winner, rules)
    over, won_by = decide(course, winner, rules)
    if over:
        three.match_winner = won_by
    return over


@kernel
def fail(course, fault, rules):
    """Complete what is known of an answer that was not legal: the deal, and the player's own number."""
    fault.deal = course.deal
    fault.mirror = course.mirror
    if course.lone != 0:
        return
    if rules.form == PARTNERSHIP:
        fault.player = partnership.player(course, fault.player)
    elif rules.form == CUTTHROAT:
        fault.player = cutthroat.player(course.dealer, fault.player)
