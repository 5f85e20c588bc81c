"""The library of decisions: each under the contract, on literal hands, and against plain references."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, ClassVar

import brute
import numpy as np
import pytest
from script import HELD, OTHER, Script, card, layout, mask, names

import gincore
from gincore.core.deadwood import least_throwing
from gincore.core.tables import block
from gincore.schema import VIEW_DTYPE, Ace, Status
from gincore.strategies.contract import StrategyContract, Table
from gincore.strategies.danger import danger
from gincore.strategies.knocks import opponent_deadwood
from gincore.strategies.library import LIBRARY
from gincore.strategies.lookahead import total_after_draw
from gincore.strategies.unseen import unseen

TABLES: dict[str, tuple[list[float], dict[str, float]]] = {
    "by-table": ([10, 8, 6, 4, 2, -1], {"turn_bins": 3, "pickup_bins": 2}),
    "by-cells": (
        [0, 1, 1, 0, 0.5, 0, 1, 0.25],
        {"cell_limits": 1, "cell_deadwoods": 2, "cell_turns": 2, "cell_pickups": 2},
    ),
}
"""Tables for the decisions that read one, and their shapes."""


def using(kind: str, name: str, **params: float) -> gincore.Strategy:
    """Return ``simple`` with one decision of the library in place of its own."""
    chosen: dict[str, Any] = {kind: name}
    if name in TABLES:
        chosen["table"], params = TABLES[name]
    return gincore.Strategy(f"{kind}-{name}", **chosen, params=params)


for _entry in LIBRARY:
    _title = "".join(word.title() for word in f"{_entry.kind}-{_entry.name}".split("-"))
    globals()[f"Test{_title}"] = type(
        f"Test{_title}",
        (StrategyContract,),
        {"strategy": using(_entry.kind, _entry.name), "deals": 25, "opponents": ("simple",), "__module__": __name__},
    )


class TestEverythingAtOnce(StrategyContract):
    """No decision alone: the draws, discards and knocks with the most parameters."""

    strategy = gincore.Strategy("all", draw="bluff", discard="lookahead-safe", knock="by-score")
    deals: ClassVar[int] = 25


def test_names_never_clash() -> None:
    """A strategy has one decision of each kind, so a name means one thing in it; within a kind it always means one."""
    owners: dict[str, str] = {}
    meanings: dict[str, tuple[str, float, float]] = {}
    for entry in LIBRARY:
        for each in entry.parameters:
            assert owners.setdefault(each.name, entry.kind) == entry.kind, each.name
            said = each.meaning, each.low, each.high
            assert meanings.setdefault(each.name, said) == said, each.name
            assert each.low <= each.default <= each.high, each.name
    assert len({(entry.kind, entry.name) for entry in LIBRARY}) == len(LIBRARY)


def test_every_decision_says_what_it_does_and_cites_a_source() -> None:
    for entry in LIBRARY:
        assert entry.about.endswith("."), entry.name
        assert len(entry.about) <= 110, entry.name
        assert len(entry.source) > 30, entry.name


# ---------------------------------------------------------------- one question


class _Asked(Exception):
    """The script is at its end: this is the question to look at."""


def deal(first: str, upcard: str, stock: str = "") -> Any:
    """Return cards of a hand in which it does not matter what seat 1 holds."""
    used = {*first.split(), upcard, *stock.split()}
    return layout(first, " ".join([each for each in brute.DECK if each not in used][:10]), upcard, stock)


def view_after(cards: Any, moves: str, rules: str = "classic", **fields: Any) -> Any:
    """Play a script and return the view of the next question, with some fields set to other values."""
    script = Script(moves) if moves else None
    shown: list[Any] = []

    def answer(seat: int, kind: str, view: Any) -> int:
        if script is None or not script.moves:
            shown.append(view.copy())
            raise _Asked
        return script(seat, kind, view)

    with pytest.raises(_Asked):
        Table(rules).play(cards, answer)
    for name, value in fields.items():
        shown[0][name] = value
    return shown[0]


def answers(view: Any, kind: str, name: str, **params: float) -> set[int]:
    """All answers that a decision gives to a view, whatever the random word."""
    strategy, place = using(kind, name, **params), ("draw", "discard", "knock").index(kind)
    decide, values = strategy.functions()[place], strategy.values()[place]
    found = set()
    for word in range(64):
        other = view.copy()
        other.random = np.uint64((word * 0x9E3779B97F4A7C15) % 2**64)
        found.add(int(decide(other, values)))
    return found


def thrown(view: Any, name: str, **params: float) -> set[str]:
    return {brute.DECK[each] for each in answers(view, "discard", name, **params)}


# ---------------------------------------------------------------- draws

POOR = "Kc Qs Jh 9h 7c 5d 4c 3h 2c Ad"  # no meld: 61 points; the three of diamonds for the king leaves 54


def test_meld_and_never_leave_what_makes_no_meld() -> None:
    view = view_after(deal(POOR, "3d"), "")
    assert answers(view, "draw", "meld") == answers(view, "draw", "never") == {0}
    melds = view_after(deal("Kc Qs Jh 9h 7c 5d 4d 3h 2c Ad", "3d"), "")
    assert (answers(melds, "draw", "meld"), answers(melds, "draw", "never")) == ({1}, {0})


def test_improve_takes_for_as_many_points_as_it_is_told() -> None:
    view = view_after(deal(POOR, "3d"), "")
    assert [answers(view, "draw", "improve", draw_gain=gain) for gain in (1, 7, 8)] == [{1}, {1}, {0}]


def test_eager_takes_for_a_point_and_leaves_what_lowers_nothing() -> None:
    assert answers(view_after(deal(POOR, "3d"), ""), "draw", "eager") == {1}
    assert answers(view_after(deal(POOR, "Td"), ""), "draw", "eager") == {0}  # a ten for a ten
    gin = "Ac 2c 3c 4d 5d 6d 7h 8h 9h Th"
    assert answers(view_after(deal(gin, "Jh"), ""), "draw", "eager") == {1}  # it extends a run
    assert answers(view_after(deal(gin, "Jc"), ""), "draw", "eager") == {0}


def test_bluff_takes_low_first_upcards_now_and_then() -> None:
    cards = deal(POOR, "3d")
    view = view_after(cards, "")
    assert answers(view, "draw", "bluff") == {0, 1}
    assert answers(view, "draw", "bluff", bluff_share=1) == {1}
    assert answers(view, "draw", "bluff", bluff_share=0) == {0}
    assert answers(view, "draw", "bluff", bluff_share=1, bluff_points=3) == {1}
    assert answers(view, "draw", "bluff", bluff_share=1, bluff_points=2) == {0}
    later = view_after(cards, "0 leaves; 1 leaves; 0 throws Ad")
    assert answers(later, "draw", "bluff", bluff_share=1) == {0}


# ---------------------------------------------------------------- discards

RICH = "4h 5h 6h Kc Js Ts 9c 9d 3s 2c"  # a run, and 64 points: a lone king, two that wait for the nine or the queen


def eleven(hand: str, drawn: str, **fields: Any) -> Any:
    """Return the view in which seat 0 throws, after drawing from the stock on the first turn."""
    return view_after(deal(hand, "Jd", drawn), "0 leaves; 1 leaves", **fields)


def test_highest_throws_the_king_where_least_throws_any_ten() -> None:
    view = eleven(RICH, "Ks")
    assert thrown(view, "least") == {"Kc", "Ks", "Js", "Ts"}
    assert thrown(view, "highest") == {"Kc", "Ks"}
    assert thrown(eleven(RICH, "8d"), "highest") == {"Kc"}


def test_highest_spares_a_card_of_a_meld_that_is_not_laid() -> None:
    """Where the jacks are laid as a set the queen is loose, but with jack and ten it would make a run."""
    view = eleven("Jh Jc Js Th 9h 6c 5c 3s 2c As", "9d")
    assert thrown(view, "least") == {"Th"}
    assert thrown(view, "highest") == {"9d"}


def test_keep_pairs_breaks_no_pair_until_its_turn() -> None:
    view = eleven("4h 5h 6h Kc Kd Ts 8s 9c Td 3s", "2c")  # the tens are a pair, ten and eight wait for the nine
    assert thrown(view, "least") == {"Kc", "Kd", "Ts", "Td"}
    assert thrown(view, "keep-pairs") == {"9c"}
    assert thrown(view, "keep-pairs", pairs_until=0) == {"Kc", "Kd", "Ts", "Td"}
    paired = eleven("4h 5h 6h Kc Kd Ts 8s 9c Td 3s", "4s")  # three and four of spades; the nine stays alone
    assert thrown(paired, "keep-pairs") == {"9c"}
    every = eleven("4h 5h 6h Kc Kd Ts 8s 9s Td 3s", "4s")
    assert thrown(every, "keep-pairs") == {"Kc", "Kd", "Td"}  # none is alone: the least is left


def test_lookahead_and_outs_keep_what_may_still_become_a_meld() -> None:
    view = eleven(RICH, "8d")
    assert thrown(view, "least") == {"Kc", "Js", "Ts"}
    assert thrown(view, "lookahead") == {"Kc"}
    assert thrown(view, "outs") == {"Kc"}


def reference_cost(view: Any, name: str, house: brute.House) -> float:
    """Mean of the least deadwood over all cards that may be drawn, once a card is thrown; by exhaustive search."""
    kept = brute.from_mask(int(view.hand)) - {name}
    gone = brute.from_mask(int(view.hand | view.pile | view.opp_took))
    draws = [each for each in brute.DECK if each not in gone]
    return sum(brute.deadwood_after_discard(kept | {each}, house) for each in draws) / len(draws)


def discard_views(rules: str, count: int, seed: int) -> Iterator[Any]:
    """Yield views of discards from hands that are played at random."""
    random = Random(seed)
    for deal in range(count):
        found: list[Any] = []

        def answer(_seat: int, kind: str, view: Any, found: list[Any] = found) -> int:
            if kind == "discard":
                found.append(view.copy())
                legal = sorted(card(each) for each in names(view.legal))
                return random.choice(legal)
            return int(kind == "draw" and random.random() < 0.3)

        assert Table(rules).play(Table.dealt(seed, deal), answer).status == Status.ok
        yield random.choice(found)


@pytest.mark.parametrize(("rules", "ace", "ace_points"), [("classic", "low", 1), ("round-the-corner", "round", 15)])
def test_lookahead_is_the_mean_over_the_unseen_cards(rules: str, ace: str, ace_points: int) -> None:
    house = brute.House(ace=ace, ace_points=ace_points)
    for view in discard_views(rules, 5, seed=51):
        assert (view.ace, view.ace_points) == (Ace[house.ace], house.ace_points)
        costs = {each: reference_cost(view, each, house) for each in names(view.legal & ~view.repeats)}
        best = min(costs.values())
        assert thrown(view, "lookahead") == {each for each, cost in costs.items() if cost < best + 1e-9}


@pytest.mark.parametrize("ace", ["low", "high_low", "round"])
@pytest.mark.parametrize("make", [brute.uniform_hand, brute.dense_hand, brute.built_hand])
def test_the_short_cut_of_lookahead_is_none(ace: str, make: Any) -> None:
    """Laying out only the cards that touch the hand gives the same sum as laying out every one."""
    random = Random(f"{ace} {make.__name__}")
    house = brute.House(ace=ace, ace_points=15 if ace == "round" else 1)
    place = block(int(Ace[ace]), house.ace_points)
    for _ in range(150):
        hand = make(random, 10, house)
        rest = random.sample(sorted(set(brute.DECK) - hand), random.randrange(5, 43))
        own = np.uint64(brute.to_mask(hand))
        expected = sum(int(least_throwing(own | np.uint64(brute.to_mask([each])), place)) for each in rest)
        drawn = np.uint64(brute.to_mask(rest))
        assert total_after_draw(own, drawn, place, np.int64(house.ace_points)) == expected


def test_outs_counts_the_live_cards() -> None:
    """A weight above all deadwood leaves the count alone: the cards whose loss leaves most outs are thrown."""
    for view in discard_views("classic", 12, seed=52):
        live = {card(each): each for each in names(unseen(view))}
        counts = {}
        for each in names(view.legal & ~view.repeats):
            kept = brute.from_mask(int(view.hand)) - {each}
            counts[each] = sum(any(out in meld for meld in brute.melds_in(kept | {out})) for out in live.values())
        after = {each: float(view.after[card(each)]) for each in counts}
        costs = {each: after[each] - 20 * counts[each] for each in counts}
        best = min(costs.values())
        assert thrown(view, "outs", out_points=20) == {each for each, cost in costs.items() if cost == best}


def test_what_the_opponent_took_and_holds_is_not_drawn() -> None:
    cards = layout(RICH, "2h 7h 8h Th Kh 3d 7s 8s Jd Qd", "9s")
    view = view_after(cards, "0 leaves; 1 takes; 1 throws Qd; 0 leaves")
    assert names(view.opp_took) == {"9s"}
    assert names(unseen(view)) == set(brute.DECK) - names(view.hand) - {"9s", "Qd"}


# ---------------------------------------------------------------- danger

LONE = np.uint64(mask("Ac 2c 3c"))  # what is held, far from the cards that are asked about


def lone_view(**fields: Any) -> Any:
    view = np.zeros(1, VIEW_DTYPE)[0]
    view.hand = LONE
    for name, cards in fields.items():
        view[name] = np.uint64(mask(cards)) if isinstance(cards, str) else cards
    return view


@pytest.mark.parametrize(("name", "value"), [("9d", 6), ("Kd", 4), ("Qd", 5), ("Ad", 2), ("2h", 3), ("4c", 4)])
def test_danger_counts_as_the_guide_does(name: str, value: float) -> None:
    """The guide's safety values: nine 6, queen 5, king 4; what is held takes pairs away from ace, deuce and four."""
    assert danger(lone_view(), card(name), 4.0, 0.3) == value


def test_danger_where_cards_were_taken_thrown_and_left() -> None:
    nine = card("9d")
    assert danger(lone_view(opp_took="8d"), nine, 4.0, 0.3) == 3 + 4 + 4 + 1  # 7-8 and 8-T are likelier
    assert danger(lone_view(opp_took="8d", pile="8d"), nine, 4.0, 0.3) == 3 + 1  # thrown since
    assert danger(lone_view(opp_took="8d Td"), nine, 4.0, 0.3) == 3 + 4 + 16 + 4
    left = lone_view(opp_declined="9h", pile="9h")  # two pairs of nines are gone, the third would have met the heart
    assert danger(left, nine, 4.0, 0.25) == 0.25 + 3
    threw = lone_view(opp_threw="6d", pile="6d")  # seven and eight would have kept the six
    assert danger(threw, nine, 4.0, 0.25) == 3 + 0.25 + 2
    assert danger(lone_view(opp_threw="9d"), nine, 4.0, 0.25) == 6 * 0.25  # it came back


@pytest.mark.parametrize("rules", ["classic", "round-the-corner"])
def test_danger_is_a_sum_over_pairs(rules: str) -> None:
    """Against the definition: every pair of cards that would make a meld of three with the card that is thrown."""
    for view in discard_views(rules, 25, seed=55):
        melds = [meld for meld in brute.all_melds(Ace(int(view.ace)).name) if len(meld) == 3]
        seen, refused = names(view.hand | view.pile), names(view.opp_threw | view.opp_declined)
        for thrown_card in names(view.hand):
            expected = 0.0
            for pair in (meld - {thrown_card} for meld in melds if thrown_card in meld):
                if pair & seen:
                    continue
                met = any(pair | {each} in melds for each in refused)
                expected += 4.0 ** len(pair & names(view.opp_took)) * (0.25 if met else 1)
            assert danger(view, card(thrown_card), 4.0, 0.25) == expected


def test_danger_knows_where_runs_end() -> None:
    for ace, king, ace_itself in ((Ace.low, 4, 4), (Ace.high_low, 5, 5), (Ace.round, 6, 6)):
        view = lone_view(ace=int(ace), hand=np.uint64(0))
        assert danger(view, card("Kd"), 4.0, 0.3) == king
        assert danger(view, card("Ad"), 4.0, 0.3) == ace_itself


def test_safe_throws_what_the_opponent_cannot_use() -> None:
    """The opponent took the jack of hearts: of two equal tens the queen of hearts is kept."""
    cards = layout("4c 5c 6c Qh Kd 3s 2d As 7s 9d", "Jd Js 2h 4h 6h 8h Th 3d 5d 7d", "Jh", "8s 8c")
    view = view_after(cards, "0 leaves; 1 takes; 1 throws Th; 0 leaves")
    assert thrown(view, "least") == {"Qh", "Kd"}
    assert thrown(view, "safe") == thrown(view, "lookahead-safe", danger_weight=2) == {"Kd"}
    assert thrown(view, "safe", danger_weight=0) == {"Qh", "Kd"}


def test_no_danger_is_plain_lookahead() -> None:
    for view in discard_views("classic", 20, seed=53):
        assert thrown(view, "lookahead-safe", danger_weight=0) == thrown(view, "lookahead")
        assert thrown(view, "safe", danger_weight=0) == thrown(view, "outs", out_points=0)


# ---------------------------------------------------------------- knocks


def may_knock(**fields: Any) -> Any:
    """Return the view of a hand that may knock with five points, throwing the king."""
    return view_after(layout(HELD, OTHER, "Jc", "Kd"), "0 leaves; 1 leaves", **fields)


OUT, ON = {2 + card("Kd")}, {0}


def test_at_once_gin_only_and_fixed() -> None:
    view = may_knock()
    assert view.knock_deadwood == 5
    assert answers(view, "knock", "at-once") == OUT
    assert answers(view, "knock", "gin-only") == ON
    assert [answers(view, "knock", "fixed", limit=limit) for limit in (4, 5)] == [ON, OUT]


def test_by_turn() -> None:
    params = {"limit": 4, "late_limit": 6, "late_turn": 9}
    assert [answers(may_knock(turn=turn), "knock", "by-turn", **params) for turn in (8, 9)] == [ON, OUT]
    assert answers(may_knock(turn=9), "knock", "by-turn", limit=4) == ON


def test_by_pickups() -> None:
    def asked(turn: int, pickups: int, low: float = 0) -> set[int]:
        params = {"limit": 8, "turn_step": 0.5, "pickup_step": 1, "low_limit": low}
        return answers(may_knock(turn=turn, opp_pickups=pickups), "knock", "by-pickups", **params)

    assert [asked(2, 2), asked(6, 0), asked(0, 3)] == [OUT, OUT, OUT]
    assert [asked(4, 2), asked(8, 0), asked(0, 4)] == [ON, ON, ON]
    assert asked(30, 9, low=5) == OUT


def test_by_estimate() -> None:
    def asked(margin: float, pickups: int) -> set[int]:
        params = {"margin": margin, "opp_start": 20, "opp_end": 20, "opp_kept": 0.5}
        return answers(may_knock(opp_pickups=pickups), "knock", "by-estimate", **params)

    assert [asked(15, 0), asked(16, 0), asked(5, 1), asked(6, 1)] == [OUT, ON, OUT, ON]


def test_by_score() -> None:
    def asked(mine: int, theirs: int, target: int = 100, limit: float = 0, **fields: Any) -> set[int]:
        params = {"limit": limit, "opp_start": 25, "opp_end": 25, "far_behind": 30, "far_limit": 2}
        view = may_knock(my_score=mine, opp_score=theirs, target=target, **fields)
        return answers(view, "knock", "by-score", **params)

    assert [asked(80, 0), asked(79, 0), asked(80, 0, target=0)] == [OUT, ON, ON]  # 25 - 5 points reach a hundred
    assert asked(60, 0, multiplier=2) == OUT
    assert [asked(0, 29, limit=10), asked(0, 30, limit=10), asked(0, 30, 0, limit=10)] == [OUT, ON, OUT]


def test_by_table() -> None:
    mine = gincore.Strategy("t", knock="by-table", table=[[5, 4], [-1, 5]], params={"turn_bins": 2, "pickup_bins": 2})
    decide, values = mine.functions()[2], mine.values()[2]
    for turn, pickups, expected in (
        (0, 0, OUT),
        (0, 1, ON),
        (0, 7, ON),
        (1, 0, ON),
        (30, 0, ON),
        (1, 1, OUT),
        (30, 9, OUT),
    ):
        assert {int(decide(may_knock(turn=turn, opp_pickups=pickups), values))} == expected, (turn, pickups)


@pytest.mark.parametrize("name", [entry.name for entry in LIBRARY if entry.kind == "knock" and entry.name != "random"])
def test_gin_is_never_passed_by(name: str) -> None:
    view = view_after(layout(HELD, OTHER, "Jc", "4c"), "0 leaves; 1 leaves", turn=20, opp_pickups=6)
    assert view.knock_deadwood == 0
    reply = {1} if name in ("gin-only", "by-cells") else {2 + card("5s")}
    assert answers(view, "knock", name) == reply


def test_the_expected_deadwood_is_what_simple_holds() -> None:
    """The defaults of the estimate against hands: right on the whole, and by turn and pick-ups within three points."""
    hands = gincore.simulate("eaai", ("simple", "simple"), deals=20_000, seed=12, progress=False).hands
    hands = hands[hands["knocker"].notna()]
    held, turns = hands["defender_deadwood"].astype(int).to_numpy(), hands["turns"].astype(int).to_numpy() - 1
    pickups = np.where(hands["knocker"] == 0, hands["pickups_1"], hands["pickups_0"]).astype(int)
    curve = [using("knock", "by-estimate").params[name] for name in ("opp_start", "opp_end", "opp_life", "opp_kept")]
    table = np.array([[opponent_deadwood(turn, number, *curve) for number in range(12)] for turn in range(60)])
    expected = table[turns, pickups]
    assert abs(np.mean(expected - held)) < 0.5
    for turn in (4, 8, 12, 16, 20):
        for number in (0, 1, 2):
            cell = (turns == turn) & (pickups == number)
            if cell.sum() > 300:
                assert abs(np.mean(expected[cell] - held[cell])) < 3, (turn, number)


# ---------------------------------------------------------------- the best discard of eleven


@pytest.mark.parametrize("ace", ["low", "high_low", "round"])
@pytest.mark.parametrize("make", [brute.uniform_hand, brute.dense_hand, brute.built_hand])
def test_least_throwing_is_the_best_discard(ace: str, make: Any) -> None:
    random = Random(f"{ace} {make.__name__}")
    house = brute.House(ace=ace, ace_points=15 if ace == "round" else 1)
    place = block(int(Ace[ace]), house.ace_points)
    for _ in range(150):
        hand = make(random, 11, house)
        expected = brute.deadwood_after_discard(hand, house)
        assert least_throwing(np.uint64(brute.to_mask(hand)), place) == expected, sorted(hand)


def test_improve_is_the_gain_after_the_best_discard() -> None:
    """By exhaustive search, on top cards of hands that are played at random."""
    random, house, checked = Random(54), brute.House(), 0
    for deal in range(12):

        def answer(_seat: int, kind: str, view: Any) -> int:
            nonlocal checked
            if kind != "draw":
                return int(random.choice([card(each) for each in names(view.legal)])) if kind == "discard" else 0
            own, top = brute.from_mask(int(view.hand)), brute.DECK[int(view.top)]
            gain = brute.deadwood(own, house) - brute.deadwood_after_discard(own | {top}, house)
            if gain > 0:
                assert answers(view, "draw", "improve", draw_gain=gain) == {1}
            assert answers(view, "draw", "improve", draw_gain=gain + 1) == {0}
            melds = any(top in meld for meld in brute.melds_in(own | {top}))
            assert answers(view, "draw", "eager") == {int(gain > 0 or melds)}
            checked += 1
            return int(random.random() < 0.3)

        assert Table("classic").play(Table.dealt(54, deal), answer).status == Status.ok
    assert checked > 100
