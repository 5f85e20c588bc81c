"""Sentences of the variant-comparison report, made from its numbers, in English and French."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import pandas as pd

from gincore.analysis.variants import GAMES_WON, ordered
from gincore.language import Language, round_up
from gincore.report.sheet import level_text
from gincore.report.variant_comparison.city import city, city_method
from gincore.report.variant_comparison.play import (
    BEST,
    FIELD,
    FIXED,
    PLAYER,
    SWEEP_PART,
    WEAKER,
    Findings,
    Setup,
)

NAMES: Final = {
    "turns_mean": ("turns a hand", "tours par manche"),
    "dead_share": ("dead hands", "manches nulles"),
    "knock_share": ("knocks won", "frappes gagnées"),
    "gin_share": ("gins", "gins"),
    "big_gin_share": ("big gins", "grands gins"),
    "undercut_share": ("undercuts", "sous-coupes"),
    "points_per_hand": ("points a hand", "points par manche"),
    "winner_points_per_decided_hand": ("points to the winner", "points au vainqueur"),
    "net_points_sd": ("SD of points", "écart type des points"),
    "starter_net_points_per_hand": ("non-dealer's edge", "avantage du non-donneur"),
    "hands_per_game": ("hands a game", "manches par partie"),
    "minutes_per_game": ("minutes a game", "minutes par partie"),
    "minutes_per_hand": ("minutes a hand", "minutes par manche"),
    GAMES_WON: ("games won by the better player", "parties gagnées par le meilleur"),
    "games_needed": ("games to tell them apart", "parties pour les distinguer"),
    "better_net_points_per_hand": ("better player's points a hand", "points par manche du meilleur"),
}
"""The metrics in words."""

MEANINGS: Final = {
    "turns_mean": ("length of a hand", "longueur d'une manche"),
    "winner_points_per_decided_hand": ("what a won hand scores", "ce que rapporte une manche gagnée"),
    "net_points_sd": ("how far a hand's points scatter", "dispersion des points d'une manche"),
    "starter_net_points_per_hand": ("what it is worth to play first", "ce que vaut de jouer en premier"),
    "minutes_per_game": ("length of a game", "longueur d'une partie"),
}
"""What a chart shows, where its axis already has the metric's name."""

FEW: Final = 8
"""Variants that are named in a sentence, at most."""

Row = Mapping[Any, Any]


def rows_of(frame: pd.DataFrame, policy: str, metric: str) -> dict[str, Row]:
    """Return the rows of a metric by variant."""
    chosen = frame[(frame["policy"] == policy) & (frame["metric"] == metric)]
    return {str(row["variant"]): row for row in chosen.to_dict("records")}


def named(tr: Language, names: Sequence[str]) -> str:
    """Name variants, or count them where they are many."""
    if len(names) <= FEW:
        return tr.names(list(names))
    rest = len(names) - FEW + 1
    return tr.names([*names[: FEW - 1], tr(f"{rest} more", f"{rest} autres")])


def share(tr: Language, row: Row) -> str:
    """Write a share with its interval, in per cent."""
    return f"{tr.percent(row['estimate'])} {tr.interval(row['low'], row['high'], 1, scale=100)}"


def value(tr: Language, row: Row, digits: int = 2, *, signed: bool = False) -> str:
    """Write a value with its interval."""
    text = tr.number(row["estimate"], digits, signed=signed)
    return f"{text} {tr.interval(row['low'], row['high'], digits, signed=signed)}"


def extremes(rows: Mapping[str, Row], order: Sequence[str], base: str) -> tuple[str, str]:
    """Return the variants with the least and the largest value; the baseline where it is as good as they."""
    ends = []
    for name in (order[-1], order[0]):
        alike = base in rows and abs(rows[base]["estimate"] - rows[name]["estimate"]) < 1e-9
        ends.append(base if alike else name)
    return ends[0], ends[1]


def finding(setup: Setup, findings: Findings, tr: Language) -> list[str]:
    """Write the finding: luck and skill, hands, limits, the dealer, the city grid, and the numbers."""
    return [
        headline(setup, findings, tr),
        skill_against(setup, findings, tr),
        *other_measures(setup, findings, tr),
        refitted(setup, findings, tr),
        hands(setup, findings, tr),
        limits(setup, findings, tr),
        dealer(setup, findings, tr),
        *([] if findings.grid is None else [city(findings.grid, setup.cities, tr)]),
        counts(setup, findings, tr),
    ]


def headline(setup: Setup, findings: Findings, tr: Language) -> str:
    """Say under which rules the better player wins most and fewest games."""
    rows = rows_of(findings.overview, FIXED, GAMES_WON)
    if len(rows) < 2:
        return tr("Luck and skill cannot be compared: no two variants have two sides.",
                  "Hasard et adresse ne se comparent pas : il n'y a pas deux variantes à deux camps.")  # fmt: skip
    order = ordered(findings.overview[findings.overview["policy"] == FIXED], GAMES_WON, list(rows))
    most, least = rows[order[0]], rows[order[-1]]
    needed = rows_of(findings.overview, FIXED, "games_needed")
    ends = [tr.count(round_up(needed[name]["estimate"])) for name in (order[0], order[-1])]
    better, worse = setup.named
    top, bottom = (tr.names([name]) for name in (order[0], order[-1]))
    if not most["low"] > least["high"]:
        return tr(
            f"{better} wins {share(tr, least)} of games from {worse} under {bottom} and {share(tr, most)} under "
            f"{top}: too few games to rank the variants (the intervals overlap).",
            f"{better} gagne {share(tr, least)} des parties contre {worse} sous {bottom} et {share(tr, most)} sous "
            f"{top} : trop peu de parties pour classer les variantes (les intervalles se recouvrent).",
        )
    return tr(
        f"{better} wins most games from {worse} under {top} ({share(tr, most)}) and fewest under {bottom} "
        f"({share(tr, least)}); to tell the two apart takes {ends[0]} and {ends[1]} games.",
        f"{better} gagne le plus de parties contre {worse} sous {top} ({share(tr, most)}) et le moins sous "
        f"{bottom} ({share(tr, least)}) ; pour les distinguer il faut {ends[0]} et {ends[1]} parties.",
    )


def sides(findings: Findings, policy: str, metric: str) -> tuple[list[str], list[str], list[str]]:
    """Return the variants above the baseline, below it, and not told apart from it."""
    above, below, alike = [], [], []
    for name, row in rows_of(findings.differences, policy, metric).items():
        if not row["p_holm"] < 1 - findings.level:
            alike.append(name)
        elif row["difference"] > 0:
            above.append(name)
        else:
            below.append(name)
    return above, below, alike


def _sides_text(findings: Findings, policy: str, tr: Language) -> str:
    """Say which variants have more skill than the baseline and which more luck, by games won."""
    more, less, alike = sides(findings, policy, GAMES_WON)
    parts = []
    if more:
        parts.append(tr(f"more skill (it wins more) in {named(tr, more)}",
                        f"plus d'adresse (il en gagne plus) dans {named(tr, more)}"))  # fmt: skip
    if less:
        parts.append(tr(f"more luck (it wins fewer) in {named(tr, less)}",
                        f"plus de hasard (il en gagne moins) dans {named(tr, less)}"))  # fmt: skip
    if alike:
        parts.append(tr(f"not told apart: {named(tr, alike)}", f"non distingués : {named(tr, alike)}"))
    return tr("; ", " ; ").join(parts)


def skill_against(setup: Setup, findings: Findings, tr: Language) -> str:
    """Compare luck and skill with the baseline, game by game."""
    base = setup.baseline
    return tr(
        f"Games won by the better player, compared with {base} on the same cards, both players knocking at once: "
        f"{_sides_text(findings, FIXED, tr) or 'nothing to compare'}.",
        f"Parties gagnées par le meilleur joueur, par rapport à {base}, avec les mêmes cartes, les deux frappant "
        f"aussitôt : {_sides_text(findings, FIXED, tr) or 'rien à comparer'}.",
    )


def other_measures(setup: Setup, findings: Findings, tr: Language) -> list[str]:
    """Say which other measures are told apart from the baseline for which variants: the stars of the table."""
    where: dict[tuple[str, ...], list[str]] = {}
    for metric in dict.fromkeys(findings.differences["metric"]):
        above, below, _ = sides(findings, FIXED, metric)
        told = tuple(name for name in setup.names if name in {*above, *below})
        if told and metric != GAMES_WON:
            where.setdefault(told, []).append(tr(*NAMES[metric]))
    if not where:
        return [tr("By no other measure is a variant told apart.", "Aucune autre mesure ne distingue une variante.")]
    others = len(setup.names) - 1
    parts = []
    for told, metrics in where.items():
        names = named(tr, told)
        if len(told) == others > 1:
            names = tr("both variants", "les deux variantes")
            if others > 2:
                names = tr(f"all {others} variants", f"les {others} variantes")
        elif len(told) > FEW:
            names = tr(f"{len(told)} of {others} variants", f"{len(told)} variantes sur {others}")
        parts.append(f"{tr.joined(metrics)} {tr('in', 'dans')} {names}")
    text = tr("; ", " ; ").join(parts)
    return [tr(f"Told apart by other measures: {text}.", f"Distinguées par d'autres mesures : {text}.")]


def refitted(setup: Setup, findings: Findings, tr: Language) -> str:
    """Say what becomes of luck and skill where both knock at the variant's best limit."""
    more, less, _ = sides(findings, BEST, GAMES_WON)
    fixed = sides(findings, FIXED, GAMES_WON)
    turned = [name for name in more if name in fixed[1]] + [name for name in less if name in fixed[0]]
    tail = tr("no verdict is reversed", "aucun verdict ne s'inverse")
    if turned:
        tail = tr(f"the verdict is reversed for {named(tr, turned)}", f"le verdict s'inverse pour {named(tr, turned)}")
    said = _sides_text(findings, BEST, tr) or tr("nothing to compare", "rien à comparer")
    return tr(
        f"The same where both knock at the variant's best limit instead: {said}; {tail}.",
        f"De même si les deux frappent à la meilleure limite de la variante : {said} ; {tail}.",
    )


def hands(setup: Setup, findings: Findings, tr: Language) -> str:
    """Say which hands are longest and shortest, and which games."""
    parts = []
    for metric, digits in (("turns_mean", 1), ("minutes_per_game", 0)):
        rows = rows_of(findings.overview, FIXED, metric)
        order = ordered(findings.overview[findings.overview["policy"] == FIXED], metric, setup.names)
        names = extremes(rows, order, setup.baseline)
        values = [tr.number(rows[name]["estimate"], digits) for name in names]
        words = tr(*NAMES[metric])
        if values[0] == values[1]:
            parts.append(tr(f"{values[0]} {words} everywhere", f"{values[0]} {words} partout"))
            continue
        ends = [f"{shown} ({name})" for shown, name in zip(values, names, strict=True)]
        parts.append(tr(f"{ends[0]} to {ends[1]} {words}", f"de {ends[0]} à {ends[1]} {words}"))
    seconds = tr.number(setup.seconds, 0 if setup.seconds == int(setup.seconds) else 1)
    return tr(f"Length: {parts[0]}, {parts[1]} at {seconds} seconds a turn.",
              f"Longueur : {parts[0]}, {parts[1]} à {seconds} secondes par tour.")  # fmt: skip


def limits(setup: Setup, findings: Findings, tr: Language) -> str:
    """Say which knock limit is best where."""
    groups: dict[str, list[str]] = {}
    for name, part in findings.limits.groupby("variant", sort=False):
        if len(part) < 2:
            continue
        among = [int(each) for each in part.loc[part["among_best"], "limit"]]
        groups.setdefault(_limits_text(among, len(part), tr), []).append(str(name))
    parts = [f"{text} {tr('in', 'dans')} {named(tr, names)}" for text, names in groups.items()]
    if not parts:
        return tr("Nobody may knock under these rules.", "Personne ne peut frapper sous ces règles.")
    field = tr.names(list(FIELD))
    return tr(
        f"Best knock limit in points a hand against {field}, limits not told apart together: {'; '.join(parts)}.",
        f"Meilleure limite en points par manche contre {field}, limites non distinguées ensemble : "
        f"{' ; '.join(parts)}.",
    )  # fmt: skip


def _limits_text(among: Sequence[int], size: int, tr: Language) -> str:
    if len(among) == size:
        return tr("no limit stands out, too few hands to say", "aucune ne se détache, trop peu de manches pour le dire")
    texts = [tr("0 (gin only)", "0 (gin seul)") if each == 0 else str(each) for each in among]
    if len(among) > 2 and list(among) == list(range(among[0], among[-1] + 1)):
        texts = [f"{among[0]} {tr('to', 'à')} {among[-1]}"]
    return tr.joined(texts)


def dealer(setup: Setup, findings: Findings, tr: Language) -> str:
    """Say where playing first is worth points."""
    rows = rows_of(findings.overview, FIXED, "starter_net_points_per_hand")
    sure = [name for name, row in rows.items() if row["low"] > 0]
    against = [name for name, row in rows.items() if row["high"] < 0]
    base = rows[setup.baseline]
    parts = [tr(f"{value(tr, base, signed=True)} points a hand under {setup.baseline}",
                f"{value(tr, base, signed=True)} point par manche sous {setup.baseline}")]  # fmt: skip
    open_ = [name for name in rows if name not in sure and name not in against]
    for names, words in (
        (sure, tr("above 0", "positif")),
        (against, tr("below 0", "négatif")),
        (open_, tr("not told apart from 0", "non distingué de 0")),
    ):
        if names:
            where = named(tr, names) if len(names) < len(rows) else tr("every variant", "toutes les variantes")
            parts.append(f"{words} {tr('in', 'dans')} {where}")
    return tr(f"The non-dealer's edge: {'; '.join(parts)}.", f"L'avantage du non-donneur : {' ; '.join(parts)}.")


def counts(setup: Setup, findings: Findings, tr: Language) -> str:
    """Say how much was played and compared."""
    tests = len(findings.differences)
    level = level_text(tr, findings.level)
    return tr(
        f"{len(setup.variants)} variants; for each and each knock policy {tr.count(setup.deals)} deals, "
        f"{tr.count(setup.games)} pairs of games and {tr.count(setup.games)} games between equals; {level} intervals; "
        f"{tr.count(tests)} paired differences to {setup.baseline}, corrected together by Holm's method.",
        f"{len(setup.variants)} variantes ; pour chacune et chaque politique de frappe {tr.count(setup.deals)} donnes, "
        f"{tr.count(setup.games)} paires de parties et {tr.count(setup.games)} parties entre égaux ; intervalles à "
        f"{level} ; {tr.count(tests)} différences appariées avec {setup.baseline}, corrigées ensemble par la méthode "
        "de Holm.",
    )


def method(setup: Setup, findings: Findings, tr: Language) -> list[tuple[str, str]]:
    """Return the points of the method: head and text."""
    better, worse = setup.named
    level = level_text(tr, findings.level)
    erring = ""
    if setup.named == (PLAYER, WEAKER):
        erring = tr(
            f" (the same player, who throws a card at random {tr.percent(setup.weaker.params['errors'], 0)} of the "
            "time)",
            f" (le même joueur, qui défausse au hasard {tr.percent(setup.weaker.params['errors'], 0)} du temps)",
        )
    points = [
        (
            tr("Hands.", "Manches."),
            tr(
                f"{better} against itself under every rule set, all on the same deals (seed {setup.seed}), the starter "
                "alternating. Rule sets whose hands are scored alike have equal numbers. Turns are those of both "
                "players.",
                f"{better} contre lui-même sous chaque règle, toujours avec les mêmes donnes (graine {setup.seed}), "
                "chacun commençant à son tour. Des règles dont les manches se comptent pareil ont les mêmes "
                "chiffres. Les "
                "tours sont ceux des deux joueurs.",
            ),
        ),
        (
            tr("Two knock policies.", "Deux politiques de frappe."),
            tr(
                "Knock at once: the same strategies everywhere. At the best limit: everybody knocks at or below the "
                "limit "
                f"that scores most under these rules against {tr.names(list(FIELD))}, all else as before. Limits are "
                f"picked on other deals than those measured ({tr.count(setup.sweep_deals)} for each opponent, a part "
                "of "
                f"1/{SWEEP_PART}), so the picked one is not flattered.",
                "Frapper aussitôt : partout les mêmes stratégies. À la meilleure limite : chacun frappe dès la "
                "limite qui "
                f"rapporte le plus sous ces règles contre {tr.names(list(FIELD))}, tout le reste égal. La limite est "
                f"choisie sur d'autres donnes que celles qui mesurent ({tr.count(setup.sweep_deals)} par adversaire, "
                "une "
                f"part de 1/{SWEEP_PART}) : le choix n'est pas flatté.",
            ),
        ),
        (
            tr("Luck and skill.", "Hasard et adresse."),
            tr(
                f"{better} plays {worse}{erring}: how many games does it win? Games nobody wins are left out. Of a "
                "match one game is played, of Hollywood a sheet; three-handed play is left out. Games "
                f"to tell them apart: after so many, a share as large as expected has a {level_text(tr, 0.95)} "
                "interval "
                "that leaves out one half. The answer is for these two; others may differ.",
                f"{better} joue contre {worse}{erring} : combien de parties gagne-t-il ? Les "
                "parties sans vainqueur ne comptent pas. D'un match on joue une partie, à Hollywood une feuille ; le "
                "jeu à "
                "trois est laissé de côté. Parties pour les distinguer : après autant de parties, une part égale à "
                "celle "
                f"attendue a un intervalle à {level_text(tr, 0.95)} qui exclut la moitié. La réponse vaut pour ces "
                "deux "
                "joueurs ; d'autres peuvent différer.",
            ),
        ),
        (
            tr("Length.", "Longueur."),
            tr(
                "Games between equals, to the target of the rules; minutes are turns times the stated seconds, without "
                "shuffling and scoring.",
                "Parties entre égaux, jusqu'au total des règles ; les minutes sont les tours multipliés par les "
                "secondes "
                "indiquées, sans le mélange ni les comptes.",
            ),
        ),
        (
            tr("Differences.", "Différences."),
            tr(
                f"Deal by deal and game number by game number against {setup.baseline}; {level} intervals each by "
                "itself, "
                "p-values of all variants, metrics and policies corrected together by Holm's method (a star: told "
                "apart).",
                f"Donne par donne et partie par partie avec {setup.baseline} ; chaque intervalle à {level} vaut pour "
                "lui-même, les p-valeurs de toutes les variantes, mesures et politiques sont corrigées ensemble par la "
                "méthode de Holm (étoile : distingué).",
            ),
        ),
    ]
    return points if findings.grid is None else [*points, city_method(setup, tr)]
