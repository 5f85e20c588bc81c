"""The questions as data, and answers at small sizes: key numbers again with plain pandas."""

from __future__ import annotations

import functools
import tomllib
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import gincore
from gincore.analysis import questions_cards as cards
from gincore.analysis.questions_metrics import METRICS
from gincore.cards import parse_hand
from gincore.errors import UsageError
from gincore.language import language
from gincore.questions import ask, find, ids
from gincore.questions.entry import FOLDER, UNITS, parse
from gincore.questions.play import Shelf, arms_of
from gincore.report.questions.text import headline, numbers, paragraphs, tally

IDS = [f"T{n:02}" for n in range(1, 27)] + [f"D{n:02}" for n in range(1, 16)]
SOURCES = {
    "T01": "000", "T02": "000", "T03": "000", "T04": "000", "T05": "000", "T06": "000", "T07": "000", "T08": "000",
    "T09": "000", "T10": "000 002", "T11": "000", "T12": "000 002", "T13": "002", "T14": "001", "T15": "001",
    "T16": "001", "T17": "001 003 004", "T18": "000 002 004", "T19": "000", "T20": "000", "T21": "000 003 004",
    "T22": "004", "T23": "004", "T24": "000 001 004", "T25": "004", "T26": "003 004",
}  # fmt: skip


def test_all_questions_are_there() -> None:
    assert ids() == IDS


@pytest.mark.parametrize("name", IDS)
def test_every_entry_is_complete(name: str) -> None:
    entry = find(name)
    for words in (entry.claim, entry.compares, entry.metric):
        assert all(text.strip() for text in words)
        assert words[0] != words[1]
    assert bool(entry.note[0]) == bool(entry.note[1])
    assert " ".join(entry.source) == SOURCES.get(name, "")
    assert entry.smallest > 0
    assert any(row.test for row in entry.rows)
    assert len({group.name for group in entry.groups}) == len(entry.groups) <= 5
    for row in entry.rows:
        assert row.metric in METRICS
        assert METRICS[row.metric].unit in UNITS
        assert all(text.strip() for text in row.label)
        assert not row.test or row.smallest > 0
        assert {group.name[0] for group in entry.groups} >= set(row.groups)
    for group in entry.groups:
        assert arms_of(entry, group, 1_000)


@pytest.mark.parametrize("name", IDS)
def test_the_texts_are_clean(name: str) -> None:
    text = (FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    for wrong in ("  =", "\t", "regle", "defausse", "meme ", "pioche ,", "carte retournee", "a l'"):
        assert wrong not in text
    data = tomllib.loads(text)
    for words in (data["claim"], data["compares"], data["metric"], data.get("note", {})):
        for language_, value in words.items():
            assert language_ in ("en", "fr")
            assert value == value.strip()


def test_an_id_in_other_letters() -> None:
    assert find("t01").id == "T01"
    assert find("t5").id == "T05"


def test_an_unknown_id_names_the_nearest() -> None:
    for word, guess in (("T27", "T26"), ("d99", "D15"), ("T00", "T01")):
        with pytest.raises(UsageError, match=f"question '{word}' is not known \\(did you mean '{guess}'"):
            find(word)
    with pytest.raises(UsageError, match="question 'oklahoma' is not known; 'gincore question list' shows all"):
        find("oklahoma")


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"metric_of": "won"}, "X01: metric_of is not known"),
        ({"claim": None}, "X01: claim is missing"),
        ({"rows": [{"label": "x", "metric": "nett", "of": "a"}]}, "metric 'nett' is not known.*'net'"),
        ({"rows": [{"label": "x", "metric": "net", "of": "b"}]}, "net is read off hands, arm b plays none"),
        ({"rows": [{"label": "x", "metric": "net", "of": "a", "expect": "more"}]}, "expect 'more'"),
        ({"rows": [{"label": "x", "metric": "net", "of": "a", "axis": "y"}]}, "X01: axis is not known"),
        ({"arms": {"a": {"play": "chess"}}}, "play 'chess' is not one of"),
        ({"arms": {"a": {"play": "hands", "rule": "classic"}}}, "X01: rule is not known.*'rules'"),
        ({"arms": {"a": {"play": "hands", "players": ["{who}", "simple"]}}}, r"gives no \{who\}"),
    ],
)
def test_a_broken_entry_is_refused(change: dict[str, object], line: str) -> None:
    words = {"en": "x", "fr": "y"}
    data: dict[str, object] = {
        "claim": words, "compares": words, "metric": words, "smallest": 1, "arms": {"a": {"play": "hands"}},
        "rows": [{"label": "x", "metric": "net", "of": "a"}],
    }  # fmt: skip
    parse("X01", data)
    with pytest.raises(UsageError, match=line):
        parse("X01", {key: value for key, value in (data | change).items() if value is not None})


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_answers_at_a_small_size(lang: str) -> None:
    """Each kind of run, too few hands for most verdicts, and the same numbers again from the same seed."""
    names = ["T05", "T11", "T13", "D08", "T07"]
    answers = ask(names, deals=400, seed=3, progress=False, workers=1)
    assert [answer.entry.id for answer in answers] == names
    tr = language(lang)
    for answer in answers:
        text = " ".join(paragraphs(answer, tr))
        assert "nan" not in text
        assert "None" not in text
        assert ("simulation" in text) == (answer.entry.id == "T11")
        assert headline(answer, tr)
        assert answer.frame(lang == "fr")["estimate"].notna().any()
        for group, kind in answer.verdict.groups.items():
            if kind == "open" and answer.verdict.kind != "undecidable":
                assert tr(f"Not decided yet for {group[0]} with", f"Pas encore décidé pour {group[1]} avec") in text
        for run in answer.runs:
            assert run.rules.label in text
            assert all(player.name in text for player in run.players)
    assert tally(answers, tr).startswith("5 questions")


def test_two_runs_are_the_same_and_seeds_differ() -> None:
    one, two, other = (ask("T05", deals=400, seed=seed, progress=False)[0] for seed in (3, 3, 4))
    pd.testing.assert_frame_equal(one.frame(), two.frame())
    assert not one.frame()["estimate"].equals(other.frame()["estimate"])


def test_numbers_again_with_pandas() -> None:
    """T05 from the rows of a public run: the share of knocks at 4 to 8, and of gins."""
    answer = ask("T05", deals=2_000, seed=5, progress=False)[0]
    found = answer.frame().set_index(["group", "label"])["estimate"]
    hands = gincore.simulate("classic", ("simple", "simple"), deals=4_000, seed=5, mirror=False, progress=False).hands
    knocks = hands[hands["result"].isin(["knock", "undercut"])]
    assert found["simple", "knocks at 4 to 8"] == pytest.approx(knocks["knocker_deadwood"].between(4, 8).mean())
    decided = hands[hands["winner"].notna()]
    assert found["simple", "gins"] == pytest.approx(decided["result"].isin(["gin", "big_gin"]).mean())


def test_paired_differences_again_with_pandas() -> None:
    """T09: net points of limit 8 less limit 4, deal by deal, with the interval of a mean."""
    answer = ask("T09", deals=1_000, seed=5, progress=False)[0]
    row = answer.verdict.rows[0]
    nets = []
    for limit in (8, 4):
        players = (f"simple,knock=fixed,limit={limit}", "simple")
        hands = gincore.simulate("classic", players, deals=1_000, seed=5, progress=False).hands
        nets.append((hands["points_0"] - hands["points_1"]).groupby(hands["deal"]).mean())
    difference = nets[0] - nets[1]
    assert row.estimate == pytest.approx(difference.mean())
    assert row.error == pytest.approx(difference.std(ddof=1) / np.sqrt(1_000))


def test_moments_again_with_pandas() -> None:
    answer = ask("T01", deals=2_000, seed=5, progress=False)[0]
    forks = gincore.knock_or_wait(
        "classic", ("simple", "simple"), deals=4_000, seed=5, mirror=False, progress=False
    ).moments
    chosen = forks[(forks["deadwood"] == 6) & forks["turn"].between(6, 11)]
    rows = {(row.group[0], row.label[0]): row for row in answer.verdict.rows}
    found = rows["simple", "knock less gin only"]
    assert found.estimate == pytest.approx((chosen["points"] - chosen["end"]).mean())
    assert found.n == chosen["deal"].nunique()


def test_winners_again_with_pandas() -> None:
    answer = ask("T13", deals=2_000, seed=5, progress=False)[0]
    winners = [
        gincore.simulate_games(rules, ("simple", "simple"), games=400, seed=5, mirror=False, progress=False)
        .games["winner"]
        .fillna(-1)
        for rules in ("gin-rami", "gin-rami-high")
    ]
    assert answer.verdict.rows[0].estimate == pytest.approx((winners[0] != winners[1]).mean())


def test_a_run_is_played_once() -> None:
    count = 0

    def done() -> None:
        nonlocal count
        count += 1

    shelf = Shelf(1, 1, done)
    entry = find("T01")
    arm = arms_of(entry, entry.groups[0], 30)["now"]
    other = arms_of(find("T02"), find("T02").groups[0], 30)["now"]
    assert shelf.get(arm) is shelf.get(other)
    assert count == 1
    shelf.drop(set())
    assert not shelf.played


@functools.cache
def some_courses() -> cards.Courses:
    """300 hands of simple against itself."""
    entry = find("T07")
    found = Shelf(9).get(arms_of(entry, entry.groups[0], 150)["own"])
    assert isinstance(found, cards.Courses)
    return found


class TestCourses:
    @pytest.fixture
    def courses(self) -> cards.Courses:
        return some_courses()

    def test_rows_are_those_of_a_run(self, courses: cards.Courses) -> None:
        hands = gincore.simulate("classic", ("simple", "simple"), deals=300, seed=9, mirror=False, progress=False).hands
        for name in ("turns", "points_0", "points_1", "stock_left", "pickups_0"):
            assert courses.rows[name].tolist() == hands[name].tolist()

    def test_the_course_leads_to_the_end(self, courses: cards.Courses) -> None:
        """Ten cards after every turn, and the knocker's deadwood at the end of an ordinary knock."""
        last = courses.dealt
        for _, _, held in courses.after_each_turn():
            assert (np.bitwise_count(held) == 10).all()
            assert not (held[:, 0] & held[:, 1]).any()
            last = held.copy()
        knocks = np.flatnonzero(np.isin(courses.rows["result"], [0, 3]))
        finals = last[knocks, courses.rows["knocker"][knocks]]
        assert gincore.deadwood(finals).tolist() == courses.rows["knocker_deadwood"][knocks].tolist()

    def test_one_card_away(self) -> None:
        hands = np.array([parse_hand(text) for text in (
            "Ac 2c 3c 5d 6d 7d 9h 9s 9d Tc",  # gin already but for the ten: any card that fits
            "Ac 2c 3c 5d 6d 7d 9h 9s Kc Qd",  # two loose ends
        )], np.uint64)  # fmt: skip
        assert cards.one_card_away(hands).tolist() == [True, False]

    def test_kinds_of_hands(self) -> None:
        texts = {
            "run-4": "3c 4c 5c 6c Ad 8h Ts Jd Qh Ks",
            "run-3-pair": "3c 4c 5c Ad 8h 8s Ts Jd Qh Ks",
            "run": "3c 4c 5c Ad 7h 8s Ts Jd Qh Ks",
            "set": "3c 3d 3h Ad 7h 8s Ts Jd Qh Ks",
        }
        hands = np.array([parse_hand(text) for text in texts.values()], np.uint64)
        kinds = cards.hand_kinds(hands)
        assert kinds["run-4"].tolist() == [True, False, False, False]
        assert kinds["run-3-pair"].tolist() == [False, True, False, False]
        assert kinds["run"].tolist() == [False, True, True, False]
        assert kinds["set"].tolist() == [False, False, False, True]

    def test_rank_values_are_those_of_a_regression(self, courses: cards.Courses) -> None:
        """Against dummies for every number of deadwood points, by least squares."""
        hands = [int(mask) for mask in courses.dealt.T.ravel()]
        counts = np.array(
            [[sum(mask >> (13 * s + r) & 1 for s in range(4)) for r in range(13)] for mask in hands], float
        )
        deadwood = gincore.deadwood(np.array(hands, np.uint64))
        dummies = (deadwood[:, None] == np.unique(deadwood)).astype(float)
        net = courses.rows["points_0"].astype(float) - courses.rows["points_1"]
        slopes = np.linalg.lstsq(np.hstack([counts, dummies]), np.concatenate([net, -net]), rcond=None)[0][:13]
        found = cards.rank_value(courses, {5: 1.0, 12: -1.0})
        assert found.value == pytest.approx(slopes[5] - slopes[12], abs=1e-6)
        with pytest.raises(UsageError, match="add up to 0"):
            cards.rank_value(courses, {5: 1.0})


def test_the_words_of_numbers() -> None:
    answer = ask("T05", deals=400, seed=3, progress=False)[0]
    english, french = (numbers(answer, language(code)) for code in ("en", "fr"))
    assert "%" in english
    assert "\u00a0; " in french
    assert "," in french


def test_the_list_is_that_of_the_folder() -> None:
    assert sorted(path.stem for path in Path(FOLDER).iterdir()) == sorted(IDS)
