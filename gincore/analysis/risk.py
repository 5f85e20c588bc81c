"""What carries a risk: the part of the uncertainty that each circumstance explains.

The chance of the event is fitted by logistic regressions on the classes of the circumstances, without interactions, one
for every subset of them. Explained is McFadden's share: 1 - deviance / deviance without circumstances, the fall of the
mean uncertainty (entropy) of the event. The *Shapley* part of a circumstance is its gain averaged over all orders of
adding them: the parts add up to what all explain together.

Intervals: deals fall into groups by their numbers, and whole groups are drawn again (bootstrap); the interval is the
estimate and so many standard deviations of the redrawn ones. Both hands of a deal are in the same group.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import factorial
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import special, stats

from gincore.analysis.intervals import check_level, holm

GROUPS: Final = 200
"""Groups of deals that are drawn again."""

REDRAWS: Final = 60
"""Times that they are drawn."""

LEAST_EVENTS: Final = 100
"""Events without which nothing is said about what carries the risk."""

RIDGE: Final = 1e-4
"""Keeps coefficients finite where a class has no event."""

Floats = NDArray[np.float64]
Subset = tuple[int, ...]


@dataclass(frozen=True)
class Counts:
    """Trials and events by group of deals (first axis) and class of each circumstance."""

    factors: tuple[str, ...]
    trials: NDArray[np.int64]
    events: NDArray[np.int64]


def count_classes(rows: pd.DataFrame, classes: Mapping[str, int], event: str) -> Counts:
    """Count trials and events.

    Parameters
    ----------
    rows
        Columns ``deal``, `event` (0 or 1), and the code of each circumstance.
    classes
        Circumstances and their numbers of classes.
    event
        Column of the event.
    """
    shape = (GROUPS, *classes.values())
    codes = (rows["deal"].to_numpy() % GROUPS, *(rows[name].to_numpy() for name in classes))
    place = np.ravel_multi_index(codes, shape)
    size = int(np.prod(shape))
    trials = np.bincount(place, minlength=size).reshape(shape)
    events = np.bincount(place[rows[event].to_numpy() == 1], minlength=size).reshape(shape)
    return Counts(tuple(classes), trials, events)


def explained(counts: Counts, level: float = 0.95, seed: int = 0) -> pd.DataFrame:
    """Divide what is explained among the circumstances.

    Parameters
    ----------
    counts
        Of :func:`count_classes`.
    level
        Coverage of the intervals.
    seed
        Of the groups that are drawn again.

    Returns
    -------
    DataFrame
        One row a circumstance, and one named ``all``: ``alone`` (explained by it alone), ``last`` (what is lost
        without it), ``part`` (its Shapley part) with ``part_low`` and ``part_high``, ``of_explained`` (the same as a
        share of what all explain) with ``of_low`` and ``of_high``; ``p_value`` and ``p_holm`` (is its part that of the
        largest? Holm over these comparisons); ``n`` trials, ``events``. NaN throughout with less than
        :data:`LEAST_EVENTS` events or non-events.
    """
    level = check_level(level)
    names = counts.factors
    trials, events = counts.trials.sum(axis=0), counts.events.sum(axis=0)
    n, happened = int(trials.sum()), int(events.sum())
    frame = pd.DataFrame({"factor": [*names, "all"], "n": n, "events": happened})
    columns = [
        "alone", "last", "part", "part_low", "part_high", "of_explained", "of_low", "of_high", "p_value", "p_holm",
    ]  # fmt: skip
    frame[columns] = np.nan
    if min(happened, n - happened) < LEAST_EVENTS:
        return frame
    gains, starts = subset_gains(trials, events)
    estimate = _parts(gains, len(names))
    redrawn = _redrawn(counts, starts, seed)
    z = float(stats.norm.ppf((1 + level) / 2))
    every = tuple(range(len(names)))
    frame["alone"] = [*(gains[(k,)] for k in every), gains[every]]
    frame["last"] = [*(gains[every] - gains[tuple(j for j in every if j != k)] for k in every), gains[every]]
    parts = np.append(estimate, estimate.sum())
    spread = np.column_stack([redrawn, redrawn.sum(axis=1)]).std(axis=0, ddof=1)
    frame["part"], frame["part_low"], frame["part_high"] = parts, parts - z * spread, parts + z * spread
    shares = estimate / estimate.sum()
    errors = (redrawn / redrawn.sum(axis=1, keepdims=True)).std(axis=0, ddof=1)
    frame["of_explained"] = [*shares, 1.0]
    frame["of_low"], frame["of_high"] = [*(shares - z * errors), 1.0], [*(shares + z * errors), 1.0]
    best = int(np.argmax(estimate))
    away = (redrawn[:, [best]] - redrawn).std(axis=0, ddof=1)
    p = np.array([2 * stats.norm.sf((estimate[best] - estimate[k]) / away[k]) if k != best else np.nan for k in every])
    frame["p_value"], frame["p_holm"] = [*p, np.nan], [*holm(p), np.nan]
    return frame


def subset_gains(
    trials: NDArray[np.int64] | Floats,
    events: NDArray[np.int64] | Floats,
    starts: Mapping[Subset, Floats] | None = None,
) -> tuple[dict[Subset, float], dict[Subset, Floats]]:
    """McFadden's share of every subset of circumstances (the axes), and the coefficients of each fit."""
    size = trials.ndim
    nothing = _deviance(np.array([trials.sum()]), np.array([events.sum()]), np.array([events.sum() / trials.sum()]))
    gains: dict[Subset, float] = {(): 0.0}
    found: dict[Subset, Floats] = {}
    for length in range(1, size + 1):
        for subset in combinations(range(size), length):
            others = tuple(axis for axis in range(size) if axis not in subset)
            n, y = (table.sum(axis=others, dtype=np.float64) for table in (trials, events))
            left, found[subset] = _fit(n, y, None if starts is None else starts[subset])
            gains[subset] = 1 - left / nothing
    return gains, found


def _parts(gains: Mapping[Subset, float], size: int) -> Floats:
    """Shapley parts of the gains."""
    parts = np.zeros(size)
    for k in range(size):
        others = [j for j in range(size) if j != k]
        for length in range(size):
            weight = factorial(length) * factorial(size - 1 - length) / factorial(size)
            for before in combinations(others, length):
                parts[k] += weight * (gains[tuple(sorted((*before, k)))] - gains[before])
    return parts


def _redrawn(counts: Counts, starts: Mapping[Subset, Floats], seed: int) -> Floats:
    """Parts of tables whose groups of deals were drawn again, shape (REDRAWS, circumstances)."""
    random = np.random.default_rng(seed)
    weights = random.multinomial(GROUPS, np.full(GROUPS, 1 / GROUPS), REDRAWS).astype(np.float64)
    parts = []
    for weight in weights:
        trials = np.tensordot(weight, counts.trials, axes=1)
        events = np.tensordot(weight, counts.events, axes=1)
        parts.append(_parts(subset_gains(trials, events, starts)[0], len(counts.factors)))
    return np.array(parts)


def _fit(n: Floats, y: Floats, start: Floats | None) -> tuple[float, Floats]:
    """Deviance and coefficients of a logistic regression on the classes of every axis, by Newton's method."""
    shape, used = n.shape, n.ravel() > 0
    design = _design(shape)[used]
    n, y = n.ravel()[used], y.ravel()[used]
    if start is None:
        start = np.zeros(design.shape[1])
        start[0] = special.logit(y.sum() / n.sum())
    beta = start.copy()
    penalty = np.full(len(beta), RIDGE)
    penalty[0] = 0
    for _ in range(30):
        p = special.expit(design @ beta)
        slope = design.T @ (y - n * p) - penalty * beta
        curve = (design * (n * p * (1 - p))[:, None]).T @ design + np.diag(penalty)
        step = np.linalg.solve(curve, slope)
        beta += np.clip(step, -4, 4)
        if slope @ step < 1e-6:
            break
    return _deviance(n, y, special.expit(design @ beta)), beta


def _design(shape: Sequence[int]) -> Floats:
    """Constant and one column for each class but the first of every axis."""
    codes = np.indices(shape).reshape(len(shape), -1)
    columns = [np.ones(codes.shape[1])]
    for axis, size in enumerate(shape):
        columns += [codes[axis] == level for level in range(1, size)]
    return np.column_stack(columns).astype(np.float64)


def _deviance(n: Floats, y: Floats, p: Floats) -> float:
    return float(-2 * (special.xlogy(y, p) + special.xlogy(n - y, 1 - p)).sum())
