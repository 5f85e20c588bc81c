"""A verdict card that shows itself in a notebook and in a terminal."""

from __future__ import annotations

import base64
import html
import io
from dataclasses import dataclass

from gincore.language import language
from gincore.plotting.style import chart_settings
from gincore.questions import USUAL_DEALS, USUAL_LEVEL, Answer
from gincore.questions import ask as answers
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


def ask(
    question: str,
    *,
    deals: int = USUAL_DEALS,
    seed: int = 1,
    level: float = USUAL_LEVEL,
    lang: str = "en",
    workers: int | None = None,
    progress: bool = True,
) -> Card:
    """Ask one question, and return its verdict as a card that shows itself.

    Parameters
    ----------
    question
        Its id, such as ``T05``; ``gincore question list`` shows all.
    deals
        Of a run of fast players; slow players play fewer.
    seed, level, workers, progress
        As :func:`gincore.questions.ask` has them.
    lang
        ``en`` or ``fr``.

    Returns
    -------
    Card
        ``print(card)`` gives claim and verdict in words, ``card.answer.frame()`` the estimates with their intervals.

    Raises
    ------
    UsageError
        There is no such question, or a number is out of its bounds.

    Examples
    --------
    >>> import gincore
    >>> print(gincore.ask("T05", deals=20_000, seed=7))  # doctest: +SKIP
    """
    (answer,) = answers(question, deals=deals, seed=seed, level=level, workers=workers, progress=progress)
    return Card(answer, lang)
