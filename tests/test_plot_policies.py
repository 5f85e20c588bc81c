"""The chart of policies against opponents takes what frames can hold."""

from __future__ import annotations

import math

import pandas as pd
import pytest
from matplotlib.figure import Figure

from gincore.plotting.policies import plot_policies, policy_panels


def a_frame(*estimates: float) -> pd.DataFrame:
    rows = [
        {"rules": rules, "policy": policy, "opponent": opponent, "estimate": x, "low": x - 0.02, "high": x + 0.02}
        for rules in ("classic", "eaai")
        for policy, x in zip(("early", "patient", "gin only"), estimates, strict=False)
        for opponent in ("simple", "expert")
    ]
    return pd.DataFrame(rows)


@pytest.mark.parametrize("estimates", [(0.4, 0.5, 0.6), (0.5,), (0.5, 0.5, 0.5), (-1.0, math.nan, 2.0)])
def test_any_values_are_drawn(estimates: tuple[float, ...]) -> None:
    figure = policy_panels(a_frame(*estimates), title="Who wins?", x="share")
    figure.canvas.draw()
    names = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert names == ["early", "patient", "gin only"][: len(estimates)]
    assert [ax.get_title() for ax in figure.axes] == ["classic", "eaai"]


def test_intervals_and_estimates_stand_where_they_are() -> None:
    ax = Figure().subplots()
    plot_policies(a_frame(0.4).query("rules == 'eaai'"), ax=ax)
    drawn = [tuple(line.get_xdata()) for line in ax.lines]
    assert (38.0, 42.0) in [tuple(round(float(x), 6) for x in pair) for pair in drawn if len(pair) == 2]
    assert ax.get_ylim()[0] > ax.get_ylim()[1]  # the first policy on top
