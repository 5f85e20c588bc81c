"""Estimates of many cells agree with those of the summary, and with a plain computation."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import gincore
from gincore.analysis.cells import Value, cell_frame
from gincore.analysis.risk import GROUPS, count_classes, explained, subset_gains
from gincore.analysis.undercut import risk_cells

VALUES = (Value("won_share", "won", share=True), Value("net_mean", "net", share=False))


@pytest.fixture(scope="module")
def run() -> gincore.Run:
    return gincore.simulate("classic", ("simple", "gin-only"), deals=3000, seed=5, progress=False)


def test_all_rows_together_agree_with_the_summary(run: gincore.Run) -> None:
    hands = run.hands
    rows = pd.DataFrame(
        {
            "deal": hands["deal"],
            "won": (hands["winner"] == 0).fillna(False).astype(int),
            "net": hands["points_0"].astype(int) - hands["points_1"],
        }
    )
    found = cell_frame(rows, (), VALUES).set_index("metric")
    summary = run.summary().set_index("metric")
    for mine, theirs in (("won_share", "won_0_share"), ("net_mean", "net_points_per_hand")):
        for column in ("estimate", "low", "high"):
            assert found.loc[mine, column] == pytest.approx(summary.loc[theirs, column], abs=1e-12)
    assert (found["n"] == 3000).all()
    assert (found["hands"] == 6000).all()


def test_cells_count_deals_and_not_hands() -> None:
    rows = pd.DataFrame({"deal": [0, 0, 1, 1, 2, 2], "place": [0, 0, 0, 1, 1, 1], "won": [1, 1, 0, 1, 1, 0], "net": 1})
    frame = cell_frame(rows, ("place",), VALUES)
    shares = frame[frame["metric"] == "won_share"].set_index("place")
    assert shares["estimate"].tolist() == pytest.approx([2 / 3, 2 / 3])
    assert shares["n"].tolist() == [2, 2]
    assert shares["hands"].tolist() == [3, 3]


def test_a_cell_of_one_deal_has_no_interval_and_no_p_value() -> None:
    frame = cell_frame(pd.DataFrame({"deal": [7, 7], "won": [1, 0], "net": [3, 4]}), (), VALUES)
    assert frame[["low", "high", "p_value"]].isna().all().all()


def test_a_share_that_never_happened_has_an_exact_p_value() -> None:
    frame = cell_frame(pd.DataFrame({"deal": range(10), "won": 0, "net": 0}), (), VALUES, 0.95, {"won_share": 0.5})
    row = frame.set_index("metric").loc["won_share"]
    assert row["p_value"] == pytest.approx(2 * 0.5**10)
    assert 0 < row["high"] < 0.35
    assert frame.set_index("metric").loc["net_mean", "p_value"] == 1


def test_intervals_of_shares_cover_at_their_rate() -> None:
    random = np.random.default_rng(3)
    covered = 0
    for _ in range(300):
        chance = random.beta(2, 5, 200)  # both hands of a deal share their chance
        won = random.random((200, 2)) < chance[:, None]
        rows = pd.DataFrame({"deal": np.repeat(np.arange(200), 2), "won": won.ravel().astype(int), "net": 0})
        row = cell_frame(rows, (), VALUES[:1]).iloc[0]
        covered += row["low"] <= 2 / 7 <= row["high"]
    assert 272 <= covered <= 297


def synthetic(n: int, seed: int) -> pd.DataFrame:
    """Knocks whose risk depends on deadwood alone."""
    random = np.random.default_rng(seed)
    deadwood = random.integers(0, 10, n)
    return pd.DataFrame(
        {
            "deal": np.arange(n),
            "deadwood": deadwood,
            "turns": random.integers(0, 6, n),
            "pickups": random.integers(0, 4, n),
            "discard": random.integers(0, 4, n),
            "undercut": (random.random(n) < 0.02 + 0.04 * deadwood).astype(int),
        }
    )


CLASSES = {"deadwood": 10, "turns": 6, "pickups": 4, "discard": 5}


def test_what_carries_the_risk_is_found() -> None:
    frame = explained(count_classes(synthetic(20_000, 1), CLASSES, "undercut")).set_index("factor")
    assert frame.loc["deadwood", "of_explained"] > 0.9
    assert frame.loc["deadwood", "part"] == pytest.approx(frame.loc["deadwood", "alone"], rel=0.1)
    parts = frame.loc[list(CLASSES), "part"]
    assert parts.sum() == pytest.approx(frame.loc["all", "part"])
    assert (frame.loc[["turns", "pickups", "discard"], "p_holm"] < 0.001).all()


def test_alone_is_the_fall_of_entropy_in_plain_pandas() -> None:
    rows = synthetic(20_000, 2)
    counts = count_classes(rows, CLASSES, "undercut")
    gains, _ = subset_gains(counts.trials.sum(axis=0), counts.events.sum(axis=0))

    def entropy(p: pd.Series | float) -> pd.Series | float:
        return -(p * np.log(p) + (1 - p) * np.log(1 - p))

    share = rows.groupby("deadwood")["undercut"].mean()
    size = rows.groupby("deadwood").size() / len(rows)
    plain = 1 - float((entropy(share) * size).sum()) / float(entropy(rows["undercut"].mean()))
    assert gains[(0,)] == pytest.approx(plain, rel=1e-4)


def test_with_few_events_nothing_is_said() -> None:
    frame = explained(count_classes(synthetic(300, 1), CLASSES, "undercut"))
    assert frame["part"].isna().all()
    assert (frame["events"] < 100).all()


def test_groups_hold_both_hands_of_a_deal() -> None:
    rows = synthetic(4 * GROUPS, 1).assign(deal=np.arange(4 * GROUPS) // 2)
    counts = count_classes(rows, CLASSES, "undercut")
    assert (counts.trials.sum(axis=(1, 2, 3, 4)) == 4).all()


def test_p_values_of_a_metric_are_one_family_over_all_opponents() -> None:
    rows = pd.concat([synthetic(2000, seed).assign(opponent=str(seed), loss=0, net=1) for seed in (1, 2)])
    frame = risk_cells(rows, ("deadwood",))
    shares = frame[frame["metric"] == "undercut_share"]
    assert shares["p_holm"].min() == pytest.approx(20 * shares["p_value"].min())
