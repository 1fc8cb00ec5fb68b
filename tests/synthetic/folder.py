"""A run in memory, and how it is written as the folder the core would have left."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from wirelab.model.planned import PlannedTrial
from wirelab.model.run import Run
from wirelab.model.trial import TrialRecord
from wirelab.samples import kinds
from wirelab.witness import rows
from wirelab.witness.rows import SeenTraffic

SAMPLE_TYPES: dict[str, Any] = {
    "intended_ns": np.uint64,
    "start_ns": np.uint64,
    "end_ns": np.uint64,
    "size": np.uint32,
    "op": np.uint8,
    "status": np.uint8,
    "lane": np.uint16,
}
PROBE_TYPES: dict[str, Any] = {
    "monotonic_ns": np.uint64,
    "cpu_ns": np.uint64,
    "rss_bytes": np.uint64,
    "anon_bytes": np.uint64,
    "switches_voluntary": np.uint64,
    "switches_involuntary": np.uint64,
    "processes": np.uint16,
    "threads": np.uint16,
    "run_delay_ns": np.uint64,
    "net_rx_bytes": np.uint64,
    "net_tx_bytes": np.uint64,
    "descriptors": np.uint32,
    "threads_raised": np.uint32,
    "threads_lowered": np.uint32,
    "threads_elsewhere": np.uint32,
    "threads_narrowed": np.uint32,
}


@dataclass
class Trial:
    """One trial before it is written; every field may be spoiled by a test."""

    planned: PlannedTrial
    record: dict[str, Any]
    samples: dict[str, np.ndarray]
    probe: dict[str, dict[str, np.ndarray]]  # by role
    events: dict[str, list[dict[str, Any]]]  # by role
    intervals: list[dict[str, Any]] = field(default_factory=list)
    batches: list[dict[str, Any]] = field(default_factory=list)
    host: dict[str, Any] = field(default_factory=dict)  # columns of host.parquet; empty: none
    witness: SeenTraffic | None = None
    kinds: dict[str, np.ndarray] = field(default_factory=dict)  # empty: no rule said any

    def columns(self, **changed: np.ndarray) -> None:
        """Replace columns of the samples."""
        self.samples.update(changed)

    def drop(self, gone: np.ndarray) -> None:
        """Remove the samples where ``gone`` is true, as if they had never been done."""
        self.samples = {name: column[~gone] for name, column in self.samples.items()}

    def event(self, kind: str, role: str = "client") -> dict[str, Any]:
        """The first event of a kind, to be changed in place."""
        return next(e["event"] for e in self.events[role] if e["event"]["event"] == kind)


@dataclass
class SyntheticRun:
    """A run before it is written."""

    run: Run
    trials: list[Trial] = field(default_factory=list)

    def of(self, contender: str, variant: str | None = None) -> list[Trial]:
        """The trials of a contender, in order."""
        return [
            t
            for t in self.trials
            if t.planned.contender == contender and variant in (None, t.planned.variant)
        ]

    def trial(self, contender: str, included: int = 0) -> Trial:
        """The n-th included trial of a contender."""
        return [t for t in self.of(contender) if t.planned.included][included]

    def write(self, folder: Path) -> Path:
        """Write ``run.json`` and every trial below ``folder``; returns it."""
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "run.json").write_text(self.run.model_dump_json(indent=1), "utf-8")
        for trial in self.trials:
            _write_trial(trial, folder / "trials" / trial.planned.id)
        return folder


def _write_trial(trial: Trial, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    record = TrialRecord.model_validate({"planned": trial.planned.model_dump(), **trial.record})
    samples = {n: pa.array(c.astype(SAMPLE_TYPES[n])) for n, c in trial.samples.items()}
    pq.write_table(pa.table(samples), folder / "client.parquet")
    if trial.probe:
        _write_probe(trial.probe, folder / "monitor.parquet")
    if trial.host:
        _write_host(trial.host, folder / "host.parquet")
    if trial.witness is not None:
        rows.write(trial.witness, folder)
    if trial.kinds:
        kinds.write(trial.kinds, folder)
    if trial.intervals:
        lines = "".join(json.dumps(line) + "\n" for line in trial.intervals)
        (folder / "client.intervals.jsonl").write_text(lines, "utf-8")
    if trial.batches:
        lines = "".join(json.dumps(line) + "\n" for line in trial.batches)
        (folder / "client.batches.jsonl").write_text(lines, "utf-8")
    for role, events in trial.events.items():
        lines = "".join(json.dumps(event) + "\n" for event in events)
        (folder / f"{role}.events.jsonl").write_text(lines, "utf-8")
    (folder / "trial.json").write_text(record.model_dump_json(indent=1), "utf-8")


def _write_probe(probe: Mapping[str, Mapping[str, np.ndarray]], path: Path) -> None:
    roles = [role for role, rows in probe.items() for _ in rows["monotonic_ns"]]
    columns = {
        name: np.concatenate([rows[name] for rows in probe.values()]).astype(kind)
        for name, kind in PROBE_TYPES.items()
        if all(name in rows for rows in probe.values())
    }
    order = np.argsort(columns["monotonic_ns"], kind="stable")
    table = {"role": pa.array(np.array(roles, dtype=object)[order], pa.string())}
    pq.write_table(pa.table({n: pa.array(c[order]) for n, c in columns.items()} | table), path)


def _write_host(host: Mapping[str, Any], path: Path) -> None:
    columns = {
        name: pa.array(column, pa.list_(pa.uint64()))
        if isinstance(column, list)
        else pa.array(np.asarray(column).astype(np.uint64))
        for name, column in host.items()
    }
    pq.write_table(pa.table(columns), path)


def spoil(run: SyntheticRun, contender: str, change: Callable[[Trial], None]) -> SyntheticRun:
    """Apply ``change`` to every included trial of a contender; returns the run."""
    for trial in run.of(contender):
        if trial.planned.included:
            change(trial)
    return run
