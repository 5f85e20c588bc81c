"""Cause every fault that a run must survive, and write what came of it to results/faults.md.

    python scripts/faults.py

runs the tests of faults (``tests/test_faults.py``, ``test_cluster.py``, ``test_cluster_processes.py``): each really
causes its fault and compares the rows in the end with those of an unbroken run, byte for byte. What they note is the
table.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
TESTS = ("test_faults.py", "test_cluster.py", "test_cluster_processes.py")


def noted(report: Path) -> tuple[list[dict[str, str]], list[str]]:
    """Return the figures that the tests noted, and what was skipped and why."""
    faults, skipped = [], []
    for case in ElementTree.parse(report).iter("testcase"):
        figures = {each.get("name", ""): each.get("value", "") for each in case.iter("property")}
        if "fault" in figures:
            faults.append(figures)
        skipped += [f"{case.get('name')}: {each.get('message')}" for each in case.iter("skipped")]
    return faults, skipped


def table(faults: list[dict[str, str]], skipped: list[str]) -> str:
    lines = [
        "# Faults",
        "",
        "Made by `python scripts/faults.py`. Every fault was really caused in the middle of a run; in the end its rows "
        "were compared with those of an unbroken run, byte for byte. The last column is the time of the call that went "
        "on, or of the rest of the run where nobody had to do anything; the runs are small, so that it is mostly the "
        "time to start.",
        "",
        "| fault | what gincore did | rows lost | rows doubled | seconds to go on |",
        "|---|---|---:|---:|---:|",
    ]
    lines += [
        f"| {each['fault']} | {each['what']} | {each['lost']} | {each['doubled']} | {float(each['seconds']):.2f} |"
        for each in faults
    ]
    lost, doubled = (sum(int(each[name]) for each in faults) for name in ("lost", "doubled"))
    longest = max(float(each["seconds"]) for each in faults)
    lines += ["", f"Faults tried: {len(faults)}. Rows lost: {lost}; doubled: {doubled}. Longest: {longest:.2f} s."]
    lines += ["", "Not tried here:", "", *(f"- {each}" for each in skipped)] if skipped else []
    return "\n".join(lines) + "\n"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "tests.xml"
        options = ["-q", "-o", "junit_family=xunit1", f"--junitxml={report}"]  # the later families hold no properties
        command = [sys.executable, "-m", "pytest", *options, *(f"tests/{name}" for name in TESTS)]
        failed = subprocess.run(command, cwd=ROOT, check=False).returncode
        if failed:
            sys.exit("faults: a test failed; no table is written")
        text = table(*noted(report))
    (ROOT / "results" / "faults.md").write_text(text, encoding="utf-8")
    print(text)


if __name__ == "__main__":
    main()
