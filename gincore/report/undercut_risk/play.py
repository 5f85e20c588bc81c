"""What the undercut-risk report plays and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pandas as pd
from tqdm import tqdm

from gincore.analysis import undercut
from gincore.analysis.intervals import check_level
from gincore.analysis.risk import count_classes, explained
from gincore.contests.play import USUAL_LEVEL, command, hidden, read_pool, rule_words
from gincore.errors import UsageError, quoted
from gincore.report.bonus import can_rescore
from gincore.ruleset import Rules, rules
from gincore.runs.plan import Plan, make_plan
from gincore.runs.thrown import hands_with_throws
from gincore.strategies import Strategy
from gincore.strategies import get as get_strategy

KNOCKER: Final = "simple"
OPPONENTS: Final = ("simple", "threshold,limit=4", "gin-only")
BONUSES: Final = (10, 15, 20, 25)
MOST_OPPONENTS: Final = 5

CELLS: Final[dict[str, tuple[str, ...]]] = {
    "by-deadwood": ("deadwood",),
    "by-turns": ("deadwood", "turns"),
    "by-pickups": ("deadwood", "pickups"),
    "by-discard": ("deadwood", "discard"),
    "cells": ("deadwood", "turns", "pickups", "discard"),
}
"""Tables of cells by the circumstances that make a cell."""


@dataclass(frozen=True)
class Setup:
    """What is played: the knocker against each opponent, all on the same cards."""

    rules: Rules
    knocker: Strategy
    opponents: dict[str, Strategy]
    given: tuple[str, ...]
    plans: dict[str, Plan]
    level: float

    @property
    def plan(self) -> Plan:
        """The plan of the first opponent."""
        return next(iter(self.plans.values()))

    @property
    def rescored(self) -> bool:
        """Whether other undercut bonuses are scored from the same rows: nobody plays or spreads otherwise for them."""
        return can_rescore(self.rules, self.knocker, *self.opponents.values())

    def manifest(self) -> dict[str, Any]:
        """Return the settings and the manifest of every run, ready for JSON."""
        return {
            "level": self.level,
            "deals": self.plan.count,
            "seed": self.plan.seed,
            "bonuses": list(BONUSES),
            "rescored": self.rescored,
            "reproduce": self.command("en"),
            "runs": [plan.manifest() for plan in self.plans.values()],
        }

    def command(self, lang: str) -> str:
        """Return the command that makes this report again; rules from a file are named by the copy in the folder."""
        words = ["report", "undercut-risk", *rule_words(self.rules), "--knocker", self.given[0]]
        words += [word for name in self.given[1:] for word in ("--opponent", name)]
        words += ["--deals", str(self.plan.count), "--seed", str(self.plan.seed)]
        words += [] if self.level == USUAL_LEVEL else ["--level", str(self.level)]
        return command(*words, *([] if lang == "en" else ["--lang", lang]), "--out", "FOLDER")


def make_setup(
    game_rules: str | Path | Rules,
    knocker: str | Strategy,
    opponents: Sequence[str | Strategy] | None,
    *,
    deals: int,
    seed: int,
    level: float,
) -> Setup:
    """Check everything that can be checked before the first hand."""
    level = check_level(level)
    chosen = rules(game_rules)
    if chosen.knock_limit == 0 and chosen.min_melded is None:
        raise UsageError(f"rules {quoted(chosen.name)}: knock_limit = 0 allows gin only, and gin is never undercut")
    named = OPPONENTS if opponents is None else opponents
    pool = read_pool(named, 1, MOST_OPPONENTS, "the undercut-risk report")
    who = get_strategy(knocker)
    plans = {name: make_plan("hands", chosen, (who, each), seed=seed, count=deals) for name, each in pool.items()}
    given = tuple(each if isinstance(each, str) else each.name for each in (knocker, *named))
    return Setup(chosen, who, pool, given, plans, level)


@dataclass(frozen=True)
class Findings:
    """What came out.

    Attributes
    ----------
    cells
        Frames of :func:`gincore.analysis.undercut.risk_cells` by the names of :data:`CELLS`.
    overview, explained, bonus, spread
        As their functions in :mod:`gincore.analysis` give them, for all opponents.
    level
        Of all intervals.
    """

    cells: dict[str, pd.DataFrame]
    overview: pd.DataFrame
    explained: pd.DataFrame
    bonus: pd.DataFrame
    spread: pd.DataFrame
    level: float

    def frames(self) -> dict[str, pd.DataFrame]:
        """Return every frame by the name of its file."""
        others = {"overview": self.overview, "explained": self.explained, "bonus": self.bonus, "spread": self.spread}
        return {**self.cells, **others}


def measure(setup: Setup, *, workers: int | None = None, progress: bool = True) -> Findings:
    """Play the knocker against every opponent, under all rules that are compared, and analyse the knocks."""
    others = [] if setup.rescored else [bonus for bonus in BONUSES if bonus != setup.rules.undercut_bonus]
    arms = _spread_arms(setup.rules)
    played = 1 + len(others) + sum(arm != setup.rules for arm in arms)
    total = played * len(setup.plans) + len(setup.plans) + len(CELLS)
    with tqdm(total=total, desc="undercut-risk", unit="run", disable=hidden(progress)) as bar:

        def play(game_rules: Rules) -> pd.DataFrame:
            return _knocks(setup, game_rules, workers, bar.update)

        rows = play(setup.rules)
        spreads = [rows if arm == setup.rules else play(arm) for arm in arms]
        by_bonus = _by_bonus(setup, rows, play)
        return _conclude(setup, rows, spreads, by_bonus, bar.update)


def _spread_arms(chosen: Rules) -> list[Rules]:
    """Return the rules with the two spreads that are compared; lay-offs after the melds know no choice of spread."""
    settled = chosen if chosen.layoff == "optimal" else chosen.replace(layoff="optimal", knocker_spread="min_deadwood")
    return [
        settled if settled.knocker_spread == spread else settled.replace(knocker_spread=spread)
        for spread in ("min_deadwood", "best")
    ]


def _knocks(setup: Setup, game_rules: Rules, workers: int | None, done: Callable[[], object]) -> pd.DataFrame:
    """Play all opponents under some rules and return player 0's knocks."""
    frames = []
    for name, plan in setup.plans.items():
        other = make_plan("hands", game_rules, plan.strategies, seed=plan.seed, count=plan.count)
        frames.append(undercut.knocks(hands_with_throws(other, workers=workers)).assign(opponent=name))
        done()
    rows = pd.concat(frames, ignore_index=True)
    if not len(rows):
        raise UsageError(f"{setup.plan.count} deals: {setup.knocker.name} never knocked without gin; play more deals")
    return rows


def _by_bonus(setup: Setup, rows: pd.DataFrame, play: Callable[[Rules], pd.DataFrame]) -> dict[int, pd.DataFrame]:
    """Return the knocks under each bonus: scored again where that is exact, else played again."""
    base = setup.rules.undercut_bonus
    if setup.rescored:
        return {bonus: undercut.rescored(rows, base, bonus) for bonus in BONUSES}
    return {bonus: rows if bonus == base else play(setup.rules.replace(undercut_bonus=bonus)) for bonus in BONUSES}


def _conclude(
    setup: Setup,
    rows: pd.DataFrame,
    spreads: Sequence[pd.DataFrame],
    by_bonus: dict[int, pd.DataFrame],
    done: Callable[[], object],
) -> Findings:
    level = setup.level
    cells = {}
    for name, by in CELLS.items():
        cells[name] = undercut.risk_cells(rows, by, level).assign(level=level)
        done()
    parts = []
    classes = {name: len(each) for name, each in undercut.FACTORS.items()}
    for opponent, part in rows.groupby("opponent", sort=False):
        counts = count_classes(part, classes, "undercut")
        parts.append(explained(counts, level, seed=setup.plan.seed).assign(opponent=opponent, level=level))
        done()
    return Findings(
        cells,
        undercut.overview(rows, level).assign(level=level),
        pd.concat(parts, ignore_index=True),
        undercut.bonus_frame(by_bonus, level).assign(level=level),
        undercut.spread_frame(spreads[0], spreads[1], level).assign(level=level),
        level,
    )


def told(p_holm: float, level: float) -> bool:
    """Return whether a comparison is told apart."""
    return bool(p_holm < 1 - level)
