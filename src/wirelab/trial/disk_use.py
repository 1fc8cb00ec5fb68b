"""The part of a disk that a role uses: by its folders, and by files without a name.

A role may close a folder, nest folders deeper than a path can be long, or hold a file open that it
has unlinked: nothing of that takes its files out of the account.
"""

from __future__ import annotations

import contextlib
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


def use_of(paths: Iterable[Path], keeper: int | None, device: int) -> DiskUse:
    """All that lies at ``paths``, and what processes below ``keeper`` hold open on ``device``.

    ``device`` is that of files which are made there. A file with several names counts once.
    """
    found: dict[Identity, int] = {}
    for path in paths:
        with contextlib.suppress(OSError):
            top = path.lstat()
            found[_identity(top)] = top.st_blocks
            if stat.S_ISDIR(top.st_mode):
                found |= {_identity(one): one.st_blocks for one in _below(path)}
    if keeper is not None:
        found |= {_identity(one): one.st_blocks for one in _unlinked(keeper, device)}
    return DiskUse(sum(found.values()) * _BLOCK, len(found))


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
