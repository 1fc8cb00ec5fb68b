"""The sample file: its form, and the times in it."""

from __future__ import annotations

from typing import NamedTuple

from . import files
from .contract import HEADER, OK, RECORD, STATUSES, SUITE_STATUSES
from .trial import CheckedTrial
from .verdict import Check, verdict

COMPLETION_SLACK_NS = 1_000_000
"""Threads that finish together may write in either order; a millisecond is not an order."""


class SampleRecord(NamedTuple):
    """One timed operation."""

    intended_ns: int
    start_ns: int
    end_ns: int
    size: int
    op: int
    status: int
    lane: int


def read_samples(trial: CheckedTrial) -> tuple[list[SampleRecord], list[str]]:
    """The records of the sample file and what is wrong with the file."""
    try:
        data = files.content(trial.path("samples"))
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
    records = [SampleRecord._make(fields) for fields in RECORD.iter_unpack(body)]
    if trial.done is not None and trial.done.get("records") != len(records):
        said = trial.done.get("records")
        findings.append(f"done says {said} records, the file has {len(records)}")
    return records, findings


def check_samples(trial: CheckedTrial, name: str = "samples") -> Check:
    """The sample file: header, size, count, operations and statuses."""
    records, findings = read_samples(trial)
    codes = {entry["code"] for entry in trial.spec["operations"].values()}
    legal = {*STATUSES, *(trial.worker.statuses & set(SUITE_STATUSES))}
    if foreign := {record.op for record in records} - codes:
        findings.append(f"op {sorted(foreign)} is no operation of the spec")
    if foreign := {record.status for record in records} - legal:
        findings.append(f"status {sorted(foreign)} is neither the contract's nor the suite's")
    failed = sum(record.status != OK for record in records)
    return verdict(name, findings, f"{len(records)} records, {failed} not ok")


def check_clock(trial: CheckedTrial) -> Check:
    """Times are of CLOCK_MONOTONIC, in the trial, ordered; nothing starts before its tick."""
    records, _ = read_samples(trial)
    findings = []
    # Of a lane: several threads may record for several lanes.
    latest_ns: dict[tuple[int, int], int] = {}
    for record in records:
        lane = (record.op, record.lane)
        if record.start_ns > record.end_ns:
            findings.append("a record ends before it starts")
        if record.start_ns < record.intended_ns:
            findings.append("a record starts before its tick")
        if record.start_ns < trial.start_ns:
            findings.append("an operation starts before tick 0")
        if record.end_ns > trial.ended_ns:
            findings.append("a record ends after the worker did: not CLOCK_MONOTONIC")
        if record.end_ns < latest_ns.get(lane, 0) - COMPLETION_SLACK_NS:
            findings.append("records are not in the order of completion")
        latest_ns[lane] = max(latest_ns.get(lane, 0), record.end_ns)
    if not records:
        return Check("clock", "n/a", "no records")
    return verdict("clock", findings, f"{len(records)} records within the trial")
