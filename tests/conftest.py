"""Processes that tests start find the package where the tests find it."""

from __future__ import annotations

import os
from pathlib import Path

os.environ["PYTHONPATH"] = str(Path(__file__).parents[1] / "src")
