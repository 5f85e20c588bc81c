"""Charts of knock or wait: maps with a zero line, the panels and rows of the one-page chart, odd values in all."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import LineCollection

from gincore.plotting.cells import Word, Written, draw_words
from gincore.plotting.forks import value_figure, value_map, zero_line
from gincore.plotting.sheet import MARKS, Words, knock_panel, limit_rows, mark_of, sheet
from gincore.plotting.style import chart_settings, new_figure
from gincore.plotting.tables import knock_map

NAN = float("nan")
VALUES = {
    "usual": [1.5, -2.5, 0.5, 3.0],
    "negative": [-3.0, -2.0, -5.0, -1.0],
    "one point": [-0.4],
    "all equal": [0.5] * 8,
    "all zero": [0.0] * 8,
    "a gap": [0.1, NAN, -0.3, 0.2],
    "nothing known": [NAN, NAN],
    "none": [],
}
LANGS = ["en", "fr"]


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    plt.close("all")


def cells(values: list[float], n: int = 100) -> pd.DataFrame:
    """Cells by deadwood and turn; every second one is not told apart."""
    count = len(values)
    frame = pd.DataFrame({"value_of_knocking_points": np.array(values, dtype=float)})
    places = np.arange(count)
    told = np.where(frame["value_of_knocking_points"] > 0, "knock", "wait")
    return frame.assign(
        deadwood=places % 4 + 1, turn=places // 4 * 4, opp_pickups=places % 5, n=n,
        verdict=np.where(places % 2 == 0, told, "open"),
    )  # fmt: skip


def lines(ax: Any) -> set[tuple[tuple[float, float], ...]]:
    return {
        tuple(map(tuple, segment.tolist()))
        for each in ax.collections
        if isinstance(each, LineCollection)
        for segment in np.asarray(each.get_segments())
    }


def written(ax: Axes) -> list[Word]:
    """All short texts in the axes' cells."""
    return [word for each in ax.collections if isinstance(each, Written) for word in each.words]


def test_words_are_drawn_where_single_texts_would_be() -> None:
    """Numbers in cells cover the same pixels, within one or two, as texts centred on the same places."""
    boxes = []
    for kind in ("words", "texts"):
        with chart_settings():
            figure, ax = new_figure()
            ax.axis("off")
            ax.set_xlim(0, 1)
            ax.set_ylim(0, 1)
            if kind == "words":
                draw_words(ax, [Word(0.4, 0.6, "\u221217.5", "black")], size=12)
            else:
                ax.text(0.4, 0.6, "\u221217.5", ha="center", va="center", fontsize=12, color="black")
            figure.set_dpi(200)
            canvas = FigureCanvasAgg(figure)
            canvas.draw()
            dark = np.asarray(canvas.buffer_rgba())[..., 0] < 128
        rows, columns = np.flatnonzero(dark.any(axis=1)), np.flatnonzero(dark.any(axis=0))
        boxes.append((rows[0], rows[-1], columns[0], columns[-1]))
    assert np.abs(np.subtract(*boxes)).max() <= 2


def test_cells_and_what_is_not_told_apart() -> None:
    frame = pd.DataFrame(
        {
            "deadwood": [0, 1, 1, 2, 2],
            "turn": [0, 0, 4, 0, 44],
            "value_of_knocking_points": [9.0, 1.5, -2.5, 3.5, 1.0],
            "n": [99, 99, 99, 60, 99],
            "p_holm": [0.0, 0.5, 0.001, 0.0, 0.0],
        }
    )
    ax = value_map(frame, title="A map")
    assert [text.get_text() for text in ax.get_yticklabels()] == ["1", "2"], "gins are left out"
    assert [text.get_text() for text in ax.get_xticklabels()] == ["0", "4"], "late turns are left out"
    shown = sorted(word.text for word in written(ax))
    assert shown == ["+1.5", "+3.5", "\u22122.5"]
    (hatched,) = [each for each in ax.collections if each.get_hatch()]
    assert len(hatched.get_paths()) == 1
    assert ax.get_title(loc="left") == "A map"
    assert lines(ax) == {((1.0, 0.0), (1.0, 1.0))}, "zero lies between turns 0 and 4"


def test_rare_cells_show_a_dot_and_rows_without_a_number_are_left_out() -> None:
    frame = cells([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).assign(n=[99, 99, 9, 9, 99, 9])
    ax = value_map(frame)
    assert [text.get_text() for text in ax.get_yticklabels()] == ["1", "2"]
    assert [word.text for word in written(ax)].count("·") == 1


def test_the_open_bin_of_deadwood_says_so() -> None:
    ax = value_map(cells([1.0]).assign(deadwood=15))
    assert [text.get_text() for text in ax.get_yticklabels()] == ["15+"]


def test_the_zero_line_runs_between_opposite_signs_only() -> None:
    _, ax = new_figure()
    zero_line(ax, {(0, 0): 1.0, (1, 0): -1.0, (0, 1): 2.0, (1, 1): 0.0, (5, 5): -3.0})
    assert lines(ax) == {((1.0, 0.0), (1.0, 1.0))}


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("values", VALUES.values(), ids=VALUES)
@pytest.mark.parametrize("n", [100, 3], ids=["met", "rare"])
def test_odd_values_are_drawn_without_a_warning(values: list[float], lang: str, n: int) -> None:
    frame = cells(values, n)
    with chart_settings():
        figure, ax = value_figure(frame, "turn", 40)
        assert value_map(frame, ax=ax, lang=lang) is ax
        panel, below = new_figure()
        assert knock_panel(frame, ax=below, lang=lang) is below
        for each in (figure, panel):
            each.savefig(BytesIO(), format="png", dpi=30)
    for drawn in (ax, below):
        assert all(np.isfinite((*drawn.get_xlim(), *drawn.get_ylim())))
        assert drawn.get_title(loc="left")


def test_marks_differ_in_letters_so_that_grey_is_enough() -> None:
    for place in (0, 1):
        assert len({mark.letter[place] for mark in MARKS.values()}) == len(MARKS)
    rows = [{"verdict": verdict, "value_of_knocking_points": value} for verdict in ("knock", "wait", "open", "few")
            for value in (1.0, -1.0)]  # fmt: skip
    assert [mark_of(row) for row in rows] == [
        "knock", "knock", "wait", "wait", "rather knock", "rather wait", "few", "few",
    ]  # fmt: skip


def test_a_panel_has_a_letter_in_every_cell_that_is_not_rare() -> None:
    frame = cells([1.0, 1.0, -1.0, -1.0]).assign(deadwood=[1, 2, 3, 10], turn=[0, 2, 4, 27])
    ax = knock_panel(frame)
    found = {(word.x, round(word.y, 2)): word.text for word in written(ax)}
    assert found == {(0.5, 0.54): "K", (1.5, 1.54): "k", (2.5, 2.54): "W", (13.5, 9.54): "w"}
    assert len(written(knock_panel(frame, turns=6))) == 3


def test_limits_are_written_by_turn() -> None:
    figure, ax = new_figure()
    limit_rows(pd.DataFrame({"opponent": ["a", "a", "b"], "turn": [0, 2, 0], "limit": [10, 0, 7]}), ax=ax)
    assert [word.text for word in written(ax)] == ["10", "gin", "7"]
    assert [text.get_text() for text in ax.get_yticklabels()] == ["a", "b"]
    assert figure.axes == [ax]


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("values", [VALUES["usual"] * 20, []], ids=["usual", "none"])
def test_the_page_keeps_its_words_inside_and_apart(values: list[float], lang: str) -> None:
    frame = cells(values).assign(turn=lambda each: np.arange(len(each)) // 4 * 2)
    names = ["simple", "threshold,limit=4", "gin-only", "x" * 20, "the table"]
    limits = pd.DataFrame([(name, 2 * turn, 10) for name in names for turn in range(14)])
    limits.columns = pd.Index(["opponent", "turn", "limit"])
    words = Words("When to knock: gin-rummy-pro-oklahoma rules", ["words on words " * 20], ["words on words " * 25])
    with chart_settings():
        figure = sheet(frame, limits, words, lang)
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        renderer = canvas.get_renderer()
    box, (width, height) = figure.get_tightbbox(renderer), figure.get_size_inches()
    assert box.x0 > 0
    assert box.y0 > 0
    assert box.x1 < width
    assert box.y1 < height
    titles = [ax.title.get_window_extent(renderer) for ax in figure.axes] + [
        ax.xaxis.label.get_window_extent(renderer) for ax in figure.axes
    ]
    blocks = [text.get_window_extent(renderer) for text in figure.texts] + [each for each in titles if each.width > 1]
    for place, one in enumerate(blocks):
        assert not any(one.overlaps(other) for other in blocks[place + 1 :])


@pytest.mark.parametrize("lang", LANGS)
def test_a_map_of_a_table_in_both_languages(lang: str) -> None:
    frame = pd.DataFrame({"deadwood": [1, 2], "turn": [0, 2], "cell": [1, 2]})
    ax = knock_map(frame, lang=lang)
    assert ax.get_ylabel() == {"en": "deadwood (points)", "fr": "points morts"}[lang]
