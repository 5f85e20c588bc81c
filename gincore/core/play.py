"""Two strategies play a hand: the place that calls decisions (``core/fork.py`` asks them in the same way).

A decision is ``decide(view, params) -> int64``. ``draw`` answers 1 to take the top of the pile, 0 to leave it (then
the stock gives); ``discard`` answers the card to throw; ``knock``, asked only where going out is legal, answers 0 to
play on, 1 to go out (throwing one of the cards that leave the least, or declaring big gin), or 2 + card to go out
throwing that card. An answer that is not legal ends the hand with a status.
"""

from __future__ import annotations

import numpy as np

from gincore._jit import inlined, kernel
from gincore.core import hand, view
from gincore.core.bits import ZERO, bit
from gincore.core.decide import DISCARD as ASK_DISCARD
from gincore.core.decide import DRAW as ASK_DRAW
from gincore.core.decide import KNOCK as ASK_KNOCK
from gincore.core.decide import ask
from gincore.schema import LastDiscard, Phase, Result, Status, UpcardOffer

UPCARD, DRAW, DISCARD = np.int64(Phase.upcard), np.int64(Phase.draw), np.int64(Phase.discard)
KNOCK, LAST = np.int64(Phase.knock), np.int64(Phase.last)
DEAD, STALLED = np.int64(Result.dead), np.int64(Result.stalled)
NOBODY = np.int64(-1)
KNOCK_ONLY = int(LastDiscard.knock_only)
ELEVEN = int(UpcardOffer.none_eleven)
OK = np.int64(Status.ok)
BAD_DRAW, BAD_DISCARD, BAD_KNOCK = (
    np.int64(Status.bad_draw), np.int64(Status.bad_discard), np.int64(Status.bad_knock),
)  # fmt: skip


@inlined
def draw(state, mine, theirs, phase, players, first, fault):
    """Ask whether to take the top of the pile.

    Returns
    -------
    tuple of int64
        Status, and the card taken; -1 if it was left.
    """
    view.ask(mine, phase, state.turn, state.seat_key[np.uint64(mine.seat)])
    reply = ask(players, 3 * (first ^ mine.seat) + ASK_DRAW, mine)
    if reply == 1:
        return OK, hand.take(mine, theirs)
    if reply != 0:
        hand.fail(fault, state, mine, first, reply)
        return BAD_DRAW, NOBODY
    view.left(mine, theirs)
    return OK, NOBODY


@kernel
def open_hand(state, view_0, view_1, rules, players, first, fault):
    """The first draw: who wants the upcard, else a card of the stock; eleven dealt cards need none.

    Returns
    -------
    tuple of int64
        Status, the card drawn (-1: none), and the seat that has drawn.
    """
    if rules.upcard_offer == ELEVEN:
        return OK, NOBODY, np.int64(0)
    status, card = draw(state, view_0, view_1, UPCARD, players, first, fault)
    seat = np.int64(0)
    if status == OK and card < 0:
        seat = np.int64(1)
        status, card = draw(state, view_1, view_0, UPCARD, players, first, fault)
    if card >= 0:
        state.upcard_seat = seat
    elif status == OK:  # both left it: seat 0 draws from the stock
        seat = np.int64(0)
        card = hand.draw_stock(state, view_0, view_1)
    return status, card, seat


@kernel
def go_out(state, mine, theirs, declared, card, first, rules, row, out):
    """The owner of ``mine`` goes out: with big gin if ``declared``, else throwing ``card``; the row is complete."""
    if declared:
        state.turn += 1
    else:
        hand.throw(state, mine, theirs, card)
    hand.settle(state, mine, theirs, rules, declared, first, row, out)
    hand.close(state, mine, theirs, first, row)


@inlined
def _knock(state, mine, phase, big, players, first, fault):
    """Ask whether to go out, where that is legal.

    Returns
    -------
    tuple of (int64, bool, int64)
        Status, whether the hand ends, and the card thrown then; -1 for big gin.
    """
    view.ask(mine, phase, state.turn, state.seat_key[np.uint64(mine.seat)])
    reply = ask(players, 3 * (first ^ mine.seat) + ASK_KNOCK, mine)
    if reply == 0:
        return OK, False, NOBODY
    if big != 0 and reply == 1:
        return OK, True, NOBODY
    card = hand.knock_card(mine, reply)
    if card < 0:
        hand.fail(fault, state, mine, first, reply)
        return BAD_KNOCK, True, NOBODY
    return OK, True, card


@kernel
def end(state, mine, theirs, first, row, result):
    """Nobody goes out any more: the row is complete."""
    hand.nobody(row, result)
    hand.close(state, mine, theirs, first, row)
    return OK


@kernel
def play(state, view_0, view_1, rules, discards, players, first, row, out, fault):
    """Play a dealt hand to its end.

    Parameters
    ----------
    state : record of ``hand.STATE_DTYPE``
    view_0, view_1 : records of ``schema.VIEW_DTYPE``
        Views of seat 0 (plays first) and seat 1, started by ``hand.deal``.
    rules : record of ``schema.RULES_DTYPE``
    discards : record of ``tables.DISCARDS_DTYPE``
    players : record of ``decide.PLAYERS_DTYPE``
        The decisions of player 0 and player 1.
    first : int64
        The player in seat 0.
    row : record of ``schema.HAND_DTYPE``, filled in place
    out : record of ``showdown.OUTCOME_DTYPE``, scratch
    fault : record of ``hand.FAULT_DTYPE``, filled in place where the status is not ok

    Returns
    -------
    int64
        A code of ``schema.Status``.
    """
    status, card, seat = open_hand(state, view_0, view_1, rules, players, first, fault)
    mine, theirs = view_0, view_1
    if seat == 1:
        mine, theirs = view_1, view_0
    phase = KNOCK
    while status == OK:
        before = mine.deadwood
        big = hand.see_eleven(state, mine, card, rules, discards)
        if mine.knocks != ZERO or big != 0:
            status, ended, thrown = _knock(state, mine, phase, big, players, first, fault)
            if ended:
                if status == OK:
                    go_out(state, mine, theirs, thrown < 0, thrown, first, rules, row, out)
                return status
        if phase == LAST:
            view.gave_back(mine, theirs, card, before)
            return end(state, mine, theirs, first, row, DEAD)
        view.ask(mine, DISCARD, state.turn, state.seat_key[np.uint64(mine.seat)])
        reply = ask(players, 3 * (first ^ mine.seat) + ASK_DISCARD, mine)
        if reply < 0 or reply > 51 or mine.legal & bit(reply) == ZERO:
            hand.fail(fault, state, mine, first, reply)
            return BAD_DISCARD
        hand.throw(state, mine, theirs, reply)
        mine, theirs = theirs, mine
        if mine.stock <= rules.dead_stock:
            if rules.last_discard == KNOCK_ONLY:
                card = hand.take(mine, theirs)
                phase = LAST
                continue
            return end(state, mine, theirs, first, row, DEAD)
        if state.turn >= rules.max_turns:
            return end(state, mine, theirs, first, row, STALLED)
        status, card = draw(state, mine, theirs, DRAW, players, first, fault)
        if status == OK and card < 0:
            card = hand.draw_stock(state, mine, theirs)
    return status
