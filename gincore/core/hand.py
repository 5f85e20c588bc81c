"""One hand as a state machine, from the deal (or any position) to its end.

The whole state is one ``STATE_DTYPE`` record and the two seats' views, all plain data: it can be copied, forked and
played on. Chance is visible in one place, :func:`next_card` (and in the words that views carry).

Seat 0 plays first (the non-dealer). ``first`` is the player who sits there. What the moves are is said here; who
makes them is asked in ``core/play.py``, the only place that calls decisions.
"""

from __future__ import annotations

import numpy as np

from gincore._jit import inlined, kernel
from gincore.core import rng, showdown, tables, view
from gincore.core.bits import ZERO, bit, count, pick
from gincore.core.deadwood import least, least_melded
from gincore.schema import MAX_TURNS, NO_LIMIT, Doubling, LimitKind, Result, UpcardOffer

LIMIT_FIXED, LIMIT_SECOND_DECK = int(LimitKind.fixed), int(LimitKind.second_deck)
ELEVEN = int(UpcardOffer.none_eleven)
DOUBLE_UPCARD, DOUBLE_DISCARD = int(Doubling.upcard_spade), int(Doubling.last_discard_spade)
WON, GIN, BIG_GIN, UNDERCUT = int(Result.knock), int(Result.gin), int(Result.big_gin), int(Result.undercut)
DEAD, STALLED = int(Result.dead), int(Result.stalled)
FIRST_SPADE = 39
SPREAD_WORD = np.uint64(1 << 20)
"""Place of the word that chooses a spread, far from those of the turns."""

STATE_DTYPE = np.dtype(
    (
        np.record,
        [
            ("seat_key", np.uint64, (2,)),  # keys of the seats' streams
            ("block", np.int64),  # offset of the rule's tables
            ("position", np.int64),  # next place of the deck; the 52 - position last cards are the stock
            ("turn", np.int64),  # completed turns
            ("limit", np.int64),  # knock limit of this hand, points
            ("multiplier", np.int64),  # 2 if the upcard doubles the hand
            ("upcard_seat", np.int64),  # seat that took the upcard, -1: none
            ("deck", np.uint8, (52,)),  # shuffled up to ``position`` only
            ("swaps", np.uint8, (52,)),  # place of the deck with which each place is exchanged when it is drawn
            ("drawn", np.int8, (MAX_TURNS + 1,)),  # card drawn in each turn (the last discard may be taken in one more)
            ("thrown", np.int8, (MAX_TURNS + 1,)),  # card thrown in each turn
            ("last_throw", np.int64, (2,)),  # last card that each seat threw, -1: none
            ("drawn_by", np.uint64, (2,)),  # all cards that each seat drew in this hand
        ],
    ),
    align=True,
)
"""A hand in play, together with the two views."""

FAULT_DTYPE = np.dtype(
    (
        np.record,
        [
            ("deal", np.int64),
            ("mirror", np.int64),
            ("player", np.int64),
            ("phase", np.int64),  # a code of Phase: what was asked
            ("answer", np.int64),
            ("hand", np.uint64),
            ("deadwood", np.int64),
            ("limit", np.int64),
        ],
    ),
    align=True,
)
"""An answer that was not legal."""


@kernel
def next_card(state):
    """The next card of the deck: one step of a Fisher-Yates shuffle, made when it is needed.

    The order is a function of the deal alone, whoever draws and when.
    """
    place = np.uint64(state.position)
    deck = state.deck
    other = np.uint64(state.swaps[place])
    card = deck[other]
    deck[other] = deck[place]
    deck[place] = card
    state.position += 1
    return np.int64(card)


@kernel
def shuffle(state, key):
    """A new deck, and with which place each is exchanged when it is drawn (a loop that compiles to vectors)."""
    deck, swaps = state.deck, state.swaps
    for place in range(52):
        deck[place] = place
    for place in range(52):
        swaps[place] = place + rng.below(rng.word(key, np.uint64(place)), 52 - place)
    state.position = 0


@inlined
def deal(state, view_0, view_1, rules, seed, number, exchanged):
    """Deal a hand: ten cards to each seat and the upcard (or eleven to seat 0 and none); set the terms of the hand.

    Seat 0 is dealt the deck's first ten cards, and where ``exchanged`` its second ten.
    """
    shuffle(state, rng.key(seed, number, np.uint64(rng.DEAL)))
    state.seat_key[0] = rng.key(seed, number, np.uint64(rng.SEAT_0))
    state.seat_key[1] = rng.key(seed, number, np.uint64(rng.SEAT_1))
    first = ZERO
    for _ in range(10):
        first |= bit(next_card(state))
    second = ZERO
    for _ in range(10):
        second |= bit(next_card(state))
    if exchanged:
        first, second = second, first
    upcard = next_card(state)
    turned = upcard
    if rules.limit_kind == LIMIT_SECOND_DECK:
        turned = rng.below(rng.word(rng.key(seed, number, np.uint64(rng.KNOCK_CARD)), np.uint64(0)), 52)
    if rules.upcard_offer == ELEVEN:
        first |= bit(upcard)
        upcard = np.int64(-1)
    start(state, view_0, view_1, rules, first, second, upcard, turned)


@kernel
def limit_of(rules, turned):
    """Knock limit of a hand in points; ``turned`` is the card that sets it where a card does.

    The low ranks of ``low_limit_is_gin`` allow gin only; a strict limit must be undercut; where going out needs so
    many melded cards, deadwood does not matter.
    """
    if rules.min_melded > 0:
        return np.int64(NO_LIMIT)
    limit = rules.knock_limit
    if rules.limit_kind != LIMIT_FIXED:
        limit = min(turned % 13 + 1, 10)
        if (rules.low_limit_is_gin >> (turned % 13)) & 1 == 1:
            return np.int64(0)
    if rules.knock_strict != 0 and limit > 0:
        limit -= 1
    return np.int64(limit)


@inlined
def start(state, view_0, view_1, rules, first, second, upcard, turned):
    """Set a hand at its beginning from dealt cards; the deck from ``state.position`` on is the stock.

    ``first`` has eleven cards where no upcard is turned (then ``upcard`` is -1). ``turned`` is the card that sets limit
    and doubling: the upcard, or a card of a second deck.
    """
    limit = limit_of(rules, turned)
    state.limit = limit
    state.multiplier = 2 if rules.doubling == DOUBLE_UPCARD and turned >= FIRST_SPADE else 1
    state.block = tables.block(rules.ace, rules.ace_points)
    state.turn = 0
    state.upcard_seat = -1
    for seat in range(2):
        state.last_throw[seat] = -1
        state.drawn_by[seat] = ZERO
    stock = 52 - state.position
    view.start(view_0, 0, first, least(first, state.block), upcard, stock, limit, state.multiplier, rules)
    view.start(view_1, 1, second, least(second, state.block), upcard, stock, limit, state.multiplier, rules)


@kernel
def take(mine, theirs):
    """Take the top card of the pile."""
    card = mine.top
    view.took(mine, theirs, card)
    return card


@kernel
def draw_stock(state, mine, theirs):
    """Draw the next card of the stock."""
    card = next_card(state)
    view.drew(mine, theirs, card)
    return card


@inlined
def see_eleven(state, mine, card, rules, discards):
    """The owner of ``mine`` has drawn ``card`` (-1: was dealt eleven); returns 1 if big gin can be declared."""
    repeats = ZERO
    seat, turn = np.uint64(mine.seat), np.uint64(state.turn)
    if card >= 0 and state.drawn_by[seat] & bit(card) != ZERO:  # rare: the same card came back
        earlier = state.turn - 2
        while earlier >= 0:
            if state.drawn[earlier] == card:
                repeats |= bit(np.int64(state.thrown[earlier]))
            earlier -= 2
    if card >= 0:
        state.drawn_by[seat] |= bit(card)
    state.drawn[turn] = card
    whole = view.eleven(mine, discards, rules, repeats)
    big = 1 if whole == 0 and rules.big_gin != 0 else 0
    mine.can_big_gin = big
    return big


@inlined
def throw(state, mine, theirs, card):
    """Throw a card that may be thrown; the turn is complete."""
    state.thrown[np.uint64(state.turn)] = card
    state.last_throw[np.uint64(mine.seat)] = card
    state.turn += 1
    view.threw(mine, theirs, card)


@kernel
def knock_card(mine, answer):
    """The card thrown when going out: the answer's own, or one of those that lay the least; -1 if not legal."""
    if answer == 1:
        return pick(mine.knock_least, mine.random) if mine.knocks != ZERO else np.int64(-1)
    card = answer - 2
    if card < 0 or card > 51 or mine.knocks & bit(card) == ZERO:
        return np.int64(-1)
    return card


@kernel
def settle(state, mine, theirs, rules, big, first, row, out):
    """The owner of ``mine`` has gone out (with eleven cards if ``big``): the showdown and the row's result."""
    seat = mine.seat
    if big or mine.deadwood == 0:
        showdown.gin(
            mine.hand, theirs.hand, theirs.deadwood, rules.big_gin_bonus if big else rules.gin_bonus, rules, out
        )
        row.result = BIG_GIN if big else GIN
    else:
        random_0 = rng.word(state.seat_key[seat], SPREAD_WORD)
        random_1 = rng.word(state.seat_key[1 - seat], SPREAD_WORD)
        laid = mine.deadwood
        if rules.min_melded > 0:
            laid = least_melded(mine.hand, state.block, tables.card_block(rules.ace), 10 - rules.min_melded)
        showdown.knock(mine.hand, theirs.hand, laid, theirs.deadwood, state.limit, rules, random_0, random_1, out)
        row.result = _knock_result(out.knocker_deadwood, out.defender_deadwood, rules.tie)
    doubled = state.multiplier == 2
    if rules.doubling == DOUBLE_DISCARD and state.last_throw[1 - seat] >= FIRST_SPADE:
        doubled = True
    points = out.points * (2 if doubled else 1)
    knocker = first ^ seat
    row.doubled = 1 if doubled else 0
    row.knocker = knocker
    row.knocker_deadwood = out.knocker_deadwood
    row.defender_deadwood_before = out.defender_deadwood_before
    row.defender_deadwood = out.defender_deadwood
    row.layoff_cards = count(out.laid_off)
    _score(row, knocker, points, _winner(row, knocker, rules))


@kernel
def _knock_result(knocker_deadwood, defender_deadwood, tie):
    if defender_deadwood < knocker_deadwood:
        return UNDERCUT
    if defender_deadwood == knocker_deadwood and tie == showdown.TIE_UNDERCUT:
        return UNDERCUT
    return WON


@kernel
def _winner(row, knocker, rules):
    """The player who won the hand, -1 for nobody (a tie that counts for nobody, a gin that was cancelled)."""
    if row.result == UNDERCUT:
        return 1 - knocker
    if row.result == WON:
        nobody_won = row.defender_deadwood == row.knocker_deadwood and rules.tie == showdown.TIE_NOTHING
    else:
        nobody_won = rules.gin_cancelled_at_zero != 0 and row.defender_deadwood == 0
    return np.int64(-1) if nobody_won else np.int64(knocker)


@kernel
def _score(row, knocker, points, winner):
    row.winner = winner
    mine = max(points, 0)
    theirs = max(-points, 0)
    row.points_0 = mine if knocker == 0 else theirs
    row.points_1 = theirs if knocker == 0 else mine


@kernel
def nobody(row, result):
    """A dead or stalled hand: no winner, no points, no showdown."""
    row.result = result
    row.winner = -1
    row.knocker = -1
    row.knocker_deadwood = -1
    row.defender_deadwood_before = -1
    row.defender_deadwood = -1
    row.layoff_cards = -1
    row.points_0 = 0
    row.points_1 = 0
    row.doubled = 0


@kernel
def close(state, mine, theirs, first, row):
    """The columns of a row that every hand has."""
    row.starter = first
    row.knock_limit = -1 if state.limit == NO_LIMIT else state.limit
    row.turns = state.turn
    row.stock_left = mine.stock
    swap = mine.seat != first  # is ``mine`` the view of player 1?
    row.pickups_0 = theirs.pickups if swap else mine.pickups
    row.pickups_1 = mine.pickups if swap else theirs.pickups
    row.upcard_taken_by = -1 if state.upcard_seat < 0 else first ^ state.upcard_seat
    row.sits_out = -1
    row.points_2 = 0
    row.pickups_2 = 0


@kernel
def fail(fault, state, mine, first, answer):
    """Note what a strategy answered where it was not legal; the caller names the status."""
    fault.player = first ^ mine.seat
    fault.phase = mine.phase
    fault.answer = answer
    fault.hand = mine.hand
    fault.deadwood = mine.deadwood
    fault.limit = state.limit
