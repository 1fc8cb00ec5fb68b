"""Lanes of one event loop: closed loops, with or without rounds, and open ones."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any

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
_SLACK_S = 0.1
"""A library has this long to notice that its call was given up."""

_Life = Callable[[], Coroutine[Any, Any, None]]


@dataclass(slots=True, eq=False)
class _UnderWay:
    """A call that has not ended, on a task of its lane."""

    turn: LaneTurn
    keep: Callable[[Ended], None]
    task: asyncio.Task[Any] | None
    start_ns: int = 0
    given_up: bool = False


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
        self._under_way: dict[int, _UnderWay] = {}
        """By lane."""
        self._hung: dict[int, asyncio.Future[None]] = {}
        """By lane that is lived on a task of its own: a call of it was given up."""

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
                await self._together([self._join(LaneTurn("measure", JOINING, user, step))])
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
                await self._together([self._perform(turn) for turn in turns])

    async def _lanes(self, step: Step, ticks: range, clock: StepClock) -> None:
        lanes = (self._lane(lane, step, ticks, clock) for lane in range(step.lanes))
        await asyncio.gather(*(self._lived(lane, life) for lane, life in enumerate(lanes)))

    def _lane(self, lane: int, step: Step, ticks: range, clock: StepClock) -> _Life:
        turns = iter(turns_of(ticks, lane, step, self._operation))

        async def life() -> None:
            for turn in turns:
                if clock.is_over or not await self._perform(turn):
                    return
                if self._is_awaited():
                    # A library that only takes a message over never lets anybody else run.
                    await asyncio.sleep(0)

        return life

    # -------------------------------------------------------------------- open
    async def _open(self, start_ns: int) -> None:
        schedule = self._worker.spec.schedule
        end_ns = start_ns + last_intended(schedule) + self._worker.spec.limits.operation_ns
        ticker = Ticker()
        releasing = asyncio.create_task(self._release(ticker))
        most = max(max(step.lanes, step.users) for step in self._steps)
        try:
            lanes = (self._live(lane, ticker, start_ns, end_ns) for lane in range(most))
            await asyncio.gather(*(self._lived(lane, life) for lane, life in enumerate(lanes)))
            await self._arrived(end_ns)
        finally:
            releasing.cancel()
            ticker.close()

    async def _release(self, ticker: Ticker) -> None:
        await self._worker.stopped()
        ticker.release()

    def _live(self, lane: int, ticker: Ticker, start_ns: int, end_ns: int) -> _Life:
        """From joining to the last tick of one user."""
        schedule = self._worker.spec.schedule
        joining = None if self._joining is None else join_of(schedule, self._steps, start_ns, lane)
        joins = iter(() if joining is None else (joining,))
        turns = iter(due_turns(schedule, self._steps, start_ns, lane, self._operation))

        async def life() -> None:
            for turn in joins:
                if not await ticker.until(turn.due_ns or 0) or not await self._join(turn):
                    return
            for turn in turns:
                if not await ticker.until(self._records.lets_go_ns(turn)):
                    return
                self._records.begin(lane)
                if not await ticker.until(turn.due_ns or 0):
                    return
                now_ns = time.monotonic_ns()
                if now_ns >= end_ns:
                    self._records.keep(Ended(turn, now_ns, now_ns, given_up=True))
                elif not await self._perform(turn, (end_ns - now_ns) / 1e9):
                    return

        return life

    # -------------------------------------------------------------------- lane
    async def _lived(self, lane: int, life: _Life) -> None:
        """Live a lane to its end. What comes after a call that was given up is another task's: a
        library that swallows its cancellation must hold neither the lane nor us.
        """
        is_hung = True
        while is_hung:
            hung = self._hung[lane] = asyncio.get_running_loop().create_future()
            task = asyncio.create_task(life())
            await self._ended({task}, hung)
            is_hung = hung.done()
            if is_hung:
                await asyncio.wait({task}, timeout=_SLACK_S)
            else:
                task.result()

    async def _together(self, calls: list[Coroutine[Any, Any, bool]]) -> None:
        """Make calls at the same time, and wait for their ends or their limit."""
        tasks = {asyncio.create_task(call) for call in calls}
        await self._ended(tasks, timeout=self._limit_s + _SLACK_S)
        for task in tasks:
            if task.done():
                task.result()

    async def _ended(
        self,
        tasks: set[asyncio.Task[Any]],
        hung: asyncio.Future[None] | None = None,
        timeout: float | None = None,
    ) -> None:
        """Wait for tasks. When this worker is told to leave, what they are at is given up."""
        waited = {*tasks} if hung is None else {*tasks, hung}
        first = asyncio.ALL_COMPLETED if hung is None else asyncio.FIRST_COMPLETED
        try:
            await asyncio.wait(waited, timeout=timeout, return_when=first)
        except asyncio.CancelledError:
            for call in list(self._under_way.values()):
                if call.task in tasks:
                    self._give_up(call)
            for task in tasks:
                task.cancel()
            raise

    def _give_up(self, call: _UnderWay) -> None:
        """End a call here, and tell its library.

        Once: the limit of a call that was given up because this worker leaves still comes, where
        its library holds the task.
        """
        if call.given_up:
            return
        call.given_up = True
        lane, now_ns = call.turn.lane, time.monotonic_ns()
        del self._under_way[lane]
        call.keep(Ended(call.turn, call.start_ns or now_ns, now_ns, given_up=True))
        if call.task is not None:
            call.task.cancel()
        if (hung := self._hung.get(lane)) is not None and not hung.done():
            hung.set_result(None)

    # -------------------------------------------------------------------- call
    async def _perform(self, turn: LaneTurn, within_s: float = float("inf")) -> bool:
        """One call, recorded. False when it was given up: what follows is another task's."""
        self._records.begin(turn.lane)
        prepared = self._work.prepare(turn)
        result, error = None, None
        call = _UnderWay(turn, self._records.keep, asyncio.current_task())
        limit = self._limited(call, within_s)
        call.start_ns = start_ns = time.monotonic_ns()
        try:
            result = await self._work.call(prepared)
            end_ns = time.monotonic_ns()
        except (Exception, asyncio.CancelledError) as raised:
            # One that is not told to end has a library that cancels its own requests.
            end_ns = time.monotonic_ns()
            error = raised
        return self._kept(call, limit, Ended(turn, start_ns, end_ns, result, error))

    async def _join(self, turn: LaneTurn) -> bool:
        """Connect a user; recorded where that is an operation. False when it was given up."""
        if self._joining is None or self._worker.stopping:
            return True
        error = None
        call = _UnderWay(turn, self._keep_join, asyncio.current_task())
        limit = self._limited(call)
        call.start_ns = start_ns = time.monotonic_ns()
        try:
            await self._joining(turn.lane)
        except (Exception, asyncio.CancelledError) as raised:
            error = raised
        ended = Ended(turn, start_ns, time.monotonic_ns(), None, error)
        return self._kept(call, limit, ended)

    def _keep_join(self, ended: Ended) -> None:
        self._records.keep_join(ended, self._joins)

    def _limited(self, call: _UnderWay, within_s: float = float("inf")) -> asyncio.TimerHandle:
        self._under_way[call.turn.lane] = call
        limit_s = min(self._limit_s, within_s)
        return asyncio.get_running_loop().call_later(limit_s, self._give_up, call)

    def _kept(self, call: _UnderWay, limit: asyncio.TimerHandle, ended: Ended) -> bool:
        limit.cancel()
        if call.given_up:
            return False
        del self._under_way[call.turn.lane]
        call.keep(ended)
        return True
