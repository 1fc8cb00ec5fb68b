"""The life of a worker: ready, start, ticks, stop, done."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from wirelab_sdk.answers import Answers
from wirelab_sdk.asked import Asked, KeptResult
from wirelab_sdk.calls import Action, Call, Failure, Outcome, Turn, explain, issue
from wirelab_sdk.commands import Commands
from wirelab_sdk.events import EventStream
from wirelab_sdk.recorder import Recorder
from wirelab_sdk.runtime import RuntimeProbe
from wirelab_sdk.spec import Operation, Spec, SpecError
from wirelab_sdk.stacks import StackSampler
from wirelab_sdk.status import Status
from wirelab_sdk.ticker import Ticker

_SECOND = 1_000_000_000
LET_GO_SHARE = 10
"""Nobody asks for an answer in the last tenth of a period."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Tick:
    """One tick of the schedule and the operations due at it, in the order of the spec."""

    index: int
    intended_ns: int
    due: tuple[Operation, ...]


class Worker:
    """One role of one trial. Made by `main`; not for several threads."""

    def __init__(self, spec: Spec, events: EventStream, loop: asyncio.AbstractEventLoop) -> None:
        self.spec = spec
        self.recorder = Recorder(spec.paths.samples)
        self.answers = Answers(spec.paths.answers)
        self.answers.published = self.recorder.publish
        self.asked = Asked(self.answers)
        self._events = events
        self._commands = Commands(loop, self.asked.hear)
        self._ticker = Ticker(loop)
        self._probe = RuntimeProbe(placed=True)
        self._elsewhere: Callable[[], Mapping[str, Any]] | None = None
        self._reporting: asyncio.Task[None] | None = None
        asked = spec.paths.stacks != Path()
        self._stacks = StackSampler(spec.paths.stacks) if asked else None

    # ------------------------------------------------------------------ events
    def ready(
        self,
        library: str,
        version: str,
        *,
        endpoint: str | None = None,
        facts: Mapping[str, Any] | None = None,
        capabilities: Sequence[str] = (),
    ) -> None:
        """Say that this worker waits for ``start``; its preflight answers are on disk."""
        self.answers.flush()
        self._events.ready(
            library,
            version,
            endpoint=endpoint,
            facts=facts,
            capabilities=capabilities,
        )

    def error(
        self,
        class_name: str,
        status: str,
        message: str,
        *,
        scope: Literal["call", "item", "fatal"] = "call",
        operation: str | None = None,
        intended_ns: int | None = None,
    ) -> None:
        """Say in the library's words what failed; only the first 100 of a class are sent."""
        self._events.error(
            class_name,
            status,
            message,
            scope=scope,
            operation=operation,
            intended_ns=intended_ns,
            monotonic_ns=time.monotonic_ns(),
        )

    def step(self, name: str, begin_ns: int, end_ns: int) -> None:
        """Say that a step of a closed loop has ended, and when it began."""
        self._events.emit("step", name=name, begin_ns=begin_ns, end_ns=end_ns)

    def served(self, items: Mapping[str, int], at_ns: int) -> None:
        """Say what a neutral service had served by a time on CLOCK_MONOTONIC, since its start."""
        self._events.emit("served", items=dict(items), monotonic_ns=at_ns)

    def reached(self, requests: int, counter: str) -> None:
        """Say how many requests a server of the user's own has counted since ``ready``."""
        self._events.emit("reached", requests=requests, counter=counter)

    def report_runtime_of(self, reading: Callable[[], Mapping[str, Any]]) -> None:
        """Let ``runtime`` events say what ``reading`` returns instead of this process's figures.

        For a worker whose work is done by processes of its own: it returns the fields of the
        event, without the time, and is called about once a second.
        """
        self._elsewhere = reading

    # ---------------------------------------------------------------- schedule
    @property
    def stopping(self) -> bool:
        """Whether the core has said ``stop`` (or has gone)."""
        return self._commands.stop.is_set()

    async def stopped(self) -> None:
        """Return when the core says ``stop``; a server waits for this."""
        await self._commands.stop.wait()

    async def ticks(self) -> AsyncIterator[Tick]:
        """Wait for ``start``, then yield every tick at its time, late ones at once.

        Ends after the last tick, or early when the core says ``stop``.
        """
        async for tick in self._coming_ticks():
            if not await self._ticker.until(tick.intended_ns):
                return
            yield tick

    async def started(self) -> int | None:
        """Wait for tick 0, where a closed loop begins: CLOCK_MONOTONIC ns, None when stopped."""
        start_ns = await self._told_to_start()
        return start_ns if start_ns is not None and await self._ticker.until(start_ns) else None

    async def _told_to_start(self) -> int | None:
        start_ns = await asyncio.shield(self._commands.start)
        if start_ns is None:
            return None
        if self._stacks is not None:
            self._stacks.start()
        schedule = self.spec.schedule
        # Between two ticks, where the probe's own work disturbs least.
        self._reporting = asyncio.create_task(
            self._report_runtime(start_ns + schedule.first_ns + schedule.period_ns // 2)
        )
        return start_ns

    async def _coming_ticks(self) -> AsyncIterator[Tick]:
        """Wait for ``start``, then yield every tick before its time."""
        schedule = self.spec.schedule
        if schedule.is_closed:
            raise SpecError("schedule: this worker waits for ticks, and a closed loop has none")
        if (start_ns := await self._told_to_start()) is None:
            return
        operations = tuple(self.spec.operations.values())
        for index in range(schedule.count):
            due = tuple(operation for operation in operations if operation.due(index))
            yield Tick(index, schedule.intended(start_ns, index), due)

    # ------------------------------------------------------------------- calls
    async def preflight(self, actions: Mapping[str, Action]) -> None:
        """Perform the operations verified before timing, one after the other.

        Raises what the library raises, and TimeoutError at the limit: a contender that
        cannot do an operation once has nothing to be timed.
        """
        for name, count in self.spec.verify.preflight.items():
            operation = self.spec.operations[name]
            for index in range(count):
                turn = Turn("preflight", index, operation)
                call = Call(turn, time.monotonic_ns(), actions[name])
                await issue([call], self.spec.limits.operation_ns)
                if call.error is not None:
                    raise call.error
                if call.outcome is None:
                    raise TimeoutError(f"preflight {name} {index} took longer than its limit")
                self._write_answer(call, call.outcome)

    async def follow(
        self,
        actions: Callable[[], Mapping[str, Action]],
        explain: Callable[[BaseException], Failure] = explain,
        lane: int = 0,
    ) -> None:
        """Work through the schedule: issue what is due together, record it, take the next tick.

        ``actions`` says before each tick what can be done at it; an operation that it leaves
        out is neither performed nor recorded. ``explain`` puts exceptions into the words of
        the library.
        """
        async for tick in self._coming_ticks():
            possible = actions()
            calls = [
                Call(Turn("measure", tick.index, operation), tick.intended_ns, action)
                for operation in tick.due
                if (action := possible.get(operation.name)) is not None
            ]
            if calls:
                if not await self._let_go(lane, tick.intended_ns):
                    return
                await self._issue(calls, explain, lane)
            else:
                await self._ticker.until(tick.intended_ns)
            if self.stopping:
                return

    async def _let_go(self, lane: int, intended_ns: int) -> bool:
        """Free what is kept of a lane shortly before its next tick, so that this is in nobody's
        time; False when told to stop.
        """
        before_ns = intended_ns - self.spec.schedule.period_ns // LET_GO_SHARE
        go_on = await self._ticker.until(before_ns)
        self.asked.begin(lane)
        return go_on

    async def _issue(
        self, calls: list[Call], explain: Callable[[BaseException], Failure], lane: int
    ) -> None:
        try:
            await issue(calls, self.spec.limits.operation_ns, self._ticker)
        finally:
            # Only now: events and answers of one call must not disturb the timing of another.
            ended = sorted((call for call in calls if call.end_ns), key=lambda call: call.end_ns)
            for call in ended:
                self._record(call, explain, lane)
            self.asked.end(lane, {call.turn.operation.name: _result(call) for call in ended})

    def _record(self, call: Call, explain: Callable[[BaseException], Failure], lane: int) -> None:
        operation = call.turn.operation
        size = 0
        words: dict[str, Any] = {"operation": operation.name, "intended_ns": call.intended_ns}
        if call.error is not None:
            failure = explain(call.error)
            # Whatever its library calls it: it has raised something, and returned nothing.
            status = failure.status or Status.ERROR
            self.error(failure.class_name, failure.status_name, failure.message, **words)
        elif call.outcome is None:
            status = Status.TIMEOUT
            waited = (call.end_ns - call.start_ns) / _SECOND
            self.error("GivenUp", "", f"no end after {waited:.3f} s: given up", **words)
        else:
            outcome = call.outcome
            size = outcome.size
            status = outcome.status
            if outcome.bad and status == Status.OK:
                status = Status.ITEM_ERROR
            for item in outcome.bad:
                message = f"item {item.item}: {item.message}"
                self.error(item.class_name, item.status, message, scope="item", **words)
        self.recorder.record(
            call.intended_ns, call.start_ns, call.end_ns, operation.code, status, size, lane
        )

    def _write_answer(self, call: Call, outcome: Outcome) -> None:
        self.answers.write(
            phase=call.turn.phase,
            operation=call.turn.operation.name,
            tick=call.turn.tick,
            start_ns=call.start_ns,
            end_ns=call.end_ns,
            answer=outcome.answer(),
        )

    # ------------------------------------------------------------------ runtime
    async def _report_runtime(self, first_ns: int) -> None:
        said_ns = 0
        async for reading in self._probe.every_second(first_ns):
            self._say_runtime(reading)
            # After a second that came late the next one is not a second away.
            if self.recorder.count and reading["monotonic_ns"] - said_ns > _SECOND // 2:
                self._events.emit("progress", records=self.recorder.count)
                said_ns = time.monotonic_ns()

    def _say_runtime(self, own: Mapping[str, Any]) -> None:
        if self._elsewhere is None:
            self._events.emit("runtime", **own)
        else:
            self._events.emit(
                "runtime", **{"monotonic_ns": own["monotonic_ns"], **self._elsewhere()}
            )

    # --------------------------------------------------------------- life cycle
    async def perform(self, role: Callable[[Worker], Awaitable[None]]) -> None:
        """Run ``role`` to its end, or until ``stop`` and a grace are over; then say ``done``."""
        task = asyncio.ensure_future(role(self))
        stop = asyncio.create_task(self.stopped())
        serving = None
        if self.spec.schedule.count == 0:
            serving = asyncio.create_task(self._report_runtime(time.monotonic_ns() + _SECOND))
        await asyncio.wait({task, stop}, return_when=asyncio.FIRST_COMPLETED)
        self._ticker.release()
        if not task.done():
            # Half of the limit for the call under way, the rest for writing and leaving.
            await asyncio.wait({task}, timeout=self.spec.limits.stop_ns / _SECOND / 2)
        if not task.done():
            _log.warning("still busy after stop: given up")
            task.cancel()
            await asyncio.wait({task}, timeout=0.1)
        for reporting in (self._reporting, serving):
            if reporting is not None:
                reporting.cancel()
        self._conclude(task)

    def _conclude(self, task: asyncio.Future[None]) -> None:
        if task.done() and not task.cancelled():
            task.result()  # raises what the role raised
        if self._commands.failure is not None:
            raise self._commands.failure
        if self._stacks is not None:
            self._stacks.stop()
        self.recorder.close()
        self.answers.close()
        self._say_runtime(self._probe.reading())
        self._events.done(self.recorder.count, self.answers)


def _result(call: Call) -> KeptResult:
    answer = None if call.outcome is None else call.outcome.answer
    return KeptResult(call.turn.tick, call.start_ns, call.end_ns, answer)
