"""Charts and tables on knock or wait, limits by opponent and the table that answers itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from gincore.analysis.knock_value import verdict_shares
from gincore.language import HARD_SPACE, Language
from gincore.plotting.forks import value_figure, value_map
from gincore.plotting.rows import dot_rows, entitle, rows_figure
from gincore.plotting.sheet import TURNS, sheet
from gincore.plotting.tables import KNOCKS, WAITS, knock_map
from gincore.report.knock_threshold.meetings import BY_TURN, FIXED, MAPS, TABLE, top_limit
from gincore.report.knock_threshold.sweep import Setup
from gincore.report.knock_threshold.value import STRENGTH, Value, map_frame
from gincore.report.knock_threshold.value_text import best_text, name_of, own_limits, policy_name, sheet_words
from gincore.report.page import Cell, Chart, Folder, Table, render
from gincore.report.sheet import cell

SHEET: Final = "when-to-knock"
"""Name of the one-page chart and of its page."""

MOST_TURNS: Final = 32
"""Completed turns beyond which no column is shown: hardly a hand is as long."""

POLICIES: Final = (FIXED, BY_TURN, TABLE)


class Section(NamedTuple):
    """A part of the page: head, a line under it, charts, tables."""

    head: str
    note: str
    charts: Sequence[Chart]
    tables: Sequence[Table] = ()


def sections(folder: Folder, setup: Setup, value: Value, tr: Language) -> list[Section]:
    """Save the numbers of every chart, draw and save all charts, and return the parts of the page."""
    for name, frame in value.frames().items():
        folder.save_table(frame, name)
    if value.answer is None:
        return []
    return [
        Section(
            tr("Knock now or wait?", "Frapper ou attendre ?"),
            tr(
                "Points that knocking now scores more than waiting, on the same cards. Blue: knock, orange: wait.",
                "Points que frapper tout de suite rapporte de plus qu'attendre, avec les mêmes cartes. Bleu : frapper, "
                "orange : attendre.",
            ),
            _maps(folder, value, tr),
        ),
        Section(
            tr("Limits by opponent", "Limites par adversaire"),
            tr(
                "One limit for the whole hand, a limit for each turn, and the table that answers itself.",
                "Une limite pour toute la manche, une limite par tour, et la table qui se répond à elle-même.",
            ),
            [*_strength_charts(folder, value, tr), _gain_chart(folder, setup, value, tr)],
            [_strength_table(value, tr), _limit_table(setup, value, tr), _turn_table(value, tr)],
        ),
        Section(
            tr("The table that answers itself", "La table qui se répond à elle-même"),
            _table_note(setup, tr),
            [_table_chart(folder, setup, value, tr)],
        ),
        Section(
            tr("When to knock, on one page", "Quand frapper, sur une page"),
            tr("To print: a page of A4 that reads in grey.", "À imprimer : une page A4, lisible en gris."),
            [_sheet_chart(folder, setup, value, tr)],
        ),
    ]


def sheet_page(chart: Chart, tr: Language) -> str:
    """Return the page that holds the one-page chart alone."""
    context = {"lang": tr.code, "item": chart, "back": tr("The whole report", "Tout le rapport")}
    return render("knock_threshold/when-to-knock.html", context)


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def _save(folder: Folder, figure: Figure, frame: pd.DataFrame, name: str, title: str, caption: str) -> Chart:
    path = folder.save_table(frame, name if name == SHEET else f"chart-{name}")
    shown = " ".join(title.splitlines())
    return folder.save_figure(figure, name, alt=f"{shown}. {caption}", caption=caption, table=path)


def _maps(folder: Folder, value: Value, tr: Language) -> list[Chart]:
    captions = {
        "turn": tr("Value of knocking now by deadwood and turn.", "Valeur de la frappe selon points morts et tour."),
        "opp_pickups": tr(
            "Value of knocking now by deadwood and the opponent's pick-ups.",
            "Valeur de la frappe selon points morts et prises de l'adversaire.",
        ),
        "stock": tr(
            "Value of knocking now by deadwood and cards left in the stock.",
            "Valeur de la frappe selon points morts et cartes restant dans la pioche.",
        ),
    }
    drawn = []
    for opponent in dict.fromkeys(value.cells["opponent"]):
        for by in MAPS:
            frame = map_frame(value.cells, opponent, by)
            shares = verdict_shares(frame)
            who = name_of(opponent, tr)
            title = tr(
                f"Against {who}: knocking pays at {tr.percent(shares['knock'], 0)} of legal knocks, "
                f"waiting at {tr.percent(shares['wait'], 0)}",
                f"Contre {who} : frapper paie dans {tr.percent(shares['knock'], 0)} des frappes permises, "
                f"attendre dans {tr.percent(shares['wait'], 0)}",
            )
            figure, ax = value_figure(frame, by, MOST_TURNS)
            value_map(frame, by=by, most=MOST_TURNS, ax=ax, title=title, lang=tr.code)
            name = f"value-{by.replace('opp_', '')}-{_slug(opponent)}"
            drawn.append(_save(folder, figure, frame, name, title, f"{tr(*_against(who))}{captions[by]}"))
    return drawn


def _against(who: str) -> tuple[str, str]:
    return f"Against {who}. ", f"Contre {who}. "


def _strength_charts(folder: Folder, value: Value, tr: Language) -> list[Chart]:
    heads = {
        STRENGTH[0]: (
            tr("Points a hand", "Points par manche"),
            tr("net points a hand", "points nets par manche"),
            1,
            0,
        ),
        STRENGTH[1]: (tr("Hands won", "Manches gagnées"), tr("hands won, % of all", "manches gagnées, %"), 100, 50),
        STRENGTH[2]: (tr("Games won", "Parties gagnées"), tr("games won, %", "parties gagnées, %"), 100, 50),
    }
    drawn = []
    for metric, (head, label, scale, even) in heads.items():
        frame = value.strength[value.strength["metric"] == metric]
        worst = frame.groupby("policy")["estimate"].min() * scale
        digits = 2 if scale == 1 else 1
        parts = [
            f"{policy_name(each, tr)} {tr.number(float(worst[each]), digits, signed=scale == 1)}" for each in POLICIES
        ]
        unit = "" if scale == 1 else HARD_SPACE + "%"
        title = f"{head}{tr(', worst opponent: ', ', pire adversaire : ')}{', '.join(parts)}{unit}"
        shown = frame.assign(name=[name_of(each, tr) for each in frame["opponent"]])
        names = list(dict.fromkeys(shown["name"]))
        figure, ax = rows_figure(len(names), max(map(len, names)), len(POLICIES))
        dot_rows(
            ax, shown, row="name", rows=names, series=[(each, policy_name(each, tr)) for each in POLICIES],
            series_column="policy", scale=scale, label=label, even=even, tr=tr,
        )  # fmt: skip
        entitle(ax, title, tr("bars: intervals, each for itself", "traits : intervalles, chacun pour lui-même"),
                lifted=True)  # fmt: skip
        caption = tr(f"{head} by opponent and rule of knocking.", f"{head} selon l'adversaire et la règle de frappe.")
        drawn.append(_save(folder, figure, frame, f"strength-{_slug(metric)}", title, caption))
    return drawn


def _gain_chart(folder: Folder, setup: Setup, value: Value, tr: Language) -> Chart:
    frame = value.scored[value.scored["policy"] == BY_TURN]
    found = frame.rename(columns={"low": "own_low", "high": "own_high", "estimate": "own"})
    found = found.rename(columns={"difference": "estimate", "difference_low": "low", "difference_high": "high"})
    found = found.assign(open=~(found["p_holm"] < 1 - setup.level))
    names, opponents = (list(dict.fromkeys(found[each])) for each in ("rules", "opponent"))
    rows = [name.replace(", ", ",\n") for name in names]
    found = found.assign(name=[name.replace(", ", ",\n") for name in found["rules"]])
    longest = max(len(line) for name in rows for line in name.splitlines())
    figure, ax = rows_figure(len(rows), longest, len(opponents))
    dot_rows(
        ax, found, row="name", rows=rows, series=[(each, name_of(each, tr)) for each in opponents],
        series_column="opponent", label=tr("points a hand gained", "points gagnés par manche"), even=0, tr=tr,
    )  # fmt: skip
    ends = [tr.number(float(end), signed=True) for end in (found["estimate"].min(), found["estimate"].max())]
    title = tr(
        f"Limits by turn gain {tr.span(*ends)} points a hand over the best single limit",
        f"Les limites par tour gagnent {tr.span(*ends)} points par manche sur la meilleure limite unique",
    )
    note = tr("hollow: not told from none (Holm)", "creux : non distingué de zéro (Holm)")
    entitle(ax, title, note, lifted=True)
    caption = tr(
        "What limits by turn gain over the best limit, by rule set and opponent.",
        "Gain des limites par tour sur la meilleure limite, par règles et par adversaire.",
    )
    return _save(folder, figure, frame, "gain-by-turn", title, caption)


def _table_note(setup: Setup, tr: Language) -> str:
    if not isinstance(setup.rules.knock_limit, str):
        return tr("Orange: knock, blue: wait.", "Orange : frapper, bleu : attendre.")
    return tr(
        "Orange: knock, blue: wait. Shown for hands with the highest limit; the file has all.",
        "Orange : frapper, bleu : attendre. Pour les manches à la limite la plus haute ; le fichier les a toutes.",
    )


def _table_chart(folder: Folder, setup: Setup, value: Value, tr: Language) -> Chart:
    own = value.answers[value.answers["rules"] == setup.rules.label]
    shown = own[own["knock_limit"] == own["knock_limit"].max()]
    shown = shown.assign(cell=np.where(shown["knock"] == 1, KNOCKS, WAITS))
    shown = shown[(shown["deadwood"] <= top_limit(setup.rules)) & (shown["turn"] < 2 * TURNS)]
    figure = Figure(figsize=(4.1, 4.4))
    axes = figure.subplots(2, 2, sharex=True, sharey=True)
    figure.subplots_adjust(left=0.13, right=0.97, bottom=0.12, top=0.86, wspace=0.08, hspace=0.22)
    for place, ax in enumerate(axes.flat):
        title = tr(f"opponent took {place}", f"l'adversaire a pris {place}")
        knock_map(shown[shown["opp_pickups"] == place], ax=ax, title=title, lang=tr.code)
        ax.tick_params(labelsize=7)
        ax.set_xlabel("")
        ax.set_ylabel("")
    figure.supxlabel(tr("completed turns, both players", "tours joués par les deux"), fontsize=9, y=0.015)
    figure.supylabel(tr("deadwood (points)", "points morts"), fontsize=9, x=0.015)
    share = float(shown.loc[shown["opp_pickups"] < axes.size, "knock"].mean())
    title = tr(
        f"The table knocks in {tr.percent(share, 0)} of its cells",
        f"La table frappe dans {tr.percent(share, 0)} de ses cases",
    )
    figure.text(0.02, 0.985, title, va="top", fontsize=9.5, fontweight="bold")
    caption = tr("Where the table knocks.", "Où la table frappe.")
    return _save(folder, figure, own, "table", title, caption)


def _sheet_chart(folder: Folder, setup: Setup, value: Value, tr: Language) -> Chart:
    limits = value.limits[value.limits["rules"] == setup.rules.label]
    limits = limits.assign(opponent=[name_of(each, tr) for each in limits["opponent"]])
    words = sheet_words(setup, value, tr)
    figure = sheet(value.sheet, limits, words, tr.code)
    caption = tr("When to knock, by turn and pick-ups.", "Quand frapper, selon le tour et les prises.")
    return _save(folder, figure, value.sheet, SHEET, words.head, caption)


def _strength_table(value: Value, tr: Language) -> Table:
    rows = {(row["opponent"], row["policy"], row["metric"]): row for row in value.strength.to_dict("records")}
    body = []
    for opponent, policy in dict.fromkeys((key[0], key[1]) for key in rows):
        points, hands, games = (rows[opponent, policy, metric] for metric in STRENGTH)
        who = name_of(str(opponent), tr)
        name = policy_name(str(policy), tr) + (f" ({points['limit']})" if policy == FIXED else "")
        body.append(
            [
                Cell(name, tr(f"against {who}", f"contre {who}"), value=name),
                cell(tr, points, signed=True),
                cell(tr, hands, scale=100),
                cell(tr, games, scale=100),
            ]
        )
    heads = [
        tr("rule of knocking, opponent", "règle de frappe, adversaire"),
        tr("net points a hand", "points nets par manche"),
        tr("hands won, % of all", "manches gagnées, % de toutes"),
        tr("games won, %", "parties gagnées, %"),
    ]
    caption = tr("Points, hands and games side by side", "Points, manches et parties côte à côte")
    return Table(caption, heads, body, "tables/strength.csv")


def _who(label: str, opponent: str, tr: Language) -> Cell:
    """Return a cell that names rules and opponent."""
    who = name_of(opponent, tr)
    return Cell(label, tr(f"against {who}", f"contre {who}"), value=f"{label} {who}")


def _limit_table(setup: Setup, value: Value, tr: Language) -> Table:
    body = []
    for (label, opponent), rows in value.scored.groupby(["rules", "opponent"], sort=False):
        by = {row["policy"]: row for row in rows[rows["policy"] != FIXED].to_dict("records")}
        best = rows[rows["best"]].iloc[0].to_dict()
        gain = by[BY_TURN]
        mark = "*" if gain["p_holm"] < 1 - setup.level else ""
        difference = {"estimate": gain["difference"], "low": gain["difference_low"], "high": gain["difference_high"]}
        body.append(
            [
                _who(str(label), str(opponent), tr),
                Cell(best_text(rows, setup.level, tr), value=float(best["limit"])),
                cell(tr, best, signed=True),
                cell(tr, by[BY_TURN], signed=True),
                cell(tr, difference, signed=True, mark=mark),
                cell(tr, by.get(TABLE), signed=True),
            ]
        )
    heads = [
        tr("rules, opponent", "règles, adversaire"),
        tr("best limit (not told from it)", "meilleure limite (non distinguées)"),
        tr("its net points a hand", "ses points nets par manche"),
        tr("limits by turn, net points", "limites par tour, points nets"),
        tr("gain of limits by turn", "gain des limites par tour"),
        tr("the table, net points", "la table, points nets"),
    ]
    caption = tr(
        "Best limit and best limits by turn, by rule set and opponent (* told apart after Holm's correction)",
        "Meilleure limite et meilleures limites par tour, par règles et par adversaire (* distingué après correction "
        "de Holm)",
    )
    return Table(caption, heads, body, "tables/rules-of-knocking.csv")


def _turn_table(value: Value, tr: Language) -> Table:
    body = []
    for label, opponent in dict.fromkeys(zip(value.limits["rules"], value.limits["opponent"], strict=True)):
        limits = own_limits(value.limits, label, opponent)
        body.append(
            [_who(label, opponent, tr), *(Cell(str(limit) if limit else "gin", value=limit) for limit in limits)]
        )
    turns = [tr(f"turn {place}", f"tour {place}") for place in range(1, TURNS + 1)]
    heads = [tr("rules, opponent", "règles, adversaire"), *turns]
    caption = tr(
        "Limits by turn: the highest deadwood to knock with at your turn",
        "Limites par tour : les points morts au plus pour frapper à votre tour",
    )
    return Table(caption, heads, body, "tables/limits-by-turn.csv")
