"""Plans: what is refused before the first hand, chunks, manifests and their differences."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice, pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gincore
from gincore.errors import UsageError
from gincore.runs.layout import BLOCK_UNITS, USUAL_PARTS, Layout
from gincore.runs.plan import Plan, make_plan

SIMPLE = ("simple", "simple")


def plan(**changes: Any) -> Plan:
    chosen = {"kind": "hands", "game_rules": "classic", "strategies": SIMPLE, "seed": 7, "count": 1_000} | changes
    return make_plan(chosen.pop("kind"), chosen.pop("game_rules"), chosen.pop("strategies"), **chosen)


@pytest.mark.parametrize("seed", [-1, 1.5, 1.0, "", "7", True, None, 2**64, np.float64(3), np.bool_(True)])
def test_a_wrong_seed_is_refused(seed: object) -> None:
    with pytest.raises(UsageError, match=r"^seed .*: allowed are whole numbers from 0 to 18,446,744,073,709,551,615"):
        plan(seed=seed)


@pytest.mark.parametrize("seed", [0, 4294967295, 2**64 - 1, np.int64(5), np.uint64(2**63)])
def test_a_good_seed_is_taken_as_it_is(seed: int) -> None:
    assert plan(seed=seed).manifest()["seed"] == int(seed)
    assert json.loads(json.dumps(plan(seed=seed).manifest()))["seed"] == int(seed)


@pytest.mark.parametrize("count", [0, -5, 10.5, 1e3, True, "10", None])
@pytest.mark.parametrize(("kind", "unit"), [("hands", "deals"), ("games", "games")])
def test_a_wrong_count_is_refused(kind: str, unit: str, count: object) -> None:
    with pytest.raises(UsageError, match=rf"^{unit} .*: allowed are whole numbers from 1 "):
        plan(kind=kind, count=count)


def test_numbers_beyond_the_deal_column_are_refused() -> None:
    with pytest.raises(UsageError, match=r"^games 8796093022209"):
        plan(kind="games", count=2**43 + 1)
    with pytest.raises(UsageError, match=r"^first game "):
        plan(kind="games", count=2, first=2**43 - 1)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"keep": "all"}, "keep 'all': allowed are 'rows' and 'stats'"),
        ({"kind": "rounds"}, "kind 'rounds': allowed are 'hands' and 'games'"),
        ({"mirror": 1}, "mirror 1: allowed are True and False"),
        ({"chunk": 0}, "chunk 0: allowed are whole numbers from 1 to"),
        ({"count": 10**9, "chunk": 1000}, "chunk 1000: allowed are whole numbers from 10,000 to"),
        ({"strategies": "simple"}, "1 strategies given: exactly two are needed"),
        ({"strategies": ("simple",) * 3}, "3 strategies given: exactly two are needed"),
        ({"game_rules": "clasic"}, "clasic"),
        ({"strategies": ("simple", "smiple")}, "smiple"),
    ],
)
def test_wrong_use_names_the_value(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as refused:
        plan(**changes)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("form", "given", "message"),
    [
        ("hollywood", 3, "3 strategies given: exactly two are needed"),
        ("partnership", 3, "3 strategies given: a partnership needs two, one a side, or four"),
        ("cutthroat", 2, "2 strategies given: cutthroat needs exactly three"),
    ],
)
def test_the_form_says_how_many_strategies_games_need(form: str, given: int, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        plan(kind="games", game_rules=form, strategies=("simple",) * given)
    assert len(plan(game_rules=form).strategies) == 2


@given(st.integers(1, 10**6), st.integers(1, 10**6), st.integers(0, 10**9))
def test_chunks_cover_every_unit_once(count: int, chunk: int, first: int) -> None:
    layout = Layout("hands", first, count, True, "rows", max(chunk, count // 500))
    chunks = list(layout.chunks())
    assert [piece.number for piece in chunks] == list(range(layout.parts))
    assert chunks[0].first == first
    assert all(one.first + one.units == two.first for one, two in pairwise(chunks))
    assert sum(piece.units for piece in chunks) == count
    assert min(piece.units for piece in chunks) >= 1


def test_a_huge_plan_costs_nothing_and_has_few_parts() -> None:
    huge = plan(count=10**12, keep="stats")
    assert huge.layout.parts <= USUAL_PARTS
    assert huge.layout.chunk % BLOCK_UNITS["hands"] == 0
    assert len(list(islice(huge.chunks(), 3))) == 3


def test_the_usual_chunk_is_one_block() -> None:
    assert plan(count=10**8).layout.chunk == 65_536
    assert plan(kind="games", count=10**6).layout.chunk == 4_096


def test_a_small_run_is_cut_in_pieces_that_keep_every_thread_busy() -> None:
    assert plan(count=20_000).layout.parts == 8
    assert plan(kind="games", count=1_000).layout.parts == 8
    assert plan(count=500).layout.parts == 1
    assert plan(count=8 * 65_536).layout.parts == 8


def test_the_manifest_says_what_was_played() -> None:
    manifest = plan(game_rules=gincore.rules("oklahoma", undercut_bonus=10), seed=3, mirror=False).manifest()
    assert json.loads(json.dumps(manifest)) == manifest
    assert manifest["rules"]["options"]["undercut_bonus"] == 10
    assert manifest["rules"]["name"] == "oklahoma"
    assert (manifest["seed"], manifest["count"], manifest["mirror"], manifest["keep"]) == (3, 1_000, False, "rows")
    assert set(manifest["versions"]) == {"gincore", "numba", "numpy"}
    assert [strategy["name"] for strategy in manifest["strategies"]] == ["simple", "simple"]


def test_equal_plans_do_not_differ() -> None:
    stored = json.loads(json.dumps(plan().manifest()))
    stored["command"], stored["created"] = "gincore simulate --resume", "2020-01-01T00:00:00+00:00"
    assert plan().differences(stored) == []


@pytest.mark.parametrize(
    ("changes", "lines"),
    [
        ({"seed": 8}, ["seed (--seed): 7 in the folder, 8 asked for"]),
        (
            {"count": 5, "mirror": False},
            ["deals (--deals): 1000 in the folder, 5", "mirror (--mirror, --no-mirror): True in the"],
        ),
        ({"keep": "stats"}, ["keep (--keep): 'rows' in the folder, 'stats' asked for"]),
        ({"chunk": 10}, ["chunk (--chunk): 2048 in the folder, 10 asked for"]),
        ({"first": 4}, ["first_deal (--first-deal): 0 in the folder, 4 asked for"]),
        (
            {"strategies": ("threshold,limit=4", "simple")},
            ["strategy of player 0 (--strategy): 'simple' in the folder, 'threshold,limit=4'"],
        ),
        (
            {"game_rules": gincore.rules("classic", gin_bonus=20)},
            ["rules, gin_bonus (--rules, --set): 25 in the folder, 20"],
        ),
    ],
)
def test_every_difference_is_named(changes: dict[str, Any], lines: list[str]) -> None:
    found = plan(**changes).differences(json.loads(json.dumps(plan().manifest())))
    for line in lines:
        assert any(each.startswith(line) for each in found), found
    assert len(found) == len(lines), "a difference that follows from another one is not told"


def test_a_float_is_refused_with_what_to_write() -> None:
    with pytest.raises(UsageError, match=r"^deals 100000\.0: .*; write 100000, which is no float$"):
        plan(count=1e5)
    with pytest.raises(UsageError, match=r"from 1 to [0-9,]+$"):
        plan(count=1.5)


def test_a_name_that_would_garble_a_line_is_refused() -> None:
    with pytest.raises(UsageError, match=r"^strategy 'a\\nb': it holds a control character$"):
        plan(strategies=(gincore.Strategy("a\nb"), "simple"))


def test_a_changed_source_names_the_strategy() -> None:
    stored = json.loads(json.dumps(plan().manifest()))
    stored["strategies"][1]["digest"] = "0" * 16
    (line,) = plan().differences(stored)
    assert line.startswith("strategy 'simple' (player 1), source: ")


def test_another_version_is_a_difference() -> None:
    stored = plan().manifest()
    stored["versions"] = {**stored["versions"], "gincore": "0.0.1"}
    stored["source_digest"] = "0" * 16
    found = plan().differences(stored)
    assert [line.split(":")[0] for line in found] == ["version of gincore", "gincore's own source"]


def test_the_name_of_the_rules_is_no_difference() -> None:
    renamed = replace(gincore.rules("classic"), name="ours", title="Ours")
    assert plan(game_rules=renamed).differences(plan().manifest()) == []
