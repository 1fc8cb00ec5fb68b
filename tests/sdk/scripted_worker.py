"""The scripted worker of an SDK: compiled as it is, and a process of it as the core sees it."""

from __future__ import annotations

import json
import os
import struct
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

import pytest

from wirelab.build import Part, PartBuilds
from wirelab.model.builds import Build, RunCommand

ROOT = Path(__file__).parents[2]
RECORD = struct.Struct("<QQQIBBH")
PERIOD_NS, HOUR_NS = 10_000_000, 3_600_000_000_000
PATIENCE_S = 30


LANGUAGES = [
    pytest.param("csharp", marks=pytest.mark.needs("dotnet")),
    pytest.param("java", marks=pytest.mark.needs("javac")),
]
"""The languages whose SDKs have a scripted worker."""


def compile_worker(language: str, folder: Path) -> list[str]:
    """The command that runs the scripted worker, compiled without a warning."""
    return _csharp() if language == "csharp" else _java(folder)


def _csharp() -> list[str]:
    """In the store of builds, where its content is compiled once."""
    source = ROOT / "sdk" / "csharp" / "test"
    run = RunCommand(command=["{dotnet}", "{build}/app/app.dll"])
    build = Build(kind="dotnet")
    part = Part("sdk", "csharp", "tests of the SDK for C#", source=source, build=build, run=run)
    return PartBuilds(ROOT).prepare(part).command("")


def _java(classes: Path) -> list[str]:
    source = ROOT / "sdk" / "java" / "src"
    sources = [*source.glob("main/**/*.java"), *source.glob("test/**/Scripted*.java")]
    options = ["--release", "17", "-Xlint:all", "-Werror", "-encoding", "UTF-8"]
    subprocess.run(["javac", *options, "-d", classes, *sources], check=True)
    runtime = ["java", "-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
    return [*runtime, "-cp", str(classes), "io.wirelab.sdk.ScriptedWorker"]


def read_samples(path: Path) -> list[tuple[int, ...]]:
    """The records of a sample file whose header is right."""
    content = path.read_bytes()
    assert content[:32] == b"WLSAMPLE" + struct.pack("<HHI", 1, 32, 1) + bytes(16)
    return list(RECORD.iter_unpack(content[32:]))


class Worker:
    """The scripted worker as the core sees it."""

    def __init__(self, command: list[str], folder: Path, spec: dict[str, Any]) -> None:
        self.folder = folder
        file = folder / "spec.json"
        file.write_text(json.dumps(spec), encoding="utf-8")
        env = os.environ | {"WIRELAB_SPEC": str(file)}
        with (folder / "stderr").open("wb") as stderr:
            self.process = Popen(command, stdin=PIPE, stdout=PIPE, stderr=stderr, env=env)
        assert self.process.stdin
        assert self.process.stdout
        self.stdin, self.stdout = self.process.stdin, self.process.stdout
        self.events: list[dict[str, Any]] = []

    def until(self, name: str) -> dict[str, Any]:
        """The next event called ``name``."""
        for line in self.stdout:
            self.events.append(json.loads(line))
            if self.events[-1]["event"] == name:
                return self.events[-1]
        raise AssertionError(f"no {name}: {self.events} {self.stderr()}")

    def until_said(self, text: str) -> None:
        """Wait until the scripted client says on standard error what it did."""
        while f"{text}\n" not in self.stderr():
            assert self.process.poll() is None, self.stderr()
            time.sleep(0.01)

    def say(self, line: str) -> None:
        """Send it a line."""
        self.stdin.write(line.encode() + b"\n")
        self.stdin.flush()

    def start(self) -> int:
        """Start at a time to come, which is returned."""
        at = time.monotonic_ns() + PERIOD_NS
        self.say(json.dumps({"command": "start", "monotonic_ns": at}))
        return at

    def ask(self, operation: str, number: int) -> None:
        """Ask for an answer of its only lane."""
        asking = {"command": "answer", "asked": number, "operation": operation, "lane": 0}
        self.say(json.dumps(asking))

    def run(self) -> list[tuple[int, ...]]:
        """The records of the whole schedule."""
        self.until("ready")
        self.start()
        self.until("done")
        assert self.process.wait(PATIENCE_S) == 0
        return read_samples(self.folder / "samples")

    def stderr(self) -> str:
        """Its words there so far."""
        return (self.folder / "stderr").read_text(encoding="utf-8")

    def errors(self) -> list[list[str]]:
        """Scope, class, status and operation of each error said so far."""
        said = [event for event in self.events if event["event"] == "error"]
        return [[e[k] for k in ("scope", "class", "status", "operation")] for e in said]


@contextmanager
def running(command: list[str], folder: Path, **changes: Any) -> Iterator[Worker]:
    """A worker with a short schedule, or with a spec changed; it has ended afterwards."""
    about = {"contract": 2, "trial": "1", "suite": "s", "scenario": "c", "contender": "x"}
    operations = {"read": {"code": 1, "items": 1}, "write": {"code": 2, "every": 3, "items": 1}}
    spec: dict[str, Any] = {
        "role": "client",
        "operations": operations,
        "schedule": {"first_ns": 7, "period_ns": PERIOD_NS, "count": 10, "warmup": 2},
        "verify": {"preflight": {"read": 2}},
        "paths": {name: str(folder / name) for name in ("samples", "answers", "scratch")},
        "limits": {"ready_ns": HOUR_NS, "operation_ns": HOUR_NS, "stop_ns": 1_000_000_000},
    }
    worker = Worker(command, folder, about | spec | changes)
    hung = threading.Timer(PATIENCE_S, worker.process.kill)
    hung.start()
    try:
        yield worker
    finally:
        hung.cancel()
        worker.process.kill()
        worker.process.communicate()
