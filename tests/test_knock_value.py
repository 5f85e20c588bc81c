"""The value part of the knock-threshold report, recomputed from stored moments with plain pandas; intervals cover."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import gincore
from gincore.analysis.compare import PairedSums
from gincore.analysis.knock_value import Scored, Sums, among_best, scored_frame, value_frame, verdict_shares
from gincore.learn import Courses, Shape, best_limits, follow_courses, gain, limit_table
from gincore.report import knock_threshold
from gincore.report.knock_threshold import meetings
from gincore.report.knock_threshold.meetings import THE_TABLE, Cards, judge, learn, shipped, table_shape, top_limit
from gincore.runs.forks import summed
from gincore.runs.grid import make_grid
from gincore.schema import FORK_FIELDS
from gincore.strategies.learned import knock_table

DEALS, SEED = 1500, 9
OPPONENT = "threshold,limit=4"
RATE = 1e-4
"""A test of a covering rate fails by chance with this probability on each side; seeds are fixed."""


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, pd.DataFrame]:
    """All tables of a report on classic rules."""
    out = tmp_path_factory.mktemp("value") / "report"
    knock_threshold.make(
        "classic", deals=DEALS, games=20, seed=SEED, out=out, opponents=[OPPONENT], beside=["pagat"], progress=False
    )
    return {path.stem: pd.read_csv(path) for path in Path(out, "tables").glob("*.csv")}


def moments_against(opponent: Any) -> pd.DataFrame:
    """The moments of the report's deals as the public call stores them; `wait` and `answer` are not used here."""
    forks = gincore.knock_or_wait(
        "classic", (knock_table("any", np.zeros((1, 12, 20, 5))), opponent), deals=DEALS, seed=SEED, progress=False
    )
    return forks.moments.sort_values(["deal", "mirror", "turn"], ignore_index=True)


def limits_of(tables: dict[str, pd.DataFrame], opponent: str, rules: str = "classic") -> dict[int, int]:
    rows = tables["limits-by-turn"].query("rules == @rules and opponent == @opponent")
    return dict(zip(rows["turn"], rows["limit"], strict=True))


def knocks_by_turn(moments: pd.DataFrame, limits: dict[int, int]) -> pd.Series:
    return moments["deadwood"] <= moments["turn"].map(lambda turn: limits[min(turn // 2 * 2, 38)])


def knocks_by_table(moments: pd.DataFrame, tables: dict[str, pd.DataFrame]) -> pd.Series:
    rows = tables["tables"].query("rules == 'classic'")
    cells = dict(zip(zip(rows["deadwood"], rows["turn"], rows["opp_pickups"], strict=True), rows["knock"], strict=True))
    keys = zip(
        moments["deadwood"],
        (moments["turn"] // 2 * 2).clip(upper=38),
        moments["opp_pickups"].clip(upper=4),
        strict=True,
    )
    return pd.Series([bool(cells[key]) for key in keys], index=moments.index)


def waits(moments: pd.DataFrame, knocks: pd.Series) -> pd.Series:
    """What passing is worth: the points of the next moment of the hand at which it is knocked, or the end."""
    worth: dict[int, int] = {}
    for _, hand in moments.groupby(["deal", "mirror"]):
        value = hand["end"].iloc[0]
        for place in reversed(hand.index):
            worth[place] = value
            value = moments.loc[place, "points"] if knocks[place] else value
    return pd.Series(worth).sort_index()


def scores(moments: pd.DataFrame, knocks: pd.Series, hands: pd.DataFrame) -> pd.Series:
    """Points of player 0 in every hand: those of the first moment at which it is knocked, else those at the end."""
    first = moments[knocks].groupby(["deal", "mirror"])["points"].first()
    ends = (hands["points_0"] - hands["points_1"]).set_axis(pd.MultiIndex.from_frame(hands[["deal", "mirror"]]))
    return first.reindex(ends.index).fillna(ends)


@pytest.mark.parametrize("by", ["turn", "opp_pickups", "stock"])
def test_the_maps_are_what_plain_pandas_makes_of_the_moments(tables: dict[str, pd.DataFrame], by: str) -> None:
    found = tables["knock-or-wait"].query("opponent == @OPPONENT and by == @by").set_index(["deadwood", by])
    moments = moments_against(OPPONENT)
    difference = moments["points"] - waits(moments, knocks_by_turn(moments, limits_of(tables, OPPONENT)))
    column = moments[by] // 4 * 4 if by in ("turn", "stock") else moments[by].clip(upper=7)
    cells = pd.DataFrame(
        {"deadwood": moments["deadwood"], by: column, "difference": difference, "deal": moments["deal"]}
    )
    groups = dict(iter(cells.groupby(["deadwood", by])))
    assert set(groups) == set(found.index)
    assert len(groups) > 30
    for key, cell in groups.items():
        row = found.loc[key]
        mean, deals = cell["difference"].mean(), cell["deal"].nunique()
        assert (row["n"], row["moments"]) == (deals, len(cell))
        assert row["value_of_knocking_points"] == pytest.approx(mean)
        residual = (cell["difference"] - mean).groupby(cell["deal"]).sum()
        error = math.sqrt((residual**2).sum() * deals / (deals - 1)) / len(cell) if deals > 1 else 0
        if error > 0:
            half = stats.t.ppf(0.975, deals - 1) * error
            assert (row["low"], row["high"]) == pytest.approx((mean - half, mean + half))


def test_all_cells_of_all_maps_are_one_family(tables: dict[str, pd.DataFrame]) -> None:
    """Holm's correction by hand, over every cell met in at least 50 deals."""
    frame = tables["knock-or-wait"]
    assert set(frame["opponent"]) == {OPPONENT, THE_TABLE}
    tested = frame[frame["n"] >= 50].sort_values("p_value")
    running, count = 0.0, len(tested)
    for rank, row in enumerate(tested.to_dict("records")):
        running = max(running, min(1.0, (count - rank) * row["p_value"]))
        assert row["p_holm"] == pytest.approx(running, abs=1e-300)
        told = {True: "knock", False: "wait"}[row["value_of_knocking_points"] > 0] if running < 0.05 else "open"
        assert row["verdict"] == told
    few = frame[frame["n"] < 50]
    assert few["p_holm"].isna().all()
    assert set(few["verdict"]) == {"few"}
    assert {"knock", "wait", "open"} <= set(frame["verdict"])


def test_the_one_page_chart_counts_what_the_table_comes_to(tables: dict[str, pd.DataFrame]) -> None:
    answer = shipped(gincore.rules("classic"))
    assert answer is not None
    moments = moments_against(answer.strategy())
    knocks = knocks_by_table(moments, tables)
    before = knocks.groupby([moments["deal"], moments["mirror"]]).cumsum() - knocks
    value = moments["points"] - waits(moments, knocks)
    reached = moments.assign(turn=moments["turn"] // 2 * 2, value=value)[before == 0]
    mean = (
        reached[reached["opp_pickups"] < 4].groupby(["deadwood", "turn", "opp_pickups"])["value"].agg(["mean", "size"])
    )
    found = tables["when-to-knock"].set_index(["deadwood", "turn", "opp_pickups"])
    found = found[found.index.get_level_values("turn") < 38]
    mean = mean[mean.index.get_level_values("turn") < 38]
    assert set(mean.index) == set(found.index)
    assert np.allclose(found["value_of_knocking_points"], mean["mean"].reindex(found.index))
    assert (found["moments"] == mean["size"].reindex(found.index)).all()


def test_rules_of_knocking_score_what_pandas_and_the_ordinary_engine_say(tables: dict[str, pd.DataFrame]) -> None:
    scored = tables["rules-of-knocking"].query("rules == 'classic' and opponent == @OPPONENT")
    moments = moments_against(OPPONENT)
    shape = Shape(deadwoods=12)
    limits = limits_of(tables, OPPONENT)
    answer = shipped(gincore.rules("classic"))
    assert answer is not None
    policies = {
        ("limit", 0): (moments["deadwood"] <= 0, limit_table(shape, 0)),
        ("limit", 7): (moments["deadwood"] <= 7, limit_table(shape, 7)),
        ("by-turn", -1): (knocks_by_turn(moments, limits), limit_table(shape, list(limits.values()))),
        ("table", -1): (knocks_by_table(moments, tables), answer.table),
    }
    best = scored[scored["best"]].iloc[0]
    followed = gincore.knock_or_wait("classic", ("gin-only", OPPONENT), deals=DEALS, seed=SEED, progress=False).hands
    base = scores(moments, moments["deadwood"] <= best["limit"], followed)
    for (policy, limit), (knocks, table) in policies.items():
        row = scored[(scored["policy"] == policy) & (scored["limit"] == limit)].iloc[0]
        points = scores(moments, knocks, followed)
        deals = points.groupby("deal").mean()
        assert row["estimate"] == pytest.approx(deals.mean())
        half = stats.t.ppf(0.975, DEALS - 1) * deals.std(ddof=1) / math.sqrt(DEALS)
        assert (row["high"] - row["low"]) / 2 == pytest.approx(half)
        run = gincore.simulate("classic", (knock_table("p", table), OPPONENT), deals=DEALS, seed=SEED, progress=False)
        net = (run.hands["points_0"] - run.hands["points_1"]).mean()
        assert row["estimate"] == pytest.approx(net), "the same as if it were played"
        if not row["best"]:
            gap = points.groupby("deal").mean() - base.groupby("deal").mean()
            assert row["difference"] == pytest.approx(gap.mean())
    strength = tables["strength"].query("opponent == @OPPONENT and metric == 'net_points_per_hand'").set_index("policy")
    for policy in ("by-turn", "table"):
        row = scored[scored["policy"] == policy].iloc[0]
        assert strength.loc[policy, "estimate"] == pytest.approx(row["estimate"])


def test_limits_are_chosen_on_other_deals_and_are_the_best_there(tables: dict[str, pd.DataFrame]) -> None:
    """No single turn's limit can be changed for a clear gain on the deals behind those of the report."""
    shape = Shape(deadwoods=12)
    courses = follow_courses(
        "classic", ("simple", OPPONENT), shape, deals=DEALS, seed=SEED, first_deal=DEALS
    )  # fmt: skip
    chosen = list(limits_of(tables, OPPONENT).values())
    best, limits = best_limits(courses, 10)
    assert limits.tolist() == chosen
    single = [float(courses.payoff(limit_table(shape, limit)).mean()) for limit in range(11)]
    assert best == int(np.argmax(single))
    mine = float(courses.payoff(limit_table(shape, limits)).mean())
    assert mine > max(single)
    for turn in range(19):
        for limit in range(11):
            other = limits.copy()
            other[turn] = limit
            found = gain(courses, limit_table(shape, other), limit_table(shape, limits), level=0.6827)
            assert not found.estimate > 1.5 * (found.high - found.low) / 2, (turn, limit)


def test_limits_by_turn_of_a_constructed_course() -> None:
    """Knocking with 3 pays on the first turn, only with 1 on the second; noise does not move a limit."""
    shape = Shape(deadwoods=6, turns=4, pickups=1)
    rng = np.random.default_rng(5)
    hands = 2000
    first, second = rng.integers(1, 5, hands), rng.integers(1, 5, hands)
    points = [np.where(first <= 3, 10, -10), np.where(second <= 1, 10, -10)]
    courses = Courses(shape, 2, np.zeros(hands, np.int16), tuple(_level(shape, *each) for each in (
        (0, first, points[0]), (1, second, points[1])
    )))  # fmt: skip
    best, limits = best_limits(courses, 4)
    assert limits[:2].tolist() == [3, 1]
    assert best in range(5)
    with pytest.raises(ValueError, match="open-ended"):
        limit_table(shape, 5)


def _level(shape: Shape, turn: int, deadwood: Any, points: Any) -> Any:
    from gincore.learn.courses import Level

    cell = np.ravel_multi_index((0 * deadwood, deadwood, turn + 0 * deadwood, 0 * deadwood), shape.axes)
    return Level(turn, np.arange(len(deadwood), dtype=np.int32), cell.astype(np.int32), points.astype(np.int16))


def test_intervals_cover_at_their_nominal_rate() -> None:
    """300 small runs, each with a seed of its own, against one large run: the simulation of the simulation.

    Of every value of a cell and of every difference of two rules of knocking 95 % of the intervals hold the true value:
    neither fewer nor more, each with a probability of error of 1e-4 (binomial, two sides).
    """
    rules, shape, grid = gincore.rules("classic"), Shape(deadwoods=12), make_grid(["deadwood"], {"deadwood": 4})
    pair = (knock_table("by-turn", limit_table(shape, [10] * 4 + [0] * 16)), gincore.strategies.get("gin-only"))
    tables = tuple(limit_table(shape, each) for each in (0, 3, 10, [10] * 5 + [0] * 15))
    names, limits = ["limit", "limit", "limit", "by-turn"], [0, 3, 10, -1]

    def run(deals: int, seed: int) -> tuple[pd.DataFrame, pd.DataFrame]:
        sums, moments = judge(rules, pair, tables, {"deadwood": grid}, Cards(deals, seed, 1), lambda: None)
        cells = value_frame([Sums("gin-only", "deadwood", grid.values(), moments["deadwood"])])
        return cells.set_index("deadwood"), scored_frame([Scored("classic", "gin-only", names, limits, 0, sums)])

    true_cells, true_scores = run(120_000, 10_000)
    hits: dict[Any, int] = {}
    for seed in range(300):
        cells, scored = run(120, seed)
        for key, row in cells.iterrows():
            held = row["low"] <= true_cells.loc[key, "value_of_knocking_points"] <= row["high"]
            hits["cell", key] = hits.get(("cell", key), 0) + int(held)
        for place in (1, 2, 3):
            row = scored.iloc[place]
            held = row["difference_low"] <= true_scores.loc[place, "difference"] <= row["difference_high"]
            hits["difference", place] = hits.get(("difference", place), 0) + int(held)
    assert len(hits) == 6
    for name, count in hits.items():
        assert stats.binom.cdf(count, 300, 0.95) > RATE, f"{name}: {count} of 300, too narrow"
        assert stats.binom.sf(count - 1, 300, 0.95) > RATE, f"{name}: {count} of 300, too wide"


def test_few_false_claims_in_a_family_of_cells() -> None:
    """Values that are all zero: at most 5 % of families (plus three standard errors) claim anything."""
    rng = np.random.default_rng(3)
    false = 0
    for _ in range(250):
        sums = np.zeros((20, len(FORK_FIELDS)), np.int64)
        for cell in range(20):
            values = rng.choice([-30, -5, 5, 30], 80)
            sums[cell] = (80, 80, values.sum(), 0, (values**2).sum(), 80, values.sum())
        frame = value_frame([Sums("x", "turn", {"turn": np.arange(20)}, sums)])
        false += set(frame["verdict"]) != {"open"}
    assert false / 250 <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / 250)


def test_a_table_is_learned_where_none_is_shipped() -> None:
    rules = gincore.rules("chicago")
    assert shipped(rules) is None
    told: list[int] = []
    answer = learn(rules, Cards(400, 1, 1), told.append)
    assert (answer.name, answer.deals) == ("", 400)
    assert sum(told) == meetings.MOST_ROUNDS
    assert answer.table.shape == table_shape(rules).axes == (1, 9, 20, 5)
    assert set(np.unique(answer.table)) <= {0.0, 1.0}


def test_shipped_tables_are_widened_by_their_open_bin() -> None:
    for name, limits in (("classic", 1), ("oklahoma", 11)):
        rules = gincore.rules(name)
        answer = shipped(rules)
        assert answer is not None
        assert answer.table.shape == table_shape(rules).axes == (limits, 12, 20, 5)
        assert np.array_equal(answer.table[:, 11], answer.table[:, 10])


def test_top_limits() -> None:
    assert [top_limit(gincore.rules(name)) for name in ("classic", "chicago", "straight", "oklahoma", "grand-gin")] == [
        10, 7, 0, 10, 30,
    ]  # fmt: skip


def test_frames_of_nothing_and_of_a_single_deal() -> None:
    assert verdict_shares(value_frame([])) == {"knock": 0.0, "wait": 0.0, "open": 0.0, "few": 0.0}
    grid = make_grid(["deadwood"])
    empty = value_frame([Sums("x", "deadwood", grid.values(), summed([], grid))])
    assert len(empty) == 0
    sums = PairedSums((0, 1), 2)
    sums.add([np.array([4]), np.array([6])])
    frame = scored_frame([Scored("r", "o", ["limit", "limit"], [0, 1], 1, sums)])
    assert frame["estimate"].tolist() == [2.0, 3.0]
    assert frame["low"].isna().all()
    assert among_best(frame, 0.95) == [0, 1]
