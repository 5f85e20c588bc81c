"""What the knock-threshold report plays and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
from gincore.contests.play import USUAL_LEVEL, command, hidden, read_pool, rule_words, two_player_rules
from gincore.errors import UsageError, quoted
from gincore.report.knock_threshold.meetings import Cards
from gincore.report.knock_threshold.value import MOST_OPPONENTS, OPPONENTS, Value, beside_rules, measure_value, steps
from gincore.ruleset import Rules, preset_names
from gincore.runs.plan import Plan, make_plan
from gincore.runs.tally import Moments
from gincore.strategies import Strategy

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


@dataclass(frozen=True)
class Setup:
    """What is played: three plans for each limit, checked, all on the same cards; opponents, and rules beside.

    Attributes
    ----------
    rules, deals, games, seed, level
        As of :func:`gincore.report.knock_threshold.make`.
    hands_plans, games_plans, itself_plans
        The sweep, by limit.
    opponents
        Who is met beside the table.
    beside
        Rule sets whose limits are shown beside those of the report.
    words
        What a command needs to name opponents and rules beside, where they are not the usual ones.
    """

    rules: Rules
    deals: int
    games: int
    seed: int
    level: float
    hands_plans: dict[int, Plan]
    games_plans: dict[int, Plan]
    itself_plans: dict[int, Plan]
    opponents: tuple[Strategy, ...]
    beside: tuple[Rules, ...]
    words: tuple[str, ...]

    def manifest(self) -> dict[str, Any]:
        """Return the settings and the manifest of every run, ready for JSON."""
        plans = [*self.hands_plans.values(), *self.games_plans.values(), *self.itself_plans.values()]
        return {
            "level": self.level,
            "limits": list(LIMITS),
            "deals": self.deals,
            "games": self.games,
            "seed": self.seed,
            "opponents": [each.describe() for each in self.opponents],
            "beside": [{"name": each.label, "digest_of_rules": each.digest()} for each in self.beside],
            "reproduce": self.command(),
            "runs": [plan.manifest() for plan in plans],
        }

    def command(self, lang: str = "en") -> str:
        """Return the command that makes this report again; rules from a file are named by the copy in the folder."""
        words = ["report", "knock-threshold", *rule_words(self.rules), *self.words]
        words += ["--deals", str(self.deals), "--games", str(self.games), "--seed", str(self.seed)]
        if self.level != USUAL_LEVEL:
            words += ["--level", str(self.level)]
        return command(*words, *([] if lang == "en" else ["--lang", lang]), "--out", "FOLDER")

    def rule_files(self) -> dict[str, Rules]:
        """Return the rules that the folder keeps a copy of, by the copy's name."""
        own = {_file_of(each): each for each in self.beside if each.name not in preset_names() and self.words}
        return {"rules.toml": self.rules, **own}


def _file_of(given: Rules) -> str:
    return f"rules/{given.label}.toml"


@dataclass(frozen=True)
class Findings:
    """What came out: the tidy frame of the sweep, all comparisons of limits, a verdict for each measure, the rest."""

    sweep: pd.DataFrame
    comparisons: pd.DataFrame
    verdicts: dict[str, Verdict]
    level: float
    value: Value


def make_setup(
    game_rules: str | Path | Rules,
    *,
    deals: int,
    games: int,
    seed: int,
    level: float,
    opponents: Sequence[str | Strategy] | None = None,
    beside: Sequence[str | Path | Rules] | None = None,
) -> Setup:
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
    pool = read_pool(OPPONENTS if opponents is None else opponents, 1, MOST_OPPONENTS, "a knock-threshold report")
    others = beside_rules(beside, plan.rules)
    words = [] if opponents is None else [word for name in pool for word in ("--opponent", name)]
    words += [] if beside is None else ["--beside", ",".join(map(_word, others)) or "none"]
    return Setup(
        plan.rules, plan.count, whole[REFERENCE].count, plan.seed, level, hands, whole, itself, tuple(pool.values()),
        others, tuple(words),
    )  # fmt: skip


def _word(given: Rules) -> str:
    """Return how a command names rules: presets as they are by name, others by their copy in the folder."""
    if given.label in preset_names():
        return given.name
    if given.name in preset_names() or "/" in given.label or len(given.label) > 40:
        raise UsageError(
            f"rules beside {quoted(given.label)}: a preset as it is, or rules with a name of their own, short and "
            "without a slash"
        )
    return _file_of(given)


def measure(setup: Setup, *, workers: int | None = None, progress: bool = True) -> Findings:
    """Play the sweep and compare the limits; then meet every opponent."""
    blocks = -(-setup.deals // DEAL_BLOCK) + -(-setup.games // GAME_BLOCK) + 1
    total = blocks * len(LIMITS) + steps(setup.rules, len(setup.opponents), setup.beside, setup.deals)
    with tqdm(total=total, desc="knock-threshold", unit="run", disable=hidden(progress)) as bar:
        hands, measures = _paired(setup.hands_plans, DEAL_BLOCK, _HAND_VALUES, workers, bar.update)
        games, game_measures = _paired(setup.games_plans, GAME_BLOCK, _GAME_VALUES, workers, bar.update)
        itself = []
        for limit, plan in setup.itself_plans.items():
            itself.append(Arm(limit, ITSELF, _play(plan, 0, plan.count, workers).moments))
            bar.update()
        cards = Cards(setup.deals, setup.seed, workers)
        value = measure_value(
            setup.rules, setup.opponents, setup.beside, cards, setup.games, setup.level, bar.update
        )  # fmt: skip
    return conclude([*hands, *games, *itself], measures | game_measures, setup.level, value)


def conclude(arms: list[Arm], measures: dict[str, PairedSums], level: float, value: Value) -> Findings:
    """Turn the sums of a sweep into frames and verdicts."""
    sweep = sweep_frame(arms, level)
    comparisons = compare_limits(measures, level)
    against = sweep[sweep["opponent"] == OPPONENT]
    verdicts = {name: judge(against, comparisons, name, level) for name in MEASURES}
    return Findings(mark_best(sweep, verdicts.values(), OPPONENT), comparisons, verdicts, level, value)


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
