"""Run the notebooks and keep their outputs.

    python scripts/notebooks.py                               # all, at full size, in place: what is committed
    python scripts/notebooks.py 05 --set DEALS=2000 --out /tmp/small --folder /tmp      # a first look at one
    python scripts/notebooks.py 05 --code                     # the code cells as a plain Python program

Every notebook runs in a fresh kernel. The cell tagged "parameters" holds its sizes; ``--set`` adds lines behind it.
Outputs that differ from run to run (times, ids of widgets) are left out.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import os
import sys
from pathlib import Path
from typing import Any

try:
    import nbformat
    from nbclient import NotebookClient
except ImportError as missing:
    if __name__ != "__main__":
        raise
    sys.exit(f"notebooks.py: {missing.name} is not installed: pip install -e '.[notebooks]'")

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
WIDGET = "application/vnd.jupyter.widget-view+json"
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def code_cells(notebook: Any) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def digest(notebook: Any) -> str:
    """Digest of the code; it tells whether outputs are those of the code that stands above them."""
    return hashlib.sha256("\n\0".join(cell.source for cell in code_cells(notebook)).encode()).hexdigest()[:16]


def set_parameters(notebook: Any, lines: list[str]) -> None:
    """Add lines behind the parameters."""
    (cell,) = [cell for cell in code_cells(notebook) if "parameters" in cell.metadata.get("tags", [])]
    cell.source = "\n".join([cell.source, *lines])


def as_program(notebook: Any) -> str:
    """Join the code cells; what a notebook would show at the end of a cell is printed."""
    return "\n\n".join(printing(cell.source) for cell in code_cells(notebook)) + "\n"


def printing(source: str) -> str:
    """Print the last expression of a cell, unless it is a call of print or a semicolon hides it."""
    last = ast.parse(source).body[-1]
    if not isinstance(last, ast.Expr) or source.rstrip().endswith(";"):
        return source
    called = last.value.func if isinstance(last.value, ast.Call) else None
    if isinstance(called, ast.Name) and called.id == "print":
        return source
    lines = source.splitlines()
    before, shown = lines[: last.lineno - 1], lines[last.lineno - 1 : last.end_lineno]
    if len(shown) == 1 and "#" not in shown[0]:
        return "\n".join([*before, f"print({shown[0]})"])
    return "\n".join([*before, "print(", *(f"    {line}" for line in shown), ")", *lines[last.end_lineno :]])


def execute(notebook: Any, folder: Path, limit: int) -> None:
    """Run all cells in a fresh kernel whose working folder is `folder`, each within so many seconds."""
    os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"
    made = digest(notebook)
    client = NotebookClient(
        notebook,
        timeout=limit,
        kernel_name="python3",
        startup_timeout=limit,
        record_timing=False,
        store_widget_state=False,
        resources={"metadata": {"path": str(folder)}},
    )
    client.execute()
    notebook.metadata = nbformat.from_dict({**METADATA, "gincore": {"outputs_of": made}})
    for cell in code_cells(notebook):
        for output in cell.outputs:
            output.get("data", {}).pop(WIDGET, None)


def chosen(names: list[str]) -> list[Path]:
    """Return the notebooks whose names begin so; all if none is named."""
    every = sorted(FOLDER.glob("[0-9]*.ipynb"))
    found = [path for path in every if not names or path.name.startswith(tuple(names))]
    if not found:
        sys.exit(f"notebooks.py: no notebook begins with {' or '.join(names)}; there are {[p.stem for p in every]}")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="first letters of the notebooks, such as 05")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a parameter, as Python")
    parser.add_argument("--more", default="", help="Python code of a cell to add at the end")
    parser.add_argument("--out", type=Path, help="folder for the notebooks as run; in place if not given")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="working folder of the kernels")
    parser.add_argument("--limit", type=int, default=600, help="seconds for a cell")
    parser.add_argument("--code", action="store_true", help="print the code instead of running it")
    given = parser.parse_args()
    if given.set and given.out is None and not given.code:
        parser.error("--set makes other outputs than those that are committed: give a folder with --out")
    for path in chosen(given.names):
        notebook = nbformat.read(path, as_version=4)
        set_parameters(notebook, given.set) if given.set else None
        if given.more:
            notebook.cells.append(nbformat.v4.new_code_cell(given.more))
        if given.code:
            print(as_program(notebook))
            continue
        execute(notebook, given.folder, given.limit)
        target = path if given.out is None else given.out / path.name
        target.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, target)
        print(target, flush=True)


if __name__ == "__main__":
    main()
