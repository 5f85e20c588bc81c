"""Every sentence of source 000 that states a rule, on literal hands: 'Comment jouer à Gin Rummy'.

Here are the cards, the melds, the deal and the turns; ``test_rules_000_knock.py`` has the end of a hand and its points,
``test_rules_000_forms.py`` games, matches, forms and variants. Sentences on strategy, history and how people feel about
the game are left out. The preset is ``classic``.
"""

from __future__ import annotations

import brute
import pytest
from literal import choice, deal, game_of, hand_of, says, showdown, won
from script import leak

import gincore

CLASSIC = gincore.rules("classic")
NINE = "Ac 2c 3c 4d 5d 6d 7h 8h 9h"
"""Three runs; a tenth card is the deadwood."""
GIN = "As 2s 3s 4s 5d 6d 7d 9h Th Jh"
TWENTY = "Ts Js Qs 8c 8d 8s 2h 4h 5c 9c"
"""Two melds and 2 + 4 + 5 + 9; no card fits on the runs of NINE."""
JUNK = "2h 4h 6c 8c Td Qd Qs 9c 5c Jc"
"""No meld: 2 + 4 + 6 + 8 + 10 + 10 + 10 + 9 + 5 + 10 = 74."""


def deadwood(hand: str) -> int:
    return int(gincore.deadwood([hand])[0])


# ---------------------------------------------------------------- le jeu et la donne


@says(
    "Chaque joueur tient 10 cartes et cherche à les organiser en combinaisons (brelans et suites).",
    "Chaque joueur reçoit 10 cartes d'un jeu standard de 52 cartes.",
    "Distribuez 10 cartes à chacun.",
    "2 joueurs, jeu standard de 52 cartes.",
    "Jeu standard de 52 cartes à enseignes françaises. Pas de jokers.",
    "Distribuez 10 cartes face cachée à chaque joueur, une à la fois, en commençant par le non-donneur.",
)
def test_000_dix_cartes_a_chacun_de_52_cartes(sentence: str) -> None:
    """Ten cards each, all different, from a whole deck."""
    for number in range(20):
        dealt = deal(CLASSIC, number)
        assert (len(dealt.first), len(dealt.second)) == (10, 10)
        assert sorted([*dealt.first, *dealt.second, dealt.upcard, *dealt.stock]) == sorted(brute.DECK)


@says(
    "La 21ème carte commence la défausse face visible et les 31 cartes restantes forment la pioche face cachée.",
    "Retournez la 21ème carte comme carte visible (première défausse).",
    "Retournez la 21ème carte face visible à côté de la pioche ; c'est la CARTE VISIBLE et la première carte de la"
    " défausse.",
    "Placez les 31 cartes restantes face cachée comme pioche.",
    "Carte visible : la 21ème carte, retournée face visible au début de la donne ; le non-donneur peut la prendre"
    " en premier.",
)
def test_000_la_21eme_carte_commence_la_defausse(sentence: str) -> None:
    """The upcard alone lies on the pile; 31 cards are the stock; the non-dealer is offered it first."""
    for number in range(20):
        dealt = deal(CLASSIC, number)
        assert dealt.pile == {dealt.upcard}
        assert len(dealt.stock) == 31
    both_want_it = hand_of(CLASSIC, f"{NINE} Ks", JUNK, "2s", ("take, knock Ks",))
    assert (both_want_it.upcard_taken_by, both_want_it.turns, both_want_it.stock_left) == (0, 1, 31)


def test_000_les_cartes_sont_donnees_face_cachee() -> None:
    """
    Distribuez 10 cartes face cachée à chaque joueur, une à la fois, en commençant par le non-donneur.

    Whatever lies in the opponent's hand and in the stock, a player who is asked sees the same: 60 deals, all questions.
    """
    assert leak([CLASSIC], 60, seed=8) == ""


def test_000_le_premier_donneur_est_choisi_par_une_coupe() -> None:
    """
    Le premier donneur est choisi par une coupe (la carte la plus basse donne) ; ensuite, le PERDANT de chaque main
    donne la suivante (certains groupes alternent ; mettez-vous d'accord avant de commencer).

    The cut is a fair coin: 2,000 games, 4 standard errors. The loser deals, so the winner leads.
    """
    games = gincore.simulate_games(CLASSIC, ("simple", "simple"), games=2_000, seed=5, mirror=False, progress=False)
    assert abs(games.games["starter"].mean() - 0.5) < 4 * 0.5 / 2_000**0.5
    assert game_of(CLASSIC, [*won(0, 5), *won(0, 5), *won(1, 5), *won(0, 5)], starter=1).starters == (1, 0, 0, 1, 0)
    alternating = gincore.rules("classic", next_dealer="alternate")
    assert game_of(alternating, won(0, 5, 5, 5), starter=1).starters == (1, 0, 1, 0)


def test_000_le_non_donneur_coupe_le_jeu() -> None:
    """
    Le donneur bat les cartes et le non-donneur coupe le jeu.

    Every deal is shuffled anew.
    """
    assert len({deal(CLASSIC, number).stock for number in range(50)}) == 50


# ---------------------------------------------------------------- les cartes


@says(
    "Valeur des cartes pour le décompte du bois mort : As = 1, de 2 à 10 = valeur nominale, Valet/Dame/Roi = 10"
    " chacun.",
    "Valeurs : As = 1, de 2 à 10 = valeur nominale, Valet/Dame/Roi = 10.",
)
@pytest.mark.parametrize(
    ("card", "value"), [(rank, min(place, 10)) for place, rank in enumerate("A23456789TJQK", start=1)]
)
def test_000_valeur_des_cartes(sentence: str, card: str, value: int) -> None:
    """A loose card of that rank beside three runs that it does not fit."""
    melds = {"low": "Kc Qc Jc Kd Qd Jd Kh Qh Jh", "high": "2c 3c 4c 2d 3d 4d 2h 3h 4h"}
    assert deadwood(f"{melds['high' if card in 'JQK' else 'low']} {card}s") == value


@says(
    "Les As sont toujours bas (A-2-3 est une suite valide ; D-R-A ne l'est pas).",
    "Les As sont seulement bas ; pas de suites circulaires.",
    "Les As sont SEULEMENT bas ; ils ne font PAS le tour (D-R-A n'est pas une suite valide).",
    "As seulement bas : l'As peut ancrer une suite en A-2-3 (extrémité basse) mais jamais en D-R-A (circulaire),"
    " car les As sont seulement bas.",
)
def test_000_les_as_sont_toujours_bas(sentence: str) -> None:
    """A-2-3 is a run, Q-K-A and K-A-2 are none; nor may an ace be laid off above a king."""
    rest = "4d 5d 6d 7h 8h 9h Js"
    assert deadwood(f"Ac 2c 3c {rest}") == 10
    assert deadwood(f"Qc Kc Ac {rest}") == 10 + 10 + 1 + 10
    assert deadwood(f"Kc Ac 2c {rest}") == 10 + 1 + 2 + 10
    queen_high = showdown(CLASSIC, "Jc Qc Kc 4d 5d 6d 7h 8h 9h 2s", f"Ac {TWENTY.replace('4h ', '')}")
    assert queen_high.laid_off == ""


def test_000_ordre_de_rang_pour_les_suites() -> None:
    """
    Ordre de rang pour les suites : A, 2, 3, 4, 5, 6, 7, 8, 9, 10, V, D, R.
    """
    order = "A23456789TJQK"
    for start in range(11):
        run = " ".join(rank + "c" for rank in order[start : start + 3])
        spread = gincore.spreads(f"{run} Kd 7h")[0]
        assert [gincore.format_hand(meld) for meld in spread.melds] == [gincore.format_hand(gincore.parse_hand(run))]


def test_000_les_couleurs_n_ont_pas_de_hierarchie() -> None:
    """
    Les couleurs n'ont pas de hiérarchie inhérente.

    The suits exchanged in every order, the hand is scored the same.
    """
    knocker, defender = f"{NINE} 2s", TWENTY
    for suits in ("cdhs", "dhsc", "schd", "hcds", "sdch"):
        other = str.maketrans("cdhs", suits)
        played = showdown(CLASSIC, knocker.translate(other), defender.translate(other))
        assert played.points == (18, 0)


def test_000_les_couleurs_definissent_suites_et_brelans() -> None:
    """
    Elles n'ont d'importance que pour définir une suite (même couleur) et un brelan (couleurs différentes).
    """
    assert gincore.spreads("4c 5c 6d Kh 9s")[0].melds == ()
    assert len(gincore.spreads("4c 5c 6c Kh 9s")[0].melds) == 1
    assert len(gincore.spreads("4c 4d 4h Kh 9s")[0].melds) == 1


# ---------------------------------------------------------------- les combinaisons


@says(
    "Le but est d'organiser ses 10 cartes en «combinaisons» : brelans (3 ou 4 cartes du même rang dans des couleurs"
    " différentes) et suites (3 cartes ou plus consécutives de la même couleur) ; les cartes ne pouvant être"
    " combinées sont le «bois mort».",
    "Combinaisons : brelan (3 ou 4 du même rang, couleurs différentes) ou suite (3 cartes ou plus consécutives de"
    " la même couleur).",
    "Combinaison : un brelan ou une suite valide utilisé dans votre arrangement final.",
)
def test_000_brelans_et_suites(sentence: str) -> None:
    """Three nines and a run of four are melded, 2 + 5 + 10 are deadwood."""
    [spread] = gincore.spreads("9c 9d 9s 4h 5h 6h 7h 2d 5c Kd")
    assert {gincore.format_hand(meld) for meld in spread.melds} == {"9c 9d 9s", "4h 5h 6h 7h"}
    assert spread.points == 17


@says(
    "Brelan (aussi «groupe» ou «livre»): 3 ou 4 cartes du même rang dans des couleurs DIFFÉRENTES.",
    "Exemples : 7♠-7♥-7♦ (brelan valide de 3 cartes) et R♠-R♥-R♦-R♣ (brelan valide de 4 cartes).",
    "Brelan / groupe / livre : 3 ou 4 cartes du même rang dans des couleurs différentes.",
)
def test_000_brelan_de_trois_ou_quatre(sentence: str) -> None:
    """7s-7h-7d and four kings are sets; two of a rank are none."""
    for melded in ("7s 7h 7d", "Ks Kh Kd Kc"):
        assert gincore.spreads(melded)[0].points == 0
    assert gincore.spreads("7s 7h")[0].points == 14


@says(
    "Suite (aussi «séquence» ou «quinte»): 3 cartes ou plus consécutives de la MÊME couleur.",
    "Exemples : 4♣-5♣-6♣ (suite valide de 3 cartes) et 9♦-10♦-V♦-D♦-R♦ (suite valide de 5 cartes).",
    "Suite / séquence / quinte : 3 cartes ou plus consécutives de la même couleur.",
)
def test_000_suite_de_trois_ou_plus(sentence: str) -> None:
    """4c-5c-6c and 9d-Td-Jd-Qd-Kd are runs; two neighbours, and three of two suits, are none."""
    for melded in ("4c 5c 6c", "9d Td Jd Qd Kd"):
        assert gincore.spreads(melded)[0].points == 0
    assert gincore.spreads("4c 5c")[0].points == 9
    assert gincore.spreads("4c 5c 6d")[0].points == 15


@says(
    "Une carte appartient à au plus une combinaison.",
    "Pas de double emploi : une seule carte ne peut appartenir à la fois à un brelan et à une suite.",
    "Exemple : 7♠-7♥-7♦ et 5♠-6♠-7♠ ne peuvent pas toutes deux inclure la 7♠.",
)
def test_000_une_carte_appartient_a_une_seule_combinaison(sentence: str) -> None:
    """7s with two sevens and with 5s 6s: one meld only, and the lesser rest is deadwood."""
    [spread] = gincore.spreads("7s 7h 7d 5s 6s")
    assert len(spread.melds) == 1
    assert spread.points == 5 + 6


@says(
    "Bois mort : toute carte non placée dans une combinaison en fin de main est du bois mort et compte sa valeur"
    " nominale en points de pénalité.",
    "Calcul du bois mort : le bois mort comprend toute carte non placée dans une combinaison valide.",
    "Bois mort : toute carte qui n'est pas dans une combinaison en fin de main ; compte sa valeur comme pénalité.",
)
def test_000_bois_mort(sentence: str) -> None:
    """Every card outside the best melds counts its value."""
    assert deadwood("Ac 2c 3c 9d 9h 9s 4d 5d 8s Kh") == 4 + 5 + 8 + 10
    assert deadwood(JUNK) == 74


@says(
    "Un 6 peut s'insérer dans une suite 4-5-6 OU une suite 5-6-7 OU un brelan 6-6-6",
)
def test_000_un_six_dans_trois_combinaisons(sentence: str) -> None:
    """The one six completes each of the three melds."""
    for pair in ("4h 5h", "5h 7h", "6c 6d"):
        assert gincore.spreads(f"{pair} 6h")[0].points == 0


@says(
    "Les cartes hautes valent 10 points chacune ; tenir R-D-V comme suite potentielle représente 30 points de bois"
    " mort en cas d'échec.",
    "Mémorisez que les figures plus les dix valent tous 10 points de bois mort chacun, donc trois figures en main"
    " représentent 30 points de risque.",
)
def test_000_trois_figures_valent_30(sentence: str) -> None:
    """King, queen and jack of different suits: 30; a ten counts as much as each of them."""
    assert gincore.spreads("Ks Qd Jh")[0].points == 30
    assert gincore.spreads("Ts Qd Jh")[0].points == 30


# ---------------------------------------------------------------- le premier tour


@says(
    "Le non-donneur peut prendre la carte visible en premier ; si refusée, le donneur peut la prendre ; sinon, le"
    " non-donneur tire de la pioche.",
    "Spécial pour le premier tour : le non-donneur peut PRENDRE la carte visible ou la refuser.",
    "Si elle est refusée, le donneur peut la prendre ou la refuser.",
    "Si les deux refusent, le non-donneur tire la carte supérieure de la pioche et le jeu continue normalement.",
)
def test_000_la_carte_visible_est_offerte_aux_deux(sentence: str) -> None:
    """Taken by the non-dealer; refused and taken by the dealer; refused by both: the stock's top card."""
    needs_2s = f"{NINE} Ks"
    taken = hand_of(CLASSIC, needs_2s, JUNK, "2s", ("take, knock Ks",))
    assert (taken.upcard_taken_by, taken.knocker, taken.turns) == (0, 0, 1)
    refused = hand_of(CLASSIC, JUNK, needs_2s, "2s", ("pass", "take, knock Ks"))
    assert (refused.upcard_taken_by, refused.knocker, refused.turns) == (1, 1, 1)
    twice = hand_of(CLASSIC, needs_2s, JUNK, "Kh", ("pass", "pass", "stock, knock Ks"), stock="2s")
    assert (twice.upcard_taken_by, twice.knocker, twice.turns, twice.stock_left) == (-1, 0, 1, 30)


def test_000_le_joueur_qui_prend_defausse_ensuite() -> None:
    """
    Le joueur qui prend (ou tire en premier depuis la pioche) la carte visible défausse ensuite une carte pour terminer
    le premier tour.

    After the dealer's first turn the non-dealer is next.
    """
    played = hand_of(CLASSIC, f"{NINE} Ks", JUNK, "2s", ("pass", "take, Jc", "stock, knock Ks"), stock="3s")
    assert (played.upcard_taken_by, played.turns, played.knocker, played.stock_left) == (1, 2, 0, 30)
    assert played.deadwood[0] == 3


# ---------------------------------------------------------------- un tour


@says(
    "À chaque tour, un joueur tire une carte (de la pioche ou du sommet de la défausse) et en défausse une.",
    "Tirez 1 carte de la pioche OU du sommet de la défausse.",
    "Tirer : prenez la carte supérieure de la pioche (face cachée) OU le sommet de la défausse (face visible).",
)
def test_000_tirer_de_la_pioche_ou_de_la_defausse(sentence: str) -> None:
    """The dealer takes the non-dealer's discard, not the upcard under it; or the next card of the stock."""
    moves = ("pass", "pass", "stock, 2s")
    taken = hand_of(CLASSIC, JUNK, f"{NINE} Ks", "Kh", (*moves, "take, knock Ks"), stock="2s As")
    assert (taken.knocker, taken.deadwood[0], taken.pickups_1, taken.stock_left) == (1, 2, 1, 30)
    drawn = hand_of(CLASSIC, JUNK, f"{NINE} Ks", "Kh", (*moves, "stock, knock Ks"), stock="2s As")
    assert (drawn.knocker, drawn.deadwood[0], drawn.pickups_1, drawn.stock_left) == (1, 1, 0, 29)


@says(
    "Vous devez tirer avant toute autre action.",
    "Le Gin ne peut être déclaré qu'après avoir tiré, en plaçant la dernière défausse face cachée et en exposant la"
    " main entièrement combinée.",
)
def test_000_tirer_avant_toute_autre_action(sentence: str) -> None:
    """A dealt gin is declared in the player's first turn, after a draw and with a discard."""
    early = hand_of(CLASSIC, GIN, JUNK, "Kh", ("pass", "pass", "stock, knock Kd"), stock="Kd")
    assert (early.result, early.turns, early.stock_left) == ("gin", 1, 30)
    dealer = hand_of(CLASSIC, JUNK, GIN, "Kh", ("pass", "pass", "stock, Kd", "stock, knock Kc"), stock="Kd Kc")
    assert (dealer.result, dealer.knocker, dealer.turns) == ("gin", 1, 2)


@says(
    "Défaussez 1 carte face visible (ou face cachée pour frapper).",
    "Défausser : si vous ne frappez pas, placez une carte de votre main face visible sur le sommet de la défausse.",
)
def test_000_defausser_face_visible(sentence: str) -> None:
    """The opponent sees what was thrown, and may take it: the top card of the pile."""
    played = hand_of(CLASSIC, JUNK, f"{NINE} Ks", "Kh", ("pass", "pass", "stock, 2h", "take, Ks"), stock="Ah")
    assert brute.from_mask(int(played.views[1].opp_threw)) >= {"2h"}
    assert brute.from_mask(int(played.views[0].opp_took)) == {"2h"}


def test_000_vous_pouvez_frapper_ou_defausser() -> None:
    """
    Vous pouvez maintenant FRAPPER (voir ci-dessous) ou défausser.

    The same hand plays on, and is dead in the end, or knocks.
    """
    start = (CLASSIC, f"{NINE} 2s", TWENTY, "Kh")
    on = hand_of(*start, ("pass", "pass", "stock, Kd"), stock="Kd")
    assert on.result == "dead"
    out = hand_of(*start, ("pass", "pass", "stock, knock Kd"), stock="Kd")
    assert out.result == "knock"


def test_000_ne_pas_defausser_la_carte_prise() -> None:
    """
    Vous ne pouvez PAS immédiatement défausser la même carte que vous venez de prendre dans la défausse lors de ce tour.

    Nor to knock; a card from the stock may be thrown, and the card taken in a later turn.
    """
    eleven = f"{NINE} 5s Ks"
    taken = choice(CLASSIC, eleven, pile=True)
    assert taken.throw == brute.cards(f"{NINE} 5s")
    assert taken.knock == {"5s"}
    assert choice(CLASSIC, eleven).throw == brute.cards(eleven)
    back = hand_of(CLASSIC, JUNK, f"{NINE} 5s", "Kh", ("pass", "pass", "stock, Ks", "take, Ks"), stock="Ks")
    assert back.result == "refused"
    later = hand_of(
        CLASSIC,
        JUNK,
        f"{NINE} 5s",
        "Kh",
        ("pass", "pass", "stock, Ks", "take, 9h", "stock, Kd", "stock, Ks"),
        stock="Ks Kd Ad",
    )
    assert later.result == "dead"


@says(
    "Le jeu s'alterne ; l'adversaire tire ensuite.",
)
def test_000_le_jeu_s_alterne(sentence: str) -> None:
    """Turns of the non-dealer, the dealer, the non-dealer, the dealer: the knock of turn four is the dealer's."""
    moves = ("pass", "pass", "stock, Kd", "stock, Kc", "stock, As", "stock, knock Ks")
    played = hand_of(CLASSIC, JUNK, f"{NINE} Ks", "Kh", moves, stock="Kd Kc As 2s")
    assert (played.knocker, played.turns, played.stock_left) == (1, 4, 27)
