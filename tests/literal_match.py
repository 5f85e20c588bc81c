"""Literal matches of every form: the hands of a match in, its game rows out, by the engine's own functions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from literal import Entry

from gincore.core import cutthroat, game, match
from gincore.schema import COLUMNS, GAME_DTYPE, HAND_DTYPE, Result


@dataclass(frozen=True)
class Match:
    """A match after its hands: its game rows (three a Hollywood sheet) and who plays where in each hand.

    ``leads`` and ``deals`` are the players who play first and who deal in each hand, and in the next one if the game
    goes on; ``tables`` names who meets in a partnership: each side's first (0) or second partner (1).
    """

    over: bool
    rows: Sequence[Any]
    leads: tuple[int, ...]
    deals: tuple[int, ...]
    tables: tuple[tuple[int, int], ...]

    @property
    def winner(self) -> int | None:
        """Who has won the match."""
        winner = int(self.rows[-1]["match_winner"])
        return None if winner < 0 else winner

    def each(self, name: str) -> list[int]:
        """A column of the game rows."""
        return [int(row[name]) for row in self.rows]

    def of(self, name: str, players: int = 2) -> tuple[list[int], ...]:
        """A column of each player, by game rows: ``of("points")`` is that of player 0, then that of player 1."""
        return tuple(self.each(f"{name}_{player}") for player in range(players))


def match_of(rules: Any, hands: Iterable[Entry], first: int = 0) -> Match:
    """Enter hands in a match of any form.

    ``first`` plays first in every game, or deals first in cutthroat, where no lot is drawn here. Players are those of
    the rows; in a partnership, where they are the sides, the hands of both tables of a round follow each other.
    """
    record, course = rules.to_record(), np.zeros(1, game.COURSE_DTYPE)[0]
    rows: list[Any] = []
    leads, deals, tables = [], [], []
    match.start(course, np.int64(0), np.int64(1), np.int64(0), record)

    def ready() -> None:
        """Begin a game if one begins, and note who plays the next hand."""
        if course.begins:
            rows.extend(np.zeros(COLUMNS if rules.form == "hollywood" else 1, GAME_DTYPE))
            _begin(course, rows[-int(course.columns) :], record, first, rules.form)
        three = rules.form == "cutthroat"
        dealer = int(course.dealer) if three else 1 - int(course.starter)
        deals.append(dealer)
        leads.append(int(cutthroat.player(course.dealer, course.starter)) if three else int(course.starter))
        tables.append((int(course.pair) // 2, int(course.pair) % 2))

    ready()
    for entry in hands:
        assert course.done == 0, "the match is over"
        sheet = rows[-int(course.columns) :]
        match.after_hand(course, sheet[0], sheet[len(sheet) // 3], sheet[-1], _row(entry, course, rules.form), record)
        if course.done == 0:
            ready()
    return Match(course.done == 1, rows, tuple(leads), tuple(deals), tuple(tables))


def _begin(course: Any, sheet: Sequence[Any], record: Any, first: int, form: str) -> None:
    with np.errstate(over="ignore"):
        match.begin_game(course, sheet[0], sheet[len(sheet) // 3], sheet[-1], np.uint64(1), record)
    course.begins = 0
    if form == "cutthroat":
        cutthroat.begin(course, np.int64(first))
    else:
        course.starter = first
    for row in sheet:
        row["starter"] = cutthroat.left_of(np.int64(first), np.int64(0)) if form == "cutthroat" else first


def _row(entry: Entry, course: Any, form: str) -> Any:
    """A hand's row as the engine hands it over: in cutthroat the two who play are 0 and 1."""
    row = np.zeros(1, HAND_DTYPE)[0]
    winner = -1 if entry.winner is None else entry.winner
    if form == "cutthroat" and winner >= 0:
        assert winner != course.dealer, "the dealer does not play"
        winner -= winner > course.dealer
    row["result"] = Result[entry.result]
    row["winner"] = row["knocker"] = winner
    row["starter"], row["sits_out"], row["upcard_taken_by"] = course.starter, -1, -1
    if winner >= 0:
        row[f"points_{winner}"] = entry.points
    return row
