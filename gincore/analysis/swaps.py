"""The difference of two strategies, split into draw, discard and knock by swapping one decision at a time.

The eight mixtures of a's and b's decisions (each with its own parameters and tables) play against b, and against a. The
value of a mixture is what it gains on its opponent; that of b against b, and of a against a, is even by symmetry.

* A *swap into b* is what b would gain on b by taking over one decision of a; a *swap out of a* is what a would lose
  against a by taking over one of b. They need not add up to the whole difference: decisions work together.
* The *Shapley* value of a decision is its gain averaged over all orders in which b's decisions can be turned one by one
  into a's (Shapley, "A value for n-person games", 1953). The three add up to the whole difference exactly. It is given
  against b, against a, and for the mean of both, in which a and b have the same part: exchanged, only the sign changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import factorial
from typing import Final, NamedTuple

import pandas as pd

from gincore.analysis.contest import MEASURES, Measure
from gincore.analysis.intervals import Interval, Term, check_level, combination, share_interval, student_interval
from gincore.analysis.summary import unit_name
from gincore.runs.tally import Moments

DECISIONS: Final = ("draw", "discard", "knock")

ALL: Final = frozenset(DECISIONS)
NONE: Final[frozenset[str]] = frozenset()

SWAP_COLUMNS: Final = ("metric", "decision", "split", "opponent", "estimate", "low", "high", "n", "unit")

HALF: Final = Fraction(1, 2)


class Cell(NamedTuple):
    """A mixture against an opponent: the decisions that are a's, and who plays against it (``a`` or ``b``)."""

    mine: frozenset[str]
    opponent: str


class Played(NamedTuple):
    """Where the value of a cell is found: the encounter's number, and -1 where it is that of the encounter's player b.

    A sign of 0 says that both play the same, so that the value is even without being played.
    """

    encounter: int
    sign: int


Weights = dict[Cell, Fraction]


def cells() -> list[Cell]:
    """Return all mixtures against both opponents."""
    sets = [frozenset(each) for size in range(len(DECISIONS) + 1) for each in combinations(DECISIONS, size)]
    return [Cell(mine, opponent) for opponent in ("b", "a") for mine in sets]


def swap_weights(decision: str, side: str) -> Weights:
    """Weights of the cells in a swap of one decision: into b against b (`side` ``b``), or out of a against a."""
    if side == "b":
        return {Cell(frozenset({decision}), "b"): Fraction(1), Cell(NONE, "b"): Fraction(-1)}
    return {Cell(ALL, "a"): Fraction(1), Cell(ALL - {decision}, "a"): Fraction(-1)}


def shapley_weights(decision: str, opponent: str) -> Weights:
    """Weights of the cells in a decision's Shapley value against ``a``, ``b`` or ``both``."""
    if opponent == "both":
        sides = [shapley_weights(decision, each) for each in ("a", "b")]
        return {cell: HALF * weight for side in sides for cell, weight in side.items()}
    weights: Weights = {}
    others = sorted(ALL - {decision})
    for size in range(len(others) + 1):
        orders = Fraction(factorial(size) * factorial(len(others) - size), factorial(len(DECISIONS)))
        for before in combinations(others, size):
            weights[Cell(frozenset(before) | {decision}, opponent)] = orders
            weights[Cell(frozenset(before), opponent)] = -orders
    return weights


def whole_weights(opponent: str = "b") -> Weights:
    """Weights of the cells in the whole difference: all decisions of a against none."""
    return {Cell(ALL, opponent): Fraction(1), Cell(NONE, opponent): Fraction(-1)}


def swap_frame(moments: Moments, played: Mapping[Cell, Played], level: float = 0.95) -> pd.DataFrame:
    """Split the difference of a and b in games, hands and points.

    Parameters
    ----------
    moments
        Sums over the encounters (see :mod:`gincore.analysis.contest`), all on the same cards.
    played
        For every cell the encounter that holds its value.
    level
        Coverage of each interval by itself.

    Returns
    -------
    DataFrame
        Columns ``metric, decision, split, opponent, estimate, low, high, n, unit``; above 0 where a's decision gains.
        ``split`` is ``whole`` (decision ``all``), ``swap_into_b``, ``swap_out_of_a`` (each with a decision
        ``together``: what the three swaps leave of the whole difference) or ``shapley``. Shares are differences.
        Intervals are Student's, from the delta-method error over units.
    """
    level = check_level(level)
    unit = unit_name(moments)
    rows = []
    for measure in MEASURES:
        for (decision, split, opponent), weights in _rows():
            interval = _interval(moments, measure, _terms(measure, weights, played), level)
            rows.append((measure.name, decision, split, opponent, *interval, moments.units, unit))
    return pd.DataFrame(rows, columns=list(SWAP_COLUMNS))


def _rows() -> Iterator[tuple[tuple[str, str, str], Weights]]:
    """Yield decision, split, opponent and weights of every row of a measure."""
    yield ("all", "whole", "both"), whole_weights()
    for side, split in (("b", "swap_into_b"), ("a", "swap_out_of_a")):
        swaps = [swap_weights(decision, side) for decision in DECISIONS]
        for decision, weights in zip(DECISIONS, swaps, strict=True):
            yield (decision, split, side), weights
        yield ("together", split, side), added([whole_weights(side), *swaps], [1, -1, -1, -1])
    for opponent in ("both", "b", "a"):
        for decision in DECISIONS:
            yield (decision, "shapley", opponent), shapley_weights(decision, opponent)


def added(parts: Sequence[Weights], signs: Sequence[int]) -> Weights:
    """Add weights of cells."""
    total: Weights = {}
    for part, sign in zip(parts, signs, strict=True):
        for cell, weight in part.items():
            total[cell] = total.get(cell, Fraction(0)) + sign * weight
    return total


def _terms(measure: Measure, weights: Weights, played: Mapping[Cell, Played]) -> list[Term]:
    """Return a weighted sum of cells as one of encounters; what is even by symmetry drops out."""
    by_encounter: dict[int, Fraction] = {}
    for cell, weight in weights.items():
        encounter, sign = played[cell]
        by_encounter[encounter] = by_encounter.get(encounter, Fraction(0)) + sign * weight
    return [Term(weight, *measure.ratio(k)) for k, weight in by_encounter.items() if weight]


def _interval(moments: Moments, measure: Measure, terms: Sequence[Term], level: float) -> Interval:
    """Weighted sum of what the mixtures gain, with Student's interval.

    A share that is the same in every unit (all games won) has an error of 0, which says nothing: its own interval is
    added to that of the sum.
    """
    gained = -measure.even * sum((term.weight for term in terms), Fraction(0))
    interval = student_interval(*combination(moments, terms, gained), moments.units, level)
    low, high = interval.low, interval.high
    for weight, top, bottom in terms if measure.is_share else ():
        if combination(moments, [Term(1, top, bottom)])[1] == 0:
            estimate, least, greatest = share_interval(moments, top, bottom, level)
            ends = sorted(float(weight) * (end - estimate) for end in (least, greatest))
            low, high = low + ends[0], high + ends[1]
    return Interval(interval.estimate, low, high)
