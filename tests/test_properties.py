"""Properties that hold for every hand: symmetry of the suits, discards, spreads, and who gains by what."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import brute
import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import gincore

DECK = list(brute.DECK)
settings.register_profile(
    "gincore", max_examples=150, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
run = settings(settings.get_profile("gincore"))

RULES: dict[str, Any] = {}


def house_rules(ace: str, ace_points: int, **options: Any) -> Any:
    key = f"{ace} {ace_points} {options}"
    if key not in RULES:
        RULES[key] = gincore.rules("classic", ace=ace, ace_points=ace_points, **options)
    return RULES[key]


aces = st.sampled_from(["low", "high_low", "round"])
ace_points = st.sampled_from([1, 15])


@st.composite
def hands(draw: st.DrawFn, size: int) -> brute.Cards:
    """Return cards of any ranks or of a few neighbouring ones."""
    width = draw(st.sampled_from([4, 5, 7, 13]))
    start = draw(st.integers(0, 12))
    pool = [card for card in DECK if (brute.RANKS.index(card[0]) - start) % 13 < width]
    return frozenset(draw(st.permutations(pool))[:size])


@st.composite
def pairs(draw: st.DrawFn) -> tuple[brute.Cards, brute.Cards]:
    """Return two hands of ten, disjoint."""
    first = draw(hands(10))
    rest = [card for card in DECK if card not in first and (brute.touches(card, first) or draw(st.booleans()))]
    assume(len(rest) >= 10)
    return first, frozenset(draw(st.permutations(rest))[:10])


def mask(hand: brute.Cards) -> int:
    return brute.to_mask(hand)


def swapped(hand: brute.Cards, order: tuple[str, ...]) -> brute.Cards:
    return frozenset(rank + order[brute.SUITS.index(suit)] for rank, suit in hand)


@run
@given(hands(10), hands(11), aces, ace_points)
def test_deadwood_does_not_see_suits(ten: brute.Cards, eleven: brute.Cards, ace: str, points: int) -> None:
    orders = list(permutations(brute.SUITS))
    for hand in (ten, eleven):
        values = gincore.deadwood([mask(swapped(hand, order)) for order in orders], house_rules(ace, points))
        assert len(set(values.tolist())) == 1


@run
@given(hands(11), aces, ace_points)
def test_eleven_is_the_best_of_all_discards(hand: brute.Cards, ace: str, points: int) -> None:
    rules = house_rules(ace, points)
    left = gincore.deadwood([mask(hand - {card}) for card in sorted(hand)], rules)
    assert gincore.deadwood([mask(hand)], rules)[0] == left.min()
    if gincore.is_big_gin([mask(hand)], rules)[0]:
        assert gincore.spreads(mask(hand), rules)[0].points == 0


@run
@given(hands(10), aces, ace_points)
def test_spreads_reach_the_minimum(hand: brute.Cards, ace: str, points: int) -> None:
    rules = house_rules(ace, points)
    spreads = gincore.spreads(mask(hand), rules)
    assert {spread.points for spread in spreads} == set(gincore.deadwood([mask(hand)], rules).tolist())
    assert len({spread.melds for spread in spreads}) == len(spreads)


@run
@given(hands(10), st.data(), aces, ace_points)
def test_one_more_card_never_hurts(hand: brute.Cards, data: st.DataObject, ace: str, points: int) -> None:
    card = data.draw(st.sampled_from([card for card in DECK if card not in hand]))
    rules = house_rules(ace, points)
    assert gincore.deadwood([mask(hand | {card})], rules)[0] <= gincore.deadwood([mask(hand)], rules)[0]


@run
@given(hands(10))
def test_wider_ace_rules_never_hurt(hand: brute.Cards) -> None:
    low, high_low, corner = (gincore.deadwood([mask(hand)], house_rules(ace, 1))[0] for ace in
                             ("low", "high_low", "round"))  # fmt: skip
    assert low >= high_low >= corner


@run
@given(pairs(), aces, ace_points)
def test_showdown(pair: tuple[brute.Cards, brute.Cards], ace: str, points: int) -> None:
    knocker, defender = map(mask, pair)
    own, other = gincore.deadwood([knocker, defender], house_rules(ace, points)).tolist()
    assume(own <= 100)
    framework_rules = {"layoff": "melds_first", "knocker_spread": "random_minimum"} if ace == "low" else {}
    strict, free, framework = (
        gincore.showdown(knocker, defender, house_rules(ace, points, knock_limit=100, **options))
        for options in ({}, {"knocker_spread": "best"}, framework_rules)
    )
    assert strict.knocker_deadwood == framework.knocker_deadwood == own <= free.knocker_deadwood
    for showdown in (strict, free, framework):
        assert 0 <= showdown.defender_deadwood <= other
        assert showdown.points == net(showdown, own) * (1 if showdown.winner == "knocker" else -1)
        assert (showdown.kind == "gin") == (showdown.knocker_deadwood == 0)
    assert net(strict, own) <= net(free, own), "the free choice includes the strict ones"
    if own == 0:
        assert strict.defender_deadwood == other, "nothing is laid off on gin"


def net(showdown: Any, own: int) -> int:
    """Points seen from the knocker, from the deadwoods alone (classic bonuses)."""
    difference = int(showdown.defender_deadwood - showdown.knocker_deadwood)
    if showdown.knocker_deadwood == 0:
        return 25 + difference
    return difference if difference > 0 else difference - 25


@run
@given(pairs(), st.permutations(brute.SUITS))
def test_showdown_does_not_see_suits(pair: tuple[brute.Cards, brute.Cards], order: list[str]) -> None:
    rules = house_rules("low", 1, knock_limit=100)
    first = gincore.showdown(*map(mask, pair), rules)
    second = gincore.showdown(*(mask(swapped(hand, tuple(order))) for hand in pair), rules)
    assert (first.winner, first.points, first.defender_deadwood) == (
        second.winner,
        second.points,
        second.defender_deadwood,
    )


@pytest.mark.parametrize("dtype", [np.uint64, np.int64])
def test_masks_of_either_sign_are_read_alike(dtype: Any) -> None:
    hand = mask(brute.cards("Ad As Ah Ac 2c 3c 4c 4h 4d Ks"))
    assert gincore.deadwood(np.array([hand], dtype))[0] == gincore.deadwood([hand])[0]
