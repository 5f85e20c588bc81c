"""French terms for the options of the rules and their values, as the rule texts of ``sources/`` use them.

Words that the texts share: pioche or talon (stock), défausse (discard pile), carte retournée (upcard), combinaison
(meld), brelan or groupe (set), suite (run), cartes mortes or points morts (deadwood), frapper (knock), grand gin (big
gin), pose (lay-off), sous-coupe or contre (undercut), case or bonus de manche (box), manche (hand), donneur (dealer).
"""

from __future__ import annotations

import re
from typing import Final

OPTIONS: Final[dict[str, tuple[str, str]]] = {
    "ace": ("as", "place de l'as dans une suite : A-2-3, aussi D-R-A, ou à cheval sur le roi"),
    "ace_points": ("points de l'as", "points morts d'un as"),
    "knock_limit": ("limite pour frapper", "points morts avec lesquels on peut frapper ; 0 : gin obligatoire"),
    "knock_strict": ("limite stricte", "il faut rester en dessous de la limite"),
    "low_limit_is_gin": ("cartes du gin obligatoire", "cartes retournées qui n'autorisent que le gin"),
    "min_melded": ("cartes à étaler", "cartes combinées nécessaires pour étaler, à la place d'une limite"),
    "big_gin": ("grand gin", "onze cartes combinées terminent la manche sans défausse"),
    "gin_bonus": ("prime de gin", "points en plus des points morts adverses"),
    "big_gin_bonus": ("prime de grand gin", "points en plus des points morts adverses"),
    "undercut_bonus": ("prime de sous-coupe", "points en plus de la différence"),
    "tie": ("égalité", "ce que vaut l'égalité des points morts après la pose"),
    "layoff_on_gin": ("pose sur gin", "l'adversaire peut poser sur un gin et un grand gin"),
    "gin_cancelled_at_zero": ("gin annulé à zéro", "un adversaire qui pose tout annule le gin"),
    "layoff": ("pose", "comment l'adversaire arrange ses combinaisons et ses poses"),
    "knocker_spread": ("étalage", "comment celui qui frappe étale sa main"),
    "doubling": ("manche doublée", "ce qui double les points d'une manche"),
    "upcard_offer": ("carte retournée", "comment la manche s'ouvre"),
    "return_taken": ("rejet immédiat", "la carte prise dans la défausse peut être rejetée aussitôt"),
    "dead_stock": ("fin de pioche", "cartes restant dans la pioche quand la manche devient nulle"),
    "last_discard": ("dernière défausse", "ce que l'adversaire peut faire de la défausse qui termine la manche"),
    "max_turns": ("tours au plus", "tours après lesquels la manche est arrêtée (garde-fou)"),
    "target": ("total à atteindre", "points de manche qui terminent la partie"),
    "game_bonus": ("prime de partie", "points au vainqueur de la partie"),
    "shutout": ("partie blanche", "ce qui change quand le perdant n'a marqué aucun point"),
    "box_bonus": ("bonus de case", "points par manche gagnée"),
    "box_toward_target": ("cases dans le total", "les cases comptent aussitôt pour atteindre le total"),
    "end_gin_bonus": ("bonus final de gin", "points par gin, à la fin de la partie"),
    "end_big_gin_bonus": ("bonus final de grand gin", "points par grand gin, à la fin de la partie"),
    "settlement": ("règlement", "comment les totaux d'une partie sont réglés"),
    "first_dealer": ("premier donneur", "qui donne la première manche"),
    "next_dealer": ("donneur suivant", "qui donne après une manche marquée"),
    "form": ("forme de jeu", "partie simple, Hollywood, partenariat ou cutthroat"),
    "hollywood_boxes": ("cases à Hollywood", "manches qui donnent une case dans une colonne"),
    "partnership_bonus": ("bonus de partenariat", "points quand les deux partenaires gagnent la même manche"),
    "partnership_swap": ("échange des adversaires", "quand les partenaires changent d'adversaire"),
    "match": ("match", "ce qui entoure les parties"),
}
"""Term and meaning of every option."""

VALUES: Final[dict[str, str]] = {
    "low": "bas",
    "high_low": "bas ou haut",
    "round": "à cheval",
    "upcard": "carte retournée",
    "second_deck": "carte d'un deuxième jeu",
    "undercut": "sous-coupe",
    "nothing": "rien",
    "knocker": "à celui qui frappe",
    "optimal": "au mieux",
    "melds_first": "combinaisons d'abord",
    "min_deadwood": "le moins de points morts",
    "best": "au choix",
    "random_minimum": "un minimum au hasard",
    "none": "aucun",
    "upcard_spade": "carte retournée à pique",
    "last_discard_spade": "dernière défausse à pique",
    "both": "proposée aux deux",
    "none_eleven": "onze cartes données, aucune retournée",
    "dead": "manche nulle",
    "knock_only": "la prendre pour étaler",
    "double_game_bonus": "prime de partie doublée",
    "flat_100": "100 points de plus",
    "double_total": "total doublé",
    "net": "différence des totaux",
    "sum": "chacun garde son total",
    "pro": "Gin Rummy Pro",
    "random": "au hasard",
    "loser": "le perdant",
    "winner": "le vainqueur",
    "alternate": "à tour de rôle",
    "single": "partie simple",
    "hollywood": "Hollywood",
    "partnership": "partenariat",
    "cutthroat": "cutthroat à trois",
    "entered": "inscrites",
    "all": "toutes",
    "hand": "à chaque manche",
    "game": "à chaque partie",
    "one-game": "une partie",
    "true": "oui",
    "false": "non",
}
"""French words for the values that are words."""

_SOURCES: Final = (
    ("not in source", "absent de la source"),
    ("unspecified in source", "non précisé dans la source"),
    ("in no text", "dans aucun texte"),
    ("silent, as the toolkit", "texte muet, valeur par défaut"),
    ("silent, as", "texte muet, comme"),
    ("rule file", "fichier de règles"),
    ("set by the user", "choisi par l'utilisateur"),
    ("authority", "autorité"),
    ("research framework", "cadre de recherche"),
)


def source(text: str) -> str:
    """Return in French where an option's value comes from.

    >>> source("straight: silent, as classic")
    'straight : texte muet, comme classic'
    """
    for english, french in _SOURCES:
        text = re.sub(rf"(^|: ){english}\b", rf"\g<1>{french}", text)
    return text.replace(": ", " : ")
