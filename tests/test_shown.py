"""Objects show themselves: as HTML, escaped, and as text."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

import gincore
from gincore.markup import facts_html, hand_html, table_html

HAND = "5h 5s 5c 6h 7h 8h Td Jd Kd 2c"


class Balance(HTMLParser):
    """Checks that every tag that is opened is closed, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def words(page: str) -> str:
    parser = Balance()
    parser.feed(page)
    assert not parser.open
    return parser.text


def test_a_hand_of_ten() -> None:
    hand = gincore.show(HAND)
    assert str(hand) == "6h 7h 8h | 5c 5h 5s + 2c Td Jd Kd = 32"
    assert repr(hand) == f"<Hand {hand}>"
    assert words(hand._repr_html_()) == "6♥7♥8♥5♣5♥5♠2♣T♦J♦K♦deadwood 32"
    assert gincore.show(hand.mask) == hand


def test_suits_have_four_colours() -> None:
    page = hand_html(gincore.parse_hand("Ac Ad Ah As"))
    assert len({part.split("'")[0] for part in page.split(";color:")[1:]}) == 4


def test_a_hand_of_eleven_says_what_to_throw() -> None:
    hand = gincore.show(f"{HAND} 3c")
    assert str(hand).startswith("throw Td: ")
    assert hand.spread is not None
    assert hand.spread.points == int(gincore.deadwood(f"{HAND} 3c"))
    assert words(hand._repr_html_()).endswith("throw T♦")


def test_other_numbers_of_cards() -> None:
    assert str(gincore.show("As Kd")) == "Kd As"
    assert words(gincore.show("As Kd")._repr_html_()) == "K♦A♠"
    assert len(words(gincore.show((1 << 52) - 1)._repr_html_())) == 2 * 52
    for wrong in (0, "As As", -1, 1 << 52, 1.5):
        with pytest.raises(gincore.UsageError):
            gincore.show(wrong)


def test_aces_go_by_the_rules() -> None:
    hand = "Qs Ks As 5h 5s 5c 6h 7h 8h 9h"
    assert gincore.show(hand).spread != gincore.show(hand, "round-the-corner").spread
    assert str(gincore.show(hand, "round-the-corner")).endswith("= 0")


def test_a_showdown_and_a_spread() -> None:
    found = gincore.showdown("5s 6s 7s 9c Tc Jc Jd Ks Kc Kd", "2s 2c 2d 2h Ac 8s 9s 7c 8c 8d")
    assert repr(found) == "<Showdown undercut: defender +26 (10 against 9)>"
    page = words(found._repr_html_())
    assert page.startswith("undercut: defender +26 (10 against 9)knocker")
    assert page.endswith("laid off7♣8♣8♠9♠")
    assert words(gincore.spreads(HAND)[0]._repr_html_()).endswith("= 32")


def test_rules() -> None:
    house = gincore.rules("oklahoma", undercut_bonus=10)
    assert repr(house) == "<Rules oklahoma, undercut_bonus=10: Oklahoma gin>"
    text = str(house)
    assert all(f"\n{name} " in text for name in house.options())
    assert any(line.split() == ["undercut_bonus", "10", "set", "by", "the", "user"] for line in text.splitlines())
    page = house._repr_html_()
    assert "undercut_bonus1025" in words(page), "what differs from classic stands on top"
    assert words(gincore.rules("classic")._repr_html_()).startswith("classic: Classic gin rummyall ")


def test_strategies() -> None:
    patient = gincore.Strategy("patient", base="threshold,limit=4")
    assert repr(patient) == (
        "<Strategy patient: draw=meld, discard=least, knock=by-turn; limit=4, late_limit=-1, late_turn=0>"
    )
    assert "knock     by-turn  limit = 4 (0 to 100), late_limit" in str(patient)
    assert "limit = 4 (0 to 100)" in words(patient._repr_html_())
    assert repr(gincore.Strategy("simple")) == "<Strategy simple: draw=meld, discard=least, knock=at-once>"


def test_a_table_and_a_function_of_ones_own() -> None:
    def knock(view: object, params: object) -> int:
        return 1

    own = gincore.Strategy("own", knock=knock, table=[1.0, 2.0])
    assert "test_a_table_and_a_function_of_ones_own.<locals>.knock" in str(own)
    assert "a table of 2 numbers" in str(own)
    assert "&lt;locals&gt;" in own._repr_html_()


def test_names_are_escaped() -> None:
    nasty = "<script>alert(1)</script>"
    for shown in (
        gincore.Strategy(nasty),
        gincore.rules("classic", name=nasty),
        gincore.rules("classic", name="mine", title=nasty),
    ):
        page = shown._repr_html_()
        assert "<script" not in page
        assert nasty in words(page)
    assert "<script" not in facts_html([(nasty, nasty)]) + table_html([nasty], [[nasty]])
