"""What a strategy is: a name, three decisions, and the parameters of each."""

from __future__ import annotations

import hashlib
import importlib
import inspect
import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gincore import _jit
from gincore.errors import UsageError

KINDS = ("draw", "discard", "knock")
"""The decisions of a strategy, in the order in which the engine holds them."""


class Decision:
    """A decision function ``decide(view, params) -> int``, compiled when it is first played.

    Parameters
    ----------
    function : callable
        Plain Python that numba can compile. ``view`` has the fields of ``gincore.schema.VIEW_DTYPE``, ``params``
        is a float64 array. What it answers is said in ``gincore.core.play``.
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
        if module != "__main__" and getattr(sys.modules.get(module), name, None) is self:
            path = None if self.own else str(Path(inspect.getfile(self.function)).resolve())
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

        try:
            return _jit.compile_decision(self.function, SIGNATURE, cache=self.own)
        except Exception as error:
            first = str(error).strip().split("\n")
            reason = next((line for line in reversed(first) if line.strip() and not line.startswith("During")), "")
            raise UsageError(f"decision {self.label} cannot be compiled: {reason.strip()}") from error

    def digest(self) -> str:
        """Digest of all that the decision's answer can depend on, as far as can be seen.

        That is the whole file that holds the function; in a notebook, which has no file, the function's text and what
        its global names stand for.
        """
        try:
            text = Path(inspect.getfile(self.function)).read_bytes() + self.function.__qualname__.encode()
        except (OSError, TypeError):
            text = _text_of(self.function, set()).encode()
        return hashlib.sha256(text).hexdigest()[:16]


def _find(module: str, name: str, path: str | None) -> Decision:
    """The decision of that name in a module, which a strategy's file is loaded for if it must be."""
    if module in sys.modules or path is None:
        found = importlib.import_module(module)
    else:
        from gincore.strategies.catalogue import load_file

        found = load_file(Path(path), f"{path}:{name}")
    decision: Decision = getattr(found, name)
    return decision


def decision(function: Callable[[Any, Any], Any]) -> Decision:
    """Mark a function as a decision of a strategy.

    Examples
    --------
    >>> @decision
    ... def knock(view, params):
    ...     return view.deadwood <= (10 if view.turn < 8 else params[0])
    >>> knock.label.endswith("knock")
    True
    """
    if not callable(function):
        raise UsageError(f"decision: {function!r} is not a function of (view, params)")
    names = list(inspect.signature(function).parameters)
    if len(names) != 2:
        raise UsageError(f"decision {function.__name__}: takes {names}, and must take (view, params)")
    return Decision(function)


@dataclass(frozen=True)
class _Part:
    """One decision with its own parameters."""

    decision: Decision
    params: tuple[tuple[str, float], ...] = ()
    bounds: tuple[tuple[str, float, float], ...] = ()

    def values(self) -> NDArray[np.float64]:
        return np.array([value for _, value in self.params], np.float64)


@dataclass(frozen=True, init=False)
class Strategy:
    """A way to play: three decisions and their parameters.

    Parameters
    ----------
    name : str
    draw, discard, knock : Decision or function, optional
        What is not given comes from ``base``, with the parameters it has there.
    params : mapping of str to float, optional
        Parameters of the decisions given here, in the order in which ``params[0]``, ``params[1]`` .. hold them.
    bounds : mapping of str to (low, high), optional
        Allowed values of parameters, both ends included.
    base : Strategy or str, optional
        ``"simple"`` unless all three decisions are given.

    Examples
    --------
    >>> import gincore
    >>> patient = gincore.Strategy("patient", base="threshold,limit=4")
    >>> patient.params["limit"]
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
        base: Strategy | str = "simple",
    ) -> None:
        if not isinstance(name, str) or not name:
            raise UsageError(f"strategy name {name!r}: must be a text that is not empty")
        given = (draw, discard, knock)
        limits = tuple((key, float(low), float(high)) for key, (low, high) in (bounds or {}).items())
        values = tuple((key, number(name, key, value)) for key, value in (params or {}).items())
        for key, value in values:
            check_bounds(name, key, value, limits)
        inherited = None if None not in given else _resolve(base).parts
        parts = []
        for place, chosen in enumerate(given):
            if chosen is None:
                assert inherited is not None
                parts.append(inherited[place])
            else:
                parts.append(_Part(chosen if isinstance(chosen, Decision) else decision(chosen), values, limits))
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "parts", tuple(parts))

    @property
    def params(self) -> dict[str, float]:
        """All parameters by name."""
        return {key: value for part in self.parts for key, value in part.params}

    def with_params(self, **values: float) -> Strategy:
        """The same strategy with other values of parameters that it has; the name tells them."""
        known = self.params
        limits = tuple(limit for part in self.parts for limit in part.bounds)
        for key, value in values.items():
            if key not in known:
                allowed = ", ".join(known) or "none"
                raise UsageError(f"strategy {self.name}: no parameter {key!r}; it has: {allowed}")
            check_bounds(self.name, key, number(self.name, key, value), limits)
        parts = tuple(
            replace(part, params=tuple((key, float(values.get(key, value))) for key, value in part.params))
            for part in self.parts
        )
        changed = [f"{key}={values[key]:g}" for key in known if key in values]
        other = object.__new__(Strategy)
        object.__setattr__(other, "name", ",".join([self.name, *changed]))
        object.__setattr__(other, "parts", parts)
        return other

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
            digest.update(f"{part.decision.digest()}{part.params}".encode())
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
