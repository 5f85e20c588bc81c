"""What the commands share: options, readers of their values, tables and JSON."""

from __future__ import annotations

import json
import math
import re
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from gincore.errors import UsageError, quoted
from gincore.options import option
from gincore.ruleset import Rules, rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MAX_COUNT: Final = 10**12
MAX_SEED: Final = 2**64 - 1

RulesOption = Annotated[
    str, typer.Option("--rules", metavar="NAME|FILE.toml", help="Preset or rule file; see 'gincore rules list'.")
]
SetOption = Annotated[
    list[str] | None, typer.Option("--set", metavar="OPTION=VALUE", help="Change an option of the rules; repeatable.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


def examples(*lines: str) -> str:
    """Return the end of a help page: example lines, kept as they stand."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def read_rules(name: str, settings: Sequence[str] | None) -> Rules:
    """Return the rules that ``--rules`` and ``--set`` ask for."""
    changes: dict[str, Any] = {}
    for setting in settings or ():
        key, equals, value = setting.partition("=")
        if not equals:
            raise UsageError(f"--set {quoted(setting)} is not OPTION=VALUE, such as undercut_bonus=10")
        changes[key.strip()] = option(key.strip()).parse(value)
    return rules(name, **changes)


def read_count(flag: str, text: str, most: int = MAX_COUNT, least: int = 1) -> int:
    """Return a whole number of ``least`` or more, written as ``1000000``, ``1_000_000`` or ``1e6``."""
    refusal = UsageError(
        f"{flag} {quoted(text)} is not a whole number from {least} to {most:.0e}, such as 1000000 or 1e6"
    )
    if not re.fullmatch(r"[0-9][0-9_]*(\.[0-9]+)?([eE]\+?[0-9]{1,3})?", text.strip()):
        raise refusal
    try:
        number = Decimal(text.strip().replace("_", ""))
    except InvalidOperation:
        raise refusal from None
    if not least <= number <= most or number != number.to_integral_value():
        raise refusal
    return int(number)


def read_seed(text: str) -> int:
    """Return a seed: a whole number from 0 to 2**64 - 1."""
    if not re.fullmatch(r"[0-9]{1,20}", text.strip()) or int(text) > MAX_SEED:
        raise UsageError(f"--seed {quoted(text)} is not a whole number from 0 to {MAX_SEED}")
    return int(text)


def read_workers(text: str | None) -> int | None:
    """Return a number of threads, or None where the option was not given."""
    return None if text is None else read_count("--workers", text, most=1024)


def read_level(level: float) -> float:
    """Return the level of the intervals, strictly between 0 and 1."""
    if not 0 < level < 1:
        raise UsageError(f"--level {level} is not between 0 and 1, such as 0.95")
    return level


def print_json(value: object) -> None:
    """Print a value as JSON of ASCII letters; a number that is not finite becomes null."""
    print(json.dumps(_finite(value), indent=2, allow_nan=False))


def print_table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print aligned columns; numbers stand to the right."""
    body = [list(row) for row in rows]
    numeric = [
        bool(body) and all(isinstance(row[k], int | float) or row[k] == "" for row in body) for k in range(len(header))
    ]
    cells = [list(header), *([_cell(value) for value in row] for row in body)]
    widths = [max(len(line[k]) for line in cells) for k in range(len(header))]
    for line in cells:
        parts = [
            text.rjust(width) if right else text.ljust(width)
            for text, width, right in zip(line, widths, numeric, strict=True)
        ]
        print("  ".join(parts).rstrip())


def _cell(value: object) -> str:
    if isinstance(value, float):
        return "-" if math.isnan(value) else f"{value:.5g}"
    return str(value)


def _finite(value: object) -> object:
    """Return `value` made of JSON's types: NumPy scalars as numbers, NaN and infinities as None."""
    if isinstance(value, dict):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if value is None or isinstance(value, bool | int | float) else str(value)
