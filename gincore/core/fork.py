"""Knock or wait: one player lets every knock pass, and each is scored aside on the same hidden cards and stock.

The opponent sees public events only, and a knock that is not made is none. So one course of the hand in which the
player goes out with gin alone holds every way to knock: knocking at a moment ends the hand there, and the moments
before it are the same. What waiting is worth under any rule of knocking follows from the moments of one hand.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gincore import schema
from gincore._jit import kernel
from gincore.core import batch, decide, hand, play, tables, view
from gincore.core.bits import ZERO, bit
from gincore.core.decide import DISCARD as ASK_DISCARD
from gincore.core.decide import KNOCK as ASK_KNOCK
from gincore.core.decide import ask
from gincore.core.play import BAD_DISCARD, BAD_KNOCK, DEAD, DISCARD, DRAW, KNOCK, KNOCK_ONLY, LAST, NOBODY, OK, STALLED
from gincore.core.tables import BIAS
from gincore.schema import MAX_TURNS, NO_LIMIT

OVER = np.int64(-1)
"""Stands for a phase once the hand has ended."""

MOST_MOMENTS = MAX_TURNS // 2 + 2
"""No hand has more moments than a player has turns; a deal is played in one go, mirrored or not."""


@kernel
def _left(mine, card, rules):
    """Points that a knock throwing ``card`` lays down."""
    if rules.min_melded > 0:
        return np.int64(mine.knock_lanes[16 * (card // 13) + card % 13]) - BIAS
    return np.int64(mine.after[card])


@kernel
def _note(state, mine, card, answer, phase, first, rules, moment, points):
    """Fill a moment: the owner of ``mine`` could knock throwing ``card``, for so many points of player 0."""
    player = first ^ mine.seat
    moment.player = player
    moment.deadwood = _left(mine, card, rules)
    moment.turn = state.turn
    moment.opp_pickups = mine.opp_pickups
    moment.pickups = mine.pickups
    moment.stock = mine.stock
    moment.knock_limit = -1 if state.limit == NO_LIMIT else state.limit
    moment.last = 1 if phase == LAST else 0
    moment.answer = 0 if answer == 0 else 1
    moment.points = points if player == 0 else -points


@kernel
def _go_out(
    state, mine, theirs, phase, big, players, first, watched, rules, row, moment, aside, out, fault
):  # fmt: skip
    """Ask whether to go out, where that is legal; the watched player plays on, but for gin.

    A knock that passes is scored in ``aside`` as if its card had been thrown, and the hand is put back as it was.

    Returns
    -------
    tuple of (int64, bool, int64)
        Status, whether the hand has ended, moments noted (0 or 1).
    """
    view.ask(mine, phase, state.turn, state.seat_key[mine.seat])
    player = first ^ mine.seat
    reply = ask(players, 3 * player + ASK_KNOCK, mine)
    declared = big != 0 and reply == 1
    card = NOBODY
    if mine.knocks != ZERO and not declared:
        card = hand.knock_card(mine, reply if reply != 0 else np.int64(1))
    if reply != 0 and card < 0 and not declared:
        hand.fail(fault, state, mine, first, reply)
        return BAD_KNOCK, True, 0
    passes = player == watched and card >= 0 and (reply == 0 or mine.after[card] > 0)
    if reply == 0 and not passes:
        return OK, False, 0
    whole, least, result = mine.hand, mine.deadwood, row
    if passes:
        mine.hand = whole ^ bit(card)
        mine.deadwood = mine.after[card]
        result = aside
    elif declared:
        state.turn += 1
    else:
        hand.throw(state, mine, theirs, card)
    hand.settle(state, mine, theirs, rules, declared, first, result, out)  # once: what is compiled twice takes twice
    if not passes:
        hand.close(state, mine, theirs, first, row)
        return OK, True, 0
    mine.hand = whole
    mine.deadwood = least
    _note(state, mine, card, reply, phase, first, rules, moment, np.int64(result.points_0) - np.int64(result.points_1))
    return OK, False, 1


@kernel
def _play_on(state, mine, theirs, card, before, phase, players, first, rules, row, fault):
    """The owner of ``mine`` has drawn and does not go out: throw a card; then the other player draws.

    A ``card`` that was taken in phase ``last`` goes back. ``before`` is the deadwood before the draw.

    Returns
    -------
    tuple of int64
        Status, the card that the other player has drawn, and the phase in which that player may go out; ``OVER`` if
        the hand has ended.
    """
    if phase == LAST:
        view.gave_back(mine, theirs, card, before)
        return play.end(state, mine, theirs, first, row, DEAD), NOBODY, OVER
    view.ask(mine, DISCARD, state.turn, state.seat_key[mine.seat])
    reply = ask(players, 3 * (first ^ mine.seat) + ASK_DISCARD, mine)
    if reply < 0 or reply > 51 or mine.legal & bit(reply) == ZERO:
        hand.fail(fault, state, mine, first, reply)
        return BAD_DISCARD, NOBODY, OVER
    hand.throw(state, mine, theirs, reply)
    if theirs.stock <= rules.dead_stock:
        if rules.last_discard == KNOCK_ONLY:
            return OK, hand.take(theirs, mine), LAST
        return play.end(state, theirs, mine, first, row, DEAD), NOBODY, OVER
    if state.turn >= rules.max_turns:
        return play.end(state, theirs, mine, first, row, STALLED), NOBODY, OVER
    status, drawn = play.draw(state, theirs, mine, DRAW, players, first, fault)
    if status == OK and drawn < 0:
        drawn = hand.draw_stock(state, theirs, mine)
    return status, drawn, KNOCK


@kernel
def follow(
    state, view_0, view_1, rules, discards, players, first, watched, row, moments, filled, aside, out, fault
):  # fmt: skip
    """Play a dealt hand to its end as ``play.play`` does, but that the watched player knocks with gin only.

    Parameters
    ----------
    state, view_0, view_1, rules, discards, players, first, row, out, fault
        As of ``play.play``.
    watched : int64
        The player who lets knocks pass.
    moments : ndarray of ``schema.MOMENT_DTYPE``, filled in place from index ``filled`` on
        With room for ``MOST_MOMENTS`` more. ``deal`` and ``mirror`` stay as they are.
    aside : record of ``schema.HAND_DTYPE``, scratch

    Returns
    -------
    tuple of int64
        A code of ``schema.Status``, and the entries of ``moments`` that are filled now.
    """
    begun = filled
    status, card, seat = play.open_hand(state, view_0, view_1, rules, players, first, fault)
    mine, theirs = view_0, view_1
    if seat == 1:
        mine, theirs = view_1, view_0
    phase = KNOCK
    while status == OK and phase != OVER:
        before = mine.deadwood
        big = hand.see_eleven(state, mine, card, rules, discards)
        if mine.knocks != ZERO or big != 0:
            status, ended, noted = _go_out(
                state, mine, theirs, phase, big, players, first, watched, rules, row, moments[filled], aside, out, fault
            )
            filled += noted
            if ended:
                break
        status, card, phase = _play_on(state, mine, theirs, card, before, phase, players, first, rules, row, fault)
        mine, theirs = theirs, mine
    if status == OK:
        _look_back(row, watched, moments, begun, filled)
    return status, filled


@kernel
def _look_back(row, watched, moments, begun, filled):
    """The hand has ended: what waiting was worth at each of its moments."""
    net = np.int64(row.points_0) - np.int64(row.points_1)
    end = net if watched == 0 else -net
    wait = end
    reached = np.int64(1)
    for place in range(begun, filled):
        moments[place].reached = reached
        if moments[place].answer != 0:
            reached = np.int64(0)
    for place in range(filled - 1, begun - 1, -1):
        moment = moments[place]
        moment.moment = place - begun
        moment.end = end
        moment.wait = wait
        if moment.answer != 0:
            wait = np.int64(moment.points)


@kernel
def _follow_hands(
    pairs, rules, discards, seed, first, copies, start, stop, watched, rows, moments, state, view_0, view_1, out, fault,
    aside,
):  # fmt: skip
    """Follow hands ``start`` to ``stop`` of the deals from ``first`` on, or as many deals as have room for moments."""
    filled, place = np.int64(0), start
    while place < stop and (place % copies != 0 or filled + copies * MOST_MOMENTS <= len(moments)):
        deal = first + place // copies
        mirror = place % copies
        starter = (deal + mirror) % 2
        row = rows[place]
        row.deal = deal
        row.mirror = mirror
        hand.deal(state, view_0, view_1, rules, seed, np.uint64(deal), False)
        view.score(view_0, 0, 0, 0)
        view.score(view_1, 0, 0, 0)
        fault.deal = deal
        fault.mirror = mirror
        begun = filled
        status, filled = follow(
            state, view_0, view_1, rules, discards, pairs[0], starter, watched, row, moments, filled, aside, out, fault
        )
        for index in range(begun, filled):
            moments[index].deal = deal
            moments[index].mirror = mirror
        if status != OK:
            return status, place, filled
        place += 1
    return OK, place, filled


def follow_hands(
    strategies: Any, rules: Any, seed: int, first_deal: int, mirror: bool, start: int, player: int,
    rows: Any, moments: Any, fault: Any,
) -> tuple[int, int, int]:  # fmt: skip
    """Follow the hands that fill ``rows`` from index ``start`` (a deal's first) on, as far as ``moments`` has room.

    Parameters
    ----------
    strategies : pair of Strategy
        Player 0 and player 1.
    rules : record of ``schema.RULES_DTYPE``
    seed, first_deal, mirror, fault
        As of :func:`gincore.core.batch.play_hands`; ``first_deal`` is that of row 0.
    start : int
        The first row to be filled.
    player : int
        The player who lets knocks pass.
    rows : ndarray of ``schema.HAND_DTYPE``, filled in place
    moments : ndarray of ``schema.MOMENT_DTYPE``, filled in place from its beginning
        At least twice ``MOST_MOMENTS`` long; it is left with whole deals.

    Returns
    -------
    tuple of int
        Status, rows filled altogether, moments filled.

    Raises
    ------
    DecisionError
        A decision raised an exception, its cause; ``fault`` is filled.
    """
    pairs, alive = decide.seat_pairs([strategies])
    state, view_0, view_1, out, noted = batch._scratch()
    aside = np.zeros(1, schema.HAND_DTYPE)[0]
    table = tables.discards(int(rules.ace), int(rules.ace_points))
    where = (np.uint64(seed), first_deal, 2 if mirror else 1, start, len(rows), player)
    try:
        with np.errstate(over="ignore"):  # the generator wraps; compiled code never warns, pure Python would
            status, done, filled = _follow_hands(
                pairs, rules, table, *where, rows, moments, state, view_0, view_1, out, noted, aside
            )
    except BaseException as error:
        number = int(pairs[0].raised)
        if number < 0:
            raise
        starter = (int(noted.deal) + int(noted.mirror)) % 2
        mine = (view_0, view_1)[number // 3 ^ starter]
        hand.fail(noted, state, mine, np.int64(starter), np.int64(0))
        fault[:] = noted.tolist()
        raise batch.DecisionError(f"a decision raised {type(error).__name__}: {error}") from error
    del alive
    fault[:] = list(noted.tolist())
    return int(status), int(done), int(filled)
