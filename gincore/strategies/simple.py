"""``simple``: the baseline of the EAAI-21 gin rummy research framework (SimpleGinRummyPlayer).

Source: T. W. Neller, "Gin Rummy EAAI Undergraduate Research Challenge", EAAI 2021; the policy is stated in words in
the framework's own class. It takes the face-up card only for a meld, throws at random one of the cards that leave
the least deadwood, never repeating a draw-and-discard pair of the hand, and knocks at the first legal chance.
"""

from __future__ import annotations

from typing import Any

from gincore.core.deadwood import makes_meld
from gincore.strategies.base import Strategy, decision
from gincore.strategies.choose import knock_least_not_repeated, least_not_repeated


@decision
def draw_for_meld(view: Any, params: Any) -> Any:
    """Take the top card only if it would be part of a meld of the new hand."""
    return makes_meld(view.hand, view.top, view.ace)


@decision
def discard_least(view: Any, params: Any) -> Any:
    """Throw one of the cards that leave the least deadwood, at random."""
    return least_not_repeated(view)


@decision
def knock_at_once(view: Any, params: Any) -> Any:
    """Go out at the first legal chance."""
    if view.can_big_gin:
        return 1
    return knock_least_not_repeated(view)


SIMPLE = Strategy("simple", draw=draw_for_meld, discard=discard_least, knock=knock_at_once)
