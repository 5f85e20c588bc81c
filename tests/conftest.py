"""What every test shares: no display, and one folder of compiled code that survives between runs."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

# Set before any test imports matplotlib or a compiled module. The folder is per user, so that several can test.
os.environ["MPLBACKEND"] = "Agg"
_user = os.getuid() if hasattr(os, "getuid") else "user"
os.environ.setdefault("GINCORE_CACHE_DIR", str(Path(tempfile.gettempdir()) / f"gincore-tests-{_user}"))
