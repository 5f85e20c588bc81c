"""Strategies by name, from the package or from a user's file."""

from __future__ import annotations

import difflib
import functools
import hashlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from gincore.errors import UsageError
from gincore.strategies.base import Strategy
from gincore.strategies.gin_only import GIN_ONLY
from gincore.strategies.simple import SIMPLE
from gincore.strategies.threshold import THRESHOLD
from gincore.strategies.uniform import RANDOM

SHIPPED = {strategy.name: strategy for strategy in (SIMPLE, THRESHOLD, GIN_ONLY, RANDOM)}


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


@functools.cache
def _module(path: Path, content: bytes, text: str) -> ModuleType:
    """The user's file as a module, run anew only when its content has changed."""
    name = f"gincore_user_{hashlib.sha256(str(path).encode() + content).hexdigest()[:12]}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UsageError(f"strategy {text}: {path.name} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except UsageError:
        raise
    except Exception as error:
        raise UsageError(f"strategy {text}: {path.name} fails with {type(error).__name__}: {error}") from error
    return module


def load_file(path: Path, text: str) -> ModuleType:
    """A user's file as a module; ``text`` is how the strategy was asked for."""
    return _module(path, path.read_bytes(), text)


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
