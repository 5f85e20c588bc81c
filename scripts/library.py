"""Every shipped strategy, and every decision of the library in place of simple's, against `simple`.

    python scripts/library.py

writes results/library.csv and results/library.md: games won under the rules of the EAAI-21 research framework, and the
time of a decision. Games are played twice, with the seats exchanged, and the intervals count such pairs. The time is
that of one call on views of played hands, in compiled code on one core.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numba import njit

import gincore
from gincore.schema import VIEW_DTYPE
from gincore.strategies import get
from gincore.strategies.contract import Table
from gincore.strategies.decisions import KINDS
from gincore.strategies.library import LIBRARY

RESULTS = Path(__file__).resolve().parent.parent / "results"
METRICS = ("game_won_0_share", "won_0_share_of_decided", "net_points_per_hand", "gin_0_share", "turns_mean")
EXAMPLES = {"fixed": ",limit=5", "by-turn": ",late_limit=0,late_turn=8"}
"""Parameters of decisions that with their defaults are simple's own."""


@njit  # type: ignore[untyped-decorator]
def call_all(decide: Any, views: Any, params: Any, times: int) -> int:
    """Call a decision on every view, so many times."""
    total = 0
    for _ in range(times):
        for number in range(len(views)):
            total += decide(views[number], params)
    return total


def played_views(deals: int) -> list[Any]:
    """Views of the draws, discards and knocks of some hands of `lookahead` against itself."""
    player = get("lookahead")
    functions, values = player.functions(), player.values()
    seen: dict[str, list[Any]] = {kind: [] for kind in KINDS}

    def answer(_seat: int, kind: str, view: Any) -> Any:
        seen[kind].append(view.copy())
        place = KINDS.index(kind)
        return functions[place](view, values[place])

    for deal in range(deals):
        Table("eaai").play(Table.dealt(3, deal), answer)
    return [np.array(seen[kind], VIEW_DTYPE) for kind in KINDS]


def microseconds(strategy: gincore.Strategy, place: int, views: Any) -> float:
    """Shortest time of one call of a decision, of five tries."""
    decide, params = strategy.functions()[place], strategy.values()[place]
    times = max(1, 20_000 // len(views))
    call_all(decide, views, params, 1)
    tries = []
    for _ in range(5):
        start = time.perf_counter()
        call_all(decide, views, params, times)
        tries.append(time.perf_counter() - start)
    return 1e6 * min(tries) / (times * len(views))


def candidates() -> list[tuple[str, gincore.Strategy, int | None]]:
    """Name, strategy, and the number of the decision that is measured."""
    names = gincore.strategy_names()
    found: list[tuple[str, gincore.Strategy, int | None]] = [(name, get(name), None) for name in names]
    for entry in LIBRARY:
        if not entry.shape:
            text = f"{entry.kind}={entry.name}{EXAMPLES.get(entry.name, '')}"
            found.append((text, get(text), KINDS.index(entry.kind)))
    return found


def measure(name: str, strategy: gincore.Strategy, games: int) -> dict[str, Any]:
    """Play games against `simple`; one row of the table."""
    run = gincore.simulate_games("eaai", (strategy, "simple"), games=games, seed=1, keep="stats", progress=False)
    summary = run.summary().set_index("metric")
    row: dict[str, Any] = {"strategy": name, "params": str(strategy.params)}
    for metric in METRICS:
        row[metric] = summary.loc[metric, "estimate"]
    row["low"], row["high"] = (summary.loc["game_won_0_share", end] for end in ("low", "high"))
    return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10_000, help="games, each played twice")
    parser.add_argument("--deals", type=int, default=150, help="deals whose views are timed")
    chosen = parser.parse_args()
    views, rows = played_views(chosen.deals), []
    for name, strategy, place in candidates():
        row = measure(name, strategy, chosen.games)
        row["microseconds"] = np.nan if place is None else microseconds(strategy, place, views[place])
        rows.append(row)
        print(f"{name}: {100 * row['game_won_0_share']:.1f} % of games", flush=True)
    RESULTS.mkdir(exist_ok=True)
    pd.DataFrame(rows).to_csv(RESULTS / "library.csv", index=False, float_format="%.5g")
    lines = [
        f"The library of decisions against `simple` under `eaai`: {2 * chosen.games:,} games each, in "
        f"{chosen.games:,} mirrored pairs, with the default parameters where none are named (`scripts/library.py`). "
        "A row such as `draw=improve` is `simple` with that one decision. Hands are those that somebody won; intervals "
        "are at 95 %; the time is of one call.",
        "",
        "| strategy | games won % | hands won % | net points a hand | gins % | turns | microseconds |",
        "|---|---|---|---|---|---|---|",
    ]
    for each in rows:
        spent = "" if np.isnan(each["microseconds"]) else f"{each['microseconds']:.3f}"
        net, gins, turns = each["net_points_per_hand"], 100 * each["gin_0_share"], each["turns_mean"]
        lines.append(
            f"| {each['strategy']} | {100 * each['game_won_0_share']:.1f} "
            f"[{100 * each['low']:.1f}, {100 * each['high']:.1f}] | {100 * each['won_0_share_of_decided']:.1f} "
            f"| {net:+.2f} | {gins:.1f} | {turns:.1f} | {spent} |"
        )
    (RESULTS / "library.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
