"""Numbers and lists in both languages."""

from __future__ import annotations

import pytest

from gincore.errors import UsageError
from gincore.language import Language, language, round_up

EN, FR = Language("en"), Language("fr")


def test_numbers() -> None:
    assert EN.number(-1234.5) == "\u22121,234.50"
    assert FR.number(-1234.5) == "\u22121\u202f234,50"
    assert EN.number(-0.001) == FR.number(-0.001).replace(",", ".") == "0.00"
    assert EN.number(float("nan")) == "n/a"
    assert FR.number(float("nan")) == "s.o."
    assert FR.number(float("inf")) == "∞"


def test_shares_and_intervals() -> None:
    assert FR.percent(0.0456) == "4,6\u00a0%"
    assert EN.interval(0.1, 0.2, 1, scale=100) == "[10.0, 20.0]"
    assert FR.interval(0.1, 0.2, 1, scale=100) == "[10,0\u00a0; 20,0]"
    assert EN.interval(float("nan"), 1) == "[no interval]"


def test_french_has_no_break_before_a_colon() -> None:
    assert FR("x: y?", "x : y ?") == "x\u00a0: y\u00a0?"
    assert EN("x: y?", "x : y ?") == "x: y?"
    assert FR((1,), (2,)) == (2,)


def test_games_that_are_needed_are_rounded_up() -> None:
    assert [round_up(number) for number in (25.15, 25.0, 24.99)] == [26, 25, 25]
    assert round_up(float("inf")) == float("inf")
    assert round_up(float("nan")) != round_up(float("nan"))


def test_lists() -> None:
    assert EN.joined(["a", "b", "c"]) == "a, b and c"
    assert EN.names(["pagat, undercut_bonus=25", "our table", "pagat"]) == (
        "“pagat, undercut_bonus=25”, our table and pagat"
    )
    assert FR.names(["a,b=1", "c"]) == "«\u00a0a,b=1\u00a0» et c"
    assert EN.span("1", "1") == FR.span("1", "1") == "1"
    assert FR.joined(["a", "b"]) == "a et b"
    assert FR.joined(["a"]) == "a"
    assert FR.joined([]) == ""


def test_other_languages_are_refused() -> None:
    with pytest.raises(UsageError, match="allowed: en, fr"):
        language("de")
