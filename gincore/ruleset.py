"""Rule sets: the frozen :class:`Rules`, the shipped presets, and :func:`rules`.

The module is not called ``rules`` because ``gincore.rules`` is the function.
"""

from __future__ import annotations

import hashlib
import html
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from dataclasses import replace as dataclass_replace
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from gincore import ruleset_toml, schema
from gincore.cards import RANKS
from gincore.errors import UsageError, quoted, refuse_control
from gincore.markup import table_html
from gincore.options import OPTIONS, contradiction, match_form, option, unknown
from gincore.tabular import table_text

PRESETS: Final = Path(__file__).parent / "presets"
"""Folder of the shipped rule sets, one TOML file each."""

_CODES: Final[dict[str, Any]] = {
    "ace": schema.Ace,
    "tie": schema.Tie,
    "layoff": schema.Layoff,
    "knocker_spread": schema.KnockerSpread,
    "doubling": schema.Doubling,
    "upcard_offer": schema.UpcardOffer,
    "last_discard": schema.LastDiscard,
    "shutout": schema.Shutout,
    "settlement": schema.Settlement,
    "next_dealer": schema.NextDealer,
    "form": schema.Form,
    "hollywood_boxes": schema.HollywoodBoxes,
    "partnership_swap": schema.PartnershipSwap,
}
_LARGEST_CARD: Final = 10
_SET_BY_USER: Final = "set by the user"


@dataclass(frozen=True, kw_only=True)
class Rules:
    """One complete rule set. Make it with :func:`rules`; change it with :meth:`replace`.

    Values are checked when the object is made, and combinations that contradict each other
    are refused. Numbers in brackets name the text in which a value of an option is found:
    [000] and [001] the pages on gin rummy and straight gin, [002] the page on gin rami, [003] gin
    rummy to 250, [004] the two texts and the variants of a forum page.

    Parameters
    ----------
    ace : {"low", "high_low", "round"}
        Runs: A-2-3 only [000, 001, 002]; also Q-K-A; also K-A-2 and around the corner [004].
    ace_points : {1, 15}
        Deadwood of an ace: 1 [000, 001, 002], 15 [004].
    knock_limit : int or {"upcard", "second_deck"}
        Highest deadwood that may knock: 10 [000, 002, 004]; 0, gin only [000, 001, 004]; the value of
        the upcard, Oklahoma [000, 002, 004]; the value of a card of a second deck [004].
    knock_strict : bool
        Deadwood must be strictly below the limit [004, second deck].
    low_limit_is_gin : frozenset of str
        Turned ranks that allow gin only: {"A"} [000], {"A", "2"} [004].
    min_melded : int or None
        Melded cards needed to go out, instead of a deadwood limit: 8 [003, 004].
    big_gin : bool
        Eleven melded cards end the hand [001, 003, 004].
    gin_bonus, big_gin_bonus, undercut_bonus : int
        Points: gin 25 [000, 001, 003, 004], 20 or 25 [002]; big gin 31 [001], 50 [003, 004];
        undercut 25 [000, 004], 20 [003, 004], 10, 20 or 25 [002].
    tie : {"undercut", "nothing", "knocker"}
        Equal deadwood after lay-offs: an undercut in all five texts.
    layoff_on_gin, gin_cancelled_at_zero : bool
        Lay-offs on gin [003, 004 as read]; refused in [000, 001, 002].
    layoff : {"optimal", "melds_first"}
        Whether the defender optimises melds and lay-offs together [001: "so as to leave the fewest"].
    knocker_spread : {"min_deadwood", "best", "random_minimum"}
        Which arrangement the knocker lays down: the one with the fewest dead points [001].
    doubling : {"none", "upcard_spade", "last_discard_spade"}
        Points x 2 when the turned card is a spade [000, 002, 004] or the defender's last discard was [000].
    upcard_offer : {"both", "none_eleven"}
        The upcard is offered to both players in all five texts; or eleven cards are dealt and none is turned.
    return_taken : bool
        Whether the card just taken from the pile may be thrown at once: no [000, 001, 004].
    dead_stock : int
        Cards left in the stock at which a discard ends the hand: 2 in all five texts.
    last_discard : {"dead", "knock_only"}
        Whether the opponent may still go out with that discard.
    max_turns : int
        Turns after which a hand is given up as stalled: a bound of this toolkit, in no text.
    target : int
        Points: 100 [000, 001, 002, 004], 250 [002 in competition, 003, 004].
    game_bonus : int
        Points to the game's winner: 100 [000, 002, 003, 004].
    shutout : {"none", "double_game_bonus", "flat_100", "double_total"}
        200 instead of 100 [000, 003, 004].
    box_bonus : int
        Points a hand won: 20 [000, 004], 25 [001], 20 or 25 [002].
    box_toward_target : bool
        Boxes count at once; in all texts they do not.
    end_gin_bonus, end_big_gin_bonus : int
        Points at the end for each: 50 and 100 [003, 004].
    settlement : {"net", "sum", "pro"}
        Net difference [000], both totals kept [003, 004], Gin Rummy Pro's formula [004].
    first_dealer : {"random"}
        Drawn by lot [000, 001, 004].
    next_dealer : {"loser", "winner", "alternate"}
        Loser [000], winner [004], alternate [001].
    form : {"single", "hollywood", "partnership", "cutthroat"}
        All four in [000].
    hollywood_boxes : {"entered", "all"}
        Hands that give boxes in a column: those entered in it, or every hand until it closes.
    partnership_bonus : int
        Points at the end for each round that both partners win: [000] names it without a value.
    partnership_swap : {"hand", "game"}
        When partners change opponents.
    match : str
        ``"one-game"``, ``"best-of-N"`` (3 or 5 [000], 5 [002]) or ``"points-N"`` (250, 500 [000]): settled points.
        Under ``settlement = "sum"`` all N games are played, and the higher sum wins [003, 004].
    name, title, source : str
        Short name, title for people, and where the rules come from.
    notes : tuple of str
        Readings of unclear lines, and the options on which the text is silent.
    sources : mapping of str to str
        Where the value of each option comes from: a text, a rule file, a preset (``"classic: source 000"``), or
        the user. It does not count where rules are compared.

    Raises
    ------
    UsageError
        If a value is not allowed or two options contradict each other.
    """

    ace: str
    ace_points: int
    knock_limit: int | str
    knock_strict: bool
    low_limit_is_gin: frozenset[str]
    min_melded: int | None
    big_gin: bool
    gin_bonus: int
    big_gin_bonus: int
    undercut_bonus: int
    tie: str
    layoff_on_gin: bool
    gin_cancelled_at_zero: bool
    layoff: str
    knocker_spread: str
    doubling: str
    upcard_offer: str
    return_taken: bool
    dead_stock: int
    last_discard: str
    max_turns: int

    target: int
    game_bonus: int
    shutout: str
    box_bonus: int
    box_toward_target: bool
    end_gin_bonus: int
    end_big_gin_bonus: int
    settlement: str
    first_dealer: str
    next_dealer: str
    form: str
    hollywood_boxes: str
    partnership_bonus: int
    partnership_swap: str
    match: str

    name: str = "custom"
    title: str = ""
    source: str = ""
    notes: tuple[str, ...] = ()
    sources: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Check every value, then the combinations."""
        for name, each in OPTIONS.items():
            object.__setattr__(self, name, each.check(getattr(self, name)))
        object.__setattr__(self, "notes", tuple(self.notes))
        object.__setattr__(self, "sources", {name: self.sources.get(name, _SET_BY_USER) for name in OPTIONS})
        for name in ("name", "title"):
            refuse_control(f"{name} of rules", str(getattr(self, name)))
        reason = contradiction(self.options())
        if reason is not None:
            raise UsageError(f"rules {self.name!r}: {reason}")

    def options(self) -> dict[str, Any]:
        """Return every option and its value, in the order of the rules page."""
        return {name: getattr(self, name) for name in OPTIONS}

    def replace(self, **options: Any) -> Rules:
        """Return these rules with other values for some options; rules of one's own then name them.

        >>> rules("classic").replace(undercut_bonus=10).undercut_bonus
        10
        """
        for name in options:
            if name not in _FIELDS:
                option(name)
        other = dataclass_replace(self, **options)
        changes = other.differences(self)
        other = dataclass_replace(other, sources={**self.sources, **dict.fromkeys(changes, _SET_BY_USER)})
        if "name" in options or self.name in _preset_names():
            return other  # a preset's label tells what was changed
        kept = [part for part in self.name.split(", ") if part.partition("=")[0] not in changes]
        added = [f"{name}={ruleset_toml.text_of(mine)}" for name, (mine, _) in changes.items()]
        return dataclass_replace(other, name=", ".join([*kept, *added]))

    def differences(self, other: Rules) -> dict[str, tuple[Any, Any]]:
        """Return the options whose values differ: name -> (value here, value there)."""
        theirs = other.options()
        return {name: (mine, theirs[name]) for name, mine in self.options().items() if mine != theirs[name]}

    @property
    def label(self) -> str:
        """Name for tables and charts: the preset, and what was changed in it."""
        if self.name not in preset_names():
            return self.name
        changes = [
            f"{name}={ruleset_toml.text_of(mine)}" for name, (mine, _) in self.differences(_preset(self.name)).items()
        ]
        return ", ".join([self.name, *changes])

    def __repr__(self) -> str:
        """One line: name, what is changed in a preset, title."""
        return f"<Rules {self.label}{f': {self.title}' if self.title else ''}>"

    def __str__(self) -> str:
        """All options with where their values come from."""
        rows = [(name, ruleset_toml.text_of(value), self.sources[name]) for name, value in self.options().items()]
        return f"{self._heading()}\n\n{table_text(('option', 'value', 'source'), rows)}"

    def _repr_html_(self) -> str:
        rows = [
            (each.name, ruleset_toml.text_of(getattr(self, each.name)), self.sources[each.name], each.meaning)
            for each in OPTIONS.values()
        ]
        changes = self.differences(_preset("classic"))
        changed = [(name, ruleset_toml.text_of(a), ruleset_toml.text_of(b)) for name, (a, b) in changes.items()]
        shown = table_html(("option", "here", "classic"), changed) if changed else ""
        every = table_html(("option", "value", "source", "meaning"), rows)
        return (
            f"<b>{html.escape(self._heading())}</b>{shown}<details><summary>all {len(rows)} options</summary>"
            f"{every}</details>"
        )

    def _heading(self) -> str:
        return f"{self.label}: {self.title}" if self.title else self.label

    def to_record(self) -> np.record:
        """Return the rules as the kernels read them: one record of ``schema.RULES_DTYPE``.

        Choices become codes, booleans 0 or 1, ``low_limit_is_gin`` a bit mask of ranks, ``min_melded``
        0 for none. Where a turned card sets the limit, ``knock_limit`` holds the largest one, 10.
        """
        limit = self.knock_limit
        kind, number = match_form(self.match)
        values: dict[str, int] = {
            "limit_kind": schema.LimitKind[limit if isinstance(limit, str) else "fixed"],
            "knock_limit": _LARGEST_CARD if isinstance(limit, str) else limit,
            "low_limit_is_gin": sum(1 << RANKS.index(rank) for rank in self.low_limit_is_gin),
            "min_melded": self.min_melded or 0,
            "match_games": number if kind == "best-of" else 0,
            "match_points": number if kind == "points" else 0,
        }
        record: np.record = np.zeros(1, schema.RULES_DTYPE)[0]
        for name in schema.RULES_DTYPE.names or ():
            if name in values:
                record[name] = values[name]
            else:
                value = getattr(self, name)
                record[name] = int(_CODES[name][value] if name in _CODES else value)
        return record

    def digest(self) -> str:
        """Return the SHA-256 (hex) of the option values; name, title and notes do not count."""
        values = {name: ruleset_toml.plain(value) for name, value in self.options().items()}
        return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()

    def to_toml(self) -> str:
        """Return the rules as the text of a TOML file that :func:`rules` reads back to an equal object."""
        return ruleset_toml.dump(self.options(), self.name, self.title, self.source, self.notes)


_FIELDS: Final = frozenset(each.name for each in fields(Rules)) - {"sources"}


def preset_names() -> list[str]:
    """Return the names of the shipped rule sets: ``classic`` first, then by the alphabet."""
    return list(_preset_names())


@cache
def _preset_names() -> tuple[str, ...]:
    names = sorted(path.stem for path in PRESETS.glob("*.toml"))
    return ("classic", *(name for name in names if name != "classic"))


def rules(source: str | Path | Rules, **options: Any) -> Rules:
    """Return a rule set by preset name or TOML file, with some options changed.

    Parameters
    ----------
    source : str, Path or Rules
        Name of a preset (see :func:`preset_names`), path of a TOML file (``base = "classic"``, then the
        options that differ), or rules, which are returned as they are.
    **options
        Options to change.

    Raises
    ------
    UsageError
        If the preset, the file or an option is unknown, or a value is not allowed.

    Examples
    --------
    >>> rules("oklahoma", undercut_bonus=10).knock_limit
    'upcard'
    """
    if isinstance(source, Rules):
        found = source
    elif isinstance(source, Path) or (isinstance(source, str) and _looks_like_path(source)):
        found = _from_file(Path(source).expanduser())
    elif isinstance(source, str) and source in _preset_names():
        found = _preset(source)
    else:
        raise unknown("rules", source, preset_names(), see="'gincore rules list' names them, or give a .toml file")
    return found.replace(**options) if options else found


def _looks_like_path(text: str) -> bool:
    return text.endswith(".toml") or "/" in text or "\\" in text


@cache
def _preset(name: str) -> Rules:
    return _from_file(PRESETS / f"{name}.toml")


def _from_file(path: Path) -> Rules:
    """Return the rules of a TOML file; options that it does not name come from its base."""
    content = ruleset_toml.load(path)
    base = content.base
    if base is None and path != PRESETS / "classic.toml":
        base = "classic"
    if base is not None and base not in _preset_names():
        raise unknown(f"base in {path}:", base, preset_names())
    values = dict(content.options) if base is None else _preset(base).options() | content.options
    try:
        return Rules(
            name=content.name,
            title=content.title,
            source=content.source,
            notes=content.notes,
            sources=_sources(content, base, path),
            **values,
        )
    except UsageError as error:
        raise UsageError(f"{quoted(str(path))}: {error}") from None


def _sources(content: ruleset_toml.Content, base: str | None, path: Path) -> dict[str, str]:
    """Return where each option of a file has its value from.

    An option that the file names is that of its text, or of the file itself if it is a user's (whose ``source`` may be
    that of the preset it was made from). What a preset takes over says which preset had it first.
    """
    file = path.name if path.name.isprintable() else quoted(path.name)
    own = _short(content.source) if path.parent == PRESETS else f"rule file {file}"
    found = {}
    if base is not None:
        for name, source in _preset(base).sources.items():
            inherited = source.partition(": ")[0] in _preset_names()
            found[name] = source if inherited else f"{base}: {source}"
    found |= dict.fromkeys(content.silent, f"silent, as {base or 'the toolkit'}")
    found |= dict.fromkeys(content.options, own)
    return found | content.sources


def _short(source: str) -> str:
    """Return the name of a text, or of several, without its title and what it is.

    >>> _short("source 000: 'Comment jouer', French rules page; source 004, second text")
    'source 000; source 004'
    """
    return "; ".join(re.split(r": '|, ", part, maxsplit=1)[0] for part in source.split("; "))
