"""Every option of a rule set as data: its meaning, its allowed values, how text becomes a value.

An :class:`Option` checks Python values (``check``) and reads text (``parse``), for TOML files,
``--set option=value`` and errors. Which combinations contradict each other stands here too.
"""

from __future__ import annotations

import operator
import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final

from gincore import schema
from gincore.cards import RANKS
from gincore.errors import UsageError, quoted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from enum import IntEnum

MAX_KNOCK_LIMIT: Final = 100
"""Above every minimum deadwood that ten cards can have with an ace of one point (98)."""

_TRUE: Final = ("true", "yes", "on", "1")
_FALSE: Final = ("false", "no", "off", "0")


@dataclass(frozen=True)
class Option(ABC):
    """One option: ``name``, ``meaning`` in a phrase, and the two readers of a value."""

    name: str
    meaning: str

    @property
    @abstractmethod
    def allowed(self) -> str:
        """What is allowed, as a phrase for errors and help."""

    @abstractmethod
    def check(self, value: Any) -> Any:
        """Return `value` in its one form (numpy integers become int), or raise UsageError."""

    def parse(self, text: str) -> Any:
        """Return the value that a text such as that of ``--set`` stands for."""
        return self.check(text.strip())

    def refuse(self, value: object) -> UsageError:
        """Return the error that names the option, the value and what is allowed."""
        return UsageError(f"{self.name} = {quoted(value)} is not allowed; allowed: {self.allowed}")


@dataclass(frozen=True)
class Choice(Option):
    """One of a few names."""

    values: tuple[str, ...]

    @property
    def allowed(self) -> str:
        """The names."""
        return ", ".join(self.values)

    def check(self, value: Any) -> str:
        """Return the name."""
        if not isinstance(value, str) or value not in self.values:
            raise self.refuse(value)
        return value


@dataclass(frozen=True)
class Flag(Option):
    """True or false."""

    @property
    def allowed(self) -> str:
        """The two values."""
        return "true, false"

    def check(self, value: Any) -> bool:
        """Return the boolean; numbers are refused."""
        if not isinstance(value, bool):
            raise self.refuse(value)
        return value

    def parse(self, text: str) -> bool:
        """Read true/false, yes/no, on/off, 1/0."""
        word = text.strip().lower()
        if word not in _TRUE + _FALSE:
            raise self.refuse(text)
        return word in _TRUE


@dataclass(frozen=True)
class Number(Option):
    """A whole number from ``low`` to ``high``, or one of ``words``.

    ``none_word`` is a word that stands for None ("no such condition").
    """

    low: int
    high: int
    only: tuple[int, ...] = ()
    words: tuple[str, ...] = ()
    none_word: str = ""
    unit: str = ""

    @property
    def allowed(self) -> str:
        """The range, then the words."""
        numbers = ", ".join(map(str, self.only)) if self.only else f"{self.low}..{self.high}"
        words = (*self.words, *((self.none_word,) if self.none_word else ()))
        return ", ".join((f"{numbers}{' ' + self.unit if self.unit else ''}", *words))

    def check(self, value: Any) -> int | str | None:
        """Return the number (or word, or None for ``none_word``)."""
        if self.none_word and (value is None or value == self.none_word):
            return None
        if isinstance(value, str):
            if value in self.words:
                return value
            raise self.refuse(value)
        if isinstance(value, bool):
            raise self.refuse(value)
        try:
            number = operator.index(value)
        except TypeError:
            raise self.refuse(value) from None
        if not self.low <= number <= self.high or (self.only and number not in self.only):
            raise self.refuse(value)
        return number

    def parse(self, text: str) -> int | str | None:
        """Read decimal digits or a word."""
        word = text.strip()
        return self.check(int(word) if re.fullmatch(r"[+-]?[0-9]{1,18}", word) else word)


@dataclass(frozen=True)
class RankSet(Option):
    """A set of ranks."""

    @property
    def allowed(self) -> str:
        """How ranks are written."""
        return "ranks of A23456789TJQK, such as A or A,2, or none"

    def check(self, value: Any) -> frozenset[str]:
        """Return the set of canonical rank letters."""
        if isinstance(value, str):
            value = _ranks_of_text(value)
        try:
            ranks = frozenset("T" if rank == "10" else rank.upper() for rank in value)
        except (TypeError, AttributeError):
            raise self.refuse(value) from None
        if not all(len(rank) == 1 and rank in RANKS for rank in ranks):
            raise self.refuse(value)
        return ranks


def _ranks_of_text(text: str) -> list[str]:
    words = text.replace(",", " ").split()
    return [] if [word.lower() for word in words] == ["none"] else words


@dataclass(frozen=True)
class Match(Option):
    """What stands around a game: nothing, best of an odd number of games, or a points total."""

    @property
    def allowed(self) -> str:
        """The three forms."""
        return "one-game, best-of-N (N odd, 3..99), points-N (N 50..10000)"

    def check(self, value: Any) -> str:
        """Return the text of the match."""
        found = re.fullmatch(r"(best-of|points)-([0-9]{1,5})", value) if isinstance(value, str) else None
        if found:
            number = int(found[2])
            good = 3 <= number <= 99 and number % 2 == 1 if found[1] == "best-of" else 50 <= number <= 10_000
        else:
            good = value == "one-game"
        if not good:
            raise self.refuse(value)
        return str(value)


def _names(codes: type[IntEnum]) -> tuple[str, ...]:
    return tuple(code.name for code in codes)


def _bonus(name: str, meaning: str) -> Number:
    return Number(name, meaning, low=0, high=500, unit="points")


HAND_OPTIONS: Final[tuple[Option, ...]] = (
    Choice("ace", "where the ace stands in a run: A-2-3, also Q-K-A, or around the corner", _names(schema.Ace)),
    Number("ace_points", "deadwood of an ace", low=1, high=15, only=(1, 15), unit="points"),
    Number(
        "knock_limit",
        "highest deadwood that may knock; 0 is gin only; upcard and second_deck take a turned card's value",
        low=0,
        high=MAX_KNOCK_LIMIT,
        words=("upcard", "second_deck"),
    ),
    Flag("knock_strict", "deadwood must be strictly below the limit"),
    RankSet("low_limit_is_gin", "turned ranks that allow gin only"),
    Number("min_melded", "melded cards that going out needs, instead of a limit", low=3, high=10, none_word="none"),
    Flag("big_gin", "eleven melded cards end the hand without a discard"),
    _bonus("gin_bonus", "for gin, plus the defender's deadwood"),
    _bonus("big_gin_bonus", "for big gin, in place of the gin bonus"),
    _bonus("undercut_bonus", "for an undercut, plus the difference"),
    Choice("tie", "what equal deadwood after lay-offs is", _names(schema.Tie)),
    Flag("layoff_on_gin", "the defender may lay off on gin and big gin"),
    Flag("gin_cancelled_at_zero", "a defender who lays off to zero cancels the gin"),
    Choice("layoff", "how the defender arranges melds and lay-offs", _names(schema.Layoff)),
    Choice("knocker_spread", "which arrangement the knocker lays down", _names(schema.KnockerSpread)),
    Choice("doubling", "what doubles the points of a hand", _names(schema.Doubling)),
    Choice("upcard_offer", "how a hand opens", _names(schema.UpcardOffer)),
    Flag("return_taken", "the card just taken from the pile may be thrown at once"),
    Number("dead_stock", "cards left in the stock at which a discard ends the hand dead", low=0, high=30),
    Choice("last_discard", "what the opponent may do with the discard that ends a hand", _names(schema.LastDiscard)),
    Number("max_turns", "turns after which a hand is stalled (a safety bound)", low=1, high=schema.MAX_TURNS),
)
"""Options of a hand, in the order of the rules page."""

GAME_OPTIONS: Final[tuple[Option, ...]] = (
    Number("target", "hand points that end the game", low=50, high=750, unit="points"),
    Number("game_bonus", "to the winner of the game", low=0, high=1000, unit="points"),
    Choice("shutout", "what changes when the loser scored no hand points", _names(schema.Shutout)),
    _bonus("box_bonus", "for each hand won, at the end"),
    Flag("box_toward_target", "boxes are credited at once and count toward the target"),
    _bonus("end_gin_bonus", "for each gin of the game, at the end"),
    _bonus("end_big_gin_bonus", "for each big gin of the game, at the end"),
    Choice("settlement", "how the totals of a game are settled", _names(schema.Settlement)),
    Choice("first_dealer", "who deals first", ("random",)),
    Choice("next_dealer", "who deals after a scored hand", _names(schema.NextDealer)),
    Choice("form", "the form of the game", _names(schema.Form)),
    Choice("hollywood_boxes", "hands that give boxes in a Hollywood column", ("entered", "all")),
    _bonus("partnership_bonus", "when both partners win their hands"),
    Choice("partnership_swap", "when partners change opponents", ("hand", "game")),
    Match("match", "what stands around the games"),
)
"""Options of a game, in the order of the rules page."""

OPTIONS: Final[Mapping[str, Option]] = {option.name: option for option in HAND_OPTIONS + GAME_OPTIONS}
"""Every option by its name."""


def match_form(match: str) -> tuple[str, int]:
    """Return what a value of ``match`` asks for: its kind and its number.

    >>> match_form("best-of-5"), match_form("points-250"), match_form("one-game")
    (('best-of', 5), ('points', 250), ('one-game', 1))
    """
    kind, _, number = match.rpartition("-")
    return (kind, int(number)) if number.isdecimal() else (match, 1)


def option(name: str) -> Option:
    """Return the option of that name; an unknown name is refused with the nearest one.

    >>> option("tie").allowed
    'undercut, nothing, knocker'
    """
    if name not in OPTIONS:
        raise unknown("option", name, OPTIONS, see="see 'gincore rules show classic'")
    return OPTIONS[name]


def unknown(kind: str, name: object, known: Iterable[str], see: str = "") -> UsageError:
    """Return the error for a name that is not known, with the nearest known one."""
    names = list(known)
    near = get_close_matches(str(name), names, n=1, cutoff=0.6)
    hint = f"; did you mean {near[0]!r}?" if near else f"; {see}" if see else f"; known: {', '.join(names)}"
    return UsageError(f"unknown {kind} {quoted(name)}{hint}")


def _limit_kind(values: Mapping[str, Any]) -> str:
    limit = values["knock_limit"]
    return limit if isinstance(limit, str) else "fixed"


_CONTRADICTIONS: Final[tuple[tuple[Callable[[Mapping[str, Any]], bool], str], ...]] = (
    (
        lambda v: v["ace"] != "low" and (v["layoff"] == "melds_first" or v["knocker_spread"] == "random_minimum"),
        "layoff = melds_first and knocker_spread = random_minimum are the research framework's, which has ace = low",
    ),
    (
        lambda v: v["knock_strict"] and v["knock_limit"] == 0,
        "knock_strict with knock_limit = 0 would allow no way to go out",
    ),
    (
        lambda v: v["knock_strict"] and v["min_melded"] is not None,
        "knock_strict needs a deadwood limit, which min_melded replaces",
    ),
    (
        lambda v: v["min_melded"] is not None and _limit_kind(v) != "fixed",
        "min_melded replaces the deadwood limit: knock_limit must not be upcard or second_deck",
    ),
    (
        lambda v: v["low_limit_is_gin"] and _limit_kind(v) == "fixed",
        "low_limit_is_gin names ranks of a turned card: it needs knock_limit = upcard or second_deck, or none",
    ),
    (
        lambda v: v["gin_cancelled_at_zero"] and not v["layoff_on_gin"],
        "gin_cancelled_at_zero needs layoff_on_gin = true",
    ),
    (
        lambda v: v["upcard_offer"] == "none_eleven" and _limit_kind(v) == "upcard",
        "knock_limit = upcard needs an upcard, and upcard_offer = none_eleven turns none",
    ),
    (
        lambda v: (
            v["upcard_offer"] == "none_eleven" and v["doubling"] == "upcard_spade" and _limit_kind(v) != "second_deck"
        ),
        "doubling = upcard_spade needs a turned card, and upcard_offer = none_eleven turns none",
    ),
    (
        lambda v: v["hollywood_boxes"] != "entered" and v["form"] != "hollywood",
        "hollywood_boxes = all needs form = hollywood",
    ),
)


def contradiction(values: Mapping[str, Any]) -> str | None:
    """Return why checked option values contradict each other, or None if they do not."""
    return next((reason for holds, reason in _CONTRADICTIONS if holds(values)), None)
