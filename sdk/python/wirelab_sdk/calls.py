"""Timed calls into a library: issued together, given up at the limit, recorded one way."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from wirelab_sdk.answers import Phase
from wirelab_sdk.spec import Operation
from wirelab_sdk.status import Status
from wirelab_sdk.ticker import Ticker


class ItemError(NamedTuple):
    """An item of a batch that the service refused, in the library's words."""

    item: int
    class_name: str
    status: str
    message: str


class Failure(NamedTuple):
    """An exception as the caller of the library sees it, and its status byte."""

    status: int
    class_name: str
    status_name: str
    message: str


class Turn(NamedTuple):
    """The repetition of an operation that is asked for."""

    phase: Phase
    tick: int
    operation: Operation


@dataclass(slots=True)
class Outcome:
    """Result of a call, after every item's status has been looked at.

    ``answer`` is called only when the answer is wanted, and outside the timed part.
    """

    answer: Callable[[], Mapping[str, Any]]
    bad: Sequence[ItemError] = ()
    status: int = Status.OK
    size: int = 0


Action = Callable[[Turn], Awaitable[Outcome]]


@dataclass(slots=True)
class Call:
    """One timed call, from just before the library is entered until its result is in hand."""

    turn: Turn
    intended_ns: int
    action: Action
    start_ns: int = 0
    end_ns: int = 0
    outcome: Outcome | None = None
    error: BaseException | None = None
    _given_up: bool = field(default=False, repr=False)

    async def run(self, ticker: Ticker | None) -> None:
        """Make the call when it is due; what it raises is kept in ``error``."""
        if ticker is not None and not await ticker.until(self.intended_ns):
            return
        self.start_ns = time.monotonic_ns()
        try:
            self.outcome = await self.action(self.turn)
        except (Exception, asyncio.CancelledError) as error:
            if self._given_up:
                raise
            # Cancelled without our doing: a library that cancels its own requests.
            self.error = error
        self.end_ns = time.monotonic_ns()

    def give_up(self) -> None:
        """End the call here: it has neither an outcome nor an error."""
        self._given_up = True
        self.end_ns = time.monotonic_ns()
        self.start_ns = self.start_ns or self.end_ns


async def issue(calls: Sequence[Call], limit_ns: int, ticker: Ticker | None = None) -> bool:
    """Start all calls without waiting for each other, and return when each has ended.

    With ``ticker`` they start at their intended time. Their tasks exist before it, because
    making them costs more than the timer's own lateness; False when there was no such time,
    because the ticker was released. A call that takes longer than ``limit_ns`` is given up:
    it then has neither an outcome nor an error. The same happens to calls under way when the
    task that waits here is cancelled.
    """
    tasks = [asyncio.create_task(call.run(ticker)) for call in calls]
    reached = ticker is None
    try:
        if ticker is not None:
            await asyncio.sleep(0)  # let the calls line up first
            reached = await ticker.until(calls[0].intended_ns)
        if reached:
            await asyncio.wait(tasks, timeout=limit_ns / 1e9)
    finally:
        for call, task in zip(calls, tasks, strict=True):
            if not task.done():
                if reached:
                    call.give_up()
                # Not awaited: a library that swallows its cancellation must not hold us.
                task.cancel()
    return reached


def explain(error: BaseException) -> Failure:
    """The status byte of Python's own exceptions; libraries add their status codes."""
    if isinstance(error, TimeoutError):
        status = Status.TIMEOUT
    elif isinstance(error, ConnectionRefusedError):
        status = Status.REFUSED
    elif isinstance(error, ConnectionError):
        status = Status.DISCONNECTED
    else:
        status = Status.ERROR
    return Failure(status, type(error).__name__, "", str(error))
