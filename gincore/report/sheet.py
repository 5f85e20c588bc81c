"""What pages in two languages share: cells of tables, headings, and how a report is built and named."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from gincore.language import HARD_SPACE, Language, round_up
from gincore.report.page import Cell, Folder, building
from gincore.runs.jobs import Interrupted

TEMPLATE: Final = "sheet.html"

LARGE: Final = 1e300
"""By what an infinite value sorts."""


def head_words(tr: Language) -> dict[str, str]:
    """Return the headings of every page."""
    return {
        "finding": tr("Finding", "Résultat"),
        "charts": tr("Charts", "Graphiques"),
        "tables": tr("Tables", "Tableaux"),
        "method": tr("Method", "Méthode"),
        "reproduce": tr("Reproduce", "Refaire ce rapport"),
        "same": tr(
            "Threads and machines do not change the numbers. Settings:",
            "Ni le nombre de fils ni la machine ne changent les chiffres. Réglages :",
        ),
        "parquet": tr("The command writes every table as Parquet too.",
                      "La commande écrit aussi chaque tableau en Parquet."),
        "numbers": tr("All numbers:", "Tous les chiffres :"),
        "inside": inside(tr),
    }  # fmt: skip


def inside(tr: Language) -> str:
    """Say where a command works that names rule files of the report's folder; shown where it names one."""
    return tr(
        "Run it inside this report's folder: the rule files that it names lie here.",
        "À lancer depuis le dossier de ce rapport : les fichiers de règles qu'elle nomme y sont.",
    )


def plain(tr: Language, value: float, digits: int, *, signed: bool = False) -> str:
    """Write a number for a table, as a spreadsheet of the language reads it: no thousands, a plain hyphen."""
    if math.isnan(value):
        return tr("n/a", "s.o.")
    if math.isinf(value):
        return "∞"
    text = f"{value:+.{digits}f}" if signed else f"{value:.{digits}f}"
    if float(text) == 0:
        text = f"{0:.{digits}f}"
    return tr(text, text.replace(".", ","))


def cell(
    tr: Language,
    row: Mapping[Any, Any] | None,
    *,
    scale: float = 1,
    digits: int = 2,
    signed: bool = False,
    mark: str = "",
    up: bool = False,
) -> Cell:
    """Make a table's cell from a row with ``estimate``, ``low`` and ``high``; a phrase where there is none.

    Numbers of games that are needed are rounded `up` to whole ones.
    """
    if row is None or math.isnan(float(row["estimate"])):
        return Cell(tr("n/a", "s.o."))
    value, low, high = (scale * float(row[name]) for name in ("estimate", "low", "high"))
    if up:
        (value, low, high), digits = (round_up(value), round_up(low), round_up(high)), 0
    text = plain(tr, value, digits, signed=signed) + mark
    sort = value if math.isfinite(value) else LARGE
    if math.isnan(low) or math.isnan(high):
        return Cell(text, tr("no interval", "sans intervalle"), sort)
    ends = tr("{}, {}", "{} ; {}").format(*(plain(tr, end, digits, signed=signed) for end in (low, high)))
    return Cell(text, f"[{ends}]", sort)


def count_cell(n: float) -> Cell:
    """Make a table's cell of a whole number."""
    return Cell(f"{int(n)}", value=float(n))


def level_text(tr: Language, level: float) -> str:
    """Write a level such as ``95 %``."""
    return tr(f"{100 * level:.4g}", f"{100 * level:.4g}".replace(".", ",")) + f"{HARD_SPACE}%"


def build(
    report: str, out: str | Path, content: Mapping[str, Any], fill: Callable[[Folder], Path], tr: Language
) -> Path:
    """Build a report's folder: all of it, or nothing.

    Parameters
    ----------
    report, out, content
        As of :func:`gincore.report.page.building`.
    fill
        Plays, saves tables and charts, and returns the page.
    tr
        Language of the page; the manifest names it.

    Raises
    ------
    UsageError, RunError
        As of :func:`gincore.report.page.building`.
    Interrupted
        Ctrl-C; then nothing is left behind.
    """
    folder = None
    settings = {**content, "lang": tr.code}
    try:
        with building(out, report, settings) as folder:
            folder.save_manifest(settings)
            return fill(folder)
    except KeyboardInterrupt as stop:
        placed = folder is not None and folder.placed
        said = f"the report is in {out}" if placed else f"nothing was written to {out}"
        raise Interrupted(f"interrupted; {said}", playing=getattr(stop, "playing", False)) from None
