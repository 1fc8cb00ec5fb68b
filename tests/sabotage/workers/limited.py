"""Echo servers with a limit of 200 clients, and of none.

A line is answered with the same line. The argument says what happens to whom.
"""

from __future__ import annotations

import selectors
import socket
import sys

from reference import Reference, read_spec

LIMIT = 200


class Limited(Reference):
    """``refuses`` closes connections beyond the limit, ``never`` every one that asks twice."""

    def serve(self) -> None:
        self.way = sys.argv[1]
        self.clients: dict[socket.socket, bytes] = {}
        self.answered: set[socket.socket] = set()
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
        for key, _ in self.selector.select():
            if key.fileobj == 0:
                if (self.command(0) or {}).get("command") == "stop":
                    return False
            elif key.fileobj is listener:
                self.accept(listener)
            else:
                self.read(key.fileobj)
        return True

    def accept(self, listener: socket.socket) -> None:
        client, _ = listener.accept()
        if self.way == "refuses" and len(self.clients) >= LIMIT:
            client.close()
            return
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.clients[client] = b""
        self.selector.register(client, selectors.EVENT_READ)

    def read(self, client: socket.socket) -> None:
        data = client.recv(65536)
        if not data or (self.way == "never" and client in self.answered):
            self.hang_up(client)
            return
        lines, _, self.clients[client] = (self.clients[client] + data).rpartition(b"\n")
        if lines:
            client.sendall(lines + b"\n")
            self.answered.add(client)

    def hang_up(self, client: socket.socket) -> None:
        self.selector.unregister(client)
        self.clients.pop(client)
        self.answered.discard(client)
        client.close()


if __name__ == "__main__":
    Limited(read_spec()).run()
