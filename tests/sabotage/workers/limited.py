"""Echo servers with a limit of 200 clients, each of which keeps to it in its own way.

A line is answered with the same line. The argument says what happens beyond the limit.
"""

from __future__ import annotations

import heapq
import os
import selectors
import socket
import sys
import time

from reference import Reference, read_spec

LIMIT = 200
LATE_S = 2.5


class Limited(Reference):
    """``refuses`` closes further connections, ``delays`` answers everybody late, ``crashes``
    ends, and ``never`` is late from the first client on."""

    def serve(self) -> None:
        self.way = sys.argv[1]
        self.clients: dict[socket.socket, bytes] = {}
        self.late: list[tuple[float, int, socket.socket, bytes]] = []
        self.selector = selectors.DefaultSelector()
        host, _, port = self.spec["listen"].partition(":")
        with socket.create_server((host, int(port)), backlog=1024) as listener:
            self.selector.register(0, selectors.EVENT_READ)
            self.selector.register(listener, selectors.EVENT_READ)
            self.say_ready(endpoint=f"tcp://{host}:{listener.getsockname()[1]}")
            while self.turn(listener):
                pass

    def turn(self, listener: socket.socket) -> bool:
        """Everything that is to be done now; False when told to stop."""
        wait = max(0.0, self.late[0][0] - time.monotonic()) if self.late else None
        for key, _ in self.selector.select(wait):
            if key.fileobj == 0:
                if (self.command(0) or {}).get("command") == "stop":
                    return False
            elif key.fileobj is listener:
                self.accept(listener)
            else:
                self.read(key.fileobj)
        while self.late and self.late[0][0] <= time.monotonic():
            _, _, client, lines = heapq.heappop(self.late)
            self.answer(client, lines)
        return True

    def accept(self, listener: socket.socket) -> None:
        client, _ = listener.accept()
        if len(self.clients) >= LIMIT and self.way == "crashes":
            print("more than I can bear", file=sys.stderr, flush=True)
            os._exit(3)
        if len(self.clients) >= LIMIT and self.way == "refuses":
            client.close()
            return
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.clients[client] = b""
        self.selector.register(client, selectors.EVENT_READ)

    def read(self, client: socket.socket) -> None:
        data = client.recv(65536)
        if not data:
            self.selector.unregister(client)
            self.clients.pop(client)
            client.close()
            return
        lines, _, self.clients[client] = (self.clients[client] + data).rpartition(b"\n")
        if not lines:
            return
        if self.is_late():
            due = time.monotonic() + LATE_S
            heapq.heappush(self.late, (due, client.fileno(), client, lines + b"\n"))
        else:
            self.answer(client, lines + b"\n")

    def is_late(self) -> bool:
        return self.way == "never" or (self.way == "delays" and len(self.clients) > LIMIT)

    def answer(self, client: socket.socket, lines: bytes) -> None:
        if client in self.clients:
            client.sendall(lines)


if __name__ == "__main__":
    Limited(read_spec()).run()
