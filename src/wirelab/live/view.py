"""One trial under way, seen from outside: through its folder and ``/proc``."""

from __future__ import annotations

import os
import time

import numpy as np

from wirelab.live.figures import TrialFigures
from wirelab.live.roles import RoleEvents, RoleTrees, used
from wirelab.live.running_totals import RunningTotals
from wirelab.live.tail import LineTail, RecordTail
from wirelab.model.planned import PlannedClosed, PlannedLoops, PlannedSchedule, PlannedTrial
from wirelab.model.run import Run
from wirelab.model.several import process_names
from wirelab.monitor.process_tree import Reading
from wirelab.processes.guardian import mark_of, session_of
from wirelab.samples.format import Records
from wirelab.samples.run_folder import RunFolder
from wirelab.trial.sandboxes import outputs_of


class TrialView:
    """Follows a trial from its first process to its record."""

    def __init__(self, folder: RunFolder, run: Run, planned: PlannedTrial) -> None:
        self._run, self._planned = run, planned
        scenario = run.scenarios[planned.scenario]
        self._measured = scenario.measured_role
        roles = list(run.participants[planned.contender].manifest.cast(scenario.roles))
        own = folder.trial(planned.id)
        processes = process_names(self._measured, planned.load.processes)
        # The last process of several is ready when all are.
        told = [processes[-1] if role == self._measured else role for role in roles]
        self._events = {role: RoleEvents(own, name) for role, name in zip(roles, told, strict=True)}
        self._trees = RoleTrees(mark_of(session_of(run.id), planned.id), roles, os.getpid())
        self._readings: dict[str, Reading] = {}
        sandboxed = bool(run.disclosure.sandbox)
        written = {name: outputs_of(own, name, sandboxed=sandboxed) for name in processes}
        self._records = [RecordTail(at / f"{name}.samples") for name, at in written.items()]
        self._lines = [LineTail(at / f"{name}.intervals.jsonl") for name, at in written.items()]
        self._ledger = RunningTotals(scenario, planned.operations)
        self._elapsed_ns = 0

    def open_files(self) -> bool:
        """Hold the worker's files open; True once nothing in them can be missed any more."""
        for lines in self._lines:
            lines.open()
        return all(records.open() for records in self._records)

    def look(self) -> TrialFigures:
        """Figures now."""
        self._readings = self._trees.look()
        for events in self._events.values():
            events.look()
        self._ledger.take_records(self._gained_records())
        for lines in self._lines:
            self._ledger.take_lines(lines.gained())
        ready_ns = self._events[self._measured].ready_ns
        self._elapsed_ns = time.monotonic_ns() - ready_ns if ready_ns is not None else 0
        return self._figures(under_way=True)

    def last_look(self) -> TrialFigures:
        """The totals of a trial that has ended."""
        for events in self._events.values():
            events.look()
        while len(records := self._gained_records()):
            self._ledger.take_records(records)
        for tail in self._lines:
            while lines := tail.gained():
                self._ledger.take_lines(lines)
        return self._figures(under_way=False)

    def close(self) -> None:
        """Release the open files; ends the use of this view."""
        self._trees.close()
        for tail in (*self._records, *self._lines):
            tail.close()
        for events in self._events.values():
            events.close()

    def _gained_records(self) -> Records:
        """Records of all processes since the last look."""
        return np.concatenate([records.gained() for records in self._records])

    def _figures(self, *, under_way: bool) -> TrialFigures:
        roles = {
            role: self._events[role].figures(reading) if role in self._events else used(reading)
            for role, reading in self._readings.items()
        }
        return TrialFigures(
            run=self._run.id,
            profile=self._run.profile,
            planned=self._planned,
            step=self._step() if under_way else "",
            under_way=under_way,
            elapsed_ns=self._elapsed_ns,
            operations=self._ledger.figures(),
            roles=roles,
        )

    def _step(self) -> str:
        """The step that time has come to; empty where it cannot tell."""
        match load := self._planned.load:
            case PlannedSchedule():
                each_ns = load.period_ns
            case PlannedClosed():
                each_ns = load.ramp_ns // load.count or load.at_most_ns
            case PlannedLoops():
                return ""
        tick = self._elapsed_ns // each_ns
        begun = [step.name for step in load.steps if step.first <= tick]
        return begun[-1] if begun else ""
