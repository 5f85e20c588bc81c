"""Rule sets as TOML: one file a rule set, the options flat, ``base`` for what it builds on.

Keys beside the options: ``base`` (name of a preset), ``name``, ``title``, ``source``, ``notes`` (texts),
``silent`` (options of which the source says nothing, so that the value of the base is taken) and ``sources``, a table
that gives single options of the file another source than the file's own: the source, then a list of options.
"""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from gincore.cards import RANKS
from gincore.errors import UsageError, quoted, refuse_control
from gincore.options import OPTIONS, unknown

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_TEXTS: Final = ("base", "name", "title", "source")
_LISTS: Final = ("notes", "silent")
_KEYS: Final = (*_TEXTS, *_LISTS, "sources")


class Content(NamedTuple):
    """What a file says; options are as written, not yet checked."""

    base: str | None
    name: str
    title: str
    source: str
    notes: tuple[str, ...]
    silent: tuple[str, ...]
    sources: dict[str, str]
    options: dict[str, Any]


def load(path: Path) -> Content:
    """Read a rule file.

    Raises
    ------
    UsageError
        If the file cannot be read, is not TOML, or has a key that is not known.
    """
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise UsageError(f"cannot read the rules file {quoted(str(path))}: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{quoted(str(path))} is not a TOML file: {error}") from None
    for key in table:
        if key not in OPTIONS and key not in _KEYS:
            raise unknown(f"option in {quoted(str(path))}:", key, [*OPTIONS, *_KEYS])
    texts = {key: _text(path, table, key) for key in _TEXTS}
    silent = _list(path, table, "silent")
    notes = _list(path, table, "notes")
    if silent:
        names = ", ".join(silent)
        notes = (*notes, f"The source is silent on {names}: the value of {texts['base'] or 'the toolkit'}.")
    return Content(
        base=texts["base"],
        name=texts["name"] or path.stem,
        title=texts["title"] or path.stem,
        source=texts["source"] or "",
        notes=notes,
        silent=_known(path, "silent", silent),
        sources=_sources(path, table),
        options={key: value for key, value in table.items() if key in OPTIONS},
    )


def dump(options: Mapping[str, Any], name: str, title: str, source: str, notes: Sequence[str]) -> str:
    """Return the text of a file with every option."""
    lines = [f"{key} = {_toml(value)}" for key, value in (("name", name), ("title", title), ("source", source))]
    if notes:
        lines += ["notes = [", *(f"    {_toml(note)}," for note in notes), "]"]
    lines += ["", *(f"{key} = {_toml(plain(value))}" for key, value in options.items())]
    return "\n".join(lines) + "\n"


def plain(value: Any) -> Any:
    """Return an option's value as JSON and TOML know it: a set as a list in rank order, None as "none"."""
    if value is None:
        return "none"
    return sorted(value, key=RANKS.index) if isinstance(value, frozenset) else value


def text_of(value: Any) -> str:
    """Return an option's value as text, the form that ``--set`` reads.

    >>> text_of(frozenset({"2", "A"})), text_of(None), text_of(True)
    ('A,2', 'none', 'true')
    """
    if isinstance(value, frozenset):
        return ",".join(plain(value)) or "none"
    return str(value).lower() if value is None or isinstance(value, bool) else str(value)


def _toml(value: Any) -> str:
    """Return a TOML literal; JSON's strings, numbers, booleans and lists are TOML as they stand."""
    return json.dumps(value, ensure_ascii=False)


def _text(path: Path, table: Mapping[str, Any], key: str) -> str | None:
    value = table.get(key)
    if value is not None and not isinstance(value, str):
        raise UsageError(f"{quoted(str(path))}: {key} = {quoted(value)} is not a text")
    return value


def _sources(path: Path, table: Mapping[str, Any]) -> dict[str, str]:
    """Return the source of each option that the table ``sources`` names."""
    value = table.get("sources", {})
    if not isinstance(value, dict):
        raise UsageError(f"{quoted(str(path))}: sources = {quoted(value)} is not a table of sources and their options")
    found: dict[str, str] = {}
    for source in value:
        refuse_control(f"{quoted(str(path))}: source", source)
        for name in _known(path, "sources", _list(path, value, source)):
            found[name] = source
    return found


def _known(path: Path, key: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return these names of options; a name that is none is refused."""
    for name in names:
        if name not in OPTIONS:
            raise unknown(f"option in {key} of {quoted(str(path))}:", name, OPTIONS)
    return names


def _list(path: Path, table: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = table.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise UsageError(f"{quoted(str(path))}: {key} = {quoted(value)} is not a list of texts")
    return tuple(value)
