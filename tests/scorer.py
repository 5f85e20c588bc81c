"""A plain scorer of hands and of games of the single form, written from the rule page and not from the engine.

Option names are those of the rule page; defaults are the classic ones. Players are 0 and 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any


@dataclass(frozen=True)
class Options:
    """The options that scoring depends on."""

    gin_bonus: int = 25
    big_gin: bool = False
    big_gin_bonus: int = 31
    undercut_bonus: int = 25
    tie: str = "undercut"
    doubling: str = "none"
    target: int = 100
    game_bonus: int = 100
    shutout: str = "double_game_bonus"
    box_bonus: int = 20
    box_toward_target: bool = False
    end_gin_bonus: int = 0
    end_big_gin_bonus: int = 0
    settlement: str = "net"
    next_dealer: str = "loser"

    @classmethod
    def of(cls, rules: Any) -> Options:
        """Read the options from any object that has them as attributes."""
        return cls(**{option.name: getattr(rules, option.name) for option in fields(cls)})


@dataclass(frozen=True)
class Hand:
    """How one hand ended: ``result`` as in the hand rows, ``winner`` None where nobody scored."""

    result: str
    winner: int | None = None
    points: int = 0


DEAD = Hand("dead")


def score_hand(
    knocker: int,
    knocker_deadwood: int,
    defender_deadwood: int,
    options: Options,
    *,
    melded_eleven: bool = False,
    doubled: bool = False,
) -> Hand:
    """Score a hand that ``knocker`` ended, from both deadwoods after lay-offs."""
    defender = 1 - knocker
    factor = 2 if doubled else 1
    if melded_eleven and options.big_gin:
        return Hand("big_gin", knocker, factor * (options.big_gin_bonus + defender_deadwood))
    if knocker_deadwood == 0:
        return Hand("gin", knocker, factor * (options.gin_bonus + defender_deadwood))
    difference = defender_deadwood - knocker_deadwood
    if difference > 0:
        return Hand("knock", knocker, factor * difference)
    if difference == 0 and options.tie == "knocker":
        return Hand("knock", knocker, 0)
    if difference == 0 and options.tie == "nothing":
        return Hand("knock", None, 0)
    return Hand("undercut", defender, factor * (options.undercut_bonus - difference))


@dataclass
class Game:
    """A game being played: hand points, hands won, gins, and whether it is over."""

    options: Options
    points: list[int] = field(default_factory=lambda: [0, 0])
    hands: int = 0
    hands_won: list[int] = field(default_factory=lambda: [0, 0])
    gins: list[int] = field(default_factory=lambda: [0, 0])
    big_gins: list[int] = field(default_factory=lambda: [0, 0])

    def boxes(self) -> list[int]:
        """Box points of each player."""
        return [self.options.box_bonus * won for won in self.hands_won]

    def counted(self) -> list[int]:
        """Points that count toward the target."""
        if not self.options.box_toward_target:
            return self.points
        return [points + box for points, box in zip(self.points, self.boxes(), strict=True)]

    def leader(self) -> int | None:
        """Return the player who has reached the target, or None."""
        first, second = self.counted()
        return 0 if first >= self.options.target else 1 if second >= self.options.target else None

    def add(self, hand: Hand) -> None:
        """Enter one hand; a finished game takes no more."""
        assert self.leader() is None, "the game is over"
        self.hands += 1
        if hand.winner is None:
            return
        self.points[hand.winner] += hand.points
        self.hands_won[hand.winner] += 1
        self.gins[hand.winner] += hand.result == "gin"
        self.big_gins[hand.winner] += hand.result == "big_gin"

    def shutout(self) -> bool:
        """Whether the game is over and the loser scored no hand points."""
        winner = self.leader()
        return winner is not None and self.points[1 - winner] == 0

    def totals(self) -> list[int]:
        """Hand points, boxes and every bonus of a finished game, before settlement."""
        winner = self.leader()
        assert winner is not None, "the game is not over"
        options = self.options
        totals = [
            self.points[p]
            + self.boxes()[p]
            + options.end_gin_bonus * self.gins[p]
            + options.end_big_gin_bonus * self.big_gins[p]
            for p in (0, 1)
        ]
        totals[winner] += options.game_bonus
        if self.shutout():
            if options.shutout == "double_game_bonus":
                totals[winner] += options.game_bonus
            elif options.shutout == "flat_100":
                totals[winner] += 100
            elif options.shutout == "double_total":
                totals[winner] *= 2
        return totals

    def settle(self) -> tuple[int | None, int]:
        """Winner of the game (None at equal totals) and the settled margin, signed from player 0's view."""
        winner = self.leader()
        assert winner is not None, "the game is not over"
        sign = 1 if winner == 0 else -1
        if self.options.settlement == "pro":
            loser = 1 - winner
            result = 100 + self.points[winner] - self.points[loser]
            result += 20 * (self.hands_won[winner] - self.hands_won[loser])
            if self.points[loser] == 0:
                result *= 2
            return (winner, sign * result) if result >= 0 else (loser, sign * result)
        totals = self.totals()
        margin = totals[0] - totals[1]
        if self.options.settlement == "sum":  # source 004: the highest total wins the game
            return (0 if margin > 0 else 1 if margin < 0 else None), margin
        return winner, margin


def play(hands: Iterable[Hand], options: Options) -> Game:
    """Enter hands in order."""
    game = Game(options)
    for hand in hands:
        game.add(hand)
    return game


def starters(first: int, hands: Sequence[Hand], options: Options) -> list[int]:
    """Who plays first (the non-dealer) in each of these hands, given who does in the first."""
    order = [first]
    for hand in hands[:-1]:
        if hand.winner is None:
            order.append(order[-1])
        elif options.next_dealer == "alternate":
            order.append(1 - order[-1])
        elif options.next_dealer == "loser":
            order.append(hand.winner)
        else:
            order.append(1 - hand.winner)
    return order


def hollywood(winners: Sequence[tuple[int, int]], target: int = 100) -> list[list[int]]:
    """Column totals, one list a player, of hands (winner, points) on a three-column sheet."""
    columns = [[0, 0, 0], [0, 0, 0]]
    won = [0, 0]
    closed = [False, False, False]
    for winner, points in winners:
        won[winner] += 1
        for column in range(min(won[winner], 3)):
            if not closed[column]:
                columns[winner][column] += points
                closed[column] = columns[winner][column] >= target
    return columns
