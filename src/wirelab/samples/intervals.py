"""The interval file: exact counts and histograms by second, or by tenth of one.

``docs/reference/worker-contract.md`` defines it.
"""

from __future__ import annotations

import base64
import ctypes
import zlib
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated

import numpy as np
import numpy.typing as npt
from hdrh.codec import ExternalHeader, PayloadHeader
from hdrh.histogram import HdrHistogram
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from wirelab.samples import regular_file
from wirelab.samples.format import SampleFileError
from wirelab.samples.regular_file import UnsafeFileError

KINDS = ("service", "response")
"""Durations that are kept as histograms, in ns."""

MAX_LINE = 4 * 1024 * 1024
"""Far above the largest histogram of the prescribed range: nothing is read without an end."""

MAX_SECOND = 7 * 24 * 3600

TENTHS = 10
"""Parts of a second that lines may be of."""

MOST_BYTES = 256 << 20
MOST_LINES = 50_000
"""Most lines of a file: a line a second for each of ten operations in more than an hour."""

MOST_INFLATED = 1 << 20
"""Bytes of a histogram without its compression, which can make a thousand of one."""

MOST_COUNTERS = 1 << 16
"""Most counters of a histogram: three digits from a nanosecond to an hour take half of them."""

MOST_BUCKETS = 20_000_000
"""Most buckets in all histograms of a file, counted where they hold something: half a gigabyte."""

MOST_CELLS = 100_000_000
"""Most cells of the table of seconds (or of lines of tenths) by buckets that figures are made of:
800 MB."""

_LEAST_SECONDS = 3600
"""Seconds that such a table is thought to have at least, whatever a file says: a run's may be more
than those of which a line tells."""

_MOST_COUNTED = 2**47
"""Largest count of a name or a histogram in a line: those of all lines add up to less than 64 bits.
"""

Counts = npt.NDArray[np.int64]


class Line(BaseModel):
    """A line as it stands in the file; its histograms are still encoded."""

    model_config = ConfigDict(extra="forbid", strict=True)

    second: int = Field(ge=0, le=MAX_SECOND)
    tenth: int | None = Field(default=None, ge=0, lt=TENTHS)
    operation: str = Field(min_length=1, max_length=64)
    step: str = Field(default="", max_length=64)
    counts: dict[str, Annotated[int, Field(ge=0, le=_MOST_COUNTED)]] = {}
    service: str = ""
    response: str = ""


@dataclass(frozen=True)
class Histogram:
    """Counts of durations by bucket: bucket *i* holds ``lows[i]`` to ``highs[i]`` ns."""

    lows: Counts
    highs: Counts
    counts: Counts
    places: Counts
    """Number of each bucket in the layout."""

    def __len__(self) -> int:
        """Number of durations."""
        return int(self.counts.sum())


@dataclass(frozen=True)
class Interval:
    """Counts of one operation in one second after tick 0, or in a ``tenth`` of it."""

    second: int
    operation: str
    counts: Mapping[str, int]
    _encoded: Mapping[str, str] = field(default_factory=dict)
    step: str = ""
    """The step it belongs to, in a closed loop."""
    _kept: _Kept = field(default_factory=lambda: _Kept("histogram"))
    tenth: int | None = None

    @cached_property
    def histograms(self) -> Mapping[str, Histogram]:
        """By kind; SampleFileError for one that is none."""
        return {kind: self._kept.decoded(text) for kind, text in self._encoded.items() if text}


class _Kept:
    """Room for the histograms of one file: of one layout, so that their buckets fall together."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._buckets = 0
        self._used = np.zeros(2 * MOST_COUNTERS, dtype=bool)
        self._rows = _LEAST_SECONDS
        self._tenths: Counter[str] = Counter()
        self._layout: tuple[int, int] | None = None
        self._last: tuple[str, Histogram] | None = None

    def take(self, line: Line) -> None:
        """Make room for a line in the table that figures are made of."""
        self._tenths[line.operation] += line.tenth is not None
        self._rows = max(self._rows, line.second + 1, self._tenths[line.operation])

    def decoded(self, text: str) -> Histogram:
        """A histogram of the file; SampleFileError where it is none, or there are too many.

        Without a schedule, response and service time of a line are one text: it is decoded once.
        """
        if self._last is None or self._last[0] != text:
            self._last = text, self._decoded(text)
        found = self._last[1]
        self._buckets += len(found.counts)
        if self._buckets > MOST_BUCKETS:
            raise SampleFileError(f"{self._file}: HdrHistograms with over {MOST_BUCKETS} buckets")
        return found

    def _decoded(self, text: str) -> Histogram:
        try:
            histogram = _unpacked(text)
            found = _of(histogram)
        except SampleFileError as error:
            raise SampleFileError(f"{self._file}: {error}") from None
        layout = (histogram.unit_magnitude, histogram.significant_figures)
        if self._layout not in (None, layout):
            raise SampleFileError(f"{self._file}: HdrHistograms of two layouts")
        self._layout = layout
        self._used[found.places] = True
        buckets = int(np.count_nonzero(self._used))
        if buckets * self._rows > MOST_CELLS:
            said = f"{buckets} buckets in {self._rows} seconds"
            raise SampleFileError(f"{self._file}: {said}, and {MOST_CELLS} are the most of both")
        return found


def decoded(text: str) -> Histogram:
    """A histogram in the HdrHistogram V2 compressed encoding, base64.

    Raises SampleFileError for anything else.
    """
    return _of(_unpacked(text))


def _unpacked(text: str) -> HdrHistogram:
    try:
        _check_size(base64.b64decode(text.encode()))
        # The decoder is written in C and takes bytes; validation is the library's own.
        return HdrHistogram.decode(text.encode())
    except SampleFileError:
        raise
    except Exception as error:  # what it raises has no common class, zlib's and base64's included
        said = str(error) or type(error).__name__
        raise SampleFileError(f"not an HdrHistogram: {said}") from None


def _check_size(packed: bytes) -> None:
    """Hold a histogram to its bounds before the library makes room for what it says of itself."""
    unpacking = zlib.decompressobj()
    plain = unpacking.decompress(packed[ctypes.sizeof(ExternalHeader) :], MOST_INFLATED)
    if unpacking.unconsumed_tail:
        raise SampleFileError(f"an HdrHistogram that inflates to more than {MOST_INFLATED} bytes")
    header = PayloadHeader.from_buffer_copy(plain)
    lowest, highest = header.lowest_trackable_value, header.highest_trackable_value
    if not 1 <= header.significant_figures <= 5 or not 0 < 2 * lowest <= highest < 2**62:
        raise SampleFileError("an HdrHistogram of a range that there is not")
    within = 2 * 10**header.significant_figures
    octaves = max(0, (highest // lowest).bit_length() - within.bit_length()) + 3
    if octaves * within > 2 * MOST_COUNTERS:
        raise SampleFileError(f"an HdrHistogram of more than {MOST_COUNTERS} counters")


def _of(histogram: HdrHistogram) -> Histogram:
    filled = _filled(histogram)
    counts = np.ctypeslib.as_array(histogram.counts)[filled].astype(np.int64)
    if counts.min(initial=0) < 0 or counts.sum(dtype=np.float64) > _MOST_COUNTED:
        raise SampleFileError(f"an HdrHistogram that counts more than {_MOST_COUNTED}")
    used = np.flatnonzero(counts)
    lows, highs = _bounds(histogram, used + filled.start)
    return Histogram(lows, highs, counts[used], used + filled.start)


def _filled(histogram: HdrHistogram) -> slice:
    """The counters between the first and the last that counts: a few of tens of thousands.

    All of them where the total is 0, which counts that are too large add up to as well.
    """
    if not histogram.total_count:
        return slice(0, len(histogram.counts))
    first, last = histogram.min_value, histogram.max_value
    return slice(
        histogram.get_counts_array_index(first), histogram.get_counts_array_index(last) + 1
    )


def _bounds(histogram: HdrHistogram, used: Counts) -> tuple[Counts, Counts]:
    """Lowest and highest value of each bucket: the library's own rule, without its loop."""
    magnitude, half = histogram.sub_bucket_half_count_magnitude, histogram.sub_bucket_half_count
    # The first half bucket has no octave of its own: it counts from 0 in units of the second.
    octave = np.maximum((used >> magnitude) - 1, 0)
    place = (used & (half - 1)) + np.where(used >> magnitude == 0, 0, half)
    shift = octave + histogram.unit_magnitude
    lows = place << shift
    return lows, lows + (np.int64(1) << shift) - 1


def encoded(histogram: HdrHistogram) -> str:
    """The text that ``decoded`` reads."""
    text: bytes = histogram.encode()
    base64.b64decode(text, validate=True)
    return text.decode()


def read(path: Path) -> Iterator[Interval]:
    """The lines of an interval file; SampleFileError for one that is none."""
    try:
        opened = regular_file.opened(path, MOST_BYTES)
    except UnsafeFileError as error:
        raise SampleFileError(str(error)) from None
    kept = _Kept(path.name)
    with opened as lines:
        number = 0
        while line := lines.readline(MAX_LINE):
            number += 1
            if number > MOST_LINES:
                raise SampleFileError(f"{path.name} has more than {MOST_LINES} lines")
            if not line.endswith(b"\n"):
                raise SampleFileError(
                    f"{path.name}, line {number}: longer than {MAX_LINE} bytes or cut off"
                )
            try:
                said = Line.model_validate_json(line)
            except ValidationError as error:
                first = error.errors()[0]
                where = ".".join(str(part) for part in first["loc"]) or "line"
                raise SampleFileError(
                    f"{path.name}, line {number}: {where}: {first['msg']}"
                ) from None
            kept.take(said)
            texts = {kind: getattr(said, kind) for kind in KINDS}
            own = (said.second, said.operation, said.counts, texts, said.step, kept, said.tenth)
            yield Interval(*own)


def check(path: Path, steps: Collection[str] = ()) -> int:
    """Number of lines of a complete interval file; SampleFileError where one is wrong.

    In a closed loop each line belongs to one of its ``steps``, in any other to none.
    """
    count = 0
    for interval in read(path):
        if interval.step not in (steps or ("",)):
            known = f"the steps are {', '.join(steps)}" if steps else "only closed loops have them"
            raise SampleFileError(
                f'{path.name}: second {interval.second}: step "{interval.step}", {known}'
            )
        for kind, histogram in interval.histograms.items():
            received = interval.counts.get("received")
            if received is not None and len(histogram) > received:
                raise SampleFileError(
                    f"{path.name}: second {interval.second}: {len(histogram)} {kind} times of "
                    f"{received} received"
                )
        count += 1
    return count
