"""``rollout``: looks ahead in hands that agree with what was seen, and plays what turns out best.

Determinised Monte Carlo: the opponent's hand is guessed again and again (``sample.py``), every candidate is tried
against the same guesses and the same stock, and ``expert`` plays both sides for a few turns, after which its network
says what is to be expected (``playout.py``). The average over the guesses, together with what the network says of each
candidate from the start, decides. Determinised search in card games: Ginsberg, "GIB: imperfect information in a
computationally challenging game", JAIR 14, 2001; play-outs that are cut and valued by a network: Tesauro and Galperin,
"On-line policy improvement using Monte-Carlo search", NIPS 1996.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gincore._jit import kernel
from gincore.core import view as views
from gincore.core.bits import ZERO, bit
from gincore.schema import Phase
from gincore.strategies import expert, network, playout, sample
from gincore.strategies.base import Strategy, decision

UPCARD, LAST = int(Phase.upcard), int(Phase.last)

PARAMS: Final = {"samples": 32.0, "turns": 1.0, "candidates": 4.0, "trust": 8.0}
"""Guesses a decision; turns before a play-out is cut; discards that are tried; guesses that the network's word is
worth."""
BOUNDS: Final = {"samples": (1.0, 10_000.0), "turns": (0.0, 1_000.0), "candidates": (1.0, 11.0), "trust": (0.0, 1e6)}
NAMED = len(PARAMS)

MOST = 11
CHOICE_DTYPE = np.dtype(
    (
        np.record,
        [
            ("space", playout.SPACE_DTYPE),
            ("cards", np.int64, (MOST,)),  # candidates
            ("prior", np.float64, (MOST,)),  # points that the network expects of each
            ("sums", np.float64, (MOST,)),  # points over all guesses
        ],
    ),
    align=True,
)
"""What a decision works in."""


@kernel
def choose(view, params, weights, choice):
    """Fill the candidates: the discards of which the network expects most; returns how many there are."""
    legal = view.legal
    most = min(np.int64(params[2]), MOST)
    n = 0
    while n < most and legal != ZERO:
        net = choice.space.net
        points = expert.best_throw(view, weights, view.hand, view.pile, legal, view.pickups, net)
        choice.cards[n] = net.card
        choice.prior[n] = points
        choice.sums[n] = 0.0
        legal ^= bit(net.card)
        n += 1
    return n


@kernel
def word_of(prior, total, params):
    """Points to expect: what the guesses say, and the network's word as so many more of them."""
    return (params[3] * playout.AGREEMENT * prior + total) / (params[3] + np.floor(params[0]))


@kernel
def throw_by_rollout(view, params, choice):
    """The discard that is best over all guesses."""
    weights = params[NAMED:]
    n = choose(view, params, weights, choice)
    if n == 1:
        return choice.cards[0]
    space, turns = choice.space, np.int64(params[1])
    mine, theirs = space.mine, space.theirs
    playout.prepare(view, space)
    for number in range(np.int64(params[0])):
        sample.move_on(view, sample.THIN, space.guess)
        for i in range(n):
            playout.set_out(view, number, space)
            playout.pass_on(mine, theirs, choice.cards[i])
            choice.sums[i] -= playout.go_on(theirs, mine, turns, weights, space)
    best = 0
    for i in range(1, n):
        if word_of(choice.prior[i], choice.sums[i], params) > word_of(choice.prior[best], choice.sums[best], params):
            best = i
    return choice.cards[best]


@kernel
def knock_by_guesses(view, params, choice):
    """Whether going out now is worth more than throwing the card that the network would throw; the answer."""
    weights = params[NAMED:]
    space, turns = choice.space, np.int64(params[1])
    net, mine, theirs = space.net, space.mine, space.theirs
    wait = expert.best_throw(view, weights, view.hand, view.pile, view.legal, view.pickups, net)
    thrown = net.card
    now = expert.best_knock(view, weights, view.hand, view.pile, view.knock_least, view.knock_deadwood, net)
    card = net.knock_card
    if view.knock_deadwood == 0:
        return 2 + card
    out, on = 0.0, 0.0
    playout.prepare(view, space)
    for number in range(np.int64(params[0])):
        sample.move_on(view, sample.THIN, space.guess)
        playout.set_out(view, number, space)
        out += playout.settled(mine, theirs, card, view.knock_deadwood, space)
        if view.phase != LAST:  # otherwise the hand is dead
            playout.pass_on(mine, theirs, thrown)
            on -= playout.go_on(theirs, mine, turns, weights, space)
    waiting = 0.0 if view.phase == LAST else word_of(wait, on, params)
    return 2 + card if word_of(now / playout.AGREEMENT, out, params) > waiting else np.int64(0)


@kernel
def own_turn(mine, theirs, turns, weights, space):
    """Net points to the owner of ``mine``, who has drawn."""
    ended, points = playout.throw(mine, theirs, weights, space)
    return points if ended else -playout.go_on(theirs, mine, turns, weights, space)


@kernel
def leaving(mine, theirs, turns, weights, space):
    """Net points of leaving the top card."""
    phase, seat = mine.phase, mine.seat
    views.left(mine, theirs)
    if phase == UPCARD:
        if seat == 0 and not playout.offered(theirs, mine, network.OFFERED_SECOND, weights, space):
            phase = Phase.draw
        elif seat == 1:
            playout.from_stock(theirs, mine, space)
    if phase != UPCARD:
        playout.from_stock(mine, theirs, space)
        return own_turn(mine, theirs, turns, weights, space)
    return -own_turn(theirs, mine, max(turns - 1, 0), weights, space)


@kernel
def draw_by_guesses(view, params, choice):
    """Whether the top card is worth more than leaving it."""
    weights = params[NAMED:]
    space, turns = choice.space, np.int64(params[1])
    net, mine, theirs = space.net, space.mine, space.theirs
    take = expert.taken(view, weights, net)
    if take == expert.NOTHING:
        return np.int64(0)
    leave = expert.held(view, weights, expert.left_head(view.phase, view.seat), net)
    yes, no = 0.0, 0.0
    playout.prepare(view, space)
    for number in range(np.int64(params[0])):
        sample.move_on(view, sample.THIN, space.guess)
        playout.set_out(view, number, space)
        views.took(mine, theirs, mine.top)
        yes += own_turn(mine, theirs, turns, weights, space)
        playout.set_out(view, number, space)
        no += leaving(mine, theirs, turns, weights, space)
    return np.int64(word_of(take, yes, params) > word_of(leave, no, params))


@decision
def draw_by_rollout(view: Any, params: Any) -> Any:
    """Take the top card if that is worth more in the hands that the opponent may hold."""
    return draw_by_guesses(view, params, np.empty(1, CHOICE_DTYPE)[0])


@decision
def discard_by_rollout(view: Any, params: Any) -> Any:
    """Throw the candidate that is best against the hands that the opponent may hold."""
    return throw_by_rollout(view, params, np.empty(1, CHOICE_DTYPE)[0])


@decision
def knock_by_rollout(view: Any, params: Any) -> Any:
    """Go out with gin, and where it is worth more than playing on against the hands that the opponent may hold."""
    if view.can_big_gin:
        return np.int64(1)
    return knock_by_guesses(view, params, np.empty(1, CHOICE_DTYPE)[0])


def by_rollout(name: str, weights: NDArray[np.float64]) -> Strategy:
    """A strategy that looks ahead with a network."""
    return Strategy(
        name,
        draw=draw_by_rollout,
        discard=discard_by_rollout,
        knock=knock_by_rollout,
        params=PARAMS,
        bounds=BOUNDS,
        table=weights,
    )
