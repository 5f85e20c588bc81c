"""The chart beside the sliders of :mod:`gincore.explore`: it has the same axes after every move."""

from __future__ import annotations

from typing import Final

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from gincore.plotting.style import FAINT, INK, LOOKS, MARKER

NET: Final = "net_points_per_hand"
NAMES: Final = {
    NET: "net points a hand",
    "won_0_share": "hands you win",
    "won_1_share": "hands the opponent wins",
    "knock_share": "knock won",
    "gin_share": "gin",
    "undercut_share": "undercut",
    "dead_share": "dead",
}
"""Rows of the chart, from top to bottom."""

SIZE: Final = (6.6, 3.7)
"""Width and height in inches."""

LEFT, WIDE = 0.27, 0.45
"""Axes within the figure, in shares of its width."""


def explore_chart(frame: pd.DataFrame, before: pd.DataFrame | None = None, *, reach: float = 5.0) -> Figure:
    """Draw net points, and the shares of hands under them, each with its interval.

    Parameters
    ----------
    frame
        Columns ``metric, estimate, low, high, level``, the metrics of :data:`NAMES`.
    before
        What was shown before, drawn in grey.
    reach
        The axis of net points runs from minus this to this.
    """
    figure = Figure(figsize=SIZE)
    net = figure.add_axes((LEFT, 0.78, WIDE, 0.1))
    shares = figure.add_axes((LEFT, 0.13, WIDE, 0.47))
    net.axvline(0, color=FAINT, linewidth=1)
    for ax, names, scale, ends in ((net, [NET], 1, (-reach, reach)), (shares, list(NAMES)[1:], 100, (0.0, 100.0))):
        if before is not None:
            _points(ax, before, names, scale, FAINT, text=False)
        _points(ax, frame, names, scale, LOOKS[0].color, text=True)
        _dress(ax, names, ends)
    net.set_title(
        "Who scores more, and how do hands end?", loc="left", x=-0.58, fontsize=9.5, fontweight="bold", color=INK
    )
    net.set_xlabel("points, a plus: you are ahead", color=INK, fontsize=8, loc="right")
    shares.set_xlabel("share of all hands, %", color=INK, fontsize=8, loc="right")
    level = f"{100 * float(frame['level'].iloc[0]):.4g} %"
    figure.text(0.98, 0.93, f"with {level} intervals", ha="right", fontsize=7.5, color="#555555")
    return figure


def _points(ax: Axes, frame: pd.DataFrame, names: list[str], scale: float, color: str, *, text: bool) -> None:
    rows = frame.set_index("metric").loc[names, ["estimate", "low", "high"]].astype(float) * scale
    for place, (middle, low, high) in enumerate(rows.to_numpy()):
        ax.hlines(place, low, high, color=color, linewidth=2.2)
        ax.plot(middle, place, "o" if text else "|", color=color, markersize=MARKER if text else 9)
        if text:
            sign = "+" if scale == 1 else ""
            said = f"{middle:{sign}.2f}  [{low:{sign}.2f}, {high:{sign}.2f}]".replace("-", "\N{MINUS SIGN}")
            ax.text(1.03, place, said, transform=ax.get_yaxis_transform(), va="center", fontsize=8, color=INK)


def _dress(ax: Axes, names: list[str], ends: tuple[float, float]) -> None:
    ax.set_xlim(*ends)
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.set_yticks(range(len(names)), [NAMES[name] for name in names], fontsize=8.5)
    ax.tick_params(colors=INK, labelsize=8)
    ax.tick_params(axis="y", length=0)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.spines["bottom"].set_color(FAINT)
    ax.grid(axis="x", color="#e4e4e4", linewidth=0.7)
    ax.set_axisbelow(True)
