"""The interval file: exact counts and histograms by second, or by tenth of one."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections import Counter
from collections.abc import Iterator

from . import files
from .closed import ended_steps
from .contract import SECOND, Json
from .lanes import is_closed
from .trial import CheckedTrial
from .verdict import Check, verdict

_FIELDS = {
    **{"second": int, "tenth": int, "operation": str},
    **{"counts": dict, "service": str, "response": str},
}
_FIELDS_OF_CLOSED = {**_FIELDS, "step": str}
_NEEDED = ("second", "operation")
_KINDS = ("service", "response")

_COMPRESSED, _PLAIN = 0x1C849304, 0x1C849303
"""Cookies of HdrHistogram's encoding V2; the second half of the last byte tells word sizes."""
_WORD_SIZE = 0xF0
_PLAIN_HEADER = 40

MOST_INFLATED = 1 << 20
"""Bytes of a histogram, as the core takes it."""


def by_second(trial: CheckedTrial) -> list[str]:
    """Operations that are recorded by the second."""
    operations = trial.spec["operations"].items()
    return [name for name, entry in operations if entry["record"] == "intervals"]


def check_intervals(trial: CheckedTrial) -> Check:
    """Form of every line, seconds within the schedule, no more received than was expected."""
    wanted = by_second(trial)
    if not wanted:
        return Check("intervals", "n/a", "no operation is recorded by the second")
    findings, totals = [], {name: Counter[str]() for name in trial.spec["operations"]}
    try:
        data = files.content(trial.path("intervals"))
    except OSError as error:
        return Check("intervals", "fail", f"no interval file: {error.strerror}")
    if data and not data.endswith(b"\n"):
        findings.append("the last line is not complete")
    lines = data.splitlines()
    for number, text in enumerate(lines, 1):
        line, wrong = _read(trial, text)
        findings += [f"line {number}: {what}" for what in wrong]
        if line is not None and not wrong:
            totals[line["operation"]].update(line.get("counts", {}))
    for name in wanted:
        expected, received = totals[name]["expected"], totals[name]["received"]
        if received > expected:
            findings.append(f"{name}: {received} received, {expected} expected")
        if not totals[name]:
            findings.append(f"{name}: nothing was recorded")
    total = sum(totals[name]["received"] for name in wanted)
    return verdict("intervals", findings, f"{len(lines)} lines, {total} received")


def _read(trial: CheckedTrial, text: bytes) -> tuple[Json | None, list[str]]:
    """One line and what is wrong with it."""
    try:
        line = json.loads(text)
    except (ValueError, RecursionError):
        return None, ["not JSON"]
    if not isinstance(line, dict):
        return None, ["not an object"]
    wrong = list(_misshapen(line, is_closed(trial.spec["schedule"])))
    if not wrong:
        wrong += _out_of_place(trial, line)
        wrong += _outside_of_its_step(trial, line)
        wrong += _miscounted(line)
    return line, wrong


def _misshapen(line: Json, closed: bool) -> Iterator[str]:
    needed = (*_NEEDED, "step") if closed else _NEEDED
    known = _FIELDS_OF_CLOSED if closed else _FIELDS
    yield from (f"{name} is missing" for name in needed if name not in line)
    for name, value in line.items():
        wanted = known.get(name)
        if wanted is None:
            yield f"{name} is no field; those of a line are {', '.join(known)}"
        elif not isinstance(value, wanted) or isinstance(value, bool):
            yield f"{name} must be {wanted.__name__}"
    counts = line.get("counts")
    for name, count in counts.items() if isinstance(counts, dict) else ():
        if not isinstance(count, int) or isinstance(count, bool) or count < 0:
            yield f"counts.{name} must be a whole number from 0"


def _out_of_place(trial: CheckedTrial, line: Json) -> Iterator[str]:
    # What nobody asked for has no intended time: it may come until everything is given up.
    seconds = -(-trial.worker.schedule_ns(trial.spec["schedule"]["count"]) // SECOND)
    if not 0 <= line["second"] < seconds:
        yield f"second {line['second']} is outside of the schedule"
    if not 0 <= line.get("tenth", 0) < 10:
        yield f"tenth {line['tenth']} is none of a second: they are 0 to 9"
    if line["operation"] not in trial.spec["operations"]:
        yield f"{line['operation']} is no operation of the spec"


def _outside_of_its_step(trial: CheckedTrial, line: Json) -> Iterator[str]:
    """Find seconds that a closed loop wrote for another step, or for settling."""
    schedule = trial.spec["schedule"]
    if not is_closed(schedule):
        return
    if line["step"] not in [step["name"] for step in schedule["steps"]]:
        yield f"{line['step']} is no step of the spec"
    for ended in ended_steps(trial):
        begin, end = ((at - trial.start_ns) // SECOND for at in (ended.begin_ns, ended.end_ns))
        if ended.step["name"] == line["step"] and not begin <= line["second"] <= end:
            yield f"second {line['second']} is outside of {line['step']}"


def _miscounted(line: Json) -> Iterator[str]:
    received = line.get("counts", {}).get("received")
    for kind in _KINDS:
        if text := line.get(kind, ""):
            try:
                times = _times(text)
            except ValueError as error:
                yield f"{kind}: {error}"
            else:
                if received is not None and times > received:
                    yield f"{times} {kind} times of {received} received"


def _times(text: str) -> int:
    """Count the durations in a histogram; ValueError when it is none."""
    try:
        packed = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError(f"not base64: {error}") from None
    if len(packed) < 8 or _number(packed, 0) & ~_WORD_SIZE != _COMPRESSED:
        raise ValueError("not a compressed HdrHistogram V2: its cookie is another one")
    if _number(packed, 4) != len(packed) - 8:
        raise ValueError(f"it says {_number(packed, 4)} bytes, and {len(packed) - 8} follow")
    try:
        unpacking = zlib.decompressobj()
        plain = unpacking.decompress(packed[8:], MOST_INFLATED)
    except zlib.error as error:
        raise ValueError(f"cannot be decompressed: {error}") from None
    if unpacking.unconsumed_tail:
        raise ValueError(f"it inflates to more than {MOST_INFLATED} bytes")
    if not unpacking.eof:
        raise ValueError("cannot be decompressed: the end of its zlib stream is missing")
    if len(plain) < _PLAIN_HEADER or _number(plain, 0) & ~_WORD_SIZE != _PLAIN:
        raise ValueError("what is compressed in it is no HdrHistogram V2, by its cookie")
    if _number(plain, 4) != len(plain) - _PLAIN_HEADER:
        follow = len(plain) - _PLAIN_HEADER
        raise ValueError(f"it says {_number(plain, 4)} bytes of counts, and {follow} follow")
    # Runs of empty buckets are written as negative numbers.
    return sum(count for count in _counts(plain[_PLAIN_HEADER:]) if count > 0)


def _number(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 4], "big")


def _counts(data: bytes) -> Iterator[int]:
    """Numbers in ZigZag LEB128, of nine bytes at most."""
    value = 0
    shift = 0
    for byte in data:
        if shift == 56:
            value, more = value | byte << shift, False
        else:
            value, more = value | (byte & 0x7F) << shift, bool(byte & 0x80)
        shift += 7
        if not more:
            yield value >> 1 if value % 2 == 0 else -(value + 1 >> 1)
            value, shift = 0, 0
