"""Charts of exact counts: how hands are spread by deadwood, and how rare the low ones are."""

from __future__ import annotations

from typing import Final

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from gincore.language import language
from gincore.plotting.style import HEIGHT, INK, LOOKS, WIDTH, current_axes, dress, label_ends

LOWEST: Final = 20
"""Points up to which :func:`one_in_lines` is drawn."""


def one_in_figure() -> tuple[Figure, Axes]:
    """Make a figure with room for the long numbers of :func:`one_in_lines`."""
    figure = Figure(figsize=(WIDTH, HEIGHT))
    return figure, figure.add_axes((0.23, 0.25, 0.54, 0.61))


def share_lines(
    frame: pd.DataFrame, *, by: str, ax: Axes | None = None, title: str | None = None, lang: str = "en"
) -> Axes:
    """Share of hands with each deadwood, a line a value of `by`.

    Parameters
    ----------
    frame
        Columns ``deadwood`` (points), ``share`` and `by`; at most five values of `by`, in the order of the lines.
    by
        Column that tells the lines apart.
    ax
        Where to draw; new axes by default.
    title
        In place of the question that the chart answers.
    lang
        ``en`` or ``fr``.
    """
    ax, tr = current_axes(ax), language(lang)
    for look, (name, rows) in zip(LOOKS, frame.groupby(by, sort=False), strict=False):
        ax.plot(rows["deadwood"], 100 * rows["share"], color=look.color, linestyle=look.dashes, label=str(name))
    ax.set_xlim(left=0)
    ax.set_ylim(0, 125 * frame["share"].max())  # room for the names of the lines
    ax.yaxis.set_major_formatter(FuncFormatter(lambda percent, _: tr.number(percent, 1)))
    ax.legend(
        frameon=False, fontsize=7.5, labelcolor=INK, loc="upper left", ncols=2, handlelength=1.6, columnspacing=1.0
    )
    dress(
        ax,
        title=title or tr("How much deadwood do hands have?", "Combien de points morts ont les mains ?"),
        x=tr("least deadwood (points)", "points morts, au mieux"),
        y=tr("share of all hands (%)", "part de toutes les mains (%)"),
        note=tr("every hand is counted: no error", "toutes les mains sont comptées : aucune erreur"),
    )
    return ax


def one_in_lines(
    frame: pd.DataFrame, *, by: str, ax: Axes | None = None, title: str | None = None, lang: str = "en"
) -> Axes:
    """One hand in how many has at most so many points; parameters as of `share_lines`, ``at_most_share`` is drawn."""
    ax, tr = current_axes(ax), language(lang)
    ends = []
    for look, (name, rows) in zip(LOOKS, frame.groupby(by, sort=False), strict=False):
        low = rows[(rows["deadwood"] <= LOWEST) & (rows["at_most_share"] > 0)]
        ax.plot(
            low["deadwood"], low["at_most_share"], look.marker, color=look.color, linestyle=look.dashes, markersize=3
        )
        ends.append((str(name), float(low["at_most_share"].iloc[-1]), look.color))
    ax.set_yscale("log")
    ax.yaxis.set_major_formatter(FuncFormatter(lambda share, _: tr.count(1 / share)))
    ax.yaxis.set_minor_formatter(FuncFormatter(lambda *_: ""))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.autoscale_view()
    label_ends(ax, ends)
    dress(
        ax,
        title=title
        or tr("How rare are hands with little deadwood?", "Les mains à peu de points morts sont-elles rares ?"),
        x=tr("least deadwood at most (points)", "points morts, au plus"),
        y=tr("one hand in", "une main sur"),
        note=tr("every hand is counted: no error", "toutes les mains sont comptées : aucune erreur"),
    )
    return ax
