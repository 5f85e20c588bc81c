"""Measure the speed and size bars of the project and write them to results/benchmark.json and .md.

Each figure is the median of several runs, with the smallest and the largest beside it; ratios are taken pair by
pair, the two sides in turn, so that they hold when the machine's speed drifts. Run it on a quiet machine:

    python scripts/benchmark.py            # a few minutes
    python scripts/benchmark.py --quick    # smaller sizes, for a first look
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

RESULTS = Path(__file__).resolve().parent.parent / "results"

PLAIN_STRATEGY = '''
"""The policy of ``simple`` in a user's file: three plain functions."""
import gincore
from gincore.strategies.choose import makes_meld, pick


@gincore.decision
def draw(view, params):
    return makes_meld(view.hand, view.top, view.ace)


@gincore.decision
def discard(view, params):
    return pick(view.least, view.random)


@gincore.decision
def knock(view, params):
    return view.deadwood <= view.knock_limit


plain = gincore.Strategy("plain", draw=draw, discard=discard, knock=knock)
'''


@dataclass
class Figure:
    """One measured bar."""

    what: str
    bar: str
    unit: str
    median: float
    low: float
    high: float
    runs: int
    met: bool


def figure(what: str, bar: str, unit: str, values: list[float], met: Callable[[float], bool]) -> Figure:
    """Sum up the runs of one figure and print it."""
    median = statistics.median(values)
    found = Figure(what, bar, unit, median, min(values), max(values), len(values), bool(met(median)))
    mark = "met" if found.met else "MISSED"
    print(f"{what:58s} {median:14,.4g} {unit:16s} [{found.low:,.4g} .. {found.high:,.4g}]  bar {bar:16s} {mark}")
    return found


def seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def evaluator(runs: int) -> Figure:
    import gincore

    generator = np.random.default_rng(1)
    decks = generator.random((400_000, 52), np.float32).argsort(axis=1)[:, :10].astype(np.uint64)
    hands = np.tile((np.uint64(1) << decks).sum(axis=1, dtype=np.uint64), 5)
    gincore.deadwood(hands)
    values = [len(hands) / seconds(lambda: gincore.deadwood(hands)) / 1e6 for _ in range(runs)]
    return figure("10-card deadwood, one core", ">= 200", "million/s", values, lambda value: value >= 200)


def hands_per_second(runs: int, deals: int) -> list[Figure]:
    import gincore

    def play(workers: int) -> float:
        taken = seconds(
            lambda: gincore.simulate(
                "eaai", ("simple", "simple"), deals=deals, seed=3, mirror=False, workers=workers, progress=False
            )
        )
        return deals / taken / 1e6

    play(1)
    one, two, ratios = [], [], []
    for _ in range(runs):
        one.append(play(1))
        two.append(play(2))
        ratios.append(two[-1] / one[-1])
    return [
        figure("simple v simple, full rows, one core", ">= 1.5", "million hands/s", one, lambda value: value >= 1.5),
        figure("the same on two cores, ratio", ">= 1.8", "times", ratios, lambda value: value >= 1.8),
    ]


def users_function(runs: int, deals: int, folder: Path) -> Figure:
    import gincore

    file = folder / "plain.py"
    file.write_text(PLAIN_STRATEGY, encoding="utf-8")

    def play(strategy: str) -> float:
        return seconds(
            lambda: gincore.simulate(
                "eaai", (strategy, strategy), deals=deals, seed=3, mirror=False, workers=1, progress=False
            )
        )

    plain = f"{file}:plain"
    play("simple"), play(plain)
    ratios = [play(plain) / play("simple") for _ in range(runs)]
    return figure(
        "a user's plain decision functions, time ratio", "<= 1.3", "times", ratios, lambda value: value <= 1.3
    )


def child(code: str, cache: Path | None = None) -> str:
    """Run a piece of Python in a fresh process and return what it printed."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    if cache is not None:
        environment["GINCORE_CACHE_DIR"] = str(cache)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    return done.stdout.strip()


def importing(runs: int) -> Figure:
    code = (
        "import time; t = time.process_time(); import gincore; s = time.process_time() - t; import sys;"
        "assert 'numba' not in sys.modules; print(s)"
    )
    values = [float(child(code)) for _ in range(runs)]
    return figure("import gincore (CPU time; compiles nothing)", "< 0.6", "s", values, lambda value: value < 0.6)


def first_batch(runs: int) -> Figure:
    """From `import gincore` done to 1,000 hands played, less what 1,000 hands cost once everything is loaded."""
    code = (
        "import time, gincore; t = time.perf_counter();"
        "play = lambda: gincore.simulate('classic', ('simple', 'simple'), deals=1000, seed=1, progress=False);"
        "play(); first = time.perf_counter() - t; t = time.perf_counter(); play();"
        "print(first - (time.perf_counter() - t))"
    )
    child("import subprocess, sys; subprocess.run([sys.executable, '-m', 'gincore', 'warmup'], check=True)")
    values = [float(child(code)) for _ in range(runs)]
    return figure("first batch after warmup, beyond the hands", "< 0.5", "s", values, lambda value: value < 0.5)


def cold_compile(runs: int, folder: Path) -> Figure:
    values = []
    for number in range(runs):
        cache = folder / f"cache-{number}"
        code = (
            "import sys, time; t = time.perf_counter()\n"
            "from gincore.cli import main; sys.argv = ['gincore', 'warmup']\n"
            "try:\n    main()\nexcept SystemExit:\n    pass\nprint(time.perf_counter() - t)"
        )
        values.append(float(child(code, cache).split("\n")[-1]))
    return figure("cold compile of everything", "< 20", "s", values, lambda value: value < 20)


def memory(sizes: list[int]) -> list[Figure]:
    """Largest resident memory of a process that plays with keep='stats'."""
    found = []
    for size in sizes:
        code = (
            f"import gincore; gincore.simulate('eaai', ('simple', 'simple'), deals={size}, seed=5,"
            "mirror=False, keep='stats', progress=False).summary();"
            "print(next(line for line in open('/proc/self/status') if line.startswith('VmHWM')).split()[1])"
        )
        value = float(child(code)) / 1024  # ru_maxrss would not do: a child inherits its parent's peak
        found.append(
            figure(f"peak memory, {size:,} hands, keep=stats", "< 400", "MB", [value], lambda peak: peak < 400)
        )
    slope = found[-1].median / found[0].median
    found.append(
        figure("the largest over the smallest of these (flat)", "<= 1.1", "times", [slope], lambda x: x <= 1.1)
    )
    return found


def rows_on_disk(deals: int, folder: Path) -> Figure:
    import gincore

    out = folder / "rows"
    gincore.simulate("eaai", ("simple", "simple"), deals=deals, seed=9, out=out, progress=False)
    size = sum(file.stat().st_size for file in out.rglob("*") if file.is_file())
    return figure("rows on disk", "< 12", "bytes a hand", [size / (2 * deals)], lambda value: value < 12)


def write(figures: list[Figure]) -> None:
    """Write the table beside its bars."""
    import numba

    machine = {
        "processor": platform.processor() or platform.machine(),
        "cpus": os.cpu_count(),
        "python": platform.python_version(),
        "numba": numba.__version__,
        "numpy": np.__version__,
    }
    RESULTS.mkdir(exist_ok=True)
    content = {"machine": machine, "figures": [asdict(each) for each in figures]}
    (RESULTS / "benchmark.json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    lines = ["| what | bar | median | min .. max | unit | runs | met |", "|---|---|---|---|---|---|---|"]
    lines += [
        f"| {each.what} | {each.bar} | {each.median:,.4g} | {each.low:,.4g} .. {each.high:,.4g} | {each.unit} "
        f"| {each.runs} | {'yes' if each.met else 'NO'} |"
        for each in figures
    ]
    versions = f"Python {machine['python']}, numba {machine['numba']}, {machine['cpus']} cores"
    head = f"Made by `scripts/benchmark.py` ({versions}).\n"
    (RESULTS / "benchmark.md").write_text(head + "\n" + "\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="smaller sizes")
    quick = parser.parse_args().quick
    runs, deals = (3, 300_000) if quick else (9, 1_000_000)
    sizes = [100_000, 1_000_000] if quick else [100_000, 1_000_000, 10_000_000, 100_000_000]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        figures = [evaluator(runs), *hands_per_second(runs, deals), users_function(runs, deals // 3, folder)]
        figures += [importing(runs), first_batch(runs), cold_compile(1 if quick else 3, folder)]
        figures += [*memory(sizes), rows_on_disk(deals // 2, folder)]
    write(figures)


if __name__ == "__main__":
    main()
