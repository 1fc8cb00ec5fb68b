"""A closed load in a trial: lanes go on when they can, and only the worker knows when."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from wirelab.model.load import Cycle
from wirelab.model.parts import Operation
from wirelab.model.planned import PlannedClosed, PlannedStep, PlannedTrial
from wirelab.model.scenario import Scenario
from wirelab.trial.askings import Moment
from wirelab.trial.record_times import BEYOND, UNKNOWN, Ints, RecordTimes, turns_in

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
        """The ticks that count: every lane is due at each, and each step settles for itself. Of a
        ramp those that a lane comes to, however long its calls take.
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

    def most_at_ticks(self, operation: Operation) -> int:
        """All turns of all lanes, also of a ramp that has no time for them."""
        return sum(
            turns_in(step.first, step.count, operation) * step.lanes for step in self.planned.steps
        )

    def ticks_of(
        self,
        operation: Operation,
        times: RecordTimes,
    ) -> Ints:
        """The ticks of records: each lane has its own one after the other.

        In a lane with another number of records than turns, those of each step are looked at by
        themselves, and so are those that settle. Where there are fewer than turns it gave up on the
        way, and whose turn a record was is not known; ``BEYOND`` where there are more. Nobody
        knows ticks of a ramp.
        """
        ticks = np.full(len(times.lanes), UNKNOWN, dtype=np.int64)
        if self.planned.ramp_ns or not len(ticks):
            return ticks
        order = np.lexsort((times.starts_ns, times.lanes))
        bounds = np.flatnonzero(np.diff(times.lanes[order])) + 1
        for own in np.split(order, bounds):
            lane = int(times.lanes[own[0]])
            steps = [(step, _turns(step, operation, lane)) for step in self.planned.steps]
            every = [tick for _, turns in steps for tick in turns]
            if len(own) == len(every):
                ticks[own] = every
                continue
            since_ns = -1
            for step, turns in steps:
                if step.name not in times.steps:
                    break
                begin_ns, end_ns = times.steps[step.name]
                starts = times.starts_ns[own]
                settling = own[(starts > since_ns) & (starts < begin_ns)]
                counting = own[(starts >= begin_ns) & (starts <= end_ns)]
                since_ns = end_ns
                first = step.first + step.settle
                _take(ticks, settling, [tick for tick in turns if tick < first])
                _take(ticks, counting, [tick for tick in turns if tick >= first])
        return ticks


def _turns(step: PlannedStep, operation: Operation, lane: int) -> list[int]:
    """The ticks of a step at which an operation is due in a lane."""
    if lane >= step.lanes:
        return []
    ticks = range(step.first, step.first + step.count)
    return [tick for tick in ticks if tick % operation.every == 0]


def _take(ticks: Ints, places: Ints, turns: list[int]) -> None:
    if len(places) == len(turns):
        ticks[places] = turns
    elif len(places) > len(turns):
        ticks[places] = BEYOND


def _told(step: PlannedStep) -> dict[str, Any]:
    """A step in the words of the contract, which knows a ramp where there is one."""
    words = step.model_dump(exclude=set() if step.ramp_ns else {"ramp_ns"})
    return {**words, "join_ns": 0}
