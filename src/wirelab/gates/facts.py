"""Facts for gates: the few that remain of trials once their samples are put away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from wirelab.model.capacity import Search
from wirelab.model.contender import LibraryInfo
from wirelab.model.ledger import LedgerEntry
from wirelab.model.make_up import LostTrials
from wirelab.model.participant import Dependency
from wirelab.model.planned import PlannedTrial
from wirelab.model.result import Metric
from wirelab.model.scenario import Scenario
from wirelab.model.trial import TrialRecord
from wirelab.stats.fairness import Fairness
from wirelab.stats.lanes import QuietRate


@dataclass(frozen=True)
class QuietCounts:
    """Operations of one kind that were due in quiet time, of those intended in it."""

    due: int
    sent: int
    done: int  # well


DROPPED = "dropped"
"""Count of connections that ended without being asked to."""


@dataclass(frozen=True)
class OperationFacts:
    """One operation in the measured window of one trial; its times are of quiet time."""

    expected: int | None  # ticks it was due at; None where the loop is closed
    sent: int  # records; in a closed loop with those that should have been and are not
    statuses: Mapping[str, int]  # records by name of status
    missed: int  # due, but not well within the deadline
    mean_ms: float | None  # of the service time
    median_ms: float | None  # of the service time, however few samples it rests on
    second_medians: npt.NDArray[np.float64]  # of the service time, ms; nan: an empty second
    delay_p99_ms: float | None  # of start - intended
    delay_max_ms: float | None
    stalls: int  # starts more than STALL_NS late
    seconds: float = 0.0  # of the window it was counted in
    counts: Mapping[str, int] = field(default_factory=dict)  # exact counts, where there are any
    pauses: tuple[float, ...] = ()  # ms, times in which nobody was answered
    own_delay_p99_ms: float | None = None  # the same, waiting for its lane left out; None: never
    payload: int = 0  # bytes of the good ones, where the worker says how many
    peak_payload: int = 0  # the most of any second, where it was recorded by the second
    seconds_left_out: float = 0.0  # share, where it was recorded by the second
    quiet: QuietCounts | None = None  # None: all of the time was, or nothing says what is due when
    unattributed: int = 0  # failed ones that others may have disturbed
    missed_beside: int = 0  # of the missed ones, those that others may have disturbed
    left_out: int = 0  # due ticks without a record, although every lane went on after them
    quiet_rate: QuietRate | None = None  # of good ones, of a closed loop; None: all was quiet

    @property
    def failed(self) -> int:
        """Operations that did not succeed."""
        return self.sent - self.statuses.get("ok", 0)


@dataclass(frozen=True)
class ClockFacts:
    """Stamps that cannot be right, over all samples of a trial."""

    backwards: int  # end before start
    early: int  # start before intended, by however little
    outside: int  # before the worker was started or after the trial had ended
    off_schedule: int  # intended at no tick of the operation
    unknown_operations: int  # op bytes that the scenario does not have
    past_step: int = 0  # begun in a step of a closed loop and ended after it
    before_start: int = 0  # start before the time at which the worker was told to begin
    overlapping: int = 0  # begun before the one before it in its lane, which it waits for, ended
    rounded: int = 0  # starts or ends that are round numbers, where too many of them are
    in_no_time: int = 0  # ended when they started, where too many did
    in_steps: int = 0  # ends that are apart by whole steps of a coarse clock, where most are


@dataclass(frozen=True)
class RoleFacts:
    """Resources of one role over the measured window."""

    cpu_cores: float
    rss_max_mb: float
    processes_max: int
    delay_share: float = 0.0  # of quiet time: runnable, but waiting for a processor


@dataclass(frozen=True)
class DeviatingThreads:
    """Threads of a role with another priority or other processors than it was given."""

    threads: int  # the most at one moment
    share: float  # of the moments at which the monitor looked


@dataclass(frozen=True)
class LoopFacts:
    """One operation that was repeated in batches, in one step of one trial."""

    batches: int  # that count
    outliers: int  # of them, far from the others
    settled: bool  # the warm-up ended because its batches agreed
    compiling: int  # batches that count and were to be of warm code, while a compiler worked
    best_ns: float | None  # of an iteration, in the fastest batch
    between_ns: float | None = None  # from one batch that counts to the next, audits left out
    batch_ns: float | None = None  # of a batch that counts
    failure: str = ""  # why it could not be repeated, in the words of the library


@dataclass(frozen=True)
class BetweenFacts:
    """Quiet time of a closed loop from the end of an operation to the start of the next one."""

    between_ms: float
    operation_ms: float  # median, of all time
    payload: float = 0.0  # mean bytes of an operation, where the worker says how many
    in_rounds: bool = False  # from the last end of a round to the first start of the next one


@dataclass(frozen=True)
class BusyBlocks:
    """Processor time of a paced client, block by block."""

    cores: npt.NDArray[np.float64]  # that it used
    under_way: npt.NDArray[np.float64]  # share of the block with an operation, or an answer given


@dataclass(frozen=True)
class StolenShare:
    """Share of the window that the hypervisor took."""

    share: float  # of the time of all processors
    fairness: Fairness | None  # None: nothing was taken from anybody of the table


@dataclass(frozen=True)
class ContradictedOperation:
    """One operation that the wire does not bear out, and the request that speaks against it."""

    start_ns: int
    end_ns: int
    is_early: bool = False  # the request had departed before the operation started
    connection: int | None = None  # None: there is no request
    request: int | None = None
    departed_ns: int | None = None
    arrived_ns: int | None = None  # the whole answer; None: never


@dataclass(frozen=True)
class WireFacts:
    """Good operations of one kind, by what the witness of the wire says of them."""

    seen: int = 0
    absent: int = 0  # no request within their stamps
    unanswered: int = 0  # no full answer within them
    early: int = 0  # a request that had departed before
    unseen: int = 0  # it cannot speak of their time
    unfollowed: int = 0  # of those: a connection's messages made no sense, and none was lost
    drowned: int = 0  # of those: there was more traffic than a witness has room for, for nothing
    encrypted: bool = False
    size: int = 0  # bytes of the messages of those that were seen
    packets: int = 0  # that carried them
    connections: int = 0  # the most over which they were under way at the same time
    carried: int = 0  # the most of one connection, where every user has one of its own
    of_one: int = 0  # the most of one user, likewise
    held_up: float | None = None  # share of their time, by a generator; None: not known
    astray: tuple[ContradictedOperation, ...] = ()  # the first of them

    @property
    def is_complete(self) -> bool:
        """Whether it saw all but one in a hundred."""
        return self.seen >= 0.99 * (self.spoken_of + self.unseen)

    @property
    def spoken_of(self) -> int:
        """Operations that it can speak of."""
        return self.seen + self.absent + self.unanswered + self.early


@dataclass(frozen=True)
class TrialFacts:
    """One included trial that went well."""

    record: TrialRecord
    operations: Mapping[str, OperationFacts]
    clock: ClockFacts
    roles: Mapping[str, RoleFacts]
    window_seconds: float
    heap_max_mb: float | None = None
    heap_kind: str = ""
    loops: Mapping[str, LoopFacts] = field(default_factory=dict)
    resolved: bool = True  # the window is long enough for the monitor
    unseen_seconds: float | None = None  # of the window, without the monitor; None: it is covered
    loopback_bytes: int | None = None  # received by the host around the window; None: not known
    left_out: float = 0.0  # share of the window that others disturbed: nothing has a duration there
    recoveries_ms: tuple[float, ...] = ()  # from when others had run until it was quiet again
    attracts: bool = False  # others ran oftener while something slow of the contender was under way
    deviating: Mapping[str, Mapping[str, DeviatingThreads]] = field(default_factory=dict)
    """By role, and by how: raised, lowered, elsewhere, narrowed."""
    wire: Mapping[str, WireFacts] = field(default_factory=dict)  # by operation; empty: not looked
    ledger: Mapping[str, LedgerEntry] = field(default_factory=dict)  # by operation, of the step
    while_down: Mapping[str, int] = field(default_factory=dict)
    """By operation: good ones while a fault held down the role that answers it."""
    between: BetweenFacts | None = None  # None: nothing is to be said of it
    busy: BusyBlocks | None = None  # of a contender at ticks; None: no such load, or too short
    stolen: StolenShare | None = None  # None: the host was not recorded, or it censors no load

    @property
    def id(self) -> str:
        """Identifier of the trial."""
        return self.record.planned.id


@dataclass(frozen=True, order=True)
class PlacedMean:
    """A trial's place in the order of the run, and its mean over that of its cell."""

    place: int
    cell: str
    mean: float


@dataclass(frozen=True)
class RunFacts:
    """Facts that gates know beyond their cell."""

    cpus: int | None  # processors of the host
    canary_ns: float | None  # median of the canary over all trials of the run
    fastest_canary_ns: float | None = None  # on such machines; None: stored before it was known
    placed_means: Mapping[str, tuple[PlacedMean, ...]] = field(default_factory=dict)
    """By scenario, in the order of the run."""
    lost: Mapping[str, LostTrials] = field(default_factory=dict)
    """By contender: trials that the host took."""


@dataclass(frozen=True)
class CeilingFacts:
    """The ceiling that a cell is compared with."""

    metric: str
    reached: float | None  # by a reference contender; None: not measured in this run


@dataclass(frozen=True)
class CellFacts:
    """One cell, as its gates see it."""

    scenario_name: str
    scenario: Scenario
    planned: tuple[PlannedTrial, ...]  # all, also those that are not included
    records: Mapping[str, TrialRecord]  # of those that ended, by trial
    trials: tuple[TrialFacts, ...]  # included and ok
    metrics: Mapping[str, Metric]
    run: RunFacts
    generator: str = ""
    searches: tuple[Search, ...] = ()
    """For a capacity; the trials are their probes."""
    ceiling: CeilingFacts | None = None
    made_up_for: frozenset[str] = frozenset()
    """Trials lost to the host in whose place others are."""
    null_delay: float = 0.0
    """Share of quiet time that the generator waited for a processor beside a reference at the same
    load: that is not for want of processors."""
    floors: Mapping[str, float] = field(default_factory=dict)
    """By operation: ns of an iteration in the fastest batch of the reference it cannot beat."""
    language: str = ""
    """The contender's: harnesses take longer in some than in others."""
    library: LibraryInfo | None = None
    """The library under test, as its manifest names it."""
    packages: tuple[Dependency, ...] = ()
    """Packages that were built for it; empty where nothing was."""
    waits_for_disk: bool = False
    """Its operations end when the disk has what they brought."""

    @property
    def main_operation(self) -> str:
        """The operation whose variation decides over reruns."""
        return main_operation(self.scenario, self.planned[0].operations)


def main_operation(scenario: Scenario, operations: list[str]) -> str:
    """The scenario's ``cv_operation``; the first one used where it names none."""
    return scenario.bounds.cv_operation or operations[0]
