"""What the variant-comparison report plays and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from tqdm import tqdm

from gincore.analysis import variants as analysis
from gincore.analysis.compare import PairedSums, unit_totals
from gincore.analysis.intervals import check_level
from gincore.contests.play import USUAL_LEVEL, command, hidden
from gincore.errors import UsageError, quoted
from gincore.options import HAND_OPTIONS
from gincore.report.bonus import can_rescore
from gincore.ruleset import Rules, preset_names, rules
from gincore.runs.plan import Plan, make_plan
from gincore.runs.result import Result
from gincore.runs.run import check_memory, execute
from gincore.schema import HAND_DTYPE
from gincore.strategies import Strategy
from gincore.strategies import get as get_strategy

BASELINE: Final = "classic"
PLAYER: Final = "simple"
WEAKER: Final = "careless"
FIELD: Final = ("simple", "threshold,limit=5", "gin-only")
"""Whom every knock limit meets."""

LIMITS: Final = tuple(range(11))
FREE_LIMITS: Final = (*LIMITS, 15, 20, 30)
"""Limits where going out needs melded cards and no deadwood limit."""

SWEEP_PART: Final = 8
"""A limit meets each opponent in one deal for so many of the other hands."""

CITIES: Final = ("chicago", "manhattan")
"""Presets whose text gives no knock limit and no undercut bonus: the grid is for them."""

GRID_LIMITS: Final = (4, 5, 6, 7, 8, 9, 10)
GRID_BONUSES: Final = (10, 15, 20, 25)
FIXED, BEST = "fixed", "best limit"
POLICIES: Final = (FIXED, BEST)
"""Knock policies: at the first legal chance, and at the variant's best limit."""

SECONDS: Final = 15.0
MOST_SECONDS: Final = 600.0


@dataclass(frozen=True)
class Variant:
    """A rule set of the comparison: its label, itself, and the game that is played of it."""

    name: str
    rules: Rules

    @property
    def game(self) -> Rules:
        """One game of a match, or one sheet."""
        return self.rules.replace(match="one-game")

    @property
    def hand_key(self) -> tuple[str, ...]:
        """What determines its single hands."""
        return tuple(str(getattr(self.rules, option.name)) for option in HAND_OPTIONS)

    @property
    def limits(self) -> tuple[int, ...]:
        """Knock limits that differ under these rules."""
        if self.rules.min_melded is not None:
            return FREE_LIMITS
        limit = self.rules.knock_limit
        return tuple(each for each in LIMITS if isinstance(limit, str) or each <= limit)


@dataclass(frozen=True)
class Setup:
    """What is played, checked."""

    variants: tuple[Variant, ...]
    baseline: str
    given: tuple[str, ...] | None
    player: Strategy
    weaker: Strategy
    named: tuple[str, str]
    deals: int
    games: int
    seed: int
    level: float
    seconds: float
    plan: Plan = field(repr=False)

    @property
    def names(self) -> list[str]:
        """The variants by name, the baseline among them."""
        return [variant.name for variant in self.variants]

    @property
    def sweep_deals(self) -> int:
        """Deals for each limit and opponent."""
        return max(self.deals // SWEEP_PART, 2)

    @property
    def grid_deals(self) -> int:
        """Deals for each knock limit of the city grid."""
        return max(self.deals // 2, 2)

    @property
    def cities(self) -> list[str]:
        """The city variants that are compared; without one there is no grid."""
        return [variant.name for variant in self.variants if variant.rules.name in CITIES]

    @property
    def rescored(self) -> bool:
        """Whether the bonuses of the city grid are scored from the same rows."""
        return can_rescore(rules(BASELINE), self.player, self.weaker)

    def manifest(self) -> dict[str, Any]:
        """Return the settings, ready for JSON."""
        described = [variant.rules for variant in self.variants]
        return {
            "level": self.level,
            "deals": self.deals,
            "games": self.games,
            "seed": self.seed,
            "baseline": self.baseline,
            "seconds_a_turn": self.seconds,
            "field": list(FIELD),
            "variants": [{"name": v.name, "digest_of_rules": r.digest(), "toml": r.to_toml()}
                         for v, r in zip(self.variants, described, strict=True)],
            "weaker": self.weaker.describe(),
            "reproduce": self.command("en"),
            "runs": [self.plan.manifest()],
        }  # fmt: skip

    def command(self, lang: str) -> str:
        """Return the command that makes this report again; rule files are named by the copies in the folder."""
        words = ["report", "variant-comparison"]
        if self.given is not None:
            words += ["--variants", ",".join(_word(variant) for variant in self.variants)]
        if self.baseline != BASELINE:
            words += ["--baseline", next(_word(each) for each in self.variants if each.name == self.baseline)]
        words += ["--player", self.named[0]] if self.named[0] != PLAYER else []
        words += ["--weaker", self.named[1]] if self.named[1] != WEAKER else []
        words += ["--deals", str(self.deals), "--games", str(self.games), "--seed", str(self.seed)]
        words += ["--seconds-a-turn", f"{self.seconds:g}"] if self.seconds != SECONDS else []
        words += [] if self.level == USUAL_LEVEL else ["--level", str(self.level)]
        return command(*words, *([] if lang == "en" else ["--lang", lang]), "--out", "FOLDER")


def _word(variant: Variant) -> str:
    return variant.name if variant.name in preset_names() else f"rules/{variant.name}.toml"


def make_setup(
    given: Sequence[str | Path | Rules] | None,
    baseline: str | Path | Rules,
    *,
    player: str | Strategy,
    weaker: str | Strategy,
    deals: int,
    games: int,
    seed: int,
    level: float,
    seconds: float,
) -> Setup:
    """Check everything that can be checked before the first hand."""
    level = check_level(level)
    if not 0 < seconds <= MOST_SECONDS:
        raise UsageError(f"seconds a turn {quoted(seconds)}: must be above 0 and at most {MOST_SECONDS:g}, such as 15")
    first = _variant(baseline)
    found = {first.name: first}
    for each in preset_names() if given is None else given:
        variant = _variant(each)
        if found.setdefault(variant.name, variant).rules != variant.rules:
            raise UsageError(f"variants: two rule sets are called {quoted(variant.name)}; give one another name")
    if len(found) == 1:
        raise UsageError(f"variants: only {quoted(first.name)} is given, which is the baseline; name another one")
    one, two = get_strategy(player), get_strategy(weaker)
    plan = make_plan("hands", first.rules, (one, two), seed=seed, count=deals)
    make_plan("games", first.game.replace(form="single"), (one, two), seed=seed, count=games)
    check_memory(plan)
    names = tuple(each if isinstance(each, str) else each.name for each in (player, weaker))
    texts = None if given is None else tuple(map(str, given))
    return Setup(tuple(found.values()), first.name, texts, one, two, (names[0], names[1]), plan.count, games,
                 plan.seed, level, float(seconds), plan)  # fmt: skip


def _variant(given: str | Path | Rules) -> Variant:
    """Return a variant; a rule file without a name of its own has that of the file."""
    found = rules(given)
    name = found.label
    if "/" in name or "\\" in name or len(name) > 40:
        raise UsageError(f"variants: the name {quoted(name)} is too long or holds a slash; give the rules another")
    return Variant(name, found)


@dataclass(frozen=True)
class Findings:
    """What came out.

    Attributes
    ----------
    overview
        Tidy: ``variant, policy, metric, estimate, low, high, n, unit``: hands, games, skill.
    differences
        The same against the baseline: ``variant, policy, metric, difference, low, high, p_value, p_holm, n, unit``.
    limits
        Frames of :func:`gincore.analysis.variants.limits_frame` with ``variant``.
    grid
        Frames of :func:`gincore.analysis.variants.grid_cell` with ``knock_limit`` and ``undercut_bonus``; None without
        a city variant.
    level
        Of all intervals.
    """

    overview: pd.DataFrame
    differences: pd.DataFrame
    limits: pd.DataFrame
    grid: pd.DataFrame | None
    level: float

    def frames(self) -> dict[str, pd.DataFrame]:
        """Return every frame by the name of its file."""
        found = {"overview": self.overview, "differences": self.differences, "limits": self.limits}
        return found if self.grid is None else {**found, "grid": self.grid}


def measure(setup: Setup, *, workers: int | None = None, progress: bool = True) -> Findings:
    """Play every variant on the same cards, and compare."""
    keys = {variant.hand_key: len(variant.limits) for variant in setup.variants}
    total = sum(keys.values()) * len(FIELD) + len(setup.variants) * len(POLICIES) * 3
    if setup.cities:
        total += 2 * len(GRID_LIMITS) * (1 if setup.rescored else 1 + len(GRID_BONUSES))
    with tqdm(total=total, desc="variant-comparison", unit="run", disable=hidden(progress)) as bar:
        return _Comparison(setup, workers, bar.update).findings()


class _Comparison:
    """Plays variants one after the other; hands that are the same under two rule sets are played once."""

    def __init__(self, setup: Setup, workers: int | None, done: Callable[[], object]) -> None:
        self.setup = setup
        self.workers = workers
        self.done = done
        self.swept: dict[tuple[str, ...], pd.DataFrame] = {}
        self.base: dict[str, dict[str, NDArray[np.float64]]] = {}

    def findings(self) -> Findings:
        """Play and compare everything."""
        level = self.setup.level
        overview, differences, limits = [], [], []
        for variant in sorted(self.setup.variants, key=lambda each: each.name != self.setup.baseline):
            limit = self.limits(variant)
            limits.append(limit.assign(variant=variant.name))
            for policy in POLICIES:
                frame, values = self.one(variant, policy, int(limit.loc[limit["best"], "limit"].iloc[0]))
                overview.append(frame.assign(variant=variant.name, policy=policy))
                if variant.name == self.setup.baseline:
                    self.base[policy] = values
                else:
                    compared = self.compared(values, self.base[policy])
                    differences.append(compared.assign(variant=variant.name, policy=policy))
        return Findings(
            _first(pd.concat(overview, ignore_index=True), "variant", "policy"),
            _first(analysis.with_holm(pd.concat(differences, ignore_index=True)), "variant", "policy"),
            _first(pd.concat(limits, ignore_index=True), "variant"),
            self.grid() if self.setup.cities else None,
            level,
        )

    def compared(self, values: dict[str, NDArray[np.float64]], base: dict[str, NDArray[np.float64]]) -> pd.DataFrame:
        """Compare deal by deal and, where both have games of two sides, game by game."""
        both = values.keys() & base.keys()
        hands = {name: each for name, each in values.items() if name in both and name != analysis.GAMES_WON}
        frame = analysis.paired_frame(hands, base, "deal", self.setup.level)
        if analysis.GAMES_WON not in both:
            return frame
        games = {analysis.GAMES_WON: values[analysis.GAMES_WON]}
        return pd.concat(
            [frame, analysis.paired_frame(games, base, "pair of games", self.setup.level)], ignore_index=True
        )

    def one(self, variant: Variant, policy: str, limit: int) -> tuple[pd.DataFrame, dict[str, NDArray[np.float64]]]:
        """Play a variant's hands and games under one knock policy."""
        setup = self.setup
        better, weaker = setup.player, setup.weaker
        if policy == BEST:
            knock = get_strategy(f"threshold,limit={limit}")
            better, weaker = better.with_decisions(knock, "knock"), weaker.with_decisions(knock, "knock")
        hands = self.play("hands", variant.rules, (better, better), setup.deals, mirror=False)
        values = analysis.deal_values(hands.hands_frame())
        frames = [analysis.hand_frame(hands.moments, setup.level)]
        three = variant.rules.form == "cutthroat"
        length = self.play(
            "games", variant.game, (better,) * (3 if three else 2), setup.games, mirror=False, keep="stats"
        )
        frames.append(analysis.length_frame(length.moments, setup.seconds, setup.level))
        if not three:
            games = self.play("games", variant.game, (better, weaker), setup.games)
            frames.append(analysis.skill_frame(games.moments, setup.level))
            values[analysis.GAMES_WON] = _won(games)
        else:
            self.done()
        return pd.concat(frames, ignore_index=True), values

    def limits(self, variant: Variant) -> pd.DataFrame:
        """Sweep the knock limits of a variant, on cards of their own: what is picked is not measured on the same."""
        if variant.hand_key not in self.swept:
            setup = self.setup
            sums = PairedSums(variant.limits, 2 * len(FIELD))
            totals = []
            for limit in variant.limits:
                mine = setup.player.with_decisions(get_strategy(f"threshold,limit={limit}"), "knock")
                played = [
                    self.play("hands", variant.rules, (mine, get_strategy(name)), setup.sweep_deals, first=setup.deals)
                    for name in FIELD
                ]
                totals.append(sum(unit_totals(_net(result.rows()), 2) for result in played))
            sums.add(totals)  # type: ignore[arg-type]
            self.swept[variant.hand_key] = analysis.limits_frame(sums, setup.level)
        return self.swept[variant.hand_key]

    def grid(self) -> pd.DataFrame:
        """Return the city grid."""
        cells = pd.concat(list(self.cells()), ignore_index=True)
        return _first(cells, "knock_limit", "undercut_bonus").assign(level=self.setup.level)

    def cells(self) -> Iterator[pd.DataFrame]:
        """Yield the cells of the city grid: limits are played, bonuses scored again from the same rows."""
        setup, chosen = self.setup, rules(BASELINE)
        for limit in GRID_LIMITS:
            under = chosen.replace(knock_limit=limit)
            base, rows = chosen.undercut_bonus, self.grid_rows(under)
            for bonus in GRID_BONUSES:
                if not setup.rescored:
                    base, rows = bonus, self.grid_rows(under.replace(undercut_bonus=bonus))
                cell = analysis.grid_cell(*rows, base, bonus, setup.level)
                yield cell.assign(knock_limit=limit, undercut_bonus=bonus)

    def grid_rows(self, under: Rules) -> tuple[pd.DataFrame, pd.DataFrame]:
        """Play hands between equals, and of the better against the weaker."""
        better, count = self.setup.player, self.setup.grid_deals
        equal = self.play("hands", under, (better, better), count, mirror=False)
        return equal.hands_frame(), self.play("hands", under, (better, self.setup.weaker), count).hands_frame()

    def play(
        self,
        kind: Any,
        under: Rules,
        players: Sequence[Strategy],
        count: int,
        *,
        mirror: bool = True,
        keep: Any = "rows",
        first: int = 0,
    ) -> Result:
        """Play one plan in memory."""
        plan = make_plan(kind, under, players, seed=self.setup.seed, count=count, mirror=mirror, keep=keep, first=first)
        result = execute(plan, workers=self.workers, progress=False)
        self.done()
        return result


def _net(rows: np.ndarray) -> NDArray[np.int64]:
    assert rows.dtype == HAND_DTYPE
    net: NDArray[np.int64] = rows["points_0"].astype(np.int64) - rows["points_1"]
    return net


def _won(games: Result) -> NDArray[np.float64]:
    """Share of a pair of games that player 0 wins; a game nobody wins counts one half."""
    winner = games.matches_frame()["winner"].fillna(-1).to_numpy(np.int64)
    halves = 1 + (winner == 0).astype(np.int64) - (winner == 1)
    shares: NDArray[np.float64] = unit_totals(halves, games.layout.per_unit) / (2 * games.layout.per_unit)
    return shares


def _first(frame: pd.DataFrame, *names: str) -> pd.DataFrame:
    return frame[[*names, *frame.columns.drop(list(names))]]
