"""Strategies composed of decisions by name: in Python, as text, in TOML files, and as the command line lists them."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gincore
from gincore.cli import main
from gincore.errors import UsageError
from gincore.runs.fault import strategy_text
from gincore.strategies import get
from gincore.strategies.catalogue import text_of
from gincore.strategies.library import LIBRARY, named

# ---------------------------------------------------------------- in Python


@gincore.decision
def second_parameter(view: Any, params: Any) -> Any:
    return view.deadwood <= params[0]


def test_names_bring_their_parameters_along() -> None:
    mine = gincore.Strategy(
        "mine", draw="improve", discard="safe", knock="by-turn", params={"draw_gain": 3, "late_turn": 8, "limit": 4}
    )
    assert [values.tolist() for values in mine.values()] == [[3], [0.25, 4, 0.3], [4, -1, 8]]
    assert mine.bounds["draw_gain"] == (1, 100)
    assert [part.decision for part in mine.parts] == [
        named("", *pair).decision for pair in (("draw", "improve"), ("discard", "safe"), ("knock", "by-turn"))
    ]
    assert pickle.loads(pickle.dumps(mine)) == mine
    assert gincore.Strategy("more", base=mine, params={"limit": 5}).params == mine.params | {"limit": 5}
    assert mine.with_params(danger_weight=1).values()[1].tolist() == [1, 4, 0.3]


def test_the_rest_comes_from_the_base() -> None:
    mine = gincore.Strategy("mine", discard="lookahead", base="threshold,limit=4")
    assert mine.parts[0] == get("simple").parts[0]
    assert mine.parts[2] == get("threshold,limit=4").parts[2]


def test_a_function_receives_what_no_name_claims() -> None:
    mine = gincore.Strategy("mine", draw="improve", knock=second_parameter, params={"draw_gain": 2, "most": 7})
    assert [values.tolist() for values in mine.values()] == [[2], [], [7]]
    assert mine.params == {"draw_gain": 2, "most": 7}


def test_a_decision_of_the_library_is_the_same_by_name_and_by_object() -> None:
    entry = named("", "knock", "fixed")
    one, two = (gincore.Strategy("mine", knock=each, params={"limit": 3}) for each in ("fixed", entry.decision))
    assert one == two


def test_bounds_can_be_narrower() -> None:
    mine = gincore.Strategy("mine", knock="fixed", params={"limit": 4}, bounds={"limit": (2, 6)})
    with pytest.raises(UsageError, match=r"limit=7 is not in 2\.\.6"):
        mine.with_params(limit=7)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"draw": "imprve"}, r"draw=imprve is not known \(did you mean 'improve'\?\); allowed: meld, improve, eager"),
        ({"draw": "lookahead"}, "draw=lookahead is not known; allowed: meld"),
        ({"knock": named("", "draw", "meld").decision}, "knock=.*draw_for_meld is a draw decision of the library"),
        ({"draw": "improve", "params": {"gain": 3}}, r"no parameter 'gain' \(did you mean 'draw_gain'\?\)"),
        ({"draw": "improve", "params": {"draw_gain": 0}}, r"draw_gain=0 is not in 1\.\.100"),
        ({"draw": "improve", "params": {"limit": 3}}, "no parameter 'limit'.*it has: draw_gain"),
        ({"draw": "improve", "table": [1.0]}, "a table is given, and no decision that could read it"),
        ({"draw": 3}, "decision: 'int' is not a function"),
    ],
)
def test_what_cannot_be_composed(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        gincore.Strategy("mine", **settings)
    assert "\n" not in str(caught.value)


# ---------------------------------------------------------------- a table


def test_a_table_keeps_its_shape() -> None:
    table = np.arange(6.0).reshape(3, 2)
    mine = gincore.Strategy("mine", knock="by-table", table=table, params={"turn_bins": 3, "pickup_bins": 2})
    assert mine.values()[2].tolist() == [3, 2, *range(6)]
    for change in ({"turn_bins": 2}, {"pickup_bins": 3}, {"turn_bins": 6}):
        with pytest.raises(UsageError, match=r"_bins=. is not in"):
            mine.with_params(**change)
        with pytest.raises(UsageError, match=r"_bins=. is not in"):
            gincore.Strategy("other", base=mine, params=change)
    assert text_of(mine) is None


@pytest.mark.parametrize(
    ("params", "table"),
    [
        ({}, None),
        ({"turn_bins": 3, "pickup_bins": 2}, [1.0] * 5),
        ({"turn_bins": 2.5, "pickup_bins": 2}, [1.0] * 5),
        ({"turn_bins": 6}, [1.0] * 7),
    ],
)
def test_a_table_of_another_size_is_refused(params: dict[str, float], table: list[float] | None) -> None:
    with pytest.raises(UsageError, match=r"knock=by-table needs a table of turn_bins x pickup_bins = .* numbers"):
        gincore.Strategy("mine", knock="by-table", table=table, params=params)


# ---------------------------------------------------------------- as text


def test_text_form() -> None:
    mine = get("draw=improve,discard=safe,knock=fixed,limit=4")
    same = gincore.Strategy("mine", draw="improve", discard="safe", knock="fixed", params={"limit": 4})
    assert mine.parts == same.parts
    assert mine.name == "draw=improve,discard=safe,knock=fixed,limit=4"
    assert get("lookahead, knock=fixed, limit=4").parts == get("discard=lookahead,limit=4,knock=fixed").parts
    assert get("threshold,draw=eager").params["late_limit"] == -1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("draw=improve,draw=eager", "draw is given twice"),
        ("limit=4", "no parameter 'limit'"),
        ("draw=imprve", "draw=imprve is not known"),
        ("draw=improve,fast", "'fast' is not parameter=value or draw|discard|knock=DECISION"),
        ("draw=improve,draw_gain=x", "draw_gain=x is not a number"),
        ("knock=by-table", "needs a table of turn_bins x pickup_bins = 1 x 1 numbers, and is given 0"),
        ("simpel", r"did you mean 'simple'\?"),
    ],
)
def test_texts_that_are_refused(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        get(text)


@pytest.mark.parametrize(
    "text", ["simple", "threshold,limit=4", "patient,margin=3", "draw=bluff,bluff_share=0.1234567890123,knock=gin-only"]
)
def test_a_strategy_is_named_again(text: str) -> None:
    """In the line that says how to replay a deal; a strategy of Python too, if it is composed of names."""
    strategy = get(text)
    again = get(str(strategy_text(strategy)))
    assert again.parts == strategy.parts
    renamed = gincore.Strategy("mine", base=strategy)
    assert get(str(strategy_text(renamed))).parts == strategy.parts


def test_a_name_that_is_no_name_is_not_trusted() -> None:
    other = gincore.Strategy("gin-only", knock="fixed", params={"limit": 1.123456789})
    assert strategy_text(other) == "draw=meld,discard=least,knock=fixed,limit=1.123456789"
    assert strategy_text(gincore.Strategy("mine", knock=second_parameter, params={"a": 1})) is None
    mixed = get("threshold,limit=4").with_decisions(get("lookahead"), "discard")
    assert get(str(strategy_text(mixed))).parts == mixed.parts


# ---------------------------------------------------------------- in a file

FILE = """
[strategy.plain]
draw = "improve"
params = { draw_gain = 3 }

[strategy.late]
base = "plain"
knock = "by-turn"

[strategy.late.params]
limit = 4
late_limit = 10
late_turn = 12

[strategy.learned]
base = "lookahead"
knock = "by-table"
params = { turn_bins = 2, pickup_bins = 3 }
table = [[10, 8, 6], [5, 4, -1]]
"""


def write(folder: Path, text: str, name: str = "mine.toml") -> str:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return str(file)


def test_a_file_gives_what_python_gives(tmp_path: Path) -> None:
    file = write(tmp_path, FILE)
    plain = gincore.Strategy("plain", draw="improve", params={"draw_gain": 3})
    assert get(f"{file}:plain") == plain
    late = gincore.Strategy("late", knock="by-turn", base=plain, params={"limit": 4, "late_limit": 10, "late_turn": 12})
    assert get(f"{file}:late") == late
    learned = gincore.Strategy(
        "learned",
        knock="by-table",
        base="lookahead",
        table=[10, 8, 6, 5, 4, -1],
        params={"turn_bins": 2, "pickup_bins": 3},
    )
    assert get(f"{file}:learned") == learned
    assert get(f"{file}:learned").digest() == learned.digest()
    assert get(f"{file}:late,limit=2,draw=never").params["limit"] == 2
    assert strategy_text(get(f"{file}:learned")) == f"{file}:learned"


def test_the_name_may_be_left_out_where_there_is_one(tmp_path: Path) -> None:
    assert get(write(tmp_path, '[strategy.only]\nknock = "fixed"\n')).name == "only"
    with pytest.raises(UsageError, match=r"name the strategy in the file, as in .*:NAME; it has: plain, late, le"):
        get(write(tmp_path, FILE, "more.toml"))


def test_a_file_plays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(tmp_path, FILE)
    words = ["simulate", "--deals", "20", "--strategy", f"{file}:learned", "--strategy", f"{file}:late", "--json"]
    assert main(words) == 0
    played = json.loads(capsys.readouterr().out)["manifest"]["strategies"]
    assert [each["name"] for each in played] == ["learned", "late"]
    assert played[0]["digest"] == get(f"{file}:learned").digest()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", r"has no strategy: write a table such as \[strategy.mine\]"),
        ("strategy = 3", "has no strategy"),
        ("[strategies.x]", r"'strategies' is not known \(did you mean 'strategy'\?\)"),
        ("[strategy]\nx = 3", r"strategy\.x = 3 is not a table"),
        (
            '[strategy.x]\ndrow = "meld"',
            r"strategy\.x: 'drow' is not known \(did you mean 'draw'\?\); allowed: base, draw",
        ),
        ("[strategy.x]\ndraw = 3", r"strategy\.x: draw = 3 is not a text"),
        (
            '[strategy.x]\ndraw = "mild"',
            r"strategy\.x: draw=mild is not known \(did you mean 'meld'\?\); allowed: meld",
        ),
        ('[strategy.x]\nbase = "x"', r"strategy\.x: base = 'x' is not known; allowed: simple"),
        ('[strategy.x]\nbase = "simpel"', r"base = 'simpel' is not known \(did you mean 'simple'\?\)"),
        ("[strategy.x]\nparams = 3", r"strategy\.x: params = 3 is not a table of numbers"),
        (
            '[strategy.x]\nknock = "fixed"\nparams = { limit = "4 points" }',
            r"x: limit='4 points' is not a finite number",
        ),
        ('[strategy.x]\nknock = "fixed"\nparams = { limit = 101 }', r"strategy\.x: limit=101 is not in 0\.\.100"),
        ('[strategy.x]\nknock = "fixed"\nparams = { limt = 1 }', r"strategy\.x: no parameter 'limt' \(did you mean"),
        ('[strategy.x]\nknock = "by-table"\ntable = ["a"]', r"strategy\.x: table must be numbers"),
        ('[strategy.x]\nknock = "by-table"\ntable = [[1, 2], [3]]', r"strategy\.x: table must be numbers"),
        ('[strategy.x]\nknock = "by-table"\ntable = [1, 2]', r"strategy\.x: knock=by-table needs a table"),
        ("[strategy.y]", "has no strategy 'x'.*; it has: y"),
        ("[strategy.x", "is not a TOML file"),
    ],
)
def test_a_file_that_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, words: str) -> None:
    file = write(tmp_path, text)
    with pytest.raises(UsageError, match=words) as caught:
        get(f"{file}:x")
    assert "mine.toml" in str(caught.value)
    assert main(["simulate", "--deals", "10", "--strategy", f"{file}:x"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"there is no file .*none\.toml"):
        get(f"{tmp_path / 'none.toml'}:x")
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(UsageError, match="cannot be read"):
        get(f"{tmp_path / 'folder.toml'}:x")


# ---------------------------------------------------------------- on the command line


def test_decisions_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["strategies", "decisions"]) == 0
    shown = capsys.readouterr().out
    assert main(["strategies", "decisions", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert [(each["kind"], each["name"]) for each in listed] == [(entry.kind, entry.name) for entry in LIBRARY]
    for entry, each in zip(LIBRARY, listed, strict=True):
        assert entry.about in shown
        assert each["source"] == entry.source
        for parameter, said in zip(entry.parameters, each["parameters"], strict=True):
            assert parameter.meaning in shown
            assert said == parameter._asdict()


def test_completion_knows_decisions_and_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from gincore.cli._common import complete_strategy

    monkeypatch.chdir(tmp_path)
    write(tmp_path, FILE)
    assert complete_strategy("draw=i") == ["draw=improve"]
    assert complete_strategy("draw=improve,knock=by-t") == [
        f"draw=improve,knock={name}" for name in ("by-turn", "by-table")
    ]
    assert complete_strategy("mi") == ["mine.toml:"]
    assert complete_strategy("look") == ["lookahead", "lookahead-gin"]
