"""The parts of a trial: its roles, and everything that looks at them or acts on them."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

from wirelab.model.planned import PlannedTrial
from wirelab.monitor.sampler import Sampler
from wirelab.processes import leftovers
from wirelab.processes.guardian import mark_of
from wirelab.processes.interrupts import uninterrupted
from wirelab.trial.disk import DiskWatch
from wirelab.trial.faults import Faults
from wirelab.trial.load import load_of
from wirelab.trial.measured_answers import MeasuredAnswers
from wirelab.trial.observed import ObservedWire
from wirelab.trial.reached import Connections
from wirelab.trial.roles import Roles
from wirelab.trial.setup import TrialSetup
from wirelab.trial.verification import Verification
from wirelab.trial.worker import Worker


class TrialParts:
    """Parts of a trial under way. ``clear_away`` ends its processes, ``close`` everything that is
    asked until its record is written.
    """

    def __init__(self, planned: PlannedTrial, setup: TrialSetup, folder: Path) -> None:
        self.planned = planned
        self.setup = setup
        self.scenario = setup.scenario
        self.folder = folder
        self.load = load_of(planned, setup.scenario)
        self.measured = setup.scenario.measured_role
        self.processes = [n for n, one in setup.launches.items() if one.role == self.measured]
        """Names of the measured role's processes: one, or several."""
        self.sampler = Sampler(folder)
        self.sandboxes = setup.sandboxes()
        self._groups = setup.groups(planned.variant)
        self.secret = setup.secret()
        self._mark = mark_of(setup.run, planned.id)
        self.tick0_ns: int | None = None
        self.roles = Roles(
            planned,
            setup,
            self._mark,
            folder,
            introduce=self.sampler.watch,
            sandboxes=self.sandboxes,
            groups=self._groups,
            secret=self.secret,
        )
        self.connections = Connections(setup.targets, self.roles.pids)
        self.faults = Faults(planned.faults, self.roles)
        self.wire = ObservedWire(setup.observation, setup.scenario, setup.spoken, folder)
        self.disk = DiskWatch(folder, setup.launches, self.roles.pids, self.roles.fail)
        # Before the children that are spared: it outlives the roles.
        self.verification = Verification(planned, setup, self.load)
        self.answers = MeasuredAnswers(planned, setup, self.load, self.verification)
        self._spared = leftovers.children()

    @property
    def measured_workers(self) -> list[Worker]:
        """The processes of the measured role."""
        return [self.roles.workers[name] for name in self.processes]

    @property
    def specs(self) -> dict[str, dict[str, Any]]:
        """The specs of the measured role's processes by name, with tick 0 once it is known, and
        the secret that they are not told.
        """
        known: dict[str, Any] = {"start_ns": self.tick0_ns}
        known |= {"secret": self.secret.hex()} if self.secret else {}
        return {worker.role: {**worker.spec, **known} for worker in self.measured_workers}

    @property
    def facts(self) -> dict[str, Any]:
        """Facts of the first role that others talk to."""
        return next(iter(self.roles.surroundings.facts.values()), {})

    def clear_away(self) -> int:
        """End everything; returns how many processes were alive although their role had ended."""
        left: list[int] = []

        def end_rest() -> None:
            left.append(self.roles.end_rest())

        def end_leftovers() -> None:
            left.append(len(leftovers.end(lambda mark: mark == self._mark, self._spared)))

        with uninterrupted(), ExitStack() as last_first:
            # Each is done whatever becomes of the others.
            if self._groups is not None:
                last_first.callback(self._groups.close)
            last_first.callback(self.roles.close)
            last_first.callback(self.disk.stop)
            last_first.callback(end_leftovers)
            last_first.callback(end_rest)
            last_first.callback(self.roles.end_all)
            last_first.callback(self.wire.stop)
            last_first.callback(self.connections.stop)
            last_first.callback(self.sampler.stop)
        return sum(left)

    def close(self) -> None:
        """End the rest, once nothing more is asked."""
        self.verification.stop()
        self.wire.close()
        if self.sandboxes is not None:
            self.sandboxes.close()
