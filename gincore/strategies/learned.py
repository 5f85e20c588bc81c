"""The knock tables that come with the package: ``simple``'s draws and discards, and a table that answers itself.

``scripts/knock_tables.py`` makes the file, and ``results/knock-tables.md`` says what the tables are worth.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gincore.errors import UsageError
from gincore.strategies.base import Strategy
from gincore.strategies.knock_cells import AXES

FILE: Final = Path(__file__).resolve().parent / "data" / "knock-tables.json"
"""All tables with how each was made."""

TABLES: Final = {
    "table-eaai": "eaai",
    "table-classic": "classic",
    "table-undercut-10": "classic with undercut_bonus=10",
    "table-pagat": "pagat",
    "table-oklahoma": "oklahoma",
}
"""Names of the strategies, and the rules that each table was learned for."""

KNOCK, WAIT = "K", "."


def knock_table(name: str, shares: ArrayLike, base: Strategy | str = "simple") -> Strategy:
    """Make a strategy that knocks as a table says.

    Parameters
    ----------
    name : str
    shares : array_like, shape (limits, deadwoods, turns, pickups)
        Share of knocks, 0 to 1, by knock limit, deadwood, bin of two turns, and the opponent's pick-ups.
    base : Strategy or str
        Draws and discards.
    """
    cells: NDArray[np.float64] = np.asarray(shares, np.float64)
    if cells.ndim != len(AXES) or cells.size == 0:
        raise UsageError(f"strategy {name}: a knock table has four axes, not the shape {cells.shape}")
    if not np.all((cells >= 0) & (cells <= 1)):
        raise UsageError(f"strategy {name}: a knock table holds shares from 0 to 1")
    params = {axis.name: float(size) for axis, size in zip(AXES, cells.shape, strict=True)}
    return Strategy(name, knock="by-cells", params=params, table=cells.ravel(), base=base)


def text_of(table: NDArray[np.float64]) -> list[list[str]]:
    """Return a table as text: a list a limit, in it a line a deadwood, in it a word for each number of pick-ups.

    A word has a letter a bin of turns: ``K`` to knock, ``.`` to wait. Shares between 0 and 1 have no text.

    Examples
    --------
    >>> text_of(np.array([[[[1.0, 0.0], [1.0, 1.0]]]]))
    [['KK .K']]
    """
    if not np.all((table == 0) | (table == 1)):
        raise ValueError("a table with shares between 0 and 1 is not kept")
    letters = np.where(table == 1, KNOCK, WAIT)
    return [[" ".join("".join(word) for word in deadwood.T) for deadwood in limit] for limit in letters]


def table_of(text: list[list[str]]) -> NDArray[np.float64]:
    """Return the table of a text."""
    letters = np.array([[[list(word) for word in line.split()] for line in limit] for limit in text])
    table: NDArray[np.float64] = np.swapaxes(letters == KNOCK, 2, 3).astype(np.float64)
    return table


@functools.cache
def made() -> dict[str, Any]:
    """Return for each strategy how its table was made: rules, deals, seeds, rounds, source; ``cells`` is the text."""
    tables: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))["tables"]
    return tables


def learned(name: str, base: Strategy | str = "simple") -> Strategy:
    """Make one of the strategies of :data:`TABLES`."""
    return knock_table(name, table_of(made()[name]["cells"]), base)
