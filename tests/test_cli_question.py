"""``gincore question``: list, answers, pages in both languages, and what is refused."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pandas as pd
import pytest

from gincore.cli import main
from gincore.questions.play import DEALS_A_GAME, slowness
from gincore.strategies import get


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Run a command and return exit code, output and errors."""
    code = main(["question", *words])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.mark.parametrize(("lang", "word"), [("en", "Hollywood makes a longer match"), ("fr", "un match plus long")])
def test_list(capsys: pytest.CaptureFixture[str], lang: str, word: str) -> None:
    code, out, _ = run(capsys, "list", "--lang", lang)
    assert code == 0
    assert word in out
    assert len(out.splitlines()) >= 41


def test_list_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "list", "--json", "--lang", "fr")
    found = json.loads(out)
    assert code == 0
    assert len(found) == 41
    assert set(found[0]) == {"id", "claim", "source", "compares", "metric", "smallest_effect"}


def test_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "t19", "--deals", "400", "--seed", "3")
    assert code == 0
    assert err == ""
    assert out.startswith("T19: Straight hands are longer")
    assert "Rules: straight; classic." in out
    assert "simple v simple (800\u00a0deals)" in out
    assert "; 400 deals asked for: two single deals for each between equal players, 1/5 and 1/25 with slow" in out


def test_help_states_how_many_deals_are_played(capsys: pytest.CaptureFixture[str]) -> None:
    out = re.sub(r"[^\w/.,;]+", " ", run(capsys, "--help")[1])
    named = re.findall(r"([a-z]+) (?:and ([a-z]+) )?1/(\d+)", out)
    found = {name: float(part) for *names, part in named for name in names if name}
    assert found.keys() == {"safe", "patient", "lookahead", "expert"}
    assert {name: slowness(get(name)) for name in found} == found
    assert f"One game for {DEALS_A_GAME} deals" in out


def test_an_answer_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "T19", "--deals", "400", "--json", "--lang", "fr")
    assert code == 0
    (answer,) = json.loads(out)["answers"]
    assert answer["verdict"] in ("supported", "open", "depends", "none", "contradicted")
    assert {"estimate", "low", "high", "n", "outcome"} <= set(answer["estimates"][0])
    assert "Règles" in answer["text"]


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_page(capsys: pytest.CaptureFixture[str], tmp_path: Path, lang: str) -> None:
    words = ("T05", "T12", "D13", "--deals", "300", "--lang", lang, "--out", str(tmp_path / "page"))
    code, out, err = run(capsys, *words)
    assert code == 0, err
    page = (tmp_path / "page" / "index.html").read_text(encoding="utf-8")
    assert out.strip().endswith("index.html")
    assert f'<html lang="{lang}">' in page
    assert not re.search(r"(?:src|href)=\"https?:", page)
    for name in ("T05", "T12", "D13"):
        assert f'id="{name}"' in page
        for file in (f"figures/{name}.png", f"figures/{name}.svg", f"tables/{name}.csv", f"tables/{name}.parquet"):
            assert (tmp_path / "page" / file).is_file()
    estimates = pd.read_csv(tmp_path / "page" / "tables" / "estimates.csv")
    assert set(estimates["question"]) == {"T05", "T12", "D13"}
    manifest = json.loads((tmp_path / "page" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["report"] == "questions"
    assert manifest["reproduce"].startswith("gincore question T05 T12 D13 --deals 300")
    assert run(capsys, *words)[0] == 0  # the same page again takes its place
    assert run(capsys, *words, "--seed", "2")[0] == 2


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("T99",), "question 't99' is not known (did you mean 'T26'?)"),
        (("T01", "nonsense"), "question 'nonsense' is not known"),
        (("all", "T01"), "'T01': 'all' stands alone"),
        (("list", "T01"), "'T01': 'list' stands alone"),
        (("list", "--out", "x"), "--out 'x': 'list' stands alone"),
        (("T01", "--deals", "0"), "--deals '0' is not a whole number from 1 to 10,000,000"),
        (("T01", "--deals", "1e8"), "--deals '1e8' is not a whole number"),
        (("T01", "--seed", "-1"), "--seed '-1' is not a whole number"),
        (("T01", "--lang", "de"), "lang 'de' is not known; allowed: en, fr"),
        (("T01", "--level", "1"), "--level 1.0 is not between 0 and 1"),
        (("T01", "--workers", "0"), "--workers '0'"),
        (("T01", "--out", ""), "an empty text is not the name of a folder"),
        ((), "Missing argument"),
    ],
)
def test_wrong_use(capsys: pytest.CaptureFixture[str], words: tuple[str, ...], line: str) -> None:
    code, out, err = run(capsys, *words)
    assert code == 2
    assert out == ""
    assert line.lower() in err.lower()
    assert len(err.strip().splitlines()) == 1
