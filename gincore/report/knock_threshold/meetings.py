"""Opponents of the knock-threshold report: whom the player meets under which rules, and the table that answers itself.

Every legal knock of the player is let pass and scored aside. What any rule of knocking scores follows from the moments
of one hand, so that limits, limits by turn and tables are all compared on the same deals without being played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from gincore.analysis.compare import PairedSums, unit_totals
from gincore.analysis.knock_value import Scored, Sums
from gincore.learn import Courses, Shape, best_limits, best_reply, courses_of, follow_courses, iterate, limit_table
from gincore.learn.limits import Limits
from gincore.learn.reply import BOLD, FEWEST
from gincore.learn.shape import Shares, shape_of
from gincore.plotting.sheet import PANELS
from gincore.ruleset import Rules
from gincore.runs.forks import ForkPlan, follow
from gincore.runs.grid import Grid, Int64Array, make_grid
from gincore.runs.plan import make_plan
from gincore.schema import FORK_FIELDS
from gincore.strategies import Strategy
from gincore.strategies.learned import knock_table, made, table_of

TABLE: Final = "table"
BY_TURN: Final = "by-turn"
FIXED: Final = "limit"
REPLY: Final = "reply"
"""Rules of knocking: the table that answers itself, limits by turn, one limit, the best reply to the table."""

THE_TABLE: Final = "the table"
"""The opponent who knocks as the table does; no strategy has a name with a blank in front of such a word."""

USUAL_LIMIT: Final = 10
MOST_LIMIT: Final = 30
"""Highest limit compared, where the rules have none."""

MOST_LEARNED: Final = 200_000
"""Deals from which limits and tables are chosen, at most: more change them little, and fill the memory."""

MOST_ROUNDS: Final = 12

BLOCK: Final = 32_768
"""Deals whose moments are in memory at a time."""

MAPS: Final[dict[str, Grid]] = {
    "turn": make_grid(["deadwood", "turn"], {"turn": 4}),
    "opp_pickups": make_grid(["deadwood", "opp_pickups"]),
    "stock": make_grid(["deadwood", "stock"], {"stock": 4}),
}
"""By what the value of knocking is mapped, beside deadwood."""

SHEET: Final = make_grid(["deadwood", "turn", "opp_pickups"], {"turn": 2}, reached=True)
"""Cells of the one-page chart: those that a player comes to who has knocked by the table so far."""


@dataclass(frozen=True)
class Answer:
    """The table that answers itself.

    Attributes
    ----------
    table
        Share of knocks in each cell, 0 or 1.
    name
        Of the shipped strategy that holds it; empty if it was learned here.
    settled
        Whether it is the best reply to itself as far as the deals can tell.
    rounds, deals
        Rounds of best replies, and deals of each.
    """

    table: Shares
    name: str
    settled: bool
    rounds: int
    deals: int

    def strategy(self) -> Strategy:
        """Draws and discards of ``simple``, knocks of the table."""
        return knock_table(THE_TABLE, self.table)


class Cards(NamedTuple):
    """How much is played, and with which cards: limits and tables are chosen on the deals behind those that judge."""

    deals: int
    seed: int
    workers: int | None

    @property
    def learned(self) -> int:
        """Deals on which limits and tables are chosen."""
        return min(self.deals, MOST_LEARNED)


@dataclass(frozen=True)
class Meeting:
    """One opponent under one rule set.

    Attributes
    ----------
    limits
        The limits by turn that scored most on the deals they were chosen on.
    scored
        What all rules of knocking score on the deals that judge.
    sums
        Moments by the grids of :data:`MAPS`; waiting means to knock later by the limits by turn (against the table: by
        the table).
    sheet
        Moments by :data:`SHEET`, against the table only.
    """

    limits: Limits
    scored: Scored
    sums: tuple[Sums, ...]
    sheet: Sums | None


def top_limit(rules: Rules) -> int:
    """Highest limit that makes a difference under these rules."""
    if rules.min_melded is not None:
        return MOST_LIMIT
    return USUAL_LIMIT if isinstance(rules.knock_limit, str) else min(int(rules.knock_limit), MOST_LIMIT)


def table_shape(rules: Rules) -> Shape:
    """Return the shape of tables under these rules: a bin for every limit, and one for more deadwood."""
    return Shape(limits=shape_of(rules).limits, deadwoods=top_limit(rules) + 2)


def shipped(rules: Rules) -> Answer | None:
    """Return the table that the package has for these rules, if it has one."""
    for name, each in made().items():
        if each["rules"]["digest"] == rules.digest():
            table = table_of(each["cells"])
            more = table_shape(rules).deadwoods - table.shape[1]  # its last bin is open-ended
            table = np.concatenate([table, np.repeat(table[:, -1:], more, axis=1)], axis=1)
            settled = all(each["settled"].values())
            return Answer(table, name, settled, max(each["rounds"].values()), int(each["deals"]))
    return None


def learn(rules: Rules, cards: Cards, done: Callable[[int], object]) -> Answer:
    """Learn the table in this run; `done` is told of each round, and of those that were not needed."""
    shape, deals = table_shape(rules), cards.learned
    last: list[Courses] = []

    def play(table: Shares) -> Courses:
        players = ("simple", knock_table(THE_TABLE, table))
        last[:] = [
            follow_courses(
                rules, players, shape, deals=deals, seed=cards.seed, workers=cards.workers, first_deal=cards.deals
            )
        ]
        done(1)
        return last[0]

    found = iterate(play, shape.constant(1.0), most=MOST_ROUNDS)
    done(MOST_ROUNDS - len(found.rounds))
    met = np.zeros(shape.size)
    for level in last[0].levels:
        met += np.bincount(level.cell, minlength=shape.size)
    known = (met >= FEWEST).reshape(shape.axes)
    settled = found.settled and bool(known.any())
    return Answer(np.round(shape.filled(found.table, known)), "", settled, len(found.rounds), deals)


def meet(
    rules: Rules,
    opponent: Strategy,
    answer: Answer | None,
    cards: Cards,
    *,
    mapped: bool,
    done: Callable[[], object],
) -> Meeting:
    """Choose limits on some deals, and judge all rules of knocking on others.

    Parameters
    ----------
    rules, opponent
        Who is met under which rules; the opponent :data:`THE_TABLE` is answered with its own table.
    answer
        The table, if there is one for the rules.
    cards
        How much is played.
    mapped
        Whether the moments are summed for the maps.
    done
        Called after the choice, and after each block of deals.
    """
    shape, itself = table_shape(rules), opponent.name == THE_TABLE
    courses = follow_courses(
        rules, ("simple", opponent), shape, deals=cards.learned, seed=cards.seed, workers=cards.workers,
        first_deal=cards.deals,
    )  # fmt: skip
    best, limits = best_limits(courses, top_limit(rules))
    policies = [(FIXED, limit, limit_table(shape, limit)) for limit in range(top_limit(rules) + 1)]
    policies.append((BY_TURN, -1, limit_table(shape, limits)))
    if answer is not None:
        policies.append((TABLE, -1, answer.table))
        if itself:
            policies.append((REPLY, -1, best_reply(courses, answer.table, BOLD)))
    own = answer.table if itself and answer is not None else limit_table(shape, limits)
    done()
    names, numbers, tables = zip(*policies, strict=True)
    grids = {**MAPS, "sheet": SHEET} if itself else MAPS
    sums, moments = judge(rules, (knock_table("player", own), opponent), tables, grids if mapped else {}, cards, done)
    scored = Scored(rules.label, opponent.name, names, numbers, best, sums)
    parts = {name: Sums(opponent.name, name, grids[name].values(), each) for name, each in moments.items()}
    sheet = parts.pop("sheet", None)
    return Meeting(limits, scored, tuple(parts.values()), None if sheet is None else _shown(sheet))


def _shown(sheet: Sums) -> Sums:
    """Keep the cells that the one-page chart shows: no others are tested."""
    kept = sheet.values["opp_pickups"] < PANELS
    return sheet._replace(values={name: each[kept] for name, each in sheet.values.items()}, sums=sheet.sums[kept])


def judge(
    rules: Rules,
    players: tuple[Strategy, Strategy],
    tables: tuple[Shares, ...],
    grids: dict[str, Grid],
    cards: Cards,
    done: Callable[[], object],
) -> tuple[PairedSums, dict[str, Int64Array]]:
    """Follow the deals block by block: what each table scores, deal by deal, and the moments by each grid."""
    shape = table_shape(rules)
    moments = {name: np.zeros((grid.cells, len(FORK_FIELDS)), np.int64) for name, grid in grids.items()}
    sums: PairedSums | None = None
    for first, count in blocks(cards.deals):
        plan = make_plan("hands", rules, players, seed=cards.seed, count=count, first=first)
        followed = follow(ForkPlan(plan, 0, MAPS["turn"]), workers=cards.workers, progress=False)
        for name, grid in grids.items():
            moments[name] += followed.sums(grid)
        courses, per_unit = courses_of(followed, shape), plan.layout.per_unit
        sums = sums or PairedSums(range(len(tables)), per_unit)
        points = (np.rint(courses.payoff(table)).astype(np.int64) for table in tables)
        sums.add([unit_totals(each, per_unit) for each in points])
        done()
    assert sums is not None
    return sums, moments


def blocks(deals: int) -> Iterator[tuple[int, int]]:
    """Yield first deal and number of deals of each block."""
    for first in range(0, deals, BLOCK):
        yield first, min(BLOCK, deals - first)
