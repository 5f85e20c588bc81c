"""``gincore report``: pages with tables, charts and their intervals."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gincore.cli._common import (
    JsonOption,
    RulesOption,
    SetOption,
    complete_rules,
    complete_strategy,
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
from gincore.errors import UsageError, quoted
from gincore.language import language

OutOption = Annotated[Path, typer.Option("--out", metavar="FOLDER", help="Folder of the report.", parser=read_folder)]
MOST_SECONDS = 600.0
"""As in the report, which is imported when something is played."""
LangOption = Annotated[str, typer.Option("--lang", metavar="en|fr", help="Language of page and charts.")]

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
    out: OutOption,
    rules: RulesOption = "classic",
    settings: SetOption = None,
    deals: Annotated[str, typer.Option("--deals", metavar="N", help="Deals for each limit and opponent.")] = "1e5",
    games: Annotated[
        str | None,
        typer.Option("--games", metavar="N", help="Games for each limit and opponent. Default: deals / 10."),
    ] = None,
    opponents: Annotated[
        list[str] | None,
        typer.Option(
            "--opponent",
            metavar="STRATEGY",
            help="Against whom knocks and limits are weighed, one to four; repeatable. Default: simple, "
            "threshold,limit=4 and gin-only.",
            autocompletion=complete_strategy,
            show_default=False,
        ),
    ] = None,
    beside: Annotated[
        str | None,
        typer.Option(
            "--beside",
            metavar="NAME,FILE.toml,...",
            help="Rule sets whose best limits stand beside, with commas between them; none for none. Default: those "
            "with a learned knock table.",
            show_default=False,
        ),
    ] = None,
    seed: SeedOption = "1",
    workers: WorkersOption = None,
    level: LevelOption = 0.95,
    lang: LangOption = "en",
    json: JsonOption = False,
) -> None:
    """At which deadwood is it best to knock, and is it better to wait? Limits 0 to 10, by turn, and by opponent."""
    n_deals = read_count("--deals", deals)
    n_games = max(n_deals // 10, 1) if games is None else read_count("--games", games)
    others = None if beside is None else _names("--beside", "" if beside == "none" else beside)
    number, threads, chosen = read_seed(seed), read_workers(workers), read_rules(rules, settings)
    read_level(level)
    language(lang)
    draw_without_a_screen()

    from gincore.report import knock_threshold as report

    page = report.make(
        chosen, deals=n_deals, games=n_games, seed=number, out=out, workers=threads, level=level, lang=lang,
        opponents=opponents, beside=others,
    )  # fmt: skip
    _say(page, json)


@report_app.command(
    "undercut-risk",
    epilog=examples(
        "gincore report undercut-risk --out results/undercut",
        "gincore report undercut-risk --knocker threshold,limit=6 --opponent gin-only --set undercut_bonus=10 "
        "--lang fr --out results/sous-coupe",
    ),
)
def undercut_risk(
    out: OutOption,
    rules: RulesOption = "classic",
    settings: SetOption = None,
    knocker: Annotated[
        str,
        typer.Option(
            "--knocker", metavar="STRATEGY", help="Whose knocks are studied.", autocompletion=complete_strategy
        ),
    ] = "simple",
    opponents: Annotated[
        list[str] | None,
        typer.Option(
            "--opponent",
            metavar="STRATEGY",
            help="Who defends, one to five; repeatable. Default: simple, threshold,limit=4 and gin-only.",
            autocompletion=complete_strategy,
            show_default=False,
        ),
    ] = None,
    deals: Annotated[
        str, typer.Option("--deals", metavar="N", help="Deals for each opponent, each played twice.")
    ] = "3e5",
    seed: SeedOption = "1",
    workers: WorkersOption = None,
    level: LevelOption = 0.95,
    lang: LangOption = "en",
    json: JsonOption = False,
) -> None:
    """How often is a knock undercut, what does it cost, and what carries the risk? Several opponents."""
    count, number, threads = read_count("--deals", deals), read_seed(seed), read_workers(workers)
    chosen = read_rules(rules, settings)
    read_level(level)
    language(lang)
    draw_without_a_screen()

    from gincore.report import undercut_risk as report

    page = report.make(
        chosen, deals=count, seed=number, out=out, knocker=knocker, opponents=opponents, workers=threads, level=level,
        lang=lang,
    )  # fmt: skip
    _say(page, json)


@report_app.command(
    "variant-comparison",
    epilog=examples(
        "gincore report variant-comparison --out results/variants",
        "gincore report variant-comparison --variants classic,oklahoma,./house.toml --baseline classic "
        "--seconds-a-turn 20 --lang fr --out results/variantes",
    ),
)
def variant_comparison(
    out: OutOption,
    variants: Annotated[
        str | None,
        typer.Option(
            "--variants",
            metavar="NAME,FILE.toml,...",
            help="Presets and rule files, with commas between them; every preset if none is given.",
            show_default=False,
        ),
    ] = None,
    baseline: Annotated[
        str,
        typer.Option(
            "--baseline",
            metavar="NAME|FILE.toml",
            help="With what the others are compared.",
            autocompletion=complete_rules,
        ),
    ] = "classic",
    player: Annotated[
        str,
        typer.Option(
            "--player",
            metavar="STRATEGY",
            help="Plays against itself, and as the better player.",
            autocompletion=complete_strategy,
        ),
    ] = "simple",
    weaker: Annotated[
        str,
        typer.Option("--weaker", metavar="STRATEGY", help="The weaker player.", autocompletion=complete_strategy),
    ] = "careless",
    deals: Annotated[
        str, typer.Option("--deals", metavar="N", help="Deals for each variant and knock policy.")
    ] = "2e5",
    games: Annotated[
        str | None,
        typer.Option("--games", metavar="N", help="Games for each variant and knock policy. Default: deals / 20."),
    ] = None,
    seconds_a_turn: Annotated[
        float, typer.Option("--seconds-a-turn", metavar="S", help="For the minutes of a game, 0 to 600.")
    ] = 15.0,
    seed: SeedOption = "1",
    workers: WorkersOption = None,
    level: LevelOption = 0.95,
    lang: LangOption = "en",
    json: JsonOption = False,
) -> None:
    """Every rule set side by side on the same cards: length, points, the dealer, luck and skill."""
    count, number, threads = read_count("--deals", deals), read_seed(seed), read_workers(workers)
    n_games = None if games is None else read_count("--games", games)
    names = None if variants is None else _names("--variants", variants)
    if names == []:
        raise UsageError("--variants '' names nothing; write classic,oklahoma")
    if not 0 < seconds_a_turn <= MOST_SECONDS:
        raise UsageError(f"--seconds-a-turn {seconds_a_turn:g} is not above 0 and at most {MOST_SECONDS:g}, such as 15")
    read_level(level)
    language(lang)
    draw_without_a_screen()

    from gincore.report import variant_comparison as report

    page = report.make(
        names, deals=count, games=n_games, seed=number, out=out, baseline=baseline, player=player, weaker=weaker,
        seconds_a_turn=seconds_a_turn, workers=threads, level=level, lang=lang,
    )  # fmt: skip
    _say(page, json)


def _names(option: str, text: str) -> list[str]:
    """Return the names between the commas of an option."""
    names = [name.strip() for name in text.split(",")] if text else []
    if not all(names):
        raise UsageError(f"{option} {quoted(text)} names nothing between two commas; write classic,oklahoma")
    return names


def _say(page: Path, json: bool) -> None:
    """Print where the page is."""
    if json:
        print_json({"page": str(page), "folder": str(page.parent)})
    else:
        print(str(page))
