"""What is said of every question: rules, players, numbers and intervals, and that there are too few hands."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

from gincore.analysis.questions_verdict import interval
from gincore.language import language
from gincore.questions import Answer, ask, find, ids
from gincore.questions.entry import Entry, RowSpec
from gincore.questions.play import arms_of
from gincore.report.questions.text import MOST_NUMBERS, numbers, paragraphs, projection, units, value

EN, FR = language("en"), language("fr")

GAMES = {"games_won", "shutouts", "turned_round", "winners_differ"}
VALUE_OF_CARDS = {"rank_value", "kind_value"}
SINGLE_KNOCK = {"knock_less_wait", "knock_less_gin", "wait_less_gin"}
TURNS, SHARE, SPREAD = 0.5, 0.01, 1.0

OWN: Mapping[str, float] = {
    "T05 knocker_deadwood": 2.0,  # 4 to 8 points are 6 give or take 2
    "T11 game_hands": 1.0,  # four hands or five
    "T13 winners_differ": 0.005,  # beside one game in a hundred
    "T17 big_gin": 0.005,  # beside one hand in a hundred
    "T19 turns": 1.0,  # longer hands are the claim: a whole turn
    "T20 game_hands": 1.0,
    "T22 turned_round": 0.002,  # beside one game in a hundred, which is very rare
    "T25 winner_points": 1.0,  # of some thirty
    "D08 knock_less_wait": 0.5,  # what a rule changes of a knock, not a knock
    "D09 dead": 0.005,  # of the few hands that are dead
    "D12 games_to_know": 3.0,  # of twenty
    "D15 risk_explained": 0.05,  # of the whole
}
"""Smallest effects of another size than their kind, each for a reason."""


def kinds(entry: Entry, row: RowSpec) -> set[float]:
    """Smallest effects that a row of its kind can have, as the page's method says."""
    if row.metric in VALUE_OF_CARDS:
        return {0.3}
    if row.metric in SINGLE_KNOCK:
        return {1.0}
    if row.metric == "net_sd":
        return {SPREAD}
    if row.metric == "turns":
        return {TURNS}
    if row.metric == "starter_net":
        return {0.1}
    if row.metric == "net":
        rules_differ = len({(entry.arms[name].rules, str(entry.arms[name].changes)) for name in row.arms}) > 1
        return {0.1} if rules_differ else {0.2}
    return {SHARE}


@pytest.mark.parametrize("name", ids())
def test_effects_of_one_kind_have_one_smallest_size(name: str) -> None:
    entry = find(name)
    for row in entry.rows:
        if row.test:
            own = OWN.get(f"{name} {row.metric}")
            assert row.smallest in ({own} if own else kinds(entry, row)), row.label[0]


@pytest.fixture(scope="module")
def answers() -> dict[str, Answer]:
    return {answer.entry.id: answer for answer in ask("all", deals=60, seed=2, progress=False)}


@pytest.mark.parametrize("name", ids())
def test_every_verdict_names_rules_players_numbers_and_intervals(answers: dict[str, Answer], name: str) -> None:
    answer = answers[name]
    text = " ".join(paragraphs(answer, EN))
    for run in answer.runs:
        assert run.rules.label in text
        assert " v ".join(player.name for player in run.players) in text
        assert units(EN, run.count, run.noun) in text
    tested = [row for row in answer.verdict.rows if row.test]
    said = numbers(answer, EN)
    more = re.search(r"; (\d+) more in the table", said)
    left = int(more[1]) if more else 0
    for row in tested[: len(tested) - left]:
        assert value(EN, row) in said
        assert "[" in value(EN, row) or row.low != row.low
    assert not left or left == len(tested) - MOST_NUMBERS
    assert "99\u00a0%" in text
    assert "seed 2" in text


@pytest.mark.parametrize("name", ids())
def test_too_few_hands_are_said_to_be_too_few(answers: dict[str, Answer], name: str) -> None:
    answer = answers[name]
    english, french = (" ".join(paragraphs(answer, tr)) for tr in (EN, FR))
    if answer.verdict.kind == "undecidable":
        assert "simulation" in english
        return
    waiting = [group for group, kind in answer.verdict.groups.items() if kind == "open"]
    for group in waiting:
        assert re.search(rf"Not decided yet for {re.escape(group[0])} with [^;.]+; [^;]*project", english)
        assert f"Pas encore décidé pour {group[1]} avec" in french
    assert bool(waiting) == ("project" in english) == ("proj" in french)


def test_a_named_number_of_deals_plays_what_is_needed(answers: dict[str, Answer]) -> None:
    """Whoever asks for as many deals as a sentence says gets at least as many units as it says are needed."""
    seen = 0
    for answer in answers.values():
        groups = {group.name: group for group in answer.entry.groups}
        for row in answer.verdict.rows:
            named = re.search(r"\(--deals (\d+)\)", projection(EN, row)) if row.rests else None
            if named:
                seen += 1
                arms = arms_of(answer.entry, groups[row.group], int(named[1])).values()
                (count,) = {arm.count for arm in arms if arm.noun == row.noun}
                assert count == pytest.approx(row.needed, rel=0.01, abs=2), answer.entry.id
    assert seen > 30


def test_with_so_few_deals_most_is_open(answers: dict[str, Answer]) -> None:
    """Else the test above would look at nothing."""
    assert sum("open" in answer.verdict.groups.values() for answer in answers.values()) > 20


@pytest.mark.parametrize("name", ids())
def test_several_estimates_are_corrected(answers: dict[str, Answer], name: str) -> None:
    """The tested intervals of a question hold jointly: those still open are those of a level split among them."""
    answer = answers[name]
    tested = [row for row in answer.verdict.rows if row.test]
    text = " ".join(paragraphs(answer, EN))
    assert ("Holm" in text) == (len(tested) > 1)
    assert f"jointly over {len(tested)} tested estimates" in text or len(tested) == 1
    opened = [row for row in tested if row.outcome == "open" and row.low == row.low]
    for row in opened:
        strict = 1 - (1 - answer.verdict.level) / sum(each.outcome == "open" for each in tested)
        assert (row.low, row.high) == pytest.approx(interval(row, strict))
