"""Charts, tables and words on the page of an arena."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

import pandas as pd

from gincore.analysis.contest import GAMES, MEASURES, Measure
from gincore.contests.round_robin import Arena
from gincore.contests.show import by_strategy, head, rank_text
from gincore.language import Language
from gincore.plotting import arena as plots
from gincore.report.arena.text import finding, short_title, standing_title
from gincore.report.page import Cell, Chart, Folder, Table, interval_text, number
from gincore.report.sheet import inside

NAMES: Final = {measure.name: word for measure, word in zip(MEASURES, ("games", "hands", "points"), strict=True)}
"""File names of the heat maps by metric."""

Row = Mapping[Hashable, Any] | Mapping[str, Any]


def tables(arena: Arena) -> dict[str, pd.DataFrame]:
    """Return every frame of an arena by the name of its file."""
    names = [measure.name for measure in MEASURES]
    return {
        "pairs": arena.frame,
        "ranking": pd.concat([arena.ranking(name) for name in names], ignore_index=True),
        "nash": pd.concat([arena.nash(name) for name in names], ignore_index=True),
        "cycles": pd.DataFrame([asdict(arena.cycles(name)) for name in names]),
        "disagreements": arena.disagreements(),
    }


def charts(folder: Folder, arena: Arena) -> list[Chart]:
    """Save the numbers of every chart, then draw and save all charts; the ranking chart is the last."""
    frame, ranking = arena.frame, tables(arena)["ranking"]
    order = list(arena.ranking()["strategy"])
    drawn = []
    for measure in MEASURES:
        rows = frame[frame["metric"] == measure.name]
        path = folder.save_table(rows, NAMES[measure.name])
        figure, ax = plots.heat_axes(order)
        title = short_title(arena, measure)
        plots.heat_map(rows, metric=measure.name, order=order, ax=ax, title=title)
        caption = f"{plots.CELLS[measure.name].capitalize()}; best in games on top."
        alt = f"Heat map of {len(order)} strategies. {title}. {caption}"
        drawn.append(folder.save_figure(figure, NAMES[measure.name], alt=alt, caption=caption, table=path))
    rows = ranking[ranking["metric"] != MEASURES[2].name]
    path = folder.save_table(rows, "standing")
    figure, ax = plots.ranking_axes(order)
    title = standing_title(arena)
    plots.ranking_chart(rows, ax=ax, title=title)
    caption = "Share of all games, and of all decided hands, won against the pool."
    alt = f"Points with intervals, a row a strategy. {title}. {caption}"
    return [*drawn, folder.save_figure(figure, "standing", alt=alt, caption=caption, table=path)]


def page_context(arena: Arena, drawn: Sequence[Chart], again: str) -> dict[str, Any]:
    """Return what the template fills in."""
    setup = arena.setup
    manifest = arena.manifest
    return {
        "title": f"Arena: {setup.rules.label}",
        "finding": finding(arena),
        "charts": drawn,
        "tables": [_ranking_table(arena), _pair_table(arena), _nash_table(arena), _cycle_table(arena)],
        "rules": setup.rules,
        "strategies": manifest["run"]["strategies"],
        "level": f"{100 * setup.level:.4g}",
        "seed": setup.seed,
        "games": f"{setup.games:,}",
        "command": again,
        "inside": inside(Language("en")),
        "versions": manifest["run"]["versions"],
    }


def _cell(measure: Measure, row: Row, mark: str = "", keys: Sequence[str] = ("estimate", "low", "high")) -> Cell:
    scale = 100 if measure.is_share else 1
    value, low, high = (scale * float(row[key]) for key in keys)
    signed = not measure.is_share
    return Cell(number(value, signed=signed) + mark, interval_text(low, high, signed=signed), value)


def _ranking_table(arena: Arena) -> Table:
    ranked = [by_strategy(arena.ranking(measure.name)) for measure in MEASURES]
    body = []
    for name in ranked[0]:
        cells = [Cell(name, value=name)]
        for measure, rows in zip(MEASURES, ranked, strict=True):
            row = rows[name]
            cells += [Cell(rank_text(row), value=float(row["rank"])), _cell(measure, row)]
        body.append(cells)
    heads = [text for measure in MEASURES for text in (f"rank in {measure.words}", head(measure))]
    caption = "Ranking against the pool (in brackets the ranks that cannot be told apart)"
    return Table(caption, ["strategy", *heads], body, "tables/ranking.csv")


def _pair_table(arena: Arena) -> Table:
    body = []
    for (a, b), group in arena.frame.groupby(["a", "b"], sort=False):
        cells = [Cell(f"{a} v {b}", value=f"{a} v {b}")]
        for measure, row in zip(MEASURES, group.to_dict("records"), strict=True):
            cells.append(_cell(measure, row, "*" if row["p_holm"] < 1 - arena.level else ""))
        body.append(cells)
    caption = "Every two strategies, a's view (* told apart after Holm's correction)"
    return Table(caption, ["a v b", *map(head, MEASURES)], body, "tables/pairs.csv")


def _nash_table(arena: Arena) -> Table:
    nash = {measure: by_strategy(arena.nash(measure.name)) for measure in MEASURES}
    body = []
    for name, row in nash[GAMES].items():
        cells = [Cell(name, value=name), Cell(str(row["copies"]), value=float(row["copies"]))]
        for measure, rows in nash.items():
            cells.append(_cell(GAMES, rows[name], keys=("mass", "mass_low", "mass_high")))
            cells.append(_cell(measure, rows[name], keys=("rating", "rating_low", "rating_high")))
        body.append(cells)
    heads = [text for m in MEASURES for text in (f"mass, {m.words}, %", f"{head(m)} against the mixture")]
    return Table("Nash average", ["strategy", "copies in the pool", *heads], body, "tables/nash.csv")


def _cycle_table(arena: Arena) -> Table:
    body = []
    for measure in MEASURES:
        row = asdict(arena.cycles(measure.name))
        counts = (row["triples"], row["cyclic"], row["told"])
        body.append(
            [
                Cell(measure.words, value=measure.words),
                Cell(number(100 * row["share"]), value=row["share"]),
                _cell(GAMES, row, keys=("corrected", "low", "high")),
                Cell(number(100 * row["null_high"]), value=row["null_high"]),
                Cell(number(row["p_value"], 4), value=row["p_value"]),
                *(Cell(str(count), value=float(count)) for count in counts),
            ]
        )
    heads = [
        "measure", "cyclic share, %", "without the noise, %", "noise alone up to, %", "p-value",
        "sets of three", "that go round", "of them told apart",
    ]  # fmt: skip
    return Table("Cycles: who beats whom goes round", heads, body, "tables/cycles.csv")
