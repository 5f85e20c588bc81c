"""Playthroughs: a few hands of every preset, printed state by state, are what the engine plays today.

``scripts/playthroughs.py`` writes the files; a change of rules, of the deal or of the two strategies shows up here as
a difference that people can read. The script checks its rows against those of the compiled engine.
"""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

import gincore

FOLDER = Path(__file__).parent / "playthroughs"


@cache
def script() -> ModuleType:
    path = Path(__file__).parent.parent / "scripts" / "playthroughs.py"
    spec = importlib.util.spec_from_file_location("playthroughs", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_preset_has_a_file_and_every_file_a_preset() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == sorted(gincore.preset_names())


@pytest.mark.parametrize("name", gincore.preset_names())
def test_the_engine_plays_as_the_file_says(name: str) -> None:
    played = script().text(name)
    assert played == (FOLDER / f"{name}.txt").read_text(encoding="utf-8"), "run scripts/playthroughs.py and look at it"
    assert played.count("\ndeal ") >= 2


def test_the_files_show_every_end_of_a_hand() -> None:
    together = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.txt"))
    for end in ("knock", "undercut", "gin", "big_gin", "dead"):
        assert f"      {end}: " in together or f"      {end}, doubled: " in together, end
    assert "lays off -" in together
    assert ", doubled: " in together
