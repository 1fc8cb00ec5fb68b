"""The interval file: exact counts and histograms by second (``docs/worker-contract.md``)."""

from __future__ import annotations

import base64
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated

import numpy as np
import numpy.typing as npt
from hdrh.histogram import HdrHistogram
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from wirelab.samples.format import SampleFileError

KINDS = ("service", "response")
"""Durations that are kept as histograms, in ns."""

MAX_LINE = 4 * 1024 * 1024
"""Far above the largest histogram of the prescribed range: nothing is read without an end."""

MAX_SECOND = 7 * 24 * 3600

Counts = npt.NDArray[np.int64]


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    second: int = Field(ge=0, le=MAX_SECOND)
    operation: str = Field(min_length=1, max_length=64)
    step: str = Field(default="", max_length=64)
    counts: dict[str, Annotated[int, Field(ge=0)]] = {}
    service: str = ""
    response: str = ""


@dataclass(frozen=True)
class Histogram:
    """Counts of durations by bucket: bucket *i* holds ``lows[i]`` to ``highs[i]`` ns."""

    lows: Counts
    highs: Counts
    counts: Counts

    def __len__(self) -> int:
        """Number of durations."""
        return int(self.counts.sum())


@dataclass(frozen=True)
class Interval:
    """What was written of one operation in one second after tick 0."""

    second: int
    operation: str
    counts: Mapping[str, int]
    _encoded: Mapping[str, str] = field(default_factory=dict)
    step: str = ""
    """Of a closed loop: the step it belongs to."""

    @cached_property
    def histograms(self) -> Mapping[str, Histogram]:
        """By kind; SampleFileError for one that is none."""
        return {kind: decoded(text) for kind, text in self._encoded.items() if text}


def decoded(text: str) -> Histogram:
    """A histogram in the HdrHistogram V2 compressed encoding, base64.

    Raises SampleFileError for anything else.
    """
    try:
        # The decoder is written in C and takes bytes; validation is the library's own.
        histogram = HdrHistogram.decode(text.encode())
    except Exception as error:  # what it raises has no common class, zlib's and base64's included
        said = str(error) or type(error).__name__
        raise SampleFileError(f"not an HdrHistogram: {said}") from None
    counts = np.ctypeslib.as_array(histogram.counts).astype(np.int64)
    used = np.flatnonzero(counts)
    lows, highs = _bounds(histogram, used)
    return Histogram(lows, highs, counts[used].copy())


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
    with path.open("rb") as lines:
        number = 0
        while line := lines.readline(MAX_LINE):
            number += 1
            if not line.endswith(b"\n"):
                raise SampleFileError(
                    f"{path.name}, line {number}: longer than {MAX_LINE} bytes or cut off"
                )
            try:
                said = _Line.model_validate_json(line)
            except ValidationError as error:
                first = error.errors()[0]
                where = ".".join(str(part) for part in first["loc"]) or "line"
                raise SampleFileError(
                    f"{path.name}, line {number}: {where}: {first['msg']}"
                ) from None
            texts = {kind: getattr(said, kind) for kind in KINDS}
            yield Interval(said.second, said.operation, said.counts, texts, said.step)


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
