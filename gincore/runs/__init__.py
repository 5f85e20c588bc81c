"""Plans, chunks, progress, resume and the stored run folder.

:mod:`~gincore.runs.plan` says what is to be played, :mod:`~gincore.runs.run` plays it (:mod:`~gincore.runs.cluster` on
other processes and machines), :mod:`~gincore.runs.store` keeps it.
"""

from __future__ import annotations

from gincore.runs.jobs import Interrupted
from gincore.runs.layout import Chunk, Layout
from gincore.runs.plan import Plan, make_plan
from gincore.runs.result import Result, open_run
from gincore.runs.run import execute
from gincore.runs.tally import Moments

__all__ = ["Chunk", "Interrupted", "Layout", "Moments", "Plan", "Result", "execute", "make_plan", "open_run"]
