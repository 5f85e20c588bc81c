"""Faults that really happen to a run on one machine: it stops, says why in one line, and goes on to the same rows."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from faults import Note, check_rows, note

import gincore
from gincore.api import Run, open_run
from gincore.errors import RunError, UsageError

DEALS, SEED, CHUNK = 80_000, 11, 4_000
DATA = Path(__file__).parent / "data"
NOBODY = 65_534
IS_ROOT = hasattr(os, "geteuid") and os.geteuid() == 0

pytestmark = pytest.mark.skipif(os.name != "posix", reason="POSIX signals, users and mounts")


def play(out: Path | None, **changes: Any) -> Run:
    settings: dict[str, Any] = {"deals": DEALS, "seed": SEED, "workers": 2, "progress": False} | changes
    return gincore.simulate("classic", ("simple", "simple"), out=out, **settings)


def resumed(out: Path, **changes: Any) -> tuple[Run, float]:
    """The run that goes on, and how long it took."""
    started = time.monotonic()
    run = play(out, resume=True, **changes)
    return run, time.monotonic() - started


@pytest.fixture(scope="module")
def straight() -> Run:
    return play(None)


CHILD = """
import sys
from gincore.runs import layout
layout.BLOCK_UNITS["hands"] = 800
from gincore.cli import main
sys.argv[0] = "gincore"
sys.exit(main())
"""


def child(out: Path) -> subprocess.Popen[str]:
    """The same run by the command line, on one thread, in a hundred small parts."""
    words = ["simulate", "--deals", str(DEALS), "--seed", str(SEED), "--workers", "1", "--out", str(out)]
    return subprocess.Popen([sys.executable, "-c", CHILD, *words], stderr=subprocess.PIPE, text=True)


def wait_for_parts(out: Path, process: subprocess.Popen[str], parts: int = 1) -> None:
    limit = time.monotonic() + 120
    while len(list(out.glob("hands/part-*.parquet"))) < parts:
        assert process.poll() is None, process.communicate()[1]
        assert time.monotonic() < limit
        time.sleep(0.001)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@contextmanager
def disk(size: str) -> Iterator[tuple[Path, Callable[[str], None]]]:
    """A small disk of its own, and what mounts it again with other options."""
    place = Path(tempfile.mkdtemp())
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", place], capture_output=True, check=False
    )
    if mounted.returncode:
        place.rmdir()
        pytest.skip("no disk may be mounted here")

    def again(options: str) -> None:
        subprocess.run(["mount", "-o", f"remount,{options}", place], capture_output=True, check=True)

    try:
        yield place, again
    finally:
        subprocess.run(["umount", place], check=True)
        place.rmdir()


@contextmanager
def as_nobody() -> Iterator[None]:
    """For root, act as a user whom permissions bind."""
    if IS_ROOT:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if IS_ROOT:
            os.seteuid(0)


@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGKILL", -9)])
def test_a_signal(tmp_path: Path, straight: Run, record_property: Note, name: str, code: int) -> None:
    process = child(tmp_path)
    wait_for_parts(tmp_path, process)
    sent = time.monotonic()
    process.send_signal(getattr(signal, name))
    err = process.communicate(timeout=60)[1]
    stopped = time.monotonic() - sent
    assert process.returncode == code
    assert stopped < 5  # a fraction of a second on an idle machine; what was measured is noted
    what = "dies"
    if name != "SIGKILL":
        assert err.splitlines()[-1].startswith("gincore: interrupted: ")
        assert "of 100 parts are saved in " in err
        assert err.endswith(f"--out {tmp_path} --resume\n")
        what = f"stops in {stopped:.2f} s, names the command that resumes"
    run, seconds = resumed(tmp_path)
    note(record_property, {"SIGINT": "Ctrl-C (SIGINT)"}.get(name, name), what, run, straight, seconds)


def test_a_full_disk(straight: Run, record_property: Note) -> None:
    with disk("300k") as (out, again):
        with pytest.raises(RunError) as failed:
            play(out, chunk=CHUNK)
        assert str(failed.value).startswith(f"cannot write {out}/hands/part-")
        assert str(failed.value).endswith("No space left on device (ENOSPC)")
        kept = contents(out)
        assert not [name for name in kept if name.endswith(".tmp")]
        assert 1 < len([name for name in kept if "part-" in name]) < DEALS // CHUNK
        again("size=64m")
        run, seconds = resumed(out)
        assert {name: data for name, data in contents(out).items() if name in kept and name != ".lock"} == {
            name: data for name, data in kept.items() if name != ".lock"
        }
        note(record_property, "a full disk (tmpfs of 300 kB)", "one line, no half file", run, straight, seconds)


def test_a_read_only_disk(straight: Run, record_property: Note) -> None:
    with disk("64m") as (place, again):
        out = place / "run"
        play(out, chunk=CHUNK)
        (out / "hands" / "part-00003.parquet").unlink()
        again("ro")
        with pytest.raises(RunError, match=r"^cannot write .*\.lock: Read-only file system \(EROFS\)$"):
            play(out, resume=True)
        with pytest.raises(RunError, match=r"^cannot write .*: Read-only file system \(EROFS\)$"):
            play(place / "another")
        again("rw")
        run, seconds = resumed(out)
        note(record_property, "a read-only disk", "one line", run, straight, seconds)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder in which another user may write."""
    place = Path(tempfile.mkdtemp())
    place.chmod(0o777)
    yield place
    shutil.rmtree(place)


def test_a_folder_without_permission(open_folder: Path, straight: Run, record_property: Note) -> None:
    out = open_folder / "run"
    with as_nobody():
        play(out, chunk=CHUNK)
        (out / "hands" / "part-00003.parquet").unlink()
        (out / "hands").chmod(0o555)
        with pytest.raises(RunError, match=r"^cannot write .*part-00003\.parquet: Permission denied \(EACCES\)$"):
            play(out, resume=True)
        (out / "hands").chmod(0o755)
        run, seconds = resumed(out)
        note(record_property, "a folder that may not be written", "one line", run, straight, seconds)


def test_a_part_without_permission(open_folder: Path, straight: Run, record_property: Note) -> None:
    out = open_folder / "run"
    with as_nobody():
        play(out, chunk=CHUNK)
        part = out / "hands" / "part-00003.parquet"
        part.chmod(0)
        for use in (lambda: open_run(out).moments, lambda: play(out, resume=True)):
            with pytest.raises(RunError, match=r"^cannot read .*part-00003\.parquet: Permission denied$"):
                use()
        part.chmod(0o644)
        run, seconds = resumed(out)
        note(record_property, "a part that may not be read", "one line", run, straight, seconds)


def cut(part: Path, _: Path) -> None:
    part.write_bytes(part.read_bytes()[:1_000])


def foreign(part: Path, other: Path) -> None:
    play(other, seed=SEED + 1, chunk=CHUNK, deals=4 * CHUNK)
    shutil.copy(other / "hands" / part.name, part)


@pytest.mark.parametrize(
    ("damage", "fault", "words"),
    [(cut, "a part that is cut", "Parquet"), (foreign, "a part of another run", "it is a part of another run")],
)
def test_a_part_that_is_not_the_runs(
    tmp_path: Path,
    straight: Run,
    record_property: Note,
    caplog: pytest.LogCaptureFixture,
    damage: Callable[[Path, Path], None],
    fault: str,
    words: str,
) -> None:
    out = tmp_path / "run"
    play(out, chunk=CHUNK)
    damage(out / "hands" / "part-00003.parquet", tmp_path / "other")
    with pytest.raises(
        RunError, match=rf"part-00003\.parquet cannot be read \(.*{words}.*\); run it again with resume"
    ):
        _ = open_run(out).moments
    run, seconds = resumed(out)
    assert words in caplog.text
    note(record_property, fault, "named, set aside, played again", run, straight, seconds)


def test_two_processes_and_the_lock_of_a_dead_one(tmp_path: Path, straight: Run, record_property: Note) -> None:
    process = child(tmp_path)
    wait_for_parts(tmp_path, process)
    process.send_signal(signal.SIGSTOP)  # it holds the lock, however long the second one takes
    started = time.monotonic()
    with pytest.raises(RunError) as refused:
        play(tmp_path, resume=True)
    assert time.monotonic() - started < 5
    assert str(refused.value).startswith(f"{tmp_path} is being written by process {process.pid} on ")
    assert str(refused.value).endswith("; wait for it or choose another folder")
    process.kill()
    process.communicate()
    assert (tmp_path / ".lock").read_text().startswith(f"{process.pid} on ")
    run, seconds = resumed(tmp_path)
    what = "the second is refused, the first named; its lock dies with it"
    note(record_property, "two processes on one folder", what, run, straight, seconds)


def test_a_manifest_that_differs(tmp_path: Path, straight: Run, record_property: Note) -> None:
    play(tmp_path, chunk=CHUNK)
    (tmp_path / "hands" / "part-00003.parquet").unlink()
    before = contents(tmp_path)
    with pytest.raises(UsageError, match=r"holds another run, .*: seed \(--seed\): 11 in the folder, 12 asked for"):
        play(tmp_path, resume=True, seed=12)
    assert contents(tmp_path) == before
    run, seconds = resumed(tmp_path)
    note(record_property, "a manifest that differs", "refused, differences named", run, straight, seconds)


def test_a_folder_of_an_older_format(tmp_path: Path, record_property: Note) -> None:
    """``tests/data/format-2`` was written by gincore of that time, and is kept as it was."""
    out = tmp_path / "run"
    shutil.copytree(DATA / "format-2", out)
    with pytest.raises(RunError, match=r"its format is 2, this gincore reads 3$"):
        open_run(out)
    with pytest.raises(
        RunError, match=r"as an older gincore wrote them \(format 2\); play it again into another folder"
    ):
        play(out, deals=20, seed=7, resume=True)
    assert {name: data for name, data in contents(out).items() if name != ".lock"} == contents(DATA / "format-2")
    straight = play(None, deals=20, seed=7)
    run, seconds = resumed(tmp_path / "another", deals=20, seed=7)
    note(record_property, "a folder of an older format", "refused, both formats named", run, straight, seconds)
    rows = pd.read_parquet(out / "part-00000.parquet")
    assert rows["points_0"].tolist() == straight.hands["points_0"].tolist()


def test_a_folder_of_this_format_is_read_as_long_as_it_is_one() -> None:
    """``tests/data/format-3`` was written before parts bore the mark of their run."""
    check_rows(open_run(DATA / "format-3").result.rows(), play(None, deals=20, seed=7))
