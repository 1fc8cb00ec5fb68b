"""Revision of the sources that measured."""

from __future__ import annotations

import subprocess
from pathlib import Path


def revision(repository: Path) -> str:
    """Commit of the sources, marked where files differ from it; empty outside of git."""
    try:
        described = subprocess.run(
            ["git", "describe", "--always", "--dirty", "--abbrev=12"],
            cwd=repository,
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:
        return ""
    return described.stdout.strip()
