"""gincore beside OpenSpiel and RLCard: evaluations and whole hands a second, all in one run on the same cards.

    pip install 'gincore[peers]'
    python scripts/compare_peers.py            # under a minute
    python scripts/compare_peers.py --rounds 3 # a first look

writes results/peers.csv and .md. In every round each system does each task once, in turn, on one core; speeds are per
second of CPU time, and ratios are taken within a round, so that they hold when the machine's speed drifts. Answers are
compared before anything is timed. A peer that is not installed is left out, with a line that says what to install.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import platform
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import gincore
from gincore import schema
from gincore.core import hand

RESULTS = Path(__file__).resolve().parent.parent / "results"
SEED = 3
RULES = "open-spiel"
TASKS = {
    "ten": "deadwoods of ten cards",
    "discard": "best discards of eleven cards",
    "random": "hands, both random",
    "simple": "hands, both the system's simple player",
}
OURS = "gincore"
TOO_HIGH = "OpenSpiel, its own function"


@dataclass(frozen=True)
class Job:
    """One system's way to do a task: ``call(n)`` does it n times; ``size`` is how often it does so in a round."""

    task: str
    system: str
    call: Callable[[int], object]
    size: int


def cards_of(masks: np.ndarray[Any, np.dtype[np.uint64]]) -> list[list[int]]:
    """Card numbers of each mask."""
    return [[card for card in range(52) if int(mask) >> card & 1] for mask in masks]


def masks_of(size: int, count: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Uniform hands."""
    order = np.random.default_rng(SEED).random((count, 52)).argsort(axis=1)[:, :size].astype(np.uint64)
    masks: np.ndarray[Any, np.dtype[np.uint64]] = (np.uint64(1) << order).sum(axis=1, dtype=np.uint64)
    return masks


def decks_of(count: int) -> list[list[int]]:
    """The decks of our first deals: ten cards for each seat, the upcard, the stock in the order of drawing."""
    state, views = np.zeros(1, hand.STATE_DTYPE)[0], np.zeros(2, schema.VIEW_DTYPE)
    decks = []
    for number in range(count):
        hand.deal(
            state, views[0], views[1], gincore.rules(RULES).to_record(), np.uint64(SEED), np.uint64(number), False
        )
        for _ in range(31):
            hand.next_card(state)
        decks.append(state.deck.tolist())
    return decks


# ---------------------------------------------------------------- the systems


def ours() -> list[Job]:
    ten, eleven = masks_of(10, 1_000_000), masks_of(11, 200_000)

    def play(strategy: str) -> Callable[[int], object]:
        return lambda n: gincore.simulate(
            RULES, (strategy, strategy), deals=n, seed=SEED, mirror=False, workers=1, progress=False
        )

    def singly(n: int) -> list[int]:
        return [int(gincore.deadwood(mask)) for mask in ten[:n].tolist()]

    return [
        Job("ten", OURS, lambda n: gincore.deadwood(ten[:n]), len(ten)),
        Job("ten", f"{OURS}, one call a hand", singly, 2_000),
        Job("discard", OURS, lambda n: gincore.deadwood(eleven[:n]), len(eleven)),
        Job("random", OURS, play("random"), 20_000),
        Job("simple", OURS, play("simple"), 100_000),
    ]


def open_spiel(decks: list[list[int]]) -> list[Job]:
    import pyspiel

    least = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10).min_deadwood
    game = pyspiel.load_game("gin_rummy")
    ten, eleven = (
        [[to_peer(card) for card in cards] for cards in cards_of(masks_of(size, 4_000))] for size in (10, 11)
    )
    bots = [pyspiel.make_simple_gin_rummy_bot(game.get_parameters(), seat) for seat in range(2)]

    def discards(n: int) -> list[int]:
        return [min(least([*cards[:k], *cards[k + 1 :]]) for k in range(11)) for cards in eleven[:n]]

    def play(choose: Callable[[Any], int], deck: list[int]) -> None:
        state, place = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(to_peer(deck[place]))
                place += 1
            else:
                state.apply_action(choose(state))

    def uniform(n: int) -> None:
        for deck in decks[:n]:
            play(lambda state: random.choice(state.legal_actions()), deck)

    def simple(n: int) -> None:
        for deck in decks[:n]:
            for bot in bots:
                bot.restart()
            play(lambda state: bots[state.current_player()].step(state), deck)

    compare(OURS, gincore.deadwood(masks_of(10, 4_000)).tolist(), "OpenSpiel", [least(cards) for cards in ten])
    compare(OURS, gincore.deadwood(masks_of(11, 500)).tolist(), "OpenSpiel", discards(500))
    return [
        Job("ten", "OpenSpiel", lambda n: [least(cards) for cards in ten[:n]], 4_000),
        Job("discard", "OpenSpiel", discards, 1_000),
        Job("discard", TOO_HIGH, lambda n: [least(cards) for cards in eleven[:n]], 4_000),
        Job("random", "OpenSpiel", uniform, 50),
        Job("simple", "OpenSpiel", simple, 30),
    ]


def rlcard(decks: list[list[int]]) -> list[Job]:
    import rlcard
    from rlcard.agents import RandomAgent
    from rlcard.games.gin_rummy.utils import melding, utils
    from rlcard.models.gin_rummy_rule_models import GinRummyNoviceRuleAgent

    deck = utils.get_deck()  # suits S H D C
    ten, eleven = (
        [[deck[13 * (3 - card // 13) + card % 13] for card in cards] for cards in cards_of(masks_of(size, 500))]
        for size in (10, 11)
    )

    def least(cards: list[Any]) -> int:
        best = melding.get_best_meld_clusters(cards)
        return int(utils.get_deadwood_count(cards, best[0] if best else []))

    def discards(n: int) -> list[int]:
        return [min(least([*cards[:k], *cards[k + 1 :]]) for k in range(11)) for cards in eleven[:n]]

    def play(agent: Any) -> Callable[[int], None]:
        table = rlcard.make("gin-rummy")
        table.set_agents([agent, agent])

        def run(n: int) -> None:
            for cards in decks[:n]:
                table.game.np_random = Order([deck[13 * (3 - card // 13) + card % 13] for card in cards])
                table.run(is_training=False)

        return run

    compare(OURS, gincore.deadwood(masks_of(10, 500)).tolist(), "RLCard", [least(cards) for cards in ten])
    compare(OURS, gincore.deadwood(masks_of(11, 30)).tolist(), "RLCard", discards(30))
    return [
        Job("ten", "RLCard", lambda n: [least(cards) for cards in ten[:n]], 500),
        Job("discard", "RLCard", discards, 50),
        Job("random", "RLCard", play(RandomAgent(num_actions=110)), 15),
        Job("simple", "RLCard", play(GinRummyNoviceRuleAgent()), 15),
    ]


class Order:
    """Stands for RLCard's generator: the deck lies as given, drawn from its end, and the first player deals."""

    def __init__(self, cards: list[Any]) -> None:
        self.cards = cards

    def shuffle(self, deck: list[Any]) -> None:
        """Put the deck into order."""
        deck[:] = self.cards[::-1]

    def choice(self, options: list[int]) -> int:
        """Return the first."""
        return options[0]


def to_peer(card: int) -> int:
    """Our card in OpenSpiel's numbering (suits S C D H)."""
    return 13 * ((card // 13 + 1) % 4) + card % 13


def compare(one: str, mine: list[int], other: str, theirs: list[int]) -> None:
    """End where two systems answer differently."""
    different = [(k, a, b) for k, (a, b) in enumerate(zip(mine, theirs, strict=True)) if a != b]
    if different:
        raise SystemExit(f"{one} and {other} differ on {len(different)} of {len(mine)} hands, first {different[0]}")


# ---------------------------------------------------------------- timing


def seconds(job: Job) -> float:
    """CPU seconds of one round of a job."""
    start = time.process_time()
    job.call(job.size)
    return time.process_time() - start


def measure(jobs: list[Job], rounds: int) -> pd.DataFrame:
    """Time all jobs in turn, round after round.

    Returns
    -------
    DataFrame
        ``task``, ``system``, ``per_second`` with ``low`` and ``high``, and how often ours does in the same time what
        the system does once: ``ratio`` with ``ratio_low`` and ``ratio_high``. Medians and extremes over the rounds.
    """
    for job in jobs:
        job.call(min(job.size, 10))
    speeds: list[list[float]] = [[] for _ in jobs]
    for number in range(rounds):
        for job, found in zip(jobs, speeds, strict=True):
            found.append(job.size / seconds(job))
        print(f"round {number + 1} of {rounds}", flush=True)
    best = {job.task: found for job, found in zip(jobs, speeds, strict=True) if job.system == OURS}
    rows = []
    for task in TASKS:
        for job, found in zip(jobs, speeds, strict=True):
            if job.task == task:
                ratios = [mine / theirs for mine, theirs in zip(best[task], found, strict=True)]
                rows.append((task, job.system, job.size, *spread(found), *spread(ratios)))
    columns = ["task", "system", "n", "per_second", "low", "high", "ratio", "ratio_low", "ratio_high"]
    return pd.DataFrame(rows, columns=columns).assign(rounds=rounds)


def spread(values: list[float]) -> tuple[float, float, float]:
    """Median, least and largest."""
    return statistics.median(values), min(values), max(values)


def machine() -> str:
    """Processor, cores and versions."""
    name = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        models = [line.partition(":")[2].strip() for line in info.read_text().splitlines() if "model name" in line]
        name = models[0] if models else name
    packages = ["numba", "numpy", "open_spiel", "rlcard"]
    versions = []
    for package in packages:
        try:
            versions.append(f"{package} {importlib.metadata.version(package)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    own = [f"Python {platform.python_version()}", f"gincore {gincore.__version__}"]
    return f"{name}, {os.cpu_count()} cores, one used; {', '.join(own + versions)}"


def short(value: Any) -> str:
    """Write a number with three digits that count.

    >>> short(1234567.0), short(12.345)
    ('1,230,000', '12.3')
    """
    rounded = float(f"{value:.3g}")
    return f"{rounded:,.0f}" if rounded >= 100 else f"{rounded:g}"


def text(frame: pd.DataFrame, rounds: int) -> str:
    """The page."""
    lines = [
        "# Beside other engines",
        "",
        f"Done per second of CPU time on one core, and how many times as fast gincore is: median of {rounds} rounds "
        "[least .. largest], ratios within a round (`scripts/compare_peers.py`).",
        "",
        f"Machine: {machine()}.",
        "",
        "| task | system | a second | gincore is faster by |",
        "|---|---|---|---|",
    ]
    for row in frame.itertuples():
        speed = f"{short(row.per_second)} [{short(row.low)} .. {short(row.high)}]"
        ratio = "" if row.system == OURS else f"{short(row.ratio)} [{short(row.ratio_low)} .. {short(row.ratio_high)}]"
        lines.append(f"| {TASKS[str(row.task)]} | {row.system} | {speed} | {ratio} |")
    lines += [
        "",
        "- All are driven from Python. gincore is given arrays of hands, and plays many hands in one call; the others "
        "are called hand by hand, and card by card.",
        "- The hands to value are the same, and so are the answers, which are compared first. A best discard is the "
        "least of the deadwoods after each of eleven discards. OpenSpiel's own function for eleven cards is too high "
        "on some hands (the dearest loose card of a best spread is not always the best discard), and is timed too.",
        f"- The decks are the same: the first deals of seed {SEED}, of which gincore plays more. gincore and OpenSpiel "
        f"play the rules of `{RULES}`; RLCard deals eleven cards and no upcard, and has other rules.",
        "- Players differ: random ones play on where a hand lasts long, and each system's simple player is its own "
        "(`simple`; `make_simple_gin_rummy_bot`; `GinRummyNoviceRuleAgent`).",
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    rounds = parser.parse_args().rounds
    random.seed(SEED)
    decks, jobs = decks_of(50), ours()
    for name, peer in (("OpenSpiel", open_spiel), ("RLCard", rlcard)):
        try:
            jobs += peer(decks)
        except ImportError as error:
            print(f"{name} is left out ({error}): pip install 'gincore[peers]'")
    frame = measure(jobs, rounds)
    RESULTS.mkdir(exist_ok=True)
    frame.to_csv(RESULTS / "peers.csv", index=False, float_format="%.5g", lineterminator="\n")
    (RESULTS / "peers.md").write_text(text(frame, rounds), encoding="utf-8")
    print((RESULTS / "peers.md").read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
