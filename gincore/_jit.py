"""The one compile policy: every compiled function goes through :func:`kernel` or :func:`compile_decision`.

numba's disk cache looks at the file of the function itself and not at what it calls, so that an edit of an
imported kernel, constant or record leaves old machine code in use. Therefore the cache directory is scoped by
a digest of all source that compiled code can reach (``schema``, ``core``, ``strategies`` and this file).
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import os
import shutil
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import numba
from numba.core import config


def _import_array_code() -> None:
    """Import numba's array functions without SciPy's linear algebra.

    numba imports ``scipy.linalg.cython_blas`` only to see that it is there (a fifth of the time to the first hand), and
    again when compiled code first multiplies matrices. SciPy is one of our dependencies, so the first look is answered
    by a placeholder that is gone before anybody can use it.
    """
    name = "scipy.linalg.cython_blas"
    if name in sys.modules:
        return
    sys.modules[name] = ModuleType(name)
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        del sys.modules[name]


_import_array_code()

F = TypeVar("F", bound=Callable[..., Any])
_LOCK = threading.RLock()
"""numba's settings are global: one thread at a time changes them."""

PACKAGE = Path(__file__).resolve().parent
_NO_PART_OF_PLAY = {"contract.py"}
"""Files of the compiled folders that tests use and no run does."""

KEEP_DAYS = 30
"""Caches of other versions of the source that were not used for so long are removed."""


@functools.cache
def source_digest() -> str:
    """Digest of the source behind the results of a run and behind compiled code.

    Returns
    -------
    str
        Sixteen hexadecimal digits; equal source gives equal digits on every machine.
    """
    files = [PACKAGE / "schema.py", PACKAGE / "_jit.py"]
    for folder in ("core", "strategies"):
        files += sorted(file for file in (PACKAGE / folder).rglob("*.py") if file.name not in _NO_PART_OF_PLAY)
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.relative_to(PACKAGE).as_posix().encode())
        digest.update(b"\0")
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _base_directories() -> list[Path]:
    chosen = os.environ.get("GINCORE_CACHE_DIR")
    if chosen:
        return [Path(chosen)]
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    user = os.getuid() if hasattr(os, "getuid") else "user"
    return [Path(home) / "gincore", Path(tempfile.gettempdir()) / f"gincore-{user}"]


def _usable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if hasattr(os, "getuid") and folder.stat().st_uid != os.getuid():
            return False
        with tempfile.TemporaryFile(dir=folder):
            pass
        os.utime(folder)
    except OSError:
        return False
    return True


def _prune(base: Path, current: Path) -> None:
    """Remove caches of older source that nobody has used for ``KEEP_DAYS``."""
    limit = time.time() - KEEP_DAYS * 86_400
    for folder in base.iterdir():
        try:
            if folder != current and folder.is_dir() and folder.stat().st_mtime < limit:
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            continue


@functools.cache
def cache_directory() -> Path | None:
    """Folder of this source's compiled code, or None where nothing can be written.

    ``GINCORE_CACHE_DIR`` chooses the base folder; otherwise it is the user's cache folder and, where that
    cannot be written, a folder of the user's in the temporary directory.
    """
    name = f"{source_digest()}{'-boundscheck' if config.BOUNDSCHECK else ''}"
    for base in _base_directories():
        folder = base / name
        if _usable(base) and _usable(folder):
            _prune(base, folder)
            return folder
    warnings.warn(
        "gincore: no folder for compiled code can be written, so each process compiles anew; set GINCORE_CACHE_DIR",
        RuntimeWarning,
        stacklevel=2,
    )
    return None


def _compile(function: Callable[..., Any], signature: Any = None) -> Any:
    """Compile with the package's options, the disk cache scoped by the digest of the source."""
    folder = None if config.DISABLE_JIT else cache_directory()
    options: dict[str, Any] = {"nogil": True, "cache": folder is not None}
    arguments = () if signature is None else (signature,)
    with _LOCK:
        return _compile_in(folder, function, arguments, options)


def _compile_in(folder: Path | None, function: Callable[..., Any], arguments: Any, options: dict[str, Any]) -> Any:
    before = config.CACHE_DIR
    if folder is not None:
        config.CACHE_DIR = str(folder)
    try:
        with warnings.catch_warnings():  # first-class functions are "experimental"; the tests hold them to their word
            warnings.simplefilter("ignore", numba.errors.NumbaExperimentalFeatureWarning)
            return numba.njit(*arguments, **options)(function)
    finally:
        config.CACHE_DIR = before


def kernel(function: F) -> F:
    """Mark a function of ``core`` as compiled; its types are inferred at the first call."""
    compiled: F = _compile(function)
    return compiled


def eager(signature: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile a kernel for one signature at once: needed where decisions are passed as arguments."""
    return lambda function: _compile(function, signature)


def compile_decision(function: Callable[..., Any], signature: Any, *, cache: bool) -> Any:
    """Compile a decision of a strategy.

    Only the package's own decisions are cached on disk: the digest knows their source. A user's file may import
    helpers that no digest covers, so it is compiled in each process (a few tenths of a second).
    """
    if cache:
        return _compile(function, signature)
    return numba.njit(signature, nogil=True)(function)
