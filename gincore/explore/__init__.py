"""Sliders for knock limits, bonuses, rules and opponent, with charts that answer at once (``notebooks/08-explore``).

:class:`Choice` and :func:`answer` need no notebook; :class:`Explorer` needs ipywidgets.
"""

from gincore.explore.choice import Choice, answer
from gincore.explore.explorer import Explorer

__all__ = ["Choice", "Explorer", "answer"]
