"""``python -m gincore`` is the command ``gincore``."""

from __future__ import annotations

import signal
import sys


def main() -> int:
    """Run one command and return its exit code.

    Until the command line is imported, Ctrl-C ends the process as the system does it, without a traceback.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from gincore.cli import main as command

    return command()


if __name__ == "__main__":
    sys.exit(main())
