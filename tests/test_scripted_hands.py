"""Whole hands with the cards chosen: the upcard phase, the end of the stock, doubling (U, W and V rows of the cases).

The deck is arranged so that the engine's own shuffle gives the order wanted; decisions come through the same door as
a user's.
"""

from __future__ import annotations

from typing import Any

import brute
import numpy as np
import pytest

import gincore
from gincore.core import batch, decide, hand, play, tables
from gincore.schema import HAND_DTYPE, NO_VALUE, Result

NOBODY = NO_VALUE


def arrange(state: Any, cards: list[int], stock: list[int]) -> None:
    """Fill ``state.deck`` so that the cards drawn from place 21 on are ``stock``."""
    state.deck[:] = [*cards, *stock]
    state.swaps[:] = range(52)
    state.position = 21


def number(card: str) -> int:
    return brute.to_mask([card]).bit_length() - 1


def play_script(
    rules: Any, strategies: Any, first: str, second: str, upcard: str, stock: tuple[str, ...] = (), last: str = ""
) -> Any:
    """Play one hand: seat 0's and seat 1's cards, the upcard, the first cards of the stock, the 29th of its 31."""
    one, two = first.split(), second.split()
    rest = [card for card in brute.DECK if card not in {*one, *two, upcard, *stock, last}]
    order = [*stock, *rest]
    if last:
        order.insert(28, last)
    assert len({*one, *two, upcard, *order}) == 52
    record = rules.to_record()
    state, view_0, view_1, out, fault = batch._scratch()
    row = np.zeros(1, HAND_DTYPE)[0]
    players, alive = decide.seat_players(strategies)
    with np.errstate(over="ignore"):
        arrange(state, [number(card) for card in [*one, *two, upcard]], [number(card) for card in order])
        hands = (np.uint64(brute.to_mask(one)), np.uint64(brute.to_mask(two)))
        hand.start(state, view_0, view_1, record, *hands, np.int64(number(upcard)), np.int64(number(upcard)))
        table = tables.discards(int(record.ace), int(record.ace_points))
        status = play.play(state, view_0, view_1, record, table, players, np.int64(0), row, out, fault)
    del alive
    assert status == 0
    return row


@gincore.decision
def take(view: Any, params: Any) -> Any:
    """Take the upcard with params[0], a later discard with params[1]."""
    return 1 if params[0 if view.phase == 0 else 1] > 0 else 0


@gincore.decision
def throw_drawn(view: Any, params: Any) -> Any:
    """Throw the card drawn from the stock; after a card from the pile, the highest that may be thrown."""
    if view.drew_from == 0:
        return view.drew
    card = 51
    while (view.legal >> np.uint64(card)) & np.uint64(1) == np.uint64(0):
        card -= 1
    return card


@gincore.decision
def knock_late(view: Any, params: Any) -> Any:
    """Go out if no more than params[2] cards are left in the stock."""
    return 1 if view.stock <= params[2] else 0


def player(*, upcard: int = 0, pile: int = 0, stock: int = 31) -> gincore.Strategy:
    params = {"upcard": upcard, "pile": pile, "stock": stock}
    return gincore.Strategy("scripted", draw=take, discard=throw_drawn, knock=knock_late, params=params)


def facts(row: Any, *names: str) -> tuple[int, ...]:
    return tuple(int(row[name]) for name in names)


CLASSIC = gincore.rules("classic")
JUNK = "2h 4h 6c 8c Td Qd Qs 9c 5c Jd"


def test_u06_gin_with_the_upcard_on_turn_one() -> None:
    row = play_script(CLASSIC, (player(upcard=1), player()), "As 2s 3s 5d 6d 7d 9h Th Jh Ks", JUNK, "4s")
    least = brute.deadwood(brute.cards(JUNK), brute.House())
    assert facts(row, "result", "turns", "knocker", "upcard_taken_by", "stock_left") == (Result.gin, 1, 0, 0, 31)
    assert facts(row, "points_0", "points_1", "defender_deadwood") == (25 + least, 0, least)


def test_u07_dealt_gin_waits_for_its_turn() -> None:
    gin = "As 2s 3s 4s 5d 6d 7d 9h Th Jh"
    row = play_script(CLASSIC, (player(), player()), gin, JUNK, "Kh", ("Kd",))
    assert facts(row, "result", "turns", "knocker", "stock_left") == (Result.gin, 1, 0, 30)
    as_dealer = play_script(CLASSIC, (player(), player()), JUNK, gin, "Kh", ("Kd", "Kc"))
    assert facts(as_dealer, "result", "turns", "knocker", "stock_left") == (Result.gin, 2, 1, 29)


NINE = "Ac 2c 3c 4d 5d 6d 7h 8h 9h"
OTHER = "2d 4h 6s 8s Td Qd Qs 9c 5c Jh"


def test_u03_both_pass_and_the_non_dealer_draws_from_the_stock() -> None:
    """The dealer may then take the non-dealer's discard, the passed upcard stays under it."""
    row = play_script(CLASSIC, (player(pile=1), player(pile=1)), OTHER, f"{NINE} 2s", "Kh", ("As",))
    assert facts(row, "result", "turns", "knocker", "knocker_deadwood") == (Result.knock, 2, 1, 1)
    assert facts(row, "upcard_taken_by", "pickups_0", "pickups_1", "stock_left") == (NOBODY, 0, 1, 30)


@pytest.mark.parametrize(("first_takes", "taker", "turns"), [(1, 0, 2), (0, 1, 1)])
def test_u04_order_of_the_offers(first_takes: int, taker: int, turns: int) -> None:
    """The non-dealer is asked first; a dealer who takes the upcard has the first full turn."""
    row = play_script(CLASSIC, (player(upcard=first_takes), player(upcard=1)), OTHER, f"{NINE} Ks", "As", ("3s", "Kd"))
    assert facts(row, "upcard_taken_by", "knocker", "turns") == (taker, 1, turns)
    assert facts(row, "pickups_0", "pickups_1") == (1 - taker, taker)


def test_u04_after_the_dealers_turn_the_non_dealer_is_next() -> None:
    dealer = player(upcard=1, stock=0)
    row = play_script(CLASSIC, (player(), dealer), f"{NINE} Ks", OTHER, "As", ("3s",))
    assert facts(row, "upcard_taken_by", "turns", "knocker") == (1, 2, 0)


def test_u01_the_card_taken_may_not_be_thrown_to_knock() -> None:
    hold = f"{NINE} 5s"
    row = play_script(CLASSIC, (player(upcard=1), player()), hold, OTHER, "Ks")
    assert facts(row, "turns", "knocker", "knocker_deadwood") == (1, 0, 10)
    nine = gincore.rules("classic", knock_limit=9)
    later = play_script(nine, (player(upcard=1), player()), hold, OTHER, "Ks")
    assert later["turns"] != 1
    back = gincore.rules("classic", knock_limit=9, return_taken=True)
    thrown_back = play_script(back, (player(upcard=1), player()), hold, OTHER, "Ks")
    assert facts(thrown_back, "turns", "knocker", "knocker_deadwood") == (1, 0, 5)


def test_w02_knock_in_the_turn_of_the_fiftieth_card() -> None:
    late = player(stock=2)
    row = play_script(CLASSIC, (late, player(stock=0)), f"{NINE} 2s", OTHER, "Kh")
    assert facts(row, "result", "turns", "stock_left", "knocker") == (Result.knock, 29, 2, 0)
    assert row["points_0"] > 0
    dead = play_script(CLASSIC, (player(stock=0), player(stock=0)), f"{NINE} 2s", OTHER, "Kh")
    assert facts(dead, "result", "turns", "stock_left") == (Result.dead, 29, 2)
    assert facts(dead, "winner", "knocker", "points_0", "points_1") == (NOBODY, NOBODY, 0, 0)


@pytest.mark.parametrize(
    ("last_discard", "stock", "result"),
    [("knock_only", 2, Result.gin), ("dead", 2, Result.dead), ("knock_only", 0, Result.dead)],
)
def test_w03_the_last_discard(last_discard: str, stock: int, result: Result) -> None:
    """Taken only to go out: who does not go out with it has not taken it."""
    first, second = "9s Ts Js Qs Ks Ac 2c 3c 8h Th", "As 2s 3s 4s 5s 6s 7s 8s Qh Kh"
    rules = gincore.rules("classic", last_discard=last_discard)
    row = play_script(rules, (player(stock=0), player(stock=stock)), first, second, "Kd", last="Jh")
    assert facts(row, "result", "stock_left") == (result, 2)
    if result == Result.gin:
        assert facts(row, "knocker", "points_1", "defender_deadwood", "pickups_1") == (1, 43, 18, 1)
    else:
        assert facts(row, "points_0", "points_1", "pickups_1") == (0, 0, 0)


def test_v03_a_spade_upcard_doubles() -> None:
    defender = "Ts Js Qs 8c 8d 8s 2h 4h 5c 9c"
    assert brute.deadwood(brute.cards(defender), brute.House()) == 20
    rules = gincore.rules("oklahoma")
    for upcard, doubled in (("6s", 1), ("6c", 0)):
        row = play_script(rules, (player(), player()), f"{NINE} 2s", defender, upcard, ("Kd",))
        assert facts(row, "knock_limit", "doubled", "points_0") == (6, doubled, 18 * (1 + doubled))


def test_v03_an_undercut_doubles_with_its_bonus() -> None:
    """Knock with 5 against 3: (25 + 2) x 2."""
    defender = "Ts Js Qs Kc Kd Kh Tc Th Td 3s"
    row = play_script(gincore.rules("oklahoma"), (player(), player()), f"{NINE} 5s", defender, "6s", ("Jd",))
    assert facts(row, "result", "points_0", "points_1") == (Result.undercut, 0, 54)


def test_v01_an_ace_turned_allows_gin_only() -> None:
    rules = gincore.rules("oklahoma")
    row = play_script(rules, (player(), player(stock=0)), f"{NINE} 2s", OTHER, "Ad", ("Kd",))
    assert facts(row, "knock_limit", "knocker_deadwood", "result") == (0, 0, Result.gin)
    assert row["turns"] > 1, "a knock with two points would have been legal under another upcard"
    gin = play_script(rules, (player(), player()), "2c 3c 4d 5d 6d 7h 8h 9h Th Tc", OTHER, "Ad", ("4c",))
    assert facts(gin, "knock_limit", "result", "turns") == (0, Result.gin, 1)


def test_w06_trading_the_discard_for_ever_stalls() -> None:
    rules = gincore.rules("classic", max_turns=100)
    trader = player(upcard=1, pile=1, stock=0)
    row = play_script(rules, (trader, trader), OTHER, f"{NINE} 2s", "Kh")
    assert facts(row, "result", "turns", "stock_left", "winner") == (Result.stalled, 100, 31, NOBODY)
