"""Where the difference of two strategies comes from: their draw, their discard or their knock."""

from __future__ import annotations

import html
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gincore.analysis.swaps import ALL, DECISIONS, Cell, Played, cells
from gincore.contests.play import USUAL_LEVEL, Setup, make_setup, play_all, read_pool
from gincore.ruleset import Rules
from gincore.runs.tally import Moments
from gincore.strategies import Strategy
from gincore.tabular import table_text

if TYPE_CHECKING:
    import pandas as pd

Encounter = tuple[Strategy, Strategy]


class Explanation:
    """A difference of two strategies split into decisions. Made by :func:`explain`.

    Attributes
    ----------
    a, b
        Names of the strategies.
    setup
        What was played: mixtures of the two against each of them.
    moments
        Exact sums over the game numbers, of all encounters together.
    played
        Which encounter holds the value of each mixture.
    """

    def __init__(self, a: str, b: str, setup: Setup, moments: Moments, played: Mapping[Cell, Played]) -> None:
        self.a = a
        self.b = b
        self.setup = setup
        self.moments = moments
        self.played = played

    @property
    def manifest(self) -> dict[str, Any]:
        """What was played: rules, strategies, seed, games, versions."""
        return self.setup.manifest()

    @cached_property
    def frame(self) -> pd.DataFrame:
        """The whole difference and its parts, above 0 where a gains.

        Columns ``metric, decision, split, opponent, estimate, low, high, n, unit``; see
        :func:`gincore.analysis.swaps.swap_frame`. The rows of ``split`` ``shapley`` of a metric and an opponent add up
        to the row ``whole``.
        """
        from gincore.analysis.swaps import swap_frame

        return swap_frame(self.moments, self.played, self.setup.level)

    def facts(self) -> list[tuple[str, str]]:
        """Return what was played, in words."""
        count = len(self.setup.plans)
        noun = "encounter" if count == 1 else "encounters"
        games = f"{self.setup.games:,} x 2 (mirrored) in each of {count} {noun} of mixtures, all on the same cards"
        return [
            ("rules", self.setup.rules.label),
            ("difference", f"{self.a} minus {self.b}"),
            ("games", games),
            ("seed", str(self.setup.seed)),
        ]

    def text(self) -> str:
        """Return the split as text, as ``print(explanation)`` shows it."""
        from gincore.contests.show import split_tables

        parts = ["\n".join(f"{name}: {value}" for name, value in self.facts())]
        parts += [table if isinstance(table, str) else table_text(*table) for table in split_tables(self)]
        return "\n\n".join(parts)

    def __repr__(self) -> str:
        """One line: what was played."""
        return f"<Explanation {'; '.join(f'{name}: {value}' for name, value in self.facts())}>"

    def __str__(self) -> str:
        """All tables."""
        return self.text()

    def _repr_html_(self) -> str:
        from gincore.contests.show import html_table, split_tables

        facts = "".join(f"<li>{html.escape(name)}: {html.escape(value)}</li>" for name, value in self.facts())
        return f"<ul>{facts}</ul>" + "".join(html_table(table) for table in split_tables(self))


def explain(
    a: str | Strategy,
    b: str | Strategy,
    rules: str | Path | Rules = "eaai",
    *,
    games: int,
    seed: int,
    level: float = USUAL_LEVEL,
    workers: int | None = None,
    progress: bool = True,
) -> Explanation:
    """Split the difference of two strategies into draw, discard and knock by swapping decisions.

    All mixtures of their decisions play against b and against a on the same cards; parameters and tables travel with
    their decision. Mixtures that play the same are played once.

    Parameters
    ----------
    a, b
        The strategies, as of :func:`~gincore.simulate`.
    rules
        Rules of single games of two players.
    games
        Game numbers, each played twice with the seats exchanged, in each of at most 13 encounters.
    seed
        Whole number, 0 .. 2**64 - 1.
    level
        Coverage of the intervals.
    workers, progress
        As of :func:`~gincore.arena`.

    Returns
    -------
    Explanation
        ``frame`` with the whole difference, the swaps and the Shapley values.

    Raises
    ------
    UsageError, RunError
        As of :func:`~gincore.arena`.

    Examples
    --------
    >>> print(explain("gin-only", "random", games=1000, seed=7))  # doctest: +SKIP
    """
    players = read_pool((a, b), 2, 2, "a difference")
    first, second = players.values()
    encounters, played = plan_encounters(first, second)
    setup = make_setup(rules, players, encounters or [(first, second)], (a, b), games=games, seed=seed, level=level)
    moments = play_all(setup, "explain", workers=workers, progress=progress)
    return Explanation(first.name, second.name, setup, moments, played)


def plan_encounters(a: Strategy, b: Strategy) -> tuple[list[Encounter], dict[Cell, Played]]:
    """List the encounters that give the values of all mixtures, each once, and say which holds which.

    With the seats exchanged, x against y is y against x turned round, and x against x is even: neither is played.
    """
    encounters: list[Encounter] = []
    played = {}
    for cell in cells():
        opponent = a if cell.opponent == "a" else b
        player = mixture(a, b, cell)
        if player.parts == opponent.parts:
            played[cell] = Played(0, 0)
            continue
        known = [(x.parts, y.parts) for x, y in encounters]
        if (player.parts, opponent.parts) in known:
            played[cell] = Played(known.index((player.parts, opponent.parts)), 1)
        elif (opponent.parts, player.parts) in known:
            played[cell] = Played(known.index((opponent.parts, player.parts)), -1)
        else:
            played[cell] = Played(len(encounters), 1)
            encounters.append((player, opponent))
    return encounters, played


def mixture(a: Strategy, b: Strategy, cell: Cell) -> Strategy:
    """Return the strategy of a cell: these decisions of a, the others of b."""
    if cell.mine == ALL:
        return a
    mine = [decision for decision in DECISIONS if decision in cell.mine]
    return b.with_decisions(a, *mine) if mine else b
