"""Hidden hands: what the opponent may hold, drawn so that it agrees with all that was seen.

What the opponent took from the pile and has not thrown is theirs for sure. The rest of their hand is drawn from the
unseen cards, and hands are not equally likely: nobody throws or leaves a card that makes a meld, takes one for nothing,
keeps high loose cards for long, or holds on to the neighbours of what they threw. How much each of these weighs is in
``HABITS``, which ``scripts/habits.py`` fits to play of ``expert`` and ``simple``: the logarithm of a hand's likelihood
is linear in them. A Markov chain (Metropolis et al., J. Chem. Phys. 21, 1953) that exchanges a card of the hand for an
unseen one at a time visits hands as often as they are likely.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from gincore._jit import kernel
from gincore.core.bits import ACES, ZERO, bit, count, drop_lowest, lowest, pick
from gincore.core.deadwood import meldable
from gincore.core.rng import GOLDEN, mix
from gincore.strategies.network import live_outs

HABITS: Final = (
    ("loose", -0.08),  # each card in no meld
    ("loose_later", 0.25),  # the same, for each ten turns
    ("points", -0.13),  # of these cards, for ten points
    ("points_later", -0.97),
    ("taken", -1.88),  # each of them that was taken from the pile
    ("taken_later", 0.64),
    ("rank_thrown", -0.8),  # for each card of its rank that the opponent threw
    ("next_thrown", -0.58),  # for each neighbour in its suit that they threw
    ("rank_left", -0.24),  # .. that they left on the pile
    ("next_left", -0.18),
    ("pair", 0.14),  # each loose card that has another of its rank
    ("next", 0.18),  # .. its neighbour in the suit
    ("gap", 0.14),  # .. the neighbour but one
    ("meld_thrown", -1.15),  # each thrown card that would make a meld with the hand
    ("meld_left", -1.02),  # each card left that would
)
"""Logarithm of the likelihood of a hand, for each of these."""

_WEIGHTS = np.array([weight for _, weight in HABITS])
(
    LOOSE, LOOSE_LATER, POINTS, POINTS_LATER, TAKEN, TAKEN_LATER, RANK_THROWN, NEXT_THROWN, RANK_LEFT, NEXT_LEFT,
    PAIR, NEXT, GAP, MELD_THROWN, MELD_LEFT,
) = range(len(HABITS))  # fmt: skip

LATEST = 3.0
"""Tens of turns beyond which habits change no more."""
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
    return total


@kernel
def weigh(view, sure, guess):
    """Fill ``guess.worth``: what each card adds to the logarithm of a hand's likelihood if it is loose there."""
    habits = guess.habits
    later = min(view.turn / 10.0, LATEST)
    each = habits[LOOSE] + habits[LOOSE_LATER] * later
    ten_points = habits[POINTS] + habits[POINTS_LATER] * later
    taken = habits[TAKEN] + habits[TAKEN_LATER] * later
    for card in range(52):
        one = bit(card)
        rank, beside = same_rank(one), next_to(one)
        worth = each + ten_points * 0.1 * min(card % 13 + 1, 10)
        worth += habits[RANK_THROWN] * count(rank & view.opp_threw) + habits[NEXT_THROWN] * count(
            beside & view.opp_threw
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
def start(view, word, guess):
    """Set a guess at a hand that is drawn from the unseen cards, all equally likely; :func:`move_on` does the rest."""
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
        guess.habits[k] = _WEIGHTS[k]
    weigh(view, sure, guess)
    guess.score = likelihood(hand, view, guess)


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
