"""Cards and hands as text, as numbers and as 52-bit masks.

A card is ``13 * suit + rank`` with suits C D H S = 0..3 and ranks A = 0 .. K = 12; a hand is
an integer with bit ``1 << card`` set for each of its cards.

Read: a rank (``A 2..9 T J Q K``, any case, ``10`` for ten) and then a suit (a letter ``c d h s``
of any case, or a suit sign, filled or outlined, with or without a variation selector), between
cards spaces, commas or nothing. Written: one canonical form, such as ``"5c Td 5h 5s"``.
National letters (R D V, B) are not read: ``D`` would be a lady, a diamond and a ten.
"""

from __future__ import annotations

import operator
import re
import unicodedata
from typing import TYPE_CHECKING, Final

from gincore.errors import UsageError, quoted

if TYPE_CHECKING:
    from collections.abc import Collection

RANKS: Final = "A23456789TJQK"
SUITS: Final = "cdhs"
N_CARDS: Final = 52

_SIGNS: Final = {"♣": "c", "♧": "c", "♦": "d", "♢": "d", "♥": "h", "♡": "h", "♠": "s", "♤": "s"}
_SUIT_INDEX: Final = {letter: SUITS.index(letter) for letter in SUITS} | {
    sign: SUITS.index(letter) for sign, letter in _SIGNS.items()
}
_CARD: Final = re.compile(rf"(10|[{RANKS}])([CDHS{''.join(_SIGNS)}])[\ufe0e\ufe0f]?", re.IGNORECASE | re.ASCII)
_SEPARATORS: Final = re.compile(r"[\s,]+")


def parse_card(text: str) -> int:
    """Return the card number (0..51) of one card.

    Raises
    ------
    UsageError
        If `text` is not one card; the message names the text.

    Examples
    --------
    >>> parse_card("10D"), parse_card("Td"), parse_card("T♦")
    (22, 22, 22)
    """
    cards = parse_cards(text)
    if len(cards) != 1:
        raise UsageError(f"{quoted(text)} is {len(cards)} cards; give one")
    return cards[0]


def parse_cards(text: str, counts: Collection[int] | None = None) -> list[int]:
    """Return the card numbers of a text, in the order in which they stand there.

    Parameters
    ----------
    text : str
        Cards such as ``"5h 6h Td"``; spaces and commas between them are optional.
    counts : collection of int, optional
        Numbers of cards that are accepted; any number from 1 to 52 if not given.

    Raises
    ------
    UsageError
        If a token is not a card, a card stands twice, or the count is not accepted.
    """
    if not isinstance(text, str):
        raise UsageError(f"{quoted(text)} is not a text of cards; write it as '5h 6h Td'")
    cards: list[int] = []
    for token in _SEPARATORS.split(text):
        cards += _parse_token(token)
    if not cards:
        raise UsageError(f"{quoted(text)} has no cards; write them as '5h 6h Td'")
    _refuse_duplicates(cards)
    if counts is not None and len(cards) not in counts:
        wanted = " or ".join(str(count) for count in sorted(counts))
        raise UsageError(f"{quoted(text)} has {len(cards)} card{'s' * (len(cards) != 1)}; {wanted} are needed")
    return cards


def parse_hand(text: str, counts: Collection[int] | None = None) -> int:
    """Return the mask (bit ``1 << card`` a card) of a text such as ``"5H 5S 5C 10D"``.

    Parameters
    ----------
    text : str
        Cards; see the module's text for the accepted forms.
    counts : collection of int, optional
        Numbers of cards that are accepted, such as ``(10, 11)``; any from 1 to 52 if not given.

    Raises
    ------
    UsageError
        If a token is not a card, a card stands twice, or the count is not accepted;
        one line that names the token, the card or the count.

    Examples
    --------
    >>> format_hand(parse_hand("5H 5s, 5♣ 10D"))
    '5c Td 5h 5s'
    """
    mask = 0
    for card in parse_cards(text, counts):
        mask |= 1 << card
    return mask


def format_card(card: int) -> str:
    """Return the canonical text of a card number: rank, then suit letter.

    >>> format_card(22)
    'Td'
    """
    number = _as_int(card)
    if not 0 <= number < N_CARDS:
        raise UsageError(f"card number {number} is not in 0..51")
    return RANKS[number % 13] + SUITS[number // 13]


def format_hand(mask: int) -> str:
    """Return the canonical text of a mask: cards by number (suits C D H S), a space between.

    Raises
    ------
    UsageError
        If `mask` is not an integer from 0 to ``2**52 - 1``.

    Examples
    --------
    >>> format_hand(0b111)
    'Ac 2c 3c'
    """
    return " ".join(format_card(card) for card in cards_of(mask))


def cards_of(mask: int) -> list[int]:
    """Return the card numbers of a mask, ascending."""
    bits = _as_int(mask)
    if not 0 <= bits < 1 << N_CARDS:
        raise UsageError(f"hand mask {bits} is not in 0..2**52 - 1")
    return [card for card in range(N_CARDS) if bits >> card & 1]


def _as_int(value: object) -> int:
    """Return `value` as a plain int: NumPy integers pass, floats and booleans do not."""
    if isinstance(value, bool):
        raise UsageError(f"{value} is not a card number or hand mask")
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise UsageError(f"{quoted(value)} is not a card number or hand mask (an integer)") from None


def _parse_token(token: str) -> list[int]:
    """Return the cards of one token; several may be written without a space between them."""
    cards: list[int] = []
    end = 0
    while end < len(token):
        match = _CARD.match(token, end)
        if match is None:
            raise UsageError(_refusal(token))
        rank = 9 if match[1] == "10" else RANKS.index(match[1].upper())
        cards.append(13 * _SUIT_INDEX[match[2].lower()] + rank)
        end = match.end()
    return cards


def _refusal(token: str) -> str:
    """Return the line that refuses a token."""
    for sign in token:
        name = unicodedata.name(sign, "")
        if name.startswith("PLAYING CARD"):
            return f"{quoted(token)} holds the single sign '{name.lower()}'; write rank and suit, such as '6s'"
    return (
        f"{quoted(token)} is not a card; write rank then suit: "
        "rank A 2..9 T (or 10) J Q K, suit c d h s or a suit sign, such as '5h' or 'Td'"
    )


def _refuse_duplicates(cards: list[int]) -> None:
    seen: set[int] = set()
    for card in cards:
        if card in seen:
            raise UsageError(f"{format_card(card)} stands twice")
        seen.add(card)
