"""The Typer application, and what becomes of an error: one line on stderr and an exit code."""

from __future__ import annotations

import contextlib
import io
import os
import sys
import traceback
from typing import TYPE_CHECKING, Annotated, Final

import typer

import gincore
from gincore.cli import _evaluate, _report, _rules, _runs, _tools
from gincore.cli._common import examples
from gincore.errors import RunError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

OK: Final = 0
FAILED: Final = 1
WRONG_USE: Final = 2
INTERRUPTED: Final = 130

app = typer.Typer(
    name="gincore",
    help="A Monte Carlo toolkit for gin rummy: hands, showdowns, simulations and reports.",
    epilog=examples(
        'gincore hand "5h 5s 5c 6h 7h 8h Td Jd Kd 2c"',
        "gincore simulate --strategy threshold,limit=4 --deals 1e5 --out runs/four",
        "gincore report knock-threshold --deals 1e5 --games 1e4 --out results/knock",
    ),
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"gincore {gincore.__version__}")
        raise typer.Exit


@app.callback()
def _common(
    _version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")
    ] = False,
    _debug: Annotated[
        bool, typer.Option("--debug", help="Show the traceback of an error (may stand anywhere on the line).")
    ] = False,
) -> None:
    # main() takes --debug off the line before Typer sees it; it is declared for the help.
    pass


for part in (_evaluate, _rules, _runs, _report, _tools):
    part.add_to(app)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    Parameters
    ----------
    argv : sequence of str, optional
        The words after ``gincore``; those of the process if not given.

    Returns
    -------
    int
        0 on success (help included), 2 on wrong use, 1 on failure, 130 after Ctrl-C.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    debug = "--debug" in words
    words = [word for word in words if word != "--debug"] or ["--help"]
    _tolerate_narrow_encodings()
    try:
        command = typer.main.get_command(app)
        # Not command.main(): it would turn Ctrl-C into a bare exit and lose the line that says how to resume.
        with command.make_context("gincore", words) as context:
            command.invoke(context)
        sys.stdout.flush()
    except typer.Exit as leave:
        return leave.exit_code
    except BrokenPipeError:
        # The reader of a pipe has left ("| head"); keep Python from complaining when it flushes at exit.
        with contextlib.suppress(OSError, ValueError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except (KeyboardInterrupt, typer.Abort, Exception) as error:
        code, line = _verdict(error)
        if debug:
            traceback.print_exc()
        print(f"gincore: {line}", file=sys.stderr)
        return code
    return OK


def _verdict(error: BaseException) -> tuple[int, str]:
    """Return the exit code and the line for an error."""
    text = " ".join(str(error).split())
    if isinstance(error, KeyboardInterrupt | typer.Abort):
        return INTERRUPTED, text or "interrupted"
    if isinstance(error, UsageError | ValueError):
        return WRONG_USE, text
    if isinstance(error, RunError):
        return FAILED, text
    if isinstance(error, OSError):
        where = f": {error.filename!r}" if error.filename else ""
        return FAILED, f"{error.strerror or error}{where}"
    if hasattr(error, "format_message"):  # a parse error of Typer, whichever click it brings
        context = getattr(error, "ctx", None)
        path = context.command_path if context is not None else "gincore"
        return WRONG_USE, f"{' '.join(error.format_message().split())} (see '{path} --help')"
    return FAILED, f"internal error, {type(error).__name__}: {text} (run again with --debug for the traceback)"


def _tolerate_narrow_encodings() -> None:
    """Print '?' for a letter that an ASCII or cp1252 console does not know, in place of a crash."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
