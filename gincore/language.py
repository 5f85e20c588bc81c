"""English and French text from numbers: figures, lists and a choice between two wordings side by side."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from gincore.errors import UsageError, quoted

LANGUAGES: Final = ("en", "fr")
"""Languages of pages and charts."""

MINUS: Final = "\u2212"
"""The true minus sign of sentences and charts; tables have the hyphen, which a spreadsheet reads."""

HARD_SPACE: Final = "\u00a0"

T = TypeVar("T")


@dataclass(frozen=True)
class Language:
    """A language; called with an English and a French wording, it returns its own.

    Examples
    --------
    >>> Language("fr")("turns", "tours"), Language("fr").number(1.5), Language("en").count(12000)
    ('tours', '1,50', '12,000')
    """

    code: str

    def __call__(self, english: T, french: T) -> T:
        """Return the wording of this language; in French no line breaks before a colon and the like."""
        if self.code != "fr":
            return english
        return _hard(french) if isinstance(french, str) else french  # type: ignore[return-value]

    def number(self, value: float, digits: int = 2, *, signed: bool = False) -> str:
        """Write a number for a sentence or a chart, with a true minus sign; never a minus zero.

        >>> Language("fr").number(-1.234).isascii(), Language("en").number(0.5, 1, signed=True)
        (False, '+0.5')
        """
        if math.isnan(value):
            return self("n/a", "s.o.")
        if math.isinf(value):
            return "∞" if value > 0 else f"{MINUS}∞"
        text = f"{value:+,.{digits}f}" if signed else f"{value:,.{digits}f}"
        if float(text.replace(",", "")) == 0:
            text = f"{0:.{digits}f}"
        if self.code == "fr":
            text = text.replace(",", "\u202f").replace(".", ",")
        return text.replace("-", MINUS)

    def count(self, n: float) -> str:
        """Write a whole number with its thousands apart."""
        return self.number(n, 0)

    def percent(self, share: float, digits: int = 1, *, signed: bool = False) -> str:
        """Write a share in per cent.

        >>> Language("fr").percent(0.1234).replace(chr(160), "_")
        '12,3_%'
        """
        return f"{self.number(100 * share, digits, signed=signed)}{HARD_SPACE}%"

    def interval(self, low: float, high: float, digits: int = 2, *, scale: float = 1, signed: bool = False) -> str:
        """Write an interval in brackets; a phrase where there is none."""
        if math.isnan(low) or math.isnan(high):
            return self("[no interval]", "[sans intervalle]")
        ends = (self.number(scale * end, digits, signed=signed) for end in (low, high))
        return f"[{self('{}, {}', '{} ; {}').format(*ends)}]"

    def span(self, low: str, high: str) -> str:
        """Write a range of two values that are written already; one value where both read the same.

        >>> Language("fr").span("1", "2"), Language("en").span("1", "1")
        ('de 1 à 2', '1')
        """
        return low if low == high else self(f"{low} to {high}", f"de {low} à {high}")

    def joined(self, names: Sequence[str]) -> str:
        """Join names in a sentence.

        >>> Language("fr").joined(["a", "b", "c"])
        'a, b et c'
        """
        if len(names) < 2:
            return "".join(names)
        return f"{', '.join(names[:-1])} {self('and', 'et')} {names[-1]}"

    def names(self, names: Sequence[str]) -> str:
        """Join names of rules or strategies in a sentence; those with a comma of their own are quoted.

        >>> Language("en").names(["a", "b, c=1", "d"])
        'a, “b, c=1” and d'
        """
        marks = self("“{}”", f"«{HARD_SPACE}{{}}{HARD_SPACE}»")
        return self.joined([marks.format(name) if "," in name else name for name in names])


def round_up(number: float) -> float:
    """Round a number of games or hands that are needed up to a whole one, as all pages and charts show it.

    >>> round_up(25.15), round_up(25.0), round_up(math.inf)
    (26, 25, inf)
    """
    return math.ceil(round(number, 9)) if math.isfinite(number) else number


def _hard(text: str) -> str:
    for sign in ":;?!%":
        text = text.replace(f" {sign}", f"{HARD_SPACE}{sign}")
    return text


def language(code: str) -> Language:
    """Return a language by its code; others are refused.

    Raises
    ------
    UsageError
        If it is neither ``en`` nor ``fr``.
    """
    if code not in LANGUAGES:
        raise UsageError(f"lang {quoted(code)} is not known; allowed: {', '.join(LANGUAGES)}")
    return Language(code)
