"""The scripted lanes of an SDK, as the checker is told of them, and what they record."""

from __future__ import annotations

from collections import Counter
from typing import Any

from test_python_worker import MILLISECOND, Life

from wirelab import conform

READ, WRITE, CONNECT, COMPLETE = 1, 2, 3, 4
OK, ERROR, TIMEOUT = 0, 1, 2


def lanes_of(command: list[str], loop: str, **changes: Any) -> conform.CheckedWorker:
    """A worker of two steps with 2 and 3 lanes; the second one of a closed loop goes in rounds."""
    sizes = {"settle": 2, "join_ns": None if loop == "closed" else 20 * MILLISECOND}
    steps = [
        {"name": "few", "users": 2, "lanes": 2, "parameters": {}, **sizes},
        {"name": "more", "users": 3, "lanes": 3, "parameters": {"rounds": True}, **sizes},
    ]
    each = {"items": 1, "record": "samples"}
    operations: dict[str, Any] = {
        "read": {"code": READ, "every": 1, "due": "tick", "preflight": 1, **each},
        "write": {"code": WRITE, "every": 3, "due": "tick", "preflight": 1, **each},
        "connect": {"code": CONNECT, "every": 1, "due": "join", "preflight": 0, **each},
    }
    if loop == "closed":
        complete = {"code": COMPLETE, "every": 1, "due": "step", "preflight": 0, **each}
        operations["complete"] = complete
    described: dict[str, Any] = {
        "command": command,
        "role": "client",
        "loop": loop,
        "operations": operations,
        "steps": tuple(steps),
        "period_ns": 20 * MILLISECOND,
        "operation_ns": 2000 * MILLISECOND,
        "stop_ns": 4000 * MILLISECOND,
        **changes,
    }
    return conform.CheckedWorker(**described)


def recorded(life: Life, code: int) -> Counter[tuple[int, int]]:
    """Number of records by lane, operation and status."""
    return Counter((lane, status) for *_, op, status, lane in life.records if op == code)
