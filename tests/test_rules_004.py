"""Every sentence of source 004's first text that states a rule, on literal hands: 'Règle du Gin Rummy', a forum page.

It is ``round-the-corner-15``, its variants are ``rummy-100`` and ``second-deck``. A *coup* is a hand here, a *manche* a
game, and the *partie* all games together. The page's second text is in ``test_rules_004_pro.py``.
"""

from __future__ import annotations

import brute
import pytest
from literal import Entry, big_gins, choice, deal, game_of, gins, hand_of, says, showdown, won
from literal_match import match_of

import gincore

ROUND = gincore.rules("round-the-corner-15")
RUMMY_100 = gincore.rules("rummy-100")
SECOND_DECK = gincore.rules("second-deck")
FIRST_TEXT = pytest.mark.parametrize("rules", [ROUND, RUMMY_100], ids=["round-the-corner-15", "rummy-100"])
EIGHT = "9c 9d 9h 9s 4h 5h 6h 7h Kd Qs"
"""A set of four and a run of four; 20 points of deadwood."""
POOR = "2c 4d 6c 8c Td Jd Qc Ts 3d 3s"
"""No meld: 66, and nothing fits on EIGHT."""
GIN = "As 2s 3s 4s 5d 6d 7d 9h Th Jh"
BIG = "As 2s 3s 4s 5d 6d 7d 9h Th Jh Qh"
FITS = "5s 8d 8h Kc 2h 4h 6c 9c Kd Jc"
"""No meld: 72; of them 5s, 8d and 8h fit on GIN."""

# ---------------------------------------------------------------- le jeu et la donne


@says(
    "brelans (3 cartes de même niveau, mais de couleur différente)",
    "carrés (4 cartes de même niveau)",
    "séquences (au moins 3 cartes consécutives de la même couleur)",
)
def test_004_brelans_carres_et_sequences(sentence: str) -> None:
    """Three and four of a rank, three and more in a row; two are none."""
    for melded in ("8c 8d 8h", "8c 8d 8h 8s", "3h 4h 5h", "3h 4h 5h 6h 7h"):
        assert gincore.spreads(melded, ROUND)[0].points == 0
    for loose, points in (("8c 8d", 16), ("3h 4h", 7), ("3h 4h 5d", 12)):
        assert gincore.spreads(loose, ROUND)[0].points == points


@says(
    "L'ordre des cartes est l'ordre classique.",
    "L'as est considéré comme étant à la fois plus petit que le deux et plus grand que le Roi.",
    "On peut donc faire une séquence Roi/AS/Deux.",
)
def test_004_l_as_est_bas_et_haut(sentence: str) -> None:
    """A-2-3, Q-K-A and K-A-2 are runs, also longer ones around the corner; 2-A alone and K-2-3 are none."""
    for run in ("Ac 2c 3c", "Qc Kc Ac", "Kc Ac 2c", "Qc Kc Ac 2c 3c", "9d Td Jd"):
        assert gincore.spreads(run, ROUND)[0].points == 0
    assert gincore.spreads("Kc 2c 3c", ROUND)[0].points == 15
    assert gincore.spreads("Kc Ac 2d", ROUND)[0].points == 27


@says(
    "52 cartes",
    "2 joueurs",
    "Le Gin-Rummy est une variante intéressante du Rami qui se joue à deux joueurs.",
    "Le donneur distribue 10 cartes à chacun; il pose les cartes restantes (le talon), face cachée, au milieu de la"
    " table et retourne la première carte du talon, qui constitue l'écart.",
)
def test_004_dix_cartes_le_talon_et_l_ecart(sentence: str) -> None:
    """Two hands of ten cards, one card on the pile, 31 in the stock; a third player is refused."""
    with pytest.raises(ValueError, match="exactly two are needed"):
        gincore.simulate(ROUND, ("simple",) * 3, deals=1, seed=1, progress=False)
    for number in range(20):
        dealt = deal(ROUND, number)
        assert (len(dealt.first), len(dealt.second), len(dealt.stock)) == (10, 10, 31)
        assert dealt.pile == {dealt.upcard}
        assert sorted([*dealt.first, *dealt.second, dealt.upcard, *dealt.stock]) == sorted(brute.DECK)


@FIRST_TEXT
@says(
    "L'adversaire du distributeur peut alors prendre l'écart.",
    "Si cette carte ne l'intéresse pas, le donneur peut décider de la prendre, et c'est lui qui commence.",
)
def test_004_l_ecart_est_offert(rules: gincore.Rules, sentence: str) -> None:
    """To the non-dealer, then to the dealer, who then has the first turn."""
    needs = EIGHT.replace("9s", "Ks")
    first = hand_of(rules, needs, POOR, "9s", ("take, knock Ks",))
    assert (first.upcard_taken_by, first.knocker, first.turns) == (0, 0, 1)
    dealer = hand_of(rules, needs, POOR, "8s", ("pass", "take, Td", "stock, knock Ks"), stock="9s")
    assert (dealer.upcard_taken_by, dealer.knocker, dealer.turns) == (1, 0, 2)


def test_004_l_ecart_ou_le_talon() -> None:
    """
    Chaque joueur à son tour, prend la première carte soit de l'écart, soit du talon.
    """
    needs = EIGHT.replace("9s", "Ks")
    pile = hand_of(ROUND, POOR, needs, "Kh", ("pass", "pass", "stock, 9s", "take, knock Ks"), stock="9s Kc")
    assert (pile.knocker, pile.pickups_1, pile.stock_left) == (1, 1, 30)
    stock = hand_of(ROUND, POOR, needs, "Kh", ("pass", "pass", "stock, Kc", "stock, knock Ks"), stock="Kc 9s")
    assert (stock.knocker, stock.pickups_1, stock.stock_left) == (1, 0, 29)


@FIRST_TEXT
@says(
    "il ne reste que deux cartes dans le talon, et le joueur ayant tiré la carte précédente en rejette une sans"
    " étaler.",
    "Le coup est alors annulé et aucun point n'est marqué.",
)
def test_004_deux_cartes_dans_le_talon(rules: gincore.Rules, sentence: str) -> None:
    """The draw that leaves two cards may still go out."""
    dead = hand_of(rules, EIGHT, POOR, "Kh")
    assert (dead.result, dead.winner, dead.points, dead.stock_left, dead.turns) == ("dead", None, (0, 0), 2, 29)
    stock = [card for card in brute.DECK if card not in f"{EIGHT} {POOR} Kh".split()]
    moves = ["pass", "pass", *(f"stock, {card}" for card in stock[:28]), f"stock, knock {stock[28]}"]
    late = hand_of(rules, EIGHT, POOR, "Kh", moves, stock=" ".join(stock))
    assert (late.result, late.stock_left) == ("knock", 2)


@FIRST_TEXT
@says(
    "un joueur peut étaler des combinaisons pour un total d'au moins 8 cartes.",
)
def test_004_au_moins_huit_cartes(rules: gincore.Rules, sentence: str) -> None:
    """Eight and nine are enough whatever is left, two aces of 15 points included; seven are not."""
    assert choice(rules, f"{EIGHT} Ks").knock == {"Kd", "Qs", "Ks"}
    assert choice(rules, "9c 9d 9h 9s 4h 5h 6h 7h Ac Ad Ks").knock == {"Ac", "Ad", "Ks"}
    assert choice(rules, "9c 9d 9h 4h 5h 6h 7h 2c 3d Jd Ks").knock == frozenset()
    played = showdown(rules, "9c 9d 9h 9s 4h 5h 6h 7h Ac Ad", POOR)
    assert (played.result, played.deadwood) == ("knock", (30, 66))


@says(
    "S'il étale 10 cartes, il fait un petit gin, et s'il étale 11 cartes (ses 10 cartes plus la carte qu'il vient"
    " de prendre), il fait un grand gin.",
)
def test_004_petit_gin_et_grand_gin(sentence: str) -> None:
    """Ten, and eleven without a discard."""
    assert showdown(ROUND, GIN, FITS).result == "gin"
    assert choice(ROUND, BIG).big_gin
    assert showdown(ROUND, BIG, FITS).result == "big_gin"


@says(
    "L'autre joueur étale alors ses combinaisons.",
    "Il complète les combinaisons de son adversaire avec les cartes qui lui restent (ex : ajouter un 4 à un brelan"
    " de 4, ou un 2 à une séquence 3/4/5).",
)
def test_004_completer_les_combinaisons(sentence: str) -> None:
    """A two on 3-4-5, then the ace; a four on three fours; on a gin as well."""
    played = showdown(ROUND, "4c 4d 4h 3s 4s 5s Tc Jc Qc Kd", "2s As 7d 8c 6h 2h 9d 7h Jh Td")
    assert (played.laid_off, played.deadwood) == ("As 2s", (10, 7 + 8 + 6 + 2 + 9 + 7 + 10 + 10))
    fours = showdown(ROUND, "4c 4d 4h 6s 7s 8s Tc Jc Qc Kd", "4s 3c 7d 8c 6h 2h 9d 7h Jh As")
    assert fours.laid_off == "4s"
    gin = showdown(ROUND, GIN, FITS)
    assert (gin.laid_off, gin.deadwood) == ("8d 8h 5s", (0, 51))


@says(
    "Chaque joueur calcule le total des points qui lui restent en main.",
    "L'AS vaut 15, les figures 10, et les autres cartes leur valeur nominale.",
)
def test_004_l_as_vaut_15(sentence: str) -> None:
    """A loose card of each rank, and two aces in both hands."""
    for rank, value in zip("A23456789TJQK", [15, *range(2, 11), 10, 10, 10], strict=True):
        assert gincore.spreads(f"{rank}s", ROUND)[0].points == value
    played = showdown(ROUND, "9c 9d 9h 9s 4h 5h 6h 7h Ac Ad", "As Ah 6c 8c Td Jd Qc Ts 3d 3s")
    assert played.deadwood == (30, 30 + 6 + 8 + 10 + 10 + 10 + 10 + 3 + 3)


def test_004_petit_gin_25() -> None:
    """
    Petit gin : le gagnant marque 25 points, plus les points des cartes de son adversaire.
    """
    assert showdown(ROUND, GIN, FITS).points == (25 + 51, 0)


def test_004_grand_gin_50() -> None:
    """
    Grand gin : il marque 50 points, plus les points des cartes de son adversaire.
    """
    assert showdown(ROUND, BIG, FITS).points == (50 + 51, 0)


@FIRST_TEXT
@says(
    "Sinon, le joueur ayant le moins de points en moins marque la différence entre les deux totaux.",
    "Si l'adversaire du joueur ayant étalé marque, ou si les deux totaux sont égaux, il gagne un bonus de 20 points.",
)
def test_004_la_difference_et_le_bonus_de_20(rules: gincore.Rules, sentence: str) -> None:
    """66 - 20; twenty against ten: 10 + 20; twenty against twenty: 20."""
    assert showdown(rules, EIGHT, POOR).points == (46, 0)
    low = showdown(rules, EIGHT, "2c 3c 4c Tc Jc Qc Ac As Ad Kh")
    assert (low.result, low.deadwood, low.points) == ("undercut", (20, 10), (0, 10 + 20))
    even = showdown(rules, EIGHT, "2c 3c 4c Tc Jc Qc 6d Jd 2s 2d")
    assert (even.result, even.deadwood, even.points) == ("undercut", (20, 20), (0, 20))


def test_004_250_points_100_ou_200_de_bonus() -> None:
    """
    Lorsqu'un joueur atteint 250 points, il remporte la manche, et obtient les bonus suivants : 100 points pour la
    manche (200 si son adversaire n'a marqué aucun point).
    """
    assert not game_of(ROUND, won(0, 124, 125)).over
    plain = game_of(ROUND, [*won(1, 40), *won(0, 125, 125)])
    assert (plain.over, plain.winner, plain.pair("total")) == (True, 0, (350, 40))
    assert game_of(ROUND, won(0, 125, 125)).pair("total") == (450, 0)


def test_004_50_par_petit_gin_et_100_par_grand_gin() -> None:
    """
    Chaque joueur obtient en plus 50 points par petit gin et 100 par grand gin marqué pendant la manche.
    """
    hands: list[Entry] = [*gins(1, 60, 60), *big_gins(1, 70), *won(0, 100), *gins(0, 100), *big_gins(0, 60)]
    game = game_of(ROUND, hands)
    assert game.pair("total") == (260 + 100 + 50 + 100, 190 + 50 + 50 + 100)


@says(
    "A la fin de la partie, chaque joueur fait la somme des points qu'il a marqué au cours des différentes manches.",
    "Celui qui a le plus fort total remporte la partie.",
)
def test_004_le_plus_fort_total_remporte_la_partie(sentence: str) -> None:
    """A partie of one manche, where who reached 250 first has fewer points, and parties of three and five."""
    game = game_of(ROUND, [*gins(1, 60, 60, 60, 60), *won(0, 125, 125)])
    assert game.pair("total") == (350, 440)
    assert (game.margin, game.winner) == (-90, 1)
    manche = [*won(1, 240), *won(0, 125, 125)]  # 350 to 240
    for manches in (3, 5):
        rules = ROUND.replace(match=f"best-of-{manches}")
        assert not match_of(rules, manche * (manches - 1)).over, "all manches are played"
        last = match_of(rules, [*manche * (manches - 1), *big_gins(1, 125, 125)])
        sums = 350 * (manches - 1), 240 * (manches - 1) + 250 + 200 + 2 * 100
        assert tuple(map(sum, last.of("total"))) == sums
        assert last.each("winner") == [0] * (manches - 1) + [1]
        assert (last.over, last.winner) == (True, 1)
    three = ROUND.replace(match="best-of-3")
    run = gincore.simulate_games(three, ("simple", "gin-only"), games=20, seed=5, progress=False)
    totals = run.games.groupby(["game", "mirror"])[["total_0", "total_1"]].sum().reset_index(drop=True)
    ahead = (totals["total_1"] > totals["total_0"]).astype(int)
    assert (run.matches["games"] == 3).all()
    assert run.matches["winner"].tolist() == ahead.tolist()


# ---------------------------------------------------------------- variantes


@says(
    "Dans cette première variante, le grand gin est supprimé.",
)
def test_004_variante_sans_grand_gin(sentence: str) -> None:
    """Eleven melded cards: one is thrown, and it is a petit gin of 25."""
    assert not choice(RUMMY_100, BIG).big_gin
    assert choice(ROUND, BIG).big_gin
    played = showdown(RUMMY_100, GIN, FITS)
    assert (played.result, played.points) == ("gin", (25 + 51, 0))


@says(
    "Le total des points pour arriver à une manche est de 100 points.",
    "Les bonus de gain de manche sont toujours de 100 et 200 points, mais il n'y a pas de bonus pour les gin.",
    "Par contre, chaque joueur marque 25 points pour chaque main remportée.",
)
def test_004_variante_en_100_points(sentence: str) -> None:
    """100 points, 100 or 200, nothing at the end for gins, 25 a hand for both."""
    assert not game_of(RUMMY_100, won(0, 50, 49)).over
    game = game_of(RUMMY_100, [*gins(1, 40), *gins(0, 60), *won(0, 40)])
    assert game.pair("total") == (100 + 100 + 50, 40 + 25)
    assert game_of(RUMMY_100, gins(0, 60, 40)).pair("total") == (100 + 200 + 50, 0)
    partie = match_of(
        RUMMY_100.replace(match="best-of-3"), [*gins(0, 60, 40), *won(1, 60, 40), *won(0, 90), *won(1, 100)]
    )
    assert partie.of("total") == ([350, 0, 90 + 25], [0, 350, 100 + 100 + 25])
    assert (partie.over, partie.winner) == (True, 1)


NINE = "3c 4c 5c 5d 6d 7d 7h 8h 9h"


@says(
    "On peut aussi joue avec un deuxième jeu, qui est placé sur le bord de la table.",
    "Lors de la distribution, le donneur retourne la première carte de ce jeu.",
)
def test_004_un_deuxieme_jeu(sentence: str) -> None:
    """The card of the second deck, not the upcard, sets the limit; it may be a card that a player holds."""
    played = hand_of(
        SECOND_DECK,
        f"{NINE} 2s",
        POOR.replace("2c", "Kc"),
        "3h",
        ("pass", "pass", "stock, knock Ah"),
        stock="Ah",
        turned="4h",
    )
    assert (played.result, played.knock_limit, played.deadwood[0]) == ("knock", 3, 2)
    limits = {deal(SECOND_DECK, number).limit for number in range(300)}
    assert limits == {0, 2, 3, 4, 5, 6, 7, 8, 9}
    same = [dealt for number in range(300) if (dealt := deal(SECOND_DECK, number)).upcard[0] == "7"]
    assert {dealt.limit for dealt in same} > {6}, "independent of the upcard"


@pytest.mark.parametrize(("turned", "below"), [("3h", 3), ("5c", 5), ("9d", 9), ("Td", 10), ("Jh", 10), ("Kd", 10)])
def test_004_strictement_inferieur_a_la_carte(turned: str, below: int) -> None:
    """
    Un joueur ne peut alors étaler son jeu que si le total de ses cartes non incluses dans une combinaison est
    inférieur à la valeur de la carte retournée.

    Strictly below: a nine under a turned ten or picture, not a ten. A loose ace has 15 points and never may.
    """
    for loose in range(2, 11):
        card = "A23456789T"[loose - 1] + "s"
        legal = choice(SECOND_DECK, f"{NINE} {card} Ks", turned=turned).knock
        assert ("Ks" in legal) == (loose < below), card
    assert choice(SECOND_DECK, f"{NINE} As Qs", turned=turned).knock == frozenset()


def test_004_un_pique_double_la_marque() -> None:
    """
    Par ailleurs, si la carte est un Pique, la marque est doublée pour ce coup.

    Knock, gin and undercut with their bonuses; a spade upcard does nothing.
    """
    spade = showdown(SECOND_DECK, f"{NINE} 2s", POOR.replace("2c", "Kc"), turned="8s")
    assert (spade.points, spade.doubled) == ((2 * (spade.deadwood[1] - 2), 0), 1)
    plain = showdown(SECOND_DECK, f"{NINE} 2s", POOR.replace("2c", "Kc"), turned="8h")
    assert (plain.points, plain.doubled) == ((plain.deadwood[1] - 2, 0), 0)
    assert showdown(SECOND_DECK, GIN, FITS, turned="Ks").points == (2 * (25 + 51), 0)
    upcard = hand_of(
        SECOND_DECK,
        f"{NINE} 2s",
        POOR.replace("2c", "Kc"),
        "Ks",
        ("pass", "pass", "stock, knock Ah"),
        stock="Ah",
        turned="8h",
    )
    assert upcard.doubled == 0


@pytest.mark.parametrize("turned", ["Ah", "As", "2h", "2s"])
def test_004_as_ou_deux_gin_seulement(turned: str) -> None:
    """
    Si la carte est un AS ou un Deux, on ne peut étaler qu'un gin.
    """
    assert choice(SECOND_DECK, f"{NINE} 2d Ks", turned=turned).knock == frozenset()
    assert choice(SECOND_DECK, f"{GIN} Qc", turned=turned).knock == {"Qc"}
    assert showdown(SECOND_DECK, GIN, FITS, turned=turned).result == "gin"
