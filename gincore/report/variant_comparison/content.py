"""Charts and tables on the page of the variant-comparison report."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from gincore.analysis.variants import GAMES_WON, GRID_METRICS, ordered
from gincore.language import Language
from gincore.plotting import variants as plots
from gincore.plotting.rows import map_figure, rows_figure
from gincore.report.page import Cell, Chart, Folder, Table
from gincore.report.sheet import cell, count_cell, head_words, level_text
from gincore.report.variant_comparison.play import FIXED, GRID_BONUSES, GRID_LIMITS, POLICIES, Findings, Setup
from gincore.report.variant_comparison.text import NAMES, extremes, finding, method, needed_text, rows_of


class Column(NamedTuple):
    """A column of a table: metric, factor, decimals, whether plus signs are written."""

    metric: str
    scale: float = 1
    digits: int = 2
    signed: bool = False


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
    Column("games_needed", 1, 0),
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

GRID_NAMES: Final = {
    "undercut_share": ("undercuts, % of hands", "sous-coupes, % des manches"),
    "winner_points_per_decided_hand": ("points to the winner", "points au vainqueur"),
    "net_points_sd": ("SD of points", "écart type des points"),
    "better_net_points_per_hand": ("better player's points a hand", "points par manche du meilleur"),
    "hands_needed": ("hands to tell the better player", "manches pour distinguer le meilleur"),
}


class Drawing(NamedTuple):
    """A chart to be drawn: file name, figure and axes, function on axes, frame, title, line under it."""

    name: str
    place: tuple[Figure, Axes]
    plot: Callable[..., Axes]
    frame: pd.DataFrame
    title: str
    caption: str


def charts(folder: Folder, setup: Setup, findings: Findings, tr: Language) -> list[Chart]:
    """Save the numbers of every chart, then draw and save it."""
    drawn = []
    for job in [
        *_metrics(setup, findings, tr),
        _ends(setup, findings, tr),
        _limits(setup, findings, tr),
        *_grid(findings, tr),
    ]:
        path = folder.save_table(job.frame, f"chart-{job.name}")
        job.plot(job.frame, ax=job.place[1], title=job.title, lang=tr.code)
        alt = tr("Chart.", "Graphique.") + f" {job.title}. {job.caption}"
        drawn.append(folder.save_figure(job.place[0], job.name, alt=alt, caption=job.caption, table=path))
    return drawn


def _metrics(setup: Setup, findings: Findings, tr: Language) -> list[Drawing]:
    """List the charts of one metric, both knock policies in a row."""
    wanted: tuple[tuple[str, str, dict[str, Any], str], ...] = (
        ("skill", GAMES_WON, {"scale": 100, "even": 50}, tr("% of games", "% des parties")),
        ("games-needed", "games_needed", {"log": True}, tr("games (logarithmic)", "parties (échelle logarithmique)")),
        ("turns", "turns_mean", {}, tr("turns a hand, both players", "tours par manche, les deux joueurs")),
        (
            "points",
            "winner_points_per_decided_hand",
            {},
            tr("points to the winner of a hand", "points au vainqueur d'une manche"),
        ),
        ("spread", "net_points_sd", {}, tr("SD of a hand's net points", "écart type des points nets d'une manche")),
        (
            "dealer",
            "starter_net_points_per_hand",
            {"even": 0},
            tr("non-dealer's net points a hand", "points nets du non-donneur par manche"),
        ),
        (
            "minutes",
            "minutes_per_game",
            {"log": True},
            tr("minutes a game (logarithmic)", "minutes par partie (échelle logarithmique)"),
        ),
    )
    fixed = findings.overview[findings.overview["policy"] == FIXED]
    jobs = []
    for name, metric, how, label in wanted:
        frame = findings.overview[findings.overview["metric"] == metric]
        if not len(frame):
            continue
        order = [each for each in ordered(fixed, metric, setup.names) if (frame["variant"] == each).any()]

        def plot(
            frame: pd.DataFrame,
            metric: str = metric,
            order: Sequence[str] = order,
            label: str = label,
            how: dict[str, Any] = how,
            **more: Any,
        ) -> Axes:
            return plots.metric_rows(frame, metric, order=order, label=label, **how, **more)

        place = rows_figure(len(order), plots.longest(order), len(POLICIES))
        jobs.append(
            Drawing(name, place, plot, frame, _title(fixed, metric, order, setup.baseline, tr), _caption(metric, tr))
        )
    return jobs


def _caption(metric: str, tr: Language) -> str:
    """Say what a chart of a metric shows; what it is measured in stands at the axis."""
    words = tr(*NAMES[metric])
    both = tr(
        "by variant: both knock at once, and both at the variant's best limit",
        "par variante : tous deux frappent aussitôt, et tous deux à la meilleure limite de la variante",
    )
    return f"{words[0].upper()}{words[1:]} {both}."


def _short(tr: Language, metric: str, value: float) -> str:
    """Write a value for a title."""
    if metric == GAMES_WON:
        return tr.percent(value, 0)
    if metric == "games_needed":
        return tr.number(needed_text(value), 0)
    signed = metric == "starter_net_points_per_hand"
    return tr.number(value, 0 if metric == "minutes_per_game" else 1, signed=signed)


def _title(fixed: pd.DataFrame, metric: str, order: Sequence[str], base: str, tr: Language) -> str:
    """Say where a metric is largest and smallest, both knocking at once."""
    rows = rows_of(fixed, FIXED, metric)
    ends = tuple(
        f"{_short(tr, metric, float(rows[name]['estimate']))} ({name})" for name in extremes(rows, order, base)
    )
    words = tr(*NAMES[metric])
    return tr(
        f"{words[0].upper()}{words[1:]}: from {ends[0]} to {ends[1]}",
        f"{words[0].upper()}{words[1:]} : de {ends[0]} à {ends[1]}",
    )


def _ends(setup: Setup, findings: Findings, tr: Language) -> Drawing:
    metrics = [end[0] for end in plots.ENDS]
    fixed = findings.overview[(findings.overview["policy"] == FIXED) & findings.overview["metric"].isin(metrics)]
    order = ordered(fixed, "knock_share", setup.names)
    rows = rows_of(fixed, FIXED, "gin_share")
    most = max(rows, key=lambda name: float(rows[name]["estimate"]))
    title = tr("Both knock at once: gin most often under {}, {}", "Qui frappe aussitôt : gin surtout sous {}, {}")

    def plot(frame: pd.DataFrame, **how: Any) -> Axes:
        return plots.ends_bars(frame, order=order, **how)

    return Drawing(
        "ends",
        rows_figure(len(order), plots.longest(order)),
        plot,
        fixed,
        title.format(most, tr.percent(float(rows[most]["estimate"]), 0)),
        tr(
            "How hands end, both players knocking at once.",
            "Comment finissent les manches, les deux frappant aussitôt.",
        ),
    )


def _limits(setup: Setup, findings: Findings, tr: Language) -> Drawing:
    sizes = findings.limits.groupby("variant")["limit"].count()
    order = [name for name in setup.names if sizes[name] > 1] or setup.names
    frame = findings.limits[findings.limits["variant"].isin(order)]
    among = frame[frame["among_best"]].groupby("variant")["limit"].agg(list)
    zero = sum(each == [0] for each in among)
    title = tr(
        "Best limit: gin only stands out in {} of {} variants",
        "Meilleure limite : le gin seul se détache dans {} variantes sur {}",
    )

    def plot(frame: pd.DataFrame, **how: Any) -> Axes:
        return plots.limit_rows(frame, order=order, **how)

    return Drawing(
        "limits",
        rows_figure(len(order), plots.longest(order)),
        plot,
        frame,
        title.format(zero, len(order)),
        tr(
            "Best knock limit in points a hand against the field.",
            "Meilleure limite en points par manche contre les mêmes adversaires.",
        ),
    )


def _grid(findings: Findings, tr: Language) -> list[Drawing]:
    jobs = []
    for metric, digits, scale in (
        ("winner_points_per_decided_hand", 1, 1),
        ("undercut_share", 1, 100),
        ("hands_needed", 0, 1),
    ):
        frame = findings.grid[findings.grid["metric"] == metric]
        words = tr(*GRID_NAMES[metric])
        low, high = (
            tr.number(scale * float(each), digits) for each in (frame["estimate"].min(), frame["estimate"].max())
        )
        title = tr(f"Chicago, Manhattan: {words}, {low} to {high}", f"Chicago, Manhattan : {words}, de {low} à {high}")

        def plot(
            frame: pd.DataFrame, metric: str = metric, digits: int = digits, scale: float = scale, **how: Any
        ) -> Axes:
            return plots.grid_map(frame, metric, digits=digits, scale=scale, **how)

        jobs.append(
            Drawing(
                f"grid-{metric.replace('_', '-')}",
                map_figure(len(GRID_BONUSES), len(GRID_LIMITS)),
                plot,
                frame,
                title,
                f"{words[0].upper()}{words[1:]}.",
            )
        )
    return jobs


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
        "more_tables": [f"tables/{name}.csv" for name in findings.frames()],
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
    return [*shown, _limit_table(setup, findings, tr), _grid_table(findings, tr)]


def _heads(columns: Sequence[Column], tr: Language) -> list[str]:
    return [tr(*NAMES[each.metric]) + (", %" if each.scale == 100 else "") for each in columns]


def _side_by_side(setup: Setup, findings: Findings, policy: str, caption: str, tr: Language) -> Table:
    rows = {column.metric: rows_of(findings.overview, policy, column.metric) for column in COLUMNS}
    body = []
    for name in setup.names:
        cells = [Cell(name, value=name)]
        for column in COLUMNS:
            row = rows[column.metric].get(name)
            cells.append(cell(tr, row, scale=column.scale, digits=column.digits, signed=column.signed))
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


def _grid_table(findings: Findings, tr: Language) -> Table:
    rows = {(row["knock_limit"], row["undercut_bonus"], row["metric"]): row for row in findings.grid.to_dict("records")}
    body = []
    for limit in GRID_LIMITS:
        for bonus in GRID_BONUSES:
            cells = [count_cell(limit), count_cell(bonus)]
            for metric in GRID_METRICS:
                scale, digits = (100, 2) if metric == "undercut_share" else (1, 0 if metric == "hands_needed" else 2)
                cells.append(cell(tr, rows.get((limit, bonus, metric)), scale=scale, digits=digits))
            body.append(cells)
    heads = [
        tr("knock limit", "limite pour frapper"),
        tr("undercut bonus", "prime de sous-coupe"),
        *(tr(*GRID_NAMES[metric]) for metric in GRID_METRICS),
    ]
    return Table(tr("Grid of the city variants", "Grille des variantes de villes"), heads, body, "tables/grid.csv")
