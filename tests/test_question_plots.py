"""Charts of questions: odd data are drawn, and nothing is cut."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pandas as pd
import pytest

from gincore.language import language
from gincore.plotting.questions import card, row_heights, verdict_rows, wrapped
from gincore.plotting.style import new_figure


def frame(**changes: Any) -> pd.DataFrame:
    """Two labels for two groups."""
    rows = [
        {"group": group, "label": label, "estimate": 1.0, "low": 0.5, "high": 1.5, "than": 0.0, "smallest": 0.2,
         "test": True, "outcome": "supported", "unit": "points"}
        for label in ("one", "two") for group in ("simple", "expert")
    ]  # fmt: skip
    return pd.DataFrame(rows).assign(**changes)


@pytest.mark.parametrize(
    "odd",
    [
        {},
        {"estimate": np.nan, "low": np.nan, "high": np.nan},
        {"estimate": np.inf, "low": np.nan, "high": np.inf},
        {"estimate": -3.0, "low": -4.0, "high": -2.0},
        {"outcome": "open"},
        {"test": False, "outcome": ""},
        {"estimate": 0.0, "low": 0.0, "high": 0.0, "smallest": 0.0},
    ],
)
def test_odd_values_are_drawn(odd: dict[str, Any]) -> None:
    figure, ax = new_figure()
    assert verdict_rows(frame(**odd), ax=ax) is ax
    figure.savefig(io.BytesIO(), format="png")


def test_one_row() -> None:
    _, ax = new_figure()
    verdict_rows(frame().head(1), ax=ax, scale=100, label="per cent", tr=language("fr"))
    assert ax.get_xlabel() == "per cent"
    assert len(ax.get_yticks()) == 1


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_card_cuts_no_text(lang: str) -> None:
    """Long names and a long claim lie inside the figure; panels and legend do not overlap."""
    long = frame(label="a very long name of a row that needs several lines to be written out")
    rows = pd.concat([long, frame(unit="share")])
    figure = card(
        rows,
        title="T01: It depends on the two players and the gap between them\n" + "A claim that goes on and on. " * 7,
        units={"points": ("points", 1), "share": ("per cent", 100)},
        groups=["simple", "expert"],
        tr=language(lang),
    )
    figure.savefig(io.BytesIO(), format="png")
    whole = figure.bbox
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    renderer = FigureCanvasAgg(figure).get_renderer()
    boxes = [text.get_window_extent(renderer) for text in figure.texts]
    for ax in figure.axes:
        boxes += [each.get_window_extent(renderer) for each in [*ax.get_yticklabels(), ax.xaxis.label]]
    legend = figure.legends[0].get_window_extent(renderer)
    for box in [*boxes, legend]:
        assert box.x0 >= whole.x0 - 1
        assert box.x1 <= whole.x1 + 1
        assert box.y0 >= whole.y0 - 1
    lowest = min(ax.get_tightbbox(renderer).y0 for ax in figure.axes)
    assert legend.y1 <= lowest + 1


def test_heights_grow_with_points_and_lines() -> None:
    assert row_heights(frame())["one"] >= row_heights(frame().head(1))["one"]
    assert "\n" in wrapped("a name that is far longer than a line can hold")
