"""Literal hands and games: cards and moves as text in, what the engine makes of them out.

Hands go through ``core/play.py`` with decisions of a script, games through the kernels of ``core/game.py``; the deck is
arranged so that the engine's own shuffle gives the cards wanted. Player 0 sits in seat 0 (the non-dealer).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import brute
import numpy as np
import pytest

import gincore
from gincore.core import batch, decide, game, hand, play, tables, view
from gincore.schema import GAME_DTYPE, HAND_DTYPE, Result

TURNS = 40
"""Turns that a script can name; later ones draw from the stock and throw the card drawn."""


def says(*sentences: str) -> Any:
    """One case for each sentence that says the same, named after it."""
    return pytest.mark.parametrize("sentence", sentences, ids=[_slug(sentence) for sentence in sentences])


def _slug(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.replace("œ", "oe")).encode("ascii", "ignore").decode()
    words = "".join(letter if letter.isalnum() else " " for letter in plain.lower()).split()
    return "_".join(words[:9])


# ---------------------------------------------------------------- decisions of a script


@gincore.decision
def _draw(view: Any, params: Any) -> Any:
    place = 0 if view.phase == 0 else 1 + view.turn
    return np.int64(params[place]) if place <= 40 else np.int64(0)


@gincore.decision
def _discard(view: Any, params: Any) -> Any:
    if view.turn < 40 and params[41 + view.turn] >= 0:
        return np.int64(params[41 + view.turn])
    if view.drew >= 0 and (view.legal >> np.uint64(view.drew)) & np.uint64(1) != np.uint64(0):
        return np.int64(view.drew)
    card = 51
    while (view.legal >> np.uint64(card)) & np.uint64(1) == np.uint64(0):
        card -= 1
    return np.int64(card)


@gincore.decision
def _knock(view: Any, params: Any) -> Any:
    return np.int64(params[81 + view.turn]) if view.turn < 40 else np.int64(0)


def number(card: str) -> int:
    """Return the number of a card: 13 * suit + rank."""
    return brute.to_mask(brute.cards(card)).bit_length() - 1


def mask(text: str) -> int:
    """Return the mask of a hand."""
    return brute.to_mask(brute.cards(text))


def cards(some: Any) -> str:
    """Return the cards of a mask as a text, by suit and rank."""
    return " ".join(card for place, card in enumerate(brute.DECK) if int(some) >> place & 1)


def _script(moves: Iterable[str], eleven: bool) -> tuple[gincore.Strategy, gincore.Strategy]:
    """Two players who make these moves in turn.

    A move is ``pass`` (leave the upcard), ``stock, 5s`` or ``take, 5s`` (draw, then throw), ``stock, knock 5s``,
    ``stock, big gin``; the first move of a hand dealt with eleven cards has no draw: ``deal, 5s``.
    """
    answers = [[0.0] * 41 + [-1.0] * 40 + [0.0] * 40 for _ in range(2)]
    seat, turn, passes = 0, 0, 2 if eleven else 0
    for move in moves:
        mine = answers[seat]
        if move == "pass":
            assert passes < 2, "nothing to pass"
            passes += 1
            seat = 1 - seat
            continue
        source, act = (part.strip() for part in move.split(","))
        if source == "take":
            mine[0 if turn == 0 and passes < 2 and not eleven else 1 + turn] = 1
        else:
            assert source in {"stock", "deal", "last"}, move
            assert source != "stock" or passes == 2 or turn > 0, "the upcard has not been offered to both"
        if act == "big gin":
            mine[81 + turn] = 1
        elif act.startswith("knock "):
            mine[81 + turn] = 2 + number(act.removeprefix("knock "))
        else:
            mine[41 + turn] = number(act)
        turn += 1
        seat = 1 - seat
    players = []
    for mine in answers:
        params = {f"p{place}": value for place, value in enumerate(mine)}
        players.append(gincore.Strategy("script", draw=_draw, discard=_discard, knock=_knock, params=params))
    return players[0], players[1]


# ---------------------------------------------------------------- a hand


@dataclass(frozen=True)
class Played:
    """What became of a hand; ``points`` are those of player 0 (non-dealer) and player 1 (dealer)."""

    row: Any
    legal: bool
    sets: str
    runs: str
    laid_off: str
    views: tuple[Any, Any]

    def __getattr__(self, name: str) -> Any:
        return int(self.row[name])

    @property
    def result(self) -> str:
        return Result(int(self.row["result"])).name if self.legal else "refused"

    @property
    def winner(self) -> int | None:
        winner = int(self.row["winner"])
        return None if winner < 0 else winner

    @property
    def points(self) -> tuple[int, int]:
        return int(self.row["points_0"]), int(self.row["points_1"])

    @property
    def deadwood(self) -> tuple[int, int]:
        """Knocker's and defender's, after lay-offs."""
        return int(self.row["knocker_deadwood"]), int(self.row["defender_deadwood"])


def _arrange(state: Any, order: list[int]) -> None:
    """Fill ``state.deck`` so that the cards drawn from place 21 on are the last 31 of ``order``."""
    state.deck[:] = order
    state.swaps[:] = range(52)
    state.position = 21


def hand_of(
    rules: Any,
    first: str,
    second: str,
    upcard: str = "",
    moves: Iterable[str] = (),
    *,
    stock: str = "",
    turned: str = "",
) -> Played:
    """Play one hand: the cards of seat 0 and seat 1, the upcard, the moves, the first cards of the stock.

    ``turned`` is the card of a second deck. After the script both draw from the stock, throw what they drew and never
    go out, so that the hand ends dead.
    """
    one, two, ahead = first.split(), second.split(), stock.split()
    eleven = len(one) == 11
    rest = [card for card in brute.DECK if card not in {*one, *two, upcard, *ahead}]
    order = [*one, *two, *([upcard] if upcard else []), *ahead, *rest]
    assert len(order) == len(set(order)) == 52
    assert (len(one), len(two)) == ((11, 10) if eleven else (10, 10))
    record = rules.to_record()
    state, view_0, view_1, out, fault = batch._scratch()
    row = np.zeros(1, HAND_DTYPE)[0]
    players, alive = decide.seat_players(_script(moves, eleven))
    up = np.int64(-1 if eleven else number(upcard))
    with np.errstate(over="ignore"):
        _arrange(state, [number(card) for card in order])
        masks = (np.uint64(mask(first)), np.uint64(mask(second)))
        hand.start(state, view_0, view_1, record, *masks, up, np.int64(number(turned)) if turned else up)
        table = tables.discards(int(record.ace), int(record.ace_points))
        status = play.play(state, view_0, view_1, record, table, players, np.int64(0), row, out, fault)
    del alive
    return Played(row, status == 0, cards(out.sets), cards(out.runs), cards(out.laid_off), (view_0, view_1))


def showdown(rules: Any, knocker: str, defender: str, *, turned: str = "") -> Played:
    """Player 0 draws a card, throws it and goes out with these ten cards (or eleven: big gin).

    ``turned`` is the upcard, or the card of a second deck. If going out is not legal the hand ends dead.
    """
    mine, theirs = knocker.split(), defender.split()
    spare = [card for card in brute.DECK if card not in {*mine, *theirs, turned}]
    second_deck = rules.knock_limit == "second_deck"
    upcard = turned if turned and not second_deck else spare.pop()
    drawn = mine[10] if len(mine) == 11 else spare.pop()
    act = "big gin" if len(mine) == 11 else f"knock {drawn}"
    return hand_of(
        rules,
        " ".join(mine[:10]),
        defender,
        upcard,
        ("pass", "pass", f"stock, {act}"),
        stock=drawn,
        turned=turned if second_deck else "",
    )


@dataclass(frozen=True)
class Choice:
    """What a player who has drawn may do: cards to throw, cards to go out with, big gin; and the opponent's view."""

    throw: frozenset[str]
    knock: frozenset[str]
    big_gin: bool
    deadwood: int
    knock_deadwood: int
    opponent: Any


def choice(rules: Any, eleven: str, *, drawn: str = "", pile: bool = False, turned: str = "") -> Choice:
    """Return the choice of a player who holds these eleven cards, the last one (or ``drawn``) just drawn."""
    names = eleven.split()
    card = number(drawn or names[-1])
    whole = mask(eleven)
    state, mine, theirs, _, _ = batch._scratch()
    record = rules.to_record()
    other = [name for name in brute.DECK if name not in {*names, turned}]
    up = card if pile else number(other.pop())
    terms = number(turned) if turned else up
    ten = np.uint64(whole & ~(1 << card))
    state.position = 21
    hand.start(state, mine, theirs, record, ten, np.uint64(brute.to_mask(other[:10])), np.int64(up), np.int64(terms))
    if pile:
        hand.take(mine, theirs)
    else:
        view.drew(mine, theirs, np.int64(card))
    table = tables.discards(int(record.ace), int(record.ace_points))
    big = hand.see_eleven(state, mine, np.int64(card), record, table)
    throw, knock = (brute.from_mask(int(some)) for some in (mine.legal, mine.knocks))
    return Choice(throw, knock, big == 1, int(mine.deadwood), int(mine.knock_deadwood), theirs)


@dataclass(frozen=True)
class Deal:
    """A dealt hand: both players' cards, the upcard, the stock in its order, and the limit."""

    first: frozenset[str]
    second: frozenset[str]
    upcard: str
    pile: frozenset[str]
    stock: tuple[str, ...]
    limit: int
    multiplier: int


def deal(rules: Any, number_of_deal: int, seed: int = 3) -> Deal:
    """Deal a hand as the engine does."""
    state, view_0, view_1, _, _ = batch._scratch()
    with np.errstate(over="ignore"):
        hand.deal(state, view_0, view_1, rules.to_record(), np.uint64(seed), np.uint64(number_of_deal), False)
        first, second, pile = (brute.from_mask(int(each)) for each in (view_0.hand, view_1.hand, view_0.pile))
        upcard = "" if view_0.top < 0 else brute.DECK[int(view_0.top)]
        stock = tuple(brute.DECK[int(hand.next_card(state))] for _ in range(int(view_0.stock)))
    return Deal(first, second, upcard, pile, stock, int(state.limit), int(state.multiplier))


# ---------------------------------------------------------------- a game


@dataclass(frozen=True)
class Entry:
    """A hand's row as a game takes it."""

    winner: int | None
    points: int
    result: str = "knock"


DEAD = Entry(None, 0, "dead")


def won(winner: int, *points: int) -> list[Entry]:
    """Hands won by a knock."""
    return [Entry(winner, each) for each in points]


def gins(winner: int, *points: int) -> list[Entry]:
    """Hands won by a gin."""
    return [Entry(winner, each, "gin") for each in points]


def big_gins(winner: int, *points: int) -> list[Entry]:
    """Hands won by a big gin."""
    return [Entry(winner, each, "big_gin") for each in points]


@dataclass(frozen=True)
class Game:
    """A game after its hands; ``starters`` are the players who lead in each hand and in the next."""

    over: bool
    row: Any
    starters: tuple[int, ...]

    @property
    def winner(self) -> int | None:
        winner = int(self.row["winner"])
        return None if winner < 0 else winner

    @property
    def margin(self) -> int:
        return int(self.row["margin"])

    def pair(self, name: str) -> tuple[int, int]:
        return int(self.row[f"{name}_0"]), int(self.row[f"{name}_1"])


def game_of(rules: Any, hands: Iterable[Entry], starter: int = 0) -> Game:
    """Enter hands in a game of the form ``single`` and settle it when a player has reached the target."""
    record = rules.to_record()
    sheet = np.zeros(1, GAME_DTYPE)[0]
    game.clear(sheet, 0, 0, starter)
    starters = [starter]
    over = False
    for entry in hands:
        assert not over, "the game is over"
        row = np.zeros(1, HAND_DTYPE)[0]
        row["result"] = Result[entry.result]
        row["winner"] = -1 if entry.winner is None else entry.winner
        if entry.winner is not None:
            row[f"points_{entry.winner}"] = entry.points
        game.enter(sheet, row, record)
        starters.append(int(game.next_starter(starters[-1], int(row["winner"]), record.next_dealer)))
        for player in (0, 1):
            if not over and game.reached(int(sheet[f"points_{player}"]), int(sheet[f"boxes_{player}"]), record):
                game.settle(sheet, player, record)
                over = True
    return Game(over, sheet, tuple(starters))
