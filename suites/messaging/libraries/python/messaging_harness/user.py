"""One user: its link, and the operations it performs on it, recorded."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, cast

from messaging_harness.deliveries import Deliveries
from messaging_harness.messages import HEADER, Messages, answer_of, head_of, stamp_sent
from messaging_harness.transport import Link, Transport
from wirelab_sdk import Failure, Operation, Status, Worker

_SECOND = 1_000_000_000
_LOST = (Status.DISCONNECTED, Status.REFUSED)


@dataclass
class Workplace:
    """What all users of a worker share."""

    worker: Worker
    transport: Transport
    messages: Messages
    deliveries: Deliveries
    users: list[User] = field(default_factory=list)

    @cached_property
    def limit_s(self) -> float:
        """Seconds after which an operation is given up."""
        return self.worker.spec.limits.operation_ns / _SECOND

    @cached_property
    def stamped(self) -> bool:
        """Whether what answers is ours and says when it did."""
        return any(said.get("stamps") for said in self.worker.spec.facts.values())

    @property
    def broadcasts(self) -> bool:
        """Whether lanes tell everybody instead of asking."""
        return "send" in self.worker.spec.operations

    @property
    def main(self) -> Operation:
        """The operation that lanes perform."""
        return self.worker.spec.operations["send" if self.broadcasts else "echo"]

    def grown(self, number: int) -> list[User]:
        """All users so far; those up to ``number`` are made when they are needed."""
        self.users += [User(n, self) for n in range(len(self.users), number)]
        return self.users


class WrongMessageError(Exception):
    """What came back is not what was sent, or cannot have been."""


class User:
    """For one task at a time."""

    def __init__(self, number: int, place: Workplace) -> None:
        self._number = number
        self._place = place
        self._link: Link | None = None
        self._hellos = 0

    @property
    def is_connected(self) -> bool:
        """Whether it has a link at the moment."""
        return self._link is not None

    def delivered(self, message: bytes) -> None:
        """Take what is broadcast to this user."""
        self._place.deliveries.delivered(self._number, message)

    async def join(self, intended_ns: int | None = None) -> None:
        """Connect and wait for the first answer, recorded as ``connect`` where that is timed."""
        start_ns = time.monotonic_ns()
        failure = None
        try:
            await self._connect()
        except Exception as error:
            failure = self._explain(error)
        operation = self._place.worker.spec.operations.get("connect")
        if operation is not None:
            status = Status.OK if failure is None else failure.status
            due_ns = start_ns if intended_ns is None else intended_ns
            self._record(operation, due_ns, start_ns, time.monotonic_ns(), status, 0)
        if failure is not None:
            self._tell(failure, "connect", start_ns)

    async def _connect(self) -> Link:
        """A connection that is accepted but not served is none: the first answer makes it one."""
        async with asyncio.timeout(self._place.limit_s):
            link = await self._place.transport.connect(self._number, self)
        hello = self._place.messages.compose(self._number, self._hellos, HEADER)
        self._hellos += 1
        try:
            async with asyncio.timeout(self._place.limit_s):
                await link.echo(bytes(hello))
        except BaseException:
            await link.close()
            raise
        self._link = link
        return link

    async def echo(
        self,
        sequence: int,
        size: int,
        intended_ns: int | None,
        answered: int | None,
        phase: Literal["preflight", "measure"] = "measure",
    ) -> int:
        """One echo, recorded; when it ended. ``answered``: the tick whose answer is written."""
        place, operation = self._place, self._place.worker.spec.operations["echo"]
        message = place.messages.compose(self._number, sequence, size)
        reply, failure = b"", None
        start_ns = time.monotonic_ns()
        stamp_sent(message, start_ns, 0)
        try:
            async with asyncio.timeout(place.limit_s):
                link = self._link or await self._connect()
                reply = await link.echo(bytes(message))
            end_ns = time.monotonic_ns()
            self._check(reply, sequence, size, start_ns, end_ns)
        except Exception as error:
            end_ns = time.monotonic_ns()
            failure = self._explain(error)
        if phase == "measure":
            due_ns = start_ns if intended_ns is None else intended_ns
            status = Status.OK if failure is None else failure.status
            moved = 2 * len(message) if failure is None else 0
            self._record(operation, due_ns, start_ns, end_ns, status, moved)
        elif failure is not None:
            raise RuntimeError(f"no answer before the measurement: {failure.message}")
        if failure is not None:
            await self._failed(failure, "echo", start_ns)
        if answered is not None and reply:
            place.worker.answers.write(
                phase=phase,
                operation="echo",
                tick=answered,
                start_ns=start_ns,
                end_ns=end_ns,
                answer=answer_of(reply),
            )
        return end_ns

    async def send(self, sequence: int, size: int, intended_ns: int | None, receivers: int) -> int:
        """One broadcast, recorded; when it ended. Those who get it count what is delivered."""
        place = self._place
        message = place.messages.compose(self._number, sequence, size)
        failure = None
        start_ns = time.monotonic_ns()
        due_ns = start_ns if intended_ns is None else intended_ns
        stamp_sent(message, start_ns, due_ns)
        try:
            async with asyncio.timeout(place.limit_s):
                link = self._link or await self._connect()
                await link.broadcast(bytes(message))
        except Exception as error:
            failure = self._explain(error)
        end_ns = time.monotonic_ns()
        status = Status.OK if failure is None else failure.status
        size_sent = len(message) if failure is None else 0
        self._record(place.main, due_ns, start_ns, end_ns, status, size_sent)
        if failure is None:
            place.deliveries.sent(due_ns, receivers)
        else:
            await self._failed(failure, "send", start_ns)
        return end_ns

    async def leave(self) -> None:
        """Leave."""
        link, self._link = self._link, None
        if link is not None:
            async with asyncio.timeout(self._place.limit_s):
                await link.close()

    async def abandon(self) -> None:
        """Leave as a killed process does."""
        link, self._link = self._link, None
        if link is not None:
            await link.abandon()

    def _check(self, reply: bytes, sequence: int, size: int, start_ns: int, end_ns: int) -> None:
        if not self._place.messages.is_intact(reply, self._number, sequence, size):
            raise WrongMessageError("another message came back")
        served_ns = cast(tuple[int, int, int, int], head_of(reply))[3]
        if self._place.stamped and not start_ns <= served_ns <= end_ns:
            raise WrongMessageError("the server did not answer between the call's start and end")

    def _explain(self, error: BaseException) -> Failure:
        if isinstance(error, WrongMessageError):
            return Failure(Status.WRONG_ANSWER, "WrongMessage", "", str(error))
        if isinstance(error, TimeoutError):
            return Failure(Status.TIMEOUT, "TimeoutError", "", "no answer in time")
        return self._place.transport.explain(error)

    async def _failed(self, failure: Failure, operation: str, start_ns: int) -> None:
        self._tell(failure, operation, start_ns)
        if failure.status in _LOST and not self._place.transport.reconnects_itself:
            await self.leave()

    def _tell(self, failure: Failure, operation: str, start_ns: int) -> None:
        self._place.worker.error(
            failure.class_name,
            failure.status_name,
            failure.message,
            operation=operation,
            intended_ns=start_ns,
        )

    def _record(  # noqa: PLR0917 - as the recorder's
        self, operation: Operation, due_ns: int, start_ns: int, end_ns: int, status: int, size: int
    ) -> None:
        self._place.worker.recorder.record(
            due_ns, start_ns, end_ns, operation.code, status, size, self._number
        )
