"""Removal of a folder that others have written to, however deep it is and whatever its modes."""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path

_OURS = 0o700


def remove(folder: Path) -> None:
    """Remove a folder with all that is in it; of a link the link alone. Raises OSError.

    Folders within are moved to the top before they are looked at: a role nests them deeper than
    Python can recurse, and than a path may be long.
    """
    if not stat.S_ISDIR(folder.lstat().st_mode):
        folder.unlink()
        return
    mark = f".{secrets.token_hex(8)}-"
    moved = 0
    waiting = _emptied(folder)
    while waiting:
        found = waiting.pop()
        for inner in _emptied(found):
            short = folder / f"{mark}{moved}"
            inner.rename(short)
            waiting.append(short)
            moved += 1
        found.rmdir()
    folder.rmdir()


def _emptied(folder: Path) -> list[Path]:
    """The folders in it, open to us; everything else there is removed."""
    inner = []
    folder.chmod(_OURS)
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                path = Path(entry.path)
                path.chmod(_OURS)
                inner.append(path)
            else:
                os.unlink(entry.path)  # noqa: PTH108 - there may be very many
    return inner
