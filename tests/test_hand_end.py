"""Limits and doubling by the upcard, and how a hand ends when nobody goes out: W and V rows of the cases."""

from __future__ import annotations

from typing import Any

import pytest
from script import OTHER, POOR, card, check_row, classic, column, layout, names, play, views_of

import gincore
from gincore.schema import Phase, Result, Source, Status
from gincore.strategies.contract import Table

# ---------------------------------------------------------------- Oklahoma and doubling


@pytest.mark.parametrize(
    ("upcard", "limit"), [(rank + "d", min(value, 10)) for value, rank in enumerate("A23456789TJQK", 1)]
)
def test_v04_the_upcard_sets_the_limit(upcard: str, limit: int) -> None:
    cards = layout("Ac 3c 5c 7c 9c 2h 4h 6h 8h Th", "As 3s 5s 7s 9s Jh Kh Jc Qc Kc", upcard)
    oklahoma = Table("oklahoma").play(cards, lambda *_: 2)
    assert oklahoma.questions[0].view.knock_limit == (0 if upcard == "Ad" else limit)
    without = Table(gincore.rules("oklahoma", low_limit_is_gin=frozenset())).play(cards, lambda *_: 2)
    assert without.questions[0].view.knock_limit == limit


def test_v01_an_ace_turned_allows_gin_only() -> None:
    held = "As 2s 3s 4s 5s 6s 7s 8s 2h Kh"
    cards = layout(held, "Js Qs 2c 3c 4c Td Qd 3h Th Jh", "Ac", "9s Kd Ad")
    script = (
        "0 takes; 0 throws Kh; 1 leaves; 1 throws 9s; "
        "0 takes; 0 throws 2h; 1 leaves; 1 throws Kd; 0 leaves; 0 knocks 9s"
    )
    played = play("oklahoma", cards, script)
    assert views_of(played, 0)[1].deadwood == 3  # no question about a knock then
    assert column(played, "result", "points_0", "knock_limit", "doubled") == (Result.gin, 25 + 63, 0, 0)


@pytest.mark.parametrize(("upcard", "factor"), [("6s", 2), ("6h", 1)])
def test_v03_a_spade_upcard_doubles(upcard: str, factor: int) -> None:
    won = layout("Ac 2c 3c 4d 5d 6d 7h 8h 9h 2s", "Jc Qc Kc Jd Qd Kd 3s 9s 4s 4h", upcard, "Tc")
    played = play("oklahoma", won, "0 leaves; 1 leaves; 0 knocks Tc")
    assert column(played, "points_0", "doubled") == ((20 - 2) * factor, int(factor == 2))
    assert played.questions[0].view.multiplier == factor
    undercut = layout("Ac 2c 3c 4d 5d 6d 7h 8h 9h 5s", "Jc Qc Kc Jd Qd Kd As Ah Ad 3s", upcard, "Tc")
    played = play("oklahoma", undercut, "0 leaves; 1 leaves; 0 knocks Tc")
    assert column(played, "result", "points_1", "doubled") == (Result.undercut, (25 + 5 - 3) * factor, int(factor == 2))


SPADE = "Ac 2c 3c 4d 5d 6d 7h 8h 9h 2h"
DEFENDER = "Jc Qc Kc Jd Qd Kd 3s 9s 4s 4h"


@pytest.mark.parametrize(
    ("script", "doubled"),
    [
        ("0 leaves; 1 leaves; 0 knocks Tc", 0),  # the defender threw nothing
        ("0 leaves; 1 leaves; 0 plays on; 0 throws Tc; 1 leaves; 1 throws 9s; 0 leaves; 0 knocks Th", 1),
        ("0 leaves; 1 leaves; 0 plays on; 0 throws Tc; 1 leaves; 1 throws 9s; 0 takes; 0 knocks 2h", 1),
        ("0 leaves; 1 leaves; 0 plays on; 0 throws Tc; 1 leaves; 1 throws Ts; 0 leaves; 0 knocks Th", 1),
        (
            "0 leaves; 1 leaves; 0 plays on; 0 throws Tc; 1 leaves; 1 throws 9s; "
            "0 leaves; 0 plays on; 0 throws Th; 1 leaves; 1 throws Td; 0 leaves; 0 knocks Ks",
            0,  # a spade before the last discard counts no more, nor does the knocker's own
        ),
        ("0 takes; 0 plays on; 0 throws 2h; 1 leaves; 1 throws 4h; 0 leaves; 0 knocks Th", 0),
    ],
)
def test_the_defenders_last_discard_doubles(script: str, doubled: int) -> None:
    cards = layout(SPADE, DEFENDER, "6s", "Tc Ts Th Td Ks")
    if script.startswith("0 takes"):
        cards = layout(SPADE, DEFENDER, "6s", "Ts Th")
    played = play("spade-double", cards, script)
    assert column(played, "doubled") == (doubled,)
    base = int(played.row.defender_deadwood - played.row.knocker_deadwood)
    assert column(played, "result", "points_0") == (Result.knock, base * (1 + doubled))


def test_a_gin_is_doubled_with_its_bonus() -> None:
    cards = layout("Ac 2c 3c 4d 5d 6d 7h 8h 9h Ks", OTHER.replace("Th", "Tc"), "6s", "Th")
    assert column(play("oklahoma", cards, "0 leaves; 1 leaves; 0 knocks Ks"), "points_0") == (2 * (25 + 71),)


# ---------------------------------------------------------------- the end of the stock


def test_w02_a_knock_with_the_fiftieth_card_scores() -> None:
    cards = layout("Ac 2c 3c 4d 5d 6d 7h 8h Kd 2s", OTHER, "Qs", late={28: "9h"})
    played = play(classic(), cards, "0 leaves; 1 leaves; idle 28; 0 leaves; 0 knocks Kd")
    assert column(played, "result", "turns", "stock_left", "knocker_deadwood") == (Result.knock, 29, 2, 2)
    dead = play(classic(), cards, "0 leaves; 1 leaves; idle 28; 0 leaves; 0 plays on; 0 throws Kd")
    assert column(dead, "result", "turns", "stock_left") == (Result.dead, 29, 2)


def test_w05_at_two_cards_nothing_is_compared() -> None:
    """Some texts lay both hands down and compare them. None of ours does: the hand is dead whoever is lower."""
    low, high = "Ac 2c 3c 4d 5d 6d 7h 8h 9h 2s", OTHER
    for name in gincore.preset_names():
        for hands in ((low, high), (high, low)):
            rules = gincore.rules(name)
            if rules.last_discard == "dead":  # else the opponent is asked once more
                played = play(rules, layout(*hands, "Qs"), "0 leaves; 1 leaves; idle")
                assert column(played, "result", "winner", "stock_left") == (Result.dead, -1, 2)
                assert column(played, "points_0", "points_1", "layoff_cards") == (0, 0, -1)
    games = gincore.simulate_games("classic", ("gin-only", "gin-only"), games=100, seed=2, progress=False)
    hands = games.hands
    dead = hands["result"] == "dead"
    again = dead.shift(fill_value=False) & (hands["hand"] > 0)
    assert again.any()
    assert (hands["starter"][again] == hands["starter"].shift()[again]).all(), "the same dealer deals again"


@pytest.mark.parametrize("left", [0, 1, 2, 10, 30])
def test_dead_stock_is_an_option(left: int) -> None:
    played = play(classic(dead_stock=left), layout(POOR, OTHER, "Qs"), "0 leaves; 1 leaves; idle")
    assert column(played, "result", "turns", "stock_left") == (Result.dead, 31 - left, left)


def test_a_card_from_the_pile_does_not_bring_the_end_nearer() -> None:
    cards = layout(POOR, OTHER, "Qs", late={27: "Ks"})
    script = "0 leaves; 1 leaves; idle 28; 0 takes; 0 throws Kc; 1 takes; 1 throws Kh; 0 leaves; 0 throws 7d"
    played = play(classic(), cards, script)
    assert column(played, "result", "turns", "stock_left", "pickups_0", "pickups_1") == (Result.dead, 31, 2, 1, 1)


W03 = layout("9s Ts Js Qs Ks Ac 2c 3c 8h Th", "As 2s 3s 4s 5s 6s 7s 8s Qh Kh", "2d", late={28: "Jh"})
LAST = classic(last_discard="knock_only")


@pytest.mark.parametrize("thrown", ["4s", "5s", "8s", "As"])
def test_w03_gin_with_the_last_discard(thrown: str) -> None:
    played = play(LAST, W03, f"0 leaves; 1 leaves; idle 28; 0 leaves; 0 throws Jh; 1 knocks {thrown}", first=1)
    assert column(played, "result", "winner", "points_0", "stock_left", "turns") == (Result.gin, 0, 43, 2, 30)
    assert column(played, "defender_deadwood", "layoff_cards", "pickups_0") == (18, 0, 1)
    assert played.questions[-1].place == (29, Phase.last)
    assert (played.questions[-1].view.drew, played.questions[-1].view.drew_from) == (card("Jh"), Source.pile)


def test_w03_without_the_option_the_hand_is_dead() -> None:
    played = play(classic(), W03, "0 leaves; 1 leaves; idle 28; 0 leaves; 0 throws Jh")
    assert column(played, "result", "turns", "pickups_1") == (Result.dead, 29, 0)


def test_w03_who_does_not_go_out_took_nothing() -> None:
    played = play(LAST, W03, "0 leaves; 1 leaves; idle 28; 0 leaves; 0 throws Jh; 1 plays on", first=1)
    assert column(played, "result", "turns", "pickups_0", "pickups_1", "stock_left") == (Result.dead, 29, 0, 0, 2)
    assert names(played.views[1].hand) == {"As", "2s", "3s", "4s", "5s", "6s", "7s", "8s", "Qh", "Kh"}
    assert (played.views[1].top, played.views[0].opp_pickups) == (card("Jh"), 0)
    assert names(played.views[0].opp_took) == set()


def test_w03_the_last_discard_may_not_be_taken_to_improve() -> None:
    better = layout(POOR, "Ac 2c 4c 4d 4h Jd Qd 9h 9d 7h", "Ks", late={28: "3c"})
    played = play(LAST, better, "0 leaves; 1 leaves; idle 28; 0 leaves; 0 throws 3c")  # no question at all
    assert column(played, "result", "turns") == (Result.dead, 29)


def test_w03_an_ordinary_knock_with_the_last_discard() -> None:
    cards = layout(POOR, "Ac 2c 4c 4d 4h Jd Qd Kd 2h Th", "Ks", late={28: "3c"})
    played = play(LAST, cards, "0 leaves; 1 leaves; idle 28; 0 leaves; 0 throws 3c; 1 knocks Th")
    assert column(played, "result", "knocker", "knocker_deadwood", "turns") == (Result.knock, 1, 2, 30)
    refused = "0 leaves; 1 leaves; idle 28; 0 leaves; 0 throws 3c; 1 knocks 3c"
    play(LAST, cards, refused, status=Status.bad_knock)


def test_w03_big_gin_with_the_last_discard() -> None:
    rules = gincore.rules("classic-big-gin", last_discard="knock_only")
    played = play(rules, W03, "0 leaves; 1 leaves; idle 28; 0 leaves; 0 throws Jh; 1 knocks")
    assert played.questions[-1].view.can_big_gin == 1
    assert column(played, "result", "points_1", "turns") == (Result.big_gin, 31 + 18, 30)


@pytest.mark.parametrize("bound", [1, 2, 15, 60, 200, 400])
def test_w06_two_who_trade_discards_for_ever_stall(bound: int) -> None:
    played = Table(classic(max_turns=bound)).play(
        layout(POOR, OTHER, "Qs"),
        lambda _, kind, view: min(map(card, names(view.legal))) if kind == "discard" else int(kind == "draw"),
    )
    assert column(played, "result", "turns", "stock_left") == (Result.stalled, bound, 31)
    assert column(played, "pickups_0", "pickups_1") == (bound - bound // 2, bound // 2)
    check_row(played.row, classic(max_turns=bound))


def test_the_last_discard_on_the_last_turn_of_all() -> None:
    """The pile is traded until 400 turns and the end of the stock come together."""

    def answer(_: int, kind: str, view: Any) -> int:
        if kind == "draw":
            return int(view.turn < 400 - 29)
        return int(max(map(card, names(view.legal)))) if kind == "discard" else 0

    cards = layout("Ac 2c 3c 4d 5d 6d 7h 8h 9h 2s", "As 2h 3h 4s 5s 6s 7c 8c 9c 5h", "Qs")
    rules = classic(max_turns=400, last_discard="knock_only")
    thrown: list[int] = []

    def watched(seat: int, kind: str, view: Any) -> int:
        reply = answer(seat, kind, view)
        thrown.extend([reply] if kind == "discard" else [])
        return reply

    played = Table(rules).play(cards, watched)
    assert column(played, "result", "turns", "stock_left") == (Result.dead, 400, 2)
    assert played.questions[-1].place == (400, Phase.last)
    assert played.thrown == thrown


def test_dead_comes_before_stalled() -> None:
    played = play(classic(max_turns=29), layout(POOR, OTHER, "Qs"), "0 leaves; 1 leaves; idle")
    assert column(played, "result", "turns") == (Result.dead, 29)
    played = play(classic(max_turns=28), layout(POOR, OTHER, "Qs"), "0 leaves; 1 leaves; idle 28")
    assert column(played, "result", "turns", "stock_left") == (Result.stalled, 28, 3)
