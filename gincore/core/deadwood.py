"""Least deadwood of a hand, and of a hand of eleven after each discard.

Runs of a suit are looked up; sets are tried one by one. A rank that the hand holds three or four times offers:
no set, all of its cards, or (of four) any three. Ten or eleven cards hold at most three such ranks. For a choice of
sets the rest of the hand falls apart into its suits, so its deadwood is a sum of four look-ups. The minimum over all
choices is exact, and the deadwood after throwing card c is the minimum over the choices that leave c out.
"""

from __future__ import annotations

import numpy as np

from gincore._jit import inlined, kernel
from gincore.core.bits import ACES, SUIT_BITS, ZERO, bit, count, drop_lowest, lowest, suit
from gincore.core.lanes import NONE, finish, look, lower_knock_lanes, lower_lanes
from gincore.core.tables import NO_LANE, best_relief, run_cards, run_dead


@kernel
def triple_ranks(hand):
    """13-bit mask of the ranks that the hand holds three times or more."""
    clubs, diamonds, hearts, spades = suit(hand, 0), suit(hand, 1), suit(hand, 2), suit(hand, 3)
    return (clubs & diamonds & (hearts | spades)) | (hearts & spades & (clubs | diamonds))


@kernel
def without_sets(hand, block):
    """Least deadwood if no set may be laid."""
    return (
        run_dead(block + suit(hand, 0))
        + run_dead(block + suit(hand, 1))
        + run_dead(block + suit(hand, 2))
        + run_dead(block + suit(hand, 3))
    )


@kernel
def rank_cards(hand, ranks):
    """The hand's cards of the lowest rank in ``ranks``; none if ``ranks`` is empty."""
    if ranks == 0:
        return ZERO
    return hand & (ACES << np.uint64(lowest(np.uint64(ranks))))


@kernel
def set_choices(cards):
    """How many ways there are to lay a set from these cards of one rank, no set included."""
    size = count(cards)
    if size < 3:
        return 1
    return 2 if size == 3 else 6


@kernel
def set_choice(cards, number):
    """Cards of choice ``number``: 0 none, 1 all, 2 to 5 all but one of four."""
    if number == 0:
        return ZERO
    if number == 1:
        return cards
    left = cards
    for _ in range(number - 2):
        left = drop_lowest(left)
    return cards ^ bit(lowest(left))


@kernel
def _least_with_sets(hand, ranks, block):
    """Minimum over all choices of sets; see the module's text."""
    first = rank_cards(hand, ranks)
    ranks &= ranks - 1
    second = rank_cards(hand, ranks)
    ranks &= ranks - 1
    third = rank_cards(hand, ranks)
    best = np.int64(NONE)
    for i in range(set_choices(first)):
        one = hand ^ set_choice(first, i)
        for j in range(set_choices(second)):
            two = one ^ set_choice(second, j)
            for k in range(set_choices(third)):
                best = min(best, without_sets(two ^ set_choice(third, k), block))
    return best


@kernel
def least(hand, block):
    """Least deadwood of all cards of ``hand`` as they lie.

    Nearly all hands have at most one rank three times: they are settled without a branch by eight look-ups.

    Parameters
    ----------
    hand : uint64
        At most eleven cards.
    block : int64
        Offset of the rule's tables, ``tables.block(ace, ace_points)``.
    """
    clubs, diamonds, hearts, spades = suit(hand, 0), suit(hand, 1), suit(hand, 2), suit(hand, 3)
    ranks = (clubs & diamonds & (hearts | spades)) | (hearts & spades & (clubs | diamonds))
    first = ranks & -ranks
    if ranks != first or clubs & diamonds & hearts & spades != 0:
        return _least_with_sets(hand, ranks, block)
    rest = ~first
    return min(
        run_dead(block + clubs) + run_dead(block + diamonds) + run_dead(block + hearts) + run_dead(block + spades),
        run_dead(block + (clubs & rest))
        + run_dead(block + (diamonds & rest))
        + run_dead(block + (hearts & rest))
        + run_dead(block + (spades & rest)),
    )


@kernel
def _throwing(rest, block):
    """Least deadwood of what a choice of sets leaves, if the best of these cards is thrown."""
    clubs, diamonds = block + suit(rest, 0), block + suit(rest, 1)
    hearts, spades = block + suit(rest, 2), block + suit(rest, 3)
    relief = min(
        min(best_relief(clubs), best_relief(diamonds)),
        min(best_relief(hearts), best_relief(spades)),
    )
    return run_dead(clubs) + run_dead(diamonds) + run_dead(hearts) + run_dead(spades) + relief


@kernel
def least_throwing(hand, block):
    """Least deadwood that throwing one card of the hand leaves.

    The least of ``after_each`` without the answer for every card: for a choice of sets the best discard is the best of
    one suit, which is looked up. To throw a card of a set is to choose the set otherwise.

    Parameters
    ----------
    hand : uint64
        Eleven cards (fewer are fine).
    block : int64
        Offset of the rule's tables.
    """
    ranks = triple_ranks(hand)
    if ranks == 0:
        return _throwing(hand, block)
    first = rank_cards(hand, ranks)
    ranks &= ranks - 1
    second = rank_cards(hand, ranks)
    ranks &= ranks - 1
    third = rank_cards(hand, ranks)
    best = np.int64(NONE)
    for i in range(set_choices(first)):
        one = hand ^ set_choice(first, i)
        for j in range(set_choices(second)):
            two = one ^ set_choice(second, j)
            for k in range(set_choices(third)):
                best = min(best, _throwing(two ^ set_choice(third, k), block))
    return best


@inlined
def after_each(hand, discards, view, blocked, limit):
    """Deadwood that is left after each discard, in ``view.after``, and which of them leave the least.

    Nearly all hands have at most one rank three times: they are settled without a branch, like those of ``least``.

    Parameters
    ----------
    hand : uint64
        Eleven cards (fewer are fine).
    discards : record of ``tables.DISCARDS_DTYPE``
        The rule's table, ``tables.discards(ace, ace_points)``.
    view : record of ``schema.VIEW_DTYPE``, modified in place
    blocked : uint64
        The card that may not be thrown, or none.
    limit : int64
        Points.

    Returns
    -------
    tuple of (int64, int64, uint64, uint64)
        Least deadwood of all the cards as they lie (0 is big gin); the least that any other card leaves, the cards
        that leave it, and those that leave ``limit`` points or fewer.
    """
    clubs, diamonds, hearts, spades = suit(hand, 0), suit(hand, 1), suit(hand, 2), suit(hand, 3)
    ranks = (clubs & diamonds & (hearts | spades)) | (hearts & spades & (clubs | diamonds))
    first = ranks & -ranks
    rest = hand & ~(np.uint64(first) * ACES)
    whole, best, least_cards, few = look(view, discards, hand, rest, blocked, limit)
    if ranks != first or clubs & diamonds & hearts & spades != 0:
        whole = min(whole, _after_sets(hand, ranks, discards, view))
        best, least_cards, few = finish(view, blocked, limit)
    return whole, best, least_cards, few


@kernel
def _after_sets(hand, ranks, discards, view):
    """Lower the lanes for the choices of sets that ``look`` leaves out; each sees the cards outside its sets."""
    first = rank_cards(hand, ranks)
    ranks &= ranks - 1
    second = rank_cards(hand, ranks)
    ranks &= ranks - 1
    third = rank_cards(hand, ranks)
    if ranks == 0 and second == ZERO:  # four of one rank
        whole = np.int64(NONE)
        for number in range(4):
            loose = first & (SUIT_BITS << np.uint64(13 * number))
            whole = min(whole, lower_lanes(view, discards, hand ^ first ^ loose))
        return whole
    if ranks == 0 and count(first | second) == 6:  # two sets of three: most of these hands
        whole = lower_lanes(view, discards, hand ^ second)
        return min(whole, lower_lanes(view, discards, hand ^ first ^ second))
    whole = np.int64(NONE)
    for i in range(set_choices(first)):
        one = hand ^ set_choice(first, i)
        for j in range(set_choices(second)):
            two = one ^ set_choice(second, j)
            for k in range(set_choices(third)):
                if i + j + k > 0:
                    whole = min(whole, lower_lanes(view, discards, two ^ set_choice(third, k)))
    return whole


@kernel
def knock_each(hand, discards, most_loose, view):
    """Deadwood laid down when going out with each discard, where at most ``most_loose`` cards may be in no meld.

    The result is in the view's knock lanes. Laying all cards of the runs leaves both the fewest cards and the fewest
    points for each choice of sets, so it is enough to look at the choices one by one.
    """
    view.knock_lanes[:] = NO_LANE
    ranks = triple_ranks(hand)
    first = rank_cards(hand, ranks)
    ranks &= ranks - 1
    second = rank_cards(hand, ranks)
    ranks &= ranks - 1
    third = rank_cards(hand, ranks)
    for i in range(set_choices(first)):
        one = hand ^ set_choice(first, i)
        for j in range(set_choices(second)):
            two = one ^ set_choice(second, j)
            for k in range(set_choices(third)):
                lower_knock_lanes(view, discards, two ^ set_choice(third, k), most_loose)


@kernel
def least_melded(hand, block, card_block, most_loose):
    """Least deadwood of a hand laid with at most ``most_loose`` cards in no meld; ``NONE`` if that cannot be."""
    ranks = triple_ranks(hand)
    first = rank_cards(hand, ranks)
    ranks &= ranks - 1
    second = rank_cards(hand, ranks)
    ranks &= ranks - 1
    third = rank_cards(hand, ranks)
    best = np.int64(NONE)
    for i in range(set_choices(first)):
        one = hand ^ set_choice(first, i)
        for j in range(set_choices(second)):
            two = one ^ set_choice(second, j)
            for k in range(set_choices(third)):
                rest = two ^ set_choice(third, k)
                if without_sets(rest, card_block) <= most_loose:
                    best = min(best, without_sets(rest, block))
    return best


@kernel
def meldable(hand, ace):
    """The cards of the hand that lie in some set or run of it."""
    cards = ZERO
    for number in range(4):
        cards |= np.uint64(run_cards(ace, suit(hand, number))) << np.uint64(13 * number)
    ranks = np.uint64(triple_ranks(hand))
    return cards | (hand & (ranks | ranks << np.uint64(13) | ranks << np.uint64(26) | ranks << np.uint64(39)))


@kernel
def makes_meld(hand, card, ace):
    """Whether ``card`` would lie in a set or run together with cards of ``hand``."""
    number = (card * 79) >> 10  # card // 13 for cards 0 to 51
    rank = card - 13 * number
    runs = run_cards(ace, suit(hand | bit(card), number)) >> rank & 1
    sets = np.int64(count(hand & (ACES << np.uint64(rank))) >= 2)
    return runs | sets != 0
