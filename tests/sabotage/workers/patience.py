"""Callers who wait for a frozen server as they were asked to, or not: ``patience.py NAME``."""

from __future__ import annotations

import json
import socket
import struct
import sys
import time
from typing import Any

from reference import Reference, read_spec

OK, TIMEOUT = 0, 2
_A_MOMENT_S = 0.02


class RaisesAsAsked(Reference):
    """Gives a call up after the timeout of the spec, and makes the next one anew."""

    times = 1
    """Time limit of a call, in timeouts; 0: none."""

    def measure(self) -> None:
        """Follow the schedule; what is late is done at once."""
        host, _, port = self.spec["endpoints"]["server"].removeprefix("tcp://").partition(":")
        self.address = (host, int(port))
        asked_s = self.spec["parameters"]["request_timeout_ns"] / 1e9
        self.patience_s = self.times * asked_s or None
        self.connection: socket.socket | None = None
        self.say_ready()
        command = self.command(None)
        if command is None or command["command"] != "start":
            return
        for _, intended_ns in self.ticks(command["monotonic_ns"]):
            self.call(intended_ns)

    def call(self, intended_ns: int) -> None:
        start_ns = time.monotonic_ns()
        status = OK
        try:
            self.ask_for_all()
        except TimeoutError as error:
            status = TIMEOUT
            self.say_error(error, intended_ns)
            if self.connection is not None:
                self.connection.close()
            self.connection = None
        times = (intended_ns, start_ns, time.monotonic_ns())
        code = self.spec["operations"]["read"]["code"]
        self.samples.write(struct.pack("<QQQIBBH", *times, 0, code, status, 0))
        self.count += 1

    def ask_for_all(self) -> None:
        """One read of all tags; a connection whose answer was not waited for is used no more."""
        if self.connection is None:
            self.connection = socket.create_connection(self.address)
            self.connection.settimeout(self.patience_s)
        self.connection.sendall(b"READ\n")
        answer = b""
        while not answer.endswith(b"\n"):
            answer += self.connection.recv(65536)
        json.loads(answer)

    def say_error(self, error: Exception, intended_ns: int) -> None:
        fields: dict[str, Any] = {"class": type(error).__name__, "message": str(error)}
        self.emit(
            "error",
            status="",
            scope="call",
            operation="read",
            intended_ns=intended_ns,
            monotonic_ns=time.monotonic_ns(),
            **fields,
        )


class RaisesLate(RaisesAsAsked):
    """Gives a call up after twice the timeout."""

    times = 2


class IgnoresItsTimeout(RaisesAsAsked):
    """Waits until the server answers, however long that takes."""

    times = 0


class AnswersFromMemory(RaisesAsAsked):
    """Gives the last answer where none comes in a moment, and says that all is well."""

    waits = False

    def call(self, intended_ns: int) -> None:
        """The timeout is its own, and nobody hears of it."""
        self.patience_s = _A_MOMENT_S
        super().call(intended_ns)

    def ask_for_all(self) -> None:
        """Ask, unless it still waits for an answer; silence is as good as one."""
        try:
            if self.waits and self.connection is not None:
                self.connection.recv(65536)
            else:
                super().ask_for_all()
            self.waits = False
        except TimeoutError:
            self.waits = True


CALLERS: dict[str, type[RaisesAsAsked]] = {
    "raises-as-asked": RaisesAsAsked,
    "raises-late": RaisesLate,
    "ignores-its-timeout": IgnoresItsTimeout,
    "answers-from-memory": AnswersFromMemory,
}

if __name__ == "__main__":
    CALLERS[sys.argv[1]](read_spec()).run()
