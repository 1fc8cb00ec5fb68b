"""The schedule: which ticks were performed, and at which intended times."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping

from .closed import check_turns
from .contract import Json
from .lanes import due_lanes, is_closed, joins
from .samples import SampleRecord, read_samples
from .trial import CheckedTrial
from .verdict import Check, verdict

_SHOWN = 5
_STOPPING_NS = 200_000_000
"""The threads of a worker may hear of a stop one after the other."""


def check_schedule(trial: CheckedTrial, name: str = "schedule", whole: bool = True) -> Check:
    """Every due tick once for each lane, at its intended time; `whole`: up to the last."""
    records, _ = read_samples(trial)
    if is_closed(trial.spec["schedule"]):
        return check_turns(trial, records, name, whole)
    if trial.spec["schedule"]["steps"]:
        return _check_steps(trial, records, name, whole)
    findings = []
    last = 0
    for operation, entry in _sampled(trial).items():
        lanes = _lanes(records, entry["code"])
        if not lanes:
            findings.append(f"{operation}: no record")
        for lane, times in sorted(lanes.items()):
            turns = _turns(trial, entry, times)
            due = -(-trial.spec["schedule"]["count"] // entry["every"])
            if not whole:
                due = min(due, max(0, int(max(turns)) + 1))
            where = f"{operation}, lane {lane}" if lane else operation
            findings += [f"{where}: {what}" for what in _astray(turns, due, entry["every"])]
            last = max(last, (due - 1) * entry["every"])
    return verdict(name, findings, f"ticks 0 to {last}, each at its intended time")


def _sampled(trial: CheckedTrial) -> dict[str, Json]:
    """The operations that have a record each."""
    operations = trial.spec["operations"].items()
    return {name: entry for name, entry in operations if entry["record"] == "samples"}


def _lanes(records: list[SampleRecord], code: int) -> dict[int, list[int]]:
    """The intended times of an operation, lane by lane."""
    lanes = defaultdict(list)
    for record in records:
        if record.op == code:
            lanes[record.lane].append(record.intended_ns)
    return lanes


def _turns(trial: CheckedTrial, entry: Json, times: list[int]) -> Counter[float]:
    """Count how often each turn of an operation was recorded; a broken number is no turn."""
    period_ns = trial.spec["schedule"]["period_ns"] * entry["every"]
    return Counter((time - trial.intended_ns(0)) / period_ns for time in times)


def _astray(turns: Mapping[float, int], due: int, every: int) -> list[str]:
    """Find what is wrong with the turns of one lane when the first ``due`` of them are wanted."""
    findings = []
    if strange := [turn for turn in turns if not turn.is_integer() or not 0 <= turn < due]:
        findings.append(f"{len(strange)} intended times are no tick it is due at")
    if missing := [turn for turn in range(due) if turn not in turns]:
        at = ", ".join(str(turn * every) for turn in missing[:_SHOWN])
        findings.append(f"{len(missing)} of {due} are missing, at tick {at}")
    if twice := [turn for turn, count in turns.items() if count > 1]:
        findings.append(f"{len(twice)} ticks were recorded more than once")
    return findings


def _check_steps(trial: CheckedTrial, records: list[SampleRecord], name: str, whole: bool) -> Check:
    """The lanes that each step asks for, and the users that join in it."""
    findings = []
    total = 0
    for operation, entry in _sampled(trial).items():
        done = Counter((r.lane, r.intended_ns) for r in records if r.op == entry["code"])
        due = _due(trial, entry)
        strange = [turn for turn in done if turn not in due]
        if not whole:
            latest = max((time for _, time in done), default=0) - _STOPPING_NS
            due = {(lane, time) for lane, time in due if time <= latest}
        if strange:
            findings.append(f"{operation}: {len(strange)} lanes and times are none it is due at")
        if missing := sorted(due - done.keys(), key=lambda turn: turn[1]):
            first = missing[0][0]
            findings.append(f"{operation}: {len(missing)} of {len(due)} are missing, lane {first}")
        if twice := [turn for turn, count in done.items() if count > 1]:
            findings.append(f"{operation}: {len(twice)} were recorded more than once")
        total += len(due)
    return verdict(name, findings, f"{total} turns of lanes, each at its intended time")


def _due(trial: CheckedTrial, entry: Json) -> set[tuple[int, int]]:
    """Lanes with the times they are due at."""
    schedule = trial.spec["schedule"]
    if entry["due"] == "join":
        begin_ns = trial.start_ns
        return {(user, begin_ns + at) for user, at in joins(schedule).items()}
    ticks = range(0, schedule["count"], entry["every"])
    return {(lane, trial.intended_ns(t, lane)) for t in ticks for lane in due_lanes(schedule, t)}
