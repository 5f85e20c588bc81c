"""The page of questions: verdict cards with charts, a table of all verdicts, and every number behind them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from gincore.language import language
from gincore.plotting.style import chart_settings
from gincore.questions import USUAL_DEALS, USUAL_LEVEL, Answer, ask, find, ids
from gincore.report.page import Folder
from gincore.report.questions.content import manifest, page_context, save_cards, save_tables
from gincore.report.sheet import build

__all__ = ["Made", "make"]


class Made(NamedTuple):
    """What :func:`make` returns: the page's path, and the answers on it."""

    page: Path
    answers: list[Answer]


def make(
    questions: Sequence[str] | str = "all",
    *,
    out: str | Path,
    deals: int = USUAL_DEALS,
    seed: int = 1,
    level: float = USUAL_LEVEL,
    workers: int | None = None,
    progress: bool = True,
    lang: str = "en",
) -> Made:
    """Answer questions and make their page.

    Parameters
    ----------
    questions, deals, seed, level, workers, progress
        As of :func:`gincore.questions.ask`.
    out
        Folder of the page. One that is not empty is refused, unless it holds the same page, which is replaced.
    lang
        ``en`` or ``fr``: language of page and charts.

    Returns
    -------
    Made
        The page, ``index.html``, and the answers.

    Raises
    ------
    UsageError
        If an argument is wrong or the folder cannot be used; raised before the first hand.
    RunError
        If the disk is full or fails; then nothing is left behind.
    Interrupted
        Ctrl-C; then nothing is left behind.
    """
    tr = language(lang)
    named = ids() if questions == "all" else [questions] if isinstance(questions, str) else list(questions)
    entries = [find(name) for name in dict.fromkeys(named)]
    made: list[Answer] = []

    def fill(folder: Folder) -> Path:
        made.extend(
            ask(
                [entry.id for entry in entries], deals=deals, seed=seed, level=level, workers=workers, progress=progress
            )
        )
        save_tables(folder, made, tr)
        with chart_settings():
            charts = save_cards(folder, made, tr)
        return folder.save_page("questions/page.html", page_context(made, charts, tr))

    page = build("questions", out, manifest(entries, deals, seed, level, lang), fill, tr)
    return Made(page, made)
