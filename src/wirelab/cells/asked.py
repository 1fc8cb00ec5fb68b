"""Work asked for in a window: ticks of a schedule, or the steps of a closed loop."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from wirelab.model.parts import Operation
from wirelab.model.planned import PlannedSchedule, PlannedStep
from wirelab.schedule import Schedule

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Ticks:
    """Ticks ``begin`` to ``end`` of a schedule."""

    schedule: Schedule
    begin: int
    end: int
    joining: int | None = None
    """First tick of the time in which users join, where they do so before ``begin``."""

    @staticmethod
    def of(planned: PlannedSchedule, step: str = "") -> Ticks:
        """The ticks of a trial that count, or those of one of its steps."""
        schedule = Schedule.of(planned)
        if not step:
            first = 0 if planned.steps else None
            return Ticks(schedule, planned.warmup, planned.count, first)
        chosen = next(one for one in planned.steps if one.name == step)
        # Of the first step the warm-up is left out, too.
        begin = max(chosen.first + chosen.settle, planned.warmup)
        return Ticks(schedule, begin, chosen.first + chosen.count, chosen.first)

    def expected(self, operation: Operation) -> int:
        """Count how often an operation is due at these ticks, over all lanes."""
        if operation.due == "join":
            begin = self.begin if self.joining is None else self.joining
            return self.schedule.expected_joins(begin, self.end)
        return self.schedule.expected(self.begin, self.end, operation.every)

    def times(self, operation: Operation) -> Ints | None:
        """Times (ns after tick 0) at which it is due, over all lanes; None where no tick says."""
        if operation.due == "join":
            return None
        return self.schedule.times(self.begin, self.end, operation.every)

    def on_schedule(self, since_ns: Ints, lanes: Ints, every: int) -> Flags:
        """Mark the intended times (ns after tick 0) at which their lane is due."""
        return self.schedule.on_schedule(since_ns, lanes, every)


@dataclass(frozen=True)
class ClosedSteps:
    """Steps of a closed loop: how often everything is done, and nothing of when."""

    steps: tuple[PlannedStep, ...]
    added: int  # users that connect for these steps

    @staticmethod
    def of(steps: Sequence[PlannedStep], chosen: Sequence[PlannedStep]) -> ClosedSteps:
        """The work that the ``chosen`` ones of all ``steps`` ask for."""
        before = [0, *(step.users for step in steps)]
        added = sum(
            max(0, step.users - left)
            for step, left in zip(steps, before, strict=False)
            if step in chosen
        )
        return ClosedSteps(tuple(chosen), added)

    @property
    def users(self) -> int:
        """Users of the last of these steps, of whom none leaves."""
        return self.steps[-1].users

    @property
    def lanes(self) -> int:
        """Users of the last of these steps who send."""
        return self.steps[-1].lanes

    @property
    def has_time(self) -> bool:
        """Whether they are of a ramp, which time ends: nobody says how often anything is done."""
        return any(step.ramp_ns for step in self.steps)

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of these steps."""
        return frozenset(step.name for step in self.steps)

    def expected(self, operation: Operation) -> int:
        """Count how often an operation is done in these steps without settling, over all lanes; 0
        of what is done at the ticks of a ramp.
        """
        if operation.due == "join":
            return self.added
        if operation.due == "step":
            return sum(step.users for step in self.steps)
        if self.has_time:
            return 0
        return sum(step.lanes * len(_ticks(step, operation.every)) for step in self.steps)

    def times(self, _operation: Operation) -> Ints | None:
        """None: a lane goes on when it can."""
        return None

    def on_schedule(self, since_ns: Ints, _lanes: Ints, _every: int) -> Flags:
        """All of them: a lane goes on when it can, and no time is early or late."""
        return np.ones(len(since_ns), dtype=np.bool_)


def _ticks(step: PlannedStep, every: int) -> range:
    """Ticks after settling at which an operation is due."""
    begin, end = step.first + step.settle, step.first + step.count
    return range(-(-begin // every) * every, end, every)


Asked = Ticks | ClosedSteps
