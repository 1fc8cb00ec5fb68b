"""The sample file: one record of 32 bytes for each timed operation."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable
from pathlib import Path

RECORD_SIZE = 32
CLOCK_MONOTONIC = 1

_HEADER = struct.Struct("<8sHHI16x")
_RECORD = struct.Struct("<QQQIBBH")
# Measured on CPython 3.11 and 3.13: pack_into a preallocated bytearray costs 0.2 us a sample,
# a list of tuples packed later 0.3-0.4 us, a mapped file up to 0.6 us with stalls of tens of
# milliseconds when the kernel writes its pages back. 4,096 records are written in one call
# of some tens of microseconds.
_CHUNK = 4096 * RECORD_SIZE


class Recorder:
    """Writes samples to ``path``; the file exists, with its header, from construction on.

    Not for several threads, but that ``write`` may be at what was ``taken`` while another one
    records. Raises OSError when the file cannot be written.
    """

    __slots__ = ("_before", "_buffer", "_fd", "_full", "_offset", "_pack_into", "waits")

    waits: bool
    """Whether full chunks wait in memory until they are taken; else they are written at once."""

    def __init__(self, path: Path) -> None:
        self._fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o644)
        self._buffer = bytearray(_CHUNK)
        self._full: list[bytearray] = []
        self._offset = 0
        self._before = 0
        self.waits = False
        self._pack_into = _RECORD.pack_into
        _write_all(self._fd, memoryview(_HEADER.pack(b"WLSAMPLE", 1, RECORD_SIZE, CLOCK_MONOTONIC)))

    @property
    def count(self) -> int:
        """Samples recorded so far, written to the file or not."""
        return self._before + self._offset // RECORD_SIZE

    def record(  # noqa: PLR0917  # naming the arguments would cost in the timed path
        self,
        intended_ns: int,
        start_ns: int,
        end_ns: int,
        op: int,
        status: int = 0,
        size: int = 0,
        lane: int = 0,
    ) -> None:
        """Keep one operation; times are nanoseconds of CLOCK_MONOTONIC, ``size`` bytes."""
        offset = self._offset
        self._pack_into(self._buffer, offset, intended_ns, start_ns, end_ns, size, op, status, lane)
        self._offset = offset = offset + RECORD_SIZE
        if offset == _CHUNK:
            if self.waits:
                self._full.append(self._buffer)
                self._buffer = bytearray(_CHUNK)
                self._before += offset // RECORD_SIZE
                self._offset = 0
            else:
                self.flush()

    @property
    def is_full(self) -> bool:
        """Whether a chunk waits to be taken and written."""
        return bool(self._full)

    def taken(self) -> list[memoryview]:
        """Take out what is kept, to be written while other samples are recorded."""
        last = memoryview(self._buffer)[: self._offset]
        taken = [*(memoryview(full) for full in self._full), last]
        self._full, self._buffer = [], bytearray(_CHUNK)
        self._before += self._offset // RECORD_SIZE
        self._offset = 0
        return taken

    def write(self, taken: Iterable[memoryview]) -> None:
        """Hand what was taken to the kernel, in the order in which it was."""
        for part in taken:
            _write_all(self._fd, part)

    def flush(self) -> None:
        """Hand the samples kept so far to the kernel."""
        with memoryview(self._buffer) as view:
            self.write([*(memoryview(full) for full in self._full), view[: self._offset]])
        self._full = []
        self._before += self._offset // RECORD_SIZE
        self._offset = 0

    def publish(self) -> int:
        """Hand them to the kernel, and tell how many samples the file has then."""
        self.flush()
        return self._before

    def close(self) -> None:
        """Complete the file; calling it again does nothing."""
        if self._fd >= 0:
            self.flush()
            os.close(self._fd)
            self._fd = -1


def _write_all(fd: int, data: memoryview) -> None:
    # A nearly full disk takes a part first and fails with ENOSPC only on the next call.
    while data:
        data = data[os.write(fd, data) :]
