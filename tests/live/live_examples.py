"""A trial with everything live metrics can show, and a run folder to follow."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

from hdrh.histogram import HdrHistogram

from synthetic import Client
from synthetic.manifests import run_of
from wirelab.live.figures import (
    LiveCost,
    LiveFigures,
    OperationFigures,
    RoleFigures,
    RunFigures,
    TrialFigures,
)
from wirelab.model.planned import PlannedSchedule, PlannedTrial, ScheduledStep
from wirelab.model.run import Run
from wirelab.model.scenario import Scenario
from wirelab.samples.run_folder import RunFolder

SECOND = 1_000_000_000
HEADER = struct.pack("<8sHHI16x", b"WLSAMPLE", 1, 32, 1)
_RECORD = struct.Struct("<QQQIBBH")


def record(intended: int, start: int, end: int, op: int, status: int = 0) -> bytes:
    """One sample as a worker writes it; times in ns."""
    return _RECORD.pack(intended, start, end, 0, op, status, 0)


def interval(second: int, operation: str, counts: dict[str, int], *durations: int) -> bytes:
    """A line of an interval file; the same durations (ns) for service and response."""
    said: dict[str, Any] = {"second": second, "operation": operation, "counts": counts}
    if durations:
        histogram = HdrHistogram(1_000, 120 * SECOND, 3)
        for duration in durations:
            histogram.record_value(duration)
        said["service"] = said["response"] = histogram.encode().decode()
    return json.dumps(said).encode() + b"\n"


def scenario() -> Scenario:
    """Messages with samples, deliveries with intervals, users that join in steps."""
    return Scenario.model_validate(
        {
            "title": {"en": "Board", "ko": "칠판"},
            "load": {"type": "open", "period": "1s"},
            "roles": {
                "server": {"provider": "contender", "subject": True},
                "generator": {"provider": "engine:board", "measured": True},
            },
            "operations": {
                "rtt": {"code": 1},
                "delivery": {"code": 2, "record": "intervals"},
                "connect": {"code": 3, "due": "join"},
            },
            "steps": {
                "few": {"title": {"en": "few", "ko": "적음"}, "users": 10},
                "many": {"title": {"en": "many", "ko": "많음"}, "users": 20},
            },
            "profiles": {"smoke": {"trials": 1, "count": 8, "settle": 1}},
        }
    )


def planned() -> PlannedTrial:
    """The one trial of ``run``: two steps of four seconds."""
    steps = [
        ScheduledStep(name="few", first=0, count=4, settle=1, users=10, lanes=10, join_ns=1),
        ScheduledStep(name="many", first=4, count=4, settle=1, users=20, lanes=20, join_ns=1),
    ]
    return PlannedTrial(
        id="0000-board-swift",
        position=0,
        block=0,
        suite="demo",
        scenario="board",
        variant="",
        contender="swift",
        included=True,
        seed=1,
        parameters={},
        load=PlannedSchedule(period_ns=SECOND, count=8, warmup=1, steps=steps),
        operations=["rtt", "delivery", "connect"],
    )


def run() -> Run:
    """A run of one trial."""
    return run_of(
        "demo",
        "smoke",
        scenarios={"board": scenario()},
        clients={"swift": Client(median_ms=1.0)},
        plan=[planned()],
        seed=1,
    )


def written_run(path: Path) -> RunFolder:
    """``run`` on disk, with the empty folder of its trial."""
    folder = RunFolder(path)
    folder.write_run(run())
    (folder.trials / planned().id).mkdir(parents=True)
    return folder


def everything() -> LiveFigures:
    """Figures in which no metric is missing."""
    counts = dict.fromkeys(
        (
            *("expected", "received", "duplicates", "reordered", "wrong", "dropped"),
            *("bytes", "written", "wire", "odd"),
        ),
        5,
    )
    durations = {
        kind: {50.0: 1e6, 95.0: 2e6, 99.0: 3e6, 100.0: 4e6} for kind in ("service", "response")
    }
    trial = TrialFigures(
        run=run().id,
        profile="smoke",
        planned=planned(),
        step="few",
        under_way=True,
        elapsed_ns=2 * SECOND,
        operations=[
            OperationFigures("rtt", statuses={"ok": 7, "timeout": 1}, durations=durations),
            OperationFigures("delivery", counts=counts | {"expected": 9}),
        ],
        roles={
            "server": RoleFigures(3 * SECOND, 1 << 20, 2, {}, {"heap_bytes": 5.0}),
            "generator": RoleFigures(SECOND, 1 << 19, 1, {"connected": 10.0}),
        },
    )
    return LiveFigures(
        RunFigures(run().id, "demo", 3, {"ok": 1}),
        trial,
        LiveCost(SECOND // 100, pushed=4, failed=1),
    )
