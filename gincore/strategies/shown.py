"""How a strategy shows itself: as a line, as text, as HTML."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gincore.markup import table_html
from gincore.strategies import library
from gincore.strategies.decisions import KINDS
from gincore.tabular import table_text

if TYPE_CHECKING:
    from gincore.strategies.base import Strategy

HEAD = ("decision", "made by", "parameters")


def line(strategy: Strategy) -> str:
    """Return name, decisions and parameters in one line."""
    made = ", ".join(f"{kind}={by}" for kind, by, _ in _rows(strategy))
    values = ", ".join(f"{name}={value:g}" for name, value in strategy.params.items())
    return f"<Strategy {strategy.name}: {made}{f'; {values}' if values else ''}>"


def text(strategy: Strategy) -> str:
    """Return a table, a line a decision."""
    return f"{strategy.name}\n\n{table_text(HEAD, _rows(strategy))}"


def page(strategy: Strategy) -> str:
    """Return the same table as HTML."""
    return f"<b>{html.escape(strategy.name)}</b>{table_html(HEAD, _rows(strategy))}"


def _rows(strategy: Strategy) -> Iterator[tuple[str, str, str]]:
    """Yield for each decision its kind, who makes it, and its parameters with their bounds."""
    for kind, part in zip(KINDS, strategy.parts, strict=True):
        entry = library.entry_of(part.decision)
        bounds = {name: f" ({low:g} to {high:g})" for name, low, high in part.bounds}
        named = [f"{name} = {value:g}{bounds.get(name, '')}" for name, value in part.params]
        if part.table:
            named.append(f"a table of {len(part.table) // 8:,} numbers")
        yield kind, entry.name if entry else part.decision.label, ", ".join(named)
