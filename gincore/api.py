"""The public calls: :func:`simulate`, :func:`simulate_games`, :func:`open_run`, and the runs that they return."""

from __future__ import annotations

import html
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from gincore.errors import UsageError, nearest, quoted
from gincore.ruleset import Rules
from gincore.runs import result as stored
from gincore.runs.layout import Keep
from gincore.runs.plan import make_plan
from gincore.runs.result import Result
from gincore.runs.run import execute
from gincore.runs.tally import Int64Array, Moments
from gincore.strategies import Strategy
from gincore.tabular import table_text

if TYPE_CHECKING:
    import pandas as pd
    from distributed import Client


_PLAIN = ("single", "one-game")
"""Values of ``form`` and ``match`` that go without saying."""


class Run:
    """A finished run of single hands. Made by :func:`simulate` and :func:`open_run`.

    Attributes
    ----------
    result
        The run as :mod:`gincore.runs` has it: blocks of typed rows, exact sums.
    """

    def __init__(self, result: Result) -> None:
        self.result = result

    @cached_property
    def hands(self) -> pd.DataFrame:
        """One row a hand, in the order of the deals (columns: see ``schema.HAND_DTYPE``).

        A stored run is read at the first use. ``UsageError`` for a run with ``keep="stats"``.
        """
        return self.result.hands_frame()

    @property
    def manifest(self) -> dict[str, Any]:
        """What was played: rules, strategies, seed, counts, versions."""
        return self.result.manifest

    @property
    def folder(self) -> Path | None:
        """Where the run is stored, or None."""
        return self.result.folder

    @property
    def moments(self) -> Moments:
        """Exact sums over the independent units, from which every estimate and interval comes."""
        return self.result.moments

    @property
    def cells(self) -> Int64Array:
        """Knocks and gins by knocker's deadwood x turns x defender's pick-ups (``schema.CELL_FIELDS`` last)."""
        return self.result.cells

    def summary(self, level: float = 0.95) -> pd.DataFrame:
        """Return the tidy frame of estimates with their intervals.

        Parameters
        ----------
        level
            Confidence of the intervals, between 0 and 1.

        Returns
        -------
        DataFrame
            Columns ``metric, estimate, low, high, n, unit``; the unit is what the interval counts as independent.
        """
        from gincore.analysis.summary import summarise  # imports SciPy, which a run does not need

        return summarise(self.moments, level)

    def __getitem__(self, metric: str) -> pd.Series:
        """Return one line of the summary: ``estimate, low, high, n, unit`` at 95 %.

        Examples
        --------
        >>> run = simulate("classic", ("lookahead", "simple"), deals=1000, seed=1)  # doctest: +SKIP
        >>> run["net_points_per_hand"].low  # doctest: +SKIP
        """
        frame = self.summary().set_index("metric")
        if metric not in frame.index:
            raise UsageError(
                f"metric {quoted(metric)} is not known{nearest(str(metric), frame.index)}; "
                "run.summary() and 'gincore metrics' list them"
            )
        return cast("pd.Series", frame.loc[metric])

    def text(self, level: float = 0.95) -> str:
        """Return what was played and the whole summary as text, as ``print(run)`` shows it.

        Parameters
        ----------
        level
            Confidence of the intervals, between 0 and 1.
        """
        from gincore.analysis.summary import NOTES, counted

        frame = self.summary(level)
        table = table_text(tuple(frame.columns[:4]), frame.iloc[:, :4].itertuples(index=False))
        facts = "\n".join(f"{name}: {value}" for name, value in self._facts())
        interval = f"low and high: {100 * level:.4g} % interval over {counted(self.moments)}"
        return "\n".join([facts, "", table, "", interval, *NOTES])

    def _facts(self) -> list[tuple[str, str]]:
        manifest, layout = self.manifest, self.result.layout
        players = " v ".join(strategy["name"] for strategy in manifest["strategies"])
        unit = "matches" if layout.noun == "match" else f"{layout.noun}s"
        count = f"{layout.count:,} {unit}{' x 2 (mirrored)' if layout.mirror else ''}"
        named = manifest["rules"]
        facts = [("rules", str(named.get("label", named["name"]))), ("strategies", players), (unit, count)]
        facts += [("seed", str(manifest["seed"])), ("keep", layout.keep)]
        form = [
            (name, value) for name, value in (("form", layout.form), ("match", layout.match)) if value not in _PLAIN
        ]
        if form and layout.kind == "hands":
            form = [("played", f"single hands, without {', '.join(f'{name} = {value}' for name, value in form)}")]
        facts += form
        return facts + ([("folder", str(self.folder))] if self.folder else [])

    def __repr__(self) -> str:
        """One line: what was played."""
        return f"<{type(self).__name__} {'; '.join(f'{name}: {value}' for name, value in self._facts())}>"

    def __str__(self) -> str:
        """All of the summary, whatever the width of the screen."""
        return self.text()

    def _repr_html_(self) -> str:
        facts = "".join(
            f"<tr><th style='text-align:left'>{html.escape(name)}</th><td>{html.escape(value)}</td></tr>"
            for name, value in self._facts()
        )
        return f"<table>{facts}</table>{self.summary().to_html(index=False, float_format='{:.5g}'.format)}"


class GameRun(Run):
    """A finished run of games. Made by :func:`simulate_games` and :func:`open_run`.

    ``hands`` has two more columns in front: ``game`` and ``hand``, its number in the game from 0. Where the rules ask
    for a match, a game number is a whole match, and a column ``leg`` says which of its games a hand belongs to. In a
    partnership the players are the two sides, and ``round`` and ``table`` say where a hand was played. In cutthroat
    ``sits_out`` is the dealer, and ``points_2`` and ``pickups_2`` are the third player's.
    """

    @cached_property
    def games(self) -> pd.DataFrame:
        """One row a game, in Hollywood one a column (columns: see ``schema.GAME_DTYPE``).

        ``UsageError`` for ``keep="stats"``.
        """
        return self.result.games_frame()

    @cached_property
    def matches(self) -> pd.DataFrame:
        """One row a match, or a sheet or lone game where the rules ask for no match.

        Columns ``game`` and ``mirror`` (which match), ``winner``, ``games``, ``games_won_0`` and so on, ``margin``
        (settled points of all its games, player 0's view), ``points_0`` and so on, ``hands``. ``UsageError`` for
        ``keep="stats"``.
        """
        return self.result.matches_frame()


def simulate(
    rules: str | Path | Rules,
    strategies: Sequence[str | Strategy],
    *,
    deals: int,
    seed: int,
    mirror: bool = True,
    keep: Keep = "rows",
    out: str | Path | None = None,
    workers: int | None = None,
    scheduler: str | Client | None = None,
    progress: bool = True,
    resume: bool = False,
    chunk: int | None = None,
    first_deal: int = 0,
) -> Run:
    """Play hands.

    Every hand stands alone, between two players: options of the game (form, match, target, boxes) do not matter.

    Parameters
    ----------
    rules
        A preset's name, a TOML file, or :class:`~gincore.Rules`.
    strategies
        Player 0 and player 1: names (``"simple"``, ``"threshold,limit=4"``, ``"./mine.py:patient"``) or
        :class:`~gincore.Strategy` objects.
    deals
        Number of deals, at least 1.
    seed
        Whole number, 0 .. 2**64 - 1. Hand rows are a pure function of the seed and the deal number: more deals do
        not change the first ones, nor do the number of threads or the chunk size.
    mirror
        Play each deal twice, with the seats exchanged: two rows a deal, and the pair is the independent unit.
    keep
        ``"rows"``, or ``"stats"``: only the sums, in memory that does not grow with the number of deals.
    out
        Folder in which the run is stored; None keeps it in memory.
    workers
        Threads; None for one a usable CPU.
    scheduler
        Who plays in place of threads of this process: ``"local:N"`` for N processes of this machine,
        ``"tcp://HOST:PORT"`` for the workers of a Dask scheduler, or a ``distributed.Client``. Needs
        ``gincore[cluster]``. Rows do not depend on it.
    progress
        Show a bar on stderr, if that is a terminal.
    resume
        Go on with the run that is in ``out``.
    chunk
        Deals a stored part; None for the usual size.
    first_deal
        Number of the first deal, to replay one deal of a larger run.

    Returns
    -------
    Run
        ``hands``, ``summary()``, ``manifest``, ``moments``, ``cells``.

    Raises
    ------
    UsageError
        An argument is wrong (a ``ValueError``; one line names the value and what is allowed).
    RunError
        The run failed, such as an illegal answer of a strategy.

    Examples
    --------
    >>> run = simulate("classic", ("simple", "simple"), deals=1000, seed=7)  # doctest: +SKIP
    >>> print(run)  # doctest: +SKIP
    """
    plan = make_plan(
        "hands", rules, strategies, seed=seed, count=deals, mirror=mirror, keep=keep, chunk=chunk, first=first_deal
    )
    return Run(execute(plan, out=out, workers=workers, scheduler=scheduler, resume=resume, progress=progress))


def simulate_games(
    rules: str | Path | Rules,
    strategies: Sequence[str | Strategy],
    *,
    games: int,
    seed: int,
    mirror: bool = True,
    keep: Keep = "rows",
    out: str | Path | None = None,
    workers: int | None = None,
    scheduler: str | Client | None = None,
    progress: bool = True,
    resume: bool = False,
    chunk: int | None = None,
    first_game: int = 0,
) -> GameRun:
    """Play games to the target of the rules, of the form that they name; whole matches where they ask for a match.

    Parameters
    ----------
    rules, seed, keep, out, workers, scheduler, progress, resume
        As of :func:`simulate`.
    strategies
        As of :func:`simulate`, but three in cutthroat; in a partnership two, each for both partners of a side, or four:
        side 0, side 1, then their second partners.
    games
        Number of games, Hollywood sheets or matches, at least 1.
    mirror
        Play each game twice, with the seats exchanged throughout: the cards that a player is dealt in a hand are the
        other one's in the second game, whoever deals. Two rows a game number, and the pair is the independent unit.
    chunk
        Games a stored part; None for the usual size.
    first_game
        Number of the first game.

    Returns
    -------
    GameRun
        ``games``, ``hands``, ``summary()``, ``manifest``, ``moments``, ``cells``.

    Raises
    ------
    UsageError, RunError
        As of :func:`simulate`.
    """
    plan = make_plan(
        "games", rules, strategies, seed=seed, count=games, mirror=mirror, keep=keep, chunk=chunk, first=first_game
    )
    return GameRun(execute(plan, out=out, workers=workers, scheduler=scheduler, resume=resume, progress=progress))


def open_run(folder: str | Path) -> Run | GameRun:
    """Open a stored run by its folder.

    Raises
    ------
    UsageError
        There is no run folder at this path.
    RunError
        The run is not finished, or of another format.
    """
    result = stored.open_run(folder)
    return Run(result) if result.layout.kind == "hands" else GameRun(result)
