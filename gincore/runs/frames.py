"""Typed rows as pandas frames: plain small integers, nullable ones where a value may be absent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

import numpy as np
import pandas as pd

from gincore.runs.layout import Layout, starts
from gincore.schema import (
    COLUMNS,
    CUTTHROAT_COLUMNS,
    GAME_DTYPE,
    GAME_NULLABLE,
    HAND_DTYPE,
    HANDS_PER_GAME,
    NO_VALUE,
    NULLABLE,
    Result,
)

Block = tuple[np.ndarray, np.ndarray | None]
"""Hand rows, and their game rows in a run of games."""

RESULTS: Final = pd.Index([result.name for result in Result])


def hands_frame(blocks: Iterable[Block], total: int, layout: Layout) -> pd.DataFrame:
    """Return hand rows as a frame.

    Parameters
    ----------
    blocks
        Arrays of ``HAND_DTYPE``, each with its games (``GAME_DTYPE``) in a run of games.
    total
        Hand rows of all blocks together.
    layout
        Shape of the run. In a run of games the columns ``game`` and ``hand`` (number of the hand in its game or match,
        from 0) come first; then ``leg`` in matches, and ``round`` and ``table`` in a partnership.

    Returns
    -------
    DataFrame
        The columns of ``HAND_DTYPE``, those of the third player in cutthroat only; ``result`` is a category; columns of
        ``schema.NULLABLE`` are ``Int8``/``Int16`` with ``<NA>`` where nobody knocked.
    """
    of_games = layout.kind == "games"
    legs: list[np.ndarray] = []
    columns = _columns(_noting_legs(blocks, layout, legs), total, HAND_DTYPE)
    if not (of_games and layout.form == "cutthroat"):
        columns = {name: values for name, values in columns.items() if name not in CUTTHROAT_COLUMNS}
    if not of_games:
        return _frame(columns)
    hand = (columns["deal"] % HANDS_PER_GAME).astype(np.int32)
    front = {"game": columns["deal"] // HANDS_PER_GAME, "hand": hand}
    if layout.match != "one-game":
        front["leg"] = np.concatenate(legs) if legs else np.zeros(0, np.int16)
    if layout.form == "partnership":
        front |= {"round": hand // 2, "table": (hand % 2).astype(np.int8)}
    return _frame(front | columns)


def _noting_legs(blocks: Iterable[Block], layout: Layout, legs: list[np.ndarray]) -> Iterator[np.ndarray]:
    """Yield the hand rows of each block, and note which game of its match each hand belongs to."""
    for rows, games in blocks:
        if games is not None and layout.match != "one-game":
            whole = games[games["column"] == (COLUMNS - 1 if layout.form == "hollywood" else 0)]
            legs.append(np.repeat(whole["leg"], whole["hands"]))
        yield rows


def games_frame(blocks: Iterable[np.ndarray], total: int) -> pd.DataFrame:
    """Return game rows as a frame with the columns of ``GAME_DTYPE``; ``winner`` and ``match_winner`` are nullable."""
    return _frame(_columns(blocks, total, GAME_DTYPE))


def matches_frame(games: np.ndarray, players: int) -> pd.DataFrame:
    """Return one row a match from its game rows, one a sheet or a game where there are no matches.

    Columns are ``game`` and ``mirror``, which name the match; ``winner``; ``games`` (sheets in Hollywood); and sums
    over the game rows: ``games_won_p`` (columns in Hollywood), ``margin`` (in cutthroat also ``margin_2``),
    ``points_p``, ``hands``.
    """
    first = np.flatnonzero(starts(games))
    last = np.append(first[1:], len(games)) - 1
    whole = np.append(games["column"][1:] == 0, True)  # the last row of a game or sheet: its hands are all of them

    def summed(values: np.ndarray, kind: type[np.integer[Any]] = np.int64) -> np.ndarray:
        total: np.ndarray = np.add.reduceat(values.astype(np.int64), first) if len(first) else np.zeros(0, np.int64)
        return total.astype(kind)

    columns = {
        "game": games["game"][first],
        "mirror": games["mirror"][first],
        "winner": games["match_winner"][last] if len(first) else np.zeros(0, np.int8),
        "games": summed(games["column"] == 0, np.int32),
    }
    columns |= {f"games_won_{player}": summed(games["winner"] == player, np.int32) for player in range(players)}
    columns |= {name: summed(games[name]) for name in ("margin", "margin_2")[: players - 1]}
    columns |= {f"points_{player}": summed(games[f"points_{player}"]) for player in range(players)}
    columns["hands"] = summed(np.where(whole, games["hands"], 0))
    return _frame(columns)


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
        elif name in NULLABLE or name in GAME_NULLABLE:
            ready[name] = pd.arrays.IntegerArray(values, values == NO_VALUE)
        else:
            ready[name] = values
    return pd.DataFrame(ready, copy=False)
