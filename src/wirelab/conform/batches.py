"""The batch file: its form, its counts, and what the suite's judge says of it."""

from __future__ import annotations

import json
from typing import Any

from . import files
from .contract import Json
from .trial import CheckedTrial
from .verdict import Check, verdict

_FIELDS = {"start_ns": int, "end_ns": int, "rounds": int, "checksum": int}
_PHASES = ("prewarm", "warmup", "measure", "audit", "allocation", "failed")
_MOST = 2**32


def read_lines(trial: CheckedTrial, name: str) -> list[Any]:
    """The lines of one of the trial's JSON files that are JSON."""
    path = trial.path(name)
    try:
        lines = files.content(path).splitlines()
    except OSError:
        return []
    found = []
    for line in lines:
        try:
            found.append(json.loads(line))
        except (ValueError, RecursionError):
            found.append(None)
    return found


def check_batches(trial: CheckedTrial) -> Check:
    """Fields of every line; as many measured batches as asked for; their number in `done`."""
    if not trial.worker.loops:
        return Check("batches", "n/a", "nothing is repeated in batches")
    lines = read_lines(trial, "batches")
    findings = [f"line {n}: {wrong}" for n, line in enumerate(lines, 1) if (wrong := _wrong(line))]
    if (trial.done or {}).get("batches") != len(lines):
        said = (trial.done or {}).get("batches")
        findings.append(f"done says {said} batches, the file has {len(lines)} lines")
    if not findings:
        findings = _counts(trial, lines)
    return verdict("batches", findings, f"{len(lines)} lines")


def _wrong(line: Any) -> str:
    """Find what is wrong with the form of a line; empty when nothing is."""
    if not isinstance(line, dict):
        return "not a JSON object"
    if not all(isinstance(line.get(key), str) for key in ("step", "operation", "phase")):
        return "step, operation and phase must be text"
    if line["phase"] not in _PHASES:
        return f"phase {line['phase']!r} is none of {', '.join(_PHASES)}"
    if line["phase"] == "failed":
        return "" if isinstance(line.get("class"), str) else "a failed operation names its class"
    for key, kind in _FIELDS.items():
        if type(line.get(key)) is not kind:
            return f"{key} must be {kind.__name__}"
    if line["rounds"] < 1 or not 0 <= line["checksum"] < _MOST:
        return "rounds must be above 0, checksum an unsigned number of 32 bits"
    return "" if line["start_ns"] <= line["end_ns"] else "ends before it starts"


def _counts(trial: CheckedTrial, lines: list[Json]) -> list[str]:
    """Operations with another number of measured batches than the spec asks for."""
    wanted, known = trial.spec["batches"], trial.spec["operations"]
    found: dict[tuple[str, str], int] = {}
    for line in lines:
        key = (line["step"], line["operation"])
        if key[0] not in wanted["steps"] or key[1] not in known:
            return [f"{key[1]} of step {key[0]} was not asked for"]
        found.setdefault(key, 0)
        found[key] += line["phase"] == "measure"
    if not found:
        return ["no operation was repeated"]
    if late := _late_turns(lines):
        return late
    failed = {(line["step"], line["operation"]) for line in lines if line["phase"] == "failed"}
    return [
        f"{operation} of step {step}: {count} measured batches, {wanted['count']} asked for"
        for (step, operation), count in found.items()
        if count != wanted["count"] and (step, operation) not in failed
    ]


def _late_turns(lines: list[Json]) -> list[str]:
    """Operations that were prewarmed when one of their step was timed already."""
    timed_ns: dict[str, int] = {}
    for line in lines:
        if line["phase"] in ("warmup", "measure", "allocation"):
            first_ns = timed_ns.get(line["step"], line["start_ns"])
            timed_ns[line["step"]] = min(first_ns, line["start_ns"])
    late = {
        (line["step"], line["operation"]): None
        for line in lines
        if line["phase"] == "prewarm"
        and line["end_ns"] > timed_ns.get(line["step"], line["end_ns"])
    }
    return [
        f"{operation} of step {step}: prewarmed when an operation was timed already"
        for step, operation in late
    ]


def check_judged(trial: CheckedTrial) -> Check:
    """Have the suite's judge check answers and checksums."""
    if trial.worker.judge is None or not trial.worker.loops:
        return Check("judge", "n/a", "the suite has no judge of batches")
    answers, batches = read_lines(trial, "answers"), read_lines(trial, "batches")
    facts = (trial.ready or {}).get("facts", {})
    try:
        judged = trial.worker.judge(trial.spec, facts, answers, batches)
    except Exception as error:  # a judge stumbles over what no one expected
        return Check("judge", "fail", f"the suite's judge failed: {error!r}")
    findings = [f"{step}: {text}" for step, of in judged.items() for text in of["wrong"]]
    return verdict("judge", findings, f"{len(answers)} answers and {len(batches)} batches")
