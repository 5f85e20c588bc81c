"""The two errors that gincore raises on purpose, and how they quote a value and guess what was meant."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from typing import Final

_LONGEST: Final = 48


class UsageError(ValueError):
    """Wrong input: one line that names the value and what is allowed (exit code 2)."""

    def __init__(self, text: str) -> None:
        super().__init__(one_line(text))


class RunError(RuntimeError):
    """A run that failed, such as an illegal answer of a strategy (exit code 1)."""

    def __init__(self, text: str) -> None:
        super().__init__(one_line(text))


def one_line(text: str) -> str:
    r"""Return a text with line breaks as spaces, and other letters that would garble a terminal as Python writes them.

    >>> print(one_line("strategy a\nb"))
    strategy a b
    """
    line = " ".join(text.splitlines())
    kept = (letter.isprintable() or 0xDC80 <= ord(letter) <= 0xDCFF for letter in line)  # a byte of a path is kept
    return "".join(letter if keep else repr(letter)[1:-1] for letter, keep in zip(line, kept, strict=True))


def refuse_control(what: str, text: str) -> None:
    """Refuse a name with a control character, such as a line break, that would garble a line or a terminal."""
    if re.search(r"[\x00-\x1f\x7f-\x9f]", text):
        raise UsageError(f"{what} {quoted(text)}: it holds a control character")


def quoted(value: object) -> str:
    """Return `value` as it appears in an error: its repr on one line, its middle left out if it is long.

    >>> quoted("1s")
    "'1s'"
    """
    return shortened(repr(value), _LONGEST)


def shortened(text: str, longest: int = 120) -> str:
    """Return a text as it is, or with its middle left out if it is longer than that.

    >>> shortened("threshold,limit=4", 11)
    'thre...it=4'
    """
    half = (longest - 3) // 2
    return text if len(text) <= longest else f"{text[:half]}...{text[-half:]}"


def nearest(word: str, known: Iterable[str]) -> str:
    """Return a guess at what was meant by a name that is not known, to stand behind it; empty if nothing is near.

    >>> nearest("limt", ["limit", "late_turn"])
    " (did you mean 'limit'?)"
    """
    near = difflib.get_close_matches(word, list(known), 1)
    return f" (did you mean {near[0]!r}?)" if near else ""
