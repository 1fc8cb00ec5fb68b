"""One trial under way, seen from outside: through its folder and ``/proc``."""

from __future__ import annotations

import os
import time

from wirelab.live.figures import TrialFigures
from wirelab.live.roles import RoleEvents, RoleTrees, used
from wirelab.live.running_totals import RunningTotals
from wirelab.live.tail import LineTail, RecordTail
from wirelab.model.planned import PlannedClosed, PlannedLoops, PlannedSchedule
from wirelab.model.run import PlannedTrial, Run
from wirelab.monitor.process_tree import Reading
from wirelab.processes.guardian import mark_of, session_of
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
        self._events = {role: RoleEvents(own, role) for role in roles}
        self._trees = RoleTrees(mark_of(session_of(run.id), planned.id), roles, os.getpid())
        self._readings: dict[str, Reading] = {}
        written = outputs_of(own, self._measured, sandboxed=bool(run.disclosure.sandbox))
        self._records = RecordTail(written / f"{self._measured}.samples")
        self._lines = LineTail(written / f"{self._measured}.intervals.jsonl")
        self._ledger = RunningTotals(scenario, planned.operations)
        self._elapsed_ns = 0

    def open_files(self) -> bool:
        """Hold the worker's files open; True once nothing in them can be missed any more."""
        self._lines.open()
        return self._records.open()

    def look(self) -> TrialFigures:
        """Figures now."""
        self._readings = self._trees.look()
        for events in self._events.values():
            events.look()
        self._ledger.take_records(self._records.gained())
        self._ledger.take_lines(self._lines.gained())
        ready_ns = self._events[self._measured].ready_ns
        self._elapsed_ns = time.monotonic_ns() - ready_ns if ready_ns is not None else 0
        return self._figures(under_way=True)

    def last_look(self) -> TrialFigures:
        """The totals of a trial that has ended."""
        for events in self._events.values():
            events.look()
        while len(records := self._records.gained()):
            self._ledger.take_records(records)
        while lines := self._lines.gained():
            self._ledger.take_lines(lines)
        return self._figures(under_way=False)

    def close(self) -> None:
        """Release the open files; ends the use of this view."""
        self._trees.close()
        self._records.close()
        self._lines.close()
        for events in self._events.values():
            events.close()

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
