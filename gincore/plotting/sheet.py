"""The one-page chart of when to knock, made to be printed: it reads in grey, every cell has its letter."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from gincore.language import Language, language
from gincore.plotting.cells import Cell, Word, draw_cells, draw_words
from gincore.plotting.forks import OPEN_BIN
from gincore.plotting.style import FAINT, INK, TITLE_HEIGHT, current_axes

PAGE: Final = (7.4, 10.5)
"""Inches: what a page of A4 leaves with margins of a centimetre."""

PANELS: Final = 4
"""Panels, by cards that the opponent took: 0, 1, 2, 3."""

TURNS: Final = 14
"""Turns of the player that are shown at most."""

LARGE_LETTERS: Final = 42
"""Letters of a head that is written large."""

DARK: Final = "#17527a"
PALE: Final = "#d3dbe2"


class Mark(NamedTuple):
    """How a cell is drawn: letter in English and French, colour of face and ink, whether hatched."""

    letter: tuple[str, str]
    face: str
    ink: str
    hatched: bool = False


MARKS: Final = {
    "knock": Mark(("K", "F"), DARK, "white"),
    "rather knock": Mark(("k", "f"), PALE, INK, hatched=True),
    "rather wait": Mark(("w", "a"), "white", INK, hatched=True),
    "wait": Mark(("W", "A"), "white", INK),
    "few": Mark(("·", "·"), "white", FAINT),
}
"""A lower-case letter is a lean that the deals do not tell from none."""

MEANINGS: Final = {
    "knock": ("knock", "frapper"),
    "rather knock": ("rather knock, not certain", "plutôt frapper, incertain"),
    "rather wait": ("rather wait, not certain", "plutôt attendre, incertain"),
    "wait": ("wait", "attendre"),
    "few": ("hardly ever met", "très rare"),
}


class Words(NamedTuple):
    """Text of the page: head, paragraphs under it (three or four lines in all), and of the foot (three or four)."""

    head: str
    lead: Sequence[str]
    foot: Sequence[str]


def mark_of(row: Any) -> str:
    """Return the mark of a cell from its verdict and, where that is open, the sign of its value."""
    if row["verdict"] != "open":
        return str(row["verdict"])
    return "rather knock" if row["value_of_knocking_points"] > 0 else "rather wait"


def knock_panel(
    frame: pd.DataFrame,
    *,
    ax: Axes | None = None,
    title: str | None = None,
    lang: str = "en",
    turns: int = TURNS,
    top: int = 10,
) -> Axes:
    """Draw where to knock, by deadwood and own turn.

    Parameters
    ----------
    frame
        Columns ``deadwood``, ``turn`` (completed turns of both players), ``value_of_knocking_points`` and ``verdict``
        (of :func:`gincore.analysis.knock_value.value_frame`); one row a cell.
    ax
        Where to draw; new axes by default.
    title
        Above the panel.
    lang
        ``en`` or ``fr``.
    turns
        Turns of the player that are shown.
    top
        Highest deadwood that is shown.
    """
    tr, ax = language(lang), current_axes(ax)
    cells = frame[(frame["deadwood"] > 0) & (frame["deadwood"] <= top)].dropna(subset=["value_of_knocking_points"])
    few = cells[(cells["verdict"] == "few") & (cells["turn"] // 2 < turns)]
    ax.plot(few["turn"] // 2 + 0.5, few["deadwood"] - 0.5, ".", color=FAINT, markersize=1.5)  # at once: it is faster
    met = cells[(cells["verdict"] != "few") & (cells["turn"] // 2 < turns)]
    _marks(ax, [(row["turn"] // 2, row["deadwood"] - 1, MARKS[mark_of(row)]) for row in met.to_dict("records")], tr)
    ax.set_xlim(0, turns)
    ax.set_ylim(top, 0)
    ax.set_xticks([place + 0.5 for place in range(turns)], [str(place + 1) for place in range(turns)])
    ax.set_yticks(
        [place + 0.5 for place in range(top)],
        [f"{place + 1}{'+' if place + 1 == OPEN_BIN else ''}" for place in range(top)],
    )
    ax.tick_params(length=0, colors=INK, labelsize=8)
    ax.spines[:].set_color(FAINT)
    ax.vlines(range(1, turns), 0, top, color="#e2e2e2", linewidth=0.5, zorder=0)
    ax.hlines(range(1, top), 0, turns, color="#e2e2e2", linewidth=0.5, zorder=0)
    ax.set_xlabel(tr("your turn", "votre tour"), fontsize=8.5, color=INK)
    ax.set_ylabel(tr("your deadwood", "vos points morts"), fontsize=8.5, color=INK)
    head = title or tr("When to knock?", "Quand frapper ?")
    ax.set_title(head, loc="left", y=TITLE_HEIGHT, fontsize=9.5, color=INK)
    return ax


def _marks(
    ax: Axes, marks: Sequence[tuple[float, float, Mark]], tr: Language, *, width: float = 1.0, edge: float = 0.3
) -> None:
    """Draw cells so wide with their letters."""
    cells = [Cell(x, y, mark.face, mark.hatched) for x, y, mark in marks]
    free = (0.2 if width == 1 else 0.5, 0.15)
    draw_cells(ax, cells, hatch="/////", hatch_color="#a8a8a8", free=free, edge=FAINT, width=edge, size=(width, 1.0))
    for weight in ("normal", "bold"):
        letters = [
            Word(x + width / 2, y + 0.54, tr(*mark.letter), mark.ink)
            for x, y, mark in marks
            if (mark.face == DARK and width == 1) == (weight == "bold")
        ]
        draw_words(ax, letters, size=7.5, weight=weight)


def limit_rows(frame: pd.DataFrame, *, ax: Axes, turns: int = TURNS) -> Axes:
    """Write the highest deadwood to knock with, by own turn, one row an opponent.

    Parameters
    ----------
    frame
        Columns ``opponent`` (as it is to be written), ``turn`` (completed turns of both players) and ``limit``.
    ax
        Where to draw.
    turns
        As of :func:`knock_panel`.
    """
    names = list(dict.fromkeys(frame["opponent"]))
    cells, words = [], []
    for row in frame.to_dict("records"):
        x, limit = int(row["turn"]) // 2, int(row["limit"])
        if x < turns:
            y = names.index(row["opponent"])
            cells.append(Cell(x, y, "#ececec" if limit else "white"))
            words.append(Word(x + 0.5, y + 0.54, str(limit) if limit else "gin", INK))
    draw_cells(ax, cells, edge=FAINT, width=0.3)
    draw_words(ax, words, size=7.5)
    ax.set_xlim(0, turns)
    ax.set_ylim(max(len(names), 1), 0)
    ax.set_xticks([place + 0.5 for place in range(turns)], [str(place + 1) for place in range(turns)])
    ax.xaxis.tick_top()
    ax.set_yticks([place + 0.5 for place in range(len(names))], names)
    ax.tick_params(length=0, colors=INK, labelsize=8, pad=2)
    ax.spines[:].set_visible(False)
    return ax


def sheet(cells: pd.DataFrame, limits: pd.DataFrame, words: Words, lang: str = "en") -> Figure:
    """Make the page: a panel for each number of cards that the opponent took, the limits by turn, and the words.

    Parameters
    ----------
    cells
        As of :func:`knock_panel`, with ``opp_pickups``.
    limits
        As of :func:`limit_rows`.
    words
        Head, lead and foot.
    lang
        ``en`` or ``fr``.
    """
    tr = language(lang)
    figure = Figure(figsize=PAGE)
    _write(figure, 0.985, [words.head], 16 if len(words.head) <= LARGE_LETTERS else 11, INK, bold=True)
    _write(figure, 0.950, _wrapped(words.lead, 98), 8.6, INK)
    _legend(figure.add_axes((0.03, 0.863, 0.94, 0.02)), tr)
    turns, top = _turns(cells), max(10, int(cells["deadwood"].max())) if len(cells) else 10
    for place in range(PANELS):
        column, row = place % 2, place // 2
        ax = figure.add_axes((0.075 + 0.485 * column, 0.556 - 0.32 * row, 0.425, 0.265))
        took = tr(
            ("The opponent took nothing", "The opponent took 1 card", "… 2 cards", "… 3 cards")[place],
            ("L'adversaire n'a rien pris", "L'adversaire a pris 1 carte", "… 2 cartes", "… 3 cartes")[place],
        )
        knock_panel(cells[cells["opp_pickups"] == place], ax=ax, title=took, lang=lang, turns=turns, top=top)
    head = tr(
        "One number a turn: the highest deadwood to knock with, by opponent and your turn",
        "Un seul chiffre par tour : les points morts au plus pour frapper, par adversaire et par tour",
    )
    count = max(limits["opponent"].nunique(), 1)
    _write(figure, 0.193, [head], 9.5, INK)
    limit_rows(limits, ax=figure.add_axes((0.23, 0.160 - 0.019 * count, 0.745, 0.019 * count)), turns=turns)
    _write(figure, 0.144 - 0.019 * count, _wrapped(words.foot, 132), 6.8, "#444444")
    return figure


def _turns(cells: pd.DataFrame) -> int:
    """Return the turns that are shown: up to the last one with a cell that is not rare."""
    met = cells[(cells["verdict"] != "few") & (cells["opp_pickups"] < PANELS)]
    return min(max(int(met["turn"].max()) // 2 + 1, 6), TURNS) if len(met) else 6


def _wrapped(paragraphs: Sequence[str], letters: int) -> list[str]:
    return [line for text in paragraphs for line in textwrap.wrap(text, letters)]


def _write(figure: Figure, top: float, lines: Sequence[str], size: float, color: str, *, bold: bool = False) -> None:
    figure.text(
        0.03, top, "\n".join(lines), va="top", fontsize=size, color=color, linespacing=1.35,
        fontweight="bold" if bold else "normal",
    )  # fmt: skip


def _legend(ax: Axes, tr: Language) -> None:
    """Write what the letters mean, in a line."""
    ax.set_xlim(0, 62)
    ax.set_ylim(1.05, -0.05)
    ax.axis("off")
    places = dict(zip(MARKS, (0, 8, 25, 42, 51), strict=True))
    _marks(ax, [(x, 0, MARKS[name]) for name, x in places.items()], tr, width=1.8, edge=0.5)
    for name, x in places.items():
        ax.text(x + 2.2, 0.54, tr(*MEANINGS[name]), va="center", fontsize=7.5, color=INK)
