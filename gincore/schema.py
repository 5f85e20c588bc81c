"""Every record dtype, code and column of gincore, with units.

This is the ground floor: it imports NumPy only. ``core`` fills these records,
``runs`` stores them, ``analysis`` reads them. A code is an :class:`enum.IntEnum`;
kernels use its values through module-level integers, which numba freezes.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Final

import numpy as np


def field_offset(dtype: np.dtype[np.void], name: str) -> int:
    """Bytes from the start of a record to one of its fields."""
    assert dtype.fields is not None
    return int(dtype.fields[name][1])


FORMAT_VERSION: Final = 3
"""Version of the stored run folder; raised when a reader must know of a change."""

RULES_VERSION: Final = 2
"""Version of the behaviour of the engine; raised when the same plan gives other rows."""

MAX_TURNS: Final = 400
"""Largest ``max_turns`` that a rule set may ask for (the size of the turn log)."""


class Ace(IntEnum):
    """Where the ace may stand in a run."""

    low = 0
    high_low = 1
    round = 2


class LimitKind(IntEnum):
    """Where the knock limit of a hand comes from."""

    fixed = 0
    upcard = 1
    second_deck = 2


class Tie(IntEnum):
    """What equal deadwood after lay-offs means."""

    undercut = 0
    nothing = 1
    knocker = 2


class Layoff(IntEnum):
    """How the defender lays off."""

    optimal = 0
    melds_first = 1


class KnockerSpread(IntEnum):
    """Which arrangement the knocker lays down."""

    min_deadwood = 0
    best = 1
    random_minimum = 2


class Doubling(IntEnum):
    """What doubles a hand's points."""

    none = 0
    upcard_spade = 1
    last_discard_spade = 2


class UpcardOffer(IntEnum):
    """How a hand opens."""

    both = 0
    none_eleven = 1


class LastDiscard(IntEnum):
    """What the opponent may do with the discard that ends a dead hand."""

    dead = 0
    knock_only = 1


class Shutout(IntEnum):
    """What a game bonus becomes when the loser scored no hand points."""

    none = 0
    double_game_bonus = 1
    flat_100 = 2
    double_total = 3


class Settlement(IntEnum):
    """How the totals of a finished game are settled."""

    net = 0
    sum = 1
    pro = 2


class NextDealer(IntEnum):
    """Who deals after a scored hand."""

    loser = 0
    winner = 1
    alternate = 2


class Form(IntEnum):
    """The form of the game around the hands."""

    single = 0
    hollywood = 1
    partnership = 2
    cutthroat = 3


class HollywoodBoxes(IntEnum):
    """Which hands give boxes in a Hollywood column."""

    entered = 0
    all = 1


class PartnershipSwap(IntEnum):
    """When partners change opponents."""

    hand = 0
    game = 1


class Result(IntEnum):
    """How a hand ended (column ``result``)."""

    knock = 0
    gin = 1
    big_gin = 2
    undercut = 3
    dead = 4
    stalled = 5


class Phase(IntEnum):
    """What a view asks of a strategy (field ``phase``)."""

    upcard = 0
    draw = 1
    discard = 2
    knock = 3
    last = 4


class Source(IntEnum):
    """Where the drawn card came from (field ``drew_from``)."""

    nothing = -1
    stock = 0
    pile = 1


class Status(IntEnum):
    """What a kernel returns in place of an exception."""

    ok = 0
    bad_draw = 1
    bad_discard = 2
    bad_knock = 3
    too_many_hands = 4


NO_LIMIT: Final = 127
"""Knock limit of a hand in which deadwood does not matter for going out (more than any hand has)."""

NO_VALUE: Final = -1
"""Stands in engine rows where a dead hand has no value; stored as a null."""

RULES_DTYPE: Final = np.dtype(
    (
        np.record,
        [
            (name, np.int64)
            for name in (
                # hand options
                "ace", "ace_points", "limit_kind", "knock_limit", "knock_strict", "low_limit_is_gin",
                "min_melded", "big_gin", "gin_bonus", "big_gin_bonus", "undercut_bonus", "tie",
                "layoff_on_gin", "gin_cancelled_at_zero", "layoff", "knocker_spread", "doubling",
                "upcard_offer", "return_taken", "dead_stock", "last_discard", "max_turns",
                # game options
                "target", "game_bonus", "shutout", "box_bonus", "box_toward_target",
                "end_gin_bonus", "end_big_gin_bonus", "settlement", "next_dealer", "form",
                "hollywood_boxes", "partnership_bonus", "partnership_swap", "match_games", "match_points",
            )
        ],
    )
)  # fmt: skip
"""One rule set as the kernels read it: codes of the enums above, booleans as 0/1.

``low_limit_is_gin`` is a bit mask of ranks (bit 0 = ace); ``min_melded`` is 0 for none; ``match_games`` is the N of a
best of N games and ``match_points`` the points that end a match, 0 where the match is none of that kind.
"""

_FIFTY_SIX: Final = np.dtype((np.int16, (56,)))
_FOUR_SUITS: Final = np.dtype((np.uint8, (64,)))

VIEW_FIELDS: Final[tuple[tuple[str, Any, str], ...]] = (
    ("hand", np.uint64, "own cards: 10 before the draw, 11 after it"),
    ("pile", np.uint64, "all cards of the discard pile, the top one included"),
    ("opp_took", np.uint64, "cards the opponent took from the pile (still held or not)"),
    ("opp_threw", np.uint64, "cards the opponent discarded"),
    ("opp_declined", np.uint64, "cards the opponent left on the pile when they could take them"),
    ("took", np.uint64, "cards that I took from the pile (still held or not)"),
    ("threw", np.uint64, "cards that I discarded"),
    ("declined", np.uint64, "cards that I left on the pile when I could take them"),
    ("legal", np.uint64, "cards that may be thrown now"),
    ("least", np.uint64, "those of them that leave the least deadwood"),
    ("knocks", np.uint64, "those with which going out is legal"),
    ("knock_least", np.uint64, "those of them with which the least deadwood is laid down"),
    ("repeats", np.uint64, "cards thrown before in this hand after drawing this same card"),
    ("random", np.uint64, "a random word that no other decision of this deal sees"),
    ("phase", np.int64, "what is asked: 0 upcard, 1 draw, 2 discard, 3 knock, 4 the last discard (Phase)"),
    ("seat", np.int64, "0: plays first in this hand (non-dealer), 1: the dealer"),
    ("top", np.int64, "top card of the discard pile, -1 if none"),
    ("drew", np.int64, "the card just drawn, -1 before the draw"),
    ("drew_from", np.int64, "where it came from: 0 stock, 1 pile, -1 before the draw (Source)"),
    ("stock", np.int64, "cards left in the stock"),
    ("turn", np.int64, "completed turns of this hand, both players counted"),
    ("deadwood", np.int64, "points: own hand's minimum; after the draw, the least that a legal discard leaves"),
    ("knock_deadwood", np.int64, "points: that least deadwood, 32767 where going out is not legal"),
    ("knock_limit", np.int64, "points: the highest deadwood that may knock in this hand (127: any)"),
    ("can_big_gin", np.int64, "1 if all eleven cards are melded and the rules know big gin"),
    ("pickups", np.int64, "cards that I took from the pile in this hand, the upcard included"),
    ("opp_pickups", np.int64, "the same of the opponent"),
    ("my_score", np.int64, "hand points before this hand (0 outside a game)"),
    ("opp_score", np.int64, "the same of the opponent"),
    ("target", np.int64, "points that end the game, 0 outside a game"),
    ("multiplier", np.int64, "2 if this hand is known to count double, else 1"),
    ("ace", np.int64, "runs of the ace: 0 low, 1 high or low, 2 round the corner (Ace)"),
    ("ace_points", np.int64, "deadwood of an ace: 1 or 15"),
    ("gin_bonus", np.int64, "points of the rules"),
    ("undercut_bonus", np.int64, "points of the rules"),
    ("after", _FIFTY_SIX, "points: deadwood left if that card of the eleven is thrown; entries 52 to 55 are spare"),
    ("lanes", _FOUR_SUITS, "the same plus 15 as the engine computes it, sixteen lanes a suit"),
    ("knock_lanes", _FOUR_SUITS, "the same when going out, where that needs so many melded cards"),
)
"""What a player may know: name, type and meaning of each field of a view. ``uint64`` fields are masks of cards."""

CACHE_LINE: Final = 64
"""Bytes that processors load at once; a vector that lies across two lines is slow to load and to store."""


def _on_lines(fields: tuple[tuple[str, Any, str], ...], vectors: tuple[str, ...]) -> np.dtype[np.void]:
    """Make a record of fields one behind the other; those of ``vectors``, and the next record, begin a cache line."""
    offsets, size = [], 0
    for name, kind, _ in fields:
        size += -size % CACHE_LINE if name in vectors else 0
        offsets.append(size)
        size += np.dtype(kind).itemsize
    names, formats = [name for name, _, _ in fields], [kind for _, kind, _ in fields]
    whole = {"names": names, "formats": formats, "offsets": offsets, "itemsize": size + -size % CACHE_LINE}
    return np.dtype((np.record, whole))


VIEW_DTYPE: Final = _on_lines(VIEW_FIELDS, ("lanes", "knock_lanes"))
"""What a player may know. Filled in one place, ``core/view.py``."""

HAND_DTYPE: Final = np.dtype(
    (
        np.record,
        [
            ("deal", np.int64),  # deal number; in a game: game number * 2**20 + hand number
            ("mirror", np.int8),  # 0, or 1: the same cards with the seats exchanged
            ("starter", np.int8),  # player (0 or 1) who plays first, the non-dealer
            ("result", np.int8),  # a code of Result
            ("winner", np.int8),  # player, -1: nobody
            ("knocker", np.int8),  # player who ended the hand, -1: nobody
            ("knocker_deadwood", np.int16),  # points, -1: nobody knocked
            ("defender_deadwood_before", np.int16),  # points before lay-offs, the hand's own minimum
            ("defender_deadwood", np.int16),  # points after lay-offs
            ("layoff_cards", np.int8),  # cards laid off
            ("points_0", np.int16),  # points scored by player 0 in this hand
            ("points_1", np.int16),
            ("knock_limit", np.int16),  # points, -1: going out needs melded cards instead
            ("doubled", np.int8),  # 0 or 1
            ("turns", np.int16),  # completed draws-and-discards, both players; a big gin's draw counts
            ("stock_left", np.int8),  # cards
            ("pickups_0", np.int16),  # cards player 0 took from the pile, the upcard included
            ("pickups_1", np.int16),
            ("upcard_taken_by", np.int8),  # player, -1: nobody took the upcard
            # cutthroat only
            ("sits_out", np.int8),  # player who deals and does not play, -1 in every other form
            ("points_2", np.int16),
            ("pickups_2", np.int16),
        ],
    )
)
"""One row a hand, as the engine writes it (packed, 40 bytes).

In a partnership players are the two sides; hands ``2 r`` and ``2 r + 1`` of a game are tables 0 and 1 of round ``r``.
"""

MOMENT_DTYPE: Final = np.dtype(
    (
        np.record,
        [
            ("deal", np.int64),  # deal number
            ("mirror", np.int8),  # 0, or 1: the same cards with the seats exchanged
            ("player", np.int8),  # who could knock, and plays on
            ("moment", np.int16),  # number of the moment in its hand, from 0
            ("deadwood", np.int16),  # points that the knock would lay down
            ("turn", np.int16),  # completed turns of both players
            ("opp_pickups", np.int16),  # cards that the opponent took from the pile so far
            ("pickups", np.int16),  # the same of the player
            ("stock", np.int8),  # cards left in the stock
            ("knock_limit", np.int16),  # points, -1: going out needs melded cards instead
            ("last", np.int8),  # 1 if the last discard of a dead hand was taken, which allows nothing but going out
            ("answer", np.int8),  # 1 if the player's own decision would knock now
            ("reached", np.int8),  # 1 if it would have knocked at no earlier moment of the hand
            ("points", np.int16),  # net points to the player of knocking now
            ("wait", np.int16),  # net points of playing on and then doing as the own decision says
            ("end", np.int16),  # net points of never knocking short of gin
        ],
    )
)
"""One row a legal knock that a player lets pass, as ``core/fork.py`` writes it (packed, 34 bytes)."""

CUTTHROAT_COLUMNS: Final = ("sits_out", "points_2", "pickups_2")
"""Columns of a hand row that mean something with three players only."""

NULLABLE: Final = (
    "winner", "knocker", "knocker_deadwood", "defender_deadwood_before",
    "defender_deadwood", "layoff_cards", "upcard_taken_by", "knock_limit",
)  # fmt: skip
"""Columns of a hand row in which ``NO_VALUE`` means that there is no value."""

GAME_DTYPE: Final = np.dtype(
    (
        np.record,
        [
            ("game", np.int64),  # number of the game, or of the match or Hollywood sheet that it belongs to
            ("mirror", np.int8),
            ("leg", np.int16),  # game within a match, from 0
            ("column", np.int8),  # column of a Hollywood sheet, 0 to 2; else 0
            ("starter", np.int8),  # player who plays first in the first hand
            ("winner", np.int8),  # player, -1: nobody
            ("margin", np.int32),  # settled points, signed, player 0's view
            ("points_0", np.int32),  # hand points, which count toward the target
            ("points_1", np.int32),
            ("hands", np.int32),  # hands dealt, dead ones included; in Hollywood: until the column closed
            ("hands_won_0", np.int32),  # in Hollywood: entered in the column; in a partnership: rounds
            ("hands_won_1", np.int32),
            ("boxes_0", np.int32),  # points: box bonus x hands won
            ("boxes_1", np.int32),
            ("gins_0", np.int32),  # gins, big gins not counted
            ("gins_1", np.int32),
            ("big_gins_0", np.int32),
            ("big_gins_1", np.int32),
            ("shutout", np.int8),  # 1 if the loser scored no hand points (cutthroat: losers who did not)
            ("total_0", np.int32),  # points with all bonuses, before settlement
            ("total_1", np.int32),
            ("match_winner", np.int8),  # in the last row of a match (or sheet, or lone game): its winner; else -1
            # partnership only
            ("both_won_0", np.int32),  # rounds in which both partners of side 0 won
            ("both_won_1", np.int32),
            # cutthroat only
            ("points_2", np.int32),
            ("hands_won_2", np.int32),
            ("boxes_2", np.int32),
            ("gins_2", np.int32),
            ("big_gins_2", np.int32),
            ("total_2", np.int32),
            ("margin_2", np.int32),  # player 2's view; player 1's is what is missing to a sum of 0
        ],
    )
)
"""One row a game, as the engine writes it; one row a column in Hollywood.

A match is one game number: its games are rows of rising ``leg``, its hands are numbered on from game to game.
"""

GAME_NULLABLE: Final = ("winner", "match_winner")
"""Columns of a game row in which ``NO_VALUE`` means that there is no value."""

HANDS_PER_GAME: Final = 1 << 20
"""Hand k of game (or match) g has deal number ``g * HANDS_PER_GAME + k``."""

MAX_LEGS: Final = 1 << 14
"""Games after which a match is given up."""

COLUMNS: Final = 3
"""Columns of a Hollywood sheet."""

METRICS: Final = (
    "hands", "net", "net_squared", "points_0", "points_1", "won_0", "won_1",
    "knock", "gin", "big_gin", "undercut", "tie", "dead", "stalled",
    "knocks_0", "knocks_1", "gins_0", "gins_1", "undercuts_0", "undercuts_1",
    "nongin_knocks", "layoff_cards", "laid_off_any", "nongin_deadwood",
    "knocker_deadwood", "defender_deadwood",
    "turns", "turns_squared", "stock_left", "pickups_0", "pickups_1", "upcard_0", "upcard_1",
    "starter_net", "starter_won", "knock_limit", "doubled",
    "knock_points", "gin_points", "undercut_points",
)  # fmt: skip
"""Integers taken from every hand and summed over the hands of a unit (a deal, a pair of deals, or a pair of games).

``net`` = points_0 - points_1; ``won_p`` 1 if player p won; ``knock`` .. ``stalled`` indicators of the result, ``tie``
an undercut at equal deadwood; ``knocks_p`` hands that player p ended by an ordinary knock (won or undercut);
``gins_p`` gin or big gin by p; ``undercuts_p`` undercuts won by p; ``nongin_knocks`` = knocks_0 + knocks_1;
``laid_off_any`` 1 if an ordinary knock met at least one lay-off; ``nongin_deadwood`` the knocker's deadwood of
ordinary knocks; ``knocker_deadwood`` / ``defender_deadwood`` (after lay-offs) 0 where nobody went out; ``upcard_p`` 1
if p took the upcard; ``starter_net`` net points seen from the starter; ``knock_points`` / ``gin_points`` /
``undercut_points`` the winner's points in hands of that result (gin without big gin).
"""

GAME_METRICS: Final = (
    "games", "game_won_0", "game_won_1", "margin", "shutout", "game_points_0", "game_points_1",
    "legs", "matches", "match_won_0", "match_won_1",
    "game_won_2", "match_won_2", "game_points_2", "margin_2",
)  # fmt: skip
"""Further integers of a unit in a run of games.

``games`` counts game rows (columns in Hollywood), ``legs`` games dealt (sheets in Hollywood), ``matches`` matches: 1
or 2 a unit. The last four are of the third player in cutthroat.
"""

CELL_SHAPE: Final = (16, 64, 8)
"""Histogram of ordinary knocks and gins: knocker's deadwood x turns x defender's pick-ups, the last bin open-ended."""

CELL_FIELDS: Final = ("hands", "undercut", "points", "points_squared")
"""Integers summed in a cell; points are the knocker's net points of the hand."""

FORK_GRID: Final = (
    ("deadwood", 16), ("turn", 64), ("opp_pickups", 8), ("pickups", 8), ("stock", 33), ("knock_limit", 12),
)  # fmt: skip
"""Columns of ``MOMENT_DTYPE`` by which moments are summed, and how many bins of width 1 each has; the last is open.

The bins of ``knock_limit`` begin at -1, where going out needs melded cards.
"""

FORK_FIELDS: Final = (
    "deals", "moments", "points", "wait", "difference_squared", "moments_squared", "moments_difference",
)  # fmt: skip
"""Integers of a cell of moments: ``points`` and ``wait`` summed over moments, the rest over deals.

A deal's difference is the sum of points - wait over its moments in the cell.
"""
