"""Writes the vectors of this folder, from the words of ``docs/reference/worker-contract.md`` alone.

    python sdk/vectors/generate.py [FOLDER]

Python's integers have no largest one, so nothing here can overflow. Nothing of wirelab is imported:
what is compared with these vectors has no part in making them.
"""

from __future__ import annotations

import json
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from asked import askings
from batches import batches
from histograms import encoded

Json = dict[str, Any]

GOLDEN, WHOLE = 618_033_989, 10**9
SECOND, HOUR, DAY = 10**9, 3600 * 10**9, 86_400 * 10**9
LARGEST = 2**63 - 1

# ------------------------------------------------------------------------------- schedules


def step(name: str, *numbers: int) -> Json:
    """A step of ``count``, ``settle``, ``lanes``, ``users`` and ``join_ns`` (none: 0).

    Its first tick follows from the steps before it.
    """
    keys = ("count", "settle", "lanes", "users", "join_ns")
    return {"name": name, "join_ns": 0} | dict(zip(keys, numbers, strict=False))


def schedule(
    loop: str, first_ns: int, period_ns: int, cycle: tuple[int, int], *steps: Json, count: int = 0
) -> Json:
    """A schedule as the spec has it."""
    first, placed = 0, []
    for each in steps:
        placed.append({"first": first} | each)
        first += each["count"]
    return {
        "loop": loop,
        "first_ns": first_ns,
        "period_ns": period_ns,
        "count": first or count,
        "warmup": 0,
        "cycle": {"length": cycle[0], "active": cycle[1]},
        "steps": placed,
    }


def shift_ns(of: Json, lane: int) -> int:
    """The time by which a lane is shifted within its cycle."""
    return (lane * GOLDEN % WHOLE) * of["cycle"]["length"] * of["period_ns"] // WHOLE


def due(of: Json, lane: int) -> Iterator[tuple[int, int]]:
    """Ticks of a lane, each with its intended time after the start."""
    period_ns, cycle, before = of["period_ns"], of["cycle"], 0
    whole = {"first": 0, "count": of["count"], "settle": 0, "lanes": 1}
    for each in of["steps"] or [whole]:
        first = each["first"] + (0 if lane < before else each["settle"])
        ticks = range(first, each["first"] + each["count"]) if lane < each["lanes"] else ()
        for tick in ticks:
            if (tick - shift_ns(of, lane) // period_ns) % cycle["length"] < cycle["active"]:
                within_ns = shift_ns(of, lane) % period_ns
                yield tick, of["first_ns"] + tick * period_ns + within_ns
        before = each["lanes"]


def joins(of: Json) -> Iterator[tuple[int, int]]:
    """Users, each with its intended time after the start."""
    before = 0
    for each in of["steps"]:
        begin_ns, added = of["first_ns"] + each["first"] * of["period_ns"], each["users"] - before
        for k in range(added):
            yield before + k, begin_ns + k * each["join_ns"] // added
        before = each["users"]


def timed(name: str, of: Json, lanes: list[int] | None = None, users: int = 1) -> Json:
    """A schedule of times: all lanes or some, every user or each so many-th and the last one."""
    most = max((each["lanes"] for each in of["steps"]), default=1)
    known = list(joins(of))
    return {
        "name": name,
        "schedule": of,
        "end_ns": of["first_ns"] + of["count"] * of["period_ns"],
        "lanes": [
            {"lane": lane, "shift_ns": shift_ns(of, lane), "due": list(due(of, lane))}
            for lane in (range(most) if lanes is None else lanes)
        ],
        "joins": known[::users] + known[-1:] * (users > 1),
    }


def closed(name: str, of: Json, operation_ns: int) -> Json:
    """A closed loop: no tick of a lane has a time, but each step has an end at the latest."""
    latest = [(s["count"] - s["settle"]) * of["period_ns"] + operation_ns for s in of["steps"]]
    steps = [{"step": each["name"]} for each in of["steps"]]
    for each, at_most_ns in zip(steps, latest, strict=True):
        each["at_most_ns"] = at_most_ns if at_most_ns <= LARGEST else None
    return {"name": name, "schedule": of, "operation_ns": operation_ns, "steps": steps}


def schedules() -> Json:
    """Schedules with what is due in them."""
    always = (1, 1)
    whole_63_bits = LARGEST // 7  # 2^63 - 1 is a multiple of 7
    falling = [
        step("few", 6, 2, 3, 4, 1000),
        step("many", 6, 1, 5, 9, 777),
        step("two", 5, 3, 2, 9),
    ]
    crowd = step("crowd", 600, 0, 65_536, 65_536, 10 * SECOND)
    return {
        "timed": [
            timed("one lane without steps", schedule("paced", 7, 10**8, always, count=5)),
            timed(
                "lanes come, and fall silent", schedule("open", 500, 16_666_667, (5, 2), *falling)
            ),
            timed(
                "a cycle of 12 s, whose products are beyond 64 bits",
                schedule("open", 0, 10**8, (120, 1), step("one", 240, 0, 4, 4)),
            ),
            timed(
                "65,536 lanes in a cycle of ten hours",
                schedule("open", 300_000_000, 60 * SECOND, (600, 1), crowd),
                lanes=[0, 1, 77, 9_999, 32_768, 65_534, 65_535],
                users=9_973,
            ),
            timed(
                "a run of 228 years",
                schedule("open", 1, HOUR, (30, 7), step("late", 2_000_000, 1_999_960, 3, 3, HOUR)),
            ),
            timed(
                "a million ticks a second",
                schedule("open", 3, 1_000, (1_000, 3), step("fast", 1_500_000, 1_499_000, 3, 3, 9)),
            ),
            timed(
                "ticks of a nanosecond",
                schedule("open", 0, 1, (7, 3), step("fastest", 400_000, 399_980, 3, 3, 1)),
            ),
            timed(
                "the last tick ends with the last nanosecond of 63 bits",
                schedule("open", 0, whole_63_bits, always, step("ages", 7, 0, 3, 3, DAY)),
            ),
            timed(
                "65,536 users join in two days: products beyond 63 bits",
                schedule("open", 0, DAY, always, step("queue", 3, 0, 1, 65_536, 2 * DAY)),
                users=9_973,
            ),
        ],
        "closed": [
            closed(
                "two steps",
                schedule(
                    *("closed", 0, 60 * SECOND, always),
                    *(step("one", 1_000, 100, 1, 1), step("many", 200, 0, 64, 64)),
                ),
                10 * SECOND,
            ),
            closed(
                "ticks that may take an hour: the last that 63 bits hold, and more",
                schedule(
                    *("closed", 0, HOUR, always),
                    *(step("most", 2_562_047, 0, 1, 1), step("more", 2_562_048, 0, 1, 1)),
                    *(step("wrapped", 5_124_096, 0, 1, 1), step("beyond", 10**12, 1, 1, 1)),
                ),
                2_000 * SECOND,
            ),
        ],
    }


# --------------------------------------------------------------------------- sample file


def samples() -> Json:
    """The bytes of a sample file."""
    names = ("intended_ns", "start_ns", "end_ns", "size", "op", "status", "lane")
    rows = [
        (1, 0x0203, 0x04050607_08090A0B, 0x0C0D0E0F, 1, 0, 0x1011),
        (0, 0, 0, 0, 0, 7, 0),
        (2**53 - 1, 2**53, 2**53 + 1, 130, 9, 2, 256),
        (2**53 + 1, 2**53 + 3, 2**62 + 1, 2**31, 128, 5, 32_768),
        (LARGEST, LARGEST, LARGEST, 2**32 - 1, 255, 6, 65_535),
        (2**32, 2**32 - 1, 2**32 + 1, 1, 2, 64, 1),
        (12_345, 12_346, 12_347, 7, 3, 255, 2),
    ]
    header = struct.pack("<8sHHI16x", b"WLSAMPLE", 1, 32, 1)
    packed = [struct.pack("<QQQIBBH", *row) for row in rows]
    return {
        "header": header.hex(),
        "records": [
            dict(zip(names, row, strict=True)) | {"bytes": data.hex()}
            for row, data in zip(rows, packed, strict=True)
        ],
    }


# -------------------------------------------------------------------------------- events

STRANGE = 'a "b" \\ / \b\f\n\r\t \x01\x1f\x7f é 한글 😀 \u2028 </script>'


def events() -> Json:
    """Events with the fields that a line has at least, and commands with what they mean."""
    library = {"library": {"name": 'lib "é"', "version": "1.2-3"}}
    error = {"event": "error", "class": "TimeoutError", "status": "timeout", "scope": "call"}
    said = [
        {"event": "ready", "contract": 2} | library,
        {"event": "ready", "contract": 2, "endpoint": "ws://127.0.0.1:65535/x?y=é"}
        | {"facts": {"protocol": "json", "deep": {"list": [1, "zwei", None, True]}}}
        | {"capabilities": ["lanes", "fast"]}
        | library,
        {"event": "progress", "records": 0},
        {"event": "progress", "records": 2**53 + 1},
        {"event": "step", "name": "size-1000", "begin_ns": 1, "end_ns": 2},
        {"event": "step", "name": STRANGE, "begin_ns": 2**53 + 1, "end_ns": LARGEST},
        error | {"message": "no answer", "operation": "read", "intended_ns": 2**53 + 1},
        error | {"message": STRANGE, "operation": "write", "intended_ns": LARGEST},
        {"event": "done", "records": 0, "answers": 0, "checksum": "00000000"},
        {"event": "done", "records": 2**53 + 1, "answers": 70_000, "checksum": "0badcafe"},
    ]
    start = '{"command": "start", "monotonic_ns": %d}'
    commands = [
        {"line": start % ns, "start_ns": ns} for ns in (1, 2**32, 2**53 + 1, 2**62 + 1, LARGEST)
    ]
    commands += [
        {"line": '{"monotonic_ns":77,"command":"start"}', "start_ns": 77},
        {"line": ' {"command":"start","more":[{"monotonic_ns":9}],"monotonic_ns":78}\r'}
        | {"start_ns": 78},
        {"line": '{"command":"\\u0073tart","monotonic_ns":79}', "start_ns": 79},
        {"line": '{"command":"stop"}', "start_ns": None},
        {"line": '\t{"because":"start","command":"stop"} ', "start_ns": None},
    ]
    return {"events": said, "commands": commands}


# ------------------------------------------------------------------------- interval file


def intervals() -> Json:
    """Lines of the interval file, with the durations whose histograms they have."""
    spread = [1_000, 1_500, 270_000, 270_000, 5 * SECOND, 119 * SECOND]
    # The lowest duration says how fine places are, and is no bound to what is counted.
    short = [0, 1, 511, 512, 999]
    many = [1_000 + 997 * n * n for n in range(300)]
    cases: list[tuple[Json, list[int], list[int]]] = [
        ({"second": 0, "operation": "connect", "counts": {}}, [], []),
        ({"second": 12, "operation": "delivery", "counts": {"expected": 2450, "received": 6}}
         | {"step": "users-20"}, spread, []),
        ({"second": 604_800, "operation": "rtt", "counts": {"received": 300, "bytes": 2**47}},
         many, spread),
        ({"second": 3, "operation": "convert", "counts": {"received": 5}}, short, []),
    ]  # fmt: skip
    return {
        "intervals": [
            {"fields": fields, "service_ns": service, "response_ns": response}
            | {"service": encoded(service) if service else ""}
            | {"response": encoded(response) if response else ""}
            for fields, service, response in cases
        ]
    }


FILES = {
    "asked.json": askings,
    "schedule.json": schedules,
    "samples.json": samples,
    "events.json": events,
    "intervals.json": intervals,
    "batches.json": batches,
}


def lines(value: Any, depth: int = 2) -> str:
    """JSON with an entry of the outer two levels a line."""
    if depth and isinstance(value, dict):
        inner = (f"{json.dumps(key)}: {lines(item, depth - 1)}" for key, item in value.items())
        return "{\n" + ",\n".join(inner) + "\n}"
    if depth and isinstance(value, list):
        return "[\n" + ",\n".join(json.dumps(item) for item in value) + "\n]"
    return json.dumps(value)


def main(folder: Path) -> None:
    """Write every file into ``folder``."""
    for name, vectors in FILES.items():
        (folder / name).write_text(lines(vectors()) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
