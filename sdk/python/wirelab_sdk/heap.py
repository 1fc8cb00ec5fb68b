"""CPython's heap: the bytes in blocks that its allocators have given out and not got back."""

from __future__ import annotations

import ctypes
import os
import re
import sys
import tempfile

_IN_BLOCKS = re.compile(rb"^# bytes in allocated blocks\s*=\s*([\d,]+)", re.MULTILINE)


class _Mallinfo(ctypes.Structure):
    """``struct mallinfo2`` of the C library."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            *("arena", "ordblks", "smblks", "hblks", "hblkhd"),
            *("usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"),
        )
    ]


def bytes_in_use() -> int | None:
    """Small objects, which CPython's own allocator keeps, and all else, which malloc does; None
    where one of them does not say.

    It takes a millisecond or more, and standard error is somewhere else meanwhile: not for a time
    in which anything is measured.
    """
    small, other = _small_objects(), _of_malloc()
    return None if small is None or other is None else small + other


def _small_objects() -> int | None:
    """CPython writes it to standard error, among much else."""
    with tempfile.TemporaryFile() as told:
        kept = os.dup(2)
        os.dup2(told.fileno(), 2)
        try:
            sys._debugmallocstats()
        finally:
            os.dup2(kept, 2)
            os.close(kept)
        told.seek(0)
        found = _IN_BLOCKS.search(told.read())
    return int(found[1].replace(b",", b"")) if found else None


def _of_malloc() -> int | None:
    try:
        mallinfo = ctypes.CDLL(None).mallinfo2
    except AttributeError:  # another C library than glibc, or one before 2.33
        return None
    mallinfo.restype = _Mallinfo
    said = mallinfo()
    # Large blocks have pages of their own.
    return int(said.uordblks + said.hblkhd)
