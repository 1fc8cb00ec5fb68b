"""Large messages: a blob, many records at once, and records one after the other.

What is written and read is made here, as the suite's ``README.md`` defines it: byte k of a blob
is k mod 251, and record k is point k mod 1,000 of the shape ``telemetry``.
"""

from __future__ import annotations

import io
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, repeat
from math import trunc
from typing import Any, BinaryIO, Protocol

from codec_harness.answers import CallResult, write_call
from codec_harness.codecs import Codec, MessageCodec, encoded, native_of
from codec_harness.forms import MAPPINGS, Form
from codec_harness.loops import MASK
from codec_harness.memory import Use, used_by
from codec_harness.pools import load_pool
from wirelab_sdk import Answers, Loop

_MEGABYTE = 1_000_000
_RECORD_BYTES = 20
_BLOCK = 1000
_MODULUS = 251
_CHUNK = 65_536

TIMED = ("to_bytes", "from_bytes")
"""The directions, in the order of their answers."""


class Sink(Protocol):
    """Anything that bytes can be written to."""

    def write(self, data: Any, /) -> object:
        """Take the next bytes."""


@dataclass(frozen=True, slots=True)
class Large:
    """Calls of a library for large messages.

    ``blob`` codes bytes. ``writer`` takes a sink and gives a function that writes one record to it;
    ``reader`` gives the records in a file, one after the other.
    """

    blob: Codec
    writer: Callable[[Sink], Callable[[Any], object]]
    reader: Callable[[BinaryIO], Iterator[Any]]


def in_base64(texts: Codec) -> Codec:
    """Bytes as a text in base64: for a library that writes and reads no bytes."""
    encode, decode = texts.encode, texts.decode
    return Codec(
        lambda data: encode(b64encode(data).decode("ascii")),
        lambda data: b64decode(decode(data)),
    )


class _Task(Protocol):
    """A direction of a step, ready to be done again and again."""

    def __call__(self) -> int:
        """Do it once and return the fold of what came out."""


@dataclass(frozen=True, slots=True)
class LargeStep:
    """One step: its form (``blob``, ``whole`` or ``stream``) and its size."""

    step: str
    large: Large
    records: Codec | MessageCodec
    form: Form

    def answer(self, answers: Answers) -> None:
        """Tell what came out in either direction, and how much memory it took."""
        for tick, operation in enumerate(TIMED):
            call = CallResult.of(self._told, operation)
            names = {"phase": "measure", "step": self.step, "operation": "once", "tick": tick}
            write_call(answers, call, call.answer(dict), **names)

    def loop(self, operation: str) -> Loop:
        """The loop of a direction; one iteration is the whole of the data."""
        task = self._task(operation)

        def run(iterations: int) -> int:
            return sum(task() for _ in range(iterations)) & MASK

        return Loop(run, 1)

    def _told(self, operation: str) -> dict[str, Any]:
        told: dict[str, Any] = {}
        task = self._task(operation, told)
        used: Use | None = used_by(task)
        if used is not None:
            told |= {"before_bytes": used.before, "peak_bytes": used.peak}
        return told

    def _task(self, operation: str, told: dict[str, Any] | None = None) -> _Task:
        """The work itself; ``told`` is given what the answer says of the first result."""
        form, _, megabytes = self.step.partition("-")
        size = int(megabytes) * _MEGABYTE
        said = {} if told is None else told
        if form == "stream":
            times = size // _RECORD_BYTES // _BLOCK
            if operation == "to_bytes":
                return self._writes_records(times, said)
            return self._reads_records(times, said)
        codec = self.large.blob if form == "blob" else self.records
        native = _blob(size) if form == "blob" else self._telemetry(size // _RECORD_BYTES)
        if operation == "to_bytes":
            return _writes(codec, native, said)
        fold = _of_bytes if form == "blob" else self.form.folds["telemetry"]
        return _reads(codec, encoded(codec, native), fold, said)

    def _telemetry(self, count: int) -> Any:
        """A message of ``count`` records, each an object of its own."""
        points = load_pool("telemetry", MAPPINGS).neutrals[0]["points"]
        own = [dict(point) for point in chain.from_iterable(repeat(points, count // _BLOCK))]
        return self.form.make("telemetry", {"points": own})

    def _block(self) -> list[Any]:
        native = self._telemetry(_BLOCK)
        points: list[Any] = native["points"] if self.form is MAPPINGS else native.points
        return points

    def _writes_records(self, times: int, told: dict[str, Any]) -> _Task:
        block, writer = self._block(), self.large.writer

        def task() -> int:
            ends = _Ends()
            with io.BufferedWriter(ends, _CHUNK) as sink:
                write = writer(sink)
                for record in chain.from_iterable(repeat(block, times)):
                    write(record)
            told.update(size=ends.size, first=ends.first, last=ends.last)
            return 7 * ends.size + ends.first + 5 * ends.last

        return task

    def _reads_records(self, times: int, told: dict[str, Any]) -> _Task:
        written = io.BytesIO()
        write = self.large.writer(written)
        for record in self._block():
            write(record)
        block, reader = written.getvalue(), self.large.reader
        fold = _of_mappings if self.form is MAPPINGS else _of_objects

        def task() -> int:
            with io.BufferedReader(_Repeated(block, times), _CHUNK) as source:
                total = fold(reader(source))
            told["fold"] = total & MASK
            return total

        return task


def _writes(codec: Codec | MessageCodec, native: Any, told: dict[str, Any]) -> _Task:
    def task() -> int:
        data = encoded(codec, native)
        middle = data[len(data) // 2]
        told.update(size=len(data), first=data[0], middle=middle, last=data[-1])
        return _of_bytes(data)

    return task


def _reads(
    codec: Codec | MessageCodec, data: bytes, fold: Callable[[Any], int], told: dict[str, Any]
) -> _Task:
    def task() -> int:
        total = fold(native_of(codec, codec.decode(data)))
        told["fold"] = total & MASK
        return total

    return task


def _blob(size: int) -> bytes:
    whole = bytes(range(_MODULUS))
    return whole * (size // _MODULUS) + whole[: size % _MODULUS]


def _of_bytes(data: bytes) -> int:
    length = len(data)
    return 7 * length + data[0] + 3 * data[length // 2] + 5 * data[-1]


def _of_mappings(records: Iterator[Any]) -> int:
    total = 0
    for one in records:
        total += 101 + 3 * one["time"] + 5 * trunc(one["value"]) + 7 * one["quality"]
    return total


def _of_objects(records: Iterator[Any]) -> int:
    total = 0
    for one in records:
        total += 101 + 3 * one.time + 5 * trunc(one.value) + 7 * one.quality
    return total


class _Ends(io.RawIOBase):
    """A file that keeps nothing but its length, its first byte and its last one."""

    def __init__(self) -> None:
        super().__init__()
        self.size = self.first = self.last = 0

    def writable(self) -> bool:
        """Whether it can be written to."""
        return True

    def write(self, data: Any, /) -> int:
        """Take the next bytes."""
        if len(data):
            self.first = self.first if self.size else data[0]
            self.last = data[-1]
            self.size += len(data)
        return len(data)


class _Repeated(io.RawIOBase):
    """A file that holds the same bytes again and again, and takes the memory of one time."""

    def __init__(self, block: bytes, times: int) -> None:
        super().__init__()
        self._block, self._left, self._at = memoryview(block), times, 0

    def readable(self) -> bool:
        """Whether it can be read."""
        return True

    def readinto(self, room: Any, /) -> int:
        """Give the next bytes, up to the end of one time."""
        if self._left == 0:
            return 0
        part = self._block[self._at : self._at + len(room)]
        room[: len(part)] = part
        self._at += len(part)
        if self._at == len(self._block):
            self._at = 0
            self._left -= 1
        return len(part)
