"""A knock decision that looks up a table cell by cell: by knock limit, deadwood, turn and the opponent's pick-ups.

Not a highest deadwood to knock with, which ``by-table`` of ``knocks.py`` has: a low deadwood may be kept for gin where
a high one is knocked with. ``learned.py`` has tables that come with the package.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gincore.strategies.decisions import decision
from gincore.strategies.entry import Entry, Parameter

TURNS_A_BIN = 2
"""A player has one turn in every two: nobody is asked twice in one bin but the last, which is open-ended."""

LOW_BITS = np.uint64(0xFFFFFF)
"""Of a view's random word, for a share of knocks; the card is picked by the upper bits."""

ALL_LOW = float(1 << 24)
"""Number of values of the low bits."""


@decision
def knock_by_cells(view: Any, params: Any) -> Any:
    """Knock with the share that a table has for knock limit, deadwood, turn and the opponent's pick-ups.

    Behind its shape the table has a share from 0 to 1 for each cell, pick-ups varying fastest. The last bin of each
    axis is open-ended, so that a single bin of limits holds them all. Gin and big gin go out at once; a knock throws
    one of the cards that leave the least.

    Source: a table that is the best reply to itself, found by rounds of best replies; where they cycle, by fictitious
    play: G. W. Brown, "Iterative solution of games by fictitious play", 1951.
    """
    if view.can_big_gin != 0 or view.knock_deadwood == 0:
        return 1
    place = min(view.knock_limit, int(params[0]) - 1)
    place = place * int(params[1]) + min(view.knock_deadwood, int(params[1]) - 1)
    place = place * int(params[2]) + min(view.turn // TURNS_A_BIN, int(params[2]) - 1)
    place = place * int(params[3]) + min(view.opp_pickups, int(params[3]) - 1)
    return (view.random & LOW_BITS) < params[4 + place] * ALL_LOW


AXES = (
    Parameter("cell_limits", 1, 1, 128, "bins of the knock limit, from 0; 1 where all hands have the same"),
    Parameter("cell_deadwoods", 1, 1, 128, "bins of deadwood, a point each from 0"),
    Parameter("cell_turns", 1, 1, 200, "bins of turns, two completed turns each"),
    Parameter("cell_pickups", 1, 1, 200, "bins of the opponent's pick-ups, one each from 0"),
)

CELLS = (Entry("knock", "by-cells", knock_by_cells, AXES, shape=tuple(each.name for each in AXES)),)
"""The decision for the library."""
