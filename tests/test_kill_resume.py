"""A run that is really killed, and one that is interrupted, go on where they stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import gincore
from gincore.api import Run, open_run

CHILD = """
import sys
import gincore
kind, out, units, chunk, keep = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5]
play = gincore.simulate if kind == "hands" else gincore.simulate_games
count = {"deals": units} if kind == "hands" else {"games": units}
try:
    play("classic", ("simple", "simple"), seed=11, out=out, chunk=chunk, keep=keep, workers=2, **count)
except KeyboardInterrupt as stopped:
    sys.exit(f"{type(stopped).__name__}: {stopped}")
"""


def start(kind: str, out: Path, units: int, chunk: int, keep: str = "rows") -> subprocess.Popen[str]:
    command = [sys.executable, "-c", CHILD, kind, str(out), str(units), str(chunk), keep]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)


def wait_for_parts(child: subprocess.Popen[str], out: Path, pattern: str, parts: int) -> None:
    limit = time.monotonic() + 120
    while len(list(out.glob(pattern))) < parts:
        assert child.poll() is None, f"the child ended early: {child.communicate()[1]}"
        assert time.monotonic() < limit
        time.sleep(0.001)


def play(kind: str, units: int, out: Path | None, resume: bool, chunk: int | None = None, keep: str = "rows") -> Run:
    settings = {"seed": 11, "out": out, "resume": resume, "chunk": chunk, "keep": keep, "progress": False, "workers": 1}
    if kind == "hands":
        return gincore.simulate("classic", ("simple", "simple"), deals=units, **settings)
    return gincore.simulate_games("classic", ("simple", "simple"), games=units, **settings)


@pytest.fixture(scope="module")
def unbroken() -> dict[str, Run]:
    """Each run without a stop, in memory, in one chunk."""
    return {"hands": play("hands", 60_000, None, False), "games": play("games", 6_000, None, False)}


@pytest.mark.parametrize(
    ("kind", "units", "chunk", "parts"),
    [("hands", 60_000, 500, 1), ("hands", 60_000, 500, 17), ("hands", 60_000, 500, 60), ("games", 6_000, 50, 20)],
)
def test_a_killed_run_resumes_to_the_same_rows(
    tmp_path: Path, unbroken: dict[str, Run], kind: str, units: int, chunk: int, parts: int
) -> None:
    child = start(kind, tmp_path, units, chunk)
    wait_for_parts(child, tmp_path, "hands/part-*.parquet", parts)
    child.send_signal(signal.SIGKILL)
    assert child.wait() == -signal.SIGKILL
    child.communicate()
    kept = {path: path.stat().st_mtime_ns for path in (tmp_path / kind).glob("part-*.parquet")}
    assert parts - 2 <= len(kept) < units // chunk
    resumed = play(kind, units, tmp_path, True, chunk)
    straight = unbroken[kind]
    assert resumed.result.rows().tobytes() == straight.result.rows().tobytes()
    assert np.array_equal(resumed.moments.second, straight.moments.second)
    assert np.array_equal(resumed.cells, straight.cells)
    assert resumed.summary().equals(straight.summary())
    if kind == "games":
        assert resumed.result.games().tobytes() == straight.result.games().tobytes()
    assert all(path.stat().st_mtime_ns == when for path, when in kept.items())  # none was played twice
    assert not list(tmp_path.rglob("*.tmp"))
    assert open_run(tmp_path).result.rows().tobytes() == straight.result.rows().tobytes()


def test_killed_statistics_resume_to_the_same_sums(tmp_path: Path, unbroken: dict[str, Run]) -> None:
    child = start("hands", tmp_path, 60_000, 500, "stats")
    wait_for_parts(child, tmp_path, "stats/part-*.npz", 10)
    child.kill()
    child.communicate()
    assert len(list(tmp_path.glob("stats/part-*.npz"))) < 120
    resumed = play("hands", 60_000, tmp_path, True, keep="stats")
    assert np.array_equal(resumed.moments.second, unbroken["hands"].moments.second)
    assert np.array_equal(resumed.cells, unbroken["hands"].cells)


def test_ctrl_c_saves_finished_parts_and_says_how_to_go_on(tmp_path: Path) -> None:
    child = start("hands", tmp_path, 10**11, 1_000_000, "rows")
    wait_for_parts(child, tmp_path, "hands/.part-*.parquet.tmp", 1)  # the first part is being written
    started = time.monotonic()
    child.send_signal(signal.SIGINT)
    message = child.communicate(timeout=60)[1]
    assert time.monotonic() - started < 10  # about a second on an idle machine
    assert child.returncode == 1
    said, last = message.splitlines()
    assert said == "gincore: stopping after the parts in play; Ctrl-C again stops now"
    assert last.startswith("Interrupted: interrupted: ")
    assert "of 100,000 parts are saved" in message
    assert "resume=True" in message
    assert not list(tmp_path.rglob("*.tmp"))
    assert os.path.exists(tmp_path / "manifest.json")
