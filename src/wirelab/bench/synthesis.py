"""A run folder as long trials would have left it, made of drawn samples.

Read each tick and write each tenth, as the scenario ``s7`` does: trials of 300 s as its profile
``publish`` has them, at a period that gives a million samples a trial. Times come from fixed
distributions and a fixed seed, so that every call writes the same samples.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

import wirelab
from wirelab.model.contender import Contender
from wirelab.model.disclosure import Disclosure
from wirelab.model.participant import Participant
from wirelab.model.planned import PlannedSchedule, PlannedTrial
from wirelab.model.run import Run
from wirelab.model.scenario import Scenario
from wirelab.model.trial import TrialRecord
from wirelab.model.units import Text
from wirelab.monitor.look import PERIOD_NS as PROBE_NS
from wirelab.samples import format as samples
from wirelab.samples.run_folder import RunFolder

SUITE, SCENARIO, CONTENDER = "analysis", "main", "drawn"
_SECOND = 1_000_000_000
_MS = 1_000_000
_WRITE_EVERY = 10
_SEED = 20_261_120

Column = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Shape:
    """Amounts to draw."""

    trials: int = 10
    ticks: int = 910_000
    period_ns: int = 330_000

    @property
    def samples(self) -> int:
        """Samples of all trials."""
        return self.trials * (self.ticks + -(-self.ticks // _WRITE_EVERY))


def write_run(folder: Path, shape: Shape) -> None:
    """Write ``run.json`` and all trials below ``folder``."""
    scenario = _scenario(shape)
    schedule = PlannedSchedule(period_ns=shape.period_ns, count=shape.ticks, warmup=0)
    plan = [_planned(number, schedule) for number in range(shape.trials)]
    run = RunFolder(folder)
    folder.mkdir(parents=True, exist_ok=True)
    run.write_run(_run(folder.name, scenario, plan))
    random = np.random.default_rng(_SEED)
    tick0 = 1000 * _SECOND
    for planned in plan:
        ended = tick0 + shape.ticks * shape.period_ns + _SECOND
        _write_trial(run, planned, _records(schedule, tick0, random), tick0, ended)
        tick0 = ended + 5 * _SECOND


def _scenario(shape: Shape) -> Scenario:
    return Scenario.model_validate(
        {
            "title": {"en": "Drawn samples"},
            "load": {"type": "paced", "period": shape.period_ns},
            "roles": {"client": {"provider": "contender", "measured": True}},
            "operations": {
                "read": {"code": 1, "items": 2000, "deadline": "100ms"},
                "write": {"code": 2, "every": _WRITE_EVERY, "items": 200, "deadline": "1s"},
            },
            "profiles": {"publish": {"trials": shape.trials, "count": shape.ticks}},
        }
    )


def _planned(number: int, schedule: PlannedSchedule) -> PlannedTrial:
    return PlannedTrial(
        id=f"{number:04d}-{SCENARIO}-{CONTENDER}",
        position=number,
        block=number,
        suite=SUITE,
        scenario=SCENARIO,
        variant="",
        contender=CONTENDER,
        included=True,
        seed=number,
        parameters={},
        load=schedule,
        operations=["read", "write"],
    )


def _run(name: str, scenario: Scenario, plan: list[PlannedTrial]) -> Run:
    contender = Contender.model_validate(
        {
            "contender": CONTENDER,
            "title": "Drawn",
            "language": "none",
            "library": {"name": "none", "version": "0", "licence": "Apache-2.0"},
            "build": {"kind": "none"},
            "run": {"command": ["none"]},
            **{text: Text(en="") for text in ("unavailable", "notes", "security")},
        }
    )
    return Run(
        id=name,
        suite=SUITE,
        suite_title=Text(en="Analysis of drawn samples"),
        profile="publish",
        scenarios={SCENARIO: scenario},
        services={},
        participants={CONTENDER: Participant(manifest=contender, folder_hash="")},
        plan=plan,
        disclosure=Disclosure(
            started_at="2026-01-01T00:00:00+00:00",
            wirelab=wirelab.__version__,
            git_revision="",
            host={"cpus": 2},
            command_line=["wl", "bench"],
            seed=_SEED,
            load_before=[0.0, 0.0, 0.0],
        ),
    )


def _write_trial(
    run: RunFolder, planned: PlannedTrial, records: samples.Records, tick0: int, ended: int
) -> None:
    folder = run.trial(planned.id)
    folder.mkdir(parents=True, exist_ok=True)
    samples.write_parquet(records, folder / "client.parquet")
    pq.write_table(_monitor_rows(tick0, ended), folder / "monitor.parquet")
    _write_events(folder / "client.events.jsonl", tick0, ended)
    run.write_record(_record(planned, tick0, ended))


def _records(planned: PlannedSchedule, tick0: int, random: np.random.Generator) -> samples.Records:
    ticks = np.arange(planned.count)
    lateness = random.exponential(0.001 * _MS, planned.count).astype(np.int64)
    # The level wanders over the trial, so that neighbours resemble each other as real ones do.
    level = np.log(0.1 * _MS) + 0.05 * np.sin(ticks * (2 * np.pi / planned.count * 7))
    parts = [
        _operation(code, due, level[due], lateness[due], planned, tick0, random)
        for code, due in ((1, ticks), (2, ticks[::_WRITE_EVERY]))
    ]
    records = np.concatenate(parts)
    return records[np.argsort(records["end_ns"], kind="stable")]


def _operation(  # noqa: PLR0917
    code: int,
    due: Column,
    level: npt.NDArray[np.float64],
    lateness: Column,
    planned: PlannedSchedule,
    tick0: int,
    random: np.random.Generator,
) -> samples.Records:
    records = np.zeros(len(due), dtype=samples.RECORD)
    service = np.exp(random.normal(level, 0.25)).astype(np.int64)
    records["intended_ns"] = tick0 + due * planned.period_ns
    records["start_ns"] = records["intended_ns"] + lateness.astype(np.uint64)
    records["end_ns"] = records["start_ns"] + service.astype(np.uint64)
    records["op"] = code
    return records


def _monitor_rows(tick0: int, ended: int) -> pa.Table:
    at = np.arange(tick0 - _SECOND, ended, PROBE_NS)
    roles = {"core": 0.005, "client": 0.2, "host": 0.25}
    rows = len(at) * len(roles)
    cpu = np.concatenate([(at - at[0]) * cores for cores in roles.values()]).astype(np.uint64)
    steady: dict[str, Any] = {
        "rss_bytes": 50_000_000,
        "anon_bytes": 40_000_000,
        "switches_voluntary": 0,
        "switches_involuntary": 0,
        "processes": 1,
        "threads": 4,
        "run_delay_ns": 0,
        "net_rx_bytes": 0,
        "net_tx_bytes": 0,
    }
    return pa.table(
        {
            "monotonic_ns": np.tile(at, len(roles)).astype(np.uint64),
            "role": [role for role in roles for _ in at],
            "cpu_ns": cpu,
            **{name: np.full(rows, value, dtype=np.uint64) for name, value in steady.items()},
        }
    )


def _write_events(path: Path, tick0: int, ended: int) -> None:
    with path.open("w") as kept:
        for at in range(tick0, ended, _SECOND):
            event = {
                "event": "runtime",
                "monotonic_ns": at,
                "heap_bytes": 20_000_000,
                "heap_kind": "drawn",
                "gc_count": (at - tick0) // _SECOND,
                "gc_pause_ns": (at - tick0) // 10_000,
            }
            kept.write(json.dumps({"received_ns": at, "event": event}) + "\n")


def _record(planned: PlannedTrial, tick0: int, ended: int) -> TrialRecord:
    return TrialRecord.model_validate(
        {
            "planned": planned,
            "status": "ok",
            "tick0_ns": tick0,
            "ended_ns": ended,
            "roles": {
                "client": {
                    "role": "client",
                    "command": ["none"],
                    "cpus": [],
                    "startup_ns": _SECOND,
                    "ready": {
                        "started_ns": tick0 - 2 * _SECOND,
                        "monotonic_ns": tick0 - 2 * _SECOND + 1,
                    },
                    "exit_code": 0,
                }
            },
            "environment": {
                "steal_ratio": 0.0,
                "foreign_cpu": 0.0,
                "psi_cpu": 0.0,
                "canary_ns": 10 * _MS,
                "load_before": 0.0,
                "clock_source": "tsc",
            },
        }
    )
