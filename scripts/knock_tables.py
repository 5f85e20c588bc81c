"""Knock where it pays, round by round, until a table answers itself: one table a rule set.

    python scripts/knock_tables.py                # all tables, about half an hour on two cores
    python scripts/knock_tables.py --deals 2e4 --games 500 --out /tmp/tables     # a first look; freezes nothing

writes results/knock-tables.md with rounds.csv, strength.csv, convergence.png and maps.png in results/knock-tables/, and
freezes the tables in gincore/strategies/data/knock-tables.json, where `table-eaai` and the like are read from. Both
players draw and discard as `simple` does. A table is learned on one set of deals and judged on others.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

import gincore
from gincore._jit import source_digest
from gincore.analysis.intervals import Interval
from gincore.learn import Courses, Learned, Round, Shape, best_reply, follow_courses, gain, iterate, shape_of
from gincore.learn.reply import BOLD, FEWEST
from gincore.learn.shape import Shares
from gincore.plotting import tables as charts
from gincore.plotting.style import chart_settings
from gincore.strategies.learned import FILE, knock_table, text_of

RESULTS = Path(__file__).resolve().parent.parent / "results"
SETS: dict[str, tuple[str, dict[str, Any]]] = {
    "table-eaai": ("eaai", {}),
    "table-classic": ("classic", {}),
    "table-undercut-10": ("classic", {"undercut_bonus": 10}),
    "table-pagat": ("pagat", {}),
    "table-oklahoma": ("oklahoma", {}),
}
STARTS = {"knock at once": 1.0, "gin only": 0.0}
TRAIN, TEST, FRESH_TRAIN, FRESH_TEST, PLAY = 1, 2, 3, 4, 5
OTHERS = ("simple", "gin-only", "threshold,limit=4")


class Sizes(NamedTuple):
    """How much is played."""

    deals: int
    games: int
    workers: int | None


def table_player(table: Shares) -> gincore.Strategy:
    return knock_table("table", table)


def courses_of(
    rules: gincore.Rules, shape: Shape, sizes: Sizes, seed: int, share: float
) -> Callable[[Shares], Courses]:
    """Follow hands against the player of a table, on the deals of a seed."""
    deals = max(int(sizes.deals * share) * (2 if shape.limits > 1 else 1), 1)

    def follow(table: Shares) -> Courses:
        return follow_courses(
            rules, ("simple", table_player(table)), shape, deals=deals, seed=seed, workers=sizes.workers
        )

    return follow


def figures(name: str, found: Interval) -> dict[str, float]:
    return {name: found.estimate, f"{name}_low": found.low, f"{name}_high": found.high}


def rounds_of(
    name: str, rules: gincore.Rules, sizes: Sizes, start: str
) -> tuple[Learned, Courses, list[dict[str, Any]]]:
    """Learn from one start; returns also the courses of the last round and a row a round."""
    shape = shape_of(rules)
    test = courses_of(rules, shape, sizes, TEST, 0.5)
    simple = test(shape.constant(1.0))
    rows: list[dict[str, Any]] = []
    last: list[Courses] = []

    def told(done: Round, courses: Courses) -> None:
        fresh = test(done.table)
        last[:] = [courses]
        row = {"strategy": name, "rules": rules.label, "start": start, "round": done.number, "step": done.step}
        row |= {"cells_changed": done.cells_changed, "share_changed": done.share_changed}
        row |= {"gain_on_own_deals": done.gain_points_per_hand}
        row |= figures("gain", gain(fresh, done.reply, done.table))
        row |= figures("reply_v_at_once", gain(simple, done.reply))
        row |= {"deals_learned": len(courses.end) // 2, "deals_judged": len(fresh.end) // 2}
        rows.append(row)
        print(
            f"{name}, {start}, round {done.number}: {done.cells_changed} cells, {100 * done.share_changed:.2f} % of "
            f"moments; the reply gains {row['gain']:+.4f}, against knocking at once {row['reply_v_at_once']:+.3f}",
            flush=True,
        )

    found = iterate(courses_of(rules, shape, sizes, TRAIN, 1.0), shape.constant(STARTS[start]), told=told)
    return found, last[0], rows


def differ(courses: Courses, one: Shares, two: Shares) -> float:
    """Share of the moments of one table at which another one does otherwise."""
    visits = courses.visits(one)
    return float((visits * np.abs(one - two)).sum() / visits.sum())


def strength(rules: gincore.Rules, player: gincore.Strategy, sizes: Sizes) -> Iterator[dict[str, Any]]:
    """Points, hands and games against other players, on deals of their own."""
    for other in OTHERS:
        kwargs: dict[str, Any] = {"seed": PLAY, "keep": "stats", "workers": sizes.workers, "progress": False}
        hands = gincore.simulate(rules, (player, other), deals=sizes.deals // 2, **kwargs).summary().set_index("metric")
        games = gincore.simulate_games(rules, (player, other), games=sizes.games, **kwargs).summary()
        won = games.set_index("metric").loc["game_won_0_share"]
        row: dict[str, Any] = {"strategy": player.name, "rules": rules.label, "opponent": other}
        for metric in ("net_points_per_hand", "won_0_share", "undercut_share", "gin_share", "turns_mean"):
            row |= {metric: hands.loc[metric, "estimate"]}
            row |= {f"{metric}_low": hands.loc[metric, "low"], f"{metric}_high": hands.loc[metric, "high"]}
        row |= {"game_won_share": won["estimate"], "game_won_share_low": won["low"], "game_won_share_high": won["high"]}
        yield row | {"deals": sizes.deals // 2, "games": sizes.games}


def learn(name: str, sizes: Sizes) -> dict[str, Any]:
    """Learn one table from both starts and judge it."""
    preset, options = SETS[name]
    rules = gincore.rules(preset, **options)
    shape, began = shape_of(rules), time.perf_counter()
    (first, courses, rows), (second, _, more) = (rounds_of(name, rules, sizes, start) for start in STARTS)
    known = np.zeros(shape.size)
    for level in courses.levels:
        known += np.bincount(level.cell, minlength=shape.size)
    table = np.round(shape.filled(first.table, (known >= FEWEST).reshape(shape.axes)))
    reply = best_reply(courses_of(rules, shape, sizes, FRESH_TRAIN, 1.0)(table), table, BOLD)
    left = gain(courses_of(rules, shape, sizes, FRESH_TEST, 1.0)(table), reply, table)
    print(f"{name}: a best reply from fresh deals gains {left.estimate:+.4f} [{left.low:+.4f}, {left.high:+.4f}]")
    made = {
        "rules": {"label": rules.label, "digest": rules.digest()},
        "draws_and_discards": "simple",
        "settled": {start: found.settled for start, found in zip(STARTS, (first, second), strict=True)},
        "rounds": {start: len(found.rounds) for start, found in zip(STARTS, (first, second), strict=True)},
        "cycle": {start: found.cycle for start, found in zip(STARTS, (first, second), strict=True)},
        "starts_differ_share": differ(courses, first.table, second.table),
        "best_reply_gains_points_per_hand": left._asdict(),
        "deals": len(courses.end) // 2,
        "seeds": {"learned": TRAIN, "judged": TEST, "best_reply": [FRESH_TRAIN, FRESH_TEST]},
        "source_digest": source_digest(),
        "versions": {"gincore": gincore.__version__, "numba": numba.__version__, "numpy": np.__version__},
        "shape": list(shape.axes),
        "cells": text_of(table),
    }
    print(f"{name}: {time.perf_counter() - began:.0f} s", flush=True)
    played = list(strength(rules, knock_table(name, table), sizes))
    return {"made": made, "rounds": rows + more, "strength": played, "met": courses.visits(table), "table": table}


def report(found: dict[str, dict[str, Any]], sizes: Sizes, out: Path) -> None:
    """Write the tables, the charts and the page."""
    folder = out / "knock-tables"
    folder.mkdir(parents=True, exist_ok=True)
    rounds = pd.DataFrame([row for each in found.values() for row in each["rounds"]])
    played = pd.DataFrame([row for each in found.values() for row in each["strength"]])
    rounds.to_csv(folder / "rounds.csv", index=False, float_format="%.6g")
    played.to_csv(folder / "strength.csv", index=False, float_format="%.6g")
    with chart_settings():
        draw_rounds(rounds[rounds["start"] == "knock at once"], folder / "convergence.png")
        draw_maps({name: each for name, each in found.items() if each["table"].shape[0] == 1}, folder / "maps.png")
    (out / "knock-tables.md").write_text("\n".join(page(found, rounds, played)) + "\n", encoding="utf-8")


def draw_rounds(rounds: pd.DataFrame, file: Path) -> None:
    figure = Figure(figsize=(10.4, 3.7))
    for place, (column, chart) in enumerate(
        (("gain", charts.gain_by_round), ("reply_v_at_once", charts.points_by_round))
    ):
        names = {column: "estimate", f"{column}_low": "low", f"{column}_high": "high"}
        ax = figure.add_axes((0.07 + 0.5 * place, 0.25, 0.27, 0.6))
        chart(rounds[["rules", "round", *names]].rename(columns=names), ax=ax)
    figure.savefig(file, dpi=110)


def draw_maps(found: dict[str, dict[str, Any]], file: Path) -> None:
    """One row a rule set, one chart for each number of pick-ups."""
    figure = Figure(figsize=(11, 2.45 * len(found)), layout="constrained")
    axes = figure.subplots(len(found), 4, sharex=True, sharey=True, squeeze=False)
    for row, each in zip(axes, found.values(), strict=True):
        table, met = each["table"][0], each["met"][0]
        for pickups, ax in enumerate(row):
            cells = np.where(
                met[:, :, pickups] < 100, charts.NEVER, np.where(table[:, :, pickups] == 1, charts.KNOCKS, 1)
            )
            frame = pd.DataFrame(
                [(points, 2 * turn, cells[points, turn]) for points in range(1, 11) for turn in range(20)],
                columns=["deadwood", "turn", "cell"],
            )
            charts.knock_map(frame, ax=ax, title=f"{each['made']['rules']['label']}\nopponent took {pickups}")
            ax.label_outer()
    figure.savefig(file, dpi=90)


def page(found: dict[str, dict[str, Any]], rounds: pd.DataFrame, played: pd.DataFrame) -> Iterator[str]:
    """Yield the lines of results/knock-tables.md."""
    yield from ("# Knock where it pays: tables that answer themselves", "", INTRODUCTION, "")
    yield from ("![Gain of the best reply by round](knock-tables/convergence.png)", "")
    yield from ("## Rounds from knocking at once", "")
    yield from listed(
        ("rules", "round", "cells changed", "% of moments", "the best reply gains", "the reply v knocking at once"),
        (round_row(row) for row in records(rounds[rounds["start"] == "knock at once"])),
    )
    yield from ("", "## Settled?", "", REPLY_NOTE, "")
    yield from listed(
        ("strategy", "rules", "settled, from knocking at once / gin only", "starts differ at", "a best reply gains"),
        (settled_row(name, each["made"]) for name, each in found.items()),
    )
    yield from ("", "## Against other players", "", STRENGTH_NOTE, "")
    yield from listed(
        ("strategy", "rules", "opponent", "net points a hand", "hands won, %", "games won, %", "gins, %", "turns"),
        (strength_row(row) for row in records(played)),
    )
    yield from ("", "## Where the tables knock", "", MAP_NOTE, "", "![Maps of the tables](knock-tables/maps.png)")


def records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return [{str(name): value for name, value in row.items()} for row in frame.to_dict("records")]


def round_row(row: dict[str, Any]) -> tuple[Any, ...]:
    share = f"{100 * row['share_changed']:.2f}"
    gains = span(row, "gain", 4), span(row, "reply_v_at_once", 3)
    return row["rules"], row["round"], row["cells_changed"], share, *gains


def strength_row(row: dict[str, Any]) -> tuple[Any, ...]:
    won = span(row, "won_0_share", 2, 100), span(row, "game_won_share", 2, 100)
    ends = f"{100 * row['gin_share']:.2f}", f"{row['turns_mean']:.2f}"
    names = f"`{row['strategy']}`", row["rules"], f"`{row['opponent']}`"
    return *names, span(row, "net_points_per_hand", 3), *won, *ends


def settled_row(name: str, made: dict[str, Any]) -> tuple[Any, ...]:
    left = made["best_reply_gains_points_per_hand"]
    settled = " / ".join(
        f"{'yes' if done else 'no'}, {count} rounds"
        for done, count in zip(made["settled"].values(), made["rounds"].values(), strict=True)
    )
    gained = f"{left['estimate']:+.4f} [{left['low']:+.4f}, {left['high']:+.4f}]"
    return f"`{name}`", made["rules"]["label"], settled, f"{100 * made['starts_differ_share']:.2f} % of moments", gained


def listed(heads: tuple[str, ...], rows: Iterable[tuple[Any, ...]]) -> Iterator[str]:
    """Yield the lines of a Markdown table."""
    yield f"| {' | '.join(heads)} |"
    yield "|" + "---|" * len(heads)
    for row in rows:
        yield f"| {' | '.join(str(cell) for cell in row)} |"


INTRODUCTION = """\
Both players draw and discard as `simple`. Player 0 lets every knock pass, each is scored aside on the same cards
(`gincore.knock_or_wait`), and the best reply within a table of deadwood x turn x opponent's pick-ups (x knock limit,
where hands differ in it) takes the place of the table, round by round, until nothing changes. All rounds of a start use
the same deals; gains, in points a hand, are measured on other deals, with 95 % intervals over mirrored deals. Made by
`scripts/knock_tables.py`; all rounds of both starts are in [rounds.csv](knock-tables/rounds.csv)."""

REPLY_NOTE = """\
What has settled is the best reply to itself as far as the deals of the rounds can tell: a cell changes only where the
sign of its value is clear. The last column holds against that a best reply without such caution, learned from further
deals and judged on yet others. It is found cell by cell, so that a table might gain more than that, but hardly much."""

STRENGTH_NOTE = """\
On deals of their own. Gins and turns are of both players; [strength.csv](knock-tables/strength.csv) has more
columns and all intervals."""

MAP_NOTE = """\
Orange: knock; blue: wait for gin, or for the opponent to knock; pale: hardly ever met. A low deadwood is kept for gin
and a high one is knocked with early, which no highest deadwood to knock with can say; a pick-up of the opponent, or an
undercut that is worth more, ends the time for it sooner."""


def span(row: dict[str, Any], name: str, digits: int, scale: float = 1.0) -> str:
    mid, low, high = (scale * row[key] for key in (name, f"{name}_low", f"{name}_high"))
    sign = "" if scale != 1 else "+"
    return f"{mid:{sign}.{digits}f} [{low:{sign}.{digits}f}, {high:{sign}.{digits}f}]"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=float, default=1e6, help="deals of a round, each played from both seats")
    parser.add_argument("--games", type=float, default=2e4, help="games against each other player")
    parser.add_argument("--workers", type=int, default=None)
    parser.add_argument("--tables", nargs="*", default=list(SETS), choices=list(SETS))
    parser.add_argument("--out", type=Path, default=RESULTS, help="elsewhere than results/, no table is frozen")
    chosen = parser.parse_args()
    sizes = Sizes(int(chosen.deals), int(chosen.games), chosen.workers)
    found = {name: learn(name, sizes) for name in chosen.tables}
    report(found, sizes, chosen.out)
    if chosen.out == RESULTS:
        FILE.parent.mkdir(exist_ok=True)
        tables = {name: each["made"] for name, each in found.items()}
        FILE.write_text(json.dumps({"format": 1, "tables": tables}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
