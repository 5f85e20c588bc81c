"""The course of a hand, in literal cards: the S, U, W and V rows of the cases, and the edges between them.

Every question that the engine puts is checked by the script: who is asked, what, and in which order.
"""

from __future__ import annotations

from typing import Any

import brute
import pytest
from script import HELD, OTHER, POOR, card, classic, column, layout, mask, names, play, views_of

import gincore
from gincore.schema import NO_VALUE, Phase, Result, Source, Status
from gincore.strategies.contract import Table

# ---------------------------------------------------------------- the upcard


def test_u01_the_card_just_taken_must_stay() -> None:
    cards = layout(HELD, OTHER, "Ks")
    for answer, status in (("0 throws Ks", Status.bad_discard), ("0 knocks Ks", Status.bad_knock)):
        script = "0 takes; " + ("0 plays on; " if status == Status.bad_discard else "") + answer
        played = play(classic(), cards, script, first=1, status=status)
        eleven = played.questions[-1].view
        assert names(eleven.legal) == set(HELD.split())
        assert names(eleven.least) == {"5s"}
        assert (eleven.deadwood, eleven.after[card("Ks")], eleven.drew, eleven.drew_from) == (10, 5, card("Ks"), 1)
        fault = played.fault
        assert (fault.player, fault.hand) == (1, mask(f"{HELD} Ks"))
        assert fault.answer == card("Ks") + (2 if status == Status.bad_knock else 0)
    knocked = play(classic(), cards, "0 takes; 0 knocks")
    assert column(knocked, "knocker_deadwood", "turns", "pickups_0", "upcard_taken_by") == (10, 1, 1, 0)
    play(classic(knock_limit=9), cards, "0 takes; 0 throws 4d; 1 leaves; idle")  # no question about a knock
    back = play(classic(return_taken=True, knock_limit=9), cards, "0 takes; 0 knocks Ks")
    assert column(back, "knocker_deadwood", "turns") == (5, 1)


def test_u03_both_leave_it_and_the_non_dealer_draws_from_the_stock() -> None:
    cards = layout(POOR, OTHER, "Ks", "Kd Qs")
    played = play(classic(), cards, "0 leaves; 1 leaves; 0 throws Jc; 1 takes; 1 throws Kh; idle")
    places = [question.place for question in played.questions[:3]]
    assert places == [(0, Phase.upcard), (0, Phase.upcard), (0, Phase.discard)]
    first, second, third, fourth = (question.view for question in played.questions[:4])
    assert (first.top, second.top) == (card("Ks"), card("Ks"))
    assert names(second.opp_declined) == {"Ks"}
    assert names(third.opp_declined) == {"Ks"}
    assert (third.drew, third.drew_from, third.stock) == (card("Kd"), Source.stock, 30)
    assert names(third.pile) == {"Ks"}
    assert names(fourth.pile) == {"Ks", "Jc"}  # the dealer may take what was just thrown; the upcard lies under it
    assert fourth.top == card("Jc")
    assert column(played, "upcard_taken_by", "pickups_0", "pickups_1") == (NO_VALUE, 0, 1)
    fifth = played.questions[4].view
    assert (names(fifth.pile), fifth.stock) == ({"Ks"}, 30)
    assert names(views_of(played, 0)[3].opp_took) == {"Jc"}


@pytest.mark.parametrize("first", [0, 1])
def test_u04_the_non_dealer_first_then_the_dealer(first: int) -> None:
    cards = layout(POOR, OTHER, "Qs")
    taken = play(classic(), cards, "0 takes; 0 throws Jc; 1 leaves; idle", first=first)
    assert [question.seat for question in taken.questions[:3]] == [0, 0, 1]  # the dealer is not asked about the upcard
    assert taken.questions[2].place == (1, Phase.draw)
    assert column(taken, "upcard_taken_by", "starter") == (first, first)
    second = play(classic(), cards, "0 leaves; 1 takes; 1 throws Kh; 0 leaves; idle", first=first)
    assert second.questions[3].place == (1, Phase.draw)  # the dealer had the first full turn
    assert second.questions[3].view.top == card("Kh")
    assert column(second, "upcard_taken_by", "starter") == (1 - first, first)
    assert second.row["pickups_1" if first == 0 else "pickups_0"] == 1


def test_u06_gin_with_the_upcard_on_the_first_turn() -> None:
    cards = layout("Ac 2c 3c 4d 5d 6d 7h 8h 9h Ks", "Kc Kd Jc 2d 2h 4h 8s 5h Qs Td", "Th")
    played = play(classic(), cards, "0 takes; 0 knocks Ks")
    loose = brute.deadwood(brute.from_mask(cards.second), brute.House())
    assert loose == 10 + 10 + 10 + 2 + 2 + 4 + 8 + 5 + 10 + 10
    assert column(played, "result", "turns", "points_0", "stock_left") == (Result.gin, 1, 25 + loose, 31)
    assert column(played, "knocker_deadwood", "defender_deadwood") == (0, loose)


def test_u07_dealt_gin_is_not_declared_before_the_first_turn() -> None:
    gin = "Ac 2c 3c 4d 5d 6d 7h 8h 9h Th"
    cards = layout(POOR, gin, "Ks", "Kd Qs Qc")
    played = play(classic(), cards, "0 leaves; 1 leaves; 0 throws Kd; 1 leaves; 1 knocks Qs")
    assert views_of(played, 1)[0].deadwood == 0
    assert column(played, "result", "knocker", "turns", "stock_left") == (Result.gin, 1, 2, 29)


def test_a_knock_on_the_very_first_turn_is_legal() -> None:
    cards = layout("Ac 2c 3c 4d 5d 6d 7h 8h Ks As", OTHER, "Qs", "9h")
    played = play(classic(), cards, "0 leaves; 1 leaves; 0 knocks Ks")
    assert column(played, "result", "knocker_deadwood", "turns", "points_0") == (Result.knock, 1, 1, 71 - 6 - 10 - 1)


def test_nobody_has_to_knock() -> None:
    cards = layout(HELD, OTHER, "Qs", "As")
    played = play(classic(), cards, "0 leaves; 1 leaves; 0 plays on; 0 throws 5s; 1 leaves; 1 throws Kh; idle")
    assert column(played, "result") == (Result.dead,)


# ---------------------------------------------------------------- knocks


@pytest.mark.parametrize("limit", range(11))
def test_s07_the_limit_is_inclusive(limit: int) -> None:
    loose = dict(zip(range(1, 11), ["As", "2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s", "Ts"], strict=True))
    for deadwood, name in loose.items():
        cards = layout(f"Ac 2c 3c 4d 5d 6d 7h 8h 9h {name}", "2h 4h 6h Jh Kh Qd Jd 8c Tc Kc", "Qs", "Ks")
        asked = "0 knocks Ks" if deadwood <= limit else "0 throws Ks; 1 leaves; idle"
        played = play(classic(knock_limit=limit), cards, f"0 leaves; 1 leaves; {asked}")
        if deadwood <= limit:
            assert column(played, "knocker_deadwood", "knock_limit") == (deadwood, limit)
        else:
            assert column(played, "result", "knock_limit") == (Result.dead, limit)


def test_eleven_points_may_not_knock() -> None:
    cards = layout("Ac 2c 3c 4d 5d 6d 7h 8h 9h Ts", OTHER.replace("Th", "Tc"), "As", "Jc")
    played = play(classic(), cards, "0 takes; 0 plays on; 0 throws 7h; 1 leaves; idle")
    eleven = played.questions[1].view
    assert eleven.after[card("Ts")] == 1
    assert names(eleven.least) == {"Ts"}
    refused = play(classic(), cards, "0 takes; 0 knocks 9h", status=Status.bad_knock)
    assert refused.questions[-1].view.after[card("9h")] > 10


@pytest.mark.parametrize("answer", ["0 knocks Kh", "0 throws Kh"])
def test_a_card_not_held_is_refused(answer: str) -> None:
    cards = layout(HELD, OTHER, "Qs", "Kd")
    script = f"0 leaves; 1 leaves; {'' if 'knocks' in answer else '0 plays on; '}{answer}"
    status = Status.bad_knock if "knocks" in answer else Status.bad_discard
    fault = play(classic(), cards, script, first=1, status=status).fault
    assert (fault.player, fault.hand, fault.limit, fault.deadwood) == (1, mask(f"{HELD} Kd"), 10, 5)


@pytest.mark.parametrize(
    ("kind", "answer", "status"),
    [
        ("draw", 2, Status.bad_draw),
        ("draw", -1, Status.bad_draw),
        ("discard", 52, Status.bad_discard),
        ("discard", -1, Status.bad_discard),
        ("discard", 2**40, Status.bad_discard),
        ("knock", -1, Status.bad_knock),
        ("knock", 54, Status.bad_knock),
        ("knock", 2**40, Status.bad_knock),
    ],
)
def test_answers_out_of_range_are_refused(kind: str, answer: int, status: Status) -> None:
    cards = layout(HELD, OTHER, "Ks")

    def reply(seat: int, asked: str, view: Any) -> int:
        return answer if asked == kind else {"draw": 1, "knock": 0}[asked]

    played = Table("classic").play(cards, reply)
    assert (played.status, played.fault.answer, played.fault.player) == (status, answer, 0)
    assert Phase(played.fault.phase).name in {kind, "upcard"}


def test_a_knock_without_a_card_throws_one_that_leaves_the_least() -> None:
    held = "Ac 2c 3c 4d 5d 6d 7h 8h Ks Kc"
    thrown = set()
    for key in range(20):
        cards = layout(held, OTHER, "Qs", "9h")._replace(keys=(key, 0))
        played = play(classic(), cards, "0 leaves; 1 leaves; 0 knocks")
        assert column(played, "knocker_deadwood") == (10,)
        thrown |= {played.thrown[0]}
    assert thrown == {card("Ks"), card("Kc")}


BIG = "Ac 2c 3c 4c 5c 5d 6d 7d 9h Th"  # and the jack of hearts
AGAINST_72 = "7c 8c 8d 9d Jd Qh Kh 2s 3s 5s"


def test_s01_big_gin_and_gin_with_the_same_eleven() -> None:
    cards = layout(BIG, AGAINST_72, "Ks", "Jh")
    rules = gincore.rules("classic-big-gin")
    big = play(rules, cards, "0 leaves; 1 leaves; 0 knocks")
    assert column(big, "result", "points_0", "turns", "stock_left") == (Result.big_gin, 31 + 72, 1, 30)
    assert big.questions[-1].view.can_big_gin == 1
    for name in ("Ac", "5c"):
        gin = play(rules, cards, f"0 leaves; 1 leaves; 0 knocks {name}")
        assert column(gin, "result", "points_0") == (Result.gin, 25 + 72)
    for name in ("Jh", "7d"):
        play(rules, cards, f"0 leaves; 1 leaves; 0 knocks {name}", status=Status.bad_knock)
    late = play(rules, cards, "0 leaves; 1 leaves; 0 plays on; 0 throws Jh; 1 leaves; idle")
    assert column(late, "result") == (Result.dead,)
    assert views_of(late, 0)[3].can_big_gin == 0
    plain = play(classic(), cards, "0 leaves; 1 leaves; 0 knocks")
    assert column(plain, "result", "points_0") == (Result.gin, 25 + 72)
    assert plain.thrown[0] in {card("Ac"), card("5c")}


def test_big_gin_with_the_card_just_taken() -> None:
    cards = layout(BIG, AGAINST_72, "Jh")
    big = play(gincore.rules("classic-big-gin"), cards, "0 takes; 0 knocks")
    assert column(big, "result", "turns", "pickups_0", "points_0") == (Result.big_gin, 1, 1, 103)


K10 = "Ac 2c 3c 4d 5d 6d 7h 8h 9h Ks"
TIE = "Jc Qc Kc Jd Qd Kd Jh Qh Kh Ts"


@pytest.mark.parametrize(
    ("tie", "result", "winner", "points"),
    [("undercut", Result.undercut, 1, 25), ("nothing", Result.knock, NO_VALUE, 0), ("knocker", Result.knock, 0, 0)],
)
def test_s05_equal_deadwood(tie: str, result: Result, winner: int, points: int) -> None:
    played = play(classic(tie=tie), layout(K10, TIE, "2s", "Tc"), "0 leaves; 1 leaves; 0 knocks Tc")
    assert column(played, "knocker_deadwood", "defender_deadwood", "knocker") == (10, 10, 0)
    assert column(played, "result", "winner", "points_0", "points_1") == (result, winner, 0, points)


def test_an_undercut_by_lay_offs() -> None:
    knocker, defender = "5s 6s 7s 9c Tc Jc Jd Ks Kc Kd", "2s 2c 2d 2h Ac 8s 9s 7c 8c 8d"
    played = play(classic(), layout(knocker, defender, "Qs", "Ts"), "0 leaves; 1 leaves; 0 knocks Ts", first=1)
    assert column(played, "result", "winner", "knocker", "points_0", "points_1") == (Result.undercut, 0, 1, 26, 0)
    assert column(played, "knocker_deadwood", "defender_deadwood_before", "defender_deadwood") == (10, 17, 9)
    assert column(played, "layoff_cards") == (4,)


# ---------------------------------------------------------------- what a view tells of the course


def test_a_pair_of_draw_and_discard_is_remembered() -> None:
    cards = layout(POOR, OTHER, "Qs", "Kd Ts")
    script = (
        "0 takes; 0 throws Jc; 1 leaves; 1 throws Kd; 0 leaves; 0 throws Qs; "
        "1 takes; 1 throws Kh; 0 leaves; 0 throws Kc; 1 leaves; 1 throws Qs; 0 takes; 0 throws 7d; 1 leaves; idle"
    )
    played = play(classic(), cards, script)
    again = next(question.view for question in played.questions if question.place == (6, Phase.discard))
    assert names(again.repeats) == {"Jc"}
    others = [question.view for question in played.questions if question.kind == "discard" and question.place[0] != 6]
    assert not any(int(view.repeats) for view in others[:5])


def test_the_random_words_of_a_hand_are_all_different() -> None:
    played = play(classic(), layout(POOR, OTHER, "Qs"), "0 leaves; 1 leaves; idle")
    words = [int(question.view.random) for question in played.questions]
    assert len(set(words)) == len(words)


def test_e06_the_view_tries_every_discard() -> None:
    cards = layout("As Ac Ad 2s 2c 2d 2h Jh Qh Kh", "3c 4d 5h 6s 8c 9d Th Jc Qd Ks", "9s", "3s")
    played = play(classic(), cards, "0 leaves; 1 leaves; 0 knocks")
    assert names(played.questions[-1].view.least) == {"3s"}
    assert column(played, "result") == (Result.gin,)


@pytest.mark.parametrize("name", ["classic", "eaai"])
def test_after_holds_what_the_exhaustive_solver_says(name: str) -> None:
    house = brute.House()

    def answer(seat: int, kind: str, view: Any) -> int:
        return min(map(card, names(view.least))) if kind == "discard" else 0 if kind == "knock" else int(view.turn) % 2

    for deal in range(6):
        played = Table(name).play(Table.dealt(31, deal), answer)
        eleven = [question.view for question in played.questions if question.kind == "discard"]
        for view in eleven[::5]:
            hand = brute.from_mask(int(view.hand))
            left = {each: brute.deadwood(hand - {each}, house) for each in hand}
            assert {each: int(view.after[card(each)]) for each in hand} == left
            legal = {each: points for each, points in left.items() if card(each) != view.drew or view.drew_from == 0}
            assert names(view.legal) == set(legal)
            assert view.deadwood == min(legal.values())
            assert names(view.least) == {each for each, points in legal.items() if points == view.deadwood}
