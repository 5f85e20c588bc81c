"""Charts of the undercut-risk report, from the frames of :mod:`gincore.analysis.undercut` and ``risk``.

Every function takes rows of one or more opponents as said there; ``lang`` is ``en`` or ``fr``.
"""

from __future__ import annotations

from typing import Final

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from gincore.analysis.undercut import DISCARDS, FACTORS, PICKUPS, TURNS
from gincore.language import Language, language
from gincore.plotting.rows import MapStyle, cell_map, dot_rows, entitle, map_figure, number_ticks, own_axes, rows_figure
from gincore.plotting.style import FAINT, LOOKS, current_axes, dress, intervals_note, label_ends, line_with_band

LEAST: Final = 20
"""Knocks without which a cell shows no number."""

FACTOR_NAMES: Final = {
    "deadwood": ("deadwood", "points morts"),
    "turns": ("turns", "tours"),
    "pickups": ("pick-ups", "prises"),
    "discard": ("last discard", "défausse"),
}
"""The circumstances of a knock in both languages."""


def risk_map(
    frame: pd.DataFrame, *, by: str = "turns", ax: Axes | None = None, title: str | None = None, lang: str = "en"
) -> Axes:
    """Map the share of knocks undercut, in per cent, by deadwood (rows) and another circumstance (columns).

    Parameters
    ----------
    frame
        Of :func:`gincore.analysis.undercut.risk_cells` by ``deadwood`` and `by`, one opponent; other metrics are
        ignored. Hatched: not told apart from the average.
    by
        ``turns``, ``pickups`` or ``discard``.
    ax
        Where to draw; new axes by default.
    title
        In place of the question that the chart answers.
    lang
        ``en`` or ``fr``.
    """
    tr = language(lang)
    asked = tr("Which knocks are undercut?", "Quelles frappes sont contrées ?")
    return _map(frame, "undercut_share", by, ax, title or asked, tr, scale=100)


def loss_map(
    frame: pd.DataFrame, *, by: str = "turns", ax: Axes | None = None, title: str | None = None, lang: str = "en"
) -> Axes:
    """Map the points lost to undercuts a knock; parameters as of :func:`risk_map`."""
    tr = language(lang)
    asked = tr("What do undercuts cost?", "Combien coûtent les sous-coupes ?")
    return _map(frame, "loss_per_knock", by, ax, title or asked, tr, scale=1)


def _map(frame: pd.DataFrame, metric: str, by: str, ax: Axes | None, title: str, tr: Language, scale: float) -> Axes:
    columns, rows = columns_of(by, tr), FACTORS["deadwood"]
    cells = frame[frame["metric"] == metric].copy()
    cells[by] = cells[by].replace({"none": tr("none", "aucune"), "10-K": tr("10-K", "10-R")})
    cells["open"] = ~(cells["p_holm"] < 0.05) if "p_holm" in cells else False
    ax = own_axes(ax, map_figure, len(columns), len(rows))
    labels = (axis_label(by, tr), tr("knocker's deadwood", "points morts du frappeur"))
    style = MapStyle(by, "deadwood", *labels, scale=scale, digits=1, least=LEAST)
    cell_map(ax, cells, style, columns, rows, tr)
    unit = tr("% of knocks", "% des frappes") if scale == 100 else tr("points a knock", "points par frappe")
    note = tr(
        f"{unit}; hatched: not told apart from the average (Holm);\ndot: under {LEAST} knocks",
        f"{unit} ; hachuré : non distingué de la moyenne (Holm) ;\npoint : moins de {LEAST} frappes",
    )
    entitle(ax, title, note)
    return ax


def columns_of(by: str, tr: Language) -> list[str]:
    """Return the classes of a circumstance as a language writes them."""
    shown = {"turns": TURNS, "pickups": PICKUPS, "discard": DISCARDS}[by]
    return [{"none": tr("none", "aucune"), "10-K": tr("10-K", "10-R")}.get(each, each) for each in shown]


def axis_label(by: str, tr: Language) -> str:
    """Return the label of a circumstance's axis."""
    return {
        "turns": tr("turns played, both players", "tours joués, les deux joueurs"),
        "pickups": tr("cards the defender took from the pile", "cartes prises par l'adversaire à la défausse"),
        "discard": tr("rank of the defender's last discard", "rang de la dernière défausse adverse"),
    }[by]


def risk_lines(
    frame: pd.DataFrame, *, by: str = "pickups", ax: Axes | None = None, title: str | None = None, lang: str = "en"
) -> Axes:
    """Draw the share of knocks undercut by deadwood, one line a class of another circumstance or an opponent.

    Parameters as of :func:`risk_map`; `by` may be ``opponent``, for a frame of several by ``deadwood`` alone.
    """
    tr = language(lang)
    ax = current_axes(ax)
    rows = frame[frame["metric"] == "undercut_share"]
    if "hands" in rows:
        rows = rows[rows["hands"] >= LEAST]
    classes = list(rows["opponent"].unique()) if by == "opponent" else [
        each for each in FACTORS[by] if each != "none" and (rows[by] == each).any()
    ]  # fmt: skip
    series = [(_line_name(by, each, tr), rows[rows[by] == each]) for each in classes]
    asked = tr("Which knocks are undercut?", "Quelles frappes sont contrées ?")
    return _lines(ax, series, title or asked, tr("undercut, % of knocks", "contrées, % des frappes"), tr, scale=100)


def bonus_lines(frame: pd.DataFrame, *, ax: Axes | None = None, title: str | None = None, lang: str = "en") -> Axes:
    """Draw the knocker's net points by deadwood, one line an undercut bonus.

    Takes the frame of :func:`gincore.analysis.undercut.bonus_frame`, one opponent; parameters as of :func:`risk_map`.
    """
    tr = language(lang)
    ax = current_axes(ax)
    rows = frame[(frame["metric"] == "net_points_per_knock") & (frame["deadwood"] != "all")]
    if "hands" in rows:
        rows = rows[rows["hands"] >= LEAST]
    ax.axhline(0, color=FAINT, linewidth=1)
    series = [(f"{tr('bonus', 'prime')} {bonus}", rows[rows["bonus"] == bonus]) for bonus in sorted(set(rows["bonus"]))]
    asked = tr("What is a knock worth?", "Que vaut une frappe ?")
    return _lines(ax, series, title or asked, tr("net points a knock", "points nets par frappe"), tr, scale=1)


def _line_name(by: str, each: str, tr: Language) -> str:
    if by == "opponent":
        return each.replace(",", ",\n")
    if by == "pickups":
        return f"{each} {tr('taken', 'prises')}"
    return {"10-K": tr("10-K", "10-R")}.get(each, each)


def _lines(
    ax: Axes, series: list[tuple[str, pd.DataFrame]], title: str, label: str, tr: Language, scale: float
) -> Axes:
    ends = []
    for look, (name, rows) in zip(LOOKS, series, strict=False):
        points = rows["deadwood"].astype(int)
        ends.append(
            (name, line_with_band(ax, rows.assign(points=points), look, x="points", scale=scale)[1], look.color)
        )
    ax.margins(x=0.04, y=0.06)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=11))
    ax.yaxis.set_major_locator(MaxNLocator(nbins=6))
    number_ticks(ax.yaxis, tr)
    ax.autoscale_view()
    label_ends(ax, ends)
    shown = pd.concat([rows for _, rows in series]) if series else pd.DataFrame()
    note = tr(intervals_note(shown, ax, scale), french_note(shown))
    dress(ax, title=title, x=tr("knocker's deadwood (points)", "points morts du frappeur"), y=label, note=note)
    return ax


def french_note(frame: pd.DataFrame) -> str:
    """Say in French what bars mean."""
    if "level" not in frame or not len(frame):
        return ""
    return f"traits : intervalles à {100 * frame['level'].iloc[0]:.4g} %".replace(".", ",")


def explained_rows(frame: pd.DataFrame, *, ax: Axes | None = None, title: str | None = None, lang: str = "en") -> Axes:
    """Draw the part of what is explained that each circumstance carries, one series an opponent.

    Takes frames of :func:`gincore.analysis.risk.explained` with a column ``opponent``; parameters as of
    :func:`risk_map`.
    """
    tr = language(lang)
    rows = frame[frame["factor"] != "all"].rename(
        columns={"of_explained": "estimate", "of_low": "low", "of_high": "high"}
    )
    names = {key: tr(*both) for key, both in FACTOR_NAMES.items()}
    rows = rows.assign(name=rows["factor"].map(names))
    opponents = [(each, each) for each in rows["opponent"].unique()]
    ax = own_axes(ax, rows_figure, len(names), max(map(len, names.values())), len(opponents))
    dot_rows(
        ax, rows, row="name", rows=list(names.values()), series=opponents, series_column="opponent", scale=100,
        label=tr("part of what is explained, %", "part de l'expliqué, %"), even=0, tr=tr,
    )  # fmt: skip
    note = tr(
        "lines: intervals by drawing groups of deals again", "traits : intervalles par rééchantillonnage de groupes"
    )
    entitle(ax, title or tr("What carries the risk?", "Qu'est-ce qui porte le risque ?"), note, lifted=True)
    return ax


def overview_rows(
    frame: pd.DataFrame,
    metric: str,
    *,
    label: str = "",
    scale: float = 1,
    ax: Axes | None = None,
    title: str | None = None,
    lang: str = "en",
) -> Axes:
    """Draw one metric of an overview or of the spread rules, a row an opponent.

    Parameters
    ----------
    frame
        Of :func:`gincore.analysis.undercut.overview` or ``spread_frame``.
    metric
        Which metric of it.
    label, scale
        Label of the axis, and factor of the values.
    ax, title, lang
        As of :func:`risk_map`.
    """
    tr = language(lang)
    rows = frame[frame["metric"] == metric]
    names = list(frame["opponent"].unique())
    ax = own_axes(ax, rows_figure, len(names), max(map(len, names), default=5))
    dot_rows(ax, rows, row="opponent", rows=names, scale=scale, label=label or metric, even=0, tr=tr)
    level = f"{100 * float(frame['level'].iloc[0]):.4g}" if "level" in frame and len(frame) else ""
    note = tr(f"lines: {level} % intervals", f"traits : intervalles à {level} %") if level else ""
    entitle(ax, title or metric, note)
    return ax
