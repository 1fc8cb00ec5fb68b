"""Numbers of messages, and the report of their deliveries."""

from __future__ import annotations

from messaging_harness.deliveries import Deliveries
from messaging_harness.owed import Owed, everything, within
from wirelab_sdk import LaneTurn, Operation, Spec, Step

_PREFLIGHT_SEQUENCE = 1_000_000
"""Messages of the preflight are in no phase."""


class Phases:
    """The phases of a trial, in each of which the messages of a sender are numbered from 0.

    They are settling and what counts, of every step of a closed loop, and all of an open one.
    """

    def __init__(self, spec: Spec, operation: Operation, deliveries: Deliveries) -> None:
        self._spec = spec
        self._operation = operation
        self._deliveries = deliveries
        self._numbers = {step.name: n for n, step in enumerate(spec.schedule.steps)}
        self.per_tick: int = spec.parameter("messages", 1)
        """Messages that a sender has for each tick."""

    def bytes_of(self, step: Step) -> int:
        """Bytes of a message of ``step``."""
        return self._spec.parameter("message_bytes", 0, step)

    def promised(self, step: Step, number: int) -> int:
        """The sequence of a message that follows on those of ``step``."""
        if not self._spec.schedule.is_closed:
            return number
        return self._number_of(step, counts=True) << 32 | number

    def size_of(self, turn: LaneTurn) -> int:
        """Bytes of the message of a turn."""
        step = None if turn.phase == "preflight" else turn.step
        return self._spec.parameter("message_bytes", 0, step)

    def sequence_of(self, turn: LaneTurn) -> int:
        """The sequence of the first message of a turn: its phase, and its number there."""
        if turn.phase == "preflight":
            return _PREFLIGHT_SEQUENCE + turn.tick
        if not self._spec.schedule.is_closed:
            return turn.tick * self.per_tick
        counts = turn.tick in turn.step.counting
        ticks = turn.step.counting if counts else turn.step.settling
        number = (turn.tick - ticks.start) * self.per_tick
        return self._number_of(turn.step, counts=counts) << 32 | number

    def _number_of(self, step: Step, *, counts: bool) -> int:
        return 2 * self._numbers[step.name] + 1 + counts

    def begin_whole(self, step: Step) -> None:
        """Begin the only phase of an open loop, whose last step is ``step``."""
        ticks = range(step.first + step.count)
        owed = within(self._spec.schedule.steps or [step], self.per_tick)
        self._begin(0, step, ticks, senders=step.users, counts=True, owed=owed)

    def begin(self, step: Step, *, counts: bool) -> None:
        """Begin a phase of a step of a closed loop."""
        # What was counted belongs to the step that is still said to be under way.
        self._deliveries.write(everything=True)
        ticks = step.counting if counts else step.settling
        number = self._number_of(step, counts=counts)
        self._begin(number, step, ticks, senders=step.lanes, counts=counts)

    def _begin(
        self,
        number: int,
        step: Step,
        ticks: range,
        *,
        senders: int,
        counts: bool,
        owed: Owed | None = None,
    ) -> None:
        self._deliveries.begin(
            number,
            step.name,
            self.bytes_of(step),
            users=step.users,
            senders=senders,
            ticks=len(ticks),
            per_tick=self.per_tick,
            due=sum(map(self._operation.due, ticks)) * self.per_tick,
            counts=counts,
            owed=owed or everything(step.users),
        )

    def owed_to(self, turn: LaneTurn) -> int:
        """Users, from the first one, to whom the messages of a turn are owed."""
        if self._spec.schedule.is_closed:
            return turn.step.users
        return self._deliveries.owed.to(turn.tick * self.per_tick)

    @property
    def complete(self) -> bool:
        """Whether everything that was handed over so far has come."""
        return self._deliveries.complete

    @property
    def last_ns(self) -> int:
        """The time at which the last delivery of the phase came, or the phase began."""
        return self._deliveries.last_ns

    def completed_ns(self, user: int) -> int | None:
        """The time at which ``user`` had got every message of the phase; None: it has not."""
        return self._deliveries.completed_ns(user)
