"""How the network is taught: gradients, targets, and a short lesson that must help."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gincore
from gincore.lessons.step import GRADIENT_DTYPE, learn, step
from gincore.lessons.teach import Lesson, Pupil, School, lessons_of, save
from gincore.lessons.trace import TRACE_DTYPE
from gincore.schema import VIEW_DTYPE
from gincore.strategies import expert, network
from gincore.strategies.worth import UNIT, chances, worth

RANDOM = np.random.default_rng(3)


def an_entry(head: int = network.AFTER, target: float = 12.0, chain: int = 1) -> Any:
    entry = np.zeros(1, TRACE_DTYPE).view(np.recarray)[0]
    entry.slots[: network.SLOTS] = RANDOM.choice(network.HEAD_AT, network.SLOTS, replace=False)
    entry.slots[network.HEAD_SLOT] = network.HEAD_AT + head
    entry.head, entry.target, entry.chain = head, target, chain
    entry.ahead, entry.danger = 31.5, 2.5
    return entry


def gradient() -> Any:
    return np.zeros(1, GRADIENT_DTYPE)[0]


def loss(weights: Any, entry: Any) -> float:
    """Half the squared error in outputs, as a step reports it before it moves (with no rate it does not)."""
    pupil = Pupil.of(weights)
    squared = step(pupil.weights, entry, 0.0, pupil.steps, pupil.sizes, gradient())
    return float(squared) / 2 / network.SCALE**2


def test_a_step_goes_down_the_gradient() -> None:
    """Numerical derivatives of the loss, against the step of rate 1e-6, in a sample of the weights that matter."""
    pupil = Pupil.fresh(5)
    entry = an_entry(network.KNOCK)
    before = pupil.weights.copy()
    rate = 1e-6
    step(pupil.weights, entry, rate, pupil.steps, pupil.sizes, gradient())
    moved = (before - pupil.weights) / rate
    start = network.EMBEDDINGS + network.KNOCK * network.HEAD_SIZE
    rows = entry.slots[: network.SLOTS : 8]
    places = [*(int(row) * network.WIDTH + k for row in rows for k in (0, 13, 31)), *range(start, start + 547, 13)]
    numeric = []
    for place in places:
        up, down = before.copy(), before.copy()
        up[place] += 1e-5
        down[place] -= 1e-5
        numeric.append((loss(up, entry) - loss(down, entry)) / 2e-5)
    assert np.any(np.abs(numeric) > 1e-3)
    np.testing.assert_allclose(moved[places], numeric, rtol=1e-3, atol=1e-6)
    untouched = np.ones(network.SIZE, bool)
    untouched[start : start + network.HEAD_SIZE] = False
    for row in entry.slots[: network.SLOTS]:
        untouched[row * network.WIDTH : (row + 1) * network.WIDTH] = False
    assert np.all(moved[untouched] == 0)


def test_a_rate_slows_down_where_steps_no_longer_agree() -> None:
    pupil = Pupil.fresh(5)
    entry = an_entry()
    row = int(entry.slots[0])
    for target in (50.0, -50.0) * 200:
        entry.target = target
        step(pupil.weights, entry, 0.001, pupil.steps, pupil.sizes, gradient())
    live = pupil.sizes[row] > 1e-2
    assert np.any(live)
    assert np.all(np.abs(pupil.steps[row][live]) / pupil.sizes[row][live] < 0.25)


def test_targets_mix_the_next_decision_with_what_came_of_it() -> None:
    """Decay 0.6: last entry 10 (the result), then 0.4 x 5 + 0.6 x 10 = 8, then 0.4 x -2 + 0.6 x 8 = 4; labels stay."""
    trace = np.zeros(4, TRACE_DTYPE).view(np.recarray)
    for place, (target, chain) in enumerate([(-2.0, 1), (5.0, 1), (31.0, 0), (0.0, 1)]):
        trace[place] = an_entry(target=target, chain=chain)
    pupil = Pupil.fresh()
    errors = np.zeros((network.HEADS, 2))
    learn(pupil.weights, trace, 4, 10.0, 0.6, 0.0, pupil.steps, pupil.sizes, gradient(), errors)
    assert trace.target == pytest.approx([4.0, 8.0, 31.0, 10.0])
    assert errors[network.AFTER, 0] == 4


@pytest.mark.slow
def test_a_short_lesson_helps() -> None:
    """24,000 hands against ``simple``: points a hand rise by more than 1 (standard error of the difference 0.5)."""
    pupil = Pupil.fresh()
    school = School(pupil, Lesson(hands=24_000, opponents=("simple",), rules=("eaai",)))
    nets = []
    for first in range(0, 24_000, 6_000):
        school.give(first, 6_000, 0.01, 0.05)
        hands, totals = school.nets.T
        nets.append((totals[0] - totals[1]) / hands.sum())
    assert nets[-1] > nets[0] + 1


def test_a_lesson_with_one_thread_repeats_exactly() -> None:
    weights = []
    for _ in range(2):
        pupil = Pupil.fresh()
        School(pupil, Lesson(hands=200)).give(0, 200, 0.01, 0.1)
        weights.append(pupil.weights)
    assert np.array_equal(*weights)


def test_a_lesson_is_scored_as_the_engine_scores() -> None:
    """Deal by deal: the learner's strategy in the engine wins the points that the lesson saw."""
    frame = gincore.simulate(
        "classic", (expert.by_network("pupil", Pupil.fresh().weights), "simple"), deals=500, seed=777, mirror=True,
        progress=False,
    ).hands  # fmt: skip
    scored = (frame.points_0 - frame.points_1)[frame.starter == 0].to_numpy()
    school = School(Pupil.fresh(), Lesson(hands=1, opponents=("simple",), rules=("classic",)))
    seen = []
    for number in range(500):
        school.give(number, 1, 0.0, 0.0)
        if school.nets[0, 0] == 1 and school._tables[0].views[0]["target"] == 0:  # in seat 0, and in no game
            seen.append((school.nets[0, 1], scored[number]))
    assert len(seen) > 25
    assert all(lesson == engine for lesson, engine in seen)


def test_worth_is_points_outside_a_game_and_a_chance_in_one() -> None:
    """Of two equal players the chances add up to 1; points beyond the target are wasted; a lost game is lost."""
    table = chances(np.array([10, 20, 30, 60]))
    np.testing.assert_allclose(table + table.T, 1)
    assert table[0, 0] == pytest.approx(0.5)
    assert np.all(np.diff(table, axis=0) >= 0)
    view = np.zeros(1, VIEW_DTYPE).view(np.recarray)[0]
    assert worth(12.0, view, table) == 12.0
    view.target, view.my_score, view.opp_score = 100, 80, 90
    assert worth(20.0, view, table) == worth(65.0, view, table) == UNIT * (1 - table[80, 90])
    assert worth(-10.0, view, table) == -UNIT * table[80, 90]
    assert worth(5.0, view, table) == pytest.approx(UNIT * (table[85, 90] - table[80, 90]))
    assert worth(-9.0, view, table) == pytest.approx(UNIT * (table[80, 99] - table[80, 90]))
    assert worth(0.0, view, table) == 0.0


def test_chances_are_those_of_played_out_games() -> None:
    """40,000 games of coin-tossed hands from 30:60, share within 4 standard errors (error rate 6e-5)."""
    random = np.random.default_rng(8)
    points = np.array([8, 15, 40])
    scores = np.tile([30, 60], (40_000, 1))
    while np.any(playing := scores.max(axis=1) < 100):
        who = random.integers(0, 2, playing.sum())
        scores[np.flatnonzero(playing), who] += random.choice(points, playing.sum())
    share = (scores[:, 0] >= 100).mean()
    assert share == pytest.approx(chances(points)[30, 60], abs=4 * (0.25 / 40_000) ** 0.5)


def test_rules_that_a_lesson_cannot_play_are_refused() -> None:
    with pytest.raises(gincore.UsageError, match="ace low"):
        School(Pupil.fresh(), Lesson(hands=1, rules=("round-the-corner",)))


def test_weights_are_kept_with_their_lessons(tmp_path: Path) -> None:
    pupil = Pupil.fresh()
    lesson = Lesson(hands=10, opponents=("self",), rules=("eaai",))
    save(tmp_path / "w.npz", pupil, [lesson])
    assert lessons_of(tmp_path / "w.npz") == [lesson]
    np.testing.assert_allclose(expert.load_weights(tmp_path / "w.npz"), pupil.weights, rtol=1e-3, atol=1e-4)
