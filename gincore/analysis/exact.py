"""Frames from exact counts of hands: shares, moments and quantiles, without an error as nothing is estimated."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

LEVELS: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
"""Quantiles in a summary."""

LOW: Final = (*range(11), 15, 20, 30, 40)
"""Points of deadwood in the table of low hands."""


def distribution(counts: NDArray[np.int64], *, eleven: bool) -> pd.DataFrame:
    """Return the cells of a count that hold a hand.

    Parameters
    ----------
    counts
        As of :func:`gincore.runs.exact.count_hands`.
    eleven
        Whether hands have eleven cards, so that big gin is possible.

    Returns
    -------
    DataFrame
        Columns ``deadwood`` (points), ``melds``, ``hands``, and for eleven cards ``big_gin``, those of the hands that
        are melded without a discard; all whole numbers, sorted by the first two.
    """
    deadwood, melds = np.nonzero(counts[0])
    frame = pd.DataFrame({"deadwood": deadwood, "melds": melds, "hands": counts[0, deadwood, melds]})
    if eleven:
        frame["big_gin"] = counts[1, deadwood, melds]
    return frame


def by_deadwood(frame: pd.DataFrame) -> pd.DataFrame:
    """Return hands by deadwood, melds put together.

    Returns
    -------
    DataFrame
        ``deadwood``, ``hands``, ``share`` of all hands, ``at_most`` (hands of so many points or fewer) and
        ``at_most_share``.
    """
    sums = frame.groupby("deadwood")["hands"].sum()
    total, at_most = int(sums.sum()), sums.cumsum()
    return pd.DataFrame(
        {"hands": sums, "share": sums / total, "at_most": at_most, "at_most_share": at_most / total}
    ).reset_index()


def low_hands(frame: pd.DataFrame) -> pd.DataFrame:
    """Return how many hands have at most a few points: the rows of :data:`LOW`, also where no hand has just those.

    Returns
    -------
    DataFrame
        ``deadwood``, ``at_most``, ``at_most_share``, ``one_in`` (the share's inverse).
    """
    total = int(frame["hands"].sum())
    at_most = [int(frame.loc[frame["deadwood"] <= points, "hands"].sum()) for points in LOW]
    shares = np.array(at_most) / total
    with np.errstate(divide="ignore"):
        return pd.DataFrame({"deadwood": LOW, "at_most": at_most, "at_most_share": shares, "one_in": 1 / shares})


def summary(frame: pd.DataFrame, limit: int | None) -> pd.DataFrame:
    """Return mean, spread, quantiles, and the shares of hands by melds, gin and knock.

    Parameters
    ----------
    frame
        From :func:`distribution`.
    limit
        Most points with which a player may knock; None where that is no fixed number.

    Returns
    -------
    DataFrame
        ``metric`` (its name ends in the unit), ``value``, and ``hands``, the whole number behind a share, else missing.
    """
    total = int(frame["hands"].sum())
    pairs = [(int(points), int(hands)) for points, hands in zip(frame["deadwood"], frame["hands"], strict=True)]
    mean = Fraction(sum(points * hands for points, hands in pairs), total)
    square = Fraction(sum(points * points * hands for points, hands in pairs), total)
    rows: list[tuple[str, float, int | None]] = [
        ("deadwood_mean_points", float(mean), None),
        ("deadwood_sd_points", math.sqrt(square - mean * mean), None),
    ]
    points = by_deadwood(frame)
    for level in LEVELS:
        enough = points["at_most"] >= level * total
        rows.append((f"deadwood_quantile_{100 * level:g}_points", float(points.loc[enough, "deadwood"].iloc[0]), None))
    shares = [(f"melds_{melds}", int(hands)) for melds, hands in frame.groupby("melds")["hands"].sum().items()]
    if limit is not None:
        shares.append(("knockable", int(frame.loc[frame["deadwood"] <= limit, "hands"].sum())))
    shares.append(("gin", int(frame.loc[frame["deadwood"] == 0, "hands"].sum())))
    if "big_gin" in frame:
        shares.append(("big_gin", int(frame["big_gin"].sum())))
    rows += [(f"{name}_share", hands / total, hands) for name, hands in shares]
    made = pd.DataFrame(rows, columns=["metric", "value", "hands"])
    return made.astype({"hands": "Int64"})
