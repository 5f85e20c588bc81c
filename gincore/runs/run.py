"""Playing a plan: chunks on a pool of threads, progress, interruption and resume.

The compiled engine releases the interpreter lock, so threads play in parallel. Chunks are merged as they
finish; all sums are integers, so the order does not matter.
"""

from __future__ import annotations

import os
import shlex
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn, Protocol, TypeVar

import numpy as np
from tqdm import tqdm

from gincore.errors import UsageError
from gincore.options import match_form
from gincore.runs.layout import Chunk, Layout, units_of
from gincore.runs.plan import Plan, command_line, whole
from gincore.runs.play import play_blocks
from gincore.runs.result import Block, Result
from gincore.runs.tally import Tally
from gincore.schema import HAND_DTYPE

if TYPE_CHECKING:
    from gincore.runs.store import Folder

IN_FLIGHT: Final = 2
"""Chunks a worker has at most, played or waiting; more would only cost memory."""

MEMORY_LIMIT: Final = 2 * 10**9
"""Bytes of rows that a run may hold in memory."""

HANDS_A_GAME: Final = 12
"""Rough number of hands in a game to 100, for the estimate of memory."""

POINTS_A_GAME: Final = 200
"""Rough number of settled points of a game."""

MOST_WORKERS: Final = 1_024

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


class _Stopped(Exception):
    """Inside a worker: the run is ending, drop the chunk."""


class _Part(Protocol):
    """One chunk that is being written."""

    def add(self, rows: np.ndarray, games: np.ndarray | None) -> None: ...

    def finish(self, tally: Tally) -> None: ...


class _Keeper(Protocol):
    """Where the parts of a run go: a folder, or memory."""

    @property
    def counts(self) -> bool:
        """Whether sums are taken while playing; rows in memory are summed when somebody asks."""
        ...

    def part(self, chunk: Chunk) -> AbstractContextManager[_Part]: ...

    def recall_or_clear(self, chunk: Chunk) -> Tally | None: ...


def execute(
    plan: Plan,
    *,
    out: str | Path | None = None,
    workers: int | None = None,
    resume: bool = False,
    progress: bool = True,
) -> Result:
    """Play a plan.

    Parameters
    ----------
    plan
        From :func:`gincore.runs.plan.make_plan`.
    out
        Folder in which the run is stored, part by part; None keeps it in memory.
    workers
        Threads; None for one a usable CPU. Results do not depend on it.
    resume
        Go on with a run that is in ``out`` (or start it there). Parts that are missing or damaged are played.
    progress
        Show a bar on stderr, if stderr is a terminal.

    Raises
    ------
    UsageError
        Wrong use, found before the first hand: an output folder that holds another run, too many rows for memory.
    RunError
        The run failed: an illegal answer of a strategy, a disk that is full.
    Interrupted
        Ctrl-C; finished parts are saved.
    """
    threads = worker_count(workers)
    if out is None:
        if resume:
            raise UsageError(
                "--resume (resume=True) needs --out FOLDER (out=FOLDER): name the folder of the run to go on with"
            )
        check_memory(plan)
        memory = _Memory(plan.layout)
        try:
            tally = _play(plan, memory, threads, progress)
        except KeyboardInterrupt as stop:
            raise Interrupted(
                "interrupted; nothing is saved, as no output folder was named (--out FOLDER)",
                playing=isinstance(stop, Impatient),
            ) from None
        counted = tally if memory.counts else None
        return Result(plan.manifest(), plan.layout, plan=plan, tally=counted, pieces=memory.ordered())
    from gincore.runs.store import claim, read_manifest  # loads pyarrow, which a run in memory does not need

    if not str(out):
        raise UsageError("out '' (--out): an empty text names no folder")
    path = Path(out).expanduser().absolute()
    with claim(plan, path, resume) as (folder, settled):
        try:
            tally = _play(settled, folder, threads, progress)
        except KeyboardInterrupt as stop:
            playing = isinstance(stop, Impatient)
            raise Interrupted(_how_to_resume(folder, command_line()), playing=playing) from None
        return Result(read_manifest(path), settled.layout, plan=settled, folder=folder, tally=tally)


def worker_count(workers: int | None) -> int:
    """Return the number of threads: as asked for, or the CPUs that this process may use."""
    if workers is not None:
        return whole("workers", workers, 1, MOST_WORKERS)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_memory(plan: Plan) -> None:
    """Refuse a run whose rows would fill the memory, and say how much it would take."""
    if plan.keep == "stats":
        return
    hands = plan.count * plan.layout.per_unit
    if plan.kind == "games":
        hands *= hands_a_unit(plan)
    size = hands * HAND_DTYPE.itemsize
    if size > MEMORY_LIMIT:
        raise UsageError(
            f"about {hands:,} rows would take {size / 1e9:,.1f} GB of memory (allowed: {MEMORY_LIMIT / 1e9:.0f} GB): "
            "use keep='stats' (--keep stats) or store them with out=FOLDER (--out FOLDER)"
        )


def hands_a_unit(plan: Plan) -> int:
    """Return the rough number of hands in a game, sheet or match."""
    rules = plan.rules
    hands = max(1, HANDS_A_GAME * rules.target // 100) * (2 if rules.form == "partnership" else 1)
    kind, number = match_form(rules.match)
    if kind == "best-of":
        return hands * number
    return hands * (1 + number // POINTS_A_GAME) if kind == "points" else hands


class _Memory:
    """Keeps the rows of a run without a folder, or nothing for ``keep="stats"``."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.counts = layout.keep == "stats"
        self.pieces: dict[int, list[Block]] = {}

    @contextmanager
    def part(self, chunk: Chunk) -> Iterator[_Part]:
        yield _MemoryPart(self.pieces.setdefault(chunk.number, []) if self.layout.keep == "rows" else None)

    def recall_or_clear(self, chunk: Chunk) -> Tally | None:
        return None

    def ordered(self) -> list[Block] | None:
        """Return all blocks in the order of their units."""
        if self.layout.keep == "stats":
            return None
        return [block for index in sorted(self.pieces) for block in self.pieces[index]]


def _copy(rows: np.ndarray) -> np.ndarray:
    """A copy of typed rows as plain bytes: field by field, as NumPy does it, takes ten times as long."""
    return rows.view(np.uint8).copy().view(rows.dtype)


class _MemoryPart:
    def __init__(self, blocks: list[Block] | None) -> None:
        self.blocks = blocks

    def add(self, rows: np.ndarray, games: np.ndarray | None) -> None:
        if self.blocks is not None:
            self.blocks.append((_copy(rows), None if games is None else _copy(games)))

    def finish(self, tally: Tally) -> None:
        pass


class Halt:
    """What a job asks between two blocks: whether the run is ending, and whether anybody still waits for the job."""

    def __init__(self) -> None:
        self.stop, self.abandoned = threading.Event(), threading.Event()

    def check(self, complete: bool) -> None:
        """Give up if the run is ending; a chunk that is just complete is kept, if somebody waits for it."""
        if self.stop.is_set() and (not complete or self.abandoned.is_set()):
            raise _Stopped


def _play(plan: Plan, keeper: _Keeper, workers: int, progress: bool) -> Tally:
    """Play every chunk that is not kept already, and return the sums of all."""
    layout = plan.layout

    def job(chunk: Chunk, halt: Halt) -> Tally:
        stored = keeper.recall_or_clear(chunk)
        if stored is not None:
            return stored
        tally = Tally.empty(layout.kind)
        with keeper.part(chunk) as part:
            played = 0
            for rows, games in play_blocks(plan, chunk):
                if keeper.counts:
                    tally.add(rows, games, layout.per_unit)
                part.add(rows, games)
                played += units_of(rows, games, layout.per_unit)
                halt.check(played == chunk.units)
            part.finish(tally)
        return tally

    total = Tally.empty(layout.kind)
    on_threads(layout, job, total.merge, workers, progress)
    return total


def on_threads(
    layout: Layout, job: Callable[[Chunk, Halt], T], finished: Callable[[T], None], workers: int, progress: bool
) -> None:
    """Run a job for every chunk of a run on threads, with a bar of its units; see :func:`on_pool`."""
    with _bar(layout, progress) as bar:

        def counted(outcome: tuple[int, T]) -> None:
            units, found = outcome
            finished(found)
            bar.update(units * (layout.per_unit if layout.kind == "hands" else 1))

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
        _run_jobs(pool, lambda chunk: job(chunk, halt), chunks, IN_FLIGHT * workers, finished)
    except KeyboardInterrupt:
        halt.stop.set()
        _say(STOPPING, bar)
        raise
    finally:
        halt.stop.set()
        try:
            pool.shutdown(wait=True, cancel_futures=True)
        except KeyboardInterrupt:
            halt.abandoned.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise Impatient from None


def _say(text: str, bar: tqdm[NoReturn]) -> None:
    """Write a line to stderr without breaking the progress bar; a terminal that is gone is no error."""
    with suppress(OSError, ValueError):
        if sys.stderr is not None:
            bar.write(f"gincore: {text}", file=sys.stderr)
            sys.stderr.flush()


def _run_jobs(
    pool: Executor,
    job: Callable[[Chunk], T],
    chunks: Iterable[Chunk],
    at_most: int,
    finished: Callable[[T], None],
) -> None:
    """Run a job a chunk, at most so many at a time; of several failures the one of the first chunk is raised."""
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
        waiting[pool.submit(job, chunk)] = chunk.number
        if len(waiting) >= at_most:
            collect(wait(waiting, return_when=FIRST_COMPLETED).done)
    while waiting:
        collect(wait(waiting, return_when=FIRST_COMPLETED).done)


def _bar(layout: Layout, progress: bool) -> tqdm[NoReturn]:
    """Return a progress bar of a run's hands, games, matches or sheets."""
    if layout.kind == "hands":
        return progress_bar(layout.count * layout.per_unit, "hands", progress)
    return progress_bar(layout.count, {"match": "matches"}.get(layout.noun, f"{layout.noun}s"), progress)


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


def _how_to_resume(folder: Folder, command: str) -> str:
    place = shlex.quote(str(folder.path))
    saved = f"{folder.finished():,} of {folder.layout.parts:,} parts are saved in {place}"
    return f"interrupted: {saved}; resume with: {resumed_by(command, f'out={place}, resume=True')}"


def resumed_by(command: str, call: str) -> str:
    """Return how a command that was interrupted goes on; in a script it is the ``call`` that does."""
    if command.startswith(("gincore ", "python -m gincore ")):
        return command if " --resume" in command else f"{command} --resume"
    return call
