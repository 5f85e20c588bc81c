"""Sentences, charts and tables on the page of an exact count, made from its numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import pandas as pd

from gincore.exact import ExactDeadwood
from gincore.french import VALUES
from gincore.language import Language
from gincore.plotting.exact import one_in_figure, one_in_lines, share_lines
from gincore.plotting.style import new_figure
from gincore.report.page import Cell, Chart, Folder, Table
from gincore.report.sheet import count_cell, head_words, plain
from gincore.runs.exact import ELEVEN

SHOWN_MELDS: Final = 2
"""Most melds that have a line in the chart: three are too rare to be seen."""


def tables(found: ExactDeadwood) -> dict[str, pd.DataFrame]:
    """Return every frame of a count by the name of its file."""
    return {
        "distribution": found.frame,
        "by-deadwood": found.by_deadwood(),
        "low-hands": found.low_hands(),
        "summary": found.summary(),
    }


def charts(folder: Folder, found: ExactDeadwood, tr: Language) -> list[Chart]:
    """Save the numbers of both charts, then draw and save them."""
    every = found.by_deadwood()
    values = found.summary().set_index("metric")["value"]
    lines = [every.assign(line=tr("all hands", "toutes"))]
    for melds in range(SHOWN_MELDS + 1):
        rows = found.frame[found.frame["melds"] == melds]
        lines.append(rows.assign(share=rows["hands"] / found.hands, line=_melds(melds, tr)))
    spread = pd.concat(lines)[["line", "deadwood", "share", "hands"]]
    half, low = (tr.number(values[f"deadwood_quantile_{level}_points"], 0) for level in (50, 5))
    titles = (
        tr(f"Half of all hands have {half} points or fewer", f"La moitié des mains ont {half} points ou moins")
        + tr(f", 5 % have {low} or fewer", f", 5 % en ont {low} ou moins"),
        _headline(found, tr),
    )
    captions = (
        tr("Share of all hands with each deadwood, and of those with no, one and two melds.",
           "Part des mains ayant chaque nombre de points morts ; à zéro, une et deux combinaisons."),
        tr("One hand in how many has at most so many points (logarithmic).",
           "Une main sur combien a au plus tant de points (échelle logarithmique)."),
    )  # fmt: skip
    drawn = []
    for name, plot, frame, title, caption in zip(
        ("spread", "low"),
        (share_lines, one_in_lines),
        (spread, every.assign(line=_cards(found, tr))),
        titles,
        captions,
        strict=True,
    ):
        figure, ax = one_in_figure() if plot is one_in_lines else new_figure()
        plot(frame, by="line", ax=ax, title=title, lang=tr.code)
        table = folder.save_table(frame, f"chart-{name}")
        alt = tr("Chart.", "Graphique.") + f" {title}. {caption}"
        drawn.append(folder.save_figure(figure, name, alt=alt, caption=caption, table=table))
    return drawn


def _cards(found: ExactDeadwood, tr: Language) -> str:
    return tr(f"{found.cards} cards", f"{found.cards} cartes")


def _melds(melds: int, tr: Language) -> str:
    english = ("no meld", "one meld", "two melds", "three melds")[melds]
    return tr(english, ("sans combinaison", "une combinaison", "deux combinaisons", "trois combinaisons")[melds])


def _one_in(share: float, tr: Language) -> str:
    digits = 0 if share < 0.1 else 1
    return tr("one hand in {}", "une main sur {}").format(tr.number(1 / share, digits))


def _headline(found: ExactDeadwood, tr: Language) -> str:
    """Say how often a player may knock, or how often a hand is gin where a card sets the limit."""
    values = found.summary().set_index("metric")["value"]
    if found.limit:
        share = _one_in(values["knockable_share"], tr)
        return tr(f"Knock with {found.limit} or less: {share}", f"Frapper avec {found.limit} ou moins : {share}")
    return tr("Gin: ", "Gin : ") + _one_in(values["gin_share"], tr)


def finding(found: ExactDeadwood, tr: Language) -> list[str]:
    """Write the finding: knock and gin, the spread, the melds, and that nothing is estimated."""
    summary = found.summary().set_index("metric")
    values = summary["value"]

    def points(name: str, digits: int = 0) -> str:
        return tr.number(values[f"deadwood_{name}_points"], digits)

    def counted(name: str) -> str:
        return f"{tr.count(summary['hands'][f'{name}_share'])} ({_one_in(values[f'{name}_share'], tr)})"

    gins = [tr(f"gin {counted('gin')}", f"gin {counted('gin')}")]
    if found.cards == ELEVEN:
        gins.append(tr(f"big gin {counted('big_gin')}", f"grand gin {counted('big_gin')}"))
    melds = [
        f"{_melds(number, tr)} {tr.percent(values[f'melds_{number}_share'], 3)}"
        for number in range(4)
        if f"melds_{number}_share" in values
    ]
    after = tr(" after the best discard", " après la meilleure défausse") if found.cards == ELEVEN else ""
    return [
        f"{_headline(found, tr)}.",
        tr("Hands: ", "Mains : ") + f"{tr.joined(gins)}.",
        tr(
            f"Least deadwood{after}: mean {points('mean', 3)} points, SD {points('sd', 3)}; half of all hands have "
            f"{points('quantile_50')} or fewer, nine in ten lie from {points('quantile_5')} to "
            f"{points('quantile_95')}.",
            f"Points morts, au mieux{after} : moyenne {points('mean', 3)}, écart type {points('sd', 3)} ; la moitié "
            f"des mains en ont {points('quantile_50')} ou moins, neuf sur dix de {points('quantile_5')} à "
            f"{points('quantile_95')}.",
        ),
        tr("Melds: ", "Combinaisons : ") + f"{tr.joined(melds)}.",
        tr(
            f"All {tr.count(found.hands)} hands of {found.cards} cards are counted: no figure has an error.",
            f"Les {tr.count(found.hands)} mains de {found.cards} cartes sont toutes comptées : aucun chiffre n'a "
            "d'erreur.",
        ),
    ]


def page_context(
    found: ExactDeadwood, drawn: Sequence[Chart], content: Mapping[str, Any], tr: Language
) -> dict[str, Any]:
    """Return what the template fills in."""
    ace = found.rules.ace
    return {
        "lang": tr.code,
        "words": head_words(tr),
        "title": tr(f"Exact deadwood: {found.rules.label}", f"Points morts exacts : {found.rules.label}"),
        "heading": tr(
            f"How much deadwood do {found.cards} cards have under {found.rules.label} rules?",
            f"Combien de points morts ont {found.cards} cartes sous les règles {found.rules.label} ?",
        ),
        "lead": tr(
            f"Ace: {ace}, {found.rules.ace_points} points. ", f"As : {VALUES[ace]}, {found.rules.ace_points} points. "
        )
        + tr("Every hand of the deck is as likely as any other.", "Toutes les mains du jeu sont équiprobables."),
        "finding": finding(found, tr),
        "charts": drawn,
        "tables": [_low(found, tr), _summary(found, tr)],
        "tables_note": tr("Click a head to sort.", "Cliquez un titre pour trier."),
        "method": method(found, tr),
        "command": content["reproduce"],
        "versions": content["versions"],
        "files": ["rules.toml"],
        "more_tables": [f"tables/{name}.csv" for name in tables(found)],
    }


def method(found: ExactDeadwood, tr: Language) -> list[tuple[str, str]]:
    """Write how hands are counted."""
    lines = [
        (
            tr("Count.", "Comptage."),
            tr(
                "Exchanging suits changes no deadwood, so one hand stands for up to 24; each is arranged at its best.",
                "Échanger les couleurs ne change rien : une main en représente jusqu'à 24 ; chacune est arrangée au "
                "mieux.",
            ),
        ),
        (
            tr("Melds.", "Combinaisons."),
            tr(
                "The most with which the least deadwood can be laid; a run of six is two melds.",
                "Le plus grand nombre qui laisse le moins de points morts ; une suite de six en vaut deux.",
            ),
        ),
    ]
    if found.cards == ELEVEN:
        lines.append(
            (
                tr("Discard.", "Défausse."),
                tr(
                    "Any of the eleven cards may be thrown; deadwood and melds are those of the best discard.",
                    "N'importe laquelle des onze cartes peut être rejetée ; points morts et combinaisons sont ceux de "
                    "la meilleure défausse.",
                ),
            )
        )
    return lines


def _low(found: ExactDeadwood, tr: Language) -> Table:
    body = [
        [
            Cell(str(row["deadwood"]), value=float(row["deadwood"])),
            count_cell(row["at_most"]),
            Cell(plain(tr, 100 * row["at_most_share"], 6), value=row["at_most_share"]),
            Cell(plain(tr, row["one_in"], 1), value=row["one_in"]),
        ]
        for row in found.low_hands().to_dict("records")
    ]
    heads = [tr("at most, points", "au plus, points"), tr("hands", "mains"), tr("share, %", "part, %"),
             tr("one in", "une sur")]  # fmt: skip
    return Table(tr("Hands with little deadwood", "Mains à peu de points morts"), heads, body, "tables/low-hands.csv")


def _summary(found: ExactDeadwood, tr: Language) -> Table:
    body = []
    for row in found.summary().to_dict("records"):
        name = str(row["metric"])
        share = name.endswith("_share")
        text = plain(tr, 100 * row["value"], 6) + " %" if share else plain(tr, row["value"], 4)
        hands = count_cell(row["hands"]) if share else Cell("")
        body.append([Cell(_name(name, tr), value=name), Cell(text, value=row["value"]), hands])
    heads = [tr("quantity", "grandeur"), tr("value", "valeur"), tr("hands", "mains")]
    return Table(tr("Summary", "Résumé"), heads, body, "tables/summary.csv")


def _name(metric: str, tr: Language) -> str:
    """Return the name of a metric in words."""
    parts = metric.split("_")
    if metric.startswith("deadwood_quantile"):
        return tr(f"deadwood, {parts[2]} % quantile", f"points morts, quantile à {parts[2]} %")
    if metric.startswith("melds"):
        return _melds(int(parts[1]), tr)
    words = {
        "deadwood_mean_points": ("deadwood, mean", "points morts, moyenne"),
        "deadwood_sd_points": ("deadwood, SD", "points morts, écart type"),
        "knockable_share": ("can knock", "peut frapper"),
        "gin_share": ("gin", "gin"),
        "big_gin_share": ("big gin", "grand gin"),
    }
    return tr(*words[metric])
