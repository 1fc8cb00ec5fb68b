"""The cache of everything that can be made again, kept between runs and shared between clones."""

from __future__ import annotations

import os
from pathlib import Path

DOWNLOADS = "WIRELAB_DOWNLOADS"
"""Variable of the environment: another folder for what builds fetch."""


def home() -> Path:
    """wirelab's folder in the user's cache, by the XDG Base Directory Specification.

    ``$XDG_CACHE_HOME/wirelab``, or ``~/.cache/wirelab`` where the variable is unset or, which the
    specification tells to ignore, no absolute path.
    """
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (named if named.is_absolute() else Path.home() / ".cache") / "wirelab"


def downloads() -> Path:
    """Folder of what builds have fetched, by tool; builds read it and write none of it."""
    named = Path(os.environ.get(DOWNLOADS, ""))
    return named if named.is_absolute() else home() / "downloads"
