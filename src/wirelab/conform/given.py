"""The lines of an answers file for what was asked, held against the records (contract 2)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from .asking import CheckedAsking
from .contract import ANSWERED, Json
from .lanes import is_closed
from .samples import SampleRecord, read_samples
from .trial import CheckedTrial

REASONS = ("nothing", "given", "failed")

_UNEXPLAINED = 0.2
"""Share of the askings that a busy machine may leave without an answer."""


def check_given(trial: CheckedTrial, answers: Sequence[Json]) -> list[str]:
    """Findings: each asking has its line and each line its asking; stamps are those of a record;
    and answers come between the operations of their lane.
    """
    asker = trial.asker
    if asker is None:
        return []
    lines = [answer for answer in answers if answer["phase"] == "measure"]
    findings = [found for line in lines if (found := _misshapen(line))]
    if findings:
        return findings
    return _Given(trial, asker.sent).findings(lines)


def _heard_together(asking: CheckedAsking, line: Json | None, lines: Sequence[Json]) -> bool:
    """Whether a worker that was held up heard several askings at once, and the lane's one answer
    was given to another of them."""
    return (
        line is not None
        and line["none"] == "given"
        and any(
            (other["operation"], other["lane"]) == (asking.operation, asking.lane)
            and other["pause"][0] >= asking.sent_ns
            for other in lines
            if "none" not in other
        )
    )


class _Given:
    def __init__(self, trial: CheckedTrial, sent: Sequence[CheckedAsking]) -> None:
        self._sent = sent
        # What is due once a step lasts as long as that, and lies beside the turns of its lane.
        codes = {
            entry["code"]: name
            for name, entry in trial.spec["operations"].items()
            if entry["due"] == "tick"
        }
        self._codes = {name: code for code, name in codes.items()}
        self._written = read_samples(trial)[0]
        self._lanes: dict[int, list[SampleRecord]] = defaultdict(list)
        self._own: dict[tuple[str, int], list[SampleRecord]] = defaultdict(list)
        for record in sorted(self._written, key=lambda record: record.start_ns):
            if record.op in codes:
                self._lanes[record.lane].append(record)
                self._own[codes[record.op], record.lane].append(record)
        self._last_ns = max((r.end_ns for own in self._lanes.values() for r in own), default=0)
        self._unowed = trial.worker.unowed
        self._given: set[SampleRecord] = set()
        schedule = trial.spec["schedule"]
        self._late_ns = 0 if is_closed(schedule) else schedule["period_ns"] // 10

    def findings(self, lines: Sequence[Json]) -> list[str]:
        numbers = Counter(line["asked"] for line in lines)
        findings = [
            f"answer {number} was not asked for"
            if number >= len(self._sent)
            else f"answer {number} is there {count} times"
            for number, count in numbers.items()
            if number >= len(self._sent) or count > 1
        ]
        if findings:
            return findings
        by_number = {line["asked"]: line for line in lines}
        missing = []
        for number, asking in enumerate(self._sent):
            line = by_number.get(number)
            if line is not None and (found := self._astray(asking, line)):
                findings.append(found)
            elif self._is_missing(asking, line, lines):
                missing.append(number)
        if len(missing) > max(2, _UNEXPLAINED * len(self._sent)):
            what = f"{len(missing)} of {len(self._sent)} answers asked for were not given"
            findings.append(f"{what}, such as number {missing[0]}, though there was one to give")
        return findings

    def _astray(self, asking: CheckedAsking, line: Json) -> str:
        name = f"answer {line['asked']}"
        if (line["operation"], line["lane"]) != (asking.operation, asking.lane):
            asked = f"{asking.operation} of lane {asking.lane}"
            return f"{name} is of {line['operation']} of lane {line['lane']}, asked was {asked}"
        if "none" in line:
            return ""
        own = self._own[asking.operation, asking.lane]
        stamps = (line["start_ns"], line["end_ns"])
        record = next((r for r in own if (r.start_ns, r.end_ns) == stamps), None)
        if record is None:
            return f"{name} has the stamps of no record"
        if record in self._given:
            return f"{name} was given before"
        self._given.add(record)
        if any(record.start_ns < r.start_ns and r.end_ns < asking.sent_ns for r in own):
            return f"{name} is not of the lane's last operation of that name"
        begin_ns, end_ns = line["pause"]
        if any(r.start_ns < end_ns and begin_ns < r.end_ns for r in self._lanes[asking.lane]):
            return f"{name} was put into words while an operation of its lane was under way"
        later = self._written[line.get("records", len(self._written)) :]
        own_later = ((r.op, r.lane) for r in later if r.end_ns <= begin_ns)
        if (self._codes[asking.operation], asking.lane) in own_later:
            said = f"{name} says that the file had {line['records']} records"
            return f"{said}; one of its lane that had ended by then was written later"
        return ""

    def _is_missing(self, asking: CheckedAsking, line: Json | None, lines: Sequence[Json]) -> bool:
        if line is not None and "none" not in line:
            return False
        return self._is_owed(asking) and not _heard_together(asking, line, lines)

    def _is_owed(self, asking: CheckedAsking) -> bool:
        if asking.operation in self._unowed:
            return False
        own = self._own[asking.operation, asking.lane]
        begun = [record for record in own if record.start_ns <= asking.sent_ns]
        if not begun or begun[-1].status not in ANSWERED or asking.sent_ns > self._last_ns:
            return False
        # A worker that hears a tenth of a period late finds the lane at its next operation.
        heard_ns = asking.sent_ns + self._late_ns
        others = (r for r in self._lanes[asking.lane] if r.op != begun[-1].op)
        passed = any(begun[-1].end_ns < record.start_ns <= heard_ns for record in others)
        return begun[-1] not in self._given and not passed


def _misshapen(line: dict[str, Any]) -> str:
    """Find what is wrong with the form of a line for an asking; empty: nothing."""
    if any(type(line.get(key)) is not int or line[key] < 0 for key in ("asked", "lane")):
        return "an answer of the measurement without asked and lane"
    name = f"answer {line['asked']}"
    if "none" in line:
        known = line["none"] in REASONS
        return "" if known else f"{name}: none is {line['none']!r}, not one of {', '.join(REASONS)}"
    pause = line.get("pause")
    if not isinstance(pause, list) or [type(at) for at in pause] != [int, int]:
        return f"{name}: pause must be its begin and its end"
    records = line.get("records", 0)
    if type(records) is not int or records < 0:
        return f"{name}: records is no whole number from 0"
    in_order = line["start_ns"] <= line["end_ns"] <= pause[0] <= pause[1]
    return "" if in_order else f"{name}: start_ns, end_ns and pause are not in this order"
