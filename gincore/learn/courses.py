"""Courses of hands in which one player lets knocks pass, kept small: what every rule of knocking makes of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gincore.learn.shape import Shape, Shares
from gincore.ruleset import Rules
from gincore.runs.forks import ForkPlan, ForkResult, follow_chunks
from gincore.runs.grid import make_grid
from gincore.runs.plan import make_plan
from gincore.strategies import Strategy
from gincore.strategies.knock_cells import TURNS_A_BIN

Floats = npt.NDArray[np.float32]

Columns = tuple[Any, Any, Any, Any, Any]
"""End of each hand; hand, cell, points and turn of each moment."""


class Level(NamedTuple):
    """The moments of one turn of the player: at most one a hand."""

    turn: int  # bin of the turn
    hand: npt.NDArray[np.int32]
    cell: npt.NDArray[np.int32]
    points: npt.NDArray[np.int16]


@dataclass(frozen=True)
class Courses:
    """Followed hands of one player against one opponent.

    Attributes
    ----------
    shape
        Of the tables that the cells are numbered for.
    per_unit
        Hands in a deal, which lie beside each other.
    end
        Net points of each hand if the player never knocks short of gin.
    levels
        The moments, turn by turn.
    """

    shape: Shape
    per_unit: int
    end: npt.NDArray[np.int16]
    levels: tuple[Level, ...]

    @property
    def moments(self) -> int:
        """Number of moments."""
        return sum(len(level.cell) for level in self.levels)

    def payoff(self, table: Shares) -> Floats:
        """Return the net points that each hand is expected to give if the player knocks as a table says."""
        shares = table.ravel().astype(np.float32)
        value = self.end.astype(np.float32)
        for level in reversed(self.levels):
            value[level.hand] += shares[level.cell] * (level.points - value[level.hand])
        return value

    def reach(self, table: Shares) -> list[Floats]:
        """Return for each moment of each level the share of plays in which the table has not knocked before it."""
        shares = table.ravel().astype(np.float32)
        waits = np.ones(len(self.end), np.float32)
        reached = []
        for level in self.levels:
            reached.append(waits[level.hand])
            waits[level.hand] *= 1 - shares[level.cell]
        return reached

    def visits(self, table: Shares) -> npt.NDArray[np.float64]:
        """Return how often a player who knocks as a table says comes to each cell."""
        total = np.zeros(self.shape.size)
        for level, reached in zip(self.levels, self.reach(table), strict=True):
            total += np.bincount(level.cell, reached, self.shape.size)
        return total.reshape(self.shape.axes)


def follow_courses(
    rules: str | Path | Rules,
    strategies: Sequence[str | Strategy],
    shape: Shape,
    *,
    deals: int,
    seed: int,
    workers: int | None = None,
    progress: bool = False,
    first_deal: int = 0,
) -> Courses:
    """Follow mirrored deals in which player 0 lets knocks pass; parameters as of :func:`gincore.knock_or_wait`."""
    plan = make_plan("hands", rules, strategies, seed=seed, count=deals, keep="stats", first=first_deal)
    per_unit = plan.layout.per_unit
    chunks: dict[int, list[Columns]] = {}

    def add(kept: list[Columns], rows: np.ndarray, moments: np.ndarray) -> None:
        kept.append(_columns(rows, moments, shape, per_unit))

    follow_chunks(
        ForkPlan(plan, 0, make_grid(["deadwood"])), list, add, chunks.__setitem__, workers=workers, progress=progress
    )
    return _joined([piece for number in sorted(chunks) for piece in chunks[number]], shape, per_unit)


def courses_of(result: ForkResult, shape: Shape) -> Courses:
    """Return the courses of hands that were followed with ``keep="rows"``, for tables of a shape."""
    per_unit = result.followed.plan.layout.per_unit
    return _joined([_columns(*piece, shape, per_unit) for piece in result.pieces()], shape, per_unit)


def _columns(rows: np.ndarray, moments: np.ndarray, shape: Shape, per_unit: int) -> Columns:
    """What is kept of a piece: the end of each hand; hand within the piece, cell, points and turn of each moment."""
    hand = (moments["deal"] - rows["deal"][0]) * per_unit + moments["mirror"]
    turn = np.minimum(moments["turn"] // TURNS_A_BIN, 255).astype(np.uint8)
    end = (rows["points_0"] - rows["points_1"]).astype(np.int16)
    return end, hand.astype(np.int32), shape.cells(moments), moments["points"].copy(), turn


def _joined(pieces: list[Columns], shape: Shape, per_unit: int) -> Courses:
    starts = np.cumsum([0, *(len(piece[0]) for piece in pieces)])
    for piece, start in zip(pieces, starts, strict=False):
        np.add(piece[1], start, out=piece[1], casting="unsafe")
    end, *columns = (np.concatenate(parts) for parts in zip(*pieces, strict=True))
    return Courses(shape, per_unit, end, _levels(shape, *columns))


def _levels(shape: Shape, hand: Any, cell: Any, points: Any, turn: Any) -> tuple[Level, ...]:
    """Sort moments by the turn; no hand has two in the same one."""
    order = np.argsort(turn, kind="stable")
    ends = np.cumsum(np.bincount(turn))
    parts = [order[begin:end] for begin, end in zip([0, *ends[:-1]], ends, strict=True)]
    return tuple(
        Level(min(number, shape.turns - 1), hand[part], cell[part], points[part]) for number, part in enumerate(parts)
    )
