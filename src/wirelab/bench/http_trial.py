"""One trial of an HTTP load generator: how much it asked, and what processor time that took.

The time is the kernel's for the whole process (``wait4``), start and end included, so that
programs that are no workers of the contract are measured by the same rule as the engine.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from wirelab.bench.figure import BenchError
from wirelab.cells import statuses
from wirelab.conform.environment import inherited
from wirelab.model.events import CONTRACT
from wirelab.samples import format as samples

PATH = "/"
"""The path that all generators request."""

_SECOND = 1_000_000_000
_PATIENCE = 30.0
_LEAD_NS = 50_000_000
"""From announcing tick 0 to tick 0."""

_WITHOUT_END = 1_000_000_000
"""Ticks of a lane: the trial ends when the engine is told to stop."""

_WRK_REQUESTS = re.compile(r"^\s*(\d+) requests in ", re.MULTILINE)
_WRK_STATUSES = re.compile(r"^\s*Non-2xx or 3xx responses: (\d+)", re.MULTILINE)
_WRK_ERRORS = re.compile(r"^\s*Socket errors: connect (\d+), read (\d+), write (\d+)", re.MULTILINE)


@dataclass(frozen=True)
class GeneratorTrial:
    """The work that a generator did."""

    answered: int
    failed: int
    cpu_seconds: float

    @property
    def per_cpu_second(self) -> float:
        """Requests answered for each second of processor time."""
        return self.answered / self.cpu_seconds


@dataclass(frozen=True)
class AskedTrial:
    """A trial as it is asked for: ``cpus`` are the generator's, all where there are none."""

    endpoint: str
    connections: int
    seconds: float
    cpus: Sequence[int]


@contextmanager
def null_server(command: Sequence[str], cpus: Sequence[int], folder: Path) -> Iterator[str]:
    """The engine's null server while it serves; gives its address."""
    child = _started(command, cpus, _spec(folder, "server"))
    try:
        yield str(_ready(child)["endpoint"])
    finally:
        _finish(child, stop=True)


@dataclass(frozen=True)
class PacedTrial:
    """Requests at a rate that was asked for, as they were recorded (``samples.RECORD``)."""

    records: npt.NDArray[Any]
    cpu_seconds: float


def paced_by_engine(
    command: Sequence[str], asked: AskedTrial, folder: Path, a_second: float
) -> PacedTrial:
    """A trial of the engine with so many requests a second, whatever becomes of them."""
    period_ns = round(_SECOND * asked.connections / a_second)
    count = max(1, round(asked.seconds * _SECOND / period_ns))
    spec = _client_spec(asked, folder, count) | {"trial": "bench-paced"}
    spec["schedule"] |= {"period_ns": period_ns}
    child = _started(command, asked.cpus, spec)
    _ready(child)
    _say(child, {"command": "start", "monotonic_ns": time.monotonic_ns() + _LEAD_NS})
    _, cpu_seconds = _finish(child, stop=False, seconds=asked.seconds)
    # A copy: the next trial writes over the file.
    return PacedTrial(samples.read(Path(spec["paths"]["samples"])).copy(), cpu_seconds)


def _client_spec(asked: AskedTrial, folder: Path, count: int) -> dict[str, Any]:
    """The spec of the engine as a client of so many ticks."""
    step = {"name": "all", "first": 0, "count": count, "settle": 0, "join_ns": 0}
    sizes = {"users": asked.connections, "lanes": asked.connections}
    spec = _spec(folder, "client") | {
        "endpoints": {"server": asked.endpoint},
        "facts": {"server": {"protocol": "http"}},
        "parameters": {"http_path": PATH},
        "operations": {"request": {"code": 1}},
    }
    spec["schedule"] |= {"count": count, "steps": [step | sizes]}
    return spec


def by_engine(command: Sequence[str], asked: AskedTrial, folder: Path) -> GeneratorTrial:
    """A trial of the engine, in a closed loop that is stopped when the time is over."""
    spec = _client_spec(asked, folder, _WITHOUT_END)
    spec["schedule"] |= {"loop": "closed"}
    child = _started(command, asked.cpus, spec)
    _ready(child)
    _say(child, {"command": "start", "monotonic_ns": time.monotonic_ns()})
    time.sleep(asked.seconds)
    _, cpu_seconds = _finish(child, stop=True)
    found = samples.read(Path(spec["paths"]["samples"]))["status"]
    answered = int(np.count_nonzero(found == statuses.OK))
    # The last request of each connection is given up by the end of the trial.
    failed = max(0, len(found) - answered - asked.connections)
    return GeneratorTrial(answered, failed, cpu_seconds)


def by_wrk(command: Sequence[str], asked: AskedTrial, folder: Path) -> GeneratorTrial:
    """A trial of wrk, with one thread."""
    sizes = ["-t", "1", "-c", str(asked.connections), "-d", f"{max(1, round(asked.seconds))}s"]
    said, cpu_seconds = _carried_out([*command, *sizes, asked.endpoint + PATH], asked, folder)
    answered, failed = of_wrk(said)
    return GeneratorTrial(answered, failed, cpu_seconds)


def of_wrk(said: str) -> tuple[int, int]:
    """Requests answered and failed, from what wrk prints; BenchError where it says neither."""
    total = _WRK_REQUESTS.search(said)
    if total is None:
        raise BenchError(f"wrk: {said[-500:]}")
    refused = _WRK_STATUSES.search(said)
    wrong = int(refused[1]) if refused else 0
    broken = _WRK_ERRORS.search(said)
    return int(total[1]) - wrong, wrong + sum(map(int, broken.groups()) if broken else ())


def by_oha(command: Sequence[str], asked: AskedTrial, folder: Path) -> GeneratorTrial:
    """A trial of oha."""
    sizes = ["-c", str(asked.connections), "-z", f"{asked.seconds:g}s"]
    shown = ["--no-tui", "--output-format", "json"]
    said, cpu_seconds = _carried_out(
        [*command, *sizes, *shown, asked.endpoint + PATH], asked, folder
    )
    answered, failed = of_oha(said)
    return GeneratorTrial(answered, failed, cpu_seconds)


def of_oha(said: str) -> tuple[int, int]:
    """Requests answered and failed, from oha's JSON; BenchError for anything else."""
    try:
        found = json.loads(said)
        by_status: Mapping[str, int] = found["statusCodeDistribution"]
        errors: Mapping[str, int] = found["errorDistribution"]
    except (ValueError, LookupError, TypeError):
        raise BenchError(f"oha: {said[-500:]}") from None
    answered = sum(count for status, count in by_status.items() if status.startswith("2"))
    # What the end of the trial cuts off is an error to oha.
    failed = sum(count for what, count in errors.items() if "deadline" not in what)
    return answered, failed + sum(by_status.values()) - answered


def _carried_out(command: Sequence[str], asked: AskedTrial, folder: Path) -> tuple[str, float]:
    child = _popen(command, asked.cpus, inherited(os.environ), folder)
    return _finish(child, stop=False, seconds=asked.seconds)


def _spec(folder: Path, role: str) -> dict[str, Any]:
    """A spec of the contract for a worker without operations."""
    return {
        "contract": CONTRACT,
        "trial": f"bench-{role}",
        "suite": "harness",
        "scenario": "http",
        "role": role,
        "parameters": {},
        "listen": "127.0.0.1:0",
        "operations": {},
        "schedule": {"first_ns": 0, "period_ns": _SECOND, "count": 0},
        "paths": {
            "samples": str(folder / f"{role}.samples"),
            "answers": str(folder / f"{role}.answers.jsonl"),
            "intervals": str(folder / f"{role}.intervals.jsonl"),
            "scratch": str(folder),
        },
        "limits": {
            "ready_ns": 10 * _SECOND,
            "operation_ns": 5 * _SECOND,
            "stop_ns": 5 * _SECOND,
        },
    }


def _started(
    command: Sequence[str], cpus: Sequence[int], spec: Mapping[str, Any]
) -> subprocess.Popen[str]:
    folder = Path(spec["paths"]["scratch"])
    path = folder / f"{spec['role']}.json"
    path.write_text(json.dumps(spec), "utf-8")
    return _popen(command, cpus, {**inherited(os.environ), "WIRELAB_SPEC": str(path)}, folder)


def _popen(
    command: Sequence[str], cpus: Sequence[int], environment: Mapping[str, str], folder: Path
) -> subprocess.Popen[str]:
    with _on(cpus):
        return subprocess.Popen(
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=folder,
            env=dict(environment),
            text=True,
        )


@contextmanager
def _on(cpus: Sequence[int]) -> Iterator[None]:
    """Keep everything that is started within on these processors."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cpus or before)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _ready(child: subprocess.Popen[str]) -> dict[str, Any]:
    assert child.stdout is not None
    for line in child.stdout:
        event: dict[str, Any] = json.loads(line)
        if event["event"] == "ready":
            return event
    _finish(child, stop=True)
    raise BenchError("wirelab's engine ended before it was ready")


def _say(child: subprocess.Popen[str], command: Mapping[str, Any]) -> None:
    assert child.stdin is not None
    child.stdin.write(json.dumps(command) + "\n")
    child.stdin.flush()


def _finish(child: subprocess.Popen[str], *, stop: bool, seconds: float = 0.0) -> tuple[str, float]:
    """The rest of what a process prints, and its processor time in seconds, when it has ended.

    ``stop``: it is a worker, and told to. It is killed when it takes far longer than ``seconds``.
    """
    assert child.stdin is not None
    assert child.stdout is not None
    killer = threading.Timer(seconds + _PATIENCE, child.kill)
    killer.start()
    try:
        if stop and child.poll() is None:
            _say(child, {"command": "stop"})
        said = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
    finally:
        killer.cancel()
        child.stdin.close()
        child.stdout.close()
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode != 0:
        raise BenchError(f"{Path(str(child.args[0])).name} ended with {child.returncode}")  # type: ignore[index]
    return said, usage.ru_utime + usage.ru_stime
