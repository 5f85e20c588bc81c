"""Play-outs: how a hand goes on if the opponent holds what a guess says.

A play-out works on two views, made of the view that a decision was given and of a guess of the opponent's hand: each
player decides by what their own view shows, so that nobody plays by cards that they cannot see. Both play nearly as
``expert`` (to be quick, only cards in no meld are considered as discards, where there are any), but where a guess says
that the opponent is plain, they play as ``simple``: what is best against a patient player may be wrong against one who
knocks at once. A play-out ends with a showdown, with a dead hand, or is cut before a draw; what is then to be expected
is ``AGREEMENT`` times the difference of what the two players expect, each by their own cards. (The two together explain
nearly twice as much of what a hand brings as either alone.)

Points are worth what ``worth.py`` says, as the network was taught. ``weights`` are those of the network and, behind
them, the chances to win a game from every score.

A view does not tell every rule. Play-outs settle a knock as most rules do: the spread of least deadwood, the best
lay-offs, an undercut at equal deadwood; big gin counts as gin, and a hand is dead at two cards of stock.
"""

from __future__ import annotations

import numpy as np

from gincore._jit import kernel
from gincore.core import rng, showdown, view
from gincore.core.bits import ZERO, bit, drop_lowest, lowest, pick
from gincore.core.deadwood import least, makes_meld, meldable
from gincore.core.tables import block as table_block
from gincore.schema import NO_LIMIT, RULES_DTYPE, VIEW_DTYPE, Source
from gincore.strategies import expert, network, sample
from gincore.strategies.worth import TARGET, worth

AGREEMENT = 0.9
"""Points that a hand brings for each point by which the expectations of the two players differ."""
PLAIN_EDGE = 5.0
"""Points that a hand brings, beside that, against an opponent who plays as ``simple``."""
DEAD_STOCK = 2
_STOCK_WORD = np.uint64(1 << 40)
"""Place of the words that draw from the stock, far from those of the guesses."""
_THROW_WORD = np.uint64(1 << 21)
_CHAIN_WORD = np.uint64(1 << 50)
"""Sets the guesses of a plain opponent apart from those of a patient one."""
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
            ("patient", sample.GUESS_DTYPE),  # the hand, if the opponent plays as ``expert``
            ("plainer", sample.GUESS_DTYPE),  # the hand, if the opponent plays as ``simple``
            ("tells", np.float64, (len(sample.TELLS),)),
            ("share", np.float64),  # of guesses in which the opponent plays as ``simple``
            ("plain", np.int64),  # seat that plays as ``simple``, -1: none
            ("pool", np.uint64),  # the stock
            ("stream", np.uint64),  # of the words that draw from it
            ("drawn", np.uint64),  # how many cards were
        ],
    ),
    align=True,
)
"""What play-outs work in."""


@kernel
def prepare(shown, prior, space):
    """Begin the guesses of a decision, and note the rules of its showdowns.

    ``prior`` is the share of players who play as ``simple``.
    """
    rules = space.rules
    rules.ace = shown.ace
    rules.ace_points = shown.ace_points
    rules.undercut_bonus = shown.undercut_bonus
    rules.gin_bonus = shown.gin_bonus
    rules.knocker_spread = 0
    rules.layoff = 0
    rules.tie = 0
    rules.min_melded = 0
    space.share = sample.plain_share(shown, prior, space.tells)
    sample.start(shown, sample.PATIENT, shown.random, space.patient)
    sample.start(shown, sample.PLAIN, shown.random ^ _CHAIN_WORD, space.plainer)
    sample.move_on(shown, sample.BURN, space.patient)
    sample.move_on(shown, sample.BURN, space.plainer)


@kernel
def guess_on(shown, number, space):
    """Move on to guess ``number``; the opponent is plain in the share of them that was found likely."""
    plain = np.floor((number + 1) * space.share) > np.floor(number * space.share)
    sample.move_on(shown, sample.THIN, space.plainer if plain else space.patient)
    space.plain = 1 - shown.seat if plain else -1


@kernel
def set_out(shown, number, space):
    """Set both views at the decision's question, with the guess as the opponent's hand; ``number`` names the stock."""
    mine, theirs = space.mine, space.theirs
    guess = space.patient if space.plain < 0 else space.plainer
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
def fewest_left(eleven, legal, mover):
    """Least deadwood that a legal discard leaves, and the cards that leave it; fills ``mover.after``."""
    block = table_block(mover.ace, mover.ace_points)
    fewest, fewest_cards = _UNREACHED, ZERO
    while legal != ZERO:
        card = lowest(legal)
        legal = drop_lowest(legal)
        deadwood = least(eleven ^ bit(card), block)
        mover.after[card] = deadwood
        if deadwood < fewest:
            fewest = deadwood
            fewest_cards = ZERO
        if deadwood == fewest:
            fewest_cards |= bit(card)
    return fewest, fewest_cards


@kernel
def may_knock(mover, deadwood):
    """Whether the owner of ``mover`` may go out with this deadwood; where melds decide it, a play-out waits for gin."""
    return deadwood <= mover.knock_limit and mover.knock_limit < NO_LIMIT


@kernel
def best_of_eleven(mover, eleven, pile, legal, pickups, fewest, cards, weights, net):
    """Points of the best that can be done with eleven cards, and whether that is to go out.

    The card is ``net.card`` or, going out, ``net.knock_card``.
    """
    loose = legal & ~meldable(eleven, mover.ace)
    wait = expert.best_throw(mover, weights, eleven, pile, legal if loose == ZERO else loose, pickups, net)
    if fewest > 0 and not may_knock(mover, fewest):
        return wait, False
    now = expert.best_knock(mover, weights, eleven, pile, cards, fewest, net)
    out = fewest == 0 or now > wait
    return now if out else wait, out


@kernel
def top_value(mover, weights, space):
    """Points of taking the top card; ``expert.NOTHING`` where it neither melds nor lowers the deadwood."""
    eleven = mover.hand | bit(mover.top)
    fewest, cards = fewest_left(eleven, mover.hand, mover)
    if fewest >= mover.deadwood and not makes_meld(mover.hand, mover.top, mover.ace):
        return expert.NOTHING
    pile = mover.pile & ~bit(mover.top)
    return best_of_eleven(mover, eleven, pile, mover.hand, mover.pickups + 1, fewest, cards, weights, space.net)[0]


@kernel
def offered(mover, other, head, weights, space):
    """Let the owner of ``mover`` take the top card or leave it; returns whether it was taken."""
    if mover.seat == space.plain:
        takes = makes_meld(mover.hand, mover.top, mover.ace) != 0
    else:
        take = top_value(mover, weights, space)
        takes = take != expert.NOTHING and take > expert.held(mover, weights, head, space.net)
    if takes:
        view.took(mover, other, mover.top)
    else:
        view.left(mover, other)
    return takes


@kernel
def settled(mover, other, card, deadwood, weights, space):
    """What going out with ``card`` is worth to the owner of ``mover``."""
    chances = weights[network.SIZE :].reshape((TARGET, TARGET))
    if deadwood == 0:
        return worth(np.float64(mover.gin_bonus + other.deadwood), mover, chances)
    hand, limit = mover.hand ^ bit(card), mover.knock_limit
    showdown.knock(hand, other.hand, deadwood, other.deadwood, limit, space.rules, ZERO, ZERO, space.out)
    return worth(np.float64(space.out.points), mover, chances)


@kernel
def throw(mover, other, weights, space):
    """The owner of ``mover``, who holds eleven cards, goes out or throws one.

    Returns
    -------
    tuple of (bool, float64)
        Whether the hand has ended, and the net points to the mover.
    """
    net, eleven = space.net, mover.hand
    legal = eleven
    if mover.drew_from == _FROM_PILE:
        legal ^= bit(mover.drew)
    fewest, cards = fewest_left(eleven, legal, mover)
    if mover.seat == space.plain:
        net.card = pick(cards, rng.word(space.stream, _THROW_WORD + np.uint64(mover.turn)))
        net.knock_card = net.card
        out = fewest == 0 or may_knock(mover, fewest)
    else:
        _, out = best_of_eleven(mover, eleven, mover.pile, legal, mover.pickups, fewest, cards, weights, net)
    if out:
        return True, settled(mover, other, net.knock_card, fewest, weights, space)
    pass_on(mover, other, net.card)
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
    own = max(top_value(mover, weights, space), expert.held(mover, weights, network.STOCK, net))
    edge = 0.0 if space.plain < 0 else (-PLAIN_EDGE if mover.seat == space.plain else PLAIN_EDGE)
    return AGREEMENT * (own - expert.held(other, weights, network.AFTER, net)) + edge


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
