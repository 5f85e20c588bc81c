"""Knock or wait: every moment is what the ordinary engine scores, and the cells are honest about it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import gincore
from gincore.analysis.intervals import holm
from gincore.core import batch, fork
from gincore.errors import RunError, UsageError
from gincore.runs.forks import ForkPlan, follow
from gincore.runs.grid import BINS, make_grid
from gincore.runs.plan import make_plan
from gincore.schema import HAND_DTYPE, MOMENT_DTYPE, Result, Status
from gincore.strategies import get

RULE_SETS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("classic", {}),
    ("eaai", {}),
    ("oklahoma", {"last_discard": "knock_only"}),
    ("classic-big-gin", {"last_discard": "knock_only", "return_taken": True}),
    ("classic", {"knocker_spread": "best", "doubling": "last_discard_spade"}),
    ("second-deck", {"upcard_offer": "none_eleven"}),
    ("grand-gin", {}),
    ("rummy-100", {}),
    ("round-the-corner", {"tie": "nothing", "max_turns": 14}),
)


@gincore.decision
def knock_on_turn(view: Any, params: Any) -> Any:
    """Knock on turn params[0] exactly, with gin always."""
    return view.knock_deadwood == 0 or view.can_big_gin != 0 or view.turn == params[0]


@gincore.decision
def knock_after(view: Any, params: Any) -> Any:
    """Let knocks pass until turn params[0] is over, then knock as ``picky`` does."""
    if view.knock_deadwood == 0 or view.can_big_gin != 0:
        return 1
    return view.turn > params[0] and view.knock_deadwood % 3 != 1 and view.random & np.uint64(3) != np.uint64(0)


ON_TURN = gincore.Strategy("on-turn", knock=knock_on_turn, params={"turn": 0})
PICKY = gincore.Strategy("picky", knock=knock_after, params={"turn": -1})


def played(rules: Any, pair: Any, deals: int, seed: int, first: int = 0, mirror: bool = True) -> Any:
    rows, fault = np.zeros(deals * (2 if mirror else 1), HAND_DTYPE), np.zeros(8, np.int64)
    players = tuple(get(each) for each in pair)
    status = batch.play_hands(players, rules.to_record(), seed, first, mirror, rows, fault)
    assert status == Status.ok, fault
    return rows


def net(rows: Any, player: int) -> Any:
    points = rows["points_0"].astype(np.int64) - rows["points_1"]
    return points if player == 0 else -points


def followed(rules: Any, pair: Any, deals: int, seed: int = 5, **options: Any) -> tuple[Any, Any]:
    forks = gincore.knock_or_wait(rules, pair, deals=deals, seed=seed, progress=False, workers=1, **options)
    pieces = forks.result.pieces()
    return np.concatenate([rows for rows, _ in pieces]), forks.result.moments()


@pytest.mark.parametrize(("name", "options"), RULE_SETS, ids=lambda value: str(value))
def test_the_own_decision_gives_the_ordinary_hand(name: str, options: dict[str, Any]) -> None:
    """Knocking at the first moment that is answered scores what the ordinary run of the same deals scores, exactly."""
    rules = gincore.rules(name, **options)
    for pair in (("simple", "simple"), ("gin-only", "random"), ("random", "simple"), (PICKY, "threshold,limit=4")):
        for player in (0, 1):
            pair = pair[::-1] if player else pair
            ordinary = played(rules, pair, 150, seed=5)
            rows, moments = followed(rules, pair, 150, player=player)
            value, knocks = net(rows, player), np.zeros(len(rows), bool)
            hand = moments["deal"] * 2 + moments["mirror"]
            for place in np.flatnonzero(moments["answer"])[::-1]:  # the first one is written last
                value[hand[place]] = moments["points"][place]
                knocks[hand[place]] = True
            assert np.array_equal(value, net(ordinary, player))
            assert np.array_equal(rows[~knocks], ordinary[~knocks]), "nothing was answered: the hand is the same"
            assert set(np.unique(moments["player"])) <= {player}
            assert np.array_equal(moments["end"], net(rows, player)[hand])


def test_every_moment_is_replayed_by_the_ordinary_engine() -> None:
    """``points`` by a strategy that knocks at that moment alone, ``wait`` by one that lets knocks pass until then."""
    checked = 0
    for name, options in RULE_SETS[:5]:
        rules = gincore.rules(name, **options)
        _, moments = followed(rules, (PICKY, "simple"), 40, seed=8)
        for moment in moments:
            deal, mirror, turn = int(moment["deal"]), int(moment["mirror"]), float(moment["turn"])
            now = played(rules, (ON_TURN.with_params(turn=turn), "simple"), 1, 8, deal)[mirror]
            assert int(now["points_0"]) - int(now["points_1"]) == moment["points"]
            assert (now["turns"], now["knocker"]) == (moment["turn"] + 1, 0)
            if rules.knocker_spread != "best":
                assert now["knocker_deadwood"] == moment["deadwood"]
            assert now["pickups_1"] == moment["opp_pickups"]
            assert now["stock_left"] == moment["stock"]
            later = played(rules, (PICKY.with_params(turn=turn), "simple"), 1, 8, deal)[mirror]
            assert int(later["points_0"]) - int(later["points_1"]) == moment["wait"]
            checked += 1
    assert checked > 500


def test_moments_of_a_hand() -> None:
    """They are numbered, their turns rise, and ``wait`` and ``reached`` follow from the answers behind and before."""
    _, moments = followed("classic", (PICKY, "simple"), 400)
    frame = pd.DataFrame({name: moments[name] for name in MOMENT_DTYPE.names or ()})
    for _, hand in frame.groupby(["deal", "mirror"]):
        assert hand["moment"].tolist() == list(range(len(hand)))
        assert (hand["turn"].diff().dropna() % 2 == 0).all()
        wait, reached = hand["end"].iloc[0], 1
        for row in hand.iloc[::-1].to_dict("records"):
            assert row["wait"] == wait
            wait = row["points"] if row["answer"] else wait
        for row in hand.to_dict("records"):
            assert row["reached"] == reached
            reached = 0 if row["answer"] else reached
    assert {0, 1} == set(frame["reached"])


def test_the_last_discard_is_a_moment_after_which_nothing_comes() -> None:
    _, moments = followed(gincore.rules("classic", last_discard="knock_only", dead_stock=20), ("gin-only",) * 2, 2000)
    last = moments[moments["last"] == 1]
    assert len(last) > 20
    assert not last["wait"].any()
    assert not last["end"].any()
    assert last["points"].any()


def test_no_moments_where_only_gin_goes_out() -> None:
    rows, moments = followed(gincore.rules("classic", knock_limit=0), ("simple", "simple"), 200)
    assert len(moments) == 0
    assert (rows["result"] == Result.gin).any()
    cells = gincore.knock_or_wait(
        gincore.rules("classic", knock_limit=0), ("simple", "simple"), deals=20, seed=1, progress=False
    ).cells()
    assert len(cells) == 0


def test_without_mirror_and_from_a_later_deal() -> None:
    rows, moments = followed("classic", ("simple", "simple"), 300)
    alone_rows, alone = followed("classic", ("simple", "simple"), 300, mirror=False)
    assert np.array_equal(rows[::2], alone_rows)
    assert np.array_equal(moments[moments["mirror"] == 0], alone)
    _, later = followed("classic", ("simple", "simple"), 100, first_deal=200)
    assert np.array_equal(moments[moments["deal"] >= 200], later)


@pytest.mark.parametrize("keep", ["rows", "stats"])
def test_threads_and_chunks_do_not_matter(keep: Any) -> None:
    grid = make_grid(["deadwood", "turn"], {"turn": 3})
    plan = make_plan("hands", "classic", ("simple", "gin-only"), seed=3, count=1000, keep=keep)
    found = []
    for workers, chunk in ((1, 1000), (2, 64), (3, 1)):
        result = follow(ForkPlan(plan.with_chunk(chunk), 0, grid), workers=workers, progress=False)
        sums = result.sums(grid)
        found.append((sums.tobytes(), b"" if keep == "stats" else result.moments().tobytes()))
    assert found[0] == found[1] == found[2]


def test_little_room_for_moments_changes_nothing() -> None:
    """A call of the engine ends with a whole deal when the room for moments is used up."""
    record, pair = gincore.rules("classic").to_record(), (get("simple"), get("gin-only"))
    rows, fault, room = (
        np.zeros(400, HAND_DTYPE),
        np.zeros(8, np.int64),
        np.zeros(2 * fork.MOST_MOMENTS + 5, MOMENT_DTYPE),
    )
    done, pieces = 0, []
    while done < len(rows):
        status, done, filled = fork.follow_hands(pair, record, 5, 0, True, done, 0, rows, room, fault)
        assert (status, done % 2) == (Status.ok, 0)
        pieces.append(room[:filled].copy())
    assert len(pieces) > 10
    whole_rows, moments = followed("classic", ("simple", "gin-only"), 200)
    assert np.array_equal(np.concatenate(pieces), moments)
    assert np.array_equal(rows, whole_rows)


def brute_cells(moments: pd.DataFrame, by: list[str], level: float = 0.95) -> pd.DataFrame:
    """Means and cluster-robust intervals, the plain way."""
    rows = []
    for key, cell in moments.groupby(by):
        difference = cell["points"].astype(float) - cell["wait"]
        by_deal = pd.DataFrame({"difference": difference, "one": 1.0}).groupby(cell["deal"]).sum()
        mean, n = difference.mean(), len(by_deal)
        error = math.nan
        if n > 1:
            residual = by_deal["difference"] - mean * by_deal["one"]
            error = math.sqrt((residual**2).sum() * n / (n - 1)) / len(cell)
        half = stats.t.ppf((1 + level) / 2, n - 1) * error if n > 1 and error > 0 else math.nan
        rows.append((*key, mean, mean - half, mean + half, n, len(cell)))
    return pd.DataFrame(rows, columns=[*by, "value_of_knocking_points", "low", "high", "n", "moments"])


@pytest.mark.parametrize("reached", [False, True])
def test_cells_are_what_a_plain_computation_gives(reached: bool) -> None:
    forks = gincore.knock_or_wait("oklahoma", ("simple", "gin-only"), deals=3000, seed=2, progress=False)
    moments = forks.moments[forks.moments["reached"] >= int(reached)]
    moments = moments.assign(turn=moments["turn"] // 4 * 4, pickups=moments["pickups"].clip(upper=7))
    moments = moments.assign(opp_pickups=moments["opp_pickups"].clip(upper=7))
    for by in (["deadwood"], ["knock_limit", "deadwood"], ["turn", "opp_pickups", "pickups"]):
        found = forks.cells(by, widths={"turn": 4} if "turn" in by else None, reached=reached)
        expected = brute_cells(moments, by)
        assert found["moments"].sum() == len(moments)
        pd.testing.assert_frame_equal(found[list(expected.columns)], expected, check_dtype=False)
        assert np.allclose(found["knock_points"] - found["wait_points"], found["value_of_knocking_points"])


def test_sums_alone_give_the_same_cells() -> None:
    options: dict[str, Any] = {"deals": 2000, "seed": 2, "progress": False, "by": ["deadwood", "stock"]}
    kept = gincore.knock_or_wait("classic", ("simple", "simple"), **options)
    summed = gincore.knock_or_wait("classic", ("simple", "simple"), keep="stats", **options)
    pd.testing.assert_frame_equal(kept.cells(holm=True), summed.cells(holm=True))
    for wrong in (lambda: summed.moments, lambda: summed.hands, lambda: summed.cells(["turn"])):
        with pytest.raises(UsageError, match="keep='rows'"):
            wrong()


def test_p_values_are_corrected_for_all_cells() -> None:
    cells = gincore.knock_or_wait("classic", ("simple", "simple"), deals=3000, seed=2, progress=False).cells(
        ["deadwood", "opp_pickups"], holm=True
    )
    known = cells.dropna(subset="low")
    assert np.array_equal(known["p_holm"], holm(cells["p_value"].to_numpy())[known.index])
    excludes_zero = (known["low"] > 0) | (known["high"] < 0)
    assert np.array_equal(known["p_value"] < 0.05, excludes_zero)


def test_the_last_bin_is_open() -> None:
    forks = gincore.knock_or_wait("second-deck", ("gin-only", "gin-only"), deals=2000, seed=2, progress=False)
    cells = forks.cells(["opp_pickups"])
    assert cells["opp_pickups"].max() <= BINS["opp_pickups"] - 1
    assert cells["moments"].sum() == len(forks.moments)
    melded = gincore.knock_or_wait("rummy-100", ("gin-only", "simple"), deals=2000, seed=2, progress=False)
    assert (melded.cells(["knock_limit"])["knock_limit"] == -1).all() == (melded.moments["knock_limit"] == -1).all()


def test_intervals_cover_the_truth() -> None:
    """300 runs of 100 mirrored deals, a coarse cell that a deal meets several times, and a long run as the truth."""
    pair = ("simple", "threshold,limit=6")
    truth = gincore.knock_or_wait(
        "classic", pair, deals=150_000, seed=77, keep="stats", by=["opp_pickups"], progress=False
    )
    expected = truth.cells().set_index("opp_pickups")["value_of_knocking_points"]
    moments = gincore.knock_or_wait("classic", pair, deals=30_000, seed=78, progress=False).moments
    covered = {0: 0, 1: 0}
    for run in range(300):
        part = moments[(moments["deal"] >= 100 * run) & (moments["deal"] < 100 * run + 100)]
        for row in brute_or_engine(part).to_dict("records"):
            if row["opp_pickups"] in covered:
                covered[row["opp_pickups"]] += row["low"] <= expected[row["opp_pickups"]] <= row["high"]
    for hits in covered.values():
        assert stats.binom.cdf(hits, 300, 0.95) > 1e-4, "intervals are too narrow"
        assert stats.binom.sf(hits - 1, 300, 0.95) > 1e-4, "intervals are too wide"


def brute_or_engine(moments: pd.DataFrame) -> pd.DataFrame:
    """The cells of some deals by the package's own sums."""
    from gincore.analysis.forks import cell_frame
    from gincore.runs.forks import summed

    grid = make_grid(["opp_pickups"])
    rows = np.zeros(len(moments), MOMENT_DTYPE)
    for name in MOMENT_DTYPE.names or ():
        rows[name] = moments[name]
    return cell_frame(grid.values(), summed([rows], grid))


def test_waiting_is_worth_what_it_is_against_simple() -> None:
    """A low deadwood is worth keeping for gin against one who knocks at once, a high one is not (classic, 25 a gin)."""
    cells = gincore.knock_or_wait("classic", ("simple", "simple"), deals=20_000, seed=7, progress=False).cells(
        ["deadwood"]
    )
    value = cells.set_index("deadwood")["value_of_knocking_points"]
    assert value[1] < -5
    assert value.is_monotonic_increasing
    assert -1 < value[10] < 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"player": 2}, "player 2: allowed are whole numbers from 0 to 1"),
        ({"by": []}, "name columns in a list"),
        ({"by": "turn"}, "name columns in a list"),
        ({"by": ["turns"]}, "column 'turns': moments are summed by deadwood, turn"),
        ({"by": ["turn", "turn"]}, "a column is named twice"),
        ({"by": ["turn"], "widths": {"turn": 0}}, "width of turn 0"),
        ({"by": ["turn"], "widths": {"stock": 2}}, "it is none of the columns turn"),
        ({"by": ["knock_limit"], "widths": {"knock_limit": 2}}, "single points"),
        ({"by": list(BINS)}, "allowed are 1,048,576"),
        ({"deals": 0}, "deals 0"),
        ({"deals": 10**8}, "use keep='stats'"),
        ({"keep": "sums"}, "keep 'sums'"),
    ],
)
def test_wrong_use_is_refused_in_one_line(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        gincore.knock_or_wait("classic", ("simple", "simple"), **({"deals": 1, "seed": 1} | arguments))
    assert "\n" not in str(caught.value)


@gincore.decision
def late_nonsense(view: Any, params: Any) -> Any:
    return 99 if view.turn > 12 else np.int64(0)


@gincore.decision
def late_error(view: Any, params: Any) -> Any:
    if view.turn > 12:
        return np.int64(1) // (view.turn - view.turn)
    return np.int64(0)


@pytest.mark.parametrize("wrong", [late_nonsense, late_error])
def test_a_wrong_answer_names_the_call_that_replays_it(wrong: Any) -> None:
    broken = gincore.Strategy("broken", knock=wrong)
    with pytest.raises(
        RunError, match=r"replay it with: gincore\.knock_or_wait\(rules, strategies, deals=1, first_"
    ) as caught:
        gincore.knock_or_wait("classic", ("simple", broken), deals=400, seed=4, progress=False)
    deal = int(str(caught.value).partition("first_deal=")[2].partition(",")[0])
    with pytest.raises(RunError) as again:
        gincore.knock_or_wait("classic", ("simple", broken), deals=1, first_deal=deal, seed=4, progress=False)
    assert str(again.value) == str(caught.value)
    assert "'broken' (player 1)" in str(caught.value)


def test_it_says_what_it_is() -> None:
    forks = gincore.knock_or_wait("classic", ("simple", "gin-only"), deals=10, seed=1, player=1, progress=False)
    assert repr(forks) == (
        "<Forks rules: classic; strategies: simple v gin-only; player: 1; deals: 10 x 2 (mirrored); seed: 1; "
        "keep: rows>"
    )
    assert (forks.manifest["kind"], forks.manifest["player"], forks.manifest["count"]) == ("forks", 1, 10)
    assert list(forks.moments.columns) == list(MOMENT_DTYPE.names or ())
    assert len(forks.hands) == 20
