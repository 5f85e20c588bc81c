"""Cards and hands as text: every accepted and every refused form (cases E10-E19)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gincore
from gincore.cards import N_CARDS, cards_of, format_card, format_hand, parse_card, parse_cards, parse_hand
from gincore.errors import UsageError


@pytest.mark.parametrize(
    "text",
    ["Td", "TD", "td", "tD", "10d", "10D", "T♦", "10♦", "T♦\ufe0f", "10♦\ufe0e", "T♢"],
)
def test_ten_of_diamonds_in_every_form(text: str) -> None:
    assert parse_card(text) == 13 * 1 + 9


@pytest.mark.parametrize("text", ["6♠", "6♠\ufe0f", "6♤", "6s", "6S"])
def test_e16_six_of_spades_as_pasted_from_a_chat(text: str) -> None:
    assert parse_card(text) == 13 * 3 + 5


@pytest.mark.parametrize(
    "text",
    ["5h 6h Td", "5h,6h,Td", "5h, 6h ,Td", "  5h\t6h\nTd ", "5h6hTd", "5h6h 10d", "5♥6♥10♦", "5h\u00a06h\u00a0Td"],
)
def test_separators_are_optional(text: str) -> None:
    assert parse_cards(text) == [30, 31, 22]


def test_numbers_are_suit_major() -> None:
    ranks, suits = "A23456789TJQK", "cdhs"
    assert [parse_card(r + s) for s in suits for r in ranks] == list(range(52))
    assert [format_card(card) for card in range(52)] == [r + s for s in suits for r in ranks]


def test_pinned_example() -> None:
    mask = gincore.parse_hand("5H 5S 5C 10D")
    assert isinstance(mask, int)
    assert gincore.format_hand(mask) == "5c Td 5h 5s"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("R D V", "'R'"),  # E17: French roi, dame, valet
        ("5h Dc", "'Dc'"),  # neither a ten nor diamonds
        ("Vt", "'Vt'"),
        ("1s", "'1s'"),
        ("10", "'10'"),
        ("5", "'5'"),
        ("h5", "'h5'"),
        ("5h 6x", "'6x'"),
        ("5h6hX", "'5h6hX'"),
        ("11s", "'11s'"),
        ("010s", "'010s'"),
        ("Kſ", "'Kſ'"),  # a long s, which case folding would make an s
        ("5h;6h", "'5h;6h'"),
        ("🂦", "playing card six of spades"),
        ("🃏", "playing card black joker"),
    ],
)
def test_refused_tokens_are_named(text: str, named: str) -> None:
    with pytest.raises(ValueError, match="card") as caught:
        parse_hand(text)
    assert named in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["", " ", ",", None, 5, b"5h"])
def test_no_cards_is_refused(text: object) -> None:
    with pytest.raises(UsageError):
        parse_hand(text)  # type: ignore[arg-type]


@pytest.mark.parametrize(("text", "card"), [("As As", "As"), ("5h 6h 5♥", "5h"), ("TdTd", "Td"), ("10d Td", "Td")])
def test_e13_duplicates_are_named(text: str, card: str) -> None:
    with pytest.raises(UsageError, match=f"{card} stands twice"):
        parse_hand(text)


@pytest.mark.parametrize("count", [9, 12])
def test_e13_wrong_counts_are_named(count: int) -> None:
    text = " ".join(format_card(card) for card in range(count))
    with pytest.raises(UsageError, match=f"has {count} cards; 10 or 11 are needed"):
        parse_hand(text, counts=(10, 11))
    assert parse_hand(text).bit_count() == count


def test_parse_card_wants_one_card() -> None:
    with pytest.raises(UsageError, match="is 2 cards"):
        parse_card("5h 6h")


def test_long_tokens_are_cut_in_the_message() -> None:
    with pytest.raises(UsageError) as caught:
        parse_hand("z" * 10_000)
    assert len(str(caught.value)) < 250


@given(st.sets(st.integers(0, N_CARDS - 1), min_size=1))
def test_round_trip(cards: set[int]) -> None:
    mask = sum(1 << card for card in cards)
    text = format_hand(mask)
    assert parse_hand(text) == mask
    assert parse_hand(text.upper()) == mask
    assert parse_hand(text.replace(" ", "")) == mask
    assert parse_hand(text.replace("T", "10")) == mask
    assert cards_of(mask) == sorted(cards)


def test_numpy_masks_are_formatted() -> None:
    assert format_hand(np.uint64(1 << 51)) == "Ks"  # type: ignore[arg-type]
    assert format_hand(0) == ""


@pytest.mark.parametrize("mask", [-1, 1 << 52, 1.0, True, "5h", None])
def test_bad_masks_are_refused(mask: object) -> None:
    with pytest.raises(UsageError):
        format_hand(mask)  # type: ignore[arg-type]


@pytest.mark.parametrize("card", [-1, 52, 0.5])
def test_bad_card_numbers_are_refused(card: object) -> None:
    with pytest.raises(UsageError):
        format_card(card)  # type: ignore[arg-type]
