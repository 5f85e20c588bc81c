"""Questions as data: one TOML file each, read and checked."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any, Final

from gincore.analysis.questions_metrics import METRICS, PLAYS
from gincore.analysis.questions_verdict import EXPECTED, Words
from gincore.errors import UsageError, nearest, quoted

FOLDER: Final = Path(__file__).parent / "entries"

UNITS: Final[Mapping[str, tuple[Words, float, int]]] = {
    "points": (("points", "points"), 1, 2),
    "share": (("%", "%"), 100, 1),
    "change": (("percentage points", "points de pourcentage"), 100, 1),
    "turns": (("turns", "tours"), 1, 2),
    "cards": (("cards", "cartes"), 1, 2),
    "hands": (("hands", "manches"), 1, 2),
    "games": (("games", "parties"), 1, 0),
}
"""Words, scale and decimals of every unit."""

SELF_PLAY: Final = ("simple", "patient", "expert")
"""Strategies that play themselves where an entry names no groups: from plain to strong."""


WHO: Final = {"en": "who plays", "fr": "des joueurs"}
"""On what an answer depends if the groups are players."""


ENTRY_KEYS: Final = frozenset(
    {"claim", "source", "compares", "metric", "note", "undecidable", "smallest", "axis", "groups", "arms", "rows"}
)
ARM_KEYS: Final = frozenset({"play", "rules", "set", "players"})
ROW_KEYS: Final = frozenset(
    {"label", "metric", "of", "where", "arguments", "test", "expect", "than", "smallest", "groups"}
)
"""What an entry, its arms and its rows can hold."""


@dataclass(frozen=True)
class Group:
    """What a row is asked for: a name, and the words that stand for ``{word}`` in the arms."""

    name: Words
    words: Mapping[str, str]


@dataclass(frozen=True)
class ArmSpec:
    """A run as an entry declares it, with ``{word}`` for what the group gives.

    Attributes
    ----------
    play
        One of ``questions_metrics.PLAYS``.
    rules, changes
        Preset and options that differ from it.
    players
        The two strategies.
    """

    play: str
    rules: str
    changes: Mapping[str, Any]
    players: tuple[str, str]


@dataclass(frozen=True)
class RowSpec:
    """A row as an entry declares it: label, metric, the arms with their weights, and what the claim says of it."""

    label: Words
    metric: str
    arms: Mapping[str, float]
    where: Mapping[str, Any]
    arguments: Mapping[str, Any]
    test: bool
    expect: str
    than: float
    smallest: float
    groups: tuple[str, ...]


@dataclass(frozen=True)
class Entry:
    """A question.

    Attributes
    ----------
    id
        Such as ``T01``.
    claim
        In English and French.
    source
        Numbers of the rule texts that make it; empty for debates heard elsewhere.
    compares
        The two sides or the sweep.
    metric
        What the numbers are.
    note
        How the claim is read, and what is assumed.
    undecidable
        Why the simulation cannot decide, empty if it can.
    smallest
        The smallest effect that matters, in the unit of the first row.
    axis
        What differs between the groups, on which an answer may depend.
    groups, arms, rows
        What is played and estimated.
    """

    id: str
    claim: Words
    source: tuple[str, ...]
    compares: Words
    metric: Words
    note: Words
    undecidable: Words
    smallest: float
    axis: Words
    groups: tuple[Group, ...]
    arms: Mapping[str, ArmSpec]
    rows: tuple[RowSpec, ...]


def ids() -> list[str]:
    """Return all ids in order: claims of the rule texts (T), then debates (D)."""
    names = sorted(path.stem for path in FOLDER.glob("*.toml"))
    return [name for name in names if name[0] == "T"] + [name for name in names if name[0] != "T"]


def find(name: str) -> Entry:
    """Return a question by its id, in letters of either size.

    Raises
    ------
    UsageError
        There is none; the line names the nearest.
    """
    known = ids()
    if re.fullmatch(r"[A-Za-z][0-9]", name):  # T5 is T05
        name = f"{name[0]}0{name[1]}"
    if name.upper() not in known:
        raise UsageError(
            f"question {quoted(name)} is not known{_guess(name, known)}; 'gincore question list' shows all"
        )
    return _read(name.upper())


def _guess(name: str, known: Sequence[str]) -> str:
    """Return the id of the same letter with the nearest number, as a guess at what was meant."""
    if not re.fullmatch(r"[A-Za-z][0-9]{1,4}", name):
        return ""
    alike = [each for each in known if each[0] == name[0].upper()]
    near = min(alike, key=lambda each: abs(int(each[1:]) - int(name[1:])), default="")
    return f" (did you mean {near!r}?)" if near else ""


@cache
def _read(name: str) -> Entry:
    with (FOLDER / f"{name}.toml").open("rb") as file:
        return parse(name, tomllib.load(file))


def parse(name: str, data: Mapping[str, Any]) -> Entry:
    """Return the entry of a file's content; what is missing or not known is refused with the name of the file."""
    try:
        return _parse(name, dict(data))
    except KeyError as error:
        raise UsageError(f"question {name}: {error.args[0]} is missing") from None


def _parse(name: str, data: dict[str, Any]) -> Entry:
    _refuse_others(name, data, ENTRY_KEYS)
    groups = tuple(_group(each) for each in data.get("groups", SELF_PLAY))
    smallest = float(data["smallest"])
    arms = {key: _arm(name, each) for key, each in data["arms"].items()}
    rows = tuple(_row(name, each, smallest, arms) for each in data["rows"])
    wanted = {field for arm in arms.values() for text in _texts(arm) for _, field, _, _ in Formatter().parse(text)}
    for group in groups:
        for field in wanted - {None} - set(group.words):
            raise UsageError(f"question {name}: group {group.name[0]} gives no {{{field}}}")
    return Entry(
        name,
        _words(data["claim"]),
        tuple(data.get("source", ())),
        _words(data["compares"]),
        _words(data["metric"]),
        _words(data.get("note", "")),
        _words(data.get("undecidable", "")),
        smallest,
        _words(data.get("axis", WHO)),
        groups,
        arms,
        rows,
    )


def _texts(arm: ArmSpec) -> list[str]:
    return [arm.rules, *arm.players, *(value for value in arm.changes.values() if isinstance(value, str))]


def _words(given: str | Mapping[str, str]) -> Words:
    return (given, given) if isinstance(given, str) else (given["en"], given["fr"])


def _group(given: str | Mapping[str, Any]) -> Group:
    if isinstance(given, str):
        return Group((given, given), {"base": given})
    return Group(_words(given["name"]), {key: value for key, value in given.items() if key != "name"})


def _refuse_others(name: str, given: Mapping[str, Any], known: frozenset[str]) -> None:
    """Refuse a key that nothing reads."""
    for key in sorted(given.keys() - known):
        raise UsageError(f"question {name}: {key} is not known{nearest(key, known)}")


def _arm(name: str, given: Mapping[str, Any]) -> ArmSpec:
    _refuse_others(name, given, ARM_KEYS)
    if given["play"] not in PLAYS:
        raise UsageError(f"question {name}: play {quoted(given['play'])} is not one of {', '.join(PLAYS)}")
    players = tuple(given.get("players", ("{base}", "{base}")))
    return ArmSpec(given["play"], given.get("rules", "classic"), given.get("set", {}), players)


def _row(name: str, given: Mapping[str, Any], smallest: float, arms: Mapping[str, ArmSpec]) -> RowSpec:
    _refuse_others(name, given, ROW_KEYS)
    metric = given["metric"]
    if metric not in METRICS:
        raise UsageError(f"question {name}: metric {quoted(metric)} is not known{nearest(metric, METRICS)}")
    of = given["of"]
    weights = {of: 1.0} if isinstance(of, str) else {key: float(value) for key, value in of.items()}
    for arm in weights:
        if arm not in arms or arms[arm].play != METRICS[metric].play:
            raise UsageError(f"question {name}: {metric} is read off {METRICS[metric].play}, arm {arm} plays none")
    expect = given.get("expect", "above")
    if expect not in EXPECTED:
        raise UsageError(f"question {name}: expect {quoted(expect)} is not one of {', '.join(EXPECTED)}")
    return RowSpec(
        _words(given["label"]),
        metric,
        weights,
        given.get("where", {}),
        given.get("arguments", {}),
        bool(given.get("test", True)),
        expect,
        float(given.get("than", 0)),
        float(given.get("smallest", smallest)),
        tuple(given.get("groups", ())),
    )
