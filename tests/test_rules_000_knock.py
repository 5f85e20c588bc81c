"""Source 000, 'Comment jouer à Gin Rummy': how a hand ends and what it scores, on literal hands."""

from __future__ import annotations

import brute
import script
from literal import DEAD, choice, game_of, hand_of, says, showdown

import gincore

CLASSIC = gincore.rules("classic")
NINE = "Ac 2c 3c 4d 5d 6d 7h 8h 9h"
"""Three runs; a tenth card is the deadwood."""
GIN = "As 2s 3s 4s 5d 6d 7d 9h Th Jh"
TWENTY = "Ts Js Qs 8c 8d 8s 2h 4h 5c 9c"
"""Two melds and 2 + 4 + 5 + 9; no card fits on the runs of NINE."""
TEN = "Tc Jc Qc Td Jd Qd Th Jh Qh Ks"
"""Three runs and a king; of them only the ten of hearts would fit on NINE, and its run would be lost."""
JUNK = "2h 4h 6c 8c Td Qd Qs 9c 5c Jc"
"""No meld: 2 + 4 + 6 + 8 + 10 + 10 + 10 + 9 + 5 + 10 = 74."""


def least(hand: str) -> int:
    """Deadwood by exhaustive search, without lay-offs."""
    return brute.deadwood(brute.cards(hand), brute.House())


def deadwood(hand: str) -> int:
    return int(gincore.deadwood([hand])[0])


# ---------------------------------------------------------------- frapper et déclarer gin


@says(
    "Frappez lorsque votre bois mort est de 10 points ou moins, ou déclarez Gin pour un bonus ; les sous-coupes"
    " punissent les frappes imprudentes.",
    "Lorsque votre bois mort totalise 10 points ou moins, vous pouvez FRAPPER à la fin de votre tour (après avoir"
    " tiré, en défaussant face cachée) pour terminer la main.",
    "Réduisez le bois mort à 10 ou moins, puis frappez (ou déclarez Gin avec 0 bois mort).",
    "Terminez la main soit en frappant (bois mort de 10 points ou moins) soit en déclarant Gin (bois mort zéro).",
    "À la FIN de votre tour, après avoir tiré, si la valeur totale des cartes qui ne sont dans AUCUNE combinaison"
    " est de 10 ou moins, vous pouvez FRAPPER.",
    "Frapper : terminer la main en plaçant la dernière défausse face cachée lorsque le bois mort est de 10 ou moins.",
)
def test_000_frapper_avec_dix_points_ou_moins(sentence: str) -> None:
    """Ten points are enough, eleven are too many, zero is gin; what counts is the hand after the discard."""
    ten = choice(CLASSIC, f"{NINE} Ts Ks")
    assert ten.knock == {"Ts", "Ks"}
    eleven = "Ac 2c 3c 4d 5d 6d 7d 9s 2h Ks"
    assert deadwood(eleven) == 21
    assert choice(CLASSIC, f"{eleven} Kh").knock == frozenset()
    one_over = choice(CLASSIC, "Ac 2c 3c 4d 5d 6d 7d 9s 2h Kh Ks")
    assert (one_over.deadwood, one_over.knock) == (21, frozenset())
    exactly_eleven = choice(CLASSIC, "Ac 2c 3c 4d 5d 6d 7d 8d 9s 2h Ks")
    assert (exactly_eleven.deadwood, exactly_eleven.knock) == (11, frozenset())
    assert showdown(CLASSIC, f"{NINE} Ts", JUNK).result == "knock"
    assert showdown(CLASSIC, GIN, JUNK.replace("5c", "Ks")).result == "gin"


def test_000_pour_frapper_exposez_votre_main() -> None:
    """
    Pour frapper, placez votre dernière défausse FACE CACHÉE sur la défausse (au lieu de face visible), puis exposez
    votre main organisée en combinaisons plus une petite pile de bois mort.
    """
    played = showdown(CLASSIC, f"{NINE} 2s", TWENTY)
    assert (played.turns, played.stock_left) == (1, 30)
    assert (played.sets, played.runs, played.deadwood[0]) == ("", NINE, 2)
    # the card lies face down: nobody is asked anything after it, as the script would not answer
    script.play(CLASSIC, script.layout(f"{NINE} 2s", TWENTY, "Kh", "Kd"), "0 leaves; 1 leaves; 0 knocks Kd")


@says(
    "Si votre bois mort est zéro (toutes les cartes combinées), vous «déclarez Gin» pour un bonus.",
    "Gin : 25 de bonus + tout le bois mort de l'adversaire ; aucune sous-coupe ni pose possible.",
    "Déclarer Gin : si votre bois mort est ZÉRO (les 10 cartes dans des combinaisons valides), vous avez «déclaré"
    " Gin».",
    "Bonus de Gin : si vous avez déclaré Gin, vous marquez 25 points de bonus PLUS le total du bois mort de"
    " l'adversaire.",
    "Gin : frapper avec 0 bois mort (toutes les cartes combinées) ; marque un bonus de 25 points plus tout le bois"
    " mort de l'adversaire.",
    "Déclarer Gin. Une main de Gin marque un bonus de 25 points plus le total du bois mort de l'adversaire, et elle"
    " ne peut pas être sous-coupée.",
)
def test_000_gin_25_plus_le_bois_mort(sentence: str) -> None:
    """Three runs against 2 + 4 + 6 + 8 + 10 + 10 + 10 + 9 + 5 + 10."""
    played = showdown(CLASSIC, GIN, JUNK)
    assert (played.result, played.winner, played.points) == ("gin", 0, (25 + 74, 0))


@says(
    "Un Gin ne peut jamais être sous-coupé.",
)
def test_000_un_gin_n_est_jamais_sous_coupe(sentence: str) -> None:
    """A defender who holds gin as well has no deadwood and loses the bonus all the same."""
    also = "4c 5c 6c 8s 8d 8h Tc Jc Qc Kc"
    assert least(also) == 0
    played = showdown(CLASSIC, GIN, also)
    assert (played.result, played.winner, played.points) == ("gin", 0, (25, 0))


@says(
    "La pose n'est autorisée que lorsque le joueur qui a frappé n'a PAS déclaré Gin.",
    "Pas de pose contre le Gin : si le joueur qui a frappé a déclaré Gin, l'adversaire ne peut pas poser ; toutes"
    " ses cartes non combinées restent du bois mort.",
    "L'adversaire ne peut pas non plus poser de cartes contre une main de Gin.",
)
def test_000_pas_de_pose_contre_le_gin(sentence: str) -> None:
    """8d, Qh and Kh would fit; they stay deadwood."""
    defender = "8d Qh Kh 2c 4h 6c Ts Js 9c 5c"
    played = showdown(CLASSIC, GIN, defender)
    assert (played.laid_off, played.layoff_cards) == ("", 0)
    assert played.deadwood == (0, least(defender)) == (0, 74)


@says(
    "Pose (seulement après une frappe, pas après Gin) : l'ADVERSAIRE peut étendre les combinaisons du joueur qui a"
    " frappé avec ses propres cartes non combinées pour RÉDUIRE son propre bois mort.",
    "Extensions : ajouter une 4ème carte à un brelan de 3, ou allonger une suite à l'une ou l'autre extrémité.",
    "Pose : après une frappe (pas Gin), l'adversaire étend les combinaisons du joueur qui frappe avec ses propres"
    " cartes non combinées pour réduire son bois mort.",
)
def test_000_pose_apres_une_frappe(sentence: str) -> None:
    """The fourth nine on three, 4 and 8 on 5-6-7, and the 3 after the 4; no fifth card of a set, nothing in between."""
    knocker = "9c 9d 9h 5s 6s 7s Qc Qd Qh 2d"
    defender = "9s 4s 3s Ad Td Jc 6c 7h Th Kc"
    played = showdown(CLASSIC, knocker, defender)
    assert played.laid_off == "3s 4s 9s"
    assert played.deadwood == (2, 1 + 10 + 10 + 6 + 7 + 10 + 10)
    high = showdown(CLASSIC, knocker, defender.replace("4s 3s", "8s 3c"))
    assert high.laid_off == "8s 9s", "the nine fits on the set and on the run"


# ---------------------------------------------------------------- le décompte d'une main


@says(
    "Le joueur qui frappe gagne la différence de bois mort si le sien est inférieur ; si le bois mort de"
    " l'adversaire est égal ou inférieur, l'adversaire SOUS-COUPE le joueur qui a frappé pour un bonus plus la"
    " différence.",
    "Le joueur qui frappe gagne : la différence (bois mort de l'adversaire moins bois mort du joueur qui frappe) si"
    " celui de l'adversaire est supérieur.",
    "Le joueur qui frappe gagne lorsque le bois mort de l'adversaire est SUPÉRIEUR au sien.",
    "Le joueur qui frappe marque la différence (bois mort de l'adversaire moins bois mort du joueur qui frappe).",
)
def test_000_la_frappe_marque_la_difference(sentence: str) -> None:
    """20 against 2: 18 for the knocker; 10 against 9: one point; 10 against 10 is lost."""
    assert showdown(CLASSIC, f"{NINE} 2s", TWENTY).points == (18, 0)
    assert showdown(CLASSIC, f"{NINE} 9s", TEN).points == (1, 0)
    assert showdown(CLASSIC, f"{NINE} Ts", TEN).points == (0, 25)


@says(
    "Sous-coupe : bois mort de l'adversaire égal ou inférieur = l'adversaire marque la différence + bonus de 25.",
    "Sous-coupe lorsque le bois mort de l'adversaire est ÉGAL ou INFÉRIEUR à celui du joueur qui frappe.",
    "Sous-coupe : si le bois mort de l'adversaire est égal ou inférieur à celui du joueur qui frappe, l'adversaire"
    " bat le joueur qui frappe et marque la différence plus un bonus de 25 points.",
    "Une sous-coupe se produit lorsqu'un joueur frappe mais que l'adversaire, après les poses autorisées, a un bois"
    " mort ÉGAL ou INFÉRIEUR à celui du joueur qui frappe.",
    "L'adversaire qui sous-coupe gagne la main et marque la différence PLUS un bonus de 25 points.",
    "C'est la principale pénalité pour avoir frappé trop tôt ou avec un bois mort trop élevé.",
)
def test_000_sous_coupe_25_plus_la_difference(sentence: str) -> None:
    """Equal: 25; 7 against 1: 25 + 6; after lay-offs: 10 against 23 - 4 - 10 = 9."""
    tie = showdown(CLASSIC, f"{NINE} Ts", TEN)
    assert (tie.result, tie.winner, tie.points, tie.deadwood) == ("undercut", 1, (0, 25), (10, 10))
    lower = showdown(CLASSIC, f"{NINE} 7s", "Tc Jc Qc Td Jd Qd Kh Ks Kc As")
    assert (lower.result, lower.points, lower.deadwood) == ("undercut", (0, 31), (7, 1))
    layoffs = showdown(CLASSIC, f"{NINE} Ts", "Jc Qc Kc Jd Qd Kd 4c Th 2h 7s")
    assert (layoffs.laid_off, layoffs.deadwood, layoffs.points) == ("4c Th", (10, 9), (0, 26))


def test_000_certains_groupes_utilisent_10() -> None:
    """
    L'adversaire gagne la main (appelée sous-coupe) et marque la différence PLUS un bonus de 25 points (certains groupes
    utilisent 10).
    """
    other = gincore.rules("classic", undercut_bonus=10)
    assert showdown(CLASSIC, f"{NINE} Ts", TEN).points == (0, 25)
    assert showdown(other, f"{NINE} Ts", TEN).points == (0, 10)
    assert showdown(gincore.rules("manhattan"), f"{NINE} Ts", TEN).points == (0, 10)


def test_000_regle_de_pioche_basse() -> None:
    """
    Règle de pioche basse : si la pioche est réduite à seulement 2 cartes et que le joueur actuel tire une carte sans
    frapper, la main est NULLE (aucun score). Le même donneur distribue la main suivante.

    The draw that leaves two cards may still knock; the discard after it ends the hand.
    """
    start = (CLASSIC, f"{NINE} 2s", TWENTY, "Kh")
    dead = hand_of(*start)
    assert (dead.result, dead.winner, dead.points, dead.stock_left, dead.turns) == ("dead", None, (0, 0), 2, 29)
    stock = [card for card in brute.DECK if card not in f"{NINE} 2s {TWENTY} Kh".split()]
    moves = ["pass", "pass", *(f"stock, {card}" for card in stock[:28]), f"stock, knock {stock[28]}"]
    late = hand_of(*start, moves, stock=" ".join(stock))
    assert (late.result, late.stock_left, late.points) == ("knock", 2, (18, 0))
    assert game_of(CLASSIC, [DEAD, DEAD], starter=1).starters == (1, 1, 1)
