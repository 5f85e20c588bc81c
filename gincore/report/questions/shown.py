"""A verdict card that shows itself in a notebook and in a terminal."""

from __future__ import annotations

import base64
import html
import io
from dataclasses import dataclass

from gincore.language import language
from gincore.plotting.style import chart_settings
from gincore.questions import Answer
from gincore.report.questions.content import draw
from gincore.report.questions.text import headline, paragraphs, say

DOTS = 110
"""Of the chart, an inch."""


@dataclass(frozen=True, repr=False)
class Card:
    """An answer as a card: claim, verdict in words, chart.

    Parameters
    ----------
    answer
        One of :func:`gincore.questions.ask`.
    lang
        ``en`` or ``fr``.
    """

    answer: Answer
    lang: str = "en"

    def __repr__(self) -> str:
        """One line: the question and the verdict."""
        return f"<Card {self.answer.entry.id}: {headline(self.answer, language(self.lang))}>"

    def __str__(self) -> str:
        """Claim and verdict, in paragraphs."""
        return "\n\n".join(self._words())

    def _words(self) -> list[str]:
        tr = language(self.lang)
        return [say(tr, self.answer.entry.claim), *paragraphs(self.answer, tr)]

    def _repr_html_(self) -> str:
        claim, *verdict = self._words()
        file = io.BytesIO()
        with chart_settings():
            draw(self.answer, language(self.lang)).savefig(file, format="png", dpi=DOTS)
        words = "".join(f"<p>{html.escape(each)}</p>" for each in verdict)
        image = base64.b64encode(file.getvalue()).decode()
        return f"<h3>{html.escape(claim)}</h3>{words}<img src='data:image/png;base64,{image}'>"
