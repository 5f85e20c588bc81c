"""The exact count of all hands by deadwood: against plain Python on small decks, known counts, and dealt hands."""

from __future__ import annotations

import os
from collections import Counter
from functools import cache
from itertools import combinations
from math import comb
from pathlib import Path
from typing import Any

import brute
import numpy as np
import pytest
from scipy import stats
from test_exact_counts import BIG_GIN, GIN, GIN_OF_ELEVEN, without_meld

import gincore
from gincore._jit import kernel
from gincore.core import exact, hand, tables
from gincore.errors import UsageError
from gincore.runs import exact as driver
from gincore.runs.run import Interrupted
from gincore.schema import VIEW_DTYPE, Ace

ACES = ("low", "high_low", "round")
each_ace = pytest.mark.parametrize("ace", ACES)
compiled = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT", "0") not in {"", "0"}, reason="billions of hands need compiled code"
)
Counts = np.ndarray[Any, np.dtype[np.int64]]


@cache
def counted(ace: str, cards: int) -> gincore.ExactDeadwood:
    return gincore.exact_deadwood(gincore.rules("classic", ace=ace), cards=cards, progress=False)


# ---------------------------------------------------------------- small decks, by plain Python


def worth(cards: brute.Cards, house: brute.House) -> tuple[int, int]:
    """Least deadwood, and minus the most melds that leave it."""
    families = brute.families(brute.melds_in(cards, house.ace))
    return min((brute.points(brute.loose(cards, family), house.ace_points), -len(family)) for family in families)


def expected(ranks: str, size: int, throws: bool, house: brute.House) -> tuple[Counter[Any], Counter[Any]]:
    """Hands by deadwood and melds, and those of them that are melded whole, one hand after the other."""
    deck = [card for card in brute.DECK if card[0] in ranks]
    kept = size - 1 if throws else size
    worths = {frozenset(some): worth(frozenset(some), house) for some in combinations(deck, kept)}
    hands: Counter[Any] = Counter()
    whole: Counter[Any] = Counter()
    for some in combinations(deck, size):
        cards = frozenset(some)
        value = min(worths[cards - {card}] for card in some) if throws else worths[cards]
        hands[value] += 1
        if value[0] == 0 and worth(cards, house)[0] == 0:
            whole[value] += 1
    return hands, whole


def cells(counts: Counts) -> Counter[Any]:
    return Counter({(int(points), -int(melds)): int(counts[points, melds]) for points, melds in np.argwhere(counts)})


@pytest.mark.parametrize(
    ("ace", "ace_points", "ranks", "size", "throws"),
    [
        ("low", 1, "A234", 6, False),
        ("low", 1, "5678", 10, False),
        ("low", 1, "A2345", 5, False),
        ("low", 15, "A234", 7, True),
        ("high_low", 1, "QKA2", 7, True),
        ("high_low", 15, "A23QK", 5, False),
        ("round", 1, "KA23", 7, False),
        ("round", 1, "QKA2", 8, True),
        ("round", 15, "JQKA2", 5, True),
        ("low", 1, "39K", 7, True),
    ],
)
def test_small_decks_by_plain_python(ace: str, ace_points: int, ranks: str, size: int, throws: bool) -> None:
    deck = driver.Deck(int(Ace[ace]), ace_points, size, throws, sum(1 << brute.RANKS.index(rank) for rank in ranks))
    hands, whole = expected(ranks, size, throws, brute.House(ace=ace, ace_points=ace_points))
    found = driver.count_hands(deck, workers=1, progress=False)
    assert cells(found[0]) == hands
    assert cells(found[1]) == whole
    assert found[0].sum() == comb(4 * len(ranks), size)


def test_any_number_of_parts_counts_the_same() -> None:
    suits = exact.suits(int(Ace.round), 1, throws=True, ranks=0b1100000000111)
    totals = []
    for parts in (1, 3, 50):
        counts = np.zeros((2, exact.CELLS), np.int64)
        for part in range(parts):
            exact.count_part(suits, 8, part, parts, tables.offset(int(Ace.round), 1), *exact.scratch(), counts)
        totals.append(counts)
    assert totals[0][0].sum() == comb(20, 8)
    assert np.array_equal(totals[0], totals[1])
    assert np.array_equal(totals[0], totals[2])


# ---------------------------------------------------------------- the whole deck, by other counts


@compiled
@each_ace
def test_ten_cards(ace: str) -> None:
    found = counted(ace, 10)
    assert found.hands == comb(52, 10) == 15_820_024_220
    assert found.frame.loc[found.frame["deadwood"] == 0, "hands"].sum() == GIN[ace]
    assert found.frame["deadwood"].max() == 98


@compiled
@each_ace
def test_eleven_cards(ace: str) -> None:
    found = counted(ace, 11)
    assert found.hands == comb(52, 11) == 60_403_728_840
    assert found.frame.loc[found.frame["deadwood"] == 0, "hands"].sum() == GIN_OF_ELEVEN[ace]
    assert found.frame["big_gin"].sum() == BIG_GIN[ace]
    assert not found.frame.loc[found.frame["deadwood"] > 0, "big_gin"].any()


@compiled
def test_hands_without_a_meld_are_those_of_a_count_by_ranks() -> None:
    frame = counted("low", 10).frame
    bare = frame[frame["melds"] == 0]
    assert dict(zip(bare["deadwood"], bare["hands"], strict=True)) == without_meld()[10]


@compiled
def test_moments_and_shares_are_those_of_the_reference() -> None:
    """Within 3 SE of the reference page, its SE of the mean and the rounding of its figures as its error."""
    values = counted("low", 10).summary().set_index("metric")["value"]
    assert abs(values["deadwood_mean_points"] - 56.570) < 3 * np.hypot(0.003, 0.001 / np.sqrt(12))
    hands = (values["deadwood_sd_points"] / 0.003) ** 2
    assert abs(values["deadwood_sd_points"] - 13.792) < 3 * np.hypot(13.8 / np.sqrt(2 * hands), 0.001 / np.sqrt(12))
    for level, points in ((5, 32), (25, 47), (50, 58), (75, 67), (95, 76)):
        assert values[f"deadwood_quantile_{level}_points"] == points
    named = {"knockable": 0.0644, "melds_0": 60.22, "melds_1": 36.41, "melds_2": 3.35, "melds_3": 0.025}
    for name, percent in named.items():
        share, digit = percent / 100, 10.0 ** -len(str(percent).partition(".")[2]) / 100
        error = np.hypot(np.sqrt(share * (1 - share) / hands), digit / np.sqrt(12))
        assert abs(values[f"{name}_share"] - share) < 3 * error, name


# ---------------------------------------------------------------- dealt hands


@kernel
def deal_many(state, view_0, view_1, rules, seed, ten, eleven):  # type: ignore[no-untyped-def]
    for number in range(len(ten)):
        hand.deal(state, view_0, view_1, rules, seed, np.uint64(number), False)
        ten[number] = view_0.deadwood
        eleven[number] = view_1.hand | view_1.pile


def put_together(wanted: np.ndarray[Any, np.dtype[np.float64]]) -> Counts:
    """Number of the group of each cell: neighbours are put together until ten hands are expected."""
    groups, number, due = [], 0, 0.0
    for each in wanted:
        groups.append(number)
        due += each
        if due >= 10:
            number, due = number + 1, 0.0
    return np.minimum(groups, number - 1)


@compiled
@each_ace
def test_dealt_hands_are_spread_as_counted(ace: str) -> None:
    """Chi-square of a million deals of the engine: ten cards of one seat, the other's ten with the upcard.

    The seed is fixed; over seeds each of the six tests fails by chance once in a thousand. Cells by deadwood; those
    that expect fewer than ten hands are put together with their neighbours.
    """
    rules = gincore.rules("classic", ace=ace)
    ten, eleven = np.zeros(1_000_000, np.int64), np.zeros(1_000_000, np.uint64)
    views = np.zeros(2, VIEW_DTYPE)
    state = np.zeros(1, hand.STATE_DTYPE)[0]
    deal_many(state, views[0], views[1], rules.to_record(), np.uint64(31), ten, eleven)
    for cards, points in ((10, ten), (11, gincore.deadwood(eleven, rules))):
        table = counted(ace, cards).by_deadwood()
        wanted = np.zeros(128)
        wanted[table["deadwood"]] = table["share"] * len(points)
        groups = put_together(wanted)
        seen, due = np.bincount(groups[points]), np.bincount(groups, wanted)
        assert len(due) > 80
        assert stats.chisquare(seen, due).pvalue > 0.001, cards


# ---------------------------------------------------------------- interrupted, resumed, refused

SMALL = driver.Deck(int(Ace.low), 1, 7, throws=False, ranks=0b11111)


def stop_after(monkeypatch: pytest.MonkeyPatch, parts: int) -> list[int]:
    """Count the parts that are added; Ctrl-C comes behind the last of so many."""
    added: list[int] = []
    add = driver._Sums.add

    def adding(sums: Any, part: int, counts: Counts) -> None:
        add(sums, part, counts)
        added.append(part)
        if len(added) == parts:
            raise KeyboardInterrupt

    monkeypatch.setattr(driver._Sums, "add", adding)
    return added


def test_a_count_that_was_stopped_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "kept.npz"
    with monkeypatch.context() as patch:
        stop_after(patch, 20)
        with pytest.raises(Interrupted, match=r"20 of 64 parts are saved in .*kept\.npz; resume with: "):
            driver.count_hands(SMALL, workers=1, progress=False, kept=file)
    added = stop_after(monkeypatch, 1_000)
    found = driver.count_hands(SMALL, workers=2, progress=False, kept=file, resume=True)
    assert len(added) == 44
    assert not file.exists()
    assert np.array_equal(found, driver.count_hands(SMALL, workers=1, progress=False))


@pytest.mark.parametrize("damage", ["other deck", "cut"])
def test_what_another_count_left_counts_for_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, damage: str
) -> None:
    file = tmp_path / "kept.npz"
    with monkeypatch.context() as patch:
        stop_after(patch, 20)
        with pytest.raises(Interrupted):
            driver.count_hands(SMALL, workers=1, progress=False, kept=file)
    if damage == "cut":
        file.write_bytes(file.read_bytes()[:100])
    deck = driver.Deck(int(Ace.low), 1, 6, throws=False, ranks=0b11111) if damage == "other deck" else SMALL
    found = driver.count_hands(deck, workers=1, progress=False, kept=file, resume=True)
    assert "counted from the start" in caplog.text
    assert found[0].sum() == comb(20, deck.cards)


def test_nothing_is_kept_without_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    stop_after(monkeypatch, 5)
    with pytest.raises(Interrupted, match="nothing is saved"):
        driver.count_hands(SMALL, workers=1, progress=False)


@pytest.mark.parametrize("cards", [9, 12, True, "10"])
def test_other_numbers_of_cards_are_refused(cards: Any) -> None:
    with pytest.raises(UsageError, match="must be 10, or 11"):
        gincore.exact_deadwood(cards=cards)


def test_resume_needs_a_file() -> None:
    with pytest.raises(UsageError, match="--resume"):
        gincore.exact_deadwood(resume=True)
