"""Charts of knock or wait, from the cells of :func:`gincore.analysis.forks.cell_frame`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from gincore.language import language
from gincore.plotting.rows import MapStyle, cell_map, entitle, map_figure, own_axes
from gincore.plotting.style import INK
from gincore.schema import FORK_GRID

LEAST: Final = 50
"""Deals without which a cell shows no number."""

ALPHA: Final = 0.05
"""A cell whose ``p_holm`` is not below this is not told apart."""

OPEN_BIN: Final = dict(FORK_GRID)["deadwood"] - 1
"""The bin of deadwood that holds all more points too."""

AXES: Final = {
    "turn": ("completed turns, both players, from", "tours joués par les deux, à partir de"),
    "opp_pickups": ("cards the opponent took from the pile", "cartes prises par l'adversaire à la défausse"),
    "stock": ("cards left in the stock, from", "cartes restant dans la pioche, à partir de"),
}
"""Labels of the axis beside deadwood."""


def value_map(
    frame: pd.DataFrame,
    *,
    by: str = "turn",
    most: int = 40,
    ax: Axes | None = None,
    title: str | None = None,
    lang: str = "en",
) -> Axes:
    """Map the value of knocking now by deadwood and another column.

    A line parts cells in which knocking scores more from those in which waiting does.

    Parameters
    ----------
    frame
        Columns ``deadwood``, `by`, ``value_of_knocking_points``, ``n``. With ``verdict`` (of
        :func:`gincore.analysis.knock_value.value_frame`) or else ``p_holm``, cells that cannot be told from nought are
        hatched. Gins (deadwood 0) are left out.
    by
        The other column: ``turn``, ``opp_pickups``, ``stock`` ..
    most
        Cells beyond this value of `by` are left out, and so are rows and columns without a number.
    ax
        Where to draw; new axes by default.
    title
        In place of the question that the chart answers.
    lang
        ``en`` or ``fr``.
    """
    tr = language(lang)
    cells, columns, rows = _shown(frame, by, most)
    if "verdict" in cells:
        cells = cells.assign(open=cells["verdict"] == "open")
    elif "p_holm" in cells:
        cells = cells.assign(open=~(cells["p_holm"] < ALPHA))
    ax = own_axes(ax, value_figure, frame, by, most)
    deadwood = tr("deadwood (points)", "points morts")
    style = MapStyle(by, "deadwood", tr(*AXES.get(by, (by, by))), deadwood, signed=True, diverging=True, least=LEAST)
    cell_map(ax, cells, style, columns, rows, tr)
    ax.set_yticklabels([f"{row}+" if row == OPEN_BIN else str(row) for row in rows])
    known = cells[(cells["hands"] >= LEAST) & cells["estimate"].notna()]
    places = zip(known[by], known["deadwood"], known["estimate"], strict=True)
    zero_line(ax, {(columns.index(x), rows.index(y)): float(value) for x, y, value in places})
    note = tr(
        f"points gained by knocking now; line: zero; hatched: not told\nfrom zero (Holm); dot: under {LEAST} deals",
        "points gagnés en frappant ; trait : zéro ; hachuré : non\n"
        f"distingué de zéro (Holm) ; point : < {LEAST} donnes",
    )
    entitle(ax, title or tr("Does it pay to knock now?", "Frapper maintenant, est-ce payant ?"), note)
    return ax


def value_figure(frame: pd.DataFrame, by: str, most: int) -> tuple[Figure, Axes]:
    """Make a figure for a map of a frame, wide enough for numbers of three digits and a sign."""
    _, columns, rows = _shown(frame, by, most)
    return map_figure(math.ceil(1.1 * len(columns)), max(len(rows), 1), 2)


def _shown(frame: pd.DataFrame, by: str, most: int) -> tuple[pd.DataFrame, list[int], list[int]]:
    """Return the cells, and the columns and rows that have a number; all of them if none has."""
    cells = frame[(frame["deadwood"] > 0) & (frame[by] <= most)]
    cells = cells.rename(columns={"value_of_knocking_points": "estimate", "n": "hands"})
    known = cells[(cells["hands"] >= LEAST) & cells["estimate"].notna()]
    columns, rows = (sorted(set((known if len(known) else cells)[name])) for name in (by, "deadwood"))
    return cells, columns, rows


def zero_line(ax: Axes, values: Mapping[tuple[int, int], float]) -> None:
    """Draw a line between neighbouring cells, by column and row, whose values have opposite signs."""
    edges = []
    for (x, y), value in values.items():
        for other, edge in (((x + 1, y), [(x + 1, y), (x + 1, y + 1)]), ((x, y + 1), [(x, y + 1), (x + 1, y + 1)])):
            if other in values and value * values[other] < 0:
                edges.append(edge)
    ax.add_collection(LineCollection(edges, colors=INK, linewidths=1.8, capstyle="round", zorder=4))
