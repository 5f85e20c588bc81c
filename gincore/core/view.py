"""What a player may know: the one place where views are filled.

A view belongs to a seat for the whole hand and is kept up to date event by event. Nothing here reads the other
player's hand or the stock; the functions take what everybody at the table sees, or what this player was dealt.
"""

from __future__ import annotations

import numpy as np

from gincore._jit import inlined, kernel
from gincore.core.bits import ZERO, bit
from gincore.core.deadwood import after_each, knock_each
from gincore.core.lanes import finish_knock
from gincore.core.rng import word
from gincore.schema import Phase, Source

NO_CARD = -1
NOT_DRAWN = int(Source.nothing)
FROM_PILE = int(Source.pile)
DISCARD = int(Phase.discard)
KNOCK = int(Phase.knock)


@inlined
def start(view, seat, hand, deadwood, top, stock, limit, multiplier, rules):
    """A hand is dealt: own cards, the upcard, and the terms of the hand."""
    view.hand = hand
    view.pile = ZERO if top < 0 else bit(top)
    view.opp_took = ZERO
    view.opp_threw = ZERO
    view.opp_declined = ZERO
    view.took = ZERO
    view.threw = ZERO
    view.declined = ZERO
    view.legal = ZERO
    view.least = ZERO
    view.knocks = ZERO
    view.knock_least = ZERO
    view.repeats = ZERO
    view.seat = seat
    view.top = top
    view.drew = NO_CARD
    view.drew_from = NOT_DRAWN
    view.stock = stock
    view.turn = 0
    view.deadwood = deadwood
    view.knock_deadwood = deadwood
    view.knock_limit = limit
    view.can_big_gin = 0
    view.pickups = 0
    view.opp_pickups = 0
    view.multiplier = multiplier
    view.ace = rules.ace
    view.ace_points = rules.ace_points
    view.gin_bonus = rules.gin_bonus
    view.undercut_bonus = rules.undercut_bonus
    view.after[:] = 0  # nothing of the hand before stays behind
    view.lanes[:] = 0
    view.knock_lanes[:] = 0


@kernel
def score(view, mine, theirs, target):
    """The score of the game before this hand."""
    view.my_score = mine
    view.opp_score = theirs
    view.target = target


@kernel
def ask(view, phase, turn, key):
    """What is asked now, and a random word for it: one for each phase of each turn of the seat."""
    view.phase = phase
    view.turn = turn
    view.random = word(key, np.uint64(8 * turn + phase))


@kernel
def left(view, other):
    """The owner of ``view`` leaves the top card of the pile; ``other`` sees it."""
    card = bit(view.top)
    view.declined |= card
    other.opp_declined |= card


@kernel
def took(view, other, card):
    """The owner of ``view`` takes the top card of the pile; ``other`` sees it."""
    _draw(view, card, FROM_PILE)
    view.pickups += 1
    view.took |= bit(card)
    view.pile &= ~bit(card)
    view.top = NO_CARD
    other.pile &= ~bit(card)
    other.top = NO_CARD
    other.opp_took |= bit(card)
    other.opp_pickups += 1


@kernel
def gave_back(view, other, card, deadwood):
    """The owner could take the card to go out only, and does not: nothing was taken."""
    own = bit(card)
    view.deadwood = deadwood
    view.can_big_gin = 0
    view.hand ^= own
    view.pile |= own
    view.top = card
    view.drew = NO_CARD
    view.drew_from = NOT_DRAWN
    view.pickups -= 1
    view.took ^= own
    other.pile |= own
    other.top = card
    other.opp_took ^= own
    other.opp_pickups -= 1


@kernel
def drew(view, other, card):
    """The owner of ``view`` draws from the stock; ``other`` sees only that the stock is smaller."""
    _draw(view, card, 0)
    view.stock -= 1
    other.stock -= 1


@kernel
def _draw(view, card, source):
    view.hand |= bit(card)
    view.drew = card
    view.drew_from = source


@inlined
def eleven(view, discards, rules, repeats):
    """The owner holds eleven cards: which may be thrown, what each discard leaves, and which go out.

    Returns
    -------
    int64
        Least deadwood of the eleven cards as they lie: 0 where all are melded.
    """
    taken = np.uint64(view.drew_from == FROM_PILE) & np.uint64(rules.return_taken == 0)
    blocked = taken << np.uint64(view.drew & 63)  # -1 before the first draw
    view.legal = view.hand & ~blocked
    view.repeats = repeats
    whole, view.deadwood, view.least, view.knocks = after_each(view.hand, discards, view, blocked, view.knock_limit)
    view.knock_least = view.least
    view.knock_deadwood = view.deadwood
    if rules.min_melded > 0:
        knock_each(view.hand, discards, 10 - rules.min_melded, view)
        view.knock_deadwood, view.knock_least, view.knocks = finish_knock(view, blocked)
    return whole


@kernel
def threw(view, other, card):
    """The owner of ``view`` throws a card; it is the new top of the pile."""
    own = bit(card)
    view.hand ^= own
    view.pile |= own
    view.top = card
    view.drew = NO_CARD
    view.drew_from = NOT_DRAWN
    view.deadwood = view.after[card]
    view.can_big_gin = 0
    view.threw |= own
    other.pile |= own
    other.top = card
    other.opp_threw |= own
