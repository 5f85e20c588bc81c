"""How much of a table of results is cyclic: a beats b, b beats c, c beats a.

An antisymmetric table is the sum of a part that one rating a strategy explains (the difference of the two ratings) and
a cyclic part, orthogonal to it: the Hodge decomposition of the complete graph (Jiang, Lim, Yao and Ye, "Statistical
ranking and combinatorial Hodge theory", Mathematical Programming 2011). The measure is the cyclic part's share of the
sum of squares: 1 for rock, paper, scissors, 0 for a ladder.

Shares are put on the scale of log-odds first, on which a ladder of Elo ratings has no cycles; points stay as they are.

Noise alone is mostly cyclic, as it has more cycles than ratings: a finite table has a share above 0 even of a perfect
ladder. So the share is given beside one from which the expected noise is taken away, with an interval, and beside
what a table without cycles would show at the same noise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from gincore.analysis.intervals import check_level

Floats = NDArray[np.float64]

DRAWS: Final = 4_000
"""Tables drawn for the interval and the reference."""

LEAST: Final = 3
"""Strategies of the smallest cycle."""


@dataclass(frozen=True)
class Cycles:
    """How cyclic a table is.

    Attributes
    ----------
    metric
        The measure of the table; a share is taken as log-odds.
    strategies
        Different strategies in the table; copies count once, as they change nothing else.
    share
        Cyclic share of the sum of squares, noise included; NaN below three strategies, where there are no cycles.
    corrected, low, high
        The share without the expected noise, inside [0, 1], and its interval. NaN where the table is all noise.
    null_high
        The share of this sum of squares that noise alone would exceed with probability 1 - level, were there no cycles.
    p_value
        Probability of so large a cyclic part if there were no cycles.
    triples, cyclic, told
        Sets of three strategies, those whose estimates go round, and those whose three comparisons are all told apart
        after Holm's correction.
    n, unit, level
        Independent units, what a unit is, and the level.
    """

    metric: str
    strategies: int
    share: float
    corrected: float
    low: float
    high: float
    null_high: float
    p_value: float
    triples: int
    cyclic: int
    told: int
    n: int
    unit: str
    level: float


def transitive_part(matrix: Floats) -> tuple[Floats, Floats]:
    """Return each strategy's rating (the mean of its row) and the table that the ratings explain.

    Examples
    --------
    >>> rating, explained = transitive_part(np.array([[0.0, 1.0, 2.0], [-1.0, 0.0, 1.0], [-2.0, -1.0, 0.0]]))
    >>> rating.tolist(), bool((explained[0] == [0, 1, 2]).all())
    ([1.0, 0.0, -1.0], True)
    """
    rating: Floats = np.asarray(matrix, dtype=np.float64).mean(axis=1)
    return rating, rating[:, None] - rating[None, :]


def cyclic_share(matrix: Floats) -> float:
    """Return the cyclic share of the sum of squares of an antisymmetric table; NaN if all is even.

    >>> cyclic_share(np.array([[0.0, 1.0, -1.0], [-1.0, 0.0, 1.0], [1.0, -1.0, 0.0]]))
    1.0
    """
    whole = float((np.asarray(matrix, dtype=np.float64) ** 2).sum())
    if whole == 0:
        return math.nan
    return float(((matrix - transitive_part(matrix)[1]) ** 2).sum()) / whole


def pairs_of(size: int) -> list[tuple[int, int]]:
    """Return the places of all pairs, in the order in which tables are flattened."""
    return list(combinations(range(size), 2))


def table_of(values: Floats, size: int) -> Floats:
    """Return the antisymmetric tables of shape (..., size, size) whose upper triangles are `values`."""
    rows, columns = np.array(pairs_of(size), dtype=np.int64).reshape(-1, 2).T
    table = np.zeros((*np.shape(values)[:-1], size, size))
    table[..., rows, columns] = values
    table[..., columns, rows] = -np.asarray(values)
    return table


def log_odds(excess: Floats, covariance: Floats, n: int) -> tuple[Floats, Floats]:
    """Turn shares minus 1/2 into log-odds, with half a game added to both sides, so that 0 and 1 stay finite.

    Parameters
    ----------
    excess, covariance
        Shares minus 1/2, and the covariance of the estimates.
    n
        Independent units, which a share of exactly 0 or 1 counts as its trials.

    Returns
    -------
    tuple of ndarray
        Log-odds and their covariance by the delta method.
    """
    share, variance = excess + 0.5, np.diag(covariance)
    spread = share * (1 - share)
    extreme = spread == 0
    trials = np.where(variance > 0, spread / np.where(variance > 0, variance, 1.0), n)
    moved = (trials * share + 0.5) / (trials + 1)
    slope = 1 / (moved * (1 - moved))
    turned = covariance * np.outer(slope, slope)
    turned[extreme, extreme] = slope[extreme] / n
    return np.log(moved / (1 - moved)), turned


def measure_cycles(
    values: Floats, covariance: Floats, size: int, *, level: float, seed: int
) -> tuple[float, float, float, float, float, float]:
    """Measure the cycles of a table, on the scale on which its ratings add.

    Parameters
    ----------
    values, covariance
        The table's upper triangle and the covariance of these estimates.
    size
        Strategies.
    level
        Of the interval and the reference.
    seed
        Of the tables that are drawn.

    Returns
    -------
    tuple of float
        ``share, corrected, low, high, null_high, p_value`` of :class:`Cycles`.
    """
    level = check_level(level)
    whole = float(values @ values)
    if size < LEAST or whole == 0:
        return (math.nan,) * 6
    cyclic = _cyclic_projection(size)
    noise, cyclic_noise = float(np.trace(covariance)), float(np.trace(cyclic @ covariance))
    observed = float(values @ cyclic @ values)
    random = np.random.default_rng(seed)
    errors = random.multivariate_normal(np.zeros(len(values)), covariance, DRAWS, "ignore", method="eigh")
    drawn = values + errors
    # a drawn table has the noise twice: once from the games, once from the draw
    redrawn = _corrected(_squares(drawn, cyclic), _squares(drawn), 2 * cyclic_noise, 2 * noise)
    low, high = np.quantile(redrawn, [(1 - level) / 2, (1 + level) / 2])
    of_noise = _squares(errors, cyclic)
    p_value = (1 + np.count_nonzero(of_noise >= observed)) / (DRAWS + 1)
    null_high = min(float(np.quantile(of_noise, level)) / whole, 1.0)
    corrected = float(_corrected(np.array(observed), np.array(whole), cyclic_noise, noise))
    if whole <= noise:
        corrected, low, high = math.nan, math.nan, math.nan
    return observed / whole, corrected, float(low), float(high), null_high, float(p_value)


def _cyclic_projection(size: int) -> Floats:
    """Return the projection of upper triangles to their cyclic part."""
    basis = table_of(np.eye(size * (size - 1) // 2), size)
    explained = basis.mean(axis=2)[:, :, None] - basis.mean(axis=2)[:, None, :]
    rows, columns = np.array(pairs_of(size), dtype=np.int64).T
    projection: Floats = (basis - explained)[:, rows, columns].T
    return projection


def _squares(tables: Floats, projection: Floats | None = None) -> Floats:
    """Return the sums of squares of flattened tables, or of their projections."""
    projected = tables if projection is None else tables @ projection
    total: Floats = np.einsum("ij,ij->i", tables, projected)
    return total


def _corrected(part: Floats, whole: Floats, part_noise: float, whole_noise: float) -> Floats:
    """Return the share of squares without the expected noise; 0 to 1, and the middle where nothing is left."""
    rest = np.asarray(whole - whole_noise)
    share = np.where(rest > 0, (part - part_noise) / np.where(rest > 0, rest, 1.0), 0.5)
    return np.clip(share, 0.0, 1.0)


def triples(frame: pd.DataFrame, even: float, alpha: float) -> tuple[int, int, int]:
    """Count the sets of three strategies, those that go round, and those that do so for certain.

    Parameters
    ----------
    frame
        Columns ``a, b, estimate, p_holm``, a row a pair.
    even
        Value where neither is better.
    alpha
        A comparison is told apart if ``p_holm`` is below.
    """
    ahead = {}
    for row in frame.to_dict("records"):
        side, told = np.sign(row["estimate"] - even), row["p_holm"] < alpha
        ahead[row["a"], row["b"]], ahead[row["b"], row["a"]] = (side, told), (-side, told)
    names = list(dict.fromkeys([*frame["a"], *frame["b"]]))
    found = [[ahead[x, y], ahead[y, z], ahead[z, x]] for x, y, z in combinations(names, LEAST)]
    cyclic = [each for each in found if abs(sum(side for side, _ in each)) == LEAST]
    return len(found), len(cyclic), sum(all(told for _, told in each) for each in cyclic)
