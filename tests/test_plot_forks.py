"""The map of the value of knocking."""

from __future__ import annotations

import pandas as pd
from matplotlib import pyplot as plt

from gincore.plotting.forks import value_map


def test_cells_and_what_is_not_told_apart() -> None:
    frame = pd.DataFrame(
        {
            "deadwood": [0, 1, 1, 2, 2],
            "turn": [0, 0, 4, 0, 44],
            "value_of_knocking_points": [9.0, 1.5, -2.5, 3.5, 1.0],
            "n": [99, 99, 99, 10, 99],
            "p_holm": [0.0, 0.5, 0.001, 0.0, 0.0],
        }
    )
    ax = value_map(frame, title="A map")
    assert [text.get_text() for text in ax.get_yticklabels()] == ["1", "2"], "gins are left out"
    assert [text.get_text() for text in ax.get_xticklabels()] == ["0", "4"], "late turns are left out"
    assert sorted(text.get_text() for text in ax.texts if text.get_text()[-1].isdigit()) == ["+1.5", "−2.5"]
    assert sum(bool(patch.get_hatch()) for patch in ax.patches) == 1
    assert ax.get_title(loc="left") == "A map"
    plt.close(ax.figure)
