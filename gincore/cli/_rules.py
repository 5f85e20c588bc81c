"""``gincore rules``: list, show, diff."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from gincore import french
from gincore.cli._common import (
    JsonOption,
    SetOption,
    complete_rules,
    examples,
    print_json,
    print_table,
    read_rules,
)
from gincore.errors import UsageError, quoted
from gincore.options import GAME_OPTIONS, HAND_OPTIONS, Option
from gincore.ruleset import preset_names, rules
from gincore.ruleset_toml import plain, text_of

if TYPE_CHECKING:
    from gincore.ruleset import Rules

RulesArgument = Annotated[
    str, typer.Argument(metavar="NAME|FILE.toml", help="Preset or rule file.", autocompletion=complete_rules)
]

rules_app = typer.Typer(name="rules", help="The rule sets: list, show, compare.", rich_markup_mode=None)


def add_to(app: typer.Typer) -> None:
    """Add the group to the application."""
    app.add_typer(rules_app)


@rules_app.callback(invoke_without_command=True)
def _bare(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        list_presets()


@rules_app.command("list", epilog=examples("gincore rules list", "gincore rules list --json"))
def list_presets(json: JsonOption = False) -> None:
    """List the presets."""
    presets = [rules(name) for name in preset_names()]
    if json:
        print_json([{"name": preset.name, "title": preset.title, "source": preset.source} for preset in presets])
        return
    print_table(("name", "title"), [(p.name, p.title) for p in presets])


@rules_app.command(
    "show",
    epilog=examples(
        "gincore rules show oklahoma",
        "gincore rules show gin-rummy-pro --lang fr",
        "gincore rules show ./house.toml --json",
        "gincore rules show pagat --set undercut_bonus=25 --toml > house.toml",
    ),
)
def show(
    name: RulesArgument,
    settings: SetOption = None,
    toml: Annotated[bool, typer.Option("--toml", help="Print a rule file that you can change.")] = False,
    lang: Annotated[str, typer.Option("--lang", metavar="en|fr", help="Language of terms and meanings.")] = "en",
    json: JsonOption = False,
) -> None:
    """Show every option of a rule set: its value, where that comes from, its meaning; and the notes on the source."""
    if lang not in ("en", "fr"):
        raise UsageError(f"--lang {quoted(lang)} is not allowed; allowed: en, fr")
    if toml and json:
        raise UsageError("--toml and --json ask for two forms of the same rules: give one of them")
    found = read_rules(name, settings)
    if toml:
        print(found.to_toml(), end="")
        return
    if json:
        print_json(_as_dict(found))
        return
    print(f"{found.label}: {found.title}" if found.title not in ("", found.label) else found.label)
    if found.source:
        print(f"from {found.source}")
    for title, options in (("hand", HAND_OPTIONS), ("game", GAME_OPTIONS)):
        print()
        print_table(*(_french if lang == "fr" else _english)(title, options, found))
    print()
    for note in found.notes:
        print(textwrap.fill(note, width=100, initial_indent="- ", subsequent_indent="  "))


@rules_app.command(
    "diff", epilog=examples("gincore rules diff classic oklahoma", "gincore rules diff pagat ./house.toml --json")
)
def diff(
    first: RulesArgument,
    second: RulesArgument,
    json: JsonOption = False,
) -> None:
    """Show the options in which two rule sets differ."""
    one, two = rules(first), rules(second)
    differences = one.differences(two)
    if json:
        options = {key: {"first": plain(a), "second": plain(b)} for key, (a, b) in differences.items()}
        print_json({"first": one.label, "second": two.label, "differences": options})
    elif not differences:
        print(f"{one.label} and {two.label} have the same value for every option")
    else:
        rows = [(key, text_of(a), text_of(b)) for key, (a, b) in differences.items()]
        print_table(("option", one.label, two.label), rows)


_Lines = tuple[tuple[str, ...], Sequence[tuple[str, ...]]]


def _english(title: str, options: Sequence[Option], found: Rules) -> _Lines:
    rows = [(each.name, text_of(getattr(found, each.name)), found.sources[each.name], each.meaning) for each in options]
    return (f"{title} option", "value", "source", "meaning"), rows


def _french(title: str, options: Sequence[Option], found: Rules) -> _Lines:
    heading = {"hand": "option de la manche", "game": "option de la partie"}[title]
    rows: list[tuple[str, ...]] = []
    for each in options:
        value = text_of(getattr(found, each.name))
        term, meaning = french.OPTIONS[each.name]
        rows.append(
            (each.name, term, french.VALUES.get(value, value), french.source(found.sources[each.name]), meaning)
        )
    return (heading, "terme", "valeur", "source", "sens"), rows


def _as_dict(found: Rules) -> dict[str, object]:
    return {
        "name": found.name,
        "label": found.label,
        "title": found.title,
        "source": found.source,
        "notes": list(found.notes),
        "options": {key: plain(value) for key, value in found.options().items()},
        "sources": dict(found.sources),
        "digest": found.digest(),
    }
