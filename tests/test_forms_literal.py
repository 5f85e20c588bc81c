"""Hollywood, partnership, cutthroat and matches on literal hands: G rows of the cases, and what no text says."""

from __future__ import annotations

import pytest
from literal import DEAD, gins, won
from literal_match import match_of

import gincore

HOLLYWOOD = gincore.rules("hollywood")
PARTNERSHIP = gincore.rules("partnership")
CUTTHROAT = gincore.rules("cutthroat")

# ---------------------------------------------------------------- Hollywood


def test_g07_a_column_closes_by_the_third_win() -> None:
    sheet = match_of(HOLLYWOOD, won(0, 32, 28, 45))
    assert sheet.of("points") == ([105, 73, 45], [0, 0, 0])
    assert sheet.each("winner") == [0, -1, -1]
    assert not sheet.over
    sheet = match_of(HOLLYWOOD, won(0, 32, 28, 45, 10))
    assert sheet.of("points")[0] == [105, 83, 55], "later wins enter only columns 2 and 3"
    assert sheet.of("hands_won")[0] == [3, 3, 2]
    assert sheet.each("hands") == [3, 4, 4]
    assert sheet.of("total")[0] == [105 + 200 + 3 * 20, 0, 0]


def test_g08_seven_hands_worked_through() -> None:
    hands = [*won(0, 18), *won(1, 12), *won(0, 25), *won(1, 30), *won(0, 15, 22), *won(1, 20)]
    sheet = match_of(HOLLYWOOD, hands)
    assert sheet.of("points") == ([80, 62, 37], [62, 50, 20])
    assert not sheet.over


def test_g10_columns_are_neither_rounded_nor_is_the_third_doubled() -> None:
    """A text that rounds to 500s and doubles the third column contradicts its own arithmetic: neither is done."""
    sheet = match_of(HOLLYWOOD, [*won(1, 7, 3, 2), *won(0, 51, 51, 51, 51)])
    assert sheet.over
    assert sheet.of("points") == ([102, 102, 102], [12, 5, 2])
    assert sheet.of("total") == ([102 + 100 + 2 * 20] * 3, [12 + 3 * 20, 5 + 2 * 20, 2 + 20])
    assert sheet.each("margin") == [242 - 72, 242 - 45, 242 - 22]


def test_a_player_shut_out_starts_in_the_next_open_column() -> None:
    sheet = match_of(HOLLYWOOD, [*won(0, 60, 60), *won(1, 7, 8, 9)])
    assert sheet.of("points") == ([120, 60, 0], [0, 24, 17])
    first = (sheet.each("shutout")[0], sheet.each("total_0")[0], sheet.each("margin")[0])
    assert first == (1, 120 + 200 + 40, 360)
    sheet = match_of(HOLLYWOOD, [*won(0, 60, 60, 60), *won(1, 7, 8)])  # two columns are closed
    assert sheet.of("points") == ([120, 120, 60], [0, 0, 15])
    hands = [*won(0, 60), *won(1, 5), *won(0, 60, 60), *won(1, 7), *won(0, 40)]  # closed before the second win
    sheet = match_of(HOLLYWOOD, hands)
    assert sheet.of("points") == ([120, 120, 100], [5, 0, 7])
    assert sheet.over


def test_dead_hands_are_counted_and_enter_no_column() -> None:
    sheet = match_of(HOLLYWOOD, [DEAD, *won(1, 9), DEAD])
    assert sheet.of("points") == ([0, 0, 0], [9, 0, 0])
    assert sheet.each("hands") == [3, 3, 3]


def test_boxes_of_entered_hands_or_of_all() -> None:
    hands = [*won(0, 40), *won(1, 5), *won(0, 30, 40, 40, 40)]
    entered = match_of(HOLLYWOOD, hands)
    every = match_of(HOLLYWOOD.replace(hollywood_boxes="all"), hands)
    assert every.over
    assert entered.of("boxes") == ([60, 60, 60], [20, 0, 0])
    assert every.of("boxes") == ([60, 80, 100], [20, 20, 20])


def test_a_sheet_has_three_game_bonuses() -> None:
    sheet = match_of(HOLLYWOOD, [*won(1, 1, 1, 1), *won(0, 50, 50, 50, 50)])
    assert sheet.over
    assert sheet.of("points") == ([100, 100, 100], [3, 2, 1])
    assert sheet.of("total")[0] == [100 + 100 + 2 * 20] * 3
    assert sheet.each("match_winner") == [-1, -1, 0]


# ---------------------------------------------------------------- partnership


def test_partners_score_the_net_difference_and_one_box() -> None:
    ahead = match_of(PARTNERSHIP, [*won(0, 12), *won(1, 10)])
    assert (ahead.of("points"), ahead.of("hands_won"), ahead.of("boxes")) == (([2], [0]), ([1], [0]), ([20], [0]))
    assert (ahead.of("both_won"), ahead.each("hands"), ahead.over) == (([0], [0]), [2], False)
    level = match_of(PARTNERSHIP, [*won(0, 12), *won(1, 12)])
    assert (level.of("points"), level.of("boxes")) == (([0], [0]), ([0], [0]))


def test_a_bonus_when_both_partners_win() -> None:
    start = [*won(1, 40, 30, 5), DEAD, *gins(1, 35)]
    part = match_of(PARTNERSHIP, start)
    assert not part.over, "the round is not complete, and the bonus does not count toward the target"
    assert (part.of("points")[1], part.of("both_won")[1]) == ([75], [1])
    whole = match_of(PARTNERSHIP, [*start, *gins(0, 9)])
    assert whole.over
    total = 101 + 200 + 3 * 20 + 25
    assert (whole.of("points")[1], whole.of("total")[1], whole.each("margin")) == ([101], [total], [-total])
    assert (whole.of("gins"), whole.each("winner"), whole.winner) == (([1], [1]), [1], 1)


def test_opponents_swap_every_hand_or_every_game() -> None:
    hands = [*won(0, 1), *won(1, 1), *won(0, 1)]
    by_hand = match_of(PARTNERSHIP, hands)
    assert by_hand.tables == ((0, 0), (1, 1), (0, 1), (1, 0))
    by_game = match_of(PARTNERSHIP.replace(partnership_swap="game"), hands)
    assert by_game.tables == ((0, 0), (1, 1), (0, 0), (1, 1))


# ---------------------------------------------------------------- cutthroat


def test_three_players_settle_each_with_each() -> None:
    """Each of the two who have no points pays the doubled game bonus."""
    two = match_of(CUTTHROAT, won(1, 60, 30))  # against 2, who deals then, and against 0
    assert (two.of("points", 3), two.over, two.deals) == (([0], [90], [0]), False, (0, 2, 0))
    game = match_of(CUTTHROAT, won(1, 60, 30, 20))
    assert game.over
    assert (game.of("points", 3), game.of("hands_won", 3)) == (([0], [110], [0]), ([0], [3], [0]))
    assert (game.of("boxes", 3)[1], game.each("shutout")) == ([60], [2])
    assert game.of("total", 3) == ([0], [270], [0])
    assert (game.each("margin"), game.each("margin_2"), game.winner) == ([-370], [-370], 1)


def test_the_winner_collects_twice_and_the_last_pays_twice() -> None:
    hands = [*won(1, 10), *won(2, 20), *gins(0, 55)]  # 0 v 1, 1 v 2, 0 v 2
    game = match_of(CUTTHROAT.replace(target=50), hands, first=2)
    assert game.over
    totals = (55 + 20 + 100, 10 + 20, 20 + 20)
    assert game.of("total", 3) == tuple([total] for total in totals)
    assert game.each("margin") == [2 * totals[0] - totals[1] - totals[2]]
    assert game.each("margin_2") == [2 * totals[2] - totals[0] - totals[1]]


def test_a_dead_hand_of_three_is_dealt_again_by_the_same_player() -> None:
    assert match_of(CUTTHROAT, [DEAD, DEAD], first=1).deals == (1, 1, 1)


def test_the_formula_of_three_is_that_of_each_two() -> None:
    """100 + difference + 20 a hand between the first home and each other, doubled where the other has nothing."""
    game = match_of(CUTTHROAT.replace(settlement="pro"), [*won(1, 60), *won(0, 5), *won(0, 3), *won(1, 45)])
    assert game.over
    assert (game.of("points", 3), game.of("hands_won", 3)) == (([8], [105], [0]), ([2], [2], [0]))
    to_first = 100 + 105 - 8 + 20 * (2 - 2), 2 * (100 + 105 + 20 * 2)
    between = 8 + 20 * 2
    assert game.each("margin") == [between - to_first[0]]
    assert game.each("margin_2") == [-between - to_first[1]]
    assert game.winner == 1


# ---------------------------------------------------------------- matches


@pytest.mark.parametrize("settlement", ["net", "pro"])
def test_best_of_five_ends_with_the_third_game(settlement: str) -> None:
    rules = gincore.rules("classic", match="best-of-5", settlement=settlement)
    assert not match_of(rules, [*won(0, 100, 100), *won(1, 100, 100)]).over
    five = match_of(rules, [*won(0, 100, 100), *won(1, 100, 100, 100)])
    assert (five.over, five.winner, five.each("leg")) == (True, 1, [0, 1, 2, 3, 4])
    assert match_of(rules, won(1, 100, 100, 100)).over
