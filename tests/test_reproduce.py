"""scripts/reproduce.py: parts of results/ at a small size, whole or not at all, and the README that shows them."""

from __future__ import annotations

import importlib.util
import sys
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pandas as pd
import pytest

from gincore.errors import RunError, UsageError
from gincore.report import questions

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def reproduce() -> ModuleType:
    spec = importlib.util.spec_from_file_location("reproduce", ROOT / "scripts" / "reproduce.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["reproduce"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def readme(reproduce: ModuleType, tmp_path: Path) -> Path:
    file = tmp_path / "README.md"
    file.write_text(f"# Mine\n\n{reproduce.BEGIN}\nold\n{reproduce.END}\n\nThe end.\n", encoding="utf-8")
    return file


@pytest.fixture
def small(reproduce: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of a few hundred deals, and two questions."""
    ask: Any = partial(questions.make, ["T05", "T19"])  # both of all kinds of players
    for name, sizes, make in (
        ("undercut-risk", {"deals": 600}, None),
        ("variant-comparison", {"deals": 40, "games": 2}, None),
        ("questions", {"deals": 300}, ask),
    ):
        part = reproduce.PARTS[name]
        monkeypatch.setitem(reproduce.PARTS, name, part._replace(sizes=sizes, make=make or part.make))


def test_the_readme_shows_what_results_hold(reproduce: ModuleType) -> None:
    assert list(reproduce.problems(ROOT / "results", ROOT / "README.md")) == []


@pytest.mark.usefixtures("small")
def test_parts_are_made_and_shown(reproduce: ModuleType, readme: Path, tmp_path: Path) -> None:
    results = tmp_path / "results"
    words = [word for name in ("undercut-risk", "variant-comparison", "questions") for word in ("--only", name)]
    assert reproduce.run(words, results, readme) == 0
    assert sorted(path.name for path in results.iterdir()) == [
        "questions", "reproduce.csv", "undercut-risk", "variant-comparison",
    ]  # fmt: skip
    assert not list(results.rglob("*.parquet"))
    assert list(results.rglob("*.csv"))
    text = readme.read_text(encoding="utf-8")
    assert text.startswith("# Mine\n")
    assert text.endswith("\n\nThe end.\n")
    assert "simple is undercut in" in text
    for name, chart in (("undercut-risk", "risk"), ("variant-comparison", "skill")):
        assert f"(results/{name}/figures/{chart}.png)" in text
    verdicts = pd.read_csv(results / "questions" / "tables" / "verdicts.csv")
    for row in verdicts.to_dict("records"):
        assert f"| {row['claim']} | {row['headline']} |" in text
    assert pd.read_csv(results / "reproduce.csv")["deals"].tolist() == [600, 40, 300]
    assert reproduce.run(["--check"], results, readme) == 0


@pytest.mark.usefixtures("small")
def test_what_does_not_fit_is_named(
    reproduce: ModuleType, readme: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = tmp_path / "results"
    reproduce.run(["--only", "questions"], results, readme)
    readme.write_text(readme.read_text(encoding="utf-8").replace("2 questions", "0.1 % of 2 questions"))
    (results / "questions" / "figures" / "T05.svg").unlink()
    capsys.readouterr()
    assert reproduce.run(["--check"], results, readme) == 1
    said = capsys.readouterr().out
    assert "README.md does not show what results/ holds" in said
    assert "results/questions: figures/T05.svg is missing" in said
    assert reproduce.run(["--readme"], results, readme) == 0
    assert "0.1 % of" not in readme.read_text(encoding="utf-8")


@pytest.mark.usefixtures("small")
def test_a_failure_leaves_the_old_part(
    reproduce: ModuleType, readme: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = tmp_path / "results"
    reproduce.run(["--only", "questions"], results, readme)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}

    def fail(*_: object, out: Path, **__: object) -> None:
        out.mkdir()
        (out / "index.html").write_text("half")
        raise RunError("no more today")

    part = reproduce.PARTS["questions"]
    monkeypatch.setitem(reproduce.PARTS, "questions", part._replace(make=fail))
    with pytest.raises(RunError, match="no more today"):
        reproduce.run(["--only", "questions"], results, readme)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


@pytest.mark.usefixtures("small")
def test_two_seeds_are_compared(
    reproduce: ModuleType, readme: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    results = tmp_path / "results"
    reproduce.run(["--only", "questions"], results, readme)
    assert reproduce.run(["--again", "2"], results, readme) == 0
    frame = pd.read_csv(results / "questions-seeds.csv").set_index("question")
    assert frame["tested_estimates"].to_dict() == {"T05": 6, "T19": 6}
    assert not frame["opposite_estimates"].any()
    assert "2 questions" in capsys.readouterr().out
    assert "(seed 2)" in readme.read_text(encoding="utf-8")
    table = results / "questions" / "tables" / "estimates.csv"
    frame = pd.read_csv(table)
    wrong = (frame["question"] == "T19") & (frame["outcome"] == "supported")
    assert wrong.any()
    frame.loc[wrong, "outcome"] = "contradicted"
    frame.to_csv(table, index=False)
    assert reproduce.run(["--again", "2"], results, readme) == 1
    assert f"T19: {wrong.sum()} of 6 estimates are opposite" in capsys.readouterr().out
    with pytest.raises(UsageError, match="the page has this seed"):
        reproduce.run(["--again", "1"], results, readme)


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--scale", "0.1"], "is a trial: name a folder"),
        (["--scale", "0", "--out", "x"], "--scale 0 is not above 0"),
        (["--again", "2"], "no page of questions is there"),
    ],
)
def test_wrong_use(reproduce: ModuleType, readme: Path, tmp_path: Path, words: list[str], line: str) -> None:
    with pytest.raises(UsageError, match=line):
        reproduce.run(words, tmp_path / "results", readme)
    assert list(tmp_path.iterdir()) == [readme]
