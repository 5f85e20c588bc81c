"""The one compile policy: every compiled function goes through :func:`kernel` or :func:`compile_decision`.

numba's disk cache looks at the file of the function itself and not at what it calls, so that an edit of an
imported kernel, constant or record leaves old machine code in use. Therefore the cache directory is scoped by
a digest of all source that compiled code can reach (``schema``, ``core``, ``strategies`` and this file).
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import logging
import os
import pickle
import shutil
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import numba
from numba.core import caching, config


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
_NO_PART_OF_PLAY = {"aliases.py", "check.py", "contract.py", "explain.py", "guide.py", "reached.py"}
"""Files of the compiled folders that no row can depend on."""

KEEP_DAYS = 30
"""Caches of other versions of the source that were not used for so long are removed."""

_PROBE = b"\0" * 65_536
"""Written to see whether a folder takes anything: on a full disk an empty file can still be made."""

log = logging.getLogger("gincore")
"""Without a handler of the user's, a warning is one line on stderr."""


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
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(_PROBE)
            file.flush()
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
    _warn_once(_base_directories(), "it cannot be written, or its disk is full")
    return None


_WARNED = threading.Event()


def _warn_once(folders: Iterable[Path], reason: str) -> None:
    """Say in one line, once a process, that compiled code is not kept."""
    if not _WARNED.is_set():
        _WARNED.set()
        log.warning(
            "gincore: compiled code cannot be kept in %s (%s), so each process compiles anew; "
            "GINCORE_CACHE_DIR names another folder",
            " or ".join(str(folder) for folder in folders),
            reason,
        )


class _CheckedFiles(caching.IndexDataCacheFile):  # type: ignore[misc]
    """numba's files of one function, each with a checksum at its end: damaged machine code must never run."""

    def _dump(self, obj: Any) -> bytes:
        data: bytes = super()._dump(obj)
        return data + hashlib.sha256(data).digest()  # numba does not read what follows a pickle

    def _load_index(self) -> Any:
        try:
            _remove_if_damaged(self._index_path, versioned=True)
        except FileNotFoundError:
            return {}
        return super()._load_index()

    def _load_data(self, name: str) -> Any:
        _remove_if_damaged(self._data_path(name), versioned=False)
        return super()._load_data(name)


def _remove_if_damaged(path: str, *, versioned: bool) -> None:
    """Remove a file that is not as it was written, and raise ``FileNotFoundError`` as if it had never been there."""
    with open(path, "rb") as file:
        try:
            if versioned:
                pickle.load(file)  # numba's version stands in front of the rest
            content = file.read()
            whole = hashlib.sha256(content[:-32]).digest() == content[-32:]
        except OSError:
            raise
        except Exception:  # bytes that are no pickle raise almost anything
            whole = False
    if not whole:
        Path(path).unlink(missing_ok=True)
        raise FileNotFoundError(path)


class _HealingCache(caching.FunctionCache):  # type: ignore[misc]
    """numba's cache of one function: what is damaged is compiled anew, and a full disk is no error."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        locator = self._impl.locator
        self._cache_file = _CheckedFiles(self._cache_path, self._impl.filename_base, locator.get_source_stamp())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the compiled code of a signature; None if there is none that can be used."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # it cannot be read, or LLVM cannot use it
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the compiled code of a signature, if the disk takes it."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _warn_once([Path(self._cache_path).parent], error.strerror or type(error).__name__)
            self.disable()


def _compile(function: Callable[..., Any], signature: Any = None, **options: Any) -> Any:
    """Compile with the package's options, the disk cache scoped by the digest of the source."""
    folder = None if config.DISABLE_JIT else cache_directory()
    with _LOCK:
        return _compile_in(folder, function, signature, options)


def _compile_in(folder: Path | None, function: Callable[..., Any], signature: Any, options: dict[str, Any]) -> Any:
    before = config.CACHE_DIR
    if folder is not None:
        config.CACHE_DIR = str(folder)
    try:
        with warnings.catch_warnings():  # first-class functions are "experimental"; the tests hold them to their word
            warnings.simplefilter("ignore", numba.errors.NumbaExperimentalFeatureWarning)
            compiled = numba.njit(nogil=True, **options)(function)
            if folder is not None:
                _keep_in(folder, compiled, function)
            if signature is not None and not config.DISABLE_JIT:
                compiled.compile(signature)
                compiled.disable_compile()
            return compiled
    finally:
        config.CACHE_DIR = before


def _keep_in(folder: Path, compiled: Any, function: Callable[..., Any]) -> None:
    """Give a function its cache; where numba would put it elsewhere, as the folder is full or gone, it gets none."""
    try:
        cache = _HealingCache(function)
    except RuntimeError as error:  # "no locator available"
        _warn_once([folder], str(error))
        return
    if Path(cache.cache_path).is_relative_to(folder):
        compiled._cache = cache
    else:
        _warn_once([folder], "it cannot be written, or its disk is full")


def kernel(function: F) -> F:
    """Mark a function of ``core`` as compiled; its types are inferred at the first call."""
    compiled: F = _compile(function)
    return compiled


def inlined(function: F) -> F:
    """Mark a kernel as part of its callers: one of the innermost loop, where each call costs a tenth of the work."""
    compiled: F = _compile(function, forceinline=True)
    return compiled


def eager(signature: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile a kernel for one signature at once: needed where decisions are passed as arguments."""
    return lambda function: _compile(function, signature)


def compile_decision(function: Callable[..., Any], signature: Any, *, cache: bool) -> Any:
    """Compile a decision of a strategy.

    Only the package's own decisions are cached on disk: the digest knows their source. A user's file may import
    helpers that no digest covers, so it is compiled in each process (a few tenths of a second), and every index is
    checked: what a wrong one reads would be chance.
    """
    if cache:
        return _compile(function, signature)
    return numba.njit(signature, nogil=True, boundscheck=True)(function)
