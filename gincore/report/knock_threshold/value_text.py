"""Sentences on knock or wait, limits by opponent and the table that answers itself, made from their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import pandas as pd

from gincore.analysis.knock_value import LEAST, among_best, verdict_shares
from gincore.language import Language
from gincore.plotting.sheet import TURNS, Words
from gincore.report.knock_threshold.meetings import BY_TURN, FIXED, REPLY, TABLE, THE_TABLE, Cards
from gincore.report.knock_threshold.sweep import Setup
from gincore.report.knock_threshold.text import limits_text
from gincore.report.knock_threshold.value import STRENGTH, Value, map_frame
from gincore.report.sheet import level_text

UNSURE: Final = 0.5
"""Share of the legal knocks in cells that say nothing, from which the page says that there are too few hands."""


def name_of(opponent: str, tr: Language) -> str:
    """Return an opponent's name in words."""
    return tr("the table", "la table") if opponent == THE_TABLE else opponent


def policy_name(policy: str, tr: Language) -> str:
    """Return a rule of knocking in words."""
    names = {
        FIXED: tr("best limit", "meilleure limite"),
        BY_TURN: tr("limits by turn", "limites par tour"),
        TABLE: tr("the table", "la table"),
    }
    return names[policy]


def limit_name(limit: int, tr: Language) -> str:
    """Return a limit in words: 0 is gin only."""
    return tr("gin only", "le gin seul") if limit == 0 else str(limit)


def by_turn_text(limits: Sequence[int], tr: Language) -> str:
    """Say limits by own turn as ranges.

    >>> by_turn_text([10, 10, 0, 0], Language("en"))
    '10 to your turn 2, then gin only'
    """
    parts: list[str] = []
    for place, limit in enumerate(limits):
        if place + 1 < len(limits) and limits[place + 1] == limit:
            continue
        last = place + 1 == len(limits)
        name = limit_name(int(limit), tr)
        parts.append(name if last else tr(f"{name} to your turn {place + 1}", f"{name} jusqu'à votre tour {place + 1}"))
    return tr(", then ", ", puis ").join(parts)


def finding(setup: Setup, value: Value, tr: Language) -> list[str]:
    """Write what was found beside the sweep, paragraph by paragraph."""
    if value.answer is None:
        return [
            tr(
                "Under these rules only gin goes out: there is no knock to weigh against waiting.",
                "Sous ces règles on ne sort qu'avec un gin : il n'y a aucune frappe à comparer à l'attente.",
            )
        ]
    return [_knock_or_wait(value, tr), _limits(setup, value, tr), _table(setup, value, tr), *_few(value, tr)]


def _knock_or_wait(value: Value, tr: Language) -> str:
    parts = []
    for opponent in dict.fromkeys(value.cells["opponent"]):
        shares = verdict_shares(map_frame(value.cells, opponent, "turn"))
        parts.append(
            tr(
                f"against {name_of(opponent, tr)} knocking now pays at {tr.percent(shares['knock'], 0)} of the legal "
                f"knocks and waiting at {tr.percent(shares['wait'], 0)}",
                f"contre {name_of(opponent, tr)}, frapper tout de suite paie dans {tr.percent(shares['knock'], 0)} des "
                f"frappes permises, attendre dans {tr.percent(shares['wait'], 0)}",
            )
        )
    tested = int(value.cells["p_holm"].notna().sum())
    none = tr("no legal knock was met", "aucune frappe permise n'a été rencontrée")
    return (
        tr("Knock now or wait, by deadwood and turn: ", "Frapper ou attendre, par points morts et par tour : ")
        + (tr("; ", " ; ").join(parts) or none)
        + tr(
            f"; the rest is not told apart ({tr.count(tested)} cells, corrected together by Holm's method).",
            f" ; le reste n'est pas distingué ({tr.count(tested)} cases, corrigées ensemble par la méthode de Holm).",
        )
    )


def _limits(setup: Setup, value: Value, tr: Language) -> str:
    parts = []
    scored = value.scored[value.scored["rules"] == setup.rules.label]
    for opponent, rows in scored.groupby("opponent", sort=False):
        row = rows[rows["policy"] == BY_TURN].iloc[0]
        limit = int(rows.loc[rows["best"], "limit"].iloc[0])
        gain = f"{tr.number(row['difference'], signed=True)} "
        gain += tr.interval(row["difference_low"], row["difference_high"], signed=True)
        mark = "" if row["p_holm"] < 1 - setup.level else tr(", not told apart", ", non distingué")
        text = by_turn_text(own_limits(value.limits, setup.rules.label, str(opponent)), tr)
        parts.append(
            tr(
                f"against {name_of(str(opponent), tr)} {limit_name(limit, tr)}; by turn {text} ({gain}{mark})",
                f"contre {name_of(str(opponent), tr)}, {limit_name(limit, tr)} ; par tour {text} ({gain}{mark})",
            )
        )
    head = tr(
        "Best limit in points a hand, and best limits by turn with what they gain over it: ",
        "Meilleure limite en points par manche, et meilleures limites par tour avec leur gain : ",
    )
    return f"{head}{tr('; ', ' ; ').join(parts)}."


def own_limits(limits: pd.DataFrame, label: str, opponent: str) -> list[int]:
    """Return the limits by turn of one rule set and opponent, as many as are shown."""
    found = limits[(limits["rules"] == label) & (limits["opponent"] == opponent)].sort_values("turn")
    return [int(limit) for limit in found["limit"]][:TURNS]


def _table(setup: Setup, value: Value, tr: Language) -> str:
    answer = value.answer
    assert answer is not None
    settled = tr(
        "settled" if answer.settled else "not settled", "elle s'est fixée" if answer.settled else "non fixée"
    )  # fmt: skip
    made = (
        tr(f"shipped as {answer.name}", f"fournie sous le nom {answer.name}")
        if answer.name
        else tr("learned in this run", "apprise pour ce rapport")
    )
    rows = {(row["opponent"], row["metric"]): row for row in _records(value.strength) if row["policy"] == TABLE}
    parts = []
    for opponent in dict.fromkeys(value.strength["opponent"]):
        points, hands, games = (rows[opponent, name] for name in STRENGTH)
        if opponent == THE_TABLE:
            continue
        parts.append(
            tr(f"against {opponent} ", f"contre {opponent} ")
            + f"{tr.number(points['estimate'], signed=True)} "
            + tr.interval(points["low"], points["high"], signed=True)
            + tr(" points a hand, ", " points par manche, ")
            + tr(
                f"{tr.percent(hands['estimate'])} of hands, {tr.percent(games['estimate'])} of games",
                f"{tr.percent(hands['estimate'])} des manches, {tr.percent(games['estimate'])} des parties",
            )
        )
    reply = value.scored[(value.scored["rules"] == setup.rules.label) & (value.scored["policy"] == REPLY)].iloc[0]
    left = f"{tr.number(reply['estimate'], 3, signed=True)} {tr.interval(reply['low'], reply['high'], 3, signed=True)}"
    left += _told(reply, tr)
    return tr(
        f"The table that answers itself ({made}; {tr.count(answer.deals)} deals a round, {answer.rounds} rounds, "
        f"{settled}) scores {'; '.join(parts)}. A best reply to it, sought on other deals, gains {left}.",
        f"La table qui se répond à elle-même ({made} ; {tr.count(answer.deals)} donnes par tour d'apprentissage, "
        f"{answer.rounds} tours, {settled}) obtient {' ; '.join(parts)}. Une meilleure réponse, cherchée sur d'autres "
        f"donnes, y gagne {left}.",
    )


def _told(reply: pd.Series[Any], tr: Language) -> str:
    """Say with the unit whether the best reply was found to gain; a loss is the noise of the deals it was sought on."""
    if reply["low"] > 0:
        return tr(
            " points a hand: the table is not quite the best reply to itself",
            " point par manche : la table n'est pas tout à fait la meilleure réponse à elle-même",
        )
    return tr(" points a hand: no gain was found", " point par manche : aucun gain n'a été trouvé")


def _few(value: Value, tr: Language) -> list[str]:
    unsure = {}
    for opponent in dict.fromkeys(value.cells["opponent"]):
        shares = verdict_shares(map_frame(value.cells, opponent, "turn"))
        unsure[opponent] = shares["open"] + shares["few"]
    most = max(unsure, key=lambda name: unsure[name], default=None)
    if most is not None and unsure[most] < UNSURE:
        return []
    share = tr.percent(unsure[most], 0) if most is not None else tr.percent(1.0, 0)
    return [
        tr(
            f"Few hands: up to {share} of the legal knocks lie in cells that say nothing, met in fewer than {LEAST} "
            "deals or not told apart. Make the report with more deals.",
            f"Peu de manches : jusqu'à {share} des frappes permises sont dans des cases qui ne disent rien, vues dans "
            f"moins de {LEAST} donnes ou non distinguées. Refaites le rapport avec plus de donnes.",
        )
    ]


def method(setup: Setup, value: Value, tr: Language) -> list[tuple[str, str]]:
    """Return the points of the method: head and text."""
    if value.answer is None:
        return []
    deals, level = tr.count(setup.deals), level_text(tr, setup.level)
    chosen = tr.count(Cards(setup.deals, setup.seed, None).learned)
    return [
        (tr("Knock or wait.", "Frapper ou attendre."), _weighing(deals, tr)),
        (
            tr("Limits and tables.", "Limites et tables."),
            tr(
                f"Limits are chosen on {chosen} other deals and judged on the {deals} deals of the report, so that "
                "what is picked is not measured where it was picked. Every rule of knocking is scored on the same "
                "moments; its comparisons with the best limit, of all rule sets and opponents, are corrected together. "
                "Both players draw and discard as simple does, but for an opponent of your choice.",
                f"Les limites sont choisies sur {chosen} autres donnes et jugées sur les {deals} donnes du rapport : "
                "ce qui est retenu n'est pas mesuré là où on l'a choisi. Toutes les règles de frappe sont comptées aux "
                "mêmes moments ; leurs comparaisons avec la meilleure limite, pour toutes les règles du jeu et tous "
                "les adversaires, sont corrigées ensemble. Les deux joueurs piochent et défaussent comme simple, sauf "
                "un adversaire que vous avez choisi.",
            ),
        ),
        (
            tr("The table.", "La table."),
            tr(
                "Knock or wait by deadwood, turn and the opponent's pick-ups (and the hand's limit where it varies): "
                "the best reply takes the place of the table, round by round, until nothing changes. For rule sets "
                "beside this one a table is shown only where one is shipped with gincore; none is learned for them.",
                "Frapper ou attendre selon les points morts, le tour et les prises de l'adversaire (et la limite de la "
                "manche quand elle varie) : la meilleure réponse remplace la table, tour après tour, jusqu'à ce que "
                "rien ne change. Pour les règles voisines, une table n'est montrée que si gincore en fournit une ; "
                "aucune n'est apprise pour elles.",
            ),
        ),
        (
            tr("Points, hands, games.", "Points, manches, parties."),
            tr(
                f"Really played: {deals} deals and {tr.count(setup.games)} games for each rule of knocking and "
                f"opponent, each twice with the seats exchanged; {level} intervals, each for itself.",
                f"Vraiment joués : {deals} donnes et {tr.count(setup.games)} parties par règle de frappe et par "
                f"adversaire, chacune deux fois en échangeant les places ; intervalles à {level}, chacun pour "
                "lui-même.",
            ),
        ),
    ]


def _weighing(deals: str, tr: Language) -> str:
    """Say how knocking is weighed against waiting."""
    return tr(
        "At every legal knock of player 0 both courses are scored on the same hidden cards and the same stock: "
        "knocking now, and waiting, which means to play on and knock later by the limits by turn that are best "
        "against this opponent (against the table: by the table). All legal knocks count, whatever the player "
        f"did before. {deals} deals for each opponent, each played twice with the seats exchanged; the deal is "
        f"the unit. Cells met in fewer than {LEAST} deals are not tested; all others, of all maps together, "
        "are corrected by Holm's method.",
        "À chaque frappe permise du joueur 0, les deux suites sont comptées avec les mêmes cartes cachées et "
        "la même pioche : frapper tout de suite, ou attendre, c'est-à-dire continuer et frapper plus tard "
        "selon les meilleures limites par tour contre cet adversaire (contre la table : selon la table). "
        f"Toutes les frappes permises comptent, quoi que le joueur ait fait avant. {deals} donnes par "
        f"adversaire, chacune jouée deux fois en échangeant les places ; l'unité est la donne. Une case vue "
        f"dans moins de {LEAST} donnes n'est pas testée ; toutes les autres, de toutes les cartes, sont "
        "corrigées ensemble par la méthode de Holm.",
    )


def sheet_words(setup: Setup, value: Value, tr: Language) -> Words:
    """Return the words of the one-page chart."""
    tested = int(value.sheet["p_holm"].notna().sum())
    level = level_text(tr, setup.level)
    label = setup.rules.label
    varies = isinstance(setup.rules.knock_limit, str)
    pooled = tr(
        "The limit differs from hand to hand: look only at deadwood that it allows.",
        "La limite varie d'une manche à l'autre : ne regardez que les points morts qu'elle permet.",
    )
    return Words(
        tr(f"When to knock: {label} rules", f"Quand frapper : règles {label}"),
        [
            tr(
                "Find the panel for the cards that the opponent has taken from the discard pile (4 or more: the last "
                "one), your turn (1 is your first draw) and the deadwood that you would knock with. Go out with gin, "
                "always.",
                "Choisissez le cadre selon les cartes que l'adversaire a prises à la défausse (4 et plus : le "
                "dernier), votre tour (1 : votre première carte) et les points morts qu'il vous resterait. Un gin : "
                "toujours.",
            ),
            tr(
                f"Gin: {setup.rules.gin_bonus} points, undercut: {setup.rules.undercut_bonus}.",
                f"Gin : {setup.rules.gin_bonus} points, sous-coupe : {setup.rules.undercut_bonus}.",
            ),
            *([pooled] if varies else []),
        ],
        [
            tr(
                "Measured for one who draws and discards as simple does and has knocked by the table that answers "
                "itself, against one who does the same.",
                "Mesuré pour qui pioche et défausse comme simple et a frappé selon la table qui se répond à elle-même, "
                "contre son pareil.",
            ),
            tr(
                f"{tr.count(setup.deals)} deals, each from both seats, seed {setup.seed}; {tr.count(tested)} cells "
                f"corrected together (Holm, {level}); hardly ever met: fewer than {LEAST} deals.",
                f"{tr.count(setup.deals)} donnes, chacune des deux places, graine {setup.seed} ; {tr.count(tested)} "
                f"cases corrigées ensemble (Holm, {level}) ; très rare : moins de {LEAST} donnes.",
            ),
            tr(
                "Limits by turn: the best found against each opponent on other deals; gin: go out with gin only.",
                "Limites par tour : les meilleures trouvées contre chaque adversaire sur d'autres donnes ; gin : le "
                "gin seul.",
            ),
        ],
    )


def best_text(rows: pd.DataFrame, level: float, tr: Language) -> str:
    """Return the best fixed limit, and those not told from it where there are others."""
    best = int(rows.loc[rows["best"], "limit"].iloc[0])
    among = among_best(rows, level)
    return str(best) if among == [best] else f"{best} ({limits_text(among, tr)})"


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    return [{str(key): value for key, value in row.items()} for row in frame.to_dict("records")]
