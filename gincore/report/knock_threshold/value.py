"""What the knock-threshold report measures beside its sweep: knock or wait, limits by opponent, tables, strength."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd

from gincore.analysis.knock_value import scored_frame, value_frame
from gincore.analysis.summary import summarise
from gincore.api import simulate, simulate_games
from gincore.learn import limit_table
from gincore.report.knock_threshold.meetings import (
    BY_TURN,
    FIXED,
    MAPS,
    MOST_ROUNDS,
    TABLE,
    Answer,
    Cards,
    Meeting,
    blocks,
    learn,
    meet,
    shipped,
    table_shape,
    top_limit,
)
from gincore.ruleset import Rules, rules
from gincore.strategies import Strategy
from gincore.strategies.knock_cells import TURNS_A_BIN
from gincore.strategies.learned import knock_table

OPPONENTS: Final = ("simple", "threshold,limit=4", "gin-only")
"""Whom the player meets unless others are named; the table that answers itself is met as well."""

MOST_OPPONENTS: Final = 4

BESIDE: Final[tuple[tuple[str, Mapping[str, Any]], ...]] = (
    ("classic", {}),
    ("classic", {"undercut_bonus": 10}),
    ("eaai", {}),
    ("pagat", {}),
    ("oklahoma", {}),
)
"""Rule sets whose limits stand beside those of the report unless others are named: those that have a table."""

STRENGTH: Final = ("net_points_per_hand", "won_0_share", "game_won_0_share")
"""Points, hands and games, which can point in opposite directions."""


@dataclass(frozen=True)
class Value:
    """What came out.

    Attributes
    ----------
    cells
        Frame of :func:`gincore.analysis.knock_value.value_frame`, every opponent under the report's rules.
    scored
        Frame of :func:`gincore.analysis.knock_value.scored_frame`, every rule set and opponent.
    limits
        ``rules, opponent, turn, limit``: the limits by turn, by completed turns of both players.
    strength
        ``opponent, policy, limit, metric, estimate, low, high, n, unit``: points, hands and games, really played.
    sheet
        Frame of ``value_frame`` for the one-page chart, against the table.
    answer
        The table of the report's rules; None where only gin goes out.
    answers
        ``rules, knock_limit, deadwood, turn, opp_pickups, knock`` of every table; ``knock_limit`` -1 holds for all.
    """

    cells: pd.DataFrame
    scored: pd.DataFrame
    limits: pd.DataFrame
    strength: pd.DataFrame
    sheet: pd.DataFrame
    answer: Answer | None
    answers: pd.DataFrame

    def frames(self) -> dict[str, pd.DataFrame]:
        """Return every frame by the name of its file."""
        return {
            "knock-or-wait": self.cells,
            "rules-of-knocking": self.scored,
            "limits-by-turn": self.limits,
            "strength": self.strength,
            "tables": self.answers,
        }


def beside_rules(given: Sequence[Any] | None, own: Rules) -> tuple[Rules, ...]:
    """Return the rule sets beside the report's own; those that are the same are left out."""
    named = [rules(name, **options) for name, options in BESIDE] if given is None else [rules(each) for each in given]
    found = {own.digest(): own}
    for each in named:
        found.setdefault(each.digest(), each)
    return tuple(found.values())[1:]


def steps(own: Rules, opponents: int, beside: Sequence[Rules], deals: int) -> int:
    """Return how often the progress bar moves."""
    if top_limit(own) == 0:
        own_steps = 0
    else:
        own_steps = (0 if shipped(own) else MOST_ROUNDS) + (opponents + 1) * (_meeting_steps(deals) + 3)
    return own_steps + sum((opponents + (shipped(each) is not None)) * _meeting_steps(deals) for each in beside)


def _meeting_steps(deals: int) -> int:
    return 1 + len(list(blocks(deals)))


def measure_value(
    own: Rules,
    opponents: Sequence[Strategy],
    beside: Sequence[Rules],
    cards: Cards,
    games: int,
    level: float,
    done: Callable[[int], object],
) -> Value:
    """Meet every opponent under every rule set, and judge."""
    answer = None if top_limit(own) == 0 else shipped(own) or learn(own, cards, done)
    answers = {own.label: (own, answer)} | {each.label: (each, shipped(each)) for each in beside}
    meetings: dict[tuple[str, str], Meeting] = {}
    for label, (each, its) in answers.items():
        if top_limit(each) == 0:
            continue
        for opponent in [*opponents, *([its.strategy()] if its is not None else [])]:
            found = meet(each, opponent, its, cards, mapped=each is own, done=lambda: done(1))
            meetings[label, opponent.name] = found
    mine = {opponent: each for (label, opponent), each in meetings.items() if label == own.label}
    return Value(
        cells=value_frame([sums for each in mine.values() for sums in each.sums], level),
        scored=scored_frame([each.scored for each in meetings.values()], level),
        limits=_limits_frame(meetings),
        strength=_strength(own, opponents, answer, mine, cards, games, level, done),
        sheet=value_frame([each.sheet for each in mine.values() if each.sheet is not None], level),
        answer=answer,
        answers=_answers_frame({label: its for label, (_, its) in answers.items() if its is not None}),
    )


def _limits_frame(meetings: Mapping[tuple[str, str], Meeting]) -> pd.DataFrame:
    rows = [
        (label, opponent, TURNS_A_BIN * place, int(limit))
        for (label, opponent), found in meetings.items()
        for place, limit in enumerate(found.limits)
    ]
    return pd.DataFrame(rows, columns=["rules", "opponent", "turn", "limit"])


def _answers_frame(answers: Mapping[str, Answer]) -> pd.DataFrame:
    frames = []
    for label, answer in answers.items():
        places = np.array(list(np.ndindex(answer.table.shape)))
        limits = places[:, 0] if answer.table.shape[0] > 1 else np.full(len(places), -1)
        columns = {"rules": label, "knock_limit": limits, "deadwood": places[:, 1]}
        columns |= {"turn": TURNS_A_BIN * places[:, 2], "opp_pickups": places[:, 3]}
        frame = pd.DataFrame({**columns, "knock": answer.table.ravel().astype(np.int64)})
        legal = (frame["knock_limit"] < 0) | (frame["deadwood"] <= frame["knock_limit"])
        frames.append(frame[(frame["deadwood"] > 0) & legal])
    names = ["rules", "knock_limit", "deadwood", "turn", "opp_pickups", "knock"]
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=names)


def _strength(
    own: Rules,
    opponents: Sequence[Strategy],
    answer: Answer | None,
    mine: Mapping[str, Meeting],
    cards: Cards,
    games: int,
    level: float,
    done: Callable[[int], object],
) -> pd.DataFrame:
    """Play the best limit, the limits by turn and the table against every opponent: hands and games."""
    frames = []
    shape = table_shape(own)
    for opponent in [*opponents, *([answer.strategy()] if answer is not None else [])]:
        if opponent.name not in mine:
            continue
        found = mine[opponent.name]
        best = found.scored.chosen
        players = {FIXED: limit_table(shape, best), BY_TURN: limit_table(shape, found.limits)}
        if answer is not None:
            players[TABLE] = answer.table
        for policy, table in players.items():
            frame = _played(own, (knock_table(policy, table), opponent), cards, games, level)
            limit = best if policy == FIXED else -1
            frames.append(frame.assign(opponent=opponent.name, policy=policy, limit=limit))
            done(1)
    names = ["opponent", "policy", "limit", "metric", "estimate", "low", "high", "n", "unit"]
    return pd.concat(frames, ignore_index=True)[names] if frames else pd.DataFrame(columns=names)


def _played(own: Rules, pair: tuple[Strategy, Strategy], cards: Cards, games: int, level: float) -> pd.DataFrame:
    how: dict[str, Any] = {"seed": cards.seed, "keep": "stats", "workers": cards.workers, "progress": False}
    hands = summarise(simulate(own, pair, deals=cards.deals, **how).moments, level)
    whole = summarise(simulate_games(own, pair, games=games, **how).moments, level)
    frame = pd.concat([hands[hands["metric"].isin(STRENGTH[:2])], whole[whole["metric"] == STRENGTH[2]]])
    return frame.reset_index(drop=True)


def map_frame(cells: pd.DataFrame, opponent: str, by: str) -> pd.DataFrame:
    """Return the cells of one map."""
    found = cells[(cells["opponent"] == opponent) & (cells["by"] == by)]
    others = [name for name in MAPS if name != by and name in found]
    return found.drop(columns=others).astype({by: "int64"})
