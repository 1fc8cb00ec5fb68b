"""Where things are: the repository, what was built, and the results."""

from __future__ import annotations

import os
from pathlib import Path

ROOT = Path(os.environ.get("WIRELAB_ROOT", Path(__file__).parents[3]))
"""The repository's folder."""


def results() -> Path:
    """Where runs are kept: ``results/`` of the folder the user stands in."""
    return Path.cwd() / "results"
