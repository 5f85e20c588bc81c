"""Hands of a plan together with each player's last discard."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt
import pandas as pd

from gincore.core import thrown as kernels
from gincore.runs.frames import hands_frame
from gincore.runs.layout import BLOCK_UNITS, Chunk
from gincore.runs.plan import Plan
from gincore.runs.play import play_blocks
from gincore.runs.run import check_memory, worker_count
from gincore.schema import HAND_DTYPE

THROWN: tuple[str, str] = ("last_throw_0", "last_throw_1")
"""Columns beside those of a hand row: the last card that each player threw, -1 for none."""


def hands_with_throws(plan: Plan, *, workers: int | None = None) -> pd.DataFrame:
    """Play the single hands of a plan.

    Parameters
    ----------
    plan
        Of kind ``hands``; its rows are held in memory.
    workers
        Threads; None for one a usable CPU. Rows do not depend on it.

    Returns
    -------
    DataFrame
        The rows that :func:`gincore.simulate` gives for the plan, and the columns of :data:`THROWN`.

    Raises
    ------
    RunError
        A strategy gave an illegal answer or raised an exception.
    """
    check_memory(plan)
    pieces = list(_pieces(plan, worker_count(workers)))
    rows = np.concatenate([piece for piece, _ in pieces])
    cards = np.concatenate([piece for _, piece in pieces])
    frame = hands_frame([(rows, None)], len(rows), plan.layout)
    return frame.assign(**{name: cards[:, player] for player, name in enumerate(THROWN)})


def _pieces(plan: Plan, threads: int) -> Iterator[tuple[np.ndarray, npt.NDArray[np.int8]]]:
    """Play the blocks of a plan in threads; yield them in order."""
    record, per_unit = plan.rules.to_record(), plan.layout.per_unit
    size = BLOCK_UNITS["hands"]

    def one(start: int) -> tuple[np.ndarray, npt.NDArray[np.int8]]:
        units = min(size, plan.count - start)
        rows = np.zeros(units * per_unit, HAND_DTYPE)
        cards = np.zeros((len(rows), 2), np.int8)
        first = plan.first + start
        try:
            status = kernels.play_thrown(plan.strategies, record, plan.seed, first, plan.mirror, rows, cards)
        except Exception:
            status = -1
        if status != kernels.OK:
            for _ in play_blocks(plan, Chunk(0, first, units)):  # fails as well, and says why
                pass
        return rows, cards

    with ThreadPoolExecutor(threads, thread_name_prefix="gincore") as pool:
        yield from pool.map(one, range(0, plan.count, size))
