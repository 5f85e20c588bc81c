"""The manifest of a run folder: written, read back, and told from that of something else."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from gincore.errors import RunError, UsageError, quoted, shortened
from gincore.runs.layout import Layout
from gincore.runs.parts import WholeFile, naming
from gincore.runs.plan import Plan, identity
from gincore.schema import FORMAT_VERSION

MANIFEST: Final = "manifest.json"

SUBFOLDERS: Final = {"hands": ".parquet", "games": ".parquet", "stats": ".npz"}
"""Folders of parts, and how the names of their parts end."""


def is_run(manifest: Mapping[str, Any]) -> bool:
    """Return whether a manifest is that of a run (a report has one too)."""
    return "kind" in manifest and "format" in manifest and "report" not in manifest


def what_is_in(manifest: Mapping[str, Any]) -> str:
    """Say what a folder holds whose manifest is not that of a run."""
    if "report" not in manifest:
        return f"the {MANIFEST} of something else"
    return f"a {shortened(str(manifest['report']))} report"


def refuse_old(path: Path, manifest: Mapping[str, Any]) -> None:
    """Refuse a run whose parts lie beside the manifest, as they did before format 3."""
    if old_parts(path):
        raise RunError(
            f"{path}: its parts lie beside {MANIFEST}, as an older gincore wrote them "
            f"(format {quoted(manifest.get('format'))}); play it again into another folder"
        )


def read_manifest(path: Path) -> dict[str, Any]:
    """Return the manifest of a stored run.

    Raises
    ------
    UsageError
        There is no run folder at this path.
    RunError
        The manifest cannot be read, or is of another format.
    """
    if not path.is_dir():
        raise UsageError(f"{str(path)!r}: there is no such folder")
    manifest = stored_manifest(path)
    if manifest is None:
        raise UsageError(f"{str(path)!r}: it holds no run ({MANIFEST} is missing)")
    if "report" in manifest:
        raise UsageError(f"{str(path)!r}: it holds {what_is_in(manifest)}, not a run")
    if manifest.get("format") != FORMAT_VERSION:
        raise RunError(f"{path}: its format is {quoted(manifest.get('format'))}, this gincore reads {FORMAT_VERSION}")
    refuse_old(path, manifest)
    return manifest


def stored_manifest(path: Path) -> dict[str, Any] | None:
    """Return the manifest in a folder as it stands, or None if there is none; ``RunError`` if it cannot be read."""
    file = path / MANIFEST
    try:
        manifest = json.loads(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise RunError(f"cannot read {file}: {error.strerror}") from error
    except ValueError as error:
        raise RunError(f"cannot read {file}: it is not JSON ({error})") from error
    if not isinstance(manifest, dict):
        raise RunError(f"cannot read {file}: it is not a manifest")
    return manifest


def write_manifest(path: Path, plan: Plan) -> None:
    """Write the manifest of a plan that begins."""
    manifest = {**plan.manifest(), "created": datetime.now(UTC).isoformat(timespec="seconds")}
    file = path / MANIFEST
    with naming(file), WholeFile(file) as whole:
        whole.file.write(json_bytes(manifest))


def json_bytes(value: object) -> bytes:
    """Return JSON for a file, as UTF-8; bytes of a path that are no letters become escapes that JSON reads back."""
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode("utf-8", "backslashreplace")


def shape_of(manifest: Mapping[str, Any], path: Path) -> tuple[Layout, str]:
    """Return the layout and the identity that a manifest names; one that lacks an entry is refused."""
    try:
        return Layout.from_manifest(manifest), identity(manifest)
    except (KeyError, TypeError, ValueError) as error:
        raise RunError(f"cannot read {path / MANIFEST}: {shortened(str(error))} is missing or wrong") from error


def part_numbers(folder: Path) -> list[int]:
    """Return the numbers of the parts in one subfolder."""
    try:
        names = os.listdir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return []
    matches = [re.fullmatch(r"part-([0-9]{5})\.(parquet|npz)", name) for name in names]
    return [int(match[1]) for match in matches if match]


def old_parts(path: Path) -> bool:
    """Return whether parts lie beside the manifest, as they did before format 3."""
    return any(re.fullmatch(r"(part|games|stats)-[0-9]{5}\.(parquet|npz)", name) for name in os.listdir(path))


def has_parts(path: Path) -> bool:
    """Return whether a folder holds any part, of this format or an older one."""
    return old_parts(path) or any(part_numbers(path / name) for name in SUBFOLDERS)
