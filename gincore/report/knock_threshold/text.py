"""Sentences of the knock-threshold report, made from its numbers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import pandas as pd

from gincore.analysis.knock import MEASURES, Verdict, against_reference, opposed
from gincore.language import Language
from gincore.report.page import interval_text, number

WORDS: Final = {"net_points_per_hand": "points a hand", "won_0_share": "hands won", "game_won_0_share": "games won"}
"""The measures in words."""

MOTS: Final = {
    "net_points_per_hand": "points par manche",
    "won_0_share": "manches gagnées",
    "game_won_0_share": "parties gagnées",
}
"""The same in French."""

ENGLISH: Final = Language("en")


def words_of(measure: str, tr: Language) -> str:
    """Return a measure in words."""
    return tr(WORDS[measure], MOTS[measure])


MINUS: Final = "\u2212"
"""The true minus sign of sentences and charts; tables have the hyphen, which a spreadsheet reads."""

_TITLE_ROOM: Final = 16
"""Characters for limits in a chart's title."""


def limits_text(limits: Sequence[int], tr: Language = ENGLISH) -> str:
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
        parts.append(str(limits[start]) if end == start else f"{limits[start]} {tr('to', 'à')} {limits[end]}")
        start = end + 1
    return tr.joined(parts)


def value_text(
    measure: str, estimate: float, low: float, high: float, *, difference: bool = False, tr: Language = ENGLISH
) -> str:
    """Write an estimate with its interval and unit; shares in per cent."""
    if tr.code == "fr":
        scale = 1 if measure == "net_points_per_hand" else 100
        signed = difference or scale == 1
        unit = "" if scale == 1 else "points de pourcentage " if difference else "%\u00a0"
        value = tr.number(scale * estimate, 2, signed=signed)
        return f"{value}\u00a0{unit}{tr.interval(low, high, 2, scale=scale, signed=signed)}"
    if measure == "net_points_per_hand":
        text = f"{number(estimate, 2, signed=True)} {interval_text(low, high, 2, signed=True)}"
        return text.replace("-", MINUS)
    percent = [100 * x for x in (estimate, low, high)]
    text = number(percent[0], 2, signed=difference)
    unit = "percentage points" if difference else "%"
    return f"{text} {unit} {interval_text(percent[1], percent[2], 2, signed=difference)}".replace("-", MINUS)


def clause(verdict: Verdict, tr: Language = ENGLISH) -> str:
    """Say what one measure allows to say."""
    measure = words_of(verdict.measure, tr)
    if verdict.open:
        return tr(f"in {measure} no limit stands out", f"en {measure}, aucune limite ne se détache")
    value = value_text(verdict.measure, verdict.estimate, verdict.low, verdict.high, tr=tr)
    if verdict.stands_out:
        return tr(
            f"in {measure} limit {verdict.best} stands out, {value}",
            f"en {measure}, la limite {verdict.best} se détache, {value}",
        )
    return tr(
        f"in {measure} limits {limits_text(verdict.among_best)} lead, "
        f"none told apart from the highest estimate, limit {verdict.best}, {value}",
        f"en {measure}, les limites {limits_text(verdict.among_best, tr)} mènent, aucune n'étant distinguée de la plus "
        f"haute estimation, limite {verdict.best}, {value}",
    )


def short_title(verdict: Verdict, tr: Language = ENGLISH) -> str:
    """Say the same in a chart's title."""
    measure = words_of(verdict.measure, tr).capitalize()
    if verdict.open:
        return tr(f"{measure}: no limit stands out", f"{measure} : aucune limite ne se détache")
    if verdict.stands_out:
        return tr(f"{measure}: limit {verdict.best} stands out", f"{measure} : la limite {verdict.best} se détache")
    among = limits_text(verdict.among_best, tr)
    if len(among) <= _TITLE_ROOM:
        return tr(f"{measure}: limits {among} lead", f"{measure} : {among} mènent")
    return tr(f"{measure}: several limits lead", f"{measure} : plusieurs limites mènent")


def finding(
    verdicts: dict[str, Verdict], comparisons: pd.DataFrame, label: str, level: float, tr: Language = ENGLISH
) -> list[str]:
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
    tr
        Language.

    Returns
    -------
    list of str
        Paragraphs, the headline first.
    """
    of = [verdicts[name] for name in MEASURES]
    if all(verdict.open for verdict in of):
        headline = tr(
            "no limit stands out: not in points a hand, not in hands won, not in games won",
            "aucune limite ne se détache : ni en points par manche, ni en manches gagnées, ni en parties gagnées",
        )
    else:
        headline = tr("; ", " ; ").join(clause(verdict, tr) for verdict in of)
    points, _, games = of
    shown = f"{100 * level:.4g}"
    tests = f"{tr.count(len(comparisons))}"
    noise = tr(
        "Limits are not told apart where their difference is within the noise of so many hands: "
        f"{counted(points.n, points.unit, tr)} and {counted(games.n, games.unit, tr)} for each limit; "
        f"{tests} comparisons of two limits, corrected by Holm's method at {shown} %.",
        "Des limites ne sont pas distinguées quand leur différence reste dans le bruit d'autant de manches : "
        f"{counted(points.n, points.unit, tr)} et {counted(games.n, games.unit, tr)} par limite ; {tests} comparaisons "
        f"de deux limites, corrigées par la méthode de Holm à {shown.replace('.', ',')} %.",
    )
    first = tr(
        f"Under {label} rules against simple, {headline}.", f"Sous les règles {label}, contre simple, {headline}."
    )
    return [first, *_agreement(of, tr), *_ends(comparisons, of, level, tr), noise]


UNITS: Final = {
    "deal": ("donne", "donnes"),
    "game": ("partie", "parties"),
    "pair of deals": ("paire de donnes", "paires de donnes"),
    "pair of games": ("paire de parties", "paires de parties"),
}
"""Units in French, one and many."""


def counted(n: int, unit: str, tr: Language = ENGLISH) -> str:
    """Write how many units there are.

    >>> counted(1200, "pair of deals"), counted(1, "deal", Language("fr"))
    ('1,200 pairs of deals', '1 donne')
    """
    return f"{tr.count(n)} {tr(plural(unit, n), UNITS[unit][n != 1])}"


def plural(unit: str, n: int) -> str:
    """Write a unit's plural.

    >>> plural("pair of deals", 2), plural("deal", 1)
    ('pairs of deals', 'deal')
    """
    if n == 1:
        return unit
    return unit.replace("pair", "pairs", 1) if unit.startswith("pair") else f"{unit}s"


def _agreement(verdicts: Sequence[Verdict], tr: Language) -> list[str]:
    against = [
        f"{words_of(a.measure, tr)} {tr('and', 'et')} {words_of(b.measure, tr)}"
        for a, b in combinations(verdicts, 2)
        if opposed(a, b)
    ]
    if against:
        return [
            tr(
                f"The measures contradict each other: no limit is among the best both in {', nor in '.join(against)}.",
                "Les mesures se contredisent : aucune limite n'est parmi les meilleures à la fois en "
                f"{', ni en '.join(against)}.",
            )
        ]
    common = set.intersection(*(set(verdict.among_best) for verdict in verdicts))
    if not common or all(verdict.open for verdict in verdicts):
        return []
    noun = "Limit" if len(common) == 1 else "Limits"
    verb = "is" if len(common) == 1 else "are"
    best = limits_text(sorted(common), tr)
    french = (
        f"La limite {best} est parmi les meilleures"
        if len(common) == 1
        else f"Les limites {best} sont parmi les meilleures"
    )
    return [
        tr(
            f"{noun} {best} {verb} among the best in points, hands and games alike.",
            f"{french} en points, en manches et en parties.",
        )
    ]


def _ends(comparisons: pd.DataFrame, verdicts: Sequence[Verdict], level: float, tr: Language) -> list[str]:
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
        text = value_text(verdict.measure, row["difference"], row["low"], row["high"], difference=True, tr=tr)
        apart = "" if told else tr(" (not told apart)", " (non distingué)")
        parts.append(f"{words_of(verdict.measure, tr)} {text}{apart}")
    turn = gin_only = ""
    if len(signs) == 2:
        turn = tr(" Here the measures point in opposite directions.", " Ici les mesures vont en sens contraires.")
    if lowest == 0:
        gin_only = tr(" (gin only)", " (le gin seul)")
    return [
        tr(
            f"Limit {lowest}{gin_only} compared with limit {highest}: {'; '.join(parts)}.{turn}",
            f"Limite {lowest}{gin_only} comparée à la limite {highest} : {' ; '.join(parts)}.{turn}",
        )
    ]
