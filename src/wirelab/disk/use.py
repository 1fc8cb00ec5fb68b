"""The part of a disk that somebody uses: by folders, and by files without a name.

Who does may close a folder, nest folders deeper than a path can be long, or hold an unlinked file
open: nothing of that takes its files out of the account.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import stat
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from wirelab.processes import leftovers

_BLOCK = 512
"""Bytes of a block in ``st_blocks``, whatever the file system's own are."""

_PLACE = os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_TO_READ = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC

Identity = tuple[int, int]


@dataclass(frozen=True)
class DiskUse:
    """Bytes on disk, of which a sparse file has few, and the number of files and folders."""

    bytes: int
    files: int


def use_of(paths: Iterable[Path], keeper: int | None, device: int, since_ns: int = 0) -> DiskUse:
    """The use of ``paths``, and of what processes below ``keeper`` hold open on ``device``.

    ``device`` is that of files which are made there. A file with several names counts once, and
    one that nobody has changed ``since_ns`` (of the epoch) does not count.
    """
    found: dict[Identity, int] = {}
    for path in paths:
        with contextlib.suppress(OSError):
            top = path.lstat()
            below = _below(path) if stat.S_ISDIR(top.st_mode) else ()
            for one in itertools.chain([top], below):
                if _changed(one, since_ns):
                    found[_identity(one)] = one.st_blocks
    if keeper is not None:
        found |= {_identity(one): one.st_blocks for one in _unlinked(keeper, device)}
    return DiskUse(sum(found.values()) * _BLOCK, len(found))


def _changed(found: os.stat_result, since_ns: int) -> bool:
    """Whether it was changed since: that time is the kernel's, and nobody else can set it."""
    return found.st_ctime_ns >= since_ns


def _identity(found: os.stat_result) -> Identity:
    return found.st_dev, found.st_ino


# -------------------------------------------------------------------- what has a name


def _below(top: Path) -> Iterator[os.stat_result]:
    """All in a folder, from open folder to open folder; where one is moved meanwhile it ends."""
    here = _opened(str(top), None)
    above: list[tuple[Identity, list[str]]] = []
    try:
        waiting = yield from _contents(here)
        while waiting or above:
            if waiting:
                try:
                    inner = _opened(waiting.pop(), here)
                except OSError:
                    continue
                above.append((_identity(os.fstat(here)), waiting))
                os.close(here)
                here = inner
                waiting = yield from _contents(here)
            else:
                outer = os.open("..", _PLACE, dir_fd=here)
                os.close(here)
                here = outer
                expected, waiting = above.pop()
                if _identity(os.fstat(here)) != expected:
                    return
    finally:
        os.close(here)


def _opened(name: str, folder: int | None) -> int:
    """A folder to be read, which is opened to us where its role has closed it."""
    place = os.open(name, _PLACE, dir_fd=folder)
    try:
        try:
            return os.open(".", _TO_READ, dir_fd=place)
        except PermissionError:
            mode = stat.S_IMODE(os.fstat(place).st_mode) | stat.S_IRWXU
            os.chmod(f"/proc/self/fd/{place}", mode)  # noqa: PTH101 - of no other folder
            return os.open(".", _TO_READ, dir_fd=place)
    finally:
        os.close(place)


def _contents(folder: int) -> Generator[os.stat_result, None, list[str]]:
    """Everything in an open folder; returns the names of the folders there."""
    inner = []
    with os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(FileNotFoundError):
                found = entry.stat(follow_symlinks=False)
                if stat.S_ISDIR(found.st_mode):
                    inner.append(entry.name)
                yield found
    return inner


# -------------------------------------------------------------------- what has none


def _unlinked(keeper: int, device: int) -> Iterator[os.stat_result]:
    """Files without a name that are held, by a descriptor or by memory that shows them.

    One of a process that may not be looked into is missing.
    """
    for pid in leftovers.below(keeper):
        for held in _held_by(Path("/proc", str(pid))):
            with contextlib.suppress(OSError):
                found = held.stat()
                if not found.st_nlink and found.st_dev == device and stat.S_ISREG(found.st_mode):
                    yield found


def _held_by(process: Path) -> Iterator[Path]:
    """Links to what a process holds; its threads may have tables of their own."""
    with contextlib.suppress(OSError):
        yield from (process / "map_files").iterdir()
    with contextlib.suppress(OSError):
        for thread in (process / "task").iterdir():
            with contextlib.suppress(OSError):
                yield from (thread / "fd").iterdir()
