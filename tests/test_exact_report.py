"""The page, the charts and the command of an exact count."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from test_cli import run

import gincore
from gincore.plotting.exact import one_in_lines, share_lines
from gincore.report import exact_deadwood as report
from gincore.runs import exact as driver
from gincore.runs.run import Interrupted

pytestmark = pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT", "0") not in {"", "0"}, reason="billions of hands need compiled code"
)

HANDS = 15_820_024_220


def test_the_command_counts(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "exact", "deadwood", "--json")
    found = json.loads(out)
    assert (code, err) == (0, "")
    assert (found["hands"], found["cards"], found["ace"], found["knock_limit"]) == (HANDS, 10, "low", 10)
    assert sum(row["hands"] for row in found["distribution"]) == HANDS
    summary = {row["metric"]: row for row in found["summary"]}
    assert summary["gin_share"]["hands"] == 136_694 == found["low_hands"][0]["at_most"]
    assert summary["gin_share"]["value"] == 136_694 / HANDS
    assert summary["deadwood_mean_points"]["hands"] is None


def test_a_turned_card_sets_no_limit_and_a_strict_one_is_one_lower(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "exact", "deadwood", "--rules", "oklahoma")
    assert code == 0
    assert "under oklahoma" in out
    assert "knockable" not in out
    found = gincore.exact_deadwood(gincore.rules("classic", knock_strict=True, knock_limit=5), progress=False)
    assert found.limit == 4
    shares = found.summary().set_index("metric")["hands"]
    assert shares["knockable_share"] == found.low_hands().set_index("deadwood")["at_most"][4]


def test_the_page(tmp_path: Path) -> None:
    made = report.make("classic", cards=10, out=tmp_path / "r", progress=False, lang="fr")
    page = made.page.read_text(encoding="utf-8")
    assert "gin 136\u202f694 (une main sur 115\u202f733)" in page
    assert "Frapper avec 10 ou moins\xa0: une main sur 1\u202f549" in page
    table = pd.read_parquet(tmp_path / "r" / "tables" / "distribution.parquet")
    pd.testing.assert_frame_equal(table, made.found.frame)
    assert table["hands"].sum() == HANDS
    assert sorted(path.name for path in (tmp_path / "r" / "figures").iterdir()) == [
        "low.png", "low.svg", "spread.png", "spread.svg",
    ]  # fmt: skip
    assert [path.name for path in tmp_path.iterdir()] == ["r"]


def test_a_page_that_was_stopped_leaves_what_was_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add, added = driver._Sums.add, []

    def adding(sums: Any, part: int, counts: Any) -> None:
        add(sums, part, counts)
        added.append(part)
        if len(added) == 10:
            raise KeyboardInterrupt

    monkeypatch.setattr(driver._Sums, "add", adding)
    with pytest.raises(Interrupted, match="10 of 64 parts are saved"):
        report.make("classic", cards=10, out=tmp_path / "r", workers=1, progress=False)
    assert [path.name for path in tmp_path.iterdir()] == [".r-exact-deadwood.npz"]
    made = report.make("classic", cards=10, out=tmp_path / "r", progress=False, resume=True)
    assert len(added) == 64
    assert made.found.hands == HANDS
    assert [path.name for path in tmp_path.iterdir()] == ["r"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--cards", "12"], "--cards '12'"),
        (["--cards", "ten"], "--cards 'ten'"),
        (["--resume"], "--resume needs --out"),
        (["--lang", "de"], "lang 'de'"),
        (["--workers", "0"], "--workers '0'"),
        (["--rules", "klassik"], "klassik"),
    ],
)
def test_wrong_use_is_one_line(capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    code, out, err = run(capsys, "exact", "deadwood", *words)
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_a_folder_that_holds_another_count_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    report.make("classic", cards=10, out=tmp_path / "r", progress=False)
    code, out, err = run(capsys, "exact", "deadwood", "--set", "ace=round", "--out", str(tmp_path / "r"))
    assert (code, out) == (2, "")
    assert "another plan" in err


def test_charts_draw_what_the_frame_says() -> None:
    frame = pd.DataFrame(
        {"line": ["a", "a", "b", "b"], "deadwood": [0, 30, 0, 20], "share": [0.25, 0.75, 0.5, 0.5],
         "at_most_share": [0.25, 1.0, 0.5, 1.0]}
    )  # fmt: skip
    lines = share_lines(frame, by="line").get_lines()
    assert [line.get_xydata().tolist() for line in lines] == [[[0, 25], [30, 75]], [[0, 50], [20, 50]]]
    rare = one_in_lines(frame, by="line")
    assert [line.get_xydata().tolist() for line in rare.get_lines()] == [[[0, 0.25]], [[0, 0.5], [20, 1.0]]]
    assert rare.get_yscale() == "log"
