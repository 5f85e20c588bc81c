"""The frozen knock tables, and strategies made of tables."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import gincore
from gincore.errors import UsageError
from gincore.learn import shape_of
from gincore.plotting import tables as charts
from gincore.plotting.style import new_figure
from gincore.strategies import get, learned
from gincore.strategies.contract import Table
from gincore.strategies.knock_cells import knock_by_cells
from gincore.strategies.learned import knock_table, table_of, text_of

RULES = {
    "table-eaai": gincore.rules("eaai"),
    "table-classic": gincore.rules("classic"),
    "table-undercut-10": gincore.rules("classic", undercut_bonus=10),
    "table-pagat": gincore.rules("pagat"),
    "table-oklahoma": gincore.rules("oklahoma"),
}


def test_text_round_trips() -> None:
    random = np.random.default_rng(1)
    for axes in ((1, 11, 20, 5), (11, 3, 2, 1)):
        table = random.integers(0, 2, axes).astype(float)
        assert np.array_equal(table_of(json.loads(json.dumps(text_of(table)))), table)
    with pytest.raises(ValueError, match="shares between 0 and 1"):
        text_of(np.full((1, 1, 1, 1), 0.5))


def test_the_file_says_how_each_table_was_made() -> None:
    assert set(learned.made()) == set(RULES)
    for name, entry in learned.made().items():
        rules = RULES[name]
        assert entry["rules"] == {"label": rules.label, "digest": rules.digest()}
        assert entry["shape"] == list(shape_of(rules).axes) == list(table_of(entry["cells"]).shape)
        assert entry["deals"] >= 1_000_000
        assert all(entry["settled"].values())
        assert entry["starts_differ_share"] < 0.02
        assert entry["best_reply_gains_points_per_hand"]["high"] < 0.05
        assert len(entry["source_digest"]) == 16


@pytest.mark.parametrize("name", list(RULES))
def test_a_table_beats_knocking_at_once_under_its_rules(name: str) -> None:
    run = gincore.simulate(RULES[name], (name, "simple"), deals=30_000, seed=3, keep="stats", progress=False)
    found = run.summary().set_index("metric").loc["net_points_per_hand"]
    assert found["low"] > (0.15 if RULES[name].undercut_bonus == 10 else 2.0)


def test_the_digest_covers_the_table() -> None:
    table = table_of(learned.made()["table-eaai"]["cells"])
    assert knock_table("any", table).digest() == get("table-eaai").digest()
    assert len({get(name).digest() for name in RULES}) == len(RULES)
    table[0, 5, 3, 0] = 1 - table[0, 5, 3, 0]
    assert knock_table("any", table).digest() != get("table-eaai").digest()
    assert pickle.loads(pickle.dumps(get("table-eaai"))) == get("table-eaai")


def answer(player: gincore.Strategy, **fields: int) -> Any:
    """What the table's decision says to a view, in plain Python."""
    view = Table("classic").play(
        Table.dealt(1, 1), lambda seat, kind, shown: 0 if kind != "discard" else int(shown.drew)
    )
    shown = view.questions[-1].view
    for field, value in ({"can_big_gin": 0, "random": np.uint64(0)} | fields).items():
        shown[field] = value
    return knock_by_cells(shown, player.values()[2])


def test_cells_are_looked_up_where_they_stand() -> None:
    shares = np.zeros((11, 11, 3, 2))
    shares[4, 3, 1, 0] = shares[10, 10, 2, 1] = 1.0
    player = knock_table("two", shares)
    there = {"knock_limit": 4, "knock_deadwood": 3, "turn": 3, "opp_pickups": 0}
    assert answer(player, **there)
    for field, value in (("knock_limit", 5), ("knock_deadwood", 2), ("turn", 4), ("opp_pickups", 1)):
        assert not answer(player, **there | {field: value})
    assert answer(player, knock_limit=127, knock_deadwood=40, turn=77, opp_pickups=9), "the last bins are open"
    assert answer(player, **there | {"turn": 4, "knock_deadwood": 0}), "gin goes out"
    assert answer(player, **there | {"turn": 4, "can_big_gin": 1})


def test_shares_are_chances() -> None:
    player = knock_table("half", np.full((1, 1, 1, 1), 0.25))
    there = {"knock_limit": 10, "knock_deadwood": 5, "turn": 3, "opp_pickups": 0}
    words = np.random.default_rng(3).integers(0, 2**64, 4000, dtype=np.uint64)
    knocks = np.mean([bool(answer_word(player, there, word)) for word in words])
    assert abs(knocks - 0.25) < 0.03
    for share in (0.0, 1.0):
        certain = knock_table("certain", np.full((1, 1, 1, 1), share))
        assert {bool(answer_word(certain, there, word)) for word in (0, 2**24 - 1, 2**64 - 1)} == {share == 1.0}


class Seen:
    """The fields of a view that the decision reads."""

    can_big_gin = 0

    def __init__(self, fields: dict[str, int], word: Any) -> None:
        self.__dict__ |= fields | {"random": np.uint64(word)}


def answer_word(player: gincore.Strategy, fields: dict[str, int], word: Any) -> Any:
    return knock_by_cells(Seen(fields, word), player.values()[2])


@pytest.mark.parametrize(
    ("shares", "message"),
    [
        (np.zeros((2, 3)), r"has four axes, not the shape \(2, 3\)"),
        (np.zeros((1, 0, 1, 1)), "has four axes"),
        (np.full((1, 1, 1, 1), 1.5), "shares from 0 to 1"),
        (np.full((1, 1, 1, 1), np.nan), "shares from 0 to 1"),
    ],
)
def test_a_wrong_table_is_refused(shares: Any, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        knock_table("wrong", shares)


def test_the_script_writes_its_report_elsewhere_and_freezes_nothing(tmp_path: Path) -> None:
    """A first look with few deals: page, tables and charts; the frozen file stays as it is."""
    before = learned.FILE.read_bytes()
    words = ["--deals", "1500", "--games", "20", "--workers", "1", "--tables", "table-pagat", "--out", str(tmp_path)]
    script = Path(__file__).resolve().parent.parent / "scripts" / "knock_tables.py"
    done = subprocess.run(
        [sys.executable, str(script), *words], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    assert learned.FILE.read_bytes() == before
    made = {file.name for file in (tmp_path / "knock-tables").iterdir()}
    assert made == {"rounds.csv", "strength.csv", "convergence.png", "maps.png"}
    text = (tmp_path / "knock-tables.md").read_text(encoding="utf-8")
    assert "| pagat | 1 |" in text
    rounds = pd.read_csv(tmp_path / "knock-tables" / "rounds.csv")
    assert set(rounds["start"]) == {"knock at once", "gin only"}
    assert (rounds["gain_low"] <= rounds["gain"]).all()


def test_charts_take_their_frames() -> None:
    rows = [(name, number, 1 / number, 0.9 / number, 1.1 / number) for name in ("one", "two") for number in (1, 2, 3)]
    frame = pd.DataFrame(rows, columns=["rules", "round", "estimate", "low", "high"])
    for chart in (charts.gain_by_round, charts.points_by_round):
        axes = chart(frame, ax=new_figure()[1])
        assert len(axes.collections) == 4, "a band and bars for each"
        assert {text.get_text() for text in axes.texts} >= {"one", "two"}
    cells = pd.DataFrame([(1, 0, 2), (1, 2, 1), (2, 0, 0), (2, 2, 2)], columns=["deadwood", "turn", "cell"])
    image = charts.knock_map(cells, ax=new_figure()[1]).images[0]
    assert image.get_array().tolist() == [[2, 1], [0, 2]]
    assert tuple(image.get_extent()) == (-0.5, 3.5, 0.5, 2.5)
