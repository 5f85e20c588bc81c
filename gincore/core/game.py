"""A game of hands to the target, and its settlement (form ``single``; the other forms build on it)."""

from __future__ import annotations

import numpy as np

from gincore._jit import kernel
from gincore.schema import NextDealer, Result, Settlement, Shutout

LOSER_DEALS, WINNER_DEALS = int(NextDealer.loser), int(NextDealer.winner)
SUM, PRO = int(Settlement.sum), int(Settlement.pro)
DOUBLE_BONUS, FLAT_100, DOUBLE_TOTAL = int(Shutout.double_game_bonus), int(Shutout.flat_100), int(Shutout.double_total)
GIN, BIG_GIN = int(Result.gin), int(Result.big_gin)

COURSE_DTYPE = np.dtype(
    (
        np.record,
        [
            # the run
            ("lone", np.int64),  # 1: single hands, without games
            ("copies", np.int64),  # times that each unit is played, 2 if mirrored
            ("number", np.int64),  # number of the unit: a deal, game or match
            ("mirror", np.int64),
            ("done", np.int64),  # units played
            ("columns", np.int64),  # rows of a game
            ("place", np.int64),  # game rows and hand rows filled
            ("used", np.int64),
            ("games_filled", np.int64),  # the same by units that are done
            ("rows_filled", np.int64),
            ("begins", np.int64),  # 1 if a game begins with the next hand
            # the next hand
            ("deal", np.int64),  # its number
            ("target", np.int64),
            ("pair", np.int64),  # who plays it: an entry of the pairs of players
            ("starter", np.int64),  # which of the two plays first
            ("first", np.int64),  # which of the two began the game: has the first ten cards of every deck of it
            ("score_0", np.int64),  # points in the game of the first of the two, as its view shows them
            ("score_1", np.int64),
            # Hollywood
            ("closed", np.int64),  # columns closed
            ("columns_0", np.int64),  # columns that a player has reached
            ("columns_1", np.int64),
            # partnership
            ("table", np.int64),
            ("swapped", np.int64),  # 1 if partner 0 of side 1 sits at table 1
            ("net", np.int64),  # net points of the table that has ended, side 0's view
            ("table_winner", np.int64),  # side that won there
            # cutthroat
            ("dealer", np.int64),
            # the match
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
"""What lies between the hands of a run: who plays the next one, and what its form must remember.

The forms never call the engine. Each says who plays next (``begin``) and enters what was played (``after``), so that
one loop in ``core/batch.py`` plays them all, and the engine is compiled into one place.
"""


@kernel
def next_starter(starter, winner, next_dealer):
    """Who plays first in the next hand: the player who does not deal. Nobody won: the same player deals again."""
    if winner < 0:
        return starter
    if next_dealer == LOSER_DEALS:
        return winner
    if next_dealer == WINNER_DEALS:
        return 1 - winner
    return 1 - starter


@kernel
def clear(game, number, mirror, starter):
    """A new game's row: the first game of its match, and the first column."""
    game.game = number
    game.mirror = mirror
    game.leg = 0
    game.column = 0
    game.starter = starter
    game.winner = -1
    game.margin = 0
    game.points_0 = 0
    game.points_1 = 0
    game.hands = 0
    game.hands_won_0 = 0
    game.hands_won_1 = 0
    game.boxes_0 = 0
    game.boxes_1 = 0
    game.gins_0 = 0
    game.gins_1 = 0
    game.big_gins_0 = 0
    game.big_gins_1 = 0
    game.shutout = 0
    game.total_0 = 0
    game.total_1 = 0
    game.match_winner = -1
    _clear_rest(game)


@kernel
def _clear_rest(game):
    """The columns of partnership and cutthroat."""
    game.both_won_0 = 0
    game.both_won_1 = 0
    game.points_2 = 0
    game.hands_won_2 = 0
    game.boxes_2 = 0
    game.gins_2 = 0
    game.big_gins_2 = 0
    game.total_2 = 0
    game.margin_2 = 0


@kernel
def enter(game, row, rules):
    """Enter a hand's row in the game's."""
    game.hands += 1
    game.points_0 += row.points_0
    game.points_1 += row.points_1
    if row.winner == 0:
        game.hands_won_0 += 1
        game.boxes_0 += rules.box_bonus
    elif row.winner == 1:
        game.hands_won_1 += 1
        game.boxes_1 += rules.box_bonus
    enter_gin(game, row)


@kernel
def enter_gin(game, row):
    """Count a hand's gin or big gin for the player who won with it."""
    if row.winner == 0:
        game.gins_0 += row.result == GIN
        game.big_gins_0 += row.result == BIG_GIN
    elif row.winner == 1:
        game.gins_1 += row.result == GIN
        game.big_gins_1 += row.result == BIG_GIN


@kernel
def reached(points, boxes, rules):
    """Has a player reached the target? Boxes count only where the rules say so."""
    return points + (boxes if rules.box_toward_target != 0 else 0) >= rules.target


@kernel
def finish(game, rules):
    """Settle the game if a player has reached the target; says whether it is over."""
    if reached(game.points_0, game.boxes_0, rules):
        settle(game, np.int64(0), rules)
        return True
    if reached(game.points_1, game.boxes_1, rules):
        settle(game, np.int64(1), rules)
        return True
    return False


@kernel
def highest(value_0, value_1, value_2, level):
    """Which of three values is the highest; ``level`` where several are."""
    best = max(value_0, value_1, value_2)
    if (value_0 == best) + (value_1 == best) + (value_2 == best) > 1:
        return level
    return np.int64(0 if value_0 == best else (1 if value_1 == best else 2))


@kernel
def settle(game, first_home, rules):
    """Bonuses and settlement of a finished game; ``first_home`` is the player who reached the target."""
    loser_points = game.points_1 if first_home == 0 else game.points_0
    shutout = loser_points == 0
    game.shutout = shutout
    bonus = rules.game_bonus
    if shutout and rules.shutout == DOUBLE_BONUS:
        bonus *= 2
    if shutout and rules.shutout == FLAT_100:
        bonus += 100
    game.total_0 = game.points_0 + game.boxes_0 + rules.partnership_bonus * game.both_won_0
    game.total_1 = game.points_1 + game.boxes_1 + rules.partnership_bonus * game.both_won_1
    game.total_0 += rules.end_gin_bonus * game.gins_0 + rules.end_big_gin_bonus * game.big_gins_0
    game.total_1 += rules.end_gin_bonus * game.gins_1 + rules.end_big_gin_bonus * game.big_gins_1
    times = 2 if shutout and rules.shutout == DOUBLE_TOTAL else 1
    if first_home == 0:
        game.total_0 = (game.total_0 + bonus) * times
    else:
        game.total_1 = (game.total_1 + bonus) * times
    game.winner = first_home
    if rules.settlement == PRO:
        _settle_pro(game, first_home, shutout, rules)
        return
    game.margin = game.total_0 - game.total_1
    if rules.settlement == SUM:
        game.winner = 0 if game.margin > 0 else (1 if game.margin < 0 else -1)


@kernel
def _settle_pro(game, first_home, shutout, rules):
    """One signed score: bonus + difference of points + boxes' difference, doubled at zero; negative: the other wins."""
    score = game.points_0 - game.points_1 + game.boxes_0 - game.boxes_1
    score += rules.partnership_bonus * (game.both_won_0 - game.both_won_1)
    if first_home == 1:
        score = -score
    score += rules.game_bonus
    if shutout:
        score *= 2
    winner = first_home if score >= 0 else 1 - first_home
    game.winner = winner
    game.total_0 = abs(score) if winner == 0 else 0
    game.total_1 = abs(score) if winner == 1 else 0
    game.margin = game.total_0 - game.total_1


@kernel
def begin(course, starter):
    """Before the first hand of a game: both players have nothing."""
    course.pair = 0
    course.starter = starter
    course.first = starter
    course.score_0 = 0
    course.score_1 = 0


@kernel
def after(course, game, row, rules):
    """Enter a hand that has been played, and say whether the game is over."""
    enter(game, row, rules)
    if finish(game, rules):
        return True
    course.starter = next_starter(course.starter, np.int64(row.winner), rules.next_dealer)
    course.score_0 = game.points_0
    course.score_1 = game.points_1
    return False
