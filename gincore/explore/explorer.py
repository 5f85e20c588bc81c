"""Sliders and their chart. The only place that needs ipywidgets."""

from __future__ import annotations

import base64
import html
import io
from importlib import import_module
from typing import Any, Final

import pandas as pd

from gincore.errors import UsageError
from gincore.explore.choice import OPPONENTS, Choice, answer, most_limit, variants
from gincore.plotting.explore import NET, SIZE, explore_chart
from gincore.plotting.style import chart_settings

DOTS: Final = 110
"""Of the chart, an inch."""

REACHES: Final = (2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
"""Ends of the axis of net points; it grows where it must, and never shrinks."""

LAST_TURN: Final = 40
MOST_BONUS: Final = 60


class Explorer:
    """Sliders for limits, bonuses, rules and opponent, and a chart that answers each move on the same cards.

    Parameters
    ----------
    deals
        Deals for each move; each is played twice, with the seats exchanged.
    seed
        As of :func:`gincore.simulate`.
    choice
        Where the sliders begin.

    Attributes
    ----------
    choice
        What the sliders say.
    frame
        What the chart shows (see :func:`gincore.explore.answer`).

    Raises
    ------
    UsageError
        ipywidgets is not installed.
    """

    def __init__(self, *, deals: int = 100_000, seed: int = 7, choice: Choice | None = None) -> None:
        self._widgets = _ipywidgets()
        self.deals, self.seed = deals, seed
        self.choice = choice or Choice()
        self.frame = answer(self.choice, deals=deals, seed=seed)
        self._before: pd.DataFrame | None = None
        self._reach = REACHES[0]
        self._still = False
        self.controls = self._make_controls()
        width, height = (f"{DOTS * inches:.0f}px" for inches in SIZE)
        self._image = self._widgets.Image(format="png", layout={"width": width, "height": height})
        self._said = self._widgets.HTML()
        self._show()
        for control in self.controls.values():
            control.observe(self._moved, "value")
        sliders = self._widgets.VBox(list(self.controls.values()), layout={"min_width": "340px"})
        self.box = self._widgets.HBox([sliders, self._widgets.VBox([self._said, self._image])])

    def _make_controls(self) -> dict[str, Any]:
        now, most = self.choice, most_limit(self.choice.variant)
        look: dict[str, Any] = {"style": {"description_width": "150px"}, "layout": {"width": "330px"}}

        def slider(text: str, value: int, end: int) -> Any:
            made = self._widgets.IntSlider(
                value=value, min=0, max=end, description=text, continuous_update=False, **look
            )
            return made

        def menu(text: str, value: str, options: tuple[str, ...]) -> Any:
            allowed = options if value in options else (value, *options)
            return self._widgets.Dropdown(value=value, options=allowed, description=text, **look)

        return {
            "variant": menu("rules", now.variant, variants()),
            "opponent": menu("opponent", now.opponent, OPPONENTS),
            "limit": slider("knock at or below", now.limit, most),
            "late_limit": slider("later at or below", now.late_limit, most),
            "late_turn": slider("later: from turn", now.late_turn, LAST_TURN),
            "gin_bonus": slider("gin bonus", now.gin_bonus, MOST_BONUS),
            "undercut_bonus": slider("undercut bonus", now.undercut_bonus, MOST_BONUS),
        }

    def _moved(self, _change: Any) -> None:
        """Answer a move; the chart stays as it is until the answer is there."""
        if self._still:
            return
        choice = Choice(**{name: control.value for name, control in self.controls.items()})
        if choice.variant != self.choice.variant:
            choice = choice.under(choice.variant)
            self._place(choice)
        if choice == self.choice:
            return
        try:
            found = answer(choice, deals=self.deals, seed=self.seed)
        except UsageError as error:
            self._said.value = html.escape(str(error))
            return
        self._before, self.frame, self.choice = self.frame, found, choice
        self._show()

    def _place(self, choice: Choice) -> None:
        """Move the sliders to a choice without answering each of them."""
        self._still = True
        try:
            for name in ("limit", "late_limit"):
                self.controls[name].max = most_limit(choice.variant)
            for name, control in self.controls.items():
                control.value = getattr(choice, name)
        finally:
            self._still = False

    def _show(self) -> None:
        frames = [self.frame] if self._before is None else [self.frame, self._before]
        farthest = max(
            float(each.loc[each["metric"] == NET, ["low", "high"]].abs().to_numpy().max()) for each in frames
        )
        self._reach = next((each for each in REACHES if each >= max(self._reach, farthest)), farthest)
        file = io.BytesIO()
        with chart_settings():
            explore_chart(self.frame, self._before, reach=self._reach).savefig(file, format="png", dpi=DOTS)
        self._said.value = html.escape(self.sentence())
        self._png = self._image.value = file.getvalue()

    def sentence(self) -> str:
        """Say in a line what is played and who is ahead."""
        row: Any = self.frame.set_index("metric").loc[NET]
        return (
            f"{self.choice.rules().label}, against {self.choice.opponent}: {row['estimate']:+.3f} points a hand "
            f"[{row['low']:+.3f}, {row['high']:+.3f}], {int(row['n']):,} deals"
        )

    def __repr__(self) -> str:
        """One line: what is shown."""
        return f"<Explorer {self.sentence()}>"

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, Any]:
        """The widget; beside it its chart as it stands, for pages that run no code."""
        image = base64.b64encode(self._png).decode()
        shown = f"<div>{html.escape(self.sentence())}</div><img src='data:image/png;base64,{image}'>"
        bundle: dict[str, Any] = self.box._repr_mimebundle_(**kwargs)
        return {**bundle, "text/plain": repr(self), "text/html": shown}


def _ipywidgets() -> Any:
    try:
        return import_module("ipywidgets")
    except ImportError:
        raise UsageError(
            "the explorer needs ipywidgets, which is not installed: pip install 'gincore[notebooks]'"
        ) from None
