"""Charts of questions: rows of estimates with their intervals, what they are compared with, and what matters."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from gincore.language import Language
from gincore.plotting.rows import dot_rows
from gincore.plotting.style import INK, LOOKS, current_axes

WIDTH: Final = 5.2
"""Width of a chart in inches."""

LEFT: Final = 1.95
"""Room for the names of rows."""

LABEL_LETTERS: Final = 25
TITLE_LETTERS: Final = 58
BAND: Final = "#d9d9d9"
UNIT_ROOM: Final = 0.55
"""Height of ticks and axis label of a panel."""

LINE: Final = 0.17
"""Height of a line of text in inches."""


def verdict_rows(
    frame: pd.DataFrame, *, ax: Axes | None = None, label: str = "", scale: float = 1, tr: Language | None = None
) -> Axes:
    """Draw the estimates of one unit: a row a label, a point a group.

    Parameters
    ----------
    frame
        Columns ``group, label, estimate, low, high, than, smallest, test, outcome`` of one unit; tested rows have a grey
        band of what is too small to matter around the value that they are compared with, and hollow points where
        nothing is decided. Missing values leave gaps.
    ax
        Where to draw; new axes by default.
    label, scale
        Label of the axis and factor of the values.
    tr
        Language of the ticks.

    Returns
    -------
    Axes
    """
    ax = current_axes(ax)
    tr = tr or Language("en")
    labels = [wrapped(each) for each in dict.fromkeys(frame["label"])]
    shown = frame.assign(row=[wrapped(each) for each in frame["label"]], open=frame["outcome"] == "open")
    shown = shown.replace([np.inf, -np.inf], np.nan)
    for each in shown[shown["test"].astype(bool)].drop_duplicates("row").to_dict("records"):
        y, than, small = labels.index(each["row"]), each["than"] * scale, each["smallest"] * scale
        ax.add_patch(Rectangle((than - small, y - 0.46), 2 * small, 0.92, color=BAND, linewidth=0, zorder=0.5))
        ax.plot([than, than], [y - 0.46, y + 0.46], color="#777777", linewidth=1, zorder=0.6)
    groups = list(dict.fromkeys(frame["group"]))
    dot_rows(
        ax, shown, row="row", rows=labels, series=[(group, group) for group in groups][: len(LOOKS)],
        series_column="group", scale=scale, label=label, tr=tr,
    )  # fmt: skip
    legend = ax.get_legend()
    if legend is not None:
        legend.remove()
    return ax


def wrapped(text: str) -> str:
    """Break a row's name into lines."""
    return textwrap.fill(str(text), LABEL_LETTERS)


def card(
    frame: pd.DataFrame, *, title: str, units: Mapping[str, tuple[str, float]], groups: Sequence[str], tr: Language
) -> Figure:
    """Draw the chart of a question's card: a panel a unit, the verdict as title, a legend below.

    Parameters
    ----------
    frame
        Rows of the question, as of :func:`verdict_rows`, with ``unit``.
    title
        Verdict and claim.
    units
        Label of the axis and factor of each unit.
    groups
        Names for the legend, in order.
    tr
        Language.
    """
    panels = [(unit, frame[frame["unit"] == unit]) for unit in dict.fromkeys(frame["unit"])]
    many = len(groups)
    heights = [_height(part, many) for _, part in panels]
    lines = [line for text in title.splitlines() for line in textwrap.wrap(text, TITLE_LETTERS)]
    top = 0.16 + LINE * len(lines)
    columns = 2 if many > 1 and max(len(name) for name in groups) <= 26 else 1
    bottom = 0.12 + LINE * (-(-many // columns) + 1)
    tall = top + sum(heights) + UNIT_ROOM * len(panels) + bottom
    figure = Figure(figsize=(WIDTH, tall))
    place = tall - top
    for (unit, part), height in zip(panels, heights, strict=True):
        place -= height
        ax = figure.add_axes((LEFT / WIDTH, place / tall, 1 - (LEFT + 0.2) / WIDTH, height / tall))
        text, scale = units[unit]
        verdict_rows(_all_groups(part, groups), ax=ax, label=text, scale=scale, tr=tr)
        place -= UNIT_ROOM
    for number, line in enumerate(lines):
        weight = "bold" if number == 0 else "normal"
        y = 1 - (0.2 + LINE * number) / tall
        figure.text(0.02, y, line, fontsize=9.2, color=INK, fontweight=weight)
    figure.legend(
        handles=_handles(groups, tr), loc="lower left", bbox_to_anchor=(0.005, 0.0), ncols=columns, frameon=False,
        fontsize=7.5, handlelength=1.6, labelspacing=0.35, columnspacing=1.2,
    )  # fmt: skip
    return figure


def _height(part: pd.DataFrame, groups: int) -> float:
    lines = max((wrapped(each).count("\n") + 1 for each in part["label"]), default=1)
    return float(part["label"].nunique() * max(0.17 * groups + 0.12, 0.16 * lines + 0.1, 0.3))


def _all_groups(part: pd.DataFrame, groups: Sequence[str]) -> pd.DataFrame:
    """Add an empty row for each group that a panel lacks, so that every group looks the same in all panels."""
    first: Any = part.iloc[0]
    names = ["estimate", "low", "high"]
    lacking = [first.to_dict() | {"group": name} | dict.fromkeys(names, np.nan) for name in groups]
    order = pd.DataFrame([row for row in lacking if row["group"] not in set(part["group"])])
    joined = pd.concat([part, order]) if len(order) else part
    return joined.assign(place=joined["group"].map(list(groups).index)).sort_values("place", kind="stable")


def _handles(groups: Sequence[str], tr: Language) -> list[Any]:
    marks: list[Any] = [
        Line2D([], [], color=look.color, marker=look.marker, markersize=4.5, linewidth=1.5, label=name)
        for look, name in zip(LOOKS, groups, strict=False)
    ]
    text = tr("band: too small to matter; hollow: not decided", "bande : trop petit pour compter ; creux : non décidé")
    return [*marks, Patch(color=BAND, label=text)]
