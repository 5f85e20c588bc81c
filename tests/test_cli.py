"""The command line: what is printed, where errors go, and the exit codes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import gincore
from gincore.cli import _rules, main
from gincore.cli._common import print_json, print_table, read_count, read_seed
from gincore.errors import RunError, UsageError
from gincore.options import OPTIONS
from gincore.ruleset import preset_names, rules


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    code = main(words)
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Return the one line that refuses a command."""
    code, out, err = run(capsys, *words)
    assert code == 2
    assert out == ""
    assert err.startswith("gincore: ")
    assert err.count("\n") == 1
    return err


def in_a_process(*words: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "gincore", *words],
        env=os.environ | environment,
        capture_output=True,
        check=False,
        timeout=120,
    )


class TestMain:
    def test_no_arguments_print_the_help(self, capsys: pytest.CaptureFixture[str]) -> None:
        code, out, err = run(capsys)
        assert (code, err) == (0, "")
        for command in (
            "hand",
            "showdown",
            "rules",
            "simulate",
            "games",
            "report",
            "strategies",
            "bench",
            "warmup",
            "metrics",
        ):
            assert f"\n  {command} " in out

    @pytest.mark.parametrize(
        "words",
        [
            ["hand"],
            ["showdown"],
            ["rules", "list"],
            ["rules", "show"],
            ["rules", "diff"],
            ["simulate"],
            ["games"],
            ["metrics"],
            ["report", "knock-threshold"],
            ["strategies", "list"],
            ["bench"],
            ["warmup"],
        ],
    )
    def test_every_command_has_help_with_examples(self, capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
        code, out, _ = run(capsys, *words, "--help")
        assert code == 0
        assert f"Usage: gincore {' '.join(words)}" in out
        assert f"Examples:\n    gincore {' '.join(words)}" in out
        assert "--json" in out

    def test_version(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run(capsys, "--version") == (0, f"gincore {gincore.__version__}\n", "")

    @pytest.mark.parametrize(
        ("words", "named"),
        [
            (["nope"], "nope"),
            (["rules", "nope"], "nope"),
            (["--nope"], "--nope"),
            (["simulate"], "--deals"),
            (["games"], "--games"),
            (["report", "knock-threshold"], "--out"),
            (["hand"], "CARDS"),
            (["simulate", "--deals", "10", "--level", "x"], "--level"),
        ],
    )
    def test_wrong_use_is_one_line_and_names_the_help(
        self, capsys: pytest.CaptureFixture[str], words: list[str], named: str
    ) -> None:
        line = refused(capsys, *words)
        assert named in line
        assert "--help'" in line

    @pytest.mark.parametrize(
        ("error", "code", "line"),
        [
            (UsageError("deals 0 is not allowed"), 2, "deals 0 is not allowed"),
            (ValueError("two\nlines"), 2, "two lines"),
            (RunError("the strategy threw a card not held"), 1, "the strategy threw a card not held"),
            (OSError(28, "No space left on device", "x.parquet"), 1, "No space left on device: 'x.parquet'"),
            (KeyboardInterrupt("stopped; resume with ..."), 130, "stopped; resume with ..."),
            (KeyboardInterrupt(), 130, "interrupted"),
            (TypeError("oh"), 1, "internal error, TypeError: oh (run again with --debug for the traceback)"),
        ],
    )
    def test_errors_have_a_code_and_a_line(
        self,
        capsys: pytest.CaptureFixture[str],
        monkeypatch: pytest.MonkeyPatch,
        error: BaseException,
        code: int,
        line: str,
    ) -> None:
        def fail() -> list[str]:
            raise error

        monkeypatch.setattr(_rules, "preset_names", fail)
        assert run(capsys, "rules", "list") == (code, "", f"gincore: {line}\n")

    def test_debug_shows_the_traceback(self, capsys: pytest.CaptureFixture[str]) -> None:
        code, _, err = run(capsys, "rules", "show", "nope", "--debug")
        assert code == 2
        assert "Traceback" in err
        assert err.splitlines()[-1].startswith("gincore: unknown rules 'nope'")


class TestProcess:
    def test_exit_codes_reach_the_shell(self) -> None:
        good, bad = in_a_process("rules", "list"), in_a_process("rules", "show", "nope")
        assert (good.returncode, good.stderr) == (0, b"")
        assert (bad.returncode, bad.stdout) == (2, b"")

    @pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
    def test_c01_narrow_consoles(self, encoding: str) -> None:
        shown = in_a_process("rules", "show", "classic", PYTHONIOENCODING=encoding)
        assert (shown.returncode, shown.stderr) == (0, b"")
        assert "knock_limit" in shown.stdout.decode(encoding)
        error = in_a_process("hand", "6\u2660\ufe0f Dc", PYTHONIOENCODING=encoding)
        assert error.returncode == 2
        assert b"'Dc'" in error.stderr
        assert error.stderr.count(b"\n") == 1

    def test_a_closed_pipe_is_no_error_message(self) -> None:
        command = f'"{sys.executable}" -m gincore rules show classic | head -n 1'
        shown = subprocess.run(command, shell=True, capture_output=True, check=False, timeout=120)
        assert shown.stderr == b""

    def test_help_and_rules_import_nothing_heavy(self) -> None:
        heavy = ("numba", "pandas", "scipy", "matplotlib", "pyarrow", "rich")
        code = (
            "import sys; from gincore.cli import main; main(['--help']); main(['rules', 'show', 'classic']); "
            f"print([name for name in {heavy!r} if name in sys.modules])"
        )
        shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
        assert shown.stdout.splitlines()[-1] == "[]"

    def test_import_gincore_is_lazy_and_offers_the_public_names(self) -> None:
        code = (
            "import sys, gincore; "
            "assert not [name for name in ('numpy', 'numba', 'pandas') if name in sys.modules]; "
            "assert sorted(gincore.__all__) == dir(gincore); "
            "print([name for name in gincore.__all__ if not callable(getattr(gincore, name))])"
        )
        shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120)
        assert shown.stdout == "[]\n"

    def test_unknown_public_name(self) -> None:
        with pytest.raises(AttributeError, match="no attribute 'nope'"):
            _ = gincore.nope


class TestRules:
    def test_list(self, capsys: pytest.CaptureFixture[str]) -> None:
        code, out, _ = run(capsys, "rules", "list")
        assert code == 0
        assert [line.split()[0] for line in out.splitlines()[1:]] == preset_names()
        assert run(capsys, "rules")[1] == out

    def test_list_json(self, capsys: pytest.CaptureFixture[str]) -> None:
        found = json.loads(run(capsys, "rules", "list", "--json")[1])
        assert [entry["name"] for entry in found] == preset_names()

    def test_show(self, capsys: pytest.CaptureFixture[str]) -> None:
        _, out, _ = run(capsys, "rules", "show", "oklahoma", "--set", "undercut_bonus=10")
        assert out.startswith("oklahoma, undercut_bonus=10: Oklahoma gin\n")
        lines = {line.split()[0]: line.split()[1] for line in out.splitlines() if len(line.split()) > 1}
        assert lines["undercut_bonus"] == "10"
        assert lines["low_limit_is_gin"] == "A"

    def test_show_tells_where_each_value_comes_from(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        def shown(*words: str) -> dict[str, str]:
            lines = [re.split(" {2,}", line) for line in run(capsys, "rules", "show", *words)[1].splitlines()]
            table = {line[0]: line for line in lines if len(line) == 4}
            assert table.pop("hand option")[1:] == table.pop("game option")[1:] == ["value", "source", "meaning"]
            assert set(table) == set(OPTIONS), "every option has a line"
            return {name: line[2] for name, line in table.items()}

        for name in preset_names():
            assert shown(name) == rules(name).sources
        house = tmp_path / "house.toml"
        house.write_text('base = "straight"\ntarget = 200\n', encoding="utf-8")
        found = shown(str(house), "--set", "tie=knocker")
        assert [found[name] for name in ("target", "tie", "knock_limit", "shutout", "undercut_bonus")] == [
            "rule file house.toml",
            "set by the user",
            "straight: source 001",
            "straight: silent, as classic",
            "classic: source 000",
        ]

    def test_show_json(self, capsys: pytest.CaptureFixture[str]) -> None:
        found = json.loads(run(capsys, "rules", "show", "second-deck", "--json")[1])
        assert found["options"]["low_limit_is_gin"] == ["A", "2"]
        assert found["options"]["min_melded"] == "none"
        assert found["sources"] == rules("second-deck").sources
        assert list(found["sources"]) == list(found["options"])
        assert found["digest"] == rules("second-deck").digest()

    def test_show_toml_is_a_rule_file(self, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
        path = tmp_path / "my house.toml"
        path.write_text(run(capsys, "rules", "show", "pagat", "--set", "tie=knocker", "--toml")[1], encoding="utf-8")
        code, out, _ = run(capsys, "rules", "diff", "pagat", str(path), "--json")
        assert code == 0
        assert json.loads(out)["differences"] == {"tie": {"first": "undercut", "second": "knocker"}}

    def test_diff(self, capsys: pytest.CaptureFixture[str]) -> None:
        _, out, _ = run(capsys, "rules", "diff", "classic", "oklahoma")
        assert [line.split() for line in out.splitlines()] == [
            ["option", "classic", "oklahoma"],
            ["knock_limit", "10", "upcard"],
            ["low_limit_is_gin", "none", "A"],
            ["doubling", "none", "upcard_spade"],
        ]
        assert "same value" in run(capsys, "rules", "diff", "classic", "classic")[1]

    @pytest.mark.parametrize(
        ("words", "named"),
        [
            (["show", "clasic"], "did you mean 'classic'"),
            (["show", "classic", "--set", "target=0"], "50..750"),
            (["show", "classic", "--set", "targt=100"], "did you mean 'target'"),
            (["show", "classic", "--set", "target"], "OPTION=VALUE"),
            (["show", "classic", "--set", "gin_bonus=abc"], "0..500"),
            (["show", "classic", "--set", "gin_cancelled_at_zero=yes"], "layoff_on_gin"),
            (["diff", "classic", "./none.toml"], "No such file"),
        ],
    )
    def test_mistakes(self, capsys: pytest.CaptureFixture[str], words: list[str], named: str) -> None:
        assert named in refused(capsys, "rules", *words)


@pytest.mark.parametrize(
    ("text", "number"),
    [("1", 1), ("1000", 1000), ("1_000_000", 10**6), ("1e6", 10**6), ("1E+3", 1000), ("1.5e3", 1500), ("10.0", 10)],
)
def test_t02_counts(text: str, number: int) -> None:
    assert read_count("--deals", text) == number


@pytest.mark.parametrize(
    "text", ["0", "-5", "10.5", "1e-3", "1e13", "1e999", "", " ", "x", "nan", "inf", "true", "1,000", "0x10", "\u0661"]
)
def test_t02_bad_counts(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UsageError, match="--deals"):
        read_count("--deals", text)
    assert "--deals" in refused(capsys, "simulate", "--deals", text)
    assert "--games" in refused(capsys, "games", "--games", text)


@pytest.mark.parametrize(
    ("text", "seed"), [("0", 0), ("4294967295", 2**32 - 1), ("1e3", 1000), ("1_000", 1000), (str(2**64 - 1), 2**64 - 1)]
)
def test_r06_seeds(text: str, seed: int) -> None:
    assert read_seed(text) == seed


@pytest.mark.parametrize("text", ["-1", "1.5", "", "true", str(2**64), "1e20", "1e-1", "9" * 30])
def test_r06_bad_seeds(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "--seed" in refused(capsys, "simulate", "--deals", "10", "--seed", text)


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--strategy", "simple", "--strategy", "simple", "--strategy", "simple"], "3 times"),
        (["--keep", "all"], "rows, stats"),
        (["--level", "1"], "--level"),
        (["--level", "nan"], "--level"),
        (["--workers", "0"], "from 1 to 1,024, such as 4"),
        (["--workers", "1025"], "from 1 to 1,024, such as 4"),
        (["--chunk", "0"], "--chunk '0' is not"),
        (["--resume"], "--resume (resume=True) needs --out FOLDER"),
        (["--out", ""], "an empty text is not the name of a folder"),
        (["--deals", "x"], "from 1 to 1,000,000,000,000, such as 1000000 or 1e6"),
        (["--rules", "oklahomma"], "oklahoma"),
    ],
)
def test_mistakes_of_a_run(capsys: pytest.CaptureFixture[str], words: list[str], named: str) -> None:
    assert named in refused(capsys, "simulate", "--deals", "10", *words)


def test_json_is_ascii_and_has_no_nan(capsys: pytest.CaptureFixture[str]) -> None:
    value: dict[str, Any] = {"a": float("nan"), "b": [1, True, None, "\u00e9"], "c": (float("inf"), 0.5)}
    print_json(value)
    out = capsys.readouterr().out
    assert out.isascii()
    assert json.loads(out) == {"a": None, "b": [1, True, None, "\u00e9"], "c": [None, 0.5]}


def test_table_aligns_numbers_to_the_right(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(("name", "n", "share"), [("a", 5, 0.25), ("bcd", 10_000, float("nan"))])
    assert capsys.readouterr().out == "name      n  share\na         5   0.25\nbcd   10000      -\n"
