"""One trial: start the roles, verify answers, measure, stop, collect.

Every way in which a worker can misbehave ends here as a reason in the trial's record; whatever
happens, no process of the trial is left and what was measured is kept.
"""

from __future__ import annotations

import datetime
import os
import time
from functools import partial
from pathlib import Path

from wirelab.disk.file_system import file_system_of
from wirelab.model.planned import PlannedTrial
from wirelab.model.trial import TrialRecord, TrialStatus
from wirelab.monitor.canary import canary
from wirelab.trial import sockets
from wirelab.trial.collection import TrialCollection
from wirelab.trial.environment import Before, environment_of
from wirelab.trial.failure import TrialError
from wirelab.trial.load import grace_ns
from wirelab.trial.parts import TrialParts
from wirelab.trial.setup import TrialSetup
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
        self._parts = TrialParts(planned, setup, folder)
        self._processes = self._parts.processes
        self._roles = self._parts.roles
        self._connections = self._parts.connections
        self._faults = self._parts.faults
        self._wire = self._parts.wire
        self._disk = self._parts.disk
        self._sampler = self._parts.sampler
        self._verification = self._parts.verification
        self._answers = self._parts.answers
        self._stopped_early = ""
        self._failed_role = ""

    def run(self) -> TrialRecord:
        """Carry the trial out; never raises for what a worker does."""
        try:
            return self._carried_out()
        finally:
            self._parts.close()

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
            left = self._parts.clear_away()
        if reason in _OF_A_CRASH and (words := self._roles.last_words(self._failed_role)):
            detail = f"{detail}: {words}"
        if status is TrialStatus.OK and left:
            status, reason = TrialStatus.FAILED, "left-children"
            detail = f"{left} processes were still alive after the roles had ended"
        collection = TrialCollection(self._parts)
        problem = collection.collect(stopped_early=bool(self._stopped_early))
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
            tick0_ns=self._parts.tick0_ns,
            ended_ns=ended_ns,
            roles=self._roles.records,
            file_system=file_system_of(self._folder),
            faults=self._faults.applied,
            steps=self._roles.steps.ended,
            paused=self._answers.paused(self._roles.steps),
            pauses=self._answers.pauses,
            answering_ns=self._answers.answering_ns,
            overlapping=collection.overlapping,
            witness=self._wire.record,
            ledger=dict(collection.ledger.entries),
            ledger_steps={step: dict(own) for step, own in collection.ledger.steps.items()},
            secret=self._parts.secret.hex(),
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
        except Exception as error:  # of what a stranger said: the other trials go on
            failed = TrialError.of_harness(error)
            return TrialStatus.FAILED, failed.reason, failed.detail
        return TrialStatus.OK, "", ""

    def _measure(self) -> None:
        sandboxes = self._parts.sandboxes
        own_network = sandboxes.network_of if sandboxes else None
        servers = (sockets.waiting_at(one.address) for one in self._setup.targets.values())
        self._sampler.start(own_network, set().union(*servers))
        self._wire.start(sandboxes, self._sampler)
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
        self._verification.before(self._parts.specs, self._parts.facts)
        self._perform()
        self._stop_everyone()
        self._roles.check_ends()
        self._roles.steps.check_all_ended(self._parts.measured, self._stopped_early)

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
        measured = self._parts.measured_workers
        load = self._parts.load
        tick0_ns = time.monotonic_ns() + (_LEAD_NS if load.is_announced else 0)
        self._parts.tick0_ns = tick0_ns
        self._roles.steps.begin(tick0_ns)
        self._roles.announce(tick0_ns)
        self._faults.arm(tick0_ns)
        self._answers.begin(measured, tick0_ns, self._roles.steps)
        grace = grace_ns(self._planned, self._scenario)
        end_ns = tick0_ns + load.longest_ns()
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

    def _stop_everyone(self) -> None:
        """The measured role first: what it talks to must not vanish while it says goodbye."""
        self._faults.disarm()
        measured = self._parts.measured_workers
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


def _all_ended(workers: list[Worker]) -> bool:
    return not any(worker.running for worker in workers)
