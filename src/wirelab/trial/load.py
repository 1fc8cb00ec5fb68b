"""A trial's view of its load, which is all that differs between trials."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Protocol, assert_never

from wirelab.model.parts import Operation
from wirelab.model.planned import PlannedClosed, PlannedLoops, PlannedSchedule, PlannedTrial
from wirelab.model.scenario import Scenario
from wirelab.trial.askings import Moment
from wirelab.trial.closed import ClosedLoad
from wirelab.trial.microbenchmark import MicrobenchmarkLoad
from wirelab.trial.record_times import Ints, RecordTimes
from wirelab.trial.scheduled import ScheduledLoad

_GRACE_NS = 5_000_000_000
_GRACE_SHARE = 0.2
"""A schedule may take this much longer (and one operation's limit) before it is stopped."""


class TrialLoad(Protocol):
    """A load as a trial carries it out."""

    @property
    def is_announced(self) -> bool:
        """Whether all workers have to hear of tick 0 before it comes."""

    @property
    def is_judged(self) -> bool:
        """Whether the suite judges batches, where it verifies the answers of ticks otherwise."""

    @property
    def counts_instructions(self) -> bool:
        """Whether instructions are counted."""

    @property
    def told_steps(self) -> Sequence[str]:
        """Steps whose begin and end only the worker can know."""

    def schedule(self) -> dict[str, Any]:
        """The schedule of the measured role, in the words of the contract."""

    def batches(self) -> dict[str, Any] | None:
        """The repetitions, in the words of the contract; None where nothing is repeated."""

    def verified_ticks(self) -> list[int]:
        """Ticks that count, and of which an answer can be asked for."""

    @property
    def asked_within_ns(self) -> int | None:
        """Time after the tick in which its answer is asked for; None where ticks have no times."""

    def moments(
        self, operations: Mapping[str, Operation], chance: Random, ended: Callable[[], int]
    ) -> Iterator[Moment]:
        """Moments at which to ask for answers, in order; ``ended`` counts steps that ended."""

    def longest_ns(self) -> int:
        """The most that the contract allows for everything that is due, without grace."""

    def undone(self, records: int) -> int:
        """Operations that were due, but belong to a step that was given up."""

    def most_at_ticks(self, operation: Operation) -> int | None:
        """Turns of an operation that is due at ticks, at the most; None where nothing is."""

    def ticks_of(self, operation: Operation, times: RecordTimes) -> Ints:
        """The tick of each record, or one of the words of ``record_times`` in its place."""


def load_of(trial: PlannedTrial, scenario: Scenario) -> TrialLoad:
    """The load of a planned trial."""
    match planned := trial.load:
        case PlannedSchedule():
            return ScheduledLoad(planned, scenario)
        case PlannedClosed():
            return ClosedLoad(planned, trial, scenario)
        case PlannedLoops():
            return MicrobenchmarkLoad(planned, trial, scenario)
    assert_never(planned)


def grace_ns(trial: PlannedTrial, scenario: Scenario) -> int:
    """The time that is granted beyond: a share of the load, and what is under way at its end."""
    share = int(trial.load.span_ns[1] * _GRACE_SHARE)
    return max(_GRACE_NS, share) + scenario.operation_limit
