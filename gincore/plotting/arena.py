"""Charts of an arena, from the tidy frames of :mod:`gincore.analysis.arena`."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from gincore.plotting.style import FAINT, INK, LOOKS, MARKER

EVEN: Final = {"game_won_share": 0.5, "hand_won_share_of_decided": 0.5, "net_points_per_hand": 0.0}
"""Metrics that are drawn, and the value at which neither strategy is ahead."""

QUESTIONS: Final = {
    "game_won_share": "Who wins more games?",
    "hand_won_share_of_decided": "Who wins more hands?",
    "net_points_per_hand": "Who scores more points?",
}

CELLS: Final = {
    "game_won_share": "games won by the row against the column, %",
    "hand_won_share_of_decided": "decided hands won by the row against the column, %",
    "net_points_per_hand": "net points a hand of the row against the column",
}

CELL: Final = 0.56
"""Side of a cell in inches."""

LETTER: Final = 0.068
"""Width of a letter of a name in inches, at least."""

LONGEST: Final = 24
"""Letters of a name that are shown."""

SMALL: Final = 7.5
"""Size of numbers in cells and of notes, in points."""

ROW: Final = 0.34
"""Height of a strategy's row in the ranking chart in inches."""

WIDE: Final = 3.1
"""Width of the ranking chart's axes in inches."""

TITLE_LETTER: Final = 0.092
"""Width of a letter of a title in inches."""

COLORS: Final = LinearSegmentedColormap.from_list("gincore", ["#D55E00", "#FFFFFF", "#0072B2"])
"""From behind over even to ahead: orange and blue, which colour-blind readers tell apart."""


def short(name: str) -> str:
    """Return a name with its middle left out if it is long.

    >>> short("threshold,limit=4,late_limit=2")
    'threshold,l…late_limit=2'
    """
    half = (LONGEST - 1) // 2
    return name if len(name) <= LONGEST else f"{name[:half]}…{name[-(LONGEST - 1 - half) :]}"


def heat_axes(names: Sequence[str]) -> tuple[Figure, Axes]:
    """Make a figure in which a heat map of so many strategies, with names so long, has room, and its axes."""
    side = CELL * len(names)
    label = LETTER * max(len(short(name)) for name in names)
    left, right, bottom, top = label + 0.2, 0.25, 0.75 * label + 0.75, 0.65
    width, height = max(left + side + right, 3.6), bottom + side + top
    figure = Figure(figsize=(width, height))
    return figure, figure.add_axes((left / width, bottom / height, side / width, side / height))


def heat_map(
    frame: pd.DataFrame,
    *,
    metric: str = "game_won_share",
    order: Sequence[str] | None = None,
    ax: Axes | None = None,
    title: str | None = None,
) -> Axes:
    """Draw what each strategy (row) makes of each other (column), the number in every cell.

    Parameters
    ----------
    frame
        Columns ``a, b, metric, estimate, low, high, p_holm, level``, one row a pair; rows of other metrics are ignored.
    metric
        ``game_won_share``, ``hand_won_share_of_decided`` or ``net_points_per_hand``.
    order
        The strategies from top to bottom; by default as they appear.
    ax
        Where to draw; by default axes of a new figure in pyplot.
    title
        In place of the question that the chart answers.

    Returns
    -------
    Axes
        Blue: the row is ahead, orange: behind; grey and hatched where the interval covers even.
    """
    rows = frame[frame["metric"] == metric]
    names = list(order) if order is not None else list(dict.fromkeys([*rows["a"], *rows["b"]]))
    ax = _axes(ax, names)
    even = EVEN[metric]
    farthest = max(float((rows["estimate"] - even).abs().max()), 1e-9) if len(rows) else 1.0
    for row in rows.to_dict("records"):
        low, high, middle = float(row["low"]), float(row["high"]), float(row["estimate"])
        open_ = not (low > even or high < even)
        told = float(row["p_holm"]) < 1 - float(row["level"])
        for a, b, value in ((row["a"], row["b"], middle), (row["b"], row["a"], 2 * even - middle)):
            _cell(ax, names.index(str(b)), names.index(str(a)), value, metric, (value - even) / farthest, open_, told)
    _dress(ax, names, title or QUESTIONS[metric], _note(frame, metric))
    return ax


def _axes(ax: Axes | None, names: Sequence[str]) -> Axes:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt  # only here: a notebook shows what pyplot makes

    drawn, measured = heat_axes(names)
    figure = plt.figure(figsize=tuple(drawn.get_size_inches()))
    return figure.add_axes(measured.get_position().bounds)


def _cell(ax: Axes, x: int, y: int, value: float, metric: str, strength: float, open_: bool, told: bool) -> None:
    """Draw one cell; `strength` is -1 .. 1."""
    # the root of the strength: small differences keep a colour beside large ones
    face = COLORS(0.5 + 0.5 * float(np.sign(strength) * np.sqrt(abs(strength)))) if strength == strength else "white"
    if open_:
        ax.add_patch(Rectangle((x, y), 1, 1, facecolor="#f1f1f1", edgecolor="#cfcfcf", hatch="////", linewidth=0))
        ax.add_patch(Rectangle((x + 0.12, y + 0.27), 0.76, 0.46, facecolor="#f1f1f1", linewidth=0))
    else:
        ax.add_patch(Rectangle((x, y), 1, 1, facecolor=face, linewidth=0))
    shown = round(value if metric == "net_points_per_hand" else 100 * value, 6)  # the same for both sides of a pair
    text = f"{shown:+.2f}" if metric == "net_points_per_hand" else f"{shown:.1f}"
    text = text.lstrip("+-") if float(text) == 0 else text.replace("-", "\u2212")
    dark = not open_ and _luminance(face) < 0.3
    ax.text(
        x + 0.5,
        y + 0.5,
        f"{text}*" if told else text,
        ha="center",
        va="center",
        fontsize=SMALL,
        color="white" if dark else INK,
    )


def _luminance(face: object) -> float:
    """Relative luminance of a colour of the map."""
    red, green, blue = np.asarray(face if not isinstance(face, str) else (1.0, 1.0, 1.0), dtype=float)[:3] ** 2.2
    return float(0.2126 * red + 0.7152 * green + 0.0722 * blue)


def _note(frame: pd.DataFrame, metric: str) -> str:
    lines = [f"{CELLS[metric]};"]
    level = f"{100 * float(frame['level'].iloc[0]):.4g} %" if len(frame) else ""
    lines.append(f"hatched: the {level} interval covers even;")
    lines.append("*: told apart after Holm's correction")
    return "\n".join(lines)


def _dress(ax: Axes, names: Sequence[str], title: str, note: str) -> None:
    size = len(names)
    ax.set_xlim(0, max(size, 1))
    ax.set_ylim(max(size, 1), 0)
    ax.set_aspect("equal")
    labels = [short(name) for name in names]
    ax.set_xticks(np.arange(size) + 0.5, labels, rotation=45, ha="right", rotation_mode="anchor")
    ax.set_yticks(np.arange(size) + 0.5, labels)
    ax.tick_params(length=0, labelsize=8.5, colors=INK)
    for line in range(size + 1):
        ax.axhline(line, color="white", linewidth=1.5)
        ax.axvline(line, color="white", linewidth=1.5)
    ax.spines[:].set_visible(False)
    label = max((len(text) for text in labels), default=0)
    _head(ax, title, max(36, int((CELL * size + LETTER * label) / TITLE_LETTER)), label)
    _small(ax, note, label, -(72 * 0.75 * LETTER * label + 14))


def ranking_axes(names: Sequence[str]) -> tuple[Figure, Axes]:
    """Make a figure in which a ranking chart of so many strategies has room, and its axes."""
    label = LETTER * max(len(short(name)) for name in names)
    left, bottom, top = label + 0.25, 1.2, 0.65
    side = ROW * len(names) + 0.2
    width, height = left + WIDE + 0.3, bottom + side + top
    figure = Figure(figsize=(width, height))
    return figure, figure.add_axes((left / width, bottom / height, WIDE / width, side / height))


def ranking_chart(frame: pd.DataFrame, *, ax: Axes | None = None, title: str | None = None) -> Axes:
    """Draw the shares of games and of hands that each strategy wins against the pool, best in games on top.

    Parameters
    ----------
    frame
        Columns ``strategy, metric, estimate, low, high, level``; other metrics than the two shares are ignored.
    ax, title
        As of :func:`heat_map`.

    Returns
    -------
    Axes
    """
    series = {"games": "game_won_share", "hands": "hand_won_share_of_decided"}
    games = frame[frame["metric"] == series["games"]].sort_values("estimate", ascending=False, kind="stable")
    names = list(games["strategy"])
    if ax is None:
        import matplotlib.pyplot as plt

        drawn, measured = ranking_axes(names)
        ax = plt.figure(figsize=tuple(drawn.get_size_inches())).add_axes(measured.get_position().bounds)
    ax.axvline(50, color=FAINT, linewidth=1)
    for shift, look, (label, metric) in zip((-0.14, 0.14), LOOKS, series.items(), strict=False):
        rows = frame[frame["metric"] == metric].set_index("strategy").reindex(names)
        places = np.arange(len(names)) + shift
        mid, low, high = (100 * rows[column].to_numpy(dtype=float) for column in ("estimate", "low", "high"))
        ax.hlines(places, low, high, color=look.color, linewidth=1.4)
        ax.plot(mid, places, look.marker, color=look.color, markersize=MARKER, linestyle="none", label=label)
    ax.set_yticks(np.arange(len(names)), [short(name) for name in names])
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.xaxis.set_major_locator(MaxNLocator(nbins=6))
    ax.set_xlabel("won against the pool, %", color=INK)
    ax.tick_params(colors=INK, labelsize=8.5)
    ax.tick_params(axis="y", length=0)
    ax.spines[["top", "right", "left"]].set_visible(False)
    ax.spines["bottom"].set_color(FAINT)
    ax.grid(axis="x", color="#e4e4e4", linewidth=0.7)
    ax.set_axisbelow(True)
    _head_and_key(ax, names, title or "Who wins most?", frame)
    return ax


def _head_and_key(ax: Axes, names: Sequence[str], title: str, frame: pd.DataFrame) -> None:
    """Write the title over the names, and the key with a note under the axis."""
    label = max((len(short(name)) for name in names), default=0)
    width = int((WIDE + LETTER * label) / TITLE_LETTER)
    _head(ax, title, width, label)
    if len(frame):
        _small(
            ax,
            f"bars: {100 * float(frame['level'].iloc[0]):.4g} % intervals (they may lie under the markers)",
            label,
            -71,
        )
    below = -44 / max(ax.get_window_extent().height / ax.figure.dpi * 72, 1)
    ax.legend(loc="upper right", bbox_to_anchor=(1.0, below), ncols=2, frameon=False, fontsize=8.5)


def _head(ax: Axes, title: str, width: int, label: int) -> None:
    """Write a title, `width` letters a line, that begins where names of `label` letters beside the axes begin."""
    ax.annotate(
        "\n".join(textwrap.fill(line, width) for line in title.splitlines()),
        xy=(0, 1),
        xycoords="axes fraction",
        xytext=(-72 * LETTER * label, 7),
        textcoords="offset points",
        fontsize=9.5,
        color=INK,
        fontweight="bold",
        va="bottom",
        annotation_clip=False,
    )


def _small(ax: Axes, note: str, label: int, below: float) -> None:
    """Write a note so many points under the axes (`below` is negative)."""
    ax.annotate(
        note,
        xy=(0, 0),
        xycoords="axes fraction",
        xytext=(-72 * LETTER * label, below),
        textcoords="offset points",
        va="top",
        fontsize=SMALL,
        color="#555555",
        annotation_clip=False,
    )
