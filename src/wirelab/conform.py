"""Checks a worker against the worker contract, version 1: ``python3 conform.py PATH``.

Plays the core for one short trial a check, prints one line a check, and exits with 0 when
none failed, 1 when one did, 2 when the worker could not be started as asked.

One file on the standard library (Python 3.11 or later), and nothing of wirelab is imported:
whoever writes a worker can carry it to a machine that has nothing else. That is why it is
longer than a module of the core may be.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import importlib.util
import itertools
import json
import os
import re
import shlex
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

CONTRACT = 1
LINE_LIMIT = 64 * 1024
OUTPUT_LIMIT = 16 * 1024 * 1024
STATUSES = range(8)
SUITE_STATUSES = range(64, 256)
HEADER = struct.Struct("<8sHHI16s")
RECORD = struct.Struct("<QQQIBBH")
SECOND = 1_000_000_000

COMPLETION_SLACK_NS = 1_000_000
"""Threads that finish together may write in either order; a millisecond is not an order."""

LEAVING_S = 0.5
"""What a worker started (a resource tracker, a shell) may take to notice that it has gone."""

GIVING_UP_S = 5.0
"""A process that cannot be killed for so long hangs in the kernel, or is not ours."""

Outcome = Literal["pass", "fail", "n/a"]
Verifier = Callable[[Mapping[str, Any], Mapping[str, Any], Iterable[Any]], "list[str]"]
Json = dict[str, Any]

# Event -> required and optional fields with their types.
EVENTS: dict[str, tuple[dict[str, type], dict[str, type]]] = {
    "ready": (
        {"contract": int, "monotonic_ns": int, "library": dict, "runtime": dict},
        {"endpoint": str, "facts": dict, "capabilities": list},
    ),
    "progress": ({"records": int}, {}),
    "runtime": (
        {"monotonic_ns": int},
        {"heap_bytes": int, "gc_count": int, "gc_pause_ns": int, "loop_lag_ns": int}
        | {"heap_kind": str},
    ),
    "error": (
        {"class": str, "status": str, "message": str, "scope": str},
        {"operation": str, "intended_ns": int, "monotonic_ns": int},
    ),
    "done": ({"records": int, "answers": int, "checksum": str}, {}),
}
SCOPES = ("call", "item", "fatal")


class CannotCheckError(Exception):
    """What was asked cannot be started: a wrong path, a missing option, a dead partner."""


@dataclass(frozen=True)
class Check:
    """One line of the result."""

    name: str
    outcome: Outcome
    detail: str

    def __str__(self) -> str:
        return f"{self.outcome:<5} {self.name}: {self.detail}"


@dataclass(frozen=True)
class Worker:
    """A command that fills ``role``, and the scenario it is checked in.

    ``partners`` are the roles that start before it; ``operations`` are spec entries, with
    ``preflight`` added; times are nanoseconds.
    """

    command: Sequence[str]
    role: str
    suite: str = "conform"
    scenario: str = "conform"
    contender: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    operations: Mapping[str, Json] = field(default_factory=dict)
    statuses: frozenset[int] = frozenset()
    period_ns: int = 100_000_000
    ready_ns: int = 60 * SECOND
    operation_ns: int = 10 * SECOND
    stop_ns: int = 5 * SECOND
    measured: bool = True
    partners: tuple[Worker, ...] = ()
    verify: Verifier | None = None

    @property
    def ticks(self) -> int:
        """Enough for two turns of the rarest operation."""
        return max([12, *(int(entry["every"]) + 2 for entry in self.operations.values())])


# --------------------------------------------------------------------------- processes
class Process:
    """One worker, started as the core starts it; everything it says is kept."""

    def __init__(self, worker: Worker, spec: Path | None, scratch: Path, trial: str) -> None:
        environment = {**os.environ, **worker.environment, "WIRELAB_TRIAL": trial}
        environment.pop("WIRELAB_SPEC", None)
        if spec is not None:
            environment["WIRELAB_SPEC"] = str(spec)
        self.trial = trial
        self.role = worker.role
        self.events: list[tuple[int, Json]] = []
        self.violations: list[str] = []
        self.stderr = b""
        self._output = 0
        self._hopeless = False
        self._news = threading.Condition()
        self.started_ns = time.monotonic_ns()
        try:
            self._popen = subprocess.Popen(
                list(worker.command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=scratch,
                env=environment,
                start_new_session=True,
            )
        except OSError as error:
            raise CannotCheckError(f"cannot start {shlex.join(worker.command)}: {error}") from error
        self.pid = self._popen.pid
        _own.add(self.pid)
        self._readers = [
            threading.Thread(target=read, daemon=True)
            for read in (self._read_events, self._read_stderr)
        ]
        for reader in self._readers:
            reader.start()

    def _read_events(self) -> None:
        stream = self._popen.stdout
        assert stream is not None
        while line := stream.readline(LINE_LIMIT + 1):
            received_ns = time.monotonic_ns()
            self._output += len(line)
            with self._news:
                self._take(line, received_ns)
                self._news.notify_all()
        with self._news:
            self._news.notify_all()

    def _take(self, line: bytes, received_ns: int) -> None:
        if self._hopeless:
            return
        if self._output > OUTPUT_LIMIT:
            self.violations.append("more than 16 MiB on standard output")
            self._hopeless = True
            return
        self._hopeless = len(self.violations) > 20
        if len(line) > LINE_LIMIT:
            self.violations.append(f"a line longer than 64 KiB: {line[:60]!r}...")
            return
        try:
            event = json.loads(line)
        except ValueError:
            event = None
        if not isinstance(event, dict) or event.get("event") not in EVENTS:
            self.violations.append(f"not an event: {line[:80]!r}")
            return
        if findings := _misshapen(event):
            self.violations += findings
            # What decides the trial's life is not there when it cannot be read.
            self._hopeless = event["event"] in ("ready", "done")
            return
        self.events.append((received_ns, event))

    def _read_stderr(self) -> None:
        assert self._popen.stderr is not None
        while data := os.read(self._popen.stderr.fileno(), 65536):
            self.stderr = (self.stderr + data)[-65536:]

    def event(self, name: str, timeout_s: float) -> Json | None:
        """The first ``name``, waiting for it; None when it does not come or the worker ends."""
        deadline = time.monotonic() + timeout_s
        with self._news:
            while True:
                for _, event in self.events:
                    if event["event"] == name:
                        return event
                left = deadline - time.monotonic()
                over = self._popen.poll() is not None and not self._readers[0].is_alive()
                if left <= 0 or over or self._hopeless:
                    return None
                self._news.wait(min(left, 0.05))

    def said_ns(self, name: str) -> int | None:
        """When the first ``name`` was received."""
        return next((at for at, event in self.events if event["event"] == name), None)

    def send(self, **command: Any) -> None:
        """Write one command; a worker that has gone does not hear it."""
        assert self._popen.stdin is not None
        with contextlib.suppress(OSError):
            self._popen.stdin.write(json.dumps(command).encode() + b"\n")
            self._popen.stdin.flush()

    def end_input(self) -> None:
        """Close its standard input, as the core's death would."""
        assert self._popen.stdin is not None
        with contextlib.suppress(OSError):
            self._popen.stdin.close()

    def wait(self, timeout_s: float) -> int | None:
        """Its exit code; None when it is still there after ``timeout_s``."""
        try:
            code = self._popen.wait(max(timeout_s, 0))
        except subprocess.TimeoutExpired:
            return None
        self._readers[0].join(1)
        return code

    def last_words(self) -> str:
        """The end of its standard error, for a finding."""
        text = self.stderr.decode(errors="replace").strip().splitlines()
        return f"; standard error ends: {text[-1][:200]}" if text else ""

    def end(self) -> list[str]:
        """Kill what still runs; the command lines of what a worker that had ended left."""
        left = []
        if self._popen.poll() is None:
            os.killpg(self.pid, signal.SIGKILL)
            self._popen.wait()
        else:
            left = [_command_line(pid) for pid in _left_running(self.trial, LEAVING_S)]
        _kill_all(self.trial)
        for reader in self._readers:
            reader.join(1)
        self.end_input()
        _own.discard(self.pid)
        return left


_own: set[int] = set()
"""Children of this process that no worker left to it."""

_adopting = False


@contextlib.contextmanager
def _adopting_orphans() -> Iterator[None]:
    """Become the parent of whatever a worker leaves, even when it cleared its environment.

    Meanwhile every child of this process that was not there before is taken for such an
    orphan, so nothing else must be started.
    """
    global _adopting  # noqa: PLW0603  # a property of the process, like what it stands for
    set_child_subreaper = 36  # <sys/prctl.h>; Linux only, elsewhere the environment must do
    libc = ctypes.CDLL(None)
    before = {pid for pid, parent, _ in _processes() if parent == os.getpid()}
    _own.update(before)
    _adopting = hasattr(libc, "prctl") and libc.prctl(set_child_subreaper, 1, 0, 0, 0) == 0
    try:
        yield
    finally:
        if _adopting:
            libc.prctl(set_child_subreaper, 0, 0, 0, 0)
        _adopting = False
        _own.difference_update(before)


def _processes() -> Iterator[tuple[int, int, str]]:
    """Every process: its id, its parent's, its state."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, parent = stat.read_text(errors="replace").rpartition(")")[2].split()[:2]
            yield int(stat.parent.name), int(parent), state


def _left_running(trial: str, grace_s: float) -> list[int]:
    """Processes of ``trial`` that still run after ``grace_s``, and orphans that came to us."""
    deadline = time.monotonic() + grace_s
    while True:
        left = []
        for pid, parent, state in _processes():
            adopted = _adopting and parent == os.getpid() and pid not in _own
            if state in "ZX":
                if adopted:
                    with contextlib.suppress(ChildProcessError):
                        os.waitpid(pid, os.WNOHANG)
            elif pid not in _own and (adopted or _belongs(pid, trial)):
                left.append(pid)
        if not left or time.monotonic() >= deadline:
            return left
        time.sleep(0.02)


def _kill_all(trial: str) -> None:
    """Kill what is left of ``trial``; killing a parent may bring its children to light."""
    deadline = time.monotonic() + GIVING_UP_S
    while (pids := _left_running(trial, 0)) and time.monotonic() < deadline:
        for pid in pids:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)


def _belongs(pid: int, trial: str) -> bool:
    try:
        environment = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return False
    return f"WIRELAB_TRIAL={trial}".encode() in environment.split(b"\0")


def _command_line(pid: int) -> str:
    with contextlib.suppress(OSError):
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
        return b" ".join(words).decode(errors="replace").strip()[:120] or f"process {pid}"
    return f"process {pid}"


def _misshapen(event: Json) -> list[str]:
    """What is wrong with the fields of an event of a known kind."""
    kind = event["event"]
    required, optional = EVENTS[kind]
    findings = [f"{kind} without {name}" for name in required if name not in event]
    for name, wanted in (required | optional).items():
        value = event.get(name)
        if name in event and (not isinstance(value, wanted) or isinstance(value, bool)):
            findings.append(f"{kind}: {name} must be {wanted.__name__}, found {value!r:.60}")
        elif wanted is int and isinstance(value, int) and value < 0:
            findings.append(f"{kind}: {name} is negative: {value}")
    if kind == "error" and event.get("scope") not in SCOPES:
        findings.append(f"error: scope must be one of {', '.join(SCOPES)}")
    return findings


# ------------------------------------------------------------------------------ trials
@dataclass
class Trial:
    """A worker that is ready, or is not going to be, and what it was asked."""

    worker: Worker
    spec: Json
    process: Process
    facts: Mapping[str, Any]
    ready: Json | None = None
    start_ns: int = 0
    done: Json | None = None
    code: int | None = None
    ended_ns: int = 0
    left: list[str] = field(default_factory=list)

    def start(self) -> None:
        """Set tick 0 a little into the future."""
        self.start_ns = time.monotonic_ns() + 100_000_000
        self.process.send(command="start", monotonic_ns=self.start_ns)

    def conclude(self, timeout_s: float) -> None:
        """Wait for ``done`` and for the exit after it."""
        deadline = time.monotonic() + timeout_s
        self.done = self.process.event("done", timeout_s)
        stop_s = self.worker.stop_ns / SECOND
        left_s = stop_s if self.done else deadline - time.monotonic()
        self.code = self.process.wait(left_s)
        self.ended_ns = time.monotonic_ns()

    def path(self, name: str) -> Path:
        return Path(self.spec["paths"][name])


@contextlib.contextmanager
def _trial(worker: Worker, folder: Path, count: int) -> Iterator[Trial]:
    """The worker with its partners, up to ``ready``; nothing of them is left afterwards."""
    with contextlib.ExitStack() as stack:
        endpoints: dict[str, str] = {}
        facts: dict[str, Any] = {}
        for partner in worker.partners:
            process, _ = _begin(partner, folder, 0, endpoints, facts)
            stack.callback(process.end)
            ready = process.event("ready", partner.ready_ns / SECOND)
            if ready is None or "endpoint" not in ready:
                raise CannotCheckError(
                    f"the role {partner.role}, which this worker needs, did not get ready"
                    + process.last_words()
                )
            endpoints[partner.role] = ready["endpoint"]
            facts[partner.role] = ready.get("facts", {})
        process, spec = _begin(worker, folder, count, endpoints, facts)
        trial = Trial(worker, spec, process, facts)
        try:
            trial.ready = process.event("ready", worker.ready_ns / SECOND)
            yield trial
        finally:
            trial.left = process.end()


def _begin(
    worker: Worker,
    folder: Path,
    count: int,
    endpoints: Mapping[str, str],
    facts: Mapping[str, Any],
) -> tuple[Process, Json]:
    scratch = Path(tempfile.mkdtemp(prefix=f"{worker.role}-", dir=folder))
    name = f"conform-{os.getpid()}-{scratch.name}"
    spec = make_spec(worker, name, scratch, count, endpoints, facts)
    path = scratch / "spec.json"
    path.write_text(json.dumps(spec), encoding="utf-8")
    process = Process(worker, path, scratch, name)
    return process, spec


def make_spec(  # noqa: PLR0917  # the parts of a spec
    worker: Worker,
    trial: str,
    scratch: Path,
    count: int,
    endpoints: Mapping[str, str],
    facts: Mapping[str, Any],
) -> Json:
    """The spec of one worker for ``count`` ticks; the first and last of each are verified."""
    due = {
        name: [tick for tick in range(count) if tick % entry["every"] == 0]
        for name, entry in worker.operations.items()
    }
    preflight = {name: entry.get("preflight", 1) for name, entry in worker.operations.items()}
    client = worker.measured
    return {
        "contract": CONTRACT,
        "trial": trial,
        "suite": worker.suite,
        "scenario": worker.scenario,
        "variant": "",
        "contender": worker.contender,
        "role": worker.role,
        "seed": 1,
        "parameters": dict(worker.parameters),
        "listen": "127.0.0.1:0",
        "endpoints": dict(endpoints),
        "facts": dict(facts),
        "operations": {
            name: {"deadline_ns": None}
            | {key: value for key, value in entry.items() if key != "preflight"}
            for name, entry in worker.operations.items()
        },
        "schedule": {
            "first_ns": 0,
            "period_ns": worker.period_ns,
            "count": count if client else 0,
            "warmup": 3 if client and count > 3 else 0,
        },
        "verify": {
            "preflight": {n: k for n, k in preflight.items() if k} if client else {},
            "ticks": {n: sorted({t[0], t[-1]}) for n, t in due.items() if t} if client else {},
        },
        "paths": {
            "samples": str(scratch / f"{worker.role}.samples"),
            "answers": str(scratch / f"{worker.role}.answers.jsonl"),
            "scratch": str(scratch),
        },
        "limits": {
            "ready_ns": worker.ready_ns,
            "operation_ns": worker.operation_ns,
            "stop_ns": worker.stop_ns,
        },
    }


# ----------------------------------------------------------------------- what was found
def _verdict(name: str, findings: Sequence[str], passed: str) -> Check:
    if not findings:
        return Check(name, "pass", passed)
    counted = Counter(findings).items()
    texts = [f"{text} ({count} times)" if count > 1 else text for text, count in counted]
    more = f" (and {len(texts) - 3} more)" if len(texts) > 3 else ""
    return Check(name, "fail", "; ".join(texts[:3]) + more)


def _check_ready(trial: Trial) -> Check:
    """`ready` in time, with the clock, the library, the runtime and a server's endpoint."""
    process, ready, worker = trial.process, trial.ready, trial.worker
    if ready is None:
        limit_s = worker.ready_ns / SECOND
        code = process.wait(0)
        what = f"no ready within {limit_s:g} s" if code is None else f"exit {code} before ready"
        return Check("ready", "fail", what + process.last_words())
    said_ns = process.said_ns("ready") or 0
    findings = []
    if ready.get("contract") != CONTRACT:
        findings.append(f"contract is {ready.get('contract')!r}, not {CONTRACT}")
    if not process.started_ns <= ready.get("monotonic_ns", 0) <= said_ns:
        findings.append("monotonic_ns is not the time of CLOCK_MONOTONIC when it was sent")
    for key in ("library", "runtime"):
        for part in ("name", "version"):
            if not isinstance(value := (ready.get(key) or {}).get(part), str) or not value:
                findings.append(f"{key}.{part} is missing")
    if any(not isinstance(item, str) for item in ready.get("capabilities") or []):
        findings.append("capabilities must be a list of strings")
    if not worker.measured:
        findings += _unreachable(ready.get("endpoint", ""))
    if not trial.path("samples").exists():
        findings.append("the sample file does not exist at ready")
    seconds = (said_ns - process.started_ns) / SECOND
    library = ready.get("library") or {}
    passed = f"after {seconds:.2f} s, {library.get('name')} {library.get('version')}"
    return _verdict("ready", findings, passed)


def _unreachable(endpoint: str) -> list[str]:
    match = re.search(r"(?://)?(\[[^\]]+\]|[^/:]+):(\d+)", endpoint)
    if match is None or int(match[2]) == 0:
        return [f"endpoint {endpoint!r} has no port that was really got"]
    try:
        socket.create_connection((match[1].strip("[]"), int(match[2])), timeout=2).close()
    except OSError as error:
        return [f"endpoint {endpoint!r} takes no connection: {error}"]
    return []


def _check_events(trial: Trial) -> Check:
    """Grammar and limits of standard output; `ready` and `done` once, nothing after `done`."""
    findings = list(trial.process.violations)
    kinds = [event["event"] for _, event in trial.process.events]
    for kind in ("ready", "done"):
        if kinds.count(kind) > 1:
            findings.append(f"{kind} was said {kinds.count(kind)} times")
    if "done" in kinds and kinds[-1] != "done":
        findings.append(f"{kinds[-1]} after done")
    progress = [at for at, event in trial.process.events if event["event"] == "progress"]
    if any(b - a < 0.5 * SECOND for a, b in itertools.pairwise(progress)):
        findings.append("progress more often than once a second")
    for count in _errors_per_class(trial):
        findings.append(f"{count} error events of one class: the first 100 are enough")
    return _verdict("events", findings, f"{len(kinds)} lines")


def _errors_per_class(trial: Trial) -> list[int]:
    errors = [event for _, event in trial.process.events if event["event"] == "error"]
    counted = Counter((e.get("scope"), e.get("class"), e.get("status")) for e in errors)
    return [count for count in counted.values() if count > 100]


def _check_runtime(trial: Trial) -> Check:
    """`runtime`: also once before `done`, and cumulative counts never fall."""
    runtime = [event for _, event in trial.process.events if event["event"] == "runtime"]
    if not runtime:
        return Check("runtime", "n/a", "says nothing of its runtime")
    findings = [
        f"{key} falls, though it counts from the start"
        for key in ("gc_count", "gc_pause_ns")
        if (seen := [event[key] for event in runtime if key in event]) != sorted(seen)
    ]
    if any("heap_bytes" in event and not event.get("heap_kind") for event in runtime):
        findings.append("heap_bytes without heap_kind")
    kinds = [event["event"] for _, event in trial.process.events if event["event"] != "error"]
    if trial.done and "runtime" not in kinds[-3:]:
        findings.append("no runtime right before done")
    return _verdict("runtime", findings, f"{len(runtime)} events")


def _check_end(trial: Trial, name: str, asked: str) -> Check:
    """`done`, then exit 0 within the limit."""
    limit_s = trial.worker.stop_ns / SECOND
    if trial.done is None:
        what = "no done" if trial.code is None else f"exit {trial.code} without done"
        return Check(name, "fail", f"{what} {asked}{trial.process.last_words()}")
    if trial.code is None:
        return Check(name, "fail", f"still running {limit_s:g} s after done")
    if trial.code != 0:
        return Check(name, "fail", f"exit {trial.code} after done{trial.process.last_words()}")
    return Check(name, "pass", f"done, exit 0 {asked}")


Record = tuple[int, int, int, int, int, int, int]


def _read_samples(trial: Trial) -> tuple[list[Record], list[str]]:
    """The records of the sample file and what is wrong with the file."""
    try:
        data = trial.path("samples").read_bytes()
    except OSError as error:
        return [], [f"no sample file: {error.strerror}"]
    if len(data) < HEADER.size:
        return [], [f"{len(data)} bytes, shorter than the header"]
    magic, version, size, clock, rest = HEADER.unpack_from(data)
    findings = []
    if magic != b"WLSAMPLE":
        return [], [f"the header begins with {magic!r}, not WLSAMPLE"]
    for what, found, wanted in (("version", version, 1), ("record size", size, RECORD.size)):
        if found != wanted:
            findings.append(f"{what} is {found}, not {wanted}")
    if clock != 1:
        findings.append(f"clock is {clock}, not 1 (CLOCK_MONOTONIC)")
    if any(rest):
        findings.append("the last 16 bytes of the header are not zero")
    if len(data) % RECORD.size:
        findings.append(f"{len(data)} bytes are no multiple of {RECORD.size}: truncated")
    body = data[HEADER.size : len(data) - len(data) % RECORD.size]
    records = list(RECORD.iter_unpack(body))
    if trial.done is not None and trial.done.get("records") != len(records):
        said = trial.done.get("records")
        findings.append(f"done says {said} records, the file has {len(records)}")
    return records, findings


def _check_samples(trial: Trial, name: str = "samples") -> Check:
    """The sample file: header, size, count, operations and statuses."""
    records, findings = _read_samples(trial)
    codes = {entry["code"] for entry in trial.spec["operations"].values()}
    legal = {*STATUSES, *(trial.worker.statuses & set(SUITE_STATUSES))}
    if foreign := {record[4] for record in records} - codes:
        findings.append(f"op {sorted(foreign)} is no operation of the spec")
    if foreign := {record[5] for record in records} - legal:
        findings.append(f"status {sorted(foreign)} is neither the contract's nor the suite's")
    failed = sum(record[5] != 0 for record in records)
    return _verdict(name, findings, f"{len(records)} records, {failed} not ok")


def _check_clock(trial: Trial) -> Check:
    """Times are of CLOCK_MONOTONIC, in the trial, ordered; nothing starts before its tick."""
    records, _ = _read_samples(trial)
    findings = []
    latest_ns = 0
    for intended_ns, start_ns, end_ns, *_ in records:
        if start_ns > end_ns:
            findings.append("a record ends before it starts")
        if start_ns < intended_ns:
            findings.append("a record starts before its tick")
        if start_ns < trial.start_ns:
            findings.append("an operation starts before tick 0")
        if end_ns > trial.ended_ns:
            findings.append("a record ends after the worker did: not CLOCK_MONOTONIC")
        if end_ns < latest_ns - COMPLETION_SLACK_NS:
            findings.append("records are not in the order of completion")
        latest_ns = max(latest_ns, end_ns)
    if not records:
        return Check("clock", "n/a", "no records")
    return _verdict("clock", findings, f"{len(records)} records within the trial")


def _check_schedule(trial: Trial, name: str = "schedule", whole: bool = True) -> Check:
    """Every due tick once for each lane, at its intended time; `whole`: up to the last."""
    records, _ = _read_samples(trial)
    schedule = trial.spec["schedule"]
    findings = []
    last = 0
    for operation, entry in trial.spec["operations"].items():
        lanes: dict[int, list[int]] = {}
        for record in records:
            if record[4] == entry["code"]:
                lanes.setdefault(record[6], []).append(record[0])
        if not lanes:
            findings.append(f"{operation}: no record")
        for lane, times in sorted(lanes.items()):
            period_ns = schedule["period_ns"] * entry["every"]
            turns = Counter((t - trial.start_ns - schedule["first_ns"]) / period_ns for t in times)
            due = -(-schedule["count"] // entry["every"])
            due = due if whole else min(due, max(0, int(max(turns)) + 1))
            where = f"{operation}, lane {lane}" if lane else operation
            if strange := [turn for turn in turns if not turn.is_integer() or not 0 <= turn < due]:
                findings.append(f"{where}: {len(strange)} intended times are no tick it is due at")
            if missing := [turn for turn in range(due) if turn not in turns]:
                at = ", ".join(str(turn * entry["every"]) for turn in missing[:5])
                findings.append(f"{where}: {len(missing)} of {due} are missing, at tick {at}")
            if twice := [turn for turn, count in turns.items() if count > 1]:
                findings.append(f"{where}: {len(twice)} ticks were recorded more than once")
            last = max(last, (due - 1) * entry["every"])
    return _verdict(name, findings, f"ticks 0 to {last}, each at its intended time")


def _read_answers(path: Path) -> tuple[list[Any], list[str], bytes]:
    try:
        data = path.read_bytes()
    except OSError:
        data = b""
    answers, findings = [], []
    for number, line in enumerate(data.splitlines(), 1):
        try:
            answer = json.loads(line)
        except ValueError:
            findings.append(f"line {number} is not JSON")
            continue
        answers.append(answer)
        wanted: dict[str, type] = {"phase": str, "operation": str, "tick": int}
        wanted |= {"start_ns": int, "end_ns": int, "answer": dict}
        for key, kind in wanted.items():
            if not isinstance(answer, dict) or not isinstance(answer.get(key), kind):
                findings.append(f"line {number}: {key} must be {kind.__name__}")
                break
    if data and not data.endswith(b"\n"):
        findings.append("the last line is not complete")
    return answers, findings, data


def _check_preflight(trial: Trial) -> Check:
    """The preflight's answers are on disk at `ready`, one for each call asked for."""
    wanted = Counter(trial.spec["verify"]["preflight"])
    if not wanted:
        return Check("preflight", "n/a", "none is asked for")
    answers, findings, _ = _read_answers(trial.path("answers"))
    if not findings:
        found = Counter(a["operation"] for a in answers if a["phase"] == "preflight")
        findings = [
            f"{operation}: {found[operation]} answers at ready, {count} asked for"
            for operation, count in wanted.items()
            if found[operation] != count
        ]
        phases = {answer["phase"] for answer in answers} - {"preflight"}
        findings += [f"answers of the phase {phase} before start" for phase in sorted(phases)]
    return _verdict("preflight", findings, f"{len(answers)} answers")


def _check_answers(trial: Trial) -> Check:
    """Number, checksum and completeness of the answers file."""
    answers, findings, data = _read_answers(trial.path("answers"))
    done = trial.done or {}
    if done.get("answers") != len(data.splitlines()):
        said = done.get("answers")
        findings.append(f"done says {said} answers, the file has {len(data.splitlines())} lines")
    checksum = f"{zlib.crc32(data):08x}"
    if str(done.get("checksum")).lower() != checksum:
        findings.append(f"done says checksum {done.get('checksum')}, the file has {checksum}")
    if not findings:
        given = {(a["operation"], a["tick"]) for a in answers if a["phase"] == "measure"}
        ticks = trial.spec["verify"]["ticks"]
        asked = {(name, tick) for name in ticks for tick in ticks[name]}
        missing = sorted(asked - given)
        findings = [f"{name}: no answer of tick {tick}" for name, tick in missing]
        findings += [f"{name}: tick {tick} was not asked for" for name, tick in given - asked]
    return _verdict("answers", findings, f"{len(answers)} answers, checksum {checksum}")


def _check_values(trial: Trial) -> Check:
    """What the suite's own verifier says of the answers."""
    if trial.worker.verify is None:
        return Check("values", "n/a", "the suite has no verifier")
    answers, findings, _ = _read_answers(trial.path("answers"))
    if not findings:
        facts: Mapping[str, Any] = next(iter(trial.facts.values()), {})
        facts = trial.facts.get("server", facts)
        spec = {**trial.spec, "start_ns": trial.start_ns}
        try:
            findings = trial.worker.verify(spec, facts, answers)
        except Exception as error:  # a verifier stumbles over what no one expected
            findings = [f"the suite's verifier failed: {error!r}"]
    return _verdict("values", findings, f"{len(answers)} answers are right")


# ---------------------------------------------------------------------------- the checks
def check(worker: Worker) -> list[Check]:
    """All checks of ``worker``, in order; CannotCheckError when it cannot be started at all.

    A worker that does not get ready is not asked anything further.
    """
    left: list[str] = []
    with _adopting_orphans(), tempfile.TemporaryDirectory(prefix="conform-") as name:
        folder = Path(name)
        checks = _check_whole_life(worker, folder, left)
        if checks[0].outcome == "pass":
            checks += _check_being_stopped(worker, folder, left)
            checks += _check_bad_specs(worker, folder, left)
    checks.append(_verdict("leftovers", [f"left running: {line}" for line in left], "none"))
    return checks


def _check_whole_life(worker: Worker, folder: Path, left: list[str]) -> list[Check]:
    """A whole schedule (a server: until told to stop), and everything it wrote."""
    count = worker.ticks if worker.measured else 0
    with _trial(worker, folder, count) as trial:
        checks = [_check_ready(trial)]
        if trial.ready is None:
            checks.append(_check_events(trial))
        elif worker.measured:
            checks.append(_check_preflight(trial))
            trial.start()
            trial.conclude((count * worker.period_ns + worker.operation_ns) / SECOND)
            checks += [_check_events(trial), _check_runtime(trial)]
            checks.append(_check_end(trial, "done", "after its schedule"))
            checks += [_check_samples(trial), _check_schedule(trial), _check_clock(trial)]
            checks += [_check_answers(trial), _check_values(trial)]
        else:
            time.sleep(0.2)
            trial.process.send(command="stop")
            trial.conclude(worker.stop_ns / SECOND)
            checks += [_check_events(trial), _check_runtime(trial)]
            checks += [_check_end(trial, "stop", "when told to stop"), _check_samples(trial)]
    left += trial.left
    return checks


def _check_being_stopped(worker: Worker, folder: Path, left: list[str]) -> list[Check]:
    """`stop` and the end of input, in the middle of a long schedule and before any."""
    ways: list[tuple[str, str, Callable[[Process], None]]] = [
        ("end of input", "when its input ended", Process.end_input)
    ]
    if worker.measured:
        ways.insert(0, ("stop", "when told to stop", lambda process: process.send(command="stop")))
    checks = []
    for name, asked, tell in ways:
        for early in (False, True) if worker.measured else (True,):
            with _trial(worker, folder, 6000) as trial:
                if not early:
                    trial.start()
                    time.sleep(0.1 + max(0.4, 4.5 * worker.period_ns / SECOND))
                tell(trial.process)
                trial.conclude(worker.stop_ns / SECOND)
                full = f"{name} before start" if early else name
                verdicts = [_check_end(trial, full, asked), _check_samples(trial, full)]
                if not early:
                    verdicts.append(_check_schedule(trial, full, whole=False))
                failed = [verdict for verdict in verdicts if verdict.outcome == "fail"]
                checks.append((failed or verdicts)[0])
            left += trial.left
    return checks


def _check_bad_specs(worker: Worker, folder: Path, left: list[str]) -> list[Check]:
    """A spec that cannot be used: a non-zero exit, and no hang."""
    good = make_spec(worker, "bad-spec", folder, 1, {}, {})
    bad: dict[str, bytes | None] = {
        "no spec": None,
        "spec missing": None,
        "spec garbage": b"\x00 this is no spec {",
        "other contract": json.dumps({**good, "contract": CONTRACT + 1}).encode(),
    }
    checks = []
    for name, content in bad.items():
        scratch = Path(tempfile.mkdtemp(dir=folder))
        path = scratch / "spec.json"
        if content is not None:
            path.write_bytes(content)
        trial = f"conform-{os.getpid()}-{scratch.name}"
        process = Process(worker, None if name == "no spec" else path, scratch, trial)
        code = process.wait(min(worker.ready_ns / SECOND, 20))
        left += process.end()
        if code is None:
            checks.append(Check(name, "fail", "hangs instead of giving up"))
        elif code == 0:
            checks.append(Check(name, "fail", "exit 0, as if it had worked"))
        else:
            checks.append(Check(name, "pass", f"exit {code}"))
    return checks


# --------------------------------------------------------------------------- manifests
_UNITS = {"ns": 1, "us": 1_000, "ms": 1_000_000, "s": SECOND, "min": 60 * SECOND}


@dataclass(frozen=True)
class Wanted:
    """What the command line asks for beyond the folder of the contender."""

    command: Sequence[str] = ()
    suite: Path | None = None
    scenario: str = ""
    role: str = ""
    server: Sequence[str] = ()
    places: Mapping[str, str] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)


def workers(contender: Path, wanted: Wanted) -> list[Worker]:
    """The workers to check: one for each role that the contender fills in the scenario."""
    contender = contender.resolve()
    manifest = _toml(contender / "contender.toml")
    suite_folder = (wanted.suite or contender.parent.parent).resolve()
    suite = _toml(suite_folder / "suite.toml")
    name = wanted.scenario or _first_scenario(manifest, suite)
    if name not in suite["scenarios"]:
        raise CannotCheckError(f"suite {suite['suite']} has no scenario {name}")
    scenario = suite["scenarios"][name]
    sdk = next((p / "sdk" for p in contender.parents if (p / "sdk/python").is_dir()), None)
    places = {"python": sys.executable, "java": "java", "node": "node"}
    places |= {"sdk": str(sdk)} if sdk else {}
    places |= wanted.places
    command = wanted.command or _resolve(manifest["run"]["command"], contender, places)
    common = Worker(
        command=command,
        role="",
        suite=suite["suite"],
        scenario=name,
        contender=manifest["contender"],
        environment=_environment(manifest["run"], places),
        parameters={
            **scenario.get("parameters", {}),
            **manifest.get("tuning", {}),
            **wanted.parameters,
        },
        operations={
            key: _operation(entry) for key, entry in scenario.get("operations", {}).items()
        },
        statuses=frozenset(scenario.get("statuses", {}).values()),
        period_ns=min(_nanoseconds(scenario["period"]), SECOND // 10),
        ready_ns=_nanoseconds(scenario.get("ready_limit", "60s")),
        operation_ns=_nanoseconds(scenario.get("operation_limit", "10s")),
        stop_ns=_nanoseconds(scenario.get("stop_limit", "5s")),
        verify=_verifier(suite_folder / "verify.py"),
    )
    found: list[Worker] = []
    partners: list[Worker] = []
    for role, entry in scenario["roles"].items():
        worker = replace(common, role=role, measured=entry.get("measured", False))
        worker = replace(worker, partners=tuple(partners))
        if entry["by"] != "contender":
            worker = _program(worker, entry["by"], suite, suite_folder, places, wanted.server)
        elif wanted.role in ("", role):
            found.append(worker)
        partners.append(worker)
    if not found:
        raise CannotCheckError(f"the contender fills no role {wanted.role} in scenario {name}")
    return found


def _program(  # noqa: PLR0917  # both manifests and the command line
    worker: Worker,
    by: str,
    suite: Json,
    folder: Path,
    places: Mapping[str, str],
    server: Sequence[str],
) -> Worker:
    """A role that a neutral program of the suite fills."""
    program = suite["programs"][by.removeprefix("program:")]
    environment = _environment(program["run"], places)
    if server:
        return replace(worker, command=server, environment=environment)
    if program["build"]["kind"] != "none":
        raise CannotCheckError(f"the role {worker.role} is filled by {by}: say --server 'COMMAND'")
    command = _resolve(program["run"]["command"], (folder / program["source"]).resolve(), places)
    return replace(worker, command=command, environment=environment)


def _first_scenario(manifest: Json, suite: Json) -> str:
    for name, scenario in suite["scenarios"].items():
        can = manifest.get("scenarios") or list(suite["scenarios"])
        if name in can and scenario.get("kind", "load") == "load":
            return str(name)
    raise CannotCheckError("the contender takes part in no scenario under load: say --scenario")


def _toml(path: Path) -> Json:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CannotCheckError(f"cannot read {path}: {error.strerror}") from error
    except tomllib.TOMLDecodeError as error:
        raise CannotCheckError(f"{path}: {error}") from error


def _nanoseconds(value: str | int) -> int:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(ns|us|ms|s|min)", str(value).strip())
    if match is None:
        return int(value)
    return round(float(match[1]) * _UNITS[match[2]])


def _operation(entry: Json) -> Json:
    operation = {
        "code": entry["code"],
        "every": entry.get("every", 1),
        "items": entry.get("items", 1),
        "preflight": entry.get("preflight", 1),
    }
    if "deadline" in entry:
        operation["deadline_ns"] = _nanoseconds(entry["deadline"])
    return operation


def _environment(run: Json, places: Mapping[str, str]) -> dict[str, str]:
    environment = {}
    if "sdk" in places:
        inherited = os.environ.get("PYTHONPATH", "")
        parts = [str(Path(places["sdk"]) / "python"), *filter(None, [inherited])]
        environment["PYTHONPATH"] = os.pathsep.join(parts)
    return {**environment, **run.get("environment", {})}


def _resolve(command: Sequence[str], source: Path, places: Mapping[str, str]) -> list[str]:
    known = {"source": str(source), **places}

    def place(match: re.Match[str]) -> str:
        if match[1] not in known:
            raise CannotCheckError(f"{match[0]} in the command is not known: say --{match[1]}")
        return known[match[1]]

    return [re.sub(r"\{(source|build|python|java|node|sdk)\}", place, word) for word in command]


def _verifier(path: Path) -> Verifier | None:
    if not path.exists():
        return None
    spec = importlib.util.spec_from_file_location(f"conform_verify_{path.parent.name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    verify: Verifier = module.verify
    return verify


# ------------------------------------------------------------------------- command line
def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    command: list[str] = []
    if "--" in words:
        command = words[words.index("--") + 1 :]
        words = words[: words.index("--")]
    parser = argparse.ArgumentParser(
        prog="conform", description="Check a worker against the worker contract, version 1."
    )
    parser.add_argument("path", type=Path, help="folder with contender.toml")
    parser.add_argument("--command", default="", help="the worker's command (or after --)")
    parser.add_argument("--suite", type=Path, help="folder with suite.toml")
    parser.add_argument("--scenario", default="", help="the first one under load when not given")
    parser.add_argument("--role", default="", help="only this role")
    parser.add_argument("--server", default="", help="command of the role that must run first")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", dest="values")
    for place in ("build", "python", "java", "node", "sdk"):
        parser.add_argument(f"--{place}", help=f"what {{{place}}} in commands stands for")
    asked = parser.parse_args(words)
    places = {p: getattr(asked, p) for p in ("build", "python", "java", "node", "sdk")}
    wanted = Wanted(
        command=command or shlex.split(asked.command),
        suite=asked.suite,
        scenario=asked.scenario,
        role=asked.role,
        server=shlex.split(asked.server),
        places={name: value for name, value in places.items() if value},
        parameters=dict(_setting(text) for text in asked.values),
    )
    failed = False
    try:
        for worker in workers(asked.path, wanted):
            failed = _report(worker) or failed
    except CannotCheckError as error:
        print(f"conform: {error}", file=sys.stderr)
        return 1 if failed else 2
    except KeyError as error:
        print(f"conform: a manifest has no key {error}", file=sys.stderr)
        return 2
    return 1 if failed else 0


def _report(worker: Worker) -> bool:
    print(f"{worker.contender}, role {worker.role}, scenario {worker.suite}/{worker.scenario}")
    results = check(worker)
    for result in results:
        print(f"  {result}", flush=True)
    return any(result.outcome == "fail" for result in results)


def _setting(text: str) -> tuple[str, Any]:
    key, _, value = text.partition("=")
    try:
        return key, json.loads(value)
    except ValueError:
        return key, value


if __name__ == "__main__":
    sys.exit(main())
