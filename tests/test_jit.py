"""The compile policy: what a cache belongs to, where it lies, and what an import costs (cases N01, N02, N04).

What is compiled cold here is the deadwood of hands, a few seconds, and not the whole engine.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import gincore
from gincore import _jit

PACKAGE = Path(gincore.__file__).resolve().parent
SHOW_CACHE = "from gincore import _jit; print(_jit.source_digest()); print(_jit.cache_directory())"
DEADWOOD = """
import gincore
print(*gincore.deadwood(["5h 5s 5c 6h Kc Qd 9s 8d 2c 3d", "Ad As Ah Ac 2c 3c 4c 4h 4d 4s"]))
"""


def python(code: str, root: Path, **variables: str) -> subprocess.Popen[str]:
    kept = ("PATH", "SYSTEMROOT", "TMPDIR", "LANG", "LC_ALL", "VIRTUAL_ENV", "HOME")
    environment = {name: os.environ[name] for name in kept if name in os.environ}
    environment |= {"PYTHONPATH": str(root), "MPLBACKEND": "Agg"} | variables
    return subprocess.Popen(
        [sys.executable, "-W", "always::RuntimeWarning", "-c", code],
        env=environment, cwd=root, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def finish(child: subprocess.Popen[str], seconds: float = 300) -> tuple[list[str], str]:
    try:
        out, error = child.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        child.kill()
        out, error = child.communicate()
        raise AssertionError(f"no end after {seconds} s: {error}") from None
    assert child.returncode == 0, error
    return out.split(), error


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("copy")
    shutil.copytree(PACKAGE, root / "gincore", ignore=shutil.ignore_patterns("__pycache__"))
    return root


EAGER = "import module_of_the_test\n"


@pytest.fixture(scope="module")
def cached(copy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a whole cache of the copy, with kernels compiled at once and at their first call."""
    (copy / "module_of_the_test.py").write_text(
        "from numba import int64\nfrom gincore import _jit\n\n\n"
        "@_jit.eager(int64(int64))\ndef more(x):\n    return x + 1\n\n\nprint(more(6))\n"
    )
    base = tmp_path_factory.mktemp("cache")
    finish(python(DEADWOOD + EAGER, copy, GINCORE_CACHE_DIR=str(base)))
    return base


@pytest.fixture
def edited(copy: Path) -> Iterator[Path]:
    """Return the copy's source of showdowns, to be edited; it is put back."""
    file = copy / "gincore" / "core" / "showdown.py"
    before = file.read_bytes()
    yield file
    file.write_bytes(before)


def test_the_cache_belongs_to_the_source(copy: Path, edited: Path, tmp_path: Path) -> None:
    """An edit of any file that compiled code can reach gives another folder, and so fresh code."""
    base = str(tmp_path)
    digest, folder = finish(python(SHOW_CACHE, copy, GINCORE_CACHE_DIR=base))[0]
    assert folder == str(tmp_path / digest)
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(copy / "gincore", elsewhere / "gincore")
    assert finish(python(SHOW_CACHE, elsewhere, GINCORE_CACHE_DIR=base))[0] == [digest, folder]  # the place is no part
    edited.write_bytes(edited.read_bytes() + b"\n# edited\n")
    other, other_folder = finish(python(SHOW_CACHE, copy, GINCORE_CACHE_DIR=base))[0]
    assert other != digest
    assert other_folder == str(tmp_path / other)


@pytest.mark.parametrize("name", ["schema.py", "_jit.py", "core/rng.py", "strategies/draws.py"])
def test_the_digest_covers_every_file_behind_a_row(copy: Path, name: str) -> None:
    file = copy / "gincore" / name
    before, digest = file.read_bytes(), finish(python(SHOW_CACHE, copy))[0][0]
    try:
        file.write_bytes(before + b"\n")
        assert finish(python(SHOW_CACHE, copy))[0][0] != digest
    finally:
        file.write_bytes(before)


def test_checked_code_has_a_folder_of_its_own(copy: Path, tmp_path: Path) -> None:
    variables = {"GINCORE_CACHE_DIR": str(tmp_path), "NUMBA_BOUNDSCHECK": "1"}
    digest, folder = finish(python(SHOW_CACHE, copy, **variables))[0]
    assert folder != str(tmp_path / digest)


def test_n04_processes_start_cold_at_once(copy: Path, tmp_path: Path) -> None:
    """They compile into the same empty folder and agree; the next process compiles nothing."""
    base = tmp_path / "cache"
    children = [python(DEADWOOD, copy, GINCORE_CACHE_DIR=str(base)) for _ in range(4)]
    assert [finish(child) for child in children] == [(["48", "0"], "")] * 4
    written = {file: file.stat().st_mtime_ns for file in base.rglob("*.nb[ci]")}
    assert written
    assert finish(python(DEADWOOD, copy, GINCORE_CACHE_DIR=str(base)))[0] == ["48", "0"]
    assert {file: file.stat().st_mtime_ns for file in base.rglob("*.nb[ci]")} == written, "compiled again"


def test_an_old_cache_of_other_source_is_removed(copy: Path, tmp_path: Path) -> None:
    old, fresh, stranger = (tmp_path / name for name in ("0123456789abcdef", "fedcba9876543210", "notes.txt"))
    for folder in (old, fresh):
        folder.mkdir()
        (folder / "kernel.nbi").touch()
    stranger.touch()
    month = time.time() - (_jit.KEEP_DAYS + 1) * 86_400
    os.utime(old, (month, month))
    os.utime(stranger, (month, month))
    finish(python(SHOW_CACHE, copy, GINCORE_CACHE_DIR=str(tmp_path)))
    assert not old.exists()
    assert fresh.exists()
    assert stranger.exists()


def test_n01_where_nothing_can_be_written_there_is_one_warning(copy: Path, tmp_path: Path) -> None:
    """A file where the folder should be is not writable for any user, root included."""
    blocked = tmp_path / "file"
    blocked.touch()
    out, error = finish(python(SHOW_CACHE + DEADWOOD, copy, GINCORE_CACHE_DIR=str(blocked)))
    assert out[1:] == ["None", "48", "0"]
    assert error == (
        f"gincore: compiled code cannot be kept in {blocked} (it cannot be written, or its disk is full), so each "
        "process compiles anew; GINCORE_CACHE_DIR names another folder\n"
    )


DAMAGES = {
    "garbage": lambda content: b"garbage",
    "nothing": lambda content: b"",
    "cut": lambda content: content[: len(content) // 2],
    "a changed bit": lambda content: content[:-40] + bytes([content[-40] ^ 1]) + content[-39:],
    "one byte too many": lambda content: content + b"x",
}


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("ending", ["nbi", "nbc"])
def test_a_damaged_cache_heals(copy: Path, cached: Path, tmp_path: Path, ending: str, damage: str) -> None:
    """Kernels compiled at their first call and eager ones alike: the first process compiles anew, the next does not."""
    base = tmp_path / "cache"
    shutil.copytree(cached, base)
    files = sorted(base.rglob(f"*.{ending}"))
    assert files
    for file in files:
        file.write_bytes(DAMAGES[damage](file.read_bytes()))
    damaged = {file: file.read_bytes() for file in files}
    assert finish(python(DEADWOOD + EAGER, copy, GINCORE_CACHE_DIR=str(base))) == (["48", "0", "7"], "")
    assert all(file.read_bytes() != damaged[file] for file in files), "not written anew"
    written = {file: file.stat().st_mtime_ns for file in base.rglob("*.nb[ci]")}
    assert finish(python(DEADWOOD + EAGER, copy, GINCORE_CACHE_DIR=str(base)))[0] == ["48", "0", "7"]
    assert {file: file.stat().st_mtime_ns for file in base.rglob("*.nb[ci]")} == written, "compiled again"


def test_a_full_disk_gives_one_line_and_the_same_answer(copy: Path, tmp_path: Path) -> None:
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (70_000, 70_000))\n"  # as on a full disk
    limit += "import signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
    out, error = finish(python(limit + DEADWOOD, copy, GINCORE_CACHE_DIR=str(tmp_path)))
    assert out == ["48", "0"]
    assert error.startswith(f"gincore: compiled code cannot be kept in {tmp_path}/")
    assert error.endswith("(File too large), so each process compiles anew; GINCORE_CACHE_DIR names another folder\n")
    assert error.count("\n") == 1
    assert not list(tmp_path.rglob("*.tmp.*"))


def test_n01_a_home_that_cannot_be_written_moves_the_cache(copy: Path, tmp_path: Path) -> None:
    home, temporary = tmp_path / "home", tmp_path / "tmp"
    home.touch()  # no folder, so nothing can be made in it
    temporary.mkdir()
    out, error = finish(python(SHOW_CACHE, copy, HOME=str(home), TMPDIR=str(temporary)))
    assert Path(out[1]).is_relative_to(temporary)
    assert "Warning" not in error


def test_importing_is_fast_and_brings_in_nothing_heavy(tmp_path: Path) -> None:
    """The best of three CPU times: what else the machine does is not to count."""
    code = (
        "import time; start = time.process_time(); import gincore; used = time.process_time() - start; import sys; "
        "heavy = {'numba', 'pandas', 'scipy', 'matplotlib', 'pyarrow', 'typer', 'jinja2'}; "
        "print(used, *sorted(heavy & set(sys.modules)))"
    )
    runs = [finish(python(code, PACKAGE.parent, GINCORE_CACHE_DIR=str(tmp_path / "none")))[0] for _ in range(3)]
    assert all(len(run) == 1 for run in runs), runs
    assert min(float(run[0]) for run in runs) < 0.6
    assert not (tmp_path / "none").exists(), "importing made a cache"


def test_public_names_come_with_their_use() -> None:
    assert sorted(gincore.__all__) == dir(gincore)
    for name in gincore.__all__:
        assert getattr(gincore, name) is not None
    with pytest.raises(AttributeError, match="no_such_name"):
        gincore.no_such_name  # noqa: B018
