"""What is to be played: a checked plan, its manifest, and how two of them differ."""

from __future__ import annotations

import hashlib
import json
import operator
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numba
import numpy as np

from gincore import __version__
from gincore import strategies as strategy_shelf
from gincore._jit import source_digest
from gincore.errors import UsageError, quoted, refuse_control, shortened
from gincore.ruleset import Rules, rules
from gincore.ruleset_toml import plain
from gincore.runs.layout import LIMITS, MOST_PARTS, Chunk, Keep, Kind, Layout, usual_chunk
from gincore.schema import FORMAT_VERSION, RULES_VERSION
from gincore.strategies import Strategy

SEED_LIMIT: Final = 1 << 64
"""Seeds are whole numbers below this."""

NOT_COMPARED: Final = frozenset({"command", "created", "rules.name", "rules.label", "rules.title"})
"""Entries of a manifest that do not change what is played."""

STRATEGY_COMPARED: Final = ("name", "params", "digest")
"""What is compared of a strategy; its file may move."""


_LONGEST_NAME: Final = 60
_LONGEST_VALUE: Final = 40
"""Letters of a difference of two manifests: what it is called, and each side's value."""


@dataclass(frozen=True)
class Plan:
    """A checked plan of a run. Make one with :func:`make_plan`.

    Attributes
    ----------
    kind
        ``"hands"``: single deals; ``"games"``: games to the target.
    rules
        The rule set.
    strategies
        Players 0 and 1; in cutthroat also player 2, in a partnership perhaps the second partners of both sides.
    seed
        0 .. 2**64 - 1.
    count
        Deals or games.
    mirror
        Play each twice, with the seats exchanged.
    keep
        ``"rows"`` or ``"stats"``.
    chunk
        Units a part, or None for the usual size. Results never depend on it.
    first
        Number of the first deal or game.
    """

    kind: Kind
    rules: Rules
    strategies: tuple[Strategy, ...]
    seed: int
    count: int
    mirror: bool
    keep: Keep
    chunk: int | None = None
    first: int = 0

    @property
    def layout(self) -> Layout:
        """The shape of the run, with the chunk size settled."""
        chunk = usual_chunk(self.kind, self.count) if self.chunk is None else self.chunk
        return Layout(
            self.kind, self.first, self.count, self.mirror, self.keep, chunk, self.rules.form, self.rules.match
        )

    def chunks(self) -> Iterator[Chunk]:
        """Yield (index, first unit, units) of every chunk, lazily."""
        return self.layout.chunks()

    def with_chunk(self, chunk: int) -> Plan:
        """Return the same plan cut into other chunks."""
        return replace(self, chunk=chunk)

    def manifest(self) -> dict[str, Any]:
        """Return all that determines the rows of this run, ready for JSON.

        ``command`` is beside it for the reader, and not compared on resume.
        """
        layout = self.layout
        return {
            "format": FORMAT_VERSION,
            "rules_version": RULES_VERSION,
            "kind": self.kind,
            "rules": {
                "name": self.rules.name,
                "label": self.rules.label,
                "title": self.rules.title,
                "digest": self.rules.digest(),
                "options": {name: plain(value) for name, value in self.rules.options().items()},
            },
            "strategies": [strategy.describe() for strategy in self.strategies],
            "seed": self.seed,
            "first": self.first,
            "count": self.count,
            "mirror": self.mirror,
            "keep": self.keep,
            "chunk": layout.chunk,
            "versions": {"gincore": __version__, "numba": numba.__version__, "numpy": np.__version__},
            "source_digest": source_digest(),
            "command": command_line(),
        }

    def differences(self, manifest: Mapping[str, Any]) -> list[str]:
        """Name every entry in which a stored manifest differs from this plan.

        Parameters
        ----------
        manifest
            What :meth:`manifest` gave when the folder was begun.

        Returns
        -------
        list of str
            ``"seed (--seed): 7 in the folder, 8 asked for"`` and the like, in the words of who asks; empty if the rows
            would be the same.
        """
        stored, asked = _flat(manifest), _flat(self.manifest())
        changed = [key for key in {**stored, **asked} if _compared(key) and stored.get(key) != asked.get(key)]
        told = [key for key in changed if not _implied(key, changed)]
        return [
            f"{shortened(self._said(key), _LONGEST_NAME)}: {_short(stored, key)} in the folder, "
            f"{_short(asked, key)} asked for"
            for key in told
        ]

    def _said(self, key: str) -> str:
        """Return an entry of the manifest as the caller knows it: the argument, and the flag of the command line."""
        unit = self.layout.unit
        said = {
            "kind": "what is played",
            "count": f"{unit}s (--{unit}s)",
            "first": f"first_{unit} (--first-{unit})",
            "mirror": "mirror (--mirror, --no-mirror)",
            "rules.digest": "options of the rules",
            "source_digest": "gincore's own source",
            "rules_version": "version of the rules' readings",
            "format": "format of the folder",
        }
        if key in said:
            return said[key]
        if key in ("seed", "keep", "chunk"):
            return f"{key} (--{key})"
        first, *rest = key.split(".")
        if first == "rules":
            return f"{', '.join(['rules', *rest[-1:]])} (--rules, --set)"
        if first == "versions" and rest:
            return f"version of {rest[-1]}"
        if first == "strategies" and rest and rest[0].isdecimal():
            player = int(rest[0])
            if rest[1:] in ([], ["name"]) or player >= len(self.strategies):
                return f"strategy of player {player} (--strategy)"
            who = f"strategy {self.strategies[player].name!r} (player {player})"
            return f"{who}, source" if rest[1] == "digest" else f"{who}, {rest[-1]}"
        return key


def make_plan(
    kind: Kind,
    game_rules: str | Path | Rules,
    strategies: Sequence[str | Strategy],
    *,
    seed: int,
    count: int,
    mirror: bool = True,
    keep: Keep = "rows",
    chunk: int | None = None,
    first: int = 0,
) -> Plan:
    """Check everything that can be checked before the first hand, and return the plan.

    Parameters
    ----------
    kind
        ``"hands"`` or ``"games"``.
    game_rules
        A preset's name, a TOML file, or :class:`~gincore.ruleset.Rules`.
    strategies
        Two strategies, or texts that :func:`gincore.strategies.get` knows; in games of cutthroat three; in games of a
        partnership two (each for both partners of a side), or four.
    seed
        Whole number, 0 .. 2**64 - 1.
    count
        Deals or games, at least 1.
    mirror
        Play each twice, with the seats exchanged.
    keep
        ``"rows"`` or ``"stats"``.
    chunk
        Units a stored part; None for the usual size.
    first
        Number of the first deal or game.

    Raises
    ------
    UsageError
        One line that names the value and what is allowed.
    """
    unit = "deals" if kind == "hands" else "games"
    if kind not in ("hands", "games"):
        raise UsageError(f"kind {quoted(kind)}: allowed are 'hands' and 'games'")
    if keep not in ("rows", "stats"):
        raise UsageError(f"keep {quoted(keep)}: allowed are 'rows' and 'stats'")
    if not isinstance(mirror, bool | np.bool_):
        raise UsageError(f"mirror {quoted(mirror)}: allowed are True and False")
    seed = whole("seed", seed, 0, SEED_LIMIT - 1)
    top = LIMITS[kind]
    count = whole(unit, count, 1, top)
    first = whole(f"first {unit[:-1]}", first, 0, top - count)
    if chunk is not None:
        chunk = whole("chunk", chunk, -(-count // MOST_PARTS), top)
    ruleset = rules(game_rules)
    players = read_players(strategies, ruleset.form if kind == "games" else "single")
    for player in players:
        player.functions()  # a decision that cannot be compiled is refused before anything is written
    return Plan(kind, ruleset, players, seed, count, bool(mirror), keep, chunk, first)


def identity(manifest: Mapping[str, Any]) -> str:
    """Return a digest of all that determines the rows of a unit of given number.

    Parameters
    ----------
    manifest
        Of a plan or of a stored run.

    Returns
    -------
    str
        Sixteen hexadecimal digits. How many units there are and how they are cut does not matter, nor do names.
    """
    what = [manifest[key] for key in ("rules_version", "kind", "seed", "mirror", "source_digest")]
    players = [(strategy["params"], strategy["digest"]) for strategy in manifest["strategies"]]
    text = json.dumps([what, manifest["rules"]["digest"], players], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def whole(name: str, value: object, low: int, high: int) -> int:
    """Return ``value`` as an int of ``low`` .. ``high``; booleans, fractions and texts are refused."""
    try:
        if isinstance(value, bool | np.bool_):
            raise TypeError
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        hint = f"; write {int(value)}, which is no float" if isinstance(value, float) and value.is_integer() else ""
        raise UsageError(f"{name} {quoted(value)}: allowed are whole numbers from {low:,} to {high:,}{hint}") from None
    if not low <= number <= high:
        raise UsageError(f"{name} {number}: allowed are whole numbers from {low:,} to {high:,}")
    return number


def command_line() -> str:
    """Return the command that started this process, with the program's bare name."""
    program = Path(sys.argv[0] if sys.argv and sys.argv[0] else "python")
    name = f"python -m {program.parent.name}" if program.name == "__main__.py" else shlex.quote(program.name)
    return " ".join([name, *map(shlex.quote, sys.argv[1:])])


PLAYERS: Final[Mapping[str, tuple[tuple[int, ...], str]]] = {
    "single": ((2,), "exactly two are needed, player 0 and player 1"),
    "hollywood": ((2,), "exactly two are needed, player 0 and player 1"),
    "partnership": ((2, 4), "a partnership needs two, one a side, or four: side 0, side 1, their second partners"),
    "cutthroat": ((3,), "cutthroat needs exactly three, players 0, 1 and 2"),
}
"""How many strategies each form of game takes, and how to say so."""


def read_players(strategies: Sequence[str | Strategy], form: str) -> tuple[Strategy, ...]:
    """Return the strategies of all players; a number that does not fit the form of the game is refused."""
    count = 1 if isinstance(strategies, str | Strategy) else len(strategies)
    allowed, needed = PLAYERS[form]
    if isinstance(strategies, str | Strategy) or count not in allowed:
        raise UsageError(f"{count} strategies given: {needed}")
    found = tuple(each if isinstance(each, Strategy) else strategy_shelf.get(each) for each in strategies)
    for each in found:
        refuse_control("strategy", each.name)
    return found


def _compared(key: str) -> bool:
    names = key.split(".")
    if names[0] == "strategies" and len(names) > 2:
        return names[2] in STRATEGY_COMPARED
    return key not in NOT_COMPARED


def _implied(key: str, changed: Sequence[str]) -> bool:
    """Return whether a difference says nothing beyond another one that is named as well."""
    if key == "rules.digest":
        return any(other.startswith("rules.options.") for other in changed)
    if key.startswith("strategies.") and not key.endswith(".name"):
        player = key.split(".")[1]
        named = f"strategies.{player}.name" in changed
        return named or (key.endswith(".digest") and any(o.startswith(f"strategies.{player}.params.") for o in changed))
    return False


def _flat(tree: object, prefix: str = "") -> dict[str, object]:
    """Return the leaves of nested mappings and of the list of strategies under dotted names."""
    if isinstance(tree, Mapping):
        items = [(str(key), value) for key, value in tree.items()]
    elif isinstance(tree, list | tuple) and any(isinstance(value, Mapping) for value in tree):
        items = [(str(place), value) for place, value in enumerate(tree)]
    else:
        return {prefix: list(tree) if isinstance(tree, tuple) else tree}
    leaves: dict[str, object] = {}
    for key, value in items:
        leaves.update(_flat(value, f"{prefix}.{key}" if prefix else key))
    return leaves


def _short(leaves: Mapping[str, object], key: str) -> str:
    if key not in leaves:
        return "absent"
    text = repr(leaves[key])
    return f"{text[:13]}...'" if key.endswith("digest") and len(text) > 20 else shortened(text, _LONGEST_VALUE)
