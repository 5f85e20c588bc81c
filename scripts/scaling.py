"""Measure how runs scale over threads, processes and chunk sizes, and write it to results/scaling.md and .png.

    python scripts/scaling.py             # some minutes
    python scripts/scaling.py --quick     # smaller sizes, for a first look; nothing is written

Every figure is the median of several runs, with the smallest and the largest beside it; what is compared is played in
turn. The cost of Dask is that in CPU time, which holds on a machine that others use too. What scheduler and client
take for a chunk cannot be divided among workers and bounds them all; it is measured with workers that answer at once.
"""

from __future__ import annotations

import argparse
import logging
import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from distributed import Client, LocalCluster
from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

import gincore
from gincore.plotting.style import FAINT, INK, LOOKS, chart_settings, new_figure
from gincore.runs import cluster as running
from gincore.runs.run import worker_count

RESULTS = Path(__file__).resolve().parent.parent / "results"
CHUNKS = {10_000: 200, 100_000: 60, 1_000_000: 12}
"""Deals of a chunk, and how many chunks are answered at once to see what each costs."""

KEEPS = ("rows", "stats")
MANY = 100
"""Workers of the projection."""


@dataclass
class Cost:
    """What one chunk size costs: CPU seconds of runs on a cluster of one worker, each beside a local run."""

    keep: str
    chunk: int
    hands: int
    local: list[float] = field(default_factory=list)
    worker: list[float] = field(default_factory=list)
    middle: list[float] = field(default_factory=list)
    a_chunk: list[float] = field(default_factory=list)
    """Of scheduler and client, for a chunk that a worker answers at once."""

    @property
    def ratios(self) -> list[float]:
        """All CPU time of the cluster over that of the local run beside it."""
        pairs = zip(self.worker, self.middle, self.local, strict=True)
        return [(worker + middle) / local for worker, middle, local in pairs]

    @property
    def a_worker(self) -> float:
        """Hands that a worker plays in a CPU second."""
        return self.hands / statistics.median(self.worker)

    @property
    def limit(self) -> float:
        """Hands a second at which scheduler and client have no time left."""
        return 2 * self.chunk / statistics.median(self.a_chunk)

    def projected(self, workers: np.ndarray) -> np.ndarray:
        """Hands a second of so many workers: all of theirs, until scheduler and client have no time left."""
        return np.minimum(workers * self.a_worker, self.limit)


@contextmanager
def answers_at_once() -> Iterator[None]:
    """Let workers play one chunk of a run and send its rows again for every other: a chunk then costs them nothing."""
    carried = running.carried

    def carried_and_kept() -> tuple[Any, Any]:
        stamp, work = carried()

        def again(sent: Any, chunk: Any, wants: Any) -> Any:
            from distributed import get_worker

            if chunk is None:
                return work(sent, chunk, wants)
            from gincore.runs.layout import Chunk

            key, kept = (sent[1], chunk[2], wants), get_worker().__dict__.setdefault("kept_answers", {})
            if key not in kept:
                kept[key] = work(sent, chunk, wants)[1]
            return Chunk(*chunk), kept[key]

        return stamp, again

    running.carried = carried_and_kept
    try:
        yield
    finally:
        running.carried = carried


def play(deals: int, keep: Any, **settings: Any) -> float:
    """Play a run into a folder, and return the seconds that it takes."""
    with tempfile.TemporaryDirectory() as folder:
        started = time.perf_counter()
        gincore.simulate(
            "classic",
            ("simple", "simple"),
            deals=deals,
            seed=3,
            keep=keep,
            out=f"{folder}/run",
            progress=False,
            **settings,
        )
        return time.perf_counter() - started


def cluster(workers: int) -> LocalCluster:
    return LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=":0", silence_logs=logging.CRITICAL)


def costs(deals: int, runs: int, share: int) -> list[Cost]:
    """Play with every chunk size on one worker, and locally on one thread, in turn."""
    found = [Cost(keep, chunk, 2 * deals) for keep in KEEPS for chunk in CHUNKS]
    with cluster(1) as local, Client(local, set_as_default=False) as client:
        play(20_000, "rows", scheduler=client, chunk=10_000)
        for _ in range(runs):
            for cost in found:
                cost.local.append(cpu(deals, cost, workers=1)[0])
                middle, worker = cpu(deals, cost, client, scheduler=client)
                cost.middle.append(middle)
                cost.worker.append(worker)
                with answers_at_once():
                    few, many = 2, 2 + CHUNKS[cost.chunk] // share
                    less, more = (cpu(count * cost.chunk, cost, client, scheduler=client)[0] for count in (few, many))
                cost.a_chunk.append((more - less) / (many - few))
    return found


def cpu(deals: int, cost: Cost, client: Client | None = None, **settings: Any) -> tuple[float, float]:
    """CPU seconds of this process and of the worker while one run is played."""

    def clocks() -> tuple[float, float]:
        worker = sum(client.run(time.process_time).values()) if client else 0.0
        return time.process_time(), worker

    before = clocks()
    play(deals, cost.keep, chunk=cost.chunk, **settings)
    after = clocks()
    return after[0] - before[0], after[1] - before[1]


def speeds(deals: int, runs: int) -> dict[str, list[float]]:
    """Hands a second of threads and of processes, as a clock on the wall has it, in turn."""
    found: dict[str, list[float]] = {name: [] for name in ("1 thread", "2 threads", "1 process", "2 processes")}
    with (
        cluster(1) as one,
        cluster(2) as two,
        Client(one, set_as_default=False) as first,
        Client(two, set_as_default=False) as second,
    ):
        ways: list[dict[str, Any]] = [{"workers": 1}, {"workers": 2}, {"scheduler": first}, {"scheduler": second}]
        for way in ways:
            play(10_000, "rows", **way)
        for _ in range(runs):
            for name, way in zip(found, ways, strict=True):
                found[name].append(2 * deals / play(deals, "rows", **way))
    return found


def spread(values: list[float], form: str) -> str:
    return f"{statistics.median(values):{form}} [{min(values):{form}} .. {max(values):{form}}]"


def text(costs: list[Cost], speeds: dict[str, list[float]], deals: int, busy: str) -> str:
    first = speeds["1 thread"]
    lines = [
        "# Scaling",
        "",
        f"Made by `python scripts/scaling.py`: {2 * deals:,} hands of `simple` against `simple` under `classic`, "
        f"stored in a folder. Medians of {len(first)} runs, [smallest .. largest]. {busy}",
        "",
        "## Threads and processes",
        "",
        "Rows, chunks of the usual size, by a clock on the wall; the ratio is taken run by run.",
        "",
        "| who plays | hands a second | times one thread |",
        "|---|---:|---:|",
    ]
    for name, values in speeds.items():
        ratios = [value / one for value, one in zip(values, first, strict=True)]
        lines.append(f"| {name} | {spread(values, ',.0f')} | {spread(ratios, '.2f')} |")
    lines += [
        "",
        "## The cost of Dask, by chunk size",
        "",
        "One worker beside a local run on one thread, in CPU time. The overhead is all CPU time of the cluster over "
        "that of the local run, less one. Scheduler and client run in one process here; what they take for a chunk is "
        "measured with a worker that answers at once.",
        "",
        "| kept | chunk, deals | overhead, per cent | scheduler and client, ms a chunk | hands a second at most |",
        "|---|---:|---:|---:|---:|",
    ]
    for cost in costs:
        over = [100 * (ratio - 1) for ratio in cost.ratios]
        each = spread([1000 * seconds for seconds in cost.a_chunk], ".1f")
        lines.append(f"| {cost.keep} | {cost.chunk:,} | {spread(over, '+.0f')} | {each} | {cost.limit:,.0f} |")
    lines += [
        "",
        f"## {MANY} workers: a projection",
        "",
        "Not measured: each worker is taken to play as fast as the one above, until scheduler and client have no time "
        "left (the last column above). Waiting for the network and the disk is left out, so that it is an upper bound.",
        "",
        f"| kept | chunk, deals | hands a second of {MANY} workers | of {MANY} times one worker | full speed up to |",
        "|---|---:|---:|---:|---:|",
    ]
    for cost in costs:
        speed = float(cost.projected(np.array([MANY]))[0])
        share = 100 * speed / (MANY * cost.a_worker)
        most = int(cost.limit / cost.a_worker)
        lines.append(f"| {cost.keep} | {cost.chunk:,} | {speed:,.0f} | {share:.0f} % | {most:,} workers |")
    return "\n".join([*lines, "", "![hands a second by number of workers, a projection](scaling.png)", ""])


def draw(costs: list[Cost], file: Path) -> None:
    """Draw the projection for stored rows."""
    workers = np.geomspace(1, MANY, 200)
    with chart_settings():
        figure, axes = new_figure(6.4, 4.0)
        shown = [cost for cost in costs if cost.keep == "rows"]
        axes.plot(workers, workers * max(cost.a_worker for cost in shown) / 1e6, color=FAINT, linewidth=1)
        for cost, look in zip(shown, LOOKS, strict=False):
            speed = cost.projected(workers) / 1e6
            axes.plot(workers, speed, color=look.color, linestyle=look.dashes)
            axes.annotate(
                f"chunks of {cost.chunk:,}", (workers[-1], speed[-1]), xytext=(4, 0), textcoords="offset points",
                color=look.color, va="center",
            )  # fmt: skip
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlim(1, MANY)
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            axis.set_major_formatter(StrMethodFormatter("{x:g}"))
            axis.set_minor_formatter(NullFormatter())
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_xlabel("workers of one thread")
        axes.set_ylabel("million hands a second, rows stored")
        axes.set_title(
            "A projection, by deals in a chunk (grey: as if Dask cost nothing)", color=INK, fontsize=9, loc="left"
        )
        figure.savefig(file, dpi=150)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="small sizes, one run; nothing is written to results")
    quick = parser.parse_args().quick
    deals, runs = (100_000, 1) if quick else (1_000_000, 3)
    busy = f"Load of the machine before: {os.getloadavg()[0]:.1f} on {worker_count(None)} CPUs."
    found = costs(deals, runs, 10 if quick else 1)
    report = text(found, speeds(deals, runs), deals, busy)
    print(report)
    if not quick:
        (RESULTS / "scaling.md").write_text(report, encoding="utf-8")
        draw(found, RESULTS / "scaling.png")


if __name__ == "__main__":
    main()
