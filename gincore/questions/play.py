"""The runs of questions: each is played once, and kept for every question that needs it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from gincore.analysis.questions_cards import Courses
from gincore.analysis.questions_games import Games
from gincore.analysis.questions_hands import Hands
from gincore.analysis.questions_moments import Moments
from gincore.api import simulate, simulate_games
from gincore.forks import knock_or_wait
from gincore.questions.entry import ArmSpec, Entry, Group, RowSpec
from gincore.ruleset import Rules, rules
from gincore.runs.histories import play_histories
from gincore.runs.plan import make_plan
from gincore.strategies import Strategy
from gincore.strategies import get as get_strategy

Data = Hands | Games | Moments | Courses

SLOW: Final[Mapping[str, float]] = {"by_network": 25.0, "lookahead": 5.0, "danger": 2.0}
"""By how much fewer deals are played where a decision of such a module takes long."""

DEALS_A_GAME: Final = 10
"""Deals for which one game is played: a game takes about as many hands."""

LEAST_DEALS: Final = 20
"""Deals that are always played, however slow the players are."""


@dataclass(frozen=True)
class Arm:
    """A run to be played: what, rules, players, how many deals or games, whether mirrored, how slow the players are."""

    play: str
    rules: Rules
    players: tuple[Strategy, Strategy]
    count: int
    mirror: bool
    factor: float = 1.0

    @property
    def asked(self) -> float:
        """Deals that must be asked for, for each unit of this run."""
        return self.factor * (DEALS_A_GAME if self.play == "games" else 1) / _times(self.mirror)

    @property
    def key(self) -> tuple[Any, ...]:
        """What tells this run from others."""
        digests = tuple(player.digest() for player in self.players)
        return self.play, self.rules.digest(), digests, self.count, self.mirror

    @property
    def noun(self) -> str:
        """What an independent unit is."""
        noun = "game" if self.play == "games" else "deal"
        return f"pair of {noun}s" if self.mirror else noun


def slowness(strategy: Strategy) -> float:
    """Return by how much fewer deals are played with a strategy."""
    labels = [str(strategy.describe()[kind]) for kind in ("draw", "discard", "knock")]
    return max((factor for part, factor in SLOW.items() if any(part in label for label in labels)), default=1.0)


def arms_of(entry: Entry, group: Group, deals: int) -> dict[str, Arm]:
    """Return the runs of a group of a question: all as many, and mirrored if any two players differ."""
    made = {name: _made(spec, group) for name, spec in entry.arms.items()}
    players = [player for _, pair in made.values() for player in pair]
    factor = max(slowness(player) for player in players)
    mirror = any(a.digest() != b.digest() for _, (a, b) in made.values())
    count = max(round(deals / factor), LEAST_DEALS) * _times(mirror)
    found = {}
    for name, (chosen, pair) in made.items():
        play = entry.arms[name].play
        units = max(count // DEALS_A_GAME, 2) if play == "games" else count
        found[name] = Arm(play, chosen, pair, units, mirror, factor)
    return found


def _times(mirror: bool) -> int:
    """Return how often a deal that is asked for is played: two deals once each in place of one deal both ways."""
    return 1 if mirror else 2


def _made(spec: ArmSpec, group: Group) -> tuple[Rules, tuple[Strategy, Strategy]]:
    changes = {k: v.format(**group.words) if isinstance(v, str) else v for k, v in spec.changes.items()}
    one, two = (get_strategy(text.format(**group.words)) for text in spec.players)
    return rules(spec.rules.format(**group.words), **changes), (one, two)


@dataclass
class Shelf:
    """Runs that were played, by their key.

    Attributes
    ----------
    seed
        Of every run.
    workers
        Threads; None for one a usable CPU.
    done
        Called after every run that was played.
    played
        The data of the runs, kept as long as somebody waits for them.
    """

    seed: int
    workers: int | None = None
    done: Callable[[], object] = lambda: None
    played: dict[tuple[Any, ...], Data] = field(default_factory=dict)

    def get(self, arm: Arm) -> Data:
        """Return the data of a run, playing it if nobody has asked for it before."""
        if arm.key not in self.played:
            self.played[arm.key] = _PLAY[arm.play](arm, self.seed, self.workers)
            self.done()
        return self.played[arm.key]

    def drop(self, keep: set[tuple[Any, ...]]) -> None:
        """Forget all runs but those that are named."""
        for key in self.played.keys() - keep:
            del self.played[key]


def _hands(arm: Arm, seed: int, workers: int | None) -> Hands:
    run = simulate(
        arm.rules, arm.players, deals=arm.count, seed=seed, mirror=arm.mirror, workers=workers, progress=False,
        chunk=_chunk(arm.count),
    )  # fmt: skip
    return Hands(np.concatenate([rows.copy() for rows, _ in run.result.blocks()]), arm.count)


def _games(arm: Arm, seed: int, workers: int | None) -> Games:
    run = simulate_games(
        arm.rules, arm.players, games=arm.count, seed=seed, mirror=arm.mirror, workers=workers, progress=False,
        chunk=_chunk(arm.count),
    )  # fmt: skip
    games = [rows.copy() for _, rows in run.result.blocks() if rows is not None]
    return Games(np.concatenate(games), arm.count, arm.rules.target)


def _forks(arm: Arm, seed: int, workers: int | None) -> Moments:
    followed = knock_or_wait(
        arm.rules, arm.players, deals=arm.count, seed=seed, mirror=arm.mirror, workers=workers, progress=False
    )
    return Moments(followed.result.moments(), arm.count)


def _courses(arm: Arm, seed: int, workers: int | None) -> Courses:
    plan = make_plan("hands", arm.rules, arm.players, seed=seed, count=arm.count, mirror=arm.mirror)
    found = play_histories(plan, workers=workers)
    return Courses(found.rows, found.dealt, found.drawn, found.thrown, found.opened, arm.count)


_PLAY: Final[Mapping[str, Callable[[Arm, int, int | None], Data]]] = {
    "hands": _hands,
    "games": _games,
    "forks": _forks,
    "courses": _courses,
}


def _chunk(count: int) -> int | None:
    """Return a chunk that leaves work for several threads where few deals are played; None for the usual."""
    return max(-(-count // 16), 1) if count <= 16_384 else None


def used(entry: Entry, row: RowSpec) -> list[Group]:
    """Return the groups that a row is asked for."""
    return [group for group in entry.groups if not row.groups or group.name[0] in row.groups]


__all__ = ["Arm", "Data", "Shelf", "arms_of", "slowness", "used"]
