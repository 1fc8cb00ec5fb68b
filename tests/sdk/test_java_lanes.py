"""Lanes of the Java SDK: closed loops with and without rounds, open ones, and calls that hang."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from scripted_worker import compile_worker
from test_python_worker import MILLISECOND, Life, failures

from wirelab import conform

READ, WRITE, CONNECT, COMPLETE = 1, 2, 3, 4
OK, TIMEOUT = 0, 2

pytestmark = pytest.mark.needs("javac")


@pytest.fixture(scope="module")
def java(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command that runs the scripted lanes."""
    return [*compile_worker("java", tmp_path_factory.mktemp("classes")), "lanes"]


def lanes_of(java: list[str], loop: str, **changes: Any) -> conform.CheckedWorker:
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
        "command": java,
        "role": "client",
        "loop": loop,
        "operations": operations,
        "steps": tuple(steps),
        "period_ns": 20 * MILLISECOND,
        "operation_ns": 2000 * MILLISECOND,
        "stop_ns": 2000 * MILLISECOND,
        **changes,
    }
    return conform.CheckedWorker(**described)


def recorded(life: Life, code: int) -> Counter[tuple[int, int]]:
    """How often each lane has a record of an operation with each status."""
    return Counter((lane, status) for *_, op, status, lane in life.records if op == code)


def test_a_closed_loop_keeps_the_contract(java: list[str]) -> None:
    checks = conform.check(lanes_of(java, "closed"))
    assert failures(checks) == []
    found = {check.name: check for check in checks}
    # Reads at 12 ticks and writes at 4 of each lane, three joins, and what every user got.
    turns = (12 + 4) * 2 + (12 + 4) * 3 + 3 + 2 + 3
    assert found["schedule"].detail == f"{turns} turns of lanes in 2 steps"


def test_an_open_loop_keeps_the_contract(java: list[str]) -> None:
    checks = conform.check(lanes_of(java, "open", cycle={"length": 3, "active": 2}))
    assert failures(checks) == []


def test_what_a_hanging_lane_has_not_begun_is_recorded(java: list[str], tmp_path: Path) -> None:
    hanging = {"hanging_lane": 1, "hanging_tick": 3}
    limit = {"operation_ns": 100 * MILLISECOND}
    life = Life(tmp_path, lanes_of(java, "open", parameters=hanging, **limit), 12)
    assert (life.code, life.violations) == (0, [])
    # Lane 1 is due from tick 2 on, with a write at ticks 3, 6 and 9; lane 2 settles until tick 8.
    reads = {(0, OK): 10, (1, OK): 1, (1, TIMEOUT): 9, (2, OK): 4}
    assert recorded(life, READ) == reads
    assert recorded(life, WRITE) == {(0, OK): 3, (1, TIMEOUT): 3, (2, OK): 1}
    assert recorded(life, CONNECT) == {(0, OK): 1, (1, OK): 1, (2, OK): 1}
    said = Counter(error["message"].partition(" after")[0] for error in life.errors)
    assert said == {"no end": 1, "not begun when time was up": 11}


def test_a_lane_that_hangs_in_settling_keeps_nobody_from_the_step(
    java: list[str], tmp_path: Path
) -> None:
    hanging = {"hanging_lane": 1, "hanging_tick": 0}
    limit = {"operation_ns": 100 * MILLISECOND}
    life = Life(tmp_path, lanes_of(java, "closed", parameters=hanging, **limit), 24)
    assert (life.code, life.violations) == (0, [])
    assert [e["name"] for e in life.events if e["event"] == "step"] == ["few", "more"]
    assert recorded(life, READ) == {(0, OK): 24, (1, TIMEOUT): 1, (1, OK): 12, (2, OK): 12}


def test_a_stop_leaves_behind_what_hangs(java: list[str], tmp_path: Path) -> None:
    hanging = {"hanging_lane": 1, "hanging_tick": 5}
    worker = lanes_of(java, "closed", parameters=hanging)
    life = Life(tmp_path, worker, 24, stop_after=1)
    assert (life.code, life.violations) == (0, [])
    assert recorded(life, READ)[1, TIMEOUT] == 1
    assert [e["name"] for e in life.events if e["event"] == "step"] == []


def test_what_a_user_did_not_get_is_a_timeout(java: list[str], tmp_path: Path) -> None:
    worker = lanes_of(java, "closed", parameters={"unserved_user": 2})
    life = Life(tmp_path, worker, 24)
    assert recorded(life, COMPLETE) == {(0, OK): 2, (1, OK): 2, (2, TIMEOUT): 1}
