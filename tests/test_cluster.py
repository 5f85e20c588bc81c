"""Playing on a cluster: the rows of a local run, strategies that travel, workers that die."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from faults import Note, note

import gincore
from gincore.api import Run, open_run
from gincore.errors import RunError, UsageError
from gincore.runs import cluster
from gincore.runs.jobs import IN_FLIGHT
from gincore.runs.keep import Memory
from gincore.runs.layout import Chunk
from gincore.runs.packed import Packed
from gincore.runs.plan import make_plan

distributed = pytest.importorskip("distributed", reason="dask.distributed is not installed: gincore[cluster]")
import dask  # noqa: E402  (comes with distributed)

SIMPLE = ("simple", "simple")
WORKERS = 2
MEMORY = "1.2GB"
"""Of one worker; :data:`HOARDER` takes more."""


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    """Two workers of one thread each, that give up a part after two deaths."""
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 1}),
        distributed.LocalCluster(
            n_workers=WORKERS,
            threads_per_worker=1,
            memory_limit=MEMORY,
            dashboard_address=":0",
            silence_logs=logging.CRITICAL,
        ) as local,
        distributed.Client(local, set_as_default=False) as connected,
    ):
        yield connected


def play(kind: str, count: int, strategies: Any = SIMPLE, **settings: Any) -> Run:
    settings = {"seed": 5, "progress": False} | settings
    if kind == "hands":
        return gincore.simulate("classic", strategies, deals=count, **settings)
    return gincore.simulate_games("classic", strategies, games=count, **settings)


def parts(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.glob("*/part-*"))}


@pytest.mark.parametrize("keep", ["rows", "stats"])
@pytest.mark.parametrize(("kind", "count", "chunk"), [("hands", 3_000, 700), ("games", 120, 50)])
def test_a_stored_run_has_the_bytes_of_a_local_one(
    client: Any, tmp_path: Path, kind: str, count: int, chunk: int, keep: str
) -> None:
    local = play(kind, count, chunk=chunk, keep=keep, out=tmp_path / "local", workers=2)
    remote = play(kind, count, chunk=chunk, keep=keep, out=tmp_path / "remote", scheduler=client)
    assert parts(tmp_path / "remote") == parts(tmp_path / "local")
    assert len(parts(tmp_path / "remote")) >= 3
    for run in (remote, open_run(tmp_path / "remote")):
        assert np.array_equal(run.moments.second, local.moments.second)
        assert np.array_equal(run.cells, local.cells)


@pytest.mark.parametrize("keep", ["rows", "stats"])
def test_a_run_in_memory_is_the_local_one(client: Any, keep: str) -> None:
    local = play("games", 120, keep=keep, first_game=40)
    remote = play("games", 120, keep=keep, first_game=40, chunk=50, scheduler=client)
    assert np.array_equal(remote.moments.second, local.moments.second)
    assert np.array_equal(remote.cells, local.cells)
    if keep == "rows":
        assert remote.result.rows().tobytes() == local.result.rows().tobytes()
        assert remote.result.games().tobytes() == local.result.games().tobytes()


def test_parts_that_are_there_are_not_played_again(client: Any, tmp_path: Path) -> None:
    straight = play("hands", 3_000, chunk=700, out=tmp_path)
    (tmp_path / "hands" / "part-00002.parquet").unlink()
    before = {path: path.stat().st_mtime_ns for path in tmp_path.glob("hands/part-*")}
    resumed = play("hands", 3_000, out=tmp_path, resume=True, scheduler=client)
    assert resumed.result.rows().tobytes() == straight.result.rows().tobytes()
    assert np.array_equal(resumed.moments.second, straight.moments.second)
    assert all(path.stat().st_mtime_ns == when for path, when in before.items())


def test_few_chunks_are_under_way_at_once(client: Any) -> None:
    plan = make_plan("hands", "classic", SIMPLE, seed=5, count=2_000, chunk=20)
    seen = []

    class Watched(Memory):
        def put(self, chunk: Chunk, packed: Packed) -> None:
            seen.append(len(client.futures))
            super().put(chunk, packed)

    cluster.play_on(client, plan, Watched(plan.layout), False)
    assert len(seen) == 100
    assert max(seen) <= 2 * IN_FLIGHT * WORKERS  # the plan itself, and what has not been dropped yet
    deadline = time.monotonic() + 10
    while client.futures and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not client.futures


# ----------------------------------------------------------------------------------------------- strategies that travel

HELPER = """
import numpy as np
from numba import njit

LIMITS = np.array([9, 6, 3], np.int64)

@njit
def limit(turn):
    return LIMITS[min(turn // 6, 2)]
"""

MINE = """
import gincore
import limits_of_mine

@gincore.decision
def knock(view, params):
    return view.deadwood <= limits_of_mine.limit(view.turn) - params[0]

@gincore.decision
def draw(view, params):
    return 7 if view.turn > 6 else 0

patient = gincore.Strategy("patient", knock=knock, params={"minus": 1})
faulty = gincore.Strategy("faulty", draw=draw)
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    folder = tmp_path / "my strategies"
    folder.mkdir()
    (folder / "limits_of_mine.py").write_text(HELPER)
    (folder / "mine.py").write_text(MINE)
    return folder / "mine.py"


def test_a_strategy_of_a_file_travels_with_the_modules_beside_it(client: Any, mine: Path) -> None:
    pair = (f"{mine}:patient,minus=0", "lookahead")
    assert (
        play("hands", 800, pair, scheduler=client).result.rows().tobytes()
        == play("hands", 800, pair).result.rows().tobytes()
    )


def test_the_file_itself_is_not_needed_by_a_worker(client: Any, mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    straight = play("hands", 300, (f"{mine}:patient", "simple"))
    pack = cluster.pack

    def pack_and_hide(*plan: Any) -> Any:
        packed = pack(*plan)
        mine.parent.rename(mine.parent.with_name("elsewhere"))
        return packed

    monkeypatch.setattr(cluster, "pack", pack_and_hide)
    remote = play("hands", 300, (f"{mine}:patient", "simple"), scheduler=client, chunk=100)
    assert remote.result.rows().tobytes() == straight.result.rows().tobytes()
    assert not mine.exists()


def test_a_strategy_of_a_notebook_travels(client: Any) -> None:
    cell: dict[str, Any] = {"__name__": "__main__", "gincore": gincore, "LIMIT": 3}
    exec("@gincore.decision\ndef knock(view, params):\n    return view.deadwood <= LIMIT\n", cell)
    strategy = gincore.Strategy("of a cell", knock=cell["knock"])
    remote = play("hands", 800, (strategy, "simple"), scheduler=client, chunk=300)
    assert remote.result.rows().tobytes() == play("hands", 800, (strategy, "simple")).result.rows().tobytes()


def test_an_illegal_answer_is_told_as_by_a_local_run(client: Any, mine: Path) -> None:
    lines = []
    for settings in ({"workers": 1}, {"scheduler": client}):
        with pytest.raises(RunError) as failed:
            play("hands", 2_000, (f"{mine}:faulty", "simple"), chunk=200, **settings)
        lines.append(str(failed.value))
    assert lines[0] == lines[1]
    assert "it answered 7; allowed: 0 (leave it), 1 (take it); replay it with: gincore simulate" in lines[1]
    assert f"--strategy '{mine}:faulty'" in lines[1]


def test_a_module_that_the_workers_lack_is_named(
    client: Any, mine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "only_here.py").write_text("from numba import njit\n\n@njit\ndef five():\n    return 5\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    mine.write_text(
        MINE.replace("import limits_of_mine", "import only_here").replace(
            "limits_of_mine.limit(view.turn)", "only_here.five()"
        )
    )
    with pytest.raises(RunError, match=r"needs the module 'only_here', which the workers lack: install it there, or"):
        play("hands", 100, (f"{mine}:patient", "simple"), scheduler=client)


def test_what_cannot_travel_is_refused(client: Any) -> None:
    import ctypes

    absolute = ctypes.CDLL(None).abs
    absolute.argtypes, absolute.restype = [ctypes.c_int], ctypes.c_int
    cell: dict[str, Any] = {"__name__": "__main__", "gincore": gincore, "absolute": absolute}
    exec("@gincore.decision\ndef knock(view, params):\n    return absolute(view.deadwood) <= 3\n", cell)
    strategy = gincore.Strategy("of a cell", knock=cell["knock"])
    with pytest.raises(
        UsageError, match=r"^strategies of a cell, simple cannot be sent to other processes \(.*\): let"
    ):
        play("hands", 100, (strategy, "simple"), scheduler=client)


# ------------------------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("scheduler", "words"),
    [
        ("local", r"^scheduler 'local' \(--scheduler\): allowed are local:N \(N processes"),
        ("local:0", "^scheduler local:N, N 0: allowed are whole numbers from 1 to 1,024"),
        ("local:x", "allowed are local:N"),
        ("localhost:8786", "allowed are local:N"),
        ("tcp://host", "allowed are local:N"),
        ("", "allowed are local:N"),
        (8786, "and in Python a distributed.Client"),
    ],
)
def test_a_wrong_scheduler_is_refused_before_anything_is_written(tmp_path: Path, scheduler: Any, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        play("hands", 10, scheduler=scheduler, out=tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_workers_are_the_schedulers() -> None:
    with pytest.raises(UsageError, match=r"^workers \(--workers\) are threads of this process: leave it out"):
        play("hands", 10, scheduler="local:2", workers=2)


def test_without_dask_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match=r"not installed: pip install 'gincore\[cluster\]'$"):
        play("hands", 10, scheduler="local:2")


def test_a_scheduler_that_nobody_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1)
    with pytest.raises(RunError, match=r"^the scheduler at tcp://127\.0\.0\.1:9 cannot be reached within 1 s: is it"):
        play("hands", 10, scheduler="tcp://127.0.0.1:9", out=tmp_path)
    assert not list(tmp_path.glob("*/part-*"))


def test_a_local_run_imports_no_dask() -> None:
    code = (
        "import sys, gincore; gincore.simulate('classic', ('simple', 'simple'), deals=1, seed=1, progress=False); "
        "sys.exit(bool({'dask', 'distributed', 'cloudpickle'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=120).returncode == 0


# ----------------------------------------------------------------------------------------------------- workers that die


def test_a_killed_worker_costs_time_and_no_row(client: Any, tmp_path: Path, record_property: Note) -> None:
    """In the middle of the run one of two workers is killed by its pid; the other, and its successor, go on."""
    straight = play("hands", 60_000)
    pids = list(client.run(os.getpid).values())
    plan = make_plan("hands", "classic", SIMPLE, seed=5, count=60_000, chunk=600)
    killed: list[float] = []

    class Killing(Memory):
        def put(self, chunk: Chunk, packed: Packed) -> None:
            super().put(chunk, packed)
            if len(self.pieces) == 20:
                os.kill(pids[0], signal.SIGKILL)
                killed.append(time.monotonic())

    memory = Killing(plan.layout)
    cluster.play_on(client, plan, memory, False)
    seconds = time.monotonic() - killed[0]
    client.wait_for_workers(WORKERS, timeout=60)
    assert pids[0] not in client.run(os.getpid).values()
    run = Run(gincore.runs.Result(plan.manifest(), plan.layout, plan=plan, pieces=memory.ordered()))
    note(record_property, "a worker killed (SIGKILL by pid)", "the run goes on", run, straight, seconds)


HOARDER = """
import gincore
import numpy as np

@gincore.decision
def knock(view, params):
    if view.turn == 12 and view.random % 4096 == 4:  # once in 16,000 deals, in the 14th part
        hoard = np.ones(150_000_000)
        for _ in range(2):
            for place in range(len(hoard)):
                hoard[place] += 1.0
        return hoard[7] > 0.0
    return 1

hoarder = gincore.Strategy("hoarder", knock=knock)
"""


def test_a_worker_out_of_memory_ends_the_run_and_loses_no_part(
    client: Any, tmp_path: Path, record_property: Note
) -> None:
    file = tmp_path / "hoarder.py"
    file.write_text(HOARDER)
    pair = (f"{file}:hoarder", "simple")
    settings: dict[str, Any] = {"out": tmp_path / "run", "chunk": 1_000}
    with pytest.raises(RunError) as failed:
        play("hands", 16_000, pair, scheduler=client, **settings)
    text = str(failed.value)
    assert text.startswith("2 workers of the scheduler at ")
    assert "died one after the other over the same part, perhaps out of memory" in text
    assert " parts are saved in " in text
    assert "\n" not in text
    kept = parts(tmp_path / "run")
    assert 10 <= len(kept) < 16
    started = time.monotonic()
    run = play("hands", 16_000, pair, resume=True, **settings)
    seconds = time.monotonic() - started
    assert kept.items() <= parts(tmp_path / "run").items()
    straight = play("hands", 16_000, pair)
    note(record_property, "a worker out of memory", "two tries, then one line; resumed", run, straight, seconds)
