"""A few examples of every fuzzer of ``fuzz.py``, and what ``scripts/fuzz.py`` found with many."""

from __future__ import annotations

import json

import pytest
from fuzz import TARGETS, read_manifest, stored
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

EXAMPLES = {"cards": 100, "rules": 40, "manifests": 15, "folders": 15, "strategies": 20, "commands": 30}


@pytest.mark.parametrize("name", TARGETS)
@settings(max_examples=1, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_broken_input_is_refused_by_one_line(name: str, data: st.DataObject) -> None:
    """The first examples of each fuzzer."""
    examples, check = TARGETS[name]
    for _ in range(EXAMPLES[name]):
        check(data.draw(examples))


@pytest.mark.parametrize(
    "text",
    [
        "x" * 300,
        f"threshold,limit={'x' * 300}",
        f"threshold,{'x' * 300}=4",
        "./a\nb.py:x",
        "\ndraw=x,discard=lookahead",
    ],
)
def test_long_and_odd_names_of_strategies(text: str) -> None:
    """Found by ``strategies``: the whole of a long name, or a line break, was repeated."""
    TARGETS["strategies"][1](("spec", text))


@pytest.mark.parametrize(
    "key", ["format", "report", "rules", "strategies", "versions", "seed", "chunk", "count", "first"]
)
@pytest.mark.parametrize(
    "value", [None, [], {}, [[]], {"0": 1}, "x", -1, 1, True, 10**18, 10**40, "x" * 2_000, ["x" * 2_000]]
)
def test_manifests_of_another_shape(key: str, value: object) -> None:
    """Found by ``manifests``: rules that are a list gave an IndexError, and many differences a line without end.

    A count without end was counted to, and a long value repeated whole.
    """
    manifest = json.loads((stored()[0] / "manifest.json").read_text("utf8"))
    read_manifest(json.dumps(manifest | {key: value}).encode())
