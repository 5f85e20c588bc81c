"""Charts on the page of the variant-comparison report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from gincore.analysis.variants import GAMES_WON, ordered
from gincore.language import Language, round_up
from gincore.plotting import variants as plots
from gincore.plotting.rows import rows_figure
from gincore.report.page import Chart, Drawing, Folder
from gincore.report.variant_comparison.city import city_charts
from gincore.report.variant_comparison.play import FIXED, POLICIES, Findings, Setup
from gincore.report.variant_comparison.text import MEANINGS, NAMES, extremes, rows_of


def charts(folder: Folder, setup: Setup, findings: Findings, tr: Language) -> list[Chart]:
    """Save the numbers of every chart, then draw and save it."""
    drawn = []
    for job in [
        *_metrics(setup, findings, tr),
        _ends(setup, findings, tr),
        _limits(setup, findings, tr),
        *(city_charts(findings.grid, setup.cities, tr) if findings.grid is not None else []),
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
    words = tr(*MEANINGS.get(metric, NAMES[metric]))
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
        return tr.count(round_up(value))
    signed = metric == "starter_net_points_per_hand"
    return tr.number(value, 0 if metric == "minutes_per_game" else 1, signed=signed)


def _title(fixed: pd.DataFrame, metric: str, order: Sequence[str], base: str, tr: Language) -> str:
    """Say where a metric is largest and smallest, both knocking at once."""
    rows = rows_of(fixed, FIXED, metric)
    names = extremes(rows, order, base)
    values = [_short(tr, metric, float(rows[name]["estimate"])) for name in names]
    words = tr(*NAMES[metric])
    if values[0] == values[1]:
        return tr(
            f"{words[0].upper()}{words[1:]}: {values[0]} everywhere",
            f"{words[0].upper()}{words[1:]} : {values[0]} partout",
        )
    ends = [f"{value} ({name})" for value, name in zip(values, names, strict=True)]
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
    shares = [tr.percent(float(row["estimate"]), 0) for row in rows.values()]
    top = tr.percent(float(rows[most]["estimate"]), 0)
    under = tr.names([most])
    title = tr(
        f"Both knock at once: gin most often under {under}, {top}",
        f"Qui frappe aussitôt : gin surtout sous {under}, {top}",
    )
    if len(set(shares)) == 1:
        title = tr(f"Both knock at once: gin in {top} everywhere", f"Qui frappe aussitôt : gin dans {top} partout")

    def plot(frame: pd.DataFrame, **how: Any) -> Axes:
        return plots.ends_bars(frame, order=order, **how)

    return Drawing(
        "ends",
        rows_figure(len(order), plots.longest(order)),
        plot,
        fixed,
        title,
        tr(
            "How hands end, by either player, both knocking at once.",
            "Comment finissent les manches, par l'un ou l'autre joueur, les deux frappant aussitôt.",
        ),
    )


def _gin_only_title(found: int, variants: int, tr: Language) -> str:
    """Say in how many variants gin only is the best limit."""
    if not found:
        return tr("Best limit: gin only stands out nowhere", "Meilleure limite : le gin seul ne se détache nulle part")
    where = tr(f"in {found} of {variants} variants", f"dans {found} variante{'s' * (found > 1)} sur {variants}")
    if found == variants:
        where = tr("everywhere", "partout")
    return tr(f"Best limit: gin only stands out {where}", f"Meilleure limite : le gin seul se détache {where}")


def _limits(setup: Setup, findings: Findings, tr: Language) -> Drawing:
    sizes = findings.limits.groupby("variant")["limit"].count()
    order = [name for name in setup.names if sizes[name] > 1] or setup.names
    frame = findings.limits[findings.limits["variant"].isin(order)]
    among = frame[frame["among_best"]].groupby("variant")["limit"].agg(list)
    zero = sum(each == [0] for each in among)

    def plot(frame: pd.DataFrame, **how: Any) -> Axes:
        return plots.limit_rows(frame, order=order, **how)

    return Drawing(
        "limits",
        rows_figure(len(order), plots.longest(order)),
        plot,
        frame,
        _gin_only_title(zero, len(order), tr),
        tr(
            "Best knock limit in points a hand against the field.",
            "Meilleure limite en points par manche contre les mêmes adversaires.",
        ),
    )
