"""Every page of a report in headless Chromium, as wide as a desk's window and as narrow as a phone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from browser import CHROMIUM, Page, browse

from gincore.report import arena, knock_threshold, questions, undercut_risk, variant_comparison

WIDTHS = (1280, 390)
VARIANTS = ["classic", "gin-rummy-pro-oklahoma", "straight", "cutthroat"]
ASKED = ["T11", "T12", "T21", "D01", "D13"]  # the longest names, several units, five players, no verdict
QUIET: Mapping[str, Any] = {"seed": 1, "progress": False}

MAKE: Mapping[str, Callable[[Path], object]] = {
    "knock-threshold": lambda out: knock_threshold.make("classic", deals=40, games=6, out=out, lang="fr", **QUIET),
    "undercut-risk": lambda out: undercut_risk.make(
        "classic", deals=600, out=out, opponents=["threshold,limit=4"], lang="fr", **QUIET
    ),
    "variant-comparison": lambda out: variant_comparison.make(VARIANTS, deals=100, games=4, out=out, **QUIET),
    "questions": lambda out: questions.make(ASKED, deals=200, out=out, lang="fr", **QUIET),
    "arena": lambda out: arena.make(["simple", "threshold,limit=4", "gin-only"], "eaai", games=20, out=out, **QUIET),
}
FRENCH = ("knock-threshold", "undercut-risk", "questions")

LAYOUT = """
(() => {
  const wrong = [], wide = document.documentElement.clientWidth;
  const name = e => e.tagName.toLowerCase() + (e.className ? "." + e.className : "") + " " + e.textContent.slice(0, 40);
  const within = e => e.closest(".scroll") !== null;
  if (document.documentElement.scrollWidth > wide) wrong.push("the page scrolls sideways");
  for (const e of document.body.querySelectorAll("*")) {
    const box = e.getBoundingClientRect(), look = getComputedStyle(e);
    if (!box.width || !box.height || look.display === "inline" || e.tagName === "SCRIPT") continue;
    if (!within(e) && (box.left < -1 || box.right > wide + 1)) wrong.push("outside the window: " + name(e));
    const spill = e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0;
    if (spill && !e.classList.contains("scroll")) wrong.push(look.overflowX + ", wider than its box: " + name(e));
    if (e.scrollHeight > e.clientHeight + 1 && e.clientHeight > 0 && look.overflowY !== "visible" && !within(e))
      wrong.push("cut below: " + name(e));
  }
  for (const e of document.images)
    if (!e.complete || !e.naturalWidth) wrong.push("broken image: " + e.alt);
  for (const e of document.querySelectorAll("p, td, li, figcaption, h1, h2, h3")) {
    const size = parseFloat(getComputedStyle(e).fontSize);
    if (size < 11) wrong.push("letters of " + size + " pixels: " + name(e));
  }
  return JSON.stringify([...new Set(wrong)]);
})()
"""

SORT = """
(() => {
  const found = [];
  for (const details of document.querySelectorAll("details")) details.open = true;
  for (const table of document.querySelectorAll("table")) {
    const heads = [...table.tHead.rows[0].cells];
    for (const head of [heads[0], heads.at(-1)]) {
      const column = head.cellIndex, key = () => [...table.tBodies[0].rows].map(r => r.cells[column].dataset.value);
      const orders = [1, 2].map(() => { head.querySelector("button").click(); return key(); });
      found.push([head.textContent, head.getAttribute("aria-sort"), ...orders]);
    }
  }
  return JSON.stringify(found);
})()
"""

COPY = """
(() => {
  const cell = [...document.querySelectorAll("td")].find(e => /[0-9]/.test(e.textContent) && e.offsetHeight);
  getSelection().selectAllChildren(cell);
  return JSON.stringify([getSelection().toString().replace(/\\s+/g, ""), cell.textContent.replace(/\\s+/g, "")]);
})()
"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with browse("about:blank", tmp_path_factory.mktemp("chromium")) as page:
        yield page


@pytest.fixture(scope="module", params=list(MAKE))
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small report of each kind, made once; its folder has its name."""
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine: pages are not looked at")
    out = tmp_path_factory.mktemp("pages") / str(request.param)
    MAKE[out.name](out)
    return out


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("<p style='width: 2000px'>x</p>", "the page scrolls sideways"),
        ("<p style='width: 2000px'>x</p>", "outside the window: p x"),
        ("<p style='width: 9em; white-space: nowrap'>much too long for its box</p>", "visible, wider than its box: p"),
        ("<p style='width: 9em; overflow: hidden; white-space: nowrap'>much too long for the box</p>", "hidden, wider"),
        ("<p style='height: 1em; overflow: hidden; width: 9em'>two lines or three in one</p>", "cut below: p two"),
        (
            "<img src='data:image/png;base64,AAAA' alt='a chart' style='width: 9em; height: 9em'>",
            "broken image: a chart",
        ),
        ("<p style='font-size: 8px'>tiny</p>", "letters of 8 pixels: p tiny"),
    ],
)
def test_the_layout_is_really_looked_at(browser: Page, body: str, said: str) -> None:
    browser.open("about:blank", 390)
    browser.evaluate(f"document.body.innerHTML = {json.dumps(body)}")
    assert any(each.startswith(said) for each in json.loads(browser.evaluate(LAYOUT)))


def shown(browser: Page, folder: Path, width: int) -> Page:
    browser.open((folder / "index.html").as_uri(), width)
    return browser


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_cut_or_runs_over_and_nothing_is_asked_of_the_network(
    browser: Page, folder: Path, width: int, tmp_path: Path
) -> None:
    page = shown(browser, folder, width)
    assert json.loads(page.evaluate(LAYOUT)) == []
    page.evaluate("document.querySelectorAll('details').forEach(e => { e.open = true })")
    assert json.loads(page.evaluate(LAYOUT)) == []
    asked = [address for address in page.requests if not address.startswith("data:")]
    assert asked == [(folder / "index.html").as_uri()]
    page.screenshot(tmp_path / "page.png", whole=True)
    assert (tmp_path / "page.png").stat().st_size > 20_000, "an empty page"


def test_tables_are_sorted_by_a_click_and_turned_round_by_another(browser: Page, folder: Path) -> None:
    tables = json.loads(shown(browser, folder, 1280).evaluate(SORT))
    assert len(tables) >= 2
    for head, state, up, down in tables:
        assert state == "descending", head
        known_up, known_down = ([value for value in values if value != ""] for values in (up, down))
        assert known_up == known_down[::-1] or len(set(known_up)) < len(known_up), head
        assert up[: len(known_up)] == known_up, f"{head}: cells without a value come last"
        try:
            numbers = [float(value) for value in known_up]
        except ValueError:
            continue
        assert numbers == sorted(numbers), head


def test_numbers_are_text_that_can_be_copied(browser: Page, folder: Path) -> None:
    copied, held = json.loads(shown(browser, folder, 1280).evaluate(COPY))
    assert copied == held != ""


def test_every_figure_leads_to_its_numbers(browser: Page, folder: Path) -> None:
    page = shown(browser, folder, 1280)
    figures = json.loads(
        page.evaluate(
            "JSON.stringify([...document.querySelectorAll('figure')]"
            ".map(e => [...e.querySelectorAll('a')].map(a => a.getAttribute('href'))))"
        )
    )
    assert figures
    for hrefs in figures:
        assert [Path(href).suffix for href in hrefs] == [".csv", ".png", ".svg"]
        assert all((folder / href).is_file() for href in hrefs)


def test_letters_with_accents_arrive(browser: Page, folder: Path) -> None:
    page = shown(browser, folder, 390)
    assert page.evaluate("document.characterSet") == "UTF-8"
    text = page.evaluate("document.body.innerText")
    assert not [letter for letter in ("Ã", "Â", "�", "&amp;", "&eacute;") if letter in text]
    if folder.name in FRENCH:
        assert page.evaluate("document.documentElement.lang") == "fr"
        assert all(word in text for word in ("Méthode", "Réglages"))
