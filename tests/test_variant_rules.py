"""Hand options beyond the defaults, against the exhaustive oracle of ``brute.py`` and plain re-implementations.

Whole hands of many rule sets are played question by question: what may be thrown, what may go out and with how much,
the limit, the doubling and the showdown are worked out again from the cards. Then come eleven-card hands under
``min_melded``, the distribution of turned limits, and literal hands. Comparisons are exact, seeds fixed.
"""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import brute
import numpy as np
import pytest
from literal import choice, deal, hand_of, mask, showdown
from scipy.stats import chi2

import gincore
from gincore.core import batch
from gincore.errors import UsageError
from gincore.schema import HAND_DTYPE, Result
from gincore.strategies import get
from gincore.strategies.base import KINDS
from gincore.strategies.contract import Cards, Table

CLASSIC = gincore.rules("classic")

# ---------------------------------------------------------------- what the cards say


def house(rules: gincore.Rules, limit: int = 10) -> brute.House:
    return brute.House(rules.ace, rules.ace_points, limit, rules.gin_bonus, rules.undercut_bonus, rules.tie)


@cache
def lays(hand: brute.Cards, rules: gincore.Rules) -> tuple[tuple[brute.Arrangement, int], ...]:
    """Every arrangement of a hand that may be laid down as far as the melded cards go, and the points it leaves."""
    terms = house(rules)
    families = brute.families(brute.melds_in(hand, rules.ace))
    found = [(family, brute.points(brute.loose(hand, family), terms.ace_points)) for family in families]
    if rules.min_melded is None:
        return tuple(found)
    return tuple((family, left) for family, left in found if sum(map(len, family)) >= rules.min_melded)


def least_laid(ten: brute.Cards, rules: gincore.Rules) -> int | None:
    """Least deadwood that can be laid down going out with these ten cards, None if too few are melded."""
    return min((left for _, left in lays(ten, rules)), default=None)


def limit_of(rules: gincore.Rules, turned: str) -> int | None:
    """Return the limit that a turned card gives; None where deadwood does not matter."""
    if rules.min_melded is not None:
        return None
    if isinstance(rules.knock_limit, int):
        limit = rules.knock_limit
    elif turned[0] in rules.low_limit_is_gin:
        return 0
    else:
        limit = brute.VALUES[turned[0]]
    return limit - 1 if rules.knock_strict else limit


def going_out(eleven: brute.Cards, throws: brute.Cards, rules: gincore.Rules, limit: int | None) -> dict[str, int]:
    """Return the cards with which going out is legal, and the least deadwood that is laid then."""
    laid = {card: least_laid(eleven - {card}, rules) for card in throws}
    return {card: left for card, left in laid.items() if left is not None and (limit is None or left <= limit)}


def settled(
    rules: gincore.Rules, knocker: brute.Cards, defender: brute.Cards, limit: int | None
) -> tuple[int, str, int, int]:
    """Return the knocker's net points, the result, and both deadwoods, all by trying every arrangement."""
    terms = house(rules)
    own = brute.deadwood(defender, terms)
    options = lays(knocker, rules)
    best: tuple[int, int, str, int] | None = None
    least = min(left for _, left in options)
    for family, left in options:
        free = rules.knocker_spread == "best" and least > 0
        if left > (least if not free else 1_000 if limit is None else limit):
            continue
        if left == 0:
            kind = "big_gin" if len(knocker) == 11 else "gin"
            bonus = rules.big_gin_bonus if kind == "big_gin" else rules.gin_bonus
            rest = brute.answer(family, defender, terms) if rules.layoff_on_gin else own
            net = 0 if rest == 0 and rules.gin_cancelled_at_zero else bonus + rest
        else:
            rest = brute.answer(family, defender, terms)
            outcome = brute.score(left, rest, terms)
            kind, net = outcome.kind, outcome.net
        if best is None or (net, -left) > best[:2]:
            best = (net, -left, kind, rest)
    assert best is not None
    return best[0], best[2], -best[1], best[3]


# ---------------------------------------------------------------- whole hands

VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    "ace high or low": ("classic", {"ace": "high_low"}),
    "ace around the corner, 15": ("classic", {"ace": "round", "ace_points": 15}),
    "ace high or low, 15, best spread": ("classic", {"ace": "high_low", "ace_points": 15, "knocker_spread": "best"}),
    "best spread": ("classic", {"knocker_spread": "best", "tie": "nothing"}),
    "ties to the knocker": ("classic", {"tie": "knocker", "undercut_bonus": 10}),
    "lay-offs on gin": ("classic-big-gin", {"layoff_on_gin": True}),
    "gin cancelled": ("round-the-corner", {"big_gin": True}),
    "strict limit": ("classic", {"knock_strict": True, "knock_limit": 8}),
    "second deck": ("second-deck", {}),
    "second deck, not strict": ("second-deck", {"knock_strict": False, "low_limit_is_gin": {"A"}, "doubling": "none"}),
    "oklahoma, strict": ("oklahoma", {"knock_strict": True}),
    "eight melded": ("grand-gin", {}),
    "eight melded, round, best spread": ("round-the-corner-15", {"knocker_spread": "best"}),
    "eight melded, no big gin": ("rummy-100", {}),
    "nine melded": ("grand-gin", {"min_melded": 9, "big_gin": False, "layoff_on_gin": False}),
    "spade thrown": ("spade-double", {"big_gin": True}),
    "eleven dealt": ("classic-big-gin", {"upcard_offer": "none_eleven"}),
    "eleven dealt, second deck": ("second-deck", {"upcard_offer": "none_eleven"}),
    "card may go back": ("classic", {"return_taken": True}),
    "last discard to go out": ("straight", {"last_discard": "knock_only"}),
    "gin rummy pro": ("gin-rummy-pro-oklahoma", {}),
}
DEALS = 25


def name(card: int) -> str:
    return brute.DECK[card]


def check_hand(rules: gincore.Rules, cards: Cards, answer: Any) -> str:
    """Play a hand and work out every question and the row again from the cards."""
    played = Table(rules).play(cards, answer)
    assert played.status == 0
    eleven_dealt = rules.upcard_offer == "none_eleven"
    turned = name(cards.second_deck if rules.knock_limit == "second_deck" else cards.upcard)
    limit = limit_of(rules, turned)
    throws: dict[int, list[str]] = {0: [], 1: []}
    for turn, card in enumerate(played.thrown):
        first = played.questions[-1].seat if not played.thrown else _seat_of_turn(played, turn)
        if card >= 0:
            throws[first].append(name(card))
    for place, question in enumerate(played.questions):
        seen = question.view
        assert seen.knock_limit == (127 if limit is None else limit)
        if question.kind == "draw":
            continue
        eleven = brute.from_mask(int(seen.hand))
        assert len(eleven) == 11
        legal = eleven
        if seen.drew_from == 1 and not rules.return_taken:
            legal = eleven - {name(int(seen.drew))}
        assert brute.from_mask(int(seen.legal)) == legal
        if place % 3 and question.kind == "discard":
            continue  # the rest takes time
        out = going_out(eleven, legal, rules, limit)
        assert brute.from_mask(int(seen.knocks)) == set(out)
        if out:
            least = min(out.values())
            assert seen.knock_deadwood == least
            assert brute.from_mask(int(seen.knock_least)) == {card for card, left in out.items() if left == least}
        assert seen.can_big_gin == (rules.big_gin and brute.deadwood(eleven, house(rules)) == 0)
        assert question.kind == "discard" or out or seen.can_big_gin
        for card in sorted(legal)[:3]:
            assert seen.after[brute.DECK.index(card)] == brute.deadwood(eleven - {card}, house(rules))
    row = played.row
    assert row.knock_limit == (-1 if limit is None else limit)
    assert row.stock_left == 31 - (row.turns - row.pickups_0 - row.pickups_1) + eleven_dealt
    result = Result(int(row.result)).name
    if result in {"dead", "stalled"}:
        assert (row.points_0, row.points_1, row.winner, row.knocker) == (0, 0, -1, -1)
        assert result == "stalled" or row.stock_left == 2
        return result
    knocker = int(row.knocker)
    hands = [brute.from_mask(int(view.hand)) for view in played.views]
    assert len(hands[knocker]) == (11 if result == "big_gin" else 10)
    assert len(hands[1 - knocker]) == 10
    net, kind, mine, theirs = settled(rules, hands[knocker], hands[1 - knocker], limit)
    spade = rules.doubling == "upcard_spade" and turned[1] == "s"
    if rules.doubling == "last_discard_spade":
        spade = bool(throws[1 - knocker]) and throws[1 - knocker][-1][1] == "s"
    assert (result, row.knocker_deadwood, row.defender_deadwood) == (kind, mine, theirs)
    assert row.doubled == spade
    assert (row.points_0 - row.points_1) * (1 if knocker == 0 else -1) == net * (2 if spade else 1)
    tied = mine == theirs
    nobody = (kind == "knock" and tied and rules.tie == "nothing") or (
        kind in {"gin", "big_gin"} and rules.gin_cancelled_at_zero and theirs == 0
    )
    assert row.winner == (-1 if nobody else 1 - knocker if kind == "undercut" else knocker)
    return result


def _seat_of_turn(played: Any, turn: int) -> int:
    """Who played that turn: turns alternate from whoever was first asked to throw or to go out."""
    first = next(question for question in played.questions if question.kind != "draw")
    return (first.seat + turn - int(first.view.turn)) % 2


def answers(*names: str) -> Any:
    """Two shipped strategies as the answers at a table."""
    players = [(get(each).functions(), get(each).values()) for each in names]

    def answer(seat: int, kind: str, seen: Any) -> Any:
        functions, values = players[seat]
        place = KINDS.index(kind)
        return functions[place](seen, values[place])

    return answer


@pytest.mark.parametrize("variant", VARIANTS)
def test_whole_hands_follow_from_their_cards(variant: str) -> None:
    preset, options = VARIANTS[variant]
    rules = gincore.rules(preset, **options)
    results = []
    for pair in (("simple", "simple"), ("gin-only", "simple")):
        answer = answers(*pair)
        results += [check_hand(rules, Table.dealt(17, number), answer) for number in range(DEALS)]
    assert len(set(results) - {"dead", "stalled"}) >= (1 if variant in {"last discard to go out"} else 2), results


def rich_cards(seed: int, rules: gincore.Rules) -> Cards:
    """A deal in which both players hold melds, so that hands end soon, with lay-offs and ties."""
    rng = random.Random(seed)
    terms = house(rules)
    first = brute.built_hand(rng, 10, terms)
    rest = [card for card in brute.DECK if card not in first]
    near = [card for card in rest if brute.touches(card, first)]
    pool = near if len(near) >= 10 else rest
    tries = [frozenset(rng.sample(pool, 10)) for _ in range(20)]
    second = min(tries, key=lambda hand: brute.deadwood(hand, terms))
    others = [card for card in rest if card not in second]
    rng.shuffle(others)
    numbers = [brute.DECK.index(card) for card in others]
    return Cards(
        brute.to_mask(first), brute.to_mask(second), numbers[0], tuple(numbers[1:]), (seed, seed + 1), rng.randrange(52)
    )


@pytest.mark.parametrize("variant", VARIANTS)
def test_rich_hands_follow_from_their_cards(variant: str) -> None:
    """Good hands dealt on purpose: showdowns with lay-offs, gins, undercuts."""
    preset, options = VARIANTS[variant]
    rules = gincore.rules(preset, **options)
    results = [check_hand(rules, rich_cards(seed, rules), answers("simple", "simple")) for seed in range(60)]
    assert sum(result not in {"dead", "stalled"} for result in results) > 25, results


# ---------------------------------------------------------------- eight melded cards


@pytest.mark.parametrize(("ace", "ace_points"), [("low", 1), ("high_low", 15), ("round", 15)])
@pytest.mark.parametrize("fewest", [8, 7])
def test_min_melded_against_brute_force(ace: str, ace_points: int, fewest: int) -> None:
    """Eleven-card hands built from melds: what may go out, with how much deadwood, gin and big gin."""
    rules = gincore.rules("grand-gin", ace=ace, ace_points=ace_points, min_melded=fewest)
    rng = random.Random(f"{ace} {fewest}")
    legal = gins = 0
    for _ in range(100):
        eleven = brute.built_hand(rng, 11, house(rules))
        names = sorted(eleven)
        drawn = rng.choice(names)
        seen = choice(rules, " ".join(names), drawn=drawn)
        out = going_out(eleven, eleven, rules, None)
        assert seen.knock == set(out)
        assert seen.big_gin == (brute.deadwood(eleven, house(rules)) == 0)
        if out:
            legal += 1
            assert seen.knock_deadwood == min(out.values())
            gins += min(out.values()) == 0
    assert 20 < legal < 100
    assert gins > 3


def test_min_melded_lays_eight_cards_though_seven_would_leave_less() -> None:
    """Seven: kings, 5-6-7-8, left are Q, A and 2 = 13. Eight: Q-K-A-2, 5-6-7-8, left are two kings."""
    rules = gincore.rules("grand-gin", ace="round")
    knocker, defender = "Qc Kc Ac 2c Kd Kh 5s 6s 7s 8s", "2h 6c 8c 4d Jd Qd Tc 7d Jh 2d"
    assert (gincore.deadwood([knocker], rules)[0], least_laid(brute.cards(knocker), rules)) == (13, 20)
    seen = choice(rules, f"{knocker} 9h")
    assert (seen.knock, seen.deadwood, seen.knock_deadwood) == ({"Kd", "Kh", "9h"}, 12, 19)
    played = showdown(rules, knocker, defender)
    assert (played.result, played.deadwood[0], played.sets) == ("knock", 20, "")
    assert played.runs == "Ac 2c Qc Kc 5s 6s 7s 8s"


# ---------------------------------------------------------------- aces


def test_v06_lay_offs_around_the_corner() -> None:
    """K then Q on A-2-3; 4 and 5 at the other end; where the ace is low only 4 and 5 fit."""
    knocker, defender = "Ac 2c 3c 5d 6d 7d 9h Th Jh 2s", "Kc Qc 4c 5c 8h 8s Ts 3d Jd 6s"
    around = showdown(gincore.rules("classic", ace="round"), knocker, defender)
    assert around.laid_off == "4c 5c Qc Kc 8h"
    assert showdown(CLASSIC, knocker, defender).laid_off == "4c 5c 8h"
    both = showdown(gincore.rules("classic", ace="high_low"), knocker, defender)
    assert both.laid_off == "4c 5c 8h", "an ace below a two has no king under it"


def test_an_ace_above_a_king_is_an_end() -> None:
    """Q-K-A takes the jack; the two and three only where runs go around the corner."""
    knocker, defender = "Qc Kc Ac 5d 6d 7d 9h Th Jh 2s", "Jc 2c 3c 4h 8s Ts 3d Jd 6s 9d"
    high = showdown(gincore.rules("classic", ace="high_low"), knocker, defender)
    assert (high.runs, high.laid_off) == ("Ac Qc Kc 5d 6d 7d 9h Th Jh", "Jc")
    around = showdown(gincore.rules("classic", ace="round"), knocker, defender)
    assert around.laid_off == "2c 3c Jc"
    assert choice(CLASSIC, f"{knocker} Ks").knock == frozenset()


def test_one_ace_cannot_be_high_and_low() -> None:
    """K-Q-A-2-3 of a suit with the ace high or low: one run of three, and two cards are left."""
    for ace, points in (("low", 20), ("high_low", 5), ("round", 0)):
        assert gincore.spreads("Qc Kc Ac 2c 3c", gincore.rules("classic", ace=ace))[0].points == points


def test_an_ace_of_15_points_may_not_knock() -> None:
    rules = gincore.rules("classic", ace_points=15)
    assert choice(rules, "2c 3c 4c 5d 6d 7d 9h Th Jh As Ks").knock == {"As"}
    assert choice(CLASSIC, "2c 3c 4c 5d 6d 7d 9h Th Jh As Ks").knock == {"As", "Ks"}


# ---------------------------------------------------------------- lay-offs on gin

GIN = "As 2s 3s 5d 6d 7d 9h Th Jh Qh"
ALL_OFF = "4s 5s 8d 9d 8h 7h Kh Kc Kd Ks"
"""Without lay-offs the kings are a set and the rest counts; 4s 5s, 8d 9d, 8h 7h fit on GIN."""


def test_v07_gin_with_lay_offs() -> None:
    """A defender at zero cancels the gin where the rules say so; one card of seven left and it scores 20 + 7."""
    off = gincore.rules("round-the-corner")
    cancelled = showdown(off, GIN, ALL_OFF)
    assert (cancelled.result, cancelled.winner, cancelled.points, cancelled.deadwood) == ("gin", None, (0, 0), (0, 0))
    kept = showdown(off.replace(gin_cancelled_at_zero=False), GIN, ALL_OFF)
    assert (kept.winner, kept.points) == (0, (20, 0))
    seven = showdown(off, GIN, ALL_OFF.replace("7h", "7c"))
    assert (seven.winner, seven.deadwood, seven.points) == (0, (0, 7), (20 + 7, 0))
    never = showdown(off.replace(layoff_on_gin=False, gin_cancelled_at_zero=False), GIN, ALL_OFF)
    assert never.deadwood[1] == brute.deadwood(brute.cards(ALL_OFF), brute.House("round", 15))
    assert never.laid_off == ""


def test_v07_a_cancelled_big_gin() -> None:
    rules = gincore.rules("round-the-corner", big_gin=True, big_gin_bonus=31)
    eleven = f"{GIN} Kh"
    played = showdown(rules, eleven, ALL_OFF.replace("Kh", "4d"))
    assert (played.result, played.winner, played.points) == ("big_gin", None, (0, 0))
    left = showdown(rules, eleven, ALL_OFF.replace("Kh", "5c"))
    assert (left.winner, left.points) == (0, (31 + 5, 0))


def test_v07_chains_wrap_on_a_gin() -> None:
    """K, Q and J of spades follow the ace around the corner."""
    played = showdown(gincore.rules("round-the-corner"), GIN, "Ks Qs Js 2c 4h 6h 8c Tc 4c 7c")
    assert played.laid_off == "", "they are a run of their own as well"
    chained = showdown(gincore.rules("round-the-corner"), GIN, "Ks Qs Jc 2c 4h 6h 8c Tc 4c 7c")
    assert chained.laid_off == "Qs Ks"


# ---------------------------------------------------------------- turned cards

LIMITS: dict[str, tuple[str, dict[str, Any], dict[int, int]]] = {
    "second deck": ("second-deck", {}, {0: 2, 9: 4} | dict.fromkeys(range(2, 9), 1)),
    "second deck, not strict": (
        "second-deck", {"knock_strict": False, "low_limit_is_gin": set()}, {10: 4} | dict.fromkeys(range(1, 10), 1),
    ),
    "oklahoma": ("oklahoma", {}, {0: 1, 10: 4} | dict.fromkeys(range(2, 10), 1)),
    "oklahoma, an ace is 1": ("gin-rummy-pro-oklahoma", {}, {10: 4} | dict.fromkeys(range(1, 10), 1)),
    "oklahoma, strict": ("oklahoma", {"knock_strict": True}, {0: 1, 9: 4} | dict.fromkeys(range(1, 9), 1)),
}  # fmt: skip


def rows_of(rules: gincore.Rules, deals: int, *names: str) -> Any:
    rows, fault = np.zeros(deals, HAND_DTYPE), np.zeros(8, np.int64)
    assert batch.play_hands([get(each) for each in names], rules.to_record(), 21, 0, False, rows, fault) == 0
    return rows


@pytest.mark.parametrize("which", LIMITS)
def test_v04_distribution_of_limits(which: str) -> None:
    """Chi-square over 26,000 deals; over seeds each of the five fails once in 10,000."""
    preset, options, thirteenths = LIMITS[which]
    rules = gincore.rules(preset, **options)
    deals = 26_000
    rows = rows_of(rules, deals, "simple", "simple")
    found = np.bincount(rows["knock_limit"], minlength=11)
    assert set(np.flatnonzero(found).tolist()) == set(thirteenths)
    expected = {limit: deals * share / 13 for limit, share in thirteenths.items()}
    square = sum((found[limit] - mean) ** 2 / mean for limit, mean in expected.items())
    assert square < chi2.isf(1e-4, len(expected) - 1)
    decided = rows["result"] < Result.dead
    if rules.doubling == "upcard_spade":
        spread = 4 * (0.1875 / decided.sum()) ** 0.5
        assert abs(rows["doubled"][decided].mean() - 0.25) < spread
    else:
        assert not rows["doubled"].any()
    assert not rows["doubled"][~decided].any()


def test_the_second_deck_is_a_whole_deck_of_its_own() -> None:
    """Its card may be one that is dealt, and says nothing about the upcard: correlation within 4 / sqrt(n)."""
    rules = gincore.rules("second-deck", knock_strict=False, low_limit_is_gin=set())
    deals = [deal(rules, number) for number in range(2_000)]
    turned = [dealt.limit for dealt in deals]
    upcards = [brute.VALUES[dealt.upcard[0]] for dealt in deals]
    assert abs(np.corrcoef(turned, upcards)[0, 1]) < 4 / 2_000**0.5
    spades = sum(dealt.multiplier == 2 for dealt in deals)
    assert abs(spades / 2_000 - 0.25) < 4 * (0.1875 / 2_000) ** 0.5


# ---------------------------------------------------------------- eleven dealt, cards back, the last discard

NINE = "Ac 2c 3c 4d 5d 6d 7h 8h 9h"
JUNK = "2h 4h 6c 8c Td Qd Qs 9c 5c Jc"


def test_none_eleven_the_first_player_holds_eleven() -> None:
    """No upcard, 31 in the stock; the first turn is a discard, or going out; the upcard is not offered."""
    rules = gincore.rules("classic", upcard_offer="none_eleven", big_gin=True)
    for number in range(20):
        dealt = deal(rules, number)
        assert (len(dealt.first), len(dealt.second), len(dealt.stock)) == (11, 10, 31)
        assert (dealt.upcard, dealt.pile) == ("", frozenset())
    knock = hand_of(rules, f"{NINE} 2s Ks", JUNK, moves=("deal, knock Ks",))
    assert (knock.result, knock.turns, knock.stock_left, knock.upcard_taken_by) == ("knock", 1, 31, -1)
    big = hand_of(rules, f"{NINE} Th Jh", JUNK, moves=("deal, big gin",))
    assert (big.result, big.turns, big.points) == ("big_gin", 1, (31 + 74, 0))
    taken = hand_of(rules, f"{JUNK} 2s", f"{NINE} Ks", moves=("deal, 2s", "take, knock Ks"))
    assert (taken.knocker, taken.deadwood[0], taken.pickups_1, taken.stock_left) == (1, 2, 1, 31)
    dead = hand_of(rules, f"{NINE} 2s Ks", JUNK)
    assert (dead.result, dead.stock_left, dead.turns) == ("dead", 2, 30)


def test_return_taken() -> None:
    """The card from the pile may go back at once, also to go out."""
    back = gincore.rules("classic", return_taken=True)
    eleven = f"{NINE} 5s Ks"
    assert choice(back, eleven, pile=True).throw == brute.cards(eleven)
    assert choice(back, eleven, pile=True).knock == {"5s", "Ks"}
    assert choice(CLASSIC, eleven, pile=True).knock == {"5s"}
    played = hand_of(back, f"{NINE} 5s", JUNK, "Ks", ("take, knock Ks",))
    assert (played.result, played.deadwood[0], played.upcard_taken_by) == ("knock", 5, 0)


@pytest.mark.parametrize("last_discard", ["dead", "knock_only"])
def test_last_discard(last_discard: str) -> None:
    """The defender of the last discard goes out with it, knocking as well as with gin, or the hand is dead."""
    rules = gincore.rules("classic", last_discard=last_discard)
    first, second = JUNK, f"{NINE} Ks"
    stock = [card for card in brute.DECK if card not in {*first.split(), *second.split(), "Kh", "2s", "Ts"}]
    for thrown, laid in (("2s", 2), ("Ts", 10)):
        order = [*stock[:28], thrown]
        moves = ["pass", "pass", *(f"stock, {card}" for card in order), "last, knock Ks"]
        played = hand_of(rules, first, second, "Kh", moves, stock=" ".join(order))
        if last_discard == "dead":
            assert (played.result, played.turns, played.stock_left) == ("dead", 29, 2)
        else:
            assert (played.result, played.knocker, played.deadwood[0]) == ("knock", 1, laid)
            assert (played.turns, played.stock_left, played.pickups_1) == (30, 2, 1)
    far = f"{NINE.replace('9h', 'Qd')} Ks"
    order = [card for card in brute.DECK if card not in {*JUNK.replace("Qd", "9h").split(), *far.split(), "Kh"}]
    moves = ["pass", "pass", *(f"stock, {card}" for card in order[:29]), "last, knock Ks"]
    useless = hand_of(rules, JUNK.replace("Qd", "9h"), far, "Kh", moves, stock=" ".join(order))
    assert (useless.result, useless.turns, useless.pickups_1) == ("dead", 29, 0)


# ---------------------------------------------------------------- both spreads

L16 = ("5s 6s 7s 8s Td Jd Qd Kd Ah Ac", "9s Ts Kc Qh Jh 2d 3d 8d 8h 5c")
L22 = ("Ac 2c 3c 4c 2d Ah 3h As 2s 3s", "5c Jc Ad 5d Jd 2h 4h 5h Jh Js")


@pytest.mark.parametrize(
    ("pair", "strict", "free"),
    [(L16, (54, 0), (65, 0)), (L22, (0, 25), (1, 0))],
    ids=["L16 a card kept back", "L22 a lost hand turned"],
)
def test_knocker_spreads(pair: tuple[str, str], strict: tuple[int, int], free: tuple[int, int]) -> None:
    assert showdown(CLASSIC, *pair).points == strict
    best = gincore.rules("classic", knocker_spread="best")
    assert showdown(best, *pair).points == free


def test_best_spread_keeps_to_eight_melded_cards() -> None:
    """Under min_melded a card may be kept back only while eight are laid."""
    rules = gincore.rules("grand-gin", knocker_spread="best")
    played = showdown(rules, *L16)
    assert played.points == (54, 0), "with the eight of spades kept back only seven would be laid"


# ---------------------------------------------------------------- contradictions

CONTRADICTIONS: list[tuple[dict[str, Any], str]] = [
    ({"knock_limit": 0, "knock_strict": True}, "no way to go out"),
    ({"min_melded": 8, "knock_strict": True}, "min_melded"),
    ({"min_melded": 8, "knock_limit": "upcard"}, "min_melded"),
    ({"min_melded": 8, "knock_limit": "second_deck"}, "min_melded"),
    ({"low_limit_is_gin": {"A"}}, "low_limit_is_gin"),
    ({"low_limit_is_gin": {"A", "2"}, "knock_limit": 5}, "low_limit_is_gin"),
    ({"gin_cancelled_at_zero": True}, "layoff_on_gin"),
    ({"upcard_offer": "none_eleven", "knock_limit": "upcard"}, "none_eleven"),
    ({"upcard_offer": "none_eleven", "doubling": "upcard_spade"}, "none_eleven"),
    ({"ace": "round", "layoff": "melds_first"}, "ace = low"),
    ({"ace": "high_low", "knocker_spread": "random_minimum"}, "ace = low"),
]


@pytest.mark.parametrize(("options", "reason"), CONTRADICTIONS)
def test_options_that_contradict_each_other_are_refused(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        gincore.rules("classic", **options)


@pytest.mark.parametrize("options", [options for options, _ in CONTRADICTIONS])
def test_a_file_of_contradictions_is_refused(options: dict[str, Any], tmp_path: Any, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    lines = ['base = "classic"']
    for option, value in options.items():
        text = str(sorted(value)) if isinstance(value, set) else str(value).lower() if value is True else repr(value)
        lines.append(f"{option} = {text}".replace("'", '"'))
    (tmp_path / "house.toml").write_text("\n".join(lines))
    with pytest.raises(UsageError, match=r"house\.toml"):
        gincore.rules("./house.toml")


def test_masks_of_literal_hands_are_those_of_the_package() -> None:
    """The helper of these tests numbers cards as the package does."""
    for card in brute.DECK:
        assert mask(card) == gincore.parse_hand(card)
