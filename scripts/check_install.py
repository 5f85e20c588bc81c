"""Build the wheel, install it as users do, and use it under conditions that break packages.

    python scripts/check_install.py               # lowest and newest allowed dependencies: some minutes
    python scripts/check_install.py --only newest

For each set of dependencies a fresh virtual environment is made in a folder whose name has spaces and accents, its
package is made read-only, and nothing of the checkout is on its path. Then the commands of ``STEPS`` run:
under ``LC_ALL=C`` and with ASCII streams, with the start method ``spawn``, a report with its page and figures, a user's
strategy from a file. Prints one line a step, and ends with an error if one of them fails.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MINE = """
import gincore


@gincore.decision
def knock(view, params):
    return view.deadwood <= params[0]


patient = gincore.Strategy("patient", knock=knock, params={"limit": 4})
"""
SPAWN = """
import multiprocessing

import gincore


def net(seed):
    run = gincore.simulate("classic", ("lookahead", "simple"), deals=500, seed=seed, workers=1, progress=False)
    return float(run.summary().set_index("metric").loc["net_points_per_hand", "estimate"])


if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.map(net, [1, 2]) == [net(1), net(2)]
"""
SITE = """
import pathlib, gincore
package = pathlib.Path(gincore.__file__).parent
assert "site-packages" in package.parts, package
missing = [name for name in ("py.typed", "presets/classic.toml", "report/sheet.html") if not (package / name).exists()]
assert not missing, missing
print(gincore.__version__)
"""
STEPS: dict[str, tuple[list[str], dict[str, str]]] = {
    "the package and its data": (["python", "-c", SITE], {}),
    "cold hand": (["gincore", "hand", "5h 5s 5c 6h 7h 8h Td Jd Kd 2c"], {}),
    "C locale": (["gincore", "rules", "show", "oklahoma", "--lang", "fr"], {"LC_ALL": "C"}),
    "ASCII streams": (
        ["gincore", "rules", "show", "oklahoma", "--lang", "fr"],
        {"LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
    ),
    "a strategy from a file": (
        ["gincore", "simulate", "--strategy", "./règles à moi/mine.py:patient", "--strategy", "expert",
         "--deals", "500", "--seed", "1", "--out", "série d'été"],
        {},
    ),
    "spawn": (["python", "spawn.py"], {}),
    "a report": (
        ["gincore", "report", "undercut-risk", "--deals", "2000", "--seed", "1", "--out", "rapport", "--lang", "fr"],
        {"LC_ALL": "C"},
    ),
    "an arena": (["gincore", "arena", "simple", "gin-only", "--games", "50", "--seed", "1"], {}),
}  # fmt: skip
"""Each command, and what its environment has beside the usual."""


def lowest() -> list[str]:
    """The lowest allowed version of each dependency."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf8"))["project"]
    return [re.sub(">=", "==", each) for each in project["dependencies"]]


def call(*command: object, cwd: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[bytes]:
    """Run a command; its output is shown only if it fails."""
    done = subprocess.run([str(each) for each in command], cwd=cwd, env=environment, capture_output=True, check=False)
    if done.returncode:
        text = (done.stdout + done.stderr).decode("utf8", "replace")
        raise SystemExit(f"failed: {' '.join(str(each) for each in command)}\n{text}")
    return done


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Take the right to write away from a folder and all in it (the superuser keeps it)."""
    every = [folder, *folder.rglob("*")]
    modes = [(path, path.stat().st_mode) for path in every if not path.is_symlink()]
    for path, mode in modes:
        path.chmod(mode & 0o555)
    try:
        yield
    finally:
        for path, mode in modes:
            path.chmod(mode)


def digest_of(folder: Path) -> set[tuple[str, int]]:
    """Names and sizes of the files of a folder: nothing may be written there."""
    return {(str(path), path.stat().st_size) for path in folder.rglob("*") if path.is_file()}


def check(name: str, pins: list[str], wheel: Path, folder: Path) -> None:
    """Install the wheel with these pins, and take every step."""
    clean = {key: os.environ[key] for key in ("PATH", "HOME", "PIP_INDEX_URL", "PIP_CONFIG_FILE") if key in os.environ}
    place = folder / f"où l'on joue {name}"
    place.mkdir()
    call(sys.executable, "-m", "venv", place / "venv", cwd=folder, environment=clean)
    bin_ = place / "venv" / ("Scripts" if os.name == "nt" else "bin")
    start = time.perf_counter()
    call(bin_ / "python", "-m", "pip", "install", "-q", wheel, *pins, cwd=place, environment=clean)
    print(f"{name}: installed in {time.perf_counter() - start:.0f} s")
    (place / "règles à moi").mkdir()
    (place / "règles à moi" / "mine.py").write_text(MINE, "utf8")
    (place / "spawn.py").write_text(SPAWN, "utf8")
    (package,) = (place / "venv").glob("lib/python*/site-packages/gincore")
    quiet = clean | {"GINCORE_CACHE_DIR": str(place / "cache"), "PYTHONDONTWRITEBYTECODE": "1"}
    quiet["PYTHONWARNINGS"] = "error::FutureWarning,error::DeprecationWarning:gincore"
    before = digest_of(package)
    with read_only(package):
        for step, ((program, *rest), extra) in STEPS.items():
            start = time.perf_counter()
            call(bin_ / program, *rest, cwd=place, environment=quiet | extra)
            print(f"{name}: {step}: {time.perf_counter() - start:.1f} s", flush=True)
    if digest_of(package) != before:
        raise SystemExit(f"{name}: files were written into the installed package")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=("lowest", "newest"))
    only = parser.parse_args().only
    with tempfile.TemporaryDirectory(prefix="gincore-install-") as name:
        folder = Path(name)
        call(
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "-q",
            "--no-deps",
            "-w",
            folder,
            ROOT,
            cwd=folder,
            environment=dict(os.environ),
        )
        (wheel,) = folder.glob("gincore-*.whl")
        print(f"{wheel.name}: {wheel.stat().st_size / 2**20:.1f} MB")
        for each, pins in (("lowest", lowest()), ("newest", [])):
            if only in (None, each):
                check(each, pins, wheel, folder)


if __name__ == "__main__":
    main()
