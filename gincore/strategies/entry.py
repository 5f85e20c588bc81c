"""A decision of the library: its name, its parameters with their bounds and meaning, and the source it cites."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import NamedTuple

from gincore.strategies.decisions import Decision


class Parameter(NamedTuple):
    """A number that a decision reads, with the lowest and the highest value that it may have."""

    name: str
    default: float
    low: float
    high: float
    meaning: str


@dataclass(frozen=True)
class Entry:
    """A decision that strategies name.

    Parameters
    ----------
    kind : str
        One of ``draw``, ``discard``, ``knock``.
    name : str
    decision : Decision
        The first paragraph of its docstring says what it does, the one that begins ``Source:`` where it comes from.
    parameters : tuple of Parameter
        In the order in which ``params`` holds them. No two kinds share a name, so those of a strategy never clash.
    shape : tuple of str
        Parameters whose product is the number of entries of the table behind them; empty where no table is read.
    """

    kind: str
    name: str
    decision: Decision
    parameters: tuple[Parameter, ...] = ()
    shape: tuple[str, ...] = ()

    @property
    def about(self) -> str:
        """What it does (empty where Python drops docstrings)."""
        return self._paragraphs()[0]

    @property
    def source(self) -> str:
        """Where the idea comes from."""
        found = (text for text in self._paragraphs() if text.startswith("Source: "))
        return next(found, "").removeprefix("Source: ")

    def _paragraphs(self) -> list[str]:
        text = inspect.cleandoc(self.decision.__doc__ or "")
        return [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]
