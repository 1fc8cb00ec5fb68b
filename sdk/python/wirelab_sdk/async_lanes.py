"""Lanes of one event loop: closed loops, with or without rounds, and open ones."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable

from wirelab_sdk.lane_schedule import (
    JOINING,
    LaneTurn,
    due_turns,
    join_of,
    last_intended,
    steps_of,
    turns_of,
)
from wirelab_sdk.lane_work import (
    Arrivals,
    AsyncWork,
    Ended,
    InRounds,
    LaneRecords,
    StepClock,
    never,
)
from wirelab_sdk.spec import Operation, Step
from wirelab_sdk.ticker import Ticker
from wirelab_sdk.worker import Worker

Joining = Callable[[int], Awaitable[None]]
"""Connects the user of that number; raises what the library raises."""

_POLL_S = 0.001


class AsyncLanes:
    """Drives `AsyncWork` as the schedule of the spec says.

    ``in_rounds`` says of a step of a closed loop whether its lanes begin each tick together, when
    all have ended the one before. In an open loop a lane performs one call after the other: a tick
    that is due meanwhile is late, which its intended time shows. ``joining`` is there where every
    user connects for itself, ``arrivals`` where calls bring something to others. ``steps``
    are taken in place of those of the schedule.
    """

    def __init__(
        self,
        worker: Worker,
        work: AsyncWork,
        operation: Operation,
        in_rounds: InRounds = never,
        *,
        joining: Joining | None = None,
        arrivals: Arrivals | None = None,
        steps: tuple[Step, ...] = (),
    ) -> None:
        self._worker = worker
        self._work = work
        self._operation = operation
        self._in_rounds = in_rounds
        self._joining = joining
        self._arrivals = arrivals
        self._steps = steps or steps_of(worker.spec.schedule)
        joins = (each for each in worker.spec.operations.values() if each.when == "join")
        self._joins = next(joins, None)
        self._records = LaneRecords(worker, work, operation, threads=False)
        self._limit_s = worker.spec.limits.operation_ns / 1e9

    async def preflight(self) -> None:
        """Perform what is verified before timing, as lane 0 of the first step.

        Raises what the library raises, TimeoutError at the limit, ValueError for a wrong answer.
        """
        step = self._steps[0]
        self._work.begin(step)
        for tick in range(self._worker.spec.verify.preflight.get(self._operation.name, 0)):
            turn = LaneTurn("preflight", tick, 0, step)
            prepared = self._work.prepare(turn)
            start_ns = time.monotonic_ns()
            async with asyncio.timeout(self._limit_s):
                result = await self._work.call(prepared)
            self._records.preflight(turn, start_ns, time.monotonic_ns(), result)

    async def run(self, begun: Callable[[int], None] = lambda _start_ns: None) -> None:
        """Wait for ``start`` and carry out the schedule, or what there is of it until ``stop``.

        ``begun`` is called at tick 0, with its time on CLOCK_MONOTONIC.
        """
        schedule = self._worker.spec.schedule
        if not schedule.is_closed:
            for step in self._steps:
                self._work.begin(step)
        start_ns = await self._worker.started()
        if start_ns is None:
            return
        begun(start_ns)
        await (self._closed() if schedule.is_closed else self._open(start_ns))

    # ------------------------------------------------------------------ closed
    async def _closed(self) -> None:
        users = 0
        for step in self._steps:
            for user in range(users, step.users):
                await self._join(LaneTurn("measure", JOINING, user, step))
            users = max(users, step.users)
            if self._worker.stopping:
                return
            self._work.begin(step)
            clock = StepClock(self._worker, self._records, step, self._arrivals)
            await self._perform_phase(step, step.settling, clock, counts=False)
            clock.begin()
            await self._perform_phase(step, step.counting, clock, counts=True)
            clock.end()

    async def _perform_phase(
        self, step: Step, ticks: range, clock: StepClock, *, counts: bool
    ) -> None:
        """Perform ticks of a step on all of its lanes, and wait for what they bring to others."""
        if self._arrivals is not None:
            self._arrivals.begin(step, counts=counts)
        perform = self._rounds if self._in_rounds(step) else self._lanes
        await perform(step, ticks, clock)
        await self._arrived(clock.deadline_ns)

    async def _arrived(self, deadline_ns: int) -> None:
        """Wait for what calls were to bring, until the deadline or so long after the last of it."""
        limit_ns = self._worker.spec.limits.operation_ns
        while self._is_awaited() and not self._worker.stopping:
            now_ns = time.monotonic_ns()
            if self._arrivals is None or now_ns > min(
                deadline_ns, self._arrivals.last_ns + limit_ns
            ):
                return
            await asyncio.sleep(_POLL_S)

    def _is_awaited(self) -> bool:
        return self._arrivals is not None and not self._arrivals.complete

    async def _rounds(self, step: Step, ticks: range, clock: StepClock) -> None:
        for tick in ticks:
            if clock.is_over:
                return
            turns = (LaneTurn("measure", tick, lane, step) for lane in range(step.lanes))
            if self._operation.due(tick):
                await asyncio.gather(*(self._perform(turn) for turn in turns))

    async def _lanes(self, step: Step, ticks: range, clock: StepClock) -> None:
        lanes = [self._lane(lane, step, ticks, clock) for lane in range(step.lanes)]
        if len(lanes) == 1:
            await lanes[0]  # a task of its own would only add its switches
        else:
            await asyncio.gather(*lanes)

    async def _lane(self, lane: int, step: Step, ticks: range, clock: StepClock) -> None:
        for turn in turns_of(ticks, lane, step, self._operation):
            if clock.is_over:
                return
            await self._perform(turn)
            if self._is_awaited():
                # A library that only takes a message over never lets anybody else run.
                await asyncio.sleep(0)

    # -------------------------------------------------------------------- open
    async def _open(self, start_ns: int) -> None:
        schedule = self._worker.spec.schedule
        end_ns = start_ns + last_intended(schedule) + self._worker.spec.limits.operation_ns
        ticker = Ticker()
        releasing = asyncio.create_task(self._release(ticker))
        most = max(max(step.lanes, step.users) for step in self._steps)
        try:
            lanes = (self._live(lane, ticker, start_ns, end_ns) for lane in range(most))
            await asyncio.gather(*lanes)
            await self._arrived(end_ns)
        finally:
            releasing.cancel()
            ticker.close()

    async def _release(self, ticker: Ticker) -> None:
        await self._worker.stopped()
        ticker.release()

    async def _live(self, lane: int, ticker: Ticker, start_ns: int, end_ns: int) -> None:
        """From joining to the last tick of one user."""
        schedule = self._worker.spec.schedule
        joining = join_of(schedule, self._steps, start_ns, lane)
        if self._joining is not None and joining is not None:
            if not await ticker.until(joining.due_ns or 0):
                return
            await self._join(joining)
        for turn in due_turns(schedule, self._steps, start_ns, lane, self._operation):
            if not await ticker.until(self._records.lets_go_ns(turn)):
                return
            self._records.begin(lane)
            if not await ticker.until(turn.due_ns or 0):
                return
            now_ns = time.monotonic_ns()
            if now_ns < end_ns:
                await self._perform(turn, (end_ns - now_ns) / 1e9)
            else:
                self._records.keep(Ended(turn, now_ns, now_ns, given_up=True))

    # -------------------------------------------------------------------- call
    async def _perform(self, turn: LaneTurn, within_s: float = float("inf")) -> None:
        """One call, recorded; at the limit or when this worker is told to leave it is given up."""
        self._records.begin(turn.lane)
        prepared = self._work.prepare(turn)
        result, error, given_up = None, None, False
        limit = asyncio.timeout(min(self._limit_s, within_s))
        start_ns = time.monotonic_ns()
        try:
            async with limit:
                start_ns = time.monotonic_ns()
                result = await self._work.call(prepared)
                end_ns = time.monotonic_ns()
        except (Exception, asyncio.CancelledError) as raised:
            end_ns = time.monotonic_ns()
            given_up = limit.expired() or _is_cancelled()
            error = raised
        self._records.keep(Ended(turn, start_ns, end_ns, result, error, given_up))
        if _is_cancelled():
            raise asyncio.CancelledError

    async def _join(self, turn: LaneTurn) -> None:
        """Connect a user; recorded where that is an operation."""
        if self._joining is None or self._worker.stopping:
            return
        error, given_up = None, False
        limit = asyncio.timeout(self._limit_s)
        start_ns = time.monotonic_ns()
        try:
            async with limit:
                await self._joining(turn.lane)
        except (Exception, asyncio.CancelledError) as raised:
            given_up = limit.expired() or _is_cancelled()
            error = raised
        ended = Ended(turn, start_ns, time.monotonic_ns(), None, error, given_up)
        self._records.keep_join(ended, self._joins)
        if _is_cancelled():
            raise asyncio.CancelledError


def _is_cancelled() -> bool:
    """Whether we are told to end, which is not a library that cancels its own request."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
