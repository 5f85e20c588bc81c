"""One hand of a lesson: seats that learn decide by the network, explore now and then, and keep a trace.

The other seats are played by strategies, as in ``core/play.py``. What a hand's knock would have scored is looked up at
each chance, taken or not: the hidden cards are a fair draw from what the learner cannot see.
"""

from __future__ import annotations

import numpy as np

from gincore._jit import kernel
from gincore.core import hand, rng, view
from gincore.core.bits import ZERO, bit, pick
from gincore.core.decide import DISCARD as ASK_DISCARD
from gincore.core.decide import KNOCK as ASK_KNOCK
from gincore.core.decide import ask
from gincore.lessons.step import learn
from gincore.lessons.trace import remember, remember_thrown
from gincore.schema import Phase
from gincore.strategies import expert, network
from gincore.strategies.worth import TARGET, worth

UPCARD, DRAW, DISCARD, KNOCK_PHASE = (
    np.int64(Phase.upcard), np.int64(Phase.draw), np.int64(Phase.discard), np.int64(Phase.knock),
)  # fmt: skip
_KNOCK_WORD, _THROW_WORD = np.uint64(7), np.uint64(3)
_EVEN, _SIX, _SCORES = np.uint64(1), np.uint64(6), np.uint64(TARGET)
_CHOICE = np.uint64(9)
"""Purpose of the words that choose the opponent and the rules of a hand."""


@kernel
def chance(word):
    """A number of [0, 1) from a random word."""
    return np.float64(rng.mix(word) >> np.uint64(11)) * 2.0**-53


@kernel
def net_of(row, seat):
    """Net points of a seat from a row that was settled with seat 0 as player 0."""
    points = np.int64(row.points_0) - np.int64(row.points_1)
    return np.float64(points if seat == 0 else -points)


@kernel
def knock_points(state, mine, theirs, card, rules, aside, row, out):
    """Net points to the owner of ``mine`` of going out now throwing ``card``; nothing but ``aside`` is changed."""
    aside[0] = mine
    aside[0].hand ^= bit(card)
    aside[0].deadwood = mine.after[card]
    hand.settle(state, aside[0], theirs, rules, False, 0, row, out)
    return net_of(row, mine.seat)


@kernel
def _draw(mine, weights, explore, trace, n, scratch):
    """Whether a learner takes the top card, and the new length of its trace."""
    head = expert.left_head(mine.phase, mine.seat)
    take = expert.taken(mine, weights, scratch)
    leave = expert.held(mine, weights, head, scratch)
    yes = take > leave
    if chance(mine.random) < explore:
        yes = mine.random & _EVEN == ZERO
    if n > 0:
        trace[n - 1].target = max(take, leave)
    if not yes:
        n = remember(trace, n, scratch, head, 1, 0.0)
    return yes, n


@kernel
def _throw(state, mine, theirs, rules, weights, explore, trace, n, scratch, aside, row, out, table):
    """What a learner throws: knocked, the card, the net points if knocked, and the new length of its trace."""
    best = expert.best_throw(mine, weights, mine.hand, mine.pile, mine.legal, mine.pickups, scratch)
    card = scratch.card
    knocked, net = False, 0.0
    if mine.knocks != ZERO:
        out_now = expert.best_knock(mine, weights, mine.hand, mine.pile, mine.knock_least, mine.knock_deadwood, scratch)
        knocked = mine.knock_deadwood == 0 or out_now > best
        best = out_now if knocked else best
        net = knock_points(state, mine, theirs, scratch.knock_card, rules, aside, row, out)
        if n > 0:
            trace[n - 1].target = best
        label = worth(net, mine, table)
        n = remember_thrown(trace, n, mine, scratch.knock_card, network.KNOCK, 0, label, scratch)
        if mine.knock_deadwood > 0 and chance(mine.random + _KNOCK_WORD) < explore:
            knocked = not knocked
    elif n > 0:
        trace[n - 1].target = best
    if not knocked:
        if chance(mine.random + _THROW_WORD) < explore:
            card = pick(mine.least if mine.random & _EVEN == ZERO else mine.legal, mine.random)
        n = remember_thrown(trace, n, mine, card, network.AFTER, 1, 0.0, scratch)
    return knocked, card, net, n


@kernel
def _asked_throw(state, mine, theirs, big, players, rules, aside, row, out):
    """What a strategy throws: knocked, the card, the net points if knocked."""
    if mine.knocks != ZERO or big != 0:
        view.ask(mine, KNOCK_PHASE, state.turn, state.seat_key[mine.seat])
        reply = ask(players, 3 * mine.seat + ASK_KNOCK, mine)
        if big != 0 and reply == 1:
            hand.settle(state, mine, theirs, rules, True, 0, row, out)
            return True, np.int64(-1), net_of(row, mine.seat)
        if reply != 0:
            card = hand.knock_card(mine, reply)
            return True, card, knock_points(state, mine, theirs, card, rules, aside, row, out)
    view.ask(mine, DISCARD, state.turn, state.seat_key[mine.seat])
    return False, ask(players, 3 * mine.seat + ASK_DISCARD, mine), 0.0


@kernel
def _offered(state, mine, phase, players, learns, weights, explore, traces, lengths, scratch):
    """Whether the owner of ``mine`` takes the top card."""
    seat = mine.seat
    view.ask(mine, phase, state.turn, state.seat_key[seat])
    if learns[seat] == 0:
        return ask(players, 3 * seat, mine) == 1
    yes, lengths[seat] = _draw(mine, weights, explore, traces[seat], lengths[seat], scratch)
    return yes


@kernel
def play(
    state, view_0, view_1, rules, discards, players, learns, weights, explore, traces, lengths, scratch, aside, row,
    out, table,
):  # fmt: skip
    """Play a dealt hand of rules whose upcard is offered to both; returns net points of seat 0.

    ``learns[seat]`` is 1 where a seat learns; its trace is ``traces[seat]``, of ``lengths[seat]`` entries.
    """
    lengths[:] = 0
    mine, theirs = view_0, view_1
    card = np.int64(-1)
    if _offered(state, mine, UPCARD, players, learns, weights, explore, traces, lengths, scratch):
        card = hand.take(mine, theirs)
    else:
        view.left(mine, theirs)
        mine, theirs = view_1, view_0
        if _offered(state, mine, UPCARD, players, learns, weights, explore, traces, lengths, scratch):
            card = hand.take(mine, theirs)
        else:
            view.left(mine, theirs)
            mine, theirs = view_0, view_1
            card = hand.draw_stock(state, mine, theirs)
    while True:
        seat = mine.seat
        big = hand.see_eleven(state, mine, card, rules, discards)
        if learns[seat] != 0:
            view.ask(mine, DISCARD, state.turn, state.seat_key[seat])
            knocked, card, net, lengths[seat] = _throw(
                state, mine, theirs, rules, weights, explore, traces[seat], lengths[seat], scratch, aside, row, out,
                table,
            )  # fmt: skip
        else:
            knocked, card, net = _asked_throw(state, mine, theirs, big, players, rules, aside, row, out)
        if knocked:
            return net if seat == 0 else -net
        hand.throw(state, mine, theirs, card)
        mine, theirs = theirs, mine
        if mine.stock <= rules.dead_stock or state.turn >= rules.max_turns:
            return 0.0
        if _offered(state, mine, DRAW, players, learns, weights, explore, traces, lengths, scratch):
            card = hand.take(mine, theirs)
        else:
            view.left(mine, theirs)
            card = hand.draw_stock(state, mine, theirs)


@kernel
def _set_score(view_0, view_1, word):
    """Set a hand into a game: any score, one time in six the beginning, one time in six no game at all."""
    kind = word % _SIX
    mine = np.int64(rng.mix(word) % _SCORES)
    theirs = np.int64(rng.mix(word + _EVEN) % _SCORES)
    if kind <= _EVEN:
        mine, theirs = 0, 0
    target = 0 if kind == ZERO else TARGET
    view.score(view_0, mine, theirs, target)
    view.score(view_1, theirs, mine, target)


@kernel
def lessons(
    weights, steps, sizes, pairs, learners, rules_list, discards, seed, first, hands, rate, explore, decay, nets,
    table, scratch, state, out, gradient, row, views, traces, errors,
):  # fmt: skip
    """Play and learn ``hands`` hands from number ``first`` on; ``nets`` counts and adds up points by pair."""
    lengths, learns = np.zeros(2, np.int64), np.zeros(2, np.int64)
    view_0, view_1, aside = views[0], views[1], views[2:3]
    for number in range(first, first + hands):
        word = rng.word(rng.key(seed, np.uint64(number), _CHOICE), np.uint64(0))
        pair = np.int64(word % np.uint64(len(pairs)))
        rules = rules_list[np.int64(rng.mix(word) % np.uint64(len(rules_list)))]
        learns[0], learns[1] = learners[pair, 0], learners[pair, 1]
        hand.deal(state, view_0, view_1, rules, seed, np.uint64(number), False)
        _set_score(view_0, view_1, rng.mix(word + _EVEN))
        net = play(
            state, view_0, view_1, rules, discards, pairs[pair], learns, weights, explore, traces, lengths, scratch,
            aside, row, out, table,
        )  # fmt: skip
        nets[pair, 0] += 1.0
        nets[pair, 1] += net
        for seat in range(2):
            if learns[seat] != 0:
                mine = worth(net if seat == 0 else -net, views[seat], table)
                learn(weights, traces[seat], lengths[seat], mine, decay, rate, steps, sizes, gradient, errors)
