"""A simulation of the simulation: intervals of reports cover the truth as often as they say.

Deals are independent of each other, so a large run holds many small ones. Of each small run the report's own frame is
made; the truth is the large run's estimate, whose error is sixteen times smaller. With a coverage of 95 % in 250 runs,
3 standard errors are 4.1 percentage points: with another seed a line here would fail in about one of 400 cases. Points
are skewed, so a deviation from so few hands is covered a little less often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pandas as pd
import pytest

import gincore
from gincore.analysis.undercut import knocks, overview, risk_cells
from gincore.analysis.variants import deal_values, hand_frame, paired_frame, skill_frame
from gincore.runs.plan import make_plan
from gincore.runs.thrown import hands_with_throws

RUNS, DEALS = 250, 100
ROOM = 0.041
RARE = 0.01
"""Shares below this may be covered more often: there are few of them in 100 deals."""


def blocks(rows: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """Split rows into runs of 100 deals."""
    for _, part in rows.groupby(rows["deal"] // DEALS):
        yield part.reset_index(drop=True)


def covered(frames: Iterator[pd.DataFrame], truth: pd.DataFrame, key: list[str], estimate: str) -> dict[str, float]:
    """Share of frames whose interval holds the truth, by the columns of the key."""
    known = {tuple(row[each] for each in key): row[estimate] for row in truth.to_dict("records")}
    hits, seen = Counter[str](), Counter[str]()
    for frame in frames:
        for row in frame[frame["low"].notna()].to_dict("records"):
            name = " ".join(str(row[each]) for each in key)
            seen[name] += 1
            hits[name] += row["low"] <= known[tuple(row[each] for each in key)] <= row["high"]
    return {name: hits[name] / n for name, n in seen.items() if n == RUNS}


@pytest.fixture(scope="module")
def undercuts() -> pd.DataFrame:
    plan = make_plan("hands", "classic", ("simple", "gin-only"), seed=21, count=RUNS * DEALS)
    return knocks(hands_with_throws(plan)).assign(opponent="gin-only")


def test_risk_and_loss_of_a_knock(undercuts: pd.DataFrame) -> None:
    found = covered(map(overview, blocks(undercuts)), overview(undercuts), ["metric"], "estimate")
    names = ("undercut_share", "loss_per_knock", "net_points_per_knock", "by_layoff_share_of_undercuts")
    assert {name: found[name] for name in names} == {name: pytest.approx(0.95, abs=ROOM) for name in names}


def test_cells_of_the_risk(undercuts: pd.DataFrame) -> None:
    def cells(rows: pd.DataFrame) -> pd.DataFrame:
        frame = risk_cells(rows[rows["deadwood"] >= 8], ["deadwood"])
        return frame[frame["metric"].isin(["undercut_share", "net_points_per_knock"])]

    found = covered(map(cells, blocks(undercuts)), cells(undercuts), ["metric", "deadwood"], "estimate")
    assert len(found) == 4
    assert all(abs(share - 0.95) < ROOM for share in found.values()), found


@pytest.fixture(scope="module")
def hands() -> dict[str, pd.DataFrame]:
    return {
        name: gincore.simulate(
            name, ("simple", "simple"), deals=RUNS * DEALS, seed=22, mirror=False, progress=False
        ).hands
        for name in ("oklahoma", "classic")
    }


def test_differences_between_variants(hands: dict[str, pd.DataFrame]) -> None:
    def compared(one: pd.DataFrame, two: pd.DataFrame) -> pd.DataFrame:
        return paired_frame(deal_values(one), deal_values(two), "deal")

    frames = map(compared, blocks(hands["oklahoma"]), blocks(hands["classic"]))
    found = covered(frames, compared(hands["oklahoma"], hands["classic"]), ["metric"], "difference")
    for name in ("turns_mean", "knock_share", "gin_share", "points_per_hand", "starter_net_points_per_hand"):
        assert found[name] == pytest.approx(0.95, abs=ROOM), name
    assert found["net_points_sd"] > 0.9


def test_means_shares_and_ratios_of_a_variant(hands: dict[str, pd.DataFrame]) -> None:
    """Each small run is played for itself, as the report plays it."""

    def played(first: int) -> pd.DataFrame:
        run = gincore.simulate(
            "oklahoma", ("simple", "simple"), deals=DEALS, seed=22, first_deal=first, mirror=False, keep="stats",
            progress=False, workers=1,
        )  # fmt: skip
        return hand_frame(run.moments)

    rows = hands["oklahoma"]
    decided = rows[~rows["result"].isin(["dead", "stalled"])]
    net = rows["points_0"].astype(int) - rows["points_1"]
    truth = {
        "turns_mean": rows["turns"].mean(),
        "gin_share": (rows["result"] == "gin").mean(),
        "undercut_share": (rows["result"] == "undercut").mean(),
        "winner_points_per_decided_hand": (decided["points_0"].astype(int) + decided["points_1"]).mean(),
        "starter_net_points_per_hand": net.where(rows["starter"] == 0, -net).mean(),
        "net_points_sd": net.std(ddof=0),
    }
    known = pd.DataFrame({"metric": list(truth), "estimate": list(truth.values())})
    frames = (frame[frame["metric"].isin(truth)] for frame in (played(DEALS * each) for each in range(RUNS)))
    found = covered(frames, known, ["metric"], "estimate")
    assert set(found) == set(truth)
    for name, share in found.items():
        assert share > 0.95 - ROOM - 0.02 * (name == "net_points_sd"), name
        assert share < 0.95 + ROOM or truth[name] < RARE, name


def test_games_of_the_better_player() -> None:
    runs, games = 200, 40

    def moments(first: int, count: int) -> pd.DataFrame:
        return skill_frame(
            gincore.simulate_games(
                "oklahoma", ("simple", "careless"), games=count, seed=23, first_game=first, keep="stats", progress=False
            ).moments
        )

    truth = moments(0, runs * games)
    frames = (moments(games * each, games) for each in range(runs))
    found = [frame.loc[0, "low"] <= truth.loc[0, "estimate"] <= frame.loc[0, "high"] for frame in frames]
    assert sum(found) / runs == pytest.approx(0.95, abs=0.046)
