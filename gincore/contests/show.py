"""Contests as tables of text: for the terminal, and for notebooks as HTML."""

from __future__ import annotations

import html
import math
from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from gincore.analysis.contest import MEASURES, Measure
from gincore.analysis.swaps import DECISIONS

if TYPE_CHECKING:
    import pandas as pd

    from gincore.analysis.cycles import Cycles
    from gincore.contests.round_robin import Arena
    from gincore.contests.split import Explanation

Table = tuple[Sequence[str], Sequence[Sequence[object]]]

SPLITS: Final = (
    ("swap_into_b", "b", "b takes a's, against b"),
    ("swap_out_of_a", "a", "a keeps its own, against a"),
    ("shapley", "both", "Shapley"),
)
"""What is shown of an explanation: split, opponent, and the head of its column."""

SHOWN: Final = 5
"""Pairs of which the measures disagree that are named, at most."""


def value_text(measure: Measure, estimate: float, low: float, high: float, *, difference: bool = False) -> str:
    """Write an estimate with its interval: shares in per cent, points as they are.

    >>> value_text(MEASURES[0], 0.5, 0.45, 0.55)
    '50.00 [45.00, 55.00]'
    """
    scale = 100 if measure.is_share else 1
    sign = "+" if difference or not measure.is_share else ""
    if math.isnan(estimate):
        return "n/a"
    value, *bounds = (f"{round(scale * each, 2) + 0.0:{sign}.2f}" for each in (estimate, low, high))
    return f"{value} [no interval]" if math.isnan(low) else f"{value} [{bounds[0]}, {bounds[1]}]"


def head(measure: Measure) -> str:
    """Return a column's head with its unit.

    >>> [head(measure) for measure in MEASURES]
    ['games won, %', 'hands won, %', 'points a hand']
    """
    return f"{measure.words}, %" if measure.is_share else measure.words


def arena_tables(arena: Arena) -> Iterator[Table | str]:
    """Yield what is shown of an arena: tables, and lines of text."""
    yield _pairs(arena)
    yield f"* told apart from even after Holm's correction over {len(arena.frame)} comparisons"
    yield _rankings(arena)
    yield from _notes(arena)


def _pairs(arena: Arena) -> Table:
    rows = []
    for (a, b), group in arena.frame.groupby(["a", "b"], sort=False):
        cells = []
        for measure, row in zip(MEASURES, group.to_dict("records"), strict=True):
            mark = " *" if row["p_holm"] < 1 - arena.level else ""
            cells.append(value_text(measure, row["estimate"], row["low"], row["high"]) + mark)
        rows.append([a, b, *cells])
    return ("a", "b", *(f"{head(measure)} (a)" for measure in MEASURES)), rows


def _rankings(arena: Arena) -> Table:
    """Show the ranking by games, with hands and points beside it, and the Nash average."""
    ranked = [by_strategy(arena.ranking(measure.name)) for measure in MEASURES]
    nash = by_strategy(arena.nash())
    rows = []
    for name, row in ranked[0].items():
        cells = [
            value_text(measure, *(rank[name][key] for key in ("estimate", "low", "high")))
            for measure, rank in zip(MEASURES, ranked, strict=True)
        ]
        mass, rating = (
            value_text(MEASURES[0], *(nash[name][key] for key in (kind, f"{kind}_low", f"{kind}_high")))
            for kind in ("mass", "rating")
        )
        rows.append([rank_text(row), name, *cells, mass, rating])
    heads = (head(measure) for measure in MEASURES)
    return ("rank", "strategy", *heads, "Nash mass, %", "against the Nash mixture, %"), rows


def by_strategy(frame: pd.DataFrame) -> dict[str, dict[Hashable, Any]]:
    """Return the rows of a frame by the name in their column ``strategy``, in their order."""
    return {str(row["strategy"]): row for row in frame.to_dict("records")}


def rank_text(row: Any) -> str:
    """Write a rank, with the ranks that are possible where there are several.

    >>> rank_text({"rank": 2, "rank_low": 1, "rank_high": 3})
    '2 (1 to 3)'
    """
    low, high = row["rank_low"], row["rank_high"]
    return f"{row['rank']}" if low == high else f"{row['rank']} ({low} to {high})"


def _notes(arena: Arena) -> Iterator[str]:
    frame = arena.frame
    percent = f"{100 * arena.level:.4g} %"
    lines = [f"[low, high]: {percent} interval over {frame['n'].iloc[0]:,} pairs of games for each two strategies"]
    lines.append("rank: by games won against the pool; in brackets the ranks that cannot be told apart")
    lines.append(
        "Nash: the mixture of the pool that nothing in it beats; copies of a strategy share a mass and change no rating"
    )
    lines += [f"copies: {', '.join(group)} play the same" for group in copies_of(arena.nash())]
    opposed = disagreement_lines(arena.disagreements())
    lines += opposed[:SHOWN]
    if len(opposed) > SHOWN:
        lines.append(f"and {len(opposed) - SHOWN} more pairs of which the measures disagree")
    lines.append(cycles_text(arena.cycles()))
    yield "\n".join(lines)


def copies_of(nash: pd.DataFrame) -> list[list[str]]:
    """Return the names of each group of strategies that play the same, from the frame of :meth:`Arena.nash`."""
    several = nash[nash["copies"] > 1]
    groups = several.groupby("group", sort=False)["strategy"]
    return [list(group) for _, group in groups]


def disagreement_lines(opposed: pd.DataFrame) -> list[str]:
    """Say of which pairs the measures disagree."""
    words = {measure.name: measure.words for measure in MEASURES}

    def named(metrics: str) -> str:
        return " and ".join(words[metric] for metric in metrics.split(", "))

    lines = []
    for row in opposed.to_dict("records"):
        a, b, ahead_a, ahead_b = row["a"], row["b"], named(row["ahead_a"]), named(row["ahead_b"])
        lines.append(f"{a} v {b}: {a} is ahead in {ahead_a}, {b} in {ahead_b}")
    return lines


def cycles_text(cycles: Cycles) -> str:
    """Say how cyclic a table is."""
    if math.isnan(cycles.share):
        return f"cycles: none to measure among {cycles.strategies} strategies that differ"
    corrected = "all is noise"
    if not math.isnan(cycles.corrected):
        low, high = 100 * cycles.low, 100 * cycles.high
        corrected = f"{100 * cycles.corrected:.2f} % [{low:.2f}, {high:.2f}] without the noise"
    found = f"{cycles.told} of {cycles.triples}" if cycles.told else f"none of {cycles.triples}"
    return (
        f"cycles: {found} sets of three are shown to go round (a beats b, b c, c a), {cycles.cyclic} seem to; "
        f"{100 * cycles.share:.2f} % of the sum of squares of the log-odds of games won is cyclic ({corrected}), and "
        f"noise alone would show up to {100 * cycles.null_high:.2f} % (p = {cycles.p_value:.2g})"
    )


def split_tables(explanation: Explanation) -> Iterator[Table | str]:
    """Yield what is shown of an explanation: a table a measure, and notes."""
    frame = explanation.frame
    for measure in MEASURES:
        mine = frame[frame["metric"] == measure.name].set_index(["split", "opponent", "decision"])
        rows = []
        for decision in (*DECISIONS, "together"):
            cells = [_cell(mine, measure, split, opponent, decision) for split, opponent, _ in SPLITS]
            rows.append([decision, *cells])
        whole = value_text(measure, *mine.loc[("whole", "both", "all"), ["estimate", "low", "high"]], difference=True)
        rows.append(["whole", whole, whole, whole])
        unit = "percentage points" if measure.is_share else "points a hand"
        name = f"{measure.words}, {unit}" if measure.is_share else "net points a hand"
        yield (name, *(text for *_, text in SPLITS)), rows
    yield _split_notes(explanation)


def _cell(mine: pd.DataFrame, measure: Measure, split: str, opponent: str, decision: str) -> str:
    if (split, opponent, decision) not in mine.index:
        return "-"
    return value_text(measure, *mine.loc[(split, opponent, decision), ["estimate", "low", "high"]], difference=True)


def _split_notes(explanation: Explanation) -> str:
    frame, a, b = explanation.frame, explanation.a, explanation.b
    return "\n".join(
        [
            f"a: {a}; b: {b}; a plus: the decision of {a} gains",
            f"b takes a's: what {b} gains on {b} by taking over one decision of {a}",
            f"a keeps its own: what {a} would lose against {a} by taking over one decision of {b}",
            "together: what the three swaps leave of the whole difference, as decisions work together",
            "Shapley: the gain averaged over all orders of swapping, and over both opponents; adds up to the whole",
            f"[low, high]: {100 * explanation.setup.level:.4g} % interval over {frame['n'].iloc[0]:,} pairs of games",
        ]
    )


def html_table(table: Table | str) -> str:
    """Return a table as HTML, or lines of text as a paragraph."""
    if isinstance(table, str):
        return f"<p>{html.escape(table).replace(chr(10), '<br>')}</p>"
    heads, rows = table
    header = "".join(f"<th>{html.escape(str(text))}</th>" for text in heads)
    body = "".join(f"<tr>{''.join(f'<td>{html.escape(str(cell))}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{header}</tr></thead><tbody>{body}</tbody></table>"
