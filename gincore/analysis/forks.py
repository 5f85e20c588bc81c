"""The value of knocking now, cell by cell, from integer sums over moments."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gincore.analysis.intervals import check_level, holm, student_p, student_quantile
from gincore.schema import FORK_FIELDS

DEALS, MOMENTS, POINTS, WAIT, DIFFERENCE_SQUARED, MOMENTS_SQUARED, PRODUCT = range(len(FORK_FIELDS))


def cell_frame(
    values: Mapping[str, NDArray[np.int64]], sums: NDArray[np.int64], level: float = 0.95, corrected: bool = False
) -> pd.DataFrame:
    """Tidy frame of the cells that were met.

    Parameters
    ----------
    values
        For each column that makes up the cells its value in every cell.
    sums : ndarray of int64, shape (cells, len(schema.FORK_FIELDS))
    level
        Coverage of each interval by itself.
    corrected
        Add ``p_value`` (two-sided, of "knocking and waiting are worth the same") and ``p_holm``, corrected for all
        cells of the frame.

    Returns
    -------
    DataFrame
        The columns of the cells; ``value_of_knocking_points``, the mean over moments of the points of knocking less
        those of waiting, with ``low`` and ``high``; ``knock_points`` and ``wait_points``, the two means; ``n``, the
        deals that met the cell, which the interval counts as independent; ``moments``.

    Notes
    -----
    The mean is the ratio of two sums over deals, with the delta-method standard error and Student's t for n - 1
    degrees of freedom. From one deal there is no interval, nor where all differences are the same.
    """
    level = check_level(level)
    met = np.flatnonzero(sums[:, MOMENTS])
    rows = [_row(sums[cell].tolist(), level) for cell in met]
    frame = pd.DataFrame({name: column[met] for name, column in values.items()})
    figures = pd.DataFrame(rows, columns=["value_of_knocking_points", "low", "high", "knock_points", "wait_points"])
    frame = pd.concat([frame, figures.astype(float)], axis=1)
    frame["n"], frame["moments"] = sums[met, DEALS], sums[met, MOMENTS]
    if corrected:
        p_values = np.array([_p_value(sums[cell].tolist()) for cell in met], np.float64)
        frame = frame.assign(p_value=p_values, p_holm=holm(p_values))
    return frame


def value_and_error(sums: list[int]) -> tuple[float, float]:
    """Mean difference of a cell and its standard error; NaN for the error from a single deal."""
    deals, moments, points, wait, squared, moments_squared, product = sums
    difference = points - wait
    mean = Fraction(difference, moments)
    if deals < 2:
        return float(mean), math.nan
    spread = squared - 2 * mean * product + mean * mean * moments_squared
    variance = spread * Fraction(deals, (deals - 1) * moments * moments)
    return float(mean), math.sqrt(variance)


def _row(sums: list[int], level: float) -> tuple[Any, ...]:
    mean, error = value_and_error(sums)
    knock, wait = sums[POINTS] / sums[MOMENTS], sums[WAIT] / sums[MOMENTS]
    if not error > 0:
        return mean, math.nan, math.nan, knock, wait
    half = student_quantile(level, sums[DEALS]) * error
    return mean, mean - half, mean + half, knock, wait


def _p_value(sums: list[int]) -> float:
    mean, error = value_and_error(sums)
    return student_p(mean / error, sums[DEALS]) if error > 0 else math.nan
