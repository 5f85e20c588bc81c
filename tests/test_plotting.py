"""Charts: they take a frame and axes, stand odd values, and leave matplotlib's settings alone."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from io import BytesIO

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.text import Annotation
from synthetic import sweep

from gincore.plotting import knock as plots
from gincore.plotting.style import LOOKS, chart_settings, label_ends, new_figure

Plot = Callable[..., Axes]

CHARTS: list[tuple[Plot, list[str]]] = [
    (plots.points_by_limit, ["net_points_per_hand"]),
    (plots.won_by_limit, ["game_won_0_share", "won_0_share"]),
    (plots.shares_by_limit, list(plots.RESULTS)),
    (plots.turns_by_limit, ["turns_mean"]),
    (plots.winner_points_by_limit, ["winner_points_per_decided_hand"]),
]
NAN = float("nan")
VALUES = {
    "usual": [0.1, 0.3, 0.2, 0.4],
    "negative": [-3.0, -2.0, -5.0, -1.0],
    "one point": [0.4],
    "all equal": [0.5] * 11,
    "all zero": [0.0] * 11,
    "a gap": [0.1, NAN, 0.3, 0.2],
    "nothing known": [NAN, NAN],
    "none": [],
}


def frame_of(metrics: list[str], values: list[float]) -> pd.DataFrame:
    return pd.concat([sweep(metric, values) for metric in metrics], ignore_index=True)


def drawn(plot: Plot, frame: pd.DataFrame) -> Axes:
    with chart_settings():
        figure, ax = new_figure()
        assert plot(frame, ax=ax) is ax
        figure.savefig(BytesIO(), format="png")
    return ax


@pytest.fixture
def pyplot() -> Iterator[object]:
    import matplotlib.pyplot as plt

    yield plt
    plt.close("all")


@pytest.mark.parametrize("values", VALUES.values(), ids=VALUES)
@pytest.mark.parametrize(("plot", "metrics"), CHARTS, ids=[plot.__name__ for plot, _ in CHARTS])
def test_odd_values_are_drawn_without_a_warning(plot: Plot, metrics: list[str], values: list[float]) -> None:
    ax = drawn(plot, frame_of(metrics, values))
    assert all(np.isfinite(ax.get_ylim()))
    assert ax.get_title(loc="left")
    assert "deadwood points" in ax.get_xlabel()
    assert ax.get_ylabel()


def test_a_missing_value_leaves_a_gap() -> None:
    ax = drawn(plots.points_by_limit, sweep("net_points_per_hand", [1, NAN, 2]))
    assert any(np.isnan(np.asarray(line.get_ydata(), dtype=float)).any() for line in ax.lines)


def test_shares_are_drawn_in_per_cent() -> None:
    ax = drawn(plots.won_by_limit, frame_of(["game_won_0_share", "won_0_share"], [0.4, 0.6]))
    assert "%" in ax.get_ylabel()
    assert ax.get_ylim()[0] < 40 < 60 < ax.get_ylim()[1]


def test_intervals_without_bounds_are_left_out() -> None:
    frame = sweep("net_points_per_hand", [1.0, 2.0]).assign(low=NAN, high=NAN)
    assert drawn(plots.points_by_limit, frame).lines


def test_points_apart_from_the_best_are_hollow() -> None:
    marks = pd.array([True, False, pd.NA], dtype="boolean")
    ax = drawn(plots.points_by_limit, sweep("net_points_per_hand", [1, 2, 3]).assign(among_best=marks))
    hollow = [line for line in ax.lines if line.get_markerfacecolor() == "white"]
    assert [line.get_xdata().tolist() for line in hollow] == [[1.0]]  # type: ignore[union-attr]
    notes = [text.get_text() for text in ax.texts if "bars" in text.get_text()]
    assert notes == ["bars and band: 95 % intervals; filled: not told apart from the best"]


@pytest.mark.parametrize(
    ("half", "words"),
    [
        (0.001, "bars and band: 95 % intervals, bars under the markers;\nfilled: not told apart from the best"),
        (5.0, "bars and band: 95 % intervals; filled: not told apart from the best"),
    ],
)
def test_bars_that_the_markers_hide_are_named(half: float, words: str) -> None:
    frame = sweep("net_points_per_hand", [1.0, 9.0, 3.0])
    frame = frame.assign(low=frame["estimate"] - half, high=frame["estimate"] + half, among_best=True)
    ax = drawn(plots.points_by_limit, frame)
    assert [text.get_text() for text in ax.texts if "bars" in text.get_text()] == [words]


def test_some_bars_that_the_markers_hide_are_named() -> None:
    frame = sweep("net_points_per_hand", [1.0, 9.0, 3.0]).assign(low=[1.0, 8.0, 0.0], high=[1.0, 10.0, 6.0])
    (note,) = [text.get_text() for text in drawn(plots.points_by_limit, frame).texts if "bars" in text.get_text()]
    assert note == "bars and band: 95 % intervals, bars hidden where small"


def test_negative_ticks_have_a_true_minus_sign() -> None:
    ax = drawn(plots.points_by_limit, sweep("net_points_per_hand", [-3.0, -1.0]))
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert any("\u2212" in label for label in labels)
    assert not any("-" in label for label in labels)


def test_a_title_can_say_the_finding() -> None:
    _, ax = new_figure()
    plots.points_by_limit(sweep("net_points_per_hand", [1, 2]), ax=ax, title="Limit 1 stands out")
    assert ax.get_title(loc="left") == "Limit 1 stands out"


def test_big_gin_is_drawn_only_where_there_is_one() -> None:
    usual = frame_of([name for name in plots.RESULTS if name != "big_gin_share"], [0.2, 0.3])
    none = drawn(plots.shares_by_limit, pd.concat([usual, sweep("big_gin_share", [0.0, 0.0])]))
    some = drawn(plots.shares_by_limit, pd.concat([usual, sweep("big_gin_share", [0.0, 0.1])]))
    assert "big gin" not in {text.get_text() for text in none.texts}
    assert "big gin" in {text.get_text() for text in some.texts}


@pytest.mark.parametrize("values", [[1, 1, 1, 1, 1], [0, 0.1, 50, 50.1, 100], [100, 100, 100, 99.9, 0]])
def test_direct_labels_do_not_overlap(values: list[float]) -> None:
    with chart_settings():
        _, ax = new_figure()
        ax.set_ylim(-5, 105)
        label_ends(ax, [(f"label {i}", value, "black") for i, value in enumerate(values)])
        texts = [text for text in ax.texts if isinstance(text, Annotation)]
        heights = sorted(text.xyann[1] for text in texts)
    assert len(texts) == len(values)
    line = 8.5 / (ax.get_window_extent().height / ax.figure.dpi * 72)
    assert min(np.diff(heights)) > line


def test_lines_differ_without_their_colour() -> None:
    assert len({look.marker for look in LOOKS}) == len(LOOKS) == len({look.dashes for look in LOOKS})


def test_without_axes_a_new_figure_of_pyplot_is_used(pyplot: object) -> None:
    first = plots.points_by_limit(sweep("net_points_per_hand", [1, 2]))
    second = plots.points_by_limit(sweep("net_points_per_hand", [1, 2]))
    assert first.figure is not second.figure


def test_settings_are_left_as_they_were() -> None:
    before = dict(mpl.rcParams)
    drawn(plots.points_by_limit, sweep("net_points_per_hand", [1, 2]))
    assert dict(mpl.rcParams) == before


def test_import_neither_picks_a_backend_nor_loads_pyplot() -> None:
    code = (
        "import sys, matplotlib; before = matplotlib.rcParams._get_backend_or_none();"
        "import gincore.plotting.knock, gincore.report.knock_threshold;"
        "assert 'matplotlib.pyplot' not in sys.modules;"
        "assert matplotlib.rcParams._get_backend_or_none() == before"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_a_report_figure_needs_no_display() -> None:
    code = (
        "from gincore.plotting.style import new_figure; from io import BytesIO;"
        "figure, ax = new_figure(); ax.plot([1, 2]); figure.savefig(BytesIO(), format='png')"
    )
    environment = {"MPLBACKEND": "TkAgg", "DISPLAY": "localhost:64.0", "PATH": "", "PYTHONPATH": ":".join(sys.path)}
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60, env=environment)
