"""``rollout``: guesses that agree with what was seen, play-outs that end as in the engine, answers that are clear."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from script import at_random, card, layout, mask, names, play

import gincore
from gincore.core import batch, tables
from gincore.core.bits import bit
from gincore.core.deadwood import least
from gincore.schema import HAND_DTYPE, VIEW_DTYPE, Phase, Source, Status
from gincore.strategies import expert, get, playout, rollout, sample
from gincore.strategies.contract import Table, cards_of
from gincore.strategies.worth import UNIT, usual_chances

DECK = (1 << 52) - 1
RULE_SETS = ("classic", "eaai", "round-the-corner", "straight", "rummy-100")
WEIGHTS = np.concatenate([expert.load_weights(), usual_chances().ravel()])


def questions(rules: str, deals: int, seed: int, answer: Any = at_random) -> list[tuple[Any, int]]:
    """Views of random play after the upcard, each with the hand that the other player holds."""
    found: list[tuple[Any, int]] = []
    for deal in range(deals):
        live: dict[int, Any] = {}

        def note(seat: int, kind: str, shown: Any, live: Any = live) -> Any:
            live[seat] = shown
            if len(live) == 2:
                found.append((shown.copy(), int(live[1 - seat].hand)))
            return answer(seat, kind, shown)

        Table(rules).play(Table.dealt(seed, deal), note)
    return found


def new_guess(shown: Any, kind: int = sample.PATIENT) -> Any:
    guess = np.zeros(1, sample.GUESS_DTYPE)[0]
    sample.start(shown, kind, np.uint64(5), guess)
    return guess


# ---------------------------------------------------------------- guesses


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_guess_agrees_with_what_was_seen(rules: str) -> None:
    checked = 0
    for shown, truth in questions(rules, 12, 3):
        guess = new_guess(shown)
        for _ in range(4):
            hand, pool = int(guess.hand), int(guess.pool)
            assert hand.bit_count() == 10
            assert pool.bit_count() == shown.stock
            own = int(shown.hand) | int(shown.pile)
            assert not hand & pool
            assert hand | pool | own == DECK
            assert not (hand | pool) & own
            taken = int(shown.opp_took) & ~int(shown.pile) & ~int(shown.hand)
            assert taken & ~hand == 0
            assert taken & ~truth == 0
            sample.move_on(shown, np.int64(10), guess)
            checked += 1
    assert checked > 500


def test_hands_are_visited_as_often_as_they_are_likely() -> None:
    """Six unseen cards, of which the opponent holds three: twenty hands, against the likelihood of each."""
    shown = np.zeros(1, VIEW_DTYPE)[0]
    held, taken = mask("Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc"), mask("Kd Kh Ks Qd Jd Td 9d")
    unseen = ["Kc", "8d", "Qh", "2s", "3s", "7h"]
    shown.hand, shown.opp_took = held, taken
    shown.pile = DECK & ~(held | taken | mask(" ".join(unseen)))
    shown.opp_threw, shown.opp_declined, shown.turn, shown.ace_points = mask("Qs 2h 7s"), mask("4s 8h"), 12, 1
    guess = new_guess(shown)
    weights = {
        taken | mask(" ".join(three)): math.exp(
            sample.likelihood(np.uint64(taken | mask(" ".join(three))), shown, guess)
        )
        for three in itertools.combinations(unseen, 3)
    }
    total, seen, tries = sum(weights.values()), dict.fromkeys(weights, 0), 20_000
    for _ in range(tries):
        sample.move_on(shown, np.int64(12), guess)
        seen[int(guess.hand)] += 1
    for hand, weight in weights.items():
        share = weight / total
        assert seen[hand] / tries == pytest.approx(share, abs=5 * math.sqrt(share / tries) + 1e-4), names(hand)


def test_the_score_of_a_guess_is_kept_up_to_date() -> None:
    for shown, _ in questions("classic", 4, 9):
        guess = new_guess(shown)
        sample.move_on(shown, np.int64(50), guess)
        assert guess.score == sample.likelihood(guess.hand, shown, guess)


@pytest.fixture(scope="module")
def played() -> list[tuple[Any, int]]:
    """Questions of ``expert``, in seat 0, and ``simple``, with the other's hand."""
    functions = [(each.functions(), each.values()) for each in (get("expert"), get("simple"))]

    def answer(seat: int, kind: str, shown: Any) -> Any:
        decide, params = functions[seat]
        place = ("draw", "discard", "knock").index(kind)
        return decide[place](shown, params[place])

    return questions("eaai", 180, 21, answer)


def test_guesses_foretell_the_hands_of_expert_and_simple(played: list[tuple[Any, int]]) -> None:
    """The logarithmic loss is lower than with all hands alike, and cards come as often as was said. Fixed seed."""
    said, alike, true = [], [], []
    for shown, truth in played[:1_000:3]:
        guess = new_guess(shown, sample.PLAIN if shown.seat == 0 else sample.PATIENT)
        sample.move_on(shown, sample.BURN, guess)
        count, rounds = np.zeros(52), 60
        for _ in range(rounds):
            sample.move_on(shown, sample.THIN, guess)
            count[cards_of(int(guess.hand))] += 1
        unseen = cards_of((int(guess.hand) | int(guess.pool)) & ~int(guess.sure))
        hidden = 10 - int(guess.sure).bit_count()
        said += [(count[each] + 0.5) / (rounds + 1) for each in unseen]
        alike += [hidden / len(unseen)] * len(unseen)
        true += [truth >> each & 1 for each in unseen]
    guessed, even, found = np.array(said), np.array(alike), np.array(true)
    losses = [-np.where(found, np.log(p), np.log(1 - p)).mean() for p in (guessed, even)]
    assert losses[0] < losses[1] - 0.03
    for low, high in ((0.0, 0.2), (0.2, 0.4), (0.4, 0.6), (0.6, 1.0)):
        chosen = (guessed >= low) & (guessed < high)
        assert chosen.sum() > 30
        assert abs(guessed[chosen].mean() - found[chosen].mean()) < 0.1


def test_guessed_deadwood_is_that_of_the_hands_turn_by_turn(played: list[tuple[Any, int]]) -> None:
    """Of either's hand, told who it is, and of both, not told: within 2.5 points in every sixth turn. Fixed seed."""
    place, tells = tables.block(0, 1), np.zeros(len(sample.TELLS))
    rows: list[tuple[int, int, float, float, float]] = []
    for shown, truth in played[::2]:
        means = []
        for kind in (sample.PATIENT, sample.PLAIN):
            guess = new_guess(shown, kind)
            sample.move_on(shown, sample.BURN, guess)
            points = []
            for _ in range(16):
                sample.move_on(shown, sample.THIN, guess)
                points.append(int(least(guess.hand, place)))
            means.append(np.mean(points))
        held, kind = float(least(np.uint64(truth), place)), 1 - int(shown.seat)
        share = sample.plain_share(shown, 0.5, tells)
        blind = (1 - share) * means[0] + share * means[1]
        rows.append((kind, int(shown.turn) // 6, held, float(means[kind]), float(blind)))
    table = np.array(rows)
    for turns in range(4):
        some = table[table[:, 1] == turns]
        for chosen, guessed in ((some[some[:, 0] == 0], 3), (some[some[:, 0] == 1], 3), (some, 4)):
            assert len(chosen) > 30
            assert abs(chosen[:, guessed].mean() - chosen[:, 2].mean()) < 2.5


def test_a_plain_player_would_have_gone_out(played: list[tuple[Any, int]]) -> None:
    """Guesses of a plain player's hand have more deadwood than the limit; those of a patient one's need not."""
    place = tables.block(0, 1)
    few = {sample.PATIENT: 0, sample.PLAIN: 0}
    for shown, _ in played:
        if shown.turn >= 14:
            for kind in few:
                guess = new_guess(shown, kind)
                sample.move_on(shown, sample.BURN, guess)
                few[kind] += int(least(guess.hand, place)) <= int(shown.knock_limit)
    assert few[sample.PLAIN] == 0
    assert few[sample.PATIENT] > 20


def test_low_cards_thrown_tell_a_patient_player() -> None:
    """Who throws aces and leaves the deadwood is not ``simple``; before anything was seen the prior stands."""
    shown, tells = np.zeros(1, VIEW_DTYPE)[0], np.zeros(len(sample.TELLS))
    assert sample.plain_share(shown, 0.5, tells) == pytest.approx(0.5, abs=0.05)
    assert sample.plain_share(shown, 0.0, tells) == 0
    assert sample.plain_share(shown, 1.0, tells) == 1
    shown.turn, shown.opp_threw = 8, mask("Kd Qs Jh Th")
    high = sample.plain_share(shown, 0.5, tells)
    shown.opp_threw = mask("Kd Qs Ah 2c")
    assert sample.plain_share(shown, 0.5, tells) < high / 2


# ---------------------------------------------------------------- play-outs


def space_of(shown: Any, theirs: int) -> Any:
    """Play-outs of a view against one hand."""
    space = np.zeros(1, playout.SPACE_DTYPE)[0]
    playout.prepare(shown, 0.0, space)
    playout.guess_on(shown, np.int64(0), space)
    space.patient.hand = theirs
    space.patient.pool = DECK & ~(theirs | int(shown.hand) | int(shown.pile))
    playout.set_out(shown, np.int64(0), space)
    return space


def test_the_opponent_sees_what_the_opponent_would_see() -> None:
    """Their view in a play-out, field by field, is the one that the engine showed them before, moved on."""
    fields = ("pile", "opp_took", "opp_threw", "opp_declined", "took", "threw", "declined", "pickups", "opp_pickups")
    checked = 0
    for deal in range(20):
        live: dict[int, Any] = {}

        def note(seat: int, kind: str, shown: Any, live: Any = live) -> Any:
            nonlocal checked
            live[seat] = shown
            if len(live) == 2:
                other = live[1 - seat]
                theirs = space_of(shown, int(other.hand)).theirs
                assert {name: int(theirs[name]) for name in fields} == {name: int(other[name]) for name in fields}
                for name in ("hand", "seat", "stock", "deadwood", "knock_limit", "top"):
                    assert theirs[name] == other[name], name
                checked += 1
            return at_random(seat, kind, shown)

        Table("classic").play(Table.dealt(4, deal), note)
    assert checked > 200


@pytest.mark.parametrize("thrown", ["Kd", "9h"])
def test_a_knock_in_a_play_out_scores_as_in_the_engine(thrown: str) -> None:
    cards = layout("Ac 2c 3c 4d 5d 6d 7h 8h 9h 5s", "2h 4h 6h Th Kh 3s 7s 9s Jd Qd", "Ks", "Kd")
    played = play(
        "classic", cards, f"0 leaves; 1 leaves; 0 knocks {thrown}" if thrown == "Kd" else "0 leaves; 1 leaves; 0 knocks"
    )
    shown = next(question.view for question in played.questions if question.kind == "knock")
    space = space_of(shown, cards.second)
    left = int(shown.after[card("Kd")])
    points = playout.settled(space.mine, space.theirs, np.int64(card("Kd")), np.int64(left), WEIGHTS, space)
    assert points == int(played.row.points_0) - int(played.row.points_1)


def test_points_count_for_the_game_that_is_played() -> None:
    cards = layout("Ac 2c 3c 4d 5d 6d 7h 8h 9h 5s", "2h 4h 6h Th Kh 3s 7s 9s Jd Qd", "Ks", "Kd")
    shown = next(
        each.view for each in play("classic", cards, "0 leaves; 1 leaves; 0 knocks").questions if each.kind == "knock"
    )
    shown.my_score, shown.opp_score, shown.target = 90, 30, 100
    space = space_of(shown, cards.second)
    points = playout.settled(space.mine, space.theirs, np.int64(card("Kd")), np.int64(5), WEIGHTS, space)
    assert points == pytest.approx(UNIT * (1 - usual_chances()[90, 30]))  # the game is won, whatever the points


# ---------------------------------------------------------------- answers


def asked(kind: str, shown: Any, **params: float) -> int:
    """Answer of rollout to a view."""
    player = get("rollout").with_params(**{"samples": 64, **params})
    place = ("draw", "discard", "knock").index(kind)
    return int(player.functions()[place](shown, player.values()[place]))


def in_the_middle(held: str, drew: str, *, pile: str = "", took: str = "", threw: str = "", turn: int = 8) -> Any:
    """The view of a player who has drawn ``drew`` from the stock in the middle of a hand."""
    shown = np.zeros(1, VIEW_DTYPE)[0]
    rules = gincore.rules("classic").to_record()
    shown.hand, shown.pile = mask(held) | mask(drew), mask(pile) if pile else 0
    shown.opp_took, shown.opp_threw = mask(took) if took else 0, mask(threw) if threw else 0
    shown.threw = int(shown.pile) & ~int(shown.opp_threw)
    shown.phase, shown.turn, shown.seat = Phase.discard, turn, turn % 2
    shown.top, shown.drew, shown.drew_from = cards_of(int(shown.pile))[-1], card(drew), Source.stock
    shown.opp_pickups = int(shown.opp_took).bit_count()
    shown.stock = 52 - 11 - int(shown.pile).bit_count() - 10
    shown.knock_limit, shown.gin_bonus, shown.undercut_bonus = 10, 25, 25
    shown.ace_points, shown.multiplier, shown.random = 1, 1, np.uint64(2**63 + 12345)
    from gincore.core import view

    view.eleven(shown, tables.discards(int(rules.ace), int(rules.ace_points)), rules, np.uint64(0))
    return shown


def test_the_card_that_gives_the_opponent_gin_is_kept() -> None:
    """They took nine cards that make three melds. The seven of hearts would be a tenth; the six of spades is safe."""
    pile, taken = "Js Jd 4c 5c Td Tc 2d", "4h 5h 6h 9d 9s 9h Qc Qd Qs"
    shown = in_the_middle("Ac 2c 3c 4d 5d 6d Kd Kh Ks 7h", "6s", pile=pile, took=taken, threw="Js 4c Td 2d", turn=20)
    assert asked("discard", shown) == card("6s")
    assert asked("discard", shown, samples=8, turns=1, trust=0) == card("6s")


def test_gin_is_taken_and_laid_down() -> None:
    held = "Ac 2c 3c 4d 5d 6d 7h 8h 9h 5s"
    shown = in_the_middle(held, "Th", pile="Kd Ks Qs Qd")
    shown.phase = Phase.knock
    assert asked("knock", shown) == 2 + card("5s")
    offered = in_the_middle("Ac 2c 3c 4d 5d 6d 7h 8h Js 5s", "Kc", pile="Kd Ks Qs 9h")
    offered.hand = mask("Ac 2c 3c 4d 5d 6d 7h 8h Th 5s")
    offered.phase, offered.drew, offered.drew_from, offered.deadwood = Phase.draw, -1, Source.nothing, 30
    offered.pile, offered.top, offered.stock = mask("Kd Ks Qs 9h"), card("9h"), 28
    assert asked("draw", offered) == 1


def test_nine_points_far_from_gin_knock_early() -> None:
    shown = in_the_middle("Ac 2c 3c 4c 5d 6d 7d 8d 5s 4h", "Kd", pile="Ks Qs", turn=2)
    shown.phase = Phase.knock
    assert asked("knock", shown) == 2 + card("Kd")


def test_the_last_discard_ends_the_hand_one_way_or_the_other() -> None:
    shown = in_the_middle("Ac 2c 3c 4d 5d 6d 8h 9h Th As", "Kd", pile="Ks Qs")
    shown.phase = Phase.last
    assert asked("knock", shown) == 2 + card("Kd")


def test_answers_depend_on_the_view_alone() -> None:
    """The same view, the same answer, whatever was asked in between; few guesses answer by the random word."""
    found = [shown for shown, _ in questions("classic", 6, 17) if shown.phase == Phase.discard]
    before = [asked("discard", shown, samples=3, trust=0) for shown in found]
    again = [asked("discard", shown, samples=3, trust=0) for shown in reversed(found)][::-1]
    assert before == again
    for shown in found:
        shown.random = np.uint64(int(shown.random) ^ 0xABCDEF)
    assert before != [asked("discard", shown, samples=3, trust=0) for shown in found]


@pytest.mark.parametrize("params", [{"trust": 0, "doubt": 0}, {"turns": 0}, {"candidates": 1}, {"turns": 1000}])
def test_extreme_parameters_give_legal_answers(params: dict[str, float]) -> None:
    player, rows, fault = (
        get("rollout").with_params(samples=2, **params),
        np.zeros(8, HAND_DTYPE),
        np.zeros(8, np.int64),
    )
    record = gincore.rules("classic").to_record()
    assert batch.play_hands((player, get("simple")), record, 7, 0, True, rows, fault) == Status.ok


@pytest.mark.parametrize("preset", gincore.preset_names())
def test_answers_are_legal_under_every_preset(preset: str) -> None:
    """At a table of two; forms for more players deal such tables too."""
    rows, fault = np.zeros(8, HAND_DTYPE), np.zeros(8, np.int64)
    player, record = get("rollout,samples=3"), gincore.rules(preset).to_record()
    for opponent in ("random", "rollout,samples=2,turns=2"):
        assert batch.play_hands((player, get(opponent)), record, 11, 0, True, rows, fault) == Status.ok, fault


def test_a_candidate_far_behind_is_not_tried_and_a_close_one_is() -> None:
    race = np.zeros(1, rollout.RACE_DTYPE)[0]
    params = get("rollout").values()[1]
    for place, word in enumerate((5.0, 4.9, -60.0)):
        rollout.enter(race, place, place, word)
    assert rollout.give_up(3, 0, params, race) == 2
    assert race.runs[:3].tolist() == [1, 1, 0]
    race.points[:2] = 10.0, -20.0
    for tried in range(1, 40):
        race.points[1] = -20.0 + tried % 3
        rollout.note(3, race)
    assert rollout.give_up(3, 39, params, race) == 1
    assert rollout.leader(3, 39, params, race) == 0
    assert bit(race.moves[0]) == 1
