"""Without numba's compiler (``NUMBA_DISABLE_JIT=1``) every row is the same, byte for byte (case N13)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pure_rows

HERE = Path(__file__).parent


def test_pure_python_gives_the_same_rows() -> None:
    """Hands of many rule sets, games, and moments; a decision that reads every field of a view plays too."""
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join([str(HERE.parent), str(HERE)])}
    done = subprocess.run(
        [sys.executable, "-W", "error", str(HERE / "pure_rows.py")],
        env=environment, capture_output=True, text=True, timeout=180, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    plain = dict(line.rsplit(" ", 1) for line in done.stdout.splitlines())
    assert plain == pure_rows.digests()
    assert len(plain) == len(pure_rows.HANDS) + len(pure_rows.GAMES) + len(pure_rows.FORKS)
