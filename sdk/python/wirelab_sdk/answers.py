"""The answers file: what operations returned, for the suite's verifier."""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

Phase = Literal["preflight", "measure"]


class Answers:
    """Writes answers to ``path`` and keeps their number and checksum.

    Serializing two thousand values takes about a millisecond: write an answer when no timed
    operation is under way, not merely after its own ``end_ns``.
    """

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb")
        self._crc = 0
        self.count = 0
        self.published: Callable[[], int] | None = None
        """Writes all records to their file, and tells how many there are; none: nobody can."""

    def write(
        self,
        *,
        phase: Phase,
        operation: str,
        tick: int,
        start_ns: int,
        end_ns: int,
        answer: Mapping[str, object],
    ) -> None:
        """Add one answer. ValueError for NaN and infinity, which JSON has no words for."""
        self.add(
            {
                "phase": phase,
                "operation": operation,
                "tick": tick,
                "start_ns": start_ns,
                "end_ns": end_ns,
                "answer": answer,
            }
        )

    def give(
        self,
        *,
        operation: str,
        tick: int,
        start_ns: int,
        end_ns: int,
        answer: Callable[[], Mapping[str, object]],
        asked: int,
        lane: int,
    ) -> None:
        """Add the answer that asking number ``asked`` of a lane wanted, how long it took, and how
        many records were in their file by then.
        """
        begin_ns = time.monotonic_ns()
        there = {} if self.published is None else {"records": self.published()}
        words = _in_words(answer())
        line = {
            "phase": "measure",
            "operation": operation,
            "tick": tick,
            "start_ns": start_ns,
            "end_ns": end_ns,
            "asked": asked,
            "lane": lane,
            **there,
            "pause": [begin_ns, time.monotonic_ns()],
        }
        self._write(_in_words(line)[:-1] + b',"answer":' + words + b"}\n")
        if there:
            self.flush()  # records were written to be seen, and so is what says so

    def add(self, line: Mapping[str, object]) -> None:
        """Add a line with keys of the suite's own."""
        self._write(_in_words(line) + b"\n")

    def _write(self, data: bytes) -> None:
        self._file.write(data)
        self._crc = zlib.crc32(data, self._crc)
        self.count += 1

    def flush(self) -> None:
        """Make what was written readable for the verifier."""
        self._file.flush()

    def close(self) -> None:
        """Complete the file; calling it again does nothing."""
        self._file.close()

    @property
    def checksum(self) -> str:
        """CRC-32 (IEEE) of the bytes written, as 8 hex digits."""
        return f"{self._crc:08x}"


def _in_words(value: Mapping[str, object]) -> bytes:
    # Python writes floats in the shortest form that reads back the same.
    return json.dumps(value, separators=(",", ":"), allow_nan=False).encode()
