"""What a knock at once is worth over waiting for the next chance, by deadwood and by draws made so far in the hand.

    python scripts/knock_or_wait.py                 # 3 million hands: about a minute of one core

writes results/knock-or-wait.csv: `simple` against `simple` in single hands of `classic` (undercut 25, gin 25), a row a
cell of deadwood x draws. Every knock is scored twice on the same cards: knocking now, and passing once and then playing
on as `simple` does. Only the first legal knock of a hand counts, as `simple` would have taken it.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd
from scipy import stats

import gincore

FILE = Path(__file__).resolve().parent.parent / "results" / "knock-or-wait.csv"
HANDS = 3_000_000
SEED = 2_031
LEVEL = 0.95


def cells(hands: int) -> pd.DataFrame:
    """One row a cell that was met, with the standard error over deals (a deal is played twice, the seats exchanged)."""
    forks = gincore.knock_or_wait(
        "classic",
        ("simple", "simple"),
        deals=hands // 2,
        seed=SEED,
        keep="stats",
        by=("deadwood", "turn"),
        reached=True,
    )
    frame = forks.cells(level=LEVEL, holm=True)
    half = (frame["high"] - frame["low"]) / 2
    frame["draws"] = frame["turn"] + 1  # the player's own draw is made, and not yet a turn
    frame["standard_error"] = half / stats.t.ppf((1 + LEVEL) / 2, frame["n"] - 1)
    names = {"value_of_knocking_points": "knock_minus_wait_points", "n": "deals"}
    columns = ["deadwood", "draws", "knock_minus_wait_points", "standard_error", "low", "high", "p_holm"]
    return frame.rename(columns=names)[[*columns, "knock_points", "wait_points", "deals", "moments"]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=HANDS)
    parser.add_argument("--out", type=Path, default=FILE)
    given = parser.parse_args()
    cells(given.hands).round(5).to_csv(given.out, index=False)
    print(given.out)


if __name__ == "__main__":
    main()
