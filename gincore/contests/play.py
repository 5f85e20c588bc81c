"""Encounters of two strategies, played on the same cards and summed as they are played."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from gincore import strategies as strategy_shelf
from gincore.analysis.compare import unit_totals
from gincore.analysis.contest import ContestSums
from gincore.analysis.intervals import check_level
from gincore.api import GameRun, simulate_games
from gincore.errors import UsageError, quoted
from gincore.ruleset import Rules, preset_names, rules
from gincore.ruleset_toml import text_of
from gincore.runs.plan import Plan, make_plan
from gincore.runs.run import worker_count
from gincore.runs.tally import Moments
from gincore.strategies import Strategy

GAME_BLOCK: Final = 16_384
"""Game numbers of an encounter that are in memory at a time."""

LEAST_CHUNK: Final = 256
"""Games of a part that a thread plays, at least."""

USUAL_LEVEL: Final = 0.95
"""Coverage of intervals unless another is asked for."""


@dataclass(frozen=True)
class Setup:
    """Players, rules and size of a contest, checked.

    Attributes
    ----------
    players
        The strategies by name.
    given
        How the caller named them, for the command that plays again.
    plans
        One encounter each, on the same cards: player a against player b.
    games
        Game numbers; each is played twice, with the seats exchanged.
    seed, level
        As asked for.
    """

    players: dict[str, Strategy]
    given: tuple[str, ...]
    plans: tuple[Plan, ...]
    games: int
    seed: int
    level: float

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self.plans[0].rules

    def manifest(self) -> dict[str, Any]:
        """Return all that determines the numbers, ready for JSON."""
        run = self.plans[0].manifest()
        run["strategies"] = [player.describe() for player in self.players.values()]
        return {"level": self.level, "games": self.games, "seed": self.seed, "run": run}

    def words(self) -> list[str]:
        """Return the part of a command line that gives players, rules, games, seed and level."""
        words = [*self.given, *rule_words(self.rules), "--games", str(self.games), "--seed", str(self.seed)]
        return words if self.level == USUAL_LEVEL else [*words, "--level", str(self.level)]

    def facts(self) -> list[tuple[str, str]]:
        """Return what was played, in words."""
        return [
            ("rules", self.rules.label),
            ("strategies", ", ".join(self.players)),
            ("games", f"{self.games:,} x 2 (mirrored) for each two strategies, all on the same cards"),
            ("seed", str(self.seed)),
        ]


def rule_words(chosen: Rules) -> list[str]:
    """Return the words of a command line that give these rules; rules from a file are named ``rules.toml``."""
    if chosen.name not in preset_names():
        return ["--rules", "rules.toml"]
    changes = chosen.differences(rules(chosen.name))
    settings = [word for name, (mine, _) in changes.items() for word in ("--set", f"{name}={text_of(mine)}")]
    return ["--rules", chosen.name, *settings]


def command(*words: str) -> str:
    """Return a command of gincore as it is typed."""
    return shlex.join(["gincore", *words])


def read_pool(strategies: Sequence[str | Strategy], least: int, most: int, what: str) -> dict[str, Strategy]:
    """Return strategies by name; a wrong number of them, or one name twice, is refused."""
    alone = isinstance(strategies, str | Strategy)
    count = 1 if alone else len(strategies)
    if alone or not least <= count <= most:
        allowed = f"exactly {least}" if least == most else f"{least} to {most}"
        plural = "strategy" if count == 1 else "strategies"
        raise UsageError(f"{count} {plural} given: {what} needs {allowed}")
    pool: dict[str, Strategy] = {}
    for each in strategies:
        found = strategy_shelf.get(each)
        if found.name in pool:
            raise UsageError(
                f"strategy {quoted(found.name)} is given twice: the tables are by name; "
                "name each once, or give a copy another name (gincore.Strategy(name, base=...))"
            )
        pool[found.name] = found
    return pool


def make_setup(
    game_rules: str | Path | Rules,
    players: dict[str, Strategy],
    encounters: Sequence[tuple[Strategy, Strategy]],
    strategies: Sequence[str | Strategy],
    *,
    games: int,
    seed: int,
    level: float,
) -> Setup:
    """Check everything that can be checked before the first hand."""
    level = check_level(level)
    chosen = two_player_rules(game_rules)
    plans = tuple(make_plan("games", chosen, pair, seed=seed, count=games) for pair in encounters)
    given = tuple(each if isinstance(each, str) else each.name for each in strategies)
    return Setup(players, given, plans, plans[0].count, plans[0].seed, level)


def two_player_rules(game_rules: str | Path | Rules) -> Rules:
    """Return rules of single games of two players; others are refused."""
    chosen = rules(game_rules)
    if chosen.form != "single" or chosen.match != "one-game":
        raise UsageError(
            f"rules {chosen.name!r} (form = {chosen.form}, match = {chosen.match}): strategies are compared in single "
            "games of two players; set form=single and match=one-game (--set form=single --set match=one-game)"
        )
    return chosen


def play_all(setup: Setup, what: str, *, workers: int | None = None, progress: bool = True) -> Moments:
    """Play all encounters block by block, every one on the same block of cards, and return their sums."""
    threads = worker_count(workers)
    sums = ContestSums(len(setup.plans), setup.plans[0].layout.per_unit)
    firsts = range(0, setup.games, GAME_BLOCK)
    with tqdm(total=len(firsts) * len(setup.plans), desc=what, unit="run", disable=hidden(progress)) as bar:
        for first in firsts:
            block = []
            for plan in setup.plans:
                block.append(values(play_block(plan, first, min(GAME_BLOCK, setup.games - first), threads)))
                bar.update()
            sums.add(block)
    return sums.moments()


def hidden(progress: bool) -> bool | None:
    """Return what ``tqdm`` takes as `disable`: None hides a bar where stderr is no terminal."""
    return None if progress and sys.stderr is not None else True


def play_block(plan: Plan, first: int, count: int, threads: int) -> GameRun:
    """Play some games of an encounter, each twice, keeping the rows in memory."""
    return simulate_games(
        plan.rules,
        plan.strategies,
        games=count,
        first_game=first,
        seed=plan.seed,
        workers=threads,
        progress=False,
        chunk=max(LEAST_CHUNK, -(-count // threads)),
    )


def values(run: GameRun) -> dict[str, NDArray[np.int64]]:
    """Return what :class:`~gincore.analysis.contest.ContestSums` sums, by pair of games."""
    games = np.concatenate([rows for _, rows in run.result.blocks() if rows is not None])
    won, lost = games["hands_won_0"].astype(np.int64), games["hands_won_1"].astype(np.int64)
    columns = {
        "score": 1 + (games["winner"] == 0).astype(np.int64) - (games["winner"] == 1),
        "won": won,
        "decided": won + lost,
        "net": games["points_0"].astype(np.int64) - games["points_1"],
        "hands": games["hands"].astype(np.int64),
    }
    return {name: unit_totals(column, run.result.layout.per_unit) for name, column in columns.items()}
