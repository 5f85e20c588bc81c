"""``gincore arena``: a round robin, a sequential test, or a difference split into decisions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from gincore.cli._common import (
    JsonOption,
    RulesOption,
    SetOption,
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

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pandas as pd

    from gincore.contests import Arena
    from gincore.ruleset import Rules

PAIR: Final = 2

PoolArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[STRATEGY]...",
        help="Names or FILE.py:NAME; the usual pool if none is given. --sprt and --explain take two.",
        autocompletion=complete_strategy,
        show_default=False,
    ),
]
GamesOption = Annotated[
    str | None,
    typer.Option(
        "--games",
        metavar="N",
        help="Game numbers for each two strategies, each played twice with the seats exchanged. Default: 1e4.",
    ),
]
OutOption = Annotated[
    Path | None,
    typer.Option("--out", metavar="FOLDER", help="Folder for a page with charts and tables.", parser=read_folder),
]
SprtOption = Annotated[
    bool, typer.Option("--sprt", help="Play two strategies until their games decide between two shares.")
]
ExplainOption = Annotated[
    bool, typer.Option("--explain", help="Split the difference of two strategies into draw, discard and knock.")
]
H0Option = Annotated[
    str | None, typer.Option("--h0", metavar="SHARE", help="With --sprt: share of games of the first. Default: 0.5.")
]
H1Option = Annotated[
    str | None, typer.Option("--h1", metavar="SHARE", help="With --sprt: the larger share. Default: 0.52.")
]
AlphaOption = Annotated[
    str | None,
    typer.Option("--alpha", metavar="P", help="With --sprt: probability of accepting h1 under h0. Default: 0.05."),
]
BetaOption = Annotated[
    str | None,
    typer.Option("--beta", metavar="P", help="With --sprt: probability of accepting h0 under h1. Default: 0.05."),
]
MaxGamesOption = Annotated[
    str | None,
    typer.Option("--max-games", metavar="N", help="With --sprt: game numbers, each played twice, at most. [1e5]"),
]


def add_to(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command(
        "arena",
        epilog=examples(
            "gincore arena",
            "gincore arena simple gin-only threshold,limit=4 --games 1e4 --seed 7 --out results/arena",
            "gincore arena ./mine.py:patient simple --sprt --h0 0.5 --h1 0.52",
            "gincore arena --explain gin-only random --rules pagat --games 5e3 --json",
        ),
    )(arena)


def arena(
    strategies: PoolArgument = None,
    rules: RulesOption = "eaai",
    settings: SetOption = None,
    games: GamesOption = None,
    seed: SeedOption = "1",
    sprt: SprtOption = False,
    explain: ExplainOption = False,
    h0: H0Option = None,
    h1: H1Option = None,
    alpha: AlphaOption = None,
    beta: BetaOption = None,
    max_games: MaxGamesOption = None,
    out: OutOption = None,
    workers: WorkersOption = None,
    level: LevelOption = 0.95,
    json: JsonOption = False,
) -> None:
    """Let strategies play each other on the same cards: who is better, by how much, and why."""
    given = {"--h0": h0, "--h1": h1, "--alpha": alpha, "--beta": beta, "--max-games": max_games}
    pool = _read_pool(strategies, sprt, explain, given, games, out)
    count = read_count("--games", "1e4" if games is None else games)
    common: dict[str, Any] = {
        "seed": read_seed(seed),
        "level": read_level(level),
        "workers": read_workers(workers),
    }
    chosen = read_rules(rules, settings)
    if sprt:
        _test(pool, chosen, given, common, json)
    elif explain:
        _split(pool, chosen, count, common, json)
    else:
        _play(pool, chosen, count, common, out, json)


def _read_pool(
    strategies: list[str] | None,
    sprt: bool,
    explain: bool,
    of_sprt: Mapping[str, str | None],
    games: str | None,
    out: Path | None,
) -> list[str]:
    """Return the names of the strategies; options that do not go together are refused."""
    if sprt and explain:
        raise UsageError("--sprt and --explain do not go together; give one of them")
    flag = "--sprt" if sprt else "--explain" if explain else ""
    if flag and len(strategies or ()) != PAIR:
        raise UsageError(f"{len(strategies or ())} strategies given: {flag} takes exactly two, such as simple gin-only")
    if flag and out is not None:
        raise UsageError(f"--out {quoted(str(out))}: {flag} makes no page; leave --out away, or use --json")
    if sprt and games is not None:
        raise UsageError(f"--games {quoted(games)}: --sprt plays until it is decided; --max-games N is its cap")
    for name, value in of_sprt.items():
        if value is not None and not sprt:
            raise UsageError(f"{name} {quoted(value)}: it goes with --sprt only")
    if strategies:
        return strategies
    from gincore.strategies import pool

    return pool()


def _read_number(flag: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise UsageError(f"{flag} {quoted(text)} is not a number, such as 0.5") from None


def _play(
    pool: Sequence[str], rules: Rules, games: int, common: Mapping[str, Any], out: Path | None, json: bool
) -> None:
    """Play a round robin, and show it or make its page."""
    page = None
    if out is None:
        from gincore.contests import arena as play

        found = play(pool, rules, games=games, **common)
    else:
        draw_without_a_screen()
        from gincore.report.arena import make

        page, found = make(pool, rules, games=games, out=out, **common)
    if json:
        print_json(_as_json(found) | {"page": None if page is None else str(page)})
        return
    print(found.text())
    if page is not None:
        print(f"\n{page}")


def _as_json(found: Arena) -> dict[str, Any]:
    from dataclasses import asdict

    from gincore.analysis.contest import MEASURES

    names = [measure.name for measure in MEASURES]
    return {
        "manifest": found.manifest,
        "level": found.level,
        "pairs": _rows(found.frame),
        "ranking": [row for name in names for row in _rows(found.ranking(name))],
        "nash": [row for name in names for row in _rows(found.nash(name))],
        "cycles": [asdict(found.cycles(name)) for name in names],
        "disagreements": _rows(found.disagreements()),
    }


def _rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return [{str(key): value for key, value in row.items()} for row in frame.to_dict("records")]


def _test(
    pool: Sequence[str], rules: Rules, given: Mapping[str, str | None], common: Mapping[str, Any], json: bool
) -> None:
    """Play a sequential test and show what it found."""
    cap = given["--max-games"]
    options: dict[str, Any] = {} if cap is None else {"max_games": read_count("--max-games", cap)}
    for name, text in given.items():
        if text is not None and name != "--max-games":
            options[name.lstrip("-")] = _read_number(name, text)
    from gincore.contests import sprt as play

    found = play(pool[0], pool[1], rules, **options, **common)
    if not json:
        print(found)
        return
    test = found.hypotheses
    print_json(
        {
            "manifest": found.manifest,
            "a": found.a,
            "b": found.b,
            "h0": test.h0,
            "h1": test.h1,
            "alpha": test.alpha,
            "beta": test.beta,
            "verdict": found.verdict,
            "log_likelihood_ratio": found.ratio,
            "lower": test.lower,
            "upper": test.upper,
            "pairs": found.pairs,
            "games": found.games,
            "pairs_by_half_points": list(found.counts),
            "estimate": _rows(found.frame())[0],
            "warning": found.warning,
            "history": [{"pairs": pairs, "log_likelihood_ratio": ratio} for pairs, ratio in found.history],
        }
    )


def _split(pool: Sequence[str], rules: Rules, games: int, common: Mapping[str, Any], json: bool) -> None:
    """Split a difference and show its parts."""
    from gincore.contests import explain as play

    found = play(pool[0], pool[1], rules, games=games, **common)
    if json:
        print_json(
            {
                "manifest": found.manifest,
                "a": found.a,
                "b": found.b,
                "level": found.setup.level,
                "parts": _rows(found.frame),
            }
        )
    else:
        print(found.text())
