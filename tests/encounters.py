"""Made-up encounters for tests of contests: units of two games with the values of ``contest.VALUES``, no engine."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gincore.analysis.contest import ContestSums
from gincore.runs.tally import Moments

Values = dict[str, np.ndarray]


def encounter(share: float, n: int, rng: np.random.Generator, luck: np.ndarray | None = None) -> Values:
    """Units in which a wins each game with this probability; games of one unit share `luck`, normal and of mean 0."""
    shift = np.zeros(n) if luck is None else luck
    games = rng.random((n, 2)) < np.clip(share + shift, 0, 1)[:, None]
    hands = rng.integers(8, 16, (n, 2))
    won = rng.binomial(hands, 0.25 + 0.5 * share)
    dead = rng.binomial(hands - won, 0.05)
    net = rng.normal(10 * (share - 0.5), 8, (n, 2)).round().astype(np.int64) * hands
    return {
        "score": 2 * games.sum(axis=1).astype(np.int64),
        "won": won.sum(axis=1).astype(np.int64),
        "decided": (hands - dead).sum(axis=1).astype(np.int64),
        "net": net.sum(axis=1),
        "hands": hands.sum(axis=1).astype(np.int64),
    }


def sums(encounters: Sequence[Values]) -> Moments:
    """Sums over the units of several encounters."""
    total = ContestSums(len(encounters))
    total.add(encounters)
    return total.moments()


def table(shares: Sequence[float], n: int, seed: int, spread: float = 0.0) -> Moments:
    """Sums of encounters with these shares of games, whose units share their luck."""
    rng = np.random.default_rng(seed)
    luck = spread * rng.normal(size=n)
    return sums([encounter(share, n, rng, luck) for share in shares])


def same(values: Values, rows: Sequence[int]) -> Values:
    """The units of these numbers."""
    return {name: column[list(rows)] for name, column in values.items()}
