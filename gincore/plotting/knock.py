"""Charts of the knock-threshold report, from the tidy frame of :func:`gincore.analysis.knock.sweep_frame`.

The frame has the columns ``opponent``, ``limit``, ``metric``, ``estimate``, ``low``, ``high``; optional are ``level``
(of the intervals) and ``among_best`` (drawn filled where true or missing, hollow where false). Rows of other
metrics are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from gincore.language import Language, language
from gincore.plotting.rows import number_ticks
from gincore.plotting.style import FAINT, LOOKS, current_axes, dress, intervals_note, label_ends, line_with_band

LIMIT_LABEL: Final = ("knock limit (deadwood points)", "limite pour frapper (points morts)")

FRENCH: Final = {
    "knock won": "frappe\ngagnée",
    "undercut": "sous-coupe",
    "dead": "nulle",
    "big gin": "grand gin",
    "games": "parties",
    "hands": "manches",
    "net\npoints": "points\nnets",
    "against\nsimple": "contre\nsimple",
    "against\nitself": "contre\nlui-même",
}
"""Names of lines in French."""

RESULTS: Final = {
    "knock_share": "knock won",
    "gin_share": "gin",
    "undercut_share": "undercut",
    "dead_share": "dead",
    "big_gin_share": "big gin",
}


def points_by_limit(frame: pd.DataFrame, *, ax: Axes | None = None, title: str | None = None, lang: str = "en") -> Axes:
    """Net points a hand of player 0 by knock limit, with a line where both players score the same.

    Parameters
    ----------
    frame
        Tidy frame of one opponent with the metric ``net_points_per_hand``.
    ax
        Where to draw; new axes by default.
    title
        In place of the question that the chart answers.
    lang
        ``en`` or ``fr``.

    Returns
    -------
    Axes
    """
    tr, ax = language(lang), current_axes(ax)
    ax.axhline(0, color=FAINT, linewidth=1)
    note = _draw(ax, [("net\npoints", _rows(frame, "net_points_per_hand"))], tr)
    dress(
        ax,
        title=title or tr("Which limit scores most?", "Quelle limite rapporte le plus ?"),
        x=tr(*LIMIT_LABEL),
        y=tr("net points a hand, player 0", "points nets, joueur 0"),
        note=note,
    )
    return ax


def won_by_limit(frame: pd.DataFrame, *, ax: Axes | None = None, title: str | None = None, lang: str = "en") -> Axes:
    """Games and hands won by player 0, in per cent, by knock limit.

    Takes the metrics ``game_won_0_share`` and ``won_0_share``; parameters as in :func:`points_by_limit`.
    """
    tr, ax = language(lang), current_axes(ax)
    ax.axhline(50, color=FAINT, linewidth=1)
    series = [("games", _rows(frame, "game_won_0_share")), ("hands", _rows(frame, "won_0_share"))]
    note = _draw(ax, series, tr, scale=100)
    dress(
        ax,
        title=title or tr("Which limit wins most?", "Quelle limite gagne le plus ?"),
        x=tr(*LIMIT_LABEL),
        y=tr("won by player 0 (%)", "gagnées par le joueur 0 (%)"),
        note=note,
    )
    return ax


def shares_by_limit(frame: pd.DataFrame, *, ax: Axes | None = None, title: str | None = None, lang: str = "en") -> Axes:
    """How hands end, in per cent of all hands, by knock limit.

    Takes the metrics of :data:`RESULTS`; big gin only where there is one. Parameters as in :func:`points_by_limit`.
    """
    tr, ax = language(lang), current_axes(ax)
    series = [(label, _rows(frame, metric)) for metric, label in RESULTS.items()]
    shown = [(label, rows) for label, rows in series if label != "big gin" or (rows["estimate"] > 0).any()]
    note = _draw(ax, shown, tr, scale=100)
    dress(
        ax,
        title=title or tr("How do hands end, by either player?", "Comment finissent-elles, par l'un ou l'autre ?"),
        x=tr(*LIMIT_LABEL),
        y=tr("share of all hands (%)", "part de toutes les manches (%)"),
        note=note,
    )
    return ax


def turns_by_limit(frame: pd.DataFrame, *, ax: Axes | None = None, title: str | None = None, lang: str = "en") -> Axes:
    """Draw turns a hand by knock limit, one line an opponent; parameters as in :func:`points_by_limit`."""
    tr, ax = language(lang), current_axes(ax)
    note = _draw(ax, _by_opponent(frame, "turns_mean"), tr)
    dress(
        ax,
        title=title or tr("How long is a hand?", "Combien dure une manche ?"),
        x=tr(*LIMIT_LABEL),
        y=tr("turns a hand, both players", "tours par manche"),
        note=note,
    )
    return ax


def winner_points_by_limit(
    frame: pd.DataFrame, *, ax: Axes | None = None, title: str | None = None, lang: str = "en"
) -> Axes:
    """Draw the winner's points of a decided hand, one line an opponent; parameters as in :func:`points_by_limit`."""
    tr, ax = language(lang), current_axes(ax)
    note = _draw(ax, _by_opponent(frame, "winner_points_per_decided_hand"), tr)
    dress(
        ax,
        title=title or tr("How much does a hand score?", "Combien rapporte une manche ?"),
        x=tr(*LIMIT_LABEL),
        y=tr("points to the winner", "points au vainqueur"),
        note=note,
    )
    return ax


def _rows(frame: pd.DataFrame, metric: str) -> pd.DataFrame:
    return frame[frame["metric"] == metric]


def _by_opponent(frame: pd.DataFrame, metric: str) -> list[tuple[str, pd.DataFrame]]:
    rows = _rows(frame, metric)
    return [(f"against\n{name}", rows[rows["opponent"] == name]) for name in rows["opponent"].unique()]


def _draw(ax: Axes, series: Sequence[tuple[str, pd.DataFrame]], tr: Language, *, scale: float = 1.0) -> str:
    """Draw one line a series, write its name beside its end, and return the note that explains the marks."""
    ends = []
    for look, (label, rows) in zip(LOOKS, series, strict=False):
        shown = tr(label, FRENCH.get(label, label))
        ends.append((shown, line_with_band(ax, rows, look, x="limit", scale=scale)[1], look.color))
    ax.margins(x=0.04, y=0.06)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=11))
    ax.autoscale_view()
    label_ends(ax, ends)
    if tr.code == "fr":
        number_ticks(ax.yaxis, tr)
    note = intervals_note(pd.concat([rows for _, rows in series]), ax, scale) if series else ""
    return tr(note, french_note(note))


def french_note(note: str) -> str:
    """Say in French what a note of :func:`gincore.plotting.style.intervals_note` says.

    >>> french_note("bars and band: 95 % intervals").replace(chr(160), " ")
    'traits et bande : intervalles à 95 %'
    """
    note = re.sub(
        r"bars and band: ([0-9.]+) % intervals",
        lambda found: f"traits et bande : intervalles à {found[1].replace('.', ',')} %",
        note,
    )
    note = note.replace(", bars under the markers", ", traits sous les signes")
    note = note.replace(", bars hidden where small", ", traits cachés si petits")
    return note.replace("filled: not told apart from the best", "plein : non distingué de la meilleure")
