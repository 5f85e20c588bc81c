"""What a decision may not do.

Three things would corrupt a game or its rows without a word, and are refused when a decision is first compiled: writing
to the view or the parameters, random numbers of its own, and an answer that is no integer. numba's own reading of the
function is examined (its intermediate code and the types that it inferred), and so are the functions that the decision
calls.
"""

from __future__ import annotations

import inspect
import random
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numba import types
from numba.core import ir
from numba.core.dispatcher import Dispatcher

from gincore.errors import UsageError
from gincore.strategies.aliases import refuse_stores
from gincore.strategies.reached import Called, assigned_lines, own, place_of, reached, refuse, statements

_RANDOM = ("random", "numpy.random", "secrets")
_GENERATORS = (random.Random, np.random.RandomState, np.random.Generator)


def compiled_here(compiled: Any) -> bool:
    """Return whether numba compiled a decision; with ``NUMBA_DISABLE_JIT=1`` it is the plain function."""
    return isinstance(compiled, Dispatcher)


def refuse_form(function: Any) -> Any:
    """Return the plain function behind what was given as a decision, and refuse what can be none."""
    name = getattr(function, "__name__", None) or type(function).__name__
    function = getattr(function, "py_func", function)
    if not isinstance(function, FunctionType):
        raise UsageError(f"decision: {name!r} is not a function of (view, params)")
    for kind, test in (
        ("an async function", inspect.iscoroutinefunction),
        ("an async function", inspect.isasyncgenfunction),
        ("a generator (it has a yield)", inspect.isgeneratorfunction),
    ):
        if test(function):
            raise UsageError(f"{place_of(function)} is {kind}; it must be a plain function that returns an integer")
    parameters = inspect.signature(function).parameters.values()
    plain = all(each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD) for each in parameters)
    if len(parameters) != 2 or not plain:
        names = ", ".join(str(each) for each in parameters) or "nothing"
        raise UsageError(f"{place_of(function)} takes ({names}), and must take (view, params)")
    return function


def prepare(function: Any) -> None:
    """Refuse random numbers of the decision's own, and have every index checked in the functions that it calls."""
    for called in reached(function):
        _refuse_random(function, called)
        for helper in called.constants.values():
            if isinstance(helper, Dispatcher) and not own(helper.py_func) and not helper.overloads:
                options = helper.targetoptions
                options["boundscheck"] = True if options.get("boundscheck") is None else options["boundscheck"]


def _is_random(value: Any) -> bool:
    if isinstance(value, ModuleType):
        return value.__name__ in _RANDOM or value.__name__.startswith("numpy.random.")
    if isinstance(value, _GENERATORS) or isinstance(getattr(value, "__self__", None), _GENERATORS):
        return True
    if isinstance(value, FunctionType | BuiltinFunctionType | type):
        module = str(getattr(value, "__module__", ""))
        return module in _RANDOM or module.startswith("numpy.random.")
    return False


def _refuse_random(function: Any, called: Called) -> None:
    for variable, value in called.constants.items():
        if _is_random(value):
            line = next((line for name, line in assigned_lines(called.code) if name == variable), None)
            refuse(
                function, called.function, line,
                "uses random numbers of its own, so that a run could not be repeated; take bits of view.random, or a "
                "card at random with gincore.strategies.choose.pick(cards, view.random)",
            )  # fmt: skip


def examine(function: Any, compiled: Any, signature: Any) -> None:
    """Refuse a decision that writes to its view or parameters, or whose answer is no integer.

    Parameters
    ----------
    function : callable
        The decision.
    compiled : Dispatcher
        The same, compiled for ``signature`` in this process.
    signature : numba signature
    """
    refuse_stores(function, compiled, signature.args, frozenset((0, 1)), set())
    result = compiled.overloads[signature.args]
    if result.signature.return_type != signature.return_type:
        refuse(function, function, None, "never returns; it must answer with an integer")
    _refuse_answers(function, result.type_annotation)


def _refuse_answers(function: Any, annotation: Any) -> None:
    casts = {
        statement.target.name: statement
        for statement in statements(annotation.blocks)
        if isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Expr) and statement.value.op == "cast"
    }
    for statement in statements(annotation.blocks):
        if not isinstance(statement, ir.Return) or statement.value.name not in casts:
            continue
        cast = casts[statement.value.name]
        kind = annotation.typemap[cast.value.value.name]
        if not isinstance(types.unliteral(kind), types.Integer | types.Boolean):
            refuse(
                function, function, cast.loc.line,
                f"answers with a {types.unliteral(kind)}, and must answer with an integer or a boolean: write int(...)",
            )  # fmt: skip
