"""Charts, tables and words on the page of the knock-threshold report."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import pandas as pd
from matplotlib.axes import Axes

from gincore.analysis.knock import MEASURES, against_reference
from gincore.language import Language
from gincore.plotting import knock as plots
from gincore.plotting.style import new_figure
from gincore.report.knock_threshold import value_text
from gincore.report.knock_threshold.sweep import ITSELF, LIMITS, OPPONENT, REFERENCE, Findings, Setup
from gincore.report.knock_threshold.text import counted, finding, short_title, words_of
from gincore.report.knock_threshold.value_content import SHEET, Section
from gincore.report.page import Cell, Chart, Folder, Table, interval_text, number
from gincore.report.sheet import cell, inside
from gincore.ruleset import rules
from gincore.ruleset_toml import text_of


class Column(NamedTuple):
    """A column of a table: metric, head with the unit, factor and decimals, and whether plus signs are written."""

    metric: str
    head: str
    scale: float = 1
    digits: int = 2
    signed: bool = False


SCORES: Final = (
    Column("net_points_per_hand", "net points a hand", signed=True),
    Column("won_0_share", "hands won, % of all", 100),
    Column("won_0_share_of_decided", "hands won, % of decided", 100),
    Column("game_won_0_share", "games won, %", 100),
    Column("turns_mean", "turns a hand"),
    Column("hands_per_game", "hands a game"),
)
ENDS: Final = (
    Column("knock_share", "knock won, % of all", 100),
    Column("gin_share", "gin, % of all", 100),
    Column("undercut_share", "undercut, % of all", 100),
    Column("dead_share", "dead, % of all", 100),
    Column("knock_share_of_decided", "knock won, % of decided", 100),
    Column("gin_share_of_decided", "gin, % of decided", 100),
    Column("undercut_share_of_decided", "undercut, % of decided", 100),
)
BIG_GIN: Final = (
    Column("big_gin_share", "big gin, % of all", 100),
    Column("big_gin_share_of_decided", "big gin, % of decided", 100),
)
HEADS: Final = {
    "net points a hand": "points nets par manche",
    "hands won, % of all": "manches gagnées, % de toutes",
    "hands won, % of decided": "manches gagnées, % des décidées",
    "games won, %": "parties gagnées, %",
    "turns a hand": "tours par manche",
    "hands a game": "manches par partie",
    "knock won, % of all": "frappe gagnée, % de toutes",
    "gin, % of all": "gin, % de toutes",
    "undercut, % of all": "sous-coupe, % de toutes",
    "dead, % of all": "nulles, % de toutes",
    "knock won, % of decided": "frappe gagnée, % des décidées",
    "gin, % of decided": "gin, % des décidées",
    "undercut, % of decided": "sous-coupe, % des décidées",
    "big gin, % of all": "grand gin, % de toutes",
    "big gin, % of decided": "grand gin, % des décidées",
    "points to the winner of a decided hand": "points au vainqueur d'une manche décidée",
    "knock limit": "limite pour frapper",
}
"""Heads of the tables in French."""

_OF_ALL: Final = (
    "Knocks, gins and undercuts of either player; shares of all hands, dead ones included.",
    "Frappes, gins et sous-coupes de l'un ou l'autre joueur ; parts de toutes les manches, nulles comprises.",
)

LENGTH: Final = (
    Column("turns_mean", "turns a hand"),
    Column("winner_points_per_decided_hand", "points to the winner of a decided hand"),
)


class LimitChart(NamedTuple):
    """A chart to be drawn: file name, function, opponent (None: all), metrics, title, line under it."""

    name: str
    plot: Callable[..., Axes]
    opponent: str | None
    metrics: tuple[str, ...]
    title: str
    caption: str


def drawings(findings: Findings, tr: Language) -> list[LimitChart]:
    """List the charts of the report; titles say what was found or ask what is shown."""
    points, hands, games = (short_title(findings.verdicts[name], tr) for name in MEASURES)
    ends = tuple(plots.RESULTS)
    score = ("winner_points_per_decided_hand",)
    won = tr(
        "Games and hands won by player 0 against simple; dead hands count as not won.",
        "Parties et manches gagnées par le joueur 0 contre simple ; une manche nulle n'est pas gagnée.",
    )
    both = tr(
        "How do hands end, by either player, if both keep the limit?",
        "Comment finissent-elles, par l'un ou l'autre, si les deux gardent la limite ?",
    )
    winner = tr("Points to the winner of a decided hand.", "Points au vainqueur d'une manche décidée.")
    net = tr("Net points a hand against simple.", "Points nets par manche contre simple.")
    how = tr(
        "How do hands against simple end, by either player?",
        "Comment finissent les manches contre simple, par l'un ou l'autre joueur ?",
    )
    long = tr("How long is a hand?", "Combien dure une manche ?")
    turns = tr("Turns of both players.", "Tours des deux joueurs.")
    much = tr("How much does a hand score?", "Combien rapporte une manche ?")
    of_all = tr(*_OF_ALL)
    return [
        LimitChart("points", plots.points_by_limit, OPPONENT, MEASURES[:1], points, net),
        LimitChart("won", plots.won_by_limit, OPPONENT, MEASURES[1:], f"{games}\n{hands}", won),
        LimitChart("ends", plots.shares_by_limit, OPPONENT, ends, how, of_all),
        LimitChart("ends-itself", plots.shares_by_limit, ITSELF, ends, both, of_all),
        LimitChart("turns", plots.turns_by_limit, None, ("turns_mean",), long, turns),
        LimitChart("winner-points", plots.winner_points_by_limit, None, score, much, winner),
    ]


def charts(folder: Folder, findings: Findings, tr: Language) -> list[Chart]:
    """Save the numbers of every chart, then draw and save all charts."""
    sweep = findings.sweep
    jobs = drawings(findings, tr)
    frames = []
    for job in jobs:
        opponents = [OPPONENT, ITSELF] if job.opponent is None else [job.opponent]
        frames.append(sweep[sweep["opponent"].isin(opponents) & sweep["metric"].isin(job.metrics)])
    paths = [folder.save_table(frame, job.name) for job, frame in zip(jobs, frames, strict=True)]
    drawn = []
    for job, frame, path in zip(jobs, frames, paths, strict=True):
        figure, ax = new_figure()
        job.plot(frame, ax=ax, title=job.title, lang=tr.code)
        kind = tr("Line chart by knock limit, 0 to 10.", "Courbes selon la limite pour frapper, de 0 à 10.")
        alt = f"{kind} {'. '.join(job.title.splitlines())}. {job.caption}"
        drawn.append(folder.save_figure(figure, job.name, alt=alt.replace("?.", "?"), caption=job.caption, table=path))
    return drawn


def page_context(
    setup: Setup, findings: Findings, drawn: Sequence[Chart], parts: Sequence[Section], tr: Language
) -> dict[str, Any]:
    """Return what the template fills in."""
    sweep = findings.sweep
    big_gin = BIG_GIN if setup.rules.big_gin else ()
    points, games = (findings.verdicts[name] for name in ("net_points_per_hand", "game_won_0_share"))
    itself = sweep[sweep["opponent"] == ITSELF].iloc[0]
    net = sweep[(sweep["opponent"] == OPPONENT) & (sweep["metric"] == "net_points_per_hand")].set_index("limit")
    counts = {
        "hands_n": counted(points.n, points.unit, tr),
        "games_n": counted(games.n, games.unit, tr),
        "itself_n": counted(int(itself["n"]), str(itself["unit"]), tr),
    }
    each = tr("a limit", "par limite")
    against = tr("Against simple: ", "Contre simple : ") + f"{counts['hands_n']}, {counts['games_n']} {each}"
    ends = (
        tr("How hands against simple end, by either player: ", "Fin des manches contre simple, par l'un ou l'autre : ")
        + f"{counts['hands_n']} {each}"
    )
    both = tr("Both keep the limit: ", "Les deux gardent la limite : ") + f"{counts['itself_n']} {each}"
    tables = [
        _limit_table(sweep, OPPONENT, against, SCORES, tr),
        _difference_table(findings, tr),
        _limit_table(sweep, OPPONENT, ends, (*ENDS, *big_gin), tr),
        _limit_table(sweep, ITSELF, both, (*LENGTH, *ENDS, *big_gin), tr),
    ]
    return {
        "lang": tr.code,
        "title": tr(f"Knock threshold: {setup.rules.label}", f"Quand frapper : {setup.rules.label}"),
        "finding": [
            *finding(findings.verdicts, findings.comparisons, setup.rules.label, setup.level, tr),
            *value_text.finding(setup, findings.value, tr),
        ],
        "charts": drawn,
        "sections": parts,
        "sheet": f"{SHEET}.html",
        "more_method": value_text.method(setup, findings.value, tr),
        "more_tables": [f"tables/{name}.csv" for name in findings.value.frames()],
        "tables": tables,
        "rules": setup.rules,
        "differing": _differing(setup),
        "level": f"{100 * setup.level:.4g}",
        "seed": setup.seed,
        "reference": REFERENCE,
        "reference_exact": bool((net.loc[REFERENCE, ["estimate", "low", "high"]] == 0).all()),
        "alike": bool((findings.comparisons["p_value"] == 1).all()),
        "command": setup.command(tr.code),
        "inside": inside(tr),
        "versions": setup.hands_plans[REFERENCE].manifest()["versions"],
        **counts,
    }


def _differing(setup: Setup) -> list[tuple[str, str, str]]:
    """Options in which the rules differ from ``classic``: name, value here, value there."""
    changes = setup.rules.differences(rules("classic"))
    return [(name, text_of(mine), text_of(theirs)) for name, (mine, theirs) in changes.items()]


def _limit_table(sweep: pd.DataFrame, opponent: str, caption: str, columns: Sequence[Column], tr: Language) -> Table:
    rows = {(row["limit"], row["metric"]): row for row in sweep[sweep["opponent"] == opponent].to_dict("records")}
    body = []
    for limit in LIMITS:
        cells = [Cell(str(limit), value=limit)]
        for column in columns:
            row = rows[limit, column.metric]
            cells.append(_cell(row["estimate"], row["low"], row["high"], column, tr))
        body.append(cells)
    return Table(caption, _heads(["knock limit", *(column.head for column in columns)], tr), body, "tables/sweep.csv")


def _heads(heads: Sequence[str], tr: Language) -> list[str]:
    return [tr(head, HEADS.get(head, head)) for head in heads]


def _difference_table(findings: Findings, tr: Language) -> Table:
    differences = against_reference(findings.comparisons, REFERENCE).to_dict("records")
    rows = {(row["limit"], row["measure"]): row for row in differences}
    points = tr(", percentage points", ", points de pourcentage")
    heads = [f"{words_of(name, tr)}{'' if name == 'net_points_per_hand' else points}" for name in MEASURES]
    body = []
    for limit in LIMITS:
        if limit == REFERENCE:
            continue
        cells = [Cell(str(limit), value=limit)]
        for name in MEASURES:
            row = rows[limit, name]
            scale = 1 if name == "net_points_per_hand" else 100
            column = Column(name, "", scale, signed=True)
            mark = "*" if row["p_holm"] < 1 - findings.level else ""
            cells.append(_cell(row["difference"], row["low"], row["high"], column, tr, mark))
        body.append(cells)
    caption = tr(
        f"Difference to limit {REFERENCE} on the same cards (* told apart after Holm's correction)",
        f"Différence avec la limite {REFERENCE}, mêmes cartes (* distingué après correction de Holm)",
    )
    return Table(caption, [*_heads(["knock limit"], tr), *heads], body, "tables/comparisons.csv")


def _cell(value: float, low: float, high: float, column: Column, tr: Language, mark: str = "") -> Cell:
    if tr.code == "fr":
        row = {"estimate": value, "low": low, "high": high}
        return cell(tr, row, scale=column.scale, digits=column.digits, signed=column.signed, mark=mark)
    if math.isnan(value):
        return Cell("n/a")
    value, low, high = (each * column.scale for each in (value, low, high))
    text = number(value, column.digits, signed=column.signed) + mark
    return Cell(text, interval_text(low, high, column.digits, signed=column.signed), value)
