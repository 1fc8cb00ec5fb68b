"""A paced or an open load in a trial: everything is due at times that are known before it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from wirelab.model.parts import Operation
from wirelab.model.planned import PlannedSchedule
from wirelab.model.scenario import Scenario
from wirelab.schedule import Schedule
from wirelab.trial.askings import AT_LEAST, MOST_A_SECOND, Moment
from wirelab.trial.record_times import Ints, RecordTimes, turns_in

_DRAWS = 10
"""Draws for each turn that is wanted: most of those of a trial with fewer turns are found."""


@dataclass(frozen=True)
class ScheduledLoad:
    """Ticks at their times."""

    planned: PlannedSchedule
    scenario: Scenario

    is_announced = True
    told_steps: Sequence[str] = ()
    is_judged = counts_instructions = False

    def schedule(self) -> dict[str, Any]:
        """The schedule of the measured role, in the words of the contract."""
        planned = self.planned
        return {
            "loop": self.scenario.played.type,
            "period_ns": planned.period_ns,
            "count": planned.count,
            "warmup": planned.warmup,
            "cycle": planned.cycle.model_dump(),
            "steps": [step.model_dump(exclude={"ramp_ns"}) for step in planned.steps],
        }

    def verified_ticks(self) -> list[int]:
        """The ticks that count and at which the lane whose answer would be asked for is due."""
        schedule = Schedule.of(self.planned)
        return [
            tick
            for tick in range(self.planned.warmup, self.planned.count)
            if not self.planned.steps or schedule.is_due(tick, schedule.verified_lane(tick))
        ]

    @property
    def asked_within_ns(self) -> int:
        """All of the period but its last tenth."""
        return self.planned.period_ns * 9 // 10

    def moments(
        self,
        operations: Mapping[str, Operation],
        chance: Random,
        ended: Callable[[], int],  # noqa: ARG002
    ) -> Iterator[Moment]:
        """One for each of so many turns, none in the last tenth of its period."""
        turns = self._turns(operations, chance)
        period_ns, lanes = self.planned.period_ns, np.array([lane for _, lane in turns])
        within = Schedule.of(self.planned).shifts(lanes) % period_ns
        return iter(
            sorted(
                Moment(
                    tick * period_ns + int(shift) + chance.randrange(self.asked_within_ns),
                    lane,
                    _due(operations, tick),
                    tick * period_ns + int(shift) + self.asked_within_ns,
                )
                for (tick, lane), shift in zip(turns, within, strict=True)
            )
        )

    def _turns(self, operations: Mapping[str, Operation], chance: Random) -> set[tuple[int, int]]:
        """Ticks that count with a lane that is due there, as many as a trial is asked for."""
        planned, schedule = self.planned, Schedule.of(self.planned)
        seconds = (planned.count - planned.warmup) * planned.period_ns / 1e9
        wanted = min(AT_LEAST, int(seconds * MOST_A_SECOND))
        ticks = [t for t in range(planned.warmup, planned.count) if _due(operations, t)]
        found: set[tuple[int, int]] = set()
        for _ in range(wanted * _DRAWS if ticks else 0):
            tick = chance.choice(ticks)
            lane = chance.randrange(schedule.lanes_at(tick))
            if schedule.is_due(tick, lane):
                found.add((tick, lane))
            if len(found) == wanted:
                break
        return found

    def batches(self) -> dict[str, Any] | None:
        """None: calls are timed one by one."""
        return None

    def longest_ns(self) -> int:
        """The length of its schedule."""
        return self.planned.count * self.planned.period_ns

    def undone(self, records: int) -> int:  # noqa: ARG002 - what is due and was not done is lost
        """None: a tick that is not served is lost, and no step is given up."""
        return 0

    def most_at_ticks(self, operation: Operation) -> int:
        """All ticks at which it is due, of as many lanes as a step has."""
        schedule = Schedule.of(self.planned)
        if not schedule.steps:
            return schedule.expected(0, schedule.count, operation.every)
        return sum(
            turns_in(step.first, step.count, operation) * step.lanes for step in schedule.steps
        )

    def ticks_of(
        self,
        operation: Operation,  # noqa: ARG002
        times: RecordTimes,
    ) -> Ints:
        """The ticks of records, which are in the times they were intended for."""
        period_ns, schedule = self.planned.period_ns, Schedule.of(self.planned)
        if not schedule.steps:
            return times.since_ns // period_ns
        known, at = np.unique(times.lanes, return_inverse=True)
        within = schedule.shifts(known) % period_ns
        return (times.since_ns - within[at]) // period_ns


def _due(operations: Mapping[str, Operation], tick: int) -> tuple[str, ...]:
    return tuple(name for name, operation in operations.items() if tick % operation.every == 0)
