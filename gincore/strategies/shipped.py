"""The strategies that come with the package, each composed of decisions of the library."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from gincore.strategies.base import Strategy
from gincore.strategies.expert import by_network, load_weights
from gincore.strategies.learned import TABLES, learned
from gincore.strategies.rollout import by_rollout


class Shipped(NamedTuple):
    """A strategy as it is made, and what it does or stands for."""

    make: Callable[[], Strategy]
    about: str


class Shelf(Mapping[str, Strategy]):
    """Strategies by name, each made when it is first taken: learned ones read a file then."""

    def __init__(self, made: Mapping[str, Shipped]) -> None:
        self.about = {name: each.about for name, each in made.items()}
        self._make = {name: each.make for name, each in made.items()}
        self._made: dict[str, Strategy] = {}

    def __getitem__(self, name: str) -> Strategy:
        """Return the strategy of that name, always the same one."""
        if name not in self._made:
            self._made[name] = self._make[name]()
        return self._made[name]

    def __contains__(self, name: object) -> bool:
        """Whether there is one of that name; none is made to see."""
        return name in self._make

    def __iter__(self) -> Iterator[str]:
        """Walk through the names."""
        return iter(self._make)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._make)


_SIMPLE = Strategy("simple", draw="meld", discard="least", knock="at-once")

SHIPPED = Shelf(
    {
        "simple": Shipped(
            lambda: _SIMPLE,
            "takes the top card only for a meld, throws a card that leaves the least deadwood, knocks at once",
        ),
        "threshold": Shipped(
            lambda: Strategy("threshold", knock="by-turn", base=_SIMPLE),
            "plays as simple, but knocks only at or below a limit of its own, by turn",
        ),
        "gin-only": Shipped(
            lambda: Strategy("gin-only", knock="gin-only", base=_SIMPLE),
            "plays as simple, but goes out only with gin or big gin",
        ),
        "random": Shipped(
            lambda: Strategy("random", draw="random", discard="random", knock="random"),
            "gives legal answers at random: a yardstick, and a tester of rules",
        ),
        "careless": Shipped(
            lambda: Strategy("careless", discard="careless", base=_SIMPLE),
            "plays as simple, but throws a card at random now and then: a known step weaker",
        ),
        "eager": Shipped(
            lambda: Strategy("eager", draw="eager", base=_SIMPLE),
            "plays as simple, but takes every top card that lowers its deadwood: the beginner whom guides warn",
        ),
        "bluffer": Shipped(
            lambda: Strategy("bluffer", draw="bluff", base=_SIMPLE),
            "plays as simple, but now and then takes the first upcard for no meld, to mislead",
        ),
        "keep-pairs": Shipped(
            lambda: Strategy("keep-pairs", discard="keep-pairs", base=_SIMPLE),
            "plays as simple, but keeps pairs and triangles early, as guides advise",
        ),
        "safe": Shipped(
            lambda: Strategy("safe", discard="safe", base=_SIMPLE),
            "plays as simple, but throws by what the opponent may use: the defender of the guides",
        ),
        "lookahead": Shipped(
            lambda: Strategy("lookahead", discard="lookahead", base=_SIMPLE),
            "plays as simple, but throws by the deadwood to be expected after the next draw: the published planner",
        ),
        "lookahead-gin": Shipped(
            lambda: Strategy("lookahead-gin", discard="lookahead", knock="gin-only", base=_SIMPLE),
            "throws as lookahead does, and goes out only with gin or big gin",
        ),
        "patient": Shipped(
            lambda: Strategy("patient", discard="lookahead-safe", knock="by-estimate", base=_SIMPLE),
            "looks ahead, throws with care, and knocks only where the opponent may be expected to lie far above",
        ),
        "expert": Shipped(
            lambda: by_network("expert", load_weights()),
            "gives the answer of which a network, taught by playing, expects most points: the strongest fast one",
        ),
        "rollout": Shipped(
            lambda: by_rollout("rollout", load_weights()),
            "plays its answers out against guesses of the hidden hand, by expert: stronger than that, and slow",
        ),
        **{
            name: Shipped(
                functools.partial(learned, name, _SIMPLE),
                f"plays as simple, but knocks by a table that is the best reply to itself under {rules}",
            )
            for name, rules in TABLES.items()
        },
    }
)
"""In the order in which they are listed."""

SLOW = ("rollout",)
"""Compiled when first played, not by a warm-up."""

ASIDE = (*SLOW, "threshold", "table-classic", "table-undercut-10", "table-pagat", "table-oklahoma")
"""Not in an arena that names no players: slow, a copy of another by default, or learned for other rules."""
