"""``expert``: the strongest fast play that the package knows, by a network that was taught by playing.

Each decision asks the network (``network.py``) what the hand is worth after each answer, in expected net points, and
gives the best. ``gincore/lessons`` taught it; ``data/expert.npz`` holds its weights and where they come from. Temporal
differences from play alone: Sutton, "Learning to predict by the methods of temporal differences", Machine Learning 3,
1988; Tesauro, "TD-Gammon, a self-teaching backgammon program, achieves master-level play", Neural Computation 6, 1994.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gincore._jit import kernel
from gincore.core.bits import ZERO, bit, drop_lowest, lowest
from gincore.core.deadwood import least, makes_meld
from gincore.core.tables import block as table_block
from gincore.errors import UsageError
from gincore.schema import NO_LIMIT, Phase
from gincore.strategies import network
from gincore.strategies.base import Strategy, decision
from gincore.strategies.choose import allowed

UPCARD, LAST = int(Phase.upcard), int(Phase.last)
WEIGHTS = Path(__file__).with_name("data") / "expert.npz"
NOTHING = -1e9
"""Worth of what is not to be considered, points."""
_UNREACHED = np.int64(1000)


@kernel
def best_throw(view, weights, mine, pile, legal, pickups, scratch):
    """Points after the best discard from eleven cards ``mine``; the card is ``scratch.card``.

    The best is that of most points less its prior.
    """
    rows = network.embeddings(weights)
    block = table_block(view.ace, view.ace_points)
    gone = network.prepare(view, rows, mine, pile, pickups, scratch)
    best, worth = NOTHING, NOTHING
    while legal != ZERO:
        card = lowest(legal)
        legal = drop_lowest(legal)
        left = mine ^ bit(card)
        network.after_throw(rows, card, scratch)
        network.look_ahead(left, gone | bit(card), card, view, scratch)
        network.set_own_terms(left, least(left, block), gone | bit(card), view, scratch)
        points = network.value(weights, rows, network.AFTER, scratch.moved, scratch)
        score = points - network.prior(weights, scratch)
        if score > best:
            best, worth = score, points
            scratch.card = card
    return worth


@kernel
def best_knock(view, weights, mine, pile, cards, deadwood, scratch):
    """Points of going out now with the best of ``cards``, which leave ``deadwood``; the card is ``scratch.knock_card``.

    To be asked after :func:`best_throw` for the same cards, whose sums it uses.
    """
    rows = network.embeddings(weights)
    gone = pile | (view.opp_took & ~pile & ~mine)
    scratch.ahead, scratch.danger = 0.0, 0.0  # nothing is drawn any more
    best = NOTHING
    while cards != ZERO:
        card = lowest(cards)
        cards = drop_lowest(cards)
        network.after_throw(rows, card, scratch)
        network.set_own_terms(mine ^ bit(card), deadwood, gone | bit(card), view, scratch)
        points = network.value(weights, rows, network.KNOCK, scratch.moved, scratch)
        if points > best:
            best = points
            scratch.knock_card = card
    return best


@kernel
def taken(view, weights, scratch):
    """Points of taking the top card; ``NOTHING`` where it neither melds nor lowers the deadwood."""
    mine = view.hand | bit(view.top)
    pile = view.pile & ~bit(view.top)
    block = table_block(view.ace, view.ace_points)
    fewest = _UNREACHED
    fewest_cards = ZERO
    cards = view.hand
    while cards != ZERO:
        card = lowest(cards)
        cards = drop_lowest(cards)
        deadwood = least(mine ^ bit(card), block)
        if deadwood < fewest:
            fewest = deadwood
            fewest_cards = ZERO
        if deadwood == fewest:
            fewest_cards |= bit(card)
    if fewest >= view.deadwood and not makes_meld(view.hand, view.top, view.ace):
        return NOTHING
    points = best_throw(view, weights, mine, pile, view.hand, view.pickups + 1, scratch)
    if fewest <= view.knock_limit and view.knock_limit < NO_LIMIT:
        out = best_knock(view, weights, mine, pile, fewest_cards, fewest, scratch)
        points = out if fewest == 0 else max(points, out)
    return points


@kernel
def held(view, weights, head, scratch):
    """Points of the ten cards held, as a head sees them."""
    rows = network.embeddings(weights)
    gone = network.prepare(view, rows, view.hand, view.pile, view.pickups, scratch)
    network.look_ahead(view.hand, gone, np.int64(-1), view, scratch)
    network.set_own_terms(view.hand, view.deadwood, gone, view, scratch)
    return network.value(weights, rows, head, scratch.whole, scratch)


@kernel
def left_head(phase, seat):
    """Which question is asked of the hand if the top card is left."""
    if phase == UPCARD:
        return network.OFFERED_FIRST if seat == 0 else network.OFFERED_SECOND
    return network.STOCK


@decision
def draw_by_network(view: Any, params: Any) -> Any:
    """Take the top card if the network expects more points of it."""
    scratch = np.empty(1, network.SCRATCH_DTYPE)[0]
    take = taken(view, params, scratch)
    if take == NOTHING:
        return 0
    return np.int64(take > held(view, params, left_head(view.phase, view.seat), scratch))


@decision
def discard_by_network(view: Any, params: Any) -> Any:
    """Throw the card after which the network expects most points, never repeating a draw-and-discard pair."""
    scratch = np.empty(1, network.SCRATCH_DTYPE)[0]
    best_throw(view, params, view.hand, view.pile, allowed(view), view.pickups, scratch)
    return scratch.card


@decision
def knock_by_network(view: Any, params: Any) -> Any:
    """Go out with gin, and where the network expects more points of going out than of playing on."""
    if view.can_big_gin:
        return np.int64(1)
    scratch = np.empty(1, network.SCRATCH_DTYPE)[0]
    wait = best_throw(view, params, view.hand, view.pile, view.legal, view.pickups, scratch)
    if view.phase == LAST:
        wait = 0.0  # otherwise the hand is dead
    points = best_knock(view, params, view.hand, view.pile, view.knock_least, view.knock_deadwood, scratch)
    return 2 + scratch.knock_card if view.knock_deadwood == 0 or points > wait else np.int64(0)


def load_weights(path: Path = WEIGHTS) -> NDArray[np.float64]:
    """Weights of a network from a file that ``gincore.lessons`` wrote.

    Returns
    -------
    ndarray of float64, shape (network.SIZE,)
    """
    with np.load(path, allow_pickle=False) as stored:
        weights: NDArray[np.float64] = stored["weights"].astype(np.float64)
    if weights.shape != (network.SIZE,):
        raise UsageError(f"{path.name} holds {weights.size} weights; this version needs {network.SIZE}")
    return weights


def by_network(name: str, weights: NDArray[np.float64]) -> Strategy:
    """A strategy that plays by a network."""
    return Strategy(name, draw=draw_by_network, discard=discard_by_network, knock=knock_by_network, table=weights)
