"""A paced or an open load in a trial: everything is due at times that are known before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wirelab.model.parts import Operation
from wirelab.model.planned import PlannedSchedule
from wirelab.model.scenario import Scenario
from wirelab.schedule import Schedule
from wirelab.trial.record_times import Ints, RecordTimes


@dataclass(frozen=True)
class ScheduledLoad:
    """Ticks at their times."""

    planned: PlannedSchedule
    scenario: Scenario

    is_announced = True
    told_steps: Sequence[str] = ()
    is_judged = is_counted = False

    def schedule(self) -> dict[str, Any]:
        """The schedule of the measured role, in the words of the contract."""
        planned = self.planned
        return {
            "loop": self.scenario.played.type,
            "period_ns": planned.period_ns,
            "count": planned.count,
            "warmup": planned.warmup,
            "cycle": planned.cycle.model_dump(),
            "steps": [step.model_dump() for step in planned.steps],
        }

    def verified_ticks(self) -> list[int]:
        """Those that count and at which the lane whose answer would be asked for is due."""
        schedule = Schedule.of(self.planned)
        return [
            tick
            for tick in range(self.planned.warmup, self.planned.count)
            if not self.planned.steps or schedule.is_due(tick, schedule.verified_lane(tick))
        ]

    def batches(self) -> dict[str, Any] | None:
        """None: calls are timed one by one."""
        return None

    def longest_ns(self) -> int:
        """The length of its schedule."""
        return self.planned.count * self.planned.period_ns

    def undone(self, records: int) -> int:  # noqa: ARG002 - what is due and was not done is lost
        """None: a tick that is not served is lost, and no step is given up."""
        return 0

    def ticks_of(
        self,
        operation: Operation,  # noqa: ARG002
        times: RecordTimes,
    ) -> Ints:
        """The ticks of records, which are in the times they were intended for."""
        period_ns = self.planned.period_ns
        if not self.planned.steps:
            return times.since_ns // period_ns
        known, at = np.unique(times.lanes, return_inverse=True)
        within = Schedule.of(self.planned).shifts(known) % period_ns
        return (times.since_ns - within[at]) // period_ns
