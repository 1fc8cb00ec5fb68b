"""Waits for absolute times on an asyncio loop, without the loop's millisecond grain."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import time

from wirelab_sdk.timerfd import TimerFd


class Ticker:
    """Absolute-time waits; several tasks may wait together, each for its own time.

    asyncio's own timers are rounded up to the millisecond of ``epoll_wait``; a timerfd is a
    descriptor like a socket, so the loop wakes when the kernel's high-resolution timer fires,
    and sleeps until then. Works on every loop that has ``add_reader`` (asyncio, uvloop).
    """

    def __init__(self, loop: asyncio.AbstractEventLoop | None = None) -> None:
        self._loop = loop or asyncio.get_running_loop()
        self._timer = TimerFd()
        self._waiters: list[tuple[int, int, asyncio.Future[None]]] = []
        self._numbers = itertools.count()
        self._released = False
        self._loop.add_reader(self._timer.fd, self._fired)

    async def until(self, deadline_ns: int) -> bool:
        """Wait for ``deadline_ns`` of CLOCK_MONOTONIC; False when released before it.

        A deadline that has passed costs one turn of the loop, so that a worker which is
        always late still hears ``stop``.
        """
        if self._released:
            return False
        if deadline_ns <= time.monotonic_ns():
            await asyncio.sleep(0)
            return not self._released
        waiter = self._loop.create_future()
        heapq.heappush(self._waiters, (deadline_ns, next(self._numbers), waiter))
        if self._waiters[0][2] is waiter:
            self._timer.arm(deadline_ns)
        await waiter
        return not self._released

    def release(self) -> None:
        """End the present waits and all later ones at once."""
        self._released = True
        self._wake(self._waiters)
        self._waiters = []

    def close(self) -> None:
        """Take the timer off the loop; the ticker cannot be used any more."""
        self.release()
        self._loop.remove_reader(self._timer.fd)
        self._timer.close()

    def _fired(self) -> None:
        if not self._timer.clear():
            return
        due, now_ns = [], time.monotonic_ns()
        while self._waiters and self._waiters[0][0] <= now_ns:
            due.append(heapq.heappop(self._waiters))
        if self._waiters:
            self._timer.arm(self._waiters[0][0])
        self._wake(due)

    @staticmethod
    def _wake(waiters: list[tuple[int, int, asyncio.Future[None]]]) -> None:
        for _, _, waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)
