"""The operations of a trial under way: totals, and quantiles of the newest second."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from pydantic import ValidationError

from wirelab.cells import statuses
from wirelab.live.figures import OperationFigures
from wirelab.model.scenario import Scenario
from wirelab.samples import intervals
from wirelab.samples.format import Records, SampleFileError
from wirelab.stats import percentiles
from wirelab.stats.histograms import bucket_of

LEVELS = (50.0, 95.0, 99.0, 100.0)
"""Percentiles that are shown; 100 is the maximum."""

HELD_LOOKS = 3
"""An interval file gets a line a second, but looks and lines do not keep step: a look without
a new line shows the figures of the one before, for so many looks."""

_SECOND_NS = 1_000_000_000
_MOST_COUNTS = 32
_NAME_OF_A_COUNT = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")

MOST_TEXTS = 256
"""Histograms of one kind in one second of an operation: a line a tenth makes ten."""

MOST_TEXT = 32 << 20
"""Characters of all of them; one of the prescribed range takes some kilobytes."""

MOST_BUCKETS = 2_000_000
"""Buckets in all of them that hold something."""

_TOO_MANY = [""]
"""No histogram: quantiles of a part of them would be none of the second."""

Durations = dict[str, dict[float, float]]


@dataclass
class _Newest:
    """The newest second that an interval file tells of, for one operation."""

    second: int = -1
    encoded: dict[str, list[str]] = field(default_factory=dict)
    durations: Durations = field(default_factory=dict)
    changed: bool = False
    looks: int = 0

    def keep(self, kind: str, text: str) -> None:
        """Keep one more histogram; of a kind that has too many, none is."""
        texts = self.encoded.setdefault(kind, [])
        if texts != _TOO_MANY:
            texts.append(text)
            if len(texts) > MOST_TEXTS or sum(map(len, texts)) > MOST_TEXT:
                self.encoded[kind] = [*_TOO_MANY]


class RunningTotals:
    """Takes in samples and intervals as they come, and adds them up by operation."""

    def __init__(self, scenario: Scenario, operations: Sequence[str]) -> None:
        self._names = statuses.status_names(scenario)
        self._closed = not scenario.is_scheduled
        self._codes = {scenario.operations[name].code: name for name in operations}
        self._statuses: dict[str, Counter[str]] = {name: Counter() for name in operations}
        self._counts: dict[str, Counter[str]] = {name: Counter() for name in operations}
        self._recorded: dict[str, Durations] = {}
        self._newest = {name: _Newest() for name in operations}

    def take_records(self, records: Records) -> None:
        """Samples that the worker has written since the last look."""
        for code, name in self._codes.items():
            chosen = records[records["op"] == code]
            if len(chosen):
                self._statuses[name].update(statuses.count_by_name(chosen["status"], self._names))
                found = _of_newest_second(chosen)
                if self._closed:  # nothing is due at a time, so nobody waits for it
                    found.pop("response", None)
                self._recorded[name] = found

    def take_lines(self, lines: Iterable[bytes]) -> None:
        """Lines of the interval file since the last look; what is no such line is passed over.

        The core reads the file again when the trial has ended, and names what is wrong then.
        """
        for line in lines:
            said = _interval(line)
            if said is not None and said.operation in self._counts:
                self._add(self._counts[said.operation], said.counts)
                self._keep_newest(self._newest[said.operation], said)

    def figures(self) -> list[OperationFigures]:
        """Every operation as it stands at this look."""
        recorded, self._recorded = self._recorded, {}
        return [
            OperationFigures(
                name,
                dict(self._statuses[name]),
                dict(self._counts[name]),
                recorded.get(name) or self._histograms(newest),
            )
            for name, newest in self._newest.items()
        ]

    @staticmethod
    def _add(totals: Counter[str], counts: Mapping[str, int]) -> None:
        for key, count in counts.items():
            if key in totals or (len(totals) < _MOST_COUNTS and _NAME_OF_A_COUNT.fullmatch(key)):
                totals[key] += count

    @staticmethod
    def _keep_newest(newest: _Newest, said: intervals.Line) -> None:
        encoded = {kind: text for kind in intervals.KINDS if (text := getattr(said, kind))}
        if not encoded or said.second < newest.second:
            return
        if said.second > newest.second:
            newest.second, newest.encoded = said.second, {}
        for kind, text in encoded.items():
            newest.keep(kind, text)
        newest.changed = True

    @staticmethod
    def _histograms(newest: _Newest) -> Durations:
        if newest.changed:
            found = {kind: _quantiles(texts) for kind, texts in newest.encoded.items()}
            newest.durations = {kind: levels for kind, levels in found.items() if levels}
            newest.changed, newest.looks = False, 0
        newest.looks += 1
        return newest.durations if newest.looks <= HELD_LOOKS else {}


def _interval(line: bytes) -> intervals.Line | None:
    try:
        return intervals.Line.model_validate_json(line)
    except ValidationError:
        return None


def _of_newest_second(records: Records) -> Durations:
    """Quantiles of the good ones among the records that ended in the last second of these."""
    intended, start, end = (
        np.ascontiguousarray(records[name]).view(np.int64)
        for name in ("intended_ns", "start_ns", "end_ns")
    )
    chosen = (end > end.max() - _SECOND_NS) & (records["status"] == statuses.OK)
    if not chosen.any():
        return {}
    return {
        "service": _levels(np.sort((end - start)[chosen])),
        "response": _levels(np.sort((end - intended)[chosen])),
    }


def _levels(ordered: npt.NDArray[np.int64]) -> dict[float, float]:
    return {level: float(percentiles.percentile(ordered, level)) for level in LEVELS}


def _quantiles(encoded: Sequence[str]) -> dict[float, float]:
    """Quantiles of the histograms of one second, which add up; empty where they cannot be read,
    or are too many.
    """
    parts: list[intervals.Histogram] = []
    buckets = 0
    for text in encoded:
        try:
            parts.append(intervals.decoded(text))
        except SampleFileError:
            return {}
        buckets += len(parts[-1].counts)
        if buckets > MOST_BUCKETS:
            return {}
    highs = np.concatenate([part.highs for part in parts])
    counts = np.concatenate([part.counts for part in parts])
    if not counts.sum():
        return {}
    order = np.argsort(highs, kind="stable")
    highs, counts = highs[order], counts[order]
    return {level: float(highs[bucket_of(counts, level)]) for level in LEVELS}
