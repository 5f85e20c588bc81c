"""The run folder: ``manifest.json``, a lock, and one part a chunk.

::

    manifest.json                what was played (compared on resume), and by which command
    hands/part-00000.parquet ... keep="rows": hand rows
    games/part-00000.parquet ... keep="rows", games: game rows, written after the hands of the same chunk
    stats/part-00000.npz ...     keep="stats": exact sums of the chunk
    .lock                        held by the process that plays; released by the system when it ends

``hands`` and ``games`` hold nothing else that a reader of Parquet folders would take for rows (names that begin with a
dot or an underscore are not rows), so that ``pandas.read_parquet("runs/four/hands")`` is the whole run.
Other files are left alone.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from gincore.errors import RunError
from gincore.runs.keep import Wanted
from gincore.runs.layout import Chunk, Layout, starts
from gincore.runs.manifest import SUBFOLDERS, part_numbers
from gincore.runs.parts import (
    GAME_SCHEMA,
    HAND_SCHEMA,
    BrokenPart,
    RowFile,
    RowWriter,
    WholeFile,
    count_rows,
    marked,
    naming,
    read_blocks,
    read_tally,
    tally_into,
)
from gincore.runs.tally import Tally
from gincore.schema import COLUMNS, GAME_DTYPE, HAND_DTYPE

if TYPE_CHECKING:
    from gincore.runs.packed import Packed

SET_ASIDE: Final = "_broken-"
"""Beginning of the name given to a part that could not be read, before its chunk is played again."""

log = logging.getLogger("gincore.runs")


class Folder:
    """The parts of one run on the disk.

    Parameters
    ----------
    path
        The folder.
    layout
        Shape of the run.
    identity
        The mark of its parts, from :func:`gincore.runs.plan.identity`.
    """

    def __init__(self, path: Path, layout: Layout, identity: str) -> None:
        self.path = path
        self.layout = layout
        self.identity = identity
        self.counts = True  # summing while playing costs less than reading the rows back
        self.wants: Wanted = "sums" if layout.keep == "stats" else "files"

    @property
    def subfolders(self) -> tuple[str, ...]:
        """Names of the folders that hold the parts, the one written last last."""
        if self.layout.keep == "stats":
            return ("stats",)
        return ("hands",) if self.layout.kind == "hands" else ("hands", "games")

    def files(self, index: int) -> list[Path]:
        """Return the paths of one chunk, the last written last."""
        return [self.path / name / f"part-{index:05d}{SUBFOLDERS[name]}" for name in self.subfolders]

    def finished(self) -> int:
        """Return how many chunks have all their files."""
        numbers = [set(part_numbers(self.path / name)) for name in self.subfolders]
        return sum(index < self.layout.parts for index in set.intersection(*map(set, numbers)))

    def blocks(self, chunk: Chunk) -> Iterator[tuple[np.ndarray, np.ndarray | None]]:
        """Yield (hand rows, game rows or None) of one stored chunk, block by block, checked against the layout.

        Raises
        ------
        BrokenPart
            A file is missing, cut, of another chunk, or of another format.
        """
        paths = self.files(chunk.number)
        per_unit = self.layout.per_unit
        expected = chunk.units * per_unit
        seen = 0
        if self.layout.kind == "hands":
            for rows in read_blocks(paths[0], HAND_DTYPE, self.identity):
                _check_units(rows["deal"], rows["mirror"], chunk.first, seen, per_unit)
                seen += len(rows)
                _check_seen(seen, expected, "rows")
                yield rows, None
        else:
            pairs = zip(
                read_blocks(paths[0], HAND_DTYPE, self.identity),
                read_blocks(paths[1], GAME_DTYPE, self.identity),
                strict=True,
            )
            for rows, games in pairs:
                seen += _check_games(rows, games, self.layout, chunk.first, seen)
                _check_seen(seen, expected, "games")
                yield rows, games
        if seen != expected:
            raise BrokenPart(f"it holds {seen:,} of {expected:,} {'rows' if self.layout.kind == 'hands' else 'games'}")

    def recall(self, chunk: Chunk) -> Tally:
        """Return the sums of one stored chunk, recounted from its rows where rows are kept; raises ``BrokenPart``."""
        if self.layout.keep == "stats":
            tally = read_tally(self.files(chunk.number)[0], self.layout.kind, self.identity)
            if tally.units != chunk.units:
                raise BrokenPart(f"it sums {tally.units:,} of {chunk.units:,} units")
            return tally
        tally = Tally.empty(self.layout.kind)
        for rows, games in self.blocks(chunk):
            tally.add(rows, games, self.layout.per_unit)
        return tally

    def recall_or_clear(self, chunk: Chunk) -> Tally | None:
        """Return the sums of a chunk that is stored, or None after setting aside what cannot be used of it."""
        files = self.files(chunk.number)
        if not all(path.exists() for path in files):
            return None
        try:
            return self.recall(chunk)
        except BrokenPart as reason:
            for path in files:
                os.replace(path, path.with_name(SET_ASIDE + path.name))
            log.warning("%s cannot be used (%s): set aside as %s*, played again", files[0], reason, SET_ASIDE)
            return None

    @contextmanager
    def part(self, chunk: Chunk) -> Iterator[RowsPart | StatsPart]:
        """Open one chunk for writing; its files appear when the block ends without an exception."""
        paths = self.files(chunk.number)
        if self.layout.keep == "stats":
            yield StatsPart(paths[0], self.identity)
            return
        with ExitStack() as stack:
            # opened in reverse, as the stack closes the last one first: the games appear after their hands
            opened = reversed(list(zip(paths, (HAND_SCHEMA, GAME_SCHEMA), strict=False)))
            writers = [stack.enter_context(RowFile(path, marked(schema, self.identity))) for path, schema in opened]
            yield RowsPart(writers[::-1])

    def put(self, chunk: Chunk, packed: Packed) -> None:
        """Store one chunk that was played elsewhere."""
        contents = (packed.sums,) if self.layout.keep == "stats" else packed.files
        for path, content in zip(self.files(chunk.number), contents, strict=True):
            with WholeFile(path) as whole, naming(path):
                whole.file.write(content)

    def check_complete(self) -> None:
        """Raise ``RunError`` unless every part is there (whether it can be read shows when it is read)."""
        missing = self.layout.parts - self.finished()
        if missing:
            raise RunError(
                f"{self.path} is not finished: {missing:,} of {self.layout.parts:,} parts are missing; "
                "run it again with resume"
            )

    def row_total(self) -> int:
        """Return the number of stored hand rows."""
        if self.layout.kind == "hands":
            return self.layout.count * self.layout.per_unit
        return self._count(0)

    def game_total(self) -> int:
        """Return the number of stored game rows; they are more than the units where a unit has several."""
        if self.layout.noun == "game":
            return self.layout.count * self.layout.per_unit
        return self._count(1)

    def _count(self, place: int) -> int:
        """Count the rows of the first or second file of every chunk."""
        total = 0
        for index in range(self.layout.parts):
            path = self.files(index)[place]
            try:
                total += count_rows(path)
            except BrokenPart as reason:
                raise RunError(f"{path} cannot be read ({reason}); run it again with resume") from reason
        return total


class RowsPart:
    """The open row files of one chunk."""

    room = None

    def __init__(self, files: Sequence[RowFile | RowWriter]) -> None:
        self.files = files

    def add(self, rows: np.ndarray, games: np.ndarray | None) -> None:
        """Write one block of rows, and of games if the run is one of games."""
        for file, block in zip(self.files, (rows, games), strict=False):
            assert block is not None
            file.add(block)

    def finish(self, tally: Tally) -> None:
        """Nothing to add: the sums are recounted from the rows."""


class StatsPart:
    """One chunk of which only the sums are stored."""

    room = None

    def __init__(self, path: Path, identity: str) -> None:
        self.path = path
        self.identity = identity

    def add(self, rows: np.ndarray, games: np.ndarray | None) -> None:
        """Keep nothing of the rows."""

    def finish(self, tally: Tally) -> None:
        """Write the sums."""
        with WholeFile(self.path) as whole, naming(self.path):
            tally_into(whole.file, tally, self.identity)


def _check_seen(seen: int, expected: int, what: str) -> None:
    """Refuse a part that holds more than its chunk, before anybody uses what is too much."""
    if seen > expected:
        raise BrokenPart(f"it holds more than {expected:,} {what}")


def _check_units(units: np.ndarray, mirror: np.ndarray, first: int, seen: int, per_unit: int) -> None:
    """Check that rows are the next ones of their chunk: unit numbers and mirror as the plan has them."""
    place = np.arange(seen, seen + len(units))
    if not (np.array_equal(units, first + place // per_unit) and np.array_equal(mirror, place % per_unit)):
        raise BrokenPart("its rows are those of another chunk")


def _check_games(rows: np.ndarray, games: np.ndarray, layout: Layout, first: int, seen: int) -> int:
    """Check a block of games against the plan and its hands; returns how many units, mirrored copies counted."""
    begins = starts(games)
    copies = np.flatnonzero(begins)
    _check_units(games["game"][begins], games["mirror"][begins], first, seen, layout.per_unit)
    owner = copies[np.cumsum(begins) - 1] if len(copies) and begins[0] else np.zeros(0, np.int64)
    if len(owner) != len(games) or any(np.any(games[name] != games[name][owner]) for name in ("game", "mirror")):
        raise BrokenPart("its rows are those of another chunk")
    last = games["column"] == (COLUMNS - 1 if layout.form == "hollywood" else 0)
    if int(games["hands"][last].sum()) != len(rows):
        raise BrokenPart("its hands are not those of its games")
    return len(copies)
