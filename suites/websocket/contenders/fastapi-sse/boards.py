"""Listeners of each board, and the events that each of them still has to get."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator


class Listener:
    """One stream of events. What it is to get waits in a queue that its own response empties."""

    def __init__(self, backlog: int) -> None:
        self._waiting: asyncio.Queue[bytes] = asyncio.Queue(backlog)
        self._lost = False

    def send(self, event: bytes) -> None:
        """Queue ``event``; one whose queue is full gets nothing more, and its stream ends."""
        try:
            self._waiting.put_nowait(event)
        except asyncio.QueueFull:
            self._lost = True

    async def events(self) -> AsyncIterator[bytes]:
        """Give queued events until one was lost."""
        while not self._lost:
            yield await self._waiting.get()


class Boards:
    """The listeners of each board; a board exists while it has any."""

    def __init__(self) -> None:
        self._listeners: dict[str, set[Listener]] = {}

    def enter(self, listener: Listener, board: str) -> None:
        """Let ``listener`` be on ``board``."""
        self._listeners.setdefault(board, set()).add(listener)

    def leave(self, listener: Listener, board: str) -> None:
        """Take ``listener`` off ``board``."""
        listeners = self._listeners[board]
        listeners.discard(listener)
        if not listeners:
            del self._listeners[board]

    def send(self, board: str, event: bytes) -> None:
        """Queue ``event`` for everybody who is on ``board`` now."""
        for listener in self._listeners.get(board, ()):
            listener.send(event)
