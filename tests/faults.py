"""What the tests of faults share: counting lost and doubled rows, and noting a fault for the table of figures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gincore.api import Run

Note = Callable[[str, object], None]


def check_rows(found: np.ndarray, straight: Run) -> tuple[int, int]:
    """Return how many rows are lost and doubled in a run, and fail unless it is the unbroken one byte for byte."""
    expected = straight.result.rows()
    names = ["deal", "mirror"]
    lost = len(np.setdiff1d(expected[names], found[names]))
    doubled = len(found) - len(np.unique(found[names]))
    assert (lost, doubled) == (0, 0)
    assert found.tobytes() == expected.tobytes()
    return lost, doubled


def note(record: Note, fault: str, what: str, run: Run, straight: Run, seconds: float) -> None:
    """Compare a run that met a fault with an unbroken one, and note the figures (``scripts/faults.py`` reads them).

    Parameters
    ----------
    record
        pytest's ``record_property``.
    fault, what
        What went wrong, and what gincore did.
    run, straight
        The run in the end, and the same without a fault.
    seconds
        How long it took to go on.
    """
    lost, doubled = check_rows(run.result.rows(), straight)
    figures: dict[str, Any] = {"fault": fault, "what": what, "lost": lost, "doubled": doubled, "seconds": seconds}
    for name, value in figures.items():
        record(name, value)
