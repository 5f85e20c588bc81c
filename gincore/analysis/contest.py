"""Sums of several encounters of two strategies that met the same cards, and the three measures of an encounter.

Encounter k is player a against player b. Its *unit* is a game number: all encounters play it twice, with the seats
exchanged, on the same cards. The sums hold the products of all encounters, so that averages, differences and
decompositions over several of them get honest intervals.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gincore.analysis.intervals import Interval, Term, combination, ratio_interval, share_interval, student_p
from gincore.errors import UsageError, quoted
from gincore.runs.tally import Moments

VALUES: Final = ("score", "won", "decided", "net", "hands")
"""What is summed of an encounter: half points of games (a win 2, a draw 1), hands won, hands decided, net points,
hands."""

HALVES: Final = "halves"
"""Half points on offer in a unit: 2 a game, the same in every unit."""

HALF: Final = 0.5


class Ratio(NamedTuple):
    """Weights of the sums in the numerator and the denominator of a measure."""

    top: Mapping[str, int]
    bottom: Mapping[str, int]


@dataclass(frozen=True)
class Measure:
    """One way to say by how much a beats b.

    Attributes
    ----------
    name
        As in the column ``metric``; it carries the unit.
    words
        The same in words.
    even
        Value where nobody is better: 1/2 for shares, 0 for points.
    """

    name: str
    words: str
    even: Fraction

    @property
    def is_share(self) -> bool:
        """Whether it is a share, between 0 and 1."""
        return self.even != 0

    def ratio(self, encounter: int, *, turned: bool = False) -> Ratio:
        """Return the measure of an encounter, in the view of its player b if it is `turned`."""
        top, bottom = {
            "game_won_share": ("score", HALVES),
            "hand_won_share_of_decided": ("won", f"decided:{encounter}"),
            "net_points_per_hand": ("net", f"hands:{encounter}"),
        }[self.name]
        sign = -1 if turned else 1
        weights = {f"{top}:{encounter}": sign}
        if turned and self.is_share:
            weights[bottom] = 1
        return Ratio(weights, {bottom: 1})


GAMES: Final = Measure("game_won_share", "games won", Fraction(1, 2))
HANDS: Final = Measure("hand_won_share_of_decided", "hands won", Fraction(1, 2))
POINTS: Final = Measure("net_points_per_hand", "points a hand", Fraction(0))
MEASURES: Final = (GAMES, HANDS, POINTS)
"""Games, hands and points. They can disagree: who wins the games need not win most hands."""


def find_measure(name: str) -> Measure:
    """Return a measure by its name."""
    for measure in MEASURES:
        if measure.name == name:
            return measure
    raise UsageError(f"metric {quoted(name)} is not known; allowed: {', '.join(measure.name for measure in MEASURES)}")


def sum_names(encounters: int) -> tuple[str, ...]:
    """Return the names of all sums of so many encounters."""
    return (HALVES, *(f"{value}:{k}" for k in range(encounters) for value in VALUES))


class ContestSums:
    """Sums and cross products of several encounters over game numbers, in memory that does not grow with them.

    Parameters
    ----------
    encounters
        How many encounters.
    per_unit
        Games of an encounter in a unit.
    """

    def __init__(self, encounters: int, per_unit: int = 2) -> None:
        self.names = sum_names(encounters)
        self.per_unit = per_unit
        self.units = 0
        self.first = np.zeros(len(self.names), dtype=np.int64)
        self.second = np.zeros((len(self.names), len(self.names)), dtype=np.int64)

    def add(self, encounters: Sequence[Mapping[str, NDArray[np.int64]]]) -> None:
        """Add units: of each encounter the values of :data:`VALUES` in the same units in the same order."""
        columns = [each[value] for each in encounters for value in VALUES]
        sizes = sorted({len(column) for column in columns})
        if 1 + len(columns) != len(self.names) or len(sizes) != 1:
            raise UsageError(f"units of the encounters {sizes}: all encounters need the same units")
        table = np.stack([np.full(sizes[0], 2 * self.per_unit, dtype=np.int64), *columns])
        floats = table.astype(np.float64)  # products of whole numbers far below 2**53: exact, and a fast product
        self.units += table.shape[1]
        self.first += table.sum(axis=1)
        self.second += (floats @ floats.T).astype(np.int64)

    def moments(self) -> Moments:
        """Return the sums under their names."""
        return Moments(self.names, self.units, self.per_unit, self.first, self.second, "game")


def measure_interval(moments: Moments, measure: Measure, ratio: Ratio, level: float) -> Interval:
    """Return a measure's estimate and interval: Wilson's for shares, Student's for points (see ``intervals``)."""
    estimate = share_interval if measure.is_share else ratio_interval
    return estimate(moments, ratio.top, ratio.bottom, level)


def even_p_value(moments: Moments, measure: Measure, ratio: Ratio) -> float:
    """Two-sided p-value of "nobody is better", the level at which the interval of the measure just covers `even`.

    A share of which no two units differ has the sign test: two strategies that share every pair have p-value 1, one
    that wins all of n pairs 2**(1 - n). NaN from a single unit, and for points that are always the same and not 0.
    """
    estimate, error = combination(moments, [Term(1, *ratio)])
    n = moments.units
    if n < 2 or math.isnan(error):
        return math.nan
    distance = abs(estimate - float(measure.even))
    if error == 0:
        if distance == 0:
            return 1.0
        return 2.0 ** (1 - n) if measure.is_share and distance == HALF else math.nan
    if measure.is_share:  # Wilson's formula takes the spread that goes with the share 1/2
        error *= HALF / math.sqrt(estimate * (1 - estimate))
    return student_p(distance / error, n)


def difference_p_value(estimate: float, error: float, n: int) -> float:
    """Two-sided p-value of Student's test that a difference is 0; 1 where it is 0 in every unit, NaN without error."""
    if n < 2 or math.isnan(error):
        return math.nan
    if error == 0:
        return 1.0 if estimate == 0 else math.nan
    return student_p(estimate / error, n)


def encounter_values(
    moments: Moments, measure: Measure, encounters: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return a measure of every encounter, minus its even value, and the covariance of these estimates.

    Returns
    -------
    tuple of ndarray, shapes (encounters,) and (encounters, encounters)
        The covariance is by the delta method over units, from exact sums. NaN from a single unit.
    """
    ratios = [measure.ratio(k) for k in range(encounters)]
    places = [[moments.names.index(name) for ratio in ratios for name in ratio[side]] for side in (0, 1)]
    tops, bottoms = (moments.first[place].astype(object) for place in places)
    if not bottoms.all():
        raise UsageError(f"{measure.words}: an encounter without any; play more games")
    s = {(i, j): moments.second[np.ix_(places[i], places[j])].astype(object) for i in (0, 1) for j in (0, 1)}
    across = (
        np.outer(bottoms, bottoms) * s[0, 0]
        - np.outer(bottoms, tops) * s[0, 1]
        - np.outer(tops, bottoms) * s[1, 0]
        + np.outer(tops, tops) * s[1, 1]
    )
    n = moments.units
    scale = n / (n - 1) if n > 1 else math.nan
    squares = np.outer(bottoms**2, bottoms**2)
    values = (tops / bottoms).astype(np.float64) - float(measure.even)
    return values, (across / squares).astype(np.float64) * scale
