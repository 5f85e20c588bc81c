"""The command ``gincore``: parse, plan, run, say where the result is.

The commands import what they need when they run, so that ``gincore --help`` stays fast.
"""

from __future__ import annotations

from gincore.cli._main import app, main

__all__ = ["app", "main"]
