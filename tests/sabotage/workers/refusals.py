"""A server that refuses single tags, and callers who say so, or do not: ``refusals.py NAME``."""

from __future__ import annotations

import json
import socket
import struct
import sys
import time
from typing import Any

from reference import Reference, Server, read_spec

OK, REFUSED, ITEM_ERROR = 0, 4, 5
TAGS = {"unknown-tag": 3, "secret-tag": 5}


class Honest(Reference):
    """Asks for the tag that the probe names among the others, and records what became of it."""

    heeds: tuple[str, ...] = tuple(TAGS)
    """Probes that it knows."""

    hides = False
    """Whether every call passes for a good one."""

    status = OK

    def measure(self) -> None:
        """Connect before, or anew at each tick where connecting is timed."""
        if self.spec["parameters"]["connect"] != "timed":
            super().measure()
            return
        self.say_ready()
        command = self.command(None)
        if command is None or command["command"] != "start":
            return
        code = self.spec["operations"]["read"]["code"]
        for _, intended_ns in self.ticks(command["monotonic_ns"]):
            start_ns = time.monotonic_ns()
            self.status = self.read_once()
            self.record(intended_ns, start_ns, time.monotonic_ns(), code)

    def read_once(self) -> int:
        """Connect, read and hang up; the status of that."""
        host, _, port = self.spec["endpoints"]["server"].removeprefix("tcp://").partition(":")
        try:
            with socket.create_connection((host, int(port))) as connection:
                connection.sendall(self.request())
                return ITEM_ERROR if json.loads(connection.makefile().readline())["bad"] else OK
        except OSError:
            return REFUSED

    def request(self) -> bytes:
        """A line that asks for all tags, with the one that is refused."""
        probe = self.spec["parameters"]["probe"]
        return f"READ {TAGS[probe]}\n".encode() if probe in self.heeds else b"READ\n"

    def ask(self, operation: str, phase: str, tick: int) -> None:
        """Send the request of a read."""
        self.lines[operation].write(self.request())
        self.lines[operation].flush()

    def take(self, operation: str) -> dict[str, Any]:
        """Take the answer, and look at its items."""
        answer = super().take(operation)
        self.status = ITEM_ERROR if answer["bad"] else OK
        return answer

    def record(self, intended_ns: int, start_ns: int, end_ns: int, op: int) -> None:
        """Record the call with its status."""
        status = OK if self.hides else self.status
        fields = (intended_ns, start_ns, end_ns, 0, op, status, 0)
        self.samples.write(struct.pack("<QQQIBBH", *fields))
        self.count += 1

    def reply(self, server: Server, words: list[str]) -> dict[str, Any]:
        """The answer to one request, without the tags that it refuses."""
        answer = super().reply(server, words[:1])
        bad = [int(word) for word in words[1:]]
        for tag in bad:
            answer["values"][tag] = None
        return {**answer, "bad": bad}


class IgnoresItsProbe(Honest):
    """Reads what it always reads."""

    heeds = ()


class HeedsOneProbe(Honest):
    """Knows the first probe alone."""

    heeds = ("unknown-tag",)


class HidesBadItems(Honest):
    """Does as it is asked, and calls it good."""

    hides = True


CALLERS: dict[str, type[Honest]] = {
    "honest": Honest,
    "ignores-its-probe": IgnoresItsProbe,
    "heeds-one-probe": HeedsOneProbe,
    "hides-bad-items": HidesBadItems,
}

if __name__ == "__main__":
    CALLERS[sys.argv[1]](read_spec()).run()
