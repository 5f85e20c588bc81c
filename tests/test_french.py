"""French terms: every option and every value that is a word has one; the command prints them."""

from __future__ import annotations

import re

import pytest

from gincore import french
from gincore.cli import main
from gincore.options import OPTIONS, Choice
from gincore.ruleset import preset_names, rules


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


def test_every_source_of_an_option_is_said_in_french(capsys: pytest.CaptureFixture[str]) -> None:
    english = re.compile("silent|text$|not in|unspecified|authority|research|file|user|toolkit")
    for name in preset_names():
        preset = rules(name, max_turns=100)
        assert not [source for source in preset.sources.values() if english.search(french.source(source))]
    assert main(["rules", "show", "grand-gin", "--set", "target=300", "--lang", "fr"]) == 0
    shown = capsys.readouterr().out
    for text in ("choisi par l'utilisateur", "texte muet, comme classic", "classic : dans aucun texte", "source 003"):
        assert text in shown
    assert french.source("rule file house.toml") == "fichier de règles house.toml"
