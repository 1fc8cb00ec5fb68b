"""The harness of the suite's Python clients is found where contenders find it."""

from __future__ import annotations

import sys
from pathlib import Path

SUITE = Path(__file__).parents[2] / "suites" / "kv"

sys.path.insert(0, str(SUITE / "libraries" / "python"))
