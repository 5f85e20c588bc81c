"""``gincore exact``: counts of all hands instead of samples."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from gincore.cli._common import (
    JsonOption,
    RulesOption,
    SetOption,
    draw_without_a_screen,
    examples,
    print_json,
    print_table,
    read_count,
    read_folder,
    read_rules,
    read_workers,
)
from gincore.cli._report import LangOption
from gincore.cli._runs import WorkersOption
from gincore.errors import UsageError
from gincore.language import language

if TYPE_CHECKING:
    import pandas as pd

    from gincore.exact import ExactDeadwood

ELEVEN: Final = 11
ROUNDED: Final = 1_000
"""From here on "one in" is a whole number."""

exact_app = typer.Typer(
    name="exact", help="Exact answers: every hand is counted, none is sampled.", rich_markup_mode=None
)


def add_to(app: typer.Typer) -> None:
    """Add the group to the application."""
    app.add_typer(exact_app)


@exact_app.callback(invoke_without_command=True)
def _bare(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        print(context.get_help())


@exact_app.command(
    "deadwood",
    epilog=examples(
        "gincore exact deadwood",
        "gincore exact deadwood --cards 11 --set ace=round --json",
        "gincore exact deadwood --rules oklahoma --out results/exact",
    ),
)
def deadwood(
    cards: Annotated[
        str, typer.Option("--cards", metavar="10|11", help="11: after a draw and the best discard.")
    ] = "10",
    rules: RulesOption = "classic",
    settings: SetOption = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FOLDER", help="Folder of a page with charts.", parser=read_folder)
    ] = None,
    workers: WorkersOption = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a count that was stopped.")] = False,
    lang: LangOption = "en",
    json: JsonOption = False,
) -> None:
    """Count every hand by its least deadwood and its melds; how many can knock, are gin or big gin."""
    size = read_count("--cards", cards, most=11, least=10, example="10 or 11")
    chosen, threads = read_rules(rules, settings), read_workers(workers)
    language(lang)
    if out is None:
        if resume:
            raise UsageError("--resume needs --out FOLDER: the folder of the count to go on with")
        from gincore.exact import exact_deadwood

        _say(exact_deadwood(chosen, cards=size, workers=threads), None, json)
        return
    draw_without_a_screen()

    from gincore.report import exact_deadwood as report

    made = report.make(chosen, cards=size, out=out, workers=threads, resume=resume, lang=lang)
    _say(made.found, made.page, json)


def _say(found: ExactDeadwood, page: Path | None, json: bool) -> None:
    """Print what was counted, and where the page is."""
    if json:
        print_json(
            {
                "rules": found.rules.label,
                "ace": found.rules.ace,
                "ace_points": found.rules.ace_points,
                "cards": found.cards,
                "hands": found.hands,
                "knock_limit": found.limit,
                "summary": _records(found.summary()),
                "low_hands": _records(found.low_hands()),
                "distribution": _records(found.frame),
                "page": None if page is None else str(page),
            }
        )
        return
    after = " after the best discard" if found.cards == ELEVEN else ""
    print(f"all {found.hands:,} hands of {found.cards} cards, least deadwood{after} under {found.rules.label}")
    rows = _records(found.summary())
    print_table(("quantity", "value", "hands"), [[row["metric"], row["value"], row["hands"] or ""] for row in rows])
    print()
    low = [[row["deadwood"], row["at_most"], _rounded(row["one_in"])] for row in _records(found.low_hands())]
    print_table(("points, at most", "hands", "one in"), low)
    if page is not None:
        print(str(page))


def _rounded(value: float) -> float | int:
    return round(value) if value >= ROUNDED else value


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Return rows of Python values; what is missing is None."""
    import pandas as pd

    return [
        {str(key): None if value is pd.NA else value for key, value in row.items()} for row in frame.to_dict("records")
    ]
