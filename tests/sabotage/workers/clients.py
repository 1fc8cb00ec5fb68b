"""Many clients of an echo server in one process: an honest load generator in plain Python.

It follows "Steps and lanes" of docs/reference/worker-contract.md. A client joins by an echo of its
own, so that being connected means having been answered.
"""

from __future__ import annotations

import selectors
import socket
import struct
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from crowd import Crowd
from reference import read_spec

OK, TIMEOUT, DISCONNECTED, REFUSED = 0, 2, 3, 4


@dataclass
class Client:
    """A user: its connection, and what it waits for in the order it was asked."""

    lane: int
    connection: socket.socket | None = None
    waiting: deque[tuple[int, int, str]] = field(default_factory=deque)
    """(intended, start, operation)."""
    rest: bytes = b""


class Clients(Crowd):
    """Operations `echo` and `connect`, of all users."""

    def __init__(self, spec: dict[str, Any]) -> None:
        super().__init__(spec)
        self.selector = selectors.DefaultSelector()
        self.clients: dict[int, Client] = {}
        host, _, port = spec["endpoints"]["server"].removeprefix("tcp://").partition(":")
        self.address = (host, int(port))

    def measure(self) -> None:
        self.preflight()
        self.say_ready()
        command = self.command(None)
        if command is None or command["command"] != "start":
            return
        self.begin_ns = command["monotonic_ns"] + self.spec["schedule"]["first_ns"]
        self.selector.register(0, selectors.EVENT_READ)
        turns = [(at_ns, "echo", lane, tick) for at_ns, _, lane, tick in self.turns()]
        self.follow(deque(sorted([*self.joins(), *turns])))
        for client in self.clients.values():
            self.give_up(client, TIMEOUT)

    def preflight(self) -> None:
        for tick in range(self.spec["verify"]["preflight"].get("echo", 0)):
            with socket.create_connection(self.address) as connection:
                start_ns = time.monotonic_ns()
                connection.sendall(f"echo {tick}\n".encode())
                text = connection.makefile("r").readline().strip()
                times = {"start_ns": start_ns, "end_ns": time.monotonic_ns()}
            answer = {"text": text}
            self.write_answer(
                phase="preflight", operation="echo", tick=tick, answer=answer, **times
            )
        self.answers.flush()

    def follow(self, due: deque[tuple[int, str, int, int]]) -> None:
        """Everything at its time; then wait for what is still to come, as long as it may take."""
        last_ns = self.begin_ns + due[-1][0] + self.spec["limits"]["operation_ns"]
        while due or any(client.waiting for client in self.clients.values()):
            now = time.monotonic_ns()
            if not due and now > last_ns:
                return
            while due and self.begin_ns + due[0][0] <= now:
                at_ns, operation, lane, _ = due.popleft()
                self.perform_one(self.begin_ns + at_ns, operation, lane)
            until_ns = self.begin_ns + due[0][0] if due else last_ns
            for key, _ in self.selector.select(max(0, until_ns - time.monotonic_ns()) / 1e9):
                if key.fileobj == 0:
                    if (self.command(0) or {}).get("command") == "stop":
                        return
                else:
                    self.read(key.data)

    def perform_one(self, intended_ns: int, operation: str, lane: int) -> None:
        start_ns = time.monotonic_ns()
        client = self.clients.setdefault(lane, Client(lane))
        if operation == "connect":
            try:
                client.connection = socket.create_connection(self.address, timeout=1)
            except OSError:
                self.done(client, (intended_ns, start_ns, operation), REFUSED)
                return
            client.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.selector.register(client.connection, selectors.EVENT_READ, client)
        if client.connection is None:
            self.done(client, (intended_ns, start_ns, operation), DISCONNECTED)
            return
        client.waiting.append((intended_ns, start_ns, operation))
        try:
            client.connection.sendall(b"echo\n")
        except OSError:
            self.lose(client)

    def read(self, client: Client) -> None:
        if client.connection is None:
            return
        try:
            data = client.connection.recv(65536)
        except OSError:
            data = b""
        if not data:
            self.lose(client)
            return
        *lines, client.rest = (client.rest + data).split(b"\n")
        for _ in lines:
            self.done(client, client.waiting.popleft(), OK)

    def lose(self, client: Client) -> None:
        if client.connection is not None:
            self.selector.unregister(client.connection)
            client.connection.close()
            client.connection = None
        self.give_up(client, DISCONNECTED)

    def give_up(self, client: Client, status: int) -> None:
        while client.waiting:
            self.done(client, client.waiting.popleft(), status)

    def done(self, client: Client, asked: tuple[int, int, str], status: int) -> None:
        intended_ns, start_ns, operation = asked
        code = self.spec["operations"][operation]["code"]
        times = (intended_ns, start_ns, time.monotonic_ns())
        self.samples.write(struct.pack("<QQQIBBH", *times, 5, code, status, client.lane))
        self.count += 1


if __name__ == "__main__":
    Clients(read_spec()).run()
