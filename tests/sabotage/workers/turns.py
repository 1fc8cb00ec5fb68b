"""An honest worker of closed loops: its lanes wait for their results, which it makes up.

It follows "Closed loop" of docs/reference/worker-contract.md and talks to nobody; every part that
a test gets wrong is a method of its own.
"""

from __future__ import annotations

import json
import struct
import time
from pathlib import Path
from typing import Any

from reference import Kept, Reference, read_spec


class Stopped(Exception):  # noqa: N818 - what the core asks for is no error
    """The core has said stop."""


class Turns(Reference):
    """Operations `echo`, `report`, `receipt` and `connect` have records, `delivery` is counted."""

    def __init__(self, spec: dict[str, Any]) -> None:
        super().__init__(spec)
        self.intervals = Path(spec["paths"]["intervals"]).open("w")  # noqa: SIM115
        self.tick0_ns = 0
        self.kept_of: dict[int, dict[str, Kept | None]] = {}

    def measure(self) -> None:
        self.say_ready()
        command = self.command(None)
        if command is None or command["command"] != "start":
            return
        self.tick0_ns = command["monotonic_ns"]
        while (left_ns := self.tick0_ns - time.monotonic_ns()) > 0:
            time.sleep(left_ns / 1e9)
        users = 0
        try:
            for step in self.spec["schedule"]["steps"]:
                self.join(range(users, step["users"]))
                users = step["users"]
                self.play(step)
        except Stopped:
            pass

    def play(self, step: dict[str, Any]) -> None:
        """Settle, take every turn, and tell of the step."""
        first = step["first"]
        self.take_turns(step, range(first, first + step["settle"]))
        begin_ns = time.monotonic_ns()
        self.take_turns(step, range(first + step["settle"], first + step["count"]))
        self.receive(step, begin_ns)
        end_ns = time.monotonic_ns() + 1
        self.count_deliveries(step, (begin_ns - self.tick0_ns) // 10**9)
        while time.monotonic_ns() <= end_ns:
            pass
        self.say_step(step["name"], begin_ns, end_ns)

    def join(self, users: range) -> None:
        for user in users:
            self.turn("connect", user)

    def take_turns(self, step: dict[str, Any], ticks: range) -> None:
        for tick in ticks:
            self.listen()
            for lane in range(step["lanes"]):
                self.turns_at(step, tick, lane)

    def listen(self) -> None:
        """Answer what was asked between the turns of a lane; Stopped when told to stop."""
        while (command := self.command(0)) is not None:
            if command["command"] != "answer":
                raise Stopped
            self.kept = self.kept_of.get(command["lane"], {})
            self.hear(**command)

    def turns_at(self, step: dict[str, Any], tick: int, lane: int) -> None:
        self.kept_of[lane] = {}
        for name in ("echo", "report"):
            if tick % self.spec["operations"][name]["every"] == 0:
                start_ns, end_ns = self.turn(name, lane)
                self.kept_of[lane][name] = Kept(tick, start_ns, end_ns, {})

    def turn(self, name: str, lane: int, start_ns: int = 0) -> tuple[int, int]:
        """A record of something that is over at once; returns its start and end."""
        start_ns, end_ns = start_ns or time.monotonic_ns(), time.monotonic_ns()
        self.note(name, lane, start_ns, start_ns, end_ns)
        return start_ns, end_ns

    def note(self, name: str, lane: int, intended_ns: int, start_ns: int, end_ns: int) -> None:
        code = self.spec["operations"][name]["code"]
        fields = (intended_ns, start_ns, end_ns, 100, code, 0, lane)
        self.samples.write(struct.pack("<QQQIBBH", *fields))
        self.count += 1

    def receive(self, step: dict[str, Any], begin_ns: int) -> None:
        for user in range(step["users"]):
            self.turn("receipt", user, begin_ns)

    def count_deliveries(self, step: dict[str, Any], second: int) -> None:
        sent = step["lanes"] * (step["count"] - step["settle"])
        counts = {"expected": sent, "received": sent}
        self.write_line(second=second, operation="delivery", step=step["name"], counts=counts)

    def write_line(self, **line: Any) -> None:
        self.intervals.write(json.dumps(line) + "\n")

    def say_step(self, name: str, begin_ns: int, end_ns: int) -> None:
        self.emit("step", name=name, begin_ns=begin_ns, end_ns=end_ns)

    def finish(self) -> None:
        self.intervals.close()
        super().finish()


if __name__ == "__main__":
    Turns(read_spec()).run()
