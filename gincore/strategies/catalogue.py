"""Strategies by name, from the package or from a user's file."""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

from gincore.errors import UsageError, nearest, quoted, shortened
from gincore.strategies import library, toml_file
from gincore.strategies.base import Strategy
from gincore.strategies.beside import LOADED, files_beside
from gincore.strategies.decisions import KINDS
from gincore.strategies.shipped import ASIDE, SHIPPED

ABOUT = SHIPPED.about
"""What each strategy does."""

FORMS = "FILE.py:NAME, FILE.toml:NAME or draw=..,discard=..,knock=.. of 'gincore strategies decisions'"
"""How a strategy can be named beside the shipped names."""

_ENDINGS = (".py", ".toml")


def names() -> list[str]:
    """Names of the strategies that come with the package."""
    return list(SHIPPED)


def pool() -> list[str]:
    """Names of those that meet in an arena where no players are named."""
    return [name for name in SHIPPED if name not in ASIDE]


def get(strategy: str | Strategy) -> Strategy:
    """A strategy from its text form.

    Parameters
    ----------
    strategy : str or Strategy
        ``NAME``, ``FILE.py:NAME`` or ``FILE.toml:NAME`` (the name may be left out where the file has one strategy),
        each with ``,parameter=value`` and ``,draw=DECISION`` (``discard``, ``knock``) behind it as often as needed.
        Where it begins with one of these, it builds on ``simple``.

    Raises
    ------
    UsageError
        The name, the file, the parameter or its value is not known or not allowed.

    Examples
    --------
    >>> get("threshold,limit=4").params["limit"]
    4.0
    >>> get("draw=improve,knock=fixed,limit=4").params
    {'draw_gain': 5.0, 'limit': 4.0}
    """
    if isinstance(strategy, Strategy):
        return strategy
    if not isinstance(strategy, str):
        raise UsageError(f"strategy {quoted(strategy)}: must be a text or a gincore.Strategy; allowed: a name, {FORMS}")
    first, *settings = strategy.split(",")
    path, _ = _file_and_name(first)
    if path is None and "=" in first:
        return _changed(SHIPPED["simple"], strategy, [first, *settings])
    return _changed(_named(first), strategy, settings)


def _named(text: str) -> Strategy:
    path, name = _file_and_name(text)
    if path is None:
        return _shipped(text)
    return toml_file.read(path, name, text) if path.endswith(".toml") else _from_file(path, name, text)


def _file_and_name(text: str) -> tuple[str | None, str]:
    """Return the file and the name in it that a text asks for; no file where it names a shipped strategy."""
    for ending in _ENDINGS:
        if text.endswith(ending):
            return text, ""
        if f"{ending}:" in text:
            path, _, name = text.rpartition(":")
            return path, name
    return None, text


def _changed(base: Strategy, text: str, settings: list[str]) -> Strategy:
    """Return a strategy with the decisions and parameters that are set in its text form."""
    chosen: dict[str, str] = {}
    values: dict[str, float] = {}
    for setting in settings:
        key, sign, value = (word.strip() for word in setting.partition("="))
        if not sign:
            raise UsageError(
                f"strategy {shortened(text)}: {quoted(setting)} is not parameter=value or {'|'.join(KINDS)}=DECISION"
            )
        if key in values or key in chosen:
            raise UsageError(f"strategy {shortened(text)}: {key} is given twice")
        if key in KINDS:
            chosen[key] = value
            continue
        try:
            values[key] = float(value)
        except ValueError:
            raise UsageError(f"strategy {shortened(text)}: {key}={shortened(value)} is not a number") from None
    if chosen:
        return Strategy(text, **chosen, params=values, base=base)  # type: ignore[arg-type]
    return base.with_params(**values) if values else base


def text_of(strategy: Strategy) -> str | None:
    """Return a strategy's text form, as :func:`get` takes it, if it is made of the library's decisions.

    >>> text_of(Strategy("mine", knock="fixed", params={"limit": 4}))
    'draw=meld,discard=least,knock=fixed,limit=4.0'
    """
    if strategy in toml_file.READ:
        return toml_file.READ[strategy]
    if _file_and_name(strategy.name)[0] is None:
        with contextlib.suppress(UsageError):
            if get(strategy.name).parts == strategy.parts:
                return strategy.name
    entries = [library.entry_of(part.decision) for part in strategy.parts]
    if None in entries or any(part.table for part in strategy.parts):
        return None
    words = [f"{entry.kind}={entry.name}" for entry in entries if entry]
    return ",".join([*words, *(f"{key}={value!r}" for key, value in strategy.params.items())])


def _shipped(name: str) -> Strategy:
    if name in SHIPPED:
        return SHIPPED[name]
    raise UsageError(
        f"strategy {quoted(name)} is not known{nearest(name, SHIPPED)}; allowed: {', '.join(SHIPPED)}, {FORMS}"
    )


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
        raise UsageError(f"strategy {shortened(text)}: {path.name} cannot be read: {error.strerror}") from error
    key = path, digest.digest()
    if key not in _FILES:
        _FILES[key] = _run_file(path, f"gincore_user_{digest.hexdigest()[:12]}", beside, text)
    return _FILES[key]


def _run_file(path: Path, name: str, beside: dict[str, Path], text: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UsageError(f"strategy {shortened(text)}: {path.name} is not a Python file")
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
        raise UsageError(f"strategy {shortened(text)}: {path.name} fails with {reason}") from error
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


def _from_file(file: str, name: str, text: str) -> Strategy:
    path = Path(file).expanduser()
    if not path.is_file():
        raise UsageError(f"strategy {shortened(text)}: there is no file {shortened(file)}")
    if not name:
        raise UsageError(f"strategy {shortened(text)}: name the strategy in the file, as in {shortened(file)}:NAME")
    module = load_file(path.resolve(), text)
    found = getattr(module, name, None)
    if isinstance(found, Strategy):
        return found
    there = [key for key, value in vars(module).items() if isinstance(value, Strategy)]
    said = f"it has: {', '.join(there)}" if there else "it has no gincore.Strategy"
    raise UsageError(f"strategy {shortened(text)}: {shortened(file)} has no strategy {quoted(name)}; {said}")
