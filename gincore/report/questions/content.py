"""Charts, tables and words on the page of questions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import pandas as pd
from matplotlib.figure import Figure

from gincore.contests.play import command
from gincore.language import Language, round_up
from gincore.plotting.questions import card
from gincore.questions import USUAL_DEALS, USUAL_LEVEL, Answer, Entry
from gincore.questions.entry import UNITS
from gincore.report.page import Cell, Chart, Folder, Table
from gincore.report.questions.text import asked_for, headline, paragraphs, place, say, tally
from gincore.report.sheet import count_cell, head_words, plain
from gincore.runs.plan import make_plan

UNIT_LABELS: Final = {
    "points": ("points", "points"),
    "share": ("per cent", "pour cent"),
    "change": ("percentage points", "points de pourcentage"),
    "turns": ("turns of both players", "tours des deux joueurs"),
    "cards": ("cards", "cartes"),
    "hands": ("hands", "manches"),
    "games": ("games", "parties"),
}
"""Labels of the axes."""


def again(entries: Sequence[str], deals: int, seed: int, level: float, lang: str) -> str:
    """Return the command that makes the page again."""
    words = ["question", *entries]
    words += ["--deals", str(deals)] if deals != USUAL_DEALS else []
    words += ["--seed", str(seed)]
    words += ["--level", str(level)] if level != USUAL_LEVEL else []
    return command(*words, *([] if lang == "en" else ["--lang", lang]), "--out", "FOLDER")


def manifest(entries: Sequence[Entry], deals: int, seed: int, level: float, lang: str) -> dict[str, Any]:
    """Return all that determines the numbers, ready for JSON."""
    from gincore.questions import ids

    names = [entry.id for entry in entries]
    shown = ["all"] if names == ids() else names
    plan = make_plan("hands", "classic", ("simple", "simple"), seed=seed, count=1).manifest()
    return {
        "questions": names,
        "deals": deals,
        "seed": seed,
        "level": level,
        "reproduce": again(shown, deals, seed, level, lang),
        "versions": plan["versions"],
        "source_digest": plan["source_digest"],
    }


def draw(answer: Answer, tr: Language) -> Figure:
    """Draw the chart of a question's card."""
    title = f"{answer.entry.id}{tr(': ', ' : ')}{headline(answer, tr)}\n{say(tr, answer.entry.claim)}"
    labels = {name: (say(tr, label), UNITS[name][1]) for name, label in UNIT_LABELS.items()}
    groups = [say(tr, group.name) for group in answer.entry.groups]
    return card(answer.frame(place(tr)), title=title, units=labels, groups=groups, tr=tr)


def save_cards(folder: Folder, answers: Sequence[Answer], tr: Language) -> list[Chart]:
    """Draw and save the chart of every card with its numbers."""
    charts = []
    for answer in answers:
        table = folder.save_table(answer.frame(place(tr)), answer.entry.id)
        caption = say(tr, answer.entry.compares)
        caption = f"{caption[:1].upper()}{caption[1:]}."
        alt = f"{answer.entry.id}. {headline(answer, tr)}. {caption}"
        drawn = draw(answer, tr)
        charts.append(folder.save_figure(drawn, answer.entry.id, alt=alt, caption=caption, table=table, small=True))
    return charts


def save_tables(folder: Folder, answers: Sequence[Answer], tr: Language) -> None:
    """Save all verdicts and all estimates."""
    folder.save_table(pd.concat([answer.frame(place(tr)) for answer in answers], ignore_index=True), "estimates")
    folder.save_table(pd.DataFrame([summary(answer, tr) for answer in answers]), "verdicts")


def summary(answer: Answer, tr: Language) -> dict[str, Any]:
    """Return a question's verdict as a flat record."""
    return {
        "question": answer.entry.id,
        "claim": say(tr, answer.entry.claim),
        "source": " ".join(answer.entry.source),
        "verdict": answer.verdict.kind,
        "headline": headline(answer, tr),
        "agree": answer.verdict.agree,
        "smallest_effect": answer.entry.smallest,
        "unit": answer.entry_unit,
        "level": answer.verdict.level,
        "text": " ".join(paragraphs(answer, tr)),
    }


def page_context(answers: Sequence[Answer], charts: Sequence[Chart], tr: Language) -> dict[str, Any]:
    """Return what the template fills in."""
    first = answers[0]
    entries = [answer.entry for answer in answers]
    settings = manifest(entries, first.deals, first.seed, first.verdict.level, tr.code)
    cards = [_card(answer, chart, tr) for answer, chart in zip(answers, charts, strict=True)]
    title = tr("Questions about gin rummy", "Questions sur le gin rummy")
    return {
        "lang": tr.code,
        "title": title,
        "heading": title,
        "lead": tr(
            "Claims of rule texts (T) and debates heard elsewhere (D), asked of simulated hands.",
            "Affirmations de textes de règles (T) et débats entendus ailleurs (D), posés à des manches simulées.",
        ),
        "tally": tally(answers, tr),
        "cards": cards,
        "words": head_words(tr) | _words(tr),
        "method": method(first, tr),
        "command": settings["reproduce"],
        "versions": settings["versions"],
    }


def _words(tr: Language) -> dict[str, str]:
    return {
        "claim": tr("Claim", "Affirmation"),
        "verdict": tr("Verdict", "Verdict"),
        "all": tr("All verdicts", "Tous les verdicts"),
        "estimates": tr("All estimates:", "Toutes les estimations :"),
        "source": tr("rule text", "texte de règles"),
        "top": tr("to the top", "vers le haut"),
        "reading": tr("Reading.", "Lecture."),
    }


def _card(answer: Answer, chart: Chart, tr: Language) -> dict[str, Any]:
    entry = answer.entry
    return {
        "id": entry.id,
        "kind": answer.verdict.kind,
        "headline": headline(answer, tr),
        "claim": say(tr, entry.claim),
        "source": ", ".join(entry.source),
        "paragraphs": paragraphs(answer, tr),
        "note": say(tr, entry.note),
        "chart": chart,
        "table": _table(answer, tr),
    }


def _table(answer: Answer, tr: Language) -> Table:
    heads = tr(
        ("estimate of", "group", "value", "unit", "compared with", "units that count", "conclusion"),
        ("estimation de", "groupe", "valeur", "unité", "comparée à", "unités qui comptent", "conclusion"),
    )
    body = []
    for row in answer.verdict.rows:
        words, scale, digits = UNITS[row.unit]
        estimate, low, high = (each * scale for each in (row.estimate, row.low, row.high))
        more = 1
        if row.unit == "games":
            (estimate, low, high), more = (round_up(estimate), round_up(low), round_up(high)), 0
        ends = f"[{tr('{}, {}', '{} ; {}').format(plain(tr, low, digits + more), plain(tr, high, digits + more))}]"
        compared = f"{plain(tr, row.than * scale, digits)} ± {plain(tr, row.smallest * scale, digits)}"
        body.append(
            [
                Cell(say(tr, row.label), value=say(tr, row.label)),
                Cell(say(tr, row.group), value=say(tr, row.group)),
                Cell(plain(tr, estimate, digits + more), ends, estimate),
                Cell(words[place(tr)], value=words[place(tr)]),
                Cell(compared if row.test else "", value=row.than * scale if row.test else ""),
                count_cell(row.n),
                Cell(_outcome(tr, row.outcome), value=row.outcome),
            ]
        )
    caption = f"{answer.entry.id}{tr(': ', ' : ')}{asked_for(answer, tr)}"
    return Table(caption, heads, body, f"tables/{answer.entry.id}.csv")


def _outcome(tr: Language, outcome: str) -> str:
    words = {
        "supported": tr("supported", "confirmé"),
        "contradicted": tr("contradicted", "contredit"),
        "none": tr("too small to matter", "trop petit pour compter"),
        "open": tr("not decided", "non décidé"),
    }
    return words.get(outcome, "")


def method(answer: Answer, tr: Language) -> list[tuple[str, str]]:
    """Say how verdicts come about."""
    level = f"{100 * answer.verdict.level:.4g} %"
    return [
        (
            tr("Verdicts.", "Verdicts."),
            tr(
                "A claim is supported if the whole interval lies on its side of the value compared with, "
                "contradicted if it lies on the other side; where all of the interval is within the smallest effect"
                " that matters, there is no difference larger than that. Otherwise it is not decided yet, and the "
                "number of hands that would be needed is a guess from this run. A claim of several parts holds if "
                "all parts do. Where groups come to different conclusions, it depends; groups that are not decided "
                "leave the verdict to the others only if those are more than half and agree.",
                "Une affirmation est confirmée si tout l'intervalle est de son côté de la valeur de comparaison, "
                "contredite s'il est de l'autre ; s'il tient entièrement dans le plus petit effet qui compte, il "
                "n'y a pas de différence plus grande. Sinon elle n'est pas encore décidée, et le nombre de manches "
                "nécessaires est estimé d'après cette simulation. Une affirmation en plusieurs parties tient si "
                "toutes tiennent. Si les groupes ne concluent pas de même, cela dépend ; des groupes non décidés "
                "laissent le verdict aux autres seulement si ceux-ci sont plus de la moitié et s'accordent.",
            ),
        ),
        (
            tr("Intervals.", "Intervalles."),
            tr(
                f"{level} for all tested estimates of a question together, by Holm's step-down rule; means by "
                "Student's t, shares by Wilson's formula, ratios and differences by the delta method. The unit is "
                "the deal or game, or the pair of them with the seats exchanged. Both sides of a comparison meet "
                "the same cards.",
                f"{level} pour toutes les estimations vérifiées d'une question ensemble, par la méthode descendante "
                "de Holm ; moyennes par le t de Student, parts par la formule de Wilson, rapports et différences "
                "par la méthode delta. L'unité est la donne ou la partie, ou leur paire, places échangées. Les deux"
                " côtés d'une comparaison rencontrent les mêmes cartes.",
            ),
        ),
        (
            tr("Smallest effects.", "Plus petits effets."),
            tr(
                "Where a card does not say otherwise: 0.2 points a hand for a way of playing, 0.1 for a rule or for "
                "who plays first, 0.3 for a card or kind of dealt hand, 1 point for a single knock; half a turn a "
                "hand; one in a hundred of hands, knocks or games.",
                "Si une carte ne dit rien d'autre : 0,2 point par manche pour une façon de jouer, 0,1 pour une règle "
                "ou pour celui qui commence, 0,3 pour une carte ou un genre de main donnée, 1 point pour une frappe "
                "isolée ; un demi-tour par manche ; une manche, frappe ou partie sur cent.",
            ),
        ),
        (
            tr("Players.", "Joueurs."),
            tr(
                "Where the answer may depend on how well people play, it is asked for simple, patient and expert "
                "players. Slow players play fewer deals: half where they weigh what a throw gives away, a fifth where "
                "they look ahead, a twenty-fifth for the expert; "
                "where both players are the same, twice as many deals are played, once each. A game counts as ten "
                "deals.",
                "Si la réponse peut dépendre de la force des joueurs, elle est demandée à des joueurs simple, "
                "patient et expert. Les joueurs lents jouent moins de donnes : la moitié s'ils pèsent ce qu'un "
                "rejet donne, un cinquième s'ils regardent en avant, un vingt-cinquième pour l'expert ; si les deux "
                "joueurs sont les mêmes, deux fois plus de "
                "donnes sont jouées, une fois chacune. Une partie compte pour dix donnes.",
            ),
        ),
    ]
