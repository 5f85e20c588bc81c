"""Every sentence of source 001 that states a rule, on literal hands: 'Comment jouer à Gin Rummy (Straight)'.

Its game is the preset ``straight``; what it says of knocking is the classic game of the same site, ``classic-big-gin``.
"""

from __future__ import annotations

import brute
import pytest
from literal import DEAD, big_gins, choice, deal, game_of, gins, hand_of, says, showdown, won

import gincore

STRAIGHT = gincore.rules("straight")
SITE = gincore.rules("classic-big-gin")
BOTH = pytest.mark.parametrize("rules", [STRAIGHT, SITE], ids=["straight", "classic-big-gin"])
NINE = "Ac 2c 3c 4d 5d 6d 7h 8h 9h"
GIN = "As 2s 3s 4s 5d 6d 7d 9h Th Jh"
BIG = "As 2s 3s 4s 5d 6d 7d 9h Th Jh Qh"
JUNK = "2h 4h 6c 8c Td Qd Qs 9c 5c Jc"
"""No meld: 2 + 4 + 6 + 8 + 10 + 10 + 10 + 9 + 5 + 10 = 74."""
NOTHING = "4c 5c 6c 8s 8d 8h Tc Jc Qc Kc"
"""Gin too: no deadwood."""


# ---------------------------------------------------------------- le jeu


@says(
    "Gin Rummy est un jeu de cartes pour deux joueurs dans lequel vous formez des groupes et des suites avec vos cartes"
    " et essayez de terminer la manche, en frappant ou en faisant gin, avant votre adversaire.",
    "Le Gin Rummy est un jeu de cartes pour deux joueurs, et ici vous jouez contre un joueur de l'ordinateur.",
    "À chaque manche, vous essayez de former des combinaisons avec vos cartes et de réduire les points restants, et de"
    " terminer la manche avant votre adversaire.",
)
def test_001_deux_joueurs(sentence: str) -> None:
    """Two players, each of whom may be the first to go out, by a knock or by gin; the hand is over then."""
    for rules in (STRAIGHT, SITE):
        with pytest.raises(ValueError, match="exactly two are needed"):
            gincore.simulate(rules, ("simple",) * 3, deals=1, seed=1, progress=False)
    knock = hand_of(SITE, f"{NINE} Ks", JUNK, "2s", ("take, knock Ks",))
    assert (knock.result, knock.knocker, knock.turns) == ("knock", 0, 1)
    gin = hand_of(SITE, JUNK, GIN.replace("4s", "Kd"), "4s", ("pass", "take, knock Kd"))
    assert (gin.result, gin.knocker, gin.turns) == ("gin", 1, 1)


# ---------------------------------------------------------------- straight


@says(
    "Pas de frappe : seul un gin ou un big gin termine une manche. En 100 points.",
    "Straight interdit de frapper : une manche ne se termine que lorsqu'un joueur fait gin ou big gin, ou quand la"
    " pioche s'épuise et que la manche est nulle.",
)
def test_001_seul_un_gin_ou_un_big_gin_termine(sentence: str) -> None:
    """One point of deadwood may not knock; gin and big gin end the hand; else it is dead."""
    assert choice(STRAIGHT, f"{NINE} As Ks").knock == frozenset()
    assert showdown(STRAIGHT, f"{NINE} As", JUNK).result == "dead"
    assert showdown(STRAIGHT, GIN, JUNK).result == "gin"
    assert showdown(STRAIGHT, BIG, JUNK.replace("Qd", "Kd")).result == "big_gin"
    assert not game_of(STRAIGHT, gins(0, 49, 50)).over
    assert game_of(STRAIGHT, gins(0, 50, 50)).over


@says(
    "Comme personne ne frappe avec des cartes mortes, rien n'est posé et personne ne subit de contre.",
)
def test_001_rien_n_est_pose_et_pas_de_contre(sentence: str) -> None:
    """Cards that would fit stay dead; a defender without deadwood does not win; over 2,000 hands no undercut."""
    played = showdown(STRAIGHT, GIN, "5s 6s 8d Qh 2h 4h 6c 9c Kc Ts")
    assert (played.laid_off, played.points) == ("", (25 + 5 + 6 + 8 + 10 + 2 + 4 + 6 + 9 + 10 + 10, 0))
    assert showdown(STRAIGHT, GIN, NOTHING).winner == 0
    rows = gincore.simulate(STRAIGHT, ("simple", "simple"), deals=1_000, seed=2, progress=False).hands
    assert set(rows["result"]) <= {"gin", "big_gin", "dead"}
    assert (rows["layoff_cards"].dropna() == 0).all()


@says(
    "Un gin rapporte 25 points plus les points morts de votre adversaire et un big gin 31, et la partie se joue en"
    " 100 points.",
)
def test_001_gin_25_big_gin_31(sentence: str) -> None:
    """74 dead points: 99 and 105."""
    assert showdown(STRAIGHT, GIN, JUNK).points == (25 + 74, 0)
    assert showdown(STRAIGHT, BIG, JUNK).points == (31 + 74, 0)
    assert STRAIGHT.target == 100


@says(
    "Les manches durent plus longtemps, et une manche qui atteint la fin de la pioche ne rapporte rien",
    "garder les cartes que votre adversaire semble vouloir peut alors la mener jusqu'à une manche nulle, où"
    " personne ne marque.",
)
def test_001_la_fin_de_la_pioche_ne_rapporte_rien(sentence: str) -> None:
    """Nobody goes out: no winner, no points. The same deals end later here than where one may knock."""
    dead = hand_of(STRAIGHT, f"{NINE} Ks", JUNK, "Kh")
    assert (dead.result, dead.winner, dead.points, dead.stock_left) == ("dead", None, (0, 0), 2)
    turns = {
        rules.name: gincore.simulate(rules, ("simple", "simple"), deals=500, seed=1, progress=False).hands["turns"]
        for rules in (STRAIGHT, SITE)
    }
    assert turns["straight"].mean() > 1.5 * turns["classic-big-gin"].mean()


def test_001_les_prises_dans_la_defausse_sont_vues() -> None:
    """
    Le joueur de l'ordinateur voit chaque carte que vous prenez dans la défausse, et sur une longue manche, ces prises
    révèlent ce que vous construisez.
    """
    played = hand_of(STRAIGHT, f"{NINE} Ks", JUNK, "2s", ("take, Ks",))
    assert brute.from_mask(int(played.views[1].opp_took)) == {"2s"}
    assert int(played.views[1].opp_pickups) == 1


def test_001_prendre_dans_la_pioche_ne_devoile_rien() -> None:
    """
    Prendre dans la pioche ne dévoile rien : ne prenez dans la défausse que si la carte complète ou prolonge une
    combinaison.

    Whatever the non-dealer drew, the dealer's view is the same; a card from the pile is known.
    """
    views = [choice(STRAIGHT, f"{NINE} Ks {drawn}", turned="Kh").opponent for drawn in ("2s", "3s")]
    for field in ("pile", "top", "opp_took", "opp_threw", "opp_declined", "stock", "opp_pickups"):
        assert int(views[0][field]) == int(views[1][field]), field
    assert brute.from_mask(int(choice(STRAIGHT, f"{NINE} Ks 2s", pile=True).opponent.opp_took)) == {"2s"}


def test_001_quatre_gins_suffisent_toujours() -> None:
    """
    Chaque gin rapporte au moins 25 points, donc quatre suffisent toujours pour atteindre 100.
    """
    assert showdown(STRAIGHT, GIN, NOTHING).points == (25, 0)
    assert not game_of(STRAIGHT, gins(0, 25, 25, 25)).over
    assert game_of(STRAIGHT, gins(0, 25, 25, 25, 25)).over


@says(
    "Straight est le seul des quatre jeux où vos points morts ne comptent que lorsque votre adversaire fait gin :"
    " ils s'ajoutent alors à ses 25 ou 31.",
)
def test_001_les_points_morts_s_ajoutent_a_25_ou_31(sentence: str) -> None:
    """The same dead points count for nothing in a dead hand, and for the one who makes gin otherwise."""
    assert hand_of(STRAIGHT, f"{NINE} Ks", JUNK, "Kh").points == (0, 0)
    assert showdown(STRAIGHT, GIN, JUNK).points == (25 + 74, 0)
    assert showdown(STRAIGHT, BIG, JUNK).points == (31 + 74, 0)


def test_001_chaque_manche_gagnee_vaut_au_moins_25_plus_le_bonus_de_25() -> None:
    """
    Toute manche qui n'est pas nulle est gagnée par un gin ou un big gin, donc chaque manche que vous gagnez vaut au
    moins 25 points, plus le bonus de 25 par manche gagnée dans les totaux finaux.
    """
    assert showdown(STRAIGHT, BIG, "Kc Kd Ks 8c 8d 8s Tc Jc Qc 9c").points == (31, 0)
    game = game_of(STRAIGHT, [*gins(1, 30), *big_gins(0, 31), *gins(0, 25, 25, 25)])
    assert game.pair("boxes") == (4 * 25, 25)
    assert game.pair("total") == (106 + 100 + 100, 30 + 25)


# ---------------------------------------------------------------- mise en place


@BOTH
@says(
    "Le Gin Rummy se joue avec un jeu de 52 cartes.",
)
def test_001_un_jeu_de_52_cartes(rules: gincore.Rules, sentence: str) -> None:
    """All 52 cards, each once."""
    dealt = deal(rules, 5)
    assert sorted([*dealt.first, *dealt.second, dealt.upcard, *dealt.stock]) == sorted(brute.DECK)


@BOTH
def test_001_premier_donneur_au_sort_puis_la_donne_alterne(rules: gincore.Rules) -> None:
    """
    Le premier donneur est tiré au sort, puis la donne alterne.

    Drawn by lot within 4 standard errors over 1,000 games; whoever wins, the other deals next.
    """
    games = gincore.simulate_games(rules, ("simple", "simple"), games=1_000, seed=5, mirror=False, progress=False)
    assert abs(games.games["starter"].mean() - 0.5) < 4 * 0.5 / 1_000**0.5
    assert game_of(rules, [*won(0, 5, 5), *won(1, 5), *won(0, 5)]).starters == (0, 1, 0, 1, 0)


@BOTH
@says(
    "Chaque joueur reçoit 10 cartes, une à une, en commençant par le joueur qui ne donne pas.",
    "La carte suivante est retournée pour commencer la défausse ; c'est la carte retournée.",
    "Les 31 autres cartes sont posées face cachée et forment la pioche.",
)
def test_001_dix_cartes_une_carte_retournee_31_dans_la_pioche(rules: gincore.Rules, sentence: str) -> None:
    """Ten, ten, one on the pile, 31."""
    for number in range(20):
        dealt = deal(rules, number)
        assert (len(dealt.first), len(dealt.second), len(dealt.stock)) == (10, 10, 31)
        assert dealt.pile == {dealt.upcard}


# ---------------------------------------------------------------- combinaisons et cartes mortes


@says(
    "Une combinaison est un groupe ou une suite.",
    "Un groupe compte trois ou quatre cartes de même rang.",
    "Une suite compte trois cartes ou plus qui se suivent dans une même couleur.",
)
def test_001_groupes_et_suites(sentence: str) -> None:
    """Three and four of a rank, three to ten in a row; two are none."""
    for melded in ("6c 6d 6h", "6c 6d 6h 6s", "6c 7c 8c", "4c 5c 6c 7c 8c 9c Tc Jc Qc Kc"):
        assert gincore.spreads(melded, STRAIGHT)[0].points == 0
    for loose, points in (("6c 6d", 12), ("6c 7c", 13), ("6c 7c 8d", 21), ("6c 8c Tc", 24)):
        assert gincore.spreads(loose, STRAIGHT)[0].points == points


def test_001_l_as_est_toujours_bas() -> None:
    """
    L'as est toujours bas : A-2-3 est une suite, mais dame-roi-as n'en est pas une.
    """
    assert gincore.spreads("Ac 2c 3c", STRAIGHT)[0].points == 0
    assert gincore.spreads("Qc Kc Ac", STRAIGHT)[0].points == 21
    assert gincore.spreads("Kc Ac 2c", STRAIGHT)[0].points == 13


def test_001_une_carte_dans_une_seule_combinaison() -> None:
    """
    Une carte ne peut appartenir qu'à une seule combinaison.
    """
    assert gincore.spreads("7s 7h 7d 5s 6s", STRAIGHT)[0].points == 11


@says(
    "Les cartes mortes sont toutes celles qui n'appartiennent à aucune combinaison.",
    "Les as valent 1, les cartes de deux à dix leur valeur, et les valets, dames et rois 10 chacun.",
)
def test_001_valeur_des_cartes_mortes(sentence: str) -> None:
    """A loose card of each rank."""
    for rank, value in zip("A23456789TJQK", [*range(1, 11), 10, 10, 10], strict=True):
        assert gincore.spreads(f"{rank}s", STRAIGHT)[0].points == value
    assert gincore.spreads(JUNK, STRAIGHT)[0].points == 74


# ---------------------------------------------------------------- le tour de jeu


@BOTH
@says(
    "Chaque manche commence par la carte retournée.",
    "Le joueur qui n'a pas donné peut la prendre ou passer, et s'il passe, le donneur peut la prendre ou passer.",
    "Celui qui la prend se défausse ensuite.",
    "Si les deux passent, le joueur qui n'a pas donné commence en piochant dans la pioche.",
)
def test_001_la_carte_retournee(rules: gincore.Rules, sentence: str) -> None:
    """The gin that the upcard completes is made by the non-dealer, by the dealer, or needs the stock."""
    needs = GIN.replace("4s", "Kd")
    taken = hand_of(rules, needs, JUNK, "4s", ("take, knock Kd",))
    assert (taken.result, taken.upcard_taken_by, taken.turns, taken.stock_left) == ("gin", 0, 1, 31)
    dealer = hand_of(rules, JUNK, needs, "4s", ("pass", "take, knock Kd"))
    assert (dealer.result, dealer.upcard_taken_by, dealer.knocker, dealer.turns) == ("gin", 1, 1, 1)
    passed = hand_of(rules, needs, JUNK, "Kh", ("pass", "pass", "stock, knock Kd"), stock="4s")
    assert (passed.result, passed.upcard_taken_by, passed.stock_left) == ("gin", -1, 30)


@BOTH
def test_001_prendre_puis_defausser(rules: gincore.Rules) -> None:
    """
    À chaque tour, vous prenez la carte du dessus de la pioche ou de la défausse, puis vous défaussez une carte face
    visible.
    """
    needs = GIN.replace("4s", "Kd")
    moves = ("pass", "pass", "stock, 4s")
    pile = hand_of(rules, JUNK, needs, "Kh", (*moves, "take, knock Kd"), stock="4s Ks")
    assert (pile.result, pile.pickups_1, pile.stock_left) == ("gin", 1, 30)
    stock = hand_of(rules, JUNK, needs, "Kh", ("pass", "pass", "stock, Ks", "stock, knock Kd"), stock="Ks 4s")
    assert (stock.result, stock.pickups_1, stock.stock_left) == ("gin", 0, 29)
    assert brute.from_mask(int(stock.views[1].opp_threw)) == {"Ks"}


@BOTH
def test_001_ne_pas_defausser_la_carte_prise(rules: gincore.Rules) -> None:
    """
    Vous ne pouvez pas défausser la carte que vous venez de prendre dans la défausse.
    """
    eleven = f"{GIN} Kd"
    assert choice(rules, eleven, pile=True).throw == brute.cards(GIN)
    assert choice(rules, eleven).throw == brute.cards(eleven)
    assert hand_of(rules, GIN, JUNK, "Kd", ("take, Kd",)).result == "refused"


def test_001_frapper_sous_la_limite_de_10() -> None:
    """
    Au lieu d'une défausse ordinaire, vous pouvez frapper quand les points morts de vos dix cartes ne dépassent pas la
    limite pour frapper, qui est de 10 dans le jeu classique : vous vous défaussez et la manche s'arrête.
    """
    assert choice(SITE, f"{NINE} Ts Ks").knock == {"Ts", "Ks"}
    assert choice(SITE, "Ac 2c 3c 4d 5d 6d 7d 8d 9s 2h Ks").knock == frozenset(), "eleven points at least"
    played = showdown(SITE, f"{NINE} Ts", JUNK)
    assert (played.result, played.turns) == ("knock", 1)


def test_001_sans_carte_morte_c_est_gin() -> None:
    """
    Frapper sans aucune carte morte, c'est faire gin.
    """
    played = showdown(SITE, GIN, JUNK)
    assert (played.result, played.points) == ("gin", (25 + 74, 0))


@BOTH
def test_001_onze_cartes_big_gin_sans_defausse(rules: gincore.Rules) -> None:
    """
    Si vos onze cartes forment toutes des combinaisons après avoir pris une carte, vous pouvez annoncer big gin sans
    vous défausser.

    May: who throws a card instead makes gin. From the pile as well as from the stock.
    """
    assert choice(rules, BIG).big_gin
    big = showdown(rules, BIG, JUNK)
    assert (big.result, big.points, big.turns) == ("big_gin", (31 + 74, 0), 1)
    assert brute.from_mask(int(big.views[0].hand)) == brute.cards(BIG), "nothing thrown"
    taken = hand_of(rules, GIN, JUNK, "Qh", ("take, big gin",))
    assert taken.result == "big_gin"
    instead = hand_of(rules, GIN, JUNK, "Kh", ("pass", "pass", "stock, knock Qh"), stock="Qh")
    assert (instead.result, instead.points) == ("gin", (25 + 74, 0))
    assert not choice(rules, f"{GIN} Ks").big_gin


def test_001_frapper_des_le_premier_tour() -> None:
    """
    Vous pouvez frapper dès votre tout premier tour.

    The non-dealer with the upcard, the dealer with the upcard, and from the stock.
    """
    hand = f"{NINE} Ks"
    assert hand_of(SITE, hand, JUNK, "2s", ("take, knock Ks",)).turns == 1
    assert hand_of(SITE, JUNK, hand, "2s", ("pass", "take, knock Ks")).turns == 1
    assert hand_of(SITE, hand, JUNK, "Kh", ("pass", "pass", "stock, knock Ks"), stock="2s").turns == 1


# ---------------------------------------------------------------- la fin de la manche


@says(
    "Vous n'avez jamais à ranger vos cartes vous-même.",
    "Quand une manche se termine, les deux mains sont étalées dans les combinaisons qui laissent le moins de points"
    " morts.",
)
def test_001_les_mains_laissent_le_moins_de_points(sentence: str) -> None:
    """The knocker's 8s is laid with 5-6-7, though keeping it would spoil the defender's lay-offs; 8s then 9s Ts fit."""
    knocker, defender = "5s 6s 7s 8s Td Jd Qd Kd Ah Ac", "9s Ts Kc Qh Jh 2d 3d 8d 8h 5c"
    played = showdown(SITE, knocker, defender)
    assert (played.runs, played.deadwood, played.points) == ("Td Jd Qd Kd 5s 6s 7s 8s", (2, 56), (54, 0))
    crossing = showdown(SITE, GIN, "7s 7h 7c 5h 6h Kc Qd 2d 3d 9c")
    assert crossing.deadwood == (0, 5 + 6 + 10 + 10 + 2 + 3 + 9), "the sevens as a set leave less than the run"


@says(
    "Après une frappe, l'autre joueur pose des cartes mortes sur les combinaisons de celui qui a frappé : une"
    " quatrième carte sur un groupe de trois, ou la carte suivante à l'un des deux bouts d'une suite, l'une après"
    " l'autre.",
)
def test_001_poser_apres_une_frappe(sentence: str) -> None:
    """4s and 3s below 5-6-7, one after the other; the fourth nine; the fourth queen."""
    played = showdown(SITE, "9c 9d 9h 5s 6s 7s Qc Qd Qh 2d", "9s 4s 3s Qs Td Jc 6c 7h Th Kc")
    assert played.laid_off == "3s 4s 9s Qs"
    assert played.deadwood == (2, 10 + 10 + 6 + 7 + 10 + 10)


def test_001_poser_de_la_facon_qui_laisse_le_moins() -> None:
    """
    Ces cartes sont aussi posées pour vous, de la façon qui laisse le moins de points morts.

    Melds and lay-offs together: the set of eights is given up, since 8s 9s and 8c 7c fit on runs (9, not 17).
    """
    played = showdown(SITE, "5s 6s 7s 9c Tc Jc Jd Ks Kc Kd", "2s 2c 2d 2h Ac 8s 9s 7c 8c 8d")
    assert (played.laid_off, played.deadwood) == ("7c 8c 8s 9s", (10, 9))
    assert (played.result, played.points) == ("undercut", (0, 25 + 1))


@BOTH
def test_001_rien_ne_peut_etre_pose_apres_un_gin(rules: gincore.Rules) -> None:
    """
    Rien ne peut être posé après un gin ou un big gin.

    5s, 8d and Kh would fit.
    """
    defender = "5s 8d Kh 2h 4h 6c 9c Kc Ts Jc"
    for knocker, bonus in ((GIN, 25), (BIG, 31)):
        played = showdown(rules, knocker, defender)
        assert (played.laid_off, played.points) == ("", (bonus + 5 + 8 + 10 + 2 + 4 + 6 + 9 + 10 + 10 + 10, 0))


@BOTH
@says(
    "Dès qu'il ne reste que deux cartes dans la pioche, un joueur qui se défausse sans frapper termine la manche,"
    " et elle est nulle.",
    "Personne ne marque, et le même donneur redistribue.",
)
def test_001_deux_cartes_dans_la_pioche(rules: gincore.Rules, sentence: str) -> None:
    """The draw that leaves two may still go out; the discard may not be taken any more; the same player leads again."""
    start = (rules, GIN.replace("4s", "Kd"), JUNK, "Kh")
    stock = [card for card in brute.DECK if card not in {*GIN.split(), *JUNK.split(), "Kh", "Kd"}]
    stock.insert(28, "4s")
    moves = ["pass", "pass", *(f"stock, {card}" for card in stock[:28])]
    out = hand_of(*start, [*moves, "stock, knock Kd"], stock=" ".join(stock))
    assert (out.result, out.turns, out.stock_left) == ("gin", 29, 2)
    dead = hand_of(*start, [*moves, "stock, Kd"], stock=" ".join(stock))
    assert (dead.result, dead.winner, dead.points, dead.turns, dead.stock_left) == ("dead", None, (0, 0), 29, 2)
    assert game_of(rules, [DEAD, DEAD, *won(0, 30)], starter=1).starters == (1, 1, 1, 0)
