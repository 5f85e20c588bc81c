"""The evaluator against the exhaustive oracle of ``brute.py``, under three ace rules and both ace values.

3,600 hands of ten and 3,600 of eleven cards (a third dealt uniformly, a third from a few neighbouring ranks, where
melds cross, a third built from melds), and 6,000 knocks with a defender whose cards mostly touch the knocker's.
Fixed seeds; every comparison is exact, so the error rate is zero.
"""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import brute
import numpy as np
import pytest

import gincore

HANDS = 600
KNOCKS = 1_000
HOUSES = [brute.House(ace, points) for ace in ("low", "high_low", "round") for points in (1, 15)]


def name(house: brute.House) -> str:
    return f"{house.ace}-{house.ace_points}"


def rules(house: brute.House, **options: Any) -> Any:
    return gincore.rules("classic", ace=house.ace, ace_points=house.ace_points, **options)


def hands(house: brute.House, size: int) -> list[brute.Cards]:
    rng = random.Random(f"{name(house)} {size}")
    make = (brute.uniform_hand, brute.dense_hand, brute.built_hand)
    return [make[number % 3](rng, size, house) for number in range(HANDS)]


def masks(some: list[brute.Cards]) -> np.ndarray[Any, np.dtype[np.uint64]]:
    return np.array([brute.to_mask(hand) for hand in some], np.uint64)


each_house = pytest.mark.parametrize("house", HOUSES, ids=name)


@each_house
def test_deadwood_of_ten(house: brute.House) -> None:
    tens = hands(house, 10)
    expected = [brute.deadwood(hand, house) for hand in tens]
    assert gincore.deadwood(masks(tens), rules(house)).tolist() == expected


@each_house
def test_deadwood_of_eleven_and_big_gin(house: brute.House) -> None:
    elevens = hands(house, 11)
    expected = [brute.deadwood_after_discard(hand, house) for hand in elevens]
    assert gincore.deadwood(masks(elevens), rules(house)).tolist() == expected
    all_melded = [brute.deadwood(hand, house) == 0 for hand in elevens]
    assert gincore.is_big_gin(masks(elevens), rules(house)).tolist() == all_melded
    assert any(all_melded), "the hands are hard enough to hold big gins"


@each_house
@pytest.mark.parametrize("size", [10, 11])
def test_all_optimal_arrangements(house: brute.House, size: int) -> None:
    chosen = rules(house)
    several = 0
    for hand in hands(house, size):
        expected = {frozenset(map(brute.to_mask, family)) for family in brute.arrangements(hand, house)}
        spreads = gincore.spreads(brute.to_mask(hand), chosen)
        assert {frozenset(map(int, spread.melds)) for spread in spreads} == expected, sorted(hand)
        assert len(spreads) == len(expected), "an arrangement is listed twice"
        several += len(expected) > 1
        for spread in spreads:
            left = brute.from_mask(int(spread.deadwood_cards))
            assert left == hand.difference(*map(brute.from_mask, map(int, spread.melds)))
            assert spread.points == brute.points(left, house.ace_points)
            assert list(spread.melds) == sorted(spread.melds)
    assert several > HANDS // 50, "the hands are hard enough to have several arrangements"


@cache
def knocks(house: brute.House) -> list[tuple[brute.Cards, brute.Cards]]:
    rng = random.Random(f"knocks {name(house)}")
    return [brute.knocking_pair(rng, house) for _ in range(KNOCKS)]


def told(showdown: Any) -> brute.Outcome:
    return brute.Outcome(*(getattr(showdown, field) for field in brute.Outcome._fields))


@each_house
@pytest.mark.parametrize("spread", ["min_deadwood", "best"])
def test_showdown_optimal(house: brute.House, spread: str) -> None:
    chosen = rules(house, knocker_spread=spread)
    find = {"min_deadwood": brute.strict_outcomes, "best": brute.free_outcomes}[spread]
    kinds = set()
    for knocker, defender in knocks(house):
        outcomes = find(knocker, defender, house)
        showdown = gincore.showdown(brute.to_mask(knocker), brute.to_mask(defender), chosen)
        where = f"{' '.join(sorted(knocker))} | {' '.join(sorted(defender))}"
        assert told(showdown) == brute.best(outcomes), where
        brute.check_table(showdown, knocker, defender, house)
        kinds.add(showdown.kind)
    assert kinds == {"knock", "gin", "undercut"}


@pytest.mark.parametrize("points", [1, 15])
def test_showdown_melds_first(points: int) -> None:
    """Reachable from some pair of minimum arrangements with lay-offs in some order until none fits (ace low only)."""
    house = brute.House(ace="low", ace_points=points)
    chosen = rules(house, layoff="melds_first", knocker_spread="random_minimum")
    for knocker, defender in knocks(house):
        outcomes = brute.melds_first_outcomes(knocker, defender, house)
        showdown = gincore.showdown(brute.to_mask(knocker), brute.to_mask(defender), chosen)
        where = f"{' '.join(sorted(knocker))} | {' '.join(sorted(defender))}"
        assert told(showdown) in outcomes, where
        brute.check_table(showdown, knocker, defender, house)
