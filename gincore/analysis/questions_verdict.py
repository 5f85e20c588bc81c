"""From estimates to a verdict: what is surely above, below or within the smallest effect that matters.

Every tested row has an interval corrected by Holm's step-down rule over all tested rows of a question: rows that are
concluded at the level for m rows leave, the others are looked at again at the level for those that are left. A row is

* *supported* if its interval lies on the claim's side of the value compared with,
* *contradicted* if it lies on the other side and reaches beyond the smallest effect that matters,
* *none* if all of it lies within that smallest effect (a difference no larger than it),
* *open* otherwise: there are too few hands.

Because opposite verdicts need intervals on opposite sides of the same value, two seeds can give them only with the
square of half the error rate, however many rows there are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from scipy import stats

from gincore.analysis.cells import mean_bounds, share_bounds
from gincore.errors import UsageError

KINDS: Final = ("supported", "contradicted", "none", "depends", "undecidable", "open")
"""What a verdict can be; ``none``: no difference larger than the smallest that matters, ``open``: too few hands."""

EXPECTED: Final = ("above", "below", "differs", "within")
"""What a claim can say of an effect."""

LEAST_UNITS: Final = 30
"""Units without which nothing is concluded."""

LEAST_WEIGHT: Final = 12
"""Units that must carry the spread of a mean: one of which few units tell nearly all has no honest interval."""

MANY_UNITS: Final = 1_000
"""Units from which on a mean that hardly any unit moves is taken to be small."""

RESTS: Final = ("estimate", "width", "count", "border", "none")
"""On what a number of needed units rests: on the estimate being right; on the interval's width, to be no wider than the
smallest effect; on the least units that are trusted. ``border``: no number, the estimate lies on a border; ``none``: no
number, there is no interval."""

LEAST_GROWTH: Final = 1.2
"""By how much more must be played at the least for a conclusion."""

CHANCE: Final = 0.8
"""Chance that as many units as are needed lead to a conclusion, if what the number rests on holds."""

Words = tuple[str, str]
"""The same text in English and in French."""


@dataclass(frozen=True)
class Row:
    """One estimate of a question.

    Attributes
    ----------
    group
        Strategies (or rules) that it is about.
    label
        What is estimated.
    estimate, error, n
        The estimate, its standard error, and the independent units that count.
    played
        Units that were played for it.
    share
        Whether it is a share, whose interval is Wilson's.
    unit
        Unit of the numbers, a key of ``questions.entry.UNITS``.
    noun
        What an independent unit is: ``deal``, ``pair of deals``, ``game``, ``pair of games``.
    weight
        About how many units carry the spread (see ``Quantity.weight``).
    test
        Whether the verdict rests on it; other rows are there to be read.
    expect
        What the claim says of it, one of :data:`EXPECTED`.
    than, smallest
        Value that it is compared with, and the smallest effect that matters.
    asked
        Deals to be asked for, for each unit that is played (see ``questions.play.Arm.asked``).
    low, high, outcome, needed, rests
        Filled by :func:`settle`: interval, conclusion, and about how many units would have to be played for one, with
        what that number rests on, one of :data:`RESTS` (empty where there is a conclusion).
    """

    group: Words
    label: Words
    estimate: float
    error: float
    n: int
    played: int
    share: bool
    unit: str
    noun: str
    weight: float = math.inf
    test: bool = True
    expect: str = "above"
    than: float = 0.0
    smallest: float = 0.0
    asked: float = 1.0
    low: float = math.nan
    high: float = math.nan
    outcome: str = ""
    needed: int = 0
    rests: str = ""


@dataclass(frozen=True)
class Verdict:
    """What a question comes to.

    Attributes
    ----------
    kind
        One of :data:`KINDS`.
    groups
        The conclusion of each group.
    rows
        All rows with their intervals.
    needed
        Units that would have to be played for a conclusion about all, 0 where there is one.
    level
        Joint coverage of the intervals.
    """

    kind: str
    groups: dict[Words, str]
    rows: tuple[Row, ...]
    needed: int
    level: float

    @property
    def agree(self) -> bool:
        """Whether all groups come to the same conclusion."""
        return len(set(self.groups.values())) == 1


def interval(row: Row, level: float) -> tuple[float, float]:
    """Return the interval of a row at a level; NaN twice where there is none."""
    if row.n < 2 or not math.isfinite(row.estimate) or not math.isfinite(row.error):
        return math.nan, math.nan
    if row.unit == "games" and row.estimate > 0:  # a ratio over a squared edge: its logarithm is nearly normal
        half = float(
            mean_bounds(np.zeros(1), np.array([row.error / row.estimate]), np.array([float(row.n)]), level)[1][0]
        )
        return row.estimate * math.exp(-half), row.estimate * math.exp(min(half, 700))
    bounds = share_bounds if row.share and 0 <= row.estimate <= 1 else mean_bounds
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = bounds(np.array([row.estimate]), np.array([row.error]), np.array([float(row.n)]), level)
    return float(low[0]), float(high[0])


def conclude(row: Row, low: float, high: float) -> str:
    """Return the conclusion of a row from its interval."""
    if row.expect not in EXPECTED:
        raise UsageError(f"expect {row.expect!r}: allowed are {', '.join(EXPECTED)}")
    if row.n < LEAST_UNITS or math.isnan(low):
        return "open"
    sign = -1 if row.expect == "below" else 1
    ends = sorted((sign * (low - row.than), sign * (high - row.than)))
    small = row.smallest
    within = -small < ends[0] and ends[1] < small
    if not row.share and row.weight < LEAST_WEIGHT and not (within and row.n >= MANY_UNITS):
        return "open"
    if row.expect == "within":
        beyond = ends[0] > small or ends[1] < -small
        return "supported" if within else "contradicted" if beyond else "open"
    if within:
        return "none"
    if row.expect == "differs":
        return "supported" if ends[0] > 0 or ends[1] < 0 else "open"
    return "supported" if ends[0] > 0 else "contradicted" if ends[1] < 0 else "open"


def settle(rows: Sequence[Row], level: float) -> tuple[Row, ...]:
    """Fill interval, conclusion and needed units of every row.

    Tested rows have intervals by Holm's rule over all of them; the others have single intervals at the same level.
    """
    settled = [_single(row, level) for row in rows]
    left = [place for place, row in enumerate(rows) if row.test]
    while left:
        strict = 1 - (1 - level) / len(left)
        found = []
        for place in left:
            low, high = interval(rows[place], strict)
            outcome = conclude(rows[place], low, high)
            settled[place] = replace(rows[place], low=low, high=high, outcome=outcome)
            if outcome != "open":
                found.append(place)
        if not found:
            break
        left = [place for place in left if place not in found]
    return tuple(_projected(row) if row.outcome == "open" else row for row in settled)


def _single(row: Row, level: float) -> Row:
    low, high = interval(row, level)
    return replace(row, low=low, high=high)


def _projected(row: Row) -> Row:
    units, rests = needed(row)
    return replace(row, needed=units, rests=rests)


def needed(row: Row) -> tuple[int, str]:
    """Project how many units would have to be played until an open row is concluded, and say on what that rests.

    Where the estimate is farther from a border of another conclusion than its own error, it is taken to be right, and
    the interval must become shorter than that way. An estimate within its error of every border gives no clue; then the
    interval must become as narrow as the smallest effect that matters, at which any difference is seen or ruled out.
    Both leave room for the next estimate to fall elsewhere (:data:`CHANCE`).

    Returns
    -------
    tuple of int and str
        Units, rounded up to two figures, and one of :data:`RESTS`; 0 units where none can be named.
    """
    least = _least(row)
    half = _half(row)
    if row.n < LEAST_UNITS or math.isnan(half) or not row.smallest > 0:
        return (_rounded(row.played * least), "count") if least > 1 else (0, "none")
    reach = half + float(stats.norm.ppf((1 + CHANCE) / 2)) * row.error
    trusted = row.share or row.weight >= LEAST_WEIGHT
    effect = abs(row.estimate - row.than)
    ways = [abs(row.smallest - effect)] if row.expect == "within" else [effect, row.smallest - effect]
    clue = trusted and max(ways) > row.error
    growth = (reach / (max(ways) if clue else row.smallest)) ** 2
    if trusted and not clue and growth <= 1:  # as narrow as that already, and still on the border
        return 0, "border"
    if least > growth:
        return _rounded(row.played * least), "count"
    return _rounded(row.played * max(growth, LEAST_GROWTH)), "estimate" if clue else "width"


def _half(row: Row) -> float:
    """Return half the length of the interval; of a ratio (see :func:`interval`) near the estimate."""
    if row.unit == "games" and row.estimate > 0 and row.low > 0:
        return row.estimate * math.log(row.high / row.low) / 2
    return (row.high - row.low) / 2


def _least(row: Row) -> float:
    """Return by how much more must be played before anything is concluded, 1 if there is enough."""
    counted = LEAST_UNITS / max(row.n, 1)
    if row.share or row.weight >= LEAST_WEIGHT:
        return max(counted, 1.0)
    return max(counted, min(LEAST_WEIGHT / max(row.weight, 1.0), MANY_UNITS / max(row.n, 1)), 1.0)


def _rounded(number: float) -> int:
    """Round up to two figures."""
    scale: int = 10 ** max(int(math.log10(max(number, 1))) - 1, 0)
    return math.ceil(number / scale) * scale


def of_group(outcomes: Sequence[str]) -> str:
    """Join the conclusions about one group: a claim of several parts holds if all do."""
    for kind in ("contradicted", "open", "none"):
        if kind in outcomes:
            return kind
    return "supported"


def judge(rows: Sequence[Row], level: float = 0.99, undecidable: bool = False) -> Verdict:
    """Give the verdict of a question.

    Parameters
    ----------
    rows
        Its estimates, tested ones among them.
    level
        Joint coverage of the intervals of tested rows.
    undecidable
        The simulation cannot decide the claim, whatever it counts.

    Returns
    -------
    Verdict
        ``depends`` if groups come to different conclusions. Groups that are open leave the verdict to the others only
        if those are more than half and agree; it is open otherwise.
    """
    settled = settle(rows, level)
    names = list(dict.fromkeys(row.group for row in settled if row.test))
    groups = {name: of_group([row.outcome for row in settled if row.test and row.group == name]) for name in names}
    most = max((row.needed for row in settled if row.outcome == "open"), default=0)
    if undecidable:
        return Verdict("undecidable", groups, settled, 0, level)
    decided = {kind for kind in groups.values() if kind != "open"}
    waiting = sum(kind == "open" for kind in groups.values())
    if len(decided) > 1:
        kind = "depends"
    elif len(decided) == 1 and 2 * waiting < len(groups):
        kind = decided.pop()
    else:
        kind = "open"
    return Verdict(kind, groups, settled, most, level)
