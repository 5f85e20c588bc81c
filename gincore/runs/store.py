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

import json
import logging
import os
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import numpy as np

from gincore.errors import RunError, UsageError
from gincore.runs.layout import Chunk, Layout, starts
from gincore.runs.parts import (
    GAME_SCHEMA,
    HAND_SCHEMA,
    TEMPORARY,
    BrokenPart,
    RowFile,
    WholeFile,
    count_rows,
    naming,
    read_blocks,
    read_tally,
    write_tally,
)
from gincore.runs.plan import Plan
from gincore.runs.tally import Tally
from gincore.schema import COLUMNS, FORMAT_VERSION, GAME_DTYPE, HAND_DTYPE

MANIFEST: Final = "manifest.json"
LOCK: Final = ".lock"
SET_ASIDE: Final = "_broken-"
"""Beginning of the name given to a part that could not be read, before its chunk is played again."""

SUBFOLDERS: Final = {"hands": ".parquet", "games": ".parquet", "stats": ".npz"}
"""Folders of parts, and how the names of their parts end."""

SHOWN: Final = 3
"""Files in the way that are named one by one."""

log = logging.getLogger("gincore.runs")


class Folder:
    """The parts of one run on the disk.

    Parameters
    ----------
    path
        The folder.
    layout
        Shape of the run.
    """

    def __init__(self, path: Path, layout: Layout) -> None:
        self.path = path
        self.layout = layout
        self.counts = True  # summing while playing costs less than reading the rows back

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
        numbers = [set(_part_numbers(self.path / name)) for name in self.subfolders]
        return sum(all(index in found for found in numbers) for index in range(self.layout.parts))

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
            for rows in read_blocks(paths[0], HAND_DTYPE):
                _check_units(rows["deal"], rows["mirror"], chunk.first, seen, per_unit)
                seen += len(rows)
                yield rows, None
        else:
            pairs = zip(read_blocks(paths[0], HAND_DTYPE), read_blocks(paths[1], GAME_DTYPE), strict=True)
            for rows, games in pairs:
                seen += _check_games(rows, games, self.layout, chunk.first, seen)
                yield rows, games
        if seen != expected:
            raise BrokenPart(f"it holds {seen:,} of {expected:,} {'rows' if self.layout.kind == 'hands' else 'games'}")

    def recall(self, chunk: Chunk) -> Tally:
        """Return the sums of one stored chunk, recounted from its rows where rows are kept; raises ``BrokenPart``."""
        if self.layout.keep == "stats":
            tally = read_tally(self.files(chunk.number)[0], self.layout.kind)
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
            yield StatsPart(paths[0])
            return
        with ExitStack() as stack:
            # opened in reverse, as the stack closes the last one first: the games appear after their hands
            opened = reversed(list(zip(paths, (HAND_SCHEMA, GAME_SCHEMA), strict=False)))
            writers = [stack.enter_context(RowFile(path, schema)) for path, schema in opened]
            yield RowsPart(writers[::-1])

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

    def __init__(self, files: list[RowFile]) -> None:
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

    def __init__(self, path: Path) -> None:
        self.path = path

    def add(self, rows: np.ndarray, games: np.ndarray | None) -> None:
        """Keep nothing of the rows."""

    def finish(self, tally: Tally) -> None:
        """Write the sums."""
        write_tally(self.path, tally)


@contextmanager
def claim(plan: Plan, path: Path, resume: bool) -> Iterator[tuple[Folder, Plan]]:
    """Check an output folder, lock it and put the manifest into it, all before the first hand.

    Parameters
    ----------
    plan
        What is to be played. If it leaves the chunk size open, a resumed folder's size is taken.
    path
        The folder; made if need be.
    resume
        Whether a run that is there already may be gone on with.

    Yields
    ------
    tuple of Folder and Plan
        The folder, locked, and the plan with its chunk size settled.

    Raises
    ------
    UsageError
        The path is no folder, holds something else, holds a run and ``resume`` is False, or holds another run (every
        difference is named). A run of which no part is finished may be begun anew.
    RunError
        The folder cannot be written, or another process is playing into it.
    """
    if path.exists() and not path.is_dir():
        raise UsageError(f"out {str(path)!r}: it is a file, not a folder")
    stored = _stored_manifest(path)  # looked at before anything is made
    if stored is None:
        _refuse_foreign(path)
    elif not is_run(stored):
        raise UsageError(f"out {str(path)!r}: it holds {_what(stored)}; choose another folder")
    with naming(path):
        path.mkdir(parents=True, exist_ok=True)
    with _locked(path):
        stored = _stored_manifest(path)
        if stored is None or not _has_parts(path):
            plan = plan.with_chunk(plan.layout.chunk)
            _write_manifest(path, plan)
        elif not resume:
            raise UsageError(
                f"out {str(path)!r}: it already holds a run; go on with it (--resume, resume=True) or choose another "
                "folder"
            )
        else:
            _refuse_old(path, stored)
            if plan.chunk is None and isinstance(stored.get("chunk"), int):
                plan = plan.with_chunk(stored["chunk"])
            different = plan.differences(stored)
            if different:
                raise UsageError(f"out {str(path)!r} holds another run, choose another folder: {'; '.join(different)}")
        folder = Folder(path, plan.layout)
        for name in folder.subfolders:
            with naming(path / name):
                (path / name).mkdir(exist_ok=True)
            _sweep(path / name)
        yield folder, plan


def is_run(manifest: Mapping[str, Any]) -> bool:
    """Return whether a manifest is that of a run (a report has one too)."""
    return "kind" in manifest and "format" in manifest and "report" not in manifest


def _what(manifest: Mapping[str, Any]) -> str:
    """Say what a folder holds whose manifest is not that of a run."""
    return f"a {manifest['report']} report" if "report" in manifest else f"the {MANIFEST} of something else"


def _refuse_foreign(path: Path) -> None:
    """Refuse a folder without a manifest that holds anything but hidden files."""
    if not path.exists():
        return
    with naming(path):
        found = sorted(name for name in os.listdir(path) if not name.startswith("."))
    if found:
        more = f" and {len(found) - SHOWN:,} more" if len(found) > SHOWN else ""
        names = ", ".join(found[:SHOWN]) + more
        raise UsageError(f"out {str(path)!r}: it is not empty and holds no run, but {names}; choose a new folder")


def _refuse_old(path: Path, manifest: Mapping[str, Any]) -> None:
    """Refuse a run whose parts lie beside the manifest, as they did before format 3."""
    if _old_parts(path):
        raise RunError(
            f"{path}: its parts lie beside {MANIFEST}, as an older gincore wrote them "
            f"(format {manifest.get('format')!r}); play it again into another folder"
        )


def read_manifest(path: Path) -> dict[str, Any]:
    """Return the manifest of a stored run.

    Raises
    ------
    UsageError
        There is no run folder at this path.
    RunError
        The manifest cannot be read, or is of another format.
    """
    if not path.is_dir():
        raise UsageError(f"{str(path)!r}: there is no such folder")
    manifest = _stored_manifest(path)
    if manifest is None:
        raise UsageError(f"{str(path)!r}: it holds no run ({MANIFEST} is missing)")
    if "report" in manifest:
        raise UsageError(f"{str(path)!r}: it holds {_what(manifest)}, not a run")
    if manifest.get("format") != FORMAT_VERSION:
        raise RunError(f"{path}: its format is {manifest.get('format')!r}, this gincore reads {FORMAT_VERSION}")
    _refuse_old(path, manifest)
    return manifest


def _stored_manifest(path: Path) -> dict[str, Any] | None:
    file = path / MANIFEST
    try:
        manifest = json.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise RunError(f"cannot read {file}: {error.strerror}") from error
    except ValueError as error:
        raise RunError(f"cannot read {file}: it is not JSON ({error})") from error
    if not isinstance(manifest, dict):
        raise RunError(f"cannot read {file}: it is not a manifest")
    return manifest


def _write_manifest(path: Path, plan: Plan) -> None:
    manifest = {**plan.manifest(), "created": datetime.now(UTC).isoformat(timespec="seconds")}
    file = path / MANIFEST
    with naming(file), WholeFile(file) as whole:
        whole.file.write(json_bytes(manifest))


def json_bytes(value: object) -> bytes:
    """Return JSON for a file, as UTF-8; bytes of a path that are no letters become escapes that JSON reads back."""
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode("utf-8", "backslashreplace")


def _part_numbers(folder: Path) -> list[int]:
    """Return the numbers of the parts in one subfolder."""
    try:
        names = os.listdir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return []
    matches = [re.fullmatch(r"part-([0-9]{5})\.(parquet|npz)", name) for name in names]
    return [int(match[1]) for match in matches if match]


def _old_parts(path: Path) -> bool:
    return any(re.fullmatch(r"(part|games|stats)-[0-9]{5}\.(parquet|npz)", name) for name in os.listdir(path))


def _has_parts(path: Path) -> bool:
    """Return whether a folder holds any part, of this format or an older one."""
    return _old_parts(path) or any(_part_numbers(path / name) for name in SUBFOLDERS)


def _sweep(folder: Path) -> None:
    """Remove what a killed process left half-written; the lock is held, so nobody is writing them."""
    for name in os.listdir(folder):
        if re.fullmatch(rf"\.part-[0-9]{{5}}\.(parquet|npz){re.escape(TEMPORARY)}", name):
            (folder / name).unlink(missing_ok=True)


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


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold the folder's lock, which the system releases however the process ends."""
    with naming(path / LOCK):
        handle = os.open(path / LOCK, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        if sys.platform != "win32":
            import fcntl

            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise RunError(
                    f"{path} is being written by another process; wait for it or choose another folder"
                ) from error
        yield
    finally:
        os.close(handle)


def layout_of(manifest: Mapping[str, Any], path: Path) -> Layout:
    """Return the layout that a manifest names; one that lacks an entry is refused."""
    try:
        return Layout.from_manifest(manifest)
    except (KeyError, TypeError, ValueError) as error:
        raise RunError(f"cannot read {path / MANIFEST}: {error} is missing or wrong") from error
