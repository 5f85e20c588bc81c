"""The public call :func:`exact_deadwood` and what it returns."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gincore.ruleset import Rules
from gincore.ruleset import rules as find_rules
from gincore.runs.exact import ELEVEN, count_hands, dealt
from gincore.schema import Ace

if TYPE_CHECKING:
    import pandas as pd


class ExactDeadwood:
    """Every hand of a deck by its least deadwood. Made by :func:`exact_deadwood`.

    Attributes
    ----------
    rules : Rules
    cards : int
        Cards of a hand: 10, or 11 of which the best is thrown.
    hands : int
        How many hands there are.
    """

    def __init__(self, rules: Rules, cards: int, counts: NDArray[np.int64]) -> None:
        self.rules = rules
        self.cards = cards
        self.hands = int(counts[0].sum())
        self._counts = counts

    @property
    def limit(self) -> int | None:
        """Most points with which a player may knock under the rules; None where that is no fixed number."""
        if self.rules.min_melded is not None or isinstance(self.rules.knock_limit, str):
            return None
        return max(self.rules.knock_limit - self.rules.knock_strict, 0)

    @cached_property
    def frame(self) -> pd.DataFrame:
        """Hands by deadwood and melds: ``deadwood`` in points, ``melds``, ``hands``, all whole numbers.

        ``melds`` is the most with which that deadwood can be laid; a run of six is two melds. For eleven cards
        deadwood and melds are those of the best discard (the least deadwood, then the most melds), and ``big_gin``
        says how many of the hands are melded without one.
        """
        from gincore.analysis.exact import distribution

        return distribution(self._counts, eleven=self.cards == ELEVEN)

    def by_deadwood(self) -> pd.DataFrame:
        """Return ``deadwood``, ``hands``, ``share``, and ``at_most``, ``at_most_share`` for so many points or fewer."""
        from gincore.analysis.exact import by_deadwood

        return by_deadwood(self.frame)

    def low_hands(self) -> pd.DataFrame:
        """Return how many hands have at most 0, 1, .. 10, 15, 20, 30, 40 points: ``at_most``, its share, ``one_in``."""
        from gincore.analysis.exact import low_hands

        return low_hands(self.frame)

    def summary(self) -> pd.DataFrame:
        """Return mean, SD and quantiles of the deadwood, and shares by melds, of knocks, gin and big gin.

        Returns
        -------
        DataFrame
            ``metric`` (its name ends in the unit), ``value``, ``hands`` (behind a share, else missing). The row
            ``knockable_share`` is there where the rules have a fixed limit.
        """
        from gincore.analysis.exact import summary

        return summary(self.frame, self.limit)

    def __repr__(self) -> str:
        """One line: which hands were counted."""
        return (
            f"<ExactDeadwood rules: {self.rules.label}; ace: {self.rules.ace}, {self.rules.ace_points} points; "
            f"{self.hands:,} hands of {self.cards} cards>"
        )


def exact_deadwood(
    rules: str | Path | Rules = "classic",
    *,
    cards: int = 10,
    workers: int | None = None,
    progress: bool = True,
    kept: str | Path | None = None,
    resume: bool = False,
) -> ExactDeadwood:
    """Count every hand of a deck by its least deadwood: no sample, no error.

    Parameters
    ----------
    rules
        Ace rule and ace value are taken from it, and the knock limit for the summary.
    cards
        10: the 15,820,024,220 hands as they are dealt. 11: the 60,403,728,840 hands after a draw, by what the best
        discard (any of the eleven) leaves.
    workers
        Threads; None for one a usable CPU. The counts do not depend on it.
    progress
        Show a bar on stderr, if stderr is a terminal.
    kept
        File that keeps what is counted while the count lasts.
    resume
        Go on with what a count that was stopped has left in ``kept``.

    Returns
    -------
    ExactDeadwood
        ``frame``, ``by_deadwood()``, ``low_hands()``, ``summary()``.

    Raises
    ------
    UsageError
        Another number of cards, or ``resume`` without ``kept``.
    RunError
        ``kept`` cannot be written.

    Examples
    --------
    >>> found = exact_deadwood(progress=False)
    >>> found.hands, int(found.low_hands()["at_most"][0])
    (15820024220, 136694)
    """
    chosen = find_rules(rules)
    deck = dealt(int(Ace[chosen.ace]), chosen.ace_points, cards)
    place = None if kept is None else Path(kept).expanduser().absolute()
    counts = count_hands(deck, workers=workers, progress=progress, kept=place, resume=resume)
    return ExactDeadwood(chosen, deck.cards, counts)
