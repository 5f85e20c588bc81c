"""Frames of the knock-threshold report: what single knocks are worth, and what rules of knocking score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gincore.analysis.compare import PairedSums, pairwise
from gincore.analysis.forks import cell_frame
from gincore.analysis.intervals import holm, mean_interval

LEAST: Final = 50
"""Deals that must meet a cell: under these it is neither tested nor shown."""

CELL_COLUMNS: Final = (
    "value_of_knocking_points", "low", "high", "knock_points", "wait_points", "n", "moments", "p_value",
)  # fmt: skip


class Sums(NamedTuple):
    """Moments of one opponent summed by deadwood and another column: its name, the values of all cells, the sums."""

    opponent: str
    by: str
    values: Mapping[str, NDArray[np.int64]]
    sums: NDArray[np.int64]


def value_frame(parts: Sequence[Sums], level: float = 0.95) -> pd.DataFrame:
    """Tidy frame of the value of knocking now, all cells one family.

    Parameters
    ----------
    parts
        Sums of every opponent and column.
    level
        Coverage of each interval by itself; a cell is told from none if its ``p_holm`` is below 1 - level.

    Returns
    -------
    DataFrame
        ``opponent``, ``by`` (the column beside deadwood), the columns of the cells (missing where a part has it not),
        those of :func:`gincore.analysis.forks.cell_frame`, ``p_holm``, corrected for all cells of the frame, and
        ``verdict``: ``knock``, ``wait``, ``open`` (not told apart) or ``few`` (under :data:`LEAST` deals, not tested).
    """
    frames = []
    for part in parts:
        cells = cell_frame(part.values, part.sums, level, corrected=True).drop(columns="p_holm")
        cells.insert(0, "by", part.by)
        cells.insert(0, "opponent", part.opponent)
        frames.append(cells)
    frame = pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=["opponent", "by", *CELL_COLUMNS])
    few = (frame["n"] < LEAST).to_numpy(dtype=bool)
    tested = frame["p_value"].to_numpy(dtype=np.float64, copy=True)
    tested[few] = np.nan
    frame["p_holm"] = holm(tested)
    told = (frame["p_holm"] < 1 - level).to_numpy(dtype=bool)
    value = frame["value_of_knocking_points"].to_numpy(dtype=np.float64)
    frame["verdict"] = np.select([few, told & (value > 0), told & (value < 0)], ["few", "knock", "wait"], "open")
    return frame


def verdict_shares(frame: pd.DataFrame) -> dict[str, float]:
    """Return for each verdict the share of the moments that lie in its cells; all 0 without moments."""
    total = float(frame["moments"].sum())
    by = frame.groupby("verdict")["moments"].sum()
    return {name: float(by.get(name, 0)) / total if total else 0.0 for name in ("knock", "wait", "open", "few")}


class Scored(NamedTuple):
    """What rules of knocking scored against one opponent on the same deals.

    Attributes
    ----------
    rules, opponent
        Labels.
    names
        Of the rules of knocking: ``limit`` for one of the fixed limits.
    limits
        The limit of each, -1 for none.
    chosen
        Place of the fixed limit that scored most on other deals.
    sums
        Points of all of them, deal by deal; labelled by their places.
    """

    rules: str
    opponent: str
    names: Sequence[str]
    limits: Sequence[int]
    chosen: int
    sums: PairedSums


def scored_frame(scored: Sequence[Scored], level: float = 0.95) -> pd.DataFrame:
    """Tidy frame of what rules of knocking score, each compared with the best fixed limit on the same deals.

    Returns
    -------
    DataFrame
        ``rules``, ``opponent``, ``policy``, ``limit``; ``estimate``, ``low``, ``high`` in net points a hand; ``n``
        deals; ``best`` (the fixed limit that was chosen on other deals); ``difference`` to it with ``difference_low``
        and ``difference_high``, ``p_value`` and ``p_holm``, corrected for all comparisons of the frame.
    """
    rows = [row for each in scored for row in _rows(each, level)]
    columns = [
        "rules", "opponent", "policy", "limit", "estimate", "low", "high", "n", "best",
        "difference", "difference_low", "difference_high", "p_value",
    ]  # fmt: skip
    frame = pd.DataFrame(rows, columns=columns)
    return frame.assign(p_holm=holm(frame["p_value"].to_numpy(dtype=np.float64)))


def _rows(scored: Scored, level: float) -> list[tuple[object, ...]]:
    sums, chosen = scored.sums, scored.chosen
    compared = pairwise(sums, level)
    rows: list[tuple[object, ...]] = []
    for place, (name, limit) in enumerate(zip(scored.names, scored.limits, strict=True)):
        net = mean_interval(int(sums.first[place]), int(sums.second[place, place]), sums.units, level)
        points = (end / sums.per_unit for end in net)
        gap = [np.nan] * 4
        if place != chosen:
            low, high = min(place, chosen), max(place, chosen)
            row = compared[(compared["a"] == low) & (compared["b"] == high)].iloc[0]
            gap = [row["difference"], row["low"], row["high"], row["p_value"]]
            if place > chosen:
                gap = [-gap[0], -gap[2], -gap[1], gap[3]]
        rows.append((scored.rules, scored.opponent, name, limit, *points, sums.units, place == chosen, *gap))
    return rows


def among_best(frame: pd.DataFrame, level: float) -> list[int]:
    """Return the fixed limits of one rule set and opponent that are not told to score less than the best one."""
    fixed = frame[frame["policy"] == "limit"]
    worse = (fixed["p_holm"] < 1 - level) & (fixed["difference"] < 0)
    return sorted(fixed.loc[~worse, "limit"].astype(int))
