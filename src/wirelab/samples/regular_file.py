"""Files of a folder that others may write to: regular ones alone, within a bound.

A worker, or whoever made a stored run, may have put anything at a path: a link that leads
elsewhere, a pipe that nobody writes to, a device that never ends, a file of nothing but size.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

from wirelab.samples.removal import remove

_NO_FILE = frozenset({errno.EISDIR, errno.ENXIO, errno.ENODEV, errno.ENOTDIR})
"""Errors of opening a folder or a socket, which are no files."""

_CLOSED = frozenset({errno.EACCES, errno.EPERM})
"""Errors of opening a file that its writer has closed to us."""


class UnsafeFileError(Exception):
    """A file that is not read; the message begins with its name, ``problem`` does not."""

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"{path.name} {problem}")
        self.problem = problem


def descriptor(path: Path, flags: int = os.O_RDONLY) -> int:
    """A regular file, opened without following a link and without waiting for anybody.

    Raises UnsafeFileError for anything else, and OSError as ``os.open`` does.
    """
    try:
        opened = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o644)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise UnsafeFileError(path, "is a link, which is not followed") from None
        if error.errno in _NO_FILE:
            raise UnsafeFileError(path, "is no regular file") from None
        if error.errno in _CLOSED:
            raise UnsafeFileError(path, f"may not be opened: {error.strerror}") from None
        raise
    if not stat.S_ISREG(os.fstat(opened).st_mode):
        os.close(opened)
        raise UnsafeFileError(path, "is no regular file")
    return opened


def opened(path: Path, most: int) -> BinaryIO:
    """A regular file of ``most`` bytes at most, to be read; raises as ``descriptor`` does."""
    found = descriptor(path)
    size = os.fstat(found).st_size
    if size > most:
        os.close(found)
        raise UnsafeFileError(path, f"has {size} bytes, and {most} bytes are the most")
    return os.fdopen(found, "rb")


def content(path: Path, most: int) -> bytes:
    """The content of such a file, which may grow meanwhile; raises as ``opened`` does."""
    with opened(path, most) as file:
        return file.read(most)


def created(path: Path, buffering: int = -1) -> BinaryIO:
    """A new file, to be written; whatever lies in its way is removed."""
    clear(path)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    return os.fdopen(os.open(path, flags, 0o644), "wb", buffering)


def clear(path: Path) -> None:
    """Remove what is at ``path``; where that is a link, the link and never what it leads to."""
    with contextlib.suppress(FileNotFoundError):
        remove(path)
