"""The roles of a trial: their workers, what they said, and how they ended."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from wirelab.cgroups.trial_groups import TrialGroups
from wirelab.model.events import (
    CONTRACT,
    CONTRACT_PAGE,
    Done,
    ErrorSeen,
    Reached,
    Ready,
    Served,
    StepEnded,
)
from wirelab.model.own import RequestCount
from wirelab.model.planned import PlannedTrial
from wirelab.model.trial import RoleRecord
from wirelab.trial import sockets
from wirelab.trial.failure import TrialError
from wirelab.trial.ledger import ServedItems
from wirelab.trial.limits import LimitWatch
from wirelab.trial.load import load_of
from wirelab.trial.sandboxes import Sandboxes, bring_out, outputs_of
from wirelab.trial.setup import TrialSetup
from wirelab.trial.spec import Surroundings, spec_of
from wirelab.trial.steps import Steps
from wirelab.trial.worker import Worker, WorkerMessage

ANY_PORT = "127.0.0.1:0"

MOST_ERRORS = 10_000
"""Error events of a role that its record keeps, the first ones; its events file has them all."""


class Roles:
    """The workers of one trial and their records, by the names of their launches.

    Everything that workers say, their ends included, arrives in one queue; ``hear`` takes it
    from there and raises TrialError for what a worker must not do. ``introduce`` is told each role,
    the process below which all its processes are, before they are there, and the file of its
    control group that has its processor time.
    """

    def __init__(
        self,
        planned: PlannedTrial,
        setup: TrialSetup,
        mark: str,
        folder: Path,
        *,
        introduce: Callable[[str, int, Path | None], None] = lambda _role, _pid, _account: None,
        sandboxes: Sandboxes | None = None,
        groups: TrialGroups | None = None,
        secret: bytes = b"",
    ) -> None:
        self.workers: dict[str, Worker] = {}
        self.records: dict[str, RoleRecord] = {}
        self.surroundings = Surroundings(inputs=list(setup.inputs))
        self.steps = Steps(load_of(planned, setup.scenario).told_steps)
        self.served = ServedItems()
        self.ready_ns: dict[int, int] = {}
        """The time at which each process said that it is ready, by its id."""
        self.not_kept: TrialError | None = None
        """The first file that could not be put among those of the trial, once all have ended."""
        self._planned = planned
        self._setup = setup
        self._mark = mark
        self._folder = folder
        self._introduce = introduce
        self._sandboxes = sandboxes
        self._groups = groups
        self._secret = secret
        self._limits = LimitWatch(groups)
        self._inbox: queue.Queue[WorkerMessage] = queue.Queue()
        self._started: list[Worker] = []
        self._killed: set[int] = set()

    # ---------------------------------------------------------------- starting and ending

    def start(self, role: str, listen: str = ANY_PORT) -> Worker:
        """Start ``role``; a second start (after a fault) keeps the record of the first."""
        times = sum(1 for worker in self._started if worker.role == role)
        if times:
            self.records[f"{role}-{times}"] = self.records[role]
        launch = self._setup.launches[role]
        spec = spec_of(
            self._planned,
            self._setup.scenario,
            launch.role,
            self.surroundings,
            mark=self._mark,
            folder=self._folder,
            listen=listen,
            outputs=outputs_of(self._folder, role, sandboxed=self._sandboxes is not None),
            target=self._setup.targets.get(role),
            process=launch.process,
        )
        tag = f"{role}-{times + 1}" if times else role
        introduce = partial(self._introduce, launch.role)
        worker = Worker(
            launch,
            spec,
            self._folder,
            self._inbox,
            tag=tag,
            introduce=introduce,
            sandboxes=self._sandboxes,
            groups=self._groups,
            logins=self._logins_of(role),
            secret=self._secret,
        )
        self._started.append(worker)
        self.workers[role] = worker
        self.records[role] = RoleRecord(
            role=role,
            command=launch.command,
            cpus=[] if worker.pin_refused else launch.cpus,
            pin_refused=worker.pin_refused,
            log=worker.log.name,
        )
        return worker

    def _logins_of(self, role: str) -> list[str]:
        """Services for whose servers, which are the user's own, a role needs the login.

        Those are the one that it stands for, and those that it is told the addresses of.
        """
        known = {role, *self.surroundings.endpoints}
        return [own.program for name, own in self._setup.targets.items() if name in known]

    def announce(self, tick0_ns: int) -> None:
        """Tell the measured role when tick 0 is, after those that also act at ticks."""
        roles = self._setup.scenario.roles
        for worker in self.workers.values():
            role = roles[worker.launch.role]
            if role.measured or role.hears_start:
                worker.start(tick0_ns)

    def kill(self, role: str) -> None:
        """End ``role`` as a fault: that it ends is then no failure of its own, but staying is."""
        worker = self.workers[role]
        self._killed.add(worker.process.pid)
        worker.kill()
        if not worker.wait_for_end():
            raise TrialError("ignored-stop", f"{role} did not end when it was killed", role)

    def end_all(self) -> None:
        """End every process group that is still there."""
        for worker in self._started:
            if worker.running:
                worker.kill()
        for worker in self._started:
            worker.wait_for_end()

    def end_rest(self) -> int:
        """End what the workers have started; returns how many processes were alive."""
        left = sum(worker.end_rest() for worker in self._started)
        return left + (self._groups.end_rest() if self._groups is not None else 0)

    def close(self) -> None:
        """Release what ended workers held, and keep what they wrote and how they ended."""
        for worker in self._started:
            worker.close()
            refused = bring_out(worker.spec, self._folder) if self._sandboxes is not None else ""
            if refused and self.not_kept is None:
                self.not_kept = TrialError("sample-file", refused, worker.role)
        for role, worker in self.workers.items():
            self.note(role, exit_code=worker.process.returncode, stderr_tail=worker.stderr_tail())

    def last_words(self, role: str) -> str:
        """The end of ``role``, from its log; empty where its own fatal error has said so."""
        worker = self.workers.get(role)
        if worker is None or self._fatal_errors(role):
            return ""
        return worker.last_words()

    def check_ends(self) -> None:
        """Raise for a worker that was done but did not end with 0."""
        for role, worker in self.workers.items():
            code = worker.process.returncode
            if code != 0 and not self._was_killed(worker):
                raise TrialError("exit-code", f"{role} ended with {_ending(code)}", role)
        self._limits.check()

    def note(self, role: str, **changes: Any) -> None:
        """Change the record of ``role``."""
        self.records[role] = self.records[role].model_copy(update=changes)

    def look_around(self, role: str) -> None:
        """Note whether the process that is probed owns the endpoint's socket."""
        address = sockets.address_of(self.records[role].ready.get("endpoint", ""))
        if address is not None and role not in self._setup.targets:
            owns = sockets.owns_port(self.workers[role].process.keeper_pid, address[1])
            self.note(role, owns_socket=owns)

    def pids(self) -> dict[str, int]:
        """The process of each role that has been started, below which all its processes are."""
        return {role: worker.process.keeper_pid for role, worker in list(self.workers.items())}

    # ---------------------------------------------------------------- listening

    def fail(self, error: TrialError) -> None:
        """Have ``hear`` raise ``error``, for who watches the roles from another thread."""
        self._inbox.put(WorkerMessage(None, time.monotonic_ns(), failure=error))

    def hear(self, patience_ns: int) -> None:
        """Take in the next thing said, waiting ``patience_ns`` for it at most."""
        try:
            heard = self._inbox.get(timeout=max(0, patience_ns) / 1e9)
        except queue.Empty:
            return
        if heard.failure is not None:
            raise heard.failure
        worker, event = heard.worker, heard.event
        if worker is None or worker is not self.workers.get(worker.role):
            return  # the end of a worker that a fault has replaced
        match event:
            case Ready():
                self._hear_ready(worker, event, heard.received_ns)
            case ErrorSeen():
                self._hear_error(worker, event)
            case StepEnded():
                self._hear_step(worker, event, heard.received_ns)
            case Reached():
                counted = RequestCount(requests=event.requests, counter=event.counter)
                self.note(worker.role, counted=counted)
            case Served() if worker.launch.neutral:
                self.served.hear(worker.role, event)
                self.note(worker.role, served=event.items)
            case Done():
                self.note(worker.role, done=event.model_dump())
            case None:
                self._hear_end(worker)
            case _:
                pass  # progress and runtime figures are in the events file

    def hear_rest(self) -> None:
        """Take in what is still on its way from workers that have ended."""
        for worker in self.workers.values():
            worker.close()
        while not self._inbox.empty():
            self.hear(0)

    def wait(self, condition: Callable[[], bool], deadline_ns: int) -> bool:
        """Hear everyone until ``condition`` or the deadline; whether the condition came."""
        while not condition():
            now = time.monotonic_ns()
            if now >= deadline_ns and self._inbox.empty():
                return False
            self.hear(min(deadline_ns - now, self._limits.looked_at_every_ns))
            self._limits.check(now)
        return True

    def why_ended(self, error: TrialError) -> TrialError:
        """The reason why a trial ended: a limit that a role met comes before what it did then."""
        return self._limits.met() or error

    def _hear_ready(self, worker: Worker, event: Ready, received_ns: int) -> None:
        role = worker.role
        if event.contract != CONTRACT:
            raise TrialError(
                "wrong-contract",
                f"{role} speaks version {event.contract} of the contract, not {CONTRACT}: "
                f"{CONTRACT_PAGE}",
                role,
            )
        if self.records[role].ready:
            raise TrialError("garbage-output", f"{role} said ready twice", role)
        if event.endpoint:
            self.surroundings.endpoints[role] = event.endpoint
        if not worker.launch.process:  # those of one role are to know nothing of each other
            self.surroundings.facts[role] = event.facts
        self.ready_ns[worker.process.pid] = received_ns
        self.note(
            role,
            ready={**event.model_dump(), "started_ns": worker.started_ns},
            startup_ns=received_ns - worker.started_ns,
        )

    def _hear_error(self, worker: Worker, event: ErrorSeen) -> None:
        """Keep it while there is room; the last of the fatal ones says why a worker ended."""
        kept = self.records[worker.role].errors  # a copy for each of 200,000 would take minutes
        if len(kept) < MOST_ERRORS:
            kept.append(event.model_dump(by_alias=True))
        elif event.scope == "fatal":
            kept[-1] = event.model_dump(by_alias=True)

    def _hear_step(self, worker: Worker, event: StepEnded, received_ns: int) -> None:
        role = worker.role
        if role != self._setup.scenario.measured_role:
            raise TrialError("wrong-step", f"{role} has no schedule and no step to end", role)
        self.steps.hear(event, role, received_ns)

    def _hear_end(self, worker: Worker) -> None:
        code = worker.process.returncode
        self.note(worker.role, exit_code=code)
        if self.records[worker.role].done or self._was_killed(worker):
            return
        fatal = self._fatal_errors(worker.role)
        said = f": {fatal[-1]['class']} {fatal[-1]['message']}" if fatal else ""
        raise TrialError("exited", f"{worker.role} ended with {_ending(code)}{said}", worker.role)

    def _fatal_errors(self, role: str) -> list[dict[str, Any]]:
        return [error for error in self.records[role].errors if error["scope"] == "fatal"]

    def _was_killed(self, worker: Worker) -> bool:
        return worker.process.pid in self._killed


def _ending(code: int | None) -> str:
    return f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
