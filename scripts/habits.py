"""Fits HABITS and TELLS of gincore/strategies/sample.py to play of expert and simple.

    python scripts/habits.py [--deals 500] [--rounds 4]

Each of the two meets each, and at every question the hand of the other player is kept. The habits are those of greatest
likelihood: from those that stand there, round by round (Newton's steps), they are changed until guesses have, on
average, as much deadwood, as many cards in no meld, and so on, as the hands have. The tells are a logistic regression
of who sits there on what was seen. On other deals guesses are then held against the hands. Some minutes on one core.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from gincore._jit import kernel
from gincore.schema import Phase
from gincore.strategies import get, sample
from gincore.strategies.contract import Table, cards_of

SEED = 31
GUESSES = 24
"""Hands of a chain in each round of the fit."""
RIDGE = 2.0
PLAYERS = ("expert", "simple")
"""Who is patient, and who is plain."""


class Seen(NamedTuple):
    """A question that was put, the hand that the other player held then, and who that was."""

    view: Any
    hand: int
    kind: int


def questions(players: Sequence[int], deals: int, first: int) -> Iterator[Seen]:
    """Every question after the upcard of hands between two of ``PLAYERS``, which change seats."""
    decide = [(each.functions(), each.values()) for each in map(get, PLAYERS)]
    for deal in range(first, first + deals):
        kinds = players if deal % 2 == 0 else players[::-1]
        live: dict[int, Any] = {}
        found: list[Seen] = []

        def answer(seat: int, kind: str, shown: Any, live: Any = live, found: Any = found, kinds: Any = kinds) -> Any:
            live[seat] = shown
            if int(shown.phase) != Phase.upcard and len(live) == 2:
                found.append(Seen(shown.copy(), int(live[1 - seat].hand), kinds[1 - seat]))
            place = ("draw", "discard", "knock").index(kind)
            functions, values = decide[kinds[seat]]
            return functions[place](shown, values[place])

        Table("eaai").play(Table.dealt(SEED, deal), answer)
        yield from found


@kernel
def counts(shown: Any, hands: Any, guess: Any, table: Any) -> None:
    """What each habit counts in each hand, ``table[hand, habit]``: the likelihood is linear in them."""
    guess.out = -1
    for k in range(table.shape[1]):
        guess.habits[:] = 0.0
        guess.habits[k] = 1.0
        sample.weigh(shown, guess.sure, guess)
        for i in range(len(hands)):
            table[i, k] = sample.likelihood(hands[i], shown, guess)


@kernel
def chain(shown: Any, kind: Any, weights: Any, guess: Any, hands: Any) -> None:
    """Fill ``hands`` with guesses by these weights."""
    sample.start(shown, kind, shown.random, guess)
    guess.habits[:] = weights
    sample.weigh(shown, guess.sure, guess)
    guess.score = sample.likelihood(guess.hand, shown, guess)
    sample.move_on(shown, 3 * sample.BURN, guess)
    for i in range(len(hands)):
        sample.move_on(shown, sample.THIN, guess)
        hands[i] = guess.hand


def fitted(found: list[Seen], kind: int, rounds: int) -> NDArray[np.float64]:
    """Habits of one kind of player under which the hands are most likely."""
    weights = np.array([habit[1 + kind] for habit in sample.HABITS], np.float64)
    guess = np.zeros(1, sample.GUESS_DTYPE)[0]
    hands, table = np.zeros(GUESSES, np.uint64), np.zeros((GUESSES, len(weights)))
    true = np.zeros((1, len(weights)))
    for _ in range(rounds):
        slope, curve = -RIDGE * weights, RIDGE * np.eye(len(weights))
        for shown, hand, _ in found:
            chain(shown, kind, weights, guess, hands)
            counts(shown, hands, guess, table)
            counts(shown, np.array([hand], np.uint64), guess, true)
            slope += true[0] - table.mean(0)
            curve += np.cov(table.T)
        step = np.linalg.solve(curve, slope)
        weights += step / max(1.0, 2 * float(np.abs(step).max()))
    return weights


def tells(found: list[Seen]) -> NDArray[np.float64]:
    """How what was seen tells a plain player from a patient one."""
    table, plain = np.zeros((len(found), len(sample.TELLS))), np.array([each.kind for each in found])
    for row, each in zip(table, found, strict=True):
        sample.tell(each.view, row)

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        said = 1 / (1 + np.exp(-table @ weights))
        missed = -np.log(np.where(plain, said, 1 - said)).mean()
        return float(missed), table.T @ (said - plain) / len(plain)

    best: NDArray[np.float64] = minimize(loss, np.zeros(table.shape[1]), jac=True).x
    return best


def guessed(found: list[Seen], kind: int | None, guesses: int = 200) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Probability that each unseen card is in the hand, by guesses (None: all hands alike); and whether it is."""
    said, true = [], []
    guess, hands = np.zeros(1, sample.GUESS_DTYPE)[0], np.zeros(guesses, np.uint64)
    for shown, hand, _ in found:
        sample.start(shown, kind or 0, shown.random, guess)
        unseen = cards_of(int((guess.hand | guess.pool) & ~guess.sure))
        hidden = len(cards_of(hand & ~int(guess.sure)))
        if kind is None:
            said += [hidden / len(unseen)] * len(unseen)
        else:
            chain(shown, kind, guess.habits.copy(), guess, hands)
            seen = [int((hands >> np.uint64(card) & np.uint64(1)).sum()) for card in unseen]
            said += [(times + 0.5) / (guesses + 1) for times in seen]
        true += [hand >> card & 1 == 1 for card in unseen]
    return np.array(said), np.array(true)


def report(said: NDArray[np.float64], true: NDArray[np.bool_]) -> str:
    """The loss, and the share of cards that were there by what was said."""
    loss = -np.where(true, np.log(said), np.log(1 - said)).mean()
    cells = []
    for low in np.arange(0.0, 1.0, 0.1):
        chosen = (said >= low) & (said < low + 0.1)
        if chosen.sum() >= 50:
            cells.append(f"{said[chosen].mean():.2f}: {true[chosen].mean():.2f} ({chosen.sum()})")
    return f"loss {loss:.4f}; said: found (cards) " + ", ".join(cells)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=500, help="deals of each pair of strategies")
    parser.add_argument("--rounds", type=int, default=4, help="steps of the fit")
    chosen = parser.parse_args()
    pairs = list(itertools.product(range(len(PLAYERS)), repeat=2))
    found = [each for pair in pairs for each in questions(pair, chosen.deals, 0)]
    habits = [fitted([each for each in found if each.kind == kind], kind, chosen.rounds) for kind in range(2)]
    for (name, *before), *after in zip(sample.HABITS, *habits, strict=True):
        print(f'    ("{name}", {after[0]:.2f}, {after[1]:.2f}),  # was {before[0]:.2f}, {before[1]:.2f}')
    for (name, earlier), now in zip(sample.TELLS, tells(found), strict=True):
        print(f'    ("{name}", {now:.2f}),  # was {earlier:.2f}')
    fresh = [each for pair in pairs for each in questions(pair, max(chosen.deals // 5, 1), chosen.deals)]
    for kind, name in enumerate(PLAYERS):
        some = [each for each in fresh if each.kind == kind]
        print(f"hands of {name}, by the habits before this fit")
        print(f"  all hands alike: {report(*guessed(some, None))}")
        print(f"  by habits: {report(*guessed(some, kind))}")


if __name__ == "__main__":
    main()
