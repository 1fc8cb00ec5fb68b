"""Workers whose files, times or answers are wrong, each with one step replaced."""

from __future__ import annotations

import os
import struct
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reference import Reference, Server


# --------------------------------------------------------------------------- what it writes
class Truncated(Reference):
    """Loses the end of its last record."""

    def say_done(self) -> None:
        path = self.spec["paths"]["samples"]
        os.truncate(path, Path(path).stat().st_size - 7)
        super().say_done()


class ForeignFile(Reference):
    """Writes a file of another kind."""

    def header(self) -> bytes:
        return b"PK\x03\x04".ljust(32, b"\0")


class ForeignRecordSize(Reference):
    """Says that its records have 40 bytes."""

    def header(self) -> bytes:
        return struct.pack("<8sHHI16x", b"WLSAMPLE", 1, 40, 1)


class ForeignClock(Reference):
    """Records the time of day, and says so."""

    def header(self) -> bytes:
        return struct.pack("<8sHHI16x", b"WLSAMPLE", 1, 32, 0)

    def record(self, intended_ns: int, start_ns: int, end_ns: int, op: int) -> None:
        shift = time.time_ns() - time.monotonic_ns()
        super().record(intended_ns + shift, start_ns + shift, end_ns + shift, op)


class NoSamples(Reference):
    """Says ``done`` and has no sample file."""

    def say_done(self) -> None:
        Path(self.spec["paths"]["samples"]).unlink()
        super().say_done()


class Miscounts(Reference):
    """Says that it wrote more records than it did."""

    def say_done(self) -> None:
        self.count += 3
        super().say_done()


class WrongChecksum(Reference):
    """Says a checksum that its answers do not have."""

    def say_done(self) -> None:
        self.checksum ^= 1
        super().say_done()


class AnswersFirst(Reference):
    """Gives answers while records of which they tell are still its own."""

    def publish(self) -> int:
        return self.count


# ---------------------------------------------------------------------- how it keeps time
class DropsTicks(Reference):
    """Leaves out every seventh tick."""

    def ticks(self, start_ns: int) -> Iterator[tuple[int, int]]:
        for tick, intended_ns in super().ticks(start_ns):
            if tick % 7 != 6:
                yield tick, intended_ns


class StartsLate(Reference):
    """Begins every operation 8 ms after its time."""

    def perform(self, phase: str, tick: int, intended_ns: int, due: list[str]) -> None:
        if phase == "measure":
            time.sleep(0.008)
        super().perform(phase, tick, intended_ns, due)


class MovesTicks(StartsLate):
    """Begins late, and records as intended the time it began at."""

    def record(self, intended_ns: int, start_ns: int, end_ns: int, op: int) -> None:
        super().record(start_ns, start_ns, end_ns, op)


# --------------------------------------------------------------------------- what it answers
class Cached(Reference):
    """Asks once, and then answers from memory."""

    memory: dict[str, Any] | None = None

    def take(self, operation: str) -> dict[str, Any]:
        answer = super().take(operation)
        if operation == "read":
            self.memory = answer = self.memory or answer
        return answer


class Constant(Reference):
    """Answers 42 for every tag."""

    def take(self, operation: str) -> dict[str, Any]:
        answer = super().take(operation)
        return {"values": [42] * 16} if operation == "read" else answer


class Swapped(Reference):
    """Gives two tags each other's values, after the preflight."""

    def perform(self, phase: str, tick: int, intended_ns: int, due: list[str]) -> None:
        self.phase = phase
        super().perform(phase, tick, intended_ns, due)

    def take(self, operation: str) -> dict[str, Any]:
        answer = super().take(operation)
        if operation == "read" and self.phase == "measure":
            values = answer["values"]
            values[1], values[2] = values[2], values[1]
        return answer


class LosesWrites(Reference):
    """Says that it wrote, and sends only the first write."""

    sent = 0

    def ask(self, operation: str, phase: str, tick: int) -> None:
        self.asked = self.sequence(phase, tick)
        if operation == "read" or not self.sent:
            super().ask(operation, phase, tick)

    def take(self, operation: str) -> dict[str, Any]:
        if operation == "write" and self.sent:
            return {"sequence": self.asked}
        self.sent += operation == "write"
        return super().take(operation)


# ------------------------------------------------------------------ a server that misbehaves
class ServerNeverReady(Reference):
    """Its server does not get ready."""

    def serve(self) -> None:
        time.sleep(300)


class ServerDies(Reference):
    """Its server dies at the tenth request."""

    requests = 0

    def reply(self, server: Server, words: list[str]) -> dict[str, Any]:
        self.requests += 1
        if self.requests >= 10:
            print("the server has had enough", file=sys.stderr, flush=True)
            os._exit(5)
        return super().reply(server, words)
