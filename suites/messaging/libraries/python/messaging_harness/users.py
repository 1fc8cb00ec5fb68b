"""Users' work in their lanes: ``echo``, ``send``, and connect."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import cast

from messaging_harness.messages import answer_of, head_of, stamp_sent
from messaging_harness.place import WorkerSetup
from messaging_harness.stages import Stages
from messaging_harness.user import User
from wirelab_sdk import Failure, LaneTurn, Outcome, Status, Step

_POLL_S = 0.001


@dataclass(slots=True)
class Asked:
    """A message, its stamps, and what came back."""

    user: User
    message: bytearray
    due_ns: int | None
    start_ns: int = 0
    end_ns: int = 0
    reply: bytes = b""


class Users:
    """Everybody in a trial, as `AsyncLanes` drives them."""

    def __init__(self, place: WorkerSetup, stages: Stages, users: int) -> None:
        self._place = place
        self._stages = stages
        self._lost = 0
        self.all = [User(number, place) for number in range(users)]

    def begin(self, step: Step) -> None:
        """Every step is begun alike."""

    def prepare(self, turn: LaneTurn) -> Asked:
        """The message of a turn."""
        sequence, size = self._stages.sequence_of(turn), self._stages.size_of(turn)
        message = self._place.messages.compose(turn.lane, sequence, size)
        return Asked(self.all[turn.lane], message, turn.due_ns)

    async def call(self, asked: Asked) -> Asked:
        """Ask, or tell everybody; whoever lost its connection connects first."""
        user, message = asked.user, asked.message
        asked.start_ns = time.monotonic_ns()
        try:
            if self._place.broadcasts:
                due_ns = asked.start_ns if asked.due_ns is None else asked.due_ns
                stamp_sent(message, asked.start_ns, due_ns)
                link = user.link or await user.connect()
                await link.broadcast(bytes(message))
            else:
                stamp_sent(message, asked.start_ns, 0)
                link = user.link or await user.connect()
                asked.reply = await link.echo(bytes(message))
                asked.end_ns = time.monotonic_ns()
        except Exception as error:
            user.note(error)
            raise
        return asked

    def judge(self, turn: LaneTurn, result: Asked) -> Outcome:
        """The same message, served between start and end, or a wrong answer."""
        if self._place.broadcasts:
            due_ns = result.start_ns if result.due_ns is None else result.due_ns
            self._place.deliveries.sent(due_ns, turn.step.users - self._lost)
            return Outcome(dict, size=len(result.message))
        reply = result.reply
        sequence, size = self._stages.sequence_of(turn), self._stages.size_of(turn)
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
