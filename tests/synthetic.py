"""Made-up hands for tests of analysis and charts: vectors of metrics, no engine."""

from __future__ import annotations

import numpy as np
import pandas as pd

from gincore.runs.tally import Moments
from gincore.schema import GAME_METRICS, METRICS

GIN_BONUS = 25


def hand_vectors(n: int, seed: int, *, edge: float = 0.0, dead: float = 0.05) -> np.ndarray:
    """Metric vectors of n hands that player 0 wins with probability 0.5 + `edge`, as ``schema.METRICS`` orders them."""
    rng = np.random.default_rng(seed)
    is_dead = rng.random(n) < dead
    gin = ~is_dead & (rng.random(n) < 0.1)
    undercut = ~is_dead & ~gin & (rng.random(n) < 0.1)
    first = rng.random(n) < 0.5 + edge
    points = np.where(is_dead, 0, rng.integers(1, 40, n) + GIN_BONUS * (gin | undercut))
    turns = rng.integers(2, 30, n)
    net = np.where(first, points, -points)
    values = {
        "hands": np.ones(n),
        "net": net,
        "net_squared": net**2,
        "points_0": np.maximum(net, 0),
        "points_1": np.maximum(-net, 0),
        "won_0": first & ~is_dead,
        "won_1": ~first & ~is_dead,
        "knock": ~is_dead & ~gin & ~undercut,
        "gin": gin,
        "undercut": undercut,
        "dead": is_dead,
        "nongin_knocks": ~is_dead & ~gin,
        "turns": turns,
        "turns_squared": turns**2,
        "gin_points": np.where(gin, points, 0),
    }
    return np.stack([np.asarray(values.get(name, np.zeros(n)), dtype=np.int64) for name in METRICS], axis=1)


def moments(vectors: np.ndarray, per_unit: int, names: tuple[str, ...] = METRICS) -> Moments:
    """Sums over units of consecutive rows."""
    units = vectors.reshape(-1, per_unit, vectors.shape[1]).sum(axis=1)
    return Moments(names, len(units), per_unit, units.sum(axis=0), units.T @ units)


def game_vectors(n: int, seed: int, *, edge: float = 0.0) -> np.ndarray:
    """Metric vectors of n games of ten hands each."""
    hands = hand_vectors(10 * n, seed).reshape(n, 10, -1).sum(axis=1)
    won = np.random.default_rng(seed).random(n) < 0.5 + edge
    game = {name: np.ones(n) for name in ("games", "legs", "matches")}
    game |= {"game_won_0": won, "game_won_1": ~won, "margin": np.where(won, 150, -150)}
    extra = [np.asarray(game.get(name, np.zeros(n)), dtype=np.int64) for name in GAME_METRICS]
    return np.concatenate([hands, np.stack(extra, axis=1)], axis=1)


def column(vectors: np.ndarray, name: str) -> np.ndarray:
    """One metric of every row."""
    return vectors[:, (METRICS + GAME_METRICS).index(name)]


def sweep(metric: str, estimates: list[float], *, half: float = 0.5, opponent: str = "simple") -> pd.DataFrame:
    """Tidy frame of one metric by limit 0, 1, ..."""
    values = np.array(estimates, dtype=float)
    return pd.DataFrame(
        {
            "opponent": opponent,
            "limit": np.arange(len(values)),
            "metric": metric,
            "estimate": values,
            "low": values - half,
            "high": values + half,
            "n": 100,
            "unit": "pair of deals",
            "level": 0.95,
        }
    )
