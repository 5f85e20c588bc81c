"""Whether other undercut bonuses may be scored from rows that were played under one."""

from __future__ import annotations

from typing import Final

from gincore.ruleset import Rules
from gincore.strategies import Strategy

BLIND: Final = frozenset(
    f"gincore.strategies.{name}"
    for name in ("careless", "danger", "discards", "draws", "knock_cells", "knocks", "lookahead")
)
"""Modules of decisions that do not look at the undercut bonus."""


def can_rescore(rules: Rules, *players: Strategy) -> bool:
    """Return whether neither play nor the knocker's spread depends on the undercut bonus.

    Decisions are the package's own that do not read it; a knocker who may lay any spread chooses by points.
    """
    labels = {player.describe()[kind].partition(":")[0] for player in players for kind in ("draw", "discard", "knock")}
    return rules.knocker_spread != "best" and labels <= BLIND
