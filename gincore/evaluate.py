"""Hands in cards, answers in points: the evaluator and the showdown for people and notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gincore.cards import format_hand, parse_hand
from gincore.core import deadwood as core_deadwood
from gincore.core import lanes, many, tables
from gincore.core import showdown as table
from gincore.core.bits import DECK
from gincore.errors import UsageError, quoted
from gincore.markup import Html, facts_html, melds_html
from gincore.ruleset import Rules
from gincore.ruleset import rules as find_rules
from gincore.schema import NO_LIMIT, VIEW_DTYPE, Ace

_ACES = 1 | 1 << 13 | 1 << 26 | 1 << 39


@dataclass(frozen=True)
class Spread:
    """One arrangement of a hand.

    Attributes
    ----------
    melds : tuple of int
        Masks of the melds, sorted.
    deadwood_cards : int
        Mask of the cards in no meld.
    points : int
        Points of those cards.
    """

    melds: tuple[int, ...]
    deadwood_cards: int
    points: int

    def __str__(self) -> str:
        melds = " | ".join(format_hand(meld) for meld in self.melds) or "no meld"
        loose = f" + {format_hand(self.deadwood_cards)}" if self.deadwood_cards else ""
        return f"{melds}{loose} = {self.points}"

    def _repr_html_(self) -> str:
        return f"<div>{melds_html(self.melds, self.deadwood_cards)} = {self.points}</div>"


@dataclass(frozen=True)
class Showdown:
    """What a knock, a gin or a big gin comes to.

    Attributes
    ----------
    winner : {'knocker', 'defender', None}
    kind : {'knock', 'undercut', 'gin', 'big_gin'}
    points : int
        Points of the winner, bonuses included, before any doubling.
    knocker_deadwood, defender_deadwood : int
        Points, after lay-offs.
    defender_deadwood_before : int
        Points of the defender's own best arrangement, without lay-offs.
    knocker_melds, defender_melds : tuple of int
        Masks of the melds laid.
    laid_off : int
        Mask of the defender's cards laid off.
    """

    winner: str | None
    kind: str
    points: int
    knocker_deadwood: int
    defender_deadwood: int
    defender_deadwood_before: int
    knocker_melds: tuple[int, ...]
    defender_melds: tuple[int, ...]
    laid_off: int

    def __str__(self) -> str:
        won = f"{self.winner} +{self.points}" if self.winner else "nobody scores"
        return f"{self.kind}: {won} ({self.knocker_deadwood} against {self.defender_deadwood})"

    def __repr__(self) -> str:
        return f"<Showdown {self}>"

    def _repr_html_(self) -> str:
        laid = [("knocker", melds_html(self.knocker_melds)), ("defender", melds_html(self.defender_melds))]
        if self.laid_off:
            laid.append(("laid off", melds_html((self.laid_off,))))
        return f"<b>{self}</b>{facts_html((name, Html(melds)) for name, melds in laid)}"


def _mask(hand: Any) -> int:
    """A hand as a mask, from a text or a number."""
    if isinstance(hand, str):
        return parse_hand(hand)
    if isinstance(hand, (bool, np.bool_)) or not isinstance(hand, (int, np.integer)):
        raise UsageError(f"hand {quoted(hand)}: must be a text such as '5h 5s 5c Td' or a mask")
    mask = int(hand)
    if not 0 < mask < 1 << 52:
        raise _range_error(mask)
    return mask


def _range_error(mask: int) -> UsageError:
    return UsageError(f"hand {mask}: a mask has bits 0 to 51, and at least one of them set")


def _masks(hands: Any) -> NDArray[np.uint64]:
    """Hands as an array of masks of the same shape; an array of masks is taken as it is, unchecked."""
    if isinstance(hands, np.ndarray) and hands.dtype == np.uint64:
        return hands
    if isinstance(hands, np.ndarray) and hands.dtype.kind in "iu":
        if hands.size and int(hands.min()) < 0:
            raise _range_error(int(hands.min()))
        return _masks(hands.astype(np.uint64))
    if isinstance(hands, (str, int, np.integer)):
        return np.array(_mask(hands), np.uint64)
    if isinstance(hands, np.ndarray):
        values = hands.ravel().tolist()
    elif isinstance(hands, Iterable) and not isinstance(hands, (bytes, bytearray)):
        values = list(hands)
    else:
        raise UsageError(f"hands {quoted(hands)}: must be texts such as '5h 5s 5c Td', masks, or a sequence of them")
    masks = np.array([_mask(hand) for hand in values], np.uint64)
    return masks.reshape(hands.shape) if isinstance(hands, np.ndarray) else masks


def _scratch() -> Any:
    return np.zeros(1, VIEW_DTYPE)[0]


def _places(rules: Rules) -> tuple[int, Any]:
    """The rule's tables: offset of the deadwood table, and the table of discards."""
    ace = int(Ace[rules.ace])
    return tables.offset(ace, rules.ace_points), tables.discards(ace, rules.ace_points)


def _size_error(mask: int, allowed: str) -> UsageError:
    count = mask.bit_count()
    return UsageError(f"hand {format_hand(mask)}: {count} {'card' if count == 1 else 'cards'}, must be {allowed}")


def deadwood(hands: Any, rules: str | Rules = "classic") -> NDArray[np.int16]:
    """Least deadwood of hands of ten or eleven cards.

    Parameters
    ----------
    hands : text, int, sequence of them, or ndarray of masks
        Ten cards: the minimum. Eleven cards: the minimum after the best discard (any of the eleven).
    rules : str or Rules
        Ace rule and ace value are taken from it.

    Returns
    -------
    ndarray of int16
        Points, of the shape of ``hands``.

    Raises
    ------
    UsageError
        A card that does not exist, a duplicate, or a count that is not ten or eleven.

    Examples
    --------
    >>> int(deadwood("7s 7h 7d 5s 6s Kc Qd 2h 3h 9c"))
    45
    """
    masks = _masks(hands)
    chosen = find_rules(rules)
    block, discards = _places(chosen)
    flat = np.ascontiguousarray(masks).reshape(-1)
    out = np.zeros(flat.shape, np.int16)
    bad = int(many.deadwood_into(flat, block, discards, _scratch(), out))
    if bad >= 0:
        raise _size_error(_mask(int(flat[bad])), "10 or 11")
    return out.reshape(masks.shape)


def is_big_gin(hands: Any, rules: str | Rules = "classic") -> NDArray[np.bool_]:
    """Whether all eleven cards are melded.

    Parameters
    ----------
    hands : as for :func:`deadwood`, eleven cards each
    rules : str or Rules
        Only its ace rule counts; whether big gin is played is another option.

    Returns
    -------
    ndarray of bool
    """
    masks = _masks(hands)
    flat = np.ascontiguousarray(masks).reshape(-1)
    for mask in flat[(np.bitwise_count(flat) != 11) | (flat > DECK)][:1]:
        raise _size_error(_mask(int(mask)), "11")
    block, _ = _places(find_rules(rules))
    out = np.zeros(flat.shape, np.int16)
    many.least_into(flat, block, out)
    return np.asarray(out == 0).reshape(masks.shape)


def discards(hand: Any, rules: str | Rules = "classic") -> list[tuple[int, int]]:
    """What each discard of eleven cards leaves.

    Returns
    -------
    list of (int, int)
        Card number and points left, the least first.
    """
    mask = _mask(hand)
    if mask.bit_count() != 11:
        raise _size_error(mask, "11")
    _, change = _places(find_rules(rules))
    view = _scratch()
    core_deadwood.after_each(np.uint64(mask), change, view, np.uint64(0), np.int64(0))
    found = [(card, int(view.after[card])) for card in range(52) if mask >> card & 1]
    return sorted(found, key=lambda pair: (pair[1], pair[0]))


@cache
def _runs(ace: int) -> tuple[int, ...]:
    """Masks of all runs of a deck."""
    return tuple(run << 13 * suit for suit in range(4) for run in tables.runs_of(ace))


@cache
def _melds(ace: int) -> tuple[int, ...]:
    """Masks of all melds of a deck."""
    found = list(_runs(ace))
    for rank in range(13):
        four = _ACES << rank
        found.append(four)
        found += [four ^ (1 << 13 * suit + rank) for suit in range(4)]
    return tuple(found)


def _points(mask: int, rules: Rules) -> int:
    values = [rules.ace_points, *range(2, 11), 10, 10, 10]
    return sum(values[card % 13] for card in range(52) if mask >> card & 1)


def _arrangements(left: int, melds: tuple[int, ...], slack: int, rules: Rules) -> Iterator[tuple[tuple[int, ...], int]]:
    """Every way to lay ``left`` with at most ``slack`` points loose: melds, loose cards."""
    if not left:
        yield (), 0
        return
    lowest = left & -left
    for meld in melds:
        if meld & lowest and meld & left == meld:
            for others, loose in _arrangements(left ^ meld, melds, slack, rules):
                yield (meld, *others), loose
    price = _points(lowest, rules)
    if price <= slack:
        for others, loose in _arrangements(left ^ lowest, melds, slack - price, rules):
            yield others, loose | lowest


def spreads(hand: Any, rules: str | Rules = "classic") -> list[Spread]:
    """Every arrangement of least deadwood.

    A run of six may lie as one run or as two of three: both are listed.

    Parameters
    ----------
    hand : text or int
        One to eleven cards, all of which stay (no discard).
    rules : str or Rules

    Returns
    -------
    list of Spread
        Fewest melds first, then by their masks.
    """
    mask = _mask(hand)
    if mask.bit_count() > 11:
        raise _size_error(mask, "at most 11")
    chosen = find_rules(rules)
    block, _ = _places(chosen)
    least = int(core_deadwood.least(np.uint64(mask), block))
    melds = tuple(meld for meld in _melds(int(Ace[chosen.ace])) if meld & mask == meld)
    found = {
        Spread(tuple(sorted(laid)), loose, _points(loose, chosen))
        for laid, loose in _arrangements(mask, melds, least, chosen)
    }
    return sorted(found, key=lambda spread: (len(spread.melds), spread.melds))


def showdown(knocker: Any, defender: Any, rules: str | Rules = "classic", *, limit: int | None = None) -> Showdown:
    """Settle a knock, gin or big gin exactly.

    Parameters
    ----------
    knocker : text or int
        Ten cards after the discard; eleven for big gin.
    defender : text or int
        Ten cards.
    rules : str or Rules
    limit : int, optional
        Highest deadwood that may knock, where the rules take it from a card. Left out: the most that a card allows.

    Returns
    -------
    Showdown

    Raises
    ------
    UsageError
        Wrong counts, a card in both hands, or a knock over the limit.

    Examples
    --------
    >>> str(showdown("5s 6s 7s 9c Tc Jc Jd Ks Kc Kd", "2s 2c 2d 2h Ac 8s 9s 7c 8c 8d"))
    'undercut: defender +26 (10 against 9)'
    """
    chosen = find_rules(rules)
    mine, theirs = _mask(knocker), _mask(defender)
    highest = _check_showdown(mine, theirs, chosen, limit)
    record = chosen.to_record()
    block, _ = _places(chosen)
    least = int(core_deadwood.least(np.uint64(mine), block))
    own = np.int64(core_deadwood.least(np.uint64(theirs), block))
    out = np.zeros(1, table.OUTCOME_DTYPE)[0]
    big = mine.bit_count() == 11
    if big and (least or not chosen.big_gin):
        raise UsageError(f"knocker {format_hand(mine)}: 11 cards are a big gin only if all are melded and it is played")
    if least == 0:
        bonus = chosen.big_gin_bonus if big else chosen.gin_bonus
        table.gin(np.uint64(mine), np.uint64(theirs), own, np.int64(bonus), record, out)
        kind = "big_gin" if big else "gin"
    else:
        laid = _least_laid(mine, least, highest, block, chosen)
        hands = np.uint64(mine), np.uint64(theirs)
        table.knock(*hands, np.int64(laid), own, np.int64(highest), record, np.uint64(0), np.uint64(0), out)
        kind = _knock_kind(out, chosen)
    off = int(out.laid_off)
    spread = least > 0 or chosen.layoff_on_gin
    return Showdown(
        winner=_winner(kind, out, chosen),
        kind=kind,
        points=abs(int(out.points)),
        knocker_deadwood=int(out.knocker_deadwood),
        defender_deadwood=int(out.defender_deadwood),
        defender_deadwood_before=int(out.defender_deadwood_before),
        knocker_melds=_laid_melds(mine, out, chosen) if spread else spreads(mine, chosen)[0].melds,
        defender_melds=spreads(theirs & ~off, chosen)[0].melds if theirs & ~off else (),
        laid_off=off,
    )


def _check_showdown(mine: int, theirs: int, rules: Rules, limit: int | None) -> int:
    """Counts, common cards and the limit that holds."""
    if mine.bit_count() not in (10, 11):
        raise _size_error(mine, "10, or 11 for big gin")
    if theirs.bit_count() != 10:
        raise _size_error(theirs, "10")
    if mine & theirs:
        raise UsageError(f"{format_hand(mine & theirs)}: in both hands")
    if limit is not None:
        return _whole_limit(limit)
    if rules.min_melded is not None:
        return NO_LIMIT
    highest = rules.knock_limit if isinstance(rules.knock_limit, int) else 10  # the most that a card may allow
    return max(highest - rules.knock_strict, 0)


def _whole_limit(limit: Any) -> int:
    """A knock limit that was given: a whole number of points."""
    if isinstance(limit, (bool, np.bool_)) or not isinstance(limit, (int, np.integer)) or not 0 <= limit <= 100:
        raise UsageError(
            f"limit {quoted(limit)}: must be a whole number from 0 to 100, the highest deadwood that knocks"
        )
    return int(limit)


def _least_laid(mine: int, least: int, highest: int, block: int, rules: Rules) -> int:
    """Deadwood that the knocker lays at the least; a knock that is not legal is refused."""
    if rules.min_melded is None:
        if least > highest:
            raise UsageError(f"knocker {format_hand(mine)}: deadwood {least}, the knock limit is {highest}")
        return least
    cards = tables.offset(int(Ace[rules.ace]), tables.CARDS)
    laid = int(core_deadwood.least_melded(np.uint64(mine), block, cards, 10 - rules.min_melded))
    if laid == lanes.NONE:
        raise UsageError(f"knocker {format_hand(mine)}: going out needs {rules.min_melded} melded cards")
    return laid


def _knock_kind(out: Any, rules: Rules) -> str:
    if out.defender_deadwood < out.knocker_deadwood:
        return "undercut"
    return "undercut" if out.defender_deadwood == out.knocker_deadwood and rules.tie == "undercut" else "knock"


def _winner(kind: str, out: Any, rules: Rules) -> str | None:
    if kind == "undercut":
        return "defender"
    if kind == "knock" and out.defender_deadwood == out.knocker_deadwood:
        return "knocker" if rules.tie == "knocker" else None
    if kind != "knock" and rules.gin_cancelled_at_zero and out.defender_deadwood == 0:
        return None
    return "knocker"


def _laid_melds(mine: int, out: Any, rules: Rules) -> tuple[int, ...]:
    """The melds behind the masks of a spread: sets by rank, runs as long as they lie."""
    sets = tuple(cards for rank in range(13) if (cards := int(out.sets) & _ACES << rank))
    runs = tuple(run for run in _runs(int(Ace[rules.ace])) if run & mine == run)
    laid = [melds for melds, _ in _arrangements(int(out.runs), runs, 0, rules)]
    return tuple(sorted((*sets, *min(laid, key=lambda melds: (len(melds), sorted(melds))))))
