"""What a decision may not do, and how it is told that one cannot be compiled.

Three things would corrupt a game or its rows without a word, and are refused when a decision is first compiled: writing
to the view or the parameters, random numbers of its own, and an answer that is no integer. numba's own reading of the
function is examined (its intermediate code and the types that it inferred), and so are the functions that the decision
calls. What is not sure to be harmless counts as an alias of the view or the parameters.
"""

from __future__ import annotations

import builtins
import difflib
import dis
import inspect
import random
import re
from collections.abc import Iterator
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple, NoReturn

import numpy as np
from numba import types
from numba.core import ir
from numba.core.compiler import run_frontend
from numba.core.dispatcher import Dispatcher
from numba.core.typed_passes import type_inference_stage

from gincore.errors import UsageError
from gincore.schema import VIEW_DTYPE

FIELDS = VIEW_DTYPE.names or ()
_LONGEST = 240
_RANDOM = ("random", "numpy.random", "secrets")
_GENERATORS = (random.Random, np.random.RandomState, np.random.Generator)

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


class Called(NamedTuple):
    """A function that a decision reaches: itself, or a compiled function that it calls."""

    function: Any
    code: Any  # numba's intermediate code before types are inferred; None where numba cannot read the function
    constants: dict[str, Any]  # what its variables stand for, where that is known before it is compiled


def place_of(function: Any, line: int | None = None) -> str:
    """Return where a decision stands: file, line and name."""
    code = function.__code__
    return f"{code.co_filename}:{line or code.co_firstlineno}: decision {function.__name__!r}"


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


# ---------------------------------------------------------------- before it is compiled


def prepare(function: Any) -> None:
    """Refuse random numbers of the decision's own, and have every index checked in the functions that it calls."""
    for called in reached(function):
        _refuse_random(function, called)
        for helper in called.constants.values():
            if isinstance(helper, Dispatcher) and not _own(helper.py_func) and not helper.overloads:
                options = helper.targetoptions
                options["boundscheck"] = True if options.get("boundscheck") is None else options["boundscheck"]


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
            value.py_func for value in constants.values() if isinstance(value, Dispatcher) and not _own(value.py_func)
        ]
    return list(found.values())


def _own(function: Any) -> bool:
    return str(function.__module__).startswith("gincore.")


def _statements(blocks: Any) -> Iterator[Any]:
    for label in sorted(blocks):
        yield from blocks[label].body


def _constants(code: Any) -> dict[str, Any]:
    """Return what variables stand for: global names, and attributes of modules."""
    known: dict[str, Any] = {}
    for statement in _statements(code.blocks):
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


def _nested(code: CodeType) -> Iterator[CodeType]:
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from _nested(constant)


def _constants_of_nested(function: Any) -> Iterator[Any]:
    """Yield what the names in functions inside the function may stand for."""
    for code in _nested(function.__code__):
        for name in code.co_names:
            value = function.__globals__.get(name)
            yield value
            if isinstance(value, ModuleType):
                yield from (getattr(value, other, None) for other in code.co_names)


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
            line = next((line for name, line in _lines(called.code) if name == variable), None)
            _refuse(
                function, called.function, line,
                "uses random numbers of its own, so that a run could not be repeated; take bits of view.random, or a "
                "card at random with gincore.strategies.choose.pick(cards, view.random)",
            )  # fmt: skip


def _lines(code: Any) -> Iterator[tuple[str, int]]:
    for statement in _statements(code.blocks) if code is not None else ():
        if isinstance(statement, ir.Assign):
            yield statement.target.name, statement.loc.line


def _refuse(decision: Any, function: Any, line: int | None, what: str) -> NoReturn:
    inside = "" if function is decision else f" (in {function.__name__!r}, which it calls)"
    code = function.__code__
    where = f"{code.co_filename}:{line or code.co_firstlineno}"
    raise UsageError(f"{where}: decision {decision.__name__!r} {what}{inside}")


# ---------------------------------------------------------------- when it has been compiled


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
    _refuse_stores(function, compiled, signature.args, frozenset((0, 1)), set())
    result = compiled.overloads[signature.args]
    if result.signature.return_type != signature.return_type:
        _refuse(function, function, None, "never returns; it must answer with an integer")
    _refuse_answers(function, result.type_annotation)


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


def _refuse_answers(function: Any, annotation: Any) -> None:
    casts = {
        statement.target.name: statement
        for statement in _statements(annotation.blocks)
        if isinstance(statement, ir.Assign) and isinstance(statement.value, ir.Expr) and statement.value.op == "cast"
    }
    for statement in _statements(annotation.blocks):
        if not isinstance(statement, ir.Return) or statement.value.name not in casts:
            continue
        cast = casts[statement.value.name]
        kind = annotation.typemap[cast.value.value.name]
        if not isinstance(types.unliteral(kind), types.Integer | types.Boolean):
            _refuse(
                function, function, cast.loc.line,
                f"answers with a {types.unliteral(kind)}, and must answer with an integer or a boolean: write int(...)",
            )  # fmt: skip


def _may_share(kinds: dict[str, Any], name: str) -> bool:
    """Return whether a variable of that type can share memory with the view or the parameters."""
    kind = kinds.get(name)
    return kind is None or not isinstance(types.unliteral(kind), _SCALARS)


def _refuse_stores(decision: Any, compiled: Any, arguments: Any, shared: frozenset[int], seen: set[Any]) -> None:
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
        for statement in _statements(typed.blocks):
            scan.follow(statement)
    for statement in _statements(typed.blocks):
        scan.check(statement)
    for dispatcher, given, sent in scan.calls(typed):
        _refuse_stores(decision, dispatcher, given, sent, seen)
    for code in _nested(function.__code__):
        for step in dis.get_instructions(code):
            if step.opname == "STORE_ATTR":
                line = step.positions.lineno if step.positions else None
                _refuse(decision, function, line, _WRITES_ATTRIBUTE.format(step.argval))


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
            _refuse(self.decision, self.function, line, _WRITES_ATTRIBUTE.format(statement.attr))
        if isinstance(statement, ir.SetItem | ir.StaticSetItem | ir.DelItem) and statement.target.name in self.alias:
            _refuse(self.decision, self.function, line, _WRITES)
        value = statement.value if isinstance(statement, ir.Assign) else None
        if not isinstance(value, ir.Expr):
            return
        if value.op == "inplace_binop" and value.lhs.name in self.alias:
            _refuse(self.decision, self.function, line, _WRITES)
        if value.op == "call" and self._writes(value):
            _refuse(self.decision, self.function, line, _WRITES)

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
        for statement in _statements(typed.blocks):
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


# ---------------------------------------------------------------- when it cannot be compiled


_NAMED = (
    r"Untyped global name '(\w+)'|assigned to variable '(\w+)' in globals|Unknown attribute '(\w+)' of type Module"
    r"|Untyped freevar '(\w+)'"
)
_RETURNED = (("Literal[str]", "text"), ("unicode", "text"), ("Tuple", "a tuple"), ("UniTuple", "a tuple"))


def explain(function: Any, error: Exception) -> str:
    """Say in one line why a decision cannot be compiled, and what to do about it."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    every = reached(function)
    file, line, hint = _hint(function, every, error, text)
    if not line:
        file, line = _place_in(every, error, text)
    sentence = "" if hint.startswith("view has no field") else _sentence(text)
    said = f"{hint} (numba: {sentence})" if hint and sentence else hint or sentence or type(error).__name__
    return f"{file}:{line}: decision {function.__name__!r} cannot be compiled: {said}"


def _place_in(every: list[Called], error: Exception, text: str) -> tuple[str, int]:
    """Return the file and the line that numba names, or else where the decision begins."""
    files = {each.function.__code__.co_filename for each in every}
    place = getattr(error, "loc", None)
    if place is not None and place.filename in files and place.line:
        return place.filename, place.line
    for found in re.finditer(r"(?:at|from) (\S[^\n]*?) \((\d+)\)", text):
        if found[1] in files:
            return found[1], int(found[2])
    code = every[0].function.__code__
    return code.co_filename, code.co_firstlineno


def _sentence(text: str) -> str:
    """Return numba's first sentence that says something."""
    lines = [line.strip() for line in text.split("\n")]
    empty = ("Failed in ", "During: ", "File ", "<source", "^")
    lines = [line for line in lines if line and not line.startswith(empty)]
    if not lines:
        return ""
    said = lines[0]
    if said.endswith("signature:"):
        said += next((f" {line[4:]}" for line in lines[1:] if line.startswith(">>> ")), "")
    said = re.sub(r"Record\(.*?;\d+;\w+\)", "view", said)
    said = re.sub(r", defined at None$", "", said)
    said = re.sub(r" for '\$[\w.]+'$", "", said).rstrip(".")
    return said if len(said) <= _LONGEST else f"{said[:_LONGEST]}..."


def _hint(function: Any, every: list[Called], error: Exception, text: str) -> tuple[str, int, str]:
    """Return file, line and advice for the commonest causes; an empty text if it is none of them."""
    for called in every:
        file = called.function.__code__.co_filename
        for line, hint in _misuse(called, error):
            return file, line, hint
    for found in re.finditer(_NAMED, text):
        word = next(filter(None, found.groups()))
        for called in every:
            for variable, value in called.constants.items():
                named = (
                    getattr(value, "__name__", None) == word or called.function.__globals__.get(word, every) is value
                )
                hint = _of_global(function, word, value) if named else ""
                if hint:
                    line = next((line for target, line in _lines(called.code) if target == variable), 0)
                    return called.function.__code__.co_filename, line, hint
    if missing := re.search(r"NameError: name '(\w+)'", text):
        for called in every:
            for statement in _statements(called.code.blocks) if called.code is not None else ():
                value = getattr(statement, "value", None)
                if isinstance(value, ir.Global) and value.name == missing[1]:
                    near = difflib.get_close_matches(missing[1], [*called.function.__globals__, *dir(builtins)], 1, 0.7)
                    guess = f" (did you mean {near[0]!r}?)" if near else ""
                    hint = f"there is nothing named {missing[1]!r}{guess}"
                    return called.function.__code__.co_filename, statement.loc.line, hint
    return "", 0, _of_message(text)


def _of_global(function: Any, word: str, value: Any) -> str:
    """Return what to do about a global name that numba cannot use."""
    inner = getattr(value, "function", None)
    if inner is function or value is function:
        return f"{word!r} calls itself: use a loop in place of recursion"
    if inner is not None:
        return f"{word!r} is a decision, and a decision cannot call another: share a function marked with @numba.njit"
    if isinstance(value, FunctionType):
        return f"the function {word!r} is plain Python: mark it with @numba.njit"
    if isinstance(value, dict | list | set):
        kind = type(value).__name__
        return f"the global {kind} {word!r} cannot be used: make it a tuple or a NumPy array, or use parameters"
    return f"the global name {word!r} is a {type(value).__name__}, which compiled code cannot use"


def _of_message(text: str) -> str:
    if "No conversion from none to int64" in text:
        return "a path ends without return: every path must return an integer"
    if found := re.search(r"No conversion from (.+?) to int64 for '\$\w*return", text):
        kind = found[1]
        for start, said in _RETURNED:
            if kind.startswith(start):
                return f"it returns {said}, and must return an integer"
        if kind.startswith("OptionalType") or kind.startswith("?"):
            return "a path ends without return: every path must return an integer"
        return "what it returns is no integer"
    if "IMPORT_NAME" in text:
        return "it imports something: imports stand at the top of the file"
    if "recursion" in text:
        return "it calls itself: use a loop in place of recursion"
    return ""


def _misuse(called: Called, error: Exception) -> Iterator[tuple[int, str]]:
    """Yield line and advice where a field of the view or a parameter is asked for in a way that cannot be."""
    if called.code is None:
        return
    arguments: dict[str, int] = {}
    for statement in _statements(called.code.blocks):
        value = statement.value if isinstance(statement, ir.Assign) else None
        if isinstance(value, ir.Arg):
            arguments[statement.target.name] = value.index
        if isinstance(value, ir.Var) and value.name in arguments:
            arguments[statement.target.name] = arguments[value.name]
        if not isinstance(value, ir.Expr) or value.op not in ("getattr", "static_getitem", "getitem"):
            continue
        index = _index_of(called.code, value)
        if value.op == "getattr":
            index = value.attr
            missing = isinstance(error, KeyError) and error.args == (index,)
        else:
            missing = arguments.get(value.value.name) == 0
        root = arguments.get(value.value.name)
        if isinstance(index, str) and index not in FIELDS and (missing or (root == 0 and value.op != "getattr")):
            near = difflib.get_close_matches(index, FIELDS, 1)
            guess = f" (did you mean {near[0]!r}?)" if near else ""
            yield statement.loc.line, f"view has no field {index!r}{guess}; it has: {', '.join(FIELDS)}"
        if root == 1 and isinstance(index, str):
            what = "params." + index if value.op == "getattr" else f"params[{index!r}]"
            if value.op != "getattr" or not hasattr(np.ndarray, index):
                yield (
                    statement.loc.line,
                    f"params is an array, so {what} cannot be: params[0], params[1] .. stand in the order in which "
                    "Strategy(params=...) names them",
                )


def _index_of(code: Any, expression: Any) -> Any:
    if expression.op == "static_getitem":
        return expression.index
    if expression.op == "getitem":
        try:
            return code.infer_constant(expression.index)
        except Exception:
            return None
    return None
