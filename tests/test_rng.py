"""The generator, and the deal that is made of its words.

Every test has a fixed seed and so a fixed outcome. Had the seed been drawn, each chi-square would fail once in 10,000
times on a perfect generator; about 20 of them stand here, so the file would fail once in 500.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import chi2

import gincore
from gincore._jit import kernel
from gincore.core import batch, hand, rng
from gincore.schema import HAND_DTYPE, VIEW_DTYPE, Status
from gincore.strategies import get
from gincore.strategies.contract import Table, cards_of

LEVEL = 1e-4
DEALS = 200_000
PURPOSES = {name: getattr(rng, name) for name in ("DEAL", "KNOCK_CARD", "SEAT_0", "SEAT_1", "GAME")}

KNOWN = {
    0: (0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC, 0x1B39896A51A8749B),
    1234567: (
        6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821,
    ),
}  # fmt: skip
"""First outputs of SplitMix64 as published with its reference code; the state starts at the seed."""


def word(stream: int, place: int) -> int:
    with np.errstate(over="ignore"):
        return int(rng.word(np.uint64(stream), np.uint64(place)))


def key(seed: int, deal: int, purpose: int) -> int:
    with np.errstate(over="ignore"):
        return int(rng.key(np.uint64(seed), np.uint64(deal), np.uint64(purpose)))


def plain_mix(value: int) -> int:
    """SplitMix64's output function, in Python integers."""
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    value = (value ^ value >> 27) * 0x94D049BB133111EB % 2**64
    return value ^ value >> 31


@pytest.mark.parametrize("seed", KNOWN)
def test_known_answers(seed: int) -> None:
    assert tuple(word(seed, place) for place in range(5)) == KNOWN[seed]


@pytest.mark.parametrize("stream", [0, 1, 2**63, 2**64 - 1, 987654321987654321])
def test_words_are_those_of_plain_integers(stream: int) -> None:
    for place in (0, 1, 51, 2**20, 2**40):
        assert word(stream, place) == plain_mix((stream + (place + 1) * 0x9E3779B97F4A7C15) % 2**64)


def test_a_key_is_a_chain_of_the_same_function() -> None:
    golden = 0x9E3779B97F4A7C15
    for seed, deal, purpose in ((0, 0, 0), (7, 3, 2), (2**64 - 1, 2**40, 4), (4294967295, 1, 3)):
        expected = plain_mix((seed + golden) % 2**64)
        expected = plain_mix((expected + deal + golden) % 2**64)
        assert key(seed, deal, purpose) == plain_mix((expected + purpose + golden) % 2**64)


def test_streams_do_not_meet() -> None:
    """No word of 100 places is shared by any two of 5 purposes x 20 deals x 4 seeds (neighbours in all three)."""
    keys = {key(seed, deal, purpose) for seed in range(4) for deal in range(20) for purpose in PURPOSES.values()}
    assert len(set(PURPOSES.values())) == len(PURPOSES)
    assert len(keys) == 4 * 20 * len(PURPOSES)
    words = {word(stream, place) for stream in keys for place in range(100)}
    assert len(words) == 100 * len(keys)


def test_streams_of_one_deal_are_not_alike() -> None:
    """Bits of two purposes agree as often as those of strangers."""
    size, names = 4_000, list(PURPOSES)
    words = {
        name: np.array([word(key(1, deal, PURPOSES[name]), 0) for deal in range(size)], np.uint64) for name in names
    }
    for place, one in enumerate(names):
        for two in names[place + 1 :]:
            differ = int(np.bitwise_count(words[one] ^ words[two]).sum())
            assert abs(differ - 32 * size) < 5 * 4 * size**0.5, (one, two)


@pytest.mark.parametrize("size", [2, 3, 11, 52])
def test_below_is_uniform(size: int) -> None:
    count = 20_000
    with np.errstate(over="ignore"):
        values = [int(rng.below(np.uint64(word(5, place)), np.int64(size))) for place in range(count)]
    seen = np.bincount(values, minlength=size)
    assert len(seen) == size
    assert chi_square(seen, count / size) < chi2.isf(LEVEL, size - 1)


# ---------------------------------------------------------------- the deal


@kernel
def place_counts(
    seed: Any, deals: Any, state: Any, view_0: Any, view_1: Any, rules: Any, counts: Any, second: Any
) -> Any:
    """Count how often each card lies in each place of the deck: hands as places 0 and 1, upcard 20, stock 21 on."""
    for number in range(deals):
        hand.deal(state, view_0, view_1, rules, seed, np.uint64(number), False)
        for card in range(52):
            one = np.uint64(1) << np.uint64(card)
            counts[0, card] += np.int64((view_0.hand & one) != np.uint64(0))
            counts[1, card] += np.int64((view_1.hand & one) != np.uint64(0))
        counts[20, view_0.top] += 1
        last = np.int64(view_0.top)
        for place in range(21, 52):
            card = hand.next_card(state)
            counts[place, card] += 1
            second[last, card] += 1
            last = card
    return counts


@kernel
def biased_shuffle(seed: Any, deals: Any, counts: Any) -> Any:
    """Swap each place with any of the 52: the mistake of row R12."""
    deck = np.zeros(52, np.int64)
    for number in range(deals):
        stream = rng.key(seed, np.uint64(number), np.uint64(rng.DEAL))
        for card in range(52):
            deck[card] = card
        for place in range(52):
            other = rng.below(rng.word(stream, np.uint64(place)), 52)
            deck[place], deck[other] = deck[other], deck[place]
        for place in range(52):
            counts[place, deck[place]] += 1
    return counts


def chi_square(seen: NDArray[np.int64], expected: Any) -> float:
    return float(((seen - expected) ** 2 / expected).sum())


@pytest.fixture(scope="module")
def dealt() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    counts, second = np.zeros((52, 52), np.int64), np.zeros((52, 52), np.int64)
    state, views = np.zeros(1, hand.STATE_DTYPE)[0], np.zeros(2, VIEW_DTYPE)
    record = gincore.rules("classic").to_record()
    place_counts(np.uint64(2024), np.int64(DEALS), state, views[0], views[1], record, counts, second)
    return counts, second


def test_r12_each_card_comes_to_each_place_alike(dealt: tuple[NDArray[np.int64], NDArray[np.int64]]) -> None:
    """Two hands, the upcard and 31 places of the stock, 52 cards each; and no share is off by much."""
    counts, _ = dealt
    rows = [0, 1, *range(20, 52)]
    tables = np.array([counts[row] for row in rows])
    expected = np.array([DEALS * (10 if row < 2 else 1) / 52 for row in rows])[:, None]
    assert (tables.sum(axis=1) == expected[:, 0] * 52).all()
    # One place of all 52 gives chi-square(51). Places exclude each other, so that 52/51 x chi-square(32 x 51) bounds
    # their sum; a hand holds ten places without replacement, which scales its chi-square(51) by 42/51.
    square = ((tables - expected) ** 2 / expected)[2:].sum()
    assert square * 51 / 52 < chi2.isf(LEVEL, 32 * 51)
    for row in (0, 1):
        assert chi_square(counts[row], DEALS * 10 / 52) / (42 / 51) < chi2.isf(LEVEL, 51)
    # effect: a card's share of a place is 1.923 %; over 1,664 shares the largest error is under 5 standard errors
    share = tables[2:] / DEALS
    assert np.abs(share - 1 / 52).max() < 5 * (51 / 52**2 / DEALS) ** 0.5 < 0.0016


def test_no_card_calls_its_follower(dealt: tuple[NDArray[np.int64], NDArray[np.int64]]) -> None:
    _, pairs = dealt
    seen = pairs[~np.eye(52, dtype=bool)]
    assert not np.diag(pairs).any()
    assert chi_square(seen, 31 * DEALS / (52 * 51)) < chi2.isf(LEVEL, 51 * 51)


def test_r12_the_biased_shuffle_would_be_found() -> None:
    counts = biased_shuffle(np.uint64(2024), np.int64(DEALS), np.zeros((52, 52), np.int64))
    assert chi_square(counts, DEALS / 52) > 10 * chi2.isf(LEVEL, 51 * 51)
    assert np.abs(counts / DEALS - 1 / 52).max() > 0.004


def test_a_deal_uses_all_cards_once() -> None:
    for number in range(200):
        cards = Table.dealt(3, number)
        assert sorted([*cards_of(cards.first), *cards_of(cards.second), cards.upcard, *cards.stock]) == list(range(52))


@pytest.mark.parametrize("seed", [0, 4294967295, 4294967296, 2**64 - 1])
def test_r07_large_seeds_are_seeds_of_their_own(seed: int) -> None:
    """None is cut to 32 bits, and none meets its neighbour."""
    assert Table.dealt(seed, 0) == Table.dealt(seed, 0)
    others = {Table.dealt((seed + step) % 2**64, 0).stock for step in (0, 1, 2**32)}
    assert len(others) == 3


def test_every_rule_set_and_every_strategy_meets_the_same_cards() -> None:
    """Rows R03 and R04 and common random numbers: a deal is a function of seed and number."""
    cards = Table.dealt(6, 17)
    starts = set()
    for rules in ("classic", "oklahoma", "eaai"):
        for name in ("simple", "random"):
            functions, params = get(name).functions(), get(name).values()

            def answer(_seat: int, kind: str, view: Any, functions: Any = functions, params: Any = params) -> Any:
                place = ("draw", "discard", "knock").index(kind)
                return functions[place](view, params[place])

            played = Table(rules).play(cards, answer)
            drawn = [int(q.view.drew) for q in played.questions if q.kind == "discard" and q.view.drew_from == 0]
            assert drawn == [card for card in cards.stock if card in drawn]  # in the order of the deck, whoever draws
            assert drawn == list(cards.stock[: len(drawn)])
            starts.add((int(played.questions[0].view.hand), int(played.questions[0].view.top)))
    assert len(starts) == 1


def test_r04_more_deals_leave_the_first_ones_alone() -> None:
    record, fault = gincore.rules("classic").to_record(), np.zeros(8, np.int64)
    players = (get("simple"), get("random"))
    long, short, late = (np.zeros(size, HAND_DTYPE) for size in (400, 100, 100))
    for rows, first in ((long, 0), (short, 0), (late, 150)):
        assert batch.play_hands(players, record, 7, first, True, rows, fault) == Status.ok
    assert long[:100].tobytes() == short.tobytes()
    assert long[300:].tobytes() == late.tobytes()


def test_seats_have_words_of_their_own() -> None:
    """Equal players in equal places see different words, and no word twice in 300 hands."""
    functions, params = get("random").functions(), get("random").values()

    def answer(_seat: int, kind: str, view: Any) -> Any:
        place = ("draw", "discard", "knock").index(kind)
        return functions[place](view, params[place])

    words = [
        int(question.view.random)
        for number in range(300)
        for question in Table("classic").play(Table.dealt(12, number), answer).questions
    ]
    assert len(words) > 10_000
    assert len(set(words)) == len(words)
