"""Reading a file while somebody else still writes it.

A tail holds its file open: a sample file is removed as soon as the core has kept its content,
and what was written last can still be read then.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np

from wirelab.samples import regular_file
from wirelab.samples.format import CLOCK_MONOTONIC, MAGIC, RECORD, RECORD_SIZE, VERSION, Records
from wirelab.samples.regular_file import UnsafeFileError

MOST_AT_ONCE = 8 * 1024 * 1024
"""Bytes taken in one look; what is beyond is taken at the next."""

_HEADER = (
    MAGIC
    + VERSION.to_bytes(2, "little")
    + RECORD_SIZE.to_bytes(2, "little")
    + CLOCK_MONOTONIC.to_bytes(4, "little")
)


class Tail:
    """A growing file, and how far it has been read."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._fd: int | None = None
        self._offset = 0

    def open(self) -> bool:
        """Hold the file open from now on; False while there is none."""
        if self._fd is None:
            try:
                self._fd = regular_file.descriptor(self._path)
            except (OSError, UnsafeFileError):
                return False
        return True

    def close(self) -> None:
        """Let go of the file."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None

    def _ahead(self) -> bytes:
        """Read what lies ahead, without moving on."""
        if not self.open():
            return b""
        assert self._fd is not None
        return os.pread(self._fd, MOST_AT_ONCE, self._offset)


class LineTail(Tail):
    """Complete lines; one still being written is left for the next look."""

    def gained(self) -> list[bytes]:
        """Lines since the last look, without their ends."""
        ahead = self._ahead()
        end = ahead.rfind(b"\n") + 1
        if end == 0 and len(ahead) == MOST_AT_ONCE:
            # No line is that long: pass over it, so that one does not stop the others.
            end = len(ahead)
            self._offset += end
            return []
        self._offset += end
        return ahead[:end].splitlines()


class RecordTail(Tail):
    """Complete records of a sample file."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._foreign = False

    def gained(self) -> Records:
        """Records since the last look; none of a file that is no sample file.

        A recorder may write its chunks out of order, which leaves a gap of zeros until the
        earlier one is there: what lies behind a gap is left for a later look.
        """
        if self._offset == 0 and not self._pass_header():
            return np.empty(0, dtype=RECORD)
        ahead = self._ahead()
        records = np.frombuffer(ahead, dtype=RECORD, count=len(ahead) // RECORD_SIZE)
        unwritten = np.flatnonzero(records["op"] == 0)
        if len(unwritten):
            records = records[: unwritten[0]]
        self._offset += len(records) * RECORD_SIZE
        return records

    def _pass_header(self) -> bool:
        header = b"" if self._foreign else self._ahead()[:RECORD_SIZE]
        if len(header) < RECORD_SIZE:
            return False
        if not header.startswith(_HEADER):
            # The core names that as the trial's failure when it ends.
            self._foreign = True
            return False
        self._offset = RECORD_SIZE
        return True
