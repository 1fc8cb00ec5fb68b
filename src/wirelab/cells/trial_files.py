"""Files that the roles of one trial left in its folder, each read once."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from wirelab.cells.intervals import OperationIntervals, by_operation
from wirelab.model.events import MAX_LINE, MAX_OUTPUT
from wirelab.monitor.foreign import HOST_RECORD, foreign_time
from wirelab.monitor.stolen import stolen_time
from wirelab.samples import foreign_json, intervals, kinds, parquet, regular_file
from wirelab.samples.format import RECORD, SampleFileError
from wirelab.samples.kinds import KindColumns
from wirelab.samples.regular_file import UnsafeFileError
from wirelab.samples.stored import UnreadableFileError
from wirelab.witness import rows as witness_rows
from wirelab.words.printable import all_printable

Column = npt.NDArray[np.int64]

_TIMES = ("intended_ns", "start_ns", "end_ns")
_MARKS = ("size", "op", "status", "lane")
_TYPES = {name: RECORD[name] for name in (*_TIMES, *_MARKS)}

MOST_EVENT_BYTES = 8 * MAX_OUTPUT
"""Most bytes of a file of events: each is kept with its time, and in ASCII."""


@dataclass(frozen=True)
class Samples:
    """All samples of the measured role of one trial; the columns belong together."""

    intended_ns: Column
    start_ns: Column
    end_ns: Column
    size: npt.NDArray[np.uint32]  # payload in bytes where the worker knows it, else 0
    op: npt.NDArray[np.uint8]
    status: npt.NDArray[np.uint8]
    lane: npt.NDArray[np.uint16]

    def where(self, chosen: npt.NDArray[Any] | slice) -> Samples:
        """The samples that ``chosen`` selects."""
        return Samples(
            self.intended_ns[chosen],
            self.start_ns[chosen],
            self.end_ns[chosen],
            self.size[chosen],
            self.op[chosen],
            self.status[chosen],
            self.lane[chosen],
        )

    def from_starts(self) -> Samples:
        """The same, each intended when it started: in a closed loop nothing is due before."""
        return replace(self, intended_ns=self.start_ns)

    def __len__(self) -> int:
        """Number of samples."""
        return len(self.op)


class TrialFiles:
    """The files of a trial whose measured role is ``role``; what was read is kept until it is
    forgotten, because every step of a trial looks at the same samples."""

    def __init__(self, folder: Path, role: str) -> None:
        self.folder = folder
        self.role = role

    @cached_property
    def unreadable(self) -> str:
        """The reason why these files cannot be those that a trial has left; empty: they can.

        A link may lead anywhere, and a pipe never ends; a file may be damaged, or of nothing but
        size.
        """
        try:
            found = sorted(os.scandir(self.folder), key=lambda entry: entry.name)
        except FileNotFoundError:
            return ""
        for entry in found:
            if not entry.is_file(follow_symlinks=False) and not entry.is_dir(follow_symlinks=False):
                return f"{entry.name} is a link or a device"
            if entry.name.endswith(".parquet") and (
                problem := parquet.problem_of(Path(entry.path), lists=entry.name == HOST_RECORD)
            ):
                return problem
        return ""

    @cached_property
    def has_samples(self) -> bool:
        """Whether samples were kept."""
        return (self.folder / f"{self.role}.parquet").is_file()

    @cached_property
    def samples(self) -> Samples:
        """The samples of the measured role, in the order of completion."""
        path = self.folder / f"{self.role}.parquet"
        columns = parquet.columns_of(path, [*_TIMES, *_MARKS])
        if {name: column.dtype for name, column in columns.items()} != _TYPES:
            raise UnreadableFileError(f"{path} has columns of other types than samples have")
        # Times are below 2**63; signed ones make differences that cannot wrap.
        intended, start, end = (columns[name].view(np.int64) for name in _TIMES)
        size, op, status, lane = (columns[name] for name in _MARKS)
        return Samples(intended, start, end, size, op, status, lane)

    @cached_property
    def intervals(self) -> Mapping[str, OperationIntervals]:
        """Counts by the second, by operation; empty when there are none."""
        path = self.folder / f"{self.role}.intervals.jsonl"
        if not path.is_file():
            return {}
        try:
            found = list(intervals.read(path))
            for interval in found:
                _ = interval.histograms  # decoded here, where it is known of which file they are
        except SampleFileError as error:
            raise UnreadableFileError(f"{path.parent}/{error}") from None
        return by_operation(found)

    @cached_property
    def monitored(self) -> Mapping[str, dict[str, npt.NDArray[Any]]]:
        """Columns of the monitor by role, in order of time; empty when nothing was kept."""
        path = self.folder / "monitor.parquet"
        if not path.is_file():
            path = self.folder / "probe.parquet"  # its name in stored runs of earlier formats
        if not path.is_file():
            return {}
        columns = parquet.columns_of(path)
        roles = columns.pop("role", None)
        if roles is None:
            raise UnreadableFileError(f"{path} has no column role")
        return {
            str(role): {name: column[roles == role] for name, column in columns.items()}
            for role in dict.fromkeys(roles)
        }

    @cached_property
    def host(self) -> Mapping[str, Column]:
        """Times at which the monitor looked at the host, and what others had run by then
        (``wirelab.monitor.foreign``); empty when nothing was kept."""
        return foreign_time(self.folder)

    @cached_property
    def stolen(self) -> Mapping[str, Column]:
        """Times at which the monitor looked at the host, and what the hypervisor had taken by then
        of each processor (``wirelab.monitor.stolen``); empty when nothing was kept."""
        return stolen_time(self.folder)

    @cached_property
    def witnessed(self) -> Mapping[str, Mapping[str, npt.NDArray[Any]]]:
        """Rows of the witness of the wire (``wirelab.witness.rows``), by file; empty without a
        witness.
        """
        return witness_rows.read(self.folder)

    @cached_property
    def kinds(self) -> KindColumns:
        """Kinds of good operations (``wirelab.samples.kinds``); empty where the suite said none."""
        return kinds.read(self.folder)

    @cached_property
    def matched(self) -> dict[str, Any]:
        """Operations matched with those rows, by name: every step of a trial needs all of them."""
        return {}

    def events(self, kind: str, role: str) -> Iterator[dict[str, Any]]:
        """Events of a kind of a role; a line cut off by a crash is passed over."""
        path = self.folder / f"{role}.events.jsonl"
        if not path.is_file():
            return
        try:
            opened = regular_file.opened(path, MOST_EVENT_BYTES)
        except UnsafeFileError as error:
            raise UnreadableFileError(f"{path.parent}/{error}") from None
        asked = f'"{kind}"'.encode()
        with opened as lines:
            while line := lines.readline(8 * MAX_LINE):
                if asked not in line:
                    continue
                try:
                    event = all_printable(foreign_json.parsed(line)["event"])
                except (ValueError, KeyError, TypeError):
                    continue
                if isinstance(event, dict) and event.get("event") == kind:
                    yield event

    def forget(self) -> None:
        """Give the memory of what was read back."""
        for name in (
            *("samples", "intervals", "monitored", "host", "stolen"),
            *("witnessed", "kinds", "matched"),
        ):
            self.__dict__.pop(name, None)
