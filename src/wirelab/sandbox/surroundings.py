"""Files of this machine that every role needs: system, interpreters, and wirelab's sources."""

from __future__ import annotations

import functools
import os
import shutil
import stat
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from wirelab.sandbox.view import View

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc")
_OF_THE_MACHINE = (
    *("/sys/devices/system/cpu", "/sys/devices/system/node", "/sys/devices/system/clocksource"),
    *("/sys/fs/cgroup", "/sys/kernel/mm/transparent_hugepage", "/sys/kernel/mm/hugepages"),
)
"""Places where runtimes and allocators ask for processors, memory, the clock, their own limits."""

_ETC = Path("/etc")

_RUNTIMES = ("java", "node")
"""Programs of contenders that may lie in somebody's home folder."""

_OF_A_RUNTIME = ("bin", "lib", "lib64", "conf", "jmods", "release")
"""Entries that a runtime has of its own below its prefix, which it may share with everything else,
as ``~/.local`` is shared.
"""

_OF_THE_REPOSITORY = ("src", "sdk", "suites", "crates")
"""Results lie beside them."""

_SOURCES = Path(__file__).parents[2]


def surroundings(
    repository: Path,
    builds: Path,
    sources: Iterable[Path],
    interpreter: str = "",
) -> View:
    """The view of any role of a run.

    ``sources`` are folders of suites, contenders and services; ``interpreter`` is a Python of the
    user's own.
    """
    known = [Path(sys.prefix), *_runtime(Path(sys.base_prefix)), _SOURCES, builds, *sources]
    known += [repository / name for name in _OF_THE_REPOSITORY]
    for name in filter(shutil.which, (*_RUNTIMES, interpreter)):
        known += _installation_of(name)
    seen = [place for path in known if path.exists() for place in (path, path.resolve())]
    system = [path for path in map(Path, (*_SYSTEM, *_OF_THE_MACHINE)) if os.path.lexists(path)]
    closed = [one for path in (_ETC, *map(Path, _OF_THE_MACHINE[:3])) for one in _closed(path)]
    return View(
        readable=_outermost([*system, *seen]),
        private=[Path("/tmp"), *_home(system)],
        covered=closed,
    )


def _installation_of(program: str) -> list[Path]:
    """A program with what belongs to it; of one that is in no ``bin`` nobody knows that."""
    real = Path(shutil.which(program) or program).resolve()
    return _runtime(real.parent.parent) if real.parent.name == "bin" else [real]


def _runtime(prefix: Path) -> list[Path]:
    return [prefix / name for name in _OF_A_RUNTIME]


def _outermost(paths: Iterable[Path]) -> list[Path]:
    """The paths that lie in no other, which would show them; a link shows nothing by itself."""
    known = list(dict.fromkeys(paths))
    folders = {path for path in known if not path.is_symlink()}
    return [path for path in known if folders.isdisjoint(path.parents)]


def _within(path: Path, folders: Iterable[Path]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)


def _home(system: Iterable[Path]) -> Iterator[Path]:
    """The home folder that workers are told of: there, and empty."""
    home = Path(os.environ.get("HOME", "/"))
    if home.is_absolute() and home != Path("/") and not _within(home, system):
        yield home


@functools.cache
def _closed(folder: Path) -> list[Path]:
    """Below ``folder``: what not everybody may read, which root's own sandbox could."""
    found: list[Path] = []
    for entry in sorted(folder.iterdir()) if folder.is_dir() else ():
        mode = entry.lstat().st_mode
        if stat.S_ISDIR(mode):
            open_to_all = mode & stat.S_IROTH and mode & stat.S_IXOTH
            found += _closed(entry) if open_to_all else [entry]
        elif stat.S_ISREG(mode) and mode & stat.S_IRUSR and not mode & stat.S_IROTH:
            found.append(entry)
    return found
