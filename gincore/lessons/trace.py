"""What a learner remembers of a hand: the positions that it valued, and what came of them."""

from __future__ import annotations

import numpy as np

from gincore._jit import kernel
from gincore.strategies import network

LONGEST = 1024
"""Entries of a trace; a hand of ``MAX_TURNS`` turns needs fewer."""

TRACE_DTYPE = np.dtype(
    (
        np.record,
        [
            ("slots", np.int64, (network.SLOTS + 1,)),
            ("ahead", np.float64),
            ("danger", np.float64),
            ("head", np.int64),
            ("chain", np.int64),  # 1: the next such entry follows it in play; 0: a label that stands alone
            ("target", np.float64),  # points: of the next decision as the learner saw it, then what is learned
        ],
    ),
    align=True,
)
"""One valued position."""


@kernel
def remember(trace, n, scratch, head, chain, target):
    """Add the position whose slots are in ``scratch``; returns the new length."""
    entry = trace[n]
    for slot in range(network.HEAD_SLOT):
        entry.slots[slot] = scratch.slots[slot]
    entry.slots[network.HEAD_SLOT] = network.HEAD_AT + head
    entry.ahead, entry.danger = scratch.ahead, scratch.danger
    entry.head = head
    entry.chain = chain
    entry.target = target
    return n + 1


@kernel
def remember_thrown(trace, n, view, card, head, chain, target, scratch):
    """Add the position after throwing ``card`` of the eleven."""
    mine = view.hand ^ (np.uint64(1) << np.uint64(card))
    pile = view.pile | (np.uint64(1) << np.uint64(card))
    opp_pile = pile & view.opp_threw
    taken = view.opp_took & ~pile & ~mine
    network.set_patterns(mine, pile & ~opp_pile, opp_pile, taken, scratch)
    network.set_table_terms(view, view.pickups, scratch)
    if head == network.KNOCK:
        scratch.ahead, scratch.danger = 0.0, 0.0
    else:
        network.look_ahead(mine, pile | taken, card, view, scratch)
    network.set_own_terms(mine, view.after[card], pile | taken, view, scratch)
    return remember(trace, n, scratch, head, chain, target)
