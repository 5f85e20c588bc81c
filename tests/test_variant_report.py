"""The variant-comparison report: its numbers from plain pandas, its sentences in both languages, its folder."""

from __future__ import annotations

import html
import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import gincore
from gincore.analysis.variants import deal_values, games_needed, grid_cell, hands_needed, length_frame, paired_frame
from gincore.errors import UsageError
from gincore.language import Language
from gincore.report import variant_comparison
from gincore.report.variant_comparison.content import tables
from gincore.report.variant_comparison.play import BEST, FIELD, FIXED, Findings, Setup, make_setup, measure
from gincore.report.variant_comparison.text import NAMES, finding, method

VARIANTS = ["classic", "oklahoma", "hollywood", "cutthroat", "straight", "chicago"]
DEALS, GAMES, SEED = 1600, 60, 4
EN, FR = Language("en"), Language("fr")
USUAL = {"player": "simple", "weaker": "careless", "level": 0.95, "seconds": 15.0}


@pytest.fixture(scope="module")
def setup() -> Setup:
    return make_setup(VARIANTS, "classic", deals=DEALS, games=GAMES, seed=SEED, **USUAL)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def findings(setup: Setup) -> Findings:
    return measure(setup, progress=False)


def value(frame: pd.DataFrame, variant: str, metric: str, policy: str = FIXED, column: str = "estimate") -> float:
    rows = frame[(frame["variant"] == variant) & (frame["metric"] == metric) & (frame["policy"] == policy)]
    assert len(rows) == 1
    return float(rows[column].iloc[0])


@pytest.mark.parametrize("variant", ["classic", "oklahoma", "straight"])
def test_hands_recomputed_from_the_stored_rows(findings: Findings, variant: str) -> None:
    hands = gincore.simulate(variant, ("simple", "simple"), deals=DEALS, seed=SEED, mirror=False, progress=False).hands
    net = hands["points_0"].astype(int) - hands["points_1"]
    starters = net.where(hands["starter"] == 0, -net)
    decided = ~hands["result"].isin(["dead", "stalled"])
    plain = {
        "turns_mean": hands["turns"].mean(),
        "gin_share": (hands["result"] == "gin").mean(),
        "undercut_share": (hands["result"] == "undercut").mean(),
        "net_points_sd": net.std(ddof=0),
        "starter_net_points_per_hand": starters.mean(),
        "winner_points_per_decided_hand": (hands["points_0"].astype(int) + hands["points_1"])[decided].mean(),
    }
    for metric, expected in plain.items():
        assert value(findings.overview, variant, metric) == pytest.approx(expected)


def test_paired_differences_recomputed(findings: Findings) -> None:
    turns = [
        gincore.simulate(name, ("simple", "simple"), deals=DEALS, seed=SEED, mirror=False, progress=False).hands[
            "turns"
        ]
        for name in ("oklahoma", "classic")
    ]
    change = turns[0].astype(float) - turns[1].astype(float)
    assert value(findings.differences, "oklahoma", "turns_mean", column="difference") == pytest.approx(change.mean())
    half = value(findings.differences, "oklahoma", "turns_mean", column="high") - change.mean()
    assert half == pytest.approx(1.9614 * change.std() / np.sqrt(DEALS), rel=1e-3)


def test_games_recomputed(findings: Findings) -> None:
    run = gincore.simulate_games("oklahoma", ("simple", "careless"), games=GAMES, seed=SEED, progress=False)
    winner = run.games["winner"].dropna()
    assert value(findings.overview, "oklahoma", "better_won_share") == pytest.approx((winner == 0).mean())
    even = gincore.simulate_games(
        "oklahoma", ("simple", "simple"), games=GAMES, seed=SEED, mirror=False, progress=False
    )
    turns = even.hands.groupby("game")["turns"].sum().mean()
    assert value(findings.overview, "oklahoma", "minutes_per_game") == pytest.approx(turns * 15 / 60)
    assert value(findings.overview, "oklahoma", "hands_per_game") == pytest.approx(even.games["hands"].mean())


def test_rules_that_play_alike_have_equal_hands_and_no_difference(findings: Findings) -> None:
    rows = findings.differences[(findings.differences["variant"] == "hollywood")]
    hands = rows[rows["metric"] != "better_won_share"]
    assert (hands["difference"] == 0).all()
    assert (hands["p_holm"] == 1).all()


def test_three_handed_play_has_no_better_player(findings: Findings) -> None:
    rows = findings.overview[findings.overview["variant"] == "cutthroat"]
    assert "better_won_share" not in set(rows["metric"])
    assert "minutes_per_game" in set(rows["metric"])


def test_limits_are_swept_on_other_deals_than_those_measured(setup: Setup, findings: Findings) -> None:
    part = findings.limits[(findings.limits["variant"] == "classic")]
    assert part["limit"].tolist() == list(range(11))
    assert findings.limits[findings.limits["variant"] == "straight"]["limit"].tolist() == [0]
    total = 0.0
    for name in FIELD:
        hands = gincore.simulate(
            "classic", ("threshold,limit=0", name), deals=setup.sweep_deals, seed=SEED, first_deal=DEALS, progress=False
        ).hands
        total += (hands["points_0"].astype(int) - hands["points_1"]).mean()
    assert part.loc[part["limit"] == 0, "estimate"].iloc[0] == pytest.approx(total / len(FIELD))


def test_the_best_limit_is_kept_by_both(findings: Findings) -> None:
    best = findings.limits[(findings.limits["variant"] == "oklahoma") & findings.limits["best"]]["limit"].iloc[0]
    who = f"threshold,limit={best}"
    hands = gincore.simulate("oklahoma", (who, who), deals=DEALS, seed=SEED, mirror=False, progress=False).hands
    assert value(findings.overview, "oklahoma", "turns_mean", BEST) == pytest.approx(hands["turns"].mean())


def test_a_cell_of_the_grid_recomputed(setup: Setup, findings: Findings) -> None:
    """Limit 6 and bonus 15 of the city variants, played under those rules."""
    rules = gincore.rules("classic", knock_limit=6, undercut_bonus=15)
    kwargs: dict[str, Any] = {"deals": setup.grid_deals, "seed": SEED, "progress": False}
    hands = gincore.simulate(rules, ("simple", "simple"), mirror=False, **kwargs).hands
    decided = ~hands["result"].isin(["dead", "stalled"])
    skill = gincore.simulate(rules, ("simple", "careless"), **kwargs).hands
    plain = {
        "undercut_share": (hands["result"] == "undercut").mean(),
        "winner_points_per_decided_hand": (hands["points_0"].astype(int) + hands["points_1"])[decided].mean(),
        "net_points_sd": (hands["points_0"].astype(int) - hands["points_1"]).std(ddof=0),
        "better_net_points_per_hand": (skill["points_0"].astype(int) - skill["points_1"]).mean(),
    }
    assert findings.grid is not None
    grid = findings.grid[(findings.grid["knock_limit"] == 6) & (findings.grid["undercut_bonus"] == 15)]
    found = grid.set_index("metric")["estimate"]
    assert {name: found[name] for name in plain} == {name: pytest.approx(each) for name, each in plain.items()}


def test_the_grid_is_scored_again_exactly() -> None:
    def cell(base: int, bonus: int) -> pd.DataFrame:
        chosen = gincore.rules("classic", undercut_bonus=base, knock_limit=7)
        equal = gincore.simulate(chosen, ("simple", "simple"), deals=400, seed=1, mirror=False, progress=False).hands
        skill = gincore.simulate(chosen, ("simple", "careless"), deals=400, seed=1, progress=False).hands
        return grid_cell(equal, skill, base, bonus)

    pd.testing.assert_frame_equal(cell(25, 10), cell(10, 10))


def test_deviations_differ_by_the_mean_of_their_parts() -> None:
    runs = [
        gincore.simulate(name, ("simple", "simple"), deals=800, seed=2, mirror=False, progress=False).hands
        for name in ("oklahoma", "classic")
    ]
    values = [deal_values(hands) for hands in runs]
    frame = paired_frame(*values, "deal").set_index("metric")
    nets = [(hands["points_0"].astype(int) - hands["points_1"]).std(ddof=0) for hands in runs]
    assert frame.loc["net_points_sd", "difference"] == pytest.approx(nets[0] - nets[1])
    assert frame.loc["net_points_sd", "low"] < nets[0] - nets[1] < frame.loc["net_points_sd", "high"]


def test_games_needed() -> None:
    share = 0.6
    n = games_needed(share)
    assert 1.959964 * np.sqrt(share * (1 - share) / n) == pytest.approx(share - 0.5, rel=1e-6)
    assert games_needed(0.4) == float("inf")
    assert np.isnan(games_needed(float("nan")))
    assert hands_needed(0.0, 20.0) == float("inf")


def test_minutes_follow_the_seconds() -> None:
    run = gincore.simulate_games("classic", ("simple", "simple"), games=20, seed=1, mirror=False, progress=False)
    frames = [length_frame(run.moments, seconds).set_index("metric") for seconds in (15.0, 30.0)]
    ratio = frames[1].loc["minutes_per_game", "high"] / frames[0].loc["minutes_per_game", "high"]
    assert ratio == pytest.approx(2)


def test_sentences_hold_the_numbers_of_the_run(setup: Setup, findings: Findings) -> None:
    turns = value(findings.overview, "straight", "turns_mean")
    for tr in (EN, FR):
        text = " ".join(finding(setup, findings, tr))
        assert tr.number(turns, 1) in text
        assert "nan" not in text
    assert "gagne le plus de parties contre careless" in finding(setup, certain(findings), FR)[0]


def certain(findings: Findings) -> Findings:
    """The same numbers without any doubt: of many more games."""
    overview = findings.overview
    return replace(findings, overview=overview.assign(low=overview["estimate"], high=overview["estimate"]))


def test_the_measure_is_named_and_what_other_measures_tell_apart(setup: Setup, findings: Findings) -> None:
    """The sentence on other measures names what the table of differences has stars for, and nothing else."""
    for tr, head, others in (
        (EN, "Games won by the better player, compared with classic", "Told apart by other measures: "),
        (FR, "Parties gagnées par le meilleur joueur, par rapport à classic", "Distinguées par d'autres mesures : "),
    ):
        said = finding(setup, findings, tr)
        assert said[1].startswith(head)
        text = said[2].replace("\u00a0", " ")
        assert text.startswith(others)
        frame = findings.differences[findings.differences["policy"] == FIXED]
        for metric, rows in frame[frame["metric"] != "better_won_share"].groupby("metric"):
            starred = (rows["p_holm"] < 0.05).any()
            listed = re.split(r"[:;,.]| and | et | in | dans ", text)
            assert (tr(*NAMES[str(metric)]) in {each.strip() for each in listed}) == starred


def test_games_needed_are_the_same_number_everywhere(setup: Setup, findings: Findings) -> None:
    raw = value(findings.overview, "oklahoma", "games_needed")
    table = next(each for each in tables(setup, findings, EN) if each.caption.startswith("Side by side: knock at once"))
    place = list(table.heads).index("games to tell them apart")
    shown = {row[0].text: row[place].text for row in table.rows}
    assert shown["oklahoma"] == f"{math.ceil(raw)}"
    said = finding(setup, certain(findings), EN)[0]
    names = re.search(r"under (\S+) .*fewest under (\S+) ", said)
    numbers = re.search(r"takes ([\d,]+) and ([\d,]+) games", said)
    assert names is not None
    assert numbers is not None
    assert [shown[name] for name in names.groups()] == [each.replace(",", "") for each in numbers.groups()]


def test_what_a_variant_is_stands_in_a_table(setup: Setup, findings: Findings) -> None:
    for tr in (EN, FR):
        table = tables(setup, findings, tr)[0]
        rows = [[cell.value for cell in row] for row in table.rows]
        differences = gincore.rules("classic").differences(gincore.rules("oklahoma"))
        assert [row[1] for row in rows if row[0] == "oklahoma"] == list(differences)
        assert not [row for row in rows if row[0] == "classic"]


def test_without_a_city_variant_there_is_no_grid() -> None:
    few = make_setup(["oklahoma"], "classic", deals=40, games=4, seed=1, **USUAL)  # type: ignore[arg-type]
    found = measure(few, progress=False)
    assert found.grid is None
    assert set(found.frames()) == {"overview", "differences", "limits"}
    for tr in (EN, FR):
        text = " ".join([*finding(few, found, tr), *(" ".join(point) for point in method(few, found, tr))])
        assert not re.search("chicago|manhattan|city|villes", text, re.IGNORECASE)
    assert make_setup(None, "classic", deals=40, games=4, seed=1, **USUAL).cities == ["chicago", "manhattan"]  # type: ignore[arg-type]


def test_equal_ends_are_said_once(setup: Setup, findings: Findings) -> None:
    """A rule set that plays as the baseline does is not set against it: no "12.5 (classic) to 12.5 (classic)"."""
    alike = make_setup(["hollywood"], "classic", deals=80, games=6, seed=1, **USUAL)  # type: ignore[arg-type]
    found = measure(alike, progress=False)
    for tr, everywhere in ((EN, "everywhere"), (FR, "partout")):
        said = " ".join(finding(alike, found, tr))
        assert f"{tr(*NAMES['turns_mean'])} {everywhere}" in said
        assert not re.search(r"\b(\S+) \((\S+)\) (to|à) \1 ", said)
        assert not re.search(r"\b0 (of|variants|variantes)\b", said)


def test_with_too_few_games_the_ranking_says_so() -> None:
    few = make_setup(["oklahoma"], "classic", deals=40, games=4, seed=1, **USUAL)  # type: ignore[arg-type]
    found = measure(few, progress=False)
    assert "too few games to rank the variants" in finding(few, found, EN)[0]
    assert "wins most" not in finding(few, found, EN)[0]
    assert "trop peu de parties pour classer les variantes" in finding(few, found, FR)[0]
    assert "too few hands to say" in " ".join(finding(few, found, EN))


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_folder(tmp_path: Path, lang: str) -> None:
    house = tmp_path / "house.toml"
    house.write_text('base = "classic"\nname = "house"\nundercut_bonus = 10\n')
    out = tmp_path / "é"
    page = variant_comparison.make(
        ["oklahoma", str(house)], deals=160, seed=1, out=out, games=4, lang=lang, progress=False
    )
    text = page.read_text(encoding="utf-8")
    assert f'<html lang="{lang}">' in text
    links = [html.unescape(link) for link in re.findall(r'<a href="([^"]+)"', text)]
    assert all((out / link).is_file() for link in links)
    assert gincore.rules(out / "rules" / "house.toml").undercut_bonus == 10
    assert "--variants classic,oklahoma,rules/house.toml" in text
    assert {"en": "inside this report", "fr": "depuis le dossier"}[lang] in text
    assert "grid" not in " ".join(links)
    house_row = text[text.index('<td data-value="house">') :]
    assert house_row.index('data-value="undercut_bonus"') < 300
    shown = text.split("<script>")[0]
    assert not re.search(r">[^<]*\b(nan|inf)\b", shown)
    for figure in (out / "figures").glob("*.png"):
        assert f"tables/chart-{figure.stem}.csv" in links


@pytest.mark.parametrize(
    ("given", "baseline", "seconds", "said"),
    [
        (["classic"], "classic", 15.0, "name another one"),
        (["clasic"], "classic", 15.0, "did you mean 'classic'"),
        (None, "classic", 0.0, "seconds a turn"),
        (None, "nowhere.toml", 15.0, "nowhere.toml"),
    ],
)
def test_bad_input_is_refused(given: list[str] | None, baseline: str, seconds: float, said: str) -> None:
    with pytest.raises(UsageError, match=re.escape(said)):
        make_setup(given, baseline, deals=10, games=2, seed=1, **{**USUAL, "seconds": seconds})  # type: ignore[arg-type]
