"""``gincore report``: what its commands print, and one line for what is wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from test_cli import run

UNDERCUT = ["report", "undercut-risk", "--deals", "200", "--opponent", "gin-only"]
VARIANTS = ["report", "variant-comparison", "--deals", "80", "--games", "2", "--variants", "classic,oklahoma"]

KNOCK = ["report", "knock-threshold", "--deals", "20", "--opponent", "gin-only", "--beside", "none"]


@pytest.mark.parametrize("words", [UNDERCUT, VARIANTS, KNOCK], ids=["undercut", "variants", "knock"])
def test_the_page_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path, words: list[str]) -> None:
    code, out, err = run(capsys, *words, "--out", str(tmp_path / "r"), "--lang", "fr", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out)["page"] == str(tmp_path / "r" / "index.html")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([*KNOCK, "--lang", "de"], "lang 'de'"),
        ([*KNOCK, "--opponent", "gin-only"], "given twice"),
        ([*KNOCK, "--opponent", "simpel"], "simpel"),
        ([*KNOCK, "--beside", "pagat,,eaai"], "between two commas"),
        ([*KNOCK, "--beside", "klassik"], "klassik"),
        ([*KNOCK, "--games", "0"], "--games '0'"),
        ([*UNDERCUT, "--lang", "de"], "lang 'de'"),
        ([*UNDERCUT, "--knocker", "simpel"], "simpel"),
        ([*UNDERCUT, "--opponent", "gin-only"], "given twice"),
        ([*UNDERCUT, "--rules", "straight"], "gin is never undercut"),
        ([*UNDERCUT, "--deals", "0"], "--deals '0'"),
        ([*UNDERCUT, "--level", "2"], "--level 2"),
        ([*VARIANTS, "--variants", "classic,,oklahoma"], "between two commas"),
        ([*VARIANTS, "--variants", "classic"], "name another one"),
        ([*VARIANTS, "--variants", "klassik"], "klassik"),
        ([*VARIANTS, "--baseline", "nothing"], "nothing"),
        ([*VARIANTS, "--seconds-a-turn", "-3"], "--seconds-a-turn -3"),
        ([*VARIANTS, "--seconds-a-turn", "nan"], "--seconds-a-turn nan"),
        ([*VARIANTS, "--games", "1.5"], "--games '1.5'"),
        ([*VARIANTS, "--lang", ""], "lang ''"),
    ],
)
def test_wrong_use_is_one_line_and_makes_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, words: list[str], said: str
) -> None:
    code, out, err = run(capsys, *words, "--out", str(tmp_path / "r"))
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1
    assert not (tmp_path / "r").exists()
