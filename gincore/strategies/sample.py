"""Hidden hands: what the opponent may hold, drawn so that it agrees with all that was seen.

What the opponent took from the pile and has not thrown is theirs for sure. The rest of their hand is drawn from the
unseen cards, and hands are not equally likely: nobody throws or leaves a card that makes a meld, takes one for nothing,
keeps high loose cards for long, or holds on to the neighbours of what they threw. Nobody knows who sits there either:
a patient player, as ``expert`` is one, may wait with little deadwood, while a plain one, who plays as ``simple``, would
have gone out with it. So each kind has likelihoods of its own, and how likely it is to sit there is read from what it
threw and took. How much each of these weighs is in ``HABITS`` and ``TELLS``, which ``scripts/habits.py`` fits to play
of ``expert`` and ``simple``: the logarithm of a likelihood is linear in them. A Markov chain (Metropolis et al., J.
Chem. Phys. 21, 1953) that exchanges a card of the hand for an unseen one at a time visits hands as often as they are
likely.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from gincore._jit import kernel
from gincore.core.bits import ACES, ZERO, bit, count, drop_lowest, lowest, pick
from gincore.core.deadwood import least, meldable
from gincore.core.rng import GOLDEN, mix
from gincore.core.tables import block as table_block
from gincore.schema import NO_LIMIT
from gincore.strategies.network import live_outs

HABITS: Final = (
    ("loose", 0.06, 0.09),  # each card in no meld
    ("loose_later", 0.18, 0.24),  # the same, for each ten turns
    ("deadwood", -0.27, -0.26),  # ten points of deadwood
    ("deadwood_later", -0.87, -0.94),
    ("deadwood_latest", -0.03, -0.11),  # the same, for the square of the tens of turns
    ("taken", -2.54, -5.36),  # each loose card that was taken from the pile
    ("taken_later", 0.72, 0.33),
    ("rank_thrown", -0.83, -0.88),  # each loose card, for each card of its rank that the opponent threw
    ("next_thrown", -0.63, -0.52),  # for each neighbour in its suit that they threw
    ("rank_left", -0.95, -0.39),  # .. that they left on the pile
    ("next_left", -0.57, -0.27),
    ("pair", 0.09, 0.03),  # each loose card that has another of its rank
    ("next", 0.13, 0.06),  # .. its neighbour in the suit
    ("gap", 0.13, 0.08),  # .. the neighbour but one
    ("meld_thrown", -1.19, -1.19),  # each thrown card that would make a meld with the hand
    ("meld_left", -0.78, -1.14),  # each card left that would
)
"""Logarithm of the likelihood of a hand, for each of these, of a patient and of a plain opponent."""

TELLS: Final = (
    ("constant", 0.00),
    ("later", 0.47),  # each ten turns
    ("latest", -0.01),  # their square
    ("pickups", -0.26),  # each card taken from the pile, up to five
    ("low_thrown", -1.25),  # each card thrown of at most five points
    ("middle_thrown", -0.14),  # .. of six to eight
)
"""Logarithm of how many times likelier the opponent is plain than patient, for each of these."""

PATIENT, PLAIN = 0, 1
"""Who may sit there."""

_WEIGHTS = np.array([weights for _, *weights in HABITS]).T.copy()
_TELLS = np.array([weight for _, weight in TELLS])
(
    LOOSE, LOOSE_LATER, DEADWOOD, DEADWOOD_LATER, DEADWOOD_LATEST, TAKEN, TAKEN_LATER, RANK_THROWN, NEXT_THROWN,
    RANK_LEFT, NEXT_LEFT, PAIR, NEXT, GAP, MELD_THROWN, MELD_LEFT,
) = range(len(HABITS))  # fmt: skip

LATEST = 3.0
"""Tens of turns beyond which habits change no more."""
MOST_PICKUPS = 5
OUT_OF_QUESTION = -50.0
"""Logarithm of the likelihood of a hand with which a plain player would have gone out."""
BURN: Final = 100
"""Exchanges tried before the first hand."""
THIN: Final = 24
"""Exchanges tried between two hands."""

GUESS_DTYPE = np.dtype(
    (
        np.record,
        [
            ("hand", np.uint64),  # ten cards: those taken, and a guess of the others
            ("sure", np.uint64),  # cards the opponent holds for sure
            ("pool", np.uint64),  # unseen cards that are not in the hand: the stock
            ("word", np.uint64),  # state of the chain's generator
            ("score", np.float64),  # logarithm of the hand's likelihood, up to a constant
            ("habits", np.float64, (len(HABITS),)),
            ("worth", np.float64, (52,)),  # what each card adds to the score if it is loose
            ("each_point", np.float64),  # what a point of deadwood adds
            ("out", np.int64),  # deadwood with which this opponent would have gone out, -1: none
        ],
    ),
    align=True,
)
"""A guess of the opponent's hand, which moves on from hand to hand."""

_ALL = np.uint64((1 << 52) - 1)
_BOTTOM = int(ACES)
_FROM_2, _FROM_3 = np.uint64(int(_ALL) & ~_BOTTOM), np.uint64(int(_ALL) & ~(_BOTTOM * 3))
_TO_Q, _TO_J = np.uint64(int(_ALL) & ~(_BOTTOM << 12)), np.uint64(int(_ALL) & ~(_BOTTOM * 3 << 11))
_1, _2, _13, _26, _39 = (np.uint64(places) for places in (1, 2, 13, 26, 39))
_11 = np.uint64(11)


@kernel
def chance(word):
    """A number of [0, 1) from a random word."""
    return np.float64(word >> _11) * 2.0**-53


@kernel
def same_rank(cards):
    """Cards of the rank of one of ``cards``, other than that one."""
    return (cards << _13 | cards << _26 | cards << _39 | cards >> _13 | cards >> _26 | cards >> _39) & _ALL


@kernel
def next_to(cards):
    """Cards one rank above or below one of ``cards`` in its suit."""
    return ((cards << _1) & _FROM_2) | ((cards >> _1) & _TO_Q)


@kernel
def across_gap(cards):
    """Cards two ranks above or below one of ``cards`` in its suit."""
    return ((cards << _2) & _FROM_3) | ((cards >> _2) & _TO_J)


@kernel
def likelihood(hand, view, guess):
    """Logarithm of the likelihood that the opponent holds ``hand``, up to a constant."""
    habits, worth = guess.habits, guess.worth
    loose = hand & ~meldable(hand, view.ace)
    melding = live_outs(hand, ZERO)
    total = habits[PAIR] * count(loose & same_rank(hand)) + habits[NEXT] * count(loose & next_to(hand))
    total += habits[GAP] * count(loose & across_gap(hand))
    total += habits[MELD_THROWN] * count(melding & view.opp_threw) + habits[MELD_LEFT] * count(
        melding & view.opp_declined
    )
    while loose != ZERO:
        total += worth[lowest(loose)]
        loose = drop_lowest(loose)
    deadwood = least(hand, table_block(view.ace, view.ace_points))
    if deadwood <= guess.out:
        total += OUT_OF_QUESTION
    return total + guess.each_point * deadwood


@kernel
def weigh(view, sure, guess):
    """Fill ``guess.worth`` and ``guess.each_point``, of which the logarithm of a hand's likelihood is summed up."""
    habits = guess.habits
    later = min(view.turn / 10.0, LATEST)
    each = habits[LOOSE] + habits[LOOSE_LATER] * later
    ten_points = habits[DEADWOOD] + habits[DEADWOOD_LATER] * later + habits[DEADWOOD_LATEST] * later * later
    guess.each_point = 0.1 * ten_points
    taken = habits[TAKEN] + habits[TAKEN_LATER] * later
    for card in range(52):
        one = bit(card)
        rank, beside = same_rank(one), next_to(one)
        worth = (
            each
            + habits[RANK_THROWN] * count(rank & view.opp_threw)
            + habits[NEXT_THROWN] * count(beside & view.opp_threw)
        )
        worth += habits[RANK_LEFT] * count(rank & view.opp_declined) + habits[NEXT_LEFT] * count(
            beside & view.opp_declined
        )
        guess.worth[card] = worth if sure & one == ZERO else worth + taken


@kernel
def _next_word(guess):
    guess.word += GOLDEN
    return mix(guess.word)


@kernel
def start(view, kind, word, guess):
    """Set a guess at a hand that is drawn from the unseen cards, all equally likely; :func:`move_on` does the rest.

    ``kind`` says who is taken to sit there, ``PATIENT`` or ``PLAIN``.
    """
    sure = view.opp_took & ~view.pile & ~view.hand
    pool = _ALL & ~(view.hand | view.pile | sure)
    hand = sure
    guess.word = word
    for _ in range(10 - count(sure)):
        card = bit(pick(pool, _next_word(guess)))
        hand |= card
        pool ^= card
    guess.sure = sure
    guess.hand = hand
    guess.pool = pool
    for k in range(len(HABITS)):
        guess.habits[k] = _WEIGHTS[kind, k]
    guess.out = view.knock_limit if kind == PLAIN and view.knock_limit < NO_LIMIT else -1
    weigh(view, sure, guess)
    guess.score = likelihood(hand, view, guess)


@kernel
def thrown_of(view, low, high):
    """How many cards of ``low`` to ``high`` points the opponent threw, ace low."""
    found, cards = np.int64(0), view.opp_threw
    while cards != ZERO:
        found += np.int64(low <= lowest(cards) % 13 + 1 <= high)
        cards = drop_lowest(cards)
    return found


@kernel
def tell(view, tells):
    """Fill ``tells``, of which the logarithm of the odds that the opponent is plain is a weighted sum."""
    later = min(view.turn / 10.0, LATEST)
    tells[0] = 1.0
    tells[1] = later
    tells[2] = later * later
    tells[3] = min(view.opp_pickups, MOST_PICKUPS)
    tells[4] = thrown_of(view, 1, 5)
    tells[5] = thrown_of(view, 6, 8)


@kernel
def plain_share(view, prior, tells):
    """Chance that the opponent is plain, given what was seen; ``prior`` is the chance before a hand."""
    tell(view, tells)
    odds = 0.0
    for k in range(len(TELLS)):
        odds += _TELLS[k] * tells[k]
    return prior / (prior + (1.0 - prior) * np.exp(-odds))


@kernel
def move_on(view, steps, guess):
    """Try ``steps`` exchanges of a card of the hand for an unseen one."""
    if guess.hand == guess.sure or guess.pool == ZERO:
        return
    for _ in range(steps):
        goes = bit(pick(guess.hand & ~guess.sure, _next_word(guess)))
        comes = bit(pick(guess.pool, _next_word(guess)))
        hand = guess.hand ^ goes ^ comes
        score = likelihood(hand, view, guess)
        if score >= guess.score or chance(_next_word(guess)) < np.exp(score - guess.score):
            guess.hand = hand
            guess.pool ^= goes ^ comes
            guess.score = score
