"""The Typer application, and what becomes of an error: one line on stderr and an exit code."""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import signal
import sys
import threading
import traceback
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

import gincore
from gincore.cli import _arena, _evaluate, _exact, _metrics, _question, _report, _rules, _runs, _tools, _warmup
from gincore.cli._common import examples
from gincore.errors import RunError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

OK: Final = 0
FAILED: Final = 1
WRONG_USE: Final = 2
INTERRUPTED: Final = 130
BY_SIGNAL: Final = 128
"""Added to the number of the signal that ended a command, as shells do."""

_COMPLETE: Final = "_GINCORE_COMPLETE"
"""Variable with which the completion script of a shell asks for completions."""

app = typer.Typer(
    name="gincore",
    help="A Monte Carlo toolkit for gin rummy: hands, showdowns, simulations and reports.",
    epilog=examples(
        'gincore hand "5h 5s 5c 6h 7h 8h Td Jd Kd 2c"',
        "gincore simulate --strategy threshold,limit=4 --deals 1e5 --out runs/four",
        "gincore report knock-threshold --deals 1e5 --games 1e4 --out results/knock",
    ),
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


for part in (_evaluate, _exact, _rules, _runs, _arena, _metrics, _report, _question, _tools, _warmup):
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
        0 on success (help included), 2 on wrong use, 1 on failure, 130 after Ctrl-C, 143 after SIGTERM, 129 after
        SIGHUP.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    debug = "--debug" in words
    words = [word for word in words if word != "--debug"] or ["--help"]
    received: list[int] = []
    try:
        with _signals(received):
            _open_closed_streams()
            _print_any_letter()
            return _run(words)
    except BrokenPipeError:
        # The reader of a pipe has left ("| head").
        _drop_output()
        return FAILED
    except (KeyboardInterrupt, typer.Abort, Exception) as error:
        code, line = _verdict(error)
        if isinstance(error, KeyboardInterrupt) and received:
            code = BY_SIGNAL + received[0]
        with contextlib.suppress(OSError, ValueError):  # a terminal that is gone
            if debug:
                traceback.print_exc()
            print(f"gincore: {line}", file=sys.stderr, flush=True)
        _drop_output()
        if getattr(error, "playing", False):  # the user does not wait for the threads
            os._exit(code)
        return code


def _run(words: list[str]) -> int:
    """Run one command; errors are the caller's."""
    command = typer.main.get_command(app)
    try:
        if _COMPLETE in os.environ:
            command.main(args=words, prog_name="gincore", complete_var=_COMPLETE)
        # Not command.main(): it would turn Ctrl-C into a bare exit and lose the line that says how to resume.
        with command.make_context("gincore", words) as context:
            command.invoke(context)
    except typer.Exit as leave:
        return leave.exit_code
    except SystemExit as leave:  # Typer's completion
        return leave.code if isinstance(leave.code, int) else OK
    sys.stdout.flush()
    return OK


@contextlib.contextmanager
def _signals(received: list[int]) -> Iterator[None]:
    """Make SIGTERM and SIGHUP what Ctrl-C is, and note which came first; a signal that is ignored stays ignored."""

    def stop(number: int, _: object) -> None:
        received.append(number)
        raise KeyboardInterrupt

    names = ("SIGINT", "SIGTERM", "SIGHUP")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    before: dict[int, Any] = {}
    if threading.current_thread() is threading.main_thread():
        before = {number: signal.getsignal(number) for number in numbers}
    try:
        for number, handler in before.items():
            if handler in (signal.SIG_DFL, signal.default_int_handler):
                signal.signal(number, stop)
        yield
    finally:
        for number, handler in before.items():
            if handler is not None:
                signal.signal(number, handler)


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


def _open_closed_streams() -> None:
    """Put the null device in place of streams that the shell closed (``>&-``), lest a file of a run take their number.

    Whatever is opened next would otherwise be standard output to every library that writes there.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115  (open to the end)


def _drop_output() -> None:
    """Flush what can be flushed; what cannot is dropped, lest Python complain of it at exit."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            with contextlib.suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _bytes_or_question_marks(error: UnicodeError) -> tuple[str | bytes, int]:
    """Encode what an encoding does not know: the bytes of a file name as they were, any other letter as '?'."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letter = error.object[error.start]
    known = 0xDC80 <= ord(letter) <= 0xDCFF  # how Python holds a byte of a name that is no letter
    return bytes([ord(letter) - 0xDC00]) if known else "?", error.start + 1


def _print_any_letter() -> None:
    """Print '?' for a letter that an ASCII or cp1252 console does not know, in place of a crash."""
    codecs.register_error("gincore", _bytes_or_question_marks)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="gincore")
