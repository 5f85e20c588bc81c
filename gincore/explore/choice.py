"""What the sliders say, and what is played for it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import Final

import pandas as pd

from gincore.api import simulate
from gincore.ruleset import Rules, preset_names, rules
from gincore.strategies import Strategy
from gincore.strategies import get as get_strategy

OPPONENTS: Final = (
    "simple", "threshold,limit=4", "gin-only", "careless", "eager", "keep-pairs", "table-classic", "random",
)  # fmt: skip
"""Opponents that play so fast that the charts answer within a second."""

METRICS: Final = (
    "net_points_per_hand",
    "won_0_share",
    "won_1_share",
    "knock_share",
    "gin_share",
    "undercut_share",
    "dead_share",
)
"""What is shown of an answer."""

USUAL_LIMIT: Final = 10
FREE_LIMIT: Final = 30
"""Highest limit that the sliders offer, and where going out needs melded cards and no deadwood limit."""

LEVEL: Final = 0.95


@dataclass(frozen=True)
class Choice:
    """The positions of the sliders.

    Parameters
    ----------
    variant
        Name of the preset.
    opponent
        Name of a strategy.
    limit
        Highest deadwood to knock with before turn `late_turn`.
    late_limit
        The same from that turn on.
    late_turn
        Completed turns of both players.
    gin_bonus, undercut_bonus
        Points.
    """

    variant: str = "classic"
    opponent: str = "simple"
    limit: int = 10
    late_limit: int = 4
    late_turn: int = 8
    gin_bonus: int = 25
    undercut_bonus: int = 25

    def rules(self) -> Rules:
        """Return the rules: the preset with these bonuses."""
        return rules(self.variant, gin_bonus=self.gin_bonus, undercut_bonus=self.undercut_bonus)

    def strategy(self) -> Strategy:
        """Return the player of the sliders: ``threshold`` with these limits."""
        limits = {"limit": self.limit, "late_limit": self.late_limit, "late_turn": self.late_turn}
        return get_strategy("threshold").with_params(**limits)

    def under(self, variant: str) -> Choice:
        """Return the same choice under another preset, with its bonuses, and limits that it knows."""
        own, most = rules(variant), most_limit(variant)
        return replace(
            self,
            variant=variant,
            limit=min(self.limit, most),
            late_limit=min(self.late_limit, most),
            gin_bonus=own.gin_bonus,
            undercut_bonus=own.undercut_bonus,
        )


@cache
def variants() -> tuple[str, ...]:
    """Return the presets of two players in which one may knock short of gin."""
    found = ((name, rules(name)) for name in preset_names())
    return tuple(name for name, each in found if each.form == "single" and most_limit(name) > 0)


def most_limit(variant: str) -> int:
    """Return the highest knock limit that makes a difference under a preset."""
    own = rules(variant)
    if own.min_melded is not None:
        return FREE_LIMIT
    return own.knock_limit if isinstance(own.knock_limit, int) else USUAL_LIMIT


def answer(choice: Choice, *, deals: int, seed: int, workers: int | None = None) -> pd.DataFrame:
    """Play a choice and return what the charts show.

    Parameters
    ----------
    choice
        The positions of the sliders.
    deals
        Each is played twice, with the seats exchanged.
    seed, workers
        As of :func:`gincore.simulate`.

    Returns
    -------
    DataFrame
        Columns ``metric, estimate, low, high, n, unit, level``, one row for each of :data:`METRICS`; player 0 is the
        player of the sliders.
    """
    players = (choice.strategy(), choice.opponent)
    run = simulate(
        choice.rules(), players, deals=deals, seed=seed, keep="stats", workers=workers, progress=False
    )  # fmt: skip
    frame = run.summary(LEVEL).set_index("metric").loc[list(METRICS)].reset_index()
    return frame.assign(level=LEVEL)
