"""What the knock-threshold report plays and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from tqdm import tqdm

from gincore.analysis.compare import PairedSums, unit_totals
from gincore.analysis.knock import MEASURES, Arm, Verdict, compare_limits, judge, mark_best, sweep_frame
from gincore.api import GameRun, Run, simulate, simulate_games
from gincore.contests.play import command, rule_words, two_player_rules
from gincore.ruleset import Rules
from gincore.runs.plan import Plan, make_plan
from gincore.runs.tally import Moments

LIMITS: Final = tuple(range(11))
"""Knock limits compared, deadwood points."""

REFERENCE: Final = 10
"""The limit to which differences are given: with it ``threshold`` plays as ``simple``."""

OPPONENT: Final = "simple"
ITSELF: Final = "itself"

DEAL_BLOCK: Final = 65_536
"""Deals of one limit that are in memory at a time."""

GAME_BLOCK: Final = 4_096
"""Games of one limit that are in memory at a time."""

USUAL_LEVEL: Final = 0.95
"""Coverage of intervals unless another is asked for."""


@dataclass(frozen=True)
class Setup:
    """What is played: three plans for each limit, checked, all on the same cards."""

    rules: Rules
    deals: int
    games: int
    seed: int
    level: float
    hands_plans: dict[int, Plan]
    games_plans: dict[int, Plan]
    itself_plans: dict[int, Plan]

    def manifest(self) -> dict[str, Any]:
        """Return the settings and the manifest of every run, ready for JSON."""
        plans = [*self.hands_plans.values(), *self.games_plans.values(), *self.itself_plans.values()]
        return {
            "level": self.level,
            "limits": list(LIMITS),
            "deals": self.deals,
            "games": self.games,
            "seed": self.seed,
            "reproduce": self.command(),
            "runs": [plan.manifest() for plan in plans],
        }

    def command(self, lang: str = "en") -> str:
        """Return the command that makes this report again; rules from a file are named by the copy in the folder."""
        words = ["report", "knock-threshold", *rule_words(self.rules)]
        words += ["--deals", str(self.deals), "--games", str(self.games), "--seed", str(self.seed)]
        if self.level != USUAL_LEVEL:
            words += ["--level", str(self.level)]
        return command(*words, *([] if lang == "en" else ["--lang", lang]), "--out", "FOLDER")


@dataclass(frozen=True)
class Findings:
    """What came out: the tidy frame of the sweep, all comparisons of limits, and a verdict for each measure."""

    sweep: pd.DataFrame
    comparisons: pd.DataFrame
    verdicts: dict[str, Verdict]
    level: float


def make_setup(game_rules: str | Path | Rules, *, deals: int, games: int, seed: int, level: float) -> Setup:
    """Check everything that can be checked before the first hand."""
    two_player_rules(game_rules)
    names = {limit: f"threshold,limit={limit}" for limit in LIMITS}
    hands = {k: make_plan("hands", game_rules, (name, OPPONENT), seed=seed, count=deals) for k, name in names.items()}
    whole = {k: make_plan("games", game_rules, (name, OPPONENT), seed=seed, count=games) for k, name in names.items()}
    # a mirrored deal between equal players is the same hand twice: not mirrored, it costs half as much
    itself = {
        k: make_plan("hands", game_rules, (name, name), seed=seed, count=deals, mirror=False, keep="stats")
        for k, name in names.items()
    }
    plan = hands[REFERENCE]
    return Setup(plan.rules, plan.count, whole[REFERENCE].count, plan.seed, level, hands, whole, itself)


def measure(setup: Setup, *, workers: int | None = None, progress: bool = True) -> Findings:
    """Play the sweep and compare the limits."""
    blocks = -(-setup.deals // DEAL_BLOCK) + -(-setup.games // GAME_BLOCK) + 1
    hidden = None if progress else True  # None: hidden where stderr is no terminal
    with tqdm(total=blocks * len(LIMITS), desc="knock-threshold", unit="run", disable=hidden) as bar:
        hands, measures = _paired(setup.hands_plans, DEAL_BLOCK, _HAND_VALUES, workers, bar.update)
        games, game_measures = _paired(setup.games_plans, GAME_BLOCK, _GAME_VALUES, workers, bar.update)
        itself = []
        for limit, plan in setup.itself_plans.items():
            itself.append(Arm(limit, ITSELF, _play(plan, 0, plan.count, workers).moments))
            bar.update()
    return conclude([*hands, *games, *itself], measures | game_measures, setup.level)


def conclude(arms: list[Arm], measures: dict[str, PairedSums], level: float) -> Findings:
    """Turn the sums of a sweep into frames and verdicts."""
    sweep = sweep_frame(arms, level)
    comparisons = compare_limits(measures, level)
    against = sweep[sweep["opponent"] == OPPONENT]
    verdicts = {name: judge(against, comparisons, name, level) for name in MEASURES}
    return Findings(mark_best(sweep, verdicts.values(), OPPONENT), comparisons, verdicts, level)


def _paired(
    plans: dict[int, Plan],
    size: int,
    values: Mapping[str, Callable[[Run], NDArray[np.int64]]],
    workers: int | None,
    done: Callable[[], object],
) -> tuple[list[Arm], dict[str, PairedSums]]:
    """Play the plans of all limits block by block, every limit on the same block of units."""
    count, per_unit = plans[REFERENCE].count, plans[REFERENCE].layout.per_unit
    sums = {name: PairedSums(LIMITS, per_unit) for name in values}
    moments: dict[int, Moments] = {}
    for first in range(0, count, size):
        totals: dict[str, list[NDArray[np.int64]]] = {name: [] for name in values}
        for limit, plan in plans.items():
            run = _play(plan, first, min(size, count - first), workers)
            moments[limit] = merged(moments[limit], run.moments) if limit in moments else run.moments
            for name, value in values.items():
                totals[name].append(unit_totals(value(run), per_unit))
            done()
        for name, each in totals.items():
            sums[name].add(each)
    return [Arm(limit, OPPONENT, each) for limit, each in moments.items()], sums


def _play(plan: Plan, first: int, count: int, workers: int | None) -> Run:
    """Play some units of a plan, keeping nothing on disk."""
    how: dict[str, Any] = {
        "seed": plan.seed,
        "mirror": plan.mirror,
        "keep": plan.keep,
        "workers": workers,
        "progress": False,
    }
    if plan.kind == "games":
        return simulate_games(plan.rules, plan.strategies, games=count, first_game=first, **how)
    return simulate(plan.rules, plan.strategies, deals=count, first_deal=first, **how)


def merged(one: Moments, two: Moments) -> Moments:
    """Add the sums of two runs over different units."""
    return replace(one, units=one.units + two.units, first=one.first + two.first, second=one.second + two.second)


def _net(run: Run) -> NDArray[np.int64]:
    points = run.hands[["points_0", "points_1"]].to_numpy(np.int64)
    net: NDArray[np.int64] = points[:, 0] - points[:, 1]
    return net


def _won(frame: pd.DataFrame) -> NDArray[np.int64]:
    return np.asarray((frame["winner"] == 0).fillna(False), dtype=np.int64)


def _games_won(run: Run) -> NDArray[np.int64]:
    assert isinstance(run, GameRun)
    return _won(run.games)


_HAND_VALUES: Final[Mapping[str, Callable[[Run], NDArray[np.int64]]]] = {
    "net_points_per_hand": _net,
    "won_0_share": lambda run: _won(run.hands),
}
_GAME_VALUES: Final[Mapping[str, Callable[[Run], NDArray[np.int64]]]] = {"game_won_0_share": _games_won}
