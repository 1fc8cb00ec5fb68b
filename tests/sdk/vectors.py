"""The vectors of the worker contract, which every language is tested against."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

VECTORS = Path(__file__).parents[2] / "sdk" / "vectors"


def read(name: str) -> dict[str, list[dict[str, Any]]]:
    """The vectors in a file of ``sdk/vectors``."""
    found: dict[str, list[dict[str, Any]]] = json.loads((VECTORS / name).read_text("utf-8"))
    return found
