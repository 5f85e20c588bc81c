"""Scoring: the S, U, W, V and G rows of the collected cases, and the worked examples of the rule page.

Whole hands and games are checked against ``scorer.py`` in ``test_scored_rows.py``.
"""

from __future__ import annotations

import brute
import pytest
from scorer import DEAD, Game, Hand, Options, hollywood, play, score_hand, starters

import gincore

CLASSIC = Options()


def won(winner: int, *points: int) -> list[Hand]:
    return [Hand("knock", winner, each) for each in points]


def mask(text: str) -> int:
    return brute.to_mask(brute.cards(text))


# ---------------------------------------------------------------- one hand

BIG = "Ac 2c 3c 4c 5c 5d 6d 7d 9h Th Jh"
AGAINST_72 = "7c 8c 8d 9d Jd Qh Kh 2s 3s 5s"


def test_s01_big_gin_and_the_discards_that_keep_gin() -> None:
    eleven = brute.cards(BIG)
    big = gincore.showdown(mask(BIG), mask(AGAINST_72), gincore.rules("classic", big_gin=True, big_gin_bonus=31))
    assert (big.winner, big.kind, big.points) == ("knocker", "big_gin", 72 + 31)
    keep = {card for card in eleven if gincore.deadwood([brute.to_mask(eleven - {card})])[0] == 0}
    assert keep == {"Ac", "5c"}
    for card in keep:
        gin = gincore.showdown(brute.to_mask(eleven - {card}), mask(AGAINST_72), "classic")
        assert (gin.kind, gin.points) == ("gin", 72 + 25)


@pytest.mark.parametrize(("bonus", "points"), [(31, 51), (50, 70)])
def test_s02_big_gin_bonus_replaces_the_gin_bonus(bonus: int, points: int) -> None:
    options = Options(big_gin=True, big_gin_bonus=bonus)
    assert score_hand(0, 0, 20, options, melded_eleven=True) == Hand("big_gin", 0, points)
    defender = "2c 3c 4c 5d 6d 8d Ts Js Qs Ah"
    eleven = "6h 7h 8h 9h Th Jh Qh Kh Kc Kd Ks"
    assert brute.deadwood(brute.cards(defender), brute.House()) == 20
    rules = gincore.rules("classic", big_gin=True, big_gin_bonus=bonus)
    showdown = gincore.showdown(mask(eleven), mask(defender), rules)
    assert (showdown.kind, showdown.points) == ("big_gin", points)


K10 = "Ac 2c 3c 4d 5d 6d 7h 8h 9h Js"
TIE = "Jc Qc Kc Jd Qd Kd Jh Qh Kh Ts"


@pytest.mark.parametrize(
    ("tie", "winner", "points"), [("undercut", "defender", 25), ("nothing", None, 0), ("knocker", "knocker", 0)]
)
def test_s05_l13_equal_deadwood(tie: str, winner: str | None, points: int) -> None:
    showdown = gincore.showdown(mask(K10), mask(TIE), gincore.rules("classic", tie=tie))
    assert (showdown.knocker_deadwood, showdown.defender_deadwood) == (10, 10)
    assert (showdown.winner, showdown.points) == (winner, points)
    hand = score_hand(0, 10, 10, Options(tie=tie))
    assert (hand.winner, hand.points) == ({"defender": 1, "knocker": 0, None: None}[winner], points)


LOOSE = {1: "As", 2: "2s", 3: "3s", 4: "4s", 5: "5s", 6: "6s", 7: "7s", 8: "8s", 9: "9s", 10: "Ts"}


@pytest.mark.parametrize("limit", range(11))
@pytest.mark.parametrize("deadwood", range(1, 11))
def test_s07_limit_is_inclusive(limit: int, deadwood: int) -> None:
    hand = "Ac 2c 3c 4d 5d 6d 7h 8h 9h " + LOOSE[deadwood]
    other = "Kd Kh Qd Qc 8c 6h 4h 2d Jh Jd"
    rules = gincore.rules("classic", knock_limit=limit)
    if deadwood <= limit:
        assert gincore.showdown(mask(hand), mask(other), rules).knocker_deadwood == deadwood
    else:
        with pytest.raises(ValueError, match=rf"\b{deadwood}\b"):
            gincore.showdown(mask(hand), mask(other), rules)


def test_s07_eleven_is_over_the_limit_of_ten() -> None:
    with pytest.raises(ValueError, match=r"\b11\b"):
        gincore.showdown(mask("Ac 2c 3c 4c 5d 6d 7d 8d Js As"), mask("2h 3h 5h 7h 9h Jh Kh 9s 7s 3s"), "classic")


def test_u01_the_card_taken_must_stay() -> None:
    held, taken = brute.cards("Ac 2c 3c 4d 5d 6d 7h 8h 9h 5s"), "Ks"
    eleven = held | {taken}
    after = {card: gincore.deadwood([brute.to_mask(eleven - {card})])[0] for card in eleven}
    assert after[taken] == 5
    legal = {card: left for card, left in after.items() if card != taken}
    assert min(legal.values()) == 10
    assert [card for card, left in legal.items() if left == 10] == ["5s"]


def test_w03_discards_that_keep_the_gin_of_the_last_card() -> None:
    eleven = brute.cards("As 2s 3s 4s 5s 6s 7s 8s Qh Kh Jh")
    other = "9s Ts Js Qs Ks Ac 2c 3c 8h Th"
    keep = {card for card in eleven if gincore.deadwood([brute.to_mask(eleven - {card})])[0] == 0}
    assert keep == {"As", "4s", "5s", "8s"}
    showdown = gincore.showdown(brute.to_mask(eleven - {"8s"}), mask(other), "classic")
    assert (showdown.kind, showdown.points, showdown.defender_deadwood) == ("gin", 43, 18)
    assert showdown.laid_off == 0


def test_v01_oklahoma_ace() -> None:
    first = brute.cards("As 2s 3s 4s 5s 6s 7s 8s Ac 2h Kh")
    assert gincore.deadwood([brute.to_mask(first)])[0] == 3
    assert gincore.deadwood([brute.to_mask(first - {"Kh"})])[0] == 3
    later = brute.cards("As 2s 3s 4s 5s 6s 7s 8s 9s Ac Ad")
    keep = {card for card in later if gincore.deadwood([brute.to_mask(later - {card})])[0] == 0}
    assert keep >= {"2s", "5s", "6s", "9s"}
    house = brute.House()
    assert keep == {card for card in later if brute.deadwood(later - {card}, house) == 0}
    assert gincore.is_big_gin([brute.to_mask(later)])[0]
    other = mask("Js Qs 2c 3c 4c Td Qd 3h Th Jh")
    gin = gincore.showdown(brute.to_mask(later - {"9s"}), other, gincore.rules("classic", knock_limit=0))
    assert (gin.kind, gin.points, gin.defender_deadwood) == ("gin", 88, 63)


def test_v03_a_spade_doubles_the_hand_with_its_bonus() -> None:
    assert score_hand(0, 2, 20, CLASSIC, doubled=True).points == 36
    assert score_hand(0, 5, 3, CLASSIC, doubled=True) == Hand("undercut", 1, 54)


ROUND = {"ace": "round", "ace_points": 15}


@pytest.mark.parametrize(
    ("hand", "round_the_corner", "standard"),
    [
        ("Qs Ks As 2s 5d 5h 5c 9c Tc Jc", 0, 23),
        ("Ks Kc Kd As 4h 5h 6h 9c 9d 9h", 15, 1),
        ("Kh Ah 2h 3h 7c 7d 7s Jc Jd Js", 0, 10),
    ],
)
def test_v06_round_the_corner(hand: str, round_the_corner: int, standard: int) -> None:
    assert gincore.deadwood([mask(hand)], "classic")[0] == standard
    assert gincore.deadwood([mask(hand)], gincore.rules("classic", **ROUND))[0] == round_the_corner


def test_v06_loose_ace_may_not_knock() -> None:
    hand, other = mask("Ks Kc Kd As 4h 5h 6h 9c 9d 9h"), mask("2c 4c 6c Qc Qd 2d 8h Th 3s 7s")
    assert gincore.showdown(hand, other, "classic").knocker_deadwood == 1
    with pytest.raises(ValueError, match=r"\b15\b"):
        gincore.showdown(hand, other, gincore.rules("classic", **ROUND))


@pytest.mark.parametrize(
    "options",
    [
        {"knock_limit": -1},
        {"knock_limit": 200},
        {"target": 0},
        {"undercut_bonus": "abc"},
        {"gin_bonus": 2.5},
        {"ace": "high"},
        {"no_such_option": 1},
    ],
)
def test_v09_options_out_of_range_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(iter(options))) as caught:
        gincore.rules("classic", **options)
    assert "\n" not in str(caught.value)


# ---------------------------------------------------------------- games


def test_s04_the_defender_can_end_the_game() -> None:
    hands = [*won(0, 90), *won(1, 80), score_hand(0, 10, 10, CLASSIC)]
    game = play(hands, CLASSIC)
    assert (game.points, game.leader()) == ([90, 105], 1)


def test_g01_boxes_and_game_bonus() -> None:
    options = Options(box_bonus=25, next_dealer="winner")
    undercut = score_hand(1, 10, 5, options)
    gin = score_hand(1, 0, 60, options)
    hands = [*won(1, 30), DEAD, *won(0, 25), undercut, gin]
    game = play(hands, options)
    assert game.totals() == [55 + 50, 115 + 50 + 100] == [105, 265]
    assert game.settle() == (1, -160)
    assert (game.hands, game.hands_won) == (5, [2, 2])
    # the winner deals, so the other plays first; a dead hand is dealt again by the same dealer
    assert starters(1, hands, options) == [1, 0, 0, 1, 1]


@pytest.mark.parametrize(
    ("shutout", "box", "total"),
    [("double_game_bonus", 25, 350), ("double_total", 20, 480), ("double_total", 25, 500), ("flat_100", 20, 340)],
)
def test_g02_readings_of_a_shutout(shutout: str, box: int, total: int) -> None:
    game = play(won(0, 50, 50), Options(shutout=shutout, box_bonus=box))
    assert game.shutout()
    assert game.totals() == [total, 0]


@pytest.mark.parametrize(("box", "totals", "margin"), [(25, [255, 315], -60), (20, [245, 270], -25)])
def test_g04_the_winner_may_end_behind(box: int, totals: list[int], margin: int) -> None:
    game = play([*won(1, *[10] * 9), *won(0, 50, 55)], Options(box_bonus=box))
    assert game.totals() == totals
    assert game.settle() == (0, margin)


def test_g05_boxes_at_once_or_at_the_end() -> None:
    at_once = play(won(0, *[10] * 5), Options(box_bonus=10, box_toward_target=True, shutout="none", game_bonus=0))
    assert (at_once.leader(), at_once.totals()) == (0, [100, 0])
    at_the_end = play(won(0, *[10] * 9), Options(box_bonus=10))
    assert (at_the_end.leader(), at_the_end.points) == (None, [90, 0])


def test_g07_g08_hollywood_columns() -> None:
    assert hollywood([(0, 32), (0, 28), (0, 45)])[0] == [105, 73, 45]
    hands = [(0, 18), (1, 12), (0, 25), (1, 30), (0, 15), (0, 22), (1, 20)]
    assert hollywood(hands) == [[80, 62, 37], [62, 50, 20]]


def test_worked_examples_of_the_rule_page() -> None:
    assert gincore.deadwood([mask("5h 5s 5c 6h Kc Qd 9s 8d 2c 3d")])[0] == 6 + 10 + 10 + 9 + 8 + 2 + 3
    either = mask("7s 7h 7d 5s 6s Kc Qd 9c 2c 3d")
    assert gincore.deadwood([either])[0] == 5 + 6 + 10 + 10 + 9 + 2 + 3
    assert play([Hand("gin", 0, 25)] * 4, Options()).leader() == 0
    pro = play([*won(1, *[6] * 10), *won(0, 50, 50)], Options(settlement="pro"))
    assert pro.settle() == (1, -20)
    # source 004: the player with the highest total wins, though the other reached the target
    by_total = play([*won(1, *[10] * 9), *won(0, 50, 55)], Options(box_bonus=25, settlement="sum"))
    assert by_total.settle() == (1, -60)
    sweep = play(won(0, *[20] * 5), CLASSIC)
    assert sweep.settle() == (0, 400)


def test_a_finished_game_takes_no_more_hands() -> None:
    game = Game(CLASSIC)
    game.add(Hand("gin", 0, 100))
    with pytest.raises(AssertionError):
        game.add(DEAD)
