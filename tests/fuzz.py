"""Fuzzers: what may be given to gincore, broken in many ways. Each is a Hypothesis test of one example.

``test_fuzz.py`` runs a few examples of each, ``scripts/fuzz.py`` as many as a time allows. Right input is taken and
mutated, so that most of it is nearly right. What is refused must be refused by one short line; whatever is accepted
must play; a stored run must lose nothing.
"""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
from hypothesis import strategies as st

import gincore
from gincore import cards, strategies
from gincore.cli._main import main
from gincore.errors import RunError, UsageError

LONGEST = 1_000
"""Characters of a line that refuses something; lists of what is allowed are in it."""


def one_line(error: BaseException) -> None:
    """What is refused is refused by one line that says something."""
    text = str(error)
    assert text.strip(), repr(error)
    assert "\n" not in text, text
    assert len(text) <= LONGEST, text


@contextlib.contextmanager
def refused_or_right() -> Iterator[None]:
    """Run something that may be refused as wrong use, or fail as a run may."""
    try:
        yield
    except (UsageError, RunError) as error:
        one_line(error)


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        yield Path(name)


# ---------------------------------------------------------------- mutations


def pieces_of(text: str) -> list[str]:
    """Words, numbers and marks: what a mutation swaps, doubles or drops."""
    found, word = [], ""
    for letter in text:
        if letter.isalnum() or letter == "_":
            word += letter
            continue
        found += [word, letter] if word else [letter]
        word = ""
    return [*found, word] if word else found


STRANGE = [
    "", " ", "\n", "\0", "\x1b[31m", "\ufeff", "-", "=", "[", "]", "{", "}", '"', "'", "#", "0", "-1", "1e400", "nan",
    "inf", "9" * 30, "1.5", "true", "None", "[]", "{}", "é", "♥", "\u202e", "x" * 300, "..", "/", "../../etc", "**",
]  # fmt: skip


@st.composite
def mutated(draw: Any, text: str, extra: tuple[str, ...] = ()) -> str:
    """The text with up to four pieces dropped, doubled, swapped or replaced."""
    parts = pieces_of(text)
    for _ in range(draw(st.integers(0, 4))):
        place = draw(st.integers(0, max(len(parts) - 1, 0)))
        other = draw(
            st.one_of(st.sampled_from([*STRANGE, *extra]), st.sampled_from(parts or [""]), st.text(max_size=5))
        )
        kind = draw(st.sampled_from(("drop", "double", "put", "insert")))
        if kind == "drop":
            del parts[place : place + draw(st.integers(1, 3))]
        elif kind == "double":
            parts[place:place] = parts[place : place + 3]
        elif kind == "put":
            parts[place : place + 1] = [other]
        else:
            parts.insert(place, other)
    return "".join(parts)


@st.composite
def damaged(draw: Any, content: bytes) -> bytes:
    """Bytes cut off, overwritten, doubled or taken out."""
    data = bytearray(content)
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, max(len(data) - 1, 0)))
        kind = draw(st.sampled_from(("cut", "write", "remove", "insert", "zero")))
        if kind == "cut":
            del data[place:]
        elif kind == "write":
            data[place : place + 1] = draw(st.binary(min_size=1, max_size=8))
        elif kind == "remove":
            del data[place : place + draw(st.integers(1, 64))]
        elif kind == "insert":
            data[place:place] = draw(st.binary(min_size=1, max_size=32))
        else:
            data[place : place + 64] = bytes(len(data[place : place + 64]))
    return bytes(data)


# ---------------------------------------------------------------- cards

HANDS = ("Ac 2c 3c 4d 5d 6d 7h 8h 9h Js", "5h5s5c6h7h8hTdJdKd2c", "10D, K♥; A♠", "As Ac Ad 2s 2c 2d 2h 3s Jh Qh Kh")
CARDS = st.one_of(st.text(max_size=60), st.sampled_from(HANDS).flatmap(lambda text: mutated(text, ("Th", "10s", "♣"))))


def read_cards(text: str) -> None:
    """A text of cards is refused, or means what its canonical form means."""
    with refused_or_right():
        mask = gincore.parse_hand(text)
        assert gincore.parse_hand(gincore.format_hand(mask)) == mask
    with refused_or_right():
        found = cards.parse_cards(text)
        assert len(set(found)) == len(found)
        assert all(0 <= card < 52 for card in found)
    with refused_or_right():
        assert 0 <= int(gincore.deadwood([text])[0]) <= 100
    with refused_or_right():
        gincore.spreads(text)
    with refused_or_right():
        gincore.showdown(text, HANDS[0])


# ---------------------------------------------------------------- rule files


@cache
def rule_words() -> tuple[str, ...]:
    """Names and values of options: nearly right is where errors are."""
    text = "".join(gincore.rules(name).to_toml() for name in ("classic", "oklahoma", "hollywood", "cutthroat"))
    return tuple(sorted({piece for piece in pieces_of(text) if len(piece) > 2}))


RULE_FILES = st.sampled_from(("classic", "pagat", "hollywood", "partnership", "cutthroat", "random")).flatmap(
    lambda name: st.one_of(
        st.deferred(lambda: mutated("".join(_toml(name)), rule_words())).map(
            lambda text: text.encode("utf8", "replace")
        ),
        st.deferred(lambda: damaged("".join(_toml(name)).encode())),
    )
)


def _toml(name: str) -> str:
    if name == "random":
        return 'base = "classic"\nundercut_bonus = 10\nbox_bonus = 25\n[sources]\nundercut_bonus = "us"\n'
    return gincore.rules(name).to_toml()


def read_rules(content: bytes) -> None:
    """A rule file is refused, or it plays, and its own TOML is the same rules."""
    with folder() as place, refused_or_right():
        file = place / "house.toml"
        file.write_bytes(content)
        rules = gincore.rules(str(file))
        again = place / "again.toml"
        again.write_text(rules.to_toml(), "utf8")
        assert gincore.rules(str(again)).digest() == rules.digest()
        gincore.simulate(rules, ("simple", "gin-only"), deals=2, seed=1, workers=1, progress=False)


# ---------------------------------------------------------------- stored runs


DEALS, CHUNK = 40, 10


@cache
def stored() -> tuple[Path, pd.DataFrame]:
    """A run of four parts, and its rows."""
    place = Path(tempfile.mkdtemp(prefix="fuzz-run-"))
    return place / "run", _play(place / "run", resume=False)


def _play(out: Path, *, resume: bool) -> pd.DataFrame:
    players = ("simple", "gin-only")
    return gincore.simulate(
        "classic", players, deals=DEALS, seed=3, chunk=CHUNK, out=out, resume=resume, workers=1, progress=False
    ).hands


def open_and_resume(out: Path, whole: pd.DataFrame, *, must: bool) -> None:
    """What opens has the right rows; a run goes on to the right rows or is refused, and then nothing is touched."""
    before = {path: path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}
    with refused_or_right():
        assert gincore.open_run(out).hands.equals(whole)
    refusal: Exception | None = None
    try:
        assert _play(out, resume=True).equals(whole)
    except (UsageError, RunError) as error:
        refusal = error
    if refusal is not None:
        one_line(refusal)
        assert not must, refusal
        after = {path: path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}
        assert {path: after.get(path) for path in before} == before, "something was lost"


@st.composite
def manifests(draw: Any) -> bytes:
    """A manifest with another value somewhere, or other bytes."""
    content = (stored()[0] / "manifest.json").read_bytes()
    if draw(st.booleans()):
        return bytes(draw(damaged(content)))
    manifest = json.loads(content)
    place: Any = manifest
    while isinstance(place, dict | list) and place:
        key = draw(st.sampled_from(list(place))) if isinstance(place, dict) else draw(st.integers(0, len(place) - 1))
        if not isinstance(place[key], dict | list) or not place[key] or draw(st.integers(0, 3)) == 0:
            if draw(st.booleans()):
                del place[key]
            else:
                json_value = st.recursive(
                    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
                    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner, max_size=2),
                    max_leaves=4,
                )
                place[key] = draw(json_value)
            break
        place = place[key]
    return json.dumps(manifest).encode()


def read_manifest(content: bytes) -> None:
    """A manifest that is not the run's is refused, and nothing is lost."""
    run, whole = stored()
    with folder() as place:
        shutil.copytree(run, place / "run")
        (place / "run" / "manifest.json").write_bytes(content)
        open_and_resume(place / "run", whole, must=False)


@st.composite
def folders(draw: Any) -> dict[str, bytes | None]:
    """Parts by their names: damaged, missing, exchanged, of another kind, or added."""
    run, _ = stored()
    parts = {str(path.relative_to(run)): path.read_bytes() for path in sorted(run.rglob("*.parquet"))}
    names = list(parts)
    changed: dict[str, bytes | None] = {}
    for _ in range(draw(st.integers(1, 3))):
        name = draw(st.sampled_from(names))
        kind = draw(st.sampled_from(("damage", "remove", "exchange", "empty", "foreign", "add")))
        if kind == "damage":
            changed[name] = bytes(draw(damaged(parts[name])))
        elif kind == "remove":
            changed[name] = None
        elif kind == "exchange":
            changed[name] = parts[draw(st.sampled_from(names))]
        elif kind == "empty":
            changed[name] = b""
        elif kind == "foreign":
            sink = io.BytesIO()
            pd.DataFrame({draw(st.sampled_from(("deal", "x"))): [1, 2]}).to_parquet(sink)
            changed[name] = sink.getvalue()
        else:
            changed[
                f"hands/{draw(st.sampled_from(('notes.txt', '.part-00000.parquet.tmp', 'part-00009.parquet')))}"
            ] = b"x"
    return changed


def read_folder(changed: dict[str, bytes | None]) -> None:
    """Damaged parts are played again, and never read as they are."""
    run, whole = stored()
    with folder() as place:
        out = place / "run"
        shutil.copytree(run, out)
        for name, content in changed.items():
            if content is None:
                (out / name).unlink(missing_ok=True)
            else:
                (out / name).write_bytes(content)
        open_and_resume(out, whole, must="hands/part-00009.parquet" not in changed)


# ---------------------------------------------------------------- strategies

PYTHON = """import gincore
from gincore.strategies.choose import least_among, makes_meld


@gincore.decision
def draw(view, params):
    return makes_meld(view.hand, view.top, view.ace)


@gincore.decision
def knock(view, params):
    if view.turn < params[0]:
        return view.deadwood <= 10
    return view.deadwood <= params[1]


mine = gincore.Strategy("mine", draw=draw, knock=knock, params={"late": 8, "limit": 4}, bounds={"limit": (0, 10)})
"""
TOML = """[mine]
base = "threshold"
discard = "lookahead"
limit = 4

[other]
base = "mine"
knock = "gin-only"
"""
SPECS = (
    "threshold,limit=4",
    "draw=improve,discard=lookahead,knock=by-turn,draw_gain=3",
    "expert",
    "random",
    "table-eaai",
)
DANGEROUS = (
    "while",
    "for",
    "open",
    "exit",
    "quit",
    "input",
    "breakpoint",
    "exec",
    "eval",
    "remove",
    "system",
    "__import__",
)
"""What a user's own program may do by right: such files are not tried."""

STRATEGIES = st.one_of(
    st.tuples(st.just("py"), mutated(PYTHON, ("view", "params", "return", "None", "deadwood", "if"))),
    st.tuples(st.just("toml"), mutated(TOML, ("draw", "knock", "simple", "limit", "base"))),
    st.tuples(
        st.just("spec"), st.sampled_from(SPECS).flatmap(lambda text: mutated(text, ("limit", "simple", ",", "=")))
    ),
)


def read_strategy(given: tuple[str, str]) -> None:
    """A strategy is refused, or it plays, or fails as a run does: by one line that names it."""
    kind, text = given
    if kind == "py" and any(word in text for word in DANGEROUS):
        return
    with folder() as place, refused_or_right(), contextlib.redirect_stdout(io.StringIO()):
        name = text
        if kind != "spec":
            file = place / f"mine.{kind}"
            file.write_bytes(text.encode("utf8", "replace"))
            name = f"{file}:mine"
        found = strategies.get(name)
        gincore.simulate("classic", (found, "simple"), deals=2, seed=1, workers=1, progress=False)


# ---------------------------------------------------------------- the command line

COMMANDS = (
    "hand 5h5s5c6h7h8hTdJdKd2c --json",
    "showdown 5s6s7s9cTcJcJdKsKcKd 2s2c2d2hAc8s9s7c8c8d --rules oklahoma --limit 5",
    "rules show pagat --set undercut_bonus=25 --toml",
    "rules diff classic oklahoma --lang fr",
    "rules list --json",
    "simulate --strategy threshold,limit=4 --strategy simple --deals 5 --seed 7 --workers 1 --no-mirror",
    "simulate --deals 1e1 --keep stats --first-deal 3 --json",
    "games --rules straight --strategy gin-only --games 2 --seed 1",
    "arena simple gin-only --games 3 --rules eaai --json",
    "question list --lang fr",
    "strategies list --json",
    "metrics",
)
WORDS = tuple(sorted({piece for command in COMMANDS for piece in command.split()}))


@st.composite
def command_lines(draw: Any) -> list[str]:
    """The words of a right command, with some dropped, doubled, exchanged or mutated."""
    words = draw(st.sampled_from(COMMANDS)).split()
    for _ in range(draw(st.integers(0, 3))):
        place = draw(st.integers(0, len(words)))
        word = draw(
            st.one_of(st.sampled_from(WORDS), st.sampled_from(STRANGE), st.sampled_from(WORDS).flatmap(mutated))
        )
        kind = draw(st.sampled_from(("drop", "put", "insert")))
        words[place : place + (kind != "insert")] = [] if kind == "drop" else [word]
    return words


def _small(words: list[str]) -> bool:
    """Whether a command plays little: a number behind a size, and no command that plays by default."""
    plays = {"simulate": ("--deals",), "games": ("--games",), "arena": ("--games",)}
    if any(
        word in words for word in ("report", "bench", "warmup", "--sprt", "--explain", "--out", "exact", "T01", "all")
    ):
        return False
    for command, (flag,) in plays.items():
        if command in words:
            sizes = [words[place + 1] for place, word in enumerate(words[:-1]) if word == flag]
            if not sizes or any(len(size) > 3 or "e" in size.lower().replace("1e1", "") for size in sizes):
                return False
    return True


def call_command(words: list[str]) -> None:
    """Exit code 0, or 1 or 2 with one line on stderr, and never a traceback."""
    if not _small(words) or any("\0" in word for word in words):
        return
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(words)
    assert code in (0, 1, 2), (code, words)
    assert "Traceback" not in err.getvalue(), err.getvalue()
    if code:
        assert err.getvalue().startswith("gincore"), (words, err.getvalue())
        assert err.getvalue().count("\n") == 1, (words, err.getvalue())


TARGETS: dict[str, tuple[st.SearchStrategy[Any], Callable[[Any], None]]] = {
    "cards": (CARDS, read_cards),
    "rules": (RULE_FILES, read_rules),
    "manifests": (st.deferred(manifests), read_manifest),
    "folders": (st.deferred(folders), read_folder),
    "strategies": (STRATEGIES, read_strategy),
    "commands": (command_lines(), call_command),
}
"""Name: what is given, and what it is given to."""
