"""The knock tables that come with the package: ``simple``'s draws and discards, and a table that answers itself.

``scripts/knock_tables.py`` makes the file, and ``results/knock-tables.md`` says what the tables are worth.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gincore.strategies.base import Strategy
from gincore.strategies.knock_cells import knock_table

FILE: Final = Path(__file__).resolve().parent / "data" / "knock-tables.json"
"""All tables with how each was made."""

KNOCK, WAIT = "K", "."


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
    tables: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))["tables"] if FILE.is_file() else {}
    return tables


def learned(name: str, base: Strategy) -> Strategy:
    """Return the strategy of a table, which draws and discards as ``base`` does."""
    return knock_table(name, table_of(made()[name]["cells"]), base)


def about(name: str) -> str:
    """Return in one line what a strategy does."""
    return f"plays as simple, but knocks by a table learned for the rules {made()[name]['rules']['label']}"
