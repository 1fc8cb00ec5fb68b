"""Recomputes what each verified operation of YCSB's workloads must have done.

What is drawn, and what a field holds, is defined in the suite's README; here it is written once
more than in the workers. In which order writes of other users came is known to the worker alone,
which holds every read to it; here each value is held to the write that it says it is of.
"""

from __future__ import annotations

import bisect
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha512
from typing import Any

SHARES = {
    "a": {"read": 50, "update": 50},
    "b": {"read": 95, "update": 5},
    "c": {"read": 100},
    "d": {"read": 95, "insert": 5},
    "e": {"scan": 95, "insert": 5},
    "f": {"read": 50, "modify": 50},
}
ASKED = {"read": (1, 0), "scan": (1, 0), "update": (0, 1), "insert": (0, 1), "modify": (1, 1)}
"""Records that a database has to look for, and to write, at the least, by kind of operation."""

FIELDS, FILLER_BYTES, FILLERS = 10, 75, 1009
U64 = 0xFFFFFFFFFFFFFFFF

Json = Mapping[str, Any]


def right_record(spec: Json, given: Json, answer: Json) -> Iterator[str]:
    """Findings about one answer."""
    kind, record, newest = (answer.get(name) for name in ("kind", "record", "newest"))
    table = spec["facts"]["server"]["popularity"]
    if type(record) is not int or type(newest) is not int or newest < table["records"] - 1:
        yield f"not an answer of this suite: {dict(answer)!r:.200}"
        return
    workload, lane = _turn(spec, given)
    h = _drawn(spec, given["tick"], lane)
    if kind != (due := _kind(workload, h % 100)):
        yield f"{kind} was done instead of {due}"
        return
    if kind != "insert" and record != (wanted := _record(table, workload, h, newest)):
        yield f"record {record} was asked for instead of {wanted}"
        return
    if kind in {"update", "modify"} and answer.get("field") != mix(h + 3 & U64) % FIELDS:
        yield f"field {answer.get('field')} was written instead of {mix(h + 3 & U64) % FIELDS}"
    if kind in {"read", "modify"}:
        loaded = record < table["records"]
        yield from _wrong_content(record, answer, spec.get("secret", "") if loaded else None)
    if kind == "scan":
        most = 1 + mix(h + 4 & U64) % 100
        yield from _wrong_scan(table["records"], record, most, answer, spec.get("secret", ""))


def kind_at(spec: Json, tick: int, lane: int) -> str:
    """The kind of operation that is due at a turn of the schedule."""
    workload = _workload_of(spec, _step_at(spec, tick))
    return _kind(workload, _drawn(spec, tick, lane) % 100)


def _drawn(spec: Json, tick: int, lane: int) -> int:
    return mix(mix(spec["seed"] & U64) ^ (tick << 16 | lane))


def _workload_of(spec: Json, step: Json) -> str:
    workload: str = {**spec["parameters"], **step.get("parameters", {})}["workload"]
    return workload


def _step_at(spec: Json, tick: int) -> Json:
    steps: Sequence[Json] = spec["schedule"]["steps"]
    return next(s for s in steps if s["first"] <= tick < s["first"] + s["count"])


def _turn(spec: Json, given: Json) -> tuple[str, int]:
    """Workload and lane of an answer."""
    if given["phase"] != "measure":
        return _workload_of(spec, spec["schedule"]["steps"][0]), 0
    tick = given["tick"]
    step = _step_at(spec, tick)
    return _workload_of(spec, step), given.get("lane", tick % max(1, step["lanes"]))


def _kind(workload: str, at: int) -> str:
    for kind, share in SHARES[workload].items():
        if (at := at - share) < 0:
            return kind
    raise ValueError(f"the shares of workload {workload} are less than 100 %")


def _record(table: Json, workload: str, h: int, newest: int) -> int:
    group = bisect.bisect_right(table["until"], mix(h + 1 & U64) % table["until"][-1])
    begin, *behind = table["first"][group : group + 2]
    end = behind[0] if behind else table["records"]
    rank = int(begin + mix(h + 2 & U64) % (end - begin))
    return newest - rank if workload == "d" else int(mix(rank) % table["records"])


def _wrong_content(record: int, answer: Json, secret: str | None) -> Iterator[str]:
    """Find what is wrong in a record; ``secret`` is that of one that was loaded."""
    found = answer.get("found")
    if not isinstance(found, Sequence) or len(found) != FIELDS:
        yield f"the fields of record {record} are missing: {found!r:.100}"
        return
    right = f"{zlib.crc32(_content(record, found, secret)):08x}"
    if answer.get("content") != right:
        yield f"record {record} holds {answer.get('content')}, expected {right}"


def _content(record: int, found: Sequence[int], secret: str | None) -> bytes:
    """All fields of a record, by the sequence number of what each of them holds."""
    return b"".join(
        _value(record, field, 0, _digits(record, field, bytes.fromhex(secret)))
        if secret is not None and sequence == 0
        else _value(record, field, sequence, _letters(record, field, sequence))
        for field, sequence in enumerate(found)
    )


def _value(record: int, field: int, sequence: int, filler: str) -> bytes:
    return f"{record:012d}{field}{sequence:012d}{filler}".encode()


def _letters(record: int, field: int, sequence: int) -> str:
    """Fill what was written."""
    offset = (record * 31 + field * 7 + sequence) % FILLERS
    return "".join(chr(97 + mix(i) % 26) for i in range(offset, offset + FILLER_BYTES))


def _digits(record: int, field: int, secret: bytes) -> str:
    """Fill what was loaded."""
    return sha512(secret + struct.pack("<QI", record, field)).hexdigest()[:FILLER_BYTES]


def _wrong_scan(loaded: int, record: int, most: int, answer: Json, secret: str) -> Iterator[str]:
    """Every loaded record between the first and the last one found must be there, and each holds
    what was loaded or inserted: nobody changes one where there are scans.
    """
    found = answer.get("records")
    if not isinstance(found, Sequence) or not 1 <= len(found) <= most or found[0] != record:
        yield f"a scan of {most} records from {record} on gave {found!r:.100}"
        return
    names = _names(loaded)
    begin = bisect.bisect_left(names, mix(record))
    end = bisect.bisect_right(names, mix(found[-1]))
    there = [mix(number) for number in found]
    if there != sorted(there) or not set(names[begin:end]) <= set(there):
        yield f"a scan from record {record} on left records out"
    elif len(found) < most and end < loaded:
        yield f"a scan of {most} records from {record} on ended after {len(found)}"
    else:
        whole = (_content(n, [0] * FIELDS, secret if n < loaded else None) for n in found)
        right = f"{zlib.crc32(b''.join(whole)):08x}"
        if answer.get("content") != right:
            yield (
                f"a scan of {len(found)} records from {record} on holds {answer.get('content')}, "
                f"expected {right}"
            )


@lru_cache(maxsize=1)
def _names(loaded: int) -> list[int]:
    """Numbers that order the keys of the loaded records."""
    return sorted(map(mix, range(loaded)))


def mix(x: int) -> int:
    """The finaliser of splitmix64."""
    z = (x + 0x9E3779B97F4A7C15) & U64
    z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & U64
    z = ((z ^ z >> 27) * 0x94D049BB133111EB) & U64
    return z ^ z >> 31
