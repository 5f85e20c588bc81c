"""The knock-threshold report: at which deadwood to knock."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gincore.analysis.intervals import check_level
from gincore.language import language
from gincore.plotting.style import chart_settings
from gincore.report.knock_threshold.content import charts, page_context
from gincore.report.knock_threshold.sweep import LIMITS, make_setup, measure
from gincore.report.knock_threshold.value import OPPONENTS
from gincore.report.knock_threshold.value_content import SHEET, sections, sheet_page
from gincore.report.page import building
from gincore.ruleset import Rules
from gincore.runs.jobs import Interrupted
from gincore.strategies import Strategy

__all__ = ["LIMITS", "OPPONENTS", "make"]


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
    opponents: Sequence[str | Strategy] | None = None,
    beside: Sequence[str | Path | Rules] | None = None,
) -> Path:
    """Make the report: play the sweep, save the numbers, draw the charts, write the page.

    Player 0 plays ``threshold`` with each limit 0 .. 10 against ``simple`` (single hands and whole games, mirrored) and
    against itself (single hands). All limits meet the same cards. Then player 0 meets every opponent, and every legal
    knock is weighed against waiting; the best limit, the best limits by turn and the table that answers itself are
    found and judged. Memory does not grow with the number of deals.

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
    opponents
        Who is met, one to four; :data:`OPPONENTS` by default. The table that answers itself is always met: that of the
        package where it has one for the rules, else one that is learned in this run.
    beside
        Rule sets whose limits stand beside those of the report; by default those that the package has a table for.

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
    setup = make_setup(
        rules, deals=deals, games=games, seed=seed, level=level, opponents=opponents, beside=beside
    )  # fmt: skip
    content = {**setup.manifest(), **({} if lang == "en" else {"lang": lang})}
    folder = None
    try:
        with building(out, "knock-threshold", content) as folder:
            findings = measure(setup, workers=workers, progress=progress)
            folder.save_manifest(content)
            for name, each in setup.rule_files().items():
                folder.write(name, each.to_toml())
            folder.save_table(findings.sweep, "sweep")
            folder.save_table(findings.comparisons, "comparisons")
            with chart_settings():
                drawn = charts(folder, findings, tr)
                parts = sections(folder, setup, findings.value, tr)
            page = tr("knock_threshold/page.html", "knock_threshold/page_fr.html")
            if parts:
                folder.write(f"{SHEET}.html", sheet_page(parts[-1].charts[0], tr))
            return folder.save_page(page, page_context(setup, findings, drawn, parts, tr))
    except KeyboardInterrupt as stop:
        placed = folder is not None and folder.placed
        said = f"the report is in {out}" if placed else f"nothing was written to {out}"
        raise Interrupted(f"interrupted; {said}", playing=getattr(stop, "playing", False)) from None
