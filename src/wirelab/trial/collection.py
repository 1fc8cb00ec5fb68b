"""Everything that a trial leaves: kept, and held against what was seen and what the suite says."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from wirelab.model.trial import RoleRecord
from wirelab.samples import format as samples
from wirelab.samples import kinds, stacks
from wirelab.trial import instrument, ledger, overlaps, reached, sync_calls, turns
from wirelab.trial.failure import TrialError
from wirelab.trial.output import RoleOutput
from wirelab.trial.parts import TrialParts
from wirelab.trial.together import put_together
from wirelab.trial.turns import KeptRecords


class TrialCollection:
    """Collects what the roles of a trial left, once they have ended."""

    def __init__(self, parts: TrialParts) -> None:
        self._parts = parts
        self._scenario = parts.scenario
        self._folder = parts.folder
        self._load = parts.load
        self._processes = parts.processes
        self._measured = parts.measured
        self._roles = parts.roles
        self._wire = parts.wire
        self._answers = parts.answers
        self._verification = parts.verification
        self.overlapping = 0
        self.ledger = ledger.TrialLedger()

    def collect(self, *, stopped_early: bool) -> TrialError | None:
        """Keep samples, answers and the monitor's rows; returns the first thing that is wrong."""
        records = [self._roles.records.get(name) for name in self._processes]
        ready = [record for record in records if record is not None and record.ready]
        role = self._measured
        try:
            self._parts.sampler.recorded.write(self._folder)
            self._wire.keep()
            if self._roles.not_kept is not None:
                return self._roles.not_kept
            taken = []
            for record in ready:
                role = record.role
                taken.append(self._take_in(record))
            # Without a tick 0 nothing was looked at while it grew.
            done = [record for record in ready if record.done and self._answers.files]
            if len(done) == len(self._processes):
                self._check(ready, taken, stopped_early=stopped_early)
                if self._load.counts_instructions:
                    self._note_instructions()
                if traced := self._scenario.syncs_of:
                    self._count_syncs(traced)
                if self._scenario.stacks_of:
                    self._note_stacks()
        except samples.SampleFileError as error:
            return TrialError("sample-file", str(error), role)
        except TrialError as error:
            return error
        except OSError as error:
            return self._parts.disk.blamed(TrialError.of_host(error))
        except Exception as error:  # of what a stranger left: the other trials go on
            return TrialError.of_harness(error, role)
        return None

    def _take_in(self, record: RoleRecord) -> samples.Ingested:
        """Keep the samples of a process of the measured role."""
        output = RoleOutput(self._folder, record.role)
        files = self._answers.files
        if record.done and files:
            files[self._processes.index(record.role)].check_unchanged(self._folder, record.role)
        taken = output.take_in(self._load.told_steps)
        turns.check_number(self._load, self._scenario.operations, output.kept, record.role)
        if record.done:
            output.check_counts(record, taken.records)
        return taken

    def _note_instructions(self) -> None:
        """Ask the scenario's instrument, under which each role ran."""
        for name in self._parts.setup.launches:
            executed = instrument.executed(self._folder / name, name)
            self._roles.note(name, instructions=executed)

    def _count_syncs(self, role: str) -> None:
        """Note the sync calls of each step, or of all the time from tick 0 on."""
        now_ns = time.monotonic_ns()
        spans = self._roles.steps.ended or {"": (self._parts.tick0_ns or now_ns, now_ns)}
        ahead_ns = time.time_ns() - now_ns
        found = sync_calls.counted(self._folder / role, role, spans, ahead_ns=ahead_ns)
        self._roles.note(role, syncs=found)

    def _note_stacks(self) -> None:
        """Note where the processor time of each process of the measured role went."""
        for name in self._processes:
            try:
                self._roles.note(name, stacks=stacks.collect(self._folder / name))
            except stacks.NoStacksError as error:
                raise TrialError("no-stacks", str(error), name) from None

    def _check(
        self, records: list[RoleRecord], taken: list[samples.Ingested], *, stopped_early: bool
    ) -> None:
        """Hold what the measured role reached, wrote and answered against what was seen and against
        the suite's rules.
        """
        kept = self._kept_of_all(records)
        operations = self._scenario.operations
        if overlaps.waits(self._scenario):
            self.overlapping = overlaps.overlapping(kept, operations)
        self._parts.connections.check(self._roles.records)
        reached.check_requests(self._parts.setup.targets, self._roles.records, self._scenario, kept)
        self._answers.verify(
            self._parts.specs,
            self._parts.facts,
            kept,
            excused=sum(own.failed + self._load.undone(own.records) for own in taken),
            stopped_early=stopped_early,
        )
        # But for files and shift, those of all processes are alike.
        spec = self._parts.specs[self._processes[0]]
        if (tick0_ns := self._parts.tick0_ns) is not None:
            self._compare_turns(spec, KeptRecords(kept, tick0_ns, self._roles.steps.ended))
        self._verification.judge(spec, records[0])

    def _kept_of_all(self, records: list[RoleRecord]) -> Path:
        """The Parquet file of the samples of the measured role, all its processes together."""
        operations = self._scenario.operations
        for record, files in zip(records, self._answers.files, strict=True):
            own = self._folder / f"{record.role}.parquet"
            files.check_records(self._folder, record.role, own, operations)
        if len(records) == 1:
            return self._folder / f"{self._measured}.parquet"
        return put_together(self._folder, self._measured, self._processes)

    def _compare_turns(self, spec: dict[str, Any], kept: KeptRecords) -> None:
        """Hold records against what the suite's rules say of the turn that each of them was."""
        if kept.steps and overlaps.waits(self._scenario):
            turns.check_turns(self._load, self._scenario.operations, kept, self._measured)
        self._verification.compare_sizes(spec, kept)
        self._compare_requests(spec, kept)
        if (said := self._verification.kinds(spec, kept)) is not None:
            kinds.write(said, self._folder)

    def _compare_requests(self, spec: dict[str, Any], kept: KeptRecords) -> None:
        """Note what good operations asked for: for the witness, and beside what was served."""
        served = self._roles.served
        if self._wire.seen is None and not served:
            return
        if self._wire.seen is not None:
            asked = self._verification.requested(spec, kept)
            self._wire.note(asked, self._load, kept)
        # A service that was started again has forgotten.
        if served and not self._parts.faults.applied:
            operations, load = self._scenario.operations, self._parts.planned.load
            due = self._verification.claimed(spec, kept)
            bounds = self._verification.at_most(spec, kept)
            claims = ledger.claims_of(self._load, operations, due, bounds, kept)
            steps = [] if load.type == "microbenchmark" else load.steps
            self.ledger = ledger.compared(dict(claims), operations, served, steps)
