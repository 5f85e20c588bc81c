"""What questions read off moments at which a player could knock, as quantities with their errors."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from gincore.analysis.questions_hands import Where, chosen_rows
from gincore.analysis.questions_quantity import Quantity, by_unit, ratio
from gincore.analysis.risk import count_classes, explained

EDGES: Final[Mapping[str, tuple[int, ...]]] = {
    "deadwood": (3, 6, 8, 10),
    "turn": (6, 10, 14, 18),
    "opp_pickups": (1, 2, 3),
}
"""Lower ends of the classes of each circumstance but the first."""


@dataclass(frozen=True)
class Moments:
    """Moments of a run of knock-or-wait, the deals numbered from 0.

    Attributes
    ----------
    rows : ndarray of ``schema.MOMENT_DTYPE``
    units
        Deals, the independent units.
    """

    rows: NDArray[Any]
    units: int

    @cached_property
    def explained(self) -> dict[str, tuple[float, float, int]]:
        """What each circumstance explains of undercuts: its part of the whole, the error, and the undercuts.

        All legal knocks short of gin count, whether the player would have made them or not.
        """
        rows = self.rows[self.rows["deadwood"] > 0]
        frame = pd.DataFrame({"deal": rows["deal"], "undercut": (rows["points"] < 0).astype(np.int64)})
        for name, edges in EDGES.items():
            frame[name] = np.digitize(rows[name], edges)
        counts = count_classes(frame, {name: len(edges) + 1 for name, edges in EDGES.items()}, "undercut")
        found = explained(counts, 0.95).set_index("factor")
        z = float(stats.norm.ppf(0.975))
        parts = found.loc[list(EDGES), ["of_explained", "of_low", "of_high", "events"]]
        return {
            str(name): (float(part), float(high - low) / 2 / z, int(events))
            for name, (part, low, high, events) in zip(parts.index, parts.to_numpy(), strict=True)
        }


_VALUES: Final[Mapping[str, Callable[[NDArray[Any]], Any]]] = {
    "knock_less_wait": lambda rows: rows["points"].astype(np.int64) - rows["wait"],
    "knock_less_gin": lambda rows: rows["points"].astype(np.int64) - rows["end"],
    "wait_less_gin": lambda rows: rows["wait"].astype(np.int64) - rows["end"],
    "undercut_if_knock": lambda rows: rows["points"] < 0,
}
"""Values of a moment: knocking now less playing on as the player does, or less never knocking short of gin."""


def mean_of_moments(moments: Moments, metric: str, where: Where) -> Quantity:
    """Return the mean of a value over the moments that `where` chooses."""
    chosen = chosen_rows(moments.rows, where)
    rows = moments.rows[chosen]
    units = rows["deal"]
    return ratio(by_unit(units, moments.units, _VALUES[metric](rows)), by_unit(units, moments.units))


def risk_explained(moments: Moments, factor: str) -> Quantity:
    """Return the part of what all circumstances explain of undercuts that one of them explains.

    The error is that of the bootstrap of :func:`gincore.analysis.risk.explained`, here as an influence of two signs.
    """
    part, error, events = moments.explained[factor]
    n = moments.units
    signs = np.where(np.arange(n) % 2 == 0, 1.0, -1.0)
    return Quantity(part, error * math.sqrt(max(n - 1, 1)) * signs, events)
