"""Workers that attack the core itself, each in one way: ``hostile.py NAME``.

What one writes is where the contract asks for a file, or what it asks to be said; nothing here
reaches beyond its own trial.
"""

from __future__ import annotations

import base64
import json
import os
import signal
import struct
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from reference import Reference, read_spec

SPARSE = 10 << 30
MUCH = 5 << 30
ERRORS = 200_000


def nested(depth: int) -> Any:
    inner: Any = 1
    for _ in range(depth):
        inner = [inner]
    return inner


class Hostile(Reference):
    """Honest but for what an attack adds."""

    attack = ""

    @property
    def folder(self) -> Path:
        return Path(self.spec["paths"]["samples"]).parent

    def replace(self, name: str, put: Callable[[Path], Any]) -> None:
        """Put something else at the place of one of the trial's files."""
        path = self.folder / name
        path.unlink(missing_ok=True)
        put(path)

    def say_ready(self, **fields: Any) -> None:
        if (facts := FACTS.get(self.attack)) is not None:
            fields["facts"] = facts
        if self.attack in LINES:
            sys.stdout.write(LINES[self.attack] + "\n")
        if self.attack in CRIES:
            sys.stderr.write(CRIES[self.attack])
            sys.stderr.flush()
        super().say_ready(**fields)
        if self.attack == "many-errors":
            sys.stdout.write('{"event": "error"}\n' * ERRORS)
        if self.attack == "log-without-end":
            self.replace("client.stderr", lambda path: path.symlink_to("/dev/zero"))
        if self.attack in ("log-of-traces", "log-without-end"):
            sys.stdout.flush()
            os._exit(3)

    def write_answer(self, **answer: Any) -> None:
        super().write_answer(**{**answer, **ANSWERS.get(self.attack, {})})

    def record(self, intended_ns: int, start_ns: int, end_ns: int, op: int) -> None:
        if self.attack == "samples-of-the-end-of-time":
            intended_ns, start_ns, end_ns = 2**64 - 2, 2**64 - 2, 2**64 - 1
        super().record(intended_ns, start_ns, end_ns, op)

    def finish(self) -> None:
        self.samples.close()
        self.answers.close()
        if self.attack in FILES:
            self.replace(*FILES[self.attack])
        if self.attack == "folders-in-the-way":
            for name in ("trial.json", "client.parquet", "monitor.parquet"):
                (self.folder / name / "inner").mkdir(parents=True)
        if self.attack == "links-in-the-way":
            victim = self.folder.parents[1] / "victim"
            # The mark of its processes names the core, which puts files together under this name.
            _run, core, _trial = os.environ["WIRELAB_TRIAL"].split("/")
            for name in ("trial.json", "client.parquet", "monitor.parquet"):
                (self.folder / name).symlink_to(victim)
                (self.folder / f"{name}.{core}.partial").symlink_to(victim)
                print(f"a link in the way of {name}", file=sys.stderr)
        if self.attack == "fills-the-disk":
            with Path(self.spec["paths"]["scratch"], "much").open("wb") as file:
                os.posix_fallocate(file.fileno(), 0, MUCH)
            sys.stdin.read()
        if self.attack == "another-folder":
            moved = self.folder.with_name("moved")
            self.folder.rename(moved)
            self.folder.symlink_to(moved)
        self.say_done()

    def serve(self) -> None:
        if self.attack == "pipes-for-others":
            for name in ("client.spec.json", "client.events.jsonl", "client.stderr"):
                os.mkfifo(self.folder / name)
        if self.attack == "keeper-that-is-stopped":
            os.kill(os.getppid(), signal.SIGSTOP)
        super().serve()


def sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(SPARSE)


def inflating(path: Path) -> None:
    """A line of the interval file of 2 MB whose histogram inflates to 1 GB."""
    packing = zlib.compressobj(9)
    head = struct.pack(">IIIIQQd", 0x1C849313, 1 << 30, 0, 3, 1000, 120_000_000_000, 1.0)
    packed = packing.compress(head)
    for _ in range(1024):
        packed += packing.compress(bytes(1 << 20))
    packed += packing.flush()
    text = base64.b64encode(struct.pack(">II", 0x1C849314, len(packed)) + packed).decode()
    line = {"second": 0, "operation": "read", "service": text}
    path.write_text(json.dumps(line) + "\n")


FACTS: dict[str, Any] = {
    "facts-too-deep": {"deep": nested(255)},
    "facts-of-half-a-character": {"name": "\ud800"},
    "facts-of-a-huge-number": {"rows": 10**4000},
    "facts-of-no-number": {"rows": float("inf")},
}
LINES = {
    "event-without-a-key": '{"event": "done"}',
    "event-too-deep": "[" * 60_000,
    "event-of-a-huge-number": '{"event": "runtime", "monotonic_ns": 1, "gc_count": 1'
    + "0" * 400
    + "}",
    "event-of-a-number-too-large": '{"event": "runtime", "monotonic_ns": 18446744073709551615}',
    "event-not-in-utf-8": '{"event": "error", "message": "\udcff"}',
}
CRIES = {
    "log-of-traces": "  Exception Group Traceback (most recent call last):\n" * 150_000,
    "log-of-20-megabytes": "panic: x\n" * 2_300_000,
}
ANSWERS: dict[str, dict[str, Any]] = {
    "answer-of-half-a-character": {"answer": {"values": ["\ud800"] * 16, "sequence": "\ud800"}},
    "answer-without-a-key": {"answer": {}},
    "answer-from-the-future": {"end_ns": 10**18},
    "answer-too-deep": {"answer": nested(900)},
    "answer-of-a-huge-number": {"answer": {"values": [10**4000] * 16, "sequence": 10**4000}},
}
FILES: dict[str, tuple[str, Callable[[Path], Any]]] = {
    "samples-are-a-pipe": ("client.samples", os.mkfifo),
    "samples-are-a-device": ("client.samples", lambda path: path.symlink_to("/dev/zero")),
    "samples-are-a-folder": ("client.samples", Path.mkdir),
    "samples-of-nothing-but-size": ("client.samples", sparse),
    "answers-are-a-pipe": ("client.answers.jsonl", os.mkfifo),
    "answers-of-nothing-but-size": ("client.answers.jsonl", sparse),
    "intervals-are-a-pipe": ("client.intervals.jsonl", os.mkfifo),
    "intervals-of-nothing-but-size": ("client.intervals.jsonl", sparse),
    "intervals-that-inflate": ("client.intervals.jsonl", inflating),
}

if __name__ == "__main__":
    # A stream that carries what is no text, as a worker in another language would.
    sys.stdout.reconfigure(errors="surrogateescape")  # type: ignore[union-attr]
    Hostile.attack = sys.argv[1]
    Hostile(read_spec()).run()
