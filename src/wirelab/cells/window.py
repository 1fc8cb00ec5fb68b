"""The measured window of a trial: which ticks count, and how many operations they ask for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wirelab.model.run import PlannedTrial
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

    @staticmethod
    def of(planned: PlannedTrial, tick0_ns: int) -> Window:
        """The window of a trial whose tick 0 was at ``tick0_ns``."""
        return Window(tick0_ns, planned.period_ns, planned.warmup, planned.count)

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

    def expected(self, every: int) -> int:
        """Ticks of the window at which an operation due ``every`` n-th tick is due."""
        return -(-self.count // every) + (-self.warmup // every)

    def at_due_ticks(self, intended_ns: npt.NDArray[np.int64], every: int) -> npt.NDArray[np.bool_]:
        """Which intended times are ticks of the schedule that ask for the operation."""
        since = intended_ns - self.tick0_ns
        scheduled = (since >= 0) & (since < self.count * self.period_ns)
        due: npt.NDArray[np.bool_] = scheduled & (since % (self.period_ns * every) == 0)
        return due
