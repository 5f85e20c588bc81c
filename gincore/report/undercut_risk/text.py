"""Sentences of the undercut-risk report, made from its numbers, in English and French."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import pandas as pd

from gincore.analysis.risk import GROUPS as DEAL_GROUPS
from gincore.analysis.risk import LEAST_EVENTS, REDRAWS
from gincore.language import Language
from gincore.plotting.undercut import FACTOR_NAMES, LEAST
from gincore.report.sheet import level_text
from gincore.report.undercut_risk.play import BONUSES, Findings, Setup, told

Row = Mapping[str, Any]

OF_FACTORS: Final = {
    "deadwood": ("the knocker's own deadwood", "les points morts du frappeur"),
    "turns": ("the turns played", "le nombre de tours joués"),
    "pickups": ("the cards the defender took from the pile", "les cartes prises par l'adversaire à la défausse"),
    "discard": ("the rank of the defender's last discard", "le rang de la dernière défausse adverse"),
}


def by_metric(frame: pd.DataFrame) -> dict[tuple[str, str], Row]:
    """Return rows by opponent and metric."""
    return {(row["opponent"], row["metric"]): row for row in frame.to_dict("records")}  # type: ignore[misc]


def share(tr: Language, row: Row, digits: int = 1) -> str:
    """Write a share with its interval, in per cent."""
    return f"{tr.percent(row['estimate'], digits)} {tr.interval(row['low'], row['high'], digits, scale=100)}"


def points(tr: Language, row: Row, digits: int = 2, *, signed: bool = False) -> str:
    """Write points with their interval."""
    value = tr.number(row["estimate"], digits, signed=signed)
    return f"{value} {tr.interval(row['low'], row['high'], digits, signed=signed)}"


def few(findings: Findings) -> dict[str, int]:
    """Return the opponents against whom too few knocks were undercut for a verdict, with the undercuts."""
    rows = findings.explained[findings.explained["factor"] == "all"]
    return {row["opponent"]: int(row["events"]) for row in rows.to_dict("records") if row["events"] < LEAST_EVENTS}


def finding(setup: Setup, findings: Findings, tr: Language) -> list[str]:
    """Write the finding: a headline on the risk, then its causes, its price, lay-offs, spreads, and the numbers."""
    sentences = [headline(setup, findings, tr), *carriers(findings, tr), layoffs(findings, tr)]
    sentences += [stakes(setup, findings, tr), spreads(findings, tr), counts(setup, findings, tr)]
    return [sentence for sentence in sentences if sentence]


def headline(setup: Setup, findings: Findings, tr: Language) -> str:
    """Say how often and how dearly knocks are undercut, by opponent."""
    rows = by_metric(findings.overview)
    parts = []
    for name in setup.opponents:
        risk, loss = rows[name, "undercut_share"], rows[name, "loss_per_knock"]
        parts.append(
            tr(
                f"{share(tr, risk)} of knocks against {name}, which costs {points(tr, loss)} points a knock",
                f"{share(tr, risk)} des frappes contre {name}, ce qui coûte {points(tr, loss)} points par frappe",
            )
        )
    label, knocker = setup.rules.label, setup.knocker.name
    return tr(
        f"Under {label} rules {knocker} is undercut in {'; in '.join(parts)}.",
        f"Sous les règles {label}, {knocker} est contré dans {' ; dans '.join(parts)}.",
    )


def carriers(findings: Findings, tr: Language) -> list[str]:
    """Say for each opponent what carries the risk, or that there are too few undercuts to say it."""
    sentences = []
    short = few(findings)
    for key, part in findings.explained.groupby("opponent", sort=False):
        name = str(key)
        if name in short:
            sentences.append(
                tr(
                    f"Too few hands to say what carries the risk against {name}: {short[name]} undercuts, and "
                    f"{LEAST_EVENTS} are needed; play more deals.",
                    f"Trop peu de manches pour dire ce qui porte le risque contre {name} : {short[name]} "
                    f"sous-coupes, il en faut {LEAST_EVENTS} ; jouez plus de donnes.",
                )
            )
            continue
        rows = part[part["factor"] != "all"].sort_values("part", ascending=False)
        whole = part[part["factor"] == "all"].iloc[0]
        listed = [_part(tr, row) for row in rows.to_dict("records")]
        first = rows.iloc[0]
        rivals = [tr(*FACTOR_NAMES[row["factor"]]) for row in rows.iloc[1:].to_dict("records")
                  if not told(row["p_holm"], findings.level)]  # fmt: skip
        clear = tr("told apart from the others", "distingué des autres")
        if rivals:
            clear = tr(f"not told apart from {tr.joined(rivals)}", f"non distingué de : {tr.joined(rivals)}")
        most = tr(*OF_FACTORS[first["factor"]])
        sentences.append(
            tr(
                f"Against {name}, {most} carries most of the risk ({clear}): of what the four circumstances explain, "
                f"{tr.joined(listed)}. Together they explain {tr.percent(whole['part'])} of the uncertainty.",
                f"Contre {name}, ce qui porte le plus le risque : {most} ({clear}). Parts de ce que les quatre "
                f"circonstances expliquent : {tr.joined(listed)}. Ensemble, elles expliquent "
                f"{tr.percent(whole['part'])} de l'incertitude.",
            )
        )
    return sentences


def _part(tr: Language, row: Mapping[Any, Any]) -> str:
    ends = tr.interval(row["of_low"], row["of_high"], 0, scale=100)
    return f"{tr(*FACTOR_NAMES[row['factor']])} {tr.percent(row['of_explained'], 0)} {ends}"


def layoffs(findings: Findings, tr: Language) -> str:
    """Say how many undercuts only lay-offs made."""
    rows = by_metric(findings.overview)
    parts = [
        f"{share(tr, row)} {tr('against', 'contre')} {name}"
        for (name, metric), row in rows.items()
        if metric == "by_layoff_share_of_undercuts"
    ]
    if not parts:
        return tr("No knock was undercut.", "Aucune frappe n'a été contrée.")
    return tr(
        f"Of the undercuts, lay-offs alone made {tr.joined(parts)}: there the defender's own melds left more than the "
        "knocker had.",
        f"Part des sous-coupes due à la seule pose : {tr.joined(parts)} ; les combinaisons du défenseur y laissaient "
        "plus "
        "de points morts que n'en avait le frappeur.",
    )


def stakes(setup: Setup, findings: Findings, tr: Language) -> str:
    """Say what the bonus changes, and which knocks lose points."""
    frame = findings.bonus[findings.bonus["deadwood"] == "all"]
    rows = {(row["bonus"], row["opponent"], row["metric"]): row for row in frame.to_dict("records")}
    low, high = BONUSES[0], BONUSES[-1]
    parts = []
    for name in setup.opponents:
        a, b = (
            tr.number(rows[bonus, name, "net_points_per_knock"]["estimate"], 1, signed=True) for bonus in (low, high)
        )
        losing = _losing(findings, name, high)
        tail = ""
        if losing:
            tail = tr(
                f" (at {high} those with a deadwood of {ranges(losing, tr)} lose points)",
                f" (à {high}, celles de {ranges(losing, tr)} points morts perdent des points)",
            )
        parts.append(tr(f"from {a} to {b} against {name}{tail}", f"de {a} à {b} contre {name}{tail}"))
    how = tr("the same rows, scored again", "les mêmes manches, recomptées")
    if not setup.rescored:
        how = tr("played again for every bonus", "rejoué pour chaque prime")
    return tr(
        f"With an undercut bonus of {high} instead of {low} a knock's net points fall {', '.join(parts)} ({how}).",
        f"Avec une prime de sous-coupe de {high} au lieu de {low}, les points nets d'une frappe passent "
        f"{', '.join(parts)} ({how}).",
    )


def _losing(findings: Findings, opponent: str, bonus: int) -> list[int]:
    """Return the deadwoods whose knocks are told to lose points."""
    frame = findings.bonus
    chosen = (frame["bonus"] == bonus) & (frame["opponent"] == opponent) & (frame["deadwood"] != "all")
    chosen &= (frame["metric"] == "net_points_per_knock") & (frame["estimate"] < 0)
    return [int(each) for each in frame.loc[chosen & (frame["p_holm"] < 1 - findings.level), "deadwood"]]


def ranges(values: list[int], tr: Language) -> str:
    """Write ascending whole numbers, three or more in a row as a range."""
    parts, start = [], 0
    while start < len(values):
        end = start
        while end + 1 < len(values) and values[end + 1] == values[end] + 1:
            end += 1
        if end - start < 2:
            end = start
        parts.append(str(values[start]) if end == start else f"{values[start]} {tr('to', 'à')} {values[end]}")
        start = end + 1
    return tr.joined(parts)


def spreads(findings: Findings, tr: Language) -> str:
    """Say what the choice of the knocker's spread changes on the same hands."""
    parts = []
    for (name, metric), row in by_metric(findings.spread).items():
        if metric != "net_points_per_knock":
            continue
        clear = told(row["p_holm"], findings.level)
        mark = "" if clear else tr(" (not told apart)", " (non distingué)")
        parts.append(f"{points(tr, row, 3, signed=True)} {tr('against', 'contre')} {name}{mark}")
    return tr(
        "A knocker who may lay any legal spread, and not only one of the least deadwood, gains in net points a knock: "
        f"{'; '.join(parts)}.",
        "Un frappeur qui peut étaler comme il veut, et pas seulement avec le moins de points morts, gagne en points "
        f"nets par frappe : {' ; '.join(parts)}.",
    )


def counts(setup: Setup, findings: Findings, tr: Language) -> str:
    """Say how many hands stand behind the finding."""
    rows = by_metric(findings.overview)
    parts = [f"{tr.count(rows[name, 'undercut_share']['hands'])} {tr('against', 'contre')} {name}"
             for name in setup.opponents]  # fmt: skip
    cells = findings.cells["by-turns"]
    family = int((cells["metric"] == "undercut_share").sum())
    level = level_text(tr, findings.level)
    return tr(
        f"Knocks counted: {tr.joined(parts)}, from {tr.count(setup.plan.count)} deals for each opponent, each played "
        f"twice with the seats exchanged; {level} intervals, whose unit is the deal. In the map by turns {family} "
        "cells "
        "are compared with the average, corrected by Holm's method.",
        f"Frappes comptées : {tr.joined(parts)}, sur {tr.count(setup.plan.count)} donnes par adversaire, chacune jouée "
        f"deux fois en échangeant les places ; intervalles à {level}, dont l'unité est la donne. Dans la carte par "
        f"tours, {family} cases sont comparées à la moyenne, avec la correction de Holm.",
    )


def method(setup: Setup, findings: Findings, tr: Language) -> list[tuple[str, str]]:
    """Return the points of the method: head and text."""
    level = level_text(tr, findings.level)
    label = setup.rules.label
    more = setup.rules.knock_limit != 10 or setup.rules.min_melded is not None
    ten = tr(" Deadwood 10 stands for 10 and more.", " Points morts 10 : 10 ou plus.") if more else ""
    return [
        (
            tr("Players.", "Joueurs."),
            tr(
                f"Player 0, the knocker, plays {setup.knocker.name}; the opponents are "
                f"{tr.names(list(setup.opponents))}. "
                "Only ordinary knocks of player 0 count: gin cannot be undercut. The risk depends on how the opponent "
                "plays, which is why there are several.",
                f"Le joueur 0, le frappeur, joue {setup.knocker.name} ; ses adversaires : "
                f"{tr.names(list(setup.opponents))}. Seules comptent ses frappes ordinaires : un gin ne se contre "
                "pas. "
                "Le risque dépend du jeu de l'adversaire ; c'est pourquoi il y en a plusieurs.",
            ),
        ),
        (
            tr("Circumstances.", "Circonstances."),
            tr(
                "What the knocker sees: own deadwood, turns of both players, cards the defender took from the pile, "
                "the "
                "upcard included, and the rank of the defender's last discard. The last one is noted by the engine "
                "hand "
                f"by hand; of earlier discards nothing is kept.{ten}",
                "Ce que voit le frappeur : ses points morts, les tours des deux joueurs, les cartes que le défenseur a "
                "prises à la défausse (carte retournée comprise) et le rang de sa dernière défausse. Cette dernière "
                "est "
                f"notée par le moteur à chaque manche ; des défausses antérieures, rien n'est gardé.{ten}",
            ),
        ),
        (
            tr("Loss.", "Perte."),
            tr(
                "Points lost to an undercut, 0 for other knocks; net points count what the knock wins as well.",
                "Points perdus par sous-coupe, 0 pour les autres frappes ; les points nets comptent aussi ce que la "
                "frappe gagne.",
            ),
        ),
        (
            tr("What carries the risk.", "Ce qui porte le risque."),
            tr(
                "Logistic regressions on the classes of the circumstances, one for each subset of them. Explained is "
                "McFadden's share, the fall of the uncertainty (entropy) of the undercut; a circumstance's part is its "
                "gain averaged over all orders of adding the four (Shapley), so the parts add up. Intervals: "
                f"{DEAL_GROUPS} groups of deals drawn again {REDRAWS} times.",
                "Régressions logistiques sur les classes des circonstances, une par sous-ensemble. L'expliqué est la "
                "part de McFadden, la baisse de l'incertitude (entropie) de la sous-coupe ; la part d'une circonstance "
                "est son gain moyen sur tous les ordres d'ajout des quatre (Shapley) : les parts s'additionnent. "
                f"Intervalles : {DEAL_GROUPS} groupes de donnes, tirés à nouveau {REDRAWS} fois.",
            ),
        ),
        (
            tr("Intervals and tests.", "Intervalles et tests."),
            tr(
                f"{level}, unit: the deal with both its hands. Shares: Wilson's formula with the number of trials that "
                f"their error is worth; points: Student. A cell under {LEAST} knocks shows no number. Tests over many "
                "cells are corrected by Holm's method within a table.",
                f"{level}, unité : la donne avec ses deux manches. Parts : formule de Wilson avec le nombre d'essais "
                "que "
                f"vaut leur erreur ; points : Student. Une case de moins de {LEAST} frappes n'a pas de chiffre. Les "
                "tests sur plusieurs cases sont corrigés par la méthode de Holm dans chaque tableau.",
            ),
        ),
        (
            tr("Undercut bonus.", "Prime de sous-coupe."),
            tr(
                "None of these players looks at the bonus, and neither does the spread laid: the same rows are scored "
                "again, which is exact." if setup.rescored else "Play or spread may depend on the bonus: each was "
                "played again on the same cards.",
                "Aucun de ces joueurs ne regarde la prime, et l'étalage n'en dépend pas : les mêmes manches sont "
                "recomptées, c'est exact." if setup.rescored else "Le jeu ou l'étalage peuvent dépendre de la prime : "
                "chaque prime a été rejouée avec les mêmes cartes.",
            ),
        ),
        (
            tr("Spread.", "Étalage."),
            tr(
                "The same hands under knocker_spread = min_deadwood and best, knock by knock. Play ends with the "
                "knock, so "
                "nothing else differs.",
                "Les mêmes manches avec knocker_spread = min_deadwood puis best, frappe par frappe. Le jeu s'arrête "
                "à la "
                "frappe : rien d'autre ne change.",
            ),
        ),
        (tr("Rules.", "Règles."), f"{label}: knock_limit = {setup.rules.knock_limit}, undercut_bonus = "
         f"{setup.rules.undercut_bonus}, tie = {setup.rules.tie}, layoff = {setup.rules.layoff}."),
    ]  # fmt: skip
