"""Cards, facts and tables as HTML for notebooks. Every text is escaped; cards have the four colours of their suits."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import Final

from gincore.cards import RANKS, cards_of

_SIGNS: Final = "♣♦♥♠"
_COLORS: Final = ("#007a33", "#0b57d0", "#c5221f", "#000000")
"""Clubs green, diamonds blue, hearts red, spades black, on white whatever the theme."""

_CARD: Final = (
    "display:inline-block;background:#fff;border:1px solid #bbb;border-radius:3px;padding:0 3px;margin:1px;"
    "font-weight:bold;white-space:nowrap;color:"
)
_LEFT: Final = " style='text-align:left'"


def card_html(card: int) -> str:
    """Return a card as a small white box with its rank and suit.

    >>> card_html(22).endswith("#0b57d0'>T♦</span>")
    True
    """
    suit, rank = divmod(card, 13)
    return f"<span style='{_CARD}{_COLORS[suit]}'>{RANKS[rank]}{_SIGNS[suit]}</span>"


def hand_html(mask: int) -> str:
    """Return the cards of a mask side by side, each in the colour of its suit."""
    return "".join(card_html(card) for card in cards_of(mask))


def melds_html(melds: Iterable[int], loose: int = 0) -> str:
    """Return melds apart from each other, and after them the loose cards."""
    groups = [hand_html(meld) for meld in melds]
    if loose:
        groups.append(f"<span style='opacity:0.6'>{hand_html(loose)}</span>")
    return "<span style='margin-right:1em'></span>".join(groups)


def facts_html(facts: Iterable[tuple[str, str]]) -> str:
    """Return names and values as a table of two columns."""
    rows = "".join(
        f"<tr><th{_LEFT}>{html.escape(name)}</th><td{_LEFT}>{_text(value)}</td></tr>" for name, value in facts
    )
    return f"<table>{rows}</table>"


def table_html(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table; all cells stand to the left."""
    head = "".join(f"<th{_LEFT}>{html.escape(name)}</th>" for name in header)
    body = "".join(f"<tr>{''.join(f'<td{_LEFT}>{_text(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


class Html(str):
    """A text that is HTML already, such as :func:`hand_html` gives: tables take it as it is."""

    __slots__ = ()


def _text(value: object) -> str:
    return value if isinstance(value, Html) else html.escape(str(value))
