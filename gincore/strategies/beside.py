"""The modules beside a strategy's file: helpers that it imports from its own folder."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

LOADED: dict[tuple[str, str], ModuleType] = {}
"""Modules that were imported from beside a strategy's file, by name and path: two folders may use one name."""

_COVERED = "gincore"
"""The package itself, whose source has a digest of its own."""


def files_beside(file: Path) -> dict[str, Path]:
    """Return the modules that a file imports from its own folder, and those that these import, by name.

    Only the text is read, so that the answer is the same in every process. What is imported by other means than an
    ``import`` statement is not seen.
    """
    folder, found, waiting = file.parent, dict[str, Path](), [("", file)]
    while waiting:
        module, path = waiting.pop()
        for name in _imported(module, path):
            if name.split(".")[0] == _COVERED or name in found:
                continue
            place = folder.joinpath(*name.split("."))
            for candidate in (place / "__init__.py", place.with_name(f"{place.name}.py")):
                if candidate.is_file() and candidate != file:
                    found[name] = candidate
                    waiting.append((name, candidate))
                    break
    return dict(sorted(found.items()))


def _imported(module: str, path: Path) -> Iterator[str]:
    """Yield the dotted names that a module may import; some of them are names inside a module."""
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return
    package = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield from _prefixes(alias.name.split("."))
        elif isinstance(node, ast.ImportFrom):
            start = package[: len(package) - node.level + 1] if node.level else []
            parts = [*start, *(node.module.split(".") if node.module else [])]
            yield from _prefixes(parts)
            yield from (".".join([*parts, alias.name]) for alias in node.names if alias.name != "*")


def _prefixes(parts: list[str]) -> Iterator[str]:
    yield from (".".join(parts[: end + 1]) for end in range(len(parts)))
