"""Lessons: many hands in threads that share the weights, rates that fall, and the file that keeps what was learned.

Threads write the same weights without a lock (Recht et al., "Hogwild!", NIPS 2011): steps are small and touch few rows.
So lessons do not repeat bit by bit with more than one thread. What they make is frozen in a file and measured on other
deals; nothing that is published depends on repeating them.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from gincore import __version__, schema
from gincore._jit import source_digest
from gincore.core import batch, decide, hand, showdown, tables
from gincore.errors import UsageError
from gincore.lessons.lesson import lessons
from gincore.lessons.step import GRADIENT_DTYPE
from gincore.lessons.trace import LONGEST, TRACE_DTYPE
from gincore.ruleset import rules as read_rules
from gincore.strategies import network
from gincore.strategies.base import Strategy
from gincore.strategies.catalogue import get
from gincore.strategies.worth import chances

SELF = "self"
PRIOR = 0.7
"""What a point of a discard's prior counts for: of 0, 0.5, 1, 2 and 4 those in the middle won most games."""
_NO_STEP = 1e-3
_SAMPLE_SEED = 4_040


@dataclass(frozen=True)
class Lesson:
    """What is taught.

    Attributes
    ----------
    hands
        Hands played.
    opponents
        Names of strategies, and ``self``; each is met equally often, so a name given twice is met twice as often.
    rules
        Names of presets in the same way: the ace low, the upcard offered to both.
    seed
        Of the deals.
    rate, rate_end
        Step of the weights at the beginning and at the end; it falls geometrically.
    explore, explore_end
        Share of decisions that are taken at random, falling linearly.
    decay
        The lambda of the temporal differences.
    played
        Hands that were played of it; fewer than ``hands`` where it was stopped.
    """

    hands: int
    opponents: tuple[str, ...] = (SELF, SELF, "simple", "simple", "threshold,limit=5")
    rules: tuple[str, ...] = ("eaai", "eaai", "eaai", "eaai", "classic", "oklahoma", "straight", "pagat")
    seed: int = 777
    rate: float = 0.01
    rate_end: float = 0.001
    explore: float = 0.05
    explore_end: float = 0.005
    decay: float = 0.6
    played: int = 0

    def at(self, done: float) -> tuple[float, float]:
        """Rate and share of exploration when a share ``done`` of the hands is played."""
        rate = self.rate * (self.rate_end / self.rate) ** done
        return rate, self.explore + (self.explore_end - self.explore) * done


@dataclass
class Pupil:
    """A network that learns: ``weights``, and the sums of steps and of their sizes that set the rates."""

    weights: NDArray[np.float64]
    steps: NDArray[np.float32]
    sizes: NDArray[np.float32]

    @classmethod
    def fresh(cls, seed: int = 1) -> Pupil:
        """A network that knows nothing."""
        random = np.random.default_rng(seed)
        weights = np.zeros(network.SIZE)
        weights[: network.EMBEDDINGS] = random.normal(0, 0.05, network.EMBEDDINGS)
        matrix = network.WIDTH * network.INNER
        for head in range(network.HEADS):
            start = network.EMBEDDINGS + head * network.HEAD_SIZE
            weights[start : start + matrix] = random.normal(0, (2 / network.WIDTH) ** 0.5, matrix)
            outputs = start + matrix + network.INNER
            weights[outputs : outputs + network.INNER] = random.normal(0, network.INNER**-0.5, network.INNER)
        weights[network.PRIOR_AT] = PRIOR
        return cls.of(weights)

    @classmethod
    def of(cls, weights: NDArray[np.float64]) -> Pupil:
        """Go on from weights, with all rates at their highest."""
        shape = (network.ROWS, network.WIDTH)
        return cls(weights.copy(), np.full(shape, _NO_STEP, np.float32), np.full(shape, _NO_STEP, np.float32))


class Table:
    """What one thread plays with."""

    def __init__(self) -> None:
        records = (network.SCRATCH_DTYPE, hand.STATE_DTYPE, showdown.OUTCOME_DTYPE, GRADIENT_DTYPE, schema.HAND_DTYPE)
        self.scratch, self.state, self.out, self.gradient, self.row = (np.zeros(1, dtype)[0] for dtype in records)
        self.views = np.zeros(3, schema.VIEW_DTYPE)
        self.traces = np.zeros((2, LONGEST), TRACE_DTYPE)
        self.errors = np.zeros((network.HEADS, 2))

    def records(self) -> tuple[Any, ...]:
        """The arguments of the kernel behind the numbers."""
        return (self.scratch, self.state, self.out, self.gradient, self.row, self.views, self.traces, self.errors)


class School:
    """A pupil, a lesson, and the tables at which it is given."""

    def __init__(self, pupil: Pupil, plan: Lesson, threads: int = 1) -> None:
        self.pupil, self.plan = pupil, plan
        named = [read_rules(name) for name in plan.rules]
        if any(each.ace != "low" or each.upcard_offer != "both" for each in named):
            raise UsageError(f"rules {', '.join(plan.rules)}: lessons need the ace low and the upcard offered to both")
        self._rules = np.array([each.to_record() for each in named], schema.RULES_DTYPE)
        self._discards = tables.discards(0, 1)
        pairs, learners = _seatings(plan.opponents)
        self._pairs, self._alive = decide.seat_pairs(pairs)
        self._learners = np.array(learners)
        self._tables = [Table() for _ in range(threads)]
        self._chances = chances(_sample_points())
        self.nets = np.zeros((len(pairs), 2))

    def give(self, first: int, hands: int, rate: float, explore: float) -> None:
        """Play and learn from hand number ``first`` on."""
        share = -(-hands // len(self._tables))
        nets = [np.zeros_like(self.nets) for _ in self._tables]

        def sit(place: int) -> None:
            start = first + place * share
            count = min(share, first + hands - start)
            pupil = self.pupil
            lessons(
                pupil.weights, pupil.steps, pupil.sizes, self._pairs, self._learners, self._rules, self._discards,
                np.uint64(self.plan.seed), start, count, rate, explore, self.plan.decay, nets[place], self._chances,
                *self._tables[place].records(),
            )  # fmt: skip

        threads = [threading.Thread(target=sit, args=(place,)) for place in range(len(self._tables))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.nets[:] = sum(nets)

    def errors(self) -> NDArray[np.float64]:
        """Mean squared error of each head since the last call, in points squared."""
        total = sum(table.errors for table in self._tables)
        for table in self._tables:
            table.errors[:] = 0.0
        counts: NDArray[np.float64] = np.asarray(total)
        return counts[:, 1] / np.maximum(counts[:, 0], 1.0)


def _sample_points() -> NDArray[np.int64]:
    """Points of the winners of hands of ``patient`` against ``simple``, which no lesson plays."""
    rows = np.zeros(8_000, schema.HAND_DTYPE)
    batch.play_hands(
        (get("patient"), get("simple")),
        read_rules("eaai").to_record(),
        _SAMPLE_SEED,
        0,
        True,
        rows,
        np.zeros(8, np.int64),
    )
    points: NDArray[np.int64] = (rows["points_0"] + rows["points_1"]).astype(np.int64)
    return points[points > 0]


def _seatings(opponents: Sequence[str]) -> tuple[list[tuple[Strategy, Strategy]], list[tuple[int, int]]]:
    """Pairs of players and which of them learn; against a strategy the learner sits in both seats in turn."""
    pairs: list[tuple[Strategy, Strategy]] = []
    learners: list[tuple[int, int]] = []
    nobody = get("simple")
    for name in opponents:
        if name == SELF:
            pairs += [(nobody, nobody)] * 2
            learners += [(1, 1)] * 2
        else:
            pairs += [(nobody, get(name)), (get(name), nobody)]
            learners += [(1, 0), (0, 1)]
    return pairs, learners


def teach(pupil: Pupil, plan: Lesson, *, threads: int = 1, block: int = 50_000) -> Iterator[tuple[Lesson, str]]:
    """Give a whole lesson, block by block.

    Parameters
    ----------
    pupil
        Modified in place.
    plan
        What is taught.
    threads
        Threads that play and learn side by side.
    block
        Hands a block.

    Yields
    ------
    tuple of (Lesson, str)
        After every block the lesson as far as it was given, and a line that says how it goes.
    """
    school = School(pupil, plan, threads)
    for first in range(0, plan.hands, block):
        count = min(block, plan.hands - first)
        rate, explore = plan.at(first / plan.hands)
        start = time.perf_counter()
        school.give(first, count, rate, explore)
        speed = count / (time.perf_counter() - start)
        line = f"{first + count:,} hands, {speed:,.0f}/s, rate {rate:.4f}: {_progress(school)}"
        yield replace(plan, played=first + count), line


def _progress(school: School) -> str:
    """Errors of the heads, and the learner's net points a hand against each opponent, exploring."""
    errors = " ".join(f"{error:.0f}" for error in school.errors())
    found: dict[str, list[float]] = {}
    for number, name in enumerate(name for name in school.plan.opponents for _ in range(2)):
        if name != SELF:
            hands, net = school.nets[number]
            total = found.setdefault(name, [0.0, 0.0])
            total[0] += hands
            total[1] += net if number % 2 == 0 else -net
    nets = " ".join(f"{name} {net / max(hands, 1):+.2f}" for name, (hands, net) in found.items())
    return f"squared errors {errors}; net points a hand: {nets}"


def adjust(weights: NDArray[np.float64], *, knock: float, prior: float) -> None:
    """Set the two numbers that lessons do not teach, in place.

    Parameters
    ----------
    weights
        Of a network.
    knock
        Points added to the value of every knock.
    prior
        What a point of a discard's prior counts for.
    """
    outputs = network.EMBEDDINGS + network.KNOCK * network.HEAD_SIZE + (network.WIDTH + 2) * network.INNER
    weights[outputs] += knock / network.SCALE
    weights[network.PRIOR_AT] = prior


def save(path: Path, pupil: Pupil, given: Sequence[Lesson], adjusted: dict[str, float] | None = None) -> None:
    """Freeze the weights, half as precise as they were learned, with where they come from."""
    provenance = {
        "made_by": "scripts/tune.py",
        "lessons": [asdict(each) for each in given],
        "adjusted": adjusted or {},
        "rules_digests": {name: read_rules(name).digest() for each in given for name in each.rules},
        "gincore": __version__,
        "source_digest": source_digest(),
        "numba": numba.__version__,
        "numpy": np.__version__,
    }
    written = path.with_suffix(".tmp")
    with written.open("wb") as file:
        np.savez_compressed(
            file, weights=pupil.weights.astype(np.float16), provenance=np.array(json.dumps(provenance, sort_keys=True))
        )
    written.replace(path)


def lessons_of(path: Path) -> list[Lesson]:
    """The lessons behind a file of weights."""
    found = []
    for stored in provenance(path)["lessons"]:
        values: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value for key, value in stored.items()
        }
        found.append(Lesson(**values))
    return found


def provenance(path: Path) -> dict[str, Any]:
    """Where a file of weights comes from."""
    with np.load(path, allow_pickle=False) as stored:
        found: dict[str, Any] = json.loads(str(stored["provenance"]))
    return found
