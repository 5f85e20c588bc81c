"""What a run gave: sums, rows in memory or on the disk, and the way back to a stored run."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gincore.errors import RunError, UsageError
from gincore.runs.layout import Chunk, Layout
from gincore.runs.tally import Int64Array, Moments, Tally
from gincore.schema import GAME_DTYPE, HAND_DTYPE

if TYPE_CHECKING:
    import pandas as pd

    from gincore.runs.plan import Plan
    from gincore.runs.store import Folder

Block = tuple[np.ndarray, np.ndarray | None]
"""Hand rows of whole units, and their game rows in a run of games."""


class Result:
    """A finished run.

    Attributes
    ----------
    manifest
        What was played (see :meth:`gincore.runs.plan.Plan.manifest`).
    layout
        Shape of the run.
    plan
        The plan, or None for a run that was opened from its folder.
    folder
        Where the run is stored, or None.
    """

    def __init__(
        self,
        manifest: dict[str, Any],
        layout: Layout,
        *,
        plan: Plan | None = None,
        folder: Folder | None = None,
        tally: Tally | None = None,
        pieces: list[Block] | None = None,
    ) -> None:
        self.manifest = manifest
        self.layout = layout
        self.plan = plan
        self.folder = folder.path if folder else None
        self._folder = folder
        self._tally = tally
        self._pieces = pieces

    @property
    def moments(self) -> Moments:
        """Sums over the units; of rows in memory or in a folder they are counted at the first use."""
        return self._sums().moments(self.layout)

    @property
    def cells(self) -> Int64Array:
        """int64 of ``CELL_SHAPE + (len(CELL_FIELDS),)``: knocks by deadwood, turns and the defender's pick-ups."""
        return self._sums().cells

    def blocks(self) -> Iterator[Block]:
        """Yield (hand rows, game rows or None) in order, without holding a stored run in memory.

        Raises
        ------
        UsageError
            Only statistics were kept.
        RunError
            A stored part cannot be read.
        """
        if self.layout.keep == "stats":
            raise UsageError("this run kept statistics only: play it with keep='rows' to have its rows")
        if self._folder is None:
            assert self._pieces is not None
            yield from self._pieces
            return
        from gincore.runs.parts import BrokenPart

        for chunk in self.layout.chunks():
            try:
                yield from self._folder.blocks(chunk)
            except BrokenPart as reason:
                raise _unreadable(self._folder, chunk, reason) from reason

    def rows(self) -> np.ndarray:
        """Return all hand rows as one array of ``HAND_DTYPE``, in the order of the deals."""
        return _join((rows for rows, _ in self.blocks()), self._row_total(), HAND_DTYPE)

    def games(self) -> np.ndarray:
        """Return all game rows as one array of ``GAME_DTYPE``; ``UsageError`` in a run of hands."""
        self._need_games()
        return _join((games for _, games in self.blocks() if games is not None), self._game_total(), GAME_DTYPE)

    def hands_frame(self) -> pd.DataFrame:
        """Return all hand rows as a frame (see :func:`gincore.runs.frames.hands_frame`)."""
        from gincore.runs.frames import hands_frame

        return hands_frame(self.blocks(), self._row_total(), self.layout)

    def games_frame(self) -> pd.DataFrame:
        """Return all game rows as a frame; ``UsageError`` in a run of hands."""
        from gincore.runs.frames import games_frame

        self._need_games()
        return games_frame((games for _, games in self.blocks() if games is not None), self._game_total())

    def matches_frame(self) -> pd.DataFrame:
        """Return one row a match, sheet or lone game; ``UsageError`` in a run of hands."""
        from gincore.runs.frames import matches_frame

        return matches_frame(self.games(), self.layout.players)

    def _sums(self) -> Tally:
        if self._tally is None:
            self._tally = self._count_pieces() if self._folder is None else recount(self._folder)
        return self._tally

    def _count_pieces(self) -> Tally:
        """Sum the rows in memory."""
        assert self._pieces is not None

        def one(block: Block) -> Tally:
            tally = Tally.empty(self.layout.kind)
            tally.add(*block, self.layout.per_unit)
            return tally

        total = Tally.empty(self.layout.kind)
        with ThreadPoolExecutor() as pool:
            for tally in pool.map(one, self._pieces):
                total.merge(tally)
        return total

    def _row_total(self) -> int:
        if self._pieces is not None:
            return sum(len(rows) for rows, _ in self._pieces)
        if self._folder is None or self.layout.keep == "stats":
            return 0  # blocks() refuses before this number is used
        return self._folder.row_total()

    def _game_total(self) -> int:
        if self._pieces is not None:
            return sum(len(games) for _, games in self._pieces if games is not None)
        if self._folder is None or self.layout.keep == "stats":
            return 0  # as above
        return self._folder.game_total()

    def _need_games(self) -> None:
        if self.layout.kind != "games":
            raise UsageError("this run is one of single hands: it has no games")


def open_run(path: str | Path) -> Result:
    """Open a finished run by its folder; rows are read when they are asked for.

    Raises
    ------
    UsageError
        There is no run folder at this path.
    RunError
        The run is not finished, or of another format.
    """
    from gincore.runs.manifest import read_manifest, shape_of
    from gincore.runs.store import Folder

    if not str(path):
        raise UsageError("the folder of a run is an empty text; name one")
    place = Path(path).expanduser()
    manifest = read_manifest(place)
    folder = Folder(place.resolve(), *shape_of(manifest, place))
    folder.check_complete()
    return Result(manifest, folder.layout, folder=folder)


def read_hands(path: str | Path) -> pd.DataFrame:
    """Return the hand rows of a stored run as a frame; errors as of :func:`open_run`."""
    return open_run(path).hands_frame()


def recount(folder: Folder) -> Tally:
    """Sum a stored run again, from its rows or from its stored sums."""
    from gincore.runs.parts import BrokenPart

    def one(chunk: Chunk) -> Tally:
        try:
            return folder.recall(chunk)
        except BrokenPart as reason:
            raise _unreadable(folder, chunk, reason) from reason

    total = Tally.empty(folder.layout.kind)
    with ThreadPoolExecutor() as pool:
        for tally in pool.map(one, folder.layout.chunks()):
            total.merge(tally)
    return total


def _unreadable(folder: Folder, chunk: Chunk, reason: Exception) -> RunError:
    return RunError(f"{folder.files(chunk.number)[0]} cannot be read ({reason}); run it again with resume")


def _join(blocks: Iterator[np.ndarray], total: int, dtype: np.dtype[Any]) -> np.ndarray:
    joined = np.empty(total, dtype)
    start = 0
    for block in blocks:
        joined[start : start + len(block)] = block
        start += len(block)
    return joined
