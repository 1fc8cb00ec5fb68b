"""The answers file: its form, which answers it has, and whether they are right."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from . import files
from .closed import statuses
from .contract import ANSWERED, OK
from .given import check_given
from .lanes import is_closed, verified_lane
from .published import findings_of, given_answers
from .samples import read_samples
from .trial import CheckedTrial
from .verdict import Check, verdict

_FIELDS: dict[str, type] = {
    "phase": str,
    "operation": str,
    "tick": int,
    "start_ns": int,
    "end_ns": int,
    "answer": dict,
}


def _read_answers(path: Path) -> tuple[list[Any], list[str], bytes]:
    """The answers, what is wrong with their form, and the file's bytes."""
    answers: list[Any] = []
    findings = []
    try:
        data = files.content(path)
    except FileNotFoundError:
        data = b""
    except OSError as error:
        data, findings = b"", [f"the answers cannot be read: {error.strerror}"]
    for number, line in enumerate(data.splitlines(), 1):
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            findings.append(f"line {number} is not JSON")
            continue
        answers.append(answer)
        if isinstance(answer, dict) and isinstance(answer.get("error"), dict):
            continue  # a call that threw, where the suite lets it be answered so
        for key, kind in _fields(answer).items():
            if not isinstance(answer, dict) or not isinstance(answer.get(key), kind):
                findings.append(f"line {number}: {key} must be {kind.__name__}")
                break
    if data and not data.endswith(b"\n"):
        findings.append("the last line is not complete")
    return answers, findings, data


def _fields(answer: Any) -> dict[str, type]:
    """Keys that a line has to have: of an asking without an answer, why there is none."""
    if isinstance(answer, dict) and "none" in answer:
        return {"phase": str, "operation": str, "none": str}
    return _FIELDS


def check_preflight(trial: CheckedTrial) -> Check:
    """The preflight's answers are on disk at `ready`, one for each call asked for."""
    wanted = Counter(trial.spec["verify"]["preflight"])
    if not wanted:
        return Check("preflight", "n/a", "none is asked for")
    answers, findings, _ = _read_answers(trial.path("answers"))
    if not findings:
        found = Counter(a["operation"] for a in answers if a["phase"] == "preflight")
        findings = [
            f"{operation}: {found[operation]} answers at ready, {count} asked for"
            for operation, count in wanted.items()
            if found[operation] != count
        ]
        phases = {answer["phase"] for answer in answers} - {"preflight"}
        findings += [f"answers of the phase {phase} before start" for phase in sorted(phases)]
    return verdict("preflight", findings, f"{len(answers)} answers")


def check_answers(trial: CheckedTrial) -> Check:
    """Number, checksum and completeness of the answers file."""
    answers, findings, data = _read_answers(trial.path("answers"))
    done = trial.done or {}
    if done.get("answers") != len(data.splitlines()):
        said = done.get("answers")
        findings.append(f"done says {said} answers, the file has {len(data.splitlines())} lines")
    checksum = f"{zlib.crc32(data):08x}"
    if str(done.get("checksum")).lower() != checksum:
        findings.append(f"done says checksum {done.get('checksum')}, the file has {checksum}")
    if not findings and not trial.worker.generates:
        findings = check_given(trial, answers)
    elif not findings:
        given = {(a["operation"], a["tick"]) for a in answers if a["phase"] == "measure"}
        ticks = trial.spec["verify"]["ticks"]
        wanted = {(name, tick) for name in ticks for tick in ticks[name]}
        missing = sorted(wanted - given - _unanswered(trial))
        findings = [f"{name}: no answer of tick {tick}" for name, tick in missing]
        findings += [f"{name}: tick {tick} was not asked for" for name, tick in given - wanted]
    asked = f" to {len(trial.asker.sent)} askings" if trial.asker is not None else ""
    return verdict("answers", findings, f"{len(answers)} answers{asked}, checksum {checksum}")


def _unanswered(trial: CheckedTrial) -> set[tuple[str, int]]:
    """Operations and ticks asked for whose calls all failed: there is no answer to write."""
    records, schedule = read_samples(trial)[0], trial.spec["schedule"]
    operations, asked = trial.spec["operations"], trial.spec["verify"]["ticks"].items()
    if is_closed(schedule):
        found = {name: statuses(trial, records, operations[name]) for name, _ in asked}
        return {
            (name, tick)
            for name, ticks in asked
            for tick in ticks
            if found[name].get((tick, verified_lane(schedule, tick)), OK) not in ANSWERED
        }
    by_time: dict[tuple[int, int], set[int]] = {}
    for record in records:
        by_time.setdefault((record.op, record.intended_ns), set()).add(record.status)
    failed = {call for call, said in by_time.items() if not said & ANSWERED}
    return {
        (name, tick)
        for name, ticks in asked
        for tick in ticks
        if (
            operations[name]["code"],
            trial.intended_ns(tick, verified_lane(schedule, tick)),
        )
        in failed
    }


def check_published(trial: CheckedTrial) -> Check:
    """Records are in their file before an answer says so, and what was seen of files stays."""
    if trial.watch is None:
        return Check("published", "n/a", "nobody asks for its answers")
    findings = [
        f"{file.path.name} is not what was seen of it while the worker ran"
        for file in trial.watch.files
        if not file.is_as_seen()
    ]
    given = given_answers(trial.path("answers"))
    findings += findings_of(given, trial.watch.looks)
    if not given and not findings:
        return Check("published", "n/a", "no answer was given")
    looks = len(trial.watch.looks)
    return verdict(
        "published", findings, f"{len(given)} answers, their records before; {looks} looks"
    )


def check_values(trial: CheckedTrial) -> Check:
    """Have the suite's own verifier check the answers."""
    if trial.worker.verify is None:
        return Check("values", "n/a", "the suite has no verifier")
    answers, findings, _ = _read_answers(trial.path("answers"))
    answers = [answer for answer in answers if "none" not in answer]
    if not findings:
        facts: Mapping[str, Any] = next(iter(trial.facts.values()), {})
        facts = trial.facts.get("server", facts)
        spec = {**trial.spec, "start_ns": trial.start_ns}
        try:
            findings = trial.worker.verify(spec, facts, answers)
        except Exception as error:  # a verifier stumbles over what no one expected
            findings = [f"the suite's verifier failed: {error!r}"]
    if not answers and not findings:
        return Check("values", "n/a", "no call succeeded that was to be answered")
    return verdict("values", findings, f"{len(answers)} answers are right")
