"""What a strategy is: a name, three decisions, and the parameters of each."""

from __future__ import annotations

import difflib
import hashlib
import importlib
import inspect
import math
import sys
import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gincore import _jit
from gincore.errors import UsageError, quoted
from gincore.strategies.beside import LOADED, files_beside
from gincore.strategies.guide import view_guide

KINDS = ("draw", "discard", "knock")
"""The decisions of a strategy, in the order in which the engine holds them."""


class Decision:
    """A decision function ``decide(view, params) -> int``, compiled when it is first played.

    Parameters
    ----------
    function : callable
        Plain Python that numba can compile. ``view`` has the fields of ``gincore.schema.VIEW_FIELDS``, ``params``
        is a float64 array; neither may be written. ``help(gincore.decision)`` says the rest.
    """

    def __init__(self, function: Callable[[Any, Any], Any]) -> None:
        self.function = function
        self.__name__ = function.__name__
        self.__doc__ = function.__doc__

    def __call__(self, view: Any, params: Any) -> Any:
        """Decide in plain Python."""
        return self.function(view, params)

    def __repr__(self) -> str:
        return f"<decision {self.label}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Decision) and self.function is other.function

    def __hash__(self) -> int:
        return hash(self.function)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by name where the function can be found by name, else with the function itself (notebooks)."""
        module, name = self.function.__module__, self.function.__qualname__
        path = None if self.own or module == "__main__" else _file_of(self.function)
        if module != "__main__" and getattr(_module(module, path), name, None) is self:
            return _find, (module, name, path)
        return Decision, (self.function,)

    @property
    def label(self) -> str:
        """Where the function stands: module and name."""
        return f"{self.function.__module__}:{self.function.__qualname__}"

    @property
    def own(self) -> bool:
        """Whether it is one of the package's, so that the digest of the package's source covers it."""
        return self.function.__module__.startswith("gincore.")

    @cached_property
    def compiled(self) -> Any:
        """The function compiled for the engine's signature."""
        from gincore.core.decide import SIGNATURE

        if self.own:
            return _jit.compile_decision(self.function, SIGNATURE, cache=True)
        from gincore.strategies import check

        check.prepare(self.function)
        try:
            compiled = _jit.compile_decision(self.function, SIGNATURE, cache=False)
        except Exception as error:
            raise UsageError(check.explain(self.function, error)) from error
        if check.compiled_here(compiled):
            check.examine(self.function, compiled, SIGNATURE)
        return compiled

    def digest(self) -> str:
        """Digest of all that the decision's answer can depend on, as far as can be seen.

        That is the whole file that holds the function, with the modules in the same folder that it imports; in a
        notebook, which has no file, the function's text and what its global names stand for. Installed packages that
        it imports are not covered.
        """
        try:
            file = Path(inspect.getfile(self.function))
            text = file.read_bytes() + self.function.__qualname__.encode()
            if not self.own:
                text += b"".join(hashlib.sha256(other.read_bytes()).digest() for other in files_beside(file).values())
        except (OSError, TypeError):
            text = _text_of(self.function, set()).encode()
        return hashlib.sha256(text).hexdigest()[:16]


def _find(module: str, name: str, path: str | None) -> Decision:
    """The decision of that name in a module, which a strategy's file is loaded for if it must be."""
    found = _module(module, path)
    if found is None and path is None:
        found = importlib.import_module(module)
    elif found is None:
        from gincore.strategies.catalogue import load_file

        found = load_file(Path(str(path)), f"{path}:{name}")
    decision: Decision = getattr(found, name)
    return decision


def _module(module: str, path: str | None) -> Any:
    """The module of that name, loaded from that file; None if there is none yet."""
    loaded = sys.modules.get(module)
    if path is None or (loaded is not None and _file_of(loaded) == path):
        return loaded
    return LOADED.get((module, path))


def _file_of(thing: Any) -> str | None:
    """The file that holds a function or a module."""
    try:
        return str(Path(inspect.getfile(thing)).resolve())
    except (OSError, TypeError):
        return None


def decision(function: Callable[[Any, Any], Any]) -> Decision:
    """Mark a function ``(view, params)`` as a decision of a strategy; ``params`` are its float64 parameters.

    Examples
    --------
    >>> @decision
    ... def knock(view, params):
    ...     return view.deadwood <= (10 if view.turn < 8 else params[0])
    >>> knock.label.endswith("knock")
    True
    """
    if isinstance(function, Decision):
        return function
    from gincore.strategies import check

    return Decision(check.refuse_form(function))


if decision.__doc__ is not None:  # not with python -OO
    decision.__doc__ += "\n    Notes\n    -----\n" + textwrap.indent(view_guide(), "    ")


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
    draw, discard, knock : Decision or function, optional
        What is not given comes from ``base``, with the parameters it has there.
    params : mapping of str to float, optional
        Parameters of the decisions given here, in the order in which ``params[0]``, ``params[1]`` .. hold them. A
        parameter that a decision of the base has is set there too; where no decision is given, it must be one of these.
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
    """

    name: str
    parts: tuple[_Part, _Part, _Part] = field(repr=False)

    def __init__(
        self,
        name: str,
        *,
        draw: Decision | Callable[[Any, Any], Any] | None = None,
        discard: Decision | Callable[[Any, Any], Any] | None = None,
        knock: Decision | Callable[[Any, Any], Any] | None = None,
        params: Mapping[str, float] | None = None,
        bounds: Mapping[str, tuple[float, float]] | None = None,
        table: ArrayLike | None = None,
        base: Strategy | str = "simple",
    ) -> None:
        if not isinstance(name, str) or not name:
            raise UsageError(f"strategy name {name!r}: must be a text that is not empty")
        given = (draw, discard, knock)
        values = _numbers(name, params)
        limits = _limits(name, bounds)
        numbers = _table(name, table)
        if numbers and given == (None, None, None):
            raise UsageError(f"strategy {name}: a table is given, and no decision that could read it")
        inherited = None if None not in given else _resolve(base).parts
        parts = []
        for place, chosen in enumerate(given):
            if chosen is not None:
                own = chosen if isinstance(chosen, Decision) else decision(chosen)
                part = _Part(own, tuple(values.items()), limits, numbers)
            else:
                assert inherited is not None
                part = inherited[place].with_bounds(limits)
            parts.append(part.with_values(name, values))
        known = {key for part in parts for key, _ in part.params}
        for key in (*values, *(key for key, _, _ in limits)):
            if key not in known:
                raise UsageError(
                    f"strategy {name}: no parameter {key!r}, as no decision is given that could read it; "
                    f"it has: {_names(known)}"
                    if key in values
                    else f"strategy {name}: bounds of {key!r}, which is no parameter; it has: {_names(known)}"
                )
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "parts", tuple(parts))

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
                near = difflib.get_close_matches(key, known, 1)
                guess = f" (did you mean {near[0]!r}?)" if near else ""
                raise UsageError(f"strategy {self.name}: no parameter {key!r}{guess}; it has: {_names(known)}")
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
                raise UsageError(f"strategy {self.name}: no decision {kind!r}; allowed: {', '.join(KINDS)}")
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


def _text_of(function: Any, seen: set[str]) -> str:
    """Source text of a function without a file, and of what its global names stand for."""
    try:
        text = inspect.getsource(function)
    except (OSError, TypeError):
        text = f"{function.__code__.co_code!r}{function.__code__.co_consts!r}"
    for name in function.__code__.co_names:
        if name in seen or name not in function.__globals__:
            continue
        seen.add(name)
        value = function.__globals__[name]
        value = getattr(value, "py_func", getattr(value, "function", value))
        text += f"\n{name} = " + (_text_of(value, seen) if inspect.isfunction(value) else repr(value))
    return text


def number(strategy: str, key: str, value: Any) -> float:
    """A parameter's value as a finite float, or an error that names it."""
    try:
        converted = float(value)
    except (TypeError, ValueError):
        converted = math.nan
    if isinstance(value, bool) or not math.isfinite(converted):
        raise UsageError(f"strategy {strategy}: {key}={value!r} is not a finite number")
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
            raise UsageError(f"strategy {strategy}: bounds of {key!r} are {quoted(pair)}, and must be (low, high)")
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
