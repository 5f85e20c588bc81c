"""Fits HABITS of gincore/strategies/sample.py to the hands that opponents hold, and says how well they are guessed.

    python scripts/habits.py [--deals 1500] [--strategy expert --strategy simple]

Each strategy meets each, and at every question the hand of the other player is compared with those hands that differ
from it in one hidden card: the habits make the real one as likely as possible among them (Besag, "Spatial interaction
and the statistical analysis of lattice systems", JRSS B 36, 1974). On other deals guesses are then held against the
hands: how often a card said to be there with some probability is there, and the mean logarithmic loss a card.
"""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from gincore._jit import kernel
from gincore.schema import Phase
from gincore.strategies import get, sample
from gincore.strategies.contract import Table, cards_of

SEED = 31
GUESSES = 200


def questions(players: Sequence[Any], deals: int, first: int, seed: int) -> Iterator[tuple[Any, int]]:
    """Every view after the upcard and, beside it, the hand that the other player held then."""
    decide = [(player.functions(), player.values()) for player in players]
    for deal in range(first, first + deals):
        cards = Table.dealt(seed, deal)
        live: dict[int, Any] = {}
        found: list[tuple[Any, int]] = []

        def answer(seat: int, kind: str, shown: Any, live: Any = live, found: Any = found) -> Any:
            live[seat] = shown
            if int(shown.phase) != Phase.upcard and len(live) == 2:
                found.append((shown.copy(), int(live[1 - seat].hand)))
            place = ("draw", "discard", "knock").index(kind)
            functions, values = decide[seat]
            return functions[place](shown, values[place])

        Table("eaai").play(cards, answer)
        yield from found


@kernel
def features(shown: Any, hands: Any, guess: Any, table: Any) -> None:
    """What each habit counts in each hand, ``table[hand, habit]``: the likelihood is linear in them."""
    for k in range(table.shape[1]):
        guess.habits[:] = 0.0
        guess.habits[k] = 1.0
        sample.weigh(shown, guess.sure, guess)
        for i in range(len(hands)):
            table[i, k] = sample.likelihood(hands[i], shown, guess)


@kernel
def counted(shown: Any, steps: Any, guess: Any, seen: Any) -> None:
    """Count in how many of ``GUESSES`` guesses each card is."""
    for _ in range(GUESSES):
        sample.move_on(shown, steps, guess)
        for card in range(52):
            seen[card] += (guess.hand >> np.uint64(card)) & np.uint64(1)


def compared(found: list[tuple[Any, int]], random: np.random.Generator) -> NDArray[np.float64]:
    """Features of real hands, first, and of the hands that have another card in place of one; missing ones are NaN."""
    table = np.full((len(found), 34, len(sample.HABITS)), np.nan)
    guess = np.zeros(1, sample.GUESS_DTYPE)[0]
    for rows, (shown, hand) in zip(table, found, strict=True):
        sample.start(shown, np.uint64(1), guess)
        hidden = cards_of(hand & ~int(guess.sure))
        hands = [hand]
        if hidden:
            rest = hand ^ 1 << int(random.choice(hidden))
            hands += [rest | 1 << card for card in cards_of(int(guess.hand | guess.pool) & ~hand)]
        features(shown, np.array(hands, np.uint64), guess, rows)
    return table


def fitted(table: NDArray[np.float64], ridge: float = 1e-5) -> NDArray[np.float64]:
    """Habits under which the real hands are most likely."""
    missing = np.isnan(table[:, :, 0])
    filled = np.nan_to_num(table)
    scale = filled.std((0, 1)) + 1e-9
    filled /= scale

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        score = np.where(missing, -np.inf, filled @ weights)
        score -= score.max(1, keepdims=True)
        share = np.exp(score)
        total = share.sum(1, keepdims=True)
        slope = (np.einsum("nj,njf->nf", share / total, filled) - filled[:, 0]).mean(0)
        value = float((np.log(total[:, 0]) - score[:, 0]).mean())
        return value + ridge * float(weights @ weights), slope + 2 * ridge * weights

    found: NDArray[np.float64] = minimize(loss, np.zeros(len(scale)), jac=True, method="L-BFGS-B").x / scale
    return found


def guessed(found: list[tuple[Any, int]], chain: bool) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Probability that each unseen card is in the hand, by guesses; and whether it is."""
    said, true = [], []
    guess = np.zeros(1, sample.GUESS_DTYPE)[0]
    for shown, hand in found:
        seen = np.zeros(52)
        sample.start(shown, shown.random, guess)
        sample.move_on(shown, sample.BURN if chain else 0, guess)
        counted(shown, sample.THIN, guess, seen)
        unseen = cards_of(int((guess.hand | guess.pool) & ~guess.sure))
        hidden = len(cards_of(hand & ~int(guess.sure)))
        said += [(seen[card] + 0.5) / (GUESSES + 1) if chain else hidden / len(unseen) for card in unseen]
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
    parser.add_argument("--deals", type=int, default=1_500, help="deals of each pair of strategies")
    parser.add_argument("--strategy", action="append", help="who plays; default: expert and simple")
    chosen = parser.parse_args()
    random = np.random.default_rng(SEED)
    players = [get(name) for name in chosen.strategy or ("expert", "simple")]
    pairs = list(itertools.product(players, repeat=2))
    found = [each for pair in pairs for each in questions(pair, chosen.deals, 0, SEED)]
    some = [found[k] for k in random.permutation(len(found))[: 8 * chosen.deals]]
    for (name, before), weight in zip(sample.HABITS, fitted(compared(some, random)), strict=True):
        print(f'    ("{name}", {weight:.2f}),  # was {before:.2f}')
    for pair in pairs:
        fresh = list(questions(pair, max(chosen.deals // 5, 1), chosen.deals, SEED))
        print(f"{pair[1].name} guessed by {pair[0].name}, and the other way round")
        for label, chain in (("all hands alike", False), ("by habits", True)):
            print(f"  {label}: {report(*guessed(fresh, chain))}")


if __name__ == "__main__":
    main()
