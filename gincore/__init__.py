"""gincore: a Monte Carlo toolkit for gin rummy.

The names below are all that is public. They are imported on first use (PEP 562), so that
``import gincore`` stays fast, imports neither pandas nor numba, and compiles nothing.

>>> import gincore
>>> gincore.format_hand(gincore.parse_hand("5H 5S 5C 10D"))
'5c Td 5h 5s'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from gincore.api import GameRun, Run, open_run, simulate, simulate_games
    from gincore.cards import format_hand, parse_hand
    from gincore.contests import Arena, Explanation, SprtResult, arena, explain, sprt
    from gincore.errors import RunError, UsageError
    from gincore.evaluate import Showdown, deadwood, is_big_gin, showdown, spreads
    from gincore.exact import ExactDeadwood, exact_deadwood
    from gincore.forks import Forks, knock_or_wait
    from gincore.report.questions.shown import ask
    from gincore.ruleset import Rules, preset_names, rules
    from gincore.shown import show
    from gincore.strategies import Strategy, decision
    from gincore.strategies import names as strategy_names

__version__ = "0.1.0"

__all__ = [
    "Arena",
    "ExactDeadwood",
    "Explanation",
    "Forks",
    "GameRun",
    "Rules",
    "Run",
    "RunError",
    "Showdown",
    "SprtResult",
    "Strategy",
    "UsageError",
    "arena",
    "ask",
    "deadwood",
    "decision",
    "exact_deadwood",
    "explain",
    "format_hand",
    "is_big_gin",
    "knock_or_wait",
    "open_run",
    "parse_hand",
    "preset_names",
    "rules",
    "show",
    "showdown",
    "simulate",
    "simulate_games",
    "spreads",
    "sprt",
    "strategy_names",
]

_HOME: Final = {
    "GameRun": "api",
    "Run": "api",
    "simulate": "api",
    "simulate_games": "api",
    "Arena": "contests",
    "Explanation": "contests",
    "SprtResult": "contests",
    "arena": "contests",
    "explain": "contests",
    "sprt": "contests",
    "ask": "report.questions.shown",
    "format_hand": "cards",
    "parse_hand": "cards",
    "RunError": "errors",
    "UsageError": "errors",
    "Showdown": "evaluate",
    "deadwood": "evaluate",
    "is_big_gin": "evaluate",
    "showdown": "evaluate",
    "spreads": "evaluate",
    "Rules": "ruleset",
    "preset_names": "ruleset",
    "rules": "ruleset",
    "open_run": "api",
    "ExactDeadwood": "exact",
    "exact_deadwood": "exact",
    "Forks": "forks",
    "knock_or_wait": "forks",
    "show": "shown",
    "Strategy": "strategies",
    "decision": "strategies",
    "strategy_names": "strategies",
}
"""Module in which each public name lives."""

_NAMED_OTHERWISE: Final = {"strategy_names": "names"}
"""Public names that differ from the name in their module."""


def __getattr__(name: str) -> Any:
    """Import a public name on its first use and keep it."""
    if name not in _HOME:
        raise AttributeError(f"module 'gincore' has no attribute {name!r}")
    value = getattr(import_module(f"gincore.{_HOME[name]}"), _NAMED_OTHERWISE.get(name, name))
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, imported or not, and nothing else."""
    return sorted(__all__)
