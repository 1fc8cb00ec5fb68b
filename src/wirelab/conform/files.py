"""Files that a worker has written: regular ones alone, and within a bound.

There may be anything at their places: a pipe that nobody writes to, a device that never ends, a
file of nothing but size.
"""

from __future__ import annotations

import errno
import os
import stat
from io import FileIO
from pathlib import Path

MOST_BYTES = 256 << 20
"""Most bytes of a file of a check, whose trials are short."""


def opened(path: Path) -> FileIO:
    """The file, to read what comes to it; raises OSError for what is missing, no regular file, or
    too large.
    """
    number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    file = FileIO(number)
    try:
        _refuse_other_kinds(os.fstat(number), path)
    except OSError:
        file.close()
        raise
    return file


def _refuse_other_kinds(found: os.stat_result, path: Path) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise OSError(
            errno.EINVAL, "it is a pipe, a device or a folder, and no regular file", str(path)
        )
    if found.st_size > MOST_BYTES:
        said = f"{found.st_size} bytes, and {MOST_BYTES} bytes are the most"
        raise OSError(errno.EFBIG, said, str(path))


def content(path: Path) -> bytes:
    """All of it; raises OSError as above."""
    with opened(path) as file:
        return file.read(MOST_BYTES)
