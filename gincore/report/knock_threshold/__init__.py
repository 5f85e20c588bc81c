"""The knock-threshold report: at which deadwood to knock."""

from __future__ import annotations

from pathlib import Path

from gincore.analysis.intervals import check_level
from gincore.language import language
from gincore.plotting.style import chart_settings
from gincore.report.knock_threshold.content import charts, page_context
from gincore.report.knock_threshold.sweep import LIMITS, make_setup, measure
from gincore.report.page import building
from gincore.ruleset import Rules
from gincore.runs.jobs import Interrupted

__all__ = ["LIMITS", "make"]


def make(
    rules: str | Path | Rules,
    *,
    deals: int,
    games: int,
    seed: int,
    out: str | Path,
    workers: int | None = None,
    progress: bool = True,
    level: float = 0.95,
    lang: str = "en",
) -> Path:
    """Make the report: play the sweep, save the numbers, draw the charts, write the page.

    Player 0 plays ``threshold`` with each limit 0 .. 10 against ``simple`` (single hands and whole games, mirrored) and
    against itself (single hands). All limits meet the same cards. Memory does not grow with the number of deals.

    Parameters
    ----------
    rules
        Preset name, TOML file or Rules.
    deals
        Deals for each limit and opponent; against ``simple`` each is played twice, with the seats exchanged.
    games
        Games for each limit against ``simple``, each played twice.
    seed
        0 .. 2**64 - 1.
    out
        Folder of the report. One that is not empty is refused, unless it holds a knock-threshold report with the same
        rules, deals, games, seed and level, which is replaced.
    workers
        Threads; by default one a CPU. They do not change the numbers.
    progress
        Show a progress bar on stderr if that is a terminal.
    level
        Coverage of the intervals, and 1 - the error rate of the comparisons.
    lang
        ``en`` or ``fr``: language of page and charts.

    Returns
    -------
    Path
        The page, ``index.html``.

    Raises
    ------
    UsageError
        If an argument is wrong or the folder cannot be used; raised before the first hand, and before anything is
        made.
    RunError
        If the disk is full or fails; then nothing is left behind.
    Interrupted
        Ctrl-C; then nothing is left behind.
    """
    tr, level = language(lang), check_level(level)
    setup = make_setup(rules, deals=deals, games=games, seed=seed, level=level)
    content = {**setup.manifest(), **({} if lang == "en" else {"lang": lang})}
    folder = None
    try:
        with building(out, "knock-threshold", content) as folder:
            findings = measure(setup, workers=workers, progress=progress)
            folder.save_manifest(content)
            folder.write("rules.toml", setup.rules.to_toml())
            folder.save_table(findings.sweep, "sweep")
            folder.save_table(findings.comparisons, "comparisons")
            with chart_settings():
                drawn = charts(folder, findings, tr)
            page = tr("knock_threshold/page.html", "knock_threshold/page_fr.html")
            return folder.save_page(page, page_context(setup, findings, drawn, tr))
    except KeyboardInterrupt as stop:
        placed = folder is not None and folder.placed
        said = f"the report is in {out}" if placed else f"nothing was written to {out}"
        raise Interrupted(f"interrupted; {said}", playing=getattr(stop, "playing", False)) from None
