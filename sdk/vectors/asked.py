"""Lines that are written for answers asked for: cases, played by the words of the contract."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]


def began(lane: int = 0) -> Json:
    """A lane begins its next operations."""
    return {"does": "begin", "lane": lane}


def ended(tick: int, lane: int = 0, *, failed: tuple[str, ...] = (), **ended_ns: int) -> Json:
    """The operations of a lane have ended at their times; those that ``failed`` have no answer."""
    results = [
        {
            "operation": operation,
            "start_ns": end_ns - 7,
            "end_ns": end_ns,
            "answer": None if operation in failed else {"is": f"{operation} {tick} of {lane}"},
        }
        for operation, end_ns in ended_ns.items()
    ]
    return {"does": "end", "lane": lane, "tick": tick, "results": results}


def asked(number: int, operation: str, lane: int = 0) -> Json:
    """An answer is asked for."""
    return {"does": "ask", "asked": number, "operation": operation, "lane": lane}


CASES: dict[str, list[Json]] = {
    "after it ended": [began(), ended(3, read=30), asked(0, "read")],
    "each of two that were due together": [
        began(),
        ended(10, read=100, write=101),
        asked(0, "write"),
        asked(1, "read"),
    ],
    "asked while it is under way": [began(), asked(0, "read"), ended(4, read=40)],
    "asked before the first one has begun": [asked(0, "read"), began(), ended(0, read=9)],
    "given once": [
        began(),
        ended(5, read=2**53 + 1),
        asked(0, "read"),
        asked(1, "read"),
        began(),
        ended(6, read=2**53 + 3),
        asked(2, "read"),
    ],
    "the one before is gone": [
        began(),
        ended(10, read=100, write=101),
        began(),
        ended(11, read=110),
        asked(0, "write"),
        asked(1, "read"),
    ],
    "failed": [began(), ended(7, failed=("read",), read=70), asked(0, "read")],
    "every lane for itself": [
        began(1),
        began(0),
        ended(8, 1, read=80),
        asked(0, "read", 0),
        asked(1, "read", 1),
        asked(2, "read", 0),
        ended(8, 0, read=81),
        asked(3, "read", 2),
    ],
}


def lines_of(does: list[Json]) -> list[Json]:
    """The lines of the answers file, but for the time that writing takes."""
    kept: dict[int, dict[str, Json]] = {}
    given: set[tuple[int, str]] = set()
    waiting: list[Json] = []
    lines: list[Json] = []
    for one in does:
        lane = one["lane"]
        if one["does"] == "begin":
            kept.pop(lane, None)
        elif one["does"] == "end":
            kept[lane] = {r["operation"]: {"tick": one["tick"], **r} for r in one["results"]}
            given -= {(lane, operation) for operation in kept[lane]}
        else:
            waiting.append(one)
        for asking in [asking for asking in waiting if asking["lane"] in kept]:
            waiting.remove(asking)
            lines.append(_line(asking, kept[asking["lane"]], given))
    return lines


def _line(asking: Json, kept: dict[str, Json], given: set[tuple[int, str]]) -> Json:
    operation, lane = asking["operation"], asking["lane"]
    line = {"phase": "measure", "operation": operation, "asked": asking["asked"], "lane": lane}
    result = kept.get(operation)
    if result is None:
        return {**line, "none": "nothing"}
    if (lane, operation) in given:
        return {**line, "none": "given"}
    if result["answer"] is None:
        return {**line, "none": "failed"}
    given.add((lane, operation))
    stamps = {key: result[key] for key in ("tick", "start_ns", "end_ns", "answer")}
    return {**line, **stamps}


def askings() -> Json:
    """Every case with what is done, in order, and the lines that are written."""
    return {
        "cases": [
            {"name": name, "does": does, "lines": lines_of(does)} for name, does in CASES.items()
        ]
    }
