"""Work of lanes, in four parts of which one is timed, and its recording."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from wirelab_sdk.asked import KeptResult
from wirelab_sdk.calls import Failure, Outcome
from wirelab_sdk.lane_schedule import LaneTurn
from wirelab_sdk.spec import Operation, Step
from wirelab_sdk.status import Status
from wirelab_sdk.worker import LET_GO_SHARE, Worker

InRounds = Callable[[Step], bool]


def never(_step: Step) -> bool:
    """No step goes in rounds."""
    return False


class LaneWork(Protocol):
    """The part of a lane's work that is the same whether calls are awaited or block."""

    def begin(self, step: Step) -> None:
        """Get ready for a step. In a closed loop nothing is under way; in an open one all steps
        are announced before the first tick."""

    def prepare(self, turn: LaneTurn) -> Any:
        """Prepare the call's argument; before the clock is read."""

    def judge(self, turn: LaneTurn, result: Any) -> Outcome:
        """Status and size of what a call returned; after the clock was read."""

    def explain(self, error: BaseException) -> Failure:
        """An exception of the call in the words of its library."""


class AsyncWork(LaneWork, Protocol):
    """Lanes that are tasks of one event loop."""

    async def call(self, prepared: Any) -> Any:
        """The timed part."""


class BlockingWork(LaneWork, Protocol):
    """Lanes that are threads. All four parts may be entered by several threads at a time."""

    def call(self, prepared: Any) -> Any:
        """The timed part. It must end by itself: a thread cannot be given up."""


class Arrivals(Protocol):
    """Deliveries that calls bring to other users after they have ended."""

    def begin(self, step: Step, *, counts: bool) -> None:
        """Begin a phase of a step of a closed loop: settling, or what ``counts``. What the phase
        before was to bring has come, or is given up."""

    @property
    def complete(self) -> bool:
        """Whether everything has come that the calls so far were to bring."""

    @property
    def last_ns(self) -> int:
        """The arrival of the phase's last one, or else the phase's begin, on CLOCK_MONOTONIC."""

    def completed_ns(self, user: int) -> int | None:
        """The time at which ``user`` had got everything of the phase; None: it has not."""


class Ended(NamedTuple):
    """A call that has ended, or was given up: then it has neither a result nor an error."""

    turn: LaneTurn
    start_ns: int
    end_ns: int
    result: Any = None
    error: BaseException | None = None
    given_up: bool = False

    @property
    def intended_ns(self) -> int:
        """The time at which it was due: in a closed loop, when it started."""
        return self.start_ns if self.turn.due_ns is None else self.turn.due_ns


class LaneRecords:
    """Records what lanes performed, and keeps their results for who asks; for several threads."""

    def __init__(
        self, worker: Worker, work: LaneWork, operation: Operation, *, threads: bool
    ) -> None:
        self._worker = worker
        self._work = work
        self._operation = operation
        self._loop = asyncio.get_running_loop() if threads else None
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        """A lock of the file, taken before the other, so that nobody else waits for the disk."""
        worker.recorder.waits = threads
        if threads:
            # In a single thread the recorder's own way will do, which keeps its buffer.
            worker.answers.published = self._publish
        self.last_ns = 0

    def _publish(self) -> int:
        with self._writing:
            return self._write()

    def _write(self) -> int:
        recorder = self._worker.recorder
        with self._lock:
            taken, count = recorder.taken(), recorder.count
        recorder.write(taken)
        return count

    def _record(self, end_ns: int, *record: int) -> None:
        recorder = self._worker.recorder
        with self._lock:
            recorder.record(*record)
            self.last_ns = max(self.last_ns, end_ns)
            is_full = recorder.is_full
        # While somebody writes, what is recorded waits in memory.
        if is_full and self._writing.acquire(blocking=False):
            try:
                self._write()
            finally:
                self._writing.release()

    def begin(self, lane: int) -> None:
        """Let go of what is kept of a lane, which begins its next call."""
        self._worker.asked.begin(lane)

    def lets_go_ns(self, turn: LaneTurn) -> int:
        """The time to let go before a turn that is due, so that freeing is in nobody's time."""
        period_ns = self._worker.spec.schedule.period_ns
        return (turn.due_ns or 0) - period_ns // LET_GO_SHARE

    def keep(self, ended: Ended) -> None:
        """Record a call of phase ``measure``, and keep its result until the lane's next one."""
        status, size, outcome = self._judged(ended)
        turn = ended.turn
        times = (ended.intended_ns, ended.start_ns, ended.end_ns)
        self._record(ended.end_ns, *times, self._operation.code, status, size, turn.lane)
        answer = None if outcome is None else outcome.answer
        result = KeptResult(turn.tick, ended.start_ns, ended.end_ns, answer)
        self._worker.asked.end(turn.lane, {self._operation.name: result})

    def keep_join(self, ended: Ended, operation: Operation | None) -> None:
        """Record that a user connected, or did not; without an operation a failure is only said."""
        failed = self._failure(ended)
        if failed is not None:
            self._tell(failed, ended, "connect" if operation is None else operation.name)
        if operation is not None:
            status = Status.OK if failed is None else failed.status
            times = (ended.intended_ns, ended.start_ns, ended.end_ns)
            self._record(ended.end_ns, *times, operation.code, status, 0, ended.turn.lane)

    def _failure(self, ended: Ended) -> Failure | None:
        """The reason why a call failed, in words; None where it returned."""
        if ended.given_up:
            waited_s = (ended.end_ns - ended.start_ns) / 1e9
            said = f"no end after {waited_s:.3f} s" if waited_s else "not begun when time was up"
            return Failure(Status.TIMEOUT, "GivenUp", "", said)
        if ended.error is None:
            return None
        failed = self._work.explain(ended.error)
        # Whatever a library calls it: it has raised something, and returned nothing.
        return failed._replace(status=failed.status or Status.ERROR)

    def _judged(self, ended: Ended) -> tuple[int, int, Outcome | None]:
        """Status, size, and the outcome of a call that has an answer."""
        if (failed := self._failure(ended)) is not None:
            self._tell(failed, ended, self._operation.name)
            return failed.status, 0, None
        outcome = self._work.judge(ended.turn, ended.result)
        if outcome.status != Status.OK:
            status = Status(outcome.status)
            wrong = Failure(status, status.name, "", "the worker's own check failed")
            self._tell(wrong, ended, self._operation.name)
            return outcome.status, outcome.size, None
        return outcome.status, outcome.size, outcome

    def _tell(self, words: Failure, ended: Ended, operation: str) -> None:
        def say() -> None:
            self._worker.error(
                *(words.class_name, words.status_name, words.message),
                operation=operation,
                intended_ns=ended.intended_ns,
            )

        # Lines of two threads could end up in one another.
        if self._loop is None:
            say()
        else:
            self._loop.call_soon_threadsafe(say)

    def preflight(self, turn: LaneTurn, start_ns: int, end_ns: int, result: Any) -> None:
        """Write the answer of a call before the measurement; ValueError when it is wrong."""
        outcome = self._work.judge(turn, result)
        if outcome.status != Status.OK:
            raise ValueError(f"preflight {turn.tick} has a wrong answer: {outcome.answer()}")
        self._worker.answers.write(
            phase=turn.phase,
            operation=self._operation.name,
            tick=turn.tick,
            start_ns=start_ns,
            end_ns=end_ns,
            answer=outcome.answer(),
        )


class StepClock:
    """Times at which a step of a closed loop begins, must end and has ended, on CLOCK_MONOTONIC."""

    def __init__(
        self, worker: Worker, records: LaneRecords, step: Step, arrivals: Arrivals | None = None
    ) -> None:
        self._worker, self._records, self._step = worker, records, step
        self._arrivals = arrivals
        self._begin_ns = 0
        self.deadline_ns = self._latest(step.settling)
        """The latest end of its present phase: settling, then what counts."""

    def _latest(self, ticks: range) -> int:
        schedule, limits = self._worker.spec.schedule, self._worker.spec.limits
        return time.monotonic_ns() + len(ticks) * schedule.period_ns + limits.operation_ns

    def begin(self) -> None:
        """All lanes have settled."""
        self._begin_ns = time.monotonic_ns()
        self.deadline_ns = self._latest(self._step.counting)

    @property
    def is_over(self) -> bool:
        """Whether the step was told to stop, or has taken longer than the contract allows."""
        return self._worker.stopping or time.monotonic_ns() > self.deadline_ns

    def end(self) -> None:
        """Say that the step has ended; one that was stopped has not."""
        if self._worker.stopping:
            return
        end_ns = max(self._begin_ns + 1, self._records.last_ns)
        if self._arrivals is not None:
            end_ns = max(end_ns, self._arrivals.last_ns)
            self._record_receipts(self._arrivals, end_ns)
        self._worker.step(self._step.name, self._begin_ns, end_ns)

    def _record_receipts(self, arrivals: Arrivals, end_ns: int) -> None:
        """Record the operations that every user has once a step."""
        for operation in self._worker.spec.operations.values():
            for user in range(self._step.users if operation.when == "step" else 0):
                done_ns = arrivals.completed_ns(user)
                status = Status.TIMEOUT if done_ns is None else Status.OK
                times = (self._begin_ns, self._begin_ns, end_ns if done_ns is None else done_ns)
                self._worker.recorder.record(*times, operation.code, status, 0, user)
