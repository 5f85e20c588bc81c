"""From an entry to an answer: play what it needs, estimate its rows, and give the verdict."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pandas as pd
from tqdm import tqdm

from gincore.analysis.intervals import check_level
from gincore.analysis.questions_metrics import METRICS, SHARES
from gincore.analysis.questions_quantity import Quantity, weighted
from gincore.analysis.questions_verdict import Row, Verdict, judge
from gincore.contests.play import hidden
from gincore.questions.entry import Entry, Group, RowSpec, find, ids
from gincore.questions.play import Arm, Shelf, arms_of, used
from gincore.runs.plan import SEED_LIMIT, whole

USUAL_DEALS: Final = 100_000
USUAL_LEVEL: Final = 0.99
MOST_DEALS: Final = 10_000_000


@dataclass(frozen=True)
class Answer:
    """A question with its verdict and what was played.

    Attributes
    ----------
    entry
        The question.
    verdict
        With all rows.
    runs
        All runs: rules, players, units.
    deals, seed
        As asked for.
    """

    entry: Entry
    verdict: Verdict
    runs: tuple[Arm, ...]
    deals: int
    seed: int

    @property
    def entry_unit(self) -> str:
        """Unit of the smallest effect that matters: that of the first row."""
        unit = self.verdict.rows[0].unit
        return "change" if unit == "share" else unit

    def frame(self, lang: int = 0) -> pd.DataFrame:
        """Return a row an estimate: ``question, group, label, estimate, low, high, ...``; `lang` 1 is French."""
        rows = [
            {
                "question": self.entry.id,
                "group": row.group[lang],
                "label": row.label[lang],
                "estimate": row.estimate,
                "low": row.low,
                "high": row.high,
                "unit": row.unit,
                "n": row.n,
                "units": row.noun,
                "test": row.test,
                "expect": row.expect if row.test else "",
                "than": row.than,
                "smallest": row.smallest,
                "outcome": row.outcome,
                "needed": row.needed,
                "needed_rests_on": row.rests,
            }
            for row in self.verdict.rows
        ]
        return pd.DataFrame(rows)


def ask(
    questions: Sequence[str] | str = "all",
    *,
    deals: int = USUAL_DEALS,
    seed: int = 1,
    level: float = USUAL_LEVEL,
    workers: int | None = None,
    progress: bool = True,
) -> list[Answer]:
    """Answer questions.

    Parameters
    ----------
    questions
        Ids, or ``"all"``.
    deals
        Deals of a run of fast players; slow ones play fewer, and of games a tenth is played.
    seed
        0 .. 2**64 - 1. Two seeds give other cards.
    level
        Joint coverage of the intervals on which a verdict rests.
    workers
        Threads; by default one a CPU. They do not change the numbers.
    progress
        Show a bar on stderr if that is a terminal.

    Returns
    -------
    list of Answer
        In the order asked for. Runs that several questions need are played once.

    Raises
    ------
    UsageError
        A question is not known, or a number out of range.

    Examples
    --------
    >>> ask(["D12"], deals=10_000)[0].verdict.kind  # doctest: +SKIP
    """
    level = check_level(level)
    deals, seed = whole("deals", deals, 1, MOST_DEALS), whole("seed", seed, 0, SEED_LIMIT - 1)
    named = ids() if questions == "all" else [questions] if isinstance(questions, str) else list(questions)
    entries = [find(name) for name in dict.fromkeys(named)]
    wanted = [_keys(entry, deals) for entry in entries]
    total = len(set().union(*wanted)) if wanted else 0
    answers = []
    with tqdm(total=total, desc="questions", unit="run", disable=hidden(progress), file=sys.stderr) as bar:
        shelf = Shelf(seed, workers, bar.update)
        for place, entry in enumerate(entries):
            bar.set_postfix_str(entry.id)
            answers.append(answer(entry, shelf, deals, level))
            shelf.drop(set().union(*wanted[place + 1 :]))
    return answers


def answer(entry: Entry, shelf: Shelf, deals: int, level: float = USUAL_LEVEL) -> Answer:
    """Answer one question from the runs of a shelf."""
    arms = {group.name: arms_of(entry, group, deals) for group in entry.groups}
    rows, runs = [], dict[tuple[Any, ...], Arm]()
    for group, spec in _pairs(entry):
        mine = arms[group.name]
        rows.append(estimate(spec, group, mine, shelf))
        runs |= {mine[name].key: mine[name] for name in spec.arms}
    verdict = judge(rows, level, bool(entry.undecidable[0]))
    return Answer(entry, verdict, tuple(runs.values()), deals, shelf.seed)


def estimate(spec: RowSpec, group: Group, arms: Mapping[str, Arm], shelf: Shelf) -> Row:
    """Estimate a row of a group."""
    metric = METRICS[spec.metric]
    data = [shelf.get(arms[name]) for name in spec.arms]
    if metric.arms == 2:
        found: Quantity = metric.function(*data, where=spec.where, **spec.arguments)
    else:
        parts = [metric.function(each, where=spec.where, **spec.arguments) for each in data]
        found = weighted(list(zip(spec.arms.values(), parts, strict=True)))
    arm = arms[next(iter(spec.arms))]
    plain = len(data) == 1 or metric.arms == 2
    unit = metric.unit if plain or metric.unit != "share" else "change"
    return Row(
        group.name, spec.label, found.value, found.error, found.seen, arm.count, plain and spec.metric in SHARES,
        unit, arm.noun, found.weight, spec.test, spec.expect, spec.than, spec.smallest, arm.asked,
    )  # fmt: skip


def _pairs(entry: Entry) -> Iterator[tuple[Group, RowSpec]]:
    """Walk through groups and rows."""
    for group in entry.groups:
        for spec in entry.rows:
            if group in used(entry, spec):
                yield group, spec


def _keys(entry: Entry, deals: int) -> set[tuple[Any, ...]]:
    """Return the keys of all runs of a question."""
    arms = {group.name: arms_of(entry, group, deals) for group in entry.groups}
    return {arms[group.name][name].key for group, spec in _pairs(entry) for name in spec.arms}
