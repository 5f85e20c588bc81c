"""Typed rows as pandas frames: plain small integers, nullable ones where a value may be absent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import numpy as np
import pandas as pd

from gincore.schema import GAME_DTYPE, HAND_DTYPE, HANDS_PER_GAME, NO_VALUE, NULLABLE, Result

RESULTS: Final = pd.Index([result.name for result in Result])


def hands_frame(blocks: Iterable[np.ndarray], total: int, *, of_games: bool) -> pd.DataFrame:
    """Return hand rows as a frame.

    Parameters
    ----------
    blocks
        Arrays of ``HAND_DTYPE``.
    total
        Rows of all blocks together.
    of_games
        Put the columns ``game`` and ``hand`` (number of the hand in its game, from 0) in front.

    Returns
    -------
    DataFrame
        The columns of ``HAND_DTYPE``; ``result`` is a category; columns of ``schema.NULLABLE`` are
        ``Int8``/``Int16`` with ``<NA>`` where nobody knocked.
    """
    columns = _columns(blocks, total, HAND_DTYPE)
    frame = _frame(columns)
    if of_games:
        frame.insert(0, "game", columns["deal"] // HANDS_PER_GAME)
        frame.insert(1, "hand", (columns["deal"] % HANDS_PER_GAME).astype(np.int32))
    return frame


def games_frame(blocks: Iterable[np.ndarray], total: int) -> pd.DataFrame:
    """Return game rows as a frame with the columns of ``GAME_DTYPE``; ``winner`` is nullable."""
    return _frame(_columns(blocks, total, GAME_DTYPE))


def _columns(blocks: Iterable[np.ndarray], total: int, dtype: np.dtype[Any]) -> dict[str, np.ndarray]:
    columns = {name: np.empty(total, dtype[name]) for name in dtype.names or ()}
    start = 0
    for block in blocks:
        for name, column in columns.items():
            column[start : start + len(block)] = block[name]
        start += len(block)
    return columns


def _frame(columns: dict[str, np.ndarray]) -> pd.DataFrame:
    ready: dict[str, Any] = {}
    for name, values in columns.items():
        if name == "result":
            ready[name] = pd.Categorical.from_codes(values, categories=RESULTS)
        elif name in NULLABLE:
            ready[name] = pd.arrays.IntegerArray(values, values == NO_VALUE)
        else:
            ready[name] = values
    return pd.DataFrame(ready, copy=False)
