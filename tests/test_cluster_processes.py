"""Schedulers and workers as processes of their own: the command line, versions that differ, and what may go away."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from faults import Note, note

import gincore
from gincore.api import Run
from gincore.errors import RunError
from gincore.runs import cluster
from gincore.runs.jobs import Lost
from gincore.runs.keep import Memory
from gincore.runs.layout import Chunk
from gincore.runs.packed import Packed
from gincore.runs.plan import make_plan

pytest.importorskip("distributed", reason="dask.distributed is not installed: gincore[cluster]")
pytestmark = pytest.mark.skipif(os.name != "posix", reason="POSIX signals")

DEALS, SEED = 200_000, 9
PACKAGE = Path(gincore.__file__).parent

CHILD = """
import sys
from gincore.runs import layout
layout.BLOCK_UNITS["hands"] = 2_000
from gincore.cli import main
sys.argv[0] = "gincore"
sys.exit(main())
"""
"""The command line, with a hundred small parts."""


def command(out: Path, scheduler: str) -> subprocess.Popen[str]:
    words = ["simulate", "--deals", str(DEALS), "--seed", str(SEED), "--scheduler", scheduler, "--out", str(out)]
    return subprocess.Popen(
        [sys.executable, "-c", CHILD, *words], stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def play(out: Path | None, **settings: object) -> Run:
    return gincore.simulate(
        "classic", ("simple", "simple"), deals=DEALS, seed=SEED, out=out, progress=False, **settings
    )


@pytest.fixture(scope="module")
def straight() -> Run:
    return play(None)


@contextmanager
def process(folder: Path, *words: str, path: Path = PACKAGE.parent) -> Iterator[subprocess.Popen[bytes]]:
    """A process of Dask, which finds gincore in ``path``; killed in the end."""
    environment = os.environ | {"PYTHONPATH": str(path)}
    started = subprocess.Popen(
        [sys.executable, "-m", *words],
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield started
    finally:
        started.kill()
        started.wait()


@contextmanager
def scheduler(folder: Path) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """A scheduler at a free port: its address, and its process."""
    file = folder / "scheduler.json"
    words = ["distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    with process(folder, *words, "--scheduler-file", str(file)) as started:
        limit = time.monotonic() + 60
        while not file.exists():
            assert time.monotonic() < limit
            time.sleep(0.05)
        time.sleep(0.1)
        yield json.loads(file.read_text())["address"], started


def worker(folder: Path, address: str, **where: Path) -> AbstractContextManager[subprocess.Popen[bytes]]:
    return process(
        folder, "distributed.cli.dask_worker", address, "--no-nanny", "--nthreads", "1", "--no-dashboard", **where
    )


def play_and_kill(address: str, only: subprocess.Popen[bytes]) -> None:
    """Play, and kill the only worker after the second part."""
    plan = make_plan("hands", "classic", ("simple", "simple"), seed=SEED, count=DEALS, chunk=2_000)

    class Killing(Memory):
        def put(self, chunk: Chunk, packed: Packed) -> None:
            super().put(chunk, packed)
            if len(self.pieces) == 2:
                only.kill()

    cluster.play_on(address, plan, Killing(plan.layout), False)


def wait_for_parts(out: Path, process: subprocess.Popen[str], parts: int) -> None:
    limit = time.monotonic() + 120
    while len(list(out.glob("hands/part-*.parquet"))) < parts:
        assert process.poll() is None, process.communicate()[1]
        assert time.monotonic() < limit
        time.sleep(0.002)


def test_workers_of_a_scheduler_that_goes_away(tmp_path: Path, straight: Run, record_property: Note) -> None:
    """First no worker, then one of another version, then a good one; then the scheduler is killed."""
    out = tmp_path / "run"
    with scheduler(tmp_path) as (address, started):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(cluster, "WORKER_SECONDS", 0)
            with pytest.raises(
                RunError, match=rf"^the scheduler at {address} has had no worker for 0 s \(start some wit"
            ):
                play(out, scheduler=address)
        with worker(tmp_path, address) as only, pytest.MonkeyPatch.context() as patch:
            patch.setattr(cluster, "COUNT_SECONDS", 0.1)
            patch.setattr(cluster, "WORKER_SECONDS", 0.5)
            with pytest.raises(Lost, match=r"has had no worker for 0\.5 s"):
                play_and_kill(address, only)
        other = tmp_path / "other"
        shutil.copytree(PACKAGE, other / "gincore")
        with (other / "gincore" / "schema.py").open("a") as file:
            file.write("# changed\n")
        with (
            worker(tmp_path, address, path=other),
            pytest.raises(
                RunError,
                match=r"^worker tcp://\S+ is another one: gincore's source is [0-9a-f]{16} there and [0-9a-f]{16} here",
            ),
        ):
            play(out, scheduler=address)
        with worker(tmp_path, address):
            run = command(out, address)
            wait_for_parts(out, run, 3)
            started.kill()
            killed = time.monotonic()
            err = run.communicate(timeout=60)[1]
            noticed = time.monotonic() - killed
    assert run.returncode == 1
    assert err.startswith(f"gincore: the scheduler at {address} is gone: ")
    assert "of 100 parts are saved in " in err
    assert err.endswith(f"--scheduler {address} --out {out} --resume\n")
    assert err.count("\n") == 1
    started_again = time.monotonic()
    resumed = play(out, resume=True)
    seconds = time.monotonic() - started_again
    what = f"noticed in {noticed:.1f} s, one line; resumed without it"
    note(record_property, "a scheduler that goes away", what, resumed, straight, seconds)


@pytest.mark.parametrize("name", ["SIGINT", "SIGKILL"])
def test_a_local_cluster_ends_with_its_run(tmp_path: Path, straight: Run, record_property: Note, name: str) -> None:
    """Ctrl-C is sent to all processes of the group, as a terminal does; SIGKILL to the run alone."""
    run = command(tmp_path, "local:2")
    wait_for_parts(tmp_path, run, 3)
    sent = time.monotonic()
    if name == "SIGINT":
        os.killpg(run.pid, signal.SIGINT)
    else:
        run.kill()
    err = run.communicate(timeout=60)[1]
    stopped = time.monotonic() - sent
    assert run.returncode == (130 if name == "SIGINT" else -9)
    what = "the processes end too"
    if name == "SIGINT":
        assert err.startswith("gincore: interrupted: ")
        assert err.endswith(f"--scheduler local:2 --out {tmp_path} --resume\n")
        assert err.count("\n") == 1
        what = f"stops in {stopped:.1f} s, names the command that resumes"
    limit = time.monotonic() + 20
    while alive(run.pid):
        assert time.monotonic() < limit, "a worker has outlived its run"
        time.sleep(0.05)
    started = time.monotonic()
    resumed = play(tmp_path, resume=True)
    fault = "Ctrl-C with local:2" if name == "SIGINT" else "SIGKILL with local:2"
    note(record_property, fault, what, resumed, straight, time.monotonic() - started)


def alive(group: int) -> bool:
    """Whether a process of this group still runs; one that is dead and not yet reaped does not."""
    listed = subprocess.run(["ps", "-A", "-o", "pgid=,stat="], capture_output=True, text=True, check=True).stdout
    return any(int(line.split()[0]) == group and "Z" not in line.split()[1] for line in listed.splitlines())


def test_a_script_without_the_guard_ends_with_a_hint(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "import gincore\n"
        "gincore.simulate('classic', ('simple', 'simple'), deals=10, seed=1, scheduler='local:1', progress=False)\n"
    )
    shown = subprocess.run(
        [sys.executable, script],
        env=os.environ | {"PYTHONPATH": str(PACKAGE.parent)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert shown.returncode == 1
    assert shown.stderr.splitlines()[-1] == (
        "gincore.errors.RunError: the processes of scheduler local:1 did not start; a script that names one must play "
        "under if __name__ == '__main__':"
    )
