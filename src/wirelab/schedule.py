"""Due times of a trial's lanes: the arithmetic of the worker contract's schedule.

"Steps and lanes" in ``docs/reference/worker-contract.md`` is the definition; a schedule without
steps is one lane that is due at every tick, or one for each process of the measured role.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from wirelab.model.load import Cycle
from wirelab.model.planned import PlannedSchedule, ScheduledStep

GOLDEN = 618_033_989
"""The golden ratio's fraction in billionths: its multiples are spread evenly however many they
are (Weyl's equidistribution; no other number does it better)."""

_WHOLE = 1_000_000_000

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Schedule:
    """Ticks, steps and lanes; times in ns after tick 0."""

    period_ns: int
    count: int
    steps: Sequence[ScheduledStep] = ()
    cycle: Cycle = field(default_factory=Cycle)

    @staticmethod
    def of(planned: PlannedSchedule) -> Schedule:
        """The schedule of a planned trial."""
        steps = planned.steps or _lanes_alone(planned)
        return Schedule(planned.period_ns, planned.count, steps, planned.cycle)

    def shifts(self, lanes: Ints) -> Ints:
        """Shift of each lane within its cycle, ns."""
        cycle_ns = self.cycle.length * self.period_ns
        # In Python's integers: the product does not fit 64 bits for a cycle of minutes.
        shifts = [(int(lane) * GOLDEN % _WHOLE) * cycle_ns // _WHOLE for lane in lanes]
        return np.array(shifts, dtype=np.int64)

    def expected(self, begin: int, end: int, every: int) -> int:
        """Count how often an operation is due at ticks ``begin`` to ``end``, over all lanes."""
        if not self.steps:
            return -(-end // every) + (-begin // every)
        total = 0
        for ticks, lanes in self._parts(begin, end):
            due = ticks[ticks % every == 0]
            total += int(np.count_nonzero(self._active(due[:, np.newaxis], lanes)))
        return total

    def times(self, begin: int, end: int, every: int) -> Ints:
        """Times of an operation due at ticks ``begin`` to ``end``, of all lanes, unsorted."""
        if not self.steps:
            return np.arange(-(-begin // every) * every, end, every) * self.period_ns
        times = [np.empty(0, dtype=np.int64)]
        for ticks, lanes in self._parts(begin, end):
            due = ticks[ticks % every == 0][:, np.newaxis]
            at = due * self.period_ns + self.shifts(lanes) % self.period_ns
            times.append(at[self._active(due, lanes)])
        return np.concatenate(times)

    def expected_joins(self, begin: int, end: int) -> int:
        """Users that connect during the steps within ticks ``begin`` to ``end``."""
        befores = [0, *(step.users for step in self.steps)]
        return sum(
            step.users - before
            for step, before in zip(self.steps, befores, strict=False)
            if begin <= step.first and step.first + step.count <= end
        )

    def is_due(self, tick: int, lane: int) -> bool:
        """Whether a lane is due at a tick."""
        if not self.steps:
            return lane == 0
        lanes = [found for _, found in self._parts(tick, tick + 1)]
        return any(lane in part for part in lanes) and bool(
            self._active(np.array([tick]), np.array([lane])).all()
        )

    def lanes_at(self, tick: int) -> int:
        """Lanes of the step that a tick belongs to."""
        step = next((s for s in self.steps if s.first <= tick < s.first + s.count), None)
        return step.lanes if step else 1

    def verified_lane(self, tick: int) -> int:
        """The lane whose answer is asked for at a verified tick."""
        return tick % self.lanes_at(tick)

    def on_schedule(self, since_ns: Ints, lanes: Ints, every: int) -> Flags:
        """Mark the intended times (ns after tick 0) at which their lane is due."""
        if not self.steps:
            scheduled = (since_ns >= 0) & (since_ns < self.count * self.period_ns)
            due: Flags = scheduled & (since_ns % (self.period_ns * every) == 0)
            return due
        known, at = np.unique(lanes, return_inverse=True)
        inside = since_ns - (self.shifts(known) % self.period_ns)[at]
        ticks = inside // self.period_ns
        fits: Flags = (inside % self.period_ns == 0) & (ticks % every == 0)
        fits &= self._active(ticks, lanes)
        wanted = np.zeros(len(ticks), dtype=np.bool_)
        before = 0
        for step in self.steps:
            within = (ticks >= step.first) & (ticks < step.first + step.count)
            settled = (lanes < before) | (ticks >= step.first + step.settle)
            wanted |= within & settled & (lanes < step.lanes)
            before = step.lanes
        return fits & wanted

    def _active(self, ticks: Ints, lanes: Ints) -> Flags:
        if self.cycle.length == self.cycle.active:
            return np.ones(np.broadcast(ticks, lanes).shape, dtype=np.bool_)
        phases = self.shifts(lanes) // self.period_ns
        active: Flags = (ticks - phases) % self.cycle.length < self.cycle.active
        return active

    def _parts(self, begin: int, end: int) -> list[tuple[Ints, Ints]]:
        """Ticks with the lanes that may be due at all of them, over ``begin`` to ``end``."""
        parts = []
        before = 0
        for step in self.steps:
            first, last = max(begin, step.first), min(end, step.first + step.count)
            settled = min(max(first, step.first + step.settle), last)
            kept = min(before, step.lanes)
            if first < settled:
                parts.append((np.arange(first, settled), np.arange(kept)))
            if settled < last:
                parts.append((np.arange(settled, last), np.arange(step.lanes)))
            before = step.lanes
        return parts


def _lanes_alone(planned: PlannedSchedule) -> list[ScheduledStep]:
    """The lanes of several processes, all of which are there from the first tick to the last."""
    lanes = planned.processes
    if lanes == 1:
        return []
    return [
        ScheduledStep(
            name="all",
            first=0,
            count=planned.count,
            settle=0,
            users=lanes,
            lanes=lanes,
            join_ns=0,
        )
    ]
