"""The arena's page and its charts."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from encounters import table
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from matplotlib.text import Annotation, Text
from test_report import Page

import gincore
from gincore.analysis.arena import pair_frame, ranking_frame
from gincore.analysis.contest import GAMES, MEASURES
from gincore.contests import play as playing
from gincore.contests.round_robin import set_up
from gincore.errors import UsageError
from gincore.plotting import arena as plots
from gincore.plotting.style import chart_settings
from gincore.report.arena import make
from gincore.report.arena.text import short_title, standing_title
from gincore.runs.jobs import Interrupted

POOL = ["simple", "threshold", "gin-only", "random"]
SMALL: dict[str, Any] = {"games": 40, "seed": 3, "progress": False}
FIGURES = ["games", "hands", "points", "standing"]
LONG = [
    "simple", "threshold", "gin-only", "random", "threshold,limit=4,late_limit=2,late_turn=20", "patient", "careful",
    "safe-discards-of-a-very-long-name", "knapsack", "reader", "keeper", "ladder",
]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("arena") / "é 1"
    page, arena = make(POOL, "eaai", out=out, **SMALL)
    assert page == out / "index.html"
    assert arena.names == POOL
    return out


@pytest.fixture(scope="module")
def text(folder: Path) -> str:
    return (folder / "index.html").read_text(encoding="utf-8")


def test_the_folder_holds_page_tables_figures_and_manifest(folder: Path) -> None:
    assert sorted(path.name for path in folder.iterdir()) == [
        "figures", "index.html", "manifest.json", "rules.toml", "tables",
    ]  # fmt: skip
    assert sorted(path.stem for path in (folder / "figures").glob("*.png")) == FIGURES
    assert sorted(path.stem for path in (folder / "figures").glob("*.svg")) == FIGURES
    for name in (*FIGURES, "pairs", "ranking", "nash", "cycles"):
        csv = pd.read_csv(folder / "tables" / f"{name}.csv")
        assert len(csv) == len(pd.read_parquet(folder / "tables" / f"{name}.parquet")) > 0
        assert {"n", "unit"} <= set(csv.columns)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["report"] == "arena"
    assert manifest["reproduce"] == (
        "gincore arena simple threshold gin-only random --rules eaai --games 40 --seed 3 --out FOLDER"
    )


def test_the_page_is_whole_and_needs_no_network(folder: Path, text: str) -> None:
    page = Page(text)
    for link in page.values("a", "href"):
        assert (folder / link).is_file()
    assert all(source.startswith("data:") for source in page.values("img", "src"))
    assert all(len(alt) > 40 for alt in page.values("img", "alt"))
    for words in ("simple and threshold play the same", "Nash average", "Cycles:", "Holm"):
        assert words in text
    assert ">nan" not in text


def test_a_strategy_from_a_file_is_named_as_it_was_given(tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text("import gincore\nmild = gincore.Strategy('<mild>', base='threshold,limit=9')\n")
    page, _ = make([f"{mine}:mild", "simple"], "eaai", out=tmp_path / "out", games=3, seed=1, progress=False)
    text = page.read_text(encoding="utf-8")
    assert f"gincore arena {mine}:mild simple" in text
    assert "&lt;mild&gt;" in text
    assert "<mild>" not in text


def test_the_same_page_is_replaced_and_another_refused(folder: Path) -> None:
    before = (folder / "index.html").read_bytes()
    make(POOL, "eaai", out=folder, **SMALL)
    assert (folder / "index.html").read_bytes() == before
    with pytest.raises(UsageError, match="seed: 3 there, 4 asked for"):
        make(POOL, "eaai", out=folder, **(SMALL | {"seed": 4}))
    with pytest.raises(UsageError, match="other rules or players"):
        make(POOL[:3], "eaai", out=folder, **SMALL)


def test_the_folder_is_checked_before_the_first_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "simulate_games", pytest.fail)
    (tmp_path / "file").write_text("x")
    with pytest.raises(UsageError, match="output folder"):
        make(POOL, "eaai", out=tmp_path / "file", **SMALL)


def test_ctrl_c_leaves_nothing_and_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object, **__: object) -> None:
        raise Interrupted("interrupted", playing=True)

    monkeypatch.setattr(playing, "simulate_games", stop)
    with pytest.raises(Interrupted, match=rf"^interrupted; nothing was written to {tmp_path}/new$"):
        make(POOL, "eaai", out=tmp_path / "new", **SMALL)
    assert list(tmp_path.iterdir()) == []


def pool_frame(names: list[str], seed: int = 0, n: int = 300) -> pd.DataFrame:
    strength = np.linspace(0.25, -0.25, len(names))
    shares = [0.5 + strength[i] - strength[j] for i, j in combinations(range(len(names)), 2)]
    return pair_frame(names, table(shares, n, seed))


def drawn(frame: pd.DataFrame, names: list[str], **options: Any) -> Axes:
    with chart_settings():
        figure, ax = plots.heat_axes(names)
        plots.heat_map(frame, ax=ax, order=names, **options)
        figure.canvas.draw()
    return ax


@pytest.mark.parametrize(
    ("names", "metric"),
    [
        *((LONG, measure.name) for measure in MEASURES),
        (LONG[:2], GAMES.name),
        (POOL, GAMES.name),
        ([f"strategy-number-{k}-of-many" for k in range(18)], GAMES.name),
    ],
)
def test_nothing_overlaps_and_all_is_on_the_paper(names: list[str], metric: str) -> None:
    ax = drawn(pool_frame(names), names, metric=metric, title="Games won: the one with the longest name beats all")
    figure = ax.get_figure()
    assert figure is not None
    paper = figure.bbox
    cells = [each for each in ax.texts if not isinstance(each, Annotation)]
    boxes = [each.get_window_extent() for each in cells]
    side = ax.get_window_extent().width / len(names)
    assert all(box.width < side and box.height < side / 2 for box in boxes), "numbers stay in their cells"
    labels: list[Text] = [*ax.get_yticklabels(), *ax.get_xticklabels(), *ax.texts]
    for label in labels:
        box = label.get_window_extent()
        assert box.x0 >= paper.x0 - 1, label.get_text()
        assert box.y0 >= paper.y0 - 1, label.get_text()
        assert box.x1 <= paper.x1 + 1, label.get_text()
        assert box.y1 <= paper.y1 + 1, label.get_text()
    notes = [each for each in ax.texts if isinstance(each, Annotation)]
    lowest = min(label.get_window_extent().y0 for label in ax.get_xticklabels())
    assert notes[1].get_window_extent().y1 <= lowest + 1, "the note is under the names"


def test_cells_say_who_is_ahead_and_what_is_open() -> None:
    frame = pool_frame(POOL)
    ax = drawn(frame, POOL)
    hatched = [patch for patch in ax.patches if patch.get_hatch()]
    covers = frame[(frame["metric"] == GAMES.name) & (frame["low"] <= 0.5) & (frame["high"] >= 0.5)]
    assert len(hatched) == 2 * len(covers)
    places = {patch.get_xy(): patch for patch in ax.patches if isinstance(patch, Rectangle)}
    red, _, blue, _ = places[3, 0].get_facecolor()  # type: ignore[misc]
    assert blue > red, "the best beats the worst: blue"
    red, _, blue, _ = places[0, 3].get_facecolor()  # type: ignore[misc]
    assert red > blue
    numbers = [each.get_text() for each in ax.texts]
    rows = frame[frame["metric"] == GAMES.name].set_index(["a", "b"])
    assert f"{100 * float(rows['estimate']['simple', 'random']):.1f}*" in numbers


def test_odd_values_are_drawn_without_a_warning() -> None:
    alone = pair_frame(POOL[:3], table([0.6, 0.7, 0.6], 1, 0))
    assert len([patch for patch in drawn(alone, POOL[:3]).patches if patch.get_hatch()]) == 6
    even = pool_frame(POOL[:2]).assign(estimate=0.5, low=0.5, high=0.5)
    drawn(even, POOL[:2])
    with chart_settings():
        plots.heat_map(pool_frame(POOL).iloc[:0], ax=plots.heat_axes(POOL)[1])


def test_charts_without_axes_make_a_figure() -> None:
    import matplotlib.pyplot as plt

    plots.heat_map(pool_frame(POOL))
    moments = table([0.6, 0.7, 0.6], 50, 0)
    frame = pd.concat([ranking_frame(POOL[:3], moments, measure.name) for measure in MEASURES])
    ax = plots.ranking_chart(frame)
    (note,) = [text for text in ax.texts if text.get_text().startswith("bars")]
    ax.figure.canvas.draw()
    legend = ax.get_legend()
    assert legend is not None
    gap = legend.get_window_extent().y0 - note.get_window_extent().y1
    assert gap > 0, "the note lies under the legend"
    assert note.get_window_extent().y0 > 0, "and inside the figure"
    assert [label.get_text() for label in ax.get_yticklabels()] == ["simple", "threshold", "gin-only"]
    assert len(plt.get_fignums()) == 2
    plt.close("all")


def arena(shares: list[float], n: int) -> gincore.Arena:
    setup = set_up(POOL[:3], "eaai", games=n, seed=1, level=0.95)
    return gincore.Arena(setup, table(shares, n, 1))


def test_titles_say_no_more_than_the_numbers_allow() -> None:
    clear, open_, part = arena([0.7, 0.8, 0.6], 800), arena([0.5, 0.5, 0.5], 100), arena([0.5, 0.8, 0.8], 800)
    assert short_title(clear, GAMES) == "Games won: simple beats every other"
    assert short_title(open_, GAMES) == "Games won: no strategy stands out"
    assert short_title(part, GAMES) == "Games won: simple and threshold lead"
    round_ = arena([0.45, 0.9, 0.55], 800)
    assert short_title(round_, GAMES) == "Games won: simple leads, but does not beat every other"
    assert standing_title(clear) == "simple leads in games and in hands"
    assert standing_title(open_) == "Nobody stands out in games or in hands"
