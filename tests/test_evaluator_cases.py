"""Evaluator: every E row of the collected cases that names a hand, through the oracle and through ``gincore``."""

from __future__ import annotations

from collections import Counter

import brute
import numpy as np
import pytest

import gincore
from gincore.cards import parse_card

CLASSIC = brute.House()


def mask(text: str) -> int:
    return brute.to_mask(brute.cards(text))


def deadwood(text: str, rules: str = "classic") -> int:
    return int(gincore.deadwood([mask(text)], rules)[0])


# A row may show seven or eight cards; the evaluator takes ten, so cards that fit nothing are added.
SHORT = [
    pytest.param("6d 7d 7c 7h 8d 8c 9c Th", 17, "Ks Ah", 11, id="E01"),
    pytest.param("3s 4s 5s 6s 7s 6h 6c", 7, "Kd Jh 9c", 29, id="E02"),
    pytest.param("Js Qs Ks Ac", 1, "3c 5d 7h 9d 2h 6d", 32, id="E11-king-ace"),
    pytest.param("As 2s 3s Ks", 10, "6c 5d 7h 9d 2h Jd", 39, id="E11-low"),
    pytest.param("Qs Ks As", 21, "3c 5d 7h 9d 2h 6d Jc", 42, id="E11-around"),
]


@pytest.mark.parametrize(("hand", "least", "fill", "loose"), SHORT)
def test_short_hands(hand: str, least: int, fill: str, loose: int) -> None:
    assert brute.deadwood(brute.cards(hand), CLASSIC) == least
    assert brute.deadwood(brute.cards(f"{hand} {fill}"), CLASSIC) == least + loose
    assert deadwood(f"{hand} {fill}") == least + loose


TEN = [
    pytest.param("Jc 9d 8s 6d Js 8h Td 8d 7d Jd", 16, id="E04"),
    pytest.param("Ad As Ah Ac 2c 3c 4c 4h 4d 4s", 0, id="E07"),
    pytest.param("Tc Qc 4d 9d 4h 9h Jh 4s 5s 6s", 56, id="E08-run"),
    pytest.param("Jc Kc 5d Jd Kd 3h 4h 5h 2s 5s", 49, id="E08-set"),
    pytest.param("Ac 2c 3c 2d Td Jd 5h Qh 9s Ks", 56, id="E20-one-meld"),
]


@pytest.mark.parametrize(("hand", "least"), TEN)
def test_ten_cards(hand: str, least: int) -> None:
    assert brute.deadwood(brute.cards(hand), CLASSIC) == least
    assert deadwood(hand) == least
    assert gincore.deadwood([hand])[0] == least, "texts are read like masks"
    spread = gincore.spreads(hand)[0]
    assert spread.points == least


def test_e04_arrangement() -> None:
    (spread,) = gincore.spreads("Jc 9d 8s 6d Js 8h Td 8d 7d Jd")
    assert set(spread.melds) == {mask("6d 7d 8d 9d Td"), mask("Jc Js Jd")}
    assert spread.deadwood_cards == mask("8s 8h")


ELEVEN = [
    pytest.param("4s 4c 4d 4h 5s 5c 5d 6s 2c 3s 3c", 9, 3, ["6s"], id="E05"),
    pytest.param("As Ac Ad 2s 2c 2d 2h 3s Jh Qh Kh", 2, 0, ["3s"], id="E06"),
    pytest.param("Ac 4c 7c 2d 8d Jd 3h 5h Qh 6s Ks", 66, 56, ["Jd", "Qh", "Ks"], id="E20-no-meld"),
]


@pytest.mark.parametrize(("hand", "as_they_lie", "after_discard", "throw"), ELEVEN)
def test_eleven_cards(hand: str, as_they_lie: int, after_discard: int, throw: list[str]) -> None:
    held = brute.cards(hand)
    assert brute.deadwood(held, CLASSIC) == as_they_lie
    assert brute.deadwood_after_discard(held, CLASSIC) == after_discard
    assert {spread.points for spread in gincore.spreads(hand)} == {as_they_lie}
    assert deadwood(hand) == after_discard
    left = gincore.deadwood(np.array([brute.to_mask(held - {card}) for card in sorted(held)], np.uint64))
    assert [card for card, value in zip(sorted(held), left, strict=True) if value == after_discard] == sorted(throw)
    assert not gincore.is_big_gin([hand])[0]


def test_e07_three_arrangements() -> None:
    expected = {
        frozenset(map(mask, ("As Ac Ad Ah", "2c 3c 4c", "4d 4h 4s"))),
        frozenset(map(mask, ("As Ad Ah", "Ac 2c 3c", "4c 4d 4h 4s"))),
        frozenset(map(mask, ("As Ad Ah", "Ac 2c 3c 4c", "4d 4h 4s"))),
    }
    spreads = gincore.spreads("Ad As Ah Ac 2c 3c 4c 4h 4d 4s")
    assert len(spreads) == 3
    assert {frozenset(spread.melds) for spread in spreads} == expected
    assert all(spread.deadwood_cards == 0 for spread in spreads)


def test_a_run_of_six_is_one_run_or_two() -> None:
    spreads = gincore.spreads("2s 3s 4s 5s 6s 7s Kc Qd 9h Jd")
    assert {frozenset(spread.melds) for spread in spreads} == {
        frozenset({mask("2s 3s 4s 5s 6s 7s")}),
        frozenset({mask("2s 3s 4s"), mask("5s 6s 7s")}),
    }


def test_e10_melds_of_a_deck_and_of_two_hands() -> None:
    sizes = Counter(map(len, brute.all_melds()))
    assert sum(sizes.values()) == 329
    assert sum(count for size, count in sizes.items() if size <= 5) == 185
    assert len(brute.melds_in(brute.cards("As Ac Ad Ah 2s 3s"))) == 6
    assert len(brute.melds_in(brute.cards("4s 4c 4d 4h 5s 5c 5d 5h 6s 6c 6d"))) == 14


def test_e11_neighbouring_numbers_of_two_suits_are_no_run() -> None:
    for above, below in (("d", "c"), ("h", "d"), ("s", "h")):
        hand = f"Q{below} K{below} A{above} 2{above} 4c 6d 8h Ts Jh 5s".replace("Jh", "9c")
        held = brute.cards(hand)
        assert not brute.melds_in(held)
        assert deadwood(hand) == brute.points(held)


# ---------------------------------------------------------------- what is refused


TWELVE = "As 2s 4s 6s 8s Ts Qs Ad 3d 5d 7d 9d"


@pytest.mark.parametrize("count", [1, 9, 12])
def test_e13_other_counts_are_refused(count: int) -> None:
    hand = " ".join(TWELVE.split()[:count])
    for call in (gincore.deadwood, gincore.is_big_gin):
        for form in (hand, mask(hand)):
            with pytest.raises(ValueError, match=rf"\b{count}\b") as caught:
                call([form])
            assert "\n" not in str(caught.value)


def test_e13_spreads_take_one_to_eleven_cards() -> None:
    assert gincore.spreads("As")[0].points == 1
    assert gincore.spreads(" ".join(TWELVE.split()[:9]))[0].points == brute.deadwood(
        brute.cards(" ".join(TWELVE.split()[:9])), CLASSIC
    )
    with pytest.raises(ValueError, match=r"\b12\b"):
        gincore.spreads(TWELVE)


@pytest.mark.parametrize("count", [10, 11])
def test_e13_ten_and_eleven_are_taken(count: int) -> None:
    hand = " ".join(TWELVE.split()[:count])
    loose = [brute.points([card]) for card in hand.split()]
    assert deadwood(hand) == sum(loose) - (max(loose) if count == 11 else 0)


def test_e13_big_gin_needs_eleven_cards() -> None:
    with pytest.raises(ValueError, match=r"\b10\b"):
        gincore.is_big_gin([" ".join(TWELVE.split()[:10])])


def test_e13_a_duplicate_is_named() -> None:
    hand = "As As 4s 6s 8s Ts Qs Ad 3d 5d"
    for call in (lambda: gincore.deadwood([hand]), lambda: gincore.spreads(hand), lambda: gincore.parse_hand(hand)):
        with pytest.raises(ValueError, match="As"):
            call()


def test_e13_a_card_in_both_hands_is_named() -> None:
    knocker = "As 2s 3s 4d 5d 6d 7h 8h 9h Ac"
    with pytest.raises(ValueError, match="Ac"):
        gincore.showdown(knocker, "Ac Kd Kh Qd Qc 8c 6h 4h 2d Jh", "classic")


def test_e13_a_bit_outside_the_deck_is_refused() -> None:
    nine = mask("2s 4s 6s 8s Ts Qs Ad 3d 5d")
    for bad in (nine | 1 << 52, nine | 1 << 63):
        with pytest.raises(ValueError, match=r"\b5[12]\b"):
            gincore.deadwood(np.array([bad], np.uint64))


@pytest.mark.parametrize("token", ["6♠", "6♠\ufe0f", "6♤", "6s", "6S"])
def test_e16_suit_signs(token: str) -> None:
    assert 1 << parse_card(token) == mask("6s")


def test_e16_single_glyph_card_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="🂦"):
        parse_card("🂦")


@pytest.mark.parametrize("token", ["R", "D", "V", "Dc", "Vt", "1s", "Rs", "11h", "Ax", ""])
def test_e17_national_letters_are_refused_by_token(token: str) -> None:
    with pytest.raises(ValueError, match=token or "card"):
        parse_card(token)


# ---------------------------------------------------------------- shapes and types


def test_empty_and_single_input() -> None:
    assert gincore.deadwood(np.zeros(0, np.uint64)).shape == (0,)
    assert gincore.is_big_gin(np.zeros(0, np.uint64)).shape == (0,)
    both = gincore.deadwood(["Ad As Ah Ac 2c 3c 4c 4h 4d 4s", "As Ac Ad 2s 2c 2d 2h 3s Jh Qh Kh"])
    assert both.tolist() == [0, 0]


def test_e14_no_overflow_in_small_types() -> None:
    worst = gincore.deadwood(["Kc Kd Qc Qd Jh Js Th Ts 9c 9d"])
    assert worst.tolist() == [98]
    assert int(worst.astype(np.int64)[0]) + 25 + 98 == 221


@pytest.mark.parametrize("value", [None, 1.5, True, b"5h", [None], ["5h", 1.5], np.array([1.5])])
def test_what_is_no_hand_is_refused_with_its_value(value: object) -> None:
    for evaluate in (gincore.deadwood, gincore.is_big_gin, gincore.spreads):
        with pytest.raises(gincore.UsageError, match=r"^hands? "):
            evaluate(value)
