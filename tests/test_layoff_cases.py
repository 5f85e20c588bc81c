"""Lay-offs: all solved showdowns of ``data/layoff_cases.jsonl``, strict and free, and the L rows by name.

``strict`` is ``knocker_spread="min_deadwood"``, ``free`` is ``knocker_spread="best"``; classic bonuses, limit 10.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import brute
import pytest

import gincore

FILE = Path(__file__).parent / "data" / "layoff_cases.jsonl"
CASES: list[dict[str, Any]] = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
SPREAD = {"strict": "min_deadwood", "free": "best"}
CLASSIC = brute.House()
EXPECTED = brute.Outcome._fields


def test_the_file_is_whole() -> None:
    assert len(CASES) == 195
    assert len({case["id"] for case in CASES}) == 195


@pytest.mark.parametrize("mode", ["strict", "free"])
@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_solved_showdowns(case: dict[str, Any], mode: str) -> None:
    knocker, defender = frozenset(case["knocker"]), frozenset(case["defender"])
    expected = tuple(case[mode][name] for name in EXPECTED)
    outcomes = {"strict": brute.strict_outcomes, "free": brute.free_outcomes}[mode](knocker, defender, CLASSIC)
    assert tuple(brute.best(outcomes)) == expected, "the oracle disagrees with the file"
    if mode == "strict":
        assert {outcome.net for outcome in outcomes} == set(case["strict_tie_nets"])
    rules = gincore.rules("classic", knocker_spread=SPREAD[mode], knock_limit=case["knock_limit"])
    showdown = gincore.showdown(brute.to_mask(knocker), brute.to_mask(defender), rules)
    assert tuple(getattr(showdown, name) for name in EXPECTED) == expected
    brute.check_table(showdown, knocker, defender, CLASSIC)


@pytest.mark.parametrize("tie", ["undercut", "nothing", "knocker"])
@pytest.mark.parametrize("mode", ["strict", "free"])
def test_other_ties_and_bonuses(tie: str, mode: str) -> None:
    """The same hands where the oracle alone knows the answer: all ties, and every fourth of the rest."""
    house = brute.House(tie=tie, undercut_bonus=10, gin_bonus=20)
    rules = gincore.rules("classic", tie=tie, undercut_bonus=10, gin_bonus=20, knocker_spread=SPREAD[mode])
    ties = 0
    for number, case in enumerate(CASES):
        if number % 4 and "tie_score" not in case["tags"]:
            continue
        knocker, defender = frozenset(case["knocker"]), frozenset(case["defender"])
        find = {"strict": brute.strict_outcomes, "free": brute.free_outcomes}[mode]
        expected = brute.best(find(knocker, defender, house))
        showdown = gincore.showdown(brute.to_mask(knocker), brute.to_mask(defender), rules)
        assert tuple(getattr(showdown, name) for name in EXPECTED) == expected, case["id"]
        ties += expected.knocker_deadwood == expected.defender_deadwood
    assert ties >= 15


def test_defenders_minimum_before_lay_offs() -> None:
    masks = [brute.to_mask(case["defender"]) for case in CASES]
    assert gincore.deadwood(masks).tolist() == [case["defender_own_minimum"] for case in CASES]


# knocker, defender, {spread: (winner, kind, points, knocker's deadwood, defender's deadwood)}
L_ROWS = {
    "L01": (
        "5s 6s 7s 9c Tc Jc Jd Ks Kc Kd",
        "2s 2c 2d 2h Ac 8s 9s 7c 8c 8d",
        {"strict": ("defender", "undercut", 26, 10, 9)},
    ),
    "L02": (
        "As 5s 6s 7s 5c 6c 7c 5d 6d 7d",
        "3s 4s 8s 4c 8c 4d 8d 5h 6h 7h",
        {"strict": ("knocker", "knock", 2, 1, 3)},
    ),
    "L03": (
        "As Ac Ad 2h Tc Td Th Js Qs Ks",
        "4s 5s 9s Ts 4c 5c 4d 5d 4h 5h",
        {"strict": ("defender", "undercut", 27, 2, 0)},
    ),
    "L04": (
        "7h 8h 9h 2c 2d 2s Kc Kd Ks 3c",
        "6h 5h 4c 4d Jc Qd 9s 9c Ts 6s",
        {"strict": ("knocker", "knock", 59, 3, 62)},
    ),
    "L05": (
        "Ac 2c 3c 4d 5d 6d 7h 8h 9h Js",
        "4c 5c 8d 9d Jd Jh Qh Kh 2s 3s",
        {"strict": ("knocker", "knock", 22, 10, 32)},
    ),
    "L07": (
        "4s 5s 6s 9c 9d 9h Qc Qd Qs 2d",
        "7s 7c 7d 7h 8s Kh Kc Kd 3h 4c",
        {"strict": ("knocker", "knock", 5, 2, 7)},
    ),
    "L08": (
        "4s 5s 6s 9c 9d 9h Qc Qd Qs 2d",
        "7s 7c 7d 3s 3c 3d Kh Kd Th Td",
        {"strict": ("knocker", "knock", 38, 2, 40)},
    ),
    "L10": (
        "2h 3h 4h 7h 8h 9h Kc Kd Ks Ac",
        "5h 6h Qd Qc 8c 8d 4s 6c Jc 2s",
        {"strict": ("knocker", "knock", 57, 1, 58)},
    ),
    "L11": (
        "Ac 2c 3c 4c 5d 6d 7d 9h Th Jh",
        "7c 8c 8d 9d Jd Qh Kh 2s 3s 5s",
        {"strict": ("knocker", "gin", 97, 0, 72)},
    ),
    "L13": (
        "Ac 2c 3c 4d 5d 6d 7h 8h 9h Js",
        "Jc Qc Kc Jd Qd Kd Jh Qh Kh Ts",
        {"strict": ("defender", "undercut", 25, 10, 10)},
    ),
    "L14": (
        "5h 6h 7h 2c 2d 2s Kc Kd Ks Ac",
        "8h 9h 4h 3h 2h Jc Jd Js Kh Ah",
        {"strict": ("defender", "undercut", 26, 1, 0)},
    ),
    "L16": (
        "5s 6s 7s 8s Td Jd Qd Kd Ah Ac",
        "9s Ts Kc Qh Jh 2d 3d 8d 8h 5c",
        {"strict": ("knocker", "knock", 54, 2, 56), "free": ("knocker", "knock", 65, 10, 75)},
    ),
    "L17": (
        "2s 3s 4s 5s 6s 7s Kc Kd Kh 9d",
        "As 8s 9s Qc Qh 3d 4d 5h 2c Ac",
        {"strict": ("knocker", "knock", 26, 9, 35), "free": ("knocker", "knock", 26, 9, 35)},
    ),
    "L22": (
        "Ac 2c 3c 4c 2d Ah 3h As 2s 3s",
        "5c Jc Ad 5d Jd 2h 4h 5h Jh Js",
        {"strict": ("defender", "undercut", 25, 4, 4), "free": ("knocker", "knock", 1, 6, 7)},
    ),
    "L23": (
        "2c 5c 2d Ah 4h 5h As 2s 3s 5s",
        "7c 9c Ad 9d 9h 4s Ts Js Qs Ks",
        {"strict": ("knocker", "knock", 3, 9, 12)},
    ),
}


@pytest.mark.parametrize("row", L_ROWS)
def test_l_rows(row: str) -> None:
    knocker, defender, expected = L_ROWS[row]
    for mode, outcome in expected.items():
        rules = gincore.rules("classic", knocker_spread=SPREAD[mode])
        showdown = gincore.showdown(knocker, defender, rules)
        assert tuple(getattr(showdown, name) for name in EXPECTED) == outcome
        brute.check_table(showdown, brute.cards(knocker), brute.cards(defender), CLASSIC)


@pytest.mark.parametrize(("preset", "row", "points"), [("pagat", "L11", 92), ("pagat", "L01", 11)])
def test_bonuses_come_from_the_rules(preset: str, row: str, points: int) -> None:
    knocker, defender, _ = L_ROWS[row]
    assert gincore.showdown(knocker, defender, preset).points == points


def test_l01_with_undercut_bonus_20() -> None:
    knocker, defender, _ = L_ROWS["L01"]
    assert gincore.showdown(knocker, defender, gincore.rules("classic", undercut_bonus=20)).points == 21


def test_l02_tie_break_decides_the_winner() -> None:
    knocker, defender = map(brute.cards, L_ROWS["L02"][:2])
    assert {outcome.net for outcome in brute.strict_outcomes(knocker, defender, CLASSIC)} == {2, -26}


def test_l20_optimal_is_neither_of_the_short_cuts() -> None:
    own = [case for case in CASES if case["strict"]["kind"] != "gin"]
    naive = sum(case["defender_naive"] > case["strict"]["defender_deadwood"] for case in own)
    single = sum(case["defender_single_pass"] > case["strict"]["defender_deadwood"] for case in own)
    assert naive > 10
    assert single > 10
