"""Policies against opponents, one panel a rule set: which policy wins, against whom, and how surely."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from gincore.plotting.style import FAINT, INK, LOOKS

_ROOM = 0.7
"""Height that the opponents of one policy share, in rows."""


def plot_policies(frame: pd.DataFrame, *, ax: Axes, even: float = 0.5, scale: float = 100.0) -> Axes:
    """Draw each policy's estimate against each opponent, with its interval.

    Parameters
    ----------
    frame
        One row for each ``policy`` and ``opponent``, with ``estimate, low, high``; policies from the top in order of
        appearance.
    ax
        Where to draw.
    even
        Value at which neither is better, drawn as a line.
    scale
        Multiplies all values (100: shares in per cent).

    Returns
    -------
    Axes
    """
    policies = list(dict.fromkeys(frame["policy"]))
    opponents = list(dict.fromkeys(frame["opponent"]))
    ax.axvline(even * scale, color=FAINT, linewidth=1)
    for number, opponent in enumerate(opponents):
        look = LOOKS[number % len(LOOKS)]
        shift = _ROOM * ((number + 0.5) / len(opponents) - 0.5)
        for row in frame[frame["opponent"] == opponent].itertuples():
            y = policies.index(row.policy) + shift
            ax.plot([row.low * scale, row.high * scale], [y, y], color=look.color, linewidth=1.4)
            ax.plot(row.estimate * scale, y, look.marker, color=look.color, markersize=3.5)
    ax.set_yticks(range(len(policies)), policies)
    ax.set_ylim(len(policies) - 0.5, -0.5)
    for y in range(1, len(policies), 2):
        ax.axhspan(y - 0.5, y + 0.5, color="#f3f3f3", zorder=0)
    ax.tick_params(colors=INK, labelsize=8.5)
    for side in ("top", "right", "left"):
        ax.spines[side].set_visible(False)
    return ax


def policy_panels(frame: pd.DataFrame, *, title: str, x: str, even: float = 0.5, scale: float = 100.0) -> Figure:
    """A figure with a panel for each ``rules`` of the frame, all with the same policies and the same scale."""
    panels = list(dict.fromkeys(frame["rules"]))
    figure = Figure(figsize=(2.0 * len(panels) + 2.0, 0.42 * frame["policy"].nunique() + 1.9))
    axes: Sequence[Axes] = figure.subplots(1, len(panels), sharex=True, sharey=True, squeeze=False)[0]
    for ax, rules in zip(axes, panels, strict=True):
        plot_policies(frame[frame["rules"] == rules], ax=ax, even=even, scale=scale)
        ax.set_title(str(rules), fontsize=9.5, color=INK)
    figure.suptitle(title, fontsize=11, color=INK, x=0.01, ha="left")
    figure.supxlabel(x, fontsize=9, color=INK)
    handles = [
        axes[0].plot([], [], look.marker + "-", color=look.color, markersize=4, label=f"against {opponent}")[0]
        for look, opponent in zip(LOOKS, dict.fromkeys(frame["opponent"]), strict=False)
    ]
    figure.legend(
        handles=handles, loc="upper left", bbox_to_anchor=(0.005, 0.955), ncols=5, frameon=False, fontsize=8.5
    )
    figure.tight_layout(rect=(0, 0, 1, 0.93))
    return figure
