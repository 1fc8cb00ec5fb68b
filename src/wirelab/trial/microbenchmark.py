"""A microbenchmark in a trial: loops in the worker's own process, looked at by a judge."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from wirelab.model.load import Cycle
from wirelab.model.parts import Operation
from wirelab.model.planned import PlannedLoops, PlannedTrial
from wirelab.model.scenario import Scenario
from wirelab.trial.askings import Moment
from wirelab.trial.record_times import Ints, RecordTimes


@dataclass(frozen=True)
class MicrobenchmarkLoad:
    """Loops of each operation in each step."""

    planned: PlannedLoops
    trial: PlannedTrial
    scenario: Scenario

    is_announced = False
    """Loops begin when they are told to; nothing has to be there at the same moment."""
    told_steps: Sequence[str] = ()
    is_judged = True
    asked_within_ns = None

    @property
    def counts_instructions(self) -> bool:
        """Whether instructions are counted."""
        return self.planned.counted

    def schedule(self) -> dict[str, Any]:
        """One tick for all, in the words of the contract: ticks mean nothing here."""
        return {
            "loop": "closed",
            "period_ns": self.planned.about_ns,
            "count": 1,
            "warmup": 0,
            "cycle": Cycle().model_dump(),
            "steps": [],
        }

    def verified_ticks(self) -> list[int]:
        """None: answers are asked for by the loops."""
        return []

    def moments(
        self,
        operations: Mapping[str, Operation],  # noqa: ARG002
        chance: Random,  # noqa: ARG002
        ended: Callable[[], int],  # noqa: ARG002
    ) -> Iterator[Moment]:
        """None: every answer is asked for by the loops."""
        return iter(())

    def batches(self) -> dict[str, Any]:
        """The loops in the words of the contract."""
        return self.planned.model_dump(exclude={"type", "about_ns"})

    def longest_ns(self) -> int:
        """The length of all batches, and the limit of each operation."""
        planned = self.planned
        each = planned.warmup_ns + planned.count * planned.batch_ns + self.scenario.operation_limit
        return each * len(planned.steps) * len(self.trial.operations)

    def undone(self, records: int) -> int:  # noqa: ARG002 - batches say themselves what failed
        """None: no record stands for an operation."""
        return 0

    def most_at_ticks(self, operation: Operation) -> None:
        """None: no record stands for an operation."""

    def ticks_of(
        self,
        operation: Operation,  # noqa: ARG002
        times: RecordTimes,
    ) -> Ints:
        """None has a tick."""
        return np.full(len(times.lanes), -1, dtype=np.int64)
