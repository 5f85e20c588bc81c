"""``gincore arena``: what it prints, its JSON, its refusals."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from test_cli import refused, run

from gincore.contests import play as playing

Capture = pytest.CaptureFixture[str]

TWO = ("arena", "simple", "gin-only")


def test_a_round_robin_is_printed(capsys: Capture) -> None:
    code, out, err = run(capsys, "arena", "simple", "gin-only", "random", "--games", "50", "--seed", "2")
    assert (code, err) == (0, "")
    for words in ("rules: eaai", "games: 50 x 2 (mirrored)", "Nash mass, %", "95 % interval over 50 pairs", "cycles:"):
        assert words in out


def test_json_holds_every_frame(capsys: Capture) -> None:
    code, out, _ = run(capsys, "arena", "simple", "gin-only", "random", "--games", "50", "--json")
    found = json.loads(out)
    assert code == 0
    assert set(found) == {
        "manifest", "level", "pairs", "ranking", "nash", "cycles", "disagreements", "page",
    }  # fmt: skip
    assert len(found["pairs"]) == len(found["ranking"]) == len(found["nash"]) == 9
    assert {"a", "b", "metric", "estimate", "low", "high", "p_value", "p_holm", "n", "unit", "level"} == set(
        found["pairs"][0]
    )
    assert [each["metric"] for each in found["cycles"]] == [row["metric"] for row in found["pairs"][:3]]
    assert found["page"] is None


def test_the_default_pool_and_a_page(capsys: Capture, tmp_path: Path) -> None:
    out = tmp_path / "page"
    code, said, err = run(capsys, "arena", "--games", "20", "--out", str(out))
    assert (code, err) == (0, "")
    assert said.endswith(f"{out}/index.html\n")
    assert "expert" in said
    assert "threshold" not in said
    assert (out / "figures" / "games.png").is_file()


def test_a_sequential_test(capsys: Capture) -> None:
    code, out, err = run(capsys, *TWO, "--sprt", "--h0", "0.5", "--h1", "0.55", "--alpha", "0.01", "--seed", "3")
    assert (code, err) == (0, "")
    assert "verdict: h0 accepted" in out
    assert "biased" in out
    found = json.loads(run(capsys, *TWO, "--sprt", "--h1", "0.501", "--max-games", "200", "--json")[1])
    assert (found["verdict"], found["games"]) == ("undecided", 400)
    assert found["estimate"]["n"] == found["pairs"] == sum(found["pairs_by_half_points"])
    assert found["lower"] < 0 < found["upper"]
    assert found["history"][-1]["log_likelihood_ratio"] == found["log_likelihood_ratio"]


def test_a_difference_is_split(capsys: Capture) -> None:
    code, out, err = run(capsys, "arena", "--explain", "gin-only", "random", "--games", "20")
    assert (code, err) == (0, "")
    assert "difference: gin-only minus random" in out
    found = json.loads(run(capsys, "arena", "--explain", "gin-only", "random", "--games", "20", "--json")[1])
    parts = [row for row in found["parts"] if row["metric"] == "net_points_per_hand" and row["opponent"] == "both"]
    (whole,) = (row["estimate"] for row in parts if row["split"] == "whole")
    assert sum(row["estimate"] for row in parts if row["split"] == "shapley") == pytest.approx(whole, abs=1e-12)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("arena", "simple"), "1 strategy given: an arena needs 2 to 24"),
        (("arena", "simple", "simple"), "strategy 'simple' is given twice"),
        (("arena", "simple", "smiple"), "strategy 'smiple' is not known (did you mean 'simple'?)"),
        ((*TWO, "--games", "-5"), "--games '-5' is not a whole number from 1"),
        ((*TWO, "--games", "0"), "--games '0' is not"),
        ((*TWO, "--seed", "x"), "--seed 'x' is not"),
        ((*TWO, "--level", "2"), "--level 2.0 is not between 0 and 1"),
        ((*TWO, "--rules", "cutthroat"), "strategies are compared in single games of two players"),
        ((*TWO, "--rules", "clasic"), "clasic"),
        ((*TWO, "--workers", "0"), "--workers '0' is not"),
        ((*TWO, "--out", ""), "an empty text is not the name of a folder"),
        ((*TWO, "random", "--sprt"), "3 strategies given: --sprt takes exactly two"),
        (("arena", "--sprt"), "0 strategies given: --sprt takes exactly two"),
        (("arena", "simple", "--explain"), "1 strategies given: --explain takes exactly two"),
        ((*TWO, "--sprt", "--explain"), "--sprt and --explain do not go together"),
        ((*TWO, "--sprt", "--h0", "0.6"), "h0 0.6, h1 0.52: h0 must lie below h1"),
        ((*TWO, "--sprt", "--h0", "half"), "--h0 'half' is not a number"),
        ((*TWO, "--sprt", "--h1", "1.5"), "h1 1.5 is not allowed"),
        ((*TWO, "--sprt", "--alpha", "0.9"), "alpha 0.9 is not allowed"),
        ((*TWO, "--sprt", "--beta", "nan"), "beta nan is not allowed"),
        ((*TWO, "--sprt", "--max-games", "0"), "--max-games '0' is not a whole number"),
        ((*TWO, "--sprt", "--games", "50"), "--max-games N is its cap"),
        ((*TWO, "--sprt", "--out", "x"), "--sprt makes no page"),
        ((*TWO, "--explain", "--out", "x"), "--explain makes no page"),
        ((*TWO, "--h0", "0.4"), "--h0 '0.4': it goes with --sprt only"),
        ((*TWO, "--max-games", "5"), "--max-games '5': it goes with --sprt only"),
    ],
)
def test_wrong_use_is_one_line_before_the_first_hand(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], line: str
) -> None:
    monkeypatch.setattr(playing, "simulate_games", pytest.fail)
    assert line in refused(capsys, *words)


def test_the_help_has_examples(capsys: Capture) -> None:
    code, out, _ = run(capsys, "arena", "--help")
    assert code == 0
    assert "gincore arena ./mine.py:patient simple --sprt" in out
    assert "arena" in run(capsys, "--help")[1]
