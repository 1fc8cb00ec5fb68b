"""Files of the measured role as they grow: what was once seen in them stays as it was.

The core looks at random moments, and when the role has said that it is done. Afterwards the files
are held against what was seen: nothing may have changed, no record may end after it was seen, and
none that was written later may end before its lane was said to have no more (``records`` of an
answer, see ``docs/reference/worker-contract.md``), which answers have to say.
"""

from __future__ import annotations

import bisect
import contextlib
import hashlib
import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple

import numpy as np
import pyarrow.parquet as pq

from wirelab.model.parts import Operation
from wirelab.model.span import Span
from wirelab.samples import regular_file
from wirelab.samples.format import MOST_BYTES, RECORD_SIZE
from wirelab.samples.lanes import MOST_LANES
from wirelab.samples.regular_file import UnsafeFileError
from wirelab.trial.failure import TrialError
from wirelab.trial.pauses import LanePauses
from wirelab.trial.record_times import Ints

_AT_ONCE = 1 << 20
"""Bytes of a file that one look reads at most; later ones read on."""

_CHUNK = 1 << 20
_LATE_NS = 2_000_000_000
"""Time after which a line is in its file, also on a host that is busy."""

_FILES = ("answers", "samples", "intervals", "batches")
"""Answers first: what they say of the samples is there by then."""

_REASON, _SILENT = "rewritten-records", "unpublished-records"
_TOO_LARGE = 2**62
_TIMES = range(_TOO_LARGE)
"""Times that leave room for what is added to them."""

_EXCUSED_SHARE, _EXCUSED = 0.2, 3
"""The share and the number of answers that may say nothing of records: some are on their way."""


@dataclass(frozen=True)
class FileLook:
    """A file at one look: its first ``size`` bytes by their digest, and all bytes ``there``."""

    begun_ns: int
    ended_ns: int
    size: int
    digest: bytes
    there: int


class GrowingFile:
    """A file that another process writes; ``seen`` has what each look found."""

    def __init__(self, path: Path) -> None:
        self.name = path.name
        self.seen: list[FileLook] = []
        self._is_complete = False
        self._path = path
        self._digest = hashlib.blake2b(digest_size=16)
        self._size = 0

    def look(self, most: int = _AT_ONCE) -> None:
        """Take note of what is there now, which is nothing where it is no file."""
        begun_ns = time.monotonic_ns()
        there = 0
        try:
            with os.fdopen(regular_file.descriptor(self._path), "rb", buffering=0) as file:
                there = self._read(file, most)
        except (OSError, UnsafeFileError):
            pass  # what is wrong with it is said when it is read
        now_ns = time.monotonic_ns()
        self.seen.append(FileLook(begun_ns, now_ns, self._size, self._digest.digest(), there))

    def complete(self) -> None:
        """Look at all of it: its writer says that there will be no more.

        Of more than anybody reads later, the size alone: it is refused for that, or has changed.
        """
        self._is_complete = True
        self.look(MOST_BYTES)

    def _read(self, file: BinaryIO, most: int) -> int:
        there = os.fstat(file.fileno()).st_size
        if self._is_complete and there > MOST_BYTES:
            return there
        until = min(there, self._size + most)
        while self._size < until:
            content = os.pread(file.fileno(), min(_CHUNK, until - self._size), self._size)
            if not content:
                break
            self._digest.update(content)
            self._size += len(content)
        return there

    def is_as_seen(self, path: Path) -> bool:
        """Whether the file at ``path`` begins with all that was seen, and has no more than that
        once it was complete.
        """
        if not any(seen.there for seen in self.seen):
            return True
        try:
            with regular_file.opened(path, MOST_BYTES) as file:
                return self._begins_as_seen(file)
        except (OSError, UnsafeFileError):
            return True  # what is wrong with it is said when it is read

    def _begins_as_seen(self, file: BinaryIO) -> bool:
        last = self.seen[-1]
        if self._is_complete and os.fstat(file.fileno()).st_size != last.there:
            return False
        digest, size = hashlib.blake2b(digest_size=16), 0
        for seen in self.seen:
            while size < seen.size and (content := file.read(min(_CHUNK, seen.size - size))):
                digest.update(content)
                size += len(content)
            if seen.there < seen.size or (size, digest.digest()) != (seen.size, seen.digest):
                return False
        return True


class _GivenAnswer(NamedTuple):
    """An answer that was asked for; ``records`` of them were in the file when it was given."""

    asked: int
    operation: str
    lane: int
    records: int
    """Below 0: it does not say."""
    pause: Span
    end: int
    """Bytes of the file up to the end of its line."""


class PublishedFiles:
    """The files of one role, by what they are; without ``paths`` nothing is looked at."""

    def __init__(self, paths: Mapping[str, str] | None = None) -> None:
        known = {name: Path(paths[name]) for name in _FILES if paths and name in paths}
        self._files = {name: GrowingFile(path) for name, path in known.items()}

    def look(self) -> None:
        """Look at those that grow with every operation."""
        for name in ("answers", "samples"):
            if name in self._files:
                self._files[name].look()

    def complete(self) -> None:
        """Look at all of everything: its writer has said that it is done."""
        for file in self._files.values():
            file.complete()

    def check_unchanged(self, folder: Path, role: str) -> None:
        """Hold the files in ``folder`` against what was seen; raises TrialError."""
        for file in self._files.values():
            if not file.is_as_seen(folder / file.name):
                raise TrialError(
                    _REASON, f"{file.name} is not what was seen of it while it was written", role
                )

    def check_records(
        self, folder: Path, role: str, kept: Path, operations: Mapping[str, Operation]
    ) -> None:
        """Hold the ends of records, in the Parquet file ``kept``, against when the core looked and
        what answers said; raises TrialError.
        """
        if "samples" not in self._files:
            return
        ended = _RecordEnds.of(kept, operations)
        given = list(_given(folder / self._files["answers"].name))
        telling = [answer for answer in given if answer.records >= 0]
        pauses = LanePauses.of(kept, operations)
        if problem := (
            self._ahead(ended.ends) or self._behind(telling, ended) or self._paused(given, pauses)
        ):
            raise TrialError(_REASON, problem, role)
        silent = len(given) - len(telling)
        if silent > max(_EXCUSED, _EXCUSED_SHARE * len(given)):
            said = f"{silent} of {len(given)} answers do not say how many records there were"
            raise TrialError(_SILENT, said, role)

    def _ahead(self, ends: Ints) -> str:
        """Find a record that ends after it was seen."""
        latest = np.maximum.accumulate(ends)
        for seen in self._files["samples"].seen:
            count = min(_records(seen.size), len(ends))
            if count and latest[count - 1] > seen.ended_ns:
                by_ms = (latest[count - 1] - seen.ended_ns) / 1e6
                return f"a record ends {by_ms:.3f} ms after it was seen in the file"
        return ""

    def _behind(self, given: Sequence[_GivenAnswer], ended: _RecordEnds) -> str:
        """Find a record that was written later than its end allows, or an answer that was."""
        answers, samples = self._files["answers"].seen, self._files["samples"].seen
        for claim in given:
            if ended.earliest_after(claim) <= claim.pause[0]:
                return (
                    f"answer {claim.asked} was given when there were {claim.records} records; one "
                    f"of lane {claim.lane} that was written later says that it had ended by then"
                )
            late = bisect.bisect_left(answers, claim.pause[1] + _LATE_NS, key=_begun)
            if late < len(answers) and answers[late].there < claim.end:
                return f"answer {claim.asked} was written long after it says that it was given"
            first = bisect.bisect_left(answers, claim.end, key=_there)
            if first < len(samples) and _records(samples[first].there) < claim.records:
                return (
                    f"answer {claim.asked} says that there were {claim.records} records; "
                    f"{_records(samples[first].there)} were seen"
                )
        return ""

    def _paused(self, given: Sequence[_GivenAnswer], pauses: LanePauses) -> str:
        """Find an answer that claims more time than its lane had for it."""
        answers = self._files["answers"].seen
        for claim in given:
            first = bisect.bisect_left(answers, claim.end, key=_there)
            seen_ns = answers[first].ended_ns if first < len(answers) else _TOO_LARGE
            if problem := pauses.problem(claim.lane, claim.pause, seen_ns):
                return f"answer {claim.asked} {problem}"
        return ""


class _RecordEnds:
    """Ends of records in the order of the file, and the earliest one of a lane from a place on."""

    def __init__(self, ends: Ints, ops: Ints, lanes: Ints, codes: Mapping[str, int]) -> None:
        self.ends = ends
        self._codes = codes
        keys = ops << 16 | lanes
        self._order = np.argsort(keys, kind="stable")
        """Places of records by operation and lane, of each in the order of the file."""
        self._keys = keys[self._order]
        self._earliest: dict[int, tuple[Ints, Ints]] = {}

    @staticmethod
    def of(kept: Path, operations: Mapping[str, Operation]) -> _RecordEnds:
        """The ends of the records in a Parquet file of samples."""
        names = ["end_ns", "op", "lane"]
        table = pq.ParquetFile(kept).read(names, use_threads=False)
        ends, ops, lanes = (table.column(name).to_numpy().astype(np.int64) for name in names)
        return _RecordEnds(ends, ops, lanes, {name: one.code for name, one in operations.items()})

    def earliest_after(self, claim: _GivenAnswer) -> int:
        """The earliest end of its operation and lane after the records that it says there were;
        the end of time without any.
        """
        key = self._codes.get(claim.operation, 0) << 16 | claim.lane
        if key not in self._earliest:
            first, last = np.searchsorted(self._keys, [key, key + 1])
            at = self._order[first:last]
            self._earliest[key] = at, np.minimum.accumulate(self.ends[at][::-1])[::-1]
        at, ends = self._earliest[key]
        first = int(np.searchsorted(at, claim.records))
        return int(ends[first]) if first < len(ends) else 2**63 - 1


def _given(path: Path) -> Iterator[_GivenAnswer]:
    """The answers that were asked for; their form is checked elsewhere."""
    end = 0
    for line in _lines(path):
        end += len(line)
        if b'"pause":' in line and (answer := _given_in(line, end)) is not None:
            yield answer


def _lines(path: Path) -> list[bytes]:
    """The lines of the answers file; none where it is none."""
    try:
        return regular_file.content(path, MOST_BYTES).splitlines(keepends=True)
    except (OSError, UnsafeFileError):
        return []


def _given_in(line: bytes, end: int) -> _GivenAnswer | None:
    with contextlib.suppress(ValueError, RecursionError):
        match json.loads(line):
            case {
                "asked": int(asked),
                "operation": str(operation),
                "lane": int(lane),
                "pause": [int(begin_ns), int(end_ns)],
                **others,
            } if lane in range(MOST_LANES) and begin_ns in _TIMES and end_ns in _TIMES:
                records = others.get("records", -1)
                said = records if type(records) is int and records < _TOO_LARGE else -1
                return _GivenAnswer(asked, operation, lane, said, (begin_ns, end_ns), end)
    return None


def _records(size: int) -> int:
    return max(0, size - RECORD_SIZE) // RECORD_SIZE


def _begun(seen: FileLook) -> int:
    return seen.begun_ns


def _there(seen: FileLook) -> int:
    return seen.there
