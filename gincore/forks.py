"""The public call :func:`knock_or_wait` and what it returns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gincore.ruleset import Rules
from gincore.runs.forks import ForkPlan, ForkResult, follow
from gincore.runs.grid import make_grid
from gincore.runs.layout import Keep
from gincore.runs.plan import make_plan, whole
from gincore.schema import MOMENT_DTYPE
from gincore.strategies import Strategy

if TYPE_CHECKING:
    import pandas as pd


class Forks:
    """The moments at which a player could have knocked. Made by :func:`knock_or_wait`.

    Attributes
    ----------
    result
        The moments as :mod:`gincore.runs` has them.
    """

    def __init__(self, result: ForkResult) -> None:
        self.result = result

    @property
    def manifest(self) -> dict[str, Any]:
        """What was followed: rules, strategies, seed, counts, versions."""
        return self.result.followed.manifest()

    @cached_property
    def moments(self) -> pd.DataFrame:
        """One row a moment, hand by hand (columns: see ``schema.MOMENT_DTYPE``); ``UsageError`` for ``keep="stats"``.

        ``points`` is what knocking now scores, ``wait`` what playing on and doing as the player's own decision says
        scores, ``end`` what never knocking short of gin scores: the player's net points. What any other rule of
        knocking scores in a hand is ``points`` of the first moment at which it knocks, and ``end`` if there is none.
        """
        import pandas as pd

        moments = self.result.moments()
        return pd.DataFrame({name: moments[name] for name in MOMENT_DTYPE.names or ()})

    @cached_property
    def hands(self) -> pd.DataFrame:
        """One row a hand as it was followed to its end, the columns of ``Run.hands``."""
        return self.result.hands_frame()

    def cells(
        self,
        by: Sequence[str] | None = None,
        *,
        widths: Mapping[str, int] | None = None,
        reached: bool = False,
        level: float = 0.95,
        holm: bool = False,
    ) -> pd.DataFrame:
        """Return the value of knocking now, cell by cell.

        Parameters
        ----------
        by
            Columns that make up the cells, of ``deadwood``, ``turn``, ``opp_pickups``, ``pickups``, ``stock`` and
            ``knock_limit``; None for those that :func:`knock_or_wait` was given. With ``keep="stats"`` no others.
        widths
            Width of the bins of some of these columns; a bin is named by its least value.
        reached
            Count only moments that the player's own decision would have come to: those of hands as they are played.
        level
            Coverage of each interval by itself.
        holm
            Add ``p_value``, and ``p_holm`` corrected for all cells of the frame.

        Returns
        -------
        DataFrame
            The columns of the cells; ``value_of_knocking_points``, ``low``, ``high``; ``knock_points``,
            ``wait_points``; ``n``, the deals that met the cell, which the interval counts as independent; ``moments``.
        """
        from gincore.analysis.forks import cell_frame  # imports SciPy

        own = self.result.followed.grid
        plain = by is None and widths is None and not reached
        grid = own if plain else make_grid(own.by if by is None else by, widths, reached)
        return cell_frame(grid.values(), self.result.sums(grid), level, holm)

    def __repr__(self) -> str:
        """One line: what was followed."""
        followed = self.result.followed
        plan = followed.plan
        names = " v ".join(strategy.name for strategy in plan.strategies)
        return (
            f"<Forks rules: {plan.rules.label}; strategies: {names}; player: {followed.player}; deals: {plan.count:,}"
            f"{' x 2 (mirrored)' if plan.mirror else ''}; seed: {plan.seed}; keep: {plan.keep}>"
        )


def knock_or_wait(
    rules: str | Path | Rules,
    strategies: Sequence[str | Strategy],
    *,
    deals: int,
    seed: int,
    player: int = 0,
    mirror: bool = True,
    keep: Keep = "rows",
    by: Sequence[str] | None = None,
    widths: Mapping[str, int] | None = None,
    reached: bool = False,
    workers: int | None = None,
    progress: bool = True,
    first_deal: int = 0,
) -> Forks:
    """Is it better to knock now, or to wait? Score both at every legal knock of a player, on the same cards.

    The player lets every knock pass, but for gin and big gin; each knock is scored aside against the opponent's cards
    as they are. As the opponent sees public events only, the hand that goes on is the one that would have gone on, so
    that every difference is between two courses of the same hidden cards and the same stock.

    Parameters
    ----------
    rules, strategies, deals, seed, mirror, workers, progress, first_deal
        As of :func:`gincore.simulate`.
    player
        Whose knocks are looked at, 0 or 1. How both draw and discard, when the opponent knocks, and what waiting is
        worth, the strategies say.
    keep
        ``"rows"`` keeps all moments in memory; ``"stats"`` only their sums by the cells of ``by``, in memory that does
        not grow with the number of deals.
    by, widths, reached
        Columns and bins of the cells, as of :meth:`Forks.cells`; None for deadwood, turn, the opponent's pick-ups and
        the stock.

    Returns
    -------
    Forks
        ``moments``, ``hands``, ``cells(by)``, ``manifest``.

    Raises
    ------
    UsageError, RunError
        As of :func:`gincore.simulate`.

    Examples
    --------
    >>> forks = knock_or_wait("classic", ("simple", "simple"), deals=100_000, seed=7)  # doctest: +SKIP
    >>> forks.cells(["deadwood"])  # doctest: +SKIP
    """
    plan = make_plan("hands", rules, strategies, seed=seed, count=deals, mirror=mirror, keep=keep, first=first_deal)
    followed = ForkPlan(plan, whole("player", player, 0, 1), make_grid(by, widths, reached))
    return Forks(follow(followed, workers=workers, progress=progress))
