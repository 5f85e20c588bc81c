"""Playing a plan: the same results however the work is cut, and failures that say what happened."""

from __future__ import annotations

import io
import itertools
import os
import shlex
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gincore
from gincore.api import GameRun, Run
from gincore.errors import RunError, UsageError
from gincore.runs import jobs as running
from gincore.runs.fault import explain
from gincore.runs.layout import BLOCK_UNITS
from gincore.runs.plan import make_plan
from gincore.schema import HANDS_PER_GAME, Phase, Status

SIMPLE = ("simple", "simple")


def hands(deals: int, **settings: Any) -> Run:
    return gincore.simulate("classic", SIMPLE, deals=deals, **({"seed": 1, "progress": False} | settings))


def games(count: int, **settings: Any) -> GameRun:
    return gincore.simulate_games("classic", SIMPLE, games=count, **({"seed": 1, "progress": False} | settings))


def equal(run: Run, other: Run) -> bool:
    return (
        run.result.rows().tobytes() == other.result.rows().tobytes()
        and run.moments.units == other.moments.units
        and np.array_equal(run.moments.first, other.moments.first)
        and np.array_equal(run.moments.second, other.moments.second)
        and np.array_equal(run.cells, other.cells)
    )


@pytest.fixture(scope="module")
def big() -> Run:
    """More than one block of the usual size, on one thread."""
    return hands(70_000, workers=1)


@pytest.mark.parametrize(("workers", "chunk"), [(1, 1_000), (2, 1_000), (2, 65_536), (3, 7_777), (8, 70_000)])
def test_rows_do_not_depend_on_threads_or_chunks(big: Run, workers: int, chunk: int) -> None:
    assert equal(hands(70_000, workers=workers, chunk=chunk), big)


def test_a_part_of_many_blocks_gives_the_same(big: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BLOCK_UNITS, "hands", 999)
    assert equal(hands(70_000, chunk=40_000), big)


@pytest.mark.parametrize("mirror", [True, False])
def test_a_chunk_of_one_deal(mirror: bool) -> None:
    assert equal(hands(40, chunk=1, workers=3, mirror=mirror), hands(40, mirror=mirror))


def test_more_deals_leave_the_first_ones_alone() -> None:
    assert hands(1_000).result.rows()[:200].tobytes() == hands(100).result.rows().tobytes()


def test_the_first_deal_can_be_any(big: Run) -> None:
    rows = hands(10, first_deal=500).result.rows()
    assert rows.tobytes() == big.result.rows()[1_000:1_020].tobytes()


def test_statistics_are_those_of_the_rows(big: Run) -> None:
    sums = hands(70_000, keep="stats", workers=2)
    assert np.array_equal(sums.moments.second, big.moments.second)
    assert np.array_equal(sums.cells, big.cells)
    names = list(sums.moments.names)
    rows = big.result.rows()
    assert sums.moments.first[names.index("hands")] == len(rows)
    assert sums.moments.first[names.index("points_0")] == rows["points_0"].sum()
    assert sums.moments.first[names.index("turns")] == rows["turns"].sum()


@pytest.mark.parametrize("mirror", [True, False])
@pytest.mark.parametrize(("workers", "chunk"), [(1, 300), (2, 50), (3, 7)])
def test_games_do_not_depend_on_threads_or_chunks(mirror: bool, workers: int, chunk: int) -> None:
    one, other = games(300, mirror=mirror, workers=1), games(300, mirror=mirror, workers=workers, chunk=chunk)
    assert equal(one, other)
    assert one.result.games().tobytes() == other.result.games().tobytes()


def test_a_small_row_buffer_gives_the_same_games(monkeypatch: pytest.MonkeyPatch) -> None:
    straight = games(100)
    monkeypatch.setattr("gincore.runs.play.GAME_ROWS", 2)  # grows until a pair of games fits, then is used again
    small = games(100)
    assert equal(straight, small)
    assert straight.result.games().tobytes() == small.result.games().tobytes()


def test_hands_of_games_add_up() -> None:
    run = games(200)
    frame, table = run.hands, run.games
    assert list(frame.columns[:3]) == ["game", "hand", "deal"]
    assert (frame["deal"] == frame["game"] * HANDS_PER_GAME + frame["hand"]).all()
    counted = frame.groupby(["game", "mirror"]).agg(
        hands=("hand", "size"), last=("hand", "max"), points_0=("points_0", "sum"), points_1=("points_1", "sum")
    )
    by_game = table.set_index(["game", "mirror"])
    assert (counted["last"] == counted["hands"] - 1).all()
    for name in ("hands", "points_0", "points_1"):
        assert (counted[name] == by_game[name]).all()


def test_a_huge_plan_holds_few_chunks_at_a_time() -> None:
    taken = itertools.count()
    gate = threading.Event()

    def job(chunk: Any) -> int:
        gate.wait(5)
        return int(chunk.number)

    plan = make_plan("hands", "classic", SIMPLE, seed=1, count=10**12, keep="stats")
    from concurrent.futures import ThreadPoolExecutor

    def chunks() -> Any:
        for chunk in plan.chunks():
            if next(taken) == 9:
                return
            yield chunk

    sizes: list[int] = []
    with ThreadPoolExecutor(2) as pool:
        gate.set()
        running.run_jobs(lambda chunk: pool.submit(job, chunk), chunks(), lambda: 4, sizes.append)
    assert sorted(sizes) == list(range(9))


def test_too_many_rows_for_memory_are_refused_before_the_first_hand() -> None:
    with pytest.raises(UsageError, match=r"about 2,000,000,000 rows would take 80\.0 GB .*keep='stats'.*out=FOLDER"):
        hands(10**9)
    with pytest.raises(UsageError, match="GB of memory"):
        games(10**9)


@pytest.mark.parametrize("workers", [0, -1, 1.5, True, "2"])
def test_a_wrong_number_of_workers_is_refused(workers: object) -> None:
    with pytest.raises(UsageError, match=r"^workers .*: allowed are whole numbers from 1 to 1,024$"):
        hands(10, workers=workers)


def test_progress_is_silent_where_stderr_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    hands(10, progress=True)
    assert capsys.readouterr().err == ""


def test_progress_is_shown_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Terminal()
    monkeypatch.setattr("sys.stderr", screen)
    hands(1_000, progress=True)
    assert "hands/s" in screen.getvalue()
    assert "2.00k/2.00k" in screen.getvalue()


@pytest.mark.parametrize(("stored", "words"), [(True, "parts are saved in"), (False, "nothing is saved")])
def test_an_interrupt_says_what_is_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stored: bool, words: str
) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(running, "run_jobs", stop)
    monkeypatch.setattr("sys.argv", ["/usr/bin/gincore", "simulate", "--deals", "10", "--out", "a b"])
    with pytest.raises(running.Interrupted, match=words) as stopped:
        hands(10, out=tmp_path if stored else None)
    if stored:
        assert str(stopped.value).endswith("resume with: gincore simulate --deals 10 --out 'a b' --resume")


def test_of_several_failures_the_first_chunk_is_reported() -> None:
    from concurrent.futures import ThreadPoolExecutor

    from gincore.runs.layout import Layout

    late = threading.Event()

    def job(chunk: Any) -> int:
        if chunk.number == 1:
            late.wait(10)
            raise RunError("first")
        if chunk.number == 2:
            late.set()
            raise RunError("second")
        return 0

    with ThreadPoolExecutor(3) as pool, pytest.raises(RunError, match=r"^first$"):
        running.run_jobs(
            lambda chunk: pool.submit(job, chunk),
            Layout("hands", 0, 9, True, "stats", 1).chunks(),
            lambda: 6,
            lambda done: None,
        )


FAULTS = [
    (Status.bad_discard, Phase.discard, 12, "asked which card to throw, it answered Kc; allowed: Ac 2c 3c 4c 5c 6c 7c"),
    (Status.bad_discard, Phase.discard, 3, "answered 4c; allowed: Ac 2c 3c 5c"),
    (Status.bad_discard, Phase.discard, 77, "it answered 77; allowed: Ac 2c"),
    (Status.bad_draw, Phase.upcard, 5, "asked whether to take the upcard, it answered 5; allowed: 0 (leave it), 1"),
    (Status.bad_knock, Phase.knock, 2, "it answered 2 (go out throwing Ac); allowed: 0 (play on), 1 (go out), 2 + a"),
]


@pytest.mark.parametrize(("status", "phase", "answer", "words"), FAULTS)
def test_an_illegal_answer_is_explained_in_card_text(status: Status, phase: Phase, answer: int, words: str) -> None:
    ruleset = gincore.rules("oklahoma", undercut_bonus=10)
    plan = make_plan("hands", ruleset, ("simple", "threshold,limit=4"), seed=5, count=10)
    fault = np.array([123, 1, 1, phase, answer, (1 << 11) - 1, 40, 10])
    text = explain(plan, status, fault)
    assert text.startswith("strategy 'threshold,limit=4' (player 1) in deal 123, mirror 1: asked ")
    assert words in text
    assert "\n" not in text
    command = shlex.split(text.split("replay it with: ")[1])
    assert command[:2] == ["gincore", "simulate"]
    for pair in ("--deals 1", "--first-deal 123", "--seed 5", "--rules oklahoma", "--set undercut_bonus=10"):
        assert pair in " ".join(command)
    assert "threshold,limit=4" in " ".join(command)


def test_an_illegal_answer_in_a_game_names_the_game() -> None:
    plan = make_plan("games", "classic", SIMPLE, seed=5, count=10, mirror=False)
    text = explain(plan, Status.bad_draw, np.array([3 * HANDS_PER_GAME + 2, 0, 0, Phase.draw, 9, 0, 0, 10]))
    assert "in game 3, hand 2: asked" in text
    assert "gincore games --games 1 --first-game 3 --seed 5 --no-mirror --rules classic" in text


STUBBORN = """
import gincore

@gincore.decision
def discard(view, params):
    return int(params[0])

@gincore.decision
def knock(view, params):
    return 60

stubborn = gincore.Strategy("stubborn", discard=discard, params={"card": 99})
hasty = gincore.Strategy("hasty", knock=knock)
"""


@pytest.mark.parametrize(("name", "answer"), [("stubborn", "99"), ("stubborn,card=-3", "-3"), ("hasty", "60")])
@pytest.mark.parametrize("kind", ["hands", "games"])
def test_an_illegal_answer_ends_the_run_at_once(tmp_path: Path, name: str, answer: str, kind: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text(STUBBORN)
    play = gincore.simulate if kind == "hands" else gincore.simulate_games
    settings = {"deals" if kind == "hands" else "games": 10**9, "seed": 3, "keep": "stats", "progress": False}
    with pytest.raises(RunError) as failed:
        play("classic", (f"{file}:{name}", "simple"), workers=2, **settings)
    text = str(failed.value)
    assert text.startswith(f"strategy '{name}' (player 0) in {'deal' if kind == 'hands' else 'game'} 0, ")
    assert f"it answered {answer}; allowed: " in text
    assert "\n" not in text
    assert text.endswith(f"--strategy {file}:{name} --strategy simple")


def test_a_strategy_of_a_notebook_is_replayed_from_python() -> None:
    @gincore.decision
    def draw(view: Any, params: Any) -> Any:
        return 7

    odd = gincore.Strategy("odd", draw=draw)
    with pytest.raises(RunError) as failed:
        gincore.simulate("classic", ("simple", odd), deals=100, seed=3, mirror=False, progress=False)
    text = str(failed.value)
    assert text.startswith("strategy 'odd' (player 1) in deal ")
    assert (
        "it answered 7; allowed: 0 (leave it), 1 (take it); replay it with: gincore.simulate(rules, strategies, "
        in text
    )
    deal = int(text.split("first_deal=")[1].split(",")[0])
    with pytest.raises(RunError) as again:
        gincore.simulate("classic", ("simple", odd), deals=1, first_deal=deal, seed=3, mirror=False, progress=False)
    assert str(again.value) == text


PURE = """
import hashlib
import gincore

pair = ("simple", "threshold,limit=4")
hands = gincore.simulate("classic", pair, deals=120, seed=5, workers=2, chunk=50)
games = gincore.simulate_games("classic", pair, games=3, seed=5)
digest = hashlib.sha256(games.result.games().tobytes())
for run in (hands, games):
    for array in (run.result.rows(), run.moments.first, run.moments.second, run.cells):
        digest.update(array.tobytes())
print(digest.hexdigest())
"""


def test_pure_python_gives_the_same_bytes_without_a_warning() -> None:
    def digest(**environment: str) -> str:
        command = [sys.executable, "-W", "error::RuntimeWarning", "-c", PURE]
        child = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=False)
        assert child.stderr == ""
        return child.stdout

    assert digest(NUMBA_DISABLE_JIT="1") == digest() != ""
