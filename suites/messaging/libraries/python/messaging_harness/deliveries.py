"""Exact counts of what is broadcast, and how long it took, by the second."""

from __future__ import annotations

import struct
import time
from pathlib import Path

from messaging_harness.held import Silences, Together
from messaging_harness.messages import Messages, head_of
from messaging_harness.owed import Owed, everything
from messaging_harness.tally import Tally
from wirelab_sdk.intervals import BySecond, Intervals

_WRITTEN_AFTER_S = 4
"""A second this old is written; what still comes for it gets a line of its own."""
PROMISED = 8
"""Messages of a sender beyond those of its phase, of which it is only looked whether they came."""


_STAMPS = struct.Struct("<QQ")


class _Receiver:
    """Messages of one user: a bit for each."""

    __slots__ = ("distinct", "highest", "last_ns", "seen", "together")

    def __init__(self, senders: int, messages: int) -> None:
        self.seen = bytearray(senders * messages)
        self.highest = [-1] * senders
        self.distinct = 0
        self.last_ns = 0
        self.together = Together()


class Deliveries:
    """Counts deliveries of one phase at a time. For one thread."""

    def __init__(self, messages: Messages, path: Path, *, is_open: bool) -> None:
        self._messages = messages
        self._open = is_open
        self._intervals = Intervals(path)
        self._tallies = BySecond(Tally)
        self._receivers: list[_Receiver] = []
        self._phase, self._counts, self._step, self._size = -1, False, "", 0
        self._each = self._due = self._ticks = self._per_tick = 0
        self._stamps = bytearray()
        self._expected = self._received = 0
        self._all_came, self._wrong_before = True, 0
        self._silences = Silences()
        self._promised: set[tuple[int, int, int]] = set()
        self.last_ns = 0
        self.owed: Owed = everything(0)
        """Users to whom the messages of the phase are owed."""

    def start_at(self, tick0_ns: int) -> None:
        """Second 0 begins here."""
        self._tallies.tick0_ns = tick0_ns

    def begin(
        self,
        phase: int,
        step: str,
        size: int,
        *,
        users: int,
        senders: int,
        ticks: int,
        per_tick: int,
        due: int,
        counts: bool,
        owed: Owed,
    ) -> None:
        """From here on the messages of ``phase`` count, or in settling only have to pass.

        Of each sender they are numbered from 0, and ``due`` of them are to be sent.
        """
        each = ticks * per_tick
        self._all_came = self._all_came and self.complete
        self._due, self.owed = due * senders, owed
        self._phase, self._step, self._size, self._each = phase, step, size, each
        self._ticks, self._per_tick = ticks, per_tick
        self._stamps = bytearray(senders * ticks * _STAMPS.size)
        self._counts = counts
        self._receivers = [_Receiver(senders, each) for _ in range(users)]
        self._expected = self._received = 0
        self.last_ns = time.monotonic_ns()
        if counts and self._wrong_before:
            self._tallies.at(self.last_ns).wrong += self._wrong_before
            self._wrong_before = 0

    def hands_over(self, sender: int, sequence: int, sent_ns: int, due_ns: int) -> None:
        """Note the times of all messages of a tick: what a server makes of them is not believed."""
        at = sender * self._ticks + (sequence & 0xFFFFFFFF) // self._per_tick
        _STAMPS.pack_into(self._stamps, at * _STAMPS.size, sent_ns, due_ns)
        self._silences.hands_over()

    def handed_over(self) -> None:
        """The call that handed messages over has ended."""
        self._silences.handed_over(time.monotonic_ns())

    def sent(self, due_ns: int, receivers: int) -> None:
        """A broadcast of the phase was handed over: so many users are to get it."""
        self._expected += receivers
        if self._counts:
            self._tallies.at(due_ns).expected += receivers

    def delivered(self, user: int, message: bytes, *, listens: bool = True) -> None:
        """Note that ``user`` has got ``message``."""
        now_ns = time.monotonic_ns()
        head = head_of(message) if listens else None
        if head is None or not self._messages.is_intact(message, head[0], head[1], self._size):
            self._wrong(now_ns)
        elif (phase := head[1] >> 32) == self._phase:
            self._count(user, head, len(message), now_ns)
        elif self._open or not 0 < phase < self._phase:
            self._wrong(now_ns)  # nobody has sent it to everybody
        elif self._counts and self._all_came:
            self._tallies.at(now_ns).duplicates += 1

    def _count(self, user: int, head: tuple[int, int, int, int], size: int, now_ns: int) -> None:
        sender, sequence, sent_ns, due_ns = head
        number = sequence & 0xFFFFFFFF
        receiver = self._receivers[user]
        if sender >= len(receiver.highest) or number >= self._each + PROMISED:
            self._wrong(now_ns)
            return
        if number >= self._each:
            self._promised.add((user, sender, number))
            return
        at = sender * self._ticks + number // self._per_tick
        if _STAMPS.unpack_from(self._stamps, at * _STAMPS.size) != (sent_ns, due_ns):
            self._wrong(now_ns)
            return
        silent_until_ns = self._silences.ended_by(now_ns)
        if user >= self.owed.to(number):
            return  # it was still joining, and may get this or not
        at = sender * self._each + number
        again, late = receiver.seen[at], number < receiver.highest[sender]
        self.last_ns = receiver.last_ns = now_ns
        if not again:
            receiver.seen[at] = 1
            receiver.distinct += 1
            receiver.highest[sender] = max(receiver.highest[sender], number)
            self._received += 1
        if self._counts:
            tally = self._tallies.at(due_ns if self._open else sent_ns)
            if again:
                tally.duplicates += 1
                return
            tally.received += 1
            tally.reordered += late
            tally.bytes += size
            if self._open:
                tally.held += receiver.together.held_for(silent_until_ns, sent_ns, now_ns)
            # A server knows who has sent a message, and could serve the sender before the others.
            if user == sender and len(self._receivers) > 1:
                return
            tally.service.add(now_ns - sent_ns)
            if self._open:
                tally.response.add(now_ns - due_ns)

    def _wrong(self, now_ns: int) -> None:
        """Count it, before anything counts to what does so next."""
        if self._counts:
            self._tallies.at(now_ns).wrong += 1
        else:
            self._wrong_before += 1

    def promise(self, number: int) -> int:
        """The number within its phase of the message that a sender promises as ``number``."""
        return self._each + number

    def came(self, user: int, sender: int, number: int) -> bool:
        """Whether ``user`` has got what was promised as ``number``."""
        return (user, sender, self.promise(number)) in self._promised

    def promise_broken(self) -> None:
        """Count a user who did not get what it was promised, as of the last that came."""
        self._tallies.at(self.last_ns).wrong += 1

    @property
    def complete(self) -> bool:
        """Whether everything that was handed over so far has come."""
        return self._received >= self._expected

    def completed_ns(self, user: int) -> int | None:
        """The time at which ``user`` had got every message of the phase; None: it has not."""
        receiver = self._receivers[user]
        return receiver.last_ns if receiver.distinct >= self._due else None

    def write(self, *, everything: bool) -> None:
        """Write seconds that are a few old, or all of them."""
        tallies = self._tallies
        now_ns = time.monotonic_ns()
        due = tallies.all() if everything else tallies.settled(now_ns, _WRITTEN_AFTER_S)
        for second, tally in due:
            self._intervals.write(tally.interval(second, "" if self._open else self._step))
        self._intervals.flush()

    def close(self) -> None:
        """Write what is left."""
        self.write(everything=True)
        self._intervals.close()
