"""Every hand of a deck, counted by its least deadwood.

Exchanging suits changes no deadwood. So only hands whose suits lie in order, a <= b <= c <= d, are looked at, and each
counts as often as its masks can be given to the suits: a twenty-fourth of all hands.

For given a, b and c all hands of the deck are valued at once. A choice of sets takes some cards out of d, and leaves
the rest of a, b and c at a price; the hand costs the least, over the choices whose cards d has, of that price and of
what d costs without them. What every mask costs without every three of its cards is a table, so that a choice is one
pass over neighbouring entries.

A cost is ``POINT`` times the deadwood, less the number of melds: of the arrangements of least deadwood the one of most
melds counts, a run of six as two. Where one card is thrown, the least is taken over all discards.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gincore._jit import kernel
from gincore.core.bits import count
from gincore.core.deadwood import least
from gincore.core.tables import SIZE, least_cost, points_of, runs_of

MOST_MELDS = 3
"""Of eleven cards."""
POINT = MOST_MELDS + 1
CELLS = POINT * 256
"""Length of a count by cost plus ``MOST_MELDS``."""
ALL_RANKS = SIZE - 1

_FAR = 8_000
"""Cost of what cannot be: more than any hand's, and the sum of three of them fits 16 bits."""
_MOST_TAKEN = 3  # sets of three cards each, a card of every set from the last suit
_MOST_CHOICES = 72  # a, b, c have at most 8 of 11 cards: of a rank two (2 choices) or three (6), so 6 * 6 * 2


class Suits(NamedTuple):
    """What the masks of a suit cost. Made by :func:`suits`.

    Attributes
    ----------
    masks : int64[:]
        The masks of the deck's ranks, those of fewer cards first.
    starts : int64[15]
        Where the masks of 0, 1, 2, .. cards begin.
    cost : int64[SIZE]
        Least cost of every mask.
    relief : int64[SIZE]
        How that changes at best when one card is thrown; 0 if none is thrown.
    row_of : int64[SIZE]
        Row of the next tables for the cards taken out.
    without, thrown : int16[:, :]
        Cost of each of ``masks`` without the cards taken out, and when one card more is thrown; ``thrown`` has no rows
        if none is thrown.
    """

    masks: NDArray[np.int64]
    starts: NDArray[np.int64]
    cost: NDArray[np.int64]
    relief: NDArray[np.int64]
    row_of: NDArray[np.int64]
    without: NDArray[np.int16]
    thrown: NDArray[np.int16]


def suits(ace: int, ace_points: int, *, throws: bool, ranks: int = ALL_RANKS) -> Suits:
    """Make the tables.

    Parameters
    ----------
    ace : int
        A code of ``schema.Ace``.
    ace_points : int
        1 or 15.
    throws : bool
        Whether the best card is thrown before the hand is valued.
    ranks : int
        13-bit mask of the ranks of the deck.
    """
    every = np.arange(SIZE)
    cost = least_cost(POINT * points_of(ace_points), runs_of(ace, 5), -1)  # a longer run is made of these
    after = np.full(SIZE, _FAR)
    for rank in range(13):
        held = every[(every >> rank) & 1 == 1]
        after[held] = np.minimum(after[held], cost[held ^ (1 << rank)])
    sizes = np.bitwise_count(every).astype(np.int64)
    masks = every[(every & ~ranks) == 0]
    masks = masks[np.argsort(sizes[masks], kind="stable")]
    taken = [0, *(sum(some) for k in range(1, _MOST_TAKEN + 1) for some in combinations(1 << np.arange(13), k))]
    row_of = np.full(SIZE, len(taken))  # the last row: no mask can give so many cards
    row_of[taken] = np.arange(len(taken))
    return Suits(
        masks,
        np.searchsorted(sizes[masks], np.arange(15)),
        cost,
        after - cost if throws else np.zeros(SIZE, np.int64),
        row_of,
        _rows(masks, cost, taken),
        _rows(masks, after, taken)[: len(taken) + 1 if throws else 0],
    )


def _rows(masks: NDArray[np.int64], cost: NDArray[np.int64], taken: list[int]) -> NDArray[np.int16]:
    """What the masks cost without the cards taken out; ``_FAR`` where they do not have them."""
    rows = np.full((len(taken) + 1, len(masks)), _FAR, np.int16)
    for row, cards in zip(rows, taken, strict=False):
        has = masks & cards == cards
        row[has] = cost[masks[has] ^ cards]
    return rows


def scratch() -> tuple[Any, Any]:
    """Arrays in which :func:`count_part` works."""
    return np.zeros(SIZE, np.int16), np.zeros((_MOST_CHOICES, 5), np.int64)


@kernel
def orders(one, two, three, four):
    """Number of ways to give four ordered places to the suits, equal ones being one mask."""
    equal = int(one == two) + int(two == three) + int(three == four)
    if equal == 2:
        return 4 if two == three else 6
    return 24 if equal == 0 else (12 if equal == 1 else 1)


@kernel
def choices_of_sets(a, b, c, found):
    """All choices of sets for three suits, a row each; returns their number.

    A row of ``found`` is what it leaves of the three suits, the cards that it takes out of the fourth (which may not
    have them), and ``MOST_MELDS`` less its sets. A set has three or four cards, so two or three of these suits.
    """
    found[0, 0], found[0, 1], found[0, 2] = a, b, c
    found[0, 3], found[0, 4] = 0, MOST_MELDS
    total = 1
    ranks = (a & b) | (c & (a | b))
    while ranks != 0:
        rank = ranks & -ranks
        ranks ^= rank
        before = total
        for members in (3, 5, 6, 7):
            x = rank if members & 1 else 0
            y = rank if members & 2 else 0
            z = rank if members & 4 else 0
            if a & x != x or b & y != y or c & z != z:
                continue
            for fourth in range(1 if members != 7 else 0, 2):
                for row in range(before):
                    found[total, 0] = found[row, 0] ^ x
                    found[total, 1] = found[row, 1] ^ y
                    found[total, 2] = found[row, 2] ^ z
                    found[total, 3] = found[row, 3] | rank * fourth
                    found[total, 4] = found[row, 4] - 1
                    total += 1
    return total


@kernel
def lower(best, row, first, price):
    """Lower each of ``best`` to its entry of a row of the tables plus a price, where that is less."""
    part = row[first : first + len(best)]
    for place in range(len(part)):
        best[place] = min(best[place], np.int16(part[place] + price))


@kernel
def value(a, b, c, suits, first, found, best):
    """Least cost, plus ``MOST_MELDS``, of the hands of three suits and each mask from number ``first`` on."""
    cost, relief = suits.cost, suits.relief
    best[:] = _FAR
    for number in range(choices_of_sets(a, b, c, found)):
        x, y, z = found[number, 0], found[number, 1], found[number, 2]
        row = suits.row_of[found[number, 3]]
        price = cost[x] + cost[y] + cost[z] + found[number, 4]
        thrown = price + min(relief[x], relief[y], relief[z])
        lower(best, suits.without[row], first, np.int16(thrown))
        if len(suits.thrown) > 0:
            lower(best, suits.thrown[row], first, np.int16(price))


@kernel
def count_part(suits, cards, part, parts, block, best, found, counts):
    """Count the hands of one part; together the parts count every hand once.

    Parameters
    ----------
    suits : Suits
    cards : int64
        Cards of a hand, at most eleven.
    part, parts : int64
        Which part of how many.
    block : int64
        Offset of the rule's tables, ``tables.block``.
    best, found
        From :func:`scratch`.
    counts : int64[2, CELLS], added to
        Hands by their cost plus ``MOST_MELDS``, and those of them that are melded without throwing a card.
    """
    masks, starts = suits.masks, suits.starts
    pair = 0
    for i in range(len(masks)):
        a = masks[i]
        if 4 * count(np.uint64(a)) > cards:
            break
        for j in range(i, len(masks)):
            b = masks[j]
            two = count(np.uint64(a)) + count(np.uint64(b))
            if two + 2 * count(np.uint64(b)) > cards:
                break
            pair += 1
            if pair % parts != part:
                continue
            for k in range(j, len(masks)):
                c = masks[k]
                size = cards - two - count(np.uint64(c))
                if size < count(np.uint64(c)):
                    break
                first = max(k, starts[size])
                if first < starts[size + 1]:
                    hands = best[: starts[size + 1] - first]
                    value(a, b, c, suits, first, found, hands)
                    _add(i, j, k, suits, first, hands, block, counts)


@kernel
def _add(i, j, k, suits, first, hands, block, counts):
    """Count the hands of the masks number ``i``, ``j``, ``k`` and each from ``first`` on by their costs."""
    many = orders(i, j, k, -1)
    for cost in hands:
        counts[0, np.uint64(cost)] += many
    if first == k:  # the first of them has the third mask twice
        counts[0, hands[0]] += orders(i, j, k, k) - many
    if hands.min() < POINT:
        masks = suits.masks
        three = masks[i] | masks[j] << 13 | masks[k] << 26
        for place in range(len(hands)):
            hand = np.uint64(three | masks[first + place] << 39)
            if hands[place] < POINT and least(hand, block) == 0:
                counts[1, hands[place]] += orders(i, j, k, first + place)
