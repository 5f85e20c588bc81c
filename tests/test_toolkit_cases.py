"""Rows N and R of the cases that no other file is about: forks, threads, hash seeds, threads of a run."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import gincore

PAIR = ("lookahead", "simple")
LIMIT = 120


def digest_of(seed: int, workers: int = 2) -> bytes:
    run = gincore.simulate("classic", PAIR, deals=5_000, seed=seed, workers=workers, progress=False)
    return bytes(run.result.rows().tobytes())


FORKED = """
import multiprocessing
import gincore

def net(seed):
    run = gincore.simulate("classic", ("lookahead", "simple"), deals=5_000, seed=seed, workers=2, progress=False)
    return float(run["net_points_per_hand"].estimate)

if __name__ == "__main__":
    here = [net(seed) for seed in (1, 2)]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(net, [1, 2]).get(100) == here
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this machine cannot fork")
def test_n07_a_fork_after_threads_plays_on() -> None:
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", FORKED]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    assert done.returncode == 0, done.stderr


def test_n08_two_threads_may_simulate_at_once() -> None:
    alone = [digest_of(seed) for seed in (1, 2, 3, 4)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(digest_of, (1, 2, 3, 4))) == alone


def test_n10_one_worker_is_one_thread() -> None:
    seen: set[int] = set()
    watching = threading.Event()

    def watch() -> None:
        while not watching.is_set():
            seen.add(sum(thread.name.startswith("gincore") for thread in threading.enumerate()))
            watching.wait(0.001)

    watcher = threading.Thread(target=watch, name="watcher")
    watcher.start()
    try:
        digest_of(1, workers=1)
    finally:
        watching.set()
        watcher.join()
    assert max(seen) == 1


def test_r09_the_order_of_sets_changes_nothing() -> None:
    words = ["arena", "simple", "gin-only", "lookahead", "--games", "40", "--seed", "3", "--json"]
    found = set()
    for seed in ("0", "1", "123"):
        environment = os.environ | {"PYTHONHASHSEED": seed}
        command = [sys.executable, "-m", "gincore", *words]
        done = subprocess.run(command, env=environment, capture_output=True, timeout=LIMIT, check=True)
        found.add(done.stdout)
    assert len(found) == 1
