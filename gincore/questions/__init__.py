"""Questions about the game: data (one TOML file each), the runs that answer them, and verdicts.

This layer plays; how estimates become a verdict is in :mod:`gincore.analysis`, which never plays.
"""

from gincore.questions.ask import MOST_DEALS, USUAL_DEALS, USUAL_LEVEL, Answer, ask
from gincore.questions.entry import Entry, find, ids

__all__ = ["MOST_DEALS", "USUAL_DEALS", "USUAL_LEVEL", "Answer", "Entry", "ask", "find", "ids"]
