"""Intervals for means, shares and ratios of sums over independent units.

A *unit* is what is independent of all else in a run: a deal, a pair of mirrored
deals, a game, or a pair of games. The hands inside a unit are not independent
(a mirrored pair shares its cards, the hands of a game share its scores), so no
formula here ever counts hands as trials:

* a mean or a ratio is a ratio of two sums over units, with the delta-method
  standard error and Student's t;
* a share is the same ratio, put into Wilson's formula with the number of trials
  that has that standard error, and with Student's quantile for n - 1 degrees of freedom (n units) in place of the
  normal one, as the standard error is estimated: slightly wider than the textbook's Wilson, by less than 2 % from 100
  units on. It stays inside [0, 1] and is honest for rare
  events. Where no two units differ (0 of n, n of n, or one of
  two in every mirrored pair) the standard error is zero and says nothing; the interval is then that of
  "0 of n units are unlike the rest".
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special, stats

from gincore.errors import UsageError, quoted

if TYPE_CHECKING:
    from gincore.runs.tally import Moments


class Interval(NamedTuple):
    """An estimate and its two-sided interval; NaN where there is none."""

    estimate: float
    low: float
    high: float


NOTHING = Interval(math.nan, math.nan, math.nan)
"""The interval of a quantity without data."""


def check_level(level: float) -> float:
    """Return `level`, or raise :class:`UsageError` if it is not strictly between 0 and 1."""
    if isinstance(level, bool) or not isinstance(level, (int, float)) or not 0 < level < 1:
        raise UsageError(f"level {quoted(level)}: must be a number between 0 and 1, such as 0.95")
    return float(level)


def wilson(successes: float, n: float, level: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval of a proportion.

    Parameters
    ----------
    successes, n
        Successes and independent trials, 0 <= successes <= n. They need not be whole numbers: clustered data have an
        effective number of trials.
    level
        Coverage, for example 0.95.

    Returns
    -------
    tuple of float
        Low and high, inside [0, 1] and never equal; NaN twice if there are no trials.

    Raises
    ------
    UsageError
        If `successes` is not between 0 and `n`.

    Examples
    --------
    >>> low, high = wilson(0, 10)
    >>> round(low, 4), round(high, 4)
    (0.0, 0.2775)
    """
    level = check_level(level)
    if not 0 <= successes <= n:
        raise UsageError(f"{successes!r} successes of {n!r}: successes must lie between 0 and the number of trials")
    if n == 0:
        return math.nan, math.nan
    return _score_interval(successes / n, n, float(stats.norm.ppf((1 + level) / 2)))


def mean_interval(total: float, total_squares: float, n: int, level: float = 0.95) -> Interval:
    """Return the mean of n independent values from their sum and sum of squares, with Student's interval.

    Integers are handled exactly. No values give NaN throughout, one value gives no interval.

    Examples
    --------
    >>> mean_interval(6, 14, 3).estimate
    2.0
    """
    level = check_level(level)
    if n < 0:
        raise UsageError(f"n {n!r}: the number of values cannot be negative")
    if n == 0:
        return NOTHING
    mean = total / n
    if n == 1:
        return Interval(mean, math.nan, math.nan)
    spread = max(n * total_squares - total * total, 0)
    return student_interval(mean, math.sqrt(spread / (n * n * (n - 1))), n, level)


def ratio_interval(
    moments: Moments, top: Mapping[str, int], bottom: Mapping[str, int], level: float = 0.95
) -> Interval:
    """Ratio of two sums over units, with the delta-method interval.

    Parameters
    ----------
    moments
        Sums over units.
    top, bottom
        Weights of the entries of v that make up the numerator and the denominator:
        ``{"points_0": 1, "points_1": 1}`` over ``{"hands": 1, "dead": -1}``.
    level
        Coverage.

    Returns
    -------
    Interval
        NaN throughout if the denominator is 0; no interval (NaN) from a single unit. With a denominator that is the
        same in every unit this is Student's interval of a mean.
    """
    level = check_level(level)
    a, b = _total(moments, top), _total(moments, bottom)
    if b == 0:
        return NOTHING
    return student_interval(a / b, _ratio_error(moments, top, bottom, a, b), moments.units, level)


def share_interval(
    moments: Moments, top: Mapping[str, int], bottom: Mapping[str, int], level: float = 0.95
) -> Interval:
    """Share of `bottom` that is `top`: Wilson's interval with the number of trials that the units are worth.

    Parameters are those of :func:`ratio_interval`; `top` must count a part of what `bottom` counts.

    Returns
    -------
    Interval
        Inside [0, 1] and wider than 0 from two units on; NaN bounds from a single unit; NaN throughout without data.

    Notes
    -----
    With share p, delta-method standard error s and n units, it is Wilson's formula for p in p (1 - p) / s**2 trials
    with the quantile of Student's t for n - 1 degrees of freedom. Where no two units differ (s = 0) the interval is
    made from Wilson's upper bound u of 0 in n, with the normal quantile: from p (1 - u) to p + (1 - p) u.
    """
    level = check_level(level)
    a, b, n = _total(moments, top), _total(moments, bottom), moments.units
    if b == 0:
        return NOTHING
    share = a / b
    if n < 2:
        return Interval(share, math.nan, math.nan)
    error = _ratio_error(moments, top, bottom, a, b)
    if error == 0:
        odd = wilson(0, n, level)[1]
        return Interval(share, share * (1 - odd), share + (1 - share) * odd)
    trials = share * (1 - share) / error**2
    low, high = _score_interval(share, trials, student_quantile(level, n))
    return Interval(share, low, high)


class Term(NamedTuple):
    """A weighted ratio of two sums over units, a term of a :func:`combination`."""

    weight: int | Fraction
    top: Mapping[str, int]
    bottom: Mapping[str, int]


def combination(moments: Moments, terms: Iterable[Term], constant: int | Fraction = 0) -> tuple[float, float]:
    """Weighted sum of ratios over the same units, such as a difference or an average, and its standard error.

    Parameters
    ----------
    moments
        Sums over units that all ratios share, so that the error holds what the cards have in common.
    terms
        Weights and ratios. The sum is exact: terms that cancel give 0 with error 0.
    constant
        Added to the sum.

    Returns
    -------
    tuple of float
        The sum and its delta-method standard error; NaN where a denominator is 0, an error of NaN from a single unit.
    """
    value, weights = Fraction(constant), dict[str, Fraction]()
    for weight, top, bottom in terms:
        a, b = _total(moments, top), _total(moments, bottom)
        if b == 0:
            return math.nan, math.nan
        value += weight * Fraction(a, b)
        for name, times in top.items():
            weights[name] = weights.get(name, Fraction(0)) + weight * Fraction(times, b)
        for name, times in bottom.items():
            weights[name] = weights.get(name, Fraction(0)) - weight * Fraction(a * times, b * b)
    if moments.units < 2:
        return float(value), math.nan
    return float(value), _sum_error(moments, weights) if weights else 0.0


def deviation_interval(moments: Moments, value: str, square: str, count: str, level: float = 0.95) -> Interval:
    """Return the standard deviation of a value over hands, with the delta-method interval over units.

    `value` and `square` are the entries that sum the value and its square, `count` the entry that counts the hands.
    NaN throughout without data; no interval where every value is the same or there is a single unit.
    """
    level = check_level(level)
    s1, s2, b = (_total(moments, {name: 1}) for name in (value, square, count))
    if b == 0:
        return NOTHING
    mean = Fraction(s1, b)
    variance = Fraction(s2, b) - mean * mean
    deviation = math.sqrt(variance)
    if variance == 0 or moments.units < 2:
        return Interval(deviation, math.nan, math.nan)
    # the variance as a sum over units, linearised at the totals
    weights = {square: Fraction(1), value: -2 * mean, count: mean * mean - variance}
    error = _sum_error(moments, weights) / (2 * deviation * b)
    return student_interval(deviation, error, moments.units, level)


def holm(pvalues: ArrayLike) -> NDArray[np.float64]:
    """Holm's adjusted p-values: reject where one is below alpha and at most a share alpha of families has a false one.

    Parameters
    ----------
    pvalues : array_like of float, shape (m,)
        P-values of one family; NaN (a comparison that could not be made) stays NaN and is not counted.

    Returns
    -------
    ndarray of float64, shape (m,)
        Never below the p-value itself, at most 1.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(pvalues, dtype=np.float64)
    adjusted = np.full(p.shape, np.nan)
    known = np.flatnonzero(~np.isnan(p))
    if np.any((p[known] < 0) | (p[known] > 1)):
        raise UsageError("p-values must lie between 0 and 1")
    order = known[np.argsort(p[known], kind="stable")]
    factors = np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(p[order] * factors), 1.0)
    return adjusted


def _score_interval(share: float, n: float, quantile: float) -> tuple[float, float]:
    """Wilson's formula for a share seen in n trials."""
    shrink = quantile * quantile / n
    centre = (share + shrink / 2) / (1 + shrink)
    half = quantile / (1 + shrink) * math.sqrt(share * (1 - share) / n + shrink / (4 * n))
    # at the ends the exact bounds are 0 and 1: do not let rounding move them
    low = 0.0 if share == 0 else max(centre - half, 0.0)
    high = 1.0 if share == 1 else min(centre + half, 1.0)
    return low, high


def student_quantile(level: float, n: int) -> float:
    """Return the two-sided quantile of Student's t at a level for n units; ``scipy.stats`` takes 50 times as long.

    >>> round(student_quantile(0.95, 11), 3)
    2.228
    """
    return float(special.stdtrit(n - 1, (1 + level) / 2))


def student_p(t: float, n: int) -> float:
    """Return the two-sided p-value of a t for n units."""
    return 2 * float(special.stdtr(n - 1, -abs(t)))


def student_interval(estimate: float, error: float, n: int, level: float) -> Interval:
    """Student's interval of an estimate from n units with this standard error; no interval from a single unit."""
    if n < 2:
        return Interval(estimate, math.nan, math.nan)
    half = student_quantile(level, n) * error
    return Interval(estimate, estimate - half, estimate + half)


def _total(moments: Moments, weights: Mapping[str, int]) -> int:
    """Return a weighted sum of v over all units, exactly."""
    return sum(weight * int(moments.first[moments.names.index(name)]) for name, weight in weights.items())


def _ratio_error(moments: Moments, top: Mapping[str, int], bottom: Mapping[str, int], a: int, b: int) -> float:
    """Delta-method standard error of a / b; NaN from a single unit."""
    if moments.units < 2:
        return math.nan
    weights: dict[str, int] = {name: b * weight for name, weight in top.items()}
    for name, weight in bottom.items():
        weights[name] = weights.get(name, 0) - a * weight
    return _sum_error(moments, weights) / (b * b)


def _sum_error(moments: Moments, weights: Mapping[str, int] | Mapping[str, Fraction]) -> float:
    """Return the standard error of a weighted sum of v whose total is zero.

    The weights stay Python integers or fractions to the end: the squares of a large run cancel to far fewer digits
    than a double holds.
    """
    places = [moments.names.index(name) for name in weights]
    scale = math.lcm(*(Fraction(weight).denominator for weight in weights.values()))
    whole = np.array([int(weight * scale) for weight in weights.values()], dtype=object)
    squares = Fraction(whole @ moments.second[np.ix_(places, places)].astype(object) @ whole, scale * scale)
    n = moments.units
    return math.sqrt(max(squares, Fraction(0))) * math.sqrt(n / (n - 1))
