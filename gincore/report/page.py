"""What all reports share: the folder, tables and figures on disk, and the page.

A report folder holds ``index.html`` (opens from disk, asks the network for nothing), ``figures/`` (PNG and SVG),
``tables/`` (CSV and Parquet), ``rules.toml`` and ``manifest.json``. It is built in a hidden folder and put in its place
when it is whole, so that a full disk, Ctrl-C or a failure leaves nothing of it.
"""

from __future__ import annotations

import base64
import io
import json
import math
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import uuid4

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from PIL import Image

from gincore.errors import RunError, UsageError, quoted, shortened

MANIFEST: Final = "manifest.json"

_HERE: Final = Path(__file__).parent
_DOTS_PER_INCH: Final = 200
_COLOURS: Final = 64
_COMPRESSION: Final = 3
"""Of PNGs, of 9: a third of the time of the usual 6, a tenth more bytes."""


class Drawing(NamedTuple):
    """A chart to be drawn: file name, figure and axes, function on axes, frame, title, line under it."""

    name: str
    place: tuple[Figure, Axes]
    plot: Callable[..., Axes]
    frame: pd.DataFrame
    title: str
    caption: str


@dataclass(frozen=True)
class Chart:
    """A figure on the page.

    Attributes
    ----------
    name
        File name without ending.
    alt
        What the chart shows, for readers who do not see it.
    caption
        Line under the chart.
    source
        Data URI of the image.
    table
        Path of the CSV with the chart's numbers, relative to the page.
    """

    name: str
    alt: str
    caption: str
    source: str
    table: str


@dataclass(frozen=True)
class Cell:
    """A cell of a table: the text shown, smaller text under it, and the value by which the column sorts."""

    text: str
    below: str = ""
    value: float | str = ""


@dataclass(frozen=True)
class Table:
    """A table on the page: caption, column heads, rows of cells, and the path of its CSV relative to the page."""

    caption: str
    heads: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    table: str


class Folder:
    """A report's folder while it is built. Made by :func:`building`.

    Attributes
    ----------
    report
        Name of the report, such as ``knock-threshold``.
    path
        Where the report will lie, as the caller named it.
    hidden
        Where it is built.
    placed
        Whether it is whole and lies in its place.
    """

    def __init__(self, report: str, path: Path, hidden: Path) -> None:
        self.report = report
        self.path = path
        self.hidden = hidden
        self.placed = False

    def write(self, name: str, content: bytes | str) -> Path:
        """Write a file under its name relative to the folder; return the path that it will have.

        Raises
        ------
        RunError
            If it cannot be written; the line names the file and the cause.
        """
        path = self.hidden / name
        with _naming(self.path / name):
            path.parent.mkdir(exist_ok=True)
            with path.open("wb") as file:
                file.write(content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content)
                file.flush()
                os.fsync(file.fileno())
        return self.path / name

    def save_table(self, frame: pd.DataFrame, name: str) -> str:
        """Save a frame as CSV and Parquet; return the CSV's path relative to the page."""
        parquet = io.BytesIO()
        frame.to_parquet(parquet, index=False)
        self.write(f"tables/{name}.parquet", parquet.getvalue())
        self.write(f"tables/{name}.csv", frame.to_csv(index=False, lineterminator="\n"))
        return f"tables/{name}.csv"

    def save_figure(
        self, figure: Figure, name: str, *, alt: str, caption: str, table: str, small: bool = False
    ) -> Chart:
        """Save a figure as PNG and SVG and return it for the page. The same figure gives the same bytes.

        The page shows the SVG; a page of very many charts is `small` and shows PNGs of few colours instead.
        """
        png, svg = io.BytesIO(), io.BytesIO()
        how = {"compress_level": _COMPRESSION}
        figure.savefig(png, format="png", dpi=_DOTS_PER_INCH, metadata={"Software": None}, pil_kwargs=how)
        figure.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
        drawn = _few_colours(png) if small else png.getvalue()
        self.write(f"figures/{name}.png", drawn)
        self.write(f"figures/{name}.svg", svg.getvalue())
        kind, shown = ("png", drawn) if small else ("svg+xml", svg.getvalue())
        source = f"data:image/{kind};base64," + base64.b64encode(shown).decode("ascii")
        return Chart(name, alt, caption, source, table)

    def save_manifest(self, content: Mapping[str, Any]) -> Path:
        """Write ``manifest.json``: the report's name and `content`."""
        text = json.dumps({"report": self.report, **content}, indent=2, ensure_ascii=False)
        return self.write(MANIFEST, text + "\n")

    def save_page(self, template: str, context: Mapping[str, Any]) -> Path:
        """Fill a template (path relative to the report package) and write ``index.html``."""
        return self.write("index.html", render(template, context))


def _few_colours(png: io.BytesIO) -> bytes:
    """Return a PNG with so few colours that it is a third as large; lines and letters look the same."""
    image = Image.open(png).convert("RGB").quantize(_COLOURS, dither=Image.Dither.NONE)
    made = io.BytesIO()
    image.save(made, "PNG", optimize=True)
    return made.getvalue()


@contextmanager
def building(out: str | Path, report: str, content: Mapping[str, Any]) -> Iterator[Folder]:
    """Check where a report is to go, and build it there: all of it, or nothing.

    Parameters
    ----------
    out
        Where the report goes; made if it does not exist. A folder that is not empty is refused, unless it holds a
        report of the same kind with the same plan, which is replaced; other files beside that are left alone.
    report
        Name of the report, such as ``knock-threshold``.
    content
        What its ``manifest.json`` will hold, from which the plan is known.

    Yields
    ------
    Folder
        To be filled inside the ``with`` block; leaving it by an exception removes all that was made.

    Raises
    ------
    UsageError
        If `out` is a file, cannot be made or written, or holds something else. Then nothing has been made.
    RunError
        If the disk is full or fails.
    """
    if not str(out):
        raise UsageError("output folder '': an empty text names no folder")
    shown = Path(out).expanduser()
    place = shown.absolute()
    _refuse_other(out, place, report, content)
    existing = place.exists()
    hidden = (place if existing else place.parent) / f".{report}-building-{uuid4().hex[:12]}"
    made = [] if existing else [parent for parent in place.parents if not parent.exists()]
    try:
        try:
            hidden.mkdir(parents=True)
            (hidden / "tables").mkdir()
            (hidden / "figures").mkdir()
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise UsageError(f"output folder {quoted(str(out))}: cannot be written ({reason}); name another") from None
        folder = Folder(report, shown, hidden)
        yield folder
        with _naming(shown), ThreadPoolExecutor(1) as pool:  # in a thread, which Ctrl-C does not stop half-way
            pool.submit(_put, folder, place, existing).result()
    except BaseException:
        shutil.rmtree(hidden, ignore_errors=True)
        for parent in made:
            with suppress(OSError):  # it is used by now
                parent.rmdir()
        raise


def _refuse_other(out: str | Path, place: Path, report: str, content: Mapping[str, Any]) -> None:
    """Refuse a file, and a folder that holds anything but this very report; hidden files do not count."""
    try:
        visible = sorted(name for name in os.listdir(place) if not name.startswith("."))
    except FileNotFoundError:
        return
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UsageError(f"output folder {quoted(str(out))}: cannot be used ({reason}); name another") from None
    if not visible:
        return
    named = f"output folder {quoted(str(out))}"
    try:
        manifest = json.loads((place / MANIFEST).read_text(encoding="utf-8"))
        owner = manifest.get("report")
    except (OSError, ValueError, AttributeError):
        manifest, owner = {}, None
    if owner is None:
        what = "a run" if "kind" in manifest else f"{', '.join(visible[:3])}{' and more' if len(visible) > 3 else ''}"
        raise UsageError(f"{named}: it is not empty, it holds {what}; name a new folder")
    if owner != report:
        raise UsageError(f"{named}: it holds another report ({shortened(str(owner))}); name a new folder")
    mine, theirs = _plan_of(json.loads(json.dumps(dict(content)))), _plan_of(manifest)
    if mine != theirs:
        different = [key for key in mine if mine[key] != theirs.get(key)]
        words = [
            f"{key}: {shortened(str(theirs[key]))} there, {shortened(str(mine[key]))} asked for"
            for key in different
            if key in _SHORT & theirs.keys()
        ]
        why = "; ".join(words) or "other rules or players"
        raise UsageError(f"{named}: it holds a {report} report of another plan ({why}); name a new folder")


_SHORT: Final = frozenset({"deals", "games", "seed", "level"})
"""Settings of a plan that are shown in a refusal."""

_NO_PLAN: Final = frozenset(
    {
        "command",
        "created",
        "digest",
        "format",
        "label",
        "report",
        "reproduce",
        "rules_version",
        "source_digest",
        "title",
        "versions",
    }
)
"""Entries of a manifest that are no part of a plan: the same report made by a newer gincore may take its place."""


def _plan_of(content: Any) -> Any:
    """Return the entries of a manifest that say what was asked for."""
    if isinstance(content, dict):
        return {key: _plan_of(value) for key, value in content.items() if key not in _NO_PLAN}
    return [_plan_of(value) for value in content] if isinstance(content, list) else content


def _put(folder: Folder, place: Path, existing: bool) -> None:
    """Put a report that is whole in its place; renaming takes no room on the disk."""
    if existing:
        for source in sorted(path for path in folder.hidden.rglob("*") if path.is_file()):
            target = place / source.relative_to(folder.hidden)
            target.parent.mkdir(exist_ok=True)
            source.replace(target)
        shutil.rmtree(folder.hidden, ignore_errors=True)
    else:
        folder.hidden.rename(place)
    folder.placed = True


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Turn a failure of the file system into one line that names the file and the cause."""
    try:
        yield
    except OSError as error:
        raise RunError(f"cannot write {path}: {error.strerror or type(error).__name__}") from error


def render(template: str, context: Mapping[str, Any]) -> str:
    """Fill a template; every value is escaped, and a missing one is an error."""
    loader = FileSystemLoader(_HERE)
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template(template).render(context)


def number(value: float, digits: int = 2, *, signed: bool = False) -> str:
    """Write a number with fixed decimals, so that it can be copied into a spreadsheet; ``n/a`` where there is none.

    >>> number(-1.234), number(0.5, signed=True), number(-0.001), number(float("nan"))
    ('-1.23', '+0.50', '0.00', 'n/a')
    """
    if math.isnan(value):
        return "n/a"
    text = f"{value:+.{digits}f}" if signed else f"{value:.{digits}f}"
    return f"{0:.{digits}f}" if float(text) == 0 else text


def interval_text(low: float, high: float, digits: int = 2, *, signed: bool = False) -> str:
    """Write an interval in brackets; a phrase where there is none.

    >>> interval_text(0.1, 0.25)
    '[0.10, 0.25]'
    """
    if math.isnan(low) or math.isnan(high):
        return "no interval"
    return f"[{number(low, digits, signed=signed)}, {number(high, digits, signed=signed)}]"
