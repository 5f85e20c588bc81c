"""Two forms that several reports share: a map of cells with numbers, and rows of points with their intervals."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from gincore.language import MINUS, Language
from gincore.plotting.cells import Cell, Word, draw_cells, draw_words
from gincore.plotting.style import FAINT, INK, LOOKS, TITLE_HEIGHT, WIDTH

ROW: Final = 0.27
"""Height of a row of points in inches; a quarter more for each further series."""

CELL_HEIGHT: Final = 0.26
"""Height of a map's row in inches."""

TOP: Final = 0.72
"""Room for two lines of title and a legend, inches."""

BOTTOM: Final = 0.85
"""Room for ticks, axis label and two lines of notes, inches."""

TITLE_LETTERS: Final = 46
"""Letters of a line of title across a whole figure."""

SMALL: Final = 7.5

LETTER: Final = 0.075
"""Width of a letter of a row's name in inches."""

RISING: Final = LinearSegmentedColormap.from_list("gincore-rising", ["#FFFFFF", "#9ECAE1", "#0072B2", "#08306B"])
"""From nothing to much: darker in grey too."""

DIVERGING: Final = LinearSegmentedColormap.from_list("gincore-diverging", ["#B34700", "#FFFFFF", "#0072B2"])
"""From below zero (orange) to above (blue)."""

DARK: Final = 0.55
"""Lightness below which a cell's number is white."""


@dataclass(frozen=True)
class MapStyle:
    """How a map of cells is drawn.

    Attributes
    ----------
    x, y
        Columns of the frame, and the labels of the axes.
    scale, digits, signed
        How numbers are written.
    diverging, from_least
        Whether colours part at zero; whether they begin at the least value, to show small differences.
    least
        Hands without which a cell shows a dot only.
    """

    x: str
    y: str
    x_label: str
    y_label: str
    scale: float = 1
    digits: int = 1
    signed: bool = False
    diverging: bool = False
    from_least: bool = False
    least: int = 0


def map_figure(columns: int, rows: int, longest: int = 3) -> tuple[Figure, Axes]:
    """Make a figure for a map of so many cells, whose rows have names of so many letters, and its axes."""
    left = 0.5 + LETTER * longest
    height = CELL_HEIGHT * rows
    return _placed(left, max(WIDTH - left - 0.12, 0.3 * columns), height)


def rows_figure(rows: int, longest: int, series: int = 1) -> tuple[Figure, Axes]:
    """Make a figure for so many rows of points, whose names have so many letters, and its axes."""
    left = 0.2 + LETTER * longest
    return _placed(left, WIDTH - left - 0.2, (ROW + 0.25 * ROW * (series - 1)) * max(rows, 2))


def _placed(left: float, width: float, height: float) -> tuple[Figure, Axes]:
    whole, tall = left + width + 0.12, height + TOP + BOTTOM
    figure = Figure(figsize=(whole, tall))
    return figure, figure.add_axes((left / whole, BOTTOM / tall, width / whole, height / tall))


def own_axes(ax: Axes | None, figure: Callable[..., tuple[Figure, Axes]], *sizes: Any) -> Axes:
    """Return `ax`, or new axes of pyplot that lie as those of ``figure(*sizes)`` do if it is None."""
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt  # only here: a notebook shows what pyplot makes

    drawn, measured = figure(*sizes)
    return plt.figure(figsize=tuple(drawn.get_size_inches())).add_axes(measured.get_position().bounds)


def entitle(ax: Axes, title: str, note: str = "", *, lifted: bool = False) -> None:
    """Write the title from the figure's left edge on, and a note under the axis label."""
    place = ax.get_position()
    start = -(place.x0 - 0.02) / place.width
    text = "\n".join(textwrap.fill(line, TITLE_LETTERS, break_on_hyphens=False) for line in title.splitlines())
    look: dict[str, Any] = {"fontsize": 9.5, "color": INK, "fontweight": "bold"}
    ax.set_title(text, loc="left", x=start, y=TITLE_HEIGHT, pad=20 if lifted else 6, **look)
    if note:
        shown = "\n".join(textwrap.fill(line, 66) for line in note.splitlines())
        ax.annotate(
            shown, xy=(start, 0), xycoords="axes fraction", xytext=(0, -33), textcoords="offset points", va="top",
            fontsize=SMALL, color="#555555", annotation_clip=False,
        )  # fmt: skip


def number_ticks(axis: Axis, tr: Language) -> None:
    """Write an axis' numbers as the language does."""

    def text(value: float, _place: object) -> str:
        return tr(f"{value:g}", f"{value:g}".replace(".", ",")).replace("-", MINUS)

    axis.set_major_formatter(FuncFormatter(text))


def cell_map(
    ax: Axes,
    frame: pd.DataFrame,
    style: MapStyle,
    columns: Sequence[Any],
    rows: Sequence[Any],
    tr: Language,
) -> None:
    """Draw the estimate of each cell as colour and number.

    Parameters
    ----------
    ax
        Where to draw.
    frame
        One row a cell: the columns of `style`, ``estimate``; optional ``open`` (hatched where true) and ``hands``.
    style
        Columns, labels and numbers.
    columns, rows
        Classes in order, left to right and top to bottom; cells that the frame lacks stay empty.
    tr
        Language of the numbers.
    """
    values = frame["estimate"].to_numpy(dtype=float) * style.scale
    known = values[~np.isnan(values)]
    bottom = float(known.min()) if style.from_least and len(known) else 0.0
    reach = max(float(np.abs(known - bottom).max()), 1e-12) if len(known) else 1.0
    cells, words = [], []
    for found in frame.to_dict("records"):
        if found[style.x] in columns and found[style.y] in rows:
            place = (list(columns).index(found[style.x]), list(rows).index(found[style.y]))
            cell, word = _cell(place, {str(key): each for key, each in found.items()}, style, (bottom, reach), tr)
            cells += [cell] if cell is not None else []
            words.append(word)
    draw_cells(ax, cells)
    draw_words(ax, words, size=SMALL)
    ax.set_xlim(0, max(len(columns), 1))
    ax.set_ylim(max(len(rows), 1), 0)
    ax.set_xticks(np.arange(len(columns)) + 0.5, [str(each) for each in columns], fontsize=SMALL)
    ax.set_yticks(np.arange(len(rows)) + 0.5, [str(each) for each in rows], fontsize=SMALL)
    ax.set_xlabel(style.x_label, color=INK)
    ax.set_ylabel(style.y_label, color=INK)
    ax.tick_params(length=0, colors=INK)
    ax.spines[:].set_visible(False)


def _cell(
    place: tuple[int, int], cell: Mapping[str, Any], style: MapStyle, ends: tuple[float, float], tr: Language
) -> tuple[Cell | None, Word]:
    """Return a cell and its number; where there are too few hands, no cell and a dot."""
    x, y = place
    value = float(cell["estimate"]) * style.scale
    few = np.isnan(value) or int(cell.get("hands", style.least)) < style.least
    if few:
        return None, Word(x + 0.5, y + 0.5, "·", FAINT)
    strength = (value - ends[0]) / ends[1]
    face = DIVERGING(0.5 + 0.5 * strength) if style.diverging else RISING(max(strength, 0.0) * 0.92)
    light = 0.299 * face[0] + 0.587 * face[1] + 0.114 * face[2]
    text = tr.number(value, style.digits, signed=style.signed)
    ink = "white" if light < DARK else INK
    return Cell(x, y, face, bool(cell.get("open", False))), Word(x + 0.5, y + 0.53, text, ink)


def dot_rows(
    ax: Axes,
    frame: pd.DataFrame,
    *,
    row: str,
    rows: Sequence[str],
    series: Sequence[tuple[Any, str]] = (),
    series_column: str = "",
    scale: float = 1,
    label: str = "",
    even: float | None = None,
    tr: Language,
) -> None:
    """Draw a point with its interval in every row, one for each series beside each other.

    Parameters
    ----------
    ax
        Where to draw.
    frame
        Columns `row`, ``estimate``, ``low``, ``high`` and `series_column`; a missing value leaves the row empty, an
        infinite end runs to the edge. Points that are true in a column ``open`` are hollow.
    row, rows
        Column that names the row, and the rows from top to bottom.
    series, series_column
        Values of the column and their names in the legend; none if there is one series.
    scale, label
        Factor of the values and the label of their axis.
    even
        Where a line is drawn.
    tr
        Language of the ticks.
    """
    if even is not None:
        ax.axvline(even, color=FAINT, linewidth=1)
    found = list(series) or [(None, "")]
    for place, (value, name) in enumerate(found):
        part = frame if value is None else frame[frame[series_column] == value]
        shift = (place - (len(found) - 1) / 2) * (0.28 if len(found) > 2 else 0.34)
        _series(ax, part, row, rows, LOOKS[place], shift, scale, name)
    for low in range(0, len(rows), 2):
        ax.axhspan(low - 0.5, low + 0.5, color="#f4f4f4", zorder=0, linewidth=0)
    ax.set_ylim(max(len(rows), 1) - 0.5, -0.5)
    ax.set_yticks(range(len(rows)), list(rows), fontsize=8)
    ax.set_xlabel(label, color=INK, loc="right")
    ax.margins(x=0.05)
    ax.autoscale_view(scaley=False)
    if ax.get_xscale() == "linear":
        ax.xaxis.set_major_locator(MaxNLocator(nbins=5))
        number_ticks(ax.xaxis, tr)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.spines["bottom"].set_color(FAINT)
    ax.tick_params(colors=INK, labelsize=8)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="x", color="#dddddd", linewidth=0.6)
    ax.set_axisbelow(True)
    if len(found) > 1:
        place_legend(ax, len(found))


def place_legend(ax: Axes, columns: int) -> None:
    """Write the legend in a line above the axes, from the figure's left edge on."""
    place = ax.get_position()
    ax.legend(
        loc="lower left", bbox_to_anchor=(-(place.x0 - 0.01) / place.width, 0.995), ncols=columns, frameon=False,
        fontsize=SMALL, handlelength=1.2, handletextpad=0.3, columnspacing=0.9, borderaxespad=0.1,
    )  # fmt: skip


def _series(
    ax: Axes, frame: pd.DataFrame, row: str, rows: Sequence[str], look: Any, shift: float, scale: float, name: str
) -> None:
    """Draw one series; ends that are infinite are left out, and the point is drawn alone."""
    part = frame[frame[row].isin(rows)]
    places = np.array([list(rows).index(each) for each in part[row]], dtype=float) + shift
    mid, low, high = (part[name_].to_numpy(dtype=float) * scale for name_ in ("estimate", "low", "high"))
    finite = np.isfinite(low) & np.isfinite(high)
    ax.hlines(places[finite], low[finite], high[finite], color=look.color, linewidth=1.5)
    hollow = part["open"].fillna(False).to_numpy(dtype=bool) if "open" in part else np.zeros(len(part), dtype=bool)
    mid = np.where(np.isfinite(mid), mid, np.nan)
    for chosen, face in ((~hollow, look.color), (hollow, "white")):
        ax.plot(
            mid[chosen], places[chosen], look.marker, color=look.color, markerfacecolor=face, markersize=4.5,
            linestyle="none", label=name if face != "white" else None,
        )  # fmt: skip
