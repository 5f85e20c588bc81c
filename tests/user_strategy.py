"""A user's strategy in a file of its own, as the README shows it."""

from __future__ import annotations

from typing import Any

import gincore


@gincore.decision
def knock(view: Any, params: Any) -> Any:
    return view.deadwood <= (10 if view.turn < 8 else params[0])


patient = gincore.Strategy("patient", knock=knock, params={"late_limit": 4}, bounds={"late_limit": (0, 10)})
