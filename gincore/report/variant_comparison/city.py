"""The grid of the city variants, whose texts give no knock limit and no undercut bonus: charts, table and words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import pandas as pd
from matplotlib.axes import Axes

from gincore.analysis.variants import GRID_METRICS
from gincore.language import Language, round_up
from gincore.plotting import variants as plots
from gincore.plotting.rows import map_figure
from gincore.report.page import Drawing, Table
from gincore.report.sheet import cell, count_cell
from gincore.report.variant_comparison.play import BASELINE, GRID_BONUSES, GRID_LIMITS, Setup

GRID_NAMES: Final = {
    "undercut_share": ("undercuts, % of hands", "sous-coupes, % des manches"),
    "winner_points_per_decided_hand": ("points to the winner", "points au vainqueur"),
    "net_points_sd": ("SD of points", "écart type des points"),
    "better_net_points_per_hand": ("better player's points a hand", "points par manche du meilleur"),
    "hands_needed": ("hands to tell the better player", "manches pour distinguer le meilleur"),
}


def city_charts(grid: pd.DataFrame, cities: Sequence[str], tr: Language) -> list[Drawing]:
    """List the maps of the grid."""
    jobs = []
    for metric, digits, scale in (
        ("winner_points_per_decided_hand", 1, 1),
        ("undercut_share", 1, 100),
        ("hands_needed", 0, 1),
    ):
        frame = grid[grid["metric"] == metric]
        words, names = tr(*GRID_NAMES[metric]), ", ".join(cities)
        ends = [scale * float(each) for each in (frame["estimate"].min(), frame["estimate"].max())]
        low, high = (tr.number(round_up(end) if metric == "hands_needed" else end, digits) for end in ends)
        title = f"{names}{tr(': ', ' : ')}{words}, {tr.span(low, high)}"

        def plot(
            frame: pd.DataFrame, metric: str = metric, digits: int = digits, scale: float = scale, **how: Any
        ) -> Axes:
            if metric == "hands_needed":
                frame = frame.assign(estimate=frame["estimate"].map(round_up))
            return plots.grid_map(frame, metric, digits=digits, scale=scale, **how)

        jobs.append(
            Drawing(
                f"grid-{metric.replace('_', '-')}",
                map_figure(len(GRID_BONUSES), len(GRID_LIMITS)),
                plot,
                frame,
                title,
                tr(
                    f"{words[0].upper()}{words[1:]}, by knock limit and undercut bonus.",
                    f"{words[0].upper()}{words[1:]}, selon la limite et la prime de sous-coupe.",
                ),
            )
        )
    return jobs


def city_table(grid: pd.DataFrame, tr: Language) -> Table:
    """Return all cells as a table."""
    rows = {(row["knock_limit"], row["undercut_bonus"], row["metric"]): row for row in grid.to_dict("records")}
    body = []
    for limit in GRID_LIMITS:
        for bonus in GRID_BONUSES:
            cells = [count_cell(limit), count_cell(bonus)]
            for metric in GRID_METRICS:
                scale, up = 100 if metric == "undercut_share" else 1, metric == "hands_needed"
                cells.append(cell(tr, rows.get((limit, bonus, metric)), scale=scale, up=up))
            body.append(cells)
    heads = [
        tr("knock limit", "limite pour frapper"),
        tr("undercut bonus", "prime de sous-coupe"),
        *(tr(*GRID_NAMES[metric]) for metric in GRID_METRICS),
    ]
    return Table(tr("Grid of the city variants", "Grille des variantes de villes"), heads, body, "tables/grid.csv")


def city(grid: pd.DataFrame, cities: Sequence[str], tr: Language) -> str:
    """Say what knock limit and undercut bonus change in the city variants, whose texts give no number."""
    frame = grid[grid["metric"] == "winner_points_per_decided_hand"]
    cells = frame.set_index(["knock_limit", "undercut_bonus"])["estimate"]
    risk = grid[grid["metric"] == "undercut_share"].set_index(["knock_limit", "undercut_bonus"])["estimate"]
    low, high = GRID_LIMITS[0], GRID_LIMITS[-1]
    few, many = GRID_BONUSES[0], GRID_BONUSES[-1]
    bonus = float(cells[high, many] - cells[high, few])
    limit = float(cells[high, many] - cells[low, many])
    return tr(
        f"{tr.names(cities)}: the text gives no number. From undercut bonus {few} to {many} the winner's points "
        "of a "
        f"hand change by {tr.number(bonus, 2, signed=True)} (limit {high}), from knock limit {low} to {high} by "
        f"{tr.number(limit, 2, signed=True)} (bonus {many}); undercuts are {tr.percent(float(risk[low, many]))} of "
        "hands "
        f"at limit {low} and {tr.percent(float(risk[high, many]))} at {high}.",
        f"{tr.names(cities)} : le texte ne donne aucun chiffre. De la prime {few} à {many}, les points du "
        "vainqueur "
        f"d'une manche changent de {tr.number(bonus, 2, signed=True)} (limite {high}), de la limite {low} à {high} de "
        f"{tr.number(limit, 2, signed=True)} (prime {many}) ; les sous-coupes font "
        f"{tr.percent(float(risk[low, many]))} "
        f"des manches à la limite {low} et {tr.percent(float(risk[high, many]))} à {high}.",
    )


def city_method(setup: Setup, tr: Language) -> tuple[str, str]:
    """Say how the grid is made."""
    how = tr("scored again from the same rows, as these players do not look at the bonus",
             "recomptées sur les mêmes manches, car ces joueurs ne regardent pas la prime")  # fmt: skip
    if not setup.rescored:
        how = tr("each played too", "jouées chacune aussi")
    return (
        tr("City grid.", "Grille des villes."),
        tr(
            f"{BASELINE} with other knock limits, played, and other undercut bonuses, {how}. "
            f"{tr.count(setup.grid_deals)} deals a limit.",
            f"{BASELINE} avec d'autres limites, jouées, et d'autres primes de sous-coupe, {how}. "
            f"{tr.count(setup.grid_deals)} donnes par limite.",
        ),
    )
