"""One trial: start the roles, verify answers, measure, stop, collect.

Every way in which a worker can misbehave ends here as a reason in the trial's record; whatever
happens, no process of the trial is left and what was measured is kept.
"""

from __future__ import annotations

import datetime
import errno
import os
import queue
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from wirelab.model.events import CONTRACT, Done, ErrorSeen, Ready
from wirelab.model.run import PlannedTrial, RoleRecord, TrialRecord, TrialStatus
from wirelab.model.suite import Scenario
from wirelab.probe import host
from wirelab.probe.sampler import Sampler
from wirelab.samples import format as samples
from wirelab.trial import answers, leftovers, sockets
from wirelab.trial.environment import Before, environment_of
from wirelab.trial.failure import TrialError
from wirelab.trial.faults import Faults
from wirelab.trial.spec import Surroundings, spec_of
from wirelab.trial.worker import Heard, Launch, Worker

_LEAD_NS = 300_000_000
_GRACE_NS = 5_000_000_000
_GRACE_SHARE = 0.2


@dataclass(frozen=True)
class Stage:
    """What trials of one contender in one scenario share."""

    run: str
    scenario: Scenario
    launches: dict[str, Launch]
    verifier: answers.Verifier | None


class Trial:
    """A trial under way; ``run`` carries it through to its record."""

    def __init__(self, planned: PlannedTrial, stage: Stage, folder: Path) -> None:
        self.planned = planned
        self.stage = stage
        self.scenario = stage.scenario
        self.folder = folder
        self.mark = f"{stage.run}/{planned.id}"
        self.measured_role = self.scenario.measured_role
        self.workers: dict[str, Worker] = {}
        self.records: dict[str, RoleRecord] = {}
        self.surroundings = Surroundings()
        self.tick0_ns: int | None = None
        self._inbox: queue.Queue[Heard] = queue.Queue()
        self._sampler = Sampler(self.mark)
        self._faults = Faults(planned.faults, self)
        self._started: list[Worker] = []
        self._spared = leftovers.children()
        self._wrong: list[str] = []
        self._verified = 0
        self._detail = ""

    # ---------------------------------------------------------------- the life of a trial

    def run(self) -> TrialRecord:
        """Carry the trial out; never raises for what a worker does."""
        started_at = datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")
        self.folder.mkdir(parents=True, exist_ok=True)
        before = Before(
            canary_ns=host.canary(self.stage.launches[self.measured_role].cpus),
            load=os.getloadavg()[0],
        )
        status, reason = TrialStatus.OK, ""
        try:
            self._measure()
        except TrialError as error:
            status, reason, self._detail = TrialStatus.FAILED, error.reason, error.detail
        except OSError as error:
            status, reason, self._detail = TrialStatus.FAILED, *_of_the_host(error)
        except KeyboardInterrupt:
            status, reason, self._detail = TrialStatus.INTERRUPTED, "interrupted", "Ctrl-C"
        ended_ns = time.monotonic_ns()
        left = self._clear_away()
        if status is TrialStatus.OK and left:
            status, reason = TrialStatus.FAILED, "left-children"
            self._detail = f"{len(left)} processes were still alive after the roles had ended"
        kept = self._collect()
        if status is TrialStatus.OK and kept is not None:
            status, reason, self._detail = TrialStatus.FAILED, kept.reason, kept.detail
        return TrialRecord(
            planned=self.planned,
            status=status,
            reason=reason,
            detail=self._detail,
            wrong_answers=self._wrong,
            verified=self._verified,
            started_at=started_at,
            tick0_ns=self.tick0_ns,
            ended_ns=ended_ns,
            roles=self.records,
            faults=self._faults.applied,
            environment=environment_of(self.planned, self.tick0_ns, before, self._sampler),
        )

    def _measure(self) -> None:
        self._sampler.start()
        for role in self._in_order():
            if role == self.measured_role:
                self._faults.before_client()
            self.start_role(role)
            self._until(partial(self._is_ready, role), self._ready_by(role))
            self._look_around(role)
        self._verify("preflight")
        self._perform()
        self._stop_everyone()
        self._check_ends()

    def _is_ready(self, role: str) -> bool:
        return bool(self.records[role].ready)

    def _in_order(self) -> list[str]:
        # The measured role comes last: everything it talks to is there.
        others = [role for role in self.scenario.roles if role != self.measured_role]
        return [*others, self.measured_role]

    def start_role(self, role: str, listen: str = "127.0.0.1:0") -> None:
        """Start ``role``; a second start (after a fault) keeps the record of the first."""
        times = sum(1 for worker in self._started if worker.role == role)
        tag = role if times == 0 else f"{role}-{times + 1}"
        if role in self.records and times:
            self.records[f"{role}-{times}"] = self.records[role]
        launch = self.stage.launches[role]
        spec = spec_of(
            self.planned,
            self.scenario,
            role,
            self.surroundings,
            mark=self.mark,
            folder=self.folder,
            listen=listen,
        )
        worker = Worker(launch, spec, self.folder, self._inbox, tag)
        self._started.append(worker)
        self.workers[role] = worker
        self._sampler.watch(role, worker.process.pid)
        self.records[role] = RoleRecord(
            role=role,
            command=launch.command,
            cpus=[] if worker.pin_refused else launch.cpus,
            pin_refused=worker.pin_refused,
        )

    def _ready_by(self, role: str) -> Callable[[], TrialError]:
        limit = self.scenario.ready_limit
        self._deadline_ns = self.workers[role].started_ns + limit
        return lambda: TrialError(
            "never-ready", f"{role} was not ready {limit / 1e9:g} s after its start", role
        )

    def _perform(self) -> None:
        planned = self.planned
        measured = self.workers[self.measured_role]
        self.tick0_ns = time.monotonic_ns() + _LEAD_NS
        measured.start(self.tick0_ns)
        self._faults.arm(self.tick0_ns)
        window_ns = planned.count * planned.period_ns
        grace_ns = max(_GRACE_NS, int(window_ns * _GRACE_SHARE)) + self.scenario.operation_limit
        self._deadline_ns = self.tick0_ns + window_ns + grace_ns
        finished = self._wait(self._measured_is_done)
        if not finished:
            self._detail = f"stopped by the core {grace_ns / 1e9:g} s after the end of its schedule"
            measured.stop()
            limit = self.scenario.stop_limit
            self._deadline_ns = time.monotonic_ns() + limit
            role = self.measured_role
            self._until(
                self._measured_is_done,
                lambda: TrialError(
                    "ignored-stop",
                    f"{role} was still at work {grace_ns / 1e9:g} s after the end of its schedule "
                    f"and did not end within {limit / 1e9:g} s of being told to stop",
                    role,
                ),
            )

    def _measured_is_done(self) -> bool:
        return bool(self.records[self.measured_role].done)

    def _stop_everyone(self) -> None:
        self._faults.disarm()
        measured = self.workers[self.measured_role]
        others = [worker for worker in self.workers.values() if worker is not measured]
        for group in ([measured], others):
            alive = [worker for worker in group if worker.running]
            for worker in alive:
                worker.stop()
            self._deadline_ns = time.monotonic_ns() + self.scenario.stop_limit
            if not self._wait(partial(_all_ended, group)):
                role = next(worker.role for worker in group if worker.running)
                raise TrialError(
                    "ignored-stop",
                    f"{role} did not end within {self.scenario.stop_limit / 1e9:g} s of being "
                    "told to stop",
                    role,
                )
        # What was said just before the end may still be on its way through the pipes.
        for worker in self.workers.values():
            worker.close()
        self._deadline_ns = time.monotonic_ns()
        self._wait(self._inbox.empty)

    def _check_ends(self) -> None:
        for role, worker in self.workers.items():
            code = worker.process.returncode
            if code != 0 and not self._faults.killed(worker):
                raise TrialError("exit-code", f"{role} ended with {_ending(code)}", role)

    # ---------------------------------------------------------------- listening

    def _until(self, condition: Callable[[], bool], otherwise: Callable[[], TrialError]) -> None:
        if not self._wait(condition):
            raise otherwise()

    def _wait(self, condition: Callable[[], bool]) -> bool:
        """Hear everyone, and carry faults out, until ``condition`` or the deadline."""
        while not condition():
            now = time.monotonic_ns()
            self._faults.carry_out(now)
            if now >= self._deadline_ns and self._inbox.empty():
                return condition()
            wake = min(self._deadline_ns, self._faults.next_ns or self._deadline_ns)
            try:
                heard = self._inbox.get(timeout=max(0.0, min(wake - now, 10**9) / 1e9))
            except queue.Empty:
                continue
            self._hear(heard)
        return True

    def _hear(self, heard: Heard) -> None:
        if heard.failure is not None:
            raise heard.failure
        worker, event = heard.worker, heard.event
        if worker is not self.workers.get(worker.role):
            return
        match event:
            case Ready():
                self._hear_ready(worker, event, heard.received_ns)
            case ErrorSeen():
                errors = [*self.records[worker.role].errors, event.model_dump(by_alias=True)]
                self._note(worker.role, errors=errors)
            case Done():
                self._note(worker.role, done=event.model_dump())
            case None:
                self._hear_end(worker)
            case _:
                pass

    def _hear_ready(self, worker: Worker, event: Ready, received_ns: int) -> None:
        role = worker.role
        if event.contract != CONTRACT:
            raise TrialError(
                "wrong-contract",
                f"{role} speaks contract {event.contract}, the core {CONTRACT}",
                role,
            )
        if self.records[role].ready:
            raise TrialError("garbage-output", f"{role} said ready twice", role)
        if event.endpoint:
            self.surroundings.endpoints[role] = event.endpoint
        self.surroundings.facts[role] = event.facts
        self._note(
            role,
            ready={**event.model_dump(), "started_ns": worker.started_ns},
            startup_ns=received_ns - worker.started_ns,
        )
        self._faults.heard_ready(role, received_ns)

    def _hear_end(self, worker: Worker) -> None:
        code = worker.process.returncode
        self._note(worker.role, exit_code=code)
        record = self.records[worker.role]
        if record.done or self._faults.killed(worker):
            return
        fatal = [error for error in record.errors if error["scope"] == "fatal"]
        said = f": {fatal[-1]['class']} {fatal[-1]['message']}" if fatal else ""
        raise TrialError("exited", f"{worker.role} ended with {_ending(code)}{said}", worker.role)

    def _note(self, role: str, **changes: Any) -> None:
        self.records[role] = self.records[role].model_copy(update=changes)

    # ---------------------------------------------------------------- answers and ends

    def _look_around(self, role: str) -> None:
        address = sockets.address_of(self.records[role].ready.get("endpoint", ""))
        if address is not None:
            owns = sockets.owns_port(self.workers[role].process.pid, address[1])
            self._note(role, owns_socket=owns)

    def _verify(self, phase: str, excused: int = 0) -> None:
        """Ask the suite's verifier; a failed operation is ``excused`` from giving an answer."""
        verifier = self.stage.verifier
        if verifier is None:
            return
        spec = {**self.workers[self.measured_role].spec, "start_ns": self.tick0_ns}
        given = answers.read_answers(Path(spec["paths"]["answers"]), self.measured_role)
        due = sum(spec["verify"]["preflight"].values())
        if phase == "measure" and not self._detail:
            due += sum(len(ticks) for ticks in spec["verify"]["ticks"].values()) - excused
        if len(given) < due:
            self._wrong = [f"{len(given)} of {due} answers asked for were written"]
        else:
            facts = next(iter(self.surroundings.facts.values()), {})
            self._wrong = verifier(spec, facts, given)
        self._verified = len(given)
        if self._wrong and phase == "preflight":
            raise TrialError("wrong-answer", self._wrong[0], self.measured_role)

    def _collect(self) -> TrialError | None:
        """Keep samples, answers and the probe's rows; returns the first thing that is wrong."""
        problem: TrialError | None = None
        record = self.records.get(self.measured_role)
        role = self.measured_role
        try:
            self._sampler.write(self.folder / "probe.parquet")
            if record is None or not record.ready:
                return None
            raw, kept = self.folder / f"{role}.samples", self.folder / f"{role}.parquet"
            taken = samples.ingest(raw, kept)
            if record.done:
                self._check_counts(record, taken.records)
                self._verify("measure", excused=taken.failed)
        except samples.SampleFileError as error:
            problem = TrialError("sample-file", str(error), role)
        except TrialError as error:
            problem = error
        except OSError as error:
            problem = TrialError(*_of_the_host(error))
        return problem

    def _check_counts(self, record: RoleRecord, count: int) -> None:
        said = record.done["records"]
        if said != count:
            raise TrialError(
                "record-count",
                f"done reports {said} records, the sample file holds {count}",
                self.measured_role,
            )
        path = self.folder / f"{self.measured_role}.answers.jsonl"
        answers.check_integrity(
            path, self.measured_role, record.done["answers"], record.done["checksum"]
        )

    def _clear_away(self) -> list[int]:
        self._sampler.stop()
        for worker in self._started:
            if worker.running:
                worker.kill()
        for worker in self._started:
            worker.process.wait()
        left = leftovers.end(lambda mark: mark == self.mark, self._spared)
        for worker in self._started:
            worker.close()
        for role, worker in self.workers.items():
            self._note(role, exit_code=worker.process.returncode, stderr_tail=worker.stderr_tail())
        return left


def _all_ended(workers: list[Worker]) -> bool:
    return not any(worker.running for worker in workers)


def _ending(code: int | None) -> str:
    return f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"


def _of_the_host(error: OSError) -> tuple[str, str]:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "disk-full", f"no space left while writing {error.filename or 'the trial'}"
    return "host", f"{error.strerror or error}: {error.filename or ''}".rstrip(": ")
