"""The schedule: which ticks were performed, and at which intended times."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping

from .contract import Json
from .samples import Record, read_samples
from .trial import Trial
from .verdict import Check, verdict

_SHOWN = 5


def check_schedule(trial: Trial, name: str = "schedule", whole: bool = True) -> Check:
    """Every due tick once for each lane, at its intended time; `whole`: up to the last."""
    records, _ = read_samples(trial)
    findings = []
    last = 0
    for operation, entry in trial.spec["operations"].items():
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


def _lanes(records: list[Record], code: int) -> dict[int, list[int]]:
    """The intended times of an operation, lane by lane."""
    lanes = defaultdict(list)
    for record in records:
        if record.op == code:
            lanes[record.lane].append(record.intended_ns)
    return lanes


def _turns(trial: Trial, entry: Json, times: list[int]) -> Counter[float]:
    """How often each turn of an operation was recorded; a broken number is no turn."""
    period_ns = trial.spec["schedule"]["period_ns"] * entry["every"]
    return Counter((time - trial.intended_ns(0)) / period_ns for time in times)


def _astray(turns: Mapping[float, int], due: int, every: int) -> list[str]:
    """What is wrong with the turns of one lane when the first ``due`` of them are wanted."""
    findings = []
    if strange := [turn for turn in turns if not turn.is_integer() or not 0 <= turn < due]:
        findings.append(f"{len(strange)} intended times are no tick it is due at")
    if missing := [turn for turn in range(due) if turn not in turns]:
        at = ", ".join(str(turn * every) for turn in missing[:_SHOWN])
        findings.append(f"{len(missing)} of {due} are missing, at tick {at}")
    if twice := [turn for turn, count in turns.items() if count > 1]:
        findings.append(f"{len(twice)} ticks were recorded more than once")
    return findings
