"""``threshold``: plays as ``simple`` but knocks only at or below a limit of its own, by turn."""

from __future__ import annotations

from typing import Any

from gincore.strategies.base import Strategy, decision
from gincore.strategies.choose import knock_least_not_repeated
from gincore.strategies.simple import SIMPLE


@decision
def knock_at_limit(view: Any, params: Any) -> Any:
    """Knock at or below params[0] points; from turn params[2] on at or below params[1], unless that is -1."""
    limit = params[0]
    if params[1] >= 0 and view.turn >= params[2]:
        limit = params[1]
    if view.can_big_gin:
        return 1
    return knock_least_not_repeated(view) if view.knock_deadwood <= limit else 0


THRESHOLD = Strategy(
    "threshold",
    knock=knock_at_limit,
    params={"limit": 10, "late_limit": -1, "late_turn": 0},
    bounds={"limit": (0, 100), "late_limit": (-1, 100), "late_turn": (0, 400)},
    base=SIMPLE,
)
