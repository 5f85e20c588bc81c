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
from matplotlib.ticker import MaxNLocator

from gincore.language import Language
from gincore.plotting.rows import number_ticks
from gincore.plotting.style import FAINT, INK, LOOKS, current_axes

WIDTH: Final = 4.3
"""Width of a chart in inches."""

LEFT: Final = 1.5
"""Room for the names of rows."""

LABEL_LETTERS: Final = 20
TITLE_LETTERS: Final = 58
BOLD_LETTERS: Final = 46

POINT: Final = 0.14
"""Height of a point and its interval in inches."""

BAND: Final = "#d9d9d9"
UNIT_ROOM: Final = 0.52
"""Height of ticks and axis label of a panel."""

LINE: Final = 0.17
"""Height of a line of text in inches."""


def verdict_rows(
    frame: pd.DataFrame,
    *,
    ax: Axes | None = None,
    label: str = "",
    scale: float = 1,
    groups: Sequence[str] = (),
    tr: Language | None = None,
) -> Axes:
    """Draw the estimates of one unit: a row a label, a point a group.

    Parameters
    ----------
    frame
        Columns ``group, label, estimate, low, high, than, smallest, test, outcome`` of one unit; tested rows have a
        grey band of what is too small to matter around the value that they are compared with, and hollow points where
        nothing is decided. Missing values leave gaps.
    ax
        Where to draw; new axes by default.
    label, scale
        Label of the axis and factor of the values.
    groups
        All groups in the order of their looks; those of the frame by default.
    tr
        Language of the ticks.

    Returns
    -------
    Axes
    """
    ax = current_axes(ax)
    tr = tr or Language("en")
    frame = frame.replace([np.inf, -np.inf], np.nan)
    names = list(groups or dict.fromkeys(frame["group"]))
    heights = row_heights(frame)
    edges = np.concatenate([[0.0], np.cumsum(list(heights.values()))])
    for number, (name, top, end) in enumerate(zip(heights, edges, edges[1:], strict=False)):
        part = frame[frame["label"] == name]
        if number % 2 == 0:
            ax.axhspan(top, end, color="#f4f4f4", zorder=0, linewidth=0)
        _row(ax, part.to_dict("records"), (float(top), float(end)), names, scale)
    ax.set_ylim(float(edges[-1]), 0)
    ax.set_yticks((edges[:-1] + edges[1:]) / 2, [wrapped(name) for name in heights], fontsize=8)
    ax.set_xlabel(label, color=INK, loc="right", fontsize=8.5)
    ax.margins(x=0.05)
    ax.autoscale_view(scaley=False)
    ax.xaxis.set_major_locator(MaxNLocator(nbins=5))
    number_ticks(ax.xaxis, tr)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.spines["bottom"].set_color(FAINT)
    ax.tick_params(colors=INK, labelsize=8)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="x", color="#dddddd", linewidth=0.6)
    ax.set_axisbelow(True)
    return ax


def row_heights(frame: pd.DataFrame) -> dict[str, float]:
    """Return the height of every row in inches: room for its points, or for the lines of its name."""
    found = {}
    for name, part in frame.groupby("label", sort=False):
        lines = wrapped(str(name)).count("\n") + 1
        found[str(name)] = max(POINT * len(part) + 0.1, 0.15 * lines + 0.08, 0.27)
    return found


def _row(
    ax: Axes, estimates: Sequence[Mapping[Any, Any]], ends: tuple[float, float], groups: Sequence[str], scale: float
) -> None:
    """Draw the points of a row between its upper and lower end, and the band of what is too small to matter."""
    top, end = ends
    tested = [each for each in estimates if each["test"]]
    if tested:
        than, small = tested[0]["than"] * scale, tested[0]["smallest"] * scale
        box = (than - small, top + 0.03), 2 * small, end - top - 0.06
        ax.add_patch(Rectangle(*box, color=BAND, linewidth=0, zorder=0.5))
        ax.plot([than, than], [top + 0.03, end - 0.03], color="#777777", linewidth=1, zorder=0.6)
    for place, each in enumerate(estimates):
        y = (top + end) / 2 + POINT * (place - (len(estimates) - 1) / 2)
        look = LOOKS[groups.index(each["group"]) % len(LOOKS)]
        if not np.isnan(each["low"]):
            ax.hlines(y, each["low"] * scale, each["high"] * scale, color=look.color, linewidth=1.5)
        face = "white" if each["outcome"] == "open" else look.color
        ax.plot([each["estimate"] * scale], [y], look.marker, color=look.color, markerfacecolor=face, markersize=4.5)


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
    heights = [sum(row_heights(part).values()) for _, part in panels]
    head, _, rest = title.partition("\n")
    bold = textwrap.wrap(head, BOLD_LETTERS)
    lines = [*bold, *(line for text in rest.splitlines() for line in textwrap.wrap(text, TITLE_LETTERS))]
    top = 0.16 + LINE * len(lines)
    columns = 2 if many > 1 and max(len(name) for name in groups) <= 26 else 1
    bottom = 0.02 + LINE * (-(-many // columns) + 1)
    tall = top + sum(heights) + UNIT_ROOM * len(panels) + bottom
    figure = Figure(figsize=(WIDTH, tall))
    place = tall - top
    for (unit, part), height in zip(panels, heights, strict=True):
        place -= height
        ax = figure.add_axes((LEFT / WIDTH, place / tall, 1 - (LEFT + 0.2) / WIDTH, height / tall))
        text, scale = units[unit]
        verdict_rows(part, ax=ax, label=text, scale=scale, groups=groups, tr=tr)
        place -= UNIT_ROOM
    for number, line in enumerate(lines):
        weight = "bold" if number < len(bold) else "normal"
        y = 1 - (0.2 + LINE * number) / tall
        figure.text(0.02, y, line, fontsize=9.2, color=INK, fontweight=weight)
    figure.legend(
        handles=_handles(groups, tr), loc="lower left", bbox_to_anchor=(0.005, 0.0), ncols=columns, frameon=False,
        fontsize=7.5, handlelength=1.6, labelspacing=0.35, columnspacing=1.2,
    )  # fmt: skip
    return figure


def _handles(groups: Sequence[str], tr: Language) -> list[Any]:
    marks: list[Any] = [
        Line2D([], [], color=look.color, marker=look.marker, markersize=4.5, linewidth=1.5, label=name)
        for look, name in zip(LOOKS, groups, strict=False)
    ]
    text = tr("band: too small to matter; hollow: open", "bande : trop petit ; creux : non décidé")
    return [*marks, Patch(color=BAND, label=text)]
