"""A closed load in a trial: lanes go on when they can, and only the worker knows when."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from wirelab.model.load import Cycle
from wirelab.model.parts import Operation
from wirelab.model.planned import PlannedClosed, PlannedStep
from wirelab.model.run import PlannedTrial
from wirelab.model.scenario import Scenario
from wirelab.trial.askings import Moment
from wirelab.trial.record_times import Ints, RecordTimes

_GAP_NS = 75_000_000
"""Between two askings, in the mean: 200 in 15 s."""


@dataclass(frozen=True)
class ClosedLoad:
    """Steps of so many ticks of each lane."""

    planned: PlannedClosed
    trial: PlannedTrial
    scenario: Scenario

    is_announced = True
    is_judged = counts_instructions = False
    asked_within_ns = None

    @property
    def told_steps(self) -> list[str]:
        """All of them: nobody else can know when one began and ended."""
        return self.planned.step_names

    def schedule(self) -> dict[str, Any]:
        """The schedule of the measured role, in the words of the contract."""
        return {
            "loop": "closed",
            "period_ns": self.planned.at_most_ns,
            "count": self.planned.count,
            "warmup": self.planned.warmup,
            "cycle": Cycle().model_dump(),
            "steps": [_told(step) for step in self.planned.steps],
        }

    def verified_ticks(self) -> list[int]:
        """All that count: every lane is due at each, and each step settles for itself. Of a ramp
        those that a lane comes to, however long its calls take.
        """
        parts = [range(s.first + s.settle, s.first + self._certain(s)) for s in self.planned.steps]
        return [tick for part in parts for tick in part]

    def _certain(self, step: PlannedStep) -> int:
        return max(1, step.ramp_ns // self.planned.at_most_ns) if step.ramp_ns else step.count

    def moments(
        self, operations: Mapping[str, Operation], chance: Random, ended: Callable[[], int]
    ) -> Iterator[Moment]:
        """As they come: nobody knows how long it takes, so the gaps between them are drawn."""
        names, since_ns = list(operations), 0
        while names:
            since_ns += int(chance.expovariate(1 / _GAP_NS))
            step = self.planned.steps[min(ended(), len(self.planned.steps) - 1)]
            yield Moment(since_ns, chance.randrange(step.lanes), (chance.choice(names),))

    def batches(self) -> dict[str, Any] | None:
        """None: calls are timed one by one."""
        return None

    def longest_ns(self) -> int:
        """The most that each step may take; those who join have as long as a role has to start."""
        total, before = 0, 0
        for step in self.planned.steps:
            total += step.ramp_ns or step.count * self.planned.at_most_ns
            total += self.scenario.operation_limit
            if step.users > before:
                total += self.scenario.ready_limit
            before = step.users
        return total

    def undone(self, records: int) -> int:
        """Operations that were due and have no record: a step was given up, or it is of a ramp and
        there was no time for them.
        """
        due, before = 0, 0
        for step in self.planned.steps:
            each = {
                "tick": step.count * step.lanes,
                "step": step.users,
                "join": step.users - before,
            }
            due += sum(
                each[operation.due]
                for operation in (self.scenario.operations[n] for n in self.trial.operations)
                if operation.record == "samples"
            )
            before = step.users
        return max(0, due - records)

    def ticks_of(
        self,
        operation: Operation,
        times: RecordTimes,
    ) -> Ints:
        """The ticks of records: each lane has its own one after the other.

        -1 for a lane that has another number of records than turns: it gave up on the way, and
        whose turn a record was is not known. Nobody knows it of a ramp.
        """
        ticks = np.full(len(times.lanes), -1, dtype=np.int64)
        if self.planned.ramp_ns:
            return ticks
        for lane in np.unique(times.lanes):
            turns = [
                tick
                for step in self.planned.steps
                if lane < step.lanes
                for tick in range(step.first, step.first + step.count)
                if tick % operation.every == 0
            ]
            own = np.flatnonzero(times.lanes == lane)
            if len(own) == len(turns):
                ticks[own[np.argsort(times.starts_ns[own], kind="stable")]] = turns
        return ticks


def _told(step: PlannedStep) -> dict[str, Any]:
    """A step in the words of the contract, which knows a ramp where there is one."""
    words = step.model_dump(exclude=set() if step.ramp_ns else {"ramp_ns"})
    return {**words, "join_ns": 0}
