"""Integer sums over the moments at which a player could knock, cell by cell, from which means and intervals come.

A deal is the independent unit: it may meet a cell several times (a coarse cell, or both of its mirrored hands), so
each cell keeps sums over deals of the deal's moments and of its differences, of their squares and of their product.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gincore._jit import kernel
from gincore.schema import FORK_FIELDS, FORK_GRID

DEALS, MOMENTS, POINTS, WAIT, DIFFERENCE_SQUARED, MOMENTS_SQUARED, PRODUCT = range(len(FORK_FIELDS))
DEADWOOD, TURN, OPP_PICKUPS, PICKUPS, STOCK, KNOCK_LIMIT = range(len(FORK_GRID))


@kernel
def _bin(value, axis):
    """Part of a cell's number: ``axis`` is (width of a bin, bins, stride)."""
    return min(max(value // axis[0], 0), axis[1] - 1) * axis[2]


@kernel
def cell_of(moment, axes):
    """The cell of a moment; the last bin of every axis is open-ended."""
    return (
        _bin(np.int64(moment.deadwood), axes[DEADWOOD])
        + _bin(np.int64(moment.turn), axes[TURN])
        + _bin(np.int64(moment.opp_pickups), axes[OPP_PICKUPS])
        + _bin(np.int64(moment.pickups), axes[PICKUPS])
        + _bin(np.int64(moment.stock), axes[STOCK])
        + _bin(np.int64(moment.knock_limit) + 1, axes[KNOCK_LIMIT])
    )


@kernel
def _add_deal(moments, begin, end, least_reached, cells, deal_moments, deal_difference, sums):
    """Add the moments of one deal; the two scratch arrays, one entry a cell, are zero before and after."""
    for place in range(begin, end):
        moment, cell = moments[place], cells[place - begin]
        if moment.reached < least_reached:
            continue
        points, wait = np.int64(moment.points), np.int64(moment.wait)
        deal_moments[cell] += 1
        deal_difference[cell] += points - wait
        sums[cell, MOMENTS] += 1
        sums[cell, POINTS] += points
        sums[cell, WAIT] += wait
    for place in range(end - begin):
        cell = cells[place]
        count, difference = deal_moments[cell], deal_difference[cell]
        if count > 0:  # else it was added already
            sums[cell, DEALS] += 1
            sums[cell, DIFFERENCE_SQUARED] += difference * difference
            sums[cell, MOMENTS_SQUARED] += count * count
            sums[cell, PRODUCT] += count * difference
            deal_moments[cell] = 0
            deal_difference[cell] = 0


@kernel
def _add(moments, axes, least_reached, cells, deal_moments, deal_difference, sums):
    begin = 0
    for place in range(len(moments)):
        cells[place - begin] = cell_of(moments[place], axes)
        if place + 1 == len(moments) or moments[place + 1].deal != moments[place].deal:
            _add_deal(moments, begin, place + 1, least_reached, cells, deal_moments, deal_difference, sums)
            begin = place + 1


def add_moments(moments: Any, axes: Any, reached: bool, sums: Any) -> None:
    """Add the moments of whole deals, each deal's in a row.

    Parameters
    ----------
    moments : ndarray of ``schema.MOMENT_DTYPE``
    axes : ndarray of int64, shape (len(schema.FORK_GRID), 3)
        Width of a bin, number of bins and stride of each axis; an axis that is summed over has one bin and stride 0.
    reached : bool
        Leave out moments that the player's own decision would not have come to.
    sums : ndarray of int64, shape (cells, len(schema.FORK_FIELDS)), added to in place
    """
    if len(moments) == 0:
        return
    runs = np.flatnonzero(np.diff(moments["deal"], prepend=moments["deal"][0] - 1, append=moments["deal"][-1] + 1))
    cells = np.zeros(int(np.diff(runs).max()), np.int64)
    scratch = np.zeros((2, len(sums)), np.int64)
    _add(moments, axes, int(reached), cells, scratch[0], scratch[1], sums)
