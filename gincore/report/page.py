"""What all reports share: the folder, tables and figures on disk, and the page.

A report folder holds ``index.html`` (opens from disk, asks the network for nothing), ``figures/`` (PNG and SVG),
``tables/`` (CSV and Parquet), ``rules.toml`` and ``manifest.json``. Every file is written under a temporary name and
renamed, so that a full disk or a stopped run leaves no half file under a final name.
"""

from __future__ import annotations

import base64
import io
import json
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from matplotlib.figure import Figure

from gincore.errors import UsageError, quoted

MANIFEST: Final = "manifest.json"

_HERE: Final = Path(__file__).parent
_DOTS_PER_INCH: Final = 200


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
        Data URI of the SVG.
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
    """A report's folder.

    Parameters
    ----------
    out
        Where the report goes; made if it does not exist. A report of the same kind that lies there is replaced, other
        files are left alone.
    report
        Name of the report, such as ``knock-threshold``.

    Raises
    ------
    UsageError
        If `out` is a file, cannot be made or written, or holds something else's ``manifest.json``.
    """

    def __init__(self, out: str | Path, report: str) -> None:
        self.report = report
        self.path = Path(out).expanduser()
        try:
            for folder in (self.path, self.path / "tables", self.path / "figures"):
                folder.mkdir(parents=True, exist_ok=True)
                probe = folder / f".probe-{os.getpid()}"
                probe.write_bytes(b"")
                probe.unlink()
        except OSError as error:
            reason = error.strerror or type(error).__name__
            raise UsageError(f"output folder {quoted(str(out))}: cannot be written ({reason}); name another") from None
        self._refuse_foreign(out)

    def _refuse_foreign(self, out: str | Path) -> None:
        manifest = self.path / MANIFEST
        if not manifest.exists():
            return
        try:
            owner = json.loads(manifest.read_text(encoding="utf-8")).get("report")
        except (OSError, ValueError, AttributeError):
            owner = None
        if owner != self.report:
            raise UsageError(f"output folder {quoted(str(out))}: holds another run or report; name a new folder")

    def write(self, name: str, content: bytes | str) -> Path:
        """Write a file under its name relative to the folder, whole or not at all, and return its path."""
        path = self.path / name
        temporary = path.with_name(f".tmp-{os.getpid()}-{path.name}")
        try:
            with temporary.open("wb") as file:
                file.write(content.encode("utf-8") if isinstance(content, str) else content)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
        return path

    def save_table(self, frame: pd.DataFrame, name: str) -> str:
        """Save a frame as CSV and Parquet; return the CSV's path relative to the page."""
        parquet = io.BytesIO()
        frame.to_parquet(parquet, index=False)
        self.write(f"tables/{name}.parquet", parquet.getvalue())
        self.write(f"tables/{name}.csv", frame.to_csv(index=False, lineterminator="\n"))
        return f"tables/{name}.csv"

    def save_figure(self, figure: Figure, name: str, *, alt: str, caption: str, table: str) -> Chart:
        """Save a figure as PNG and SVG and return it for the page. The same figure gives the same bytes."""
        png, svg = io.BytesIO(), io.BytesIO()
        figure.savefig(png, format="png", dpi=_DOTS_PER_INCH, metadata={"Software": None})
        figure.savefig(svg, format="svg", metadata={"Date": None, "Creator": None})
        self.write(f"figures/{name}.png", png.getvalue())
        self.write(f"figures/{name}.svg", svg.getvalue())
        source = "data:image/svg+xml;base64," + base64.b64encode(svg.getvalue()).decode("ascii")
        return Chart(name, alt, caption, source, table)

    def save_manifest(self, content: Mapping[str, Any]) -> Path:
        """Write ``manifest.json``: the report's name and `content`."""
        text = json.dumps({"report": self.report, **content}, indent=2, ensure_ascii=False)
        return self.write(MANIFEST, text + "\n")

    def save_page(self, template: str, context: Mapping[str, Any]) -> Path:
        """Fill a template (path relative to the report package) and write ``index.html``."""
        return self.write("index.html", render(template, context))


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
