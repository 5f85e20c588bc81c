"""Source 000, 'Comment jouer à Gin Rummy': games, matches, forms and variants, sentence by sentence.

Hands are literal; matches of every form are entered hand by hand (``literal_match.py``).
"""

from __future__ import annotations

import pytest
from literal import DEAD, Game, choice, game_of, gins, hand_of, says, showdown, won
from literal_match import match_of

import gincore

CLASSIC = gincore.rules("classic")
HOLLYWOOD = gincore.rules("hollywood")
PARTNERSHIP = gincore.rules("partnership")
CUTTHROAT = gincore.rules("cutthroat")
NINE = "Ac 2c 3c 4d 5d 6d 7h 8h 9h"
"""Three runs; a tenth card is the deadwood."""
GIN = "As 2s 3s 4s 5d 6d 7d 9h Th Jh"
TWENTY = "Ts Js Qs 8c 8d 8s 2h 4h 5c 9c"
"""Two melds and 2 + 4 + 5 + 9; no card fits on the runs of NINE."""
TEN = "Tc Jc Qc Td Jd Qd Th Jh Qh Ks"
"""Three runs and a king; of them only the ten of hearts would fit on NINE, and its run would be lost."""
JUNK = "2h 4h 6c 8c Td Qd Qs 9c 5c Jc"
"""No meld: 2 + 4 + 6 + 8 + 10 + 10 + 10 + 9 + 5 + 10 = 74."""


def play(rules: gincore.Rules, *strategies: str) -> gincore.GameRun:
    """A hundred games, sheets or matches, each twice."""
    return gincore.simulate_games(rules, strategies, games=100, seed=5, progress=False)


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


# ---------------------------------------------------------------- les joueurs


@says(
    "Le Gin Rummy est la variante de Rummy à 2 joueurs la plus populaire.",
    "Le Gin Rummy est le jeu de Rummy à 2 joueurs le plus populaire du monde anglophone, inventé par Elwood T. Baker à"
    " New York en 1909 et célèbrement associé à l'âge d'or des cartes à Hollywood.",
    "2 joueurs, face à face.",
)
def test_000_deux_joueurs(sentence: str) -> None:
    """Two players, neither one nor three, each against the other: what one wins the other does not."""
    for given in (1, 3):
        with pytest.raises(ValueError, match="exactly two are needed"):
            play(CLASSIC, *["simple"] * given)
    run = play(CLASSIC, "simple", "gin-only")
    assert set(run.games["winner"]) == set(run.hands["winner"].dropna()) == {0, 1}
    assert (run.hands[["points_0", "points_1"]].min(axis=1) == 0).all()


OCCASIONAL = says(
    "Des formes occasionnelles à 3 joueurs en cutthroat (le donneur ne joue pas) et à 4 joueurs en partenariat existent"
    " mais sont rares ; cette entrée décrit la partie dominante à 2 joueurs.",
)


@OCCASIONAL
def test_000_a_trois_en_cutthroat_le_donneur_ne_joue_pas(sentence: str) -> None:
    """Three players, of whom two play a hand; the loser deals the next one, and who dealt comes in."""
    for given in (2, 4):
        with pytest.raises(ValueError, match="cutthroat needs exactly three"):
            play(CUTTHROAT, *["simple"] * given)
    game = match_of(CUTTHROAT, [*won(1, 20), *won(0, 15), DEAD, *won(2, 5)])
    assert game.deals == (0, 2, 1, 1, 0), "2 lost to 1, then 1 to 0; nobody won the third hand; 0 lost to 2"
    assert game.leads == (1, 0, 2, 2, 1), "the player to the dealer's left"
    assert game.of("points", 3) == ([15], [20], [5])
    hands = play(CUTTHROAT, "simple", "gin-only", "simple").hands
    assert set(hands["sits_out"]) == set(hands["winner"].dropna()) == {0, 1, 2}
    for name in ("starter", "winner", "knocker", "upcard_taken_by"):
        assert not (hands[name] == hands["sits_out"]).any()


@OCCASIONAL
def test_000_a_quatre_en_partenariat(sentence: str) -> None:
    """Four players, two sides: each partner meets each opponent; two players would be both partners of a side."""
    for given in (1, 3, 5):
        with pytest.raises(ValueError, match="a partnership needs two, one a side, or four"):
            play(PARTNERSHIP, *["simple"] * given)
    game = match_of(PARTNERSHIP, won(0, 1, 1, 1, 1))
    assert set(game.tables) == {(0, 0), (1, 1), (0, 1), (1, 0)}
    assert len(play(PARTNERSHIP, "simple", "gin-only", "random", "simple").manifest["strategies"]) == 4


# ---------------------------------------------------------------- les matchs

MATCHES = says(
    "Les matchs de Gin Rummy se jouent généralement au meilleur des 3 ou au meilleur des 5 parties ; certains jouent"
    " jusqu'à 250 ou 500 pour une soirée plus longue.",
)
SWEEP = 100
"""One hand that is a game of 100 + 200 + 20 = 320 against a player without points."""


@MATCHES
@pytest.mark.parametrize(("best_of", "needed"), [(3, 2), (5, 3)])
def test_000_au_meilleur_des_3_ou_des_5_parties(sentence: str, best_of: int, needed: int) -> None:
    """Whoever has won two of three, three of five games has won: after as few games as that, or after all."""
    rules = gincore.rules("classic", match=f"best-of-{best_of}")
    assert not match_of(rules, won(1, *[SWEEP] * (needed - 1))).over
    straight = match_of(rules, won(1, *[SWEEP] * needed))
    assert (straight.over, straight.winner, len(straight.rows)) == (True, 1, needed)
    level = [*won(0, *[SWEEP] * (needed - 1)), *won(1, *[SWEEP] * (needed - 1))]
    assert not match_of(rules, level).over
    last = match_of(rules, [*level, *won(0, 30), DEAD, *won(1, 12), *won(0, 70)])
    assert (last.over, last.winner, len(last.rows)) == (True, 0, best_of)
    assert last.each("match_winner") == [-1] * (best_of - 1) + [0], "said in the last game's row"
    run = play(rules, "simple", "gin-only")
    assert set(run.matches["games"]) == set(range(needed, best_of + 1))


@MATCHES
@pytest.mark.parametrize("total", [250, 500])
def test_000_certains_jouent_jusqu_a_250_ou_500(sentence: str, total: int) -> None:
    """Read in both ways: one game to so many points, or games of 100 until the settled ones come to so many."""
    one = gincore.rules("classic", target=total)
    assert not game_of(one, won(0, 100, total - 101)).over
    assert game_of(one, won(0, 100, total - 100)).over
    games = gincore.rules("classic", match=f"points-{total}")
    # 100 + 100 + 20 against 1 + 20: 199 for the game
    worth_199 = [*won(1, 1), *won(0, 100)]
    needed = -(-total // 199)
    match = match_of(games, worth_199 * needed)
    assert (match.over, match.winner, match.each("margin")) == (True, 0, [199] * needed)
    assert not match_of(games, worth_199 * (needed - 1)).over
    other = match_of(games, [*won(0, 1), *won(1, 100)] * needed)
    assert (other.over, other.winner) == (True, 1)
    both = match_of(games, [*worth_199 * (needed - 1), *[*won(0, 1), *won(1, 100)] * needed])
    assert (both.over, both.winner) == (True, 1), "only games that a player is ahead in count for that player"


# ---------------------------------------------------------------- Hollywood


@says(
    "Hollywood Gin : trois colonnes de partie simultanées ; le gagnant de chaque main marque dans la première colonne"
    " où il n'a pas encore marqué, puis aussi dans les colonnes suivantes.",
)
def test_000_hollywood_trois_colonnes(sentence: str) -> None:
    """Read as usual: a player's first win in column 1, the second in 1 and 2, the third and later ones in all three.

    Each win so opens the first column in which its player has not scored yet, and goes on in those opened before.
    """
    sheets = [match_of(HOLLYWOOD, won(0, *[7, 5, 3, 2][:wins])) for wins in range(1, 5)]
    assert [sheet.of("points")[0] for sheet in sheets] == [[7, 0, 0], [12, 5, 0], [15, 8, 3], [17, 10, 5]]
    mixed = match_of(HOLLYWOOD, [*won(0, 7), *won(1, 20), *won(0, 5), *won(1, 10)])
    assert mixed.of("points") == ([12, 5, 0], [30, 10, 0]), "each player counts only wins of one's own"


@says("Crée une structure de match plus longue et chevauchante.")
def test_000_hollywood_plus_longue_et_chevauchante(sentence: str) -> None:
    """One hand is entered in columns that overlap; a sheet takes more hands than a game, and fewer than three."""
    assert match_of(HOLLYWOOD, won(0, 7, 5, 3)).of("hands_won")[0] == [3, 2, 1]
    per_game, per_sheet = (len(play(rules, "simple", "simple").hands) for rules in (CLASSIC, HOLLYWOOD))
    assert per_game < per_sheet < 3 * per_game


@says("Hollywood Gin marque trois parties simultanées à la fois.")
def test_000_hollywood_trois_parties(sentence: str) -> None:
    """Three games with a winner, a bonus and boxes each; the sheet goes on until the third is over."""
    hands = [*won(1, 9), *won(0, 60, 60), *won(1, 90, 80), *won(0, 50)]
    open_one = match_of(HOLLYWOOD, hands[:-1])
    assert not open_one.over
    assert open_one.of("points") == ([120, 60, 0], [9, 170, 80])
    full = match_of(HOLLYWOOD, [*hands, *won(1, 30)])
    assert full.over
    assert full.of("points") == ([120, 60, 50], [9, 170, 110])
    assert full.each("winner") == [0, 1, 1]
    assert full.of("total") == (
        [120 + 100 + 2 * 20, 60 + 20, 50 + 20],
        [9 + 20, 170 + 100 + 2 * 20, 110 + 100 + 2 * 20],
    )
    assert full.each("margin") == [260 - 29, 80 - 310, 70 - 250]
    assert full.winner == 1, "ahead in the sum of the three"


# ---------------------------------------------------------------- partenariat


@says(
    "Gin en partenariat : 4 joueurs en 2 partenariats, chaque partenaire joue une partie séparée ; les scores de"
    " l'équipe sont combinés à chaque main.",
    "Le Gin en partenariat associe 4 joueurs en 2 partenariats.",
)
def test_000_partenariat_les_scores_sont_combines(sentence: str) -> None:
    """Each round two hands at two tables: both results of a side are added, the side ahead has the difference."""
    both = match_of(PARTNERSHIP, won(0, 12, 30))
    assert (both.of("points"), both.of("boxes")) == (([42], [0]), ([20], [0]))
    against = match_of(PARTNERSHIP, [*won(0, 12), *won(1, 30)])
    assert (against.of("points"), against.of("boxes")) == (([0], [18]), ([0], [20]))
    one_dead = match_of(PARTNERSHIP, [DEAD, *won(1, 8)])
    assert one_dead.of("points") == ([0], [8])
    assert match_of(PARTNERSHIP, won(0, 12)).of("points") == ([0], [0]), "only when both tables have ended"
    whole = match_of(PARTNERSHIP, [*won(0, 12), *won(1, 30), *won(0, 60, 45)])
    assert whole.over
    assert (whole.of("points"), whole.each("margin")) == (([105], [18]), [105 + 100 + 20 + 25 - 18 - 20])
    tables = play(PARTNERSHIP, "simple", "simple").hands.groupby(["game", "mirror", "round"])["table"]
    assert (tables.size() == 2).all()
    assert (tables.first() == 0).all()
    assert (tables.last() == 1).all()


@says("Bonus de partenariat lorsque les deux partenaires gagnent la même main.")
def test_000_bonus_de_partenariat(sentence: str) -> None:
    """For each round in which both partners win, at the end; the text gives no number, 25 is ours."""
    twice = [*won(0, 40, 30), *won(1, 3), *won(0, 8), *won(0, 15, 20)]  # both, one each, both
    end = match_of(PARTNERSHIP, twice)
    assert (end.over, end.of("both_won"), end.of("points")) == (True, ([2], [0]), ([110], [0]))
    assert end.of("total")[0] == [110 + 200 + 3 * 20 + 2 * 25]
    other = match_of(PARTNERSHIP.replace(partnership_bonus=40), twice)
    assert other.of("total")[0] == [110 + 200 + 3 * 20 + 2 * 40]
    not_together = match_of(PARTNERSHIP, [*won(0, 60), DEAD, *won(0, 50), *won(1, 5)])
    assert (not_together.over, not_together.of("both_won")) == (True, ([0], [0]))


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


@says(
    "Si la carte visible est un pique, tous les scores de main sont doublés pour cette main.",
    "Oklahoma Gin fait varier le seuil de frappe en fonction de la carte visible et double les scores lorsque la"
    " carte visible est un pique.",
)
def test_000_oklahoma_un_pique_double(sentence: str) -> None:
    """Knock, gin with its bonus, and undercut with its bonus."""
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


@says("Les mains sont plus longues et plus risquées.")
def test_000_straight_gin_des_mains_plus_longues(sentence: str) -> None:
    """The same deals and players: more turns, and hands that end without a result, which gin with a knock has not."""
    classic, straight = (
        gincore.simulate(rules, ("simple", "simple"), deals=500, seed=1, progress=False).hands
        for rules in (CLASSIC, gincore.rules("classic", knock_limit=0))
    )
    assert straight["turns"].mean() > 1.5 * classic["turns"].mean()
    assert (straight["result"] == "dead").mean() > (classic["result"] == "dead").mean()


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
