"""Where things are: the repository, what was built, and the results."""

from __future__ import annotations

import os
from pathlib import Path

from wirelab.model.mistake import MistakeError

ROOT = Path(os.environ.get("WIRELAB_ROOT", Path(__file__).parents[3]))
"""The repository's folder."""


def results(chosen: Path | None = None) -> Path:
    """Where runs are kept: the folder ``chosen``, or ``results/`` where the user stands."""
    return Path.cwd() / (chosen or "results")


def usable(folder: Path) -> Path:
    """``folder``, made if it is missing; MistakeError where nothing can be written."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise MistakeError(f"results cannot go to {folder}: {error.strerror}") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise MistakeError(f"results cannot go to {folder}: no right to write there")
    return folder
