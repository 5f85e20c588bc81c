"""Why a decision cannot be compiled, in one line, and what to do about it."""

from __future__ import annotations

import builtins
import difflib
import re
from collections.abc import Iterator
from types import FunctionType
from typing import Any

import numpy as np
from numba.core import ir

from gincore.strategies.reached import FIELDS, Called, assigned_lines, reached, statements

_LONGEST = 240
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
                    line = next((line for target, line in assigned_lines(called.code) if target == variable), 0)
                    return called.function.__code__.co_filename, line, hint
    if missing := re.search(r"NameError: name '(\w+)'", text):
        for called in every:
            for statement in statements(called.code.blocks) if called.code is not None else ():
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
    for statement in statements(called.code.blocks):
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
