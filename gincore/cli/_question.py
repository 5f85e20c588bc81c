"""``gincore question``: claims of rule texts and debates, each with a verdict."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gincore.cli._common import (
    JsonOption,
    draw_without_a_screen,
    examples,
    print_json,
    print_table,
    read_count,
    read_folder,
    read_level,
    read_seed,
    read_workers,
)
from gincore.cli._runs import LevelOption, SeedOption, WorkersOption
from gincore.errors import UsageError, quoted
from gincore.language import Language, language

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gincore.questions import Answer

MOST_DEALS = 10_000_000
"""As in ``gincore.questions``, which is imported when something is played."""


def complete_question(incomplete: str) -> list[str]:
    """Complete the id of a question."""
    from gincore.questions import ids

    return [name for name in ["list", "all", *ids()] if name.upper().startswith(incomplete.upper())]


QuestionsArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="list|all|ID...",
        help="'list' shows all questions, 'all' answers all; or ids such as T01 D12.",
        autocompletion=complete_question,
        show_default=False,
    ),
]
OutOption = Annotated[
    Path | None,
    typer.Option("--out", metavar="FOLDER", help="Folder for a page with verdict cards.", parser=read_folder),
]
DealsOption = Annotated[
    str,
    typer.Option(
        "--deals",
        metavar="N",
        help="Deals of a run of fast players, each played from both seats; two single deals for each between equal "
        "players. Slow ones play a part: safe 1/2, patient and lookahead 1/5, expert 1/25. One game for 10 deals.",
    ),
]


def add_to(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command(
        "question",
        epilog=examples(
            "gincore question list --lang fr",
            "gincore question T01 D12",
            "gincore question all --out results/questions",
            "gincore question T05 --deals 1e4 --seed 7 --json",
        ),
    )(question)


def question(
    questions: QuestionsArgument,
    deals: DealsOption = "1e5",
    seed: SeedOption = "1",
    out: OutOption = None,
    lang: Annotated[str, typer.Option("--lang", metavar="en|fr", help="Language of verdicts, page and charts.")] = "en",
    workers: WorkersOption = None,
    level: LevelOption = 0.99,
    json: JsonOption = False,
) -> None:
    """Answer claims and debates about the game: a verdict with its effect and interval."""
    tr = language(lang)
    from gincore.questions.entry import find, ids

    words = [word.lower() for word in questions]
    if "list" in words:
        if len(words) > 1 or out is not None:
            other = f"--out {quoted(str(out))}" if len(words) == 1 else quoted(questions[words[0] == "list"])
            raise UsageError(f"{other}: 'list' stands alone")
        _list(tr, json)
        return
    if "all" in words and len(words) > 1:
        raise UsageError(f"{quoted(questions[words[0] == 'all'])}: 'all' stands alone")
    named = ids() if words == ["all"] else [find(word).id for word in questions]
    settings: dict[str, Any] = {
        "deals": read_count("--deals", deals, most=MOST_DEALS),
        "seed": read_seed(seed),
        "level": read_level(level),
        "workers": read_workers(workers),
    }
    page = None
    if out is None:
        from gincore.questions import ask

        answers = ask(named, **settings)
    else:
        draw_without_a_screen()
        from gincore.report.questions import make

        page, answers = make(named, out=out, lang=lang, **settings)
    _show(answers, page, tr, json)


def _list(tr: Language, json: bool) -> None:
    """Show all questions."""
    from gincore.questions import find, ids

    entries = [find(name) for name in ids()]
    if json:
        print_json(
            [
                {
                    "id": entry.id,
                    "claim": tr(*entry.claim),
                    "source": list(entry.source),
                    "compares": tr(*entry.compares),
                    "metric": tr(*entry.metric),
                    "smallest_effect": entry.smallest,
                }
                for entry in entries
            ]
        )
        return
    heads = ("id", tr("source", "source"), tr("claim", "affirmation"))
    print_table(heads, [(entry.id, " ".join(entry.source), tr(*entry.claim)) for entry in entries])


def _show(answers: Sequence[Answer], page: Path | None, tr: Language, json: bool) -> None:
    """Print verdicts as text or JSON."""
    from gincore.report.questions.content import summary
    from gincore.report.questions.text import paragraphs, place, say, tally

    if json:
        found = []
        for answer in answers:
            rows = answer.frame(place(tr)).to_dict("records")
            found.append(summary(answer, tr) | {"deals": answer.deals, "seed": answer.seed, "estimates": rows})
        print_json({"answers": found, "page": None if page is None else str(page)})
        return
    for answer in answers:
        print(f"{answer.entry.id}{tr(': ', ' : ')}{say(tr, answer.entry.claim)}")
        for paragraph in paragraphs(answer, tr):
            print(f"  {paragraph}")
        if answer.entry.note[0]:
            print(f"  {say(tr, answer.entry.note)}")
        print()
    if len(answers) > 1:
        print(tally(answers, tr))
    if page is not None:
        print(str(page))
