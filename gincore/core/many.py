"""The evaluator over arrays of hands."""

from __future__ import annotations

from gincore._jit import kernel
from gincore.core.bits import DECK, ZERO, count
from gincore.core.deadwood import after_each, least


@kernel
def deadwood_into(hands, block, discards, view, out):
    """Deadwood of each hand: of ten cards the minimum, of eleven the minimum after the best discard.

    Parameters
    ----------
    hands : uint64[:]
    block, discards
        The rule's tables (``tables.block``, ``tables.discards``).
    view : record of ``schema.VIEW_DTYPE``
        Scratch.
    out : int16[:], filled in place

    Returns
    -------
    int64
        -1, or the index of the first hand that does not have ten or eleven cards of the deck.
    """
    for index in range(len(hands)):
        hand = hands[index]
        if hand > DECK:
            return index
        size = count(hand)
        if size == 10:
            out[index] = least(hand, block)
        elif size == 11:
            out[index] = after_each(hand, discards, view, ZERO, 0)[1]
        else:
            return index
    return -1


@kernel
def least_into(hands, block, out):
    """Least deadwood of all cards of each hand as they lie, whatever their number up to eleven."""
    for index in range(len(hands)):
        out[index] = least(hands[index], block)
