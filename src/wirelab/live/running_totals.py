"""The operations of a trial under way: totals, and quantiles of the newest second."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

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

Durations = dict[str, dict[float, float]]


@dataclass
class _Newest:
    """The newest second that an interval file tells of, for one operation."""

    second: int = -1
    encoded: dict[str, list[str]] = field(default_factory=dict)
    durations: Durations = field(default_factory=dict)
    changed: bool = False
    looks: int = 0


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
            if said is None or said["operation"] not in self._counts:
                continue
            name = said["operation"]
            self._add(self._counts[name], said.get("counts"))
            self._keep_newest(self._newest[name], said)

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
    def _add(totals: Counter[str], counts: object) -> None:
        if isinstance(counts, Mapping):
            for key, count in counts.items():
                if isinstance(count, int) and (key in totals or len(totals) < _MOST_COUNTS):
                    totals[key] += max(0, count)

    @staticmethod
    def _keep_newest(newest: _Newest, said: Mapping[str, Any]) -> None:
        encoded = {k: said[k] for k in intervals.KINDS if said.get(k) and isinstance(said[k], str)}
        if not encoded or said["second"] < newest.second:
            return
        if said["second"] > newest.second:
            newest.second, newest.encoded = said["second"], {}
        for kind, text in encoded.items():
            newest.encoded.setdefault(kind, []).append(text)
        newest.changed = True

    @staticmethod
    def _histograms(newest: _Newest) -> Durations:
        if newest.changed:
            found = {kind: _quantiles(texts) for kind, texts in newest.encoded.items()}
            newest.durations = {kind: levels for kind, levels in found.items() if levels}
            newest.changed, newest.looks = False, 0
        newest.looks += 1
        return newest.durations if newest.looks <= HELD_LOOKS else {}


def _interval(line: bytes) -> dict[str, Any] | None:
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if isinstance(said, dict) and isinstance(said.get("operation"), str):
        return said if isinstance(said.get("second"), int) else None
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
    """Quantiles of the histograms of one second, which add up; empty where they cannot be read."""
    try:
        parts = [intervals.decoded(text) for text in encoded]
    except SampleFileError:
        return {}
    highs = np.concatenate([part.highs for part in parts])
    counts = np.concatenate([part.counts for part in parts])
    if not counts.sum():
        return {}
    order = np.argsort(highs, kind="stable")
    highs, counts = highs[order], counts[order]
    return {level: float(highs[bucket_of(counts, level)]) for level in LEVELS}
