"""Where the parts of a run go: a folder, memory, or a message to who asked for them; and playing one part."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np

from gincore.runs.layout import Chunk, Layout, units_of
from gincore.runs.plan import Plan
from gincore.runs.play import Replay, play_blocks
from gincore.runs.result import Block
from gincore.runs.tally import Tally
from gincore.schema import HAND_DTYPE

if TYPE_CHECKING:
    from gincore.runs.packed import Packed

Wanted = Literal["files", "sums", "blocks"]
"""What a keeper takes of a chunk that was played elsewhere: files as they are stored, sums alone, or rows."""


class Part(Protocol):
    """One chunk that is being written."""

    @property
    def room(self) -> np.ndarray | None:
        """Where its hands are to lie, all of them; None: the blocks that it takes are buffers."""
        ...

    def add(self, rows: np.ndarray, games: np.ndarray | None) -> None:
        """Take one block of whole units."""
        ...

    def finish(self, tally: Tally) -> None:
        """Take the sums of all blocks."""
        ...


class Sink(Protocol):
    """Takes parts as they are played."""

    @property
    def counts(self) -> bool:
        """Whether sums are taken while playing; rows in memory are summed when somebody asks."""
        ...

    def part(self, chunk: Chunk) -> AbstractContextManager[Part]:
        """Open one chunk, which is kept when the block ends without an exception."""
        ...


class Keeper(Sink, Protocol):
    """Where the parts of a run stay: a folder, or memory."""

    @property
    def wants(self) -> Wanted:
        """What it takes of a chunk that was played elsewhere."""
        ...

    def put(self, chunk: Chunk, packed: Packed) -> None:
        """Keep one chunk that was played elsewhere."""
        ...

    def recall_or_clear(self, chunk: Chunk) -> Tally | None:
        """Return the sums of a chunk that is kept, or None."""
        ...


class Memory:
    """Keeps the rows of a run without a folder, or nothing for ``keep="stats"``."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.counts = layout.keep == "stats"
        self.wants: Wanted = "sums" if self.counts else "blocks"
        self.pieces: dict[int, list[Block]] = {}
        whole = layout.kind == "hands" and layout.keep == "rows"
        self.hands = np.empty(layout.count * layout.per_unit, HAND_DTYPE) if whole else None
        """All hands in one array: fresh memory costs less in one large piece, and nothing is copied."""

    @contextmanager
    def part(self, chunk: Chunk) -> Iterator[Part]:
        """Open one chunk."""
        blocks = self.pieces.setdefault(chunk.number, []) if self.layout.keep == "rows" else None
        per_unit = self.layout.per_unit
        begin = (chunk.first - self.layout.first) * per_unit
        yield MemoryPart(blocks, None if self.hands is None else self.hands[begin : begin + chunk.units * per_unit])

    def put(self, chunk: Chunk, packed: Packed) -> None:
        """Keep the rows of one chunk that was played elsewhere."""
        if self.layout.keep == "rows":
            self.pieces[chunk.number] = packed.blocks

    def recall_or_clear(self, chunk: Chunk) -> Tally | None:
        """Return None: memory begins empty."""
        return None

    def ordered(self) -> list[Block] | None:
        """Return all blocks in the order of their units."""
        if self.layout.keep == "stats":
            return None
        return [block for index in sorted(self.pieces) for block in self.pieces[index]]


def _copy(rows: np.ndarray) -> np.ndarray:
    """A copy of typed rows as plain bytes: field by field, as NumPy does it, takes ten times as long."""
    return rows.view(np.uint8).copy().view(rows.dtype)


class MemoryPart:
    """Collects the blocks of one chunk in a list, or drops them if there is none; buffers are copied."""

    def __init__(self, blocks: list[Block] | None, room: np.ndarray | None = None) -> None:
        self.blocks, self.room = blocks, room

    def add(self, rows: np.ndarray, games: np.ndarray | None) -> None:
        """Keep one block."""
        if self.blocks is not None:
            rows = rows if self.room is not None else _copy(rows)
            self.blocks.append((rows, None if games is None else _copy(games)))

    def finish(self, tally: Tally) -> None:
        """Nothing to add: the sums of rows are taken when somebody asks."""


def play_part(
    plan: Plan, chunk: Chunk, keeper: Sink, between: Callable[[bool], None], again: Replay | None = None
) -> Tally:
    """Play one chunk into a keeper.

    Parameters
    ----------
    plan, chunk
        What is played.
    keeper
        Where its part goes.
    between
        Called after every block, with True after the last one; what it raises gives the chunk up.
    again
        As of :func:`gincore.runs.play.play_blocks`.

    Returns
    -------
    Tally
        The sums, if the keeper counts; else empty ones.
    """
    per_unit = plan.layout.per_unit
    tally, played = Tally.empty(plan.kind), 0
    with keeper.part(chunk) as part:
        for rows, games in play_blocks(plan, chunk, again, part.room):
            if keeper.counts:
                tally.add(rows, games, per_unit)
            part.add(rows, games)
            played += units_of(rows, games, per_unit)
            between(played == chunk.units)
        part.finish(tally)
    return tally
