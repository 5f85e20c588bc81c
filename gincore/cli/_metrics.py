"""``gincore metrics``: every line of a summary in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gincore.cli._common import JsonOption, examples, print_json, print_table

if TYPE_CHECKING:
    import typer


def add_to(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("metrics", epilog=examples("gincore metrics", "gincore metrics --json"))(metrics)


def metrics(json: JsonOption = False) -> None:
    """Explain every line of the summaries of simulate and games."""
    from gincore.analysis.summary import METRIC_TEXT, NOTES

    if json:
        print_json({"metrics": dict(METRIC_TEXT), "notes": list(NOTES)})
        return
    print_table(("metric", "meaning"), METRIC_TEXT.items())
    print()
    for note in NOTES:
        print(note)
