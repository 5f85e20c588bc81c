"""Best replies within a knock table, and rounds of them: on made-up games that can be counted out, and played."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import stats
from test_forks import net, played

import gincore
from gincore.learn import Caution, Courses, Shape, best_reply, follow_courses, gain, iterate, shape_of
from gincore.learn.courses import Level
from gincore.learn.reply import BOLD
from gincore.schema import MOMENT_DTYPE
from gincore.strategies.learned import knock_table

TINY = Shape(limits=1, deadwoods=2, turns=2, pickups=1)
SIMPLE = ("simple", "simple")
ALONE = Caution(0.0, math.inf)


def level(turn: int, hand: Any, cell: Any, points: Any) -> Level:
    return Level(turn, np.asarray(hand, np.int32), np.asarray(cell, np.int32), np.asarray(points, np.int16))


def tables(shape: Shape) -> list[Any]:
    """Every table of a shape that knocks or waits."""
    return [np.reshape(cells, shape.axes).astype(float) for cells in product((0, 1), repeat=shape.size)]


def random_courses(random: np.random.Generator, hands: int = 4000) -> Courses:
    """Hands of up to two moments in the four cells of ``TINY``, whose values are correlated with the cell."""
    worth = random.normal(0, 3, TINY.size)
    levels = []
    for turn in range(2):
        hand = np.flatnonzero(random.random(hands) < 0.7)
        deadwood = random.integers(0, 2, len(hand))
        cell = deadwood * 2 + turn
        levels.append(level(turn, hand, cell, np.round(random.normal(worth[cell], 5))))
    return Courses(TINY, 2, np.round(random.normal(0, 5, hands)).astype(np.int16), tuple(levels))


def test_cells_of_moments() -> None:
    moments = np.zeros(4, MOMENT_DTYPE)
    moments["knock_limit"], moments["deadwood"] = [-1, 3, 10, 30], [4, 2, 10, 25]
    moments["turn"], moments["opp_pickups"] = [0, 5, 38, 90], [0, 1, 4, 9]
    shape = Shape(limits=11)
    found = np.unravel_index(shape.cells(moments), shape.axes)
    assert [place.tolist() for place in found] == [[10, 3, 10, 10], [4, 2, 10, 10], [0, 2, 19, 19], [0, 1, 4, 4]]
    assert shape_of(gincore.rules("oklahoma")) == shape_of(gincore.rules("second-deck")) == Shape(limits=11)
    assert shape_of(gincore.rules("classic")) == Shape()


def test_payoff_and_reach_by_hand() -> None:
    """One hand with a moment in each turn, one with none, one with the second only; cell 0 knocks with a third."""
    courses = Courses(
        TINY, 1, np.array([10, 7, -4], np.int16), (level(0, [0], [0], [3]), level(1, [0, 2], [1, 3], [-6, 5]))
    )
    table = np.array([1 / 3, 1.0, 0.0, 0.5]).reshape(TINY.axes)
    assert courses.payoff(table) == pytest.approx([3 / 3 - 6 * 2 / 3, 7, 0.5])
    assert [list(part) for part in courses.reach(table)] == [[1.0], [pytest.approx(2 / 3), 1.0]]
    assert courses.visits(table).ravel() == pytest.approx([1, 2 / 3, 0, 1])
    assert courses.moments == 3


@pytest.mark.parametrize(
    ("name", "options"), [("classic", {}), ("oklahoma", {}), ("pagat", {"last_discard": "knock_only", "big_gin": True})]
)
def test_payoff_is_the_ordinary_hand_of_that_table(name: str, options: dict[str, Any]) -> None:
    """A table's value of a followed hand is what the engine scores when the table plays, deal by deal, exactly."""
    rules, random = gincore.rules(name, **options), np.random.default_rng(5)
    shape = shape_of(rules)
    courses = follow_courses(rules, ("simple", "threshold,limit=7"), shape, deals=300, seed=9)
    for share in (0.1, 0.5, 1.0):
        table = (random.random(shape.axes) < share).astype(float)
        rows = played(rules, (knock_table("any", table), "threshold,limit=7"), 300, seed=9)
        assert np.array_equal(courses.payoff(table), net(rows, 0))


def test_a_mixed_table_plays_its_shares() -> None:
    """The mean of ordinary hands lies where the shares say, within chance; and differs from both pure tables."""
    shape = Shape()
    courses = follow_courses("classic", SIMPLE, shape, deals=20_000, seed=9)
    table = shape.constant(0.3)
    rows = played(gincore.rules("classic"), (knock_table("mixed", table), "simple"), 20_000, seed=9)
    difference = (net(rows, 0) - courses.payoff(table)).reshape(-1, 2).mean(axis=1)
    assert abs(difference.mean()) < 4 * difference.std() / np.sqrt(len(difference))
    assert np.count_nonzero(difference) > 1000


@pytest.mark.parametrize("seed", range(8))
def test_the_best_reply_is_the_best_of_all_tables(seed: int) -> None:
    courses = random_courses(np.random.default_rng(seed))
    best = max(tables(TINY), key=lambda table: courses.payoff(table).mean())
    found = best_reply(courses, TINY.constant(1.0), ALONE)
    assert courses.payoff(found).mean() == pytest.approx(courses.payoff(best).mean())
    assert np.array_equal(best_reply(courses, found, Caution(2.0, math.inf)), found), (
        "a careful reply to the best leaves it alone"
    )


def test_cells_that_are_not_clear_stay() -> None:
    random = np.random.default_rng(1)
    hand = np.arange(1000)
    noise = Courses(
        TINY, 1, np.zeros(1000, np.int16), (level(0, hand, hand % 2 * 2, random.normal(0, 5, 1000).round()),)
    )
    for start in tables(TINY):
        assert np.array_equal(best_reply(noise, start, Caution(4.5)), start)
    few = Courses(TINY, 1, np.zeros(20, np.int16), (level(0, np.arange(20), np.zeros(20), np.full(20, 9)),))
    assert np.array_equal(best_reply(few, TINY.constant(0.0)), TINY.constant(0.0))


def test_neighbours_decide_where_a_cell_alone_cannot() -> None:
    shape = Shape(limits=1, deadwoods=3, turns=1, pickups=1)
    hand, cell = np.arange(2020), np.repeat([0, 1, 2], [1000, 20, 1000])
    random = np.random.default_rng(2)
    points = np.where(cell == 1, 0, random.normal(2, 5, 2020)).round()
    courses = Courses(shape, 1, np.zeros(2020, np.int16), (level(0, hand, cell, points),))
    assert np.array_equal(best_reply(courses, shape.constant(0.0)).ravel(), [1, 1, 1])


def test_gain_counts_deals() -> None:
    courses = random_courses(np.random.default_rng(3), 2000)
    one, two = TINY.constant(1.0), TINY.constant(0.0)
    difference = (courses.payoff(one) - courses.payoff(two)).astype(float).reshape(-1, 2).mean(axis=1)
    expected = stats.t.interval(0.9, 999, difference.mean(), difference.std(ddof=1) / np.sqrt(1000))
    found = gain(courses, one, two, 0.9)
    assert (found.estimate, found.low, found.high) == pytest.approx((difference.mean(), *expected))
    assert gain(courses, one).estimate == pytest.approx(courses.payoff(one).mean())


def duel(points: Callable[[float], Any]) -> Callable[[Any], Courses]:
    """A game of one cell, in which knocking scores what a function of the other's share of knocks says."""
    shape = Shape(1, 1, 1, 1)

    def play(table: Any) -> Courses:
        scored = points(float(table.ravel()[0]))
        return Courses(
            shape, 1, np.zeros(len(scored), np.int16), (level(0, np.arange(len(scored)), [0] * len(scored), scored),)
        )

    return play


def opposite(share: float) -> Any:
    """Knocking wins 10 if the other waits and loses 10 if the other knocks: the answer is always the other one."""
    random = np.random.default_rng(4)
    return np.where(random.permutation(2000) < 2000 * share, -10, 10)


def test_rounds_settle_where_the_reply_does_not_change() -> None:
    found = iterate(duel(lambda share: np.full(500, 3)), np.zeros((1, 1, 1, 1)))
    assert (found.settled, found.cycle, len(found.rounds)) == (True, 0, 2)
    assert [each.cells_changed for each in found.rounds] == [1, 0]
    assert found.table.item() == 1.0
    assert found.rounds[0].gain_points_per_hand == 3


@pytest.mark.parametrize("start", [0.0, 1.0])
def test_a_cycle_is_found_and_damped(start: float) -> None:
    """Plain rounds change for ever; averaged, they come to the half that neither answer beats."""
    found = iterate(duel(opposite), np.full((1, 1, 1, 1), start), most=60)
    assert found.cycle == 2
    assert found.settled
    assert [each.step for each in found.rounds[:2]] == [1, 1]
    assert found.table.item() == pytest.approx(0.5, abs=0.05)
    assert abs(found.rounds[-1].gain_points_per_hand) < 0.005 or found.rounds[-1].cells_changed == 0


def test_what_does_not_settle_says_so() -> None:
    """The best reply lies at 0.7137, where steps of 1/n do not come to rest within so few rounds."""

    def uneven(share: float) -> Any:
        return np.where(np.arange(10_000) < 10_000 * min(share / 0.7137 / 2, 1), -100, 100)

    found = iterate(duel(uneven), np.zeros((1, 1, 1, 1)), most=6)
    assert (found.settled, found.cycle, len(found.rounds)) == (False, 2, 6)
    assert found.rounds[-1].gain_points_per_hand > 0.005
    steps = [each.step for each in found.rounds]
    assert steps == [1, 1, *(1 / count for count in (3, 4, 5, 6))]


def test_rounds_are_told_as_they_end() -> None:
    heard: list[int] = []
    iterate(duel(opposite), np.zeros((1, 1, 1, 1)), most=3, told=lambda done, courses: heard.append(done.number))
    assert heard == [1, 2, 3]


def test_cells_never_met_follow_their_neighbours() -> None:
    shape = Shape(limits=1, deadwoods=2, turns=5, pickups=1)
    table = np.array([[1, 0, 0, 0, 0], [1, 1, 0, 0, 1]], float).reshape(shape.axes)
    known = np.array([[False] * 5, [False, True, True, False, False]]).reshape(shape.axes)
    assert np.array_equal(shape.filled(table, known).reshape(2, 5), [[1, 0, 0, 0, 0], [1, 1, 0, 0, 0]])


def test_learning_from_the_engine_settles_and_does_not_depend_on_threads() -> None:
    """Few deals: from both starts a table that answers itself, far better than knocking at once."""
    rules, shape = gincore.rules("eaai"), Shape()

    def play(workers: int) -> Callable[[Any], Courses]:
        return lambda table: follow_courses(
            rules, ("simple", knock_table("t", table)), shape, deals=5000, seed=1, workers=workers
        )

    fresh = follow_courses(rules, SIMPLE, shape, deals=5000, seed=2)
    for start in (0.0, 1.0):
        one, two = (iterate(play(workers), shape.constant(start)) for workers in (1, 3))
        assert np.array_equal(one.table, two.table)
        assert one.settled
        assert one.cycle == 0
        assert len(one.rounds) < 12
        assert gain(fresh, one.table).low > 1.5
    bold = best_reply(play(1)(one.table), one.table, BOLD)
    assert gain(play(1)(one.table), bold, one.table).estimate >= 0, "on its own deals a bold reply never loses"
