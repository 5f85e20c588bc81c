"""Sentences of the knock-threshold report, made from its numbers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import pandas as pd

from gincore.analysis.knock import MEASURES, Verdict, against_reference, opposed
from gincore.report.page import interval_text, number

WORDS: Final = {"net_points_per_hand": "points a hand", "won_0_share": "hands won", "game_won_0_share": "games won"}
"""The measures in words."""

MINUS: Final = "\u2212"
"""The true minus sign of sentences and charts; tables have the hyphen, which a spreadsheet reads."""

_TITLE_ROOM: Final = 16
"""Characters for limits in a chart's title."""


def limits_text(limits: Sequence[int]) -> str:
    """Write ascending limits, three or more in a row as a range.

    >>> limits_text([0, 2, 8, 9, 10])
    '0, 2 and 8 to 10'
    """
    parts: list[str] = []
    start = 0
    while start < len(limits):
        end = start
        while end + 1 < len(limits) and limits[end + 1] == limits[end] + 1:
            end += 1
        if end - start < 2:
            end = start
        parts.append(str(limits[start]) if end == start else f"{limits[start]} to {limits[end]}")
        start = end + 1
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def value_text(measure: str, estimate: float, low: float, high: float, *, difference: bool = False) -> str:
    """Write an estimate with its interval and unit; shares in per cent."""
    if measure == "net_points_per_hand":
        text = f"{number(estimate, 2, signed=True)} {interval_text(low, high, 2, signed=True)}"
        return text.replace("-", MINUS)
    percent = [100 * x for x in (estimate, low, high)]
    text = number(percent[0], 2, signed=difference)
    unit = "percentage points" if difference else "%"
    return f"{text} {unit} {interval_text(percent[1], percent[2], 2, signed=difference)}".replace("-", MINUS)


def clause(verdict: Verdict) -> str:
    """Say what one measure allows to say."""
    measure = WORDS[verdict.measure]
    if verdict.open:
        return f"in {measure} no limit stands out"
    value = value_text(verdict.measure, verdict.estimate, verdict.low, verdict.high)
    if verdict.stands_out:
        return f"in {measure} limit {verdict.best} stands out, {value}"
    return (
        f"in {measure} limits {limits_text(verdict.among_best)} lead, "
        f"none told apart from the highest estimate, limit {verdict.best}, {value}"
    )


def short_title(verdict: Verdict) -> str:
    """Say the same in a chart's title."""
    measure = WORDS[verdict.measure].capitalize()
    if verdict.open:
        return f"{measure}: no limit stands out"
    if verdict.stands_out:
        return f"{measure}: limit {verdict.best} stands out"
    among = limits_text(verdict.among_best)
    return f"{measure}: limits {among} lead" if len(among) <= _TITLE_ROOM else f"{measure}: several limits lead"


def finding(verdicts: dict[str, Verdict], comparisons: pd.DataFrame, label: str, level: float) -> list[str]:
    """Write the finding: a headline on points, hands and games, whether they agree, the two ends, and the numbers.

    Parameters
    ----------
    verdicts
        One for each of :data:`gincore.analysis.knock.MEASURES`.
    comparisons
        Frame of :func:`gincore.analysis.knock.compare_limits`.
    label
        Name of the rules.
    level
        Level of intervals and comparisons.

    Returns
    -------
    list of str
        Paragraphs, the headline first.
    """
    of = [verdicts[name] for name in MEASURES]
    if all(verdict.open for verdict in of):
        headline = "no limit stands out: not in points a hand, not in hands won, not in games won"
    else:
        headline = "; ".join(clause(verdict) for verdict in of)
    points, _, games = of
    numbers = (
        f"{points.n:,} {plural(points.unit, points.n)} and {games.n:,} {plural(games.unit, games.n)} for each limit; "
        f"{len(comparisons):,} comparisons of two limits, corrected by Holm's method at {100 * level:.4g} %."
    )
    noise = [f"Limits are not told apart where their difference is within the noise of so many hands: {numbers}"]
    return [f"Under {label} rules against simple, {headline}.", *_agreement(of), *_ends(comparisons, of, level), *noise]


def plural(unit: str, n: int) -> str:
    """Write a unit's plural.

    >>> plural("pair of deals", 2), plural("deal", 1)
    ('pairs of deals', 'deal')
    """
    if n == 1:
        return unit
    return unit.replace("pair", "pairs", 1) if unit.startswith("pair") else f"{unit}s"


def _agreement(verdicts: Sequence[Verdict]) -> list[str]:
    against = [f"{WORDS[a.measure]} and {WORDS[b.measure]}" for a, b in combinations(verdicts, 2) if opposed(a, b)]
    if against:
        return [f"The measures contradict each other: no limit is among the best both in {', nor in '.join(against)}."]
    common = set.intersection(*(set(verdict.among_best) for verdict in verdicts))
    if not common or all(verdict.open for verdict in verdicts):
        return []
    noun = "Limit" if len(common) == 1 else "Limits"
    verb = "is" if len(common) == 1 else "are"
    return [f"{noun} {limits_text(sorted(common))} {verb} among the best in points, hands and games alike."]


def _ends(comparisons: pd.DataFrame, verdicts: Sequence[Verdict], level: float) -> list[str]:
    """Compare gin only with the highest limit in all three measures."""
    lowest, highest = verdicts[0].limits[0], verdicts[0].limits[-1]
    differences = against_reference(comparisons, highest).to_dict("records")
    rows = {row["measure"]: row for row in differences if row["limit"] == lowest}
    parts, signs = [], set()
    for verdict in verdicts:
        row = rows[verdict.measure]
        told = bool(row["p_holm"] < 1 - level)
        if told:
            signs.add(row["difference"] > 0)
        text = value_text(verdict.measure, row["difference"], row["low"], row["high"], difference=True)
        parts.append(f"{WORDS[verdict.measure]} {text}{'' if told else ' (not told apart)'}")
    turn = " Here the measures point in opposite directions." if len(signs) == 2 else ""
    gin_only = " (gin only)" if lowest == 0 else ""
    return [f"Limit {lowest}{gin_only} compared with limit {highest}: {'; '.join(parts)}.{turn}"]
