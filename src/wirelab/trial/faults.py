"""Faults: what the core does to a role at a given time, and when it did it."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence

from wirelab.model.parts import Fault
from wirelab.model.trial import AppliedFault
from wirelab.trial import sockets
from wirelab.trial.askings import NEVER
from wirelab.trial.failure import TrialError
from wirelab.trial.roles import Roles

MOST_LATE_NS = 2_000_000_000
"""Time after which a fault is another one than its scenario has: too little is left of the load."""


class Faults:
    """The faults of a trial, carried out in the order of their times."""

    def __init__(self, faults: Sequence[Fault], roles: Roles) -> None:
        self._roles = roles
        self._before = [fault for fault in faults if fault.at == "before-client"]
        self._timed = sorted(
            (fault for fault in faults if isinstance(fault.at, int)), key=lambda fault: fault.at
        )
        self._due: deque[tuple[int, Fault]] = deque()
        self._applied: list[tuple[AppliedFault, int]] = []

    @property
    def applied(self) -> list[AppliedFault]:
        """Faults that were applied, and when; a restarted role with the time of its return."""
        return [
            fault.model_copy(update={"ready_ns": self._roles.ready_ns.get(pid)})
            if fault.action == "restart"
            else fault
            for fault, pid in self._applied
        ]

    def before_client(self) -> None:
        """Carry out what is to happen before the measured role starts."""
        for fault in self._before:
            self._apply(fault)

    @property
    def restarted_before(self) -> list[str]:
        """Roles that are started again before the measured role, which finds them ready."""
        return [fault.role for fault in self._before if fault.action == "restart"]

    def arm(self, tick0_ns: int) -> None:
        """From now on faults are due at their time after tick 0."""
        self._due.extend((tick0_ns + int(fault.at), fault) for fault in self._timed)

    def disarm(self) -> None:
        """The schedule has ended: faults that are not yet due are dropped. TrialError as in
        ``carry_out``.
        """
        while self._due:
            due_ns, fault = self._due.popleft()
            _refuse_late(fault, due_ns, 0)

    @property
    def next_ns(self) -> int:
        """The time at which the next fault is due; the end of time where none is."""
        return self._due[0][0] if self._due else NEVER

    def carry_out(self) -> None:
        """Carry out every fault that is due; TrialError where the host let one come too late."""
        while self.next_ns <= time.monotonic_ns():
            due_ns, fault = self._due.popleft()
            _refuse_late(fault, due_ns, MOST_LATE_NS)
            self._apply(fault)

    def _apply(self, fault: Fault) -> None:
        worker = self._roles.workers[fault.role]
        begun_ns = time.monotonic_ns()
        if fault.action == "stop":
            worker.pause()
        elif fault.action == "continue":
            worker.go_on()
        elif fault.action == "kill":
            self._roles.kill(fault.role)
        else:
            self._restart(fault.role)
        # Until a role is down it answers, and from when it may go on it may answer.
        at_ns = time.monotonic_ns() if fault.action in ("stop", "kill") else begun_ns
        pid = self._roles.workers[fault.role].process.pid
        done = AppliedFault(action=fault.action, role=fault.role, monotonic_ns=at_ns)
        self._applied.append((done, pid))

    def _restart(self, role: str) -> None:
        if self._roles.workers[role].running:
            self._roles.kill(role)
        address = sockets.address_of(self._roles.surroundings.endpoints.get(role, ""))
        if address is None:
            raise TrialError(
                "cannot-restart", f"{role} named no address in ready to come back on", role
            )
        self._roles.start(role, listen=f"{address[0]}:{address[1]}")


def _refuse_late(fault: Fault, due_ns: int, most_ns: int) -> None:
    late_ns = time.monotonic_ns() - due_ns
    if late_ns > most_ns:
        raise TrialError(
            "late-fault",
            f"{fault.action} of {fault.role} was {late_ns / 1e9:.1f} s late: the machine was busy",
        )
