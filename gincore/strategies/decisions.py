"""What a decision is: a function of a view, compiled when it is first played, with a digest and a way to travel."""

from __future__ import annotations

import hashlib
import importlib
import inspect
import sys
import textwrap
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

from gincore import _jit
from gincore.errors import UsageError
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
        from gincore.strategies import check, explain

        check.prepare(self.function)
        try:
            compiled = _jit.compile_decision(self.function, SIGNATURE, cache=False)
        except Exception as error:
            raise UsageError(explain.explain(self.function, error)) from error
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
