"""The undercut-risk report: how often a knock is undercut, what it costs, and what carries the risk."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gincore.language import language
from gincore.plotting.style import chart_settings
from gincore.report.page import Folder
from gincore.report.sheet import TEMPLATE, build
from gincore.report.undercut_risk.content import charts, page_context
from gincore.report.undercut_risk.play import KNOCKER, OPPONENTS, make_setup, measure
from gincore.ruleset import Rules
from gincore.strategies import Strategy

__all__ = ["KNOCKER", "OPPONENTS", "make"]


def make(
    rules: str | Path | Rules,
    *,
    deals: int,
    seed: int,
    out: str | Path,
    knocker: str | Strategy = KNOCKER,
    opponents: Sequence[str | Strategy] | None = None,
    workers: int | None = None,
    progress: bool = True,
    level: float = 0.95,
    lang: str = "en",
) -> Path:
    """Make the report: play, save the numbers, draw the charts, write the page.

    Parameters
    ----------
    rules
        Preset name, TOML file or Rules; rules that allow gin only are refused. Single hands are played, so the form of
        the game does not matter.
    deals
        Deals for each opponent, each played twice with the seats exchanged; their rows are held in memory.
    seed
        0 .. 2**64 - 1.
    out
        Folder of the report. One that is not empty is refused, unless it holds the same report, which is replaced.
    knocker
        Whose knocks are studied.
    opponents
        Who defends, one to five; :data:`OPPONENTS` by default.
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
        If an argument is wrong or the folder cannot be used, or if the knocker never knocked.
    RunError
        If a strategy gives an illegal answer or the disk fails; then nothing is left behind.
    Interrupted
        Ctrl-C; then nothing is left behind.
    """
    tr = language(lang)
    setup = make_setup(rules, knocker, opponents, deals=deals, seed=seed, level=level)

    def fill(folder: Folder) -> Path:
        findings = measure(setup, workers=workers, progress=progress)
        folder.write("rules.toml", setup.rules.to_toml())
        for name, frame in findings.frames().items():
            folder.save_table(frame, name)
        with chart_settings():
            drawn = charts(folder, setup, findings, tr)
        return folder.save_page(TEMPLATE, page_context(setup, findings, drawn, tr))

    return build("undercut-risk", out, setup.manifest(), fill, tr)
