"""An honest worker that plays many users: a record a lane, joins, and counts by the second.

It follows "Steps and lanes" and "Interval file" of docs/reference/worker-contract.md and talks to
nobody: what it says it has measured is made up, in the form that the contract asks for.
"""

from __future__ import annotations

import json
import struct
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reference import Reference, read_spec

DELIVERIES = 19
"""Size of each message."""


class Crowd(Reference):
    """Operations `rtt` and `connect` have records, `delivery` is counted."""

    def __init__(self, spec: dict[str, Any]) -> None:
        super().__init__(spec)
        self.intervals = Path(spec["paths"]["intervals"]).open("w")  # noqa: SIM115
        self.seconds: Counter[int] = Counter()
        self.begin_ns = 0

    def measure(self) -> None:
        for index in range(self.spec["verify"]["preflight"].get("rtt", 0)):
            self.answer("preflight", index)
        self.answers.flush()
        self.say_ready()
        command = self.command(None)
        if command is None or command["command"] != "start":
            return
        self.begin_ns = command["monotonic_ns"] + self.spec["schedule"]["first_ns"]
        for at_ns, operation, lane, tick in sorted([*self.joins(), *self.turns()]):
            left_ns = self.begin_ns + at_ns - time.monotonic_ns()
            if self.command(max(0, left_ns) / 1e9) is not None:
                break
            self.play(at_ns, operation, lane, tick)

    def joins(self) -> Iterator[tuple[int, str, int, int]]:
        """Time after tick 0, operation, lane and tick of every connection."""
        schedule, before = self.spec["schedule"], 0
        for step in schedule["steps"]:
            added = step["users"] - before
            for turn in range(added):
                at_ns = step["first"] * schedule["period_ns"] + turn * step["join_ns"] // added
                yield at_ns, "connect", before + turn, step["first"]
            before = step["users"]

    def turns(self) -> Iterator[tuple[int, str, int, int]]:
        """The same of every message."""
        schedule, before = self.spec["schedule"], 0
        period_ns, cycle = schedule["period_ns"], schedule["cycle"]
        for step in schedule["steps"]:
            for tick in range(step["first"], step["first"] + step["count"]):
                settled = tick >= step["first"] + step["settle"]
                for lane in range(step["lanes"] if settled else min(before, step["lanes"])):
                    whole = cycle["length"] * period_ns
                    shift = lane * 618033989 % 10**9 * whole // 10**9
                    if (tick - shift // period_ns) % cycle["length"] < cycle["active"]:
                        yield tick * period_ns + shift % period_ns, "rtt", lane, tick
            before = step["lanes"]

    def play(self, at_ns: int, operation: str, lane: int, tick: int) -> None:
        now = time.monotonic_ns()
        code = self.spec["operations"][operation]["code"]
        self.note(self.begin_ns + at_ns, now, code, lane)
        if operation == "rtt":
            self.seconds[at_ns // 10**9] += 1
            self.answer_if_asked(lane, tick)

    def note(self, intended_ns: int, now: int, code: int, lane: int) -> None:
        """A record."""
        fields = (intended_ns, now, now + 1000, 130, code, 0, lane)
        self.samples.write(struct.pack("<QQQIBBH", *fields))
        self.count += 1

    def answer_if_asked(self, lane: int, tick: int) -> None:
        steps = self.spec["schedule"]["steps"]
        step = next(s for s in steps if s["first"] <= tick < s["first"] + s["count"])
        if tick in self.spec["verify"]["ticks"].get("rtt", []) and lane == tick % step["lanes"]:
            self.answer("measure", tick)

    def answer(self, phase: str, tick: int) -> None:
        times = dict.fromkeys(("start_ns", "end_ns"), time.monotonic_ns())
        self.write_answer(phase=phase, operation="rtt", tick=tick, answer={}, **times)

    def finish(self) -> None:
        for second, messages in sorted(self.seconds.items()):
            self.write_second(second, messages * DELIVERIES)
        self.intervals.close()
        super().finish()

    def write_second(self, second: int, deliveries: int) -> None:
        """One line."""
        line = {
            "second": second,
            "operation": "delivery",
            "counts": {"expected": deliveries, "received": deliveries, "wrong": 0},
            "service": self.histogram(deliveries),
            "response": self.histogram(deliveries),
        }
        self.intervals.write(json.dumps(line) + "\n")

    def histogram(self, count: int) -> str:
        """As many durations of 2 ms."""
        from hdrh.histogram import HdrHistogram  # not where a plain Python runs the generator

        histogram = HdrHistogram(1000, 120_000_000_000, 3)
        histogram.record_value(2_000_000, count)
        text: str = histogram.encode().decode()
        return text


if __name__ == "__main__":
    Crowd(read_spec()).run()
