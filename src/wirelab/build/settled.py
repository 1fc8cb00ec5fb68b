"""A look at what was compiled, before anything outside of its sandbox reads or writes there.

Code of packages may have left anything: a link in place of a folder, by which whoever writes there
writes elsewhere, or a FIFO, which whoever reads it waits for.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from wirelab.build.unavailable import Unavailable

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc/alternatives")


def check(folder: Path, seen: Iterable[Path]) -> None:
    """Raise Unavailable for what is no file, folder or link, and for a link that leads elsewhere.

    Elsewhere is what is neither in the folder, nor ``seen`` by the build, nor of the system.
    """
    places = [path.resolve() for path in (folder, *seen, *map(Path, _SYSTEM))]
    for path, mode in _entries(folder):
        if stat.S_ISLNK(mode):
            target = os.path.realpath(path)
            if not any(Path(target).is_relative_to(place) for place in places):
                raise Unavailable(f"the build has left {path}, a link to {target}")
        elif not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise Unavailable(f"the build has left {path}, which is no file")


def _entries(folder: Path) -> Iterator[tuple[str, int]]:
    """The path and the mode of everything in a folder."""
    waiting = [str(folder)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                found = [(one.path, one.stat(follow_symlinks=False).st_mode) for one in entries]
        except OSError as error:  # too deep for a path, or closed
            raise Unavailable(
                f"the build has left a folder that cannot be read: {error.strerror}"
            ) from None
        waiting += [path for path, mode in found if stat.S_ISDIR(mode)]
        yield from found
