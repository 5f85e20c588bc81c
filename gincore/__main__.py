"""``python -m gincore`` is the command ``gincore``."""

from __future__ import annotations

import sys

from gincore.cli import main

if __name__ == "__main__":
    sys.exit(main())
