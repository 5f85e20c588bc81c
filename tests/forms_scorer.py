"""A plain scorer of the game forms and of matches, written from the rule page and not from the engine.

``score_match`` takes the hands of one match in the order of play and gives every game row that they must lead to, and
who plays first (and who sits out) in each hand. Games of two sides are settled by ``scorer.Game``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

import scorer


class Played(NamedTuple):
    """One hand as its row tells it: who won (None: nobody) and how, and what each player scored."""

    result: str
    winner: int | None
    points: tuple[int, ...]

    @property
    def entry(self) -> scorer.Hand:
        return scorer.Hand(self.result, self.winner, max(self.points))


@dataclass
class Leg:
    """What one game of a match must give: its rows, and where each of its hands was played from."""

    rows: list[dict[str, Any]]
    seats: list[tuple[int | None, int]] = field(default_factory=list)  # (who sits out, who plays first) of each hand
    used: int = 0  # hands


# ---------------------------------------------------------------- two players or sides


class Book(scorer.Game):
    """A game of two sides of which boxes may come from other hands than those entered."""

    other_boxes: list[int]
    both_won: list[int]
    dealt: int
    partner_bonus: int

    def __init__(self, options: scorer.Options, partner_bonus: int = 0) -> None:
        super().__init__(options)
        self.other_boxes, self.both_won, self.dealt, self.partner_bonus = [0, 0], [0, 0], 0, partner_bonus

    def boxes(self) -> list[int]:
        return [self.options.box_bonus * (self.hands_won[p] + self.other_boxes[p]) for p in (0, 1)]

    def totals(self) -> list[int]:
        return [total + self.partner_bonus * both for total, both in zip(super().totals(), self.both_won, strict=True)]

    def row(self) -> dict[str, Any]:
        winner, margin = self.settle()
        found = {"winner": winner, "margin": margin, "shutout": int(self.shutout()), "hands": self.dealt}
        names = ("points", "hands_won", "boxes", "gins", "big_gins", "both_won", "total")
        paid = [max(margin, 0), max(-margin, 0)]
        total = paid if self.options.settlement == "pro" else self.totals()
        lists = (self.points, self.hands_won, self.boxes(), self.gins, self.big_gins, self.both_won, total)
        return found | {f"{name}_{p}": values[p] for name, values in zip(names, lists, strict=True) for p in (0, 1)}


@cache
def deals_next(starter: int, winner: int | None, rule: str) -> int:
    """Who does not deal the next hand of two players."""
    return scorer.starters(starter, [scorer.Hand("", winner, 0)] * 2, scorer.Options(next_dealer=rule))[1]


def single(hands: Sequence[Played], rules: Any, starter: int) -> Leg:
    """Score one ordinary game."""
    book, leg = Book(scorer.Options.of(rules)), Leg([])
    while book.leader() is None:
        hand = hands[leg.used]
        leg.seats.append((None, starter))
        leg.used += 1
        book.dealt += 1
        book.add(hand.entry)
        starter = deals_next(starter, hand.winner, rules.next_dealer)
    leg.rows = [book.row()]
    return leg


def hollywood(hands: Sequence[Played], rules: Any, starter: int) -> Leg:
    """Score a sheet. A win starts the winner's next column that is open, and counts in all that the winner has started.

    Rule page: the first win scores in column 1 only, the second in 1 and 2, later ones in every open column; a player
    shut out in a closed column starts in the next open one.
    """
    books, leg = [Book(scorer.Options.of(rules)) for _ in range(3)], Leg([])
    started: tuple[set[int], set[int]] = (set(), set())
    while any(book.leader() is None for book in books):
        hand = hands[leg.used]
        leg.seats.append((None, starter))
        leg.used += 1
        open_columns = [column for column in range(3) if books[column].leader() is None]
        if hand.winner is not None:
            fresh = [column for column in open_columns if column > max(started[hand.winner], default=-1)]
            started[hand.winner].update(fresh[:1])
        for column in open_columns:
            books[column].dealt += 1
            if hand.winner is None:
                continue
            if column in started[hand.winner]:
                books[column].add(hand.entry)
            elif rules.hollywood_boxes == "all":
                books[column].other_boxes[hand.winner] += 1
        starter = deals_next(starter, hand.winner, rules.next_dealer)
    leg.rows = [book.row() for book in books]
    return leg


def partnership(hands: Sequence[Played], rules: Any, starter: int) -> Leg:
    """Score a game of two sides: the net difference of both tables and one box go to the side ahead."""
    book, leg = Book(scorer.Options.of(rules), rules.partnership_bonus), Leg([])
    while book.leader() is None:
        tables = hands[leg.used : leg.used + 2]
        leg.used += 2
        leg.seats += [(None, starter)] * 2
        book.dealt += 2
        net = sum(hand.points[0] - hand.points[1] for hand in tables)
        ahead = 0 if net > 0 else 1 if net < 0 else None
        for hand in tables:
            if hand.winner is not None:
                book.gins[hand.winner] += hand.result == "gin"
                book.big_gins[hand.winner] += hand.result == "big_gin"
        for side in (0, 1):
            book.both_won[side] += all(hand.winner == side for hand in tables)
        if ahead is not None:
            book.points[ahead] += abs(net)
            book.hands_won[ahead] += 1
        starter = deals_next(starter, ahead, rules.next_dealer)
    leg.rows = [book.row()]
    return leg


# ---------------------------------------------------------------- three players


def cutthroat(hands: Sequence[Played], rules: Any, dealer: int, clockwise: bool) -> Leg:
    """Score a game of three: the dealer sits out, the loser deals next, everybody settles with everybody."""
    leg = Leg([])
    points, won, gins, big_gins = [0] * 3, [0] * 3, [0] * 3, [0] * 3
    step = 1 if clockwise else 2
    while max(points) < rules.target:
        hand = hands[leg.used]
        leg.used += 1
        leg.seats.append((dealer, (dealer + step) % 3))
        if hand.winner is None:
            continue
        points[hand.winner] += hand.points[hand.winner]
        won[hand.winner] += 1
        gins[hand.winner] += hand.result == "gin"
        big_gins[hand.winner] += hand.result == "big_gin"
        (loser,) = {0, 1, 2} - {dealer, hand.winner}
        dealer = {"loser": loser, "winner": hand.winner, "alternate": (dealer + step) % 3}[rules.next_dealer]
    home = points.index(max(points)) if sum(p >= rules.target for p in points) == 1 else -1
    assert home >= 0
    leg.rows = [settled_three(rules, home, points, won, gins, big_gins) | {"hands": leg.used}]
    return leg


def settled_three(
    rules: Any, home: int, points: list[int], won: list[int], gins: list[int], big_gins: list[int]
) -> dict[str, Any]:
    """Everybody pays everybody the difference of the totals; who scored nothing pays ``home`` for the shutout."""
    boxes = [rules.box_bonus * hands for hands in won]
    totals = [
        points[p] + boxes[p] + rules.end_gin_bonus * gins[p] + rules.end_big_gin_bonus * big_gins[p] for p in range(3)
    ]
    totals[home] += rules.game_bonus
    margins = [0, 0, 0]
    pro = rules.settlement == "pro"  # the formula between home and each other; points and boxes between these

    def pay(payer: int, payee: int, amount: int) -> None:
        margins[payer] -= amount
        margins[payee] += amount

    losers = [p for p in range(3) if p != home]
    for loser in losers:
        amount = totals[home] - totals[loser]
        if pro:
            amount = 100 + points[home] - points[loser] + 20 * (won[home] - won[loser])
            amount *= 2 if points[loser] == 0 else 1
        elif points[loser] == 0:
            amount += {"none": 0, "double_game_bonus": rules.game_bonus, "flat_100": 100, "double_total": totals[home]}[
                rules.shutout
            ]
        pay(loser, home, amount)
    pay(losers[1], losers[0], totals[losers[0]] - totals[losers[1]])
    winner: int | None = home
    if pro and margins.count(max(margins)) == 1:
        winner = margins.index(max(margins))
    if rules.settlement == "sum":
        winner = totals.index(max(totals)) if totals.count(max(totals)) == 1 else None
    found = {"winner": winner, "margin": margins[0], "margin_2": margins[2], "shutout": points.count(0)}
    names = {"points": points, "hands_won": won, "boxes": boxes, "gins": gins, "big_gins": big_gins, "total": totals}
    return found | {f"{name}_{p}": values[p] for name, values in names.items() for p in range(3)}


# ---------------------------------------------------------------- matches


FORMS: dict[str, Callable[..., Leg]] = {
    "single": single,
    "hollywood": hollywood,
    "partnership": partnership,
    "cutthroat": cutthroat,
}


def margins_of(leg: Leg, players: int) -> list[int]:
    """Settled points of each player in a game, all columns together."""
    first = sum(row["margin"] for row in leg.rows)
    if players == 2:
        return [first, -first]
    third = leg.rows[0]["margin_2"]
    return [first, -first - third, third]


def score_match(hands: Sequence[Played], rules: Any, lots: Iterator[tuple[Any, ...]]) -> list[Leg]:
    """Score a match. ``lots`` gives, for each game, what was drawn: the first starter, or dealer and direction."""
    players = 3 if rules.form == "cutthroat" else 2
    wins, credit = [0] * players, [0] * players
    legs: list[Leg] = []
    place = 0
    while True:
        leg = FORMS[rules.form](hands[place:], rules, *next(lots))
        place += leg.used
        legs.append(leg)
        margins = margins_of(leg, players)
        winner = leg.rows[0]["winner"]
        if rules.form == "hollywood":
            winner = None if margins[0] == 0 else int(margins[0] < 0)
        if winner is not None:
            wins[winner] += 1
        for player in range(players):
            totals = sum(row.get(f"total_{player}", 0) for row in leg.rows)
            credit[player] += totals if rules.settlement == "sum" else max(margins[player], 0)
        over, champion = decided(rules, len(legs), winner, wins, credit)
        if over:
            legs[-1].rows[-1]["match_winner"] = champion
            assert place == len(hands), "hands are left over"
            return legs


def decided(rules: Any, legs: int, winner: int | None, wins: list[int], credit: list[int]) -> tuple[bool, int | None]:
    """Whether a match is over after so many games, and who has won it."""
    kind, _, number = rules.match.rpartition("-")
    richest = credit.index(max(credit)) if credit.count(max(credit)) == 1 else None
    if kind == "best-of" and rules.settlement == "sum":
        return legs == int(number), richest
    if kind == "best-of":
        needed = (int(number) + 1) // 2
        return max(wins) >= needed, wins.index(needed) if needed in wins else None
    if kind == "points":
        return max(credit) >= int(number) and richest is not None, richest
    return True, winner
