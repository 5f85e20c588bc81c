"""Strategies in a TOML file: decisions of the library by name, with parameters.

::

    [strategy.patient]
    base = "simple"        # what the rest comes from: a shipped strategy, or one above in the file; may be left out
    draw = "improve"       # discard and knock alike
    knock = "by-turn"
    params = { draw_gain = 3, limit = 4, late_limit = 10, late_turn = 12 }
    table = []             # numbers that the decisions given look up, row by row
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gincore.errors import UsageError, nearest, quoted, shortened
from gincore.strategies.base import Strategy
from gincore.strategies.decisions import KINDS

KEYS = ("base", *KINDS, "params", "table")
"""What a strategy of a file may say."""

READ: dict[Strategy, str] = {}
"""Text form of each strategy that was read, to name it again."""


def read(file: str, name: str, text: str) -> Strategy:
    """Read a strategy from a file.

    Parameters
    ----------
    file : str
    name : str
        Empty where the file has only one.
    text : str
        How it was asked for.

    Raises
    ------
    UsageError
        The file cannot be read, is not TOML, has no such strategy, or says what is not known or not allowed.
    """
    found = _strategies(file, _content(Path(file).expanduser(), file, text), text)
    if not name and len(found) != 1:
        raise UsageError(
            f"strategy {shortened(text)}: name the strategy in the file, as in {file}:NAME; it has: {_names(found)}"
        )
    name = name or next(iter(found))
    if name not in found:
        raise UsageError(
            f"strategy {shortened(text)}: {file} has no strategy {quoted(name)}{nearest(name, found)}; "
            f"it has: {_names(found)}"
        )
    READ[found[name]] = f"{file}:{name}"
    return found[name]


def _content(path: Path, file: str, text: str) -> dict[str, Any]:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise UsageError(f"strategy {shortened(text)}: there is no file {shortened(file)}") from None
    except OSError as error:
        raise UsageError(f"strategy {shortened(text)}: {file} cannot be read: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"strategy {shortened(text)}: {file} is not a TOML file: {error}") from None
    for key in content:
        if key != "strategy":
            raise UsageError(
                f"{file}: {quoted(key)} is not known{nearest(key, ['strategy'])}; "
                "allowed: tables such as [strategy.mine]"
            )
    return content


def _strategies(file: str, content: Mapping[str, Any], text: str) -> dict[str, Strategy]:
    """Make every strategy of a file, so that a mistake in one is not found only when that one is played."""
    tables = content.get("strategy", {})
    if not isinstance(tables, dict) or not tables:
        raise UsageError(f"strategy {shortened(text)}: {file} has no strategy: write a table such as [strategy.mine]")
    found: dict[str, Strategy] = {}
    for name, table in tables.items():
        where = f"{file}: strategy.{name}"
        if not isinstance(table, dict):
            raise UsageError(f"{where} = {quoted(table)} is not a table; write [strategy.{name}]")
        for key in table:
            if key not in KEYS:
                raise UsageError(f"{where}: {quoted(key)} is not known{nearest(key, KEYS)}; allowed: {', '.join(KEYS)}")
        found[name] = _strategy(where, name, table, found)
    return found


def _strategy(where: str, name: str, table: Mapping[str, Any], above: Mapping[str, Strategy]) -> Strategy:
    for key in ("base", *KINDS):
        if not isinstance(table.get(key, ""), str):
            raise UsageError(f"{where}: {key} = {quoted(table[key])} is not a text")
    if not isinstance(table.get("params", {}), dict):
        raise UsageError(f"{where}: params = {quoted(table['params'])} is not a table of numbers")
    base = _base(where, table.get("base", "simple"), above)
    try:
        return Strategy(name, **{key: value for key, value in table.items() if key != "base"}, base=base)
    except UsageError as error:
        raise UsageError(f"{where}: {str(error).removeprefix(f'strategy {name}: ')}") from None


def _base(where: str, name: str, above: Mapping[str, Strategy]) -> Strategy:
    """Return what a strategy builds on; no other file, so that no file can build on itself."""
    if name in above:
        return above[name]
    from gincore.strategies.shipped import SHIPPED

    if name in SHIPPED:
        return SHIPPED[name]
    known = [*above, *SHIPPED]
    raise UsageError(f"{where}: base = {quoted(name)} is not known{nearest(name, known)}; allowed: {', '.join(known)}")


def _names(found: Mapping[str, Strategy]) -> str:
    return ", ".join(found)
