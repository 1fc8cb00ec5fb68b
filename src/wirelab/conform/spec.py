"""The spec file of a trial that checks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .contract import CONTRACT, Json
from .lanes import can_be_verified, verified_ticks
from .worker import CheckedWorker

ANY_PORT = "127.0.0.1:0"

_NOT_FOR_WORKERS = ("preflight", "verified")
_SHORT_LOOPS = {"rounds": 0, "batch_ns": 1_000_000, "warmup_ns": 5_000_000, "agree": 0.02}
_SHORT_PREWARM_MS = 5
"""At most. Nobody looks at times here: a worker does what makes it warm, and does not get warm, in
each of its starts."""

_SETTLE = 4
"""Ticks in which the users of a step connect."""


def make_spec(  # noqa: PLR0917  # the parts of a spec
    worker: CheckedWorker,
    trial: str,
    scratch: Path,
    count: int,
    endpoints: Mapping[str, str],
    facts: Mapping[str, Any],
    listen: str = ANY_PORT,
) -> Json:
    """The spec of one worker for ``count`` ticks; the first and last of each are verified."""
    client = worker.measured
    ticks = (1 if worker.loops else count) if client else 0
    schedule = _schedule(worker, ticks)
    preflight = {name: entry.get("preflight", 1) for name, entry in worker.operations.items()}
    calls = client and not worker.loops
    spec: Json = {
        "contract": CONTRACT,
        "trial": trial,
        "suite": worker.suite,
        "scenario": worker.scenario,
        "variant": worker.variant,
        "contender": worker.contender,
        "role": worker.role,
        "seed": 1,
        "parameters": dict(worker.parameters),
        "listen": listen,
        "endpoints": dict(endpoints),
        "facts": dict(facts),
        "operations": {name: _operation(entry) for name, entry in worker.operations.items()},
        "schedule": schedule,
        "verify": {
            "preflight": {n: k for n, k in preflight.items() if k} if calls else {},
            **({"ticks": _verified(worker, schedule)} if worker.generates else {}),
        },
        "paths": {
            "samples": str(scratch / f"{worker.role}.samples"),
            "answers": str(scratch / f"{worker.role}.answers.jsonl"),
            "intervals": str(scratch / f"{worker.role}.intervals.jsonl"),
            "scratch": str(scratch),
        },
        "limits": {
            "ready_ns": worker.ready_ns,
            "operation_ns": worker.operation_ns,
            "stop_ns": worker.stop_ns,
        },
    }
    if worker.loops:
        spec["batches"] = {"steps": list(worker.loops), "count": count, **_SHORT_LOOPS}
        spec["inputs"] = []
        if "prewarm_ms" in spec["parameters"]:
            asked_ms = spec["parameters"]["prewarm_ms"]
            spec["parameters"]["prewarm_ms"] = min(asked_ms, _SHORT_PREWARM_MS)
        spec["paths"]["batches"] = str(scratch / f"{worker.role}.batches.jsonl")
    return spec


def _operation(entry: Json) -> Json:
    known = {"every": 1, "items": 1, "due": "tick", "record": "samples", "deadline_ns": None}
    own = {key: value for key, value in entry.items() if key not in _NOT_FOR_WORKERS}
    return {**known, **own}


def _schedule(worker: CheckedWorker, count: int) -> Json:
    """``count`` ticks, shared evenly by the steps where there are any."""
    steps = _steps(worker, count) if count else []
    warmup = steps[0]["settle"] if steps else 3 if count > 3 else 0
    # An open loop need not be named: nobody is to take what is left out for another one.
    loop = {} if worker.loop == "open" else {"loop": worker.loop}
    return {
        **loop,
        "first_ns": 0,
        "period_ns": worker.period_ns,
        "count": count,
        "warmup": warmup,
        "cycle": dict(worker.cycle),
        "steps": steps,
    }


def _steps(worker: CheckedWorker, count: int) -> list[Json]:
    steps = []
    for number, wanted in enumerate(worker.steps):
        ticks = count // len(worker.steps)
        settle = _SETTLE if wanted["settle"] is None else wanted["settle"]
        settle = min(settle, ticks // 3)
        longest_ns = (settle or ticks) * worker.period_ns // 2
        step = {"name": wanted["name"], "first": number * ticks, "count": ticks, "settle": settle}
        step |= {key: wanted[key] for key in ("users", "lanes", "parameters")}
        join_ns = 0 if worker.is_closed else min(wanted["join_ns"] or longest_ns, longest_ns)
        steps.append(step | {"join_ns": join_ns})
    if steps:
        steps[-1]["count"] += count % len(steps)
    return steps


def _verified(worker: CheckedWorker, schedule: Json) -> dict[str, list[int]]:
    """First and last tick of each operation that is due at ticks and has a record each."""
    closed = worker.is_closed
    every_tick = range(0 if closed else schedule["count"])
    ticks = [tick for tick in every_tick if can_be_verified(schedule, tick)]
    found = {}
    for name, entry in worker.operations.items():
        operation = _operation(entry)
        if not entry.get("verified", True):
            continue
        due = [tick for tick in ticks if tick % operation["every"] == 0]
        if closed:
            due = verified_ticks(schedule, operation["every"])
        if due and (operation["due"], operation["record"]) == ("tick", "samples"):
            found[name] = sorted({due[0], due[-1]})
    return found
