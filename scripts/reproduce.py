"""Make the reports and the page of questions in results/, and what the README shows of them.

    python scripts/reproduce.py                              # everything, at the size of the committed results
    python scripts/reproduce.py --only undercut-risk         # one part; repeatable
    python scripts/reproduce.py --scale 0.01 --out /tmp/x    # a trial: results/ and the README stay as they are
    python scripts/reproduce.py --again 2                    # the questions with another seed: no opposite verdicts?
    python scripts/reproduce.py --check                      # does the README show what results/ holds?

Each part goes to results/<part>/: the page, PNG and SVG figures, CSV tables, a manifest; Parquet that no page links to
is left out. A part is made beside its place and put there when it is whole. results/reproduce.csv says how large each
part is and what it took: minutes of CPU time, which two cores halve. Everything takes about half an hour
of it, most for the questions.
"""

from __future__ import annotations

import argparse
import html
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

import pandas as pd

from gincore.errors import RunError, UsageError
from gincore.questions import ask
from gincore.report import knock_threshold, questions, undercut_risk, variant_comparison
from gincore.report.questions.text import KIND_WORDS

ROOT: Final = Path(__file__).resolve().parent.parent
RESULTS: Final = ROOT / "results"
README: Final = ROOT / "README.md"
BEGIN: Final = "<!-- results: written by scripts/reproduce.py -->"
END: Final = "<!-- end of results -->"
TIMES: Final = "reproduce.csv"
SEEDS: Final = "questions-seeds.csv"
SEED: Final = 1


class Part(NamedTuple):
    """A part of results/: what makes it, how much is played, and its heading and chart in the README."""

    make: Callable[..., Any]
    sizes: Mapping[str, int]
    heading: str
    chart: str
    rules: tuple[str, ...] = ()


PARTS: Final[Mapping[str, Part]] = {
    "knock-threshold": Part(
        knock_threshold.make, {"deals": 500_000, "games": 50_000}, "When to knock", "won", ("classic",)
    ),
    "undercut-risk": Part(undercut_risk.make, {"deals": 500_000}, "The risk of an undercut", "risk", ("classic",)),
    "variant-comparison": Part(
        variant_comparison.make, {"deals": 200_000, "games": 20_000}, "Rule sets side by side", "skill"
    ),
    "questions": Part(questions.make, {"deals": 500_000}, "Claims and debates", ""),
}


def make(name: str, out: Path, scale: float) -> dict[str, Any]:
    """Make a part in `out`, whole or not at all; return its sizes and what it took."""
    part = PARTS[name]
    sizes = {key: max(round(scale * size), 2) for key, size in part.sizes.items()}
    out.mkdir(parents=True, exist_ok=True)
    hidden = out / f".{name}-new"
    shutil.rmtree(hidden, ignore_errors=True)  # of a run that was killed
    cpu, wall = time.process_time(), time.monotonic()
    try:
        part.make(*part.rules, **sizes, seed=SEED, out=hidden)
        drop_parquet(hidden)
        place(hidden, out / name)
    finally:
        shutil.rmtree(hidden, ignore_errors=True)
    minutes = {"cpu_minutes": (time.process_time() - cpu) / 60, "minutes": (time.monotonic() - wall) / 60}
    return {"part": name, "deals": sizes["deals"], "games": sizes.get("games", 0), "seed": SEED, **minutes}


def drop_parquet(folder: Path) -> None:
    """Remove Parquet files that the page does not link to: the CSV beside each holds the same."""
    linked = {folder / link for link in links(folder / "index.html")}
    for file in folder.rglob("*.parquet"):
        if file not in linked:
            file.unlink()


def place(new: Path, target: Path) -> None:
    """Put a folder in the place of another, which is only removed when the new one is there."""
    old = target.with_name(f".{target.name}-old")
    shutil.rmtree(old, ignore_errors=True)
    if target.exists():
        target.rename(old)
    new.rename(target)
    shutil.rmtree(old, ignore_errors=True)


class Page(HTMLParser):
    """What of a page the README and the checks need: links, and the first paragraph of the finding."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.finding = ""
        self._depth = 0
        self._open = False
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a link, and where the finding begins."""
        given = dict(attrs)
        if tag == "a" and given.get("href"):
            self.links.append(unquote(str(given["href"]).partition("#")[0]))
        if tag == "section" and "finding" in (given.get("class") or "").split():
            self._depth = 1
        if tag == "p" and self._depth and not self.finding:
            self._open = True

    def handle_endtag(self, tag: str) -> None:
        """Note where it ends."""
        if tag == "section":
            self._depth = 0
        if tag == "p":
            self._open = False

    def handle_data(self, data: str) -> None:
        """Keep the finding's words."""
        if self._open:
            self.finding += data


def links(page: Path) -> list[str]:
    """Return the local files that a page links to, relative to it."""
    return [link for link in Page(page).links if link]


def block(results: Path) -> str:
    """Return what the README shows of the parts that lie in `results`; all numbers are theirs."""
    lines = [BEGIN, ""]
    for name, part in PARTS.items():
        folder = results / name
        if not (folder / "index.html").is_file():
            continue
        said = " ".join(Page(folder / "index.html").finding.split())
        lines += [f"**[{part.heading}](results/{name}/index.html).** {said}", ""]
        if part.chart:
            alt = f"{part.heading}: chart"
            lines += [f"![{alt}](results/{name}/figures/{part.chart}.png)", ""]
        else:
            lines += [*verdicts(folder / "tables" / "verdicts.csv"), *seeds(results / SEEDS)]
    return "\n".join([*lines, END])


def verdicts(table: Path) -> list[str]:
    """Return the verdicts as a table of Markdown."""
    frame = pd.read_csv(table)
    rows = [
        f"| [{row['question']}](results/questions/index.html#{row['question']}) | {html.escape(row['claim'])} "
        f"| {row['headline']} |"
        for row in frame.to_dict("records")
    ]
    head = ["<details><summary>All verdicts</summary>", "", "| | claim | verdict |", "|---|---|---|"]
    return [*head, *rows, "", "</details>", ""]


def seeds(table: Path) -> list[str]:
    """Say how verdicts of two seeds compare, if that was asked."""
    if not table.is_file():
        return []
    frame = pd.read_csv(table)
    same = int((frame["verdict"] == frame["verdict_again"]).sum())
    opposite = int(frame["opposite_estimates"].sum())
    return [
        f"Asked again with other cards (seed {frame['seed_again'].iloc[0]}), {same} of {len(frame)} verdicts are the "
        f"same, and {opposite} tested estimates are supported in one and contradicted in the other.",
        "",
    ]


def with_block(text: str, made: str) -> str:
    """Return the README's text with the block of results replaced."""
    before, mark, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not mark or not end:
        raise RunError(f"README.md: the lines {BEGIN} and {END} are not there")
    return before + made + after


def problems(results: Path, readme: Path) -> Iterator[str]:
    """Name what does not fit: the README's block, and links of pages and README to files that are missing."""
    text = readme.read_text(encoding="utf-8")
    made = block(results)
    if with_block(text, made) != text:
        yield "README.md does not show what results/ holds: run scripts/reproduce.py --readme"
    for name, part in PARTS.items():
        page = results / name / "index.html"
        if page.is_file():
            figures = [f"figures/{part.chart}.png"] if part.chart else []
            for link in dict.fromkeys([*links(page), *figures]):
                if not (page.parent / link).is_file():
                    yield f"results/{name}: {link} is missing"


def write_whole(file: Path, text: str) -> None:
    """Write a file at once."""
    new = file.with_name(f".{file.name}-new")
    new.write_text(text, encoding="utf-8")
    new.replace(file)


def note_time(row: Mapping[str, Any], out: Path) -> None:
    """Keep in ``reproduce.csv`` how large a part is and what it took."""
    file = out / TIMES
    frame = pd.DataFrame([row])
    if file.is_file():
        old = pd.read_csv(file)
        frame = pd.concat([old[old["part"] != row["part"]], frame], ignore_index=True)
    order = {name: place for place, name in enumerate(PARTS)}
    frame = frame.sort_values("part", key=lambda names: names.map(order))
    write_whole(file, frame.to_csv(index=False, float_format="%.2f", lineterminator="\n"))


def again(out: Path, seed: int) -> pd.DataFrame:
    """Ask the questions of a page with another seed; return a row a question with both verdicts."""
    folder = out / "questions"
    if not (folder / "manifest.json").is_file():
        raise UsageError(f"{folder}: no page of questions is there; make it with --only questions")
    settings = pd.read_json(folder / "manifest.json", typ="series")
    if seed == settings["seed"]:
        raise UsageError(f"--again {seed}: the page has this seed; name another")
    tested = pd.read_csv(folder / "tables" / "estimates.csv").query("test")
    before = tested.set_index(["question", "group", "label"])["outcome"]
    kinds = pd.read_csv(folder / "tables" / "verdicts.csv").set_index("question")["verdict"]
    rows = []
    for answer in ask(settings["questions"], deals=int(settings["deals"]), seed=seed, level=float(settings["level"])):
        now = answer.frame().query("test").set_index(["question", "group", "label"])["outcome"]
        pairs = pd.concat([before.loc[[answer.entry.id]], now], axis=1, keys=["one", "two"])
        opposite = pairs.apply(lambda row: set(row) == {"supported", "contradicted"}, axis=1)
        rows.append(
            {
                "question": answer.entry.id,
                "seed": int(settings["seed"]),
                "verdict": kinds[answer.entry.id],
                "seed_again": seed,
                "verdict_again": answer.verdict.kind,
                "tested_estimates": len(pairs),
                "opposite_estimates": int(opposite.sum()),
            }
        )
    return pd.DataFrame(rows)


def tell(frame: pd.DataFrame) -> int:
    """Print where two seeds differ; return 1 if any estimate is supported by one and contradicted by the other."""
    for row in frame[frame["verdict"] != frame["verdict_again"]].to_dict("records"):
        one, two = (KIND_WORDS[row[key]][0].format("...") for key in ("verdict", "verdict_again"))
        print(f"{row['question']}: {one} with seed {row['seed']}, {two} with seed {row['seed_again']}")
    for row in frame[frame["opposite_estimates"] > 0].to_dict("records"):
        print(f"{row['question']}: {row['opposite_estimates']} of {row['tested_estimates']} estimates are opposite")
    same = int((frame["verdict"] == frame["verdict_again"]).sum())
    print(f"{len(frame)} questions, {same} verdicts the same, {frame['opposite_estimates'].sum()} estimates opposite")
    return int(bool(frame["opposite_estimates"].any()))


def run(words: Sequence[str] | None, results: Path = RESULTS, readme: Path = README) -> int:
    """Do what the command line asks; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", choices=list(PARTS), help="a part; repeatable; all by default")
    parser.add_argument("--scale", type=float, default=1.0, help="factor for all deals and games of a trial")
    parser.add_argument("--out", type=Path, help="folder in place of results/; the README stays as it is")
    parser.add_argument("--again", type=int, metavar="SEED", help="ask the questions again and compare the verdicts")
    parser.add_argument("--readme", action="store_true", help="write the README's block from results/ and play nothing")
    parser.add_argument("--check", action="store_true", help="check README and links and play nothing")
    chosen = parser.parse_args(words)
    out = (chosen.out or results).resolve()
    if not 0 < chosen.scale <= 100:
        raise UsageError(f"--scale {chosen.scale:g} is not above 0 and at most 100")
    if chosen.scale != 1 and out == results:
        raise UsageError(f"--scale {chosen.scale:g} is a trial: name a folder for it with --out")
    if chosen.check:
        found = list(problems(out, readme))
        print("\n".join(found) or "README and results/ agree")
        return int(bool(found))
    if chosen.again is not None:
        frame = again(out, chosen.again)
        write_whole(out / SEEDS, frame.to_csv(index=False, lineterminator="\n"))
        code = tell(frame)
    else:
        code = 0
        for name in [] if chosen.readme else chosen.only or list(PARTS):
            row = make(name, out, chosen.scale)
            note_time(row, out)
            print(
                f"{name}: {row['cpu_minutes']:.1f} minutes of CPU time, {row['minutes']:.1f} by the clock", flush=True
            )
    if out == results:
        write_whole(readme, with_block(readme.read_text(encoding="utf-8"), block(results)))
    return code


def main() -> int:
    """Run, with one line for what is wrong."""
    try:
        return run(None)
    except (UsageError, RunError, KeyboardInterrupt) as error:
        print(f"reproduce.py: {error or 'interrupted'}", file=sys.stderr)
        return 2 if isinstance(error, UsageError) else 1


if __name__ == "__main__":
    sys.exit(main())
