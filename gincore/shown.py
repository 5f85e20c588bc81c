"""A hand that shows itself: :func:`show`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gincore.cards import cards_of, format_card, format_hand, parse_hand
from gincore.errors import UsageError
from gincore.evaluate import Spread, discards, spreads
from gincore.markup import card_html, hand_html, melds_html
from gincore.ruleset import Rules

TEN, ELEVEN = 10, 11


@dataclass(frozen=True)
class Hand:
    """Cards that show themselves, as HTML with the colours of the suits and as text. Made by :func:`show`.

    Attributes
    ----------
    mask
        The cards.
    throw
        Of eleven cards the one whose discard leaves the least, else None.
    spread
        The best arrangement of ten cards (of eleven: without `throw`), None for another number of cards.
    """

    mask: int
    throw: int | None
    spread: Spread | None

    def __str__(self) -> str:
        thrown = "" if self.throw is None else f"throw {format_card(self.throw)}: "
        return f"{thrown}{self.spread}" if self.spread else format_hand(self.mask)

    def __repr__(self) -> str:
        return f"<Hand {self}>"

    def _repr_html_(self) -> str:
        if self.spread is None:
            return f"<div>{hand_html(self.mask)}</div>"
        thrown = "" if self.throw is None else f"<div>throw {card_html(self.throw)}</div>"
        best = melds_html(self.spread.melds, self.spread.deadwood_cards)
        return f"<div>{best}<span style='margin-left:1em'>deadwood {self.spread.points}</span></div>{thrown}"


def show(hand: Any, rules: str | Rules = "classic") -> Hand:
    """Return a hand that shows itself: its cards, and of ten or eleven their best arrangement.

    Parameters
    ----------
    hand
        A text such as ``"5h 5s 5c Td"`` or a mask, of any number of cards.
    rules
        Ace rule and ace value are taken from it.

    Raises
    ------
    UsageError
        A card that does not exist, or a duplicate.

    Examples
    --------
    >>> show("5h 5s 5c 6h 7h 8h Td Jd Kd 2c")
    <Hand 6h 7h 8h | 5c 5h 5s + 2c Td Jd Kd = 32>
    """
    cards = cards_of(parse_hand(hand) if isinstance(hand, str) else hand)
    count, mask = len(cards), sum(1 << card for card in cards)
    if not count:
        raise UsageError("hand 0: a hand without cards cannot be shown")
    if count not in (TEN, ELEVEN):
        return Hand(mask, None, None)
    throw = discards(mask, rules)[0][0] if count == ELEVEN else None
    kept = mask if throw is None else mask & ~(1 << throw)
    return Hand(mask, throw, spreads(kept, rules)[0])
