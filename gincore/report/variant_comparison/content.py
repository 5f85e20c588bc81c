"""Charts and tables on the page of the variant-comparison report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import pandas as pd

from gincore import french
from gincore.analysis.variants import GAMES_WON
from gincore.language import Language
from gincore.plotting import variants as plots
from gincore.report.page import Cell, Chart, Table
from gincore.report.sheet import cell, count_cell, head_words, level_text
from gincore.report.variant_comparison.city import city_table
from gincore.report.variant_comparison.play import POLICIES, Findings, Setup
from gincore.report.variant_comparison.text import NAMES, finding, method, rows_of
from gincore.ruleset_toml import text_of


class Column(NamedTuple):
    """A column of a table: metric, factor, decimals, whether plus signs are written."""

    metric: str
    scale: float = 1
    digits: int = 2
    signed: bool = False
    up: bool = False


COLUMNS: Final = (
    Column("turns_mean"),
    Column("dead_share", 100),
    Column("knock_share", 100),
    Column("undercut_share", 100),
    Column("gin_share", 100),
    Column("big_gin_share", 100),
    Column("winner_points_per_decided_hand"),
    Column("net_points_sd"),
    Column("starter_net_points_per_hand", signed=True),
    Column("hands_per_game", 1, 1),
    Column("minutes_per_hand", 1, 1),
    Column("minutes_per_game", 1, 1),
    Column(GAMES_WON, 100, 1),
    Column("games_needed", up=True),
)
DIFFERENCES: Final = (
    Column("turns_mean", signed=True),
    Column("dead_share", 100, signed=True),
    Column("knock_share", 100, signed=True),
    Column("undercut_share", 100, signed=True),
    Column("gin_share", 100, signed=True),
    Column("big_gin_share", 100, signed=True),
    Column("points_per_hand", signed=True),
    Column("net_points_sd", signed=True),
    Column("starter_net_points_per_hand", signed=True),
    Column(GAMES_WON, 100, 1, signed=True),
)


def page_context(setup: Setup, findings: Findings, drawn: Sequence[Chart], tr: Language) -> dict[str, Any]:
    """Return what the template fills in."""
    level = level_text(tr, findings.level)
    return {
        "lang": tr.code,
        "words": head_words(tr),
        "title": tr("Variants of gin rummy compared", "Les variantes du gin rummy comparées"),
        "heading": tr(
            f"{len(setup.variants)} variants of gin rummy on the same cards",
            f"{len(setup.variants)} variantes du gin rummy avec les mêmes cartes",
        ),
        "lead": tr(
            f"Baseline: {setup.baseline}. Hands, games, luck and skill.",
            f"Référence : {setup.baseline}. Manches, parties, hasard et adresse.",
        ),
        "finding": finding(setup, findings, tr),
        "charts": drawn,
        "tables": tables(setup, findings, tr),
        "tables_note": tr(
            f"Each cell: estimate, below it the {level} interval; shares in per cent. Click a head to sort.",
            f"Chaque case : estimation et, dessous, intervalle à {level} ; parts en pour cent. Cliquez "
            "un "
            "titre pour trier.",
        ),
        "method": method(setup, findings, tr),
        "command": setup.command(tr.code),
        "versions": setup.plan.manifest()["versions"],
        "files": [f"rules/{variant.name}.toml" for variant in setup.variants],
        "more_tables": ["tables/rules.csv", *(f"tables/{name}.csv" for name in findings.frames())],
    }


def tables(setup: Setup, findings: Findings, tr: Language) -> list[Table]:
    """Return the tables of the page."""
    shown = []
    for policy in POLICIES:
        words = tr(*plots.POLICY_NAMES[policy])
        shown.append(_side_by_side(setup, findings, policy, tr(f"Side by side: {words}", f"Côte à côte : {words}"), tr))
    for policy in POLICIES:
        words = tr(*plots.POLICY_NAMES[policy])
        caption = tr(
            f"Minus {setup.baseline}, same cards: {words} (* told apart, Holm)",
            f"Moins {setup.baseline}, mêmes cartes : {words} (* distingué, Holm)",
        )
        shown.append(_differences(setup, findings, policy, caption, tr))
    grid = [] if findings.grid is None else [city_table(findings.grid, tr)]
    return [_rules_table(setup, tr), *shown, _limit_table(setup, findings, tr), *grid]


def rules_frame(setup: Setup) -> pd.DataFrame:
    """Return the options in which each variant differs from the baseline: ``variant, option, baseline, value``."""
    base = next(each.rules for each in setup.variants if each.name == setup.baseline)
    rows = [
        (each.name, option, text_of(here), text_of(there))
        for each in setup.variants
        for option, (here, there) in base.differences(each.rules).items()
    ]
    return pd.DataFrame(rows, columns=["variant", "option", "baseline", "value"])


def _rules_table(setup: Setup, tr: Language) -> Table:
    """Say what each variant is, as ``gincore rules diff`` does."""
    frame = rules_frame(setup)
    body = []
    for name in setup.names:
        found = frame[frame["variant"] == name].to_dict("records")
        if not found and name != setup.baseline:
            same = tr("none: the same rules", "aucune : les mêmes règles")
            body.append([Cell(name, value=name), Cell(same, value=""), Cell(""), Cell("")])
        for row in found:
            option, here, there = (str(row[key]) for key in ("option", "baseline", "value"))
            term = french.OPTIONS[option][0]
            body.append(
                [
                    Cell(name, value=name),
                    Cell(option, tr("", term), value=option),
                    Cell(tr(here, french.VALUES.get(here, here)), value=here),
                    Cell(tr(there, french.VALUES.get(there, there)), value=there),
                ]
            )
    base = setup.baseline
    heads = [
        tr("variant", "variante"),
        "option",
        tr(f"{base} has", f"{base} a"),
        tr("the variant has", "la variante a"),
    ]
    caption = tr(f"What differs from the baseline, {base}", f"Ce qui diffère de la référence, {base}")
    return Table(caption, heads, body, "tables/rules.csv")


def _heads(columns: Sequence[Column], tr: Language) -> list[str]:
    return [tr(*NAMES[each.metric]) + (", %" if each.scale == 100 else "") for each in columns]


def _side_by_side(setup: Setup, findings: Findings, policy: str, caption: str, tr: Language) -> Table:
    rows = {column.metric: rows_of(findings.overview, policy, column.metric) for column in COLUMNS}
    body = []
    for name in setup.names:
        cells = [Cell(name, value=name)]
        for column in COLUMNS:
            row = rows[column.metric].get(name)
            cells.append(cell(tr, row, scale=column.scale, digits=column.digits, signed=column.signed, up=column.up))
        body.append(cells)
    return Table(caption, [tr("variant", "variante"), *_heads(COLUMNS, tr)], body, "tables/overview.csv")


def _differences(setup: Setup, findings: Findings, policy: str, caption: str, tr: Language) -> Table:
    rows = {column.metric: rows_of(findings.differences, policy, column.metric) for column in DIFFERENCES}
    body = []
    for name in setup.names:
        if name == setup.baseline:
            continue
        cells = [Cell(name, value=name)]
        for column in DIFFERENCES:
            row = rows[column.metric].get(name)
            mark = "*" if row is not None and row["p_holm"] < 1 - findings.level else ""
            found = None if row is None else {**row, "estimate": row["difference"]}
            cells.append(cell(tr, found, scale=column.scale, digits=column.digits, signed=column.signed, mark=mark))
        body.append(cells)
    return Table(caption, [tr("variant", "variante"), *_heads(DIFFERENCES, tr)], body, "tables/differences.csv")


def _limit_table(setup: Setup, findings: Findings, tr: Language) -> Table:
    body = []
    for name, part in findings.limits.groupby("variant", sort=False):
        best = part[part["best"]].iloc[0].to_dict()
        among = part.loc[part["among_best"], "limit"]
        body.append(
            [
                Cell(str(name), value=str(name)),
                count_cell(best["limit"]),
                Cell(", ".join(map(str, among)), value=float(among.min())),
                cell(tr, best, signed=True),
                count_cell(best["n"]),
            ]
        )
    heads = [
        tr("variant", "variante"),
        tr("best limit", "meilleure limite"),
        tr("not told apart", "non distinguées"),
        tr("its net points a hand", "ses points nets par manche"),
        tr("pairs of deals", "paires de donnes"),
    ]
    return Table(
        tr("Best knock limit against the field", "Meilleure limite contre les mêmes adversaires"),
        heads,
        body,
        "tables/limits.csv",
    )
