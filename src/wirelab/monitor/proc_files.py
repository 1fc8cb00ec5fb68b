"""Files below ``/proc`` that are read again and again, kept open as far as the limit allows."""

from __future__ import annotations

import os
import resource

_SPARE = 64
"""Open files left to everything else this process does."""


GONE = (FileNotFoundError, ProcessLookupError)
"""The process or thread has ended. Every other error means that somebody could not be looked at."""


class OpenFiles:
    """Number of files that may be kept open; others are opened for each look.

    Reading a file kept open is one system call. A limit that is too small makes looks dearer, and
    figures no smaller.
    """

    def __init__(self, limit: int) -> None:
        self._left = max(0, limit - _SPARE)

    def open(self, path: str) -> ProcFile:
        """A file to read; raises OSError where it is gone."""
        file = os.open(path, os.O_RDONLY)
        if self._left > 0:
            self._left -= 1
            return ProcFile(path, file, self)
        os.close(file)
        return ProcFile(path, None, self)

    def closed(self) -> None:
        """Take note that a file that was kept open is not any more."""
        self._left += 1


class ProcFile:
    """One file of ``/proc``."""

    __slots__ = ("_file", "_owner", "_path")

    def __init__(self, path: str, file: int | None, owner: OpenFiles) -> None:
        self._path, self._file, self._owner = path, file, owner

    def read(self) -> bytes:
        """Read its present content, a line at most; raises OSError where its process is gone."""
        if self._file is not None:
            return os.pread(self._file, 128, 0)
        file = os.open(self._path, os.O_RDONLY)
        try:
            return os.read(file, 128)
        finally:
            os.close(file)

    def close(self) -> None:
        """Release it."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
            self._owner.closed()


def still_reads(file: ProcFile) -> bool:
    """Whether what it is of is still there."""
    try:
        return bool(file.read())
    except GONE:
        return False


def raise_limit() -> int:
    """Raise this process's limit of open files as far as it may itself; the limit then."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


def open_limit() -> int:
    """This process's limit of open files, as it is."""
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]
