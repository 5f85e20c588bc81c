"""What a decision reaches, as numba reads it: its own intermediate code, and that of the functions that it calls."""

from __future__ import annotations

from collections.abc import Iterator
from types import CodeType, ModuleType
from typing import Any, NamedTuple, NoReturn

from numba.core import ir
from numba.core.compiler import run_frontend
from numba.core.dispatcher import Dispatcher

from gincore.errors import UsageError
from gincore.schema import VIEW_DTYPE

FIELDS = VIEW_DTYPE.names or ()
"""Fields of the view."""


class Called(NamedTuple):
    """A function that a decision reaches: itself, or a compiled function that it calls."""

    function: Any
    code: Any  # numba's intermediate code before types are inferred; None where numba cannot read the function
    constants: dict[str, Any]  # what its variables stand for, where that is known before it is compiled


def place_of(function: Any, line: int | None = None) -> str:
    """Return where a decision stands: file, line and name."""
    code = function.__code__
    return f"{code.co_filename}:{line or code.co_firstlineno}: decision {function.__name__!r}"


def reached(function: Any) -> list[Called]:
    """Return the decision and the compiled functions that it calls, those of the package left out."""
    found: dict[Any, Called] = {}
    waiting = [function]
    while waiting:
        each = waiting.pop()
        if each in found:
            continue
        try:
            code = run_frontend(each)
        except Exception:
            code = None
        constants = {} if code is None else _constants(code)
        for number, value in enumerate(_constants_of_nested(each)):
            constants[f"nested {number}"] = value
        found[each] = Called(each, code, constants)
        waiting += [
            value.py_func for value in constants.values() if isinstance(value, Dispatcher) and not own(value.py_func)
        ]
    return list(found.values())


def own(function: Any) -> bool:
    """Whether a function is one of the package."""
    return str(function.__module__).startswith("gincore.")


def statements(blocks: Any) -> Iterator[Any]:
    """Walk through the statements of the intermediate code."""
    for label in sorted(blocks):
        yield from blocks[label].body


def _constants(code: Any) -> dict[str, Any]:
    """Return what variables stand for: global names, and attributes of modules."""
    known: dict[str, Any] = {}
    for statement in statements(code.blocks):
        if not isinstance(statement, ir.Assign):
            continue
        value, target = statement.value, statement.target.name
        if isinstance(value, ir.Global | ir.FreeVar):
            known[target] = value.value
        elif isinstance(value, ir.Var) and value.name in known:
            known[target] = known[value.name]
        elif isinstance(value, ir.Expr) and value.op == "getattr":
            owner = known.get(value.value.name)
            if isinstance(owner, ModuleType) and hasattr(owner, value.attr):
                known[target] = getattr(owner, value.attr)
    return known


def nested(code: CodeType) -> Iterator[CodeType]:
    """Walk through the functions written inside a function."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from nested(constant)


def _constants_of_nested(function: Any) -> Iterator[Any]:
    """Yield what the names in functions inside the function may stand for."""
    for code in nested(function.__code__):
        for name in code.co_names:
            value = function.__globals__.get(name)
            yield value
            if isinstance(value, ModuleType):
                yield from (getattr(value, other, None) for other in code.co_names)


def assigned_lines(code: Any) -> Iterator[tuple[str, int]]:
    """Yield each variable that is assigned, and the line."""
    for statement in statements(code.blocks) if code is not None else ():
        if isinstance(statement, ir.Assign):
            yield statement.target.name, statement.loc.line


def refuse(decision: Any, function: Any, line: int | None, what: str) -> NoReturn:
    """Refuse a decision for what stands in a line of it, or of a function that it calls."""
    inside = "" if function is decision else f" (in {function.__name__!r}, which it calls)"
    code = function.__code__
    where = f"{code.co_filename}:{line or code.co_firstlineno}"
    raise UsageError(f"{where}: decision {decision.__name__!r} {what}{inside}")
