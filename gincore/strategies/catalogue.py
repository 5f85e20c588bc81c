"""Strategies by name, from the package or from a user's file."""

from __future__ import annotations

import contextlib
import difflib
import hashlib
import importlib
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from gincore.errors import UsageError
from gincore.strategies.base import Strategy
from gincore.strategies.beside import LOADED, files_beside
from gincore.strategies.careless import CARELESS
from gincore.strategies.gin_only import GIN_ONLY
from gincore.strategies.simple import SIMPLE
from gincore.strategies.threshold import THRESHOLD
from gincore.strategies.uniform import RANDOM

SHIPPED = {strategy.name: strategy for strategy in (SIMPLE, THRESHOLD, GIN_ONLY, CARELESS, RANDOM)}

ABOUT = {
    "simple": "takes the top card only for a meld, throws a card that leaves the least deadwood, knocks at once",
    "threshold": "plays as simple, but knocks only at or below a limit of its own, by turn",
    "gin-only": "plays as simple, but goes out only with gin or big gin",
    "careless": "plays as simple, but throws a card at random now and then: a known step weaker",
    "random": "gives legal answers at random: a yardstick, and a tester of rules",
}
"""What each strategy does."""

MEANING = {
    "threshold": {
        "limit": "highest deadwood in points to knock with; a fraction counts as the whole number below it",
        "late_limit": "the same from turn late_turn on; -1: no other limit then",
        "late_turn": "completed turns of both players from which late_limit holds",
    },
    "careless": {"errors": "share of throws that are random, 0..1"},
}
"""What the parameters of a strategy mean."""


def names() -> list[str]:
    """Names of the strategies that come with the package."""
    return list(SHIPPED)


def get(strategy: str | Strategy) -> Strategy:
    """A strategy from its text form.

    Parameters
    ----------
    strategy : str or Strategy
        ``NAME``, ``FILE.py:NAME``, each with ``,parameter=value`` behind it as often as needed.

    Raises
    ------
    UsageError
        The name, the file, the parameter or its value is not known or not allowed.

    Examples
    --------
    >>> get("threshold,limit=4").params["limit"]
    4.0
    """
    if isinstance(strategy, Strategy):
        return strategy
    if not isinstance(strategy, str):
        raise UsageError(f"strategy {strategy!r}: must be a name, FILE.py:NAME or a gincore.Strategy")
    text, *settings = strategy.split(",")
    found = _from_file(text) if ".py:" in text or text.endswith(".py") else _shipped(text)
    if not settings:
        return found
    values = {}
    for setting in settings:
        key, sign, value = setting.partition("=")
        if not sign:
            raise UsageError(f"strategy {strategy}: {setting!r} is not parameter=value")
        if key.strip() in values:
            raise UsageError(f"strategy {strategy}: {key.strip()} is given twice")
        try:
            values[key.strip()] = float(value)
        except ValueError:
            raise UsageError(f"strategy {strategy}: {key}={value} is not a number") from None
    return found.with_params(**values)


def _shipped(name: str) -> Strategy:
    if name in SHIPPED:
        return SHIPPED[name]
    near = difflib.get_close_matches(name, SHIPPED, 1)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    raise UsageError(f"strategy {name!r} is not known{hint}; allowed: {', '.join(SHIPPED)}, or FILE.py:NAME")


_FILES: dict[tuple[Path, bytes], ModuleType] = {}
"""Users' files, by path and digest of their text and of the modules beside them."""


def load_file(path: Path, text: str) -> ModuleType:
    """A user's file as a module, run anew only when it or a module beside it has changed.

    Its folder stands on ``sys.path`` while it runs, so that it can import helpers beside it, and what it prints goes
    to stderr. ``text`` is how the strategy was asked for.
    """
    try:
        content = path.read_bytes()
        beside = files_beside(path)
        digest = hashlib.sha256(str(path).encode() + content)
        for file in beside.values():
            digest.update(file.read_bytes())
    except OSError as error:
        raise UsageError(f"strategy {text}: {path.name} cannot be read: {error.strerror}") from error
    key = path, digest.digest()
    if key not in _FILES:
        _FILES[key] = _run_file(path, f"gincore_user_{digest.hexdigest()[:12]}", beside, text)
    return _FILES[key]


def _run_file(path: Path, name: str, beside: dict[str, Path], text: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UsageError(f"strategy {text}: {path.name} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        with _folder_first(path.parent, beside), contextlib.redirect_stdout(sys.stderr):
            spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, UsageError | KeyboardInterrupt):
            raise
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        if isinstance(error, SyntaxError):
            reason += f" in {error.filename}" if error.filename not in (None, str(path)) else ""
        raise UsageError(f"strategy {text}: {path.name} fails with {reason}") from error
    return module


@contextlib.contextmanager
def _folder_first(folder: Path, beside: dict[str, Path]) -> Iterator[None]:
    """Let modules be imported from a folder; those of the same names from elsewhere are put back afterwards."""
    before = {name: sys.modules.pop(name) for name in beside if name in sys.modules}
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name, place in beside.items():
            if name in sys.modules:
                LOADED[name, str(place.resolve())] = sys.modules[name]
        for name, module in before.items():
            file = getattr(module, "__file__", None)
            if file is None or Path(file).resolve() != beside[name].resolve():
                sys.modules[name] = module


def _from_file(text: str) -> Strategy:
    file_text, _, name = text.rpartition(":") if ".py:" in text else (text, "", "")
    path = Path(file_text).expanduser()
    if not path.is_file():
        raise UsageError(f"strategy {text}: there is no file {file_text}")
    if not name:
        raise UsageError(f"strategy {text}: name the strategy in the file, as in {file_text}:NAME")
    module = load_file(path.resolve(), text)
    found = getattr(module, name, None)
    if isinstance(found, Strategy):
        return found
    there = [key for key, value in vars(module).items() if isinstance(value, Strategy)]
    said = f"it has: {', '.join(there)}" if there else "it has no gincore.Strategy"
    raise UsageError(f"strategy {text}: {file_text} has no strategy {name!r}; {said}")
