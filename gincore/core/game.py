"""A game of hands to the target, and its settlement (form ``single``)."""

from __future__ import annotations

import numpy as np

from gincore._jit import kernel
from gincore.core import hand, play, rng, view
from gincore.schema import HANDS_PER_GAME, NextDealer, Result, Settlement, Shutout, Status

LOSER_DEALS, WINNER_DEALS = int(NextDealer.loser), int(NextDealer.winner)
SUM, PRO = int(Settlement.sum), int(Settlement.pro)
DOUBLE_BONUS, FLAT_100, DOUBLE_TOTAL = int(Shutout.double_game_bonus), int(Shutout.flat_100), int(Shutout.double_total)
GIN, BIG_GIN = int(Result.gin), int(Result.big_gin)
TOO_MANY = int(Status.too_many_hands)
NO_ROOM = -1
"""What :func:`play_game` returns where the buffer for hand rows is full."""


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
    """A new game's row."""
    game.game = number
    game.mirror = mirror
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


@kernel
def enter(game, row, rules):
    """Enter a hand's row in the game's."""
    game.hands += 1
    game.points_0 += row.points_0
    game.points_1 += row.points_1
    if row.winner == 0:
        game.hands_won_0 += 1
        game.boxes_0 += rules.box_bonus
        game.gins_0 += row.result == GIN
        game.big_gins_0 += row.result == BIG_GIN
    elif row.winner == 1:
        game.hands_won_1 += 1
        game.boxes_1 += rules.box_bonus
        game.gins_1 += row.result == GIN
        game.big_gins_1 += row.result == BIG_GIN


@kernel
def reached(points, boxes, rules):
    """Has a player reached the target? Boxes count only where the rules say so."""
    return points + (boxes if rules.box_toward_target != 0 else 0) >= rules.target


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
    game.total_0 = game.points_0 + game.boxes_0
    game.total_1 = game.points_1 + game.boxes_1
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
def play_game(
    state, view_0, view_1, rules, discards, players, seed, number, mirror, game, rows, used, out, fault
):  # fmt: skip
    """Play game ``number``; its hands' rows go to ``rows`` from place ``used`` on.

    Returns
    -------
    tuple of int64
        Status (``NO_ROOM`` if the rows ran out: nothing of the game counts), and the rows used up.
    """
    first_deal = number * HANDS_PER_GAME
    coin = rng.word(rng.key(seed, np.uint64(first_deal), np.uint64(rng.GAME)), np.uint64(0)) & np.uint64(1)
    starter = np.int64(coin) ^ mirror
    clear(game, number, mirror, starter)
    while game.hands < HANDS_PER_GAME:
        if used >= len(rows):
            return NO_ROOM, used
        row = rows[used]
        used += 1
        row.deal = first_deal + game.hands
        row.mirror = mirror
        hand.deal(state, view_0, view_1, rules, seed, np.uint64(row.deal))
        mine = game.points_0 if starter == 0 else game.points_1
        theirs = game.points_1 if starter == 0 else game.points_0
        view.score(view_0, mine, theirs, rules.target)
        view.score(view_1, theirs, mine, rules.target)
        status = play.play(state, view_0, view_1, rules, discards, players, starter, row, out, fault)
        if status != play.OK:
            fault.deal = row.deal
            fault.mirror = mirror
            return status, used
        enter(game, row, rules)
        for player in range(2):
            points = game.points_0 if player == 0 else game.points_1
            boxes = game.boxes_0 if player == 0 else game.boxes_1
            if reached(points, boxes, rules):
                settle(game, player, rules)
                return play.OK, used
        starter = next_starter(starter, np.int64(row.winner), rules.next_dealer)
    fault.deal = first_deal
    fault.mirror = mirror
    return TOO_MANY, used
