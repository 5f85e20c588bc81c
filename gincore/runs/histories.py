"""Hands of a plan together with the dealt cards and the course of draws and discards."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gincore.core import history as kernels
from gincore.runs.layout import BLOCK_UNITS, Chunk
from gincore.runs.plan import Plan
from gincore.runs.play import play_blocks
from gincore.runs.run import check_memory, worker_count
from gincore.schema import HAND_DTYPE

TURNS: Final = 64
"""Turns of a hand that are kept; few hands have more."""


@dataclass(frozen=True)
class Histories:
    """Hands with their courses.

    Attributes
    ----------
    rows : ndarray of ``schema.HAND_DTYPE``
    dealt : ndarray of uint64, shape (hands, 2)
        Cards dealt to player 0 and 1.
    drawn, thrown : ndarray of int8, shape (hands, TURNS)
        Cards of each turn, -1: none.
    opened : ndarray of int8, shape (hands,)
        Player of the first turn.
    """

    rows: NDArray[Any]
    dealt: NDArray[np.uint64]
    drawn: NDArray[np.int8]
    thrown: NDArray[np.int8]
    opened: NDArray[np.int8]


def play_histories(plan: Plan, *, workers: int | None = None) -> Histories:
    """Play the single hands of a plan; their rows are those that :func:`gincore.simulate` gives.

    Raises
    ------
    RunError
        A strategy gave an illegal answer or raised an exception.
    """
    check_memory(plan)
    pieces = list(_pieces(plan, worker_count(workers)))
    joined: dict[str, Any] = {
        each.name: np.concatenate([getattr(piece, each.name) for piece in pieces]) for each in fields(Histories)
    }
    return Histories(**joined)


def _pieces(plan: Plan, threads: int) -> Iterator[Histories]:
    """Play the blocks of a plan in threads; yield them in order."""
    record, per_unit = plan.rules.to_record(), plan.layout.per_unit
    size = BLOCK_UNITS["hands"]

    def one(start: int) -> Histories:
        units = min(size, plan.count - start)
        hands = units * per_unit
        drawn, thrown = np.full((hands, TURNS), -1, np.int8), np.full((hands, TURNS), -1, np.int8)
        rows, dealt = np.zeros(hands, HAND_DTYPE), np.zeros((hands, 2), np.uint64)
        piece = Histories(rows, dealt, drawn, thrown, np.zeros(hands, np.int8))
        first = plan.first + start
        arrays = [getattr(piece, each.name) for each in fields(Histories)]
        try:
            status = kernels.play_history(plan.strategies, record, plan.seed, first, plan.mirror, *arrays)
        except Exception:
            status = -1
        if status != kernels.OK:
            for _ in play_blocks(plan, Chunk(0, first, units)):  # fails as well, and says why
                pass
        return piece

    with ThreadPoolExecutor(threads, thread_name_prefix="gincore") as pool:
        yield from pool.map(one, range(0, plan.count, size))
