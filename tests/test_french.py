"""French terms: every option and every value that is a word has one; the command prints them."""

from __future__ import annotations

import pytest

from gincore import french
from gincore.cli import main
from gincore.options import OPTIONS, Choice


def test_every_option_has_a_french_term() -> None:
    assert set(french.OPTIONS) == set(OPTIONS)
    assert all(term and meaning for term, meaning in french.OPTIONS.values())


def test_every_choice_has_a_french_word() -> None:
    choices = {word for option in OPTIONS.values() if isinstance(option, Choice) for word in option.values}
    assert choices, "the options name their choices"
    assert {word for word in choices if word not in french.VALUES} == set()


def test_rules_show_in_french(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "show", "oklahoma", "--lang", "fr"]) == 0
    shown = capsys.readouterr().out
    for text in ("limite pour frapper", "carte retournée", "prime de sous-coupe", "option de la partie"):
        assert text in shown
    assert main(["rules", "show", "oklahoma", "--lang", "de"]) == 2
