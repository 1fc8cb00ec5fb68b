"""Lanes that are threads, for libraries that block: closed loops and open ones."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor

from wirelab_sdk.lane_schedule import (
    LaneTurn,
    due_turns,
    last_intended,
    most_lanes,
    steps_of,
    turns_of,
)
from wirelab_sdk.lane_work import BlockingWork, Ended, InRounds, LaneRecords, StepClock, never
from wirelab_sdk.spec import Operation, Step
from wirelab_sdk.worker import Worker

_LEAVING_S = 0.3
"""Share of the time that ``stop`` allows which calls under way may still take, in seconds."""


class ThreadedLanes:
    """Drives `BlockingWork`, a thread a lane; see `AsyncLanes` for what the loops mean.

    The event loop keeps the main thread, where it hears ``stop``. Calls that are still under way
    then are recorded as given up, and their threads end with the process.
    """

    def __init__(
        self,
        worker: Worker,
        work: BlockingWork,
        operation: Operation,
        in_rounds: InRounds = never,
    ) -> None:
        self._worker = worker
        self._work = work
        self._operation = operation
        self._in_rounds = in_rounds
        self._records = LaneRecords(worker, work, operation, threads=True)
        self._threads = ThreadPoolExecutor(most_lanes(worker.spec.schedule), "lane")
        self._stop = threading.Event()
        self._under_way: dict[int, Ended] = {}

    async def preflight(self) -> None:
        """As `AsyncLanes.preflight`; the limit is the library's own."""
        step = steps_of(self._worker.spec.schedule)[0]
        self._work.begin(step)
        for tick in range(self._worker.spec.verify.preflight.get(self._operation.name, 0)):
            turn = LaneTurn("preflight", tick, 0, step)
            prepared = self._work.prepare(turn)
            start_ns = time.monotonic_ns()
            result = await asyncio.to_thread(self._work.call, prepared)
            self._records.preflight(turn, start_ns, time.monotonic_ns(), result)

    async def run(self) -> None:
        """Wait for ``start`` and carry out the schedule, or what there is of it until ``stop``."""
        schedule = self._worker.spec.schedule
        if not schedule.is_closed:
            for step in steps_of(schedule):
                self._work.begin(step)
        start_ns = await self._worker.started()
        if start_ns is None:
            return
        driving = asyncio.ensure_future(
            self._closed() if schedule.is_closed else self._open(start_ns)
        )
        stopped = asyncio.ensure_future(self._worker.stopped())
        try:
            await asyncio.wait({driving, stopped}, return_when=asyncio.FIRST_COMPLETED)
            self._stop.set()
            leaving_s = self._worker.spec.limits.stop_ns / 1e9 * _LEAVING_S
            await asyncio.wait({driving}, timeout=leaving_s)
        finally:
            stopped.cancel()
            self._leave()
        if driving.done():
            driving.result()

    def _leave(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        now_ns = time.monotonic_ns()
        for lane in list(self._under_way):
            if (begun := self._under_way.pop(lane, None)) is not None:
                self._records.keep(begun._replace(end_ns=now_ns, given_up=True))

    async def _all(self, lanes: Iterable[Callable[[], None]]) -> None:
        loop = asyncio.get_running_loop()
        await asyncio.gather(*(loop.run_in_executor(self._threads, lane) for lane in lanes))

    # ------------------------------------------------------------------ closed
    async def _closed(self) -> None:
        for step in self._worker.spec.schedule.steps:
            if self._worker.stopping:
                return
            self._work.begin(step)
            clock = StepClock(self._worker, self._records, step)
            await self._perform_ticks(step, step.settling, clock)
            clock.begin()
            await self._perform_ticks(step, step.counting, clock)
            clock.end()

    async def _perform_ticks(self, step: Step, ticks: range, clock: StepClock) -> None:
        if self._in_rounds(step):
            rounds = _Rounds(step.lanes, clock)
            await self._all(self._round(n, step, ticks, rounds) for n in range(step.lanes))
        else:
            await self._all(self._lane(n, step, ticks, clock) for n in range(step.lanes))

    def _lane(self, lane: int, step: Step, ticks: range, clock: StepClock) -> Callable[[], None]:
        def live() -> None:
            for turn in turns_of(ticks, lane, step, self._operation):
                if clock.is_over:
                    return
                self._perform(turn)

        return live

    def _round(self, lane: int, step: Step, ticks: range, rounds: _Rounds) -> Callable[[], None]:
        def live() -> None:
            with rounds.taking_part():
                for turn in turns_of(ticks, lane, step, self._operation):
                    if not rounds.next():
                        return
                    self._perform(turn)

        return live

    # -------------------------------------------------------------------- open
    async def _open(self, start_ns: int) -> None:
        lanes = range(most_lanes(self._worker.spec.schedule))
        await self._all(self._due(lane, start_ns) for lane in lanes)

    def _due(self, lane: int, start_ns: int) -> Callable[[], None]:
        spec = self._worker.spec
        steps = steps_of(spec.schedule)
        end_ns = start_ns + last_intended(spec.schedule) + spec.limits.operation_ns

        def live() -> None:
            for turn in due_turns(spec.schedule, steps, start_ns, lane, self._operation):
                if not self._until(self._records.lets_go_ns(turn)):
                    return
                self._records.begin(lane)
                if not self._until(turn.due_ns or 0):
                    return
                now_ns = time.monotonic_ns()
                if now_ns < end_ns:
                    self._perform(turn)
                else:
                    self._records.keep(Ended(turn, now_ns, now_ns, given_up=True))

        return live

    def _until(self, at_ns: int) -> bool:
        """Wait for a time; False when told to stop."""
        return not self._stop.wait(max(0, at_ns - time.monotonic_ns()) / 1e9)

    # -------------------------------------------------------------------- call
    def _perform(self, turn: LaneTurn) -> None:
        self._records.begin(turn.lane)
        prepared = self._work.prepare(turn)
        result, error = None, None
        now_ns = time.monotonic_ns()
        self._under_way[turn.lane] = Ended(turn, now_ns, now_ns)
        start_ns = time.monotonic_ns()
        try:
            result = self._work.call(prepared)
        except Exception as raised:
            error = raised
        end_ns = time.monotonic_ns()
        # Whoever takes it out records it: this thread, or the one that has given it up.
        if self._under_way.pop(turn.lane, None) is not None:
            self._records.keep(Ended(turn, start_ns, end_ns, result, error))


class _Rounds:
    """Lets the lanes of a step begin each tick together."""

    def __init__(self, lanes: int, clock: StepClock) -> None:
        self._clock = clock
        self._go_on = True
        self._barrier = threading.Barrier(lanes, self._between)

    def _between(self) -> None:
        """Wait between rounds of one lane for all others: whether they go on must be the same for
        all.
        """
        self._go_on = not self._clock.is_over

    def next(self) -> bool:
        """Wait for the others; False when there is no next tick."""
        try:
            self._barrier.wait()
        except threading.BrokenBarrierError:
            return False
        return self._go_on

    @contextlib.contextmanager
    def taking_part(self) -> Iterator[None]:
        """A lane that fails lets the others go."""
        try:
            yield
        except BaseException:
            self._barrier.abort()
            raise
