"""Members of each board, and the messages that each of them still has to get."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress

from fastapi import WebSocket, WebSocketDisconnect


class TooSlowError(Exception):
    """A member does not read what its board sends."""


class Member:
    """One connection. What it is to get waits in a queue that its own task empties.

    So messages keep their order, and a member that reads slowly holds up nobody else.
    """

    def __init__(self, websocket: WebSocket, backlog: int) -> None:
        self.board: str | None = None
        self._websocket = websocket
        self._waiting: asyncio.Queue[str] = asyncio.Queue(backlog)
        self._writing: asyncio.Task[None] | None = None
        self._lost = False

    def send(self, text: str) -> None:
        """Queue ``text``; a member whose queue is full loses its connection instead."""
        try:
            self._waiting.put_nowait(text)
        except asyncio.QueueFull:
            self._lost = True
            if self._writing is not None:
                self._writing.cancel()

    async def send_now(self, text: str) -> None:
        """Send ``text`` past the queue; a member that has left meanwhile is no failure."""
        with suppress(WebSocketDisconnect, RuntimeError):
            await self._websocket.send_text(text)

    async def write(self) -> None:
        """Send what is queued until cancelled; TooSlowError when the queue has overflowed."""
        self._writing = asyncio.current_task()
        try:
            while True:
                await self._websocket.send_text(await self._waiting.get())
        except asyncio.CancelledError:
            if self._lost:
                raise TooSlowError from None
            raise


Deliver = Callable[[Iterable[Member], str], Awaitable[None]]
"""A way to send a text to the members of a board."""


async def by_queue(members: Iterable[Member], text: str) -> None:
    """Leave it to the task of each member."""
    for member in members:
        member.send(text)


async def by_gather(members: Iterable[Member], text: str) -> None:
    """Return when the slowest of them has taken it."""
    await asyncio.gather(*(member.send_now(text) for member in members))


WAYS: dict[str, Deliver] = {"queue": by_queue, "gather": by_gather}


class Boards:
    """The members of each board; a board exists while it has any."""

    def __init__(self) -> None:
        self._members: dict[str, set[Member]] = {}

    def move(self, member: Member, board: str) -> None:
        """Let ``member`` be on ``board`` and on no other."""
        self.leave(member)
        self._members.setdefault(board, set()).add(member)
        member.board = board

    def leave(self, member: Member) -> None:
        """Take ``member`` off its board, if it is on one."""
        board, member.board = member.board, None
        if board is not None:
            members = self._members[board]
            members.discard(member)
            if not members:
                del self._members[board]

    def on(self, board: str) -> Iterable[Member]:
        """Everybody who is on ``board`` now."""
        return self._members.get(board, ())
