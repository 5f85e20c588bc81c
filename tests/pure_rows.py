"""Plays a few hundred hands and some games, follows some hands past their knocks, and prints a digest of
the rows of each batch: run with and without numba.

The strategy ``snoop`` answers by every bit of its views, so that equal rows mean equal views too.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import numpy as np

import gincore
from gincore.core import batch, fork
from gincore.schema import GAME_DTYPE, HAND_DTYPE, MOMENT_DTYPE, Status
from gincore.strategies import get

SNOOP = f"{Path(__file__).with_name('snoop.py')}:snoop"
USER = f"{Path(__file__).with_name('user_strategy.py')}:patient"
HANDS: tuple[tuple[str, dict[str, object], str, str], ...] = (
    ("classic", {}, "simple", "threshold,limit=4"),
    ("classic", {"knocker_spread": "best", "doubling": "last_discard_spade"}, USER, "simple"),
    ("classic-big-gin", {"last_discard": "knock_only", "tie": "nothing"}, "gin-only", SNOOP),
    ("oklahoma", {"return_taken": True, "ace_points": 15, "tie": "knocker"}, SNOOP, "random"),
    ("eaai", {}, "simple", "simple"),
    ("eaai", {"max_turns": 12}, SNOOP, SNOOP),
    ("grand-gin", {}, "simple", SNOOP),
    ("second-deck", {"upcard_offer": "none_eleven"}, SNOOP, "gin-only"),
    ("round-the-corner", {}, "simple", SNOOP),
    ("classic", {}, "draw=improve,discard=keep-pairs,knock=by-pickups", "patient"),
    ("round-the-corner", {}, "draw=bluff,discard=outs,knock=by-turn", "draw=eager,discard=safe"),
    ("eaai", {}, "expert", "rollout,samples=2,turns=1,candidates=2"),
)
THINKERS = ("expert", "rollout")
"""They take seconds without numba: few hands."""
GAMES: tuple[tuple[str, dict[str, object], str, str], ...] = (
    ("modern-25", {}, "simple", "random"),
    ("eaai", {"settlement": "pro", "next_dealer": "winner"}, SNOOP, "simple"),
    ("eaai", {}, "draw=never,discard=highest,knock=by-score", "gin-only"),
)
FORKS: tuple[tuple[str, dict[str, object], str, str], ...] = (
    ("classic-big-gin", {"last_discard": "knock_only"}, SNOOP, "simple"),
    ("grand-gin", {}, "threshold,limit=4", SNOOP),
)


def digests(deals: int = 20, games: int = 2) -> dict[str, str]:
    """Digest of the rows of every batch, by its name."""
    found = {}
    for number, (name, options, one, two) in enumerate(HANDS):
        few = 2 if one in THINKERS else deals
        rows, fault = np.zeros(2 * few, HAND_DTYPE), np.zeros(8, np.int64)
        record = gincore.rules(name, **options).to_record()
        status = batch.play_hands((get(one), get(two)), record, 2**64 - 1 - number, number, True, rows, fault)
        assert status == Status.ok, fault
        found[f"hands {number}"] = hashlib.sha256(rows.tobytes()).hexdigest()
    for number, (name, options, one, two) in enumerate(GAMES):
        books, rows, fault = np.zeros(2 * games, GAME_DTYPE), np.zeros(400, HAND_DTYPE), np.zeros(8, np.int64)
        record = gincore.rules(name, **options).to_record()
        status, done, used = batch.play_games((get(one), get(two)), record, number, 3, True, books, rows, fault)
        assert (status, done) == (Status.ok, len(books)), fault
        found[f"games {number}"] = hashlib.sha256(books.tobytes() + rows[:used].tobytes()).hexdigest()
    for number, (name, options, one, two) in enumerate(FORKS):
        rows, moments, fault = np.zeros(2 * deals, HAND_DTYPE), np.zeros(4000, MOMENT_DTYPE), np.zeros(8, np.int64)
        record = gincore.rules(name, **options).to_record()
        status, done, used = fork.follow_hands(
            (get(one), get(two)), record, number, 3, True, 0, 0, rows, moments, fault
        )
        assert (status, done) == (Status.ok, len(rows)), fault
        found[f"forks {number}"] = hashlib.sha256(rows.tobytes() + moments[:used].tobytes()).hexdigest()
    return found


if __name__ == "__main__":
    for batch_name, digest in digests(*map(int, sys.argv[1:])).items():
        print(batch_name, digest)
