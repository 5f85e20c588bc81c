"""``gincore report``: pages with tables, charts and their intervals."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gincore.cli._common import (
    JsonOption,
    RulesOption,
    SetOption,
    draw_without_a_screen,
    examples,
    print_json,
    read_count,
    read_folder,
    read_level,
    read_rules,
    read_seed,
    read_workers,
)
from gincore.cli._runs import LevelOption, SeedOption, WorkersOption

report_app = typer.Typer(
    name="report", help="Reports: one folder with a page, tables and charts.", rich_markup_mode=None
)


def add_to(app: typer.Typer) -> None:
    """Add the group to the application."""
    app.add_typer(report_app)


@report_app.callback(invoke_without_command=True)
def _bare(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())


@report_app.command(
    "knock-threshold",
    epilog=examples(
        "gincore report knock-threshold --out results/knock",
        "gincore report knock-threshold --rules pagat --deals 1e6 --games 1e5 --seed 7 --out results/pagat",
    ),
)
def knock_threshold(
    out: Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Folder of the report.", parser=read_folder)],
    rules: RulesOption = "classic",
    settings: SetOption = None,
    deals: Annotated[str, typer.Option("--deals", metavar="N", help="Deals for each limit and opponent.")] = "1e5",
    games: Annotated[str, typer.Option("--games", metavar="N", help="Games for each limit and opponent.")] = "1e4",
    seed: SeedOption = "1",
    workers: WorkersOption = None,
    level: LevelOption = 0.95,
    json: JsonOption = False,
) -> None:
    """At which deadwood is it best to knock? One player's limit from 0 to 10, with intervals."""
    n_deals, n_games = read_count("--deals", deals), read_count("--games", games)
    number, threads, chosen = read_seed(seed), read_workers(workers), read_rules(rules, settings)
    read_level(level)
    draw_without_a_screen()

    from gincore.report import knock_threshold as report

    page = report.make(
        chosen,
        deals=n_deals,
        games=n_games,
        seed=number,
        out=out,
        workers=threads,
        progress=True,
        level=level,
    )
    if json:
        print_json({"page": str(page), "folder": str(page.parent)})
    else:
        print(str(page))
