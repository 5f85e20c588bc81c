"""``gincore warmup``: compile everything now, so that the first run starts at once."""

from __future__ import annotations

import multiprocessing
import time

import typer

from gincore.cli._common import JsonOption, examples, print_json


def add_to(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("warmup", epilog=examples("gincore warmup"))(warmup)


def warmup(json: JsonOption = False) -> None:
    """Compile everything now, so that the first run starts at once."""
    start = time.perf_counter()

    from gincore._jit import cache_directory

    folder = cache_directory()
    if folder is None:  # a second process could not hand over what it compiles
        _compile_beside()
        _compile_engine()
    else:
        beside = multiprocessing.get_context("spawn").Process(target=_compile_beside, daemon=True)
        beside.start()
        _compile_engine()
        beside.join()
    seconds = time.perf_counter() - start
    if json:
        print_json({"seconds": seconds, "cache": None if folder is None else str(folder)})
    else:
        where = "not kept: no folder can be written" if folder is None else f"kept in {folder}"
        print(f"compiled in {seconds:.1f} s, {where}")


def _compile_engine() -> None:
    """Compile whole hands and games, and the loops that also keep the course of a hand or its last discards."""
    import gincore
    from gincore.runs.histories import play_histories
    from gincore.runs.plan import make_plan
    from gincore.runs.thrown import hands_with_throws

    pair = ("simple", "simple")
    gincore.simulate("classic", pair, deals=2, seed=1, workers=1, progress=False)
    gincore.simulate_games("classic", pair, games=1, seed=1, workers=1, progress=False)
    plan = make_plan("hands", "classic", pair, seed=1, count=1)
    hands_with_throws(plan, workers=1)
    play_histories(plan, workers=1)


def _compile_beside() -> None:
    """Compile the evaluation of hands and showdowns, the decisions of the strategies, and forks."""
    import gincore
    from gincore import strategies
    from gincore.strategies.shipped import SLOW

    knocker, defender = "Ac 2c 3c 4d 5d 6d 7h 8h 9h Js", "4c 5c 8d 9d Jd Jh Qh Kh 2s 3s"
    gincore.showdown(knocker, defender)
    gincore.deadwood([knocker, defender])
    gincore.is_big_gin(f"{knocker} Qs")
    gincore.spreads(knocker)
    for name in gincore.strategy_names():
        if name not in SLOW:
            strategies.get(name).functions()
    # Last, for its loop calls what the engine compiles meanwhile.
    gincore.knock_or_wait("classic", ("simple", "simple"), deals=2, seed=1, workers=1, progress=False)
