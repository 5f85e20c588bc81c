"""Stores of a decision into what is not its own: the view, the parameters, and whatever may be an alias of them.

What is not sure to be harmless counts as an alias.
"""

from __future__ import annotations

import dis
import inspect
from collections.abc import Iterator
from types import ModuleType
from typing import Any, NamedTuple

from numba import types
from numba.core import ir
from numba.core.compiler import run_frontend
from numba.core.dispatcher import Dispatcher
from numba.core.typed_passes import type_inference_stage

from gincore.schema import VIEW_DTYPE
from gincore.strategies.reached import FIELDS, nested, refuse, statements

_SCALARS = (types.Number, types.Boolean, types.NoneType, types.UnicodeType, types.StringLiteral, types.Function)
_FRESH = {"binop", "unary", "arrayexpr", "null"}
"""Expressions of the intermediate code whose value is always a new one."""
_NEW_ARRAY = {
    "copy", "astype", "zeros", "ones", "empty", "full", "arange", "array", "zeros_like", "ones_like", "empty_like",
    "full_like", "sort", "argsort", "cumsum", "cumprod", "where", "concatenate", "append", "flatnonzero", "nonzero",
    "unique", "diff", "repeat", "take", "clip", "round", "linspace", "delete", "searchsorted", "bincount", "tolist",
}  # fmt: skip
"""Functions and methods of NumPy whose result shares no memory with what they are given."""
_WRITING_METHODS = {"fill", "sort", "partition", "put", "itemset", "setfield", "resize", "byteswap"}
_WRITING_FUNCTIONS = {
    "copyto", "put", "place", "putmask", "fill_diagonal", "shuffle", "put_along_axis", "setitem", "delitem", "setattr",
    "iadd", "iand", "ifloordiv", "ilshift", "imod", "imul", "ior", "ipow", "irshift", "isub", "itruediv", "ixor",
}  # fmt: skip
"""Functions of NumPy, of ``operator`` and built-in ones that write to what they are given."""


class Typed(NamedTuple):
    """A function as numba reads it: intermediate code, and the types of variables and calls where they are known."""

    blocks: Any
    kinds: dict[str, Any]
    calls: Any


def _typed(dispatcher: Any, arguments: Any) -> Typed:
    """Return a compiled function as it was typed; one that comes from a cache is typed again."""
    annotation: Any = getattr(dispatcher.overloads.get(arguments), "type_annotation", None)
    if hasattr(annotation, "typemap"):
        return Typed(annotation.blocks, annotation.typemap, annotation.calltypes)
    try:
        code = run_frontend(dispatcher.py_func, inline_closures=True)
    except Exception:
        return Typed({}, {}, {})
    try:
        target = dispatcher.targetdescr
        kinds, _, calls, _ = type_inference_stage(target.typing_context, target.target_context, code, arguments, None)
    except Exception:
        return Typed(code.blocks, {}, {})
    return Typed(code.blocks, kinds, calls)


def _may_share(kinds: dict[str, Any], name: str) -> bool:
    """Return whether a variable of that type can share memory with the view or the parameters."""
    kind = kinds.get(name)
    return kind is None or not isinstance(types.unliteral(kind), _SCALARS)


def refuse_stores(decision: Any, compiled: Any, arguments: Any, shared: frozenset[int], seen: set[Any]) -> None:
    """Refuse every store into the arguments with these numbers, and into what may be an alias of them."""
    function = compiled.py_func
    if (function, shared) in seen:
        return
    seen.add((function, shared))
    typed = _typed(compiled, arguments)
    scan = _Scan(decision, function, typed.kinds, shared)
    before = -1
    while len(scan.alias) != before:
        before = len(scan.alias)
        for statement in statements(typed.blocks):
            scan.follow(statement)
    for statement in statements(typed.blocks):
        scan.check(statement)
    for dispatcher, given, sent in scan.calls(typed):
        refuse_stores(decision, dispatcher, given, sent, seen)
    for code in nested(function.__code__):
        for step in dis.get_instructions(code):
            if step.opname == "STORE_ATTR":
                line = step.positions.lineno if step.positions else None
                refuse(decision, function, line, _WRITES_ATTRIBUTE.format(step.argval))


_WRITES_ATTRIBUTE = "sets the attribute {!r}; a decision may change nothing but variables and arrays of its own"
_WRITES = (
    "writes to what may be the view, the parameters or a part of them; only arrays of its own may be written: "
    "take a copy first, as in view.after.copy()"
)


class _Scan:
    """Follows the aliases of the view and the parameters through one function."""

    def __init__(self, decision: Any, function: Any, kinds: dict[str, Any], shared: frozenset[int]) -> None:
        self.decision, self.function, self.kinds, self.shared = decision, function, kinds, shared
        self.alias: set[str] = set()
        self.made_by: dict[str, Any] = {}
        self.known: dict[str, Any] = {}

    def follow(self, statement: Any) -> None:
        """Note whether the statement makes its target an alias."""
        if not isinstance(statement, ir.Assign):
            return
        value, target = statement.value, statement.target.name
        self.made_by[target] = value
        if isinstance(value, ir.Global | ir.FreeVar):
            self.known[target] = value.value
        if isinstance(value, ir.Var) and value.name in self.known:
            self.known[target] = self.known[value.name]
        if isinstance(value, ir.Expr) and value.op == "getattr":
            owner = self.known.get(value.value.name)
            if isinstance(owner, ModuleType):
                self.known[target] = getattr(owner, value.attr, None)
        if self._alias_of(value) and _may_share(self.kinds, target):
            self.alias.add(target)

    def _alias_of(self, value: Any) -> bool:
        if isinstance(value, ir.Arg):
            return value.index in self.shared
        if isinstance(value, ir.Var):
            return value.name in self.alias
        if not isinstance(value, ir.Expr) or value.op in _FRESH:
            return False
        if value.op == "getattr" and value.attr in FIELDS and not self.kinds:
            return value.value.name in self.alias and VIEW_DTYPE[value.attr].shape != ()
        if value.op == "call":
            name, method = self._called(value)
            given = [each.name for each in self._arguments(value)]
            if method is not None and any(each in self.alias for each in given) and _may_share(self.kinds, method):
                self.alias.add(method)  # such as list.append(view.after)
            if name in _NEW_ARRAY or hasattr(self.known.get(value.func.name), "nin"):
                return False
            return any(each in self.alias for each in [*given, *([method] if method else [])])
        return any(each.name in self.alias for each in value.list_vars())

    def _called(self, call: Any) -> tuple[str, str | None]:
        """Return the name of what is called, and the variable whose method it is."""
        known = self.known.get(call.func.name)
        if known is not None:
            return str(getattr(known, "__name__", "")), None
        made = self.made_by.get(call.func.name)
        if isinstance(made, ir.Expr) and made.op == "getattr":
            return made.attr, made.value.name
        return "", None

    @staticmethod
    def _arguments(call: Any) -> list[Any]:
        given = [*call.args, *(value for _, value in call.kws)]
        return [*given, call.vararg] if call.vararg is not None else given

    def check(self, statement: Any) -> None:
        """Refuse a statement that may write to the view or the parameters."""
        line = statement.loc.line
        if isinstance(statement, ir.SetAttr):
            refuse(self.decision, self.function, line, _WRITES_ATTRIBUTE.format(statement.attr))
        if isinstance(statement, ir.SetItem | ir.StaticSetItem | ir.DelItem) and statement.target.name in self.alias:
            refuse(self.decision, self.function, line, _WRITES)
        value = statement.value if isinstance(statement, ir.Assign) else None
        if not isinstance(value, ir.Expr):
            return
        if value.op == "inplace_binop" and value.lhs.name in self.alias:
            refuse(self.decision, self.function, line, _WRITES)
        if value.op == "call" and self._writes(value):
            refuse(self.decision, self.function, line, _WRITES)

    def _writes(self, call: Any) -> bool:
        name, method = self._called(call)
        if method is not None:
            return name in _WRITING_METHODS and method in self.alias
        given = self._arguments(call)
        known: Any = self.known.get(call.func.name)
        operands = getattr(known, "nin", None)
        if operands is not None:  # a ufunc, or one that numba made: what follows its operands is written
            given = [*call.args[operands:], *(value for _, value in call.kws)]
            return any(each.name in self.alias for each in given)
        return name in _WRITING_FUNCTIONS and any(each.name in self.alias for each in given)

    def calls(self, typed: Typed) -> Iterator[tuple[Any, Any, frozenset[int]]]:
        """Yield the compiled functions that receive an alias: with the types of the arguments, and which are one."""
        for statement in statements(typed.blocks):
            call = statement.value if isinstance(statement, ir.Assign) else None
            if not isinstance(call, ir.Expr) or call.op != "call":
                continue
            target = self.known.get(call.func.name)
            if not isinstance(target, Dispatcher):
                kind = self.kinds.get(call.func.name)
                target = kind.dispatcher if isinstance(kind, types.Dispatcher) else None
            if target is None:
                continue
            names = list(inspect.signature(target.py_func).parameters)
            given = {place: each.name for place, each in enumerate(call.args)}
            given |= {names.index(key): each.name for key, each in call.kws if key in names}
            sent = frozenset(place for place, name in given.items() if name in self.alias)
            if call.vararg is not None and call.vararg.name in self.alias:
                sent = frozenset(range(len(names)))
            if sent:
                yield target, getattr(typed.calls.get(call), "args", None), sent
