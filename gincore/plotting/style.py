"""One look for all charts: colours that colour-blind readers tell apart, lines that differ in grey too."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

WIDTH: Final = 4.1
"""Width of a chart in inches: at 96 dots an inch it fits a phone's page unscaled."""

HEIGHT: Final = 3.3
"""Height of a chart in inches."""

PLACE: Final = (0.15, 0.25, 0.62, 0.61)
"""Axes of a chart within it, in shares of its width and height: room for labels beside it and two lines of notes."""

TITLE_HEIGHT: Final = 1.0
"""Where titles stand, in heights of the axes: given, so that no time is spent on looking for ticks above the axes."""

MARKER: Final = 4.5
"""Size of a point's marker in points."""

INK: Final = "#222222"
FAINT: Final = "#8a8a8a"


@dataclass(frozen=True)
class Look:
    """How one line is drawn; each differs from the others in colour, dashes and marker."""

    color: str
    dashes: str | tuple[int, tuple[int, ...]]
    marker: str


# Okabe and Ito's palette, in an order whose lightness alternates
LOOKS: Final = (
    Look("#0072B2", "-", "o"),
    Look("#D55E00", "--", "s"),
    Look("#000000", ":", "^"),
    Look("#009E73", "-.", "D"),
    Look("#CC79A7", (0, (5, 1, 1, 1, 1, 1)), "v"),
)

RC: Final[Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 9.0,
    "svg.fonttype": "path",
    "svg.hashsalt": "gincore",
    "path.simplify": False,
    "axes.unicode_minus": True,
}
"""Settings of figures that gincore itself makes; used in a context, never set globally."""


@contextmanager
def chart_settings() -> Iterator[None]:
    """Use gincore's settings of matplotlib inside a ``with`` block."""
    with mpl.rc_context(RC):
        yield


def new_figure(width: float = WIDTH, height: float = HEIGHT) -> tuple[Figure, Axes]:
    """Make a figure that belongs to no window and no backend, and its axes.

    It is saved with ``figure.savefig``, which picks the writer by the file's ending: no display is needed and the
    session's backend stays as it is.
    """
    figure = Figure(figsize=(width, height))
    return figure, figure.add_axes(PLACE)


def current_axes(ax: Axes | None) -> Axes:
    """Return `ax`, or new axes of pyplot with room for direct labels if it is None."""
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt  # only here: a notebook shows what pyplot makes

    figure = plt.figure(figsize=(WIDTH, HEIGHT))
    return figure.add_axes(PLACE)


def dress(ax: Axes, *, title: str, x: str, y: str, note: str = "") -> None:
    """Set title, axis labels (with units) and a note under them; take away what carries no information."""
    lines = "\n".join(textwrap.fill(line, 48) for line in title.splitlines())
    ax.set_title(lines, loc="left", x=-0.2, y=TITLE_HEIGHT, fontsize=9.5, color=INK, fontweight="bold")
    ax.set_xlabel(x, color=INK)
    ax.set_ylabel(y, color=INK)
    if note:
        ax.annotate(
            note,
            xy=(0, 0),
            xycoords="axes fraction",
            xytext=(-28, -33),
            textcoords="offset points",
            va="top",
            fontsize=7.5,
            color="#555555",
            annotation_clip=False,
        )
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(FAINT)
    ax.tick_params(colors=INK, labelsize=8.5)
    ax.grid(axis="y", color="#e4e4e4", linewidth=0.7)
    ax.set_axisbelow(True)


def line_with_band(ax: Axes, frame: pd.DataFrame, look: Look, *, x: str, scale: float = 1.0) -> tuple[float, float]:
    """Draw estimates with their intervals: a band, a bar at each point, a line and markers.

    Parameters
    ----------
    ax
        Where to draw.
    frame
        Columns `x`, ``estimate``, ``low``, ``high``; a missing value leaves a gap. Points that are False in a column
        ``among_best`` are drawn hollow.
    look
        Colour, dashes and marker.
    x
        Column on the x axis.
    scale
        Factor for all values (100 for per cent).

    Returns
    -------
    tuple of float
        Position (x, y) of the last point that has a value; NaN if there is none.
    """
    frame = frame.sort_values(x)
    xs = frame[x].to_numpy(dtype=float)
    mid, low, high = (frame[c].to_numpy(dtype=float) * scale for c in ("estimate", "low", "high"))
    ax.fill_between(xs, low, high, color=look.color, alpha=0.18, linewidth=0)
    ax.vlines(xs, low, high, color=look.color, linewidth=1.4)
    ax.plot(xs, mid, color=look.color, linestyle=look.dashes, linewidth=1.5)
    full = np.ones(len(frame), dtype=bool)
    if "among_best" in frame:
        full = frame["among_best"].astype("boolean").fillna(True).to_numpy(dtype=bool)
    for chosen, face in ((full, look.color), (~full, "white")):
        ax.plot(
            xs[chosen],
            mid[chosen],
            look.marker,
            color=look.color,
            markerfacecolor=face,
            markersize=MARKER,
            markeredgewidth=1.1,
            linestyle="none",
        )
    known = np.flatnonzero(~np.isnan(mid))
    return (float(xs[known[-1]]), float(mid[known[-1]])) if len(known) else (np.nan, np.nan)


def intervals_note(frame: pd.DataFrame, ax: Axes | None = None, scale: float = 1.0) -> str:
    """Say in short lines what bars and filled points mean, from the columns ``level`` and ``among_best``.

    Parameters
    ----------
    frame
        What was drawn.
    ax
        Axes whose limits are final; with them the note says where bars are hidden by the markers.
    scale
        Factor of the values, as in :func:`line_with_band`.
    """
    notes = []
    if "level" in frame and len(frame):
        hidden = "" if ax is None else _hidden_text(frame, ax, scale)
        notes.append(f"bars and band: {100 * frame['level'].iloc[0]:.4g} % intervals{hidden}")
    if "among_best" in frame and frame["among_best"].notna().any():
        notes.append("filled: not told apart from the best")
    return (";\n" if "," in notes[0] else "; ").join(notes) if notes else ""


def _hidden_text(frame: pd.DataFrame, ax: Axes, scale: float) -> str:
    """Say whether bars are smaller than the markers that lie on them: all, some (where none shows) or none."""
    bounds = frame[["low", "high"]].dropna().to_numpy(dtype=float) * scale
    if not len(bounds):
        return ""
    ends = [ax.transData.transform(np.column_stack([np.zeros(len(bounds)), bounds[:, k]]))[:, 1] for k in (0, 1)]
    lengths = (ends[1] - ends[0]) / ax.figure.dpi * 72
    hidden = lengths < MARKER
    if hidden.all():
        return ", bars under the markers"
    return ", bars hidden where small" if hidden.any() else ""


def label_ends(ax: Axes, labels: Sequence[tuple[str, float, str]]) -> None:
    """Write labels beside the right edge of the axes, apart from each other, each linked to its value.

    Parameters
    ----------
    ax
        Axes whose limits are final.
    labels
        Text, value on the y axis (NaN: no label) and colour of each.
    """
    size = 8.5
    shown = sorted((label for label in labels if not np.isnan(label[1])), key=lambda label: label[1])
    if not shown:
        return
    height = ax.get_window_extent().height / ax.figure.dpi * 72  # points
    tops = [text.count("\n") + 1 for text, _, _ in shown]
    to_axes = ax.transData + ax.transAxes.inverted()
    wanted = [float(to_axes.transform((0.0, value))[1]) for _, value, _ in shown]
    places = _spread(wanted, [(lines + 0.4) * size * 1.15 / height for lines in tops])
    for (text, value, color), place in zip(shown, places, strict=True):
        ax.annotate(
            text,
            xy=(1.0, value),
            xycoords=("axes fraction", "data"),
            xytext=(1.06, place),
            textcoords="axes fraction",
            va="center",
            fontsize=size,
            color=color,
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-",
                "color": color,
                "linewidth": 0.7,
                "shrinkA": 0,
                "shrinkB": 0,
                "relpos": (0, 0.5),
            },
        )


def _spread(wanted: Sequence[float], heights: Sequence[float]) -> list[float]:
    """Move ascending positions apart by their heights, as little as a pass up and a pass down allow."""
    places = list(wanted)
    for i in range(1, len(places)):
        places[i] = max(places[i], places[i - 1] + (heights[i] + heights[i - 1]) / 2)
    top = 1 + heights[-1] / 2
    for i in reversed(range(len(places))):
        places[i] = min(places[i], top)
        top = places[i] - (heights[i] + heights[i - 1]) / 2 if i else top
    return places
