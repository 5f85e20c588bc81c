"""The network of ``expert`` against a plain reading of its patterns, and what the file of its weights says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import gincore
from gincore.core.deadwood import least, makes_meld
from gincore.schema import VIEW_DTYPE
from gincore.strategies import expert, network
from gincore.strategies.danger import danger

RANDOM = np.random.default_rng(20)
WEIGHTS = RANDOM.normal(0, 0.3, network.SIZE)
ROWS = WEIGHTS[: network.EMBEDDINGS].reshape(network.ROWS, network.WIDTH)


def mask(cards: Any) -> np.uint64:
    return np.uint64(sum(1 << int(card) for card in cards))


def scratch() -> Any:
    return np.zeros(1, network.SCRATCH_DTYPE)[0]


def a_view(random: np.random.Generator) -> Any:
    """A view of eleven cards in the middle of a hand, filled as the engine would."""
    cards = random.permutation(52)
    view = np.zeros(1, VIEW_DTYPE).view(np.recarray)[0]
    view.hand = mask(cards[:11])
    view.pile = mask(cards[11:20])
    view.opp_threw = mask(cards[15:20])
    view.opp_took = mask(cards[18:22])  # two thrown again, two still held
    view.legal = view.hand
    view.stock, view.turn, view.knock_limit = 20, 9, 10
    view.opp_pickups, view.pickups = 4, 1
    view.gin_bonus, view.undercut_bonus = 25, 20
    view.target, view.my_score, view.opp_score = 100, 40, 75
    view.ace, view.ace_points, view.multiplier, view.drew = 0, 1, 1, -1
    return view


def plain_ahead(mine: set[int], gone: set[int]) -> float:
    """Mean over the cards that may be drawn of the least deadwood after the best discard, one by one."""
    hopes = set(range(52)) - mine - gone
    return float(np.mean([min(int(least(mask((mine | {new}) - {out}), 0)) for out in mine | {new}) for new in hopes]))


def plain_rows(
    view: Any, mine: set[int], pile: set[int], deadwood: int, head: int, thrown: int = -1
) -> tuple[list[int], float, float]:
    """Rows of a position, expected deadwood and danger, written from the description of the patterns."""
    threw = {card for card in range(52) if int(view.opp_threw) >> card & 1}
    took = {card for card in range(52) if int(view.opp_took) >> card & 1}
    state = [0] * 52
    for card in range(52):
        if card in mine:
            state[card] = 1
        elif card in pile:
            state[card] = 3 if card in threw else 2
        elif card in took:
            state[card] = 4
    rows = []
    for suit in range(4):
        for low in range(10):
            four = state[13 * suit + low : 13 * suit + low + 4]
            rows.append(low * 625 + sum(code * 5**place for place, code in enumerate(four)))
    for rank in range(13):
        four = [state[13 * suit + rank] for suit in range(4)]
        code = sum(four.count(kind) * 5 ** (kind - 1) for kind in range(1, 5))
        rows.append(network.RANKS_AT + rank * network.RANK_CODES + int(network.RANK_CODE[code]))
    rows += [
        network.STOCK_AT + 20,
        network.OPPONENT_AT + 4 * 24 + 4,
        network.PICKUPS_AT + 1,
        network.LIMIT_AT + 10,
        network.GIN_AT + 5,
        network.UNDERCUT_AT + 4,
        network.SCORE_AT + 52,
    ]
    hand = mask(mine)
    loose = int(least(hand, 2 * 8192))
    gone = pile | {card for card in took if card not in pile and card not in mine}
    live = sum(bool(makes_meld(hand, card, 0)) for card in set(range(52)) - mine - gone)
    rows.append(network.DEADWOOD_AT + 80 * loose + min(deadwood, 79))
    rows.append(network.OUTS_AT + 24 * loose + min(live, 23))
    rows.append(network.TEMPO_AT + 32 * min(deadwood // 2, 23) + 20)
    ahead = 0.0 if head == network.KNOCK else plain_ahead(mine, gone)
    risk = 0.0 if head != network.AFTER else float(danger(view, thrown, 4.0, 0.3))
    rows += [network.AHEAD_AT + 8 * min(int(ahead), 63) + 5, network.DANGER_AT + min(int(2 * risk), 23)]
    return [*rows, network.HEAD_AT + head], ahead, risk


def plain_value(rows: list[int], ahead: float, risk: float, head: int) -> float:
    """Forward pass in NumPy."""
    total = np.maximum(ROWS[rows].sum(axis=0), 0)
    start = network.EMBEDDINGS + head * network.HEAD_SIZE
    matrix = WEIGHTS[start : start + network.WIDTH * network.INNER].reshape(network.WIDTH, network.INNER)
    bias, out, last = np.split(WEIGHTS[start + network.WIDTH * network.INNER : start + network.HEAD_SIZE], [16, 32])
    return float(
        network.SCALE * (np.maximum(total @ matrix + bias, 0) @ out + last[0]) + ahead * last[1] + risk * last[2]
    )


def cards_of(hand: Any) -> set[int]:
    return {card for card in range(52) if int(hand) >> card & 1}


@pytest.mark.parametrize("number", range(8))
def test_the_best_throw_is_the_best_by_the_plain_reading(number: int) -> None:
    view = a_view(np.random.default_rng(number))
    mine, pile = cards_of(view.hand), cards_of(view.pile)
    worth, score = {}, {}
    for card in mine:
        left = mine - {card}
        rows, ahead, risk = plain_rows(view, left, pile | {card}, int(least(mask(left), 0)), network.AFTER, card)
        worth[card] = plain_value(rows, ahead, risk, network.AFTER)
        score[card] = worth[card] - WEIGHTS[network.PRIOR_AT] * (ahead + 0.25 * risk)
    work = scratch()
    best = expert.best_throw(view, WEIGHTS, view.hand, view.pile, view.legal, view.pickups, work)
    assert work.card == max(score, key=score.__getitem__)
    assert best == pytest.approx(worth[int(work.card)])


@pytest.mark.parametrize("number", range(4))
def test_the_value_of_a_knock_is_that_of_the_plain_reading(number: int) -> None:
    view = a_view(np.random.default_rng(number))
    mine, pile = cards_of(view.hand), cards_of(view.pile)
    card = min(mine)
    work = scratch()
    expert.best_throw(view, WEIGHTS, view.hand, view.pile, view.legal, view.pickups, work)
    found = expert.best_knock(view, WEIGHTS, view.hand, view.pile, mask([card]), np.int64(7), work)
    rows = plain_rows(view, mine - {card}, pile | {card}, 7, network.KNOCK)
    assert found == pytest.approx(plain_value(*rows, network.KNOCK))


@pytest.mark.parametrize("head", [network.STOCK, network.OFFERED_FIRST, network.OFFERED_SECOND])
def test_the_value_of_ten_cards_is_that_of_the_plain_reading(head: int) -> None:
    view = a_view(np.random.default_rng(head))
    mine = cards_of(view.hand) - {min(cards_of(view.hand))}
    view.hand = mask(mine)
    view.deadwood = least(view.hand, 0)
    found = expert.held(view, WEIGHTS, head, scratch())
    rows = plain_rows(view, mine, cards_of(view.pile), view.deadwood, head)
    assert found == pytest.approx(plain_value(*rows, head))


def test_live_outs_are_the_cards_that_make_a_meld() -> None:
    for _ in range(200):
        cards = RANDOM.permutation(52)
        hand, gone = mask(cards[:10]), mask(cards[10:18])
        live = {int(card) for card in cards[18:] if makes_meld(hand, int(card), 0)}
        assert cards_of(network.live_outs(hand, gone)) == live


def test_every_state_of_a_rank_has_a_number_of_its_own() -> None:
    codes = [a + 5 * b + 25 * c + 125 * d for a in range(5) for b in range(5 - a) for c in range(5 - a - b)
             for d in range(5 - a - b - c)]  # fmt: skip
    assert sorted(network.RANK_CODE[codes].tolist()) == list(range(network.RANK_CODES))


def test_weights_of_another_shape_are_refused(tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "small.npz", weights=np.zeros(3, np.float16))
    with pytest.raises(gincore.UsageError, match=r"small\.npz holds .* weights"):
        expert.load_weights(tmp_path / "small.npz")


def test_the_shipped_weights_say_where_they_come_from() -> None:
    with np.load(expert.WEIGHTS) as stored:
        weights: NDArray[np.float16] = stored["weights"]
        said = json.loads(str(stored["provenance"]))
    assert np.all(np.isfinite(weights))
    assert said["made_by"] == "scripts/tune.py"
    assert said["lessons"]
    assert all(lesson["hands"] > 0 and lesson["seed"] >= 0 for lesson in said["lessons"])
