"""Give broken input of many kinds to gincore for some minutes; stop at the first that is not refused as it should be.

    python scripts/fuzz.py                          # every fuzzer of tests/fuzz.py, 20 minutes each
    python scripts/fuzz.py rules --minutes 1 --seed 5

Prints examples and time of each fuzzer; the example that fails is made as small as possible and printed.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
TARGETS: dict[str, tuple[Any, Any]] = importlib.import_module("fuzz").TARGETS

BATCH = 200
"""Examples that Hypothesis generates from one seed."""


def run(name: str, minutes: float, first: int) -> None:
    """Run one fuzzer for so long, and print what it tried."""
    examples, check = TARGETS[name]
    tried = 0

    def once(example: Any) -> None:
        nonlocal tried
        tried += 1
        check(example)

    options = settings(
        max_examples=BATCH,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=(Phase.generate, Phase.shrink),
    )
    start, cpu, number = time.monotonic(), time.process_time(), first
    while time.monotonic() - start < 60 * minutes:
        decorate: Any = given(examples)
        seed(number)(options(decorate(once)))()
        number += 1
    spent = time.monotonic() - start
    print(
        f"{name}: {tried:,} examples, seeds {first} to {number - 1}, {spent / 60:.1f} min "
        f"({(time.process_time() - cpu) / 60:.1f} min of CPU): nothing found",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "names", nargs="*", choices=[*TARGETS, []], default=[], metavar="FUZZER", help=", ".join(TARGETS)
    )
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--seed", type=int, default=0, help="seed of the first batch")
    given_ = parser.parse_args()
    for name in given_.names or TARGETS:
        run(name, given_.minutes, given_.seed)


if __name__ == "__main__":
    main()
