"""Every sentence of source 002 that states a rule, on literal hands: 'Le gin rami'.

The text gives ranges of bonuses: ``gin-rami`` has the low values, ``gin-rami-high`` the high ones. Its competition is
``gin-rami-competition``, its Oklahoma game ``oklahoma``.
"""

from __future__ import annotations

from pathlib import Path

import brute
import pytest
from literal import DEAD, choice, deal, game_of, gins, hand_of, says, showdown, won
from literal_match import match_of

import gincore

LOW = gincore.rules("gin-rami")
HIGH = gincore.rules("gin-rami-high")
OKLAHOMA = gincore.rules("oklahoma")
BOTH = pytest.mark.parametrize("rules", [LOW, HIGH], ids=["low", "high"])
NINE = "Ac 2c 3c 4d 5d 6d 7h 8h 9h"
GIN = "As 2s 3s 4s 5d 6d 7d 9h Th Jh"
TWENTY = "Ts Js Qs 8c 8d 8s 2h 4h 5c 9c"
"""Two melds and 2 + 4 + 5 + 9; nothing fits on NINE."""
TEN = "Tc Jc Qc Td Jd Qd Kh Kd Kc Js"
"""Two runs of three, three kings and a jack: 10, and nothing fits on NINE."""
JUNK = "2h 4h 6c 8c Td Qd Qs 9c 5c Jc"
"""No meld: 74."""


# ---------------------------------------------------------------- le jeu et la donne


@says(
    "Le gin rami se joue le plus souvent à deux, avec un seul jeu de 52 cartes, sans joker.",
    "Le donneur distribue 10 cartes à chaque joueur, une par une.",
    "La carte suivante est retournée face visible pour lancer la défausse, et les cartes restantes forment le"
    " talon, posé face cachée.",
    "Le gin rami se joue à deux avec 10 cartes, sans joker et sans pose obligatoire avant la fin de la manche.",
    "Chaque joueur reçoit 10 cartes, avec une carte retournée pour lancer la défausse.",
)
def test_002_dix_cartes_et_une_carte_retournee(sentence: str) -> None:
    """Ten cards each, one turned on the pile, the other 31 the stock; nobody lays anything before the end."""
    for number in range(20):
        dealt = deal(LOW, number)
        assert (len(dealt.first), len(dealt.second), len(dealt.stock)) == (10, 10, 31)
        assert dealt.pile == {dealt.upcard}
        assert sorted([*dealt.first, *dealt.second, dealt.upcard, *dealt.stock]) == sorted(brute.DECK)


def test_002_l_as_est_la_plus_basse() -> None:
    """
    Le roi est la carte la plus haute et l'as la plus basse : il ne sert que dans une suite du type as, 2, 3, et jamais
    après le roi.
    """
    assert gincore.spreads("Ac 2c 3c", LOW)[0].points == 0
    assert gincore.spreads("Qc Kc Ac", LOW)[0].points == 21
    assert gincore.spreads("Jc Qc Kc Ac", LOW)[0].points == 1
    assert gincore.spreads("Kc Ac 2c", LOW)[0].points == 13


@BOTH
@says(
    "Le but de la partie est d'être le premier joueur à atteindre un total convenu, en général 100 points.",
    "Quand un joueur atteint 100 points, la partie s'arrête et les primes s'ajoutent avant le règlement final.",
)
def test_002_le_premier_a_100_points(rules: gincore.Rules, sentence: str) -> None:
    """99 play on; at 100 the game is over, and the bonuses come after."""
    assert not game_of(rules, won(0, 50, 49)).over
    game = game_of(rules, [*won(1, 12), *won(0, 50, 49, 1)])
    assert (game.over, game.winner, game.pair("points")) == (True, 0, (100, 12))
    assert game.pair("total") == (100 + 100 + 3 * rules.box_bonus, 12 + rules.box_bonus)


COMPETITION = gincore.rules("gin-rami-competition")


def test_002_en_competition_au_meilleur_de_cinq_jusqu_a_250_points() -> None:
    """
    En compétition, une partie se joue parfois au meilleur de cinq manches, jusqu'à 250 points.

    Read as five games to 250 points each, won by whoever has won three: 3 to 0, 3 to 1 and 3 to 2.
    """
    assert not game_of(COMPETITION, won(0, 100, 100, 49)).over
    assert game_of(COMPETITION, won(0, 100, 100, 50)).over
    first, second = won(0, 100, 100, 50), [*won(0, 7), *won(1, 125, 125)]
    for lost in range(3):
        games = [*second * lost, *first * 2]
        assert not match_of(COMPETITION, games).over
        match = match_of(COMPETITION, [*games, *first])
        assert (match.over, match.winner, match.each("leg")) == (True, 0, list(range(3 + lost)))
        assert match.each("winner") == [1] * lost + [0] * 3
        assert match.each("margin") == [7 + 20 - 250 - 100 - 40] * lost + [250 + 2 * 100 + 60] * 3
    assert match_of(COMPETITION, [*first * 2, *second * 3]).winner == 1
    run = gincore.simulate_games(COMPETITION, ("simple", "simple"), games=50, seed=5, progress=False)
    assert set(run.matches["games"]) == {3, 4, 5}
    assert (run.games[["points_0", "points_1"]].max(axis=1) >= 250).all()


def test_002_des_versions_a_trois_joueurs_et_des_regles_de_maison(tmp_path: Path) -> None:
    """
    Il existe aussi des versions à trois joueurs et des règles de maison, dont le rami 500, un cousin plus éloigné qui
    se compte autrement.

    A rule file of one's own makes this game one for three, where the dealer sits out; 500 rummy is another game.
    """
    house = tmp_path / "house.toml"
    house.write_text('base = "gin-rami"\nform = "cutthroat"\nundercut_bonus = 20\n', encoding="utf-8")
    rules = gincore.rules(house)
    assert showdown(rules, f"{NINE} Ts", TEN).points == (0, 20)
    game = match_of(rules, won(1, 60, 40))
    assert (game.over, game.deals, game.of("points", 3)) == (True, (0, 2), ([0], [100], [0]))
    run = gincore.simulate_games(rules, ("simple",) * 3, games=5, seed=5, progress=False)
    assert set(run.hands["sits_out"]) == {0, 1, 2}


# ---------------------------------------------------------------- le tour


@says(
    "Au premier tour, le joueur qui n'a pas donné peut prendre la carte retournée ; s'il la refuse, le donneur peut"
    " la prendre à son tour.",
    "Si les deux la refusent, le premier joueur pioche dans le talon et la manche commence.",
)
def test_002_la_carte_retournee_est_offerte(sentence: str) -> None:
    """The two that the knock needs: taken by the non-dealer, by the dealer, or the stock's first card."""
    needs = f"{NINE} Ks"
    assert hand_of(LOW, needs, JUNK, "2s", ("take, knock Ks",)).upcard_taken_by == 0
    dealer = hand_of(LOW, JUNK, needs, "2s", ("pass", "take, knock Ks"))
    assert (dealer.upcard_taken_by, dealer.knocker, dealer.turns) == (1, 1, 1)
    refused = hand_of(LOW, needs, JUNK, "Kh", ("pass", "pass", "stock, knock Ks"), stock="2s")
    assert (refused.upcard_taken_by, refused.knocker, refused.stock_left) == (-1, 0, 30)


def test_002_piocher_puis_rejeter() -> None:
    """
    Ensuite, chaque tour suit le même rythme : le joueur pioche une carte, dans le talon ou sur la défausse, puis en
    rejette une sur la défausse.
    """
    moves = ("pass", "pass", "stock, 2s")
    pile = hand_of(LOW, JUNK, f"{NINE} Ks", "Kh", (*moves, "take, knock Ks"), stock="2s As")
    assert (pile.deadwood[0], pile.pickups_1, pile.stock_left) == (2, 1, 30)
    stock = hand_of(LOW, JUNK, f"{NINE} Ks", "Kh", (*moves, "stock, knock Ks"), stock="2s As")
    assert (stock.deadwood[0], stock.pickups_1, stock.stock_left) == (1, 0, 29)


def test_002_la_main_reste_a_dix_cartes() -> None:
    """
    Sa main reste donc à 10 cartes à la fin de son tour, et il garde ses combinaisons en main sans les poser sur la
    table avant la fin de la manche.
    """
    played = hand_of(LOW, GIN, JUNK, "Kh")
    assert played.result == "dead"
    for view in played.views:
        assert int(view.hand).bit_count() == 10
    assert brute.from_mask(int(played.views[0].hand)) == brute.cards(GIN), "melds stay in the hand"


# ---------------------------------------------------------------- combinaisons et cartes mortes


@says(
    "Deux types de combinaisons existent : le brelan ou le carré, trois ou quatre cartes de même valeur, et la"
    " suite, au moins trois cartes consécutives de la même couleur.",
    "Une séquence de trois cartes ou plus de même couleur s'appelle une suite, un groupe de cartes de même valeur"
    " un brelan ou un carré.",
)
def test_002_brelan_carre_et_suite(sentence: str) -> None:
    """Three and four of a rank; three and more in a row of a suit."""
    for melded in ("5c 5d 5h", "5c 5d 5h 5s", "5c 6c 7c", "5c 6c 7c 8c 9c Tc"):
        assert gincore.spreads(melded, LOW)[0].points == 0
    for loose, points in (("5c 5d", 10), ("5c 6c", 11), ("5c 6c 7d", 18)):
        assert gincore.spreads(loose, LOW)[0].points == points


def test_002_une_carte_dans_une_seule_combinaison() -> None:
    """
    Une carte ne peut servir que dans une seule combinaison à la fois.
    """
    assert gincore.spreads("7s 7h 7d 5s 6s", LOW)[0].points == 11


@says(
    "Les cartes qui n'entrent dans aucune combinaison s'appellent les cartes mortes (deadwood en anglais), et leur"
    " total sert à fixer le score de la manche.",
    "| As | 1 point |",
    "| 2 à 10 | Valeur de la carte |",
    "| Valet, dame, roi | 10 points chacun |",
)
def test_002_cartes_mortes_et_valeurs(sentence: str) -> None:
    """A loose card of each rank, and ten of them."""
    for rank, value in zip("A23456789TJQK", [*range(1, 11), 10, 10, 10], strict=True):
        assert gincore.spreads(f"{rank}s", LOW)[0].points == value
    assert gincore.spreads(JUNK, LOW)[0].points == 74


def test_002_trois_cinq_et_un_six() -> None:
    """
    Pour un joueur qui détient un 5 de cœur, un 5 de pique, un 5 de trèfle et un 6 de cœur, les trois 5 forment un
    brelan, et le 6 reste en carte morte pour 6 points.
    """
    [spread] = gincore.spreads("5h 5s 5c 6h", LOW)
    assert [gincore.format_hand(meld) for meld in spread.melds] == ["5c 5h 5s"]
    assert (gincore.format_hand(spread.deadwood_cards), spread.points) == ("6h", 6)


# ---------------------------------------------------------------- frapper et gin


@BOTH
@says(
    "Le gin rami, plus connu sous le nom de gin rummy, est un jeu de cartes pour deux joueurs, dérivé du rummy :"
    " chaque joueur reçoit 10 cartes, forme des combinaisons et cherche à « frapper » avant son adversaire, dès que"
    " ses cartes mortes totalisent 10 points ou moins.",
    "À son tour, après avoir pioché, un joueur peut frapper (knock en anglais) si le total de ses cartes mortes est"
    " de 10 points ou moins.",
    "La frappe est permise à 10 points de cartes mortes ou moins, après avoir pioché et défaussé.",
    "Une condition simple structure ce jeu de cartes : une frappe n'est possible qu'avec 10 points ou moins de"
    " cartes mortes, et jamais avant d'avoir pioché.",
)
def test_002_frapper_a_dix_points_ou_moins(rules: gincore.Rules, sentence: str) -> None:
    """Ten are enough, eleven are not; a hand that was dealt so low waits for its player's first draw."""
    assert choice(rules, f"{NINE} Ts Ks").knock == {"Ts", "Ks"}
    assert choice(rules, "Ac 2c 3c 4d 5d 6d 7d 8d 9s 2h Ks").knock == frozenset()
    dealt_low = hand_of(
        rules, JUNK, f"{NINE} As", "Kh", ("pass", "pass", "stock, Ks", "stock, knock Kd"), stock="Ks Kd"
    )
    assert (dealt_low.knocker, dealt_low.turns, dealt_low.stock_left) == (1, 2, 29)


@says(
    "Il défausse alors une carte face cachée, puis étale sa main en séparant ses combinaisons et ses cartes mortes.",
    "L'attaquant frappe (knock), le défenseur place ses cartes sur les combinaisons de l'attaquant, et le mot gin"
    " désigne la main sans aucune carte morte.",
    "Au gin rami, le joueur qui frappe porte le nom d'attaquant (knocker en anglais) et son adversaire celui de"
    " défenseur.",
)
def test_002_etaler_la_main(sentence: str) -> None:
    """The card thrown is gone, three runs lie on the table, the two is dead; the defender adds a card."""
    played = showdown(LOW, f"{NINE} 2s", TWENTY.replace("9c", "Th").replace("Ts", "Ks"))
    assert (played.knocker, played.runs, played.deadwood[0]) == (0, NINE, 2)
    assert (played.laid_off, played.defender_deadwood_before - played.deadwood[1]) == ("Th", 10)


@says(
    "Quand toutes les cartes de la main entrent dans des combinaisons, le joueur annonce « gin » : il n'a aucune"
    " carte morte, et son adversaire n'a pas le droit de compléter ses combinaisons.",
    "Avec zéro carte morte, le joueur annonce gin.",
)
def test_002_gin_sans_placer_de_cartes(sentence: str) -> None:
    """5s, 8d and Qh would fit."""
    played = showdown(LOW, GIN, "5s 8d Qh 2h 4h 6c 9c Kc Kd Jc")
    assert (played.result, played.laid_off, played.deadwood) == ("gin", "", (0, 5 + 8 + 10 + 2 + 4 + 6 + 9 + 30))


@BOTH
@says(
    "Dans le cas d'une frappe ordinaire, l'adversaire dévoile à son tour sa main.",
    "Il peut alors ajouter ses cartes mortes aux combinaisons du joueur qui a frappé, par exemple un quatrième 5 à"
    " un brelan de 5, ou le 7 d'une suite de 4, 5 et 6 : on parle de placer des cartes.",
    "Ces ajouts réduisent son total avant la comparaison.",
)
def test_002_placer_des_cartes(rules: gincore.Rules, sentence: str) -> None:
    """7 and then 8 on 4-5-6: 62 - 15; the fourth five, and 7 on 8-9-T: 70 - 12."""
    run = showdown(rules, "4c 5c 6c Td Jd Qd 9h 9d 9s Ah", "7c 8c 2d 3h 4h 6h Qh Kc Ks 2s")
    assert (run.laid_off, run.defender_deadwood_before, run.deadwood) == ("7c 8c", 62, (1, 47))
    assert run.points == (46, 0)
    fours = showdown(rules, "5c 5d 5h 8s 9s Ts Jc Jd Jh Ah", "5s 7s 2d 3h 9d Td Qh 8c Ks 6c")
    assert (fours.laid_off, fours.defender_deadwood_before, fours.points) == ("5s 7s", 70, (57, 0))


# ---------------------------------------------------------------- la manche nulle


@BOTH
@says(
    "Si le talon tombe à deux cartes sans que personne ait frappé, la manche est nulle, personne ne marque, et le"
    " même donneur recommence.",
    "Lorsque le talon est réduit à deux cartes sans qu'aucune frappe ait eu lieu, la manche est annulée, personne"
    " ne marque, et le même donneur redistribue.",
)
def test_002_deux_cartes_dans_le_talon(rules: gincore.Rules, sentence: str) -> None:
    """The 29th draw of 31 may still knock."""
    dead = hand_of(rules, f"{NINE} 2s", TWENTY, "Kh")
    assert (dead.result, dead.winner, dead.points, dead.stock_left) == ("dead", None, (0, 0), 2)
    stock = [card for card in brute.DECK if card not in f"{NINE} 2s {TWENTY} Kh".split()]
    moves = ["pass", "pass", *(f"stock, {card}" for card in stock[:28]), f"stock, knock {stock[28]}"]
    late = hand_of(rules, f"{NINE} 2s", TWENTY, "Kh", moves, stock=" ".join(stock))
    assert (late.result, late.stock_left) == ("knock", 2)
    assert game_of(rules, [DEAD, DEAD], starter=1).starters == (1, 1, 1)


# ---------------------------------------------------------------- le décompte


@BOTH
@says(
    "Le total des cartes mortes se compare à celui de l'adversaire à la fin de la manche.",
    "Le décompte dépend de celui qui a le moins de points de cartes mortes.",
    "Si le joueur qui a frappé a un total plus bas, il marque la différence entre les deux totaux.",
    "Le score d'une manche reflète ensuite la différence entre les totaux, augmentée d'un bonus si le gin ou le"
    " contre a eu lieu.",
)
def test_002_la_difference_entre_les_deux_totaux(rules: gincore.Rules, sentence: str) -> None:
    """2 against 20, then 9 against 10; gin and undercut add their bonus."""
    assert showdown(rules, f"{NINE} 2s", TWENTY).points == (18, 0)
    assert showdown(rules, f"{NINE} 9s", TEN).points == (1, 0)
    assert showdown(rules, GIN, JUNK).points == (rules.gin_bonus + 74, 0)
    assert showdown(rules, f"{NINE} Ts", TEN.replace("Js", "7s")).points == (0, rules.undercut_bonus + 3)


@BOTH
@says(
    "Si son adversaire a le même total ou un total plus bas, c'est un contre (undercut en anglais) : l'adversaire"
    " marque la différence, plus une prime.",
)
def test_002_le_contre(rules: gincore.Rules, sentence: str) -> None:
    """Ten against ten; ten against seven."""
    tie = showdown(rules, f"{NINE} Ts", TEN)
    assert (tie.result, tie.deadwood, tie.points) == ("undercut", (10, 10), (0, rules.undercut_bonus))
    lower = showdown(rules, f"{NINE} Ts", TEN.replace("Js", "7s"))
    assert (lower.result, lower.points) == ("undercut", (0, rules.undercut_bonus + 3))


@pytest.mark.parametrize(("preset", "bonus"), [("gin-rami", 20), ("gin-rami-high", 25), ("gin-rami-competition", 20)])
def test_002_prime_pour_un_gin(preset: str, bonus: int) -> None:
    """
    Prime pour un gin : 20 points dans certaines règles, 25 dans d'autres, en plus du total des cartes mortes de
    l'adversaire.
    """
    assert showdown(gincore.rules(preset), GIN, JUNK).points == (bonus + 74, 0)


@pytest.mark.parametrize(
    ("rules", "bonus"),
    [(LOW, 10), (LOW.replace(undercut_bonus=20), 20), (HIGH, 25)],
    ids=["gin-rami", "20", "gin-rami-high"],
)
def test_002_prime_pour_un_contre(rules: gincore.Rules, bonus: int) -> None:
    """
    Prime pour un contre : 10, 20 ou 25 points selon les conventions.
    """
    assert showdown(rules, f"{NINE} Ts", TEN).points == (0, bonus)


@BOTH
def test_002_prime_de_partie_100(rules: gincore.Rules) -> None:
    """
    Prime de partie : 100 points pour le vainqueur dans la règle la plus courante.
    """
    game = game_of(rules, [*won(1, 12), *won(0, 60, 40)])
    assert game.pair("total")[0] - game.pair("points")[0] - game.pair("boxes")[0] == 100
    assert game.pair("total")[1] - game.pair("points")[1] - game.pair("boxes")[1] == 0


@pytest.mark.parametrize(("rules", "box"), [(LOW, 20), (HIGH, 25)], ids=["low", "high"])
def test_002_prime_de_manche_gagnee(rules: gincore.Rules, box: int) -> None:
    """
    Prime de manche gagnée : 20 ou 25 points par manche selon les règles, qui ne compte pas pour atteindre le total.

    Nine hands of eleven are 99 points and nine boxes: the game goes on.
    """
    assert not game_of(rules, won(0, *[11] * 9)).over
    game = game_of(rules, [*gins(1, 30, 40), *won(0, *[11] * 9), *won(0, 11)])
    assert game.pair("boxes") == (10 * box, 2 * box)


@says(
    "Les sources ne donnent pas toutes les mêmes montants, et la différence entre deux règles de bonus peut décider"
    " d'une partie : mieux vaut les fixer avant de jouer.",
    "Les montants du tableau précédent servent seulement à compter les cartes ; les primes ci-dessus changent d'une"
    " table à l'autre, et c'est pourquoi il vaut mieux les convenir au départ.",
    "Comme pour d'autres jeux de la famille du rummy, la variante utilisée à la table change parfois les valeurs du"
    " bonus ; il est utile de noter les règles retenues avant la première donne.",
    "Le jeu existe aussi sous forme d'application sur ordinateur et sur mobile, où le décompte se fait automatiquement"
    " ; les bonus appliqués peuvent différer de ceux d'une table réelle.",
    "Autre point de détail : l'article de Wikipédia sur le gin rummy rappelle que les règles de bonus changent d'une"
    " règle de maison à l'autre, et qu'il faut donc noter le score après chaque manche.",
)
def test_002_les_primes_changent_d_une_table_a_l_autre(sentence: str) -> None:
    """Each bonus is an option; it changes the points by itself and never the deadwood, and it can decide a game."""
    for bonus in (0, 5, 37):
        rules = LOW.replace(gin_bonus=bonus, undercut_bonus=bonus + 1, box_bonus=bonus + 2, game_bonus=bonus + 3)
        gin, undercut = showdown(rules, GIN, JUNK), showdown(rules, f"{NINE} Ts", TEN)
        assert (gin.points, gin.deadwood) == ((bonus + 74, 0), (0, 74))
        assert (undercut.points, undercut.deadwood) == ((0, bonus + 1), (10, 10))
        game = game_of(rules, [*won(1, 12), *won(0, 60, 40)])
        assert game.pair("total") == (100 + 2 * (bonus + 2) + bonus + 3, 12 + bonus + 2)
    hands = [*won(1, *[11] * 8), *won(0, 70, 30)]  # eight boxes to two
    margins = [game_of(LOW.replace(box_bonus=box), hands).margin for box in (0, 10, 20, 25)]
    assert margins == [112, 52, -8, -38]


def test_002_oklahoma_la_premiere_carte_fixe_le_seuil() -> None:
    """
    Parmi les variantes, l'« Oklahoma gin » fixe le seuil de frappe d'après la valeur de la première carte retournée :
    un 4 limite par exemple la frappe à 4 points de cartes mortes, et si cette carte est un pique, les points de la
    manche sont doublés.
    """
    assert choice(OKLAHOMA, f"{NINE} 4s Ks", turned="4h").knock == {"Ks"}
    assert choice(OKLAHOMA, f"{NINE} 5s Ks", turned="4h").knock == frozenset()
    plain = showdown(OKLAHOMA, f"{NINE} 2s", TWENTY.replace("4h", "Kd"), turned="4h")
    assert (plain.knock_limit, plain.points, plain.doubled) == (4, (24, 0), 0)
    spade = showdown(OKLAHOMA, f"{NINE} 2s", TWENTY, turned="4s")
    assert (spade.knock_limit, spade.points, spade.doubled) == (4, (36, 0), 1)
