"""Cells by which moments of knocking are summed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from gincore.errors import UsageError, quoted
from gincore.runs.plan import whole
from gincore.schema import FORK_GRID

Int64Array = npt.NDArray[np.int64]

BINS: Final = dict(FORK_GRID)
"""Bins of width 1 of each column."""

MOST_CELLS: Final = 1 << 20
"""Cells of a grid: more would take more memory than the moments."""

USUAL: Final = ("deadwood", "turn", "opp_pickups", "stock")
"""Columns by which moments are summed unless others are asked for."""


@dataclass(frozen=True)
class Grid:
    """Cells by some columns of the moments. Make one with :func:`make_grid`.

    Attributes
    ----------
    by
        Columns, the first one varying slowest.
    widths
        Width of the bins of each.
    reached
        Whether moments count only if the player's own decision would have come to them.
    """

    by: tuple[str, ...]
    widths: tuple[int, ...]
    reached: bool = False

    @property
    def shape(self) -> tuple[int, ...]:
        """Bins of each column; the last one of each is open-ended."""
        return tuple(-(-BINS[name] // width) for name, width in zip(self.by, self.widths, strict=True))

    @property
    def cells(self) -> int:
        """Number of cells."""
        return int(np.prod(self.shape, dtype=np.int64))

    def __str__(self) -> str:
        """Columns and widths in words."""
        named = [
            name if width == 1 else f"{name} in {width}s" for name, width in zip(self.by, self.widths, strict=True)
        ]
        return ", ".join(named) + (" (reached moments)" if self.reached else "")

    def axes(self) -> Int64Array:
        """Return width, bins and stride of every column of ``schema.FORK_GRID``, as the kernels read them."""
        axes = np.array([(1, 1, 0) for _ in FORK_GRID], np.int64)
        stride = self.cells
        for name, width, bins in zip(self.by, self.widths, self.shape, strict=True):
            stride //= bins
            axes[list(BINS).index(name)] = (width, bins, stride)
        return axes

    def values(self) -> dict[str, Int64Array]:
        """Return for each column the least value of its bin in every cell."""
        places = np.unravel_index(np.arange(self.cells), self.shape)
        return {
            name: place.astype(np.int64) * width - (name == "knock_limit")
            for name, width, place in zip(self.by, self.widths, places, strict=True)
        }


def make_grid(by: Sequence[str] | None, widths: Mapping[str, int] | None = None, reached: bool = False) -> Grid:
    """Check columns and widths.

    Parameters
    ----------
    by
        Columns of ``schema.FORK_GRID``, at least one; None for the usual ones.
    widths
        Width of the bins of some of these columns; 1 for the others.
    reached
        Count only moments that the player's own decision would have come to.

    Raises
    ------
    UsageError
        A column is not known or given twice, a width is no whole number, or there are too many cells.

    Examples
    --------
    >>> make_grid(["deadwood", "turn"], {"turn": 4}).shape
    (16, 16)
    """
    columns = USUAL if by is None else by
    if isinstance(columns, str) or not all(isinstance(name, str) for name in columns) or not len(columns):
        raise UsageError(f"by {quoted(by)}: name columns in a list, such as ['deadwood', 'turn']")
    for name in (*columns, *(widths or {})):
        if name not in BINS:
            raise UsageError(f"column {name!r}: moments are summed by {', '.join(BINS)}")
    if len(set(columns)) < len(columns):
        raise UsageError(f"by {quoted(list(columns))}: a column is named twice")
    for name in widths or {}:
        if name not in columns:
            raise UsageError(f"width of {name!r}: it is none of the columns {', '.join(columns)}")
        if name == "knock_limit":
            raise UsageError("width of 'knock_limit': its bins are single points")
    chosen = tuple(whole(f"width of {name}", (widths or {}).get(name, 1), 1, BINS[name]) for name in columns)
    grid = Grid(tuple(columns), chosen, bool(reached))
    if grid.cells > MOST_CELLS:
        raise UsageError(f"{grid.cells:,} cells by {', '.join(columns)}: allowed are {MOST_CELLS:,}; take wider bins")
    return grid
