"""An output folder is checked, locked and given its manifest, all before the first hand."""

from __future__ import annotations

import logging
import os
import platform
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from gincore.errors import RunError, UsageError
from gincore.runs.manifest import (
    has_parts,
    is_run,
    refuse_old,
    stored_manifest,
    what_is_in,
    write_manifest,
)
from gincore.runs.parts import TEMPORARY, naming
from gincore.runs.plan import Plan, identity
from gincore.runs.store import Folder

LOCK: Final = ".lock"

SHOWN: Final = 3
"""Files in the way that are named one by one."""

TOLD: Final = 5
"""Differences that are named one by one."""

log = logging.getLogger("gincore.runs")


@contextmanager
def claim(plan: Plan, path: Path, resume: bool) -> Iterator[tuple[Folder, Plan]]:
    """Check an output folder, lock it and put the manifest into it, all before the first hand.

    Parameters
    ----------
    plan
        What is to be played. If it leaves the chunk size open, a resumed folder's size is taken.
    path
        The folder; made if need be.
    resume
        Whether a run that is there already may be gone on with.

    Yields
    ------
    tuple of Folder and Plan
        The folder, locked, and the plan with its chunk size settled.

    Raises
    ------
    UsageError
        The path is no folder, holds something else, holds a run and ``resume`` is False, or holds another run (each
        difference is named, up to ``TOLD``). A run of which no part is finished may be begun anew.
    RunError
        The folder cannot be written, or another process is playing into it.
    """
    if path.exists() and not path.is_dir():
        raise UsageError(f"out {str(path)!r}: it is a file, not a folder")
    stored = stored_manifest(path)  # looked at before anything is made
    if stored is None:
        _refuse_foreign(path)
    elif not is_run(stored):
        raise UsageError(f"out {str(path)!r}: it holds {what_is_in(stored)}; choose another folder")
    with naming(path):
        path.mkdir(parents=True, exist_ok=True)
    with locked(path):
        stored = stored_manifest(path)
        if stored is None or not has_parts(path):
            plan = plan.with_chunk(plan.layout.chunk)
            write_manifest(path, plan)
        elif not resume:
            raise UsageError(
                f"out {str(path)!r}: it already holds a run; go on with it (--resume, resume=True) or choose another "
                "folder"
            )
        else:
            refuse_old(path, stored)
            if plan.chunk is None and isinstance(stored.get("chunk"), int):
                plan = plan.with_chunk(stored["chunk"])
            different = plan.differences(stored)
            if different:
                more = [f"and {len(different) - TOLD} more"] if len(different) > TOLD else []
                said = "; ".join([*different[:TOLD], *more])
                raise UsageError(f"out {str(path)!r} holds another run, choose another folder: {said}")
        folder = Folder(path, plan.layout, identity(plan.manifest()))
        for name in folder.subfolders:
            with naming(path / name):
                (path / name).mkdir(exist_ok=True)
            _sweep(path / name)
        yield folder, plan


def _refuse_foreign(path: Path) -> None:
    """Refuse a folder without a manifest that holds anything but hidden files."""
    if not path.exists():
        return
    with naming(path):
        found = sorted(name for name in os.listdir(path) if not name.startswith("."))
    if found:
        more = f" and {len(found) - SHOWN:,} more" if len(found) > SHOWN else ""
        names = ", ".join(found[:SHOWN]) + more
        raise UsageError(f"out {str(path)!r}: it is not empty and holds no run, but {names}; choose a new folder")


def _sweep(folder: Path) -> None:
    """Remove what a killed process left half-written; the lock is held, so nobody is writing them."""
    for name in os.listdir(folder):
        if re.fullmatch(rf"\.part-[0-9]{{5}}\.(parquet|npz){re.escape(TEMPORARY)}", name):
            (folder / name).unlink(missing_ok=True)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the folder's lock, which the system releases however the process ends; the file names who holds it."""
    file = path / LOCK
    with naming(file):
        handle = os.open(file, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        _lock(handle, path)
        with naming(file):
            os.ftruncate(handle, 0)
            os.write(handle, f"{os.getpid()} on {platform.node()}\n".encode())
        yield
    finally:
        os.close(handle)


def _lock(handle: int, path: Path) -> None:
    """Lock the open file, or say in one line which process has done so."""
    if sys.platform == "win32":
        return
    import fcntl

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        holder = os.read(handle, 200).decode("utf-8", "replace").strip()
        who = f"process {holder}" if re.fullmatch(r"[0-9]+ on [^\s]*", holder) else "another process"
        raise RunError(f"{path} is being written by {who}; wait for it or choose another folder") from error
    except OSError as error:  # a file system without locks
        log.warning("%s cannot be locked (%s): let no other process play into it", path, error.strerror)
