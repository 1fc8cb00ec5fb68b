"""Faults: what the core does to a role at a given time, and when it did it."""

from __future__ import annotations

import signal
import time
from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING

from wirelab.model.run import AppliedFault
from wirelab.model.suite import Fault
from wirelab.trial import sockets
from wirelab.trial.failure import TrialError

if TYPE_CHECKING:
    from wirelab.trial.trial import Trial
    from wirelab.trial.worker import Worker


class Faults:
    """The faults of a trial, carried out in the order of their times."""

    def __init__(self, faults: Sequence[Fault], trial: Trial) -> None:
        self._trial = trial
        self._before = [fault for fault in faults if fault.at == "before-client"]
        self._timed = sorted(
            (fault for fault in faults if isinstance(fault.at, int)), key=lambda fault: fault.at
        )
        self._due: deque[tuple[int, Fault]] = deque()
        self._killed: set[int] = set()
        self.applied: list[AppliedFault] = []

    def before_client(self) -> None:
        """Carry out what is to happen before the measured role starts."""
        for fault in self._before:
            self._apply(fault)

    def arm(self, tick0_ns: int) -> None:
        """From now on faults are due at their time after tick 0."""
        self._due.extend((tick0_ns + int(fault.at), fault) for fault in self._timed)

    def disarm(self) -> None:
        """The schedule has ended: faults still due are dropped."""
        self._due.clear()

    @property
    def next_ns(self) -> int | None:
        """When the next fault is due."""
        return self._due[0][0] if self._due else None

    def carry_out(self, now_ns: int) -> None:
        """Carry out every fault that is due."""
        while self._due and self._due[0][0] <= now_ns:
            self._apply(self._due.popleft()[1])

    def killed(self, worker: Worker) -> bool:
        """Whether a fault, not the worker itself, ended it."""
        return worker.process.pid in self._killed

    def heard_ready(self, role: str, received_ns: int) -> None:
        """A role is ready; when a fault restarted it, that is when it was back."""
        for number, fault in enumerate(self.applied):
            if fault.action == "restart" and fault.role == role and fault.ready_ns is None:
                self.applied[number] = fault.model_copy(update={"ready_ns": received_ns})

    def _apply(self, fault: Fault) -> None:
        worker = self._trial.workers[fault.role]
        now = time.monotonic_ns()
        if fault.action == "stop":
            worker.signal(signal.SIGSTOP)
        elif fault.action == "continue":
            worker.signal(signal.SIGCONT)
        elif fault.action == "kill":
            self._kill(worker)
        else:
            self._restart(worker)
        self.applied.append(AppliedFault(action=fault.action, role=fault.role, monotonic_ns=now))

    def _kill(self, worker: Worker) -> None:
        self._killed.add(worker.process.pid)
        worker.kill()
        worker.process.wait()

    def _restart(self, worker: Worker) -> None:
        if worker.running:
            self._kill(worker)
        address = sockets.address_of(self._trial.surroundings.endpoints.get(worker.role, ""))
        if address is None:
            raise TrialError(
                "cannot-restart",
                f"{worker.role} named no address in ready to come back on",
                worker.role,
            )
        self._trial.start_role(worker.role, listen=f"{address[0]}:{address[1]}")
