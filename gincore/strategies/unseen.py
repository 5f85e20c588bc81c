"""What a player may still hope for, and where the cards that a player has not seen can be."""

from __future__ import annotations

import numpy as np

from gincore._jit import kernel

DECK = np.uint64((1 << 52) - 1)


@kernel
def held_by_opponent(view):
    """Cards that the opponent is known to hold: taken from the pile, and not thrown since."""
    return view.opp_took & ~(view.pile | view.hand)


@kernel
def unseen(view):
    """Cards that may be in the stock: in nobody's sight, and not known to be the opponent's."""
    return DECK & ~(view.hand | view.pile | view.opp_took)
