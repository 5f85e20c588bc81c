"""Every sentence of source 004's second text that states a rule, on literal hands: the rules of Gin Rummy Pro.

They are ``gin-rummy-pro`` and its two other limits. A *manche* is a hand here and a *partie* a game.
"""

from __future__ import annotations

import brute
import pytest
from literal import DEAD, choice, deal, game_of, gins, hand_of, says, showdown, won

import gincore

PRO = gincore.rules("gin-rummy-pro")
PRO_OKLAHOMA = gincore.rules("gin-rummy-pro-oklahoma")
PRO_GIN = gincore.rules("gin-rummy-pro-gin-only")
EACH_PRO = pytest.mark.parametrize("rules", [PRO, PRO_OKLAHOMA, PRO_GIN], ids=["10", "oklahoma", "gin-only"])
GIN = "As 2s 3s 4s 5d 6d 7d 9h Th Jh"
BIG = "As 2s 3s 4s 5d 6d 7d 9h Th Jh Qh"
RUNS = "Ac 2c 3c 4d 5d 6d 7h 8h 9h"
TWENTY = "Ts Js Qs 8c 8d 8s 2h 4h 5c 9c"
"""Two melds and 2 + 4 + 5 + 9; nothing fits on RUNS."""
TEN = "Tc Jc Qc Td Jd Qd Kh Kd Kc Js"
"""Two runs, three kings and a jack: 10."""
JUNK = "2h 4h 6c 8c Td Qd Qs 9c 5c Jc"
"""No meld: 74."""


@EACH_PRO
@says(
    "On utilise un jeu habituel de 52 cartes, de l'AS au 10 avec le Valet, la Dame et le Roi, dans les 4 couleurs"
    " classiques : pique, coeur, trèfle et carreau.",
    "Le donneur distribue 10 cartes à chacun des joueurs, retourne la vingt et unième carte et pose les cartes"
    " restantes entre les 2 joueurs.",
    "Ce reste de cartes est appelé TALON, tandis que les cartes retournées seront appelées la pile des DEFAUSSES.",
)
def test_004_pro_le_jeu_et_la_donne(rules: gincore.Rules, sentence: str) -> None:
    """52 cards: ten, ten, the 21st on the pile, 31 in the stock."""
    for number in range(10):
        dealt = deal(rules, number)
        assert (len(dealt.first), len(dealt.second), len(dealt.stock)) == (10, 10, 31)
        assert dealt.pile == {dealt.upcard}
        assert sorted([*dealt.first, *dealt.second, dealt.upcard, *dealt.stock]) == sorted(brute.DECK)


def test_004_pro_valeur_des_cartes() -> None:
    """
    Les cartes de l'AS au 10 ont une valeur respective de 1 à 10 points et les figures (Valets, Dames, et Rois) ont une
    valeur de 10 points.
    """
    for rank, value in zip("A23456789TJQK", [*range(1, 11), 10, 10, 10], strict=True):
        assert gincore.spreads(f"{rank}s", PRO)[0].points == value


def test_004_pro_symboles_k_q_j() -> None:
    """
    Le Roi correspond au symbole K (King en anglais), la Dame au symbole Q (Queen en anglais) et le Valet au symbole J
    (Jack en anglais).
    """
    assert gincore.format_hand(gincore.parse_hand("KS QD JH")) == "Qd Jh Ks"


@EACH_PRO
@says(
    "Le joueur qui distribue les cartes est choisi au hasard pour la première manche d'une partie.",
    "Ensuite, le vainqueur d'une manche distribue les cartes.",
    "Le donneur laisse la première entame à son adversaire.",
    "La première entame est choisie au hasard.",
    "Dans les manches suivantes, la première entame est au perdant de la manche précédente.",
)
def test_004_pro_le_vainqueur_donne_et_le_perdant_entame(rules: gincore.Rules, sentence: str) -> None:
    """By lot (500 games, 4 standard errors); then the loser leads."""
    games = gincore.simulate_games(rules, ("simple", "simple"), games=500, seed=5, mirror=False, progress=False)
    assert abs(games.games["starter"].mean() - 0.5) < 4 * 0.5 / 500**0.5
    hands = [*gins(0, 5), *gins(0, 5), *gins(1, 5), *gins(0, 5)]
    assert game_of(rules, hands, starter=0).starters == (0, 1, 1, 0, 1)


@says(
    "Le but du jeu est d'arranger le maximum de cartes possibles dans sa main en suites, brelans ou carrés.",
    "Une suite est constituée de 3 cartes ou plus de la même couleur dans un ordre consécutif, tels que le 5 de"
    " coeur, le 6 de coeur et le 7 de coeur.",
    "Un brelan est constitué de 3 cartes de même valeur et de couleurs différentes.",
    "Par exemple, le Valet de pique, le Valet de trèfle et le Valet de coeur.",
)
def test_004_pro_suites_brelans_et_carres(sentence: str) -> None:
    """5h-6h-7h, the jacks of spades, clubs and hearts, four of a rank; neither of two suits nor of two cards."""
    for melded in ("5h 6h 7h", "5h 6h 7h 8h", "Js Jc Jh", "Js Jc Jh Jd"):
        assert gincore.spreads(melded, PRO)[0].points == 0
    for loose, points in (("5h 6h", 11), ("5h 6h 7d", 18), ("Js Jc", 20)):
        assert gincore.spreads(loose, PRO)[0].points == points


def test_004_pro_une_seule_figure() -> None:
    """
    Une carte ne peut appartenir qu'à une figure à la fois.
    """
    assert gincore.spreads("7s 7h 7d 5s 6s", PRO)[0].points == 11


@says(
    "Il se déroule ainsi, chacun son tour :",
    "Tout d'abord, on doit tirer une carte dans le talon (cartes cachées, 31 cartes au départ) OU dans la pile des"
    " défausses (une carte retournée à la distribution du jeu).",
    "Une fois la carte tirée, on doit jeter dans la pile des défausses une des 11 cartes de sa main.",
)
def test_004_pro_tirer_puis_jeter(sentence: str) -> None:
    """From the stock any of the eleven may be thrown; the dealer draws from either."""
    assert choice(PRO, f"{RUNS} 5s Ks").throw == brute.cards(f"{RUNS} 5s Ks")
    moves = ("pass", "pass", "stock, 2s")
    pile = hand_of(PRO, JUNK, f"{RUNS} Ks", "Kh", (*moves, "take, knock Ks"), stock="2s As")
    assert (pile.deadwood[0], pile.pickups_1, pile.stock_left) == (2, 1, 30)
    stock = hand_of(PRO, JUNK, f"{RUNS} Ks", "Kh", (*moves, "stock, knock Ks"), stock="2s As")
    assert (stock.deadwood[0], stock.pickups_1, stock.stock_left) == (1, 0, 29)
    in_turn = ("pass", "pass", "stock, Kd", "stock, Kc", "stock, As", "stock, knock Ks")
    turns = hand_of(PRO, JUNK, f"{RUNS} Ks", "Kh", in_turn, stock="Kd Kc As 2s")
    assert (turns.knocker, turns.turns) == (1, 4)


@says(
    "Les cartes du talon sont cachées tandis que les cartes de la pile des défausses sont à découvert.",
    "Lorsqu'on tire un carte du talon, l'adversaire ne la voit pas.",
)
def test_004_pro_le_talon_est_cache(sentence: str) -> None:
    """The opponent's view is the same whatever was drawn from the stock, and shows what was taken from the pile."""
    views = [choice(PRO, f"{RUNS} Ks {drawn}", turned="Kh").opponent for drawn in ("2s", "3s")]
    for field in ("pile", "top", "opp_took", "opp_threw", "opp_declined", "stock", "opp_pickups"):
        assert int(views[0][field]) == int(views[1][field]), field
    assert brute.from_mask(int(choice(PRO, f"{RUNS} Ks 2s", pile=True).opponent.opp_took)) == {"2s"}


def test_004_pro_ne_pas_jeter_la_carte_tiree_de_la_defausse() -> None:
    """
    Exception : si on a tiré la carte de la pile des défausses, on ne peut pas la jeter immédiatement.
    """
    taken = choice(PRO, f"{RUNS} 5s Ks", pile=True)
    assert (taken.throw, taken.knock) == (brute.cards(f"{RUNS} 5s"), {"5s"})
    assert hand_of(PRO, f"{RUNS} 5s", JUNK, "Ks", ("take, Ks",)).result == "refused"


@EACH_PRO
@says(
    "En effet, celui qui a la main peut soit passer soit prendre la carte de la pile des défausses.",
    "S'il prend la carte de la pile des défausses, le jeu continue comme précisé ci-dessus.",
    "S'il passe, l'adversaire peut à son tour soit passer soit prendre la carte de la pile des défausses.",
    "S'il passe, le premier joueur doit prendre une carte du talon puis le jeu continue comme précisé ci-dessus ;"
    " s'il prend la carte de la pile des défausses, le jeu continue comme précisé ci-dessus.",
)
def test_004_pro_le_premier_tour(rules: gincore.Rules, sentence: str) -> None:
    """Taken by the leader, by the other, by nobody: then the leader draws from the stock; turns go on alternating."""
    needs = GIN.replace("4s", "Kd")
    taken = hand_of(rules, needs, JUNK, "4s", ("take, knock Kd",))
    assert (taken.result, taken.upcard_taken_by, taken.turns) == ("gin", 0, 1)
    other = hand_of(rules, JUNK, needs, "4s", ("pass", "take, knock Kd"))
    assert (other.result, other.upcard_taken_by, other.turns, other.knocker) == ("gin", 1, 1, 1)
    nobody = hand_of(rules, needs, JUNK, "Kh", ("pass", "pass", "stock, knock Kd"), stock="4s")
    assert (nobody.result, nobody.upcard_taken_by, nobody.stock_left) == ("gin", -1, 30)
    on = hand_of(rules, needs, JUNK, "Ad", ("pass", "take, Qd", "stock, knock Kd"), stock="4s")
    assert (on.result, on.upcard_taken_by, on.turns, on.knocker) == ("gin", 1, 2, 0)


@says(
    "Une manche est finie de trois manières différentes : un des joueurs sort en faisant un Gin ou un Knock ou il y"
    " a match nul (personne n'étale son jeu).",
)
def test_004_pro_trois_fins(sentence: str) -> None:
    """Gin, knock (won or undercut) and nothing; no big gin over 2,000 hands."""
    assert showdown(PRO, GIN, JUNK).result == "gin"
    assert showdown(PRO, f"{RUNS} 2s", TWENTY).result == "knock"
    assert hand_of(PRO, f"{RUNS} 2s", TWENTY, "Kh").result == "dead"
    rows = gincore.simulate(PRO, ("gin-only", "simple"), deals=1_000, seed=2, progress=False).hands
    assert set(rows["result"]) <= {"gin", "knock", "undercut", "dead"}


@says(
    "Si on a 11 cartes en main après avoir pris une carte du stock ou du discard et que 10 cartes forment une ou"
    ' plusieurs suites, on "Gin" en jetant la 11ème carte.',
)
@pytest.mark.parametrize("pile", [True, False])
def test_004_pro_gin_en_jetant_la_onzieme(sentence: str, pile: bool) -> None:
    """Also where all eleven are melded: one is thrown."""
    needs = GIN.replace("4s", "Kd")
    if pile:
        played = hand_of(PRO, needs, JUNK, "4s", ("take, knock Kd",))
    else:
        played = hand_of(PRO, needs, JUNK, "Kh", ("pass", "pass", "stock, knock Kd"), stock="4s")
    assert (played.result, played.deadwood[0]) == ("gin", 0)
    assert not choice(PRO, BIG).big_gin
    assert choice(PRO, BIG).knock >= {"As", "4s", "9h", "Qh"}


@EACH_PRO
@says(
    "Le Gin rapporte une prime spéciale (voir la rubrique Scores) plus la valeur des cartes restantes chez"
    " l'adversaire.",
    "Si vous sortez en faisant un Gin : vous avez un prime de 25 points plus le nombre de points restant dans la"
    " main de votre adversaire, une fois enlevée ses figures (suites, brelans et carrés).",
)
def test_004_pro_gin_25(rules: gincore.Rules, sentence: str) -> None:
    """The adversary's own melds are taken off, and nothing else: 5s would fit."""
    assert showdown(rules, GIN, JUNK, turned="Kd").points == (25 + 74, 0)
    melds = showdown(rules, GIN, "5s 8d Qc 8c 8s 2h 4h 6c 9c Jc", turned="Kd")
    assert (melds.laid_off, melds.points) == ("", (25 + 5 + 10 + 2 + 4 + 6 + 9 + 10, 0))


@says(
    "Le terme Knock correspond au nombre de points restant dans une main.",
    "Il est calculé en enlevant les cartes faisant partie d'une suite, brelan ou carrés et en gardant les cartes"
    " restantes.",
)
def test_004_pro_le_knock_d_une_main(sentence: str) -> None:
    """A run, a set and a four-of-a-kind off: the ten of spades stays."""
    assert gincore.spreads("Ac 2c 3c 9c 9d 9h 9s Kd Kh Ks Ts", PRO)[0].points == 10
    assert choice(PRO, "Ac 2c 3c 9c 9d 9h Kd Kh Ks Ts 4d").knock_deadwood == 4


def test_004_pro_le_knock_maximal() -> None:
    """
    Le knock maximal (max. knock) correspond soit à la première carte retournée lors de la distribution de la 21ème
    carte (variante Oklahoma), soit à 10 (variante max. Knock = 10) soit à rien si on joue la variante "Gin
    obligatoire" (avec cette variante, on ne peut pas sortir en faisant un knock, on doit sortir en faisant un Gin).

    An ace turned allows one point here, and a spade doubles nothing.
    """
    for turned, limit in (("As", 1), ("2s", 2), ("7c", 7), ("Tc", 10), ("Kc", 10)):
        for loose in range(1, 11):
            eleven = f"3c 4c 5c 4d 5d 6d Jd Qd Kd {'A23456789T'[loose - 1]}h Qs"
            assert ("Qs" in choice(PRO_OKLAHOMA, eleven, turned=turned).knock) == (loose <= limit), eleven
    spade = showdown(PRO_OKLAHOMA, f"{RUNS} 2s", TWENTY, turned="7s")
    assert (spade.points, spade.doubled) == ((18, 0), 0)
    assert "Qs" in choice(PRO, f"{RUNS} Ts Qs", turned="2d").knock
    assert choice(PRO_GIN, f"{RUNS} As Qs").knock == frozenset()
    assert choice(PRO_GIN, f"{GIN} Qs").knock == {"Qs"}


@says(
    "Si vous avez 11 cartes en main et qu'en jetant une carte, la valeur des cartes restantes est inférieure ou"
    ' égale au knock maximal, vous pouvez "knocker" !',
)
def test_004_pro_inferieur_ou_egal(sentence: str) -> None:
    """Ten with ten; not eleven."""
    assert choice(PRO, f"{RUNS} Ts Ks").knock == {"Ts", "Ks"}
    assert choice(PRO, "Ac 2c 3c 4d 5d 6d 7d 8d 9s 2h Ks").knock == frozenset()


@says(
    "Un Knock rapporte la différence entre la valeur des cartes restantes chez l'adversaire et celle restant chez"
    " le joueur réalisant le knock.",
    "Si vous sortez en faisant un Knock : votre score est calculé en faisant la différence de points (appelée"
    ' "différence de knock") restant dans la main de votre adversaire et ceux restant dans votre main.',
)
def test_004_pro_le_knock_rapporte_la_difference(sentence: str) -> None:
    """20 - 2 and 10 - 9."""
    assert showdown(PRO, f"{RUNS} 2s", TWENTY).points == (18, 0)
    assert showdown(PRO, f"{RUNS} 9s", TEN).points == (1, 0)


@says(
    "L'adversaire peut placer une ou plusieurs de ses cartes restantes aux extrémités des figures du joueur"
    " sortant, diminuant ainsi le score de celui-ci.",
    "Le placement de ces cartes s'appelle le LAY-OFF.",
    "Votre adversaire peut placer, parmi ses cartes restantes, des cartes aux extrémités de vos figures.",
)
def test_004_pro_le_lay_off(sentence: str) -> None:
    """4c and Th at the ends of two runs: 25 - 14 = 11 against 2."""
    played = showdown(PRO, f"{RUNS} 2s", "4c Th Jc Qc Kc Jd Qd Kd As Ks")
    assert (played.laid_off, played.deadwood, played.points) == ("4c Th", (2, 11), (9, 0))
    assert played.defender_deadwood_before == 25


@says(
    "Si en faisant un knock, l'adversaire a un knock inférieur ou égal au joueur sortant, il marque une prime : on"
    " parle d'UNDERCUT ! (voir la rubrique Scores) plus la différence de knock.",
    "Ainsi, sortir en faisant un knock est risqué dans certains cas car l'adversaire peut marquer une prime"
    " équivalent à celle d'un Gin !",
    "Si vous sortez avec un knock mais que la valeur des cartes restantes chez votre adversaire est inférieure ou"
    ' égale à la vôtre, il y a "undercut" et votre adversaire marque une prime de 25 points plus la différence de'
    " knock.",
)
def test_004_pro_undercut_25(sentence: str) -> None:
    """Equal: 25, as much as the bonus of a gin; 10 against 7: 28."""
    assert showdown(PRO, f"{RUNS} Ts", TEN).points == (0, 25)
    assert PRO.gin_bonus == PRO.undercut_bonus == 25
    assert showdown(PRO, f"{RUNS} Ts", TEN.replace("Js", "7s")).points == (0, 28)


@EACH_PRO
@says(
    "S'il ne reste plus que 2 cartes dans le talon et que personne n'est sorti, la manche est nulle.",
)
def test_004_pro_la_manche_nulle(rules: gincore.Rules, sentence: str) -> None:
    """No points; a null hand changes no score."""
    dead = hand_of(rules, f"{RUNS} 2s", TWENTY, "Kh")
    assert (dead.result, dead.winner, dead.points, dead.stock_left) == ("dead", None, (0, 0), 2)
    assert game_of(rules, [DEAD, *gins(0, 99)]).over is False


def test_004_pro_on_n_est_jamais_oblige_de_sortir() -> None:
    """
    A noter qu'on est jamais obligé de sortir même si on peut sortir en faisant un knock.
    """
    start = (PRO, f"{RUNS} 2s", TWENTY, "Kh")
    assert hand_of(*start, ("pass", "pass", "stock, Kd"), stock="Kd").result == "dead"
    assert hand_of(*start, ("pass", "pass", "stock, knock Kd"), stock="Kd").result == "knock"


def test_004_pro_le_cas_de_blocage() -> None:
    """
    Un cas évident est le cas de blocage où chacun des joueurs sait que l'autre a un knock de valeur 1 (un AS restant en
    plus de ses 9 cartes dans des figures) et que personne ne veut sortir pour éviter l'UNDERCUT.

    Both hold nine melded cards and an ace: the hand ends null, and who knocks is undercut.
    """
    first, second = "2c 3c 4c 4d 5d 6d 7h 8h 9h As", "Jc Qc Kc Jd Qd Kd 2s 3s 4s Ah"
    assert hand_of(PRO, first, second, "8c").result == "dead"
    knocked = showdown(PRO, first, second)
    assert (knocked.result, knocked.deadwood, knocked.points) == ("undercut", (1, 1), (0, 25))


@EACH_PRO
@says(
    "En général, une partie se joue en 100 points (Gin Rummy Pro vous permet de jouer des parties en 100, 120, ...,"
    " jusqu'à 750 points).",
    "Dès qu'un joueur a atteint 100 points ou plus, la partie est terminée.",
)
def test_004_pro_en_100_points_ou_plus(rules: gincore.Rules, sentence: str) -> None:
    """100, and every total from 120 to 750 that the program offers."""
    assert not game_of(rules, gins(0, 50, 49)).over
    assert game_of(rules, gins(0, 50, 50)).over
    assert game_of(rules, gins(0, 50, 90)).pair("points") == (140, 0)
    for target in range(120, 751, 30):
        other = rules.replace(target=target)
        assert not game_of(other, gins(0, target - 1)).over
        assert game_of(other, gins(0, target)).over


@EACH_PRO
@says(
    "Score final = 100 points + Score vainqueur - Score perdant + 20 x différence de nombre de manches gagnées"
    " entre le vainqueur et le perdant.",
)
def test_004_pro_score_final(rules: gincore.Rules, sentence: str) -> None:
    """110 in three hands against 30 in one: 100 + 80 + 20 x 2 = 220; the other way round it is -220."""
    for player, sign in ((0, 1), (1, -1)):
        game = game_of(rules, [*gins(1 - player, 30), *gins(player, 40, 40, 30)])
        assert (game.winner, game.margin) == (player, sign * 220)


def test_004_pro_perdant_sans_point_double() -> None:
    """
    Si le score du perdant est nul, ce score final est multiplié par 2 !

    (100 + 100 + 20 x 4) x 2 = 560.
    """
    game = game_of(PRO, won(0, 25, 25, 25, 25))
    assert (game.winner, game.margin) == (0, 560)


@says(
    "En fin de partie, s'affiche le score final ainsi que le détail des calculs du score.",
)
def test_004_pro_le_detail_du_score(sentence: str) -> None:
    """A game's row holds the final score and all that the formula is made of."""
    game = game_of(PRO, [*gins(1, 30), *gins(0, 40, 40, 30)])
    assert (game.margin, game.pair("total")) == (220, (220, 0))
    assert (game.pair("points"), game.pair("hands_won"), game.pair("boxes")) == ((110, 30), (3, 1), (60, 20))
    assert game.margin == 100 + 110 - 30 + 60 - 20


@says(
    "Dans certains cas (très rares), le score final peut être négatif (cas où le perdant a moins de points que le"
    " vainqueur mais a gagné beaucoup plus de manches).",
    "Dans ce cas, le perdant devient le vainqueur !!!",
)
def test_004_pro_score_final_negatif(sentence: str) -> None:
    """100 in two hands against 60 in ten: 100 + 40 + 20 x (2 - 10) = -20."""
    game = game_of(PRO, [*won(1, *[6] * 10), *won(0, 50, 50)])
    assert game.pair("points") == (100, 60)
    assert (game.winner, game.margin) == (1, -20)
    mirrored = game_of(PRO, [*won(0, *[6] * 10), *won(1, 50, 50)])
    assert (mirrored.winner, mirrored.margin) == (0, 20)
