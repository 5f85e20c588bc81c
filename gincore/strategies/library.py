"""The library of decisions: every one that a strategy can name, by kind."""

from __future__ import annotations

from gincore.errors import UsageError, nearest
from gincore.strategies.careless import CARELESS
from gincore.strategies.danger import SAFE
from gincore.strategies.decisions import KINDS, Decision
from gincore.strategies.discards import DISCARDS
from gincore.strategies.draws import DRAWS
from gincore.strategies.entry import Entry, Parameter
from gincore.strategies.knock_cells import CELLS
from gincore.strategies.knocks import KNOCKS
from gincore.strategies.lookahead import AHEAD
from gincore.strategies.rollout import ROLLOUT

LIBRARY: tuple[Entry, ...] = (*DRAWS, *DISCARDS, CARELESS, *AHEAD, *SAFE, *KNOCKS, *CELLS)
"""Every decision of the library."""

_BY_NAME = {kind: {entry.name: entry for entry in LIBRARY if entry.kind == kind} for kind in KINDS}
_BY_DECISION = {entry.decision: entry for entry in LIBRARY}
_WITH_ROLLOUT = _BY_DECISION | {entry.decision: entry for entry in ROLLOUT}


def named(strategy: str, kind: str, name: str) -> Entry:
    """Return the decision of a kind and name, for a strategy that is named in the error if there is none."""
    known = _BY_NAME[kind]
    if name not in known:
        raise UsageError(
            f"strategy {strategy}: {kind}={name} is not known{nearest(name, known)}; allowed: {', '.join(known)}"
        )
    return known[name]


def entry_of(decision: Decision) -> Entry | None:
    """Return the library's entry of a decision, None for one of the user's own."""
    return _BY_DECISION.get(decision)


def parameters_of(decision: Decision) -> tuple[Parameter, ...]:
    """Return the parameters of a decision that comes with the package, those of ``rollout`` included."""
    found = _WITH_ROLLOUT.get(decision)
    return found.parameters if found else ()


def meaning(decision: Decision, parameter: str) -> str:
    """Return what a parameter of a decision that comes with the package means."""
    return next(each.meaning for each in parameters_of(decision) if each.name == parameter)


__all__ = ["LIBRARY", "Entry", "Parameter", "entry_of", "meaning", "named", "parameters_of"]
