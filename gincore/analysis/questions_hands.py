"""What questions read off hand rows, as quantities with their errors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gincore.analysis.questions_quantity import Floats, Quantity, by_unit, deviation, ratio
from gincore.errors import UsageError
from gincore.schema import Result

Rows = NDArray[Any]
Where = Mapping[str, Any]


@dataclass(frozen=True)
class Hands:
    """Hand rows of a run of single hands, the deals numbered from 0.

    Attributes
    ----------
    rows : ndarray of ``schema.HAND_DTYPE``
    units
        Deals, the independent units: both hands of a mirrored deal are one.
    """

    rows: Rows
    units: int

    def sums(self, chosen: NDArray[np.bool_], values: Any = None) -> Floats:
        """Sum values of chosen rows (without them: count rows) by deal."""
        units = self.rows["deal"][chosen]
        return by_unit(units, self.units, None if values is None else np.asarray(values, np.float64)[chosen])


def chosen_rows(rows: Rows, where: Where) -> NDArray[np.bool_]:
    """Return which rows have values between two ends, both included, in each column named.

    Raises
    ------
    UsageError
        A column that the rows do not have.
    """
    chosen = np.ones(len(rows), np.bool_)
    for name, ends in where.items():
        if name not in (rows.dtype.names or ()):
            raise UsageError(f"column {name!r}: rows have {', '.join(rows.dtype.names or ())}")
        low, high = ends if isinstance(ends, list | tuple) else (ends, ends)
        chosen &= (rows[name] >= low) & (rows[name] <= high)
    return chosen


def _net(rows: Rows) -> Any:
    return rows["points_0"].astype(np.int64) - rows["points_1"]


def _starter_net(rows: Rows) -> Any:
    return np.where(rows["starter"] == 0, 1, -1) * _net(rows)


def _is(*results: Result) -> Callable[[Rows], Any]:
    return lambda rows: np.isin(rows["result"], [int(each) for each in results])


_GIN: Final = _is(Result.gin, Result.big_gin)
_KNOCKED: Final = _is(Result.knock, Result.undercut)


def _everything(rows: Rows) -> Any:
    return np.ones(len(rows), np.bool_)


def _decided(rows: Rows) -> Any:
    return rows["winner"] >= 0


def _equal(rows: Rows) -> Any:
    return rows["defender_deadwood"] == rows["knocker_deadwood"]


def _points(rows: Rows) -> Any:
    return rows["points_0"].astype(np.int64) + rows["points_1"]


MEANS: Final[Mapping[str, tuple[Callable[[Rows], Any], Callable[[Rows], Any]]]] = {
    "net": (_net, _everything),
    "starter_net": (_starter_net, _everything),
    "winner_points": (_points, _decided),
    "gin_points": (_points, _GIN),
    "turns": (lambda rows: rows["turns"], _everything),
    "stock_left": (lambda rows: rows["stock_left"], _everything),
    "knocker_deadwood": (lambda rows: rows["knocker_deadwood"], _decided),
    "won": (lambda rows: rows["winner"] == 0, _decided),
    "gin": (_GIN, _everything),
    "gin_of_decided": (_GIN, _decided),
    "big_gin": (_is(Result.big_gin), _everything),
    "dead": (_is(Result.dead, Result.stalled), _everything),
    "undercut": (_is(Result.undercut), _KNOCKED),
    "tie": (_equal, _KNOCKED),
}
"""Value and rows over which it is averaged, by metric."""


def mean_of_rows(hands: Hands, metric: str, where: Where) -> Quantity:
    """Return the mean of a value of :data:`MEANS` over the rows that `where` chooses."""
    value, over = MEANS[metric]
    chosen = chosen_rows(hands.rows, where) & over(hands.rows)
    return ratio(hands.sums(chosen, value(hands.rows)), hands.sums(chosen))


def spread_of_net(hands: Hands, where: Where) -> Quantity:
    """Return the standard deviation of player 0's net points of a hand."""
    chosen, net = chosen_rows(hands.rows, where), _net(hands.rows)
    return deviation(hands.sums(chosen, net), hands.sums(chosen, net * net), hands.sums(chosen))


def knocks_between(hands: Hands, where: Where) -> Quantity:
    """Share of ordinary knocks with a deadwood that ``where["knocker_deadwood"]`` gives."""
    knocks = _KNOCKED(hands.rows)
    return ratio(hands.sums(knocks & chosen_rows(hands.rows, where)), hands.sums(knocks))


def rows_between(hands: Hands, where: Where) -> Quantity:
    """Share of all hands that `where` chooses, such as those with few cards left in the stock."""
    return ratio(hands.sums(chosen_rows(hands.rows, where)), hands.sums(_everything(hands.rows)))


def big_gin_points(hands: Hands, where: Where) -> Quantity:
    """Share of all points that hands ended by big gin bring."""
    chosen, points = chosen_rows(hands.rows, where), _points(hands.rows)
    big = chosen & (hands.rows["result"] == int(Result.big_gin))
    return ratio(hands.sums(big, points), hands.sums(chosen, points))
