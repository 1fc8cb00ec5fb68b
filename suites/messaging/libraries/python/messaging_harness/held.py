"""Messages that were held back in order to leave together, told apart from those that left as they
were sent.

A client that has nothing to do for 1 ms gets what comes at once. If several messages come to one
user at the end of such a silence, and one of them had been handed over 1 ms before another, then it
had waited for that one. What comes while others come, or while messages are handed over, may have
waited for the client, and tells nothing.
"""

from __future__ import annotations

from collections import deque

LONG_NS = 1_000_000


class Silences:
    """Times at which nothing came to anybody, and nobody was handing anything over."""

    def __init__(self) -> None:
        self._active_ns = self._ended_ns = 0
        self._under_way = 0

    def hands_over(self) -> None:
        """Begin to hand messages over."""
        self._under_way += 1

    def handed_over(self, now_ns: int) -> None:
        """Have handed them over, or failed to."""
        self._under_way -= 1
        self._active_ns = now_ns

    def ended_by(self, now_ns: int) -> int:
        """The end of the last silence, which a message that comes now may be."""
        if not self._under_way and now_ns - self._active_ns >= LONG_NS:
            self._ended_ns = now_ns
        self._active_ns = now_ns
        return self._ended_ns


class Together:
    """Messages that came to one user at the end of a silence."""

    __slots__ = ("_ended_ns", "_first_ns", "_sent_ns")

    def __init__(self) -> None:
        self._ended_ns = self._first_ns = 0
        self._sent_ns: deque[int] = deque()

    def held_for(self, ended_ns: int, sent_ns: int, now_ns: int) -> int:
        """Count the messages that had waited for this one."""
        if ended_ns != self._ended_ns:
            self._ended_ns, self._first_ns = ended_ns, now_ns
            self._sent_ns.clear()
        if now_ns - self._first_ns > LONG_NS or sent_ns > ended_ns:
            return 0
        held = 0
        while self._sent_ns and self._sent_ns[0] + LONG_NS <= sent_ns:
            self._sent_ns.popleft()
            held += 1
        if sent_ns + LONG_NS <= ended_ns:
            self._sent_ns.append(sent_ns)
        return held
