"""``gincore strategies`` and ``gincore bench``."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gincore.cli._common import (
    JsonOption,
    RulesOption,
    SetOption,
    examples,
    print_json,
    print_table,
    read_count,
    read_rules,
    read_workers,
)
from gincore.cli._runs import StrategyOption, WorkersOption, read_pair

if TYPE_CHECKING:
    from gincore.strategies import Strategy
    from gincore.strategies.entry import Entry

strategies_app = typer.Typer(
    name="strategies", help="The shipped strategies, and the decisions to compose your own of.", rich_markup_mode=None
)


def add_to(app: typer.Typer) -> None:
    """Add the commands to the application."""
    app.add_typer(strategies_app)
    app.command("bench", epilog=examples("gincore bench", "gincore bench --deals 1e6 --workers 1 --json"))(bench)


@strategies_app.callback(invoke_without_command=True)
def _bare(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        list_strategies()


@strategies_app.command("list", epilog=examples("gincore strategies list", "gincore strategies list --json"))
def list_strategies(json: JsonOption = False) -> None:
    """List the shipped strategies: what each does, and its parameters with their bounds and defaults."""
    from gincore import strategies
    from gincore.strategies.catalogue import ABOUT

    found = [strategies.get(name) for name in strategies.names()]
    if json:
        print_json(
            [each.describe() | {"about": ABOUT[each.name]} | {"parameters": _parameters_of(each)} for each in found]
        )
        return
    print_table(("strategy", "what it does"), [(each.name, ABOUT[each.name]) for each in found])
    print()
    _print_parameters([(each.name, row) for each in found for row in _parameters_of(each)])
    print()
    print("use: --strategy NAME, or NAME,parameter=value; of your own: FILE.py:NAME ('gincore strategies view'),")
    print("FILE.toml:NAME, or draw=..,discard=..,knock=.. ('gincore strategies decisions')")


@strategies_app.command(
    "decisions", epilog=examples("gincore strategies decisions", "gincore strategies decisions --json")
)
def list_decisions(json: JsonOption = False) -> None:
    """List the decisions of which strategies are composed: what each does, its parameters and the source it cites."""
    from gincore.strategies.library import LIBRARY

    if json:
        print_json([_described(entry) for entry in LIBRARY])
        return
    print_table(("kind", "name", "what it does"), [(entry.kind, entry.name, entry.about) for entry in LIBRARY])
    print()
    _print_parameters([(f"{e.kind}={e.name}", row) for e in LIBRARY for row in _described(e)["parameters"]])
    print()
    print("use: --strategy draw=improve,discard=safe,knock=fixed,limit=4 (what is left out is as in simple), or behind")
    print("a name: --strategy lookahead,knock=fixed,limit=4; in Python and in TOML files: see the README")


def _described(entry: Entry) -> dict[str, Any]:
    """Return an entry of the library as JSON has it."""
    parameters = [each._asdict() for each in entry.parameters]
    return {
        "kind": entry.kind,
        "name": entry.name,
        "about": entry.about,
        "parameters": parameters,
        "table": " x ".join(entry.shape) or None,
        "source": entry.source,
    }


def _parameters_of(strategy: Strategy) -> list[dict[str, Any]]:
    """Return the parameters of a shipped strategy, with the values that they have there."""
    from gincore.strategies.library import parameters_of

    found = {}
    for part in strategy.parts:
        for each in parameters_of(part.decision):  # decisions may share a parameter
            found[each.name] = each._asdict() | {"default": dict(part.params)[each.name]}
    return list(found.values())


def _print_parameters(rows: list[tuple[str, dict[str, Any]]]) -> None:
    print_table(
        ("parameter of", "name", "default", "from", "to", "meaning"),
        [
            (owner, row["name"], *(f"{row[key]:g}" for key in ("default", "low", "high")), row["meaning"])
            for owner, row in rows
        ],
    )


@strategies_app.command("view", epilog=examples("gincore strategies view", "gincore strategies view --json"))
def show_view(json: JsonOption = False) -> None:
    """Show what a decision of your own sees, what it answers, and the helpers that it can call."""
    from gincore.strategies import guide

    if not json:
        print(guide.view_guide())
        return
    print_json(
        {
            "cards": guide.CARDS,
            "fields": [dict(zip(("name", "type", "meaning"), row, strict=True)) for row in guide.fields()],
            "answers": dict(guide.ANSWERS),
            "helpers": dict(guide.helpers()),
            "allowed": guide.ALLOWED,
        }
    )


def bench(
    deals: Annotated[str, typer.Option("--deals", metavar="N", help="Deals to play, each twice.")] = "2e5",
    rules: RulesOption = "classic",
    settings: SetOption = None,
    strategy: StrategyOption = None,
    workers: WorkersOption = None,
    json: JsonOption = False,
) -> None:
    """Measure hands a second on this machine, compilation left out."""
    count, threads = read_count("--deals", deals), read_workers(workers)
    chosen, pair = read_rules(rules, settings), read_pair(strategy)

    from gincore import api
    from gincore.runs.run import worker_count

    api.simulate(chosen, pair, deals=1000, seed=1, keep="stats", workers=threads, progress=False)
    start = time.perf_counter()
    api.simulate(chosen, pair, deals=count, seed=2, keep="stats", workers=threads, progress=False)
    seconds = time.perf_counter() - start
    result = {
        "rules": chosen.label,
        "strategies": list(pair),
        "hands": 2 * count,
        "workers": worker_count(threads),
        "seconds": seconds,
        "hands_per_second": 2 * count / seconds,
    }
    if json:
        print_json(result)
    else:
        print(
            f"{2 * count:,} hands of {pair[0]} against {pair[1]} under {chosen.label}, {result['workers']} threads: "
            f"{seconds:.3f} s, {2 * count / seconds:,.0f} hands a second"
        )
