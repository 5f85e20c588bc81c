"""Three players, each for himself: the dealer sits out and the other two play (form ``cutthroat``).

The engine plays a hand between players 0 and 1; here they are the lower and the higher numbered of the two, and the
row is written over with their own numbers. Who sits to the dealer's left plays first. A mirrored game is played the
other way round the table.
"""

from __future__ import annotations

import numpy as np

from gincore._jit import kernel
from gincore.core import game


@kernel
def left_of(player, mirror):
    """The next player around the table."""
    return (player + 1 + mirror) % 3


@kernel
def of(player, value_0, value_1, value_2):
    """The value of one of three players."""
    return np.int64(value_0 if player == 0 else (value_1 if player == 1 else value_2))


@kernel
def player(sits_out, which):
    """The player's own number of the lower (0) or higher numbered (1) of the two who play; -1 stays."""
    if which < 0:
        return np.int64(-1)
    return np.int64(which + (1 if which >= sits_out else 0))


@kernel
def rename(row, sits_out):
    """Write the players' own numbers into a row of players 0 and 1."""
    low = player(sits_out, np.int64(0))
    high = player(sits_out, np.int64(1))
    row.sits_out = sits_out
    row.starter = player(sits_out, np.int64(row.starter))
    row.winner = player(sits_out, np.int64(row.winner))
    row.knocker = player(sits_out, np.int64(row.knocker))
    row.upcard_taken_by = player(sits_out, np.int64(row.upcard_taken_by))
    points_low, points_high = np.int64(row.points_0), np.int64(row.points_1)
    taken_low, taken_high = np.int64(row.pickups_0), np.int64(row.pickups_1)
    none = np.int64(0)
    row.points_0 = points_low if low == 0 else none
    row.points_1 = points_low if low == 1 else (points_high if high == 1 else none)
    row.points_2 = points_high if high == 2 else none
    row.pickups_0 = taken_low if low == 0 else none
    row.pickups_1 = taken_low if low == 1 else (taken_high if high == 1 else none)
    row.pickups_2 = taken_high if high == 2 else none


@kernel
def enter(score, row, rules):
    """Enter a hand's row in the game's."""
    game.enter(score, row, rules)
    score.points_2 += row.points_2
    if row.winner == 2:
        score.hands_won_2 += 1
        score.boxes_2 += rules.box_bonus
        score.gins_2 += row.result == game.GIN
        score.big_gins_2 += row.result == game.BIG_GIN


@kernel
def next_dealer(dealer, row, mirror, rule):
    """Who deals the next hand; nobody won: the same player again."""
    if row.winner < 0:
        return dealer
    winner = np.int64(row.winner)
    if rule == game.WINNER_DEALS:
        return winner
    if rule == game.LOSER_DEALS:
        return 3 - dealer - winner
    return left_of(dealer, mirror)


@kernel
def finish(score, rules):
    """Settle the game if a player has reached the target; says whether it is over."""
    if game.reached(score.points_0, score.boxes_0, rules):
        settle(score, np.int64(0), rules)
        return True
    if game.reached(score.points_1, score.boxes_1, rules):
        settle(score, np.int64(1), rules)
        return True
    if game.reached(score.points_2, score.boxes_2, rules):
        settle(score, np.int64(2), rules)
        return True
    return False


@kernel
def between(score, one, two, first_home, rules):
    """What ``one`` gets from ``two``, signed; ``first_home`` gets the game bonus, and more from a player shut out."""
    if two == first_home:
        return -between_first(score, two, one, rules)
    if one == first_home:
        return between_first(score, one, two, rules)
    if rules.settlement == game.PRO:
        return before_bonus(score, one) - before_bonus(score, two)
    return total(score, one) - total(score, two)


@kernel
def between_first(score, first_home, other, rules):
    """What the player who reached the target gets from another one, signed."""
    shutout = of(other, score.points_0, score.points_1, score.points_2) == 0
    if rules.settlement == game.PRO:
        result = rules.game_bonus + before_bonus(score, first_home) - before_bonus(score, other)
        return 2 * result if shutout else result
    mine = total(score, first_home)
    if shutout and rules.shutout == game.DOUBLE_BONUS:
        mine += rules.game_bonus
    if shutout and rules.shutout == game.FLAT_100:
        mine += 100
    if shutout and rules.shutout == game.DOUBLE_TOTAL:
        mine *= 2
    return mine - total(score, other)


@kernel
def before_bonus(score, player):
    """Hand points and boxes of a player."""
    points = of(player, score.points_0, score.points_1, score.points_2)
    return points + of(player, score.boxes_0, score.boxes_1, score.boxes_2)


@kernel
def total(score, player):
    """Total of a player."""
    return of(player, score.total_0, score.total_1, score.total_2)


@kernel
def settle(score, first_home, rules):
    """Totals, and the difference that each player pays to each other one."""
    gin, big_gin, bonus = rules.end_gin_bonus, rules.end_big_gin_bonus, rules.game_bonus
    score.total_0 = score.points_0 + score.boxes_0 + gin * score.gins_0 + big_gin * score.big_gins_0
    score.total_1 = score.points_1 + score.boxes_1 + gin * score.gins_1 + big_gin * score.big_gins_1
    score.total_2 = score.points_2 + score.boxes_2 + gin * score.gins_2 + big_gin * score.big_gins_2
    score.total_0 += bonus if first_home == 0 else 0
    score.total_1 += bonus if first_home == 1 else 0
    score.total_2 += bonus if first_home == 2 else 0
    score.shutout = np.int64(score.points_0 == 0) + np.int64(score.points_1 == 0) + np.int64(score.points_2 == 0)
    zero, one, two = np.int64(0), np.int64(1), np.int64(2)
    of_01 = between(score, zero, one, first_home, rules)
    of_02 = between(score, zero, two, first_home, rules)
    of_12 = between(score, one, two, first_home, rules)
    score.margin = of_01 + of_02
    score.margin_2 = -of_02 - of_12
    score.winner = first_home
    if rules.settlement == game.SUM:
        score.winner = game.highest(
            np.int64(score.total_0), np.int64(score.total_1), np.int64(score.total_2), np.int64(-1)
        )
    elif rules.settlement == game.PRO:
        score.winner = game.highest(of_01 + of_02, of_12 - of_01, -of_02 - of_12, first_home)


@kernel
def begin(course, dealer):
    """Before the first hand of a game."""
    seat(course, dealer)
    course.score_0 = 0
    course.score_1 = 0


@kernel
def seat(course, dealer):
    """Who plays where ``dealer`` sits out: the entry of the pairs has the dealer's number."""
    course.dealer = dealer
    course.pair = dealer
    first = left_of(dealer, course.mirror)
    course.starter = first - (1 if first > dealer else 0)
    course.first = course.starter  # three players: no card belongs to a player


@kernel
def after(course, score, row, rules):
    """Enter a hand that has been played, and say whether the game is over."""
    rename(row, course.dealer)
    enter(score, row, rules)
    if finish(score, rules):
        return True
    seat(course, next_dealer(course.dealer, row, course.mirror, rules.next_dealer))
    course.score_0 = of(player(course.dealer, np.int64(0)), score.points_0, score.points_1, score.points_2)
    course.score_1 = of(player(course.dealer, np.int64(1)), score.points_0, score.points_1, score.points_2)
    return False
