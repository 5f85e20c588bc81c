"""Sentences of verdicts, in English and French, made from their numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from gincore.analysis.questions_verdict import Row, Words
from gincore.language import HARD_SPACE, Language, round_up
from gincore.questions import MOST_DEALS, Answer
from gincore.questions.entry import UNITS
from gincore.questions.play import DEALS_A_GAME

KIND_WORDS: Final[dict[str, Words]] = {
    "supported": ("Supported", "Confirmé"),
    "contradicted": ("Contradicted", "Contredit"),
    "none": ("No difference larger than {}", "Pas de différence supérieure à {}"),
    "depends": ("It depends on {}", "Cela dépend {}"),
    "undecidable": ("Not decidable by this simulation", "Indécidable par cette simulation"),
    "open": ("Not decided yet", "Pas encore décidé"),
}
"""Verdicts in words."""

GROUP_WORDS: Final[dict[str, Words]] = {
    "supported": ("supported for", "confirmé pour"),
    "contradicted": ("contradicted for", "contredit pour"),
    "none": ("no difference that matters for", "pas de différence qui compte pour"),
    "open": ("not decided yet for", "pas encore décidé pour"),
}

NOUNS: Final[dict[str, tuple[Words, Words]]] = {
    "deal": (("deal", "donne"), ("deals", "donnes")),
    "pair of deals": (("pair of deals", "paire de donnes"), ("pairs of deals", "paires de donnes")),
    "game": (("game", "partie"), ("games", "parties")),
    "pair of games": (("pair of games", "paire de parties"), ("pairs of games", "paires de parties")),
}
"""Independent units in words: one, many."""

SMALL_SHARE: Final = 0.02
"""Shares below this have a decimal more."""

MOST_NUMBERS: Final = 6
"""Estimates that a sentence names; the table has all."""


def place(tr: Language) -> int:
    """Return the place of a language in :data:`Words`."""
    return 1 if tr.code == "fr" else 0


def say(tr: Language, words: Words) -> str:
    """Return the words of a language, with French spacing."""
    return tr(*words)


def amount(tr: Language, value: float, unit: str, *, signed: bool = False) -> str:
    """Write a value with its unit."""
    words, scale, digits = UNITS[unit]
    value = round_up(value) if unit == "games" else value
    shown = tr.number(value * scale, digits + (scale > 1 and abs(value) < SMALL_SHARE), signed=signed)
    return f"{shown}{HARD_SPACE}{words[place(tr)]}"


def units(tr: Language, n: int, noun: str) -> str:
    """Write how many independent units."""
    one, many = NOUNS[noun]
    return f"{tr.count(n)}{HARD_SPACE}{say(tr, one if n == 1 else many)}"


def headline(answer: Answer, tr: Language) -> str:
    """Return the verdict in a few words."""
    text = say(tr, KIND_WORDS[answer.verdict.kind])
    if answer.verdict.kind == "none":
        return text.format(amount(tr, answer.entry.smallest, answer.entry_unit))
    if answer.verdict.kind == "depends":
        return text.format(say(tr, answer.entry.axis))
    return text


def agreement(answer: Answer, tr: Language) -> str:
    """Say whether the groups agree, and which say what."""
    verdict = answer.verdict
    names: dict[str, list[str]] = {}
    for group, kind in verdict.groups.items():
        names.setdefault(kind, []).append(say(tr, group))
    if verdict.kind == "undecidable":
        return say(tr, answer.entry.undecidable)
    if len(names) == 1 and verdict.kind != "open":
        every = next(iter(names.values()))
        if len(every) == 1:
            return ""
        return tr(f"All agree: {tr.names(every)}.", f"Tous s'accordent : {tr.names(every)}.")
    order = [kind for kind in GROUP_WORDS if kind in names and kind != "open"]
    parts = [f"{say(tr, GROUP_WORDS[kind])} {tr.names(names[kind])}" for kind in order]
    text = "; ".join(parts) if tr.code == "en" else f"{HARD_SPACE}; ".join(parts)
    sentences = [f"{text[:1].upper()}{text[1:]}."] if text else []
    return " ".join([*sentences, *_waiting(answer, tr)])


def _waiting(answer: Answer, tr: Language) -> list[str]:
    """Say of every group that is open how much was played, about how much would be needed, and whence that number."""
    said = []
    for group, kind in answer.verdict.groups.items():
        if kind != "open":
            continue
        rows = [row for row in answer.verdict.rows if row.group == group and row.test and row.outcome == "open"]
        row = max(rows, key=lambda each: each.needed / each.played)
        name, played = say(tr, group), units(tr, row.played, row.noun)
        head = tr(f"Not decided yet for {name} with {played}", f"Pas encore décidé pour {name} avec {played}")
        said.append(head + tr("; ", " ; ") + projection(tr, row) + ".")
    return said


def projection(tr: Language, row: Row) -> str:
    """Say about how much would have to be played until an open row is concluded, as the projection that it is."""
    if row.rests == "none":
        return tr("nothing can be projected from its estimate", "rien ne se projette de l'estimation")
    if row.rests == "border":
        return tr(
            "its estimate lies so near a border of what matters that no number of hands can be projected",
            "l'estimation est si proche de la limite de ce qui compte qu'aucun nombre de manches ne se projette",
        )
    about = f"{units(tr, row.needed, row.noun)}{_option(tr, row)}"
    matters = amount(tr, row.smallest, "change" if row.unit == "share" else row.unit)
    return {
        "estimate": tr(
            f"a projection that takes the estimate to be right: about {about} would be needed",
            f"projection qui suppose l'estimation juste : il en faudrait environ {about}",
        ),
        "width": tr(
            f"the estimate gives no clue, so a projection from the interval's width: about {about} would be needed to "
            f"see, or to rule out, a difference of {matters}",
            f"l'estimation n'indique rien, d'où une projection d'après la largeur de l'intervalle : il en faudrait "
            f"environ {about} pour voir, ou exclure, une différence de {matters}",
        ),
        "count": tr(
            f"too little was counted for a projection: at least about {about} would be needed for an interval to trust",
            f"trop peu compté pour une projection : il en faudrait au moins environ {about} pour un intervalle fiable",
        ),
    }[row.rests]


def _option(tr: Language, row: Row) -> str:
    """Name the number that must be asked for to have as many units, as far as it is allowed."""
    asked = math.ceil(row.needed * row.asked)
    if asked > MOST_DEALS:
        return tr(f", more than --deals {MOST_DEALS} plays", f", plus que ne joue --deals {MOST_DEALS}")
    return f" (--deals {asked})"


def failing(answer: Answer, tr: Language) -> str:
    """Name the parts that are contradicted where other parts of a group's claim are not."""
    said = []
    for group, kind in answer.verdict.groups.items():
        rows = [row for row in answer.verdict.rows if row.test and row.group == group]
        wrong = [say(tr, row.label) for row in rows if row.outcome == "contradicted"]
        if kind == "contradicted" and len(wrong) < len(rows) <= MOST_NUMBERS:
            said.append(f"{say(tr, group)}{tr(': ', ' : ')}{tr.joined(wrong)}")
    if not said or answer.verdict.kind == "undecidable":
        return ""
    head = tr("The part that is contradicted", "La partie contredite")
    between = tr("; ", f"{HARD_SPACE}; ")
    return f"{head}, {between.join(said)}."


def numbers(answer: Answer, tr: Language) -> str:
    """Name the tested estimates with their intervals."""
    rows = [row for row in answer.verdict.rows if row.test] or list(answer.verdict.rows)
    parts = [f"{say(tr, row.label)}, {say(tr, row.group)}{tr(': ', ' : ')}{value(tr, row)}" for row in rows]
    more = len(parts) - MOST_NUMBERS
    shown = parts[: MOST_NUMBERS if more > 1 else None]
    text = ("; " if tr.code == "en" else f"{HARD_SPACE}; ").join(shown)
    tail = tr(f"; {more} more in the table", f"{HARD_SPACE}; {more} autres dans le tableau") if more > 1 else ""
    return f"{text[:1].upper()}{text[1:]}{tail}."


def value(tr: Language, row: Row) -> str:
    """Write an estimate with its interval and unit."""
    if math.isnan(row.estimate):
        return tr("no data", "sans données")
    _, scale, digits = UNITS[row.unit]
    signed = not row.share and row.unit != "games" and row.than == 0
    low, high = (round_up(end) if row.unit == "games" else end for end in (row.low, row.high))
    return f"{amount(tr, row.estimate, row.unit, signed=signed)} " + tr.interval(
        low, high, digits + (scale > 1 and abs(row.estimate) < SMALL_SHARE), scale=scale, signed=signed
    )


def facts(answer: Answer, tr: Language) -> str:
    """Name rules, players, what was played and what the intervals are."""
    rules = dict.fromkeys(run.rules.label for run in answer.runs)
    played: dict[str, dict[str, None]] = {}
    for run in answer.runs:
        names = tr(" v ", " c. ").join(player.name for player in run.players)
        played.setdefault(names, {})[units(tr, run.count, run.noun)] = None
    who = "; ".join(f"{names} ({', '.join(counts)})" for names, counts in played.items())
    why = asked_for(answer, tr)
    tests = sum(row.test for row in answer.verdict.rows)
    level = f"{tr.number(100 * answer.verdict.level, 0)}{HARD_SPACE}%"
    return " ".join(
        [
            tr(f"Rules: {'; '.join(rules)}.", f"Règles : {' ; '.join(rules)}."),
            tr(f"Players: {who}; {why}.", f"Joueurs : {who.replace('; ', f'{HARD_SPACE}; ')} ; {why}."),
            tr(
                f"Intervals: {level}, jointly over {tests} tested estimates (Holm); seed {answer.seed}.",
                f"Intervalles : {level}, ensemble pour {tests} estimations vérifiées (Holm) ; graine {answer.seed}.",
            )
            if tests > 1
            else tr(f"Interval: {level}; seed {answer.seed}.", f"Intervalle : {level} ; graine {answer.seed}."),
        ]
    )


def asked_for(answer: Answer, tr: Language) -> str:
    """Say how many deals were asked for, and why other numbers were played where they were."""
    rules = []
    if any(not run.mirror for run in answer.runs):
        rules.append(
            tr("two single deals for each between equal players", "entre joueurs égaux deux donnes simples pour une")
        )
    slow = sorted({run.factor for run in answer.runs} - {1.0})
    if slow:
        parts = tr.joined([f"1/{factor:g}" for factor in slow])
        rules.append(tr(f"{parts} with slow players", f"{parts} avec des joueurs lents"))
    if any(run.play == "games" for run in answer.runs):
        rules.append(tr(f"one game for {DEALS_A_GAME} deals", f"une partie pour {DEALS_A_GAME} donnes"))
    asked = tr(f"{tr.count(answer.deals)} deals asked for", f"{tr.count(answer.deals)} donnes demandées")
    return f"{asked}{tr(': ', ' : ')}{', '.join(rules)}" if rules else asked


def paragraphs(answer: Answer, tr: Language) -> list[str]:
    """Return the whole verdict: headline and agreement, numbers, facts."""
    kind, detail = answer.verdict.kind, agreement(answer, tr)
    alike = answer.verdict.agree
    said = (kind == "open" and alike) or (kind in ("supported", "contradicted") and not alike)
    first = detail if said else " ".join(part for part in (f"{headline(answer, tr)}.", detail) if part)
    first = " ".join(part for part in (first, failing(answer, tr)) if part)
    metric = say(tr, answer.entry.metric)
    measured = tr(f"Measured: {metric}.", f"Mesure : {metric}.")
    return [first, f"{measured} {numbers(answer, tr)}", facts(answer, tr)]


def tally(answers: Sequence[Answer], tr: Language) -> str:
    """Count the verdicts."""
    words = {
        "supported": tr(("supported", "supported"), ("confirmée", "confirmées")),
        "contradicted": tr(("contradicted", "contradicted"), ("contredite", "contredites")),
        "none": tr(("without a difference that matters",) * 2, ("sans différence qui compte",) * 2),
        "depends": tr(("that depends", "that depend"), ("qui dépend", "qui dépendent")),
        "undecidable": tr(("not decidable", "not decidable"), ("indécidable", "indécidables")),
        "open": tr(("not decided yet", "not decided yet"), ("pas encore décidée", "pas encore décidées")),
    }
    counts = {kind: sum(answer.verdict.kind == kind for answer in answers) for kind in words}
    said = [f"{count} {words[kind][count > 1]}" for kind, count in counts.items() if count]
    noun = "question" if len(answers) == 1 else "questions"
    return f"{len(answers)} {noun}{tr(': ', ' : ')}{tr.joined(said)}."
