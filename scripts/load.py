"""Measure the memory that large runs take, and write it to results/load.md.

    python scripts/load.py            # up to a tenth of a billion hands: some minutes
    python scripts/load.py --quick    # a hundredth of the sizes

With ``keep="stats"`` the peak of resident memory must not grow with the number of hands: every size is played by a
process of its own, and the slope is that of a straight line through all of them. Then ten million stored rows are read
back in several ways, each by a process of its own.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from scipy.stats import linregress

from gincore.analysis.intervals import student_interval

RESULTS = Path(__file__).resolve().parent.parent / "results"
SIZES = {1_000_000: 3, 10_000_000: 3, 30_000_000: 2, 100_000_000: 1}
"""Hands of a run, and how many such runs are made."""

ROWS = 10_000_000
BAR_MB = 2_000
"""What reading so many rows back may take."""

MEMORY = """
from pathlib import Path
status = Path("/proc/self/status").read_text()
print(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1])
"""
"""Ends a program with its peak in kB; ``ru_maxrss`` would not do, as a child inherits its parent's."""

READINGS = {
    "gincore.open_run(folder).summary()": "run = gincore.open_run(folder); rows = run.moments.units * 2; run.summary()",
    "every row, block by block": "rows = sum(len(hands) for hands, _ in gincore.open_run(folder).result.blocks())",
    "gincore.open_run(folder).hands": "rows = len(gincore.open_run(folder).hands)",
    'pandas.read_parquet("folder/hands")': "import pandas; rows = len(pandas.read_parquet(folder + '/hands'))",
}
"""Ways to read a stored run; each leaves the number of rows in ``rows``."""


def peak(code: str) -> tuple[float, list[str]]:
    """Run a program in a process of its own: its peak of resident memory in MB, and what else it printed."""
    shown = subprocess.run([sys.executable, "-c", code + MEMORY], capture_output=True, text=True, check=True)
    *lines, size = shown.stdout.split("\n")[:-1]
    return float(size) * 1024 / 1e6, lines


def played(hands: int) -> float:
    """Peak of a run that keeps sums only."""
    return peak(
        f"import gincore; gincore.simulate('classic', ('simple', 'simple'), deals={hands // 2}, seed=5, keep='stats', "
        "progress=False).summary()"
    )[0]


def flat(sizes: dict[int, int]) -> list[str]:
    """Play all sizes and say how the peak grows with them."""
    found: list[tuple[int, float]] = []
    lines = ["| hands | runs | peak of resident memory, MB |", "|---:|---:|---:|"]
    for hands, runs in sizes.items():
        peaks = [played(hands) for _ in range(runs)]
        found += [(hands, each) for each in peaks]
        lines.append(f"| {hands:,} | {runs} | {', '.join(f'{each:.0f}' for each in peaks)} |")
        print(lines[-1], flush=True)
    millions, megabytes = (np.array(column, float) for column in zip(*found, strict=True))
    line = linregress(millions / 1e6, megabytes)
    low, high = student_interval(line.slope, line.stderr, len(found) - 1, 0.95)[1:]
    billion = ", ".join(f"{line.intercept + 1000 * slope:,.0f}" for slope in (line.slope, low, high))
    return [
        *lines,
        "",
        f"Slope of a straight line through these {len(found)} runs: {line.slope:+.3f} MB a million hands, 95 % "
        f"interval [{low:+.3f} .. {high:+.3f}]. Continued to a billion hands it would be at {billion} MB (slope, lower "
        "and upper end of its interval): a projection.",
    ]


def read_back(rows: int, folder: str) -> list[str]:
    """Store rows and read them back in several ways."""
    peak(
        f"import gincore; gincore.simulate('classic', ('simple', 'simple'), deals={rows // 2}, seed=5, out={folder!r}, "
        "progress=False)"
    )
    stored = sum(file.stat().st_size for file in Path(folder).glob("hands/*.parquet"))
    lines = ["| how | rows | peak of resident memory, MB | within 2 GB |", "|---|---:|---:|---|"]
    for said, code in READINGS.items():
        megabytes, printed = peak(f"import gincore; folder = {folder!r}; {code}; print(rows)")
        met = "yes" if megabytes <= BAR_MB else "**no**"
        lines.append(f"| `{said}` | {int(printed[-1]):,} | {megabytes:,.0f} | {met} |")
        print(lines[-1], flush=True)
    return [*lines, "", f"The rows take {stored / 1e6:,.1f} MB on the disk, {stored / rows:.2f} bytes each."]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a hundredth of the sizes; nothing is written")
    share = 100 if parser.parse_args().quick else 1
    with tempfile.TemporaryDirectory() as folder:
        text = "\n".join(
            [
                "# Memory of large runs",
                "",
                "Made by `python scripts/load.py`; `simple` against `simple` under `classic`, each peak that of a "
                "process of its own.",
                "",
                '## Sums only (`keep="stats"`)',
                "",
                *flat({hands // share: runs for hands, runs in SIZES.items()}),
                "",
                "## Stored rows, read back",
                "",
                *read_back(ROWS // share, f"{folder}/run"),
                "",
            ]
        )
    print(text)
    if share == 1:
        (RESULTS / "load.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
