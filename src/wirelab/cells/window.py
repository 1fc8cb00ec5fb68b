"""The measured window of a trial: which ticks count, and how many operations they ask for."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from wirelab.model.run import PlannedTrial
from wirelab.model.suite import Operation
from wirelab.schedule import Schedule
from wirelab.stats.blocks import BLOCK_NS


@dataclass(frozen=True)
class Window:
    """Ticks ``warmup`` to ``count``, as times on CLOCK_MONOTONIC in ns.

    It is the *scheduled* window: whatever the worker did, rates divide by its length.
    """

    tick0_ns: int
    period_ns: int
    warmup: int
    count: int
    joining: int | None = None
    """First tick of the time in which users join, where they do so before ``warmup`` is over."""
    lanes: Schedule | None = None

    @staticmethod
    def of(planned: PlannedTrial, tick0_ns: int, step: str = "") -> Window:
        """The window of a trial whose tick 0 was at ``tick0_ns``, or of one of its steps."""
        schedule = Schedule.of(planned)
        if not step:
            first = 0 if planned.steps else None
            return Window(
                tick0_ns, planned.period_ns, planned.warmup, planned.count, first, schedule
            )
        chosen = next(s for s in planned.steps if s.name == step)
        begin, end = chosen.first + chosen.settle, chosen.first + chosen.count
        return Window(tick0_ns, planned.period_ns, begin, end, chosen.first, schedule)

    def for_operation(self, operation: Operation) -> Window:
        """The window in which this operation counts: joining happens while others settle."""
        if operation.due == "join" and self.joining is not None:
            return replace(self, warmup=self.joining)
        return self

    @property
    def schedule(self) -> Schedule:
        """What is due when."""
        return self.lanes or Schedule(self.period_ns, self.count)

    @property
    def begin_ns(self) -> int:
        """Intended time of the first tick that counts."""
        return self.tick0_ns + self.warmup * self.period_ns

    @property
    def end_ns(self) -> int:
        """End of the last tick's slot."""
        return self.tick0_ns + self.count * self.period_ns

    @property
    def seconds(self) -> float:
        """Scheduled length."""
        return (self.end_ns - self.begin_ns) / 1e9

    @property
    def blocks(self) -> int:
        """Number of one-second blocks, a last incomplete one included."""
        return -(-(self.end_ns - self.begin_ns) // BLOCK_NS)

    @property
    def whole_seconds(self) -> range:
        """Seconds after tick 0 that it is made of, to the nearest: what is kept by the second."""
        begin, end = (round((at - self.tick0_ns) / BLOCK_NS) for at in (self.begin_ns, self.end_ns))
        return range(begin, max(end, begin + 1))

    def expected(self, operation: Operation) -> int:
        """How often an operation is due within the window."""
        if operation.due == "join":
            return self.schedule.expected_joins(self.warmup, self.count)
        return self.schedule.expected(self.warmup, self.count, operation.every)

    def at_due_ticks(
        self,
        intended_ns: npt.NDArray[np.int64],
        every: int,
        lanes: npt.NDArray[np.int64] | None = None,
    ) -> npt.NDArray[np.bool_]:
        """Which intended times are ticks of the schedule that ask for the operation."""
        if lanes is None:
            lanes = np.zeros(len(intended_ns), dtype=np.int64)
        return self.schedule.on_schedule(intended_ns - self.tick0_ns, lanes, every)
