"""Reading what trials left in the folder of a run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from wirelab.cells.intervals import OperationIntervals, by_operation
from wirelab.model.run import PlannedTrial, Run, TrialRecord, TrialStatus
from wirelab.samples import intervals
from wirelab.samples.run_folder import RunFolder

Column = npt.NDArray[np.int64]

_TIMES = ("intended_ns", "start_ns", "end_ns")
_MARKS = ("size", "op", "status", "lane")


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


@dataclass(frozen=True)
class RecordedTrial:
    """A planned trial with its record, and the way to its files."""

    planned: PlannedTrial
    record: TrialRecord | None
    folder: Path
    role: str
    step: str = ""
    """The step that is looked at; empty: the whole schedule."""
    closed: bool = False
    """Whether its steps are those of a closed loop."""

    @property
    def cell(self) -> str:
        """Identifier of the cell it belongs to."""
        return self.planned.cell_of(self.step)

    @cached_property
    def has_samples(self) -> bool:
        """Whether samples were kept."""
        return (self.folder / f"{self.role}.parquet").is_file()

    @property
    def counts(self) -> bool:
        """Whether it belongs into the figures."""
        return (
            self.planned.counted
            and self.record is not None
            and self.record.status is TrialStatus.OK
            and self.record.tick0_ns is not None
            and self.has_samples
            and self.has_steps
        )

    @property
    def has_steps(self) -> bool:
        """Whether its worker said when each step began and ended, where only it can know."""
        if not self.closed or self.record is None:
            return True
        return {step.name for step in self.planned.steps} <= self.record.steps.keys()

    def samples(self) -> Samples:
        """The samples of the measured role, in the order of completion."""
        table = pq.read_table(
            self.folder / f"{self.role}.parquet", columns=[*_TIMES, *_MARKS], use_threads=False
        )
        # Times are below 2**63; signed ones make differences that cannot wrap.
        intended, start, end = (_column(table, name).view(np.int64) for name in _TIMES)
        size, op, status, lane = (_column(table, name) for name in _MARKS)
        return Samples(intended, start, end, size, op, status, lane)

    @cached_property
    def intervals(self) -> Mapping[str, OperationIntervals]:
        """What was counted by the second, by operation; empty when nothing was."""
        path = self.folder / f"{self.role}.intervals.jsonl"
        return by_operation(intervals.read(path)) if path.is_file() else {}

    def probe(self) -> dict[str, dict[str, npt.NDArray[Any]]]:
        """Columns of the probe by role, in order of time; empty when nothing was kept."""
        path = self.folder / "probe.parquet"
        if not path.is_file():
            return {}
        table = pq.read_table(path, use_threads=False)
        roles = np.array(table.column("role").to_pylist(), dtype=object)
        columns = {n: _column(table, n) for n in table.column_names if n != "role"}
        return {
            str(role): {name: column[roles == role] for name, column in columns.items()}
            for role in dict.fromkeys(roles)
        }

    def events(self, kind: str, role: str) -> Iterator[dict[str, Any]]:
        """Events of a kind of a role; a line cut off by a crash is passed over."""
        path = self.folder / f"{role}.events.jsonl"
        if not path.is_file():
            return
        with path.open(encoding="utf-8", errors="replace") as lines:
            for line in lines:
                if f'"{kind}"' not in line:
                    continue
                try:
                    event = json.loads(line)["event"]
                except (ValueError, KeyError, TypeError):
                    continue
                if isinstance(event, dict) and event.get("event") == kind:
                    yield event


def _column(table: pa.Table, name: str) -> npt.NDArray[Any]:
    column: npt.NDArray[Any] = table.column(name).to_numpy()
    return column


def recorded_trial(folder: RunFolder, run: Run, planned: PlannedTrial) -> RecordedTrial:
    """A trial of a run with its record, as far as there is one."""
    scenario = run.scenarios[planned.scenario]
    return RecordedTrial(
        planned,
        folder.read_record(planned.id),
        folder.trials / planned.id,
        scenario.measured_role,
        closed=scenario.is_closed,
    )


def recorded_cells(path: Path, run: Run) -> dict[str, list[RecordedTrial]]:
    """The trials of each cell of the run, in the order of the plan.

    A trial with steps is in the cell of its whole schedule and in one for each step; a probe is
    one of many loads of its only step, and in the cell of its search alone.
    """
    folder = RunFolder(path)
    cells: dict[str, list[RecordedTrial]] = {}
    for planned in run.plan:
        trial = recorded_trial(folder, run, planned)
        cells.setdefault(planned.cell, []).append(trial)
        for step in planned.steps if planned.probe is None else ():
            part = replace(trial, step=step.name)
            cells.setdefault(part.cell, []).append(part)
    return cells
