"""A chunk that is played in another process: how the plan travels there, and the part back.

The plan travels as bytes. Functions of the user's (from a notebook, a script, a strategy's file and the modules beside
it) go along by value, so that the other process needs none of these files; all else is named and must be installed
there.
"""

from __future__ import annotations

import hashlib
import inspect
import io
import pickle
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from gincore.errors import RunError, UsageError
from gincore.runs.fault import replay_command, strategy_text
from gincore.runs.keep import MemoryPart, Part, Wanted, play_part
from gincore.runs.layout import Chunk
from gincore.runs.parts import GAME_SCHEMA, HAND_SCHEMA, RowWriter, marked, tally_into
from gincore.runs.plan import Plan
from gincore.runs.result import Block
from gincore.runs.store import RowsPart
from gincore.strategies.beside import files_beside
from gincore.strategies.decisions import Decision

Unpacked = tuple[Plan, tuple[str | None, ...], str]
"""A plan, its strategies as the command line names them, and the mark of its parts."""

_LOCK = threading.Lock()


class Packed(NamedTuple):
    """One part, ready to be sent.

    Attributes
    ----------
    sums
        The sums, as the file of a part of sums holds them.
    files
        The Parquet files of the hands and of the games, where files are wanted.
    blocks
        The rows, where these are wanted.
    """

    sums: bytes
    files: tuple[bytes, ...]
    blocks: list[Block]


class Parcel(NamedTuple):
    """A plan as bytes, and what they must hash to."""

    digest: str
    content: bytes


def pack(plan: Plan, identity: str) -> Parcel:
    """Return a plan, with the mark of its parts, as bytes that another process can read.

    Raises
    ------
    UsageError
        A strategy refers to what cannot travel, such as an open file.
    """
    import cloudpickle

    class Pickler(cloudpickle.Pickler):  # type: ignore[misc]
        """Sends the user's decisions by value: no file of theirs need be there."""

        def reducer_override(self, thing: Any) -> Any:
            if isinstance(thing, Decision) and not thing.own:
                return Decision, (thing.function,)
            return super().reducer_override(thing)

    texts = tuple(strategy_text(strategy) for strategy in plan.strategies)
    buffer = io.BytesIO()
    with _by_value(_users_modules(plan)):
        try:
            Pickler(buffer, protocol=pickle.HIGHEST_PROTOCOL).dump((plan, texts, identity))
        except Exception as error:
            names = ", ".join(strategy.name for strategy in plan.strategies)
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            raise UsageError(
                f"strategies {names} cannot be sent to other processes ({reason}): let their decisions use numbers, "
                "arrays and functions only"
            ) from error
    content = buffer.getvalue()
    return Parcel(hashlib.sha256(content).hexdigest(), content)


def play_parcel(parcel: Parcel, chunk: Chunk, wants: Wanted) -> Packed:
    """Play one chunk of a plan that was sent here."""
    plan, texts, mark = unpack(parcel)
    keeper = _Packer(plan.kind, wants, mark)
    tally = play_part(plan, chunk, keeper, lambda _: None, partial(replay_command, plan, texts=texts))
    sums = io.BytesIO()
    tally_into(sums, tally, mark)
    return Packed(sums.getvalue(), keeper.files, keeper.blocks)


def unpack(parcel: Parcel) -> Unpacked:
    """Return the plan of a parcel with its strategies compiled.

    Raises
    ------
    RunError
        The bytes are not those that were sent, or need a module that is not installed here.
    """
    with _LOCK:  # of several threads one compiles
        return _unpack(*parcel)


@lru_cache(maxsize=8)
def _unpack(digest: str, content: bytes) -> Unpacked:
    if hashlib.sha256(content).hexdigest() != digest:
        raise RunError("the plan did not arrive as it was sent")
    try:
        plan, texts, mark = pickle.loads(content)
    except ImportError as error:
        raise RunError(
            f"a strategy needs the module {error.name!r}, which the workers lack: install it there, or put it beside "
            "the strategy's file and import it from there (--strategy FILE.py:NAME)"
        ) from error
    for strategy in plan.strategies:
        strategy.functions()
    return plan, texts, mark


class _Packer:
    """Collects one part in memory."""

    def __init__(self, kind: str, wants: Wanted, identity: str) -> None:
        self.kind, self.wants, self.identity = kind, wants, identity
        self.counts = wants != "blocks"
        self.files: tuple[bytes, ...] = ()
        self.blocks: list[Block] = []

    @contextmanager
    def part(self, chunk: Chunk) -> Iterator[Part]:
        """Open the part."""
        if self.wants != "files":
            yield MemoryPart(self.blocks if self.wants == "blocks" else None)
            return
        schemas = (HAND_SCHEMA,) if self.kind == "hands" else (HAND_SCHEMA, GAME_SCHEMA)
        buffers = [io.BytesIO() for _ in schemas]
        writers = [
            RowWriter(file, marked(schema, self.identity)) for file, schema in zip(buffers, schemas, strict=True)
        ]
        yield RowsPart(writers)
        for writer in writers:
            writer.close()
        self.files = tuple(buffer.getvalue() for buffer in buffers)


def _users_modules(plan: Plan) -> set[str]:
    """Return the names of the modules that hold the user's decisions, and of those beside them that these import."""
    found: set[str] = set()
    for part in (part for strategy in plan.strategies for part in strategy.parts if not part.decision.own):
        function = part.decision.function
        found.add(function.__module__)
        with suppress(OSError, TypeError):  # a notebook has no file
            found |= set(files_beside(Path(inspect.getfile(function))))
    return found - {"__main__"}


@contextmanager
def _by_value(names: set[str]) -> Iterator[None]:
    """Let functions and modules of these names be pickled with their code; numba pickles compiled ones by itself."""
    import cloudpickle
    from numba import cloudpickle as numbas

    registered = [
        (pickler, sys.modules[name])
        for pickler in (cloudpickle, numbas)
        for name in names
        if name in sys.modules and name not in pickler.list_registry_pickle_by_value()
    ]  # what is not loaded under its name is pickled with its code anyway
    for pickler, module in registered:
        pickler.register_pickle_by_value(module)
    try:
        yield
    finally:
        for pickler, module in registered:
            pickler.unregister_pickle_by_value(module)
