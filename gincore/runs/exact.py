"""Counting every hand of a deck: parts on threads, progress, and how a count that was stopped goes on."""

from __future__ import annotations

import json
import logging
import time
import zipfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gincore._jit import source_digest
from gincore.core import exact, tables
from gincore.errors import RunError, UsageError, quoted
from gincore.runs.jobs import Halt, Impatient, Interrupted, on_pool, progress_bar
from gincore.runs.layout import Chunk
from gincore.runs.plan import command_line
from gincore.runs.run import resumed_by, worker_count

PARTS: Final = 64
"""Parts of a count: some hundredths of a second each, which bounds the time until Ctrl-C acts."""

SAVE_SECONDS: Final = 1.0
"""Time between two savings of what is counted."""

TEN, ELEVEN = 10, 11

log = logging.getLogger("gincore.runs")


@dataclass(frozen=True)
class Deck:
    """Which hands are counted.

    Attributes
    ----------
    ace
        A code of ``schema.Ace``.
    ace_points
        1 or 15.
    cards
        Cards of a hand, at most eleven.
    throws
        Whether the best card is thrown before the hand is valued.
    ranks
        13-bit mask of the ranks in the deck.
    """

    ace: int
    ace_points: int
    cards: int
    throws: bool
    ranks: int = exact.ALL_RANKS


def dealt(ace: int, ace_points: int, cards: int) -> Deck:
    """Return the hands of 10 cards of a whole deck, or of 11 that throw their best; other numbers are refused."""
    if cards not in (TEN, ELEVEN) or isinstance(cards, bool):
        raise UsageError(f"cards {quoted(cards)}: must be 10, or 11 for hands that throw their best card")
    return Deck(ace, ace_points, int(cards), throws=cards == ELEVEN)


class _Sums:
    """What is counted, and the file that keeps it where one is named."""

    def __init__(self, deck: Deck, path: Path | None) -> None:
        self.plan = json.dumps({**asdict(deck), "source": source_digest(), "parts": PARTS})
        self.path = path
        self.done = np.zeros(PARTS, np.bool_)
        self.counts = np.zeros((2, exact.CELLS), np.int64)
        self.saved = time.monotonic()

    def load(self) -> None:
        """Take over what an earlier count has kept; a file of another count, or a damaged one, counts for nothing."""
        if self.path is None or not self.path.exists():
            return
        try:
            with open(self.path, "rb") as file, np.load(file, allow_pickle=False) as kept:
                plan, done, counts = str(kept["plan"]), kept["done"], kept["counts"]
        except PermissionError as error:
            raise RunError(f"cannot read {self.path}: {error.strerror}") from error
        except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile):
            plan = ""
        if plan != self.plan:
            log.warning("%s is damaged, or of other rules or another version: counted from the start", self.path)
            return
        self.done, self.counts = done, counts

    def add(self, part: int, counts: NDArray[np.int64]) -> None:
        """Add a part."""
        self.done[part] = True
        self.counts += counts
        if time.monotonic() - self.saved > SAVE_SECONDS:
            self.save()

    def save(self) -> None:
        """Keep what is counted, where a file is named."""
        if self.path is not None:
            from gincore.runs.parts import WholeFile  # loads pyarrow

            with WholeFile(self.path) as whole:
                np.savez_compressed(whole.file, plan=self.plan, done=self.done, counts=self.counts)
        self.saved = time.monotonic()


def count_hands(
    deck: Deck,
    *,
    workers: int | None = None,
    progress: bool = True,
    kept: Path | None = None,
    resume: bool = False,
) -> NDArray[np.int64]:
    """Count all hands by their least deadwood and the most melds that leave it.

    Parameters
    ----------
    deck
        Which hands.
    workers
        Threads; None for one a usable CPU.
    progress
        Show a bar on stderr, if stderr is a terminal.
    kept
        File that keeps what is counted until the count is complete; removed then.
    resume
        Go on with what is kept (or start).

    Returns
    -------
    ndarray of int64, shape (2, 256, 4)
        Hands by points of deadwood and number of melds; then those of them that are melded without a discard.

    Raises
    ------
    UsageError
        ``resume`` without a file.
    RunError
        What is counted cannot be kept.
    Interrupted
        Ctrl-C; what is counted is kept.
    """
    sums = _Sums(deck, kept)
    if resume and kept is None:
        raise UsageError("--resume (resume=True) needs --out FOLDER (kept=FILE): where the count was kept")
    if resume:
        sums.load()
    suits = exact.suits(deck.ace, deck.ace_points, throws=deck.throws, ranks=deck.ranks)
    block = tables.offset(deck.ace, deck.ace_points)

    def job(chunk: Chunk, halt: Halt) -> tuple[int, NDArray[np.int64]]:
        counts = np.zeros((2, exact.CELLS), np.int64)
        exact.count_part(suits, deck.cards, chunk.number, PARTS, block, *exact.scratch(), counts)
        halt.check(True)
        return chunk.number, counts

    with progress_bar(PARTS, "parts", progress) as bar:

        def finished(outcome: tuple[int, NDArray[np.int64]]) -> None:
            sums.add(*outcome)
            bar.update()

        bar.update(int(sums.done.sum()))
        missing = [Chunk(part, part, 1) for part in range(PARTS) if not sums.done[part]]
        try:
            on_pool(missing, job, finished, worker_count(workers), bar)
        except KeyboardInterrupt as stop:
            raise _interrupted(sums, isinstance(stop, Impatient)) from None
    if kept is not None:
        kept.unlink(missing_ok=True)
    return sums.counts.reshape(2, -1, exact.POINT)[:, :, ::-1].copy()


def _interrupted(sums: _Sums, playing: bool) -> Interrupted:
    """Keep what is counted, and say how to go on."""
    if sums.path is None:
        said = "nothing is saved, as no output folder was named (--out FOLDER)"
    else:
        sums.save()
        again = resumed_by(command_line(), "resume=True")
        said = f"{int(sums.done.sum())} of {PARTS} parts are saved in {sums.path}; resume with: {again}"
    return Interrupted(f"interrupted: {said}", playing=playing)
