"""What the commands share: options, readers of their values, tables and JSON."""

from __future__ import annotations

import json
import math
import os
import re
from decimal import Decimal, InvalidOperation
from glob import escape, glob
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from gincore.errors import UsageError, quoted
from gincore.options import OPTIONS, option
from gincore.ruleset import Rules, preset_names, rules
from gincore.tabular import table_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MAX_COUNT: Final = 10**12
MAX_SEED: Final = 2**64 - 1
MOST_WORKERS: Final = 1_024
"""As in ``gincore.runs.run``, which is imported when something is played."""


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


def read_count(flag: str, text: str, most: int = MAX_COUNT, least: int = 1, example: str = "1000000 or 1e6") -> int:
    """Return a whole number of ``least`` or more, written as ``1000000``, ``1_000_000`` or ``1e6``."""
    refusal = UsageError(f"{flag} {quoted(text)} is not a whole number from {least:,} to {most:,}, such as {example}")
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
    """Return a seed: a whole number from 0 to 2**64 - 1, written as a count is."""
    return read_count("--seed", text, most=MAX_SEED, least=0, example="7 or 1e6")


def read_workers(text: str | None) -> int | None:
    """Return a number of threads, or None where the option was not given."""
    return None if text is None else read_count("--workers", text, most=MOST_WORKERS, example="4")


def read_folder(text: str) -> Path:
    """Return an output folder; an empty text, which would be the current folder, is refused."""
    if not text:
        raise typer.BadParameter("an empty text is not the name of a folder, such as runs/first")
    return Path(text)


def complete_rules(incomplete: str) -> list[str]:
    """Complete the name of a preset or of a rule file."""
    return [*_beginning(incomplete, preset_names()), *_files(incomplete, ".toml")]


def complete_setting(incomplete: str) -> list[str]:
    """Complete the name of an option of the rules."""
    return _beginning(incomplete, (f"{name}=" for name in OPTIONS))


def complete_strategy(incomplete: str) -> list[str]:
    """Complete the name of a shipped strategy, of a file that holds strategies, or of a decision."""
    from gincore.strategies import names
    from gincore.strategies.library import LIBRARY

    before, comma, last = incomplete.rpartition(",")
    decisions = [f"{before}{comma}{entry.kind}={entry.name}" for entry in LIBRARY]
    files = [*_files(incomplete, ".py"), *_files(incomplete, ".toml")]
    return [
        *_beginning(incomplete, names()),
        *(name if name.endswith("/") else f"{name}:" for name in dict.fromkeys(files)),
        *(text for text in decisions if last and text.startswith(incomplete)),
    ]


def _beginning(incomplete: str, names: Iterable[str]) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]


def _files(incomplete: str, ending: str) -> list[str]:
    """Return the folders and files of one kind whose paths begin so; none where nothing is typed yet."""
    if not incomplete:
        return []
    found = sorted(glob(f"{escape(os.path.expanduser(incomplete))}*"))
    return [
        f"{name}/" if os.path.isdir(name) else name for name in found if os.path.isdir(name) or name.endswith(ending)
    ]


def read_level(level: float) -> float:
    """Return the level of the intervals, strictly between 0 and 1."""
    if not 0 < level < 1:
        raise UsageError(f"--level {level} is not between 0 and 1, such as 0.95")
    return level


def draw_without_a_screen() -> None:
    """Choose the drawing backend that needs no display, whatever the environment says.

    Only the command line does so: in a notebook the backend is the user's.
    """
    os.environ["MPLBACKEND"] = "Agg"  # matplotlib refuses to be imported where it names no backend
    import matplotlib as mpl

    mpl.use("Agg")


RulesOption = Annotated[
    str,
    typer.Option(
        "--rules",
        metavar="NAME|FILE.toml",
        help="Preset or rule file; see 'gincore rules list'.",
        autocompletion=complete_rules,
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="OPTION=VALUE",
        help="Change an option of the rules; repeatable.",
        autocompletion=complete_setting,
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


def print_json(value: object) -> None:
    """Print a value as JSON of ASCII letters; a number that is not finite becomes null."""
    print(json.dumps(_finite(value), indent=2, allow_nan=False))


def print_table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print aligned columns; numbers stand to the right."""
    print(table_text(header, rows))


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
