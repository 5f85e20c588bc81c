"""Frames of the undercut-risk report, from hand rows: how often and how dearly a knock is undercut, and what makes it.

A *knock* is an ordinary one by player 0: a hand that ended with ``knock`` or ``undercut`` and ``knocker`` 0. Its
*circumstances* are what the knocker sees at the table: own deadwood, turns played, cards that the defender took from
the pile, and the rank of the defender's last discard.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd

from gincore.analysis.cells import Value, cell_frame
from gincore.analysis.intervals import holm

TURNS: Final = ("1-4", "5-8", "9-12", "13-16", "17-20", "21+")
TURN_ENDS: Final = (4, 8, 12, 16, 20)
PICKUPS: Final = ("0", "1", "2", "3+")
DISCARDS: Final = ("A-3", "4-6", "7-9", "10-K", "none")
RANK_ENDS: Final = (3, 6, 9)
MOST_DEADWOOD: Final = 10
"""Deadwood from here on is one class; only rules with another limit than ten have more."""

FACTORS: Final[dict[str, tuple[str, ...]]] = {
    "deadwood": (*(str(points) for points in range(1, MOST_DEADWOOD)), str(MOST_DEADWOOD)),
    "turns": TURNS,
    "pickups": PICKUPS,
    "discard": DISCARDS,
}
"""The circumstances of a knock, and the classes of each in order."""

VALUES: Final = (
    Value("undercut_share", "undercut", share=True),
    Value("loss_per_knock", "loss", share=False),
    Value("net_points_per_knock", "net", share=False),
)
"""What is estimated in each cell: the share undercut, points lost to undercuts a knock, the knocker's net points."""


def knocks(hands: pd.DataFrame, player: int = 0) -> pd.DataFrame:
    """Return a player's ordinary knocks with their circumstances.

    Parameters
    ----------
    hands
        Hand rows with ``last_throw_0`` and ``last_throw_1``, the last card that each player threw (-1: none).
    player
        Whose knocks.

    Returns
    -------
    DataFrame
        ``deal``; codes of the classes of :data:`FACTORS`; ``undercut`` 0 or 1; ``net`` points of the knocker, ``loss``
        the points lost to an undercut, else 0; ``multiplier`` of the hand; ``deadwood_points``; ``before`` and
        ``after``, the defender's deadwood without and with lay-offs; ``laid`` off cards; ``by_layoff`` 1 for an
        undercut that the defender's own melds would not have made.
    """
    other = 1 - player
    mine = (hands["knocker"] == player).fillna(False) & hands["result"].isin(["knock", "undercut"])
    rows = hands[mine]
    undercut = (rows["result"] == "undercut").to_numpy(np.int64)
    net = (rows[f"points_{player}"].astype(np.int64) - rows[f"points_{other}"]).to_numpy(np.int64)
    points, before, after = (
        rows[name].to_numpy(np.int64)
        for name in ("knocker_deadwood", "defender_deadwood_before", "defender_deadwood")
    )  # fmt: skip
    card = rows[f"last_throw_{other}"].to_numpy(np.int64)
    rank = np.digitize(card % 13 + 1, RANK_ENDS, right=True)
    return pd.DataFrame(
        {
            "deal": rows["deal"].to_numpy(np.int64),
            "deadwood": np.clip(points, 1, MOST_DEADWOOD) - 1,
            "turns": np.digitize(rows["turns"].to_numpy(np.int64), TURN_ENDS, right=True),
            "pickups": np.minimum(rows[f"pickups_{other}"].to_numpy(np.int64), len(PICKUPS) - 1),
            "discard": np.where(card < 0, len(DISCARDS) - 1, rank),
            "undercut": undercut,
            "net": net,
            "loss": np.where(undercut == 1, -net, 0),
            "multiplier": np.where(rows["doubled"].to_numpy() == 1, 2, 1),
            "deadwood_points": points,
            "before": before,
            "after": after,
            "laid": rows["layoff_cards"].to_numpy(np.int64),
            "by_layoff": undercut * (before > points),
        }
    )


def risk_cells(rows: pd.DataFrame, by: Sequence[str], level: float = 0.95) -> pd.DataFrame:
    """Estimate :data:`VALUES` in every cell of some circumstances.

    Parameters
    ----------
    rows
        Frame of :func:`knocks` for several opponents, with a column ``opponent``.
    by
        Circumstances that make a cell.
    level
        Coverage of each single interval.

    Returns
    -------
    DataFrame
        ``opponent``, the circumstances as texts, the columns of :data:`gincore.analysis.cells.CELL_COLUMNS`, and
        ``p_holm``. The p-values say whether a share (or loss) is that of all knocks against the opponent, and whether
        net points are 0; those of all cells of a metric, over all opponents, are one family for Holm's correction.
    """
    frames = []
    for opponent, part in rows.groupby("opponent", sort=False):
        means = {value.metric: float(part[value.column].mean()) for value in VALUES[:2]}
        cells = cell_frame(part, by, VALUES, level, means)
        cells.insert(0, "opponent", opponent)
        frames.append(cells)
    frame = pd.concat(frames, ignore_index=True)
    for name in by:
        frame[name] = frame[name].map(dict(enumerate(FACTORS[name])))
    frame["p_holm"] = frame.groupby("metric")["p_value"].transform(lambda p: holm(p.to_numpy()))
    return frame


def overview(rows: pd.DataFrame, level: float = 0.95) -> pd.DataFrame:
    """Estimate, for each opponent, risk and loss of a knock, and what lay-offs have to do with it.

    Returns
    -------
    DataFrame
        ``opponent`` and the columns of :data:`gincore.analysis.cells.CELL_COLUMNS`; of metrics that end in
        ``_of_undercuts`` the hands are those undercut.
    """
    all_knocks = (
        *VALUES,
        Value("laid_off_share", "any_laid", share=True),
        Value("laid_points_per_knock", "laid_points", share=False),
    )
    undercuts = (
        Value("by_layoff_share_of_undercuts", "by_layoff", share=True),
        Value("loss_per_undercut", "loss", share=False),
    )
    frames = []
    for opponent, part in rows.groupby("opponent", sort=False):
        part = part.assign(any_laid=part["laid"] > 0, laid_points=part["before"] - part["after"])
        found = [cell_frame(part, (), all_knocks, level)]
        if part["undercut"].any():
            found.append(cell_frame(part[part["undercut"] == 1], (), undercuts, level))
        frames.append(pd.concat(found, ignore_index=True).assign(opponent=opponent))
    frame = pd.concat(frames, ignore_index=True)
    return frame[["opponent", *frame.columns.drop("opponent")]]


def rescored(rows: pd.DataFrame, base: int, bonus: int) -> pd.DataFrame:
    """Return the knocks as they score with another undercut bonus, where nobody plays otherwise because of it."""
    more = (bonus - base) * rows["multiplier"] * rows["undercut"]
    return rows.assign(net=rows["net"] - more, loss=rows["loss"] + more)


def bonus_frame(by_bonus: dict[int, pd.DataFrame], level: float = 0.95) -> pd.DataFrame:
    """Estimate what is at stake by undercut bonus, over all knocks (``deadwood`` ``all``) and by deadwood.

    Parameters
    ----------
    by_bonus
        For each bonus a frame of :func:`knocks` with a column ``opponent``.
    level
        Coverage of each single interval.

    Returns
    -------
    DataFrame
        ``bonus``, ``opponent``, ``deadwood``, the columns of :data:`gincore.analysis.cells.CELL_COLUMNS` and
        ``p_holm`` (net points that are 0: one family of all bonuses, opponents and deadwoods).
    """
    frames = []
    for bonus, rows in by_bonus.items():
        for opponent, part in rows.groupby("opponent", sort=False):
            whole = cell_frame(part, (), VALUES[1:], level).assign(deadwood="all")
            cells = cell_frame(part, ("deadwood",), VALUES[1:], level)
            cells["deadwood"] = cells["deadwood"].map(dict(enumerate(FACTORS["deadwood"])))
            frames.append(pd.concat([whole, cells], ignore_index=True).assign(bonus=bonus, opponent=opponent))
    frame = pd.concat(frames, ignore_index=True)
    first = ["bonus", "opponent", "deadwood"]
    frame = frame[[*first, *frame.columns.drop(first)]]
    return frame.assign(p_holm=frame.groupby("metric")["p_value"].transform(lambda p: holm(p.to_numpy())))


SPREAD_VALUES: Final = (
    Value("undercut_share", "undercut", share=False),
    Value("net_points_per_knock", "net", share=False),
    Value("other_result_share", "other", share=True),
)
"""Paired differences of the two spread rules, and the share of knocks that score otherwise."""


def spread_frame(least: pd.DataFrame, best: pd.DataFrame, level: float = 0.95) -> pd.DataFrame:
    """Compare the knocker's spread of least deadwood with a free choice, knock by knock.

    Parameters
    ----------
    least, best
        Frames of :func:`knocks` with a column ``opponent``: the same hands under both rules, in the same order.
    level
        Coverage of each single interval.

    Returns
    -------
    DataFrame
        ``opponent``, the columns of :data:`gincore.analysis.cells.CELL_COLUMNS` and ``p_holm``. Estimates are the free
        choice minus the least deadwood; ``other_result_share`` is the share of knocks whose points differ.
    """
    if len(least) != len(best) or not np.array_equal(least["deal"], best["deal"]):
        raise ValueError("the two frames must hold the same hands")
    change = least[["opponent", "deal"]].assign(
        undercut=best["undercut"].to_numpy() - least["undercut"].to_numpy(),
        net=best["net"].to_numpy() - least["net"].to_numpy(),
        other=(best["net"].to_numpy() != least["net"].to_numpy()).astype(np.int64),
    )
    frames = []
    for opponent, part in change.groupby("opponent", sort=False):
        frames.append(cell_frame(part, (), SPREAD_VALUES, level).assign(opponent=opponent))
    frame = pd.concat(frames, ignore_index=True)
    frame = frame[["opponent", *frame.columns.drop("opponent")]]
    tested = frame["p_value"].where(frame["metric"] != "other_result_share")
    return frame.assign(p_holm=holm(tested.to_numpy()))
