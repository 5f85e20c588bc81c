"""The sliders' logic, their chart, and the widgets driven from Python."""

from __future__ import annotations

import subprocess
import sys

import pytest

import gincore
from gincore.explore import Choice, Explorer, answer
from gincore.explore.choice import METRICS, OPPONENTS, most_limit, variants
from gincore.plotting.explore import NAMES, NET, explore_chart

PNG = b"\x89PNG"


def value(frame: object, metric: str) -> float:
    return float(frame.set_index("metric").loc[metric, "estimate"])  # type: ignore[attr-defined]


def test_what_is_played_is_what_the_sliders_say() -> None:
    choice = Choice(variant="oklahoma", opponent="gin-only", limit=4, late_limit=2, late_turn=6, undercut_bonus=10)
    found = answer(choice, deals=300, seed=5)
    rules = gincore.rules("oklahoma", undercut_bonus=10, gin_bonus=25)
    run = gincore.simulate(
        rules, ("threshold,limit=4,late_limit=2,late_turn=6", "gin-only"), deals=300, seed=5, progress=False
    )
    summary = run.summary().set_index("metric").loc[list(METRICS)]
    assert (
        found.set_index("metric")[["estimate", "low", "high", "n"]] == summary[["estimate", "low", "high", "n"]]
    ).all(axis=None)
    assert set(NAMES) == set(METRICS)


def test_menus() -> None:
    assert set(OPPONENTS[2:]) <= set(gincore.strategy_names())
    assert variants()[0] == "classic"
    assert "gin-rummy-pro-gin-only" not in variants()
    assert "cutthroat" not in variants()
    assert most_limit("oklahoma") == 10
    assert most_limit("gin-rummy-pro-gin-only") == 0


def test_another_variant_brings_its_bonuses() -> None:
    moved = Choice(limit=9, gin_bonus=1, undercut_bonus=2).under("pagat")
    own = gincore.rules("pagat")
    assert (moved.gin_bonus, moved.undercut_bonus) == (own.gin_bonus, own.undercut_bonus)
    assert moved.limit == min(9, most_limit("pagat"))
    assert moved.rules().label == "pagat"


def test_the_chart_keeps_its_axes() -> None:
    one, two = (answer(Choice(limit=limit), deals=100, seed=1) for limit in (10, 4))
    charts = [explore_chart(one), explore_chart(two, one)]
    limits = [
        [ax.get_xlim() for ax in chart.axes] + [ax.get_position().bounds for ax in chart.axes] for chart in charts
    ]
    assert limits[0] == limits[1]
    texts = [text.get_text() for text in charts[1].axes[0].texts]
    assert len(texts) == 1, "the frame before is drawn without numbers"
    row = two.set_index("metric").loc[NET]
    assert texts[0].replace("−", "-") == f"{row.estimate:+.2f}  [{row.low:+.2f}, {row.high:+.2f}]"


class TestExplorer:
    @pytest.fixture
    def explorer(self) -> Explorer:
        pytest.importorskip("ipywidgets")
        return Explorer(deals=200, seed=3)

    def test_a_move_is_answered(self, explorer: Explorer) -> None:
        image, frame = explorer._png, explorer.frame
        assert image.startswith(PNG)
        explorer.controls["limit"].value = 3
        explorer.controls["late_limit"].value = 3
        explorer.controls["late_turn"].value = 0
        assert explorer.choice == Choice(limit=3, late_limit=3, late_turn=0)
        assert explorer._png.startswith(PNG)
        assert explorer._png != image
        assert bytes(explorer._image.value) == explorer._png
        assert value(explorer.frame, NET) != value(frame, NET)
        assert (explorer.frame == answer(explorer.choice, deals=200, seed=3)).all(axis=None)
        assert explorer._said.value.startswith("classic, against simple: ")

    def test_a_bonus_that_nobody_plays_for_moves_points_only(self, explorer: Explorer) -> None:
        explorer.controls["undercut_bonus"].value = 50
        explorer.controls["opponent"].value = "gin-only"
        before = explorer.frame
        explorer.controls["gin_bonus"].value = 0
        assert explorer.choice.rules().label == "classic, gin_bonus=0, undercut_bonus=50"
        assert value(explorer.frame, NET) > value(before, NET), "the opponent has more gins"
        assert explorer.frame[1:].equals(before[1:])

    def test_another_variant_moves_the_sliders_and_is_played_once(
        self, explorer: Explorer, monkeypatch: object
    ) -> None:
        played = []
        monkeypatch.setattr(  # type: ignore[attr-defined]
            "gincore.explore.explorer.answer", lambda choice, **how: (played.append(choice), answer(choice, **how))[1]
        )
        explorer.controls["variant"].value = "pagat"
        assert [choice.variant for choice in played] == ["pagat"]
        own = gincore.rules("pagat")
        assert explorer.controls["undercut_bonus"].value == own.undercut_bonus
        assert explorer.controls["limit"].max == most_limit("pagat")

    def test_what_is_refused_is_said_and_nothing_moves(self, explorer: Explorer, monkeypatch: object) -> None:
        def refuse(_choice: Choice, **_how: object) -> None:
            raise gincore.UsageError("not <allowed>")

        monkeypatch.setattr("gincore.explore.explorer.answer", refuse)  # type: ignore[attr-defined]
        image, choice = explorer._png, explorer.choice
        explorer.controls["limit"].value = 2
        assert explorer._said.value == "not &lt;allowed&gt;"
        assert (bytes(explorer._image.value), explorer.choice) == (image, choice)

    def test_it_shows_itself_where_no_code_runs(self, explorer: Explorer) -> None:
        bundle = explorer._repr_mimebundle_()
        assert {"application/vnd.jupyter.widget-view+json", "text/plain", "text/html"} <= set(bundle)
        assert "<img src='data:image/png;base64," in bundle["text/html"]
        assert bundle["text/plain"] == repr(explorer)


def test_without_ipywidgets_there_is_one_line() -> None:
    code = (
        "import sys; sys.modules['ipywidgets'] = None\n"
        "from gincore.explore import Explorer, Choice, answer\n"
        "try: Explorer(deals=10)\n"
        "except ValueError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=True)
    assert done.stdout == ("the explorer needs ipywidgets, which is not installed: pip install 'gincore[notebooks]'\n")
