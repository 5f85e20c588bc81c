"""The README holds: its Python runs as it stands, and its commands are commands."""

from __future__ import annotations

import importlib
import re
import shlex
from pathlib import Path

import pytest

import gincore
from gincore.cli import main

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text("utf8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
COMMANDS = [line for kind, block in BLOCKS if not kind for line in block.splitlines() if line.startswith("gincore ")]
QUICK = ("hand", "showdown", "rules", "strategies", "metrics", "question list")


def test_the_python_runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """All blocks in one session, as one reads them, with fewer deals."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    blocks = [block for kind, block in BLOCKS if kind == "python"]
    assert len(blocks) >= 3
    code = re.sub(r"\b\d+_000\b|\b1_000_000\b", "200", "\n".join(blocks))
    (tmp_path / "from_the_readme.py").write_text(code, "utf8")
    module = importlib.import_module("from_the_readme")
    assert module.run["net_points_per_hand"].n == 200


def test_calls_in_the_text_name_what_is_there() -> None:
    for name in set(re.findall(r"`[^`\n]*?\bgincore\.([a-z_]+)\(", README)):
        assert hasattr(gincore, name), name


@pytest.mark.parametrize("line", [line for line in COMMANDS if line.removeprefix("gincore ").startswith(QUICK)])
def test_the_quick_commands_run(line: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(shlex.split(line.partition(">")[0], comments=True)[1:]) == 0


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_and_flag_is_known(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    words = shlex.split(line, comments=True)[1:]
    command = []
    for word in words:
        if word.startswith("-") or main([*command, word, "--help"]) != 0:
            break
        command.append(word)
    capsys.readouterr()
    assert main([*command, "--help"]) == 0
    known = capsys.readouterr().out
    for flag in (word for word in words if word.startswith("--")):
        assert flag in known, f"{flag} of: {line}"
