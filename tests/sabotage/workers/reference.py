"""An honest worker in plain Python: server and client over a trivial loopback protocol.

It follows docs/reference/worker-contract.md without an SDK, and every step that `deviations.py`
gets wrong is a method of its own. The protocol: the client sends ``READ`` or ``WRITE n`` and a
newline, the server answers with one line of JSON. Values are those of the suite's verify.py.
"""

from __future__ import annotations

import json
import os
import platform
import select
import socket
import socketserver
import struct
import sys
import threading
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

CONTRACT = 2
GENERATION_NS = 5_000_000
MEASURE_SEQUENCE = 1_000_000
PREFLIGHT_SEQUENCE = 900_000


def value(tag: int, generation: int) -> int:
    """The value of ``tag`` in ``generation``, or in a write with that sequence."""
    return (tag * 7919 + generation * 104729) % 2**31


class Kept(NamedTuple):
    """An operation that has ended, and what it brought."""

    tick: int
    start_ns: int
    end_ns: int
    answer: Any


class Reference:
    """One role of one trial: keeps what the last tick brought, and answers with that."""

    contract = CONTRACT

    def __init__(self, spec: dict[str, Any]) -> None:
        self.spec = spec
        self.count = 0
        self.answer_count = 0
        self.checksum = 0
        self.commands = b""
        self.kept: dict[str, Kept | None] = {}
        self.samples: IO[bytes] = Path(spec["paths"]["samples"]).open("wb")  # noqa: SIM115
        self.answers: IO[bytes] = Path(spec["paths"]["answers"]).open("wb")  # noqa: SIM115
        self.samples.write(self.header())
        self.samples.flush()

    def run(self) -> None:
        """Play the role to its end."""
        if self.spec["role"] == "server":
            self.serve()
        else:
            self.measure()
        self.finish()

    # ------------------------------------------------------------------ the contract
    def header(self) -> bytes:
        return struct.pack("<8sHHI16x", b"WLSAMPLE", 1, 32, 1)

    def emit(self, event: str, **fields: Any) -> None:
        sys.stdout.write(json.dumps({"event": event, **fields}) + "\n")
        sys.stdout.flush()

    def say_ready(self, **fields: Any) -> None:
        self.emit(
            "ready",
            contract=self.contract,
            monotonic_ns=time.monotonic_ns(),
            library={"name": "loopback", "version": "1.0"},
            runtime={"name": platform.python_implementation(), "version": "3"},
            **fields,
        )

    def command(self, timeout_s: float | None) -> dict[str, Any] | None:
        """The next command, the end of input as ``stop``; None when none came in time."""
        while b"\n" not in self.commands:
            if not select.select([0], [], [], timeout_s)[0]:
                return None
            data = os.read(0, 65536)
            if not data:
                return {"command": "stop"}
            self.commands += data
        line, _, self.commands = self.commands.partition(b"\n")
        command: dict[str, Any] = json.loads(line)
        return command

    def ticks(self, start_ns: int) -> Iterator[tuple[int, int]]:
        """Every tick at its time, with its intended time, until told to stop."""
        schedule = self.spec["schedule"]
        for tick in range(schedule["count"]):
            intended_ns = start_ns + schedule["first_ns"] + tick * schedule["period_ns"]
            while True:
                left_ns = max(0, intended_ns - time.monotonic_ns())
                command = self.command(left_ns / 1e9)
                if command is None:
                    break
                if command["command"] != "answer":
                    return
                self.hear(**command)
            yield tick, intended_ns

    def record(self, intended_ns: int, start_ns: int, end_ns: int, op: int) -> None:
        self.samples.write(struct.pack("<QQQIBBH", intended_ns, start_ns, end_ns, 0, op, 0, 0))
        self.count += 1

    def write_answer(self, **answer: Any) -> None:
        data = json.dumps(answer).encode() + b"\n"
        self.answers.write(data)
        self.checksum = zlib.crc32(data, self.checksum)
        self.answer_count += 1

    def say_done(self) -> None:
        self.emit(
            "done",
            records=self.count,
            answers=self.answer_count,
            checksum=f"{self.checksum:08x}",
        )

    def finish(self) -> None:
        """Complete the files, then say so."""
        self.samples.close()
        self.answers.close()
        self.say_done()

    # ---------------------------------------------------------------------- the client
    def measure(self) -> None:
        """Connect, prove the answers, then follow the schedule."""
        host, _, port = self.spec["endpoints"]["server"].removeprefix("tcp://").partition(":")
        self.lines = {}
        for operation in self.spec["operations"]:
            connection = socket.create_connection((host, int(port)))
            self.lines[operation] = connection.makefile("rwb")
        for operation, count in self.spec["verify"]["preflight"].items():
            for index in range(count):
                self.perform("preflight", index, time.monotonic_ns(), [operation])
        self.answers.flush()
        self.say_ready()
        command = self.command(None)
        if command is None or command["command"] != "start":
            return
        for tick, intended_ns in self.ticks(command["monotonic_ns"]):
            operations = self.spec["operations"].items()
            due = [name for name, entry in operations if tick % entry["every"] == 0]
            self.perform("measure", tick, intended_ns, due)

    def perform(self, phase: str, tick: int, intended_ns: int, due: list[str]) -> None:
        """Issue the operations together, then take each answer."""
        self.kept = {}
        begun = {}
        for name in due:
            begun[name] = time.monotonic_ns()
            self.ask(name, phase, tick)
        ended = {name: (self.take(name), time.monotonic_ns()) for name in due}
        for name in due:
            answer, end_ns = ended[name]
            kept = Kept(tick, begun[name], end_ns, answer)
            if phase == "measure":
                self.end(kept, name, intended_ns)
            else:
                self.write_answer(phase=phase, operation=name, **kept._asdict())

    def end(self, kept: Kept, name: str, intended_ns: int) -> None:
        """Record an operation, and keep what it brought."""
        self.kept[name] = kept
        code = self.spec["operations"][name]["code"]
        self.record(intended_ns, kept.start_ns, kept.end_ns, code)

    def hear(self, asked: int, operation: str, lane: int, **_: Any) -> None:
        """Answer an asking."""
        which = {"operation": operation, "asked": asked, "lane": lane}
        if operation not in self.kept:
            self.decline("nothing", **which)
            return
        kept = self.kept[operation]
        if kept is None:
            self.decline("given", **which)
            return
        self.kept[operation] = None
        self.give(kept, **which)

    def decline(self, reason: str, **which: Any) -> None:
        self.write_answer(phase="measure", **which, none=reason)

    def give(self, kept: Kept, **which: Any) -> None:
        begin_ns = max(kept.end_ns, time.monotonic_ns())
        records = self.publish()
        pause = [begin_ns, max(begin_ns, time.monotonic_ns())]
        said = {"records": records, "pause": pause}
        self.write_answer(phase="measure", **which, **kept._asdict(), **said)
        self.answers.flush()

    def publish(self) -> int:
        """Write what was recorded to the file; how many records it has then."""
        self.samples.flush()
        return self.count

    def ask(self, operation: str, phase: str, tick: int) -> None:
        request = operation.upper()
        if operation == "write":
            request += f" {self.sequence(phase, tick)}"
        self.lines[operation].write(request.encode() + b"\n")
        self.lines[operation].flush()

    def take(self, operation: str) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(self.lines[operation].readline())
        return answer

    @staticmethod
    def sequence(phase: str, tick: int) -> int:
        return (MEASURE_SEQUENCE if phase == "measure" else PREFLIGHT_SEQUENCE) + tick

    # ---------------------------------------------------------------------- the server
    def serve(self) -> None:
        """Answer until told to stop."""
        host, _, port = self.spec["listen"].partition(":")
        with Server((host, int(port)), Connection) as server:
            server.worker = self
            threading.Thread(target=server.serve_forever, daemon=True).start()
            self.say_ready(
                endpoint=f"tcp://{host}:{server.server_address[1]}",
                facts={"epoch_ns": server.epoch_ns, "generation_ns": GENERATION_NS},
            )
            while (command := self.command(None)) is None or command["command"] != "stop":
                pass

    def reply(self, server: Server, words: list[str]) -> dict[str, Any]:
        """The answer to one request."""
        parameters = self.spec["parameters"]
        if words[0] == "WRITE":
            server.written = int(words[1])
            return {"sequence": server.written}
        generation = (time.monotonic_ns() - server.epoch_ns) // GENERATION_NS
        source = {True: server.written or generation, False: generation}
        stride = parameters["write_every"]
        return {"values": [value(t, source[t % stride == 0]) for t in range(parameters["tags"])]}


class Server(socketserver.ThreadingTCPServer):
    """The tags: the time they count generations from, and the last write."""

    daemon_threads = True
    allow_reuse_address = True
    worker: Reference

    def __init__(self, address: tuple[str, int], handler: type[Connection]) -> None:
        super().__init__(address, handler)
        self.epoch_ns = time.monotonic_ns()
        self.written = 0


class Connection(socketserver.StreamRequestHandler):
    """One client's requests, a line each."""

    server: Server
    disable_nagle_algorithm = True

    def handle(self) -> None:
        for line in self.rfile:
            answer = self.server.worker.reply(self.server, line.decode().split())
            self.wfile.write(json.dumps(answer).encode() + b"\n")


def read_spec() -> dict[str, Any]:
    """The spec of this process; ends it with 2 when there is none to be used."""
    try:
        spec: dict[str, Any] = json.loads(Path(os.environ["WIRELAB_SPEC"]).read_bytes())
        if spec["contract"] != CONTRACT:
            raise ValueError(f"contract {spec['contract']}")
    except (OSError, ValueError, KeyError) as error:
        print(f"no usable spec: {error!r}", file=sys.stderr)
        sys.exit(2)
    return spec


if __name__ == "__main__":
    Reference(read_spec()).run()
