"""The sequential test: two strategies play until it is clear who is better, or a cap is reached."""

from __future__ import annotations

import html
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from gincore.analysis.intervals import Interval, check_level
from gincore.analysis.sprt import (
    OUTCOMES,
    Hypotheses,
    Verdict,
    count_outcomes,
    log_likelihood_ratio,
    next_look,
    sprt_interval,
)
from gincore.contests.play import (
    GAME_BLOCK,
    USUAL_LEVEL,
    command,
    hidden,
    play_block,
    rule_words,
    two_player_rules,
    values,
)
from gincore.ruleset import Rules
from gincore.runs.layout import LIMITS
from gincore.runs.plan import SEED_LIMIT, Plan, make_plan, whole
from gincore.runs.run import worker_count
from gincore.strategies import Strategy

if TYPE_CHECKING:
    import pandas as pd

MAX_GAMES: Final = 100_000
"""Game numbers after which a test ends undecided, unless another cap is asked for."""

SIZE_GAMES: Final = 10_000
"""Game numbers, at least, of the command that estimates the size of a difference."""


@dataclass(frozen=True)
class SprtResult:
    """What a sequential test found. Made by :func:`sprt`.

    Attributes
    ----------
    a, b
        Names of the strategies.
    hypotheses
        What was tested: ``h0``, ``h1``, ``alpha``, ``beta``, and the bounds ``lower`` and ``upper``.
    verdict
        ``"h1"`` or ``"h0"``: which hypothesis is accepted; ``"undecided"`` at the cap.
    ratio
        The log-likelihood ratio of h1 to h0 at the end.
    counts
        Pairs worth 0, 1, 2, 3 and 4 half points of a (2 a win, 1 a draw).
    history
        Pairs played and the ratio at each look.
    interval
        a's share of games with the interval of a fixed number of pairs, at `level`. Biased where the test has stopped.
    level
        Level of the interval.
    manifest
        What was played.
    again
        The command that estimates the share without that bias.
    """

    a: str
    b: str
    hypotheses: Hypotheses
    verdict: Verdict
    ratio: float
    counts: tuple[int, ...]
    history: tuple[tuple[int, float], ...]
    interval: Interval
    level: float
    manifest: dict[str, Any]
    again: str

    @property
    def pairs(self) -> int:
        """Pairs of games played: the independent units."""
        return sum(self.counts)

    @property
    def games(self) -> int:
        """Games played, two a pair."""
        return 2 * self.pairs

    @property
    def finding(self) -> str:
        """The verdict in a sentence."""
        h0, h1 = (f"{100 * share:.4g} %" for share in (self.hypotheses.h0, self.hypotheses.h1))
        who = f"won by {self.a} against {self.b}"
        if self.verdict == "h1":
            return f"h1 accepted: the games fit a share of {h1} {who}, rather than {h0}"
        if self.verdict == "h0":
            return f"h0 accepted: the games fit a share of {h0} {who}, rather than {h1}"
        return f"undecided at the cap of {self.pairs:,} pairs of games: a share of {h0} or of {h1} {who}"

    @property
    def warning(self) -> str:
        """What the estimate is not."""
        if self.verdict == "undecided":
            return "the estimate is that of a test that was to stop early, and its interval holds its level only nearly"
        return (
            "the estimate is biased, as the test stopped when the games happened to look decided, and its interval "
            f"does not hold its level; for the size of the difference: {self.again}"
        )

    def frame(self) -> pd.DataFrame:
        """Return the estimate as a frame of one row: ``a, b, metric, estimate, low, high, n, unit, level``."""
        import pandas as pd

        row = (self.a, self.b, "game_won_share", *self.interval, self.pairs, "pair of games", self.level)
        return pd.DataFrame([row], columns=["a", "b", "metric", "estimate", "low", "high", "n", "unit", "level"])

    def facts(self) -> list[tuple[str, str]]:
        """Return the result, in words."""
        share, low, high = (100 * value for value in self.interval)
        test = self.hypotheses
        return [
            ("test", f"{self.a} v {self.b}, share of games {100 * test.h0:.4g} % (h0) or {100 * test.h1:.4g} % (h1)"),
            ("errors", f"h1 is accepted with probability {test.alpha:.4g} under h0, h0 with {test.beta:.4g} under h1"),
            ("verdict", self.finding),
            ("log-likelihood ratio", f"{self.ratio:.3f} (h0 at {test.lower:.3f}, h1 at {test.upper:.3f})"),
            ("played", f"{self.pairs:,} pairs of games ({self.games:,} games)"),
            (
                "estimate",
                f"{share:.2f} % [{low:.2f}, {high:.2f}] of games, {100 * self.level:.4g} % interval over pairs",
            ),
            ("warning", self.warning),
        ]

    def __repr__(self) -> str:
        """One line: what was found."""
        return f"<SprtResult {self.finding}>"

    def __str__(self) -> str:
        """The result, a line a fact."""
        return "\n".join(f"{name}: {value}" for name, value in self.facts())

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th style='text-align:left'>{html.escape(name)}</th><td>{html.escape(value)}</td></tr>"
            for name, value in self.facts()
        )
        return f"<table>{rows}</table>"


def sprt(
    a: str | Strategy,
    b: str | Strategy,
    rules: str | Path | Rules = "eaai",
    *,
    seed: int,
    h0: float = 0.5,
    h1: float = 0.52,
    alpha: float = 0.05,
    beta: float = 0.05,
    max_games: int = MAX_GAMES,
    level: float = USUAL_LEVEL,
    workers: int | None = None,
    progress: bool = True,
) -> SprtResult:
    """Play two strategies until their games decide between two shares of games that a may win.

    Parameters
    ----------
    a, b
        The strategies, as of :func:`~gincore.simulate`.
    rules
        Rules of single games of two players.
    seed
        Whole number, 0 .. 2**64 - 1.
    h0, h1
        Share of games of a under either hypothesis, h0 < h1: 0.5 and 0.52 ask whether a wins half of the games or
        52 in 100.
    alpha, beta
        Probability of accepting h1 where h0 holds, and h0 where h1 holds.
    max_games
        Game numbers, each played twice with the seats exchanged, after which the test ends undecided.
    level
        Of the interval of the estimate.
    workers, progress
        As of :func:`~gincore.arena`.

    Returns
    -------
    SprtResult
        ``verdict``, ``ratio``, ``pairs``, ``interval``, ``warning``.

    Raises
    ------
    UsageError, RunError
        As of :func:`~gincore.arena`.

    Examples
    --------
    >>> print(sprt("threshold,limit=4", "simple", seed=7))  # doctest: +SKIP
    """
    test, level = Hypotheses(h0, h1, alpha, beta), check_level(level)
    most = whole("max_games", max_games, 1, LIMITS["games"])
    plan = make_plan("games", two_player_rules(rules), (a, b), seed=seed, count=most)
    counts, history = _play_until_told(plan, test, worker_count(workers), progress)
    first, second = (player.name for player in plan.strategies)
    given = [each if isinstance(each, str) else each.name for each in (a, b)]
    other_seed = plan.seed + 1 if plan.seed + 1 < SEED_LIMIT else 0
    size = ["--games", str(max(int(counts.sum()), SIZE_GAMES)), "--seed", str(other_seed)]
    return SprtResult(
        a=first,
        b=second,
        hypotheses=test,
        verdict=test.verdict(history[-1][1]),
        ratio=history[-1][1],
        counts=tuple(int(count) for count in counts),
        history=history,
        interval=sprt_interval(counts, level),
        level=level,
        manifest=plan.manifest(),
        again=command("arena", *given, *rule_words(plan.rules), *size),
    )


def _play_until_told(
    plan: Plan, test: Hypotheses, threads: int, progress: bool
) -> tuple[NDArray[np.int64], tuple[tuple[int, float], ...]]:
    """Play look by look until the ratio decides or the plan ends; return the outcomes and the ratio at each look."""
    counts = np.zeros(OUTCOMES, np.int64)
    history = [(0, 0.0)]
    with tqdm(total=plan.count, desc="sprt", unit="pair", disable=hidden(progress)) as bar:
        while (pairs := history[-1][0]) < plan.count and test.verdict(history[-1][1]) == "undecided":
            look = min(next_look(pairs, plan.count), GAME_BLOCK)
            counts += count_outcomes(values(play_block(plan, pairs, look, threads))["score"])
            ratio = log_likelihood_ratio(counts, test.h0, test.h1)
            history.append((pairs + look, ratio))
            bar.set_postfix_str(f"log-likelihood ratio {ratio:.2f}", refresh=False)
            bar.update(look)
    return counts, tuple(history[1:])
