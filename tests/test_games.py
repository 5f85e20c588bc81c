"""Games: the compiled bookkeeping against the plain scorer, on literal hands, on random ones and on played ones.

``test_scored_rows.py`` scores the games of runs again; here the record-level functions of ``core.game`` meet the G and
S rows of the cases, every form of shutout and settlement, and the batch its buffers.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
import pytest
import scorer
from scorer import DEAD, Hand, Options

import gincore
from gincore import _jit
from gincore.core import batch
from gincore.core import game as core
from gincore.core.decide import SIGNATURE
from gincore.schema import GAME_DTYPE, HAND_DTYPE, HANDS_PER_GAME, NO_VALUE, NextDealer, Result, Status
from gincore.strategies import get


def knocks(winner: int, *points: int) -> list[Hand]:
    return [Hand("knock", winner, each) for each in points]


def entered(hands: Sequence[Hand], rules: gincore.Rules) -> Any:
    """Enter hands by the engine's own functions until a player reaches the target; settle if one does."""
    record, book = rules.to_record(), np.zeros(1, GAME_DTYPE)[0]
    core.clear(book, np.int64(7), np.int64(0), np.int64(0))
    for hand in hands:
        row = np.zeros(1, HAND_DTYPE)[0]
        row.result = Result[hand.result]
        row.winner = NO_VALUE if hand.winner is None else hand.winner
        row.points_0, row.points_1 = (hand.points if hand.winner == player else 0 for player in (0, 1))
        assert leader(book, record) is None, "the game is over"
        core.enter(book, row, record)
    player = leader(book, record)
    if player is not None:
        core.settle(book, np.int64(player), record)
    return book


def leader(book: Any, record: Any) -> int | None:
    for player in (0, 1):
        if core.reached(np.int64(book[f"points_{player}"]), np.int64(book[f"boxes_{player}"]), record):
            return player
    return None


def pairs(book: Any, *names: str) -> tuple[Any, ...]:
    return tuple((int(book[f"{name}_0"]), int(book[f"{name}_1"])) for name in names)


def classic(**options: Any) -> gincore.Rules:
    return gincore.rules("classic", **options)


# ---------------------------------------------------------------- literal games


def test_g01_boxes_and_game_bonus() -> None:
    hands = [*knocks(1, 30), DEAD, *knocks(0, 25), Hand("undercut", 0, 25 + 5), Hand("gin", 1, 25 + 60)]
    book = entered(hands, classic(box_bonus=25))
    assert pairs(book, "points", "hands_won", "boxes", "total") == ((55, 115), (2, 2), (50, 50), (105, 265))
    assert (book.winner, book.margin, book.hands, book.shutout) == (1, 105 - 265, 5, 0)
    assert pairs(book, "gins", "big_gins") == ((0, 1), (0, 0))


@pytest.mark.parametrize(
    ("shutout", "box", "total"),
    [
        ("double_game_bonus", 25, 350),
        ("double_total", 20, 480),
        ("double_total", 25, 500),
        ("flat_100", 20, 340),
        ("none", 20, 240),
    ],
)
def test_g02_readings_of_a_shutout(shutout: str, box: int, total: int) -> None:
    for winner in (0, 1):
        book = entered(knocks(winner, 50, 50), classic(shutout=shutout, box_bonus=box))
        assert sorted(pairs(book, "total")[0]) == [0, total]
        assert (book.winner, book.margin, book.shutout) == (winner, total if winner == 0 else -total, 1)


def test_a_player_with_boxes_but_no_points_is_shut_out() -> None:
    """A hand won for nothing (a tie that the knocker wins) gives a box; a shutout asks for hand points."""
    book = entered([*knocks(1, 0), *knocks(0, 100)], classic())
    assert pairs(book, "hands_won", "boxes", "points") == ((1, 1), (20, 20), (100, 0))
    assert (book.shutout, *pairs(book, "total")) == (1, (100 + 200 + 20, 20))


@pytest.mark.parametrize(("box", "totals", "margin"), [(25, (255, 315), -60), (20, (245, 270), -25)])
def test_g04_the_winner_may_end_behind(box: int, totals: tuple[int, int], margin: int) -> None:
    hands = [*knocks(1, *[10] * 9), *knocks(0, 50, 55)]
    book = entered(hands, classic(box_bonus=box))
    assert pairs(book, "total") == (totals,)
    assert (book.winner, book.margin) == (0, margin)
    series = entered(hands, classic(box_bonus=box, settlement="sum"))
    assert (series.winner, series.margin) == (1, margin)  # there the higher total wins


def test_g05_boxes_at_once_or_at_the_end() -> None:
    at_once = classic(box_bonus=10, box_toward_target=True, shutout="none", game_bonus=0)
    book = entered(knocks(0, *[10] * 5), at_once)
    assert pairs(book, "points", "boxes", "total") == ((50, 0), (50, 0), (100, 0))
    assert entered(knocks(0, *[10] * 4), at_once).winner == NO_VALUE
    later = entered(knocks(0, *[10] * 9), classic(box_bonus=10))
    assert (later.winner, *pairs(later, "points", "total")) == (NO_VALUE, (90, 0), (0, 0))


def test_s04_the_defender_can_end_the_game() -> None:
    book = entered([*knocks(0, 90), *knocks(1, 80), Hand("undercut", 1, 25)], classic())
    assert (book.winner, *pairs(book, "points", "total")) == (1, (90, 105), (90 + 20, 105 + 40 + 100))


def test_worked_examples_of_the_rule_page() -> None:
    sweep = entered(knocks(0, *[20] * 5), classic())
    assert (sweep.winner, sweep.margin) == (0, 400)
    straight = entered([Hand("gin", 1, 25)] * 4, gincore.rules("straight"))
    assert (straight.winner, straight.points_1, straight.gins_1) == (1, 100, 4)
    pro = classic(settlement="pro")
    for winner in (0, 1):
        book = entered([*knocks(1 - winner, *[6] * 10), *knocks(winner, 50, 50)], pro)
        assert (book.winner, abs(book.margin)) == (1 - winner, 20)
        assert (book.margin > 0) == (1 - winner == 0)


def test_pro_doubles_where_the_loser_has_nothing() -> None:
    book = entered(knocks(0, 60, 45), classic(settlement="pro"))
    assert (book.winner, book.margin, book.shutout) == (0, 2 * (100 + 105 + 20 * 2), 1)


def test_bonuses_at_the_end() -> None:
    rules = classic(end_gin_bonus=50, end_big_gin_bonus=100, settlement="sum", target=250, box_bonus=0, big_gin=True)
    hands = [Hand("gin", 0, 60), Hand("big_gin", 1, 120), *knocks(1, 40), Hand("gin", 0, 95), *knocks(0, 96)]
    book = entered(hands, rules)
    assert pairs(book, "points", "gins", "big_gins") == ((251, 160), (2, 0), (0, 1))
    assert pairs(book, "total") == ((251 + 100 + 100, 160 + 100),)


@pytest.mark.parametrize(
    ("starter", "winner", "expected"),
    [
        # who plays first next: the winner if the loser deals, the loser if the winner does, else the other one
        (0, 0, {"loser": 0, "winner": 1, "alternate": 1}),
        (0, 1, {"loser": 1, "winner": 0, "alternate": 1}),
        (1, 0, {"loser": 0, "winner": 1, "alternate": 0}),
        (1, 1, {"loser": 1, "winner": 0, "alternate": 0}),
        (0, NO_VALUE, {"loser": 0, "winner": 0, "alternate": 0}),  # a dead hand: the same dealer again
        (1, NO_VALUE, {"loser": 1, "winner": 1, "alternate": 1}),
    ],
)
def test_who_plays_first_next(starter: int, winner: int, expected: dict[str, int]) -> None:
    for name, first in expected.items():
        assert core.next_starter(np.int64(starter), np.int64(winner), np.int64(NextDealer[name])) == first


# ---------------------------------------------------------------- random games against the scorer


def random_options(random: Random) -> dict[str, Any]:
    return {
        "target": random.choice((50, 100, 250)),
        "game_bonus": random.choice((0, 100)),
        "shutout": random.choice(("none", "double_game_bonus", "flat_100", "double_total")),
        "box_bonus": random.choice((0, 10, 20, 25)),
        "box_toward_target": random.random() < 0.3,
        "end_gin_bonus": random.choice((0, 50)),
        "end_big_gin_bonus": random.choice((0, 100)),
        "settlement": random.choice(("net", "sum")),
        "big_gin": True,
    }


def random_hand(random: Random, favourite: int) -> Hand:
    kinds = {"knock": 60, "gin": 10, "big_gin": 3, "undercut": 10, "dead": 5, "stalled": 2, "tie": 10}
    kind = random.choices(list(kinds), list(kinds.values()))[0]
    if kind in {"dead", "stalled"}:
        return Hand(kind)
    winner = favourite if random.random() < 0.8 else 1 - favourite
    if kind == "tie":
        return Hand("knock", random.choice((winner, None)), 0)
    least = {"knock": 1, "gin": 25, "big_gin": 31, "undercut": 25}[kind]
    return Hand(kind, winner, random.randrange(least, least + 60) * random.choice((1, 2)))


def test_random_games_are_those_of_the_scorer() -> None:
    random = Random(2)
    shutouts = 0
    for _ in range(1_500):
        rules = classic(**random_options(random))
        options = Options.of(rules)
        plain, hands, favourite = scorer.Game(options), [], random.randrange(2)
        while plain.leader() is None:
            hands.append(random_hand(random, favourite))
            plain.add(hands[-1])
        book = entered(hands, rules)
        assert pairs(book, "points", "hands_won", "gins", "big_gins", "boxes", "total") == tuple(
            tuple(values)
            for values in (
                plain.points,
                plain.hands_won,
                plain.gins,
                plain.big_gins,
                plain.boxes(),
                plain.totals(),
            )
        )
        winner, margin = plain.settle()
        assert (book.winner, book.margin) == (NO_VALUE if winner is None else winner, margin)
        assert (book.hands, book.shutout) == (len(hands), plain.shutout())
        shutouts += int(book.shutout)
    assert 100 < shutouts < 1_400


def test_random_pro_games_are_those_of_the_scorer() -> None:
    random = Random(3)
    reversed_ = 0
    for _ in range(500):
        rules = classic(settlement="pro")
        plain, hands, favourite = scorer.Game(Options.of(rules)), [], random.randrange(2)
        while plain.leader() is None:
            # the one wins many small hands and the other few large ones
            small = random.random() < 0.85
            hands += knocks(favourite, random.randrange(1, 9)) if small else knocks(1 - favourite, 45)
            plain.add(hands[-1])
        book = entered(hands, rules)
        assert (book.winner, book.margin) == plain.settle()
        reversed_ += int(book.winner) != plain.leader()
    assert reversed_ > 10


# ---------------------------------------------------------------- played games


def played(rules: gincore.Rules, names: tuple[str, str], games: int, seed: int, mirror: bool = True) -> tuple[Any, Any]:
    books, rows, fault = np.zeros(games, GAME_DTYPE), np.zeros(60 * games, HAND_DTYPE), np.zeros(8, np.int64)
    players = (get(names[0]), get(names[1]))
    status, done, used = batch.play_games(players, rules.to_record(), seed, 0, mirror, books, rows, fault)
    assert (Status(status), done) == (Status.ok, games)
    return books, rows[:used]


def hands_of(rows: Any) -> list[Hand]:
    return [
        Hand(
            Result(int(row["result"])).name,
            None if row["winner"] == NO_VALUE else int(row["winner"]),
            int(max(row["points_0"], row["points_1"])),
        )
        for row in rows
    ]


@pytest.mark.parametrize("next_dealer", ["loser", "winner", "alternate"])
@pytest.mark.parametrize("names", [("simple", "simple"), ("gin-only", "random")])
def test_played_games_follow_from_their_hands(next_dealer: str, names: tuple[str, str]) -> None:
    rules = gincore.rules("classic-big-gin", next_dealer=next_dealer, tie="nothing")
    options = Options.of(rules)
    books, rows = played(rules, names, 60, seed=21)
    place = dead = 0
    for number, book in enumerate(books):
        own = rows[place : place + book["hands"]]
        place += len(own)
        assert (book["game"], book["mirror"]) == (number // 2, number % 2)
        assert own["deal"].tolist() == [number // 2 * HANDS_PER_GAME + hand for hand in range(len(own))]
        assert (own["mirror"] == number % 2).all()
        hands = hands_of(own)
        plain = scorer.play(hands, options)
        assert [int(book["points_0"]), int(book["points_1"])] == plain.points
        assert (book["winner"], book["margin"]) == plain.settle()
        assert own["starter"].tolist() == scorer.starters(int(book["starter"]), hands, options)
        dead += sum(hand.winner is None for hand in hands)
    assert place == len(rows)
    if names == ("gin-only", "random"):
        assert dead > 10


def test_who_starts_a_game_is_drawn_and_exchanged_in_the_mirror() -> None:
    books, _ = played(classic(), ("simple", "simple"), 400, seed=22)
    starters = books["starter"].reshape(-1, 2)
    assert (starters.sum(axis=1) == 1).all()
    assert abs(starters[:, 0].mean() - 0.5) < 4 * 0.5 / 200**0.5
    single, _ = played(classic(), ("simple", "simple"), 200, seed=22, mirror=False)
    assert (single["starter"] == starters[:, 0]).all()


def test_small_buffers_give_the_same_games() -> None:
    players, record, fault = (get("simple"), get("gin-only")), classic().to_record(), np.zeros(8, np.int64)
    whole, whole_rows = played(classic(), ("simple", "gin-only"), 40, seed=23)
    games: list[Any] = []
    rows: list[Any] = []
    calls = filled = 0
    while filled < 40:
        books, buffer = np.zeros(40 - filled, GAME_DTYPE), np.zeros(60, HAND_DTYPE)
        status, done, used = batch.play_games(players, record, 23, filled // 2, True, books, buffer, fault)
        assert status == Status.ok
        assert 0 < done <= len(books)
        assert done % 2 == 0
        games.append(books[:done])
        rows.append(buffer[:used])
        filled += done
        calls += 1
    assert calls > 5, "the buffer is too large to show anything"
    assert np.concatenate(games).tobytes() == whole.tobytes()
    assert np.concatenate(rows).tobytes() == whole_rows.tobytes()


def test_a_buffer_that_holds_no_game_fills_nothing() -> None:
    players, fault = (get("simple"), get("simple")), np.zeros(8, np.int64)
    books, rows = np.zeros(2, GAME_DTYPE), np.zeros(2, HAND_DTYPE)
    assert batch.play_games(players, classic().to_record(), 24, 0, True, books, rows, fault) == (Status.ok, 0, 0)


def note_the_score(view: Any, params: Any) -> Any:
    """Keep the score shown at the first question of each hand: params[0] counts, three numbers a hand follow."""
    if view.phase == 0:
        place = 1 + 3 * int(params[0])
        params[place] = view.my_score
        params[place + 1] = view.opp_score
        params[place + 2] = view.target
        params[0] += 1
    return 0


class Witness:
    """``simple`` without pick-ups, with an array of its own as parameters."""

    def __init__(self) -> None:
        self.seen = np.zeros(1 + 3 * 500)
        self._functions = (
            _jit.compile_decision(note_the_score, SIGNATURE, cache=False),
            *get("simple").functions()[1:],
        )

    def functions(self) -> Any:
        return self._functions

    def values(self) -> Any:
        return (self.seen, np.zeros(0), np.zeros(0))


def test_views_show_the_score_before_each_hand() -> None:
    witness = Witness()
    books, rows, fault = np.zeros(8, GAME_DTYPE), np.zeros(400, HAND_DTYPE), np.zeros(8, np.int64)
    record = gincore.rules("eaai").to_record()
    status, done, used = batch.play_games((witness, witness), record, 25, 0, False, books, rows, fault)
    assert (status, done) == (Status.ok, 8)
    expected, place = [], 0
    for book in books:
        score = [0, 0]
        for row in rows[place : place + book["hands"]]:
            first = int(row["starter"])
            for player in (first, 1 - first):  # neither takes the upcard, so both are asked
                expected.append((score[player], score[1 - player], 100))
            score = [score[0] + int(row["points_0"]), score[1] + int(row["points_1"])]
        place += int(book["hands"])
    assert place == used
    seen = witness.seen[1 : 1 + 3 * int(witness.seen[0])].reshape(-1, 3)
    assert [tuple(map(int, row)) for row in seen] == expected


def test_single_hands_show_no_score() -> None:
    witness = Witness()
    rows, fault = np.zeros(20, HAND_DTYPE), np.zeros(8, np.int64)
    books, game_rows = np.zeros(2, GAME_DTYPE), np.zeros(100, HAND_DTYPE)
    record = classic().to_record()
    batch.play_games((get("simple"), get("simple")), record, 26, 0, True, books, game_rows, fault)
    assert batch.play_hands((witness, witness), record, 26, 0, True, rows, fault) == Status.ok
    assert witness.seen[0] == 40
    assert not witness.seen[1:].any()


@pytest.mark.parametrize("rules", ["classic", "partnership"])
def test_the_two_games_of_a_pair_share_out_the_luck(rules: str) -> None:
    """A player's cards fall to the other one throughout the second game, whoever deals.

    The correlation is about -0.36; were the cards tied to who begins each hand, it would be +0.3. At 600 pairs its
    standard error is below 0.04: the test errs once in more than a million seeds, either way.
    """
    games = gincore.simulate_games(rules, ("lookahead", "simple"), games=600, seed=5, progress=False).games
    won = (games["winner"] == 0).to_numpy(float).reshape(-1, 2)
    assert np.corrcoef(won.T)[0, 1] < -0.15
