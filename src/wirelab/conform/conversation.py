"""A worker's side of the conversation: its events, and its end."""

from __future__ import annotations

import itertools
from collections import Counter

from . import sockets
from .contract import CONTRACT, CONTRACT_PAGE, SECOND, Json
from .intervals import by_second
from .process import Process
from .trial import CheckedTrial
from .verdict import Check, verdict

_NO_ANSWERS = "00000000"
_ERRORS_ENOUGH = 100
_FEW = 3
"""Findings of one kind are enough to know it."""

_SPANS = ("collections", "compilations")
_MOST_SPANS = 500
_PROGRESS_APART_NS = SECOND // 2
"""Half of the second the contract asks for: a pipe may hold a line back."""


def check_ready(trial: CheckedTrial) -> Check:
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
        findings.append(f"contract is {ready.get('contract')!r}, not {CONTRACT}: {CONTRACT_PAGE}")
    if not process.started_ns <= ready.get("monotonic_ns", 0) <= said_ns:
        findings.append("monotonic_ns is not the time of CLOCK_MONOTONIC when it was sent")
    findings += _unnamed(ready)
    if any(not isinstance(item, str) for item in ready.get("capabilities") or []):
        findings.append("capabilities must be a list of strings")
    if not worker.measured:
        findings += _unreachable(process, ready.get("endpoint", ""))
    if not trial.path("samples").exists():
        findings.append("the sample file does not exist at ready")
    if worker.measured and by_second(trial) and not trial.path("intervals").exists():
        findings.append("the interval file does not exist at ready")
    seconds = (said_ns - process.started_ns) / SECOND
    library = ready.get("library") or {}
    passed = f"after {seconds:.2f} s, {library.get('name')} {library.get('version')}"
    return verdict("ready", findings, passed)


def _unnamed(ready: Json) -> list[str]:
    return [
        f"{key}.{part} is missing"
        for key in ("library", "runtime")
        for part in ("name", "version")
        if not isinstance(value := (ready.get(key) or {}).get(part), str) or not value
    ]


def _unreachable(process: Process, endpoint: str) -> list[str]:
    address = sockets.address_of(endpoint)
    if address is None:
        return [f"endpoint {endpoint!r} has no port that was really got"]
    if not sockets.takes_datagrams(address):
        try:
            sockets.connected(address).close()
        except OSError as error:
            return [f"endpoint {endpoint!r} takes no connection: {error}"]
    if not sockets.listens(process.pid, process.trial, address[1]):
        return [f"endpoint {endpoint!r} is listened on by a process that is not the worker's"]
    return []


def check_events(trial: CheckedTrial) -> Check:
    """Grammar and limits of standard output; `ready` and `done` once, nothing after `done`."""
    findings = list(trial.process.violations)
    kinds = [event["event"] for _, event in trial.process.events]
    for kind in ("ready", "done"):
        if kinds.count(kind) > 1:
            findings.append(f"{kind} was said {kinds.count(kind)} times")
    if "done" in kinds and kinds[-1] != "done":
        findings.append(f"{kinds[-1]} after done")
    progress = [at for at, event in trial.process.events if event["event"] == "progress"]
    if any(b - a < _PROGRESS_APART_NS for a, b in itertools.pairwise(progress)):
        findings.append("progress more often than once a second")
    for count in _errors_per_class(trial):
        if count > _ERRORS_ENOUGH:
            findings.append(f"{count} error events of one class: the first 100 are enough")
    return verdict("events", findings, f"{len(kinds)} lines")


def _errors_per_class(trial: CheckedTrial) -> list[int]:
    errors = [event for _, event in trial.process.events if event["event"] == "error"]
    return list(Counter((e.get("scope"), e.get("class"), e.get("status")) for e in errors).values())


def check_runtime(trial: CheckedTrial) -> Check:
    """`runtime`: also once before `done`; cumulative counts never fall, and nothing is told before
    it has ended."""
    runtime = [event for _, event in trial.process.events if event["event"] == "runtime"]
    if not runtime:
        return Check("runtime", "n/a", "says nothing of its runtime")
    findings = [
        f"{key} falls, though it counts from the start"
        for key in ("allocated_bytes", "gc_count", "gc_pause_ns")
        if (seen := [event[key] for event in runtime if key in event]) != sorted(seen)
    ]
    if any("heap_bytes" in event and not event.get("heap_kind") for event in runtime):
        findings.append("heap_bytes without heap_kind")
    findings += [
        f"runtime: {name} has {wrong}"
        for event in runtime
        for name in _SPANS
        if (wrong := _misplaced(event.get(name) or [], event.get("monotonic_ns", 0)))
    ][:_FEW]
    kinds = [event["event"] for _, event in trial.process.events if event["event"] != "error"]
    if trial.done and "runtime" not in kinds[-3:]:
        findings.append("no runtime right before done")
    return verdict("runtime", findings, f"{len(runtime)} events")


def _misplaced(spans: list[object], said_ns: int) -> str:
    """Find what is wrong with the times that an event tells of; empty: nothing."""
    if len(spans) > _MOST_SPANS:
        return f"{len(spans)} entries: {_MOST_SPANS} are the most"
    for span in spans:
        match span:
            case [int(begin), int(end), int(took)] if took >= 0 and 0 <= begin <= end <= said_ns:
                continue
        return f"{span!r:.60}: not begin, end (of what has ended) and how long it took"
    return ""


def check_end(trial: CheckedTrial, name: str, asked: str) -> Check:
    """`done`, then exit 0 within the limit."""
    limit_s = trial.worker.stop_ns / SECOND
    if trial.done is None:
        waited = f"no done within {trial.limit_s:.3g} s"
        what = waited if trial.code is None else f"exit {trial.code} without done"
        return Check(name, "fail", f"{what} {asked}{trial.process.last_words()}")
    if trial.code is None:
        return Check(name, "fail", f"done {asked}, but still running after {limit_s:g} s")
    if trial.code != 0:
        return Check(name, "fail", f"exit {trial.code} after done{trial.process.last_words()}")
    return Check(name, "pass", f"done, exit 0 {asked}")


def check_nothing_done(trial: CheckedTrial) -> Check:
    """A role that is not measured has no schedule: no records, no answers."""
    wanted = {"records": 0, "answers": 0, "checksum": _NO_ANSWERS}
    said = trial.done or wanted
    findings = [
        f"{name} is {said[name]!r} for a role without a schedule, not {value!r}"
        for name, value in wanted.items()
        if said[name] != value
    ]
    return verdict("done", findings, "nothing was recorded")


def stop(process: Process) -> None:
    """Say `stop`."""
    process.send(command="stop")
