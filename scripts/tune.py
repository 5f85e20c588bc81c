"""Teach the network of ``expert`` anew, or further, and freeze it.

    python scripts/tune.py --hands 12000000 --out gincore/strategies/data/expert.npz
    python scripts/tune.py --hands 2000000 --start gincore/strategies/data/expert.npz --seed 5 --out /tmp/further.npz

    python scripts/tune.py --hands 0 --knock -1 --prior 1 --start taught.npz --out gincore/strategies/data/expert.npz

The deals of a lesson come from its own seed; strength is measured on others by ``scripts/measure_expert.py``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gincore.lessons.teach import PRIOR, Lesson, Pupil, adjust, lessons_of, save, teach
from gincore.strategies.expert import load_weights

USUAL = Lesson(hands=12_000_000)


def main(
    out: Annotated[Path, typer.Option(help="File of weights to write (.npz).")],
    hands: Annotated[int, typer.Option(min=0, help="Hands of the lesson; 0: only adjust.")] = USUAL.hands,
    start: Annotated[Path | None, typer.Option(exists=True, help="Weights to go on from; none: a new network.")] = None,
    opponents: Annotated[str, typer.Option(help="Opponents, with ; between them.")] = ";".join(USUAL.opponents),
    rules: Annotated[str, typer.Option(help="Presets, with ; between them.")] = ";".join(USUAL.rules),
    seed: Annotated[int, typer.Option(min=0, help="Seed of the deals.")] = USUAL.seed,
    rate: Annotated[float, typer.Option(min=0, help="Step at the beginning.")] = USUAL.rate,
    rate_end: Annotated[float, typer.Option(min=0, help="Step at the end.")] = USUAL.rate_end,
    explore: Annotated[float, typer.Option(min=0, max=1, help="Share of random decisions at first.")] = USUAL.explore,
    threads: Annotated[
        int, typer.Option(min=1, help="Threads; with more than one a lesson never repeats exactly.")
    ] = 2,
    knock: Annotated[float, typer.Option(help="With --hands 0: points added to the value of every knock.")] = 0.0,
    prior: Annotated[float, typer.Option(min=0, help="With --hands 0: what a discard's prior counts for.")] = PRIOR,
) -> None:
    """Teach, or adjust what is not taught; the weights are written after every block of hands."""
    plan = Lesson(
        hands, tuple(opponents.split(";")), tuple(rules.split(";")), seed, rate, rate_end, explore, USUAL.explore_end
    )
    before = lessons_of(start) if start else []
    pupil = Pupil.of(load_weights(start)) if start else Pupil.fresh()
    if hands == 0:
        adjust(pupil.weights, knock=knock, prior=prior)
        save(out, pupil, before, {"knock": knock, "prior": prior})
        return
    for given, line in teach(pupil, plan, threads=threads, block=-(-hands // 60)):
        print(line, flush=True)
        save(out, pupil, [*before, given])


if __name__ == "__main__":
    typer.run(main)
