"""Charts and tables on the page of the undercut-risk report."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from gincore.analysis.undercut import FACTORS
from gincore.language import Language
from gincore.plotting import undercut as plots
from gincore.plotting.rows import map_figure, rows_figure
from gincore.plotting.style import new_figure
from gincore.report.page import Cell, Chart, Drawing, Folder, Table
from gincore.report.sheet import cell, count_cell, head_words, level_text
from gincore.report.undercut_risk.play import BONUSES, Findings, Setup, told
from gincore.report.undercut_risk.text import by_metric, finding, method


def charts(folder: Folder, setup: Setup, findings: Findings, tr: Language) -> list[Chart]:
    """Save the numbers of every chart, then draw and save it."""
    drawn = []
    for job in [*_general(setup, findings, tr), *_by_opponent(setup, findings, tr)]:
        path = folder.save_table(job.frame, f"chart-{job.name}")
        job.plot(job.frame, ax=job.place[1], title=job.title, lang=tr.code)
        alt = tr("Chart.", "Graphique.") + f" {job.title}. {job.caption}"
        drawn.append(folder.save_figure(job.place[0], job.name, alt=alt, caption=job.caption, table=path))
    return drawn


def _general(setup: Setup, findings: Findings, tr: Language) -> list[Drawing]:
    """List the charts that show all opponents."""
    names = list(setup.opponents)
    cells, rows = findings.cells["by-deadwood"], by_metric(findings.overview)
    longest = max(map(len, names))
    shares = {name: rows[name, "undercut_share"]["estimate"] for name in names}
    most = max(names, key=lambda name: shares[name])
    risk = tr(
        f"Undercut most by {most}: {tr.percent(shares[most])} of knocks",
        f"Le plus souvent contré par {most} : {tr.percent(shares[most])} des frappes",
    )

    def by_opponent(frame: pd.DataFrame, **how: Any) -> Axes:
        return plots.risk_lines(frame, by="opponent", **how)

    jobs = [
        Drawing(
            "risk",
            new_figure(),
            by_opponent,
            cells[cells["metric"] == "undercut_share"],
            risk,
            tr(
                "Share of knocks undercut by the knocker's deadwood.",
                "Part des frappes contrées selon les points morts du frappeur.",
            ),
        ),
        Drawing(
            "explained",
            rows_figure(len(FACTORS), 10, len(names)),
            plots.explained_rows,
            findings.explained,
            _carrier_title(findings, tr),
            tr("What each circumstance explains of the risk.", "Ce que chaque circonstance explique du risque."),
        ),
    ]
    made = findings.overview[findings.overview["metric"] == "by_layoff_share_of_undercuts"]
    if len(made):
        jobs.append(_rows_job("layoffs", findings.overview, made, longest, tr, 100))
    gain = findings.spread[findings.spread["metric"] == "net_points_per_knock"]
    jobs.append(_rows_job("spread", findings.spread, gain, longest, tr, 1))
    return jobs


def _rows_job(name: str, frame: pd.DataFrame, rows: pd.DataFrame, longest: int, tr: Language, scale: float) -> Drawing:
    """Describe a chart of one metric, a row an opponent."""
    low, high = rows["estimate"].min() * scale, rows["estimate"].max() * scale
    if name == "layoffs":
        title = tr("Lay-offs alone make {} % of undercuts", "La pose seule fait {} % des sous-coupes")
        label = tr("made by lay-offs alone, % of undercuts", "dues à la seule pose, % des sous-coupes")
        ends = [tr.number(each, 0) for each in (low, high)]
    else:
        title = tr("Free choice of spread: {} points a knock", "Étalage libre : {} point par frappe")
        label = tr("gain in net points a knock", "gain en points nets par frappe")
        ends = [tr.number(each, 3, signed=True) for each in (low, high)]
    metric = str(rows["metric"].iloc[0])

    def plot(frame: pd.DataFrame, **how: Any) -> Axes:
        return plots.overview_rows(frame, metric, label=label, scale=scale, **how)

    return Drawing(
        name,
        rows_figure(len(rows), longest),
        plot,
        frame,
        title.format(tr.span(*ends)),
        f"{label.capitalize()}{tr(', by opponent.', ', par adversaire.')}",
    )


def _carrier_title(findings: Findings, tr: Language) -> str:
    rows = findings.explained[findings.explained["factor"] != "all"].dropna(subset=["part"])
    if not len(rows):
        return tr("What carries the risk? Too few undercuts", "Qu'est-ce qui porte le risque ? Trop peu de cas")
    best = rows.loc[rows.groupby("opponent", sort=False)["part"].idxmax()]
    names = {name: tr(*plots.FACTOR_NAMES[name]) for name in dict.fromkeys(best["factor"])}
    if len(names) == 1:
        return tr("Carries most of the risk: ", "Porte le plus le risque : ") + next(iter(names.values()))
    return tr("What carries the risk depends on the opponent: ", "Ce qui porte le risque dépend de l'adversaire : ") + (
        tr.joined(list(names.values())).replace(f" {tr('and', 'et')} ", f" {tr('or', 'ou')} ")
    )


def _captions(tr: Language) -> tuple[str, str, str]:
    """Return what the maps of the risk (to be completed), of the loss and the lines of the bonus show."""
    return tr(
        (
            "Share of knocks undercut, by deadwood and ",
            "Points lost to undercuts a knock, by deadwood and turns.",
            "Net points of a knock by undercut bonus.",
        ),
        (
            "Part des frappes contrées, par points morts et ",
            "Points perdus par sous-coupe, par frappe, selon points morts et tours.",
            "Points nets d'une frappe selon la prime de sous-coupe.",
        ),
    )


def _by_opponent(setup: Setup, findings: Findings, tr: Language) -> list[Drawing]:
    """List the charts of each opponent."""
    jobs = []
    size = len(FACTORS["deadwood"])
    for number, name in enumerate(setup.opponents):
        of = {key: frame[frame["opponent"] == name] for key, frame in findings.frames().items()}
        end = f"{number}-{re.sub(r'[^a-z0-9]+', '-', name.lower()).strip('-')}"
        against = tr(f"Against {name}", f"Contre {name}")
        risk, loss, net = (f"{against}. {words}" for words in _captions(tr))
        for kind, by in (("turns", "by-turns"), ("pickups", "by-pickups"), ("discard", "by-discard")):
            title = f"{against}{tr(': ', ' : ')}{_range(of[by], 'undercut_share', tr)}"
            jobs.append(
                Drawing(
                    f"{kind}-{end}",
                    map_figure(len(FACTORS[kind]), size),
                    _mapped(plots.risk_map, kind),
                    of[by][of[by]["metric"] == "undercut_share"],
                    title,
                    f"{risk}{plots.axis_label(kind, tr)}.",
                )
            )
        title = f"{against}{tr(': ', ' : ')}{_range(of['by-turns'], 'loss_per_knock', tr)}"
        jobs.append(
            Drawing(
                f"loss-{end}",
                map_figure(len(FACTORS["turns"]), size),
                _mapped(plots.loss_map, "turns"),
                of["by-turns"][of["by-turns"]["metric"] == "loss_per_knock"],
                title,
                loss,
            )
        )
        jobs.append(
            Drawing(
                f"bonus-{end}",
                new_figure(),
                plots.bonus_lines,
                of["bonus"],
                _bonus_title(of["bonus"], against, tr),
                net,
            )
        )
    return jobs


def _mapped(plot: Callable[..., Axes], by: str) -> Callable[..., Axes]:
    def draw(frame: pd.DataFrame, **how: Any) -> Axes:
        return plot(frame, by=by, **how)

    return draw


def _range(frame: pd.DataFrame, metric: str, tr: Language) -> str:
    rows = frame[(frame["metric"] == metric) & (frame["hands"] >= plots.LEAST)]
    if not len(rows):
        return tr("too few knocks", "trop peu de frappes")
    low, high = rows["estimate"].min(), rows["estimate"].max()
    if metric == "undercut_share":
        share = tr.span(tr.number(100 * low, 0), tr.number(100 * high, 0))
        return tr(f"{share} % of knocks undercut", f"{share} % des frappes contrées")
    points = tr.span(tr.number(low, 1), tr.number(high, 1))
    return tr(f"{points} points lost a knock", f"{points} points perdus par frappe")


def _bonus_title(frame: pd.DataFrame, against: str, tr: Language) -> str:
    rows = frame[(frame["metric"] == "net_points_per_knock") & (frame["deadwood"] == "all")].set_index("bonus")[
        "estimate"
    ]
    low, high = (tr.number(float(rows[bonus]), 1, signed=True) for bonus in (BONUSES[0], BONUSES[-1]))
    return tr(
        f"{against}: a knock nets {low} points at bonus {BONUSES[0]}, {high} at {BONUSES[-1]}",
        f"{against} : une frappe rapporte {low} points à prime {BONUSES[0]}, {high} à {BONUSES[-1]}",
    )


def page_context(setup: Setup, findings: Findings, drawn: Sequence[Chart], tr: Language) -> dict[str, Any]:
    """Return what the template fills in."""
    level = level_text(tr, findings.level)
    return {
        "lang": tr.code,
        "words": head_words(tr),
        "title": tr(f"Undercut risk: {setup.rules.label}", f"Risque de sous-coupe : {setup.rules.label}"),
        "heading": tr(
            f"How risky is a knock under {setup.rules.label} rules?",
            f"Quel risque court-on à frapper sous les règles {setup.rules.label} ?",
        ),
        "lead": tr(
            "An undercut: after lay-offs the defender has no more deadwood than the knocker, and scores.",
            "Sous-coupe : après la pose, l'adversaire n'a pas plus de points morts que le frappeur, et marque.",
        ),
        "finding": finding(setup, findings, tr),
        "charts": drawn,
        "tables": tables(setup, findings, tr),
        "tables_note": tr(
            f"Each cell: estimate, below it the {level} interval. Click a head to sort.",
            f"Chaque case : estimation et, dessous, intervalle à {level}. Cliquez un titre pour trier.",
        ),
        "method": method(setup, findings, tr),
        "command": setup.command(tr.code),
        "versions": setup.plan.manifest()["versions"],
        "files": ["rules.toml"],
        "more_tables": [f"tables/{name}.csv" for name in findings.frames()],
    }


def tables(setup: Setup, findings: Findings, tr: Language) -> list[Table]:
    """Return the tables of the page."""
    return [
        _overview(setup, findings, tr),
        _deadwood(setup, findings, tr),
        _explained(findings, tr),
        _bonus(setup, findings, tr),
        _spread(setup, findings, tr),
    ]


def _overview(setup: Setup, findings: Findings, tr: Language) -> Table:
    rows = by_metric(findings.overview)
    columns = (
        ("undercut_share", tr("undercut, %", "contrées, %"), 100),
        ("loss_per_knock", tr("loss a knock", "perte par frappe"), 1),
        ("loss_per_undercut", tr("loss an undercut", "perte par sous-coupe"), 1),
        ("net_points_per_knock", tr("net points a knock", "points nets par frappe"), 1),
        (
            "by_layoff_share_of_undercuts",
            tr("by lay-offs alone, % of undercuts", "par la seule pose, % des sous-coupes"),
            100,
        ),
        ("laid_off_share", tr("with a lay-off, % of knocks", "avec pose, % des frappes"), 100),
        ("laid_points_per_knock", tr("points laid off a knock", "points posés par frappe"), 1),
    )
    body = [
        [
            Cell(name, value=name),
            count_cell(rows[name, "undercut_share"]["hands"]),
            *(cell(tr, rows.get((name, metric)), scale=scale) for metric, _, scale in columns),
        ]
        for name in setup.opponents
    ]
    heads = [tr("opponent", "adversaire"), tr("knocks", "frappes"), *(head for _, head, _ in columns)]
    return Table(tr("Risk and price of a knock", "Risque et prix d'une frappe"), heads, body, "tables/overview.csv")


def _deadwood(setup: Setup, findings: Findings, tr: Language) -> Table:
    frame = findings.cells["by-deadwood"]
    rows = {(row["deadwood"], row["opponent"], row["metric"]): row for row in frame.to_dict("records")}
    body = []
    for deadwood in FACTORS["deadwood"]:
        cells = [Cell(deadwood, value=float(deadwood))]
        for name in setup.opponents:
            risk, net = (rows.get((deadwood, name, metric)) for metric in ("undercut_share", "net_points_per_knock"))
            mark = "*" if risk is not None and told(risk["p_holm"], findings.level) else ""
            cells += [cell(tr, risk, scale=100, mark=mark), cell(tr, net, signed=True)]
        body.append(cells)
    heads = [
        text
        for name in setup.opponents
        for text in (f"{name}{tr(': undercut, %', ' : contrées, %')}", f"{name}{tr(': net points', ' : points nets')}")
    ]
    caption = tr(
        "By the knocker's deadwood (* told apart from the average of the opponent, Holm)",
        "Selon les points morts du frappeur (* distingué de la moyenne contre l'adversaire, Holm)",
    )
    return Table(caption, [tr("deadwood", "points morts"), *heads], body, "tables/by-deadwood.csv")


def _explained(findings: Findings, tr: Language) -> Table:
    body = []
    for row in findings.explained.to_dict("records"):
        name = tr("all four", "les quatre") if row["factor"] == "all" else tr(*plots.FACTOR_NAMES[row["factor"]])
        mark = "*" if told(row["p_holm"], findings.level) else ""
        parts = [
            {"estimate": row[key], "low": row[low], "high": row[high]}
            for key, low, high in (("part", "part_low", "part_high"), ("of_explained", "of_low", "of_high"))
        ]
        lone = [{"estimate": row[key], "low": row[key], "high": row[key]} for key in ("alone", "last")]
        alone = [Cell(each.text, value=each.value) for each in (cell(tr, one, scale=100) for one in lone)]
        body.append(
            [
                Cell(row["opponent"], value=row["opponent"]),
                Cell(name, value=name),
                cell(tr, parts[0], scale=100),
                cell(tr, parts[1], scale=100, digits=1, mark=mark),
                *alone,
            ]
        )
    heads = [
        tr("opponent", "adversaire"),
        tr("circumstance", "circonstance"),
        tr("explained, % of uncertainty", "expliqué, % de l'incertitude"),
        tr("part of explained, %", "part de l'expliqué, %"),
        tr("alone, %", "seule, %"),
        tr("lost without it, %", "perdu sans elle, %"),
    ]
    caption = tr(
        "What carries the risk (* told apart from the largest part, Holm)",
        "Ce qui porte le risque (* distingué de la plus grande part, Holm)",
    )
    return Table(caption, heads, body, "tables/explained.csv")


def _bonus(setup: Setup, findings: Findings, tr: Language) -> Table:
    frame = findings.bonus[findings.bonus["metric"] == "net_points_per_knock"]
    rows = {(row["opponent"], row["deadwood"], row["bonus"]): row for row in frame.to_dict("records")}
    body = []
    for name in setup.opponents:
        for deadwood in ("all", *FACTORS["deadwood"]):
            shown = tr("all", "tous") if deadwood == "all" else deadwood
            cells = [Cell(name, value=name), Cell(shown, value=0.0 if deadwood == "all" else float(deadwood))]
            for bonus in BONUSES:
                row = rows.get((name, deadwood, bonus))
                mark = "*" if row is not None and told(row["p_holm"], findings.level) else ""
                cells.append(cell(tr, row, signed=True, mark=mark))
            body.append(cells)
    heads = [
        tr("opponent", "adversaire"),
        tr("deadwood", "points morts"),
        *(f"{tr('bonus', 'prime')} {bonus}" for bonus in BONUSES),
    ]
    caption = tr(
        "Net points of a knock by undercut bonus (* told apart from 0, Holm)",
        "Points nets d'une frappe selon la prime de sous-coupe (* distingué de 0, Holm)",
    )
    return Table(caption, heads, body, "tables/bonus.csv")


def _spread(setup: Setup, findings: Findings, tr: Language) -> Table:
    rows = by_metric(findings.spread)
    body = []
    for name in setup.opponents:
        cells = [Cell(name, value=name)]
        for metric, scale, signed in (
            ("undercut_share", 100, True),
            ("net_points_per_knock", 1, True),
            ("other_result_share", 100, False),
        ):
            row = rows[name, metric]
            mark = "*" if told(row["p_holm"], findings.level) else ""
            cells.append(cell(tr, row, scale=scale, digits=3, signed=signed, mark=mark))
        body.append(cells)
    heads = [
        tr("opponent", "adversaire"),
        tr("undercut, percentage points", "contrées, points de pourcentage"),
        tr("net points a knock", "points nets par frappe"),
        tr("knocks that score otherwise, %", "frappes au résultat changé, %"),
    ]
    caption = tr(
        "Free choice of spread minus least deadwood, same hands (* told apart from 0, Holm)",
        "Étalage libre moins étalage au moins de points morts, mêmes manches (* distingué de 0, Holm)",
    )
    return Table(caption, heads, body, "tables/spread.csv")
