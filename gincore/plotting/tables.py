"""Charts of learned knock tables: how the rounds settle, and where a table knocks."""

from __future__ import annotations

from typing import Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import ListedColormap
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator

from gincore.language import language
from gincore.plotting.style import FAINT, INK, LOOKS, TITLE_HEIGHT, current_axes, dress, label_ends, line_with_band

SMALL: Final = 0.01
"""Points a hand below which the axis of gains is linear, not logarithmic."""

NEVER: Final = 0
WAITS: Final = 1
KNOCKS: Final = 2
"""Codes of the cells of a map: hardly ever met, wait, knock."""


def gain_by_round(frame: pd.DataFrame, *, ax: Axes | None = None, title: str | None = None) -> Axes:
    """By how much the best reply beats the table of each round, one line a rule set.

    Parameters
    ----------
    frame
        Columns ``rules``, ``round``, and ``estimate``, ``low``, ``high`` in points a hand.
    ax
        Where to draw; new axes by default.
    title
        In place of the question that the chart answers.
    """
    ax = current_axes(ax)
    ax.axhline(0, color=FAINT, linewidth=1)
    ends = _lines(ax, frame)
    ax.set_yscale("symlog", linthresh=SMALL, linscale=0.5)
    ax.set_ylim(bottom=-2 * SMALL)
    ax.yaxis.set_major_locator(FixedLocator([-SMALL, 0, SMALL, 0.1, 1.0]))
    ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    ax.yaxis.set_minor_locator(FixedLocator([]))
    label_ends(ax, ends)
    note = f"bars: 95 % intervals on fresh deals;\nlinear below {SMALL:g} points, logarithmic above"
    dress(ax, title=title or "What does the best reply still gain?", x="round", y="points a hand", note=note)
    return ax


def points_by_round(frame: pd.DataFrame, *, ax: Axes | None = None, title: str | None = None) -> Axes:
    """Net points of each round's reply against an opponent who knocks at once; parameters as of `gain_by_round`."""
    ax = current_axes(ax)
    ax.axhline(0, color=FAINT, linewidth=1)
    label_ends(ax, _lines(ax, frame))
    note = "bars: 95 % intervals on fresh deals"
    dress(ax, title=title or "What is each reply worth against simple?", x="round", y="net points a hand", note=note)
    return ax


def _lines(ax: Axes, frame: pd.DataFrame) -> list[tuple[str, float, str]]:
    ends = []
    for look, name in zip(LOOKS, frame["rules"].unique(), strict=False):
        rows = frame[frame["rules"] == name]
        ends.append((str(name).replace(", ", ",\n"), line_with_band(ax, rows, look, x="round")[1], look.color))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.margins(x=0.04, y=0.08)
    ax.autoscale_view()
    return ends


def knock_map(frame: pd.DataFrame, *, ax: Axes | None = None, title: str | None = None, lang: str = "en") -> Axes:
    """Where a table knocks, by deadwood and turn.

    Parameters
    ----------
    frame
        Columns ``deadwood``, ``turn`` and ``cell``: :data:`KNOCKS`, :data:`WAITS` or :data:`NEVER`.
    ax
        Where to draw; new axes by default.
    title
        Above the chart.
    lang
        ``en`` or ``fr``.
    """
    tr, ax = language(lang), current_axes(ax)
    table = frame.pivot_table(index="deadwood", columns="turn", values="cell", aggfunc="first")
    turns, deadwoods = table.columns.to_numpy(dtype=float), table.index.to_numpy(dtype=float)
    width = float(np.diff(turns).min()) if len(turns) > 1 else 1.0
    shown = ListedColormap(["#f4f4f4", "#9ecae1", "#D55E00"])
    extent = (turns[0] - 0.5, turns[-1] + width - 0.5, deadwoods[0] - 0.5, deadwoods[-1] + 0.5)
    ax.imshow(table.to_numpy(), origin="lower", cmap=shown, vmin=0, vmax=2, aspect="auto", extent=extent)
    ax.set_xticks(np.arange(turns[0], turns[-1] + width, 6))
    ax.set_yticks(deadwoods)
    for place in deadwoods[:-1]:
        ax.axhline(place + 0.5, color="white", linewidth=0.7)
    dress(ax, title="", x=tr("completed turns, both players", "tours joués par les deux"),
          y=tr("deadwood (points)", "points morts"))  # fmt: skip
    ax.set_title(
        title or tr("When to knock?", "Quand frapper ?"), loc="left", x=0, y=TITLE_HEIGHT, fontsize=9.5, color=INK
    )
    ax.grid(False)
    return ax
