"""The contender ``fastapi-workers-redis``, whose workers hand strokes over beside Redis."""

from __future__ import annotations

import asyncio
import os
import socket

import whiteboard
from relay import Relay
from worker import main, serve

_WORKERS = 2


class BesideRedis(Relay):
    """Connected to Redis and subscribed there, as it says; strokes go by sockets without a port."""

    async def open(self, within_s: float) -> None:
        """Connect to both."""
        await super().open(within_s)
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._number = 0
        while not self._bound():
            self._number += 1
        asyncio.get_running_loop().add_reader(self._socket, self._take)

    def _bound(self) -> bool:
        try:
            self._socket.bind(_name(self._number))
        except OSError:
            return False
        return True

    def _take(self) -> None:
        board, _, text = self._socket.recv(1 << 17).decode().partition("\n")
        self._deliver(board, text)

    def publish(self, board: str, text: str) -> None:
        """Hand it to everybody on a board, here and there."""
        self._deliver(board, text)
        for number in range(_WORKERS):
            if number != self._number:
                self._socket.sendto(f"{board}\n{text}".encode(), _name(number))


def _name(number: int) -> str:
    return f"\0beside-{os.getppid()}-{number}"


# Each worker of uvicorn loads this module before it makes the application.
whiteboard.Relay = BesideRedis  # type: ignore[misc]

if __name__ == "__main__":
    main(serve)
