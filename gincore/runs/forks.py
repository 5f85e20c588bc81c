"""Following hands in which one player lets knocks pass: chunks on threads, the moments in memory or summed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np

from gincore.core import batch, fork
from gincore.core.fork_sums import add_moments
from gincore.errors import RunError, UsageError
from gincore.runs.fault import explain, explain_exception
from gincore.runs.frames import hands_frame
from gincore.runs.grid import Grid, Int64Array
from gincore.runs.jobs import Halt, Interrupted, on_threads
from gincore.runs.layout import Chunk
from gincore.runs.plan import Plan
from gincore.runs.play import block_units
from gincore.runs.run import MEMORY_LIMIT, worker_count
from gincore.schema import FORK_FIELDS, HAND_DTYPE, MOMENT_DTYPE, Status

if TYPE_CHECKING:
    import pandas as pd

T = TypeVar("T")

MOMENT_ROOM: Final = 65_536
"""Moments that one call of the engine may fill."""

MOMENTS_A_HAND: Final = 3
"""Rough number of moments in a hand, for the estimate of memory."""

Piece = tuple[np.ndarray, np.ndarray]
"""Followed hands (``HAND_DTYPE``) and all their moments (``MOMENT_DTYPE``), of whole deals."""


@dataclass(frozen=True)
class ForkPlan:
    """What is followed.

    Attributes
    ----------
    plan
        A plan of single hands.
    player
        The player who lets knocks pass, 0 or 1.
    grid
        By what moments are summed.
    """

    plan: Plan
    player: int
    grid: Grid

    def manifest(self) -> dict[str, Any]:
        """Return all that determines the moments, ready for JSON."""
        return self.plan.manifest() | {"kind": "forks", "player": self.player}

    def replay(self, deal: int) -> str:
        """Return the call that follows one deal again."""
        plan = self.plan
        mirror = "" if plan.mirror else ", mirror=False"
        player = f", player={self.player}" if self.player else ""
        call = f"rules, strategies, deals=1, first_deal={deal}, seed={plan.seed}{mirror}{player}"
        return f"gincore.knock_or_wait({call})"


def follow_blocks(followed: ForkPlan, chunk: Chunk) -> Iterator[Piece]:
    """Follow the deals of a chunk and yield them in order.

    Yields
    ------
    tuple of ndarray
        A piece. The arrays are buffers, valid until the next one is asked for.

    Raises
    ------
    RunError
        A strategy gave an illegal answer or raised an exception.
    """
    plan, fault = followed.plan, np.zeros(8, np.int64)
    record, copies, block = plan.rules.to_record(), plan.layout.per_unit, block_units(plan)
    buffer = np.zeros(min(block, chunk.units) * copies, HAND_DTYPE)
    moments = np.zeros(MOMENT_ROOM, MOMENT_DTYPE)
    for start in range(0, chunk.units, block):
        rows = buffer[: min(block, chunk.units - start) * copies]
        done = 0
        while done < len(rows):
            begun = done
            try:
                status, done, filled = fork.follow_hands(
                    plan.strategies, record, plan.seed, chunk.first + start, plan.mirror, done, followed.player, rows,
                    moments, fault,
                )  # fmt: skip
            except batch.DecisionError as error:
                cause = error.__cause__ or error
                raise RunError(explain_exception(plan, cause, fault, followed.replay(int(fault[0])))) from cause
            if status != Status.ok:
                raise RunError(explain(plan, Status(status), fault, followed.replay(int(fault[0]))))
            yield rows[begun:done], moments[:filled]


def copied(rows: np.ndarray) -> np.ndarray:
    """A copy of typed rows as plain bytes, which is faster than field by field."""
    return rows.view(np.uint8).copy().view(rows.dtype)


class ForkResult:
    """Followed hands: their rows and moments, or the sums of these by one grid.

    Attributes
    ----------
    followed
        What was followed.
    """

    def __init__(self, followed: ForkPlan, pieces: list[Piece] | None, sums: Int64Array | None) -> None:
        self.followed = followed
        self._pieces = pieces
        self._sums = sums

    def pieces(self) -> list[Piece]:
        """Return hands and moments, piece by piece in the order of the deals; ``UsageError`` for ``keep="stats"``."""
        if self._pieces is None:
            raise UsageError("only sums were kept: follow the hands with keep='rows' to have their moments")
        return self._pieces

    def moments(self) -> np.ndarray:
        """Return all moments as one array of ``MOMENT_DTYPE``, hand by hand in the order of the deals."""
        return np.concatenate([np.zeros(0, MOMENT_DTYPE), *(moments for _, moments in self.pieces())])

    def hands_frame(self) -> pd.DataFrame:
        """Return the followed hands as a frame with the columns of a run of hands."""
        pieces, layout = self.pieces(), self.followed.plan.layout
        return hands_frame(((rows, None) for rows, _ in pieces), sum(len(rows) for rows, _ in pieces), layout)

    def sums(self, grid: Grid) -> Int64Array:
        """Return the sums ``schema.FORK_FIELDS`` of every cell of a grid; with ``keep="stats"`` of its own only."""
        if self._sums is not None:
            if grid != self.followed.grid:
                raise UsageError(
                    f"only sums by {self.followed.grid} were kept, not by {grid}: follow the hands with "
                    "keep='rows', or with these columns as 'by'"
                )
            return self._sums
        return summed((moments for _, moments in self.pieces()), grid)


def summed(pieces: Iterable[np.ndarray], grid: Grid) -> Int64Array:
    """Sum moments by the cells of a grid; a deal lies in one piece."""
    sums, axes = np.zeros((grid.cells, len(FORK_FIELDS)), np.int64), grid.axes()
    for moments in pieces:
        add_moments(moments, axes, grid.reached, sums)
    return sums


def follow_chunks(
    followed: ForkPlan,
    make: Callable[[], T],
    add: Callable[[T, np.ndarray, np.ndarray], None],
    finished: Callable[[int, T], None],
    *,
    workers: int | None = None,
    progress: bool = True,
) -> None:
    """Follow all deals of a plan, chunk by chunk on threads.

    Parameters
    ----------
    make
        Makes what a chunk is collected in.
    add
        Adds a piece to it, of hands and moments; the arrays are buffers.
    finished
        Takes number and collection of each chunk as it is complete, in this thread and in any order.

    Raises
    ------
    RunError
        An illegal answer of a strategy.
    Interrupted
        Ctrl-C; nothing is saved.
    """
    layout = followed.plan.layout

    def job(chunk: Chunk, halt: Halt) -> tuple[int, T]:
        collected, played = make(), 0
        for rows, moments in follow_blocks(followed, chunk):
            add(collected, rows, moments)
            played += len(rows) // layout.per_unit
            halt.check(played == chunk.units)
        return chunk.number, collected

    try:
        on_threads(layout, job, lambda outcome: finished(*outcome), worker_count(workers), progress)
    except KeyboardInterrupt:
        raise Interrupted("interrupted; nothing is saved") from None


def follow(followed: ForkPlan, *, workers: int | None = None, progress: bool = True) -> ForkResult:
    """Follow all deals of a plan; moments or their sums are kept as ``plan.keep`` says.

    Raises
    ------
    UsageError
        The moments would fill the memory.
    RunError, Interrupted
        As of :func:`follow_chunks`.
    """
    if followed.plan.keep == "rows":
        _check_memory(followed.plan)
        chunks: dict[int, list[Piece]] = {}

        def keep(pieces: list[Piece], rows: np.ndarray, moments: np.ndarray) -> None:
            pieces.append((copied(rows), copied(moments)))

        follow_chunks(followed, list, keep, chunks.__setitem__, workers=workers, progress=progress)
        return ForkResult(followed, [piece for number in sorted(chunks) for piece in chunks[number]], None)
    grid = followed.grid
    total, axes = summed((), grid), grid.axes()

    def add(sums: Int64Array, _rows: np.ndarray, moments: np.ndarray) -> None:
        add_moments(moments, axes, grid.reached, sums)

    def merge(_number: int, sums: Int64Array) -> None:
        np.add(total, sums, out=total)

    follow_chunks(followed, lambda: np.zeros_like(total), add, merge, workers=workers, progress=progress)
    return ForkResult(followed, None, total)


def _check_memory(plan: Plan) -> None:
    hands = plan.count * plan.layout.per_unit
    size = hands * (HAND_DTYPE.itemsize + MOMENTS_A_HAND * MOMENT_DTYPE.itemsize)
    if size > MEMORY_LIMIT:
        raise UsageError(
            f"about {MOMENTS_A_HAND * hands:,} moments would take {size / 1e9:,.1f} GB of memory (allowed: "
            f"{MEMORY_LIMIT / 1e9:.0f} GB): use keep='stats'"
        )
