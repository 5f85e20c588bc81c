"""``gincore simulate`` and ``gincore games``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from gincore.cli._common import (
    JsonOption,
    RulesOption,
    SetOption,
    complete_strategy,
    examples,
    print_json,
    read_count,
    read_folder,
    read_level,
    read_rules,
    read_seed,
    read_workers,
)
from gincore.errors import UsageError, quoted

if TYPE_CHECKING:
    from gincore.api import Run

StrategyOption = Annotated[
    list[str] | None,
    typer.Option(
        "--strategy",
        metavar="NAME|FILE:NAME|draw=..",
        help="Player 0, then player 1, and so on (given once a player). A name, FILE.py:NAME, FILE.toml:NAME, or "
        "decisions by name: 'gincore strategies decisions'. Who is left out plays 'simple'.",
        autocompletion=complete_strategy,
    ),
]
SeedOption = Annotated[str, typer.Option("--seed", metavar="S", help="Whole number, 0 to 2**64 - 1.")]
MirrorOption = Annotated[
    bool, typer.Option("--mirror/--no-mirror", help="Play each deal or game twice, with the seats exchanged.")
]
KeepOption = Annotated[
    str | None,
    typer.Option(
        "--keep", metavar="rows|stats", help="Keep every row, or sums only. Default: rows with --out, else stats."
    ),
]
OutOption = Annotated[
    Path | None, typer.Option("--out", metavar="FOLDER", help="Folder that keeps the run.", parser=read_folder)
]
WorkersOption = Annotated[str | None, typer.Option("--workers", metavar="N", help="Threads. Default: one a CPU.")]
SchedulerOption = Annotated[
    str | None,
    typer.Option(
        "--scheduler",
        metavar="local:N|tcp://HOST:PORT",
        help="Play on N processes of this machine, or on the workers of a Dask scheduler (gincore[cluster]).",
    ),
]
ResumeOption = Annotated[bool, typer.Option("--resume", help="Go on with the run in the --out folder.")]
ChunkOption = Annotated[
    str | None,
    typer.Option("--chunk", metavar="N", help="Deals or games in a part. Default: by the size of the run."),
]
FirstDealOption = Annotated[
    str, typer.Option("--first-deal", metavar="N", help="Number of the first deal, to replay one of a longer run.")
]
FirstGameOption = Annotated[
    str, typer.Option("--first-game", metavar="N", help="Number of the first game, to replay one of a longer run.")
]
LevelOption = Annotated[float, typer.Option("--level", help="Level of the intervals.")]

_PAIR, _THREE = 2, 3
_PLAYERS = {"partnership": 4, "cutthroat": 3}
_TIMES = {2: "twice", 3: "three times", 4: "four times"}


def add_to(app: typer.Typer) -> None:
    """Add both commands to the application."""
    app.command(
        "simulate",
        epilog=examples(
            "gincore simulate --deals 1e5",
            "gincore simulate --rules oklahoma --strategy threshold,limit=4 --deals 1e6 --seed 7 --out runs/four",
            "gincore simulate --strategy ./mine.py:patient --strategy simple --deals 1e5 --json",
            "gincore simulate --strategy draw=improve,discard=safe,knock=fixed,limit=4 --deals 1e5",
            "gincore simulate --rules oklahoma --strategy threshold,limit=4 --deals 1e6 --seed 7 "
            "--out runs/four --resume",
            "gincore simulate --deals 1e8 --scheduler tcp://10.0.0.1:8786 --chunk 1e6 --out runs/large",
        ),
    )(simulate)
    app.command(
        "games",
        epilog=examples(
            "gincore games --rules pagat --games 1e4",
            "gincore games --rules classic --set target=250 --strategy gin-only --games 1e4 --out runs/gin-only",
            "gincore games --rules hollywood --games 1e4",
            "gincore games --rules cutthroat --strategy gin-only --strategy simple --strategy simple --games 1e4",
            "gincore games --rules classic --set match=best-of-3 --games 1e4",
        ),
    )(games)


def simulate(
    deals: Annotated[str, typer.Option("--deals", metavar="N", help="Deals to play, such as 1e6.")],
    rules: RulesOption = "classic",
    settings: SetOption = None,
    strategy: StrategyOption = None,
    seed: SeedOption = "1",
    first_deal: FirstDealOption = "0",
    mirror: MirrorOption = True,
    keep: KeepOption = None,
    out: OutOption = None,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    resume: ResumeOption = False,
    chunk: ChunkOption = None,
    level: LevelOption = 0.95,
    json: JsonOption = False,
) -> None:
    """Play hands of two strategies and summarise them."""
    count, number, threads = read_count("--deals", deals), read_seed(seed), read_workers(workers)
    first = read_count("--first-deal", first_deal, least=0)
    part = None if chunk is None else read_count("--chunk", chunk)
    chosen, pair, kept = read_rules(rules, settings), read_pair(strategy), read_keep(keep, out)
    read_level(level)

    from gincore import api

    run = api.simulate(
        chosen,
        pair,
        deals=count,
        seed=number,
        mirror=mirror,
        keep=kept,
        out=out,
        workers=threads,
        scheduler=scheduler,
        resume=resume,
        chunk=part,
        first_deal=first,
    )
    show_run(run, level, json)


def games(
    games: Annotated[str, typer.Option("--games", metavar="N", help="Games to play, such as 1e4.")],
    rules: RulesOption = "classic",
    settings: SetOption = None,
    strategy: StrategyOption = None,
    seed: SeedOption = "1",
    first_game: FirstGameOption = "0",
    mirror: MirrorOption = True,
    keep: KeepOption = None,
    out: OutOption = None,
    workers: WorkersOption = None,
    scheduler: SchedulerOption = None,
    resume: ResumeOption = False,
    chunk: ChunkOption = None,
    level: LevelOption = 0.95,
    json: JsonOption = False,
) -> None:
    """Play games (or matches, where the rules ask for them) and summarise them."""
    count, number, threads = read_count("--games", games), read_seed(seed), read_workers(workers)
    first = read_count("--first-game", first_game, least=0)
    part = None if chunk is None else read_count("--chunk", chunk)
    chosen, kept = read_rules(rules, settings), read_keep(keep, out)
    players = read_strategies(strategy, chosen.form)
    read_level(level)

    from gincore import api

    run = api.simulate_games(
        chosen,
        players,
        games=count,
        seed=number,
        mirror=mirror,
        keep=kept,
        out=out,
        workers=threads,
        scheduler=scheduler,
        resume=resume,
        chunk=part,
        first_game=first,
    )
    show_run(run, level, json)


def read_pair(names: list[str] | None) -> tuple[str, ...]:
    """Return the names of player 0 and player 1."""
    return read_strategies(names, "single")


def read_strategies(names: list[str] | None, form: str) -> tuple[str, ...]:
    """Return the names of all players of a form of game; who is not named plays ``simple``."""
    given = tuple(names or ())
    most = _PLAYERS.get(form, _PAIR)
    if len(given) > most:
        raise UsageError(f"--strategy is given {len(given)} times; give it once a player, at most {_TIMES[most]}")
    needed = most if form == "cutthroat" or len(given) > _PAIR else _PAIR
    return given + ("simple",) * (needed - len(given))


def read_keep(keep: str | None, out: Path | None) -> Literal["rows", "stats"]:
    """Return what is kept; rows that no folder takes would only fill the memory."""
    if keep is None:
        return "stats" if out is None else "rows"
    if keep not in ("rows", "stats"):
        raise UsageError(f"--keep {quoted(keep)} is not allowed; allowed: rows, stats")
    return "rows" if keep == "rows" else "stats"


def show_run(run: Run, level: float, json: bool) -> None:
    """Print the summary of a run and where it is kept."""
    summary = run.summary(level)
    if json:
        rows = [dict(zip(summary.columns, row, strict=True)) for row in summary.itertuples(index=False)]
        folder = None if run.folder is None else str(run.folder)
        print_json({"manifest": run.manifest, "level": level, "summary": rows, "folder": folder})
        return
    print(run.text(level))
    print("'gincore metrics' explains every line")
    different = {strategy["digest"] for strategy in run.manifest["strategies"]}
    if run.manifest["mirror"] and len(different) == 1 and run.moments.players < _THREE:
        print("both players play the same: every exchanged pair cancels out, so net points are 0 without error")
    if run.folder is not None:
        print(f"kept in {run.folder}")
