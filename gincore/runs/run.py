"""Playing a plan: chunks on a pool of threads, progress, interruption and resume.

The compiled engine releases the interpreter lock, so threads play in parallel. Chunks are merged as they
finish; all sums are integers, so the order does not matter.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gincore.errors import RunError, UsageError
from gincore.options import match_form
from gincore.runs.jobs import Halt, Impatient, Interrupted, Lost, on_threads
from gincore.runs.keep import Keeper, Memory, play_part
from gincore.runs.layout import Chunk
from gincore.runs.plan import Plan, command_line, whole
from gincore.runs.result import Result
from gincore.runs.tally import Tally
from gincore.schema import HAND_DTYPE

if TYPE_CHECKING:
    from distributed import Client

    from gincore.runs.store import Folder

MEMORY_LIMIT: Final = 2 * 10**9
"""Bytes of rows that a run may hold in memory."""

HANDS_A_GAME: Final = 12
"""Rough number of hands in a game to 100, for the estimate of memory."""

POINTS_A_GAME: Final = 200
"""Rough number of settled points of a game."""

MOST_WORKERS: Final = 1_024

Player = Callable[[Plan, Keeper], Tally]
"""Plays a plan into a keeper."""

NOTHING_SAVED: Final = "nothing is saved, as no output folder was named (--out FOLDER)"


def execute(
    plan: Plan,
    *,
    out: str | Path | None = None,
    workers: int | None = None,
    scheduler: str | Client | None = None,
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
    scheduler
        Who plays, in place of threads of this process: ``"local:N"`` for N processes, the address of a Dask scheduler,
        or a ``distributed.Client``. Results do not depend on it.
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
    player = _player(workers, scheduler, progress)
    if out is not None:
        return _stored(plan, out, player, resume)
    if resume:
        raise UsageError(
            "--resume (resume=True) needs --out FOLDER (out=FOLDER): name the folder of the run to go on with"
        )
    return _in_memory(plan, player)


def _in_memory(plan: Plan, player: Player) -> Result:
    """Play a plan and keep what it gives in memory."""
    check_memory(plan)
    memory = Memory(plan.layout)
    try:
        tally = player(plan, memory)
    except KeyboardInterrupt as stop:
        raise Interrupted(f"interrupted; {NOTHING_SAVED}", playing=isinstance(stop, Impatient)) from None
    except Lost as loss:
        raise RunError(f"{loss}; {NOTHING_SAVED}") from loss
    counted = tally if memory.counts else None
    return Result(plan.manifest(), plan.layout, plan=plan, tally=counted, pieces=memory.ordered())


def _stored(plan: Plan, out: str | Path, player: Player, resume: bool) -> Result:
    """Play a plan into a folder."""
    from gincore.runs.claim import claim  # loads pyarrow, which a run in memory does not need
    from gincore.runs.manifest import read_manifest

    if not str(out):
        raise UsageError("out '' (--out): an empty text names no folder")
    path = Path(out).expanduser().absolute()
    with claim(plan, path, resume) as (folder, settled):
        try:
            tally = player(settled, folder)
        except KeyboardInterrupt as stop:
            playing = isinstance(stop, Impatient)
            raise Interrupted(f"interrupted: {_how_to_resume(folder, command_line())}", playing=playing) from None
        except Lost as loss:
            raise RunError(f"{loss}: {_how_to_resume(folder, command_line())}") from loss
        return Result(read_manifest(path), settled.layout, plan=settled, folder=folder, tally=tally)


def _player(workers: int | None, scheduler: str | Client | None, progress: bool) -> Player:
    """Return what plays a plan into a keeper: threads, or a cluster."""
    if scheduler is None:
        threads = worker_count(workers)
        return lambda settled, keeper: _play(settled, keeper, threads, progress)
    if workers is not None:
        raise UsageError("workers (--workers) are threads of this process: leave it out where a scheduler is named")
    from gincore.runs.cluster import play_on, read_scheduler

    place = read_scheduler(scheduler)
    return lambda settled, keeper: play_on(place, settled, keeper, progress)


def _play(plan: Plan, keeper: Keeper, workers: int, progress: bool) -> Tally:
    """Play every chunk that is not kept already, and return the sums of all."""

    def job(chunk: Chunk, halt: Halt) -> Tally:
        stored = keeper.recall_or_clear(chunk)
        return play_part(plan, chunk, keeper, halt.check) if stored is None else stored

    total = Tally.empty(plan.kind)
    on_threads(plan.layout, job, total.merge, workers, progress)
    return total


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


def _how_to_resume(folder: Folder, command: str) -> str:
    place = shlex.quote(str(folder.path))
    saved = f"{folder.finished():,} of {folder.layout.parts:,} parts are saved in {place}"
    return f"{saved}; resume with: {resumed_by(command, f'out={place}, resume=True')}"


def resumed_by(command: str, call: str) -> str:
    """Return how a command that was interrupted goes on; in a script it is the ``call`` that does."""
    if command.startswith(("gincore ", "python -m gincore ")):
        return command if " --resume" in command else f"{command} --resume"
    return call
