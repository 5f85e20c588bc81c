"""How the units of a run (deals or games) are cut into chunks; one stored part a chunk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, get_args

import numpy as np

from gincore.schema import HANDS_PER_GAME

Kind = Literal["hands", "games"]
Keep = Literal["rows", "stats"]

LIMITS: Final[dict[str, int]] = {"hands": 1 << 63, "games": (1 << 63) // HANDS_PER_GAME}
"""Numbers of units are whole numbers below these (a hand's deal number is a signed 64-bit column)."""

BLOCK_UNITS: Final[dict[str, int]] = {"hands": 65_536, "games": 4_096}
"""Units that one call of the engine plays: about a tenth of a second, which bounds the time until Ctrl-C acts."""

USUAL_PARTS: Final = 4_096
"""Parts of a very large run, unless a chunk size is asked for."""

SMALL_PARTS: Final = 8
"""Parts of a run that is smaller than so many blocks."""

SMALLEST_SHARE: Final = 32
"""A part is at least this share of a block, or the whole run."""

MOST_PARTS: Final = 100_000
"""A folder with more files than this helps nobody; a smaller chunk is refused."""


class Chunk(NamedTuple):
    """A range of units: number of the chunk, its first unit, how many units."""

    number: int
    first: int
    units: int


@dataclass(frozen=True)
class Layout:
    """What a reader of a run must know of its shape.

    Attributes
    ----------
    kind
        ``"hands"`` (a unit is a deal) or ``"games"`` (a unit is a game).
    first, count
        Number of the first unit, and how many units.
    mirror
        Whether each unit is played twice, with the seats exchanged.
    keep
        ``"rows"`` or ``"stats"``.
    chunk
        Units in a part; the last part may be shorter.
    form, match
        Options of the rules that say what a unit of a run of games is; they do not matter in a run of hands.
    """

    kind: Kind
    first: int
    count: int
    mirror: bool
    keep: Keep
    chunk: int
    form: str = "single"
    match: str = "one-game"

    @classmethod
    def from_manifest(cls, manifest: Mapping[str, Any]) -> Layout:
        """Read the layout out of a manifest; a missing field raises ``KeyError``, a wrong one ``ValueError``."""
        for name, allowed in (("kind", get_args(Kind)), ("keep", get_args(Keep)), ("mirror", (False, True))):
            if (type(manifest[name]), manifest[name]) not in [(type(each), each) for each in allowed]:  # 1 is not True
                raise ValueError(name)
        for name, least in (("first", 0), ("count", 1), ("chunk", 1)):
            if type(manifest[name]) is not int or manifest[name] < least:
                raise ValueError(name)
        if manifest["count"] > MOST_PARTS * manifest["chunk"]:
            raise ValueError("chunk")
        if manifest["first"] + manifest["count"] > LIMITS[manifest["kind"]]:
            raise ValueError("first")
        return cls(
            kind=manifest["kind"],
            first=manifest["first"],
            count=manifest["count"],
            mirror=bool(manifest["mirror"]),
            keep=manifest["keep"],
            chunk=manifest["chunk"],
            form=str(manifest["rules"]["options"]["form"]),
            match=str(manifest["rules"]["options"]["match"]),
        )

    @property
    def per_unit(self) -> int:
        """Times that each unit is played: 2 with mirror, else 1."""
        return 2 if self.mirror else 1

    @property
    def unit(self) -> str:
        """Name of a unit: ``"deal"`` or ``"game"``."""
        return "deal" if self.kind == "hands" else "game"

    @property
    def noun(self) -> str:
        """What a unit is called: ``deal``, ``game``, ``match``, or ``sheet`` of three Hollywood columns."""
        if self.kind == "hands":
            return "deal"
        if self.match != "one-game":
            return "match"
        return "sheet" if self.form == "hollywood" else "game"

    @property
    def players(self) -> int:
        """Players, or sides of a partnership: 3 in games of cutthroat, else 2."""
        return 3 if self.kind == "games" and self.form == "cutthroat" else 2

    @property
    def parts(self) -> int:
        """Number of chunks."""
        return -(-self.count // self.chunk)

    def chunks(self) -> Iterator[Chunk]:
        """Yield every chunk in order, lazily: a billion deals cost no memory."""
        for index in range(self.parts):
            start = index * self.chunk
            yield Chunk(index, self.first + start, min(self.chunk, self.count - start))


def starts(games: np.ndarray) -> np.ndarray:
    """Return which game rows begin a unit, or a unit's mirrored copy."""
    begins: np.ndarray = (games["leg"] == 0) & (games["column"] == 0)
    return begins


def units_of(rows: np.ndarray, games: np.ndarray | None, per_unit: int) -> int:
    """Return the number of units in a block of whole ones."""
    copies = len(rows) if games is None else int(np.count_nonzero(starts(games)))
    return copies // per_unit


def usual_chunk(kind: Kind, count: int) -> int:
    """Return the chunk size used when none is asked for: one block, more in a very large run, less in a small one.

    A small run is cut in pieces too, as slow players keep every thread busy with few units.
    """
    block = BLOCK_UNITS[kind]
    if count < SMALL_PARTS * block:
        return max(block // SMALLEST_SHARE, -(-count // SMALL_PARTS))
    blocks = -(-count // block)
    return block * -(-blocks // USUAL_PARTS)
