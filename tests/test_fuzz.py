"""A few examples of every fuzzer of ``fuzz.py``, and what ``scripts/fuzz.py`` found with many."""

from __future__ import annotations

import pytest
from fuzz import TARGETS
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
