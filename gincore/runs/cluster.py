"""The same chunks as futures on ``dask.distributed``: processes of this machine, or the workers of a scheduler.

This process keeps the folder and its lock: workers send finished parts back, so that they need no common disk, and a
worker that is killed costs time and never rows. At most a few chunks a worker are under way at once, whatever the size
of the run.
"""

from __future__ import annotations

import io
import logging
import math
import multiprocessing
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING, Any, Final

from gincore.errors import RunError, UsageError, quoted
from gincore.runs.jobs import IN_FLIGHT, LOOK_SECONDS, Lost, run_bar, run_jobs, steps
from gincore.runs.keep import Keeper
from gincore.runs.layout import Chunk
from gincore.runs.packed import Packed, pack
from gincore.runs.parts import BrokenPart, read_tally
from gincore.runs.plan import Plan, identity, whole
from gincore.runs.tally import Tally

if TYPE_CHECKING:
    from distributed import Client

CONNECT_SECONDS: Final = 10
"""How long a scheduler may take to answer."""

WORKER_SECONDS: Final = 60
"""How long a scheduler may be without any worker before a run gives up."""

COUNT_SECONDS: Final = 5.0
"""How often the workers are counted anew: some may join."""

MOST_LOCAL: Final = 1_024

ALLOWED: Final = "allowed are local:N (N processes of this machine), tcp://HOST:PORT and tls://HOST:PORT"


def read_scheduler(scheduler: object) -> str | Client:
    """Check what was given as a scheduler, before anything is played or written.

    Raises
    ------
    UsageError
        It is none, or ``dask.distributed`` is not installed.
    """
    if isinstance(scheduler, str):
        local = scheduler.startswith("local:")
        if local and re.fullmatch(r"[0-9]{1,9}", scheduler[6:]):
            whole("scheduler local:N, N", int(scheduler[6:]), 1, MOST_LOCAL)
        elif not re.fullmatch(r"(tcp|tls)://[^\s/]+:[0-9]{1,5}", scheduler):
            raise UsageError(f"scheduler {quoted(scheduler)} (--scheduler): {ALLOWED}")
    try:
        import distributed
    except ImportError:
        raise UsageError(
            "a scheduler needs dask.distributed, which is not installed: pip install 'gincore[cluster]'"
        ) from None
    if isinstance(scheduler, str):
        return scheduler
    if not isinstance(scheduler, distributed.Client):
        raise UsageError(f"scheduler {quoted(scheduler)}: {ALLOWED}, and in Python a distributed.Client")
    if scheduler.asynchronous:
        raise UsageError("scheduler: a Client with asynchronous=True cannot be waited for; make one without")
    if scheduler.status != "running":
        raise UsageError(f"scheduler: this Client is {scheduler.status}; make another")
    return scheduler


def play_on(scheduler: str | Client, plan: Plan, keeper: Keeper, progress: bool) -> Tally:
    """Play every chunk that is not kept already on a cluster, and return the sums of all.

    Parameters
    ----------
    scheduler
        From :func:`read_scheduler`.
    plan
        What is played, its chunk size settled.
    keeper
        Takes the parts, in this thread.
    progress
        Show a bar.

    Raises
    ------
    UsageError
        A strategy cannot travel.
    RunError
        A strategy gave an illegal answer; a worker has another version of gincore; the cluster cannot be reached.
    Lost
        The scheduler went away, or workers died over a part again and again.
    """
    layout, total = plan.layout, Tally.empty(plan.kind)
    mark = identity(plan.manifest())
    parcel = pack(plan, mark)
    with run_bar(layout, progress) as bar, _connected(scheduler) as (client, name):

        def take(chunk: Chunk, tally: Tally) -> None:
            total.merge(tally)
            bar.update(steps(layout, chunk.units))

        def missing() -> Iterator[Chunk]:
            for chunk in layout.chunks():
                stored = keeper.recall_or_clear(chunk)
                if stored is None:
                    yield chunk
                else:
                    take(chunk, stored)

        def finished(outcome: tuple[Chunk, Packed] | str) -> None:
            if isinstance(outcome, str):
                raise RunError(outcome)
            chunk, packed = outcome
            tally = _sums(chunk, packed, (plan.kind, mark), keeper.counts)
            keeper.put(chunk, packed)
            take(chunk, tally)

        stamp, work = carried()
        pool = client.get_executor(pure=False)
        try:
            with _explained(name):
                room = _room(client, name)
                sent = client.submit(work, (stamp(), *parcel), None, None, pure=False)
                _wait_for_worker(sent, room)
                run_jobs(lambda chunk: pool.submit(work, sent, tuple(chunk), keeper.wants), missing(), room, finished)
        finally:
            pool.shutdown(wait=False)  # cancels what is under way
    return total


def carried() -> tuple[Callable[[], dict[str, str]], Callable[..., Any]]:
    """Return what a worker runs: two functions that travel with their code.

    They are made here, inside a function, so that they are pickled by value and run wherever Python does: a worker with
    another gincore, or without any, can say so.
    """

    def stamp() -> dict[str, str]:
        """Return what must be the same here and on a worker, or rows might differ."""
        import sys

        import numba
        import numpy

        import gincore
        from gincore._jit import source_digest

        python = f"{sys.version_info.major}.{sys.version_info.minor}"
        versions = {"numba": numba.__version__, "numpy": numpy.__version__}
        return {"gincore": gincore.__version__, "gincore's source": source_digest(), "Python": python, **versions}

    def work(sent: Any, chunk: Any, wants: Any) -> Any:
        """Play a chunk of the parcel; without one, check that the parcel can be played here, and return it.

        A text in place of an answer says why this worker cannot play.
        """
        if isinstance(sent, str):
            return sent
        from distributed import get_worker

        wanted, digest, content = sent
        try:
            here = stamp()
        except ImportError as error:
            return (
                f"worker {get_worker().address} lacks {error.name}: install gincore {wanted['gincore']} wherever a "
                "worker runs"
            )
        other = [
            f"{name} is {here[name]} there and {wanted[name]} here" for name in wanted if wanted[name] != here[name]
        ]
        if other:
            return (
                f"worker {get_worker().address} is another one: {', '.join(other)}; install the same wherever a worker "
                "runs"
            )
        from gincore.runs.layout import Chunk
        from gincore.runs.packed import Parcel, play_parcel, unpack

        parcel = Parcel(digest, content)
        if chunk is None:
            unpack(parcel)  # compiles the engine, if it must be, and the strategies
            return sent
        return Chunk(*chunk), play_parcel(parcel, Chunk(*chunk), wants)

    return stamp, work


def _wait_for_worker(sent: Any, room: Callable[[], int]) -> None:
    """Wait until one worker has looked at the plan and compiled what it needs; the others find the compiled code."""
    from distributed import TimeoutError as NotYet

    while True:
        room()
        try:
            answer = sent.result(timeout=LOOK_SECONDS)
            break
        except NotYet:
            pass
    if isinstance(answer, str):
        raise RunError(answer)


def _room(client: Client, name: str) -> Callable[[], int]:
    """Return what says how many chunks may be under way: a few for each thread of the workers that are there now.

    It raises :class:`Lost` if there has been no worker for long.
    """
    counted, room, seen = -math.inf, IN_FLIGHT, time.monotonic()

    def now() -> int:
        nonlocal counted, room, seen
        if time.monotonic() - counted > COUNT_SECONDS:
            threads = sum(client.nthreads().values())
            counted = time.monotonic()
            room = IN_FLIGHT * max(1, threads)
            if threads:
                seen = counted
            elif counted - seen > WORKER_SECONDS:
                raise Lost(f"{name} has had no worker for {WORKER_SECONDS} s (start some with 'dask worker ADDRESS')")
        return room

    return now


def _sums(chunk: Chunk, packed: Packed, expected: tuple[str, str], counted: bool) -> Tally:
    """Return the sums of a part that a worker sent, which must be of this chunk."""
    try:
        tally = read_tally(io.BytesIO(packed.sums), *expected)
    except BrokenPart as reason:
        raise RunError(f"part {chunk.number} did not arrive as it was sent ({reason})") from reason
    if counted and tally.units != chunk.units:
        raise RunError(f"part {chunk.number} came back with {tally.units:,} of {chunk.units:,} units")
    return tally


@contextmanager
def _explained(name: str) -> Iterator[None]:
    """Turn what Dask raises into one line."""
    from distributed import KilledWorker

    try:
        yield
    except (RunError, UsageError):
        raise
    except KilledWorker as error:
        raise Lost(
            f"{error.allowed_failures + 1} workers of {name} died one after the other over the same part, perhaps out "
            "of memory; smaller parts take less (chunk=N in Python), and so does keep='stats' (--keep stats)"
        ) from error
    except (CancelledError, OSError) as error:
        raise Lost(f"{name} is gone") from error
    except Exception as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise RunError(f"a worker of {name} failed: {reason}") from error


@contextmanager
def _connected(scheduler: str | Client) -> Iterator[tuple[Client, str]]:
    """Yield a client and how the cluster is called; what is made here is closed in the end."""
    if not isinstance(scheduler, str):
        yield scheduler, f"the scheduler at {getattr(scheduler.scheduler, 'address', 'an address that is unknown')}"
        return
    with _quiet():
        if scheduler.startswith("local:"):
            with _processes(int(scheduler[6:])) as client:
                yield client, f"scheduler {scheduler}"
            return
        with _client(scheduler) as client:
            yield client, f"the scheduler at {scheduler}"


@contextmanager
def _client(address: str) -> Iterator[Client]:
    """Connect to a scheduler."""
    from distributed import Client

    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise RunError(
            f"the scheduler at {address} cannot be reached within {CONNECT_SECONDS} s: is it running ('dask scheduler' "
            "starts one), and is the address right?"
        ) from error
    try:
        yield client
    finally:
        client.close(timeout=2)


@contextmanager
def _processes(count: int) -> Iterator[Client]:
    """Start processes of one thread each on this machine, and end them."""
    from distributed import Client, LocalCluster

    if getattr(multiprocessing.current_process(), "_inheriting", False):
        sys.exit(1)  # a script without the guard that is named below, run again by a process that it started
    try:
        with _no_ctrl_c():
            cluster = LocalCluster(
                n_workers=count, threads_per_worker=1, dashboard_address=":0", silence_logs=logging.CRITICAL
            )
    except Exception as error:
        raise RunError(
            f"the processes of scheduler local:{count} did not start; a script that names one must play under "
            "if __name__ == '__main__':"
        ) from error
    try:
        with Client(cluster, set_as_default=False, direct_to_workers=True) as client:
            yield client
    finally:
        for nanny in cluster.workers.values():  # what the workers hold is of no use any more
            nanny.auto_restart = False
            if nanny.pid:
                with suppress(OSError):
                    os.kill(nanny.pid, signal.SIGTERM)
        cluster.close()


@contextmanager
def _no_ctrl_c() -> Iterator[None]:
    """Let threads and processes that are started here never see Ctrl-C, which a terminal sends to all of a group."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # would let the signal through, if it were started inside
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence Dask's log: what matters is said in one line."""
    loggers = [logging.getLogger(name) for name in logging.root.manager.loggerDict if name.startswith("distributed")]
    before = [logger.level for logger in loggers]
    try:
        for logger in loggers:
            logger.setLevel(logging.CRITICAL + 1)
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)
