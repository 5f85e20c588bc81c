"""Every sentence of source 000 that states a rule, on literal hands: 'Comment jouer à Gin Rummy'.

Sentences on strategy, history and how people feel about the game are left out. The preset is ``classic``; the variants
have their own.
"""

from __future__ import annotations

import brute
import pytest
from literal import DEAD, Game, choice, deal, game_of, gins, hand_of, says, showdown, won

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


# ---------------------------------------------------------------- la partie


@says(
    "Le premier à atteindre 100 points plus les bonus remporte la partie.",
    "Le premier joueur à atteindre 100 points (cumulés sur toutes les mains) remporte la PARTIE.",
    "Au cours de la partie, atteignez 100 points en premier (y compris les scores de mains et les bonus de"
    " sous-coupe/gin), puis encaissez le bonus de partie plus les bonus de cases.",
)
def test_000_le_premier_a_100_points(sentence: str) -> None:
    """99 is not enough and boxes do not help; gin and undercut bonuses, which are in the hand's points, do."""
    assert not game_of(CLASSIC, won(0, 33, 33, 33)).over
    done = game_of(CLASSIC, [*won(1, 70), *gins(0, 25 + 74), *won(0, 1)])
    assert (done.over, done.winner, done.pair("points")) == (True, 0, (100, 70))


def total(game: Game) -> tuple[int, int]:
    return game.pair("total")


@says(
    "La partie se joue jusqu'à 100 points ; les bonus de victoire comprennent un bonus de partie de 100 points (ou"
    " 200 pour un shutout) plus 20 par «case» (main gagnée).",
    "Partie : 100 pour gagner + bonus de partie de 100 points (200 si shutout) + 20 par case gagnée.",
    "Bonus de partie : le joueur qui atteint 100 en premier ajoute un bonus de partie de 100 points.",
    "Si l'ADVERSAIRE n'a marqué aucun point pendant la partie, le bonus de partie est doublé à 200 (appelé"
    " «schneider» ou «shutout»).",
    "Il ajoute ensuite le bonus de partie de 100 points (200 si l'adversaire n'a marqué aucun point), plus 20 par"
    " case de main gagnée.",
    "Bonus de partie : 100 points pour avoir gagné une partie ; 200 si l'adversaire n'a marqué aucun point.",
    "La structure des bonus de partie du Gin (100 pour la partie, 200 pour le shutout, 20 par case) est restée"
    " remarquablement stable depuis les années 1930.",
)
def test_000_bonus_de_partie_et_shutout(sentence: str) -> None:
    """100 + 100 + 3 boxes; and 100 + 200 + 2 boxes against a player without a point."""
    plain = game_of(CLASSIC, [*won(1, 12), *won(0, 40, 40, 20)])
    assert (total(plain), bool(plain.row["shutout"])) == ((100 + 100 + 60, 12 + 20), False)
    sweep = game_of(CLASSIC, won(0, 60, 40))
    assert (total(sweep), bool(sweep.row["shutout"])) == ((100 + 200 + 40, 0), True)


@says(
    "Bonus de case de partie : à la fin de la partie complète (100 points atteints), chaque joueur ajoute 20 points"
    " pour chaque main qu'il a gagnée (un «bonus de case» ou «bonus de ligne»).",
    "Bonus de case / ligne : bonus de 20 points par main gagnée, ajouté en fin de partie.",
)
def test_000_vingt_points_par_case_a_chaque_joueur(sentence: str) -> None:
    """Both add their boxes, at the end only: five hands of 18 do not make 100."""
    game = game_of(CLASSIC, [*won(1, 30, 30), *won(0, 50, 50)])
    assert game.pair("boxes") == (40, 40)
    assert total(game) == (100 + 100 + 40, 60 + 40)
    assert not game_of(CLASSIC, won(0, *[18] * 5)).over


def test_000_la_difference_nette_est_le_resultat() -> None:
    """
    Le score de l'adversaire est soustrait, et la différence nette finale est le résultat de cette partie.
    """
    game = game_of(CLASSIC, [*won(1, 12), *won(0, 40, 40, 20)])
    assert (game.winner, game.margin) == (0, 260 - 32)
    other = game_of(CLASSIC, [*won(0, 12), *won(1, 40, 40, 20)])
    assert (other.winner, other.margin) == (1, 32 - 260)


def test_000_jusqu_a_50_ou_250_points() -> None:
    """
    Pour une courte session, jouez jusqu'à 50 points au lieu de 100 ; pour une longue soirée, jouez jusqu'à 250.
    """
    assert game_of(gincore.rules("classic", target=50), won(0, 30, 20)).over
    long = gincore.rules("classic", target=250)
    assert not game_of(long, won(0, 100, 100, 49)).over
    assert game_of(long, won(0, 100, 100, 50)).over


# ---------------------------------------------------------------- variantes

OKLAHOMA = gincore.rules("oklahoma")


@says(
    "Oklahoma Gin : le rang de la carte visible détermine le bois mort maximum pouvant être frappé pour cette main"
    " (si la carte visible est un 7, vous ne pouvez frapper qu'avec 7 ou moins de bois mort ; si c'est un As, seul"
    " le Gin est autorisé ; si c'est un 10 ou une figure, le standard de 10 s'applique).",
    "Oklahoma Gin fait varier le seuil de frappe en fonction de la carte visible et double les scores lorsque la"
    " carte visible est un pique.",
)
@pytest.mark.parametrize(
    ("turned", "limit"),
    [
        *((f"{rank}h", "A23456789T".index(rank) + 1) for rank in "23456789T"),
        ("Ah", 0),
        ("Jh", 10),
        ("Qd", 10),
        ("Kc", 10),
    ],
)
def test_000_oklahoma_le_seuil_est_la_carte_visible(sentence: str, turned: str, limit: int) -> None:
    """A loose card of every value 1 to 10 beside three runs: legal up to the upcard's value; an ace is gin only."""
    for loose in "A23456789T":
        value = "A23456789T".index(loose) + 1
        legal = choice(OKLAHOMA, f"{NINE} {loose}s Ks", turned=turned).knock
        expected = {"Ks"} if value <= limit else set()
        if limit == 10:
            expected.add(f"{loose}s")
        assert legal == expected
    assert choice(OKLAHOMA, f"{GIN} Ks", turned=turned).knock >= {"Ks"}


def test_000_oklahoma_un_pique_double() -> None:
    """
    Si la carte visible est un pique, tous les scores de main sont doublés pour cette main.

    Knock, gin with its bonus, and undercut with its bonus.
    """
    for turned, factor in (("Ks", 2), ("Kd", 1)):
        knock = showdown(OKLAHOMA, f"{NINE} 2s", TWENTY, turned=turned)
        assert (knock.points, knock.doubled) == ((18 * factor, 0), factor - 1)
        gin = showdown(OKLAHOMA, GIN, JUNK, turned=turned)
        assert gin.points == ((25 + 74) * factor, 0)
        undercut = showdown(OKLAHOMA, f"{NINE} Ts", TEN.replace("Ks", "7s"), turned=turned)
        assert undercut.points == (0, (25 + 3) * factor)


@says(
    "Straight Gin : pas de frappe autorisée ; les joueurs doivent déclarer Gin (0 bois mort) pour terminer une main.",
    "Straight Gin interdit de frapper ; vous devez déclarer Gin.",
)
def test_000_straight_gin_interdit_de_frapper(sentence: str) -> None:
    """One point is too much; gin ends the hand."""
    straight = gincore.rules("classic", knock_limit=0)
    assert choice(straight, f"{NINE} As Ks").knock == frozenset()
    assert choice(straight, f"{GIN} Ks").knock == {"Ks"}
    assert showdown(straight, f"{NINE} As", TWENTY).result == "dead"


@says(
    "Manhattan Gin / Chicago Gin : variantes urbaines avec de légères modifications de décompte (différents bonus"
    " pour les sous-coupes ou différentes limites de bois mort).",
    "Manhattan et Chicago Gin sont des variantes urbaines avec de légères modifications de décompte.",
)
def test_000_manhattan_et_chicago(sentence: str) -> None:
    """The numbers are ours: undercut 10, limit 7; each preset changes nothing else."""
    manhattan, chicago = gincore.rules("manhattan"), gincore.rules("chicago")
    assert showdown(manhattan, f"{NINE} Ts", TEN).points == (0, 10)
    assert showdown(chicago, f"{NINE} 7s", TWENTY).result == "knock"
    assert choice(chicago, f"{NINE} 8s Ks").knock == frozenset()
    assert set(manhattan.differences(CLASSIC)) == {"undercut_bonus"}
    assert set(chicago.differences(CLASSIC)) == {"knock_limit"}


@says(
    "Pique double : si la carte supérieure de la défausse de l'adversaire lors de la frappe est un pique, le score"
    " de la main est doublé ; une règle maison populaire.",
    "Introduisez une règle maison simple de «pique double» pour ajouter du suspense en fin de main.",
)
def test_000_pique_double(sentence: str) -> None:
    """The defender's last discard: a spade doubles, taken by the knocker or not; the upcard is nobody's discard."""
    house = gincore.rules("spade-double")
    knocker, defender = f"{NINE} Kd", "Tc Jc Qc 8c 8d 8s 2h 4h 5c 9d"

    def after(thrown: str, draw: str) -> tuple[tuple[int, int], int]:
        moves = ("pass", "pass", "stock, Kc", f"stock, {thrown}", f"{draw}, knock Kd")
        played = hand_of(house, knocker, defender, "Qs", moves, stock=f"Kc {thrown} 2d")
        return played.points, played.doubled

    assert after("Ks", "stock") == ((2 * 18, 0), 1)
    assert after("Kh", "stock") == ((18, 0), 0)
    assert after("2s", "take") == ((2 * 18, 0), 1)
    first_turn = hand_of(house, knocker, defender, "2s", ("take, knock Kd",))
    assert (first_turn.points, first_turn.doubled) == ((18, 0), 0)
