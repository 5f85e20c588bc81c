"""Exact anchors: how many hands are gin or big gin, how many melds a deck has, the largest minimum deadwood.

The hands are enumerated as unions of disjoint melds (a longer run is made of runs of three to five), which uses
nothing of the evaluator; then the evaluator has to call every one of them gin, and their neighbours not.
"""

from __future__ import annotations

import os
from collections import Counter
from functools import cache
from itertools import product
from typing import Any

import brute
import numpy as np
import pytest

import gincore

Masks = np.ndarray[Any, np.dtype[np.uint64]]

ACES = ("low", "high_low", "round")
GIN = {"low": 136_694, "high_low": 160_056, "round": 197_470}
BIG_GIN = {"low": 147_204, "high_low": 179_332, "round": 249_028}
GIN_OF_ELEVEN = {"low": 5_379_372, "high_low": 6_289_056, "round": 7_711_340}
MELDS = {"low": (96, 53, 36), "high_low": (100, 57, 40), "round": (104, 65, 52)}

compiled = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT", "0") not in {"", "0"}, reason="millions of hands need compiled code"
)
each_ace = pytest.mark.parametrize("ace", ACES)


@cache
def melds(ace: str, size: int) -> Masks:
    return np.array(sorted(brute.to_mask(meld) for meld in brute.all_melds(ace) if len(meld) == size), np.uint64)


def distinct(masks: Masks) -> Masks:
    """Sort, without repetition (``np.unique`` hashes such arrays and is ten times slower)."""
    masks = np.sort(masks)
    return masks[np.append(True, masks[1:] != masks[:-1])]


def disjoint(left: Masks, right: Masks) -> Masks:
    """All unions of a mask of the one and a mask of the other that share no card."""
    apart = (left[:, None] & right[None, :]) == 0
    return distinct((left[:, None] | right[None, :])[apart])


@cache
def gins(ace: str) -> Masks:
    three, four, five = (melds(ace, size) for size in (3, 4, 5))
    hands = [disjoint(five, five), disjoint(disjoint(three, three), four)]
    return distinct(np.concatenate(hands))


@cache
def big_gins(ace: str) -> Masks:
    three, four, five = (melds(ace, size) for size in (3, 4, 5))
    hands = [disjoint(disjoint(three, three), five), disjoint(disjoint(four, four), three)]
    return distinct(np.concatenate(hands))


@cache
def gins_of_eleven(ace: str) -> Masks:
    tens = gins(ace)
    bits = np.uint64(1) << np.arange(52, dtype=np.uint64)
    return distinct(np.concatenate([tens[tens & bit == 0] | bit for bit in bits]))


def rules(ace: str, ace_points: int = 1) -> Any:
    return gincore.rules("classic", ace=ace, ace_points=ace_points)


@each_ace
def test_melds_of_a_deck(ace: str) -> None:
    sizes = Counter(map(len, brute.all_melds(ace)))
    assert (sizes[3], sizes[4], sizes[5]) == MELDS[ace]


def test_sets_and_runs() -> None:
    sets = [meld for meld in brute.all_melds() if len({card[0] for card in meld}) == 1]
    assert len(sets) == 65
    assert len(brute.all_melds()) - len(sets) == 264


@each_ace
@pytest.mark.parametrize("ace_points", [1, 15])
def test_gin_hands(ace: str, ace_points: int) -> None:
    hands = gins(ace)
    assert len(hands) == GIN[ace]
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in {"", "0"}:
        hands = hands[::500]
    assert not gincore.deadwood(hands, rules(ace, ace_points)).any()


@each_ace
def test_big_gin_hands(ace: str) -> None:
    hands = big_gins(ace)
    assert len(hands) == BIG_GIN[ace]
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in {"", "0"}:
        hands = hands[::500]
    assert gincore.is_big_gin(hands, rules(ace)).all()


@compiled
@each_ace
def test_eleven_cards_that_are_gin_after_some_discard(ace: str) -> None:
    hands = gins_of_eleven(ace)
    assert len(hands) == GIN_OF_ELEVEN[ace]
    assert not gincore.deadwood(hands, rules(ace)).any()
    assert np.array_equal(hands[gincore.is_big_gin(hands, rules(ace))], big_gins(ace))


@compiled
@each_ace
def test_neighbours_of_gin_are_gin_only_if_listed(ace: str) -> None:
    """One card of a gin hand exchanged: a million hands for each ace rule, the hardest to tell from gin."""
    rng = np.random.default_rng(2024)
    hands = gins(ace)
    picked = hands[rng.integers(0, len(hands), 1_000_000)]
    out = nth_card(picked, rng.integers(0, 10, len(picked)))
    into = nth_card(~picked & np.uint64((1 << 52) - 1), rng.integers(0, 42, len(picked)))
    near = picked ^ out | into
    zero = gincore.deadwood(near, rules(ace)) == 0
    assert np.array_equal(zero, np.isin(near, hands))
    assert 0 < zero.mean() < 0.5


def nth_card(masks: Masks, place: np.ndarray[Any, np.dtype[np.int64]]) -> Masks:
    """Return the card number ``place`` (from 0, lowest first) of each mask."""
    masks = masks.copy()
    for step in range(int(place.max())):
        some = place > step
        masks[some] &= masks[some] - np.uint64(1)
    return masks & (~masks + np.uint64(1))


# ---------------------------------------------------------------- hands without a meld


def extend(runs: tuple[int, ...], held: tuple[bool, ...]) -> tuple[int, ...] | None:
    """Cards in a row at the top of each suit after this rank; None if that makes a meld."""
    if sum(held) > 2:
        return None
    after = tuple(run + 1 if has else 0 for run, has in zip(runs, held, strict=True))
    return None if max(after) > 2 else after


def without_meld() -> dict[int, dict[int, int]]:
    """Number of hands without a meld (ace low), by number of cards and then by points: a count over ranks."""
    state: dict[tuple[tuple[int, ...], int, int], int] = {((0, 0, 0, 0), 0, 0): 1}
    for value in brute.VALUES.values():
        following: dict[tuple[tuple[int, ...], int, int], int] = Counter()
        for (runs, cards, points), ways in state.items():
            for held in product((False, True), repeat=4):
                after = extend(runs, held)
                if after is not None and cards + sum(held) <= 11:
                    following[after, cards + sum(held), points + value * sum(held)] += ways
        state = following
    table: dict[int, dict[int, int]] = {}
    for (_, cards, points), ways in state.items():
        by_points = table.setdefault(cards, {})
        by_points[points] = by_points.get(points, 0) + ways
    return table


@pytest.fixture(scope="module")
def meldless() -> dict[int, dict[int, int]]:
    return without_meld()


def test_largest_minimum_deadwood(meldless: dict[int, dict[int, int]]) -> None:
    """A hand with a meld has at most 7 (8) loose cards, 70 (80) points; so the largest lies in a hand without one."""
    assert max(meldless[10]) == 98
    assert max(meldless[11]) == 106
    assert gincore.deadwood(["Kc Kd Qc Qd Jh Js Th Ts 9c 9d"])[0] == 98
    (spread,) = gincore.spreads("Kc Kd Qc Qd Jh Js Th Ts 9c 9d 8h")
    assert spread.points == 106
    assert gincore.deadwood(["Kc Kd Qc Qd Jh Js Th Ts 9c 9d 8h"])[0] == 96


def test_share_of_hands_without_a_meld(meldless: dict[int, dict[int, int]]) -> None:
    """Exactly 60.2093 %; the reference's sample of about 21 million hands (SE 0.011 %) says 60.22 %."""
    share = 100 * sum(meldless[10].values()) / 15_820_024_220
    assert share == pytest.approx(60.2093, abs=5e-5)
    assert share == pytest.approx(60.22, abs=3 * 0.011)
