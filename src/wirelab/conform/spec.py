"""The spec file of a trial that checks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .contract import CONTRACT, Json
from .worker import Worker


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
        "variant": worker.variant,
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
