"""Every preset plays: a million hands and 20,000 games each, with how they end and how fast they went.

    python scripts/every_preset.py

writes results/presets.csv and results/presets.md. All players are `simple`; hands are not mirrored (the pairs of equal
players would be the same hands twice). Speeds are hands a second of CPU time on one core, the median of several runs of
the same deals, and as a ratio to `classic` taken in turn with it.
"""

from __future__ import annotations

import argparse
import statistics
import time
from pathlib import Path
from typing import Any

import pandas as pd

import gincore

RESULTS = Path(__file__).resolve().parent.parent / "results"
SHARES = ("knock", "gin", "big_gin", "undercut", "dead", "stalled")
PARTNERS = {"cutthroat": 3}


def seconds_of(rules: str, deals: int) -> float:
    """CPU seconds of a run on one core."""
    start = time.process_time()
    gincore.simulate(rules, ("simple", "simple"), deals=deals, seed=2, mirror=False, workers=1, progress=False)
    return time.process_time() - start


def measure(name: str, deals: int, games: int, timed: int, repeats: int) -> dict[str, Any]:
    """One preset's row of the table."""
    run = gincore.simulate(name, ("simple", "simple"), deals=deals, seed=1, mirror=False, keep="stats", progress=False)
    summary = run.summary().set_index("metric")
    rules = gincore.rules(name)
    players = ("simple",) * PARTNERS.get(rules.form, 2)
    played = gincore.simulate_games(name, players, games=games, seed=1, mirror=False, keep="stats", progress=False)
    ratios = []
    speeds = []
    for _ in range(repeats):
        own, classic = seconds_of(name, timed), seconds_of("classic", timed)
        speeds.append(timed / own)
        ratios.append(classic / own)
    row: dict[str, Any] = {"preset": name, "form": rules.form, "hands": deals, "games": games}
    for kind in SHARES:
        row[f"{kind}_share"] = summary.loc[f"{kind}_share", "estimate"]
    row["turns_mean"] = summary.loc["turns_mean", "estimate"]
    of_games = played.summary().set_index("metric")["estimate"]
    row["hands_per_game"] = of_games["hands_per_game"]
    row["hands_per_second"] = statistics.median(speeds)
    row["speed_ratio_to_classic"] = statistics.median(ratios)
    row["ratio_low"], row["ratio_high"] = min(ratios), max(ratios)
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=1_000_000)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--timed", type=int, default=100_000, help="hands of one timing")
    parser.add_argument("--repeats", type=int, default=5)
    chosen = parser.parse_args()
    rows = []
    for name in gincore.preset_names():
        rows.append(measure(name, chosen.deals, chosen.games, chosen.timed, chosen.repeats))
        print(f"{name}: {rows[-1]['hands_per_second'] / 1e6:.2f} million hands a second", flush=True)
    frame = pd.DataFrame(rows)
    RESULTS.mkdir(exist_ok=True)
    frame.to_csv(RESULTS / "presets.csv", index=False, float_format="%.5g")
    lines = [
        f"`simple` against itself under every preset: {chosen.deals:,} hands and {chosen.games:,} games each "
        "(`scripts/every_preset.py`). Shares are of all hands, in per cent; the speed is hands a second on one core.",
        "",
        "| preset | " + " | ".join(SHARES) + " | turns | hands a game | million hands/s | ratio to classic |",
        "|---|" + "---|" * (len(SHARES) + 4),
    ]
    for each in rows:
        shares = " | ".join(f"{100 * each[f'{kind}_share']:.2f}" for kind in SHARES)
        lines.append(
            f"| {each['preset']} | {shares} | {each['turns_mean']:.2f} | {each['hands_per_game']:.2f} "
            f"| {each['hands_per_second'] / 1e6:.2f} | {each['speed_ratio_to_classic']:.2f} "
            f"[{each['ratio_low']:.2f} .. {each['ratio_high']:.2f}] |"
        )
    (RESULTS / "presets.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
