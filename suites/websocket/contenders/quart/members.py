"""Members of each board, and the messages that each of them still has to get."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable

Send = Callable[[str], Awaitable[None]]


class DismissedError(Exception):
    """The server ends this connection: it is to stop, or the member does not read."""


class Member:
    """One connection. What it is to get waits in a queue that its own task empties.

    So messages keep their order, and a member that reads slowly holds up nobody else.
    """

    def __init__(self, send: Send, backlog: int) -> None:
        self.board: str | None = None
        self._send = send
        self._waiting: asyncio.Queue[str] = asyncio.Queue(backlog)
        self._writing: asyncio.Task[None] | None = None
        self._lost = False

    def dismiss(self) -> None:
        """End the connection without sending what still waits."""
        self._lost = True
        if self._writing is not None:
            self._writing.cancel()

    def send(self, text: str) -> None:
        """Queue ``text``; a member whose queue is full loses its connection instead."""
        try:
            self._waiting.put_nowait(text)
        except asyncio.QueueFull:
            self.dismiss()

    async def write(self) -> None:
        """Send what is queued until cancelled; DismissedError when that was by `dismiss`."""
        self._writing = asyncio.current_task()
        try:
            while True:
                await self._send(await self._waiting.get())
        except asyncio.CancelledError:
            if self._lost:
                raise DismissedError from None
            raise


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

    def dismiss(self) -> None:
        """End the connections of everybody."""
        for members in self._members.values():
            for member in members:
                member.dismiss()

    def on(self, board: str) -> Iterable[Member]:
        """Everybody who is on ``board`` now."""
        return self._members.get(board, ())
