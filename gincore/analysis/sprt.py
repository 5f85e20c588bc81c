"""A sequential test of two strategies: play until it is clear whether a's share of games is `h0` or `h1`.

The outcome of a mirrored pair, not of a game, is the observation: its two games share their cards. A pair is worth 0 to
2 games to a, in halves where games can be drawn. How the pairs fall besides their mean is unknown, so the test is the
generalised sequential probability ratio test (Li, Liu and Ying, "Generalized sequential probability ratio test for
separate families of hypotheses", Sequential Analysis 2014; chess programs are tested so, with the same five outcomes):
the likelihood of all that was seen, greatest among distributions of mean h1, over the same for h0. Its logarithm is
compared with Wald's bounds log(beta / (1 - alpha)) and log((1 - beta) / alpha).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq

from gincore.analysis.intervals import Interval, share_interval
from gincore.errors import UsageError
from gincore.runs.tally import Moments

Verdict = Literal["h0", "h1", "undecided"]

OUTCOMES: Final = 5
"""A pair is worth 0, 1, 2, 3 or 4 half points of a."""

UNSEEN: Final = 1e-3
"""Pairs that an outcome counts as which was not seen: its probability is small, not 0."""

LEAST_PAIRS: Final = 128
"""Pairs before the first look: the spread of the outcomes must be known by then."""

GROWTH: Final = 16
"""After n pairs the next look comes n / GROWTH pairs later, at least LEAST_PAIRS."""


@dataclass(frozen=True)
class Hypotheses:
    """What is tested, and how often the answer may be wrong.

    Attributes
    ----------
    h0, h1
        Share of games of a under either hypothesis, h0 < h1. A true share between them may end either way.
    alpha
        Probability of accepting h1 where the share is h0 (or less).
    beta
        Probability of accepting h0 where the share is h1 (or more).
    """

    h0: float
    h1: float
    alpha: float
    beta: float

    def __post_init__(self) -> None:
        for name in ("h0", "h1"):
            _number(name, getattr(self, name), 1.0, "between 0 and 1, such as 0.52")
        if not self.h0 < self.h1:
            raise UsageError(f"h0 {self.h0:g}, h1 {self.h1:g}: h0 must lie below h1, such as 0.5 and 0.52")
        for name in ("alpha", "beta"):
            _number(name, getattr(self, name), 0.5, "between 0 and 0.5, such as 0.05")

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at which h0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at which h1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    def verdict(self, ratio: float) -> Verdict:
        """Return what a log-likelihood ratio decides."""
        if ratio <= self.lower:
            return "h0"
        return "h1" if ratio >= self.upper else "undecided"


def next_look(pairs: int, most: int) -> int:
    """Return how many more pairs are played before the next look at the ratio, `pairs` being played, `most` allowed."""
    return min(max(LEAST_PAIRS, pairs // GROWTH), most - pairs)


def count_outcomes(half_points: NDArray[np.integer]) -> NDArray[np.int64]:
    """Count the pairs by what they were worth to a, in half points."""
    counts: NDArray[np.int64] = np.bincount(half_points, minlength=OUTCOMES).astype(np.int64)
    return counts


def log_likelihood_ratio(counts: Sequence[int] | NDArray[np.integer], h0: float, h1: float) -> float:
    """Return the generalised log-likelihood ratio of h1 to h0.

    Parameters
    ----------
    counts
        Pairs worth 0, 1, 2, 3 and 4 half points of a.
    h0, h1
        Mean share of games under either hypothesis.

    Returns
    -------
    float
        Above 0 where h1 fits better; 0 without pairs.

    Examples
    --------
    >>> round(log_likelihood_ratio([250, 0, 500, 0, 250], 0.48, 0.52), 6)
    0.0
    >>> log_likelihood_ratio([200, 0, 500, 0, 300], 0.48, 0.52) > 2.9
    True
    """
    seen = np.asarray(counts, dtype=np.float64)
    if seen.shape != (OUTCOMES,) or (seen < 0).any():
        raise UsageError(f"counts {list(counts)}: five are needed, the pairs worth 0, 1, 2, 3 and 4 half points")
    if not seen.any():
        return 0.0
    weights = np.where(seen > 0, seen, UNSEEN)
    values = np.arange(OUTCOMES) / (OUTCOMES - 1)
    return float(weights @ (np.log(_tilt(weights, values, h0)) - np.log(_tilt(weights, values, h1))))


def sprt_interval(counts: NDArray[np.integer], level: float) -> Interval:
    """Return a's share of games and the interval that it would have had the number of pairs been fixed beforehand."""
    pairs = int(counts.sum())
    half_points = np.arange(OUTCOMES)
    offered = OUTCOMES - 1
    first = np.array([int(counts @ half_points), offered * pairs], dtype=np.int64)
    across = offered * first[0]
    second = np.array([[int(counts @ half_points**2), across], [across, offered**2 * pairs]], dtype=np.int64)
    return share_interval(
        Moments(("score", "halves"), pairs, 2, first, second, "game"), {"score": 1}, {"halves": 1}, level
    )


def _tilt(weights: NDArray[np.float64], values: NDArray[np.float64], mean: float) -> NDArray[np.float64]:
    """Return the factors that divide observed probabilities into the likeliest ones of this mean.

    They are 1 + x (value - mean) for the x at which the probabilities sum to 1 (Lagrange).
    """
    away = values - mean
    low, high = -1 / away.max(), -1 / away.min()
    margin = 1e-12 * (high - low)
    x = brentq(lambda x: float(weights @ (away / (1 + x * away))), low + margin, high - margin, xtol=1e-14)
    factors: NDArray[np.float64] = 1 + x * away
    return factors


def _number(name: str, value: object, top: float, allowed: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < top:
        raise UsageError(f"{name} {value!r} is not allowed; allowed is a number {allowed}")
