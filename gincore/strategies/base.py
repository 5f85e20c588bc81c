"""What a strategy is: a name, three decisions, and the parameters of each."""

from __future__ import annotations

import hashlib
import inspect
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gincore.errors import UsageError, nearest, quoted
from gincore.strategies.decisions import KINDS, Decision, decision

if TYPE_CHECKING:
    from gincore.strategies.entry import Entry

__all__ = ["KINDS", "Decision", "Strategy", "decision"]

Given = Decision | Callable[[Any, Any], Any] | str
"""What may be given as a decision: one of the user's, or the name of one of the library's."""


@dataclass(frozen=True)
class _Part:
    """One decision with its own parameters."""

    decision: Decision
    params: tuple[tuple[str, float], ...] = ()
    bounds: tuple[tuple[str, float, float], ...] = ()
    table: bytes = b""

    def values(self) -> NDArray[np.float64]:
        named = np.array([value for _, value in self.params], np.float64)
        return np.concatenate([named, np.frombuffer(self.table, np.float64)])

    @classmethod
    def of(cls, entry: Entry, table: bytes) -> _Part:
        """A decision of the library with its defaults."""
        params = tuple((each.name, float(each.default)) for each in entry.parameters)
        bounds = tuple((each.name, float(each.low), float(each.high)) for each in entry.parameters)
        return cls(entry.decision, params, bounds, table if entry.shape else b"")

    def with_bounds(self, bounds: tuple[tuple[str, float, float], ...]) -> _Part:
        known = dict(self.params)
        added = tuple(limit for limit in bounds if limit[0] in known and limit not in self.bounds)
        return replace(self, bounds=self.bounds + added) if added else self

    def with_values(self, strategy: str, values: Mapping[str, float]) -> _Part:
        """The same part with other values of the parameters that it has, inside their bounds."""
        for key, value in self.params:
            check_bounds(strategy, key, values.get(key, value), self.bounds)
        return replace(self, params=tuple((key, values.get(key, value)) for key, value in self.params))


@dataclass(frozen=True, init=False)
class Strategy:
    """A way to play: three decisions and their parameters.

    Parameters
    ----------
    name : str
    draw, discard, knock : Decision, function or str, optional
        A text names a decision of the library (``gincore strategies decisions`` lists them), which brings its
        parameters along. What is not given comes from ``base``, with the parameters it has there.
    params : mapping of str to float, optional
        Values of the parameters that named decisions and decisions of the base have. Functions given here receive all
        that no named decision has, in the order in which ``params[0]``, ``params[1]`` .. hold them.
    bounds : mapping of str to (low, high), optional
        Allowed values of these parameters, both ends included.
    table : array_like of float64, optional
        Numbers that the decisions given here look up, flat, in ``params`` behind the named ones: a learned table.
    base : Strategy or str, optional
        ``"simple"`` unless all three decisions are given.

    Examples
    --------
    >>> import gincore
    >>> patient = gincore.Strategy("patient", base="threshold,limit=4")
    >>> patient.params["limit"]
    4.0
    >>> gincore.Strategy("patient", base="threshold", params={"limit": 4}).params["limit"]
    4.0
    >>> gincore.Strategy("mine", draw="improve", discard="lookahead", params={"draw_gain": 3}).params
    {'draw_gain': 3.0}
    """

    name: str
    parts: tuple[_Part, _Part, _Part] = field(repr=False)

    def __init__(
        self,
        name: str,
        *,
        draw: Given | None = None,
        discard: Given | None = None,
        knock: Given | None = None,
        params: Mapping[str, float] | None = None,
        bounds: Mapping[str, tuple[float, float]] | None = None,
        table: ArrayLike | None = None,
        base: Strategy | str = "simple",
    ) -> None:
        if not isinstance(name, str) or not name:
            raise UsageError(f"strategy name {quoted(name)}: must be a text that is not empty")
        values, limits, numbers = _numbers(name, params), _limits(name, bounds), _table(name, table)
        given = tuple(_chosen(name, *pair) for pair in zip(KINDS, (draw, discard, knock), strict=True))
        inherited = _resolve(base).parts if None in given else (None, None, None)
        if numbers and not any(isinstance(each, Decision) or (each and each.shape) for each in given):
            raise UsageError(f"strategy {name}: a table is given, and no decision that could read it")
        named = {each.name for entry in given if entry and not isinstance(entry, Decision) for each in entry.parameters}
        free = tuple((key, value) for key, value in values.items() if key not in named)
        parts = []
        for chosen, part in zip(given, inherited, strict=True):
            if isinstance(chosen, Decision):
                part = _Part(chosen, free, limits, numbers)
            elif chosen is not None:
                part = _fitted(name, chosen, _Part.of(chosen, numbers).with_values(name, values))
            assert part is not None
            parts.append(part.with_bounds(limits).with_values(name, values))
        _refuse_unknown(name, parts, values, limits)
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "parts", tuple(parts))

    def __repr__(self) -> str:
        """One line: name, decisions, parameters."""
        from gincore.strategies.shown import line

        return line(self)

    def __str__(self) -> str:
        """A line a decision, with its parameters."""
        from gincore.strategies.shown import text

        return text(self)

    def _repr_html_(self) -> str:
        from gincore.strategies.shown import page

        return page(self)

    @property
    def params(self) -> dict[str, float]:
        """All parameters by name."""
        return {key: value for part in self.parts for key, value in part.params}

    @property
    def bounds(self) -> dict[str, tuple[float, float]]:
        """Lowest and highest allowed value of each parameter that has bounds."""
        found: dict[str, tuple[float, float]] = {}
        for name, low, high in (limit for part in self.parts for limit in part.bounds):
            if name in self.params:
                before = found.get(name, (low, high))
                found[name] = (max(low, before[0]), min(high, before[1]))
        return found

    def with_params(self, **values: float) -> Strategy:
        """The same strategy with other values of parameters that it has; the name tells them."""
        known = self.params
        for key in values:
            if key not in known:
                raise UsageError(
                    f"strategy {self.name}: no parameter {quoted(key)}{nearest(key, known)}; it has: {_names(known)}"
                )
        numbers = _numbers(self.name, values)
        parts = tuple(part.with_values(self.name, numbers) for part in self.parts)
        changed = [f"{key}={values[key]:g}" for key in known if key in values]
        other = object.__new__(Strategy)
        object.__setattr__(other, "name", ",".join([self.name, *changed]))
        object.__setattr__(other, "parts", parts)
        return other

    def with_decisions(self, other: Strategy, *kinds: str) -> Strategy:
        """The same strategy with these decisions (``"knock"``) of another, their parameters and tables with them."""
        for kind in kinds:
            if kind not in KINDS:
                raise UsageError(f"strategy {self.name}: no decision {quoted(kind)}; allowed: {', '.join(KINDS)}")
        parts = tuple((other if kind in kinds else self).parts[place] for place, kind in enumerate(KINDS))
        mixed = object.__new__(Strategy)
        object.__setattr__(mixed, "name", f"{self.name} with {' and '.join(kinds)} of {other.name}")
        object.__setattr__(mixed, "parts", parts)
        return mixed

    def functions(self) -> tuple[Any, Any, Any]:
        """The compiled decisions: draw, discard, knock."""
        draw, discard, knock = (part.decision.compiled for part in self.parts)
        return draw, discard, knock

    def values(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Parameters of draw, discard and knock as the decisions receive them."""
        draw, discard, knock = (part.values() for part in self.parts)
        return draw, discard, knock

    def describe(self) -> dict[str, Any]:
        """What a manifest keeps of a strategy (plain JSON)."""
        described: dict[str, Any] = {"name": self.name, "params": self.params, "digest": self.digest()}
        for kind, part in zip(KINDS, self.parts, strict=True):
            described[kind] = part.decision.label
        return described

    def digest(self) -> str:
        """Digest of the decisions' source and of the parameters; the name is left out."""
        digest = hashlib.sha256()
        for part in self.parts:
            digest.update(f"{part.decision.digest()}{part.params}".encode() + part.table)
        return digest.hexdigest()[:16]

    @property
    def file(self) -> Path | None:
        """The user's file that holds a decision of this strategy, None for the package's own."""
        for part in self.parts:
            if not part.decision.own:
                try:
                    return Path(inspect.getfile(part.decision.function))
                except TypeError:
                    return None
        return None


def _chosen(strategy: str, kind: str, given: Given | None) -> Decision | Entry | None:
    """Return the library's entry for a name (or for a decision that it has), or the user's decision."""
    if given is None:
        return None
    from gincore.strategies import library

    if isinstance(given, str):
        return library.named(strategy, kind, given)
    own = given if isinstance(given, Decision) else decision(given)
    entry = library.entry_of(own)
    if entry is not None and entry.kind != kind:
        raise UsageError(f"strategy {strategy}: {kind}={own.label} is a {entry.kind} decision of the library")
    return entry or own


def _fitted(strategy: str, entry: Entry, part: _Part) -> _Part:
    """The same part, its table's shape fixed for good; a table that has another size is refused."""
    if not entry.shape:
        return part
    sizes = [value for key, value in part.params if key in entry.shape]
    count = len(part.table) // 8
    if math.prod(sizes) != count or not all(value.is_integer() for value in sizes):
        needed = f"{' x '.join(entry.shape)} = {' x '.join(f'{value:g}' for value in sizes)}"
        raise UsageError(
            f"strategy {strategy}: {entry.kind}={entry.name} needs a table of {needed} numbers, and is given {count}"
        )
    fixed = tuple((key, value, value) for key, value in part.params if key in entry.shape)
    return replace(part, bounds=(*(limit for limit in part.bounds if limit[0] not in entry.shape), *fixed))


def _refuse_unknown(
    strategy: str, parts: Iterable[_Part], values: Mapping[str, float], limits: Iterable[tuple[str, float, float]]
) -> None:
    """Refuse values and bounds of parameters that no part has."""
    known = {key for part in parts for key, _ in part.params}
    for key in values:
        if key not in known:
            raise UsageError(
                f"strategy {strategy}: no parameter {quoted(key)}{nearest(key, known)}, as no decision is given "
                f"that could read it; it has: {_names(known)}"
            )
    for key, _, _ in limits:
        if key not in known:
            raise UsageError(
                f"strategy {strategy}: bounds of {quoted(key)}, which is no parameter; it has: {_names(known)}"
            )


def number(strategy: str, key: str, value: Any) -> float:
    """A parameter's value as a finite float, or an error that names it."""
    try:
        converted = float(value)
    except (TypeError, ValueError):
        converted = math.nan
    if isinstance(value, bool) or not math.isfinite(converted):
        raise UsageError(f"strategy {strategy}: {key}={quoted(value)} is not a finite number")
    return converted


def _numbers(strategy: str, params: Mapping[str, Any] | None) -> dict[str, float]:
    """Parameters by name, their values as finite floats."""
    if params is not None and not isinstance(params, Mapping):
        raise UsageError(f"strategy {strategy}: params must be a mapping of names to numbers, not {quoted(params)}")
    for key in params or {}:
        if not isinstance(key, str) or not key.isidentifier():
            raise UsageError(f"strategy {strategy}: parameter name {quoted(key)} must be a word, such as late_limit")
    return {key: number(strategy, key, value) for key, value in (params or {}).items()}


def _table(strategy: str, table: ArrayLike | None) -> bytes:
    """Return the numbers of a table as bytes, which compare and pickle."""
    if table is None:
        return b""
    try:
        numbers = np.ascontiguousarray(table, np.float64)
    except (TypeError, ValueError):
        raise UsageError(f"strategy {strategy}: table must be numbers, not {quoted(table)}") from None
    if not np.all(np.isfinite(numbers)):
        raise UsageError(f"strategy {strategy}: table holds a number that is not finite")
    return numbers.tobytes()


def _limits(strategy: str, bounds: Mapping[str, Any] | None) -> tuple[tuple[str, float, float], ...]:
    """Bounds as (name, low, high)."""
    if bounds is not None and not isinstance(bounds, Mapping):
        raise UsageError(f"strategy {strategy}: bounds must be a mapping of names to (low, high), not {quoted(bounds)}")
    limits = []
    for key, pair in (bounds or {}).items():
        try:
            low, high = (float(value) for value in pair)
        except (TypeError, ValueError):
            low, high = math.nan, math.nan
        if not low <= high:
            raise UsageError(
                f"strategy {strategy}: bounds of {quoted(key)} are {quoted(pair)}, and must be (low, high)"
            )
        limits.append((key, low, high))
    return tuple(limits)


def _names(known: Iterable[str]) -> str:
    return ", ".join(sorted(known)) or "none"


def check_bounds(strategy: str, key: str, value: float, limits: tuple[tuple[str, float, float], ...]) -> None:
    """Refuse a value outside its bounds."""
    for name, low, high in limits:
        if name == key and not low <= value <= high:
            raise UsageError(f"strategy {strategy}: {key}={value:g} is not in {low:g}..{high:g}")


def _resolve(base: Strategy | str) -> Strategy:
    if isinstance(base, Strategy):
        return base
    from gincore.strategies.catalogue import get

    return get(base)
