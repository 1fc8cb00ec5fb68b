"""Lanes of one event loop: closed loops, with or without rounds, and open ones."""

from __future__ import annotations

import asyncio
import time

from wirelab_sdk.lane_schedule import (
    LaneTurn,
    due_turns,
    last_intended,
    most_lanes,
    steps_of,
    turns_of,
)
from wirelab_sdk.lane_work import AsyncWork, Ended, InRounds, LaneRecords, StepClock, never
from wirelab_sdk.spec import Operation, Step
from wirelab_sdk.ticker import Ticker
from wirelab_sdk.worker import Worker


class AsyncLanes:
    """Drives `AsyncWork` as the schedule of the spec says.

    ``in_rounds`` says of a step of a closed loop whether its lanes begin each tick together, when
    all have ended the one before. In an open loop a lane performs one call after the other: a tick
    that is due meanwhile is late, which its intended time shows.
    """

    def __init__(
        self,
        worker: Worker,
        work: AsyncWork,
        operation: Operation,
        in_rounds: InRounds = never,
    ) -> None:
        self._worker = worker
        self._work = work
        self._operation = operation
        self._in_rounds = in_rounds
        self._records = LaneRecords(worker, work, operation, threads=False)
        self._limit_s = worker.spec.limits.operation_ns / 1e9

    async def preflight(self) -> None:
        """Perform what is verified before timing, as lane 0 of the first step.

        Raises what the library raises, TimeoutError at the limit, ValueError for a wrong answer.
        """
        step = steps_of(self._worker.spec.schedule)[0]
        self._work.begin(step)
        for tick in range(self._worker.spec.verify.preflight.get(self._operation.name, 0)):
            turn = LaneTurn("preflight", tick, 0, step)
            prepared = self._work.prepare(turn)
            start_ns = time.monotonic_ns()
            async with asyncio.timeout(self._limit_s):
                result = await self._work.call(prepared)
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
        try:
            await (self._closed() if schedule.is_closed else self._open(start_ns))
        finally:
            self._records.write_answers()

    # ------------------------------------------------------------------ closed
    async def _closed(self) -> None:
        for step in self._worker.spec.schedule.steps:
            if self._worker.stopping:
                return
            self._work.begin(step)
            clock = StepClock(self._worker, self._records, step)
            perform = self._rounds if self._in_rounds(step) else self._lanes
            await perform(step, step.settling, clock)
            clock.begin()
            await perform(step, step.counting, clock)
            clock.end()

    async def _rounds(self, step: Step, ticks: range, clock: StepClock) -> None:
        for tick in ticks:
            if clock.is_over:
                return
            turns = (LaneTurn("measure", tick, lane, step) for lane in range(step.lanes))
            if self._operation.due(tick):
                await asyncio.gather(*(self._perform(turn) for turn in turns))
                self._records.write_answers()

    async def _lanes(self, step: Step, ticks: range, clock: StepClock) -> None:
        await asyncio.gather(*(self._lane(lane, step, ticks, clock) for lane in range(step.lanes)))
        self._records.write_answers()

    async def _lane(self, lane: int, step: Step, ticks: range, clock: StepClock) -> None:
        for turn in turns_of(ticks, lane, step, self._operation):
            if clock.is_over:
                return
            await self._perform(turn)

    # -------------------------------------------------------------------- open
    async def _open(self, start_ns: int) -> None:
        schedule = self._worker.spec.schedule
        end_ns = start_ns + last_intended(schedule) + self._worker.spec.limits.operation_ns
        # A timer for each: one alone is armed for one time.
        tickers = [Ticker() for _ in range(most_lanes(schedule))]
        releasing = asyncio.create_task(self._release(tickers))
        try:
            lanes = (self._due(lane, t, start_ns, end_ns) for lane, t in enumerate(tickers))
            await asyncio.gather(*lanes)
        finally:
            releasing.cancel()
            for ticker in tickers:
                ticker.close()

    async def _release(self, tickers: list[Ticker]) -> None:
        await self._worker.stopped()
        for ticker in tickers:
            ticker.release()

    async def _due(self, lane: int, ticker: Ticker, start_ns: int, end_ns: int) -> None:
        for after_ns, turn in due_turns(self._worker.spec.schedule, lane, self._operation):
            intended_ns = start_ns + after_ns
            if not await ticker.until(intended_ns):
                return
            now_ns = time.monotonic_ns()
            if now_ns < end_ns:
                await self._perform(turn, intended_ns, (end_ns - now_ns) / 1e9)
            else:
                self._records.keep(Ended(turn, intended_ns, now_ns, now_ns, given_up=True))

    # -------------------------------------------------------------------- call
    async def _perform(
        self, turn: LaneTurn, intended_ns: int | None = None, within_s: float = float("inf")
    ) -> None:
        """One call, recorded; at the limit or when this worker is told to leave it is given up."""
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
        due_ns = start_ns if intended_ns is None else intended_ns
        self._records.keep(Ended(turn, due_ns, start_ns, end_ns, result, error, given_up))
        if _is_cancelled():
            raise asyncio.CancelledError


def _is_cancelled() -> bool:
    """Whether we are told to end, which is not a library that cancels its own request."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
