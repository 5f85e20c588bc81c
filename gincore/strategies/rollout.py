"""``rollout``: looks ahead in hands that agree with what was seen, and plays what turns out best.

Determinised Monte Carlo: the opponent's hand is guessed again and again (``sample.py``), every candidate is tried
against the same guesses and the same stock, and ``expert`` plays both sides for a few turns, after which its network
says what is to be expected (``playout.py``). The average over the guesses, together with what the network said of each
candidate from the start, decides; a candidate that falls clearly behind is tried no more. Determinised search in card
games: Ginsberg, "GIB: imperfect information in a computationally challenging game", JAIR 14, 2001; play-outs that are
cut and valued by a network: Tesauro and Galperin, "On-line policy improvement using Monte-Carlo search", NIPS 1996;
racing: Maron and Moore, "Hoeffding races", NIPS 1993.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gincore._jit import kernel
from gincore.core import view as views
from gincore.core.bits import ZERO, bit
from gincore.schema import Phase
from gincore.strategies import expert, network, playout
from gincore.strategies.base import Strategy
from gincore.strategies.choose import allowed
from gincore.strategies.decisions import decision
from gincore.strategies.entry import Entry, Parameter
from gincore.strategies.worth import usual_chances

UPCARD, LAST = int(Phase.upcard), int(Phase.last)

PARAMETERS: Final = (
    Parameter("samples", 32, 1, 100_000, "most guesses of the hidden hand that a decision makes: the budget"),
    Parameter("turns", 2, 0, 1_000, "turns that are played before the network says what is to be expected"),
    Parameter("candidates", 4, 1, 11, "discards that are tried"),
    Parameter("trust", 64, 0, 1e6, "guesses that the network's own word on a candidate is worth"),
    Parameter("plain", 0.5, 0, 1, "share of players who play as simple, before anything was seen"),
    Parameter("doubt", 2, 0, 1e6, "standard errors by which a candidate must be behind to be given up"),
)
SAMPLES, TURNS, CANDIDATES, TRUST, PLAIN, DOUBT = range(len(PARAMETERS))
NAMED = len(PARAMETERS)

MOST = 11
PAIR = np.int64(2)  # not a literal
ROUND = 16
"""Guesses between two looks at who is behind."""
TINY = 1e-9
SPREAD = 20.0
"""Standard deviation of the difference of two candidates in one guess, before any was tried; points."""
OUT, TAKE, LEAVE = 52, 104, 105
"""Candidates: a card to throw, OUT + a card to go out with, the two answers to the top card."""

RACE_DTYPE = np.dtype(
    (
        np.record,
        [
            ("space", playout.SPACE_DTYPE),
            ("moves", np.int64, (MOST,)),  # candidates
            ("word", np.float64, (MOST,)),  # points that the network expects of each
            ("runs", np.int64, (MOST,)),  # 1 while it is tried
            ("points", np.float64, (MOST,)),  # in this guess
            ("sums", np.float64, (MOST,)),  # over all guesses
            ("products", np.float64, (MOST, MOST)),  # of the points of two candidates, over all guesses
        ],
    ),
    align=True,
)
"""What a decision works in."""


@kernel
def enter(race, place, move, word):
    """Enter a candidate, with the points that the network expects of it."""
    race.moves[place] = move
    race.word[place] = playout.AGREEMENT * word
    race.runs[place] = 1
    race.sums[place] = 0.0
    race.products[place, :] = 0.0


@kernel
def enter_throws(view, weights, most, race):
    """Enter the discards that the network likes best, of those it may choose from; returns how many there are."""
    legal, net = allowed(view), race.space.net
    place = 0
    while place < most and legal != ZERO:
        expert.best_throw(view, weights, view.hand, view.pile, legal, view.pickups, net)
        card = net.card
        points = expert.best_throw(view, weights, view.hand, view.pile, bit(card), view.pickups, net)
        enter(race, place, card, points - network.prior(weights, net))
        legal ^= bit(card)
        place += 1
    return place


@kernel
def own_turn(mine, theirs, turns, weights, space):
    """Net points to the owner of ``mine``, who has drawn."""
    ended, points = playout.throw(mine, theirs, weights, space)
    return points if ended else -playout.go_on(theirs, mine, turns, weights, space)


@kernel
def leaving(mine, theirs, turns, weights, space):
    """Net points of leaving the top card."""
    upcard, seat = mine.phase == UPCARD, mine.seat
    views.left(mine, theirs)
    if upcard and seat == 0:
        upcard = playout.offered(theirs, mine, network.OFFERED_SECOND, weights, space)
    elif upcard:
        playout.from_stock(theirs, mine, space)
    if upcard:  # the opponent has drawn
        return -own_turn(theirs, mine, max(turns - 1, 0), weights, space)
    playout.from_stock(mine, theirs, space)
    return own_turn(mine, theirs, turns, weights, space)


@kernel
def trial(view, move, number, params, weights, space):
    """Net points of a candidate in one guess."""
    mine, theirs, turns = space.mine, space.theirs, np.int64(params[TURNS])
    playout.set_out(view, number, space)
    if move == TAKE:
        views.took(mine, theirs, mine.top)
        return own_turn(mine, theirs, turns, weights, space)
    if move == LEAVE:
        return leaving(mine, theirs, turns, weights, space)
    if move >= OUT:
        return playout.settled(mine, theirs, move - OUT, view.knock_deadwood, weights, space)
    if view.phase == LAST:
        return 0.0  # the hand is dead
    playout.pass_on(mine, theirs, move)
    return -playout.go_on(theirs, mine, turns, weights, space)


@kernel
def note(n, race):
    """Add up what the candidates scored in a guess."""
    for i in range(n):
        race.sums[i] += race.points[i]
        for j in range(i + 1):
            race.products[i, j] += race.points[i] * race.points[j]


@kernel
def standing(i, tried, params, race):
    """Points to expect of a candidate: what the guesses say, and the network's word as so many more of them."""
    return (params[TRUST] * race.word[i] + race.sums[i]) / (params[TRUST] + tried + TINY)


@kernel
def spread(i, j, tried, race):
    """Standard deviation of the difference of two candidates in one guess."""
    if tried < 2:
        return SPREAD
    i, j = max(i, j), min(i, j)
    squares = race.products[i, i] + race.products[j, j] - 2.0 * race.products[i, j]
    mean = (race.sums[i] - race.sums[j]) / tried
    return np.sqrt(max(squares / tried - mean * mean, 1.0))


@kernel
def leader(n, tried, params, race):
    """The candidate still tried of which most is to be expected."""
    best, most = 0, expert.NOTHING
    for i in range(n):
        if race.runs[i] == 1 and standing(i, tried, params, race) > most:
            best, most = i, standing(i, tried, params, race)
    return best


@kernel
def give_up(n, tried, params, race):
    """Try those no more that are clearly behind; returns how many go on."""
    first = leader(n, tried, params, race)
    most = standing(first, tried, params, race)
    left = 1
    for i in range(n):
        if race.runs[i] == 1 and i != first:
            error = spread(i, first, tried, race) / np.sqrt(params[TRUST] + tried + TINY)
            if most - standing(i, tried, params, race) > params[DOUBT] * error:
                race.runs[i] = 0
            else:
                left += 1
    return left


@kernel
def winner(view, n, params, race):
    """Try ``n`` candidates against the same guesses; returns the best move."""
    weights, space = params[NAMED:], race.space
    samples = np.int64(params[SAMPLES])
    tried = np.int64(0)  # not a literal, for which kernels would be compiled once more
    if give_up(n, tried, params, race) > 1:
        playout.prepare(view, params[PLAIN], space)
        while tried < samples:
            playout.guess_on(view, tried, space)
            for i in range(n):
                if race.runs[i] == 1:
                    race.points[i] = trial(view, race.moves[i], tried, params, weights, space)
            note(n, race)
            tried += 1
            if tried % ROUND == 0 and give_up(n, tried, params, race) == 1:
                break
    return race.moves[leader(n, tried, params, race)]


@decision
def draw_by_rollout(view: Any, params: Any) -> Any:
    """Take the top card if that is worth more in the hands that the opponent may hold."""
    race = np.empty(1, RACE_DTYPE)[0]
    weights, net = params[NAMED:], race.space.net
    take = expert.taken(view, weights, net)
    if take == expert.NOTHING:
        return np.int64(0)
    enter(race, 0, TAKE, take)
    enter(race, 1, LEAVE, expert.held(view, weights, expert.left_head(view.phase, view.seat), net))
    return np.int64(winner(view, PAIR, params, race) == TAKE)


@decision
def discard_by_rollout(view: Any, params: Any) -> Any:
    """Throw the card that is best against the hands that the opponent may hold."""
    race = np.empty(1, RACE_DTYPE)[0]
    n = enter_throws(view, params[NAMED:], min(np.int64(params[CANDIDATES]), MOST), race)
    return winner(view, n, params, race)


@decision
def knock_by_rollout(view: Any, params: Any) -> Any:
    """Go out with gin, and where that is worth more than to play on against the hands that the opponent may hold."""
    if view.can_big_gin:
        return np.int64(1)
    race = np.empty(1, RACE_DTYPE)[0]
    weights, net = params[NAMED:], race.space.net
    wait = expert.best_throw(view, weights, view.hand, view.pile, view.legal, view.pickups, net)
    enter(race, 0, net.card, 0.0 if view.phase == LAST else wait)
    now = expert.best_knock(view, weights, view.hand, view.pile, view.knock_least, view.knock_deadwood, net)
    card = net.knock_card
    if view.knock_deadwood == 0:
        return 2 + card
    enter(race, 1, OUT + card, now / playout.AGREEMENT)
    return 2 + card if winner(view, PAIR, params, race) >= OUT else np.int64(0)


ROLLOUT: Final = (
    Entry("draw", "rollout", draw_by_rollout, PARAMETERS),
    Entry("discard", "rollout", discard_by_rollout, PARAMETERS),
    Entry("knock", "rollout", knock_by_rollout, PARAMETERS),
)
"""The three decisions, which need the table of one strategy and so stand in no list to compose from."""


def by_rollout(name: str, weights: NDArray[np.float64]) -> Strategy:
    """A strategy that looks ahead with a network."""
    return Strategy(
        name,
        draw=draw_by_rollout,
        discard=discard_by_rollout,
        knock=knock_by_rollout,
        params={each.name: each.default for each in PARAMETERS},
        bounds={each.name: (each.low, each.high) for each in PARAMETERS},
        table=np.concatenate([weights, usual_chances().ravel()]),
    )
