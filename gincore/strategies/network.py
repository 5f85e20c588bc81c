"""The network of ``expert``: what a hand is worth, in points, from local patterns of cards.

A position is cut into small patterns, each of which is a row of a table of embeddings: four neighbouring cards of a
suit (each unknown, mine, thrown by me, thrown by the opponent, or taken by the opponent), the four cards of a rank, and
a few numbers (deadwood, cards in no meld, live outs, stock, turn, pick-ups, terms of the rules, score). The rows are
added up (width ``WIDTH``), and a small dense layer per question gives what the hand is worth: outside a game the
expected net points; in a game the change of the chance to win it, in points (``worth.py``). Sums of pattern
tables are how the strongest programs for 2048 evaluate (n-tuple networks: Szubert and Jaśkowski, "Temporal difference
learning of n-tuple networks for the game 2048", CIG 2014); adding and subtracting the rows that a move changes, in
place of summing anew, is how chess programs do it (NNUE: Nasu 2018).
"""

from __future__ import annotations

from typing import Final

import numpy as np

from gincore._jit import kernel
from gincore.core.bits import ACES, SUIT_BITS, count
from gincore.core.deadwood import least
from gincore.core.tables import block as table_block
from gincore.core.tables import card_block
from gincore.strategies.danger import danger
from gincore.strategies.lookahead import total_after_draw
from gincore.strategies.unseen import DECK

WIDTH: Final = 32
"""Length of an embedding."""
INNER: Final = 16
"""Units of a head's dense layer."""
SCALE: Final = 25.0
"""Points for an output of 1."""

AFTER, STOCK, KNOCK, OFFERED_FIRST, OFFERED_SECOND = range(5)
HEADS: Final = 5
"""Questions: the hand after my discard; before drawing from the stock; if I go out now; having left the upcard as the
first or as the second player."""

DANGER_WEIGHT, TAKEN_WEIGHT, REFUSED_WEIGHT = 0.25, 4.0, 0.3
"""How the danger of a card counts what the opponent took and refused; see ``danger.danger``."""

WINDOWS: Final = 10
"""Places of four neighbouring ranks in a suit; the suits share their rows."""
_WINDOW_CODES: Final = 5**4
_DIGITS = np.arange(_WINDOW_CODES)[:, None] // 5 ** np.arange(4) % 5
_POSSIBLE = _DIGITS.sum(axis=1) <= 4
RANK_CODES: Final = int(_POSSIBLE.sum())
RANK_CODE = np.where(_POSSIBLE, np.cumsum(_POSSIBLE) - 1, 0)
"""Number of a rank's state by its cards mine + 5 x thrown by me + 25 x thrown by the opponent + 125 x taken."""

# Rows of the embeddings.
RANKS_AT = WINDOWS * _WINDOW_CODES
DEADWOOD_AT = RANKS_AT + 13 * RANK_CODES  # cards in no meld x deadwood
OUTS_AT = DEADWOOD_AT + 11 * 80  # cards in no meld x live outs
TEMPO_AT = OUTS_AT + 11 * 24  # deadwood / 2 x stock
STOCK_AT = TEMPO_AT + 24 * 32
OPPONENT_AT = STOCK_AT + 32  # opponent's pick-ups x turn / 2
PICKUPS_AT = OPPONENT_AT + 8 * 24
LIMIT_AT = PICKUPS_AT + 8
GIN_AT = LIMIT_AT + 12
UNDERCUT_AT = GIN_AT + 12
SCORE_AT = UNDERCUT_AT + 12  # tens of points that I need to the target x tens that the opponent needs; last: no game
NO_GAME = 100
AHEAD_AT = SCORE_AT + NO_GAME + 1  # deadwood to be expected after the next draw x stock / 4
DANGER_AT = AHEAD_AT + 64 * 8  # twice the danger of the card that is thrown
HEAD_AT = DANGER_AT + 24
ROWS = HEAD_AT + HEADS

# Slots: the rows that a position adds up.
RANK_SLOT = 4 * WINDOWS
TABLE_SLOT = RANK_SLOT + 13
OWN_SLOT = TABLE_SLOT + 7
HEAD_SLOT = OWN_SLOT + 5
SLOTS = HEAD_SLOT + 1

EMBEDDINGS = ROWS * WIDTH
HEAD_SIZE = WIDTH * INNER + 2 * INNER + 3
PRIOR_AT = EMBEDDINGS + HEADS * HEAD_SIZE
SIZE: Final = PRIOR_AT + 1
"""Length of a network's table of weights: the embeddings; each head's matrix, biases, output weights, bias, and what a
point of expected deadwood and a unit of danger count for by themselves; last what a point of ``prior`` counts for."""

SCRATCH_DTYPE = np.dtype(
    (
        np.record,
        [
            ("slots", np.int64, (SLOTS + 1,)),
            ("ranks", np.int64, (16,)),  # state of each rank, as RANK_CODE reads it
            ("whole", np.float64, (WIDTH,)),  # sum of the rows of the eleven (or ten) cards
            ("moved", np.float64, (WIDTH,)),  # the same after a discard
            ("active", np.float64, (WIDTH,)),
            ("inner", np.float64, (INNER,)),
            ("ahead", np.float64),  # points of deadwood to be expected after the next draw
            ("danger", np.float64),  # of the card that is thrown
            ("card", np.int64),  # best discard
            ("knock_card", np.int64),  # best discard to go out with
        ],
    ),
    align=True,
)
"""What a decision works in."""

_ALL = (1 << 52) - 1
_BOTTOM = int(ACES)
_FROM_2, _FROM_3 = np.uint64(_ALL & ~_BOTTOM), np.uint64(_ALL & ~(_BOTTOM * 3))
_TO_Q, _TO_J = np.uint64(_ALL & ~(_BOTTOM << 12)), np.uint64(_ALL & ~(_BOTTOM * 3 << 11))
_1, _2, _13, _26, _39 = (np.uint64(places) for places in (1, 2, 13, 26, 39))


@kernel
def live_outs(hand, gone):
    """Cards, not among ``gone``, that would make or extend a meld of the hand (ace low)."""
    up_1, up_2 = (hand << _1) & _FROM_2, (hand << _2) & _FROM_3
    down_1, down_2 = (hand >> _1) & _TO_Q, (hand >> _2) & _TO_J
    runs = (up_1 & up_2) | (up_1 & down_1) | (down_1 & down_2)
    c, d, h, s = hand & SUIT_BITS, (hand >> _13) & SUIT_BITS, (hand >> _26) & SUIT_BITS, (hand >> _39) & SUIT_BITS
    pairs = (c & d) | (c & h) | (c & s) | (d & h) | (d & s) | (h & s)
    sets = pairs | pairs << _13 | pairs << _26 | pairs << _39
    return (runs | sets) & ~hand & ~gone


@kernel
def set_patterns(mine, own_pile, opp_pile, taken, scratch):
    """Fill the slots of windows and ranks from masks: my cards, the pile by who threw, what the opponent took."""
    slots, ranks = scratch.slots, scratch.ranks
    one = np.uint64(1)
    for rank in range(13):
        ranks[rank] = 0
    for suit in range(4):
        code = 0
        for rank in range(13):
            place = np.uint64(13 * suit + rank)
            m = np.int64((mine >> place) & one)
            p = np.int64((own_pile >> place) & one)
            q = np.int64((opp_pile >> place) & one)
            t = np.int64((taken >> place) & one)
            ranks[rank] += m + 5 * p + 25 * q + 125 * t
            code = code // 5 + 125 * (m + 2 * p + 3 * q + 4 * t)
            if rank >= 3:
                slots[suit * WINDOWS + rank - 3] = (rank - 3) * _WINDOW_CODES + code
    for rank in range(13):
        slots[RANK_SLOT + rank] = RANKS_AT + rank * RANK_CODES + RANK_CODE[ranks[rank]]


@kernel
def score_state(view):
    """Which state of the game's score it is, 0 to 99 by what both need; ``NO_GAME`` outside a game."""
    if view.target <= 0:
        return NO_GAME
    mine = max(min((view.target - view.my_score - 1) // 10, 9), 0)
    theirs = max(min((view.target - view.opp_score - 1) // 10, 9), 0)
    return 10 * mine + theirs


@kernel
def set_table_terms(view, pickups, scratch):
    """Fill the slots of what is the same for every discard."""
    slots = scratch.slots
    slots[TABLE_SLOT] = STOCK_AT + min(view.stock, 31)
    slots[TABLE_SLOT + 1] = OPPONENT_AT + min(view.opp_pickups, 7) * 24 + min(view.turn // 2, 23)
    slots[TABLE_SLOT + 2] = PICKUPS_AT + min(pickups, 7)
    slots[TABLE_SLOT + 3] = LIMIT_AT + min(view.knock_limit, 11)
    slots[TABLE_SLOT + 4] = GIN_AT + min(view.gin_bonus // 5, 11)
    slots[TABLE_SLOT + 5] = UNDERCUT_AT + min(view.undercut_bonus // 5, 11)
    slots[TABLE_SLOT + 6] = SCORE_AT + score_state(view)


@kernel
def look_ahead(hand, gone, card, view, scratch):
    """Set what is to be expected of the ten cards after the next draw, and the danger of a card thrown (-1: none)."""
    hopes = DECK & ~(hand | gone)
    total = total_after_draw(hand, hopes, table_block(view.ace, view.ace_points), view.ace_points)
    scratch.ahead = total / max(count(hopes), 1)
    scratch.danger = 0.0 if card < 0 else danger(view, card, TAKEN_WEIGHT, REFUSED_WEIGHT)


@kernel
def prior(weights, scratch):
    """Points against a discard before the network is asked: expected deadwood and danger, as ``patient`` weighs them.

    The values of two discards often differ by less than the network errs, so it only corrects what is known to be good.
    """
    return weights[PRIOR_AT] * (scratch.ahead + DANGER_WEIGHT * scratch.danger)


@kernel
def set_own_terms(hand, deadwood, gone, view, scratch):
    """Fill the slots of what the ten cards held are worth by themselves, looking ahead included."""
    loose = least(hand, card_block(view.ace))
    slots = scratch.slots
    slots[OWN_SLOT] = DEADWOOD_AT + 80 * loose + min(deadwood, 79)
    slots[OWN_SLOT + 1] = OUTS_AT + 24 * loose + min(count(live_outs(hand, gone)), 23)
    slots[OWN_SLOT + 2] = TEMPO_AT + 32 * min(deadwood // 2, 23) + min(view.stock, 31)
    slots[OWN_SLOT + 3] = AHEAD_AT + 8 * min(np.int64(scratch.ahead), 63) + min(view.stock // 4, 7)
    slots[OWN_SLOT + 4] = DANGER_AT + min(np.int64(2.0 * scratch.danger), 23)


@kernel
def embeddings(weights):
    """The rows of a network's weights, shape (ROWS, WIDTH)."""
    return weights[:EMBEDDINGS].reshape((ROWS, WIDTH))


@kernel
def prepare(view, rows, mine, pile, pickups, scratch):
    """Sum the rows of a position but those of its own terms and the head; returns the cards that cannot be drawn."""
    opp_pile = pile & view.opp_threw
    taken = view.opp_took & ~pile & ~mine
    set_patterns(mine, pile & ~opp_pile, opp_pile, taken, scratch)
    set_table_terms(view, pickups, scratch)
    whole = scratch.whole
    whole[:] = 0.0
    for slot in range(OWN_SLOT):
        row = scratch.slots[slot]
        for k in range(WIDTH):
            whole[k] += rows[row, k]
    return pile | taken


@kernel
def after_throw(rows, card, scratch):
    """Set ``scratch.moved``: the sum after ``card`` has gone from my hand to the pile."""
    suit = card // 13
    rank = card - 13 * suit
    whole, moved, slots = scratch.whole, scratch.moved, scratch.slots
    old = slots[RANK_SLOT + rank]
    new = RANKS_AT + rank * RANK_CODES + RANK_CODE[scratch.ranks[rank] + 4]
    for k in range(WIDTH):
        moved[k] = whole[k] + rows[new, k] - rows[old, k]
    step = 1
    for window in range(rank, max(rank - 4, -1), -1):
        if window < WINDOWS:
            old = slots[suit * WINDOWS + window]
            new = old + step
            for k in range(WIDTH):
                moved[k] += rows[new, k] - rows[old, k]
        step *= 5


@kernel
def value(weights, rows, head, total, scratch):
    """Points that a head expects; ``total`` is the sum that lacks the rows of the own terms and the head."""
    slots, active, inner = scratch.slots, scratch.active, scratch.inner
    one, two, three, four = slots[OWN_SLOT], slots[OWN_SLOT + 1], slots[OWN_SLOT + 2], slots[OWN_SLOT + 3]
    five, six = slots[OWN_SLOT + 4], HEAD_AT + head
    for k in range(WIDTH):
        own = rows[one, k] + rows[two, k] + rows[three, k] + rows[four, k] + rows[five, k] + rows[six, k]
        active[k] = max(total[k] + own, 0.0)
    start = EMBEDDINGS + head * HEAD_SIZE
    matrix = weights[start : start + WIDTH * INNER].reshape((WIDTH, INNER))
    tail = weights[start + WIDTH * INNER : start + HEAD_SIZE]
    for j in range(INNER):
        inner[j] = tail[j]
    for k in range(WIDTH):
        amount = active[k]
        if amount > 0.0:
            for j in range(INNER):
                inner[j] += matrix[k, j] * amount
    output = tail[2 * INNER]
    for j in range(INNER):
        output += max(inner[j], 0.0) * tail[INNER + j]
    return output * SCALE + tail[2 * INNER + 1] * scratch.ahead + tail[2 * INNER + 2] * scratch.danger
