"""The page of an exact count: every hand of a deck by its least deadwood."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final, NamedTuple

import numba
import numpy as np

from gincore import __version__
from gincore._jit import source_digest
from gincore.contests.play import command, rule_words
from gincore.exact import ExactDeadwood, exact_deadwood
from gincore.language import language
from gincore.plotting.style import chart_settings
from gincore.report.exact_deadwood.content import charts, page_context, tables
from gincore.report.page import building
from gincore.report.sheet import TEMPLATE
from gincore.ruleset import Rules
from gincore.ruleset import rules as find_rules
from gincore.ruleset_toml import plain
from gincore.runs.exact import dealt

__all__ = ["Made", "make"]

REPORT: Final = "exact-deadwood"


class Made(NamedTuple):
    """What :func:`make` returns: the page's path, and the count that it shows."""

    page: Path
    found: ExactDeadwood


def make(
    rules: str | Path | Rules,
    *,
    cards: int,
    out: str | Path,
    workers: int | None = None,
    progress: bool = True,
    resume: bool = False,
    lang: str = "en",
) -> Made:
    """Count every hand, save the numbers, draw the charts, write the page.

    Parameters
    ----------
    rules, cards, workers, progress
        As of :func:`gincore.exact_deadwood`.
    out
        Folder of the page. One that is not empty is refused, unless it holds the page of the same count, which is
        replaced. What is counted is kept in a hidden file beside it until the page is there.
    resume
        Go on with a count that was stopped.
    lang
        ``en`` or ``fr``: language of page and charts.

    Returns
    -------
    Made
        The page, ``index.html``, and the count.

    Raises
    ------
    UsageError
        If an argument is wrong or the folder cannot be used; raised before the first hand.
    RunError
        If the disk fails; then no page is left behind.
    Interrupted
        Ctrl-C while hands are counted; what is counted is kept.
    """
    tr, chosen = language(lang), find_rules(rules)
    dealt(0, 1, cards)
    content = _manifest(chosen, cards, lang)
    place = Path(out).expanduser().absolute()
    with building(out, REPORT, content) as folder:
        folder.save_manifest(content)
        found = exact_deadwood(
            chosen, cards=cards, workers=workers, progress=progress,
            kept=place.with_name(f".{place.name}-{REPORT}.npz"), resume=resume,
        )  # fmt: skip
        folder.write("rules.toml", chosen.to_toml())
        for name, frame in tables(found).items():
            folder.save_table(frame, name)
        with chart_settings():
            drawn = charts(folder, found, tr)
        context = page_context(found, drawn, content, tr)
        return Made(folder.save_page(TEMPLATE, context), found)


def _manifest(rules: Rules, cards: int, lang: str) -> dict[str, Any]:
    """Return the settings, ready for JSON."""
    words = ["exact", "deadwood", "--cards", str(cards), *rule_words(rules)]
    return {
        "cards": cards,
        "rules": {
            "label": rules.label,
            "digest": rules.digest(),
            "options": {name: plain(value) for name, value in rules.options().items()},
        },
        "lang": lang,
        "versions": {"gincore": __version__, "numba": numba.__version__, "numpy": np.__version__},
        "source_digest": source_digest(),
        "reproduce": command(*words, *([] if lang == "en" else ["--lang", lang]), "--out", "FOLDER"),
    }
