"""What the writer of a decision must know: the fields of the view, the answers, the helpers, what numba allows."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from gincore.schema import VIEW_FIELDS

CARDS = (
    "A card is a number, 13 * suit + rank: suits c, d, h, s are 0 to 3, ranks ace to king 0 to 12, so that 2c is 1 and "
    "Ks is 51. A mask is a uint64 that has bit 'card' set for each of its cards."
)

ANSWERS = (
    ("draw", "1 to take the top of the discard pile, 0 to leave it; the stock then gives"),
    ("discard", "the card to throw, one of view.legal"),
    (
        "knock",
        "asked only where going out is legal: 0 to play on, 1 to go out (throwing one of the cards that leave the "
        "least deadwood, or declaring big gin), or 2 + card to go out throwing that card of view.knocks",
    ),
)
"""What each decision answers."""

ALLOWED = (
    "Decisions are compiled by numba: numbers, loops, local NumPy arrays, and functions marked with @numba.njit. A "
    "decision writes neither to view nor to params, takes its chance from view.random alone, and returns an integer or "
    "a boolean on every path. Masks are unsigned: write np.uint64(1) << np.uint64(card), or bit(card). A wrong index "
    "raises, and an exception ends the run with one line that names the deal; a loop without end is not noticed. "
    "Negative indices count from the end, as in Python: ask whether view.drew or view.top is -1 first."
)


def helpers() -> list[tuple[str, str]]:
    """Return name and purpose of the functions of ``gincore.strategies.choose``."""
    from gincore.strategies import choose

    found = []
    for name in choose.__all__:
        function = getattr(choose, name)
        function = getattr(function, "py_func", function)
        arguments = ", ".join(function.__code__.co_varnames[: function.__code__.co_argcount])
        said = (function.__doc__ or "").strip().split("\n\n")[0]
        found.append((f"{name}({arguments})", " ".join(said.split())))
    return found


def fields() -> list[tuple[str, str, str]]:
    """Return name, type and meaning of each field of the view."""
    described = []
    for name, kind, text in VIEW_FIELDS:
        shape = getattr(kind, "shape", ())
        base = kind.base.name if isinstance(shape, tuple) and shape else kind.__name__
        described.append((name, f"{base}[{shape[0]}]" if isinstance(shape, tuple) and shape else base, text))
    return described


def view_guide(width: int = 110) -> str:
    """Return all of it as text.

    >>> print(view_guide()[:37])
    A card is a number, 13 * suit + rank:
    """
    parts = [_paragraph(CARDS, width), "Fields of ``view``:\n\n" + _table(fields(), width)]
    parts.append("Answers:\n\n" + _table(ANSWERS, width))
    parts.append("Helpers, from ``gincore.strategies.choose``:\n\n" + _table(helpers(), width))
    parts.append(_paragraph(ALLOWED, width))
    return "\n\n".join(parts)


def _paragraph(text: str, width: int) -> str:
    return textwrap.fill(text, width, break_long_words=False, break_on_hyphens=False)


def _table(rows: Sequence[tuple[str, ...]], width: int) -> str:
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]) - 1)]
    lines = []
    for *heads, text in rows:
        start = "    " + "".join(f"{head:<{size}}  " for head, size in zip(heads, widths, strict=True))
        lines.append(
            textwrap.fill(text, width, initial_indent=start, subsequent_indent=" " * len(start), break_on_hyphens=False)
        )
    return "\n".join(lines)
