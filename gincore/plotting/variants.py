"""Charts of the variant-comparison report, from the frames of :mod:`gincore.analysis.variants`.

Frames have a column ``variant``; ``lang`` is ``en`` or ``fr``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

from gincore.language import Language, language
from gincore.plotting.rows import (
    MapStyle,
    cell_map,
    dot_rows,
    entitle,
    map_figure,
    number_ticks,
    own_axes,
    place_legend,
    rows_figure,
)
from gincore.plotting.style import FAINT, INK

POLICY_NAMES: Final = {
    "fixed": ("knock at once", "frapper aussitôt"),
    "best limit": ("at the best limit", "à la meilleure limite"),
}
"""Knock policies in both languages."""

ENDS: Final = (
    ("knock_share", "knock won", "frappe gagnée", "#56B4E9", ""),
    ("undercut_share", "undercut", "sous-coupe", "#D55E00", "////"),
    ("gin_share", "gin", "gin", "#F0E442", ""),
    ("big_gin_share", "big gin", "grand gin", "#000000", ""),
    ("dead_share", "dead", "nulle", "#999999", "...."),
)
"""How hands end: metric, names, colour and hatch; neighbours differ in grey too."""

HIGHEST_LIMIT: Final = 10
"""To where the axis of limits reaches at the least."""

WIDE: Final = 6.0
"""Per cent from which a part of a bar carries its number."""


def metric_rows(
    frame: pd.DataFrame,
    metric: str,
    *,
    order: Sequence[str] | None = None,
    label: str = "",
    scale: float = 1,
    even: float | None = None,
    log: bool = False,
    ax: Axes | None = None,
    title: str | None = None,
    lang: str = "en",
) -> Axes:
    """Draw one metric with its intervals, a row a variant, both knock policies beside each other.

    Parameters
    ----------
    frame
        Columns ``variant, policy, metric, estimate, low, high``; other metrics are ignored.
    metric
        Which.
    order
        Variants from top to bottom; by default as they appear.
    label, scale, even, log
        Label of the axis, factor of the values, where a line is drawn, whether the axis is logarithmic.
    ax
        Where to draw; new axes by default.
    title
        In place of the metric's name.
    lang
        ``en`` or ``fr``.
    """
    tr = language(lang)
    rows = frame[frame["metric"] == metric]
    names = list(order) if order is not None else list(dict.fromkeys(rows["variant"]))
    shown = [(key, tr(*both)) for key, both in POLICY_NAMES.items() if (rows["policy"] == key).any()]
    ax = own_axes(ax, rows_figure, len(names), longest(names), max(len(shown), 1))
    if log:
        ax.set_xscale("log")
    dot_rows(
        ax, rows, row="variant", rows=names, series=shown, series_column="policy", scale=scale, label=label or metric,
        even=even, tr=tr,
    )  # fmt: skip
    if log:
        _log_ticks(ax, tr)
    note = tr(
        "lines: intervals, often smaller than the marks", "traits : intervalles, souvent plus petits que les signes"
    )
    entitle(ax, title or metric, note, lifted=len(shown) > 1)
    return ax


def _log_ticks(ax: Axes, tr: Language) -> None:
    """Write plain numbers at 1, 2 and 5 of every power of ten."""
    ax.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _place: tr.number(value, 0 if value >= 1 else 1)))
    ax.xaxis.set_minor_formatter(NullFormatter())


def longest(names: Sequence[str]) -> int:
    """Return the letters of the longest name."""
    return max(map(len, names), default=5)


def ends_bars(
    frame: pd.DataFrame,
    *,
    order: Sequence[str] | None = None,
    ax: Axes | None = None,
    title: str | None = None,
    lang: str = "en",
) -> Axes:
    """Draw how hands end, a bar a variant, in per cent of all hands.

    Takes the metrics of :data:`ENDS` of one policy; parameters as of :func:`metric_rows`.
    """
    tr = language(lang)
    table = frame[frame["metric"].isin([end[0] for end in ENDS])].pivot_table(
        index="variant", columns="metric", values="estimate", sort=False
    )
    names = list(order) if order is not None else list(dict.fromkeys(frame["variant"]))
    table = table.reindex(names)
    ax = own_axes(ax, rows_figure, len(names), longest(names))
    start = np.zeros(len(names))
    for metric, english, french, color, hatch in ENDS:
        values = (table[metric] if metric in table else pd.Series(0.0, table.index)).fillna(0).to_numpy() * 100
        ax.barh(
            range(len(names)), values, left=start, height=0.72, color=color, hatch=hatch, edgecolor="white",
            linewidth=0.4, label=tr(english, french),
        )  # fmt: skip
        for place in map(int, np.flatnonzero(values >= WIDE)):
            ink = "white" if color == "#000000" else INK
            face = {"facecolor": color, "edgecolor": "none", "pad": 0.6} if hatch else None
            ax.text(start[place] + values[place] / 2, place, f"{values[place]:.0f}", ha="center", va="center",
                    fontsize=7, color=ink, bbox=face)  # fmt: skip
        start += values
    ax.set_ylim(max(len(names), 1) - 0.5, -0.5)
    ax.set_xlim(0, 100)
    ax.set_yticks(range(len(names)), names, fontsize=8)
    ax.set_xlabel(tr("share of all hands, %", "part de toutes les manches, %"), color=INK, loc="right")
    number_ticks(ax.xaxis, tr)
    ax.tick_params(colors=INK, labelsize=8)
    ax.tick_params(axis="y", length=0)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.spines["bottom"].set_color(FAINT)
    place_legend(ax, len(ENDS))
    entitle(ax, title or tr("How do hands end?", "Comment finissent les manches ?"), lifted=True)
    return ax


def limit_rows(
    frame: pd.DataFrame,
    *,
    order: Sequence[str] | None = None,
    ax: Axes | None = None,
    title: str | None = None,
    lang: str = "en",
) -> Axes:
    """Draw the best knock limit of every variant, and a line over those not told apart from it.

    Takes frames of :func:`gincore.analysis.variants.limits_frame` with ``variant``; parameters as of
    :func:`metric_rows`.
    """
    tr = language(lang)
    names = list(order) if order is not None else list(dict.fromkeys(frame["variant"]))
    among = frame[frame["among_best"].astype(bool)].groupby("variant", sort=False)["limit"]
    best = frame[frame["best"].astype(bool)].set_index("variant")["limit"].astype(float)
    rows = pd.DataFrame({"estimate": best, "low": among.min().astype(float), "high": among.max().astype(float)})
    ax = own_axes(ax, rows_figure, len(names), longest(names))
    dot_rows(
        ax, rows.rename_axis("variant").reset_index(), row="variant", rows=names,
        label=tr("best knock limit (deadwood points)", "meilleure limite (points morts)"), tr=tr,
    )  # fmt: skip
    ax.set_xlim(-0.5, max(HIGHEST_LIMIT, float(np.nan_to_num(rows["high"].to_numpy()).max(initial=0))) + 0.5)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=6))
    note = tr(
        "line: limits not told apart from the best (Holm)", "trait : limites non distinguées de la meilleure (Holm)"
    )
    entitle(ax, title or tr("Which limit is best?", "Quelle limite est la meilleure ?"), note)
    return ax


def grid_map(
    frame: pd.DataFrame,
    metric: str,
    *,
    digits: int = 1,
    scale: float = 1,
    ax: Axes | None = None,
    title: str | None = None,
    lang: str = "en",
) -> Axes:
    """Map a metric by knock limit (rows) and undercut bonus (columns).

    Parameters
    ----------
    frame
        Columns ``knock_limit, undercut_bonus, metric, estimate``; other metrics are ignored.
    metric
        Which.
    digits, scale
        Decimals and factor of the numbers.
    ax, title, lang
        As of :func:`metric_rows`.
    """
    tr = language(lang)
    rows = frame[frame["metric"] == metric].replace({"estimate": {np.inf: np.nan}})
    columns, limits = (sorted(set(rows[name])) for name in ("undercut_bonus", "knock_limit"))
    ax = own_axes(ax, map_figure, max(len(columns), 1), max(len(limits), 1))
    labels = (tr("undercut bonus (points)", "prime de sous-coupe (points)"), tr("knock limit", "limite pour frapper"))
    style = MapStyle("undercut_bonus", "knock_limit", *labels, scale=scale, digits=digits, from_least=True)
    cell_map(ax, rows, style, columns, limits, tr)
    entitle(ax, title or metric)
    return ax
