"""The variant-comparison report: rule sets side by side, luck against skill, and the city variants' grid."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from gincore.language import language
from gincore.plotting.style import chart_settings
from gincore.report.page import Folder
from gincore.report.sheet import TEMPLATE, build
from gincore.report.variant_comparison.charts import charts
from gincore.report.variant_comparison.content import page_context, rules_frame
from gincore.report.variant_comparison.play import BASELINE, PLAYER, SECONDS, WEAKER, make_setup, measure
from gincore.ruleset import Rules
from gincore.strategies import Strategy

__all__ = ["BASELINE", "PLAYER", "SECONDS", "WEAKER", "make"]

DEALS_A_GAME: Final = 20
"""Deals for one game where no number of games is asked for."""


def make(
    variants: Sequence[str | Path | Rules] | None = None,
    *,
    deals: int,
    seed: int,
    out: str | Path,
    games: int | None = None,
    baseline: str | Path | Rules = BASELINE,
    player: str | Strategy = PLAYER,
    weaker: str | Strategy = WEAKER,
    seconds_a_turn: float = SECONDS,
    workers: int | None = None,
    progress: bool = True,
    level: float = 0.95,
    lang: str = "en",
) -> Path:
    """Make the report: play every variant on the same cards, save the numbers, draw the charts, write the page.

    Parameters
    ----------
    variants
        Preset names, TOML files or Rules; every preset by default. The baseline is added.
    deals
        Deals for each variant and knock policy.
    seed
        0 .. 2**64 - 1.
    out
        Folder of the report. One that is not empty is refused, unless it holds the same report, which is replaced.
    games
        Games for each variant and policy; by default one for twenty deals.
    baseline
        With what the others are compared.
    player, weaker
        The better player, who also plays against itself, and the weaker one.
    seconds_a_turn
        For the minutes of a game.
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
        If an argument is wrong or the folder cannot be used; raised before the first hand.
    RunError
        If a strategy gives an illegal answer or the disk fails; then nothing is left behind.
    Interrupted
        Ctrl-C; then nothing is left behind.
    """
    tr = language(lang)
    count = max(deals // DEALS_A_GAME, 2) if games is None else games
    setup = make_setup(
        variants, baseline, player=player, weaker=weaker, deals=deals, games=count, seed=seed, level=level,
        seconds=seconds_a_turn,
    )  # fmt: skip

    def fill(folder: Folder) -> Path:
        findings = measure(setup, workers=workers, progress=progress)
        for variant in setup.variants:
            folder.write(f"rules/{variant.name}.toml", variant.rules.to_toml())
        for name, frame in findings.frames().items():
            folder.save_table(frame, name)
        folder.save_table(rules_frame(setup), "rules")
        with chart_settings():
            drawn = charts(folder, setup, findings, tr)
        return folder.save_page(TEMPLATE, page_context(setup, findings, drawn, tr))

    return build("variant-comparison", out, setup.manifest(), fill, tr)
