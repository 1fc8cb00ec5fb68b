"""A worker's files while it runs: records are there when an answer says so, and they stay."""

from __future__ import annotations

import contextlib
import json
import threading
import time
import zlib
from collections.abc import Iterator, Sequence
from io import FileIO
from pathlib import Path
from typing import NamedTuple

from . import files
from .contract import HEADER, RECORD, SECOND

_EVERY_S = 0.01
_AT_ONCE = 1 << 16

_LATE_NS = SECOND // 2
"""Time after which an answer that was given is in its file."""

_UNEXPLAINED, _FEW = 0.2, 3
"""Share and number of answers that may say nothing of records, or be late on a busy machine."""


class SeenSizes(NamedTuple):
    """Sizes at one moment, in bytes: of the answers first, which tell of the samples."""

    begun_ns: int
    answers: int
    samples: int


class Growing:
    """A file that another process writes: what was seen of it so far."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.size = 0
        self._checksum = 0
        self._file: FileIO | None = None

    def look(self) -> int:
        """Read what was added, where it is a regular file; returns all bytes seen."""
        with contextlib.suppress(OSError):
            self._file = self._file or files.opened(self.path)
            while self.size < files.MOST_BYTES and (added := self._file.read(_AT_ONCE)):
                self._checksum = zlib.crc32(added, self._checksum)
                self.size += len(added)
        return self.size

    def close(self) -> None:
        """Look at it no more."""
        if self._file is not None:
            self._file.close()

    def is_as_seen(self) -> bool:
        """Whether it still begins with all that was seen."""
        try:
            begins = files.content(self.path)[: self.size]
        except OSError:
            return True  # what is wrong with it is said by others
        return (len(begins), zlib.crc32(begins)) == (self.size, self._checksum)


class FileWatch:
    """Looks at the answers and the samples from a thread of its own, until it is ended."""

    def __init__(self, answers: Path, samples: Path) -> None:
        self.looks: list[SeenSizes] = []
        self.files = (Growing(answers), Growing(samples))
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while not self._over.wait(_EVERY_S):
            begun_ns = time.monotonic_ns()
            answers, samples = (file.look() for file in self.files)
            self.looks.append(SeenSizes(begun_ns, answers, samples))

    def end(self) -> None:
        """Look no more."""
        self._over.set()
        self._thread.join()
        for file in self.files:
            file.close()


class GivenAnswer(NamedTuple):
    """An answer that was asked for: its number, what it says, and the end of its line in bytes."""

    asked: int
    records: int | None
    pause_ended_ns: int
    end: int


def given_answers(path: Path) -> list[GivenAnswer]:
    """The answers of an answers file; the form of its lines is checked elsewhere."""
    try:
        lines = files.content(path).splitlines(keepends=True)
    except OSError:
        return []
    found, end = [], 0
    for line in lines:
        end += len(line)
        with contextlib.suppress(ValueError, RecursionError):
            match json.loads(line):
                case {"asked": int(asked), "answer": _, "pause": [_, int(ended_ns)], **others}:
                    records = others.get("records")
                    said = records if isinstance(records, int) else None
                    found.append(GivenAnswer(asked, said, ended_ns, end))
    return found


def findings_of(given: Sequence[GivenAnswer], looks: Sequence[SeenSizes]) -> list[str]:
    """Find answers that were there before their records, late, or without their number."""
    found = list(_too_early(looks, given))
    excused = min(max(_FEW, _UNEXPLAINED * len(given)), max(0, len(given) - 1))
    silent = sum(answer.records is None for answer in given)
    if silent > excused:
        what = f"{silent} of {len(given)} answers do not say how many records the file had"
        found.append(f"{what}: they are to be in it before the answer is given")
    late = sum(_is_late(looks, answer) for answer in given)
    if late > excused:
        what = f"{late} of {len(given)} answers were not in their file {_LATE_NS / SECOND:g} s"
        found.append(f"{what} after they were given")
    return found


def _too_early(looks: Sequence[SeenSizes], given: Sequence[GivenAnswer]) -> Iterator[str]:
    for answer in given:
        seen = next((look for look in looks if look.answers >= answer.end), None)
        if seen is None or answer.records is None:
            continue
        there = max(0, seen.samples - HEADER.size) // RECORD.size
        if there < answer.records:
            said = f"answer {answer.asked} says that the file had {answer.records} records"
            yield f"{said}; {there} were there when it was"


def _is_late(looks: Sequence[SeenSizes], answer: GivenAnswer) -> bool:
    after = (look for look in looks if look.begun_ns > answer.pause_ended_ns + _LATE_NS)
    first = next(after, None)
    return first is not None and first.answers < answer.end
