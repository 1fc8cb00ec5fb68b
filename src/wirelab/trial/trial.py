"""One trial: start the roles, verify answers, measure, stop, collect.

Every way in which a worker can misbehave ends here as a reason in the trial's record; whatever
happens, no process of the trial is left and what was measured is kept.
"""

from __future__ import annotations

import datetime
import os
import time
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from wirelab.disk.file_system import file_system_of
from wirelab.model.run import PlannedTrial, RoleRecord, TrialRecord, TrialStatus
from wirelab.monitor.canary import canary
from wirelab.monitor.sampler import Sampler
from wirelab.processes import leftovers
from wirelab.processes.guardian import mark_of
from wirelab.processes.interrupts import uninterrupted
from wirelab.samples import format as samples
from wirelab.samples import kinds, stacks
from wirelab.trial import instrument, ledger, overlaps, reached, sockets, sync_calls, turns
from wirelab.trial.disk import DiskWatch
from wirelab.trial.environment import Before, environment_of
from wirelab.trial.failure import TrialError
from wirelab.trial.faults import Faults
from wirelab.trial.load import grace_ns, load_of
from wirelab.trial.measured_answers import MeasuredAnswers
from wirelab.trial.observed import ObservedWire
from wirelab.trial.output import RoleOutput
from wirelab.trial.roles import Roles
from wirelab.trial.setup import TrialSetup
from wirelab.trial.together import put_together
from wirelab.trial.turns import KeptRecords
from wirelab.trial.verification import Verification
from wirelab.trial.worker import Worker

_LEAD_NS = 300_000_000
"""From announcing tick 0 to tick 0: every worker has heard of it by then."""

_OF_A_CRASH = frozenset({"exited", "exit-code", "never-ready"})
"""Reasons for which the worker's log says more, which is whole once the worker is closed."""


class Trial:
    """A trial under way; ``run`` carries it through to its record."""

    def __init__(self, planned: PlannedTrial, setup: TrialSetup, folder: Path) -> None:
        self._planned = planned
        self._scenario = setup.scenario
        self._setup = setup
        self._folder = folder
        self._mark = mark_of(setup.run, planned.id)
        self._load = load_of(planned, setup.scenario)
        self._measured = setup.scenario.measured_role
        launches = setup.launches.items()
        self._processes = [name for name, one in launches if one.role == self._measured]
        """Names of the measured role's processes: one, or several."""
        self._sampler = Sampler(folder)
        self._sandboxes = setup.sandboxes()
        self._groups = setup.groups(planned.variant)
        self._secret = setup.secret()
        self._roles = Roles(
            planned,
            setup,
            self._mark,
            folder,
            introduce=self._sampler.watch,
            sandboxes=self._sandboxes,
            groups=self._groups,
            secret=self._secret,
        )
        self._connections = reached.Connections(setup.targets, self._roles.pids)
        self._faults = Faults(planned.faults, self._roles)
        self._wire = ObservedWire(setup.observation, setup.scenario, setup.spoken, folder)
        self._disk = DiskWatch(folder, setup.launches, self._roles.pids, self._roles.fail)
        # Before the children that are spared: it outlives the roles.
        self._verification = Verification(planned, setup, self._load)
        self._answers = MeasuredAnswers(planned, setup, self._load, self._verification)
        self._spared = leftovers.children()
        self._tick0_ns: int | None = None
        self._ledger = ledger.TrialLedger()
        self._overlapping = 0
        self._stopped_early = ""
        self._failed_role = ""

    # ---------------------------------------------------------------- the life of a trial

    def run(self) -> TrialRecord:
        """Carry the trial out; never raises for what a worker does."""
        try:
            return self._carried_out()
        finally:
            self._verification.stop()
            self._wire.close()
            if self._sandboxes is not None:
                self._sandboxes.close()

    def _carried_out(self) -> TrialRecord:
        started_at = datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")
        self._folder.mkdir(parents=True, exist_ok=True)
        before = Before(
            canary_ns=canary(self._setup.launches[self._processes[0]].cpus),
            load=os.getloadavg()[0],
        )
        try:
            status, reason, detail = self._measure_safely()
        finally:
            ended_ns = time.monotonic_ns()
            left = self._clear_away()
        if reason in _OF_A_CRASH and (words := self._roles.last_words(self._failed_role)):
            detail = f"{detail}: {words}"
        if status is TrialStatus.OK and left:
            status, reason = TrialStatus.FAILED, "left-children"
            detail = f"{left} processes were still alive after the roles had ended"
        problem = self._collect()
        if status is TrialStatus.OK and problem is not None:
            status, reason, detail = TrialStatus.FAILED, problem.reason, problem.detail
            self._failed_role = problem.role
        record = TrialRecord(
            planned=self._planned,
            status=status,
            reason=reason,
            detail=detail or self._stopped_early,
            role=self._failed_role,
            wrong_answers=self._verification.wrong,
            verified=self._verification.verified,
            asked=self._answers.asked,
            judged=self._verification.judged,
            sized=self._verification.sized,
            started_at=started_at,
            tick0_ns=self._tick0_ns,
            ended_ns=ended_ns,
            roles=self._roles.records,
            file_system=file_system_of(self._folder),
            faults=self._faults.applied,
            steps=self._roles.steps.ended,
            paused=self._answers.paused(self._roles.steps),
            pauses=self._answers.pauses,
            answering_ns=self._answers.answering_ns,
            overlapping=self._overlapping,
            witness=self._wire.record,
            ledger=dict(self._ledger.entries),
            ledger_steps={step: dict(own) for step, own in self._ledger.steps.items()},
            secret=self._secret.hex(),
            monitor_failure=self._sampler.failure,
        )
        around = environment_of(record.window_ns, before, self._sampler.recorded)
        return record.model_copy(update={"environment": around})

    def _measure_safely(self) -> tuple[TrialStatus, str, str]:
        try:
            self._measure()
        except TrialError as said:
            error = self._roles.why_ended(said)
            self._failed_role = error.role
            return TrialStatus.FAILED, error.reason, error.detail
        except OSError as error:
            failed = self._disk.blamed(TrialError.of_host(error))
            self._failed_role = failed.role
            return TrialStatus.FAILED, failed.reason, failed.detail
        except KeyboardInterrupt:
            return TrialStatus.INTERRUPTED, "interrupted", "Ctrl-C"
        return TrialStatus.OK, "", ""

    def _measure(self) -> None:
        own_network = self._sandboxes.network_of if self._sandboxes else None
        servers = (sockets.waiting_at(one.address) for one in self._setup.targets.values())
        self._sampler.start(own_network, set().union(*servers))
        self._wire.start(self._sandboxes, self._sampler)
        self._disk.start()
        # The measured role comes last: everything it talks to is there.
        # An optional role that this contender does not use has no launch.
        others = [name for name in self._setup.launches if name not in self._processes]
        for role in others:
            self._make_ready(role)
        self._faults.before_client()
        for role in self._faults.restarted_before:
            self._await_ready(role)
        self._connections.start()
        self._wire.watch(self._roles.records.values())
        for name in self._processes:  # one after the other: none is slowed down by the next
            self._make_ready(name)
        self._verification.before(self._specs, self._facts)
        self._perform()
        self._stop_everyone()
        self._roles.check_ends()
        self._roles.steps.check_all_ended(self._measured, self._stopped_early)

    def _make_ready(self, role: str) -> None:
        self._roles.start(role)
        self._await_ready(role)

    def _await_ready(self, role: str) -> None:
        limit = self._scenario.ready_limit
        worker = self._roles.workers[role]
        if not self._roles.wait(partial(self._is_ready, role), worker.started_ns + limit):
            raise TrialError(
                "never-ready", f"{role} was not ready {limit / 1e9:g} s after its start", role
            )
        self._roles.look_around(role)

    def _is_ready(self, role: str) -> bool:
        return bool(self._roles.records[role].ready)

    def _perform(self) -> None:
        measured = self._measured_workers
        self._tick0_ns = time.monotonic_ns() + (_LEAD_NS if self._load.is_announced else 0)
        self._roles.steps.begin(self._tick0_ns)
        self._roles.announce(self._tick0_ns)
        self._faults.arm(self._tick0_ns)
        self._answers.begin(measured, self._tick0_ns, self._roles.steps)
        grace = grace_ns(self._planned, self._scenario)
        end_ns = self._tick0_ns + self._load.longest_ns()
        if self._wait(end_ns + grace):
            return
        late = f"{grace / 1e9:g} s after the end of its schedule"
        self._stopped_early = f"stopped by the core {late}"
        for worker in measured:
            worker.stop()
        limit = self._scenario.stop_limit
        if not self._wait(time.monotonic_ns() + limit):
            name = next(one for one in self._processes if not self._roles.records[one].done)
            raise TrialError(
                "ignored-stop",
                f"{name} was still at work {late} and did not end within "
                f"{limit / 1e9:g} s of being told to stop",
                name,
            )

    def _wait(self, deadline_ns: int) -> bool:
        """Carry out faults and askings as they fall due until the measured role is done; False at
        the deadline.
        """
        while not self._is_done():
            self._faults.carry_out()
            self._answers.carry_out()
            until = min(deadline_ns, self._faults.next_ns, self._answers.next_ns)
            if not self._roles.wait(self._is_done, until) and until == deadline_ns:
                return False
        self._answers.complete()
        return True

    def _is_done(self) -> bool:
        return all(self._roles.records[name].done for name in self._processes)

    @property
    def _measured_workers(self) -> list[Worker]:
        return [self._roles.workers[name] for name in self._processes]

    def _stop_everyone(self) -> None:
        """The measured role first: what it talks to must not vanish while it says goodbye."""
        self._faults.disarm()
        measured = self._measured_workers
        others = [worker for worker in self._roles.workers.values() if worker not in measured]
        limit = self._scenario.stop_limit
        for group in (measured, others):
            for worker in group:
                if worker.running:
                    worker.stop()
            if not self._roles.wait(partial(_all_ended, group), time.monotonic_ns() + limit):
                role = next(worker.role for worker in group if worker.running)
                raise TrialError(
                    "ignored-stop",
                    f"{role} did not end within {limit / 1e9:g} s of being told to stop",
                    role,
                )
            if group is measured:
                self._connections.look_back()
        self._roles.hear_rest()

    def _clear_away(self) -> int:
        """End everything; returns how many processes were alive although their role had ended."""
        left: list[int] = []

        def end_rest() -> None:
            left.append(self._roles.end_rest())

        def end_leftovers() -> None:
            left.append(len(leftovers.end(lambda mark: mark == self._mark, self._spared)))

        with uninterrupted(), ExitStack() as last_first:
            # Each is done whatever becomes of the others.
            if self._groups is not None:
                last_first.callback(self._groups.close)
            last_first.callback(self._roles.close)
            last_first.callback(self._disk.stop)
            last_first.callback(end_leftovers)
            last_first.callback(end_rest)
            last_first.callback(self._roles.end_all)
            last_first.callback(self._wire.stop)
            last_first.callback(self._connections.stop)
            last_first.callback(self._sampler.stop)
        return sum(left)

    # ---------------------------------------------------------------- what it leaves

    @property
    def _specs(self) -> dict[str, dict[str, Any]]:
        """The specs of the measured role's processes by name, with tick 0 once it is known, and
        the secret that they are not told.
        """
        known: dict[str, Any] = {"start_ns": self._tick0_ns}
        known |= {"secret": self._secret.hex()} if self._secret else {}
        return {worker.role: {**worker.spec, **known} for worker in self._measured_workers}

    @property
    def _facts(self) -> dict[str, Any]:
        """Facts of the first role that others talk to."""
        return next(iter(self._roles.surroundings.facts.values()), {})

    def _collect(self) -> TrialError | None:
        """Keep samples, answers and the monitor's rows; returns the first thing that is wrong."""
        records = [self._roles.records.get(name) for name in self._processes]
        ready = [record for record in records if record is not None and record.ready]
        role = self._measured
        try:
            self._sampler.recorded.write(self._folder)
            self._wire.keep()
            taken = []
            for record in ready:
                role = record.role
                taken.append(self._take_in(record))
            # Without a tick 0 nothing was looked at while it grew.
            done = [record for record in ready if record.done and self._answers.files]
            if len(done) == len(self._processes):
                self._check(ready, taken)
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
            return self._disk.blamed(TrialError.of_host(error))
        return None

    def _take_in(self, record: RoleRecord) -> samples.Ingested:
        """Keep the samples of a process of the measured role."""
        output = RoleOutput(self._folder, record.role)
        files = self._answers.files
        if record.done and files:
            files[self._processes.index(record.role)].check_unchanged(self._folder, record.role)
        taken = output.take_in(self._load.told_steps)
        if record.done:
            output.check_counts(record, taken.records)
        return taken

    def _note_instructions(self) -> None:
        """Ask the scenario's instrument, under which each role ran."""
        for name in self._setup.launches:
            executed = instrument.executed(self._folder / name, name)
            self._roles.note(name, instructions=executed)

    def _count_syncs(self, role: str) -> None:
        """Note the sync calls of each step, or of all the time from tick 0 on."""
        now_ns = time.monotonic_ns()
        spans = self._roles.steps.ended or {"": (self._tick0_ns or now_ns, now_ns)}
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

    def _check(self, records: list[RoleRecord], taken: list[samples.Ingested]) -> None:
        """Hold what the measured role reached, wrote and answered against what was seen and against
        the suite's rules.
        """
        kept = self._kept_of_all(records)
        operations = self._scenario.operations
        if overlaps.waits(self._scenario):
            self._overlapping = overlaps.overlapping(kept, operations)
        self._connections.check(self._roles.records)
        reached.check_requests(self._setup.targets, self._roles.records, self._scenario, kept)
        self._answers.verify(
            self._specs,
            self._facts,
            kept,
            excused=sum(own.failed + self._load.undone(own.records) for own in taken),
            stopped_early=bool(self._stopped_early),
        )
        spec = self._specs[self._processes[0]]  # but for files and shift, those of all are alike
        if self._tick0_ns is not None:
            self._compare_turns(spec, KeptRecords(kept, self._tick0_ns, self._roles.steps.ended))
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
        if served and not self._faults.applied:  # a service that was started again has forgotten
            operations, load = self._scenario.operations, self._planned.load
            due = self._verification.claimed(spec, kept)
            bounds = self._verification.at_most(spec, kept)
            claims = ledger.claims_of(self._load, operations, due, bounds, kept)
            steps = [] if load.type == "microbenchmark" else load.steps
            self._ledger = ledger.compared(dict(claims), operations, served, steps)


def _all_ended(workers: list[Worker]) -> bool:
    return not any(worker.running for worker in workers)
