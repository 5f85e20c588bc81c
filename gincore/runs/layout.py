"""How the units of a run (deals or games) are cut into chunks; one stored part a chunk."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

Kind = Literal["hands", "games"]
Keep = Literal["rows", "stats"]

BLOCK_UNITS: Final[dict[str, int]] = {"hands": 65_536, "games": 4_096}
"""Units that one call of the engine plays: about a tenth of a second, which bounds the time until Ctrl-C acts."""

USUAL_PARTS: Final = 4_096
"""Parts of a very large run, unless a chunk size is asked for."""

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
    """

    kind: Kind
    first: int
    count: int
    mirror: bool
    keep: Keep
    chunk: int

    @classmethod
    def from_manifest(cls, manifest: Mapping[str, Any]) -> Layout:
        """Read the layout out of a manifest; a field that is missing raises ``KeyError``."""
        return cls(
            kind=manifest["kind"],
            first=int(manifest["first"]),
            count=int(manifest["count"]),
            mirror=bool(manifest["mirror"]),
            keep=manifest["keep"],
            chunk=int(manifest["chunk"]),
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
    def parts(self) -> int:
        """Number of chunks."""
        return -(-self.count // self.chunk)

    def chunks(self) -> Iterator[Chunk]:
        """Yield every chunk in order, lazily: a billion deals cost no memory."""
        for index in range(self.parts):
            start = index * self.chunk
            yield Chunk(index, self.first + start, min(self.chunk, self.count - start))


def usual_chunk(kind: Kind, count: int) -> int:
    """Return the chunk size used when none is asked for: one block, or more in a very large run."""
    block = BLOCK_UNITS[kind]
    blocks = -(-count // block)
    return block * -(-blocks // USUAL_PARTS)
