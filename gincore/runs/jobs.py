"""Many jobs, one a chunk: on a pool of threads, with a progress bar, until they are done or somebody stops them."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from typing import Final, NoReturn, TypeVar

from tqdm import tqdm

from gincore.errors import RunError
from gincore.runs.layout import Chunk, Layout

IN_FLIGHT: Final = 2
"""Chunks a worker has at most, played or waiting; more would only cost memory."""

LOOK_SECONDS: Final = 1.0
"""How often it is looked whether anybody still works, while nothing is finished."""

T = TypeVar("T")

STOPPING: Final = "stopping after the parts in play; Ctrl-C again stops now"
"""Said at once when a run is interrupted: a block of hands may take a while, or never end."""


class Interrupted(KeyboardInterrupt):
    """The user stopped a run; the text says what is saved and how to go on.

    Attributes
    ----------
    playing
        Whether threads are still playing, as the user did not wait for them. They keep nothing more.
    """

    def __init__(self, text: str, *, playing: bool = False) -> None:
        super().__init__(text)
        self.playing = playing


class Impatient(KeyboardInterrupt):
    """The user interrupted again, while the parts in play were ending."""


class Lost(RunError):
    """The other processes or machines that played are gone; what is finished is kept."""


class Stopped(Exception):
    """Inside a worker: the run is ending, drop the chunk."""


class Halt:
    """What a job asks between two blocks: whether the run is ending, and whether anybody still waits for the job."""

    def __init__(self) -> None:
        self.stop, self.abandoned = threading.Event(), threading.Event()

    def check(self, complete: bool) -> None:
        """Give up if the run is ending; a chunk that is just complete is kept, if somebody waits for it."""
        if self.stop.is_set() and (not complete or self.abandoned.is_set()):
            raise Stopped


def on_threads(
    layout: Layout, job: Callable[[Chunk, Halt], T], finished: Callable[[T], None], workers: int, progress: bool
) -> None:
    """Run a job for every chunk of a run on threads, with a bar of its units; see :func:`on_pool`."""
    with run_bar(layout, progress) as bar:

        def counted(outcome: tuple[int, T]) -> None:
            units, found = outcome
            finished(found)
            bar.update(steps(layout, units))

        on_pool(layout.chunks(), lambda chunk, halt: (chunk.units, job(chunk, halt)), counted, workers, bar)


def on_pool(
    chunks: Iterable[Chunk],
    job: Callable[[Chunk, Halt], T],
    finished: Callable[[T], None],
    workers: int,
    bar: tqdm[NoReturn],
) -> None:
    """Run a job for every chunk on a pool of threads; each outcome is given to ``finished`` in this thread.

    After Ctrl-C or an error the blocks in play end, and the rest is dropped.
    """
    halt = Halt()
    pool = ThreadPoolExecutor(workers, thread_name_prefix="gincore")
    try:
        run_jobs(lambda chunk: pool.submit(job, chunk, halt), chunks, lambda: IN_FLIGHT * workers, finished)
    except KeyboardInterrupt:
        halt.stop.set()
        say(STOPPING, bar)
        raise
    finally:
        halt.stop.set()
        try:
            pool.shutdown(wait=True, cancel_futures=True)
        except KeyboardInterrupt:
            halt.abandoned.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise Impatient from None


def say(text: str, bar: tqdm[NoReturn]) -> None:
    """Write a line to stderr without breaking the progress bar; a terminal that is gone is no error."""
    with suppress(OSError, ValueError):
        if sys.stderr is not None:
            bar.write(f"gincore: {text}", file=sys.stderr)
            sys.stderr.flush()


def run_jobs(
    start: Callable[[Chunk], Future[T]],
    chunks: Iterable[Chunk],
    at_most: Callable[[], int],
    finished: Callable[[T], None],
) -> None:
    """Start a job a chunk, at most so many at a time; of several failures the one of the first chunk is raised."""
    waiting: dict[Future[T], int] = {}

    def collect(done: Iterable[Future[T]]) -> None:
        for future in done:
            index = waiting.pop(future)
            if future.exception() is not None:  # an earlier chunk may fail yet: let those that are in play end
                earlier = [other for other, place in waiting.items() if place < index]
                wait(earlier)
                for other in sorted(earlier, key=waiting.__getitem__):
                    other.result()
            finished(future.result())

    for chunk in chunks:
        waiting[start(chunk)] = chunk.number
        while len(waiting) >= at_most():
            collect(wait(waiting, LOOK_SECONDS, FIRST_COMPLETED).done)
    while waiting:
        at_most()  # may find that nobody works any more
        collect(wait(waiting, LOOK_SECONDS, FIRST_COMPLETED).done)


def steps(layout: Layout, units: int) -> int:
    """Return how far units move the progress bar: hands, or games."""
    return units * (layout.per_unit if layout.kind == "hands" else 1)


def run_bar(layout: Layout, progress: bool) -> tqdm[NoReturn]:
    """Return a progress bar of a run's hands, games, matches or sheets."""
    hands = layout.kind == "hands"
    unit = "hands" if hands else {"match": "matches"}.get(layout.noun, f"{layout.noun}s")
    return progress_bar(steps(layout, layout.count), unit, progress)


def progress_bar(total: int, unit: str, progress: bool) -> tqdm[NoReturn]:
    """Return a progress bar on stderr, silent where stderr is no terminal."""
    return tqdm(
        total=total,
        unit=unit,
        unit_scale=True,
        disable=None if progress and sys.stderr is not None else True,
        file=sys.stderr,
        dynamic_ncols=True,
    )
