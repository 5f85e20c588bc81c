"""The arena: every two strategies of a pool play each other on the same cards."""

from __future__ import annotations

import html
from collections.abc import Sequence
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from gincore.analysis.contest import GAMES
from gincore.contests.play import USUAL_LEVEL, Setup, make_setup, play_all, read_pool
from gincore.ruleset import Rules
from gincore.runs.tally import Moments
from gincore.strategies import Strategy
from gincore.tabular import table_text

if TYPE_CHECKING:
    import pandas as pd

    from gincore.analysis.cycles import Cycles

MOST: Final = 24
"""Strategies of a pool; 276 encounters."""


class Arena:
    """A finished round robin. Made by :func:`arena`.

    Attributes
    ----------
    setup
        What was played.
    moments
        Exact sums over the game numbers, of all encounters together.
    """

    def __init__(self, setup: Setup, moments: Moments) -> None:
        self.setup = setup
        self.moments = moments
        self._made: dict[tuple[str, str], pd.DataFrame] = {}

    @property
    def names(self) -> list[str]:
        """The pool, in the order in which it was given."""
        return list(self.setup.players)

    @property
    def level(self) -> float:
        """Coverage of the intervals, and 1 - the error rate of the comparisons."""
        return self.setup.level

    @property
    def manifest(self) -> dict[str, Any]:
        """What was played: rules, strategies, seed, games, versions."""
        return self.setup.manifest()

    @cached_property
    def frame(self) -> pd.DataFrame:
        """Every two strategies compared, one row a pair and metric, in a's view.

        Columns ``a, b, metric, estimate, low, high, p_value, p_holm, n, unit, level``. Metrics are ``game_won_share``,
        ``hand_won_share_of_decided`` and ``net_points_per_hand``; all p-values are one family for Holm's correction.
        """
        from gincore.analysis.arena import pair_frame

        return pair_frame(self.names, self.moments, self.level)

    def matrix(self, metric: str = GAMES.name) -> pd.DataFrame:
        """Return a metric as a square table: the row's strategy against the column's."""
        from gincore.analysis.arena import matrix

        return matrix(self.frame, metric, self.names)

    def ranking(self, metric: str = GAMES.name) -> pd.DataFrame:
        """Rank the pool by what each makes of all its encounters, with the ranks that cannot be told apart.

        Columns ``rank, rank_low, rank_high, strategy, metric, estimate, low, high, n, unit, level``, best first. It
        depends on who else is in the pool; :meth:`nash` does not.
        """
        from gincore.analysis.arena import ranking_frame

        if ("ranking", metric) not in self._made:
            self._made["ranking", metric] = ranking_frame(self.names, self.moments, metric, self.level)
        return self._made["ranking", metric].copy()

    def nash(self, metric: str = GAMES.name) -> pd.DataFrame:
        """Average the pool over the equilibrium of its table, which copies of a strategy do not change.

        Columns ``strategy, group, copies, metric, mass, mass_low, mass_high, rating, rating_low, rating_high, n,
        unit, level``; see :mod:`gincore.analysis.nash`.
        """
        from gincore.analysis.arena import nash_frame

        if ("nash", metric) not in self._made:
            made = nash_frame(self.names, self.moments, metric, level=self.level, seed=self.setup.seed)
            self._made["nash", metric] = made
        return self._made["nash", metric].copy()

    def cycles(self, metric: str = GAMES.name) -> Cycles:
        """Measure how cyclic the table is: 1 for rock, paper, scissors, 0 for a ladder; see ``analysis.cycles``."""
        from gincore.analysis.arena import cycle_measure

        return cycle_measure(self.names, self.moments, self.frame, metric, level=self.level, seed=self.setup.seed)

    def disagreements(self) -> pd.DataFrame:
        """Return the pairs of which one metric tells a ahead and another b: ``a, b, ahead_a, ahead_b``."""
        from gincore.analysis.arena import opposed

        return opposed(self.frame, self.level)

    def text(self) -> str:
        """Return the ranking, the pairs, the Nash average and the cycles as text, as ``print(arena)`` shows them."""
        from gincore.contests.show import arena_tables

        parts = ["\n".join(f"{name}: {value}" for name, value in self.setup.facts())]
        parts += [table if isinstance(table, str) else table_text(*table) for table in arena_tables(self)]
        return "\n\n".join(parts)

    def __repr__(self) -> str:
        """One line: what was played."""
        return f"<Arena {'; '.join(f'{name}: {value}' for name, value in self.setup.facts())}>"

    def __str__(self) -> str:
        """All tables."""
        return self.text()

    def _repr_html_(self) -> str:
        from gincore.contests.show import arena_tables, html_table

        facts = "".join(f"<li>{html.escape(name)}: {html.escape(value)}</li>" for name, value in self.setup.facts())
        return f"<ul>{facts}</ul>" + "".join(html_table(table) for table in arena_tables(self))


def arena(
    strategies: Sequence[str | Strategy] | None = None,
    rules: str | Path | Rules = "eaai",
    *,
    games: int,
    seed: int,
    level: float = USUAL_LEVEL,
    workers: int | None = None,
    progress: bool = True,
) -> Arena:
    """Let every two strategies of a pool play whole games, all on the same cards.

    Parameters
    ----------
    strategies
        Two to 24, as of :func:`~gincore.simulate`, no name twice; if none is given, those that are
        shipped but the slow ``rollout``, copies, and tables learned for other rules.
    rules
        Rules of single games of two players.
    games
        Game numbers. Each two strategies play every one twice, with the seats exchanged; the pair of games is the
        independent unit.
    seed
        Whole number, 0 .. 2**64 - 1.
    level
        Coverage of the intervals, and 1 - the error rate of the comparisons.
    workers
        Threads; None for one a usable CPU. They do not change the numbers.
    progress
        Show a bar on stderr, if that is a terminal.

    Returns
    -------
    Arena
        ``frame``, ``matrix()``, ``ranking()``, ``nash()``, ``cycles()``, ``disagreements()``.

    Raises
    ------
    UsageError
        An argument is wrong (one line names the value and what is allowed).
    RunError
        A strategy gave an illegal answer.

    Examples
    --------
    >>> arena(["simple", "gin-only"], games=1000, seed=7).ranking()  # doctest: +SKIP
    """
    return play(set_up(strategies, rules, games=games, seed=seed, level=level), workers=workers, progress=progress)


def set_up(
    strategies: Sequence[str | Strategy] | None, rules: str | Path | Rules, *, games: int, seed: int, level: float
) -> Setup:
    """Check a pool and plan its encounters; parameters as of :func:`arena`."""
    from gincore.strategies import pool as usual

    chosen = usual() if strategies is None else strategies
    pool = read_pool(chosen, 2, MOST, "an arena")
    pairs = list(combinations(pool.values(), 2))
    return make_setup(rules, pool, pairs, chosen, games=games, seed=seed, level=level)


def play(setup: Setup, *, workers: int | None = None, progress: bool = True) -> Arena:
    """Play what :func:`set_up` planned."""
    return Arena(setup, play_all(setup, "arena", workers=workers, progress=progress))
