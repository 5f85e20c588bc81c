"""A game of hands to the target, and its settlement (form ``single``; the other forms build on it)."""

from __future__ import annotations

import numpy as np

from gincore._jit import kernel
from gincore.core import hand, play, view
from gincore.schema import HANDS_PER_GAME, NextDealer, Result, Settlement, Shutout, Status

LOSER_DEALS, WINNER_DEALS = int(NextDealer.loser), int(NextDealer.winner)
SUM, PRO = int(Settlement.sum), int(Settlement.pro)
DOUBLE_BONUS, FLAT_100, DOUBLE_TOTAL = int(Shutout.double_game_bonus), int(Shutout.flat_100), int(Shutout.double_total)
GIN, BIG_GIN = int(Result.gin), int(Result.big_gin)
TOO_MANY = np.int64(Status.too_many_hands)
NO_ROOM = np.int64(-1)
"""What a game or match returns as its status where a buffer for rows is full: nothing of it counts."""


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
def clear(game, number, mirror, leg, column, starter):
    """A new game's row."""
    game.game = number
    game.mirror = mirror
    game.leg = leg
    game.column = column
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
def play_hand(
    state, view_0, view_1, rules, discards, players, seed, deal, mirror, starter, score_0, score_1, row, out, fault
):  # fmt: skip
    """Play one hand of a game; ``score_p`` are the points that player p has in it so far. Returns a status."""
    row.deal = deal
    row.mirror = mirror
    hand.deal(state, view_0, view_1, rules, seed, np.uint64(deal))
    mine = np.int64(score_0 if starter == 0 else score_1)
    theirs = np.int64(score_1 if starter == 0 else score_0)
    view.score(view_0, mine, theirs, rules.target)
    view.score(view_1, theirs, mine, rules.target)
    status = play.play(state, view_0, view_1, rules, discards, players, starter, row, out, fault)
    if status != play.OK:
        fault.deal = deal
        fault.mirror = mirror
    return status


@kernel
def too_many(fault, deal, mirror):
    """The game has used up its deal numbers; ``deal`` is the one after the last."""
    fault.deal = deal - 1
    fault.mirror = mirror
    return TOO_MANY


@kernel
def deals_end(deal):
    """The deal number at which those of the game of ``deal`` end."""
    return (deal // HANDS_PER_GAME + 1) * HANDS_PER_GAME


@kernel
def play_game(
    state, view_0, view_1, rules, discards, players, seed, deal, mirror, starter, game, rows, used, out, fault
):  # fmt: skip
    """Play a game, a cleared row; its hands have the numbers from ``deal`` on and the rows from ``used`` on.

    Returns
    -------
    tuple of int64
        Status (``NO_ROOM`` if the rows ran out: nothing of the game counts), and the rows used up.
    """
    end = deals_end(deal)
    while deal < end:
        if used >= len(rows):
            return NO_ROOM, used
        row = rows[used]
        status = play_hand(
            state, view_0, view_1, rules, discards, players, seed, deal, mirror, starter,
            np.int64(game.points_0), np.int64(game.points_1), row, out, fault,
        )  # fmt: skip
        if status != play.OK:
            return status, used
        used += 1
        deal += 1
        enter(game, row, rules)
        if finish(game, rules):
            return play.OK, used
        starter = next_starter(starter, np.int64(row.winner), rules.next_dealer)
    return too_many(fault, deal, mirror), used
