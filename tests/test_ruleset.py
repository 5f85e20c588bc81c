"""Rules: every preset against the rules page, every option's checks, and TOML in and out."""

from __future__ import annotations

import pickle
import re
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gincore
from gincore import schema
from gincore.errors import UsageError
from gincore.options import GAME_OPTIONS, HAND_OPTIONS, OPTIONS
from gincore.ruleset import PRESETS, Rules, preset_names, rules

GRAND = {
    "min_melded": 8,
    "big_gin": True,
    "big_gin_bonus": 50,
    "undercut_bonus": 20,
    "layoff_on_gin": True,
    "target": 250,
    "box_bonus": 0,
    "end_gin_bonus": 50,
    "end_big_gin_bonus": 100,
    "settlement": "sum",
}
ROUND = GRAND | {"ace": "round", "ace_points": 15}
PRO: dict[str, Any] = {"shutout": "double_total", "settlement": "pro", "next_dealer": "winner"}

DIFFERENCES: dict[str, dict[str, Any]] = {
    "classic": {},
    "straight": {"knock_limit": 0, "big_gin": True, "box_bonus": 25, "next_dealer": "alternate"},
    "classic-big-gin": {"big_gin": True, "box_bonus": 25, "next_dealer": "alternate"},
    "oklahoma": {"knock_limit": "upcard", "low_limit_is_gin": {"A"}, "doubling": "upcard_spade"},
    "hollywood": {"form": "hollywood"},
    "partnership": {"form": "partnership"},
    "cutthroat": {"form": "cutthroat"},
    "spade-double": {"doubling": "last_discard_spade"},
    "manhattan": {"undercut_bonus": 10},
    "chicago": {"knock_limit": 7},
    "gin-rami": {"gin_bonus": 20, "undercut_bonus": 10},
    "gin-rami-high": {"box_bonus": 25},
    "gin-rami-competition": {"gin_bonus": 20, "undercut_bonus": 10, "target": 250, "match": "best-of-5"},
    "grand-gin": GRAND,
    "round-the-corner-15": ROUND,
    "rummy-100": {
        "ace": "round",
        "ace_points": 15,
        "min_melded": 8,
        "undercut_bonus": 20,
        "layoff_on_gin": True,
        "box_bonus": 25,
        "settlement": "sum",
    },
    "second-deck": {key: value for key, value in ROUND.items() if key != "min_melded"}
    | {
        "knock_limit": "second_deck",
        "knock_strict": True,
        "low_limit_is_gin": {"A", "2"},
        "doubling": "upcard_spade",
    },
    "gin-rummy-pro": PRO,
    "gin-rummy-pro-oklahoma": PRO | {"knock_limit": "upcard"},
    "gin-rummy-pro-gin-only": PRO | {"knock_limit": 0},
    "pagat": {"gin_bonus": 20, "undercut_bonus": 10, "next_dealer": "winner"},
    "bicycle": {"gin_bonus": 20, "undercut_bonus": 10, "next_dealer": "winner", "shutout": "flat_100"},
    "modern-25": {"big_gin": True, "box_bonus": 25, "shutout": "double_total", "next_dealer": "alternate"},
    "round-the-corner": {
        "ace": "round",
        "ace_points": 15,
        "gin_bonus": 20,
        "undercut_bonus": 20,
        "layoff_on_gin": True,
        "gin_cancelled_at_zero": True,
        "target": 125,
    },
    "eaai": {
        "layoff": "melds_first",
        "knocker_spread": "random_minimum",
        "game_bonus": 0,
        "shutout": "none",
        "box_bonus": 0,
        "next_dealer": "alternate",
    },
    "open-spiel": {
        "tie": "nothing",
        "return_taken": True,
        "last_discard": "knock_only",
        "game_bonus": 0,
        "shutout": "none",
        "box_bonus": 0,
    },
}
MUST_PLAY = ("classic", "straight", "classic-big-gin", "oklahoma", "spade-double", "eaai", "pagat", "modern-25")


def test_classic_is_the_game_of_source_000() -> None:
    classic = rules("classic")
    assert classic.options() == {
        "ace": "low",
        "ace_points": 1,
        "knock_limit": 10,
        "knock_strict": False,
        "low_limit_is_gin": frozenset(),
        "min_melded": None,
        "big_gin": False,
        "gin_bonus": 25,
        "big_gin_bonus": 31,
        "undercut_bonus": 25,
        "tie": "undercut",
        "layoff_on_gin": False,
        "gin_cancelled_at_zero": False,
        "layoff": "optimal",
        "knocker_spread": "min_deadwood",
        "doubling": "none",
        "upcard_offer": "both",
        "return_taken": False,
        "dead_stock": 2,
        "last_discard": "dead",
        "max_turns": 200,
        "target": 100,
        "game_bonus": 100,
        "shutout": "double_game_bonus",
        "box_bonus": 20,
        "box_toward_target": False,
        "end_gin_bonus": 0,
        "end_big_gin_bonus": 0,
        "settlement": "net",
        "first_dealer": "random",
        "next_dealer": "loser",
        "form": "single",
        "hollywood_boxes": "entered",
        "partnership_bonus": 25,
        "partnership_swap": "hand",
        "match": "one-game",
    }


def test_the_presets_are_those_of_the_rules_page() -> None:
    assert preset_names()[0] == "classic"
    assert sorted(preset_names()) == sorted(DIFFERENCES)


@pytest.mark.parametrize("name", list(DIFFERENCES))
def test_preset_differs_from_classic_as_the_rules_page_says(name: str) -> None:
    changed = {key: mine for key, (mine, _) in rules(name).differences(rules("classic")).items()}
    assert changed == DIFFERENCES[name]


@pytest.mark.parametrize("name", list(DIFFERENCES))
def test_preset_names_its_source_and_its_silences(name: str) -> None:
    preset = rules(name)
    assert preset.name == name
    assert preset.title
    assert preset.source
    assert preset.notes
    table = tomllib.loads((PRESETS / f"{name}.toml").read_text(encoding="utf-8"))
    assert table.get("base", "classic") == "classic"
    for option in table.get("silent", []):
        assert getattr(preset, option) == getattr(rules("classic"), option)
        assert option not in table, "the text is silent, and yet it is named"


# ---------------------------------------------------------------- where values come from


@pytest.mark.parametrize("name", list(DIFFERENCES))
def test_every_option_of_a_preset_has_a_source(name: str) -> None:
    """What the preset's file names is its text's; all the rest is that of classic, or the text is silent."""
    preset = rules(name)
    table = tomllib.loads((PRESETS / f"{name}.toml").read_text(encoding="utf-8"))
    assert list(preset.sources) == list(preset.options())
    texts = set(re.findall(r"source \d{3}|authority|research framework", preset.source))
    assert texts
    for option, source in preset.sources.items():
        if name == "classic":
            assert re.fullmatch(r"source 000|source 001|not in source 000|in no text", source), option
        elif option in table:
            assert source.removeprefix("not in ").removeprefix("unspecified in ").startswith(tuple(texts)), option
        elif option in table.get("silent", []):
            assert source == "silent, as classic"
        else:
            assert source == f"classic: {rules('classic').sources[option]}"


@pytest.mark.parametrize(
    ("name", "option", "source"),
    [
        ("classic", "undercut_bonus", "source 000"),
        ("classic", "knocker_spread", "source 001"),
        ("classic", "big_gin", "not in source 000"),
        ("classic", "max_turns", "in no text"),
        ("straight", "knock_limit", "source 001"),
        ("straight", "ace", "source 001"),
        ("straight", "game_bonus", "silent, as classic"),
        ("straight", "max_turns", "classic: in no text"),
        ("oklahoma", "knock_limit", "source 000; source 002"),
        ("oklahoma", "low_limit_is_gin", "source 000"),
        ("oklahoma", "gin_bonus", "classic: source 000"),
        ("manhattan", "undercut_bonus", "unspecified in source 000"),
        ("chicago", "knock_limit", "unspecified in source 000"),
        ("gin-rami", "shutout", "silent, as classic"),
        ("gin-rami-competition", "match", "source 002"),
        ("grand-gin", "ace_points", "silent, as classic"),
        ("grand-gin", "box_bonus", "not in source 003"),
        ("second-deck", "knock_strict", "source 004"),
        ("gin-rummy-pro", "settlement", "source 004"),
        ("partnership", "partnership_bonus", "classic: in no text"),
        ("pagat", "gin_bonus", "authority: pagat.com"),
        ("pagat", "target", "classic: source 000"),
        ("eaai", "layoff", "research framework: EAAI-21"),
    ],
)
def test_source_of_an_option(name: str, option: str, source: str) -> None:
    assert rules(name).sources[option] == source


def test_what_the_user_sets_is_the_users() -> None:
    changed = rules("oklahoma", undercut_bonus=10, gin_bonus=25)
    assert changed.sources["undercut_bonus"] == "set by the user"
    assert changed.sources["gin_bonus"] == "classic: source 000", "the value is the preset's"
    assert changed.replace(name="mine", target=200).sources["undercut_bonus"] == "set by the user"
    assert rules("oklahoma").sources["undercut_bonus"] == "classic: source 000"
    assert pickle.loads(pickle.dumps(changed)).sources == changed.sources
    plain = Rules(**rules("classic").options())
    assert set(plain.sources.values()) == {"set by the user"}
    assert plain.replace(name="classic", title="Classic gin rummy").options() == rules("classic").options()
    with pytest.raises(UsageError, match="unknown option 'sources'"):
        changed.replace(sources={})


def test_sources_do_not_count_where_rules_are_compared(tmp_path: Path) -> None:
    path = tmp_path / "copy.toml"
    path.write_text(rules("pagat").to_toml(), encoding="utf-8")
    copy = rules(path)
    assert set(copy.sources.values()) == {"rule file copy.toml"}, "whatever its source says"
    assert copy == rules("pagat")
    assert hash(copy) == hash(rules("pagat"))
    assert "sources" not in repr(copy)


def test_sources_of_a_rule_file(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    path.write_text(
        'base = "straight"\nsource = "our club"\nsilent = ["next_dealer"]\ntarget = 200\ngin_bonus = 30\n'
        '[sources]\n"the club\'s minutes" = ["gin_bonus"]\n',
        encoding="utf-8",
    )
    sources = rules(path).sources
    expected = {
        "target": "rule file house.toml",
        "gin_bonus": "the club's minutes",
        "next_dealer": "silent, as straight",
        "box_bonus": "straight: source 001",
        "shutout": "straight: silent, as classic",
        "tie": "classic: source 000",
        "max_turns": "classic: in no text",
    }
    assert {name: sources[name] for name in expected} == expected
    assert rules(path, box_bonus=5).sources["box_bonus"] == "set by the user"


@pytest.mark.parametrize("name", ["manhattan", "chicago"])
def test_city_variants_are_marked_as_unspecified(name: str) -> None:
    assert any(note.startswith("unspecified") for note in rules(name).notes)


@pytest.mark.parametrize("name", list(DIFFERENCES))
def test_toml_round_trip(name: str, tmp_path: Path) -> None:
    path = tmp_path / "other.toml"
    path.write_text(rules(name).to_toml(), encoding="utf-8")
    assert rules(path) == rules(name)
    assert rules(str(path)).digest() == rules(name).digest()


def test_every_preset_is_another_game() -> None:
    digests = {rules(name).digest() for name in preset_names()}
    assert len(digests) == len(preset_names())


def test_options_are_the_fields_of_rules_and_of_the_record() -> None:
    assert [option.name for option in HAND_OPTIONS + GAME_OPTIONS] == list(rules("classic").options())
    assert set(schema.RULES_DTYPE.names or ()) - {"limit_kind", "match_games", "match_points"} <= set(OPTIONS)


def test_record_of_oklahoma() -> None:
    record = rules("oklahoma", tie="knocker", big_gin=True).to_record()
    assert record.dtype == schema.RULES_DTYPE
    assert record["limit_kind"] == schema.LimitKind.upcard
    assert record["knock_limit"] == 10
    assert record["low_limit_is_gin"] == 1
    assert record["tie"] == schema.Tie.knocker
    assert record["big_gin"] == 1
    assert record["min_melded"] == 0
    assert record["doubling"] == schema.Doubling.upcard_spade


def test_record_of_second_deck() -> None:
    record = rules("second-deck").to_record()
    assert record["low_limit_is_gin"] == 0b11
    assert record["limit_kind"] == schema.LimitKind.second_deck
    assert rules("chicago").to_record()["knock_limit"] == 7
    assert rules("grand-gin").to_record()["min_melded"] == 8


def test_rules_is_the_function_and_takes_changes() -> None:
    changed = gincore.rules("oklahoma", undercut_bonus=10)
    assert isinstance(changed, gincore.Rules)
    assert changed.undercut_bonus == 10
    assert changed.knock_limit == "upcard"
    assert changed.label == "oklahoma, undercut_bonus=10"
    assert gincore.rules(changed, undercut_bonus=25) == rules("oklahoma")
    assert rules("oklahoma").label == "oklahoma"


def test_rules_are_frozen_hashable_and_pickle() -> None:
    classic = rules("classic")
    with pytest.raises(AttributeError):
        classic.target = 5  # type: ignore[misc]
    assert pickle.loads(pickle.dumps(classic)) == classic
    assert len({classic, rules("classic"), rules("pagat")}) == 2


def test_digest_ignores_names_and_notes() -> None:
    classic = rules("classic")
    assert classic.replace(name="house", title="x", notes=("y",)).digest() == classic.digest()
    assert classic.replace(max_turns=100).digest() != classic.digest()


def test_numpy_numbers_are_taken_and_become_int() -> None:
    changed = rules("classic", undercut_bonus=np.int64(10))
    assert type(changed.undercut_bonus) is int
    assert changed == rules("classic", undercut_bonus=10)


@pytest.mark.parametrize(
    ("option", "value", "allowed"),
    [
        ("ace", "high", "low, high_low, round"),
        ("ace_points", 11, "1, 15"),
        ("knock_limit", -1, "0..100"),  # V09
        ("knock_limit", 200, "0..100"),
        ("knock_limit", "lowcard", "upcard"),
        ("knock_limit", 7.0, "0..100"),
        ("knock_limit", True, "0..100"),
        ("knock_strict", 1, "true, false"),
        ("low_limit_is_gin", {"B"}, "A23456789TJQK"),
        ("low_limit_is_gin", 3, "A23456789TJQK"),
        ("min_melded", 11, "3..10"),
        ("big_gin", "yes", "true, false"),
        ("gin_bonus", "abc", "0..500"),  # V09
        ("undercut_bonus", -1, "0..500"),
        ("tie", "draw", "undercut, nothing, knocker"),
        ("dead_stock", 31, "0..30"),
        ("max_turns", 0, "1..400"),
        ("max_turns", 401, "1..400"),
        ("target", 0, "50..750"),  # V09
        ("target", 1000, "50..750"),
        ("shutout", "double", "none, double_game_bonus, flat_100, double_total"),
        ("first_dealer", "loser", "random"),
        ("match", "best-of-4", "best-of-N"),
        ("match", "points-5", "points-N"),
        ("match", "best of 5", "one-game"),
        ("match", 5, "one-game"),
    ],
)
def test_errors_name_option_value_and_what_is_allowed(option: str, value: Any, allowed: str) -> None:
    with pytest.raises(ValueError, match="not allowed") as caught:
        rules("classic", **{option: value})
    message = str(caught.value)
    assert message.startswith(f"{option} = ")
    assert repr(value) in message
    assert allowed in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"knock_strict": True, "knock_limit": 0}, "no way to go out"),
        ({"knock_strict": True, "min_melded": 8}, "min_melded"),
        ({"min_melded": 8, "knock_limit": "upcard"}, "must not be upcard"),
        ({"low_limit_is_gin": {"A"}}, "turned card"),
        ({"gin_cancelled_at_zero": True}, "layoff_on_gin"),
        ({"upcard_offer": "none_eleven", "knock_limit": "upcard"}, "upcard"),
        ({"upcard_offer": "none_eleven", "doubling": "upcard_spade"}, "turned card"),
        ({"hollywood_boxes": "all"}, "hollywood"),
    ],
)
def test_contradictions_are_refused_with_the_reason(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        rules("classic", **changes)


def test_second_deck_goes_with_eleven_cards_and_spades() -> None:
    changes: dict[str, Any] = {"upcard_offer": "none_eleven", "doubling": "upcard_spade", "knock_limit": "second_deck"}
    assert rules("classic", **changes).doubling == "upcard_spade"


@pytest.mark.parametrize(
    ("name", "near"), [("undercut", "undercut_bonus"), ("undercut_bonis", "undercut_bonus"), ("targt", "target")]
)
def test_unknown_options_name_the_nearest(name: str, near: str) -> None:
    with pytest.raises(UsageError, match=f"did you mean '{near}'"):
        rules("classic", **{name: 1})


def test_unknown_presets_name_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean 'oklahoma'"):
        rules("oklahomma")
    with pytest.raises(UsageError, match="unknown rules"):
        rules("")
    with pytest.raises(UsageError, match="unknown rules 5"):
        rules(5)  # type: ignore[arg-type]


class TestFile:
    def write(self, folder: Path, text: str) -> Path:
        path = folder / "house.toml"
        path.write_text(text, encoding="utf-8")
        return path

    def test_base_and_what_differs(self, tmp_path: Path) -> None:
        house = rules(self.write(tmp_path, 'base = "pagat"\ntitle = "À la maison"\nundercut_bonus = 15\n'))
        assert (house.name, house.title, house.label) == ("house", "À la maison", "house")
        assert house.differences(rules("pagat")) == {"undercut_bonus": (15, 10)}

    def test_the_base_is_classic_if_not_named(self, tmp_path: Path) -> None:
        assert rules(self.write(tmp_path, "")).options() == rules("classic").options()

    def test_words_and_lists(self, tmp_path: Path) -> None:
        text = 'base = "grand-gin"\nmin_melded = "none"\nknock_limit = "upcard"\nlow_limit_is_gin = ["10", "a"]\n'
        house = rules(self.write(tmp_path, text))
        assert house.min_melded is None
        assert house.low_limit_is_gin == {"T", "A"}

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("undercut_bonis = 5", "did you mean 'undercut_bonus'"),
            ('base = "clasic"', "did you mean 'classic'"),
            ("base = 5", "not a text"),
            ("notes = 5", "not a list"),
            ('silent = ["targt"]', "did you mean 'target'"),
            ("sources = 5", "not a table"),
            ('[sources]\n"a book" = 5', "not a list"),
            ('[sources]\n"a book" = ["targt"]', "did you mean 'target'"),
            ('[sources]\n"a\\u001bbook" = ["target"]', "control character"),
            ("target = 5", "50..750"),
            ("gin_bonus = 25.5", "25.5"),
            ("knock_strict = true\nknock_limit = 0", "no way to go out"),
            ("target = ", "not a TOML file"),
        ],
    )
    def test_mistakes_name_the_file(self, tmp_path: Path, text: str, message: str) -> None:
        with pytest.raises(UsageError, match=message) as caught:
            rules(self.write(tmp_path, text))
        assert "\n" not in str(caught.value)

    def test_missing_and_binary_files(self, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match="No such file"):
            rules(tmp_path / "none.toml")
        path = tmp_path / "binary.toml"
        path.write_bytes(b"\xff\xfe\x00")
        with pytest.raises(UsageError, match="not a TOML file"):
            rules(path)

    def test_home_is_expanded(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("HOME", str(tmp_path))
        self.write(tmp_path, "target = 200")
        assert rules("~/house.toml").target == 200


@pytest.mark.parametrize(
    ("option", "text", "value"),
    [
        ("undercut_bonus", "10", 10),
        ("undercut_bonus", " 10 ", 10),
        ("knock_limit", "upcard", "upcard"),
        ("knock_limit", "0", 0),
        ("big_gin", "true", True),
        ("big_gin", "No", False),
        ("low_limit_is_gin", "A,2", frozenset("A2")),
        ("low_limit_is_gin", "a 10", frozenset("AT")),
        ("low_limit_is_gin", "none", frozenset()),
        ("low_limit_is_gin", "", frozenset()),
        ("min_melded", "none", None),
        ("min_melded", "8", 8),
        ("tie", "knocker", "knocker"),
        ("match", "best-of-5", "best-of-5"),
    ],
)
def test_text_of_a_setting(option: str, text: str, value: Any) -> None:
    assert OPTIONS[option].parse(text) == value


@pytest.mark.parametrize(("option", "text"), [("big_gin", "maybe"), ("target", "1e2"), ("target", ""), ("tie", "")])
def test_bad_texts_of_a_setting(option: str, text: str) -> None:
    with pytest.raises(UsageError, match=option):
        OPTIONS[option].parse(text)


VALUES: dict[str, st.SearchStrategy[Any]] = {
    "gin_bonus": st.integers(0, 500),
    "target": st.integers(50, 750),
    "tie": st.sampled_from([code.name for code in schema.Tie]),
    "knock_limit": st.integers(0, 100),
    "big_gin": st.booleans(),
    "title": st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"])),
}


@given(st.fixed_dictionaries({}, optional=VALUES))
def test_any_allowed_values_survive_toml(changes: dict[str, Any]) -> None:
    house: Rules = rules("classic", **changes)
    table = tomllib.loads(house.to_toml())
    for name, value in changes.items():
        assert table[name] == value
    assert house.replace() == house
