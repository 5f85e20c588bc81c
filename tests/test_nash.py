"""Nash averages: equilibria of random tables, and the invariance to copies on which they rest."""

from __future__ import annotations

import numpy as np
import pytest
from encounters import encounter, sums

from gincore.analysis.arena import nash_frame
from gincore.analysis.nash import an_equilibrium, copies, nash_average
from gincore.errors import UsageError

ROCK_PAPER_SCISSORS = np.array([[0.0, 1, -1], [-1, 0, 1], [1, -1, 0]])


def random_table(size: int, seed: int, *, ties: bool = False) -> np.ndarray:
    rng = np.random.default_rng(seed)
    table = np.triu(rng.normal(size=(size, size)), 1)
    table = table.round() if ties else table
    return table - table.T


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 12])
def test_nothing_beats_the_mixture(size: int, ties: bool) -> None:
    for seed in range(6):
        table = random_table(size, seed, ties=ties)
        mass, rating, _ = nash_average(table)
        assert mass.sum() == pytest.approx(1)
        assert (mass >= 0).all()
        assert rating == pytest.approx(table @ mass)
        assert rating.max() < 1e-8
        assert (np.abs(rating[mass > 1e-6]) < 1e-6).all(), "who has mass is even with the mixture"


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("size", [2, 3, 4, 7])
def test_copies_change_nothing(size: int, ties: bool) -> None:
    rng = np.random.default_rng(size)
    for seed in range(15):
        table = random_table(size, seed, ties=ties)
        before = nash_average(table)
        places = [*range(size), *[int(rng.integers(size))] * int(rng.integers(1, 5))]
        places = [places[k] for k in rng.permutation(len(places))]
        after = nash_average(table[np.ix_(places, places)])
        for strategy in range(size):
            group = before.group == before.group[strategy]
            grown = np.isin(places, np.flatnonzero(group))
            assert after.mass[grown].sum() == pytest.approx(before.mass[group].sum(), abs=1e-6)
            assert np.ptp(after.mass[grown]) == 0, "copies share alike"
            assert after.rating[grown] == pytest.approx(before.rating[strategy], abs=1e-6)


def test_the_order_of_the_pool_does_not_matter() -> None:
    for seed in range(10):
        table = random_table(6, seed, ties=True)
        order = np.random.default_rng(seed).permutation(6)
        assert nash_average(table[np.ix_(order, order)]).mass == pytest.approx(
            nash_average(table).mass[order], abs=1e-6
        )


def test_known_equilibria() -> None:
    assert nash_average(ROCK_PAPER_SCISSORS).mass == pytest.approx([1 / 3] * 3)
    ladder = np.subtract.outer([3.0, 2, 1], [3.0, 2, 1])
    assert nash_average(ladder).mass.tolist() == [1, 0, 0]
    assert nash_average(ladder).rating.tolist() == [0, -1, -2]
    # two that tie but are no copies: the widest mixture, of which a copy of one takes nothing from the other
    tied = np.array([[0, 0, 0.2], [0, 0, 0.1], [-0.2, -0.1, 0]])
    assert nash_average(tied).mass == pytest.approx([0.5, 0.5, 0], abs=1e-6)
    assert nash_average(tied).rating == pytest.approx([0, 0, -0.15], abs=1e-6)
    weighted = np.array([[0.0, 1, -2], [-1, 0, 4], [2, -4, 0]])
    assert nash_average(weighted).mass == pytest.approx(np.array([4, 2, 1]) / 7)
    assert an_equilibrium(weighted) == pytest.approx(np.array([4, 2, 1]) / 7)


def test_a_pool_that_is_all_even_is_one_group() -> None:
    mass, rating, group = nash_average(np.zeros((4, 4)))
    assert mass == pytest.approx([0.25] * 4)
    assert rating.tolist() == [0] * 4
    assert group.tolist() == [0] * 4


def test_the_size_of_the_table_does_not_matter() -> None:
    table = random_table(5, 3)
    for scale in (1e-6, 1e-3, 1e3):
        assert nash_average(scale * table).mass == pytest.approx(nash_average(table).mass)


def test_copies_are_found() -> None:
    table = random_table(3, 1)
    places = [0, 1, 0, 2, 1]
    assert copies(table[np.ix_(places, places)]).tolist() == [0, 1, 0, 2, 1]


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (np.zeros((2, 3)), "square"),
        (np.zeros((0, 0)), "square"),
        (np.ones((2, 2)), "antisymmetric"),
        (np.array([[0, np.nan], [np.nan, 0]]), "finite"),
    ],
)
def test_a_table_of_another_form_is_refused(table: np.ndarray, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        nash_average(table)


def test_the_frame_has_intervals_and_copies_keep_theirs() -> None:
    rng = np.random.default_rng(3)
    ahead, goes_round, back = (encounter(share, 800, rng) for share in (0.6, 0.42, 0.62))
    frame = nash_frame(["a", "b", "c"], sums([ahead, goes_round, back]), "game_won_share", seed=1)
    assert frame["mass"].sum() == pytest.approx(1)
    assert (frame["mass"] > 0.1).all(), "they go round"
    assert (frame["mass_low"] <= frame["mass"]).all()
    assert (frame["mass"] <= frame["mass_high"]).all()
    assert (frame["mass_high"] - frame["mass_low"] > 0.05).all()
    assert set(frame["unit"]) == {"pair of games"}
    assert frame["rating"].to_numpy() == pytest.approx([0.5] * 3)
    # b again, under another name: encounters a-b, a-c, a-b2, b-c, b-b2, c-b2
    even = {**back, "score": np.full(800, 2), "won": back["decided"] // 2, "decided": 2 * (back["decided"] // 2)}
    turned = {**back, "score": 4 - back["score"], "won": back["decided"] - back["won"], "net": -back["net"]}
    twice = nash_frame(
        ["a", "b", "c", "b2"], sums([ahead, goes_round, ahead, back, even, turned]), "game_won_share", seed=1
    ).set_index("strategy")
    once = frame.set_index("strategy")
    assert twice["copies"].to_dict() == {"a": 1, "c": 1, "b": 2, "b2": 2}
    for name in ("a", "c"):
        assert twice.loc[name, "mass"] == pytest.approx(once.loc[name, "mass"])
    assert twice.loc[["b", "b2"], "mass"].sum() == pytest.approx(once.loc["b", "mass"])
    assert twice.loc["b", "mass_low"] == twice.loc["b2", "mass_low"]
    assert twice.loc["b", "mass"] == twice.loc["b2", "mass"]
