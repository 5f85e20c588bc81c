"""The page of an arena: heat maps, rankings, Nash average and cycles."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from gincore.contests.play import command
from gincore.contests.round_robin import Arena, play, set_up
from gincore.plotting.style import chart_settings
from gincore.report.arena.content import charts, page_context, tables
from gincore.report.page import building
from gincore.ruleset import Rules
from gincore.runs.jobs import Interrupted
from gincore.strategies import Strategy

__all__ = ["Made", "make"]


class Made(NamedTuple):
    """What :func:`make` returns: the page's path, and the arena that it shows."""

    page: Path
    arena: Arena


def make(
    strategies: Sequence[str | Strategy] | None,
    rules: str | Path | Rules,
    *,
    games: int,
    seed: int,
    out: str | Path,
    workers: int | None = None,
    progress: bool = True,
    level: float = 0.95,
) -> Made:
    """Play an arena, save the numbers, draw the charts, write the page.

    Parameters
    ----------
    strategies, rules, games, seed, workers, progress, level
        As of :func:`gincore.arena`.
    out
        Folder of the page. One that is not empty is refused, unless it holds the page of an arena with the same rules,
        strategies, games, seed and level, which is replaced.

    Returns
    -------
    Made
        The page, ``index.html``, and the arena.

    Raises
    ------
    UsageError
        If an argument is wrong or the folder cannot be used; raised before the first hand, and before anything is
        made.
    RunError
        If a strategy gives an illegal answer, or the disk fails; then nothing is left behind.
    Interrupted
        Ctrl-C; then nothing is left behind.
    """
    setup = set_up(strategies, rules, games=games, seed=seed, level=level)
    again = command("arena", *setup.words(), "--out", "FOLDER")
    content = {**setup.manifest(), "reproduce": again}
    folder = None
    try:
        with building(out, "arena", content) as folder:
            arena = play(setup, workers=workers, progress=progress)
            folder.save_manifest(content)
            folder.write("rules.toml", setup.rules.to_toml())
            for name, frame in tables(arena).items():
                folder.save_table(frame, name)
            with chart_settings():
                drawn = charts(folder, arena)
            page = folder.save_page("arena/page.html", page_context(arena, drawn, again))
            return Made(page, arena)
    except KeyboardInterrupt as stop:
        placed = folder is not None and folder.placed
        said = f"the page is in {out}" if placed else f"nothing was written to {out}"
        raise Interrupted(f"interrupted; {said}", playing=getattr(stop, "playing", False)) from None
