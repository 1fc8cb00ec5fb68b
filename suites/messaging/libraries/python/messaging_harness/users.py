"""Users' work in their lanes: ``echo``, ``send``, and connect."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import cast

from messaging_harness.messages import answer_of, head_of, stamp_sent, whole
from messaging_harness.phases import Phases
from messaging_harness.place import WorkerSetup
from messaging_harness.transport import Link, Streamer
from messaging_harness.user import User
from wirelab_sdk import Failure, LaneTurn, Outcome, Status, Step

_POLL_S = 0.001


@dataclass(slots=True)
class SentMessages:
    """Messages, their stamps, and what came back of the only one."""

    user: User
    messages: list[bytearray]
    sequence: int
    due_ns: int | None
    start_ns: int = 0
    end_ns: int = 0
    reply: bytes = b""


class Users:
    """Everybody in a trial, as `AsyncLanes` drives them."""

    def __init__(self, place: WorkerSetup, phases: Phases, users: int) -> None:
        self._place = place
        self._phases = phases
        self._lost = 0
        self.all = [User(number, place) for number in range(users)]

    def begin(self, step: Step) -> None:
        """Every step is begun alike."""

    def prepare(self, turn: LaneTurn) -> SentMessages:
        """The messages of a turn."""
        first, size = self._phases.sequence_of(turn), self._phases.size_of(turn)
        count = self._phases.per_tick if self._place.broadcasts else 1
        compose = self._place.messages.compose
        messages = [compose(turn.lane, sequence, size) for sequence in range(first, first + count)]
        return SentMessages(self.all[turn.lane], messages, first, turn.due_ns)

    async def call(self, asked: SentMessages) -> SentMessages:
        """Ask, or tell everybody; whoever lost its connection connects first."""
        user, messages = asked.user, asked.messages
        asked.start_ns = time.monotonic_ns()
        try:
            if self._place.broadcasts:
                due_ns = asked.start_ns if asked.due_ns is None else asked.due_ns
                for message in messages:
                    stamp_sent(message, asked.start_ns, due_ns)
                times = asked.start_ns, due_ns
                self._place.deliveries.hands_over(user.number, asked.sequence, *times)
                try:
                    await self._hand_over(user.link or await user.connect(), messages)
                finally:
                    self._place.deliveries.handed_over()
            else:
                stamp_sent(messages[0], asked.start_ns, 0)
                link = user.link or await user.connect()
                asked.reply = whole(await link.echo(bytes(messages[0])))
                asked.end_ns = time.monotonic_ns()
        except Exception as error:
            user.note(error)
            raise
        return asked

    async def _hand_over(self, link: Link, messages: list[bytearray]) -> None:
        """Send to everybody; messages of a stream do not wait for each other where that is had."""
        if self._place.streams and isinstance(link, Streamer):
            await link.stream([bytes(message) for message in messages])
            return
        for message in messages:
            await link.broadcast(bytes(message))

    def judge(self, turn: LaneTurn, result: SentMessages) -> Outcome:
        """The same message, served between start and end, or a wrong answer."""
        if self._place.broadcasts:
            due_ns = result.start_ns if result.due_ns is None else result.due_ns
            count = len(result.messages)
            receivers = min(self._phases.owed_to(turn), self._place.receivers) - self._lost
            self._place.deliveries.sent(due_ns, receivers * count)
            return Outcome(dict, size=sum(map(len, result.messages)))
        reply = result.reply
        sequence, size = self._phases.sequence_of(turn), self._phases.size_of(turn)
        if not self._place.messages.is_intact(reply, turn.lane, sequence, size):
            return Outcome(dict, status=Status.WRONG_ANSWER)
        served_ns = cast(tuple[int, int, int, int], head_of(reply))[3]
        if self._place.stamped and not result.start_ns <= served_ns <= result.end_ns:
            return Outcome(dict, status=Status.WRONG_ANSWER)
        return Outcome(lambda: answer_of(reply), size=2 * len(reply))

    def explain(self, error: BaseException) -> Failure:
        """In the words of the library."""
        return self._place.transport.explain(error)

    async def join(self, user: int) -> None:
        """Connect ``user``."""
        await self.all[user].connect()

    async def lose_one(self, zero_ns: int) -> None:
        """Let the user of a scenario die while the others go on."""
        after_ms = self._place.worker.spec.parameter("client_dies_ms", 0)
        if not after_ms or len(self.all) < 2:
            return
        dying = self.all[1]
        left_ns = zero_ns + after_ms * 1_000_000 - time.monotonic_ns()
        await asyncio.sleep(max(0, left_ns) / 1e9)
        # On a busy machine it may not be there yet, and would only come afterwards.
        while dying.link is None:
            await asyncio.sleep(_POLL_S)
        self._lost = 1
        await dying.abandon()
