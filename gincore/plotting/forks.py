"""Charts of knock or wait, from the cells of :func:`gincore.analysis.forks.cell_frame`."""

from __future__ import annotations

from typing import Final

import pandas as pd
from matplotlib.axes import Axes

from gincore.language import language
from gincore.plotting.rows import MapStyle, cell_map, entitle, map_figure, own_axes

LEAST: Final = 50
"""Moments without which a cell shows no number."""

ALPHA: Final = 0.05
"""A cell whose ``p_holm`` is not below this is not told apart."""


def value_map(
    frame: pd.DataFrame, *, by: str = "turn", most: int = 40, ax: Axes | None = None, title: str | None = None
) -> Axes:
    """Map the value of knocking now by deadwood and another column.

    Parameters
    ----------
    frame
        Columns ``deadwood``, `by`, ``value_of_knocking_points``, ``moments``; with ``p_holm`` cells that cannot be told
        from nought are hatched. Gins (deadwood 0) are left out.
    by
        The other column: ``turn``, ``opp_pickups``, ``stock`` ..
    most
        Cells beyond this value of `by` are left out.
    ax
        Where to draw; new axes by default.
    title
        In place of the question that the chart answers.
    """
    tr = language("en")
    cells = frame[(frame["deadwood"] > 0) & (frame[by] <= most)]
    cells = cells.rename(columns={"value_of_knocking_points": "estimate", "moments": "hands"})
    if "p_holm" in cells:
        cells = cells.assign(open=~(cells["p_holm"] < ALPHA))
    columns, rows = sorted(set(cells[by])), sorted(set(cells["deadwood"]))
    ax = own_axes(ax, map_figure(len(columns), len(rows), 2))
    label = {"turn": "completed turns, both players, from", "opp_pickups": "cards the opponent took from the pile"}
    style = MapStyle(by, "deadwood", label.get(by, by), "deadwood (points)", signed=True, diverging=True, least=LEAST)
    cell_map(ax, cells, style, columns, rows, tr)
    note = f"points gained by knocking now; hatched: not told from none (Holm);\ndot: under {LEAST} moments"
    entitle(ax, title or "Does it pay to knock now?", note)
    return ax
