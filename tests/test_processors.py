"""Rows do not depend on the instructions that the processor has."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
from llvmlite import binding

import gincore

HOST = binding.get_host_cpu_features()
CODE = """
import hashlib, gincore
run = gincore.simulate("round-the-corner-15", ("expert", "simple"), deals=300, seed=5, workers=1, progress=False)
print(hashlib.sha256(run.hands.to_csv(index=False).encode()).hexdigest())
"""


@pytest.mark.slow
@pytest.mark.skipif(not (HOST.get("avx2") and HOST.get("bmi2")), reason="this processor cannot run code for AVX2")
def test_rows_of_code_for_an_older_processor(tmp_path: Path) -> None:
    """Compiled for AVX2, which is what most desktop processors have, the engine plays the same hands."""
    environment = dict(
        os.environ, NUMBA_CPU_NAME="haswell", NUMBA_CPU_FEATURES="", GINCORE_CACHE_DIR=str(tmp_path / "cache")
    )
    older = subprocess.run(
        [sys.executable, "-c", CODE], env=environment, capture_output=True, text=True, check=True, timeout=300
    )
    here = gincore.simulate("round-the-corner-15", ("expert", "simple"), deals=300, seed=5, workers=1, progress=False)
    assert older.stdout.strip() == hashlib.sha256(here.hands.to_csv(index=False).encode()).hexdigest()
