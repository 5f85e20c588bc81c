"""Nash averaging: a ranking of a pool that copies of a strategy cannot change.

An average over opponents depends on who else was entered: ten copies of a weak strategy make everyone strong who
beats it. Balduzzi, Tuyls, Perolat and Graepel ("Re-evaluating evaluation", NeurIPS 2018) average over the equilibrium
of the symmetric zero-sum game in which two players each choose a strategy of the pool and a choice is paid by the
table, instead. Its *mass* says how much of the equilibrium's mixture a strategy is, its *rating* what it gets against
the mixture: at most 0 (even), and 0 for all that have mass.

An equilibrium need not be the only one. Theirs is the one of largest entropy, which is not invariant where two
strategies that are no copies tie: a copy of one would draw mass to the pair. Here copies (equal rows of the table) are
first merged into one strategy, the equilibrium of largest entropy of the merged table is taken, and a group's mass is
divided evenly among its members. Copies then change no rating and no group's mass, whatever the table.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog, minimize

from gincore.errors import UsageError

Matrix = NDArray[np.float64]

SAME: Final = 1e-12
"""Entries of the table that differ by less are equal."""

TOLERANCE: Final = 1e-9
"""Of the linear programmes, on a table whose largest entry is 1."""

UNIQUE: Final = 1e-6
"""Masses that can vary by less have one solution."""


class NashAverage(NamedTuple):
    """What :func:`nash_average` gives, each by strategy: mass in the equilibrium, value against it, group of copies."""

    mass: Matrix
    rating: Matrix
    group: NDArray[np.int64]


def check_antisymmetric(matrix: Matrix) -> Matrix:
    """Return a table as floats, or refuse one that is not square, not finite or not antisymmetric."""
    table = np.asarray(matrix, dtype=np.float64)
    if table.ndim != 2 or table.shape[0] != table.shape[1] or not len(table):
        raise UsageError(f"table of shape {table.shape}: allowed is a square one, a row and a column a strategy")
    if not np.isfinite(table).all() or not np.allclose(table, -table.T, rtol=0, atol=SAME):
        raise UsageError("table: it must be finite and antisymmetric, what a gains on b is what b loses to a")
    return table


def copies(matrix: Matrix) -> NDArray[np.int64]:
    """Number the groups of strategies with equal rows, in the order in which they first appear.

    >>> copies(np.array([[0, 0, 1], [0, 0, 1], [-1, -1, 0]])).tolist()
    [0, 0, 1]
    """
    table = np.asarray(matrix, dtype=np.float64)
    group = np.full(len(table), -1, dtype=np.int64)
    for i in range(len(table)):
        if group[i] < 0:
            alike = (np.abs(table - table[i]) <= SAME).all(axis=1) & (group < 0)
            group[alike] = group.max() + 1
    return group


def nash_average(matrix: Matrix) -> NashAverage:
    """Average a pool over its equilibrium.

    Parameters
    ----------
    matrix : ndarray of float, shape (K, K)
        Antisymmetric: what the strategy of the row gains on that of the column, such as the share of games won
        minus 1/2.

    Returns
    -------
    NashAverage
        ``mass`` sums to 1; ``rating`` is in the unit of the table, 0 at best.

    Raises
    ------
    UsageError
        If the table is not square, finite and antisymmetric.

    Examples
    --------
    >>> rock_paper_scissors = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]])
    >>> nash_average(rock_paper_scissors).mass.round(6).tolist()
    [0.333333, 0.333333, 0.333333]
    """
    table = check_antisymmetric(matrix)
    group = copies(table)
    first = np.array([int(np.flatnonzero(group == g)[0]) for g in range(group.max() + 1)])
    mixture = _widest_equilibrium(table[np.ix_(first, first)])
    mass = (mixture / np.bincount(group))[group]
    rating = table[:, first] @ mixture
    return NashAverage(mass, rating, group)


def an_equilibrium(matrix: Matrix) -> Matrix:
    """Return an equilibrium of an antisymmetric table, by a linear programme: a table with noise has only one."""
    scaled = _scaled(matrix)
    size = len(scaled)
    # of the mixture and its worst value v: maximise v, no column gets the mixture below v
    constraints = np.column_stack([-scaled.T, np.ones(size)])
    solved = linprog(
        np.append(np.zeros(size), -1.0),
        A_ub=constraints,
        b_ub=np.zeros(size),
        A_eq=np.append(np.ones(size), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0, 1)] * size + [(None, None)],
        options=_OPTIONS,
    )
    return _mixture(solved.x[:size])


_OPTIONS: Final = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}


def _scaled(matrix: Matrix) -> Matrix:
    largest = float(np.abs(matrix).max())
    return matrix / largest if largest > 0 else matrix


def _mixture(weights: Matrix) -> Matrix:
    positive = np.maximum(weights, 0.0)
    mixture: Matrix = positive / positive.sum()
    return mixture


def _widest_equilibrium(matrix: Matrix) -> Matrix:
    """Return the equilibrium of largest entropy."""
    scaled = _scaled(matrix)
    size = len(scaled)
    vertices = []
    for place in range(size):
        for sign in (1.0, -1.0):  # the least and the greatest mass of this strategy
            aim = np.zeros(size)
            aim[place] = sign
            solved = linprog(
                aim,
                A_ub=-scaled.T,
                b_ub=np.full(size, TOLERANCE),
                A_eq=np.ones((1, size)),
                b_eq=[1.0],
                bounds=(0, 1),
                options=_OPTIONS,
            )
            if solved.x is not None:
                vertices.append(_mixture(solved.x))
    if not vertices:
        return an_equilibrium(matrix)
    corners = np.array(vertices)
    if (np.ptp(corners, axis=0) < UNIQUE).all():
        return an_equilibrium(matrix)
    return _largest_entropy(scaled, corners)


def _largest_entropy(scaled: Matrix, corners: Matrix) -> Matrix:
    """Maximise the entropy among the equilibria; `corners` are some of them, with every mass at its greatest."""
    support = corners.max(axis=0) > UNIQUE
    start = corners.mean(axis=0)[support]
    gains = scaled[support]

    def minus_entropy(mixture: Matrix) -> float:
        inside = np.maximum(mixture, 1e-300)
        return float(inside @ np.log(inside))

    solved = minimize(
        minus_entropy,
        start,
        jac=lambda mixture: np.log(np.maximum(mixture, 1e-300)) + 1.0,
        bounds=[(0, 1)] * len(start),
        constraints=[
            {"type": "eq", "fun": lambda mixture: mixture.sum() - 1.0, "jac": lambda mixture: np.ones(len(mixture))},
            {"type": "ineq", "fun": lambda mixture: mixture @ gains + TOLERANCE, "jac": lambda _: gains.T},
        ],
        method="SLSQP",
        options={"maxiter": 1000, "ftol": 1e-14},
    )
    widest = np.zeros(len(support))
    widest[support] = _mixture(solved.x)
    return widest
