"""Charts of the undercut and variant reports: a frame and axes, odd values, both languages, nothing cut off."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import BytesIO

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from gincore.analysis.undercut import FACTORS
from gincore.plotting import undercut, variants
from gincore.plotting.cells import Written
from gincore.plotting.rows import MapStyle, cell_map, map_figure, rows_figure
from gincore.plotting.style import chart_settings, new_figure

NAN, INF = float("nan"), float("inf")
VALUES = {
    "usual": [0.1, 0.3, 0.2, 0.4],
    "negative": [-3.0, -2.0, -5.0, -1.0],
    "one point": [0.4],
    "all equal": [0.5] * 8,
    "all zero": [0.0] * 8,
    "a gap": [0.1, NAN, 0.3, 0.2],
    "nothing known": [NAN, NAN],
    "none": [],
}
LANGS = ["en", "fr"]


def spread(values: list[float]) -> pd.DataFrame:
    mid = np.array(values, dtype=float)
    return pd.DataFrame({"estimate": mid, "low": mid - 0.05, "high": mid + 0.05, "level": 0.95, "hands": 100})


def by_deadwood(values: list[float], metric: str) -> pd.DataFrame:
    names = {"deadwood": list(FACTORS["deadwood"][: len(values)]), "turns": "9-12", "pickups": "1", "bonus": 10}
    return spread(values).assign(**names, opponent="simple", metric=metric, p_holm=0.5)


def by_opponent(values: list[float], metric: str) -> pd.DataFrame:
    return spread(values).assign(opponent=[f"threshold,limit={k}" for k in range(len(values))], metric=metric)


def by_variant(values: list[float], metric: str) -> pd.DataFrame:
    names = [f"variant-{k}" for k in range(len(values))]
    fixed = spread(values).assign(variant=names, policy="fixed", metric=metric)
    return pd.concat([fixed, fixed.assign(policy="best limit")], ignore_index=True)


def factors(values: list[float]) -> pd.DataFrame:
    names = list(FACTORS)[: len(values)]
    frame = spread(values[: len(names)]).assign(factor=names, opponent="simple")
    return frame.rename(columns={"estimate": "of_explained", "low": "of_low", "high": "of_high"})


def limits(values: list[float]) -> pd.DataFrame:
    names = [f"variant-{k}" for k in range(len(values))]
    return pd.DataFrame({"variant": names, "limit": range(len(values)), "best": True, "among_best": True})


def grid(values: list[float]) -> pd.DataFrame:
    return spread(values).assign(knock_limit=range(len(values)), undercut_bonus=10, metric="x")


def metric_rows(frame: pd.DataFrame, **how: object) -> Axes:
    return variants.metric_rows(frame, "x", **how)  # type: ignore[arg-type]


def overview_rows(frame: pd.DataFrame, **how: object) -> Axes:
    return undercut.overview_rows(frame, "x", **how)  # type: ignore[arg-type]


def grid_map(frame: pd.DataFrame, **how: object) -> Axes:
    return variants.grid_map(frame, "x", **how)  # type: ignore[arg-type]


CHARTS: dict[str, tuple[Callable[..., Axes], Callable[[list[float]], pd.DataFrame]]] = {
    "risk map": (undercut.risk_map, lambda v: by_deadwood(v, "undercut_share")),
    "loss map": (undercut.loss_map, lambda v: by_deadwood(v, "loss_per_knock")),
    "risk lines": (undercut.risk_lines, lambda v: by_deadwood(v, "undercut_share")),
    "bonus lines": (undercut.bonus_lines, lambda v: by_deadwood(v, "net_points_per_knock")),
    "explained": (undercut.explained_rows, factors),
    "overview": (overview_rows, lambda v: by_opponent(v, "x")),
    "metric": (metric_rows, lambda v: by_variant(v, "x")),
    "ends": (variants.ends_bars, lambda v: by_variant(v, "gin_share").query("policy == 'fixed'")),
    "limits": (variants.limit_rows, limits),
    "grid": (grid_map, grid),
}


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    import matplotlib.pyplot as plt

    yield
    plt.close("all")


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("values", VALUES.values(), ids=VALUES)
@pytest.mark.parametrize("chart", CHARTS)
def test_odd_values_are_drawn_without_a_warning(chart: str, values: list[float], lang: str) -> None:
    plot, frame_of = CHARTS[chart]
    with chart_settings():
        figure, ax = new_figure()
        assert plot(frame_of(values), ax=ax, lang=lang) is ax
        figure.savefig(BytesIO(), format="png", dpi=30)
    assert all(np.isfinite((*ax.get_xlim(), *ax.get_ylim())))
    assert ax.get_title(loc="left")


@pytest.mark.parametrize("chart", CHARTS)
def test_without_axes_a_figure_of_pyplot_is_made_and_the_title_may_be_given(chart: str) -> None:
    plot, frame_of = CHARTS[chart]
    ax = plot(frame_of(VALUES["usual"]), title="A finding")
    assert ax.get_title(loc="left") == "A finding"


def test_the_axis_of_limits_has_room_for_whole_numbers() -> None:
    frame = pd.DataFrame({"variant": ["a", "b"], "limit": [0, 0], "best": True, "among_best": True})
    figure, ax = rows_figure(2, 9)
    variants.limit_rows(frame, ax=ax)
    figure.savefig(BytesIO(), format="png", dpi=30)
    assert ax.get_xlim()[0] < 0 < 10 < ax.get_xlim()[1]
    assert all(float(place).is_integer() for place in ax.get_xticks())


def test_infinite_ends_are_left_out() -> None:
    frame = by_variant([10.0, INF], "x").assign(high=INF)
    figure, ax = rows_figure(2, 9, 2)
    variants.metric_rows(frame, "x", log=True, ax=ax)
    figure.savefig(BytesIO(), format="png", dpi=30)
    assert np.isfinite(ax.get_xlim()).all()


def test_cells_with_few_hands_show_a_dot() -> None:
    figure, ax = map_figure(1, 1)
    style = MapStyle("turns", "deadwood", "x", "y", least=20)
    from gincore.language import Language

    frame = by_deadwood([0.4], "x").assign(hands=5)
    cell_map(ax, frame, style, ["9-12"], ["1"], Language("en"))
    assert [word.text for each in ax.collections if isinstance(each, Written) for word in each.words] == ["·"]
    assert figure.axes == [ax]


def inside(figure: Figure) -> bool:
    """Whether all text lies in the figure."""
    figure.canvas.draw()
    box = figure.get_tightbbox()
    width, height = figure.get_size_inches()
    return bool(box.x0 > -0.03 and box.y0 > -0.03 and box.x1 < width + 0.03 and box.y1 < height + 0.03)


@pytest.mark.parametrize("lang", LANGS)
def test_nothing_is_cut_off(lang: str) -> None:
    names = [f"gin-rummy-pro-okla-{k:03d}" for k in range(20)]
    frame = by_variant([0.1 * k for k in range(20)], "x")
    frame["variant"] = names * 2
    label = "minutes par partie (échelle logarithmique)"
    with chart_settings():
        figure, ax = rows_figure(20, variants.longest(names), 2)
        variants.metric_rows(frame, "x", label=label, ax=ax, title=f"{'A long title of two lines, ' * 3}", lang=lang)
        assert inside(figure)
        figure, ax = map_figure(6, 10)
        undercut.risk_map(by_deadwood([0.1] * 10, "undercut_share"), ax=ax, lang=lang)
        assert inside(figure)
