"""Sentences of an arena's page, made from its numbers."""

from __future__ import annotations

from typing import Final

import pandas as pd

from gincore.analysis.contest import MEASURES, POINTS, Measure
from gincore.contests.round_robin import Arena
from gincore.contests.show import copies_of, cycles_text, disagreement_lines, value_text
from gincore.language import Language
from gincore.report.page import number

MINUS: Final = "\u2212"
"""The true minus sign of sentences and charts; tables have the hyphen, which a spreadsheet reads."""

ENGLISH: Final = Language("en")

TITLE_NAMES: Final = 3
"""Names in a chart's title, at most."""

LEAST_MASS: Final = 0.005
"""Masses below are not named in a sentence."""


def leaders(ranking: pd.DataFrame) -> list[str]:
    """Return who may be the best of a ranking: nobody is told to be ahead of them."""
    return list(ranking.loc[ranking["rank_low"] == 1, "strategy"])


def beats_all(frame: pd.DataFrame, measure: Measure, name: str, alpha: float) -> bool:
    """Return whether a strategy is told apart from, and ahead of, every other."""
    rows = frame[(frame["metric"] == measure.name) & ((frame["a"] == name) | (frame["b"] == name))]
    ahead = (rows["estimate"] > float(measure.even)) == (rows["a"] == name)
    return bool((ahead & (rows["p_holm"] < alpha)).all())


def short_title(arena: Arena, measure: Measure) -> str:
    """Say what a measure found in a chart's title."""
    words = measure.words.capitalize()
    first = leaders(arena.ranking(measure.name))
    if len(first) == len(arena.names):
        return f"{words}: no strategy stands out"
    if len(first) == 1:
        if beats_all(arena.frame, measure, first[0], 1 - arena.level):
            return f"{words}: {first[0]} beats every other"
        return f"{words}: {first[0]} leads, but does not beat every other"
    return f"{words}: {ENGLISH.names(first) if len(first) <= TITLE_NAMES else f'{len(first)} strategies'} lead"


def standing_title(arena: Arena) -> str:
    """Say in a chart's title who leads in games and in hands."""
    games, hands = (leaders(arena.ranking(measure.name)) for measure in MEASURES[:2])
    if len(games) == len(arena.names) == len(hands):
        return "Nobody stands out in games or in hands"
    named = [ENGLISH.names(each) if len(each) <= TITLE_NAMES else f"{len(each)} strategies" for each in (games, hands)]
    verbs = ["leads" if len(each) == 1 else "lead" for each in (games, hands)]
    if games == hands:
        return f"{named[0]} {verbs[0]} in games and in hands"
    return f"{named[0]} {verbs[0]} in games, {named[1]} in hands"


def clause(arena: Arena, measure: Measure) -> str:
    """Say who leads in a measure, with the estimate."""
    ranking = arena.ranking(measure.name)
    first = leaders(ranking)
    where = f"in {measure.words}"
    if len(first) == len(arena.names):
        return f"{where} no strategy stands out"
    row = ranking.iloc[0]
    unit = " %" if measure is not POINTS else ""
    value = value_text(measure, row["estimate"], row["low"], row["high"]).replace(" [", f"{unit} [", 1)
    value = value.replace("-", MINUS)
    if len(first) == 1:
        return f"{where} {first[0]} leads, {value} against the pool"
    rest = f"highest estimate {row['strategy']}, {value} against the pool"
    return f"{where} {ENGLISH.names(first)} lead and cannot be told apart ({rest})"


def nash_sentence(nash: pd.DataFrame) -> str:
    """Say of what the equilibrium is made."""
    shown = nash[nash["mass"] > LEAST_MASS].sort_values("mass", ascending=False, kind="stable")
    parts = [
        f"{name} {number(100 * mass, 1)} % [{number(100 * low, 1)}, {number(100 * high, 1)}]"
        for name, mass, low, high in shown[["strategy", "mass", "mass_low", "mass_high"]].itertuples(index=False)
    ]
    if len(parts) == 1:
        return f"Nash average of games won: the mixture that nothing beats is {parts[0]}."
    return f"Nash average of games won: the mixture that nothing beats is made of {ENGLISH.joined(parts)}."


def finding(arena: Arena) -> list[str]:
    """Write the finding: who leads, where the measures disagree, Nash average, copies, cycles, and the numbers."""
    frame = arena.frame
    headline = "; ".join(clause(arena, measure) for measure in MEASURES)
    opposed = [f"The measures disagree. {line}." for line in disagreement_lines(arena.disagreements())[:1]]
    more = len(arena.disagreements()) - 1
    if more > 0:
        opposed[0] += f" So it is in {more} more {'pair' if more == 1 else 'pairs'}."
    same = [
        f"{ENGLISH.names(group)} play the same: copies, which the Nash average counts once."
        for group in copies_of(arena.nash())
    ]
    cycles = cycles_text(arena.cycles())
    numbers = (
        f"{frame['n'].iloc[0]:,} pairs of games for each two of {len(arena.names)} strategies; {len(frame):,} "
        f"comparisons, corrected by Holm's method at {100 * arena.level:.4g} %."
    )
    return [
        f"Under {arena.setup.rules.label} rules, {headline}.",
        *opposed,
        nash_sentence(arena.nash()),
        *same,
        f"{cycles[0].upper()}{cycles[1:]}.",
        numbers,
    ]
