"""Play-outs: how a hand goes on if the opponent holds what a guess says, both playing as ``expert``.

A play-out works on two views, made of the view that a decision was given and of a guess of the opponent's hand: each
player decides by what their own view shows, so that nobody plays by cards that they cannot see. It ends with a
showdown, with a dead hand, or is cut before a draw; what is then to be expected is ``AGREEMENT`` times the difference of
what the two players expect, each by their own cards. (The two together explain nearly twice as much of what a hand
brings as either alone.)

A view does not tell every rule. Play-outs settle a knock as most rules do: the spread of least deadwood, the best
lay-offs, an undercut at equal deadwood; big gin counts as gin, and a hand is dead at two cards of stock.
"""

from __future__ import annotations

import numpy as np

from gincore._jit import kernel
from gincore.core import rng, showdown, view
from gincore.core.bits import ZERO, bit, drop_lowest, lowest, pick
from gincore.core.deadwood import least
from gincore.core.tables import block as table_block
from gincore.schema import NO_LIMIT, RULES_DTYPE, VIEW_DTYPE, Source
from gincore.strategies import expert, network, sample

AGREEMENT = 0.7
"""Points that a hand brings for each point by which the expectations of the two players differ."""
DEAD_STOCK = 2
_STOCK_WORD = np.uint64(1 << 40)
"""Place of the words that draw from the stock, far from those of the guesses."""
_FROM_PILE = int(Source.pile)
_UNREACHED = np.int64(1000)

SPACE_DTYPE = np.dtype(
    (
        np.record,
        [
            ("mine", VIEW_DTYPE),
            ("theirs", VIEW_DTYPE),
            ("rules", RULES_DTYPE),
            ("out", showdown.OUTCOME_DTYPE),
            ("net", network.SCRATCH_DTYPE),
            ("guess", sample.GUESS_DTYPE),
            ("pool", np.uint64),  # the stock
            ("stream", np.uint64),  # of the words that draw from it
            ("drawn", np.uint64),  # how many cards were
        ],
    ),
    align=True,
)
"""What play-outs work in."""


@kernel
def prepare(shown, space):
    """Begin the guesses of a decision, and note the rules of its showdowns."""
    rules = space.rules
    rules.ace = shown.ace
    rules.ace_points = shown.ace_points
    rules.undercut_bonus = shown.undercut_bonus
    rules.gin_bonus = shown.gin_bonus
    rules.knocker_spread = 0
    rules.layoff = 0
    rules.tie = 0
    rules.min_melded = 0
    sample.start(shown, shown.random, space.guess)
    sample.move_on(shown, sample.BURN, space.guess)


@kernel
def set_out(shown, number, space):
    """Set both views at the decision's question, with the guess as the opponent's hand; ``number`` names the stock."""
    mine, theirs, guess = space.mine, space.theirs, space.guess
    space.mine = shown
    space.theirs = shown
    theirs.hand = guess.hand
    theirs.took, theirs.opp_took = shown.opp_took, shown.took
    theirs.threw, theirs.opp_threw = shown.opp_threw, shown.threw
    theirs.declined, theirs.opp_declined = shown.opp_declined, shown.declined
    theirs.pickups, theirs.opp_pickups = shown.opp_pickups, shown.pickups
    theirs.seat = 1 - shown.seat
    theirs.deadwood = least(guess.hand, table_block(shown.ace, shown.ace_points))
    if mine.drew_from == _FROM_PILE:
        theirs.top = view.NO_CARD
    space.pool = guess.pool
    space.stream = rng.mix(shown.random ^ (_STOCK_WORD + np.uint64(number)))
    space.drawn = ZERO


@kernel
def from_stock(mover, other, space):
    """The owner of ``mover`` draws from the stock."""
    card = pick(space.pool, rng.word(space.stream, space.drawn))
    space.drawn += np.uint64(1)
    space.pool ^= bit(card)
    view.drew(mover, other, card)


@kernel
def offered(mover, other, head, weights, space):
    """Let the owner of ``mover`` take the top card or leave it; returns whether it was taken."""
    take = expert.taken(mover, weights, space.net)
    if take != expert.NOTHING and take > expert.held(mover, weights, head, space.net):
        view.took(mover, other, mover.top)
        return True
    view.left(mover, other)
    return False


@kernel
def settled(mover, other, card, deadwood, space):
    """Net points to the owner of ``mover`` of going out with ``card``."""
    if deadwood == 0:
        return np.float64(mover.gin_bonus + other.deadwood)
    hand, limit = mover.hand ^ bit(card), mover.knock_limit
    showdown.knock(hand, other.hand, deadwood, other.deadwood, limit, space.rules, ZERO, ZERO, space.out)
    return np.float64(space.out.points)


@kernel
def _see_eleven(mover):
    """Fill ``mover.after``; returns the cards that may be thrown, the least that one leaves, and those that leave it."""
    block = table_block(mover.ace, mover.ace_points)
    legal = mover.hand
    if mover.drew_from == _FROM_PILE:
        legal ^= bit(mover.drew)
    fewest, fewest_cards = _UNREACHED, ZERO
    cards = legal
    while cards != ZERO:
        card = lowest(cards)
        cards = drop_lowest(cards)
        deadwood = least(mover.hand ^ bit(card), block)
        mover.after[card] = deadwood
        if deadwood < fewest:
            fewest = deadwood
            fewest_cards = ZERO
        if deadwood == fewest:
            fewest_cards |= bit(card)
    return legal, fewest, fewest_cards


@kernel
def throw(mover, other, weights, space):
    """The owner of ``mover``, who holds eleven cards, goes out or throws one.

    Returns
    -------
    tuple of (bool, float64)
        Whether the hand has ended, and the net points to the mover.
    """
    net = space.net
    legal, fewest, cards = _see_eleven(mover)
    wait = expert.best_throw(mover, weights, mover.hand, mover.pile, legal, mover.pickups, net)
    thrown = net.card
    if fewest == 0 or (fewest <= mover.knock_limit and mover.knock_limit < NO_LIMIT):
        now = expert.best_knock(mover, weights, mover.hand, mover.pile, cards, fewest, net)
        if fewest == 0 or now > wait:
            return True, settled(mover, other, net.knock_card, fewest, space)
    pass_on(mover, other, thrown)
    return False, 0.0


@kernel
def pass_on(mover, other, card):
    """Throw ``card``; the other player is to draw."""
    view.threw(mover, other, card)
    mover.turn += 1
    other.turn += 1


@kernel
def expected(mover, other, weights, space):
    """Net points to the owner of ``mover``, who is to draw, as both networks see it together."""
    net = space.net
    own = max(expert.taken(mover, weights, net), expert.held(mover, weights, network.STOCK, net))
    return AGREEMENT * (own - expert.held(other, weights, network.AFTER, net))


@kernel
def go_on(mover, other, turns, weights, space):
    """Play ``turns`` turns, the owner of ``mover`` to draw first; net points to them of what comes of it."""
    sign = 1.0
    for _ in range(turns):
        if mover.stock <= DEAD_STOCK:
            return 0.0
        if not offered(mover, other, network.STOCK, weights, space):
            from_stock(mover, other, space)
        ended, points = throw(mover, other, weights, space)
        if ended:
            return sign * points
        mover, other, sign = other, mover, -sign
    if mover.stock <= DEAD_STOCK:
        return 0.0
    return sign * expected(mover, other, weights, space)
