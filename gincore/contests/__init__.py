"""Contests between strategies: the arena, the sequential test, and the split of a difference into decisions.

This layer plays; what it makes of the games is in :mod:`gincore.analysis`, which never plays.
"""

from gincore.contests.round_robin import Arena, arena
from gincore.contests.sequential import SprtResult, sprt
from gincore.contests.split import Explanation, explain

__all__ = ["Arena", "Explanation", "SprtResult", "arena", "explain", "sprt"]
