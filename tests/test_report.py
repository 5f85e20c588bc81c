"""The knock-threshold report: its folder, its page, its sentences."""

from __future__ import annotations

import base64
import json
import re
import shutil
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from browser import browse, wait_for

import gincore
from gincore.analysis.knock import MEASURES, Verdict
from gincore.errors import RunError, UsageError
from gincore.report import knock_threshold
from gincore.report.knock_threshold import sweep as playing
from gincore.report.knock_threshold.text import clause, finding, limits_text, short_title
from gincore.report.page import Folder, building, interval_text, number, render
from gincore.runs.jobs import Interrupted

SMALL: dict[str, Any] = {
    "deals": 40, "games": 6, "seed": 3, "progress": False, "opponents": ["gin-only"], "beside": ["pagat"],
}  # fmt: skip
SWEEP_FIGURES = ["ends", "ends-itself", "points", "turns", "winner-points", "won"]
VALUE_FIGURES = [
    "gain-by-turn",
    "strength-game-won-0-share",
    "strength-net-points-per-hand",
    "strength-won-0-share",
    "table",
    *[f"value-{by}-{opponent}" for by in ("pickups", "stock", "turn") for opponent in ("gin-only", "the-table")],
    "when-to-knock",
]
FIGURES = sorted(SWEEP_FIGURES + VALUE_FIGURES)
TABLES = ["sweep", "comparisons", "knock-or-wait", "rules-of-knocking", "limits-by-turn", "strength", "tables"]
LOADED = "document.readyState == 'complete' && [...document.images].every(image => image.complete)"
NAN = float("nan")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("reports") / "é 1" / "knock"
    page = knock_threshold.make("classic", out=out, **SMALL)
    assert page == out / "index.html"
    return out


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests that look at words only: drawing takes most of the time."""
    monkeypatch.setattr(knock_threshold, "charts", lambda *_: [])
    monkeypatch.setattr(knock_threshold, "sections", lambda *_: [])


class Page(HTMLParser):
    """Collects what a page links to and shows, and that its tags are closed in order."""

    VOID = frozenset({"meta", "img", "br", "link", "input", "hr"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def values(self, tag: str, attribute: str) -> list[str]:
        return [str(attrs[attribute]) for name, attrs in self.tags if name == tag and attribute in attrs]


@pytest.fixture(scope="module")
def text(folder: Path) -> str:
    return (folder / "index.html").read_text(encoding="utf-8")


def test_the_folder_holds_page_tables_figures_and_manifest(folder: Path) -> None:
    assert {path.name for path in folder.iterdir()} == {
        "index.html",
        "when-to-knock.html",
        "manifest.json",
        "rules.toml",
        "tables",
        "figures",
    }
    assert sorted(path.stem for path in (folder / "figures").glob("*.png")) == FIGURES
    assert sorted(path.stem for path in (folder / "figures").glob("*.svg")) == FIGURES
    charts = [f"chart-{name}" for name in VALUE_FIGURES if name != "when-to-knock"]
    for name in (*SWEEP_FIGURES, *charts, "when-to-knock", *TABLES):
        from_csv = pd.read_csv(folder / "tables" / f"{name}.csv")
        from_parquet = pd.read_parquet(folder / "tables" / f"{name}.parquet")
        assert list(from_csv.columns) == list(from_parquet.columns)
        assert len(from_csv) == len(from_parquet) > 0
    assert gincore.rules(folder / "rules.toml").digest() == gincore.rules("classic").digest()


def test_the_report_in_french(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "fr"
    page = knock_threshold.make("classic", out=out, lang="fr", **SMALL)
    text = page.read_text(encoding="utf-8")
    assert '<html lang="fr">' in text
    for words in ("Sous les règles classic, contre simple", "Méthode", "40 paires de donnes", "--lang fr"):
        assert words in text
    assert "points a hand" not in text
    one, two = (pd.read_csv(each / "tables" / "sweep.csv") for each in (out, folder))
    pd.testing.assert_frame_equal(one, two)
    with pytest.raises(UsageError, match="lang 'de'"):
        knock_threshold.make("classic", out=tmp_path / "de", lang="de", **SMALL)


def test_the_page_asks_the_network_for_nothing_and_its_links_lead_to_files(folder: Path, text: str) -> None:
    page = Page(text)
    assert not re.search(r"(src|href)=[\"'](https?:)?//", text)
    assert "default-src 'none'" in page.values("meta", "content")[1]
    assert all(source.startswith("data:image/svg+xml;base64,") for source in page.values("img", "src"))
    assert "url(" not in text
    links = page.values("a", "href")
    assert len(links) > 20
    assert all((folder / link).is_file() for link in links)
    for name in SWEEP_FIGURES:
        assert f"tables/{name}.csv" in links
    for name in VALUE_FIGURES:
        assert f"tables/{'' if name == 'when-to-knock' else 'chart-'}{name}.csv" in links
    assert "when-to-knock.html" in links
    sheet = Page((folder / "when-to-knock.html").read_text(encoding="utf-8"))
    assert all((folder / link).is_file() for link in sheet.values("a", "href"))
    assert sheet.values("img", "src")[0].startswith("data:image/svg+xml;base64,")


def test_every_chart_has_words_for_those_who_do_not_see_it(text: str) -> None:
    alts = Page(text).values("img", "alt")
    assert len(alts) == len(FIGURES)
    assert all(len(alt) > 40 for alt in alts)


def test_the_page_says_whose_knocks_and_links_plain_tables_only(text: str, folder: Path) -> None:
    assert text.count("by either player") >= 4, "both charts, and the tables"
    assert text.count("Knocks, gins and undercuts of either player") >= 2
    assert 'parquet"' not in text
    assert (folder / "tables" / "sweep.parquet").is_file()
    assert "inside this report" not in text, "a preset needs no file of the folder"


def test_tables_carry_values_to_sort_by(text: str) -> None:
    values = Page(text).values("td", "data-value")
    assert values.count("10.0") + values.count("10") >= 3
    texts = [value for value in values if re.match(r"[a-z]", value)]
    assert {text.split()[0] for text in texts} == {"best", "limits", "the", "classic", "pagat"}
    assert all(value == "" or np.isfinite(float(value)) for value in values if value not in texts)
    assert not re.search(r">[^<]*\bnan\b", text.split("<script>")[0], re.IGNORECASE)


def test_the_page_names_what_was_played(text: str) -> None:
    for words in ("<code>threshold</code>", "<code>simple</code>", "seed 3", "40 pairs of deals", "6 pairs of games"):
        assert words in text
    assert "--rules classic --opponent gin-only --beside pagat --deals 40 --games 6 --seed 3" in text
    assert "All options are those of <em>classic</em>" in text
    assert "165 comparisons" in text
    assert "of all" in text
    assert "of decided" in text


def test_the_numbers_are_those_of_a_plain_run(folder: Path) -> None:
    sweep = pd.read_csv(folder / "tables" / "sweep.csv").set_index(["opponent", "metric", "limit"])
    pair = ("threshold,limit=4", "simple")
    hands = gincore.simulate("classic", pair, deals=40, seed=3, progress=False).hands
    net = (hands["points_0"] - hands["points_1"]).mean()
    assert sweep.loc[("simple", "net_points_per_hand", 4), "estimate"] == pytest.approx(net)
    dead = (hands["result"] == "dead").mean()
    assert sweep.loc[("simple", "dead_share", 4), "estimate"] == pytest.approx(dead)
    games = gincore.simulate_games("classic", pair, games=6, seed=3, progress=False).games
    assert sweep.loc[("simple", "game_won_0_share", 4), "estimate"] == pytest.approx((games["winner"] == 0).mean())
    both = gincore.simulate("classic", (pair[0], pair[0]), deals=40, seed=3, mirror=False, progress=False).hands
    assert sweep.loc[("itself", "turns_mean", 4), "estimate"] == pytest.approx(both["turns"].mean())


def test_differences_between_limits_are_paired(folder: Path) -> None:
    table = pd.read_csv(folder / "tables" / "comparisons.csv").set_index(["measure", "a", "b"])
    row = table.loc[("net_points_per_hand", 2, 9)]
    nets = []
    for limit in (2, 9):
        pair = (f"threshold,limit={limit}", "simple")
        hands = gincore.simulate("classic", pair, deals=40, seed=3, progress=False).hands
        nets.append((hands["points_0"] - hands["points_1"]).to_numpy().reshape(-1, 2).mean(axis=1))
    gap = nets[0] - nets[1]
    assert row["difference"] == pytest.approx(gap.mean())
    assert (row["high"] - row["low"]) / 2 == pytest.approx(2.0227 * gap.std(ddof=1) / np.sqrt(40), rel=1e-3)


def test_the_highest_limit_against_simple_is_even_by_symmetry(folder: Path, text: str) -> None:
    sweep = pd.read_csv(folder / "tables" / "sweep.csv")
    row = sweep[(sweep["metric"] == "net_points_per_hand") & (sweep["limit"] == 10) & (sweep["opponent"] == "simple")]
    assert row[["estimate", "low", "high"]].to_numpy().tolist() == [[0, 0, 0]]
    assert "0 by symmetry, not by measurement" in text


def test_figures_and_tables_are_the_same_each_time_and_for_any_blocks(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playing, "DEAL_BLOCK", 17)
    monkeypatch.setattr(playing, "GAME_BLOCK", 4)
    knock_threshold.make("classic", out=tmp_path, workers=1, **SMALL)
    for path in sorted(folder.rglob("*")):
        if path.suffix in {".csv", ".svg", ".png", ".toml", ".html"}:
            assert (tmp_path / path.relative_to(folder)).read_bytes() == path.read_bytes(), path.name


def test_charts_are_well_formed_svg(folder: Path) -> None:
    for path in (folder / "figures").glob("*.svg"):
        assert ElementTree.parse(path).getroot().tag.endswith("svg")


def test_in_a_browser_nothing_is_wider_than_the_page_and_the_chart_prints_on_one(folder: Path, tmp_path: Path) -> None:
    with browse((folder / "index.html").as_uri(), tmp_path) as page:
        for width in (1280, 390):
            page.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
            wait_for("the charts", lambda: page.evaluate(LOADED), 30)
            assert page.evaluate("document.images.length") == len(FIGURES)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert page.evaluate(
                "[...document.images].every(image => image.naturalWidth > 0 && image.width <= innerWidth)"
            )
        page.call("Page.navigate", url=(folder / "when-to-knock.html").as_uri())
        wait_for("the chart", lambda: page.evaluate(f"document.images.length == 1 && {LOADED}"), 30)
        pdf = base64.b64decode(page.call("Page.printToPDF", preferCSSPageSize=True, printBackground=True)["data"])
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1
    box = re.search(rb"/MediaBox\s*\[0 0 ([0-9.]+) ([0-9.]+)\]", pdf)
    assert box is not None
    assert [round(float(side) / 72 * 25.4) for side in box.groups()] == [210, 297], "A4, in millimetres"


@pytest.mark.parametrize("existing", [False, True])
@pytest.mark.parametrize("failure", [RuntimeError("no chart today"), OSError(28, "No space left on device")])
def test_a_failure_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, existing: bool, failure: Exception
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise failure

    out = tmp_path / "new" / "report"
    if existing:
        out.mkdir(parents=True)
        (out / ".hidden").touch()
    before = sorted(tmp_path.rglob("*"))
    monkeypatch.setattr(Folder, "save_figure", fail)
    with pytest.raises(type(failure), match=r"no chart today|No space left"):
        knock_threshold.make("classic", out=out, **SMALL)
    assert sorted(tmp_path.rglob("*")) == before


def test_ctrl_c_leaves_nothing_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object, **__: object) -> None:
        raise Interrupted("interrupted; nothing is saved, as no output folder was named", playing=True)

    monkeypatch.setattr(playing, "simulate", stop)
    with pytest.raises(Interrupted, match=rf"^interrupted; nothing was written to {tmp_path}/new$") as stopped:
        knock_threshold.make("classic", out=tmp_path / "new", **SMALL)
    assert stopped.value.playing
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("undrawn")
def test_other_rules_are_shown_and_can_be_played_again(tmp_path: Path) -> None:
    rules = gincore.rules("pagat", undercut_bonus=15)
    text = knock_threshold.make(rules, out=tmp_path, **SMALL).read_text(encoding="utf-8")
    assert "<code>undercut_bonus = 15</code>" in text
    assert "--rules pagat --set undercut_bonus=15" in text


@pytest.mark.usefixtures("undrawn")
def test_rules_of_ones_own_are_named_by_their_copy(tmp_path: Path) -> None:
    house = replace(gincore.rules("classic", gin_bonus=20), name="house <i>")
    text = knock_threshold.make(house, out=tmp_path, level=0.9, **SMALL).read_text(encoding="utf-8")
    assert "--rules rules.toml" in text
    assert "inside this report" in text
    assert "--level 0.9" in text
    assert "house &lt;i&gt;" in text
    assert "<i>" not in text


@pytest.mark.usefixtures("undrawn")
def test_rules_beside_are_named_and_copied(tmp_path: Path) -> None:
    house = replace(gincore.rules("classic", undercut_bonus=10), name="house ten")
    wanted = SMALL | {"beside": [house, "pagat", "classic"], "deals": 5, "games": 1}
    page = knock_threshold.make("classic", out=tmp_path / "r", **wanted)
    text = page.read_text(encoding="utf-8")
    assert "--beside &#39;rules/house ten.toml,pagat&#39;" in text, "the report's own rules are not beside themselves"
    assert gincore.rules(tmp_path / "r" / "rules" / "house ten.toml").undercut_bonus == 10
    for odd in (gincore.rules("classic", undercut_bonus=10), replace(house, name="a/b")):
        with pytest.raises(UsageError, match="rules beside"):
            knock_threshold.make("classic", out=tmp_path / "odd", **SMALL | {"beside": [odd]})


@pytest.mark.usefixtures("undrawn")
def test_rules_under_which_all_limits_are_alike_say_so(tmp_path: Path) -> None:
    text = knock_threshold.make("straight", out=tmp_path, deals=10, games=2, seed=1, progress=False).read_text("utf-8")
    assert "no limit stands out" in text
    assert "every limit plays the same hands" in text
    assert "only gin goes out" in text
    assert not (tmp_path / "when-to-knock.html").exists()


@pytest.mark.usefixtures("undrawn")
def test_a_single_pair_gives_a_page_without_intervals(tmp_path: Path) -> None:
    text = knock_threshold.make("classic", out=tmp_path, **SMALL | {"deals": 1, "games": 1}).read_text("utf-8")
    assert "1 pair of deals and 1 pair of games" in text
    assert "no limit stands out: not in points a hand, not in hands won, not in games won" in text
    assert "no interval" in text
    assert "Few hands: up to 100" in text


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"deals": 0}, "deals 0"),
        ({"deals": 10.5}, "deals 10.5"),
        ({"games": -5}, "games -5"),
        ({"seed": -1}, "seed -1"),
        ({"level": 2}, "level 2"),
        ({"opponents": []}, "0 strategies"),
        ({"opponents": ["simple", "simple"]}, "given twice"),
        ({"opponents": ["simpel"]}, "simpel"),
        ({"beside": ["klassik"]}, "klassik"),
    ],
)
def test_wrong_use_is_refused_before_the_first_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: dict[str, Any], message: str
) -> None:
    monkeypatch.setattr(playing, "simulate", pytest.fail)
    with pytest.raises(UsageError, match=message):
        knock_threshold.make("classic", out=tmp_path / "new", **(SMALL | wrong))
    assert not (tmp_path / "new").exists()


def test_the_folder_is_checked_before_the_first_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "simulate", pytest.fail)
    (tmp_path / "file").write_text("x")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(UsageError, match="output folder"):
            knock_threshold.make("classic", out=place, **SMALL)
    (tmp_path / "run").mkdir()
    for name, content, words in (
        ("manifest.json", '{"kind": "hands"}', "it is not empty, it holds a run; name a new folder"),
        ("manifest.json", '{"report": "undercut-risk"}', r"it holds another report \(undercut-risk\); name a new"),
        ("manifest.json", "[]", "it is not empty, it holds manifest.json; name"),
        ("index.html", "mine", "it is not empty, it holds index.html; name a new folder"),
    ):
        (tmp_path / "run" / name).write_text(content)
        with pytest.raises(UsageError, match=words):
            knock_threshold.make("classic", out=tmp_path / "run", **SMALL)
        assert [path.name for path in (tmp_path / "run").iterdir()] == [name]
        assert (tmp_path / "run" / name).read_text() == content
        (tmp_path / "run" / name).unlink()
    with pytest.raises(UsageError, match="an empty text names no folder"):
        knock_threshold.make("classic", out="", **SMALL)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"deals": 41}, "deals: 40 there, 41 asked for"),
        ({"seed": 4, "games": 7}, "games: 6 there, 7 asked for; seed: 3 there, 4 asked for"),
        ({"level": 0.9}, "level: 0.95 there, 0.9 asked for"),
        ({"rules": gincore.rules("classic", gin_bonus=20)}, "other rules or players"),
    ],
)
def test_another_report_is_not_replaced(
    folder: Path, monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any], words: str
) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    monkeypatch.setattr(playing, "simulate", pytest.fail)
    wanted = {"rules": "classic", **SMALL, **changes}
    with pytest.raises(UsageError, match=words):
        knock_threshold.make(wanted.pop("rules"), out=folder, **wanted)
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_the_same_report_is_replaced_and_other_files_stay(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "report"
    shutil.copytree(folder, out)
    (out / "notes.txt").write_text("mine")
    (out / "figures" / "mine.png").write_text("mine")
    (out / "index.html").write_text("old")
    manifest = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    manifest["runs"][0]["versions"]["gincore"] = manifest["runs"][0]["source_digest"] = "older"
    (out / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    knock_threshold.make("classic", out=out, **SMALL)
    assert (out / "index.html").read_bytes() == (folder / "index.html").read_bytes()
    mine = {Path("notes.txt"), Path("figures/mine.png")}
    theirs = {path.relative_to(folder) for path in folder.rglob("*")}
    assert {path.relative_to(out) for path in out.rglob("*")} == theirs | mine


def test_a_failed_write_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("gincore.report.page.os.fsync", full)
    with (
        pytest.raises(RunError, match=rf"^cannot write {tmp_path}/new/index\.html: No space left on device$"),
        building(tmp_path / "new", "knock-threshold", {}) as place,
    ):
        place.write("index.html", "new")
    assert list(tmp_path.iterdir()) == []


def test_templates_escape_and_miss_nothing() -> None:
    with pytest.raises(Exception, match="undefined"):
        render("knock_threshold/page.html", {"title": "x"})


def verdict(measure: str, among: tuple[int, ...], best: int, value: float = 0.5) -> Verdict:
    return Verdict(measure, best, value, value - 0.1, value + 0.1, among, tuple(range(11)), 1000, "pair of deals")


def comparisons(difference: float, p: float) -> pd.DataFrame:
    rows = [(m, 0, 10, difference, difference - 0.1, difference + 0.1, p, 1000, p) for m in MEASURES]
    columns = ["measure", "a", "b", "difference", "low", "high", "p_value", "n", "p_holm"]
    return pd.DataFrame(rows, columns=columns)


ALL = tuple(range(11))


def test_the_finding_says_no_more_than_the_numbers_allow() -> None:
    verdicts = {name: verdict(name, ALL, 3) for name in MEASURES}
    said = finding(verdicts, comparisons(0.01, 0.9), "classic", 0.95)
    assert said[0].startswith("Under classic rules against simple, no limit stands out: ")
    assert said[0].endswith("not in points a hand, not in hands won, not in games won.")
    assert "limit 3" not in " ".join(said)
    assert said[1].count("(not told apart)") == 3
    assert "within the noise" in said[-1]
    assert "3 comparisons" in said[-1]


def test_the_finding_names_all_three_measures_and_their_contradiction() -> None:
    points, hands, games = MEASURES
    verdicts = {points: verdict(points, (0,), 0), hands: verdict(hands, (9, 10), 10), games: verdict(games, ALL, 0)}
    said = finding(verdicts, comparisons(0.2, 0.001), "pagat", 0.95)
    assert "in points a hand limit 0 stands out, +0.50 [+0.40, +0.60]" in said[0]
    assert "in hands won limits 9 and 10 lead, none told apart from the highest estimate, limit 10" in said[0]
    assert "in games won no limit stands out" in said[0]
    assert (
        said[1] == "The measures contradict each other: no limit is among the best both in points a hand and hands won."
    )


def test_the_finding_says_where_measures_agree() -> None:
    said = finding({name: verdict(name, (8, 9), 8) for name in MEASURES}, comparisons(0.2, 0.2), "classic", 0.95)
    assert said[1] == "Limits 8 and 9 are among the best in points, hands and games alike."


def test_the_ends_can_point_in_opposite_directions() -> None:
    table = comparisons(0.2, 0.001)
    table.loc[table["measure"] == "won_0_share", ["difference", "low", "high"]] = [-0.2, -0.3, -0.1]
    said = finding({name: verdict(name, ALL, 3) for name in MEASURES}, table, "classic", 0.95)
    assert "hands won \u221220.00 percentage points [\u221230.00, \u221210.00]" in said[1]
    assert said[1].endswith("Here the measures point in opposite directions.")


def test_titles_say_the_finding_and_fit() -> None:
    assert short_title(verdict(MEASURES[0], ALL, 1)) == "Points a hand: no limit stands out"
    assert short_title(verdict(MEASURES[1], (7,), 7)) == "Hands won: limit 7 stands out"
    assert short_title(verdict(MEASURES[2], (0, 8, 9, 10), 9)) == "Games won: limits 0 and 8 to 10 lead"
    assert short_title(verdict(MEASURES[2], (0, 2, 4, 6, 8, 10), 9)) == "Games won: several limits lead"


def test_words_for_limits_numbers_and_intervals() -> None:
    assert limits_text((9, 10)) == "9 and 10"
    assert limits_text((0, 1, 2, 5)) == "0 to 2 and 5"
    assert limits_text((4,)) == "4"
    assert number(NAN) == "n/a"
    assert number(-0.001, signed=True) == "0.00"
    assert interval_text(NAN, NAN) == "no interval"
    assert "limit 10" in clause(verdict("won_0_share", (9, 10), 10))
