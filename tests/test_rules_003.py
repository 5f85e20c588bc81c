"""Every sentence of source 003 that states a rule, on literal hands: 'Gin Rummy 2 joueurs'.

The preset is ``grand-gin``: going out needs eight melded cards and no deadwood limit. In this text a *manche* is a hand
where hands are counted and a game to 250 points where points are; the *partie* is all games together.
"""

from __future__ import annotations

import brute
from literal import DEAD, Entry, big_gins, choice, deal, game_of, gins, hand_of, says, showdown, won
from literal_match import match_of

import gincore

GRAND = gincore.rules("grand-gin")
EIGHT = "9c 9d 9h 9s 4h 5h 6h 7h Kd Qs"
"""A set of four and a run of four; 20 points of deadwood."""
POOR = "2c 4d 6c 8c Td Jd Qc Ts Ac 3s"
"""No meld: 64, and nothing fits on EIGHT."""
GIN = "As 2s 3s 4s 5d 6d 7d 9h Th Jh"
BIG = "As 2s 3s 4s 5d 6d 7d 9h Th Jh Qh"
FITS = "5s 8d 8h Kc 2h 4h 6c 9c Ks Jc"
"""No meld: 72; of them 5s, 8d and 8h fit on GIN."""


# ---------------------------------------------------------------- le jeu et la donne


@says(
    "Deux joueurs",
    "Un jeu de cinquante-deux cartes",
    "Le donneur mélange les cartes et distribue dix cartes à chacun ; il pose le talon, face cachée, au milieu de"
    " la table et retourne la première carte du dessus.",
    "Cette carte devient l'écart.",
)
def test_003_dix_cartes_le_talon_et_l_ecart(sentence: str) -> None:
    """Ten cards each of 52, one turned on the pile, 31 in the stock."""
    for number in range(20):
        dealt = deal(GRAND, number)
        assert (len(dealt.first), len(dealt.second), len(dealt.stock)) == (10, 10, 31)
        assert dealt.pile == {dealt.upcard}
        assert sorted([*dealt.first, *dealt.second, dealt.upcard, *dealt.stock]) == sorted(brute.DECK)


@says(
    "Roi/Dame/Valet/10/9/8/7/6/5/4/3/2/As.",
)
def test_003_hierarchie_des_cartes(sentence: str) -> None:
    """The ace is the lowest card and the king the highest: no run goes around the corner."""
    order = "A23456789TJQK"
    for start in range(11):
        run = " ".join(rank + "d" for rank in order[start : start + 3])
        assert gincore.spreads(run, GRAND)[0].points == 0
    assert gincore.spreads("Qd Kd Ad", GRAND)[0].points == 21
    assert gincore.spreads("Kd Ad 2d", GRAND)[0].points == 13


@says(
    "Si l'écart intéresse le joueur adverse, il prend cette carte, sinon le donneur peut alors la prendre.",
    "Celui qui prend la première carte de l'écart commence le jeu.",
)
def test_003_l_ecart_est_offert_aux_deux(sentence: str) -> None:
    """Whoever takes the upcard plays the first turn."""
    needs = EIGHT.replace("9s", "Ks")
    first = hand_of(GRAND, needs, POOR, "9s", ("take, knock Ks",))
    assert (first.upcard_taken_by, first.knocker, first.turns) == (0, 0, 1)
    dealer = hand_of(GRAND, POOR, needs, "9s", ("pass", "take, knock Ks"))
    assert (dealer.upcard_taken_by, dealer.knocker, dealer.turns) == (1, 1, 1)
    then = hand_of(GRAND, needs, POOR, "8s", ("pass", "take, Td", "stock, knock Ks"), stock="9s")
    assert (then.upcard_taken_by, then.knocker, then.turns) == (1, 0, 2)


@says(
    "Ensuite, chaque joueur à tour de rôle prend soit la carte sur le dessus de l'écart, soit la carte sur le"
    " dessus du talon.",
)
def test_003_l_ecart_ou_le_talon(sentence: str) -> None:
    """The dealer takes the card just thrown, or the stock's next one."""
    needs = EIGHT.replace("9s", "Ks")
    pile = hand_of(GRAND, POOR, needs, "Kh", ("pass", "pass", "stock, 9s", "take, knock Ks"), stock="9s Kc")
    assert (pile.knocker, pile.pickups_1, pile.stock_left) == (1, 1, 30)
    stock = hand_of(GRAND, POOR, needs, "Kh", ("pass", "pass", "stock, Kc", "stock, knock Ks"), stock="Kc 9s")
    assert (stock.knocker, stock.pickups_1, stock.stock_left) == (1, 0, 29)


@says(
    "Chaque fois qu'un joueur peut poser sur la table une ou des combinaisons, il procède.",
)
def test_003_poser_des_combinaisons(sentence: str) -> None:
    """Read as laying down when going out: three melded cards do not end a hand, nor do seven."""
    assert choice(GRAND, "9c 9d 9h 2s 4d 6c 8s Td Jc Qd Ks").knock == frozenset()
    assert choice(GRAND, "9c 9d 9h 4h 5h 6h 7h Ac Ad 2s Ks").knock == frozenset()


# ---------------------------------------------------------------- les combinaisons


@says(
    "Brelan (trois cartes de même valeur, mais de Couleur différente).",
    "Carré (quatre cartes de même valeur).",
)
def test_003_brelan_et_carre(sentence: str) -> None:
    """Three or four of a rank, not two."""
    assert gincore.spreads("8c 8d 8h", GRAND)[0].points == 0
    assert gincore.spreads("8c 8d 8h 8s", GRAND)[0].points == 0
    assert gincore.spreads("8c 8d", GRAND)[0].points == 16


@says(
    "Séquence (trois cartes et plus de valeur consécutive et de même Couleur).",
)
def test_003_sequence(sentence: str) -> None:
    """Three and more in a row of a suit."""
    assert gincore.spreads("3h 4h 5h", GRAND)[0].points == 0
    assert gincore.spreads("3h 4h 5h 6h 7h 8h 9h", GRAND)[0].points == 0
    assert gincore.spreads("3h 4h", GRAND)[0].points == 7
    assert gincore.spreads("3h 4h 5d", GRAND)[0].points == 12


# ---------------------------------------------------------------- la fin d'un coup


@says(
    "Un coup se termine abruptement lorsqu'il ne reste que deux cartes dans le talon et que le joueur ayant pioché"
    " au tour précédent a placé une carte sur l'écart sans poser de cartes sur le jeu.",
    "On annule alors ce coup et personne ne marque de points.",
)
def test_003_deux_cartes_dans_le_talon(sentence: str) -> None:
    """The draw that leaves two cards may still go out; a discard ends the hand without points."""
    dead = hand_of(GRAND, EIGHT, POOR, "Kh")
    assert (dead.result, dead.winner, dead.points, dead.stock_left, dead.turns) == ("dead", None, (0, 0), 2, 29)
    stock = [card for card in brute.DECK if card not in f"{EIGHT} {POOR} Kh".split()]
    moves = ["pass", "pass", *(f"stock, {card}" for card in stock[:28]), f"stock, knock {stock[28]}"]
    late = hand_of(GRAND, EIGHT, POOR, "Kh", moves, stock=" ".join(stock))
    assert (late.result, late.stock_left) == ("knock", 2)
    assert not game_of(GRAND, [DEAD, *won(0, 249)]).over


def test_003_huit_cartes_etalees() -> None:
    """
    Un coup peut également se terminer si un joueur étale des combinaisons en écoulant huit de ses cartes.

    Whatever the other two count; nine melded cards are as good; seven are not enough, whatever the deadwood.
    """
    assert choice(GRAND, f"{EIGHT} Ks").knock == {"Kd", "Qs", "Ks"}
    assert choice(GRAND, "9c 9d 9h 9s 4h 5h 6h 7h 8h Qs Ks").knock >= {"Qs", "Ks"}
    assert choice(GRAND, "9c 9d 9h 4h 5h 6h 7h Ac Ad 2s Ks").knock == frozenset()
    played = showdown(GRAND, EIGHT, POOR)
    assert (played.result, played.knock_limit, played.deadwood) == ("knock", -1, (20, 64))
    assert (played.sets, played.runs) == ("9c 9d 9h 9s", "4h 5h 6h 7h")


def test_003_dix_cartes_un_petit_gin() -> None:
    """
    S'il parvient à placer dix cartes, on dit qu'il réussit un "Petit Gin".
    """
    assert showdown(GRAND, GIN, POOR.replace("3s", "3c")).result == "gin"


def test_003_onze_cartes_un_grand_gin() -> None:
    """
    Mieux encore, s'il parvient à poser ses dix cartes en plus de la carte qu'il vient de piocher, donc une onzième
    carte, il réalise alors un "Grand Gin".
    """
    assert choice(GRAND, BIG).big_gin
    played = showdown(GRAND, BIG, POOR.replace("3s", "3c"))
    assert (played.result, played.turns) == ("big_gin", 1)
    assert int(played.views[0].hand).bit_count() == 11


def test_003_ecouler_ses_cartes_sur_celles_de_l_adversaire() -> None:
    """
    Dans l'une ou l'autre de ces circonstances, le joueur adverse est tenu d'étaler ses combinaisons et peut écouler ses
    cartes sur les combinaisons de son adversaire en admettant qu'il en ait la possibilité.

    After eight cards, after a petit gin, and after a grand gin (where 8h and Kh continue 9h-T-J-Q at its ends).
    """
    eight = showdown(GRAND, EIGHT, "3h 8h 2c 2d 2s Kc Jd 6c Td Ac")
    assert (eight.laid_off, eight.deadwood) == ("3h 8h", (20, 10 + 10 + 6 + 10 + 1))
    small = showdown(GRAND, GIN, FITS)
    assert (small.laid_off, small.defender_deadwood_before, small.deadwood) == ("8d 8h 5s", 72, (0, 51))
    grand = showdown(GRAND, BIG, FITS.replace("Ks", "Kh"))
    assert (grand.laid_off, grand.deadwood) == ("8d 8h Kh 5s", (0, 41))


# ---------------------------------------------------------------- le pointage


@says(
    "À la fin d'une manche, chaque joueur calcule le total des valeurs des cartes dont il n'a pas pu se défaire.",
)
def test_003_le_total_des_cartes_restantes(sentence: str) -> None:
    """What is neither melded nor laid off; the values are those of the other texts."""
    played = showdown(GRAND, EIGHT, "3h 8h 2c 2d 2s Kc Jd 6c Td Ac")
    assert played.deadwood == (10 + 10, 10 + 10 + 6 + 10 + 1)


def test_003_petit_gin_25() -> None:
    """
    Petit gin : 25 points pour le joueur qui l'a réussi plus les points des cartes de son adversaire.

    Even if the adversary could lay off every card: gin is not cancelled.
    """
    assert showdown(GRAND, GIN, FITS).points == (25 + 51, 0)
    all_off = "5s 6s 8d 9d Qh Kh 8c 8h 8s 7s"
    played = showdown(GRAND, GIN, all_off)
    assert (played.winner, played.deadwood, played.points) == (0, (0, 0), (25, 0))


def test_003_grand_gin_50() -> None:
    """
    Grand gin : 50 points pour le joueur qui l'a réussi plus les points des cartes de son adversaire.
    """
    assert showdown(GRAND, BIG, FITS).points == (50 + 51, 0)


def test_003_le_plus_bas_marque_la_difference() -> None:
    """
    Si aucune combinaison Petit Gin ou Grand Gin n'est réalisée, le joueur présentant le total de points en moins le
    plus bas marque la différence entre les deux totaux.
    """
    assert showdown(GRAND, EIGHT, POOR).points == (64 - 20, 0)


def test_003_vingt_points_si_l_adversaire_marque_ou_a_egalite() -> None:
    """
    Toutefois, si l'adversaire du joueur ayant étalé marque, ou en présence de totaux à égalité, on rajoute 20 points à
    son score.

    Twenty against 13: 7 + 20; twenty against twenty: 20.
    """
    low = showdown(GRAND, EIGHT, "2c 3c 4c Tc Jc Qc Ac As Ad Kh")
    assert (low.result, low.winner, low.deadwood, low.points) == ("undercut", 1, (20, 10), (0, 10 + 20))
    even = showdown(GRAND, EIGHT, "2c 3c 4c Tc Jc Qc 5d Jd As 4d")
    assert (even.deadwood, even.result, even.winner, even.points) == ((20, 20), "undercut", 1, (0, 20))


def test_003_250_points_et_le_bonus_de_100_ou_200() -> None:
    """
    Le joueur atteignant 250 points le premier remporte la manche en plus de se voir octroyé des points supplémentaires
    : 100 points pour la manche ou 200 si son rival n'a marqué aucun point.
    """
    assert not game_of(GRAND, won(0, 124, 125)).over
    plain = game_of(GRAND, [*won(1, 40), *won(0, 125, 125)])
    assert (plain.over, plain.winner, plain.pair("total")) == (True, 0, (250 + 100, 40))
    sweep = game_of(GRAND, won(0, 125, 125))
    assert sweep.pair("total") == (250 + 200, 0)


def test_003_50_par_petit_gin_et_100_par_grand_gin() -> None:
    """
    De plus, chaque joueur compte 50 points par Petit Gin et 100 points par Grand Gin pour chaque manche.

    Both players; no box for the hands.
    """
    hands: list[Entry] = [*gins(1, 60, 60), *big_gins(1, 70), *won(0, 100), *gins(0, 100), *big_gins(0, 60)]
    game = game_of(GRAND, hands)
    assert game.pair("points") == (260, 190)
    assert game.pair("total") == (260 + 100 + 50 + 100, 190 + 50 + 50 + 100)
    assert game.pair("boxes") == (0, 0)


def test_003_le_plus_de_points_triomphe() -> None:
    """
    Au terme de la partie, c'est le joueur qui a accumulé le plus de points qui triomphe.

    Both keep their totals. A partie of one manche: who reached 250 first has fewer here. A partie of three manches: all
    three are played, also after two won by the same player, and the sum of the three decides.
    """
    game = game_of(GRAND, [*gins(1, 60, 60, 60, 60), *won(0, 125, 125)])
    assert game.pair("total") == (350, 240 + 200)
    assert (game.margin, game.winner) == (350 - 440, 1)
    partie = GRAND.replace(match="best-of-3")
    manche = [*won(1, 240), *won(0, 125, 125)]  # 350 to 240
    assert not match_of(partie, manche * 2).over
    three = match_of(partie, [*manche * 2, *gins(1, 125, 125)])
    assert three.over
    assert three.of("total") == ([350, 350, 0], [240, 240, 250 + 200 + 2 * 50])
    assert three.each("winner") == [0, 0, 1]
    assert three.winner == 1, "1,030 points against 700, with one manche against two"
    other = [*won(0, 240), *won(1, 125, 125)]
    level = match_of(partie, [*manche, *other, *gins(1, 30, 40, 40, 40), *won(0, 125, 125)])
    assert (level.over, level.winner) == (True, None)
    assert level.of("total") == ([350, 240, 350], [240, 350, 150 + 4 * 50])


def test_003_les_bonus_de_chaque_manche_comptent_dans_la_partie() -> None:
    """
    De plus, chaque joueur compte 50 points par Petit Gin et 100 points par Grand Gin pour chaque manche.

    And 100 or 200 for the manche: what is counted in one manche is not counted in the next.
    """
    partie = GRAND.replace(match="best-of-3")
    manches = [*gins(0, 125, 125), *big_gins(1, 60), *won(0, 250), *gins(0, 40), *won(1, 250)]
    match = match_of(partie, manches)
    assert match.over
    assert match.of("gins") == ([2, 0, 1], [0, 0, 0])
    assert match.of("big_gins") == ([0, 0, 0], [0, 1, 0])
    assert match.of("total") == (
        [250 + 200 + 2 * 50, 250 + 100, 40 + 50],
        [0, 60 + 100, 250 + 100],
    )
    assert match.winner == 0
