"""The undercut-risk report: its numbers from plain pandas, its sentences in both languages, its folder."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import gincore
from gincore.analysis.undercut import knocks, rescored
from gincore.errors import UsageError
from gincore.language import Language
from gincore.report import undercut_risk
from gincore.report.undercut_risk.play import BONUSES, Findings, Setup, make_setup, measure
from gincore.report.undercut_risk.text import finding, ranges
from gincore.runs.plan import make_plan
from gincore.runs.thrown import hands_with_throws

OPPONENTS = ["simple", "gin-only"]
DEALS = 4000
EN, FR = Language("en"), Language("fr")


@pytest.fixture(scope="module")
def setup() -> Setup:
    return make_setup("classic", "simple", OPPONENTS, deals=DEALS, seed=3, level=0.95)


@pytest.fixture(scope="module")
def findings(setup: Setup) -> Findings:
    return measure(setup, progress=False)


@pytest.fixture(scope="module")
def rows() -> dict[str, pd.DataFrame]:
    """Player 0's ordinary knocks, from the rows of the public call."""
    found = {}
    for name in OPPONENTS:
        hands = gincore.simulate("classic", ("simple", name), deals=DEALS, seed=3, progress=False).hands
        found[name] = hands[(hands["knocker"] == 0).fillna(False) & hands["result"].isin(["knock", "undercut"])]
    return found


def row(frame: pd.DataFrame, **where: Any) -> pd.Series:
    for name, value in where.items():
        frame = frame[frame[name] == value]
    assert len(frame) == 1
    return frame.iloc[0]


@pytest.mark.parametrize("name", OPPONENTS)
def test_cells_recomputed_from_the_stored_rows(findings: Findings, rows: dict[str, pd.DataFrame], name: str) -> None:
    hands = rows[name]
    net = hands["points_0"].astype(int) - hands["points_1"]
    undercut = hands["result"] == "undercut"
    cell = (hands["knocker_deadwood"] == 9) & hands["turns"].between(13, 16)
    risk = row(findings.cells["by-turns"], opponent=name, deadwood="9", turns="13-16", metric="undercut_share")
    assert risk["hands"] == cell.sum() > 50
    assert risk["estimate"] == pytest.approx(undercut[cell].mean())
    loss = row(findings.cells["by-turns"], opponent=name, deadwood="9", turns="13-16", metric="loss_per_knock")
    assert loss["estimate"] == pytest.approx((-net).clip(lower=0)[cell].mean())
    taken = (hands["knocker_deadwood"] == 10) & (hands["pickups_1"] >= 3)
    many = row(findings.cells["by-pickups"], opponent=name, deadwood="10", pickups="3+", metric="undercut_share")
    assert many["estimate"] == pytest.approx(undercut[taken].mean())


@pytest.mark.parametrize("name", OPPONENTS)
def test_the_overview_recomputed(findings: Findings, rows: dict[str, pd.DataFrame], name: str) -> None:
    hands = rows[name]
    undercut = hands[hands["result"] == "undercut"]
    made = (undercut["defender_deadwood_before"] > undercut["knocker_deadwood"]).mean()
    assert row(findings.overview, opponent=name, metric="undercut_share")["estimate"] == pytest.approx(
        len(undercut) / len(hands)
    )
    assert row(findings.overview, opponent=name, metric="by_layoff_share_of_undercuts")["estimate"] == pytest.approx(
        made
    )


def test_intervals_recomputed_from_the_stored_rows(findings: Findings, rows: dict[str, pd.DataFrame]) -> None:
    """The loss of a knock with ten points: a ratio of sums over deals, with the error of its linear form."""
    hands = rows["gin-only"][rows["gin-only"]["knocker_deadwood"] == 10]
    loss = (hands["points_1"].astype(int) - hands["points_0"]).clip(lower=0)
    found = row(findings.cells["by-deadwood"], opponent="gin-only", deadwood="10", metric="loss_per_knock")
    by_deal = pd.DataFrame({"loss": loss, "knocks": 1}).groupby(hands["deal"]).sum()
    n = len(by_deal)
    left = by_deal["loss"] - loss.mean() * by_deal["knocks"]
    half = stats.t.ppf(0.975, n - 1) * left.std(ddof=0) * np.sqrt(n / (n - 1)) * np.sqrt(n) / len(hands)
    assert (found["n"], found["hands"]) == (n, len(hands))
    assert (found["low"], found["high"]) == pytest.approx((loss.mean() - half, loss.mean() + half))


def test_the_price_of_a_bonus_recomputed(findings: Findings) -> None:
    """With the bonus of 10 played, not scored again."""
    rules = gincore.rules("classic", undercut_bonus=10)
    hands = gincore.simulate(rules, ("simple", "gin-only"), deals=DEALS, seed=3, progress=False).hands
    made = (hands["knocker"] == 0).fillna(False) & hands["result"].isin(["knock", "undercut"])
    net = (hands["points_0"].astype(int) - hands["points_1"])[made]
    for deadwood, part in (("all", net), ("8", net[hands["knocker_deadwood"] == 8])):
        found = row(findings.bonus, opponent="gin-only", bonus=10, deadwood=deadwood, metric="net_points_per_knock")
        assert found["estimate"] == pytest.approx(part.mean())


def test_the_gain_of_a_free_spread_recomputed(findings: Findings) -> None:
    nets = []
    for spread in ("best", "min_deadwood"):
        rules = gincore.rules("classic", knocker_spread=spread)
        hands = gincore.simulate(rules, ("simple", "gin-only"), deals=DEALS, seed=3, progress=False).hands
        made = (hands["knocker"] == 0).fillna(False) & hands["result"].isin(["knock", "undercut"])
        nets.append((hands["points_0"].astype(int) - hands["points_1"])[made])
    found = row(findings.spread, opponent="gin-only", metric="net_points_per_knock")
    assert found["estimate"] == pytest.approx((nets[0] - nets[1]).mean())


def test_knockers_at_once_are_undercut_by_lay_offs_alone(findings: Findings) -> None:
    assert row(findings.overview, opponent="simple", metric="by_layoff_share_of_undercuts")["estimate"] == 1


def test_the_bonus_is_scored_again_exactly(setup: Setup) -> None:
    assert setup.rescored
    plan = make_plan("hands", "classic", ("simple", "gin-only"), seed=3, count=500)
    before = knocks(hands_with_throws(plan))
    other = make_plan("hands", gincore.rules("classic", undercut_bonus=10), ("simple", "gin-only"), seed=3, count=500)
    pd.testing.assert_frame_equal(rescored(before, 25, 10), knocks(hands_with_throws(other)), check_dtype=False)


def test_doubled_hands_are_scored_again_exactly() -> None:
    chosen = gincore.rules("spade-double")
    frames = []
    for rules in (chosen, chosen.replace(undercut_bonus=10)):
        plan = make_plan("hands", rules, ("simple", "gin-only"), seed=3, count=500)
        frames.append(knocks(hands_with_throws(plan)))
    assert (frames[0]["multiplier"] == 2).any()
    pd.testing.assert_frame_equal(rescored(frames[0], chosen.undercut_bonus, 10), frames[1], check_dtype=False)


def test_where_the_spread_is_chosen_the_bonus_is_played_again() -> None:
    other = make_setup(gincore.rules("classic", knocker_spread="best"), "simple", None, deals=50, seed=1, level=0.95)
    assert not other.rescored
    found = measure(other, progress=False).bonus
    assert set(found["bonus"]) == set(BONUSES)


def test_last_discards_are_those_of_the_hand(rows: dict[str, pd.DataFrame]) -> None:
    plan = make_plan("hands", "classic", ("simple", "gin-only"), seed=3, count=DEALS)
    frame = hands_with_throws(plan, workers=2)
    again = gincore.simulate("classic", ("simple", "gin-only"), deals=DEALS, seed=3, progress=False).hands
    pd.testing.assert_frame_equal(frame[again.columns], again)
    assert frame["last_throw_0"].between(-1, 51).all()
    first = frame[(frame["turns"] == 1) & (frame["starter"] == 0)]
    assert (first["last_throw_1"] == -1).all()


def test_the_free_spread_never_costs_the_knocker_points(findings: Findings) -> None:
    gain = findings.spread[findings.spread["metric"] == "net_points_per_knock"]
    assert (gain["estimate"] >= 0).all()


def test_sentences_hold_the_numbers_of_the_run(setup: Setup, findings: Findings) -> None:
    risk = row(findings.overview, opponent="gin-only", metric="undercut_share")["estimate"]
    for tr in (EN, FR):
        text = " ".join(finding(setup, findings, tr))
        assert tr.percent(risk) in text
        assert tr.count(DEALS) in text
        assert "nan" not in text
    assert finding(setup, findings, FR)[0].startswith("Sous les règles classic, simple est contré dans")
    assert "Contre gin-only" in " ".join(finding(setup, findings, FR))


def test_with_too_few_hands_the_verdict_says_so() -> None:
    few = make_setup("classic", "simple", ["simple"], deals=200, seed=1, level=0.95)
    found = measure(few, progress=False)
    assert "Too few hands to say what carries the risk against simple" in " ".join(finding(few, found, EN))
    assert "Trop peu de manches" in " ".join(finding(few, found, FR))


def test_ranges() -> None:
    assert ranges([1, 2, 3, 7, 9, 10], EN) == "1 to 3, 7, 9 and 10"
    assert ranges([6, 7, 8], FR) == "6 à 8"


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_folder(tmp_path: Path, lang: str) -> None:
    out = tmp_path / "é report"
    page = undercut_risk.make(
        "classic", deals=600, seed=1, out=out, opponents=["gin-only", "simple"], lang=lang, progress=False
    )
    text = page.read_text(encoding="utf-8")
    assert f'<html lang="{lang}">' in text
    assert not re.search(r"(src|href)=[\"'](https?:)?//", text)
    links = re.findall(r'<a href="([^"]+)"', text)
    assert len(links) > 20
    assert all((out / html.unescape(link)).is_file() for link in links)
    for figure in (out / "figures").glob("*.png"):
        assert f"tables/chart-{figure.stem}.csv" in links
        assert figure.with_suffix(".svg").is_file()
    shown = text.split("<script>")[0]
    assert not re.search(r">[^<]*\b(nan|inf)\b", shown)
    captions = re.findall(r"<figcaption>(.*?)<span", shown)
    assert len(captions) == len(set(captions)), "each caption names its opponent"
    assert ("sous-coupe" in shown) == (lang == "fr")
    with pytest.raises(UsageError, match="another plan"):
        undercut_risk.make(
            "classic", deals=601, seed=1, out=out, opponents=["gin-only", "simple"], lang=lang, progress=False
        )


def test_gin_only_rules_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="gin is never undercut"):
        undercut_risk.make("straight", deals=10, seed=1, out=tmp_path / "x")
    assert not (tmp_path / "x").exists()
