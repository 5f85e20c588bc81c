"""``gin-only``: plays as ``simple`` and goes out only with gin or big gin."""

from __future__ import annotations

from typing import Any

from gincore.strategies.base import Strategy, decision
from gincore.strategies.simple import SIMPLE


@decision
def knock_with_gin(view: Any, params: Any) -> Any:
    """Go out with no deadwood only."""
    return view.knock_deadwood == 0 or view.can_big_gin != 0


GIN_ONLY = Strategy("gin-only", knock=knock_with_gin, base=SIMPLE)
