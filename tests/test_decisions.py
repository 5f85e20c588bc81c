"""Decisions of users: what is refused when they are compiled, how it is told, and what becomes of their exceptions."""

from __future__ import annotations

import operator
import os
import pickle
import random
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from numpy.random import rand

import gincore
from gincore.cli import main
from gincore.core import view as engine_view
from gincore.errors import RunError, UsageError
from gincore.schema import VIEW_DTYPE, VIEW_FIELDS
from gincore.strategies import choose, get, guide
from gincore.strategies.base import KINDS

HERE = __file__


def refusal(function: Any) -> str:
    """Return the line with which a decision is refused; it names file, line and decision."""
    with pytest.raises(UsageError) as refused:
        gincore.decision(function).compiled  # noqa: B018
    line = str(refused.value)
    assert "\n" not in line
    assert f"decision {getattr(function, '__name__', '')!r}" in line
    return line


# ---------------------------------------------------------------- functions that decisions call


@numba.njit
def later(view: Any) -> Any:
    return view.turn + 1


@numba.njit
def writes(view: Any) -> Any:
    view.hand = 0
    return 0


@numba.njit
def fills(array: Any) -> Any:
    array[0] = 1
    return 0


@numba.njit
def itself(array: Any) -> Any:
    return array


@numba.njit
def tosses() -> Any:
    return np.random.randint(2)  # noqa: NPY002


@numba.njit
def misspells(view: Any) -> Any:
    return view.hnd


def plain(value: Any) -> Any:
    return value + 1


TABLE, NUMBERS, FIXED, ARRAY = {"a": 1}, [1, 2], (1, 2), np.arange(4)

# ---------------------------------------------------------------- nothing may be written but what is its own


def attribute(view: Any, params: Any) -> Any:
    view.hand = 0
    return 0


def record_item(view: Any, params: Any) -> Any:
    view["hand"] = 0
    return 0


def parameter(view: Any, params: Any) -> Any:
    params[0] = 1
    return 0


def parameter_in_place(view: Any, params: Any) -> Any:
    params[0] += 1
    return 0


def all_parameters(view: Any, params: Any) -> Any:
    params[:] = 0
    return 0


def alias(view: Any, params: Any) -> Any:
    after = view.after
    after[0] = 1
    return 0


def slice_in_place(view: Any, params: Any) -> Any:
    after = view.after[3:]
    after += 1
    return 0


def unpacked(view: Any, params: Any) -> Any:
    one, two = params, 3
    one[0] = two
    return 0


def listed(view: Any, params: Any) -> Any:
    arrays = [params]
    arrays[0][0] = 1
    return 0


def perhaps(view: Any, params: Any) -> Any:
    array = np.zeros(3) if view.turn > 3 else params
    array[0] = 1
    return 0


def method(view: Any, params: Any) -> Any:
    view.after.fill(0)
    return 0


def sorting(view: Any, params: Any) -> Any:
    params.sort()
    return 0


def output(view: Any, params: Any) -> Any:
    np.add(params, 1, params)
    return 0


def operators(view: Any, params: Any) -> Any:
    operator.setitem(params, 0, 1)
    return 0


def operators_in_place(view: Any, params: Any) -> Any:
    operator.iadd(params, 1)
    return 0


def other_type(view: Any, params: Any) -> Any:
    params.view(np.int64)[0] = 1
    return 0


def iterated(view: Any, params: Any) -> Any:
    for each in np.nditer(params):
        each[()] = 1
    return 0


def helper_attribute(view: Any, params: Any) -> Any:
    return writes(view)


def helper_array(view: Any, params: Any) -> Any:
    return fills(view.after)


def helper_parameters(view: Any, params: Any) -> Any:
    return fills(params)


def through_helper(view: Any, params: Any) -> Any:
    same = itself(params)
    same[0] = 1
    return 0


def engine(view: Any, params: Any) -> Any:
    engine_view.left(view, view)
    return 0


def inner(view: Any, params: Any) -> Any:
    def store(array: Any) -> None:
        array[0] = 3

    store(params)
    return 0


WRITERS = (
    attribute, record_item, parameter, parameter_in_place, all_parameters, alias, slice_in_place, unpacked, listed,
    perhaps, method, sorting, output, operators, operators_in_place, other_type, iterated, helper_attribute,
    helper_array, helper_parameters, through_helper, engine, inner,
)  # fmt: skip


@pytest.mark.parametrize("function", WRITERS, ids=lambda each: each.__name__)
def test_a_decision_may_not_write(function: Any) -> None:
    line = refusal(function)
    assert "writes to what may be the view, the parameters" in line or "sets the attribute 'hand'" in line or (
        function is engine and "sets the attribute 'declined'" in line
    )  # fmt: skip
    place, number, _ = line.split(":", 2)
    assert place.endswith(".py")
    if place == HERE:
        text = Path(HERE).read_text(encoding="utf-8").split("\n")[int(number) - 1]
        assert "=" in text or "(" in text, text


def test_what_is_its_own_may_be_written() -> None:
    def busy(view: Any, params: Any) -> Any:
        counts = np.zeros(view.turn + 1)
        counts[0] = view.after[3]
        copy = view.after.copy()
        copy[0] = 1
        filled = np.full(52, params[0])
        filled[1] += 1
        more = params + 1
        more[0] = 3
        like = np.zeros_like(view.after)
        like[0] = 1
        cards = view.legal
        cards &= ~view.repeats
        numbers = [view.turn, 2]
        numbers[0] = 3
        numbers.append(4)
        squares = np.array([each * each for each in view.after])
        squares[0] = 1
        best = choose.least_among(view, cards)
        return int(counts[0] + copy[0] + later(view) + ARRAY[1] + FIXED[0] + np.int64(best & np.uint64(1))) % 2

    assert gincore.decision(busy).compiled


@pytest.mark.parametrize("name", [name for name in gincore.strategy_names() if name not in ("expert", "rollout")])
def test_the_shipped_decisions_pass_the_same_examination(name: str) -> None:
    """``expert`` and ``rollout`` work in records of their own, which the examination cannot tell from a view."""
    from gincore import _jit
    from gincore.core.decide import SIGNATURE
    from gincore.strategies import check

    for part in get(name).parts:
        function = part.decision.function
        check.prepare(function)
        check.examine(function, _jit.compile_decision(function, SIGNATURE, cache=False), SIGNATURE)


# ---------------------------------------------------------------- chance and answers


def numpy_random(view: Any, params: Any) -> Any:
    return np.random.randint(2)  # noqa: NPY002


def python_random(view: Any, params: Any) -> Any:
    return random.randint(0, 1)


def imported_random(view: Any, params: Any) -> Any:
    return int(rand() < 0.5)  # noqa: NPY002


def helper_random(view: Any, params: Any) -> Any:
    return tosses()


def inner_random(view: Any, params: Any) -> Any:
    return sum([np.random.randint(2) for _ in range(3)]) % 2  # noqa: NPY002


@pytest.mark.parametrize(
    "function", [numpy_random, python_random, imported_random, helper_random, inner_random], ids=lambda f: f.__name__
)
def test_random_numbers_of_its_own_are_refused(function: Any) -> None:
    line = refusal(function)
    assert "view.random" in line
    assert "gincore.strategies.choose.pick" in line


def half(view: Any, params: Any) -> Any:
    return 0.5


def not_a_number(view: Any, params: Any) -> Any:
    return np.nan


def a_parameter(view: Any, params: Any) -> Any:
    return params[0]


def sometimes(view: Any, params: Any) -> Any:
    if view.turn > 3:
        return 1
    return params[0]


@pytest.mark.parametrize("function", [half, not_a_number, a_parameter, sometimes], ids=lambda f: f.__name__)
def test_an_answer_that_is_no_integer_is_refused(function: Any) -> None:
    assert "answers with a float64" in refusal(function)


@pytest.mark.parametrize("answer", [True, 1, np.int8(1), np.uint64(1), np.bool_(True)])
def test_integers_and_booleans_are_answers(answer: Any) -> None:
    assert gincore.decision(lambda view, params: answer).compiled


# ---------------------------------------------------------------- what numba cannot compile


def no_return(view: Any, params: Any) -> Any:
    if view.turn > 3:
        return 1


def says(view: Any, params: Any) -> Any:
    return "knock"


def pair(view: Any, params: Any) -> Any:
    return 1, 2


def undecorated(view: Any, params: Any) -> Any:
    return plain(1)


def global_dict(view: Any, params: Any) -> Any:
    return TABLE["a"]


def global_list(view: Any, params: Any) -> Any:
    return NUMBERS[view.turn]


def named_parameter(view: Any, params: Any) -> Any:
    return int(params["limit"])


def misspelt(view: Any, params: Any) -> Any:
    return view.deadwod


def misspelt_in_helper(view: Any, params: Any) -> Any:
    return misspells(view)


def unknown(view: Any, params: Any) -> Any:
    nothing = 0
    return nothing + plane(1)  # noqa: F821


def importing(view: Any, params: Any) -> Any:
    import math

    return math.floor(2)


@gincore.decision
def recursive(view: Any, params: Any) -> Any:
    return recursive(view, params)


@gincore.decision
def calls_another(view: Any, params: Any) -> Any:
    return recursive(view, params)


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (no_return, "a path ends without return"),
        (says, "it returns text, and must return an integer"),
        (pair, "it returns a tuple, and must return an integer"),
        (undecorated, "the function 'plain' is plain Python: mark it with @numba.njit"),
        (global_dict, "the global dict 'TABLE' cannot be used: make it a tuple or a NumPy array"),
        (global_list, "the global list 'NUMBERS' cannot be used"),
        (named_parameter, "params is an array, so params['limit'] cannot be: params[0], params[1] .."),
        (misspelt, "view has no field 'deadwod' (did you mean 'deadwood'?); it has: hand, pile, opp_took,"),
        (misspelt_in_helper, "view has no field 'hnd' (did you mean 'hand'?)"),
        (unknown, "there is nothing named 'plane' (did you mean 'plain'?)"),
        (importing, "imports stand at the top of the file"),
        (recursive, "calls itself: use a loop in place of recursion"),
        (calls_another, "'recursive' is a decision, and a decision cannot call another"),
    ],
    ids=lambda each: getattr(each, "__name__", None),
)
def test_what_cannot_be_compiled_is_explained(function: Any, words: str) -> None:
    line = refusal(function)
    assert words in line
    assert line.startswith(f"{HERE}:")
    assert "Record(" not in line
    assert "gincore_user" not in line


def test_the_line_is_where_it_fails() -> None:
    number = int(refusal(unknown).split(":")[1])
    assert "plane(1)" in Path(HERE).read_text(encoding="utf-8").split("\n")[number - 1]


def only_raises(view: Any, params: Any) -> Any:
    raise ValueError


def test_it_must_return_at_all() -> None:
    assert "never returns" in refusal(only_raises)


async def waits(view: Any, params: Any) -> Any:
    return 0


def yields(view: Any, params: Any) -> Any:
    yield 0


def alone(view: Any) -> Any:
    return 0


def anything(view: Any, *params: Any) -> Any:
    return 0


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (waits, "is an async function"),
        (yields, "is a generator"),
        (alone, "takes (view: 'Any'), and must take (view, params)"),
        (anything, "must take (view, params)"),
        (len, "is not a function"),
        (7, "is not a function"),
    ],
    ids=lambda each: getattr(each, "__name__", None),
)
def test_what_is_no_decision(function: Any, words: str) -> None:
    with pytest.raises(UsageError) as refused:
        gincore.decision(function)
    assert words in str(refused.value)


def test_a_decision_stays_one_and_a_compiled_function_becomes_one() -> None:
    assert gincore.decision(recursive) is recursive
    assert gincore.decision(numba.njit(alias)).function is alias


# ---------------------------------------------------------------- exceptions

RAISES = """
import numba
import numpy as np
import gincore

ARRAY = np.arange(4)

@numba.njit
def entry(array, index):
    return array[index]

@gincore.decision
def divides(view, params):
    return 1 // (view.turn - view.turn)

@gincore.decision
def reads_on(view, params):
    return view.after[view.turn + 1_000_000]

@gincore.decision
def reads_before(view, params):
    return ARRAY[-view.turn - 500]

@gincore.decision
def reads_parameters(view, params):
    return int(params[view.turn + 7])

@gincore.decision
def reads_in_a_helper(view, params):
    return entry(ARRAY, view.turn + 12345)

@gincore.decision
def asserts(view, params):
    assert view.turn < 0, "too late"
    return 0

@gincore.decision
def leaves(view, params):
    if view.turn >= 0:
        raise ValueError("no idea")
    return 0

@gincore.decision
def late(view, params):
    if view.turn > 9:
        raise ValueError("ten turns")
    return 0

for _decision in (divides, reads_on, reads_before, reads_parameters, reads_in_a_helper, asserts, leaves):
    globals()["s_" + _decision.__name__] = gincore.Strategy(_decision.__name__, discard=_decision, params={"x": 1})
s_late = gincore.Strategy("late", draw=late, knock=late)
"""

EXCEPTIONS = [
    ("divides", "ZeroDivisionError"),
    ("reads_on", "IndexError: index is out of bounds"),
    ("reads_before", "IndexError"),
    ("reads_parameters", "IndexError"),
    ("reads_in_a_helper", "IndexError"),
    ("asserts", "AssertionError: too late"),
    ("leaves", "ValueError: no idea"),
]


@pytest.fixture
def raises(tmp_path: Path) -> Path:
    file = tmp_path / "raises.py"
    file.write_text(RAISES, encoding="utf-8")
    return file


@pytest.mark.parametrize(("name", "said"), EXCEPTIONS)
@pytest.mark.parametrize("kind", ["hands", "games"])
def test_an_exception_is_told_like_an_illegal_answer(raises: Path, name: str, said: str, kind: str) -> None:
    play = gincore.simulate if kind == "hands" else gincore.simulate_games
    settings = {"deals" if kind == "hands" else "games": 1000, "seed": 3, "keep": "stats", "progress": False}
    with pytest.raises(RunError) as failed:
        play("classic", ("simple", f"{raises}:s_{name}"), workers=2, **settings)
    text = str(failed.value)
    assert text.startswith(f"strategy '{name}' (player 1) in {'deal' if kind == 'hands' else 'game'} 0, ")
    assert f"asked which card to throw, it raised {said}" in text
    assert "\n" not in text
    assert text.endswith(f"--strategy simple --strategy {raises}:s_{name}")


def test_the_replay_command_fails_alike(raises: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["simulate", "--deals", "3000", "--seed", "5", "--strategy", "simple", "--strategy", f"{raises}:s_late"]
    assert main(words) == 1
    out, error = capsys.readouterr()
    assert out == ""
    assert error.count("\n") == 1
    assert "asked whether to take the top discard, it raised ValueError: ten turns" in error
    again = shlex.split(error.split("replay it with: ")[1])
    assert again[0] == "gincore"
    assert main(again[1:]) == 1
    assert capsys.readouterr().err == error


@pytest.mark.parametrize(("form", "given"), [("partnership", 4), ("cutthroat", 3), ("hollywood", 2)])
def test_an_exception_names_the_player_in_every_form(raises: Path, form: str, given: int) -> None:
    for player in range(given):
        chosen: list[Any] = ["simple"] * given
        chosen[player] = f"{raises}:s_leaves"
        with pytest.raises(RunError, match=rf"'leaves' \(player {player}\) in (game|sheet) \d+, hand \d+, mirror \d:"):
            gincore.simulate_games(form, chosen, games=5, seed=3, progress=False)


def test_without_numba_it_is_told_in_the_same_words(raises: Path) -> None:
    command = [sys.executable, "-m", "gincore", "simulate", "--deals", "5", "--strategy", f"{raises}:s_leaves"]
    lines = []
    for variables in ({}, {"NUMBA_DISABLE_JIT": "1"}):
        child = subprocess.run(command, env=os.environ | variables, capture_output=True, text=True, check=False)
        assert (child.returncode, child.stdout) == (1, ""), child.stderr
        lines.append(child.stderr)
    assert lines[0] == lines[1]


def test_nothing_is_written_for_a_decision_that_cannot_be_compiled(tmp_path: Path) -> None:
    out = tmp_path / "run"
    wrong = gincore.Strategy("wrong", draw=gincore.decision(misspelt))
    with pytest.raises(UsageError, match="view has no field"):
        gincore.simulate("classic", (wrong, "simple"), deals=10, seed=1, out=out, progress=False)
    assert not out.exists()


# ---------------------------------------------------------------- parameters


@gincore.decision
def first_parameter(view: Any, params: Any) -> Any:
    return params[0] > 0


def test_a_parameter_of_the_base_is_set_there() -> None:
    four = gincore.Strategy("p", base="threshold", params={"limit": 4})
    assert four.params == {"limit": 4, "late_limit": -1, "late_turn": 0}
    assert four.digest() == get("threshold,limit=4").digest()
    assert four.values()[2].tolist() == [4, -1, 0]
    both = gincore.Strategy("p", base="threshold", draw=first_parameter, params={"mine": 1, "limit": 5})
    assert both.values()[0].tolist() == [1, 5]
    assert both.values()[2].tolist() == [5, -1, 0]
    own = gincore.Strategy("p", base="threshold", knock=first_parameter, params={"limit": 500})
    assert own.values()[2].tolist() == [500]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"base": "threshold", "params": {"limt": 4}}, "no parameter 'limt'.*it has: late_limit, late_turn, limit"),
        ({"base": "threshold", "params": {"limit": 101}}, "limit=101 is not in 0..100"),
        ({"params": {"limit": 4}}, "no parameter 'limit'.*it has: none"),
        ({"bounds": {"limit": (0, 1)}}, "bounds of 'limit', which is no parameter; it has: none"),
        ({"draw": first_parameter, "params": {"a": 1}, "bounds": {"b": (0, 1)}}, "bounds of 'b'.*it has: a"),
        ({"draw": first_parameter, "params": {"a": 1}, "bounds": {"a": (2, 1)}}, "bounds of 'a' are"),
        ({"draw": first_parameter, "params": {"a": 1}, "bounds": {"a": 3}}, "bounds of 'a' are"),
        ({"draw": first_parameter, "params": {"a": 3}, "bounds": {"a": (0, 2)}}, "a=3 is not in 0..2"),
        ({"draw": first_parameter, "params": [1, 2]}, "params must be a mapping"),
        ({"draw": first_parameter, "params": {"a b": 2}}, "parameter name 'a b' must be a word"),
        ({"base": "threshold", "bounds": {"limit": (11, 20)}}, "limit=10 is not in 11..20"),
    ],
)
def test_parameters_that_nobody_has(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        gincore.Strategy("p", **settings)


def test_a_parameter_is_given_once() -> None:
    with pytest.raises(UsageError, match="limit is given twice"):
        get("threshold,limit=4,limit=5")
    with pytest.raises(UsageError, match=r"no parameter 'limt' \(did you mean 'limit'\?\)"):
        get("threshold,limt=4")


# ---------------------------------------------------------------- files

WITH_HELPERS = """
import gincore
import my_helper_of_tests
from my_package_of_tests import inner

print("loading")

@gincore.decision
def draw(view, params):
    return my_helper_of_tests.answer(view) + inner.ZERO

mine = gincore.Strategy("mine", draw=draw)
elsewhere = gincore.Strategy("elsewhere", draw=my_helper_of_tests.decides)
"""
HELPER = """
import numba
import gincore

@numba.njit
def answer(view):
    return ANSWER

@gincore.decision
def decides(view, params):
    return 0

ANSWER = {answer}
"""


def with_helpers(folder: Path, answer: int) -> Path:
    (folder / "my_package_of_tests").mkdir(parents=True, exist_ok=True)
    (folder / "my_package_of_tests" / "__init__.py").touch()
    (folder / "my_package_of_tests" / "inner.py").write_text("from . import deep\nZERO = deep.ZERO\n")
    (folder / "my_package_of_tests" / "deep.py").write_text("ZERO = 0\n")
    (folder / "my_helper_of_tests.py").write_text(HELPER.format(answer=answer))
    file = folder / "mine.py"
    file.write_text(WITH_HELPERS)
    return file


def decide(strategy: gincore.Strategy) -> int:
    return int(strategy.functions()[0](np.zeros(1, VIEW_DTYPE)[0], strategy.values()[0]))


def test_helpers_beside_the_file_are_found_and_belong_to_the_digest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = list(sys.path)
    one, two = (with_helpers(tmp_path / name, answer) for name, answer in (("one", 0), ("two", 1)))
    strategies = [get(f"{file}:mine") for file in (one, two)]
    assert [decide(each) for each in strategies] == [0, 1]
    assert sys.path == before
    assert capsys.readouterr() == ("", "loading\nloading\n")
    assert strategies[0].digest() != strategies[1].digest()
    assert get(f"{one}:mine") is strategies[0]
    again = get(f"{with_helpers(tmp_path / 'one', 1)}:mine")  # the helper has changed, the file has not
    assert decide(again) == 1
    assert again.digest() == strategies[1].digest()
    digest = again.digest()
    (tmp_path / "one" / "my_package_of_tests" / "deep.py").write_text("ZERO = 0  # edited\n")
    assert again.digest() != digest


def test_strategies_of_a_file_with_helpers_travel(tmp_path: Path) -> None:
    file = with_helpers(tmp_path, 1)
    code = (
        "import sys, pickle; strategy = pickle.loads(bytes.fromhex(sys.argv[1])); "
        "print(strategy.digest(), [each is not None for each in strategy.functions()])"
    )
    for name in ("mine", "elsewhere"):
        strategy = get(f"{file}:{name}")
        assert pickle.loads(pickle.dumps(strategy)) == strategy
        words = [sys.executable, "-c", code, pickle.dumps(strategy).hex()]
        child = subprocess.run(
            words, capture_output=True, text=True, check=True, env=os.environ, cwd=Path(HERE).parent.parent
        )
        assert child.stdout.split()[0] == strategy.digest()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("import sys; sys.exit(3)", "bad.py fails with SystemExit: 3"),
        ("raise SystemExit", "bad.py fails with SystemExit"),
        ("def (", "bad.py fails with SyntaxError: .*line 1"),
        ("import no_such_module_anywhere", "bad.py fails with ModuleNotFoundError"),
    ],
)
def test_a_file_that_fails(tmp_path: Path, content: str, words: str) -> None:
    file = tmp_path / "bad.py"
    file.write_text(content)
    with pytest.raises(UsageError, match=words):
        get(f"{file}:mine")


# ---------------------------------------------------------------- the guide


def test_the_guide_names_every_field_and_every_helper(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["strategies", "view"]) == 0
    shown = capsys.readouterr().out
    text = gincore.decision.__doc__ or ""
    for said in (shown, text):
        for name, _, meaning in VIEW_FIELDS:
            assert f" {name} " in said
            assert meaning.split()[0] in said
        for name in choose.__all__:
            assert f" {name}(" in said
        for kind in KINDS:
            assert f" {kind} " in said
    assert tuple(name for name, _, _ in VIEW_FIELDS) == VIEW_DTYPE.names
    assert all(meaning for _, meaning in guide.helpers())
    assert max(map(len, shown.split("\n"))) <= 110


def test_every_parameter_of_a_shipped_strategy_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    from gincore.strategies.catalogue import ABOUT
    from gincore.strategies.library import meaning
    from gincore.strategies.shipped import SHIPPED

    assert set(ABOUT) == set(SHIPPED)
    assert main(["strategies", "list"]) == 0
    shown = capsys.readouterr().out
    for name, strategy in SHIPPED.items():
        assert set(strategy.params) == set(strategy.bounds)
        assert ABOUT[name] in shown
        for part in strategy.parts:
            for key, _ in part.params:
                assert meaning(part.decision, key) in shown
