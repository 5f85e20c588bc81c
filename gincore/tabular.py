"""Tables as text: aligned columns, numbers to the right."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def table_text(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return aligned columns, a line a row; columns of numbers stand to the right.

    >>> print(table_text(("name", "n"), [("one", 1), ("ten", 10)]))
    name   n
    one    1
    ten   10
    """
    body = [list(row) for row in rows]
    numeric = [
        bool(body) and all(isinstance(row[k], int | float) or row[k] == "" for row in body) for k in range(len(header))
    ]
    cells = [list(header), *([_cell(value) for value in row] for row in body)]
    widths = [max(len(line[k]) for line in cells) for k in range(len(header))]
    lines = []
    for line in cells:
        parts = [
            text.rjust(width) if right else text.ljust(width)
            for text, width, right in zip(line, widths, numeric, strict=True)
        ]
        lines.append("  ".join(parts).rstrip())
    return "\n".join(lines)


def _cell(value: object) -> str:
    if isinstance(value, float):
        return "-" if math.isnan(value) else f"{value:.5g}"
    return str(value)
