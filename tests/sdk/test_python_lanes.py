"""Lanes of the Python SDK: closed loops with and without rounds, open ones, and what goes wrong."""

from __future__ import annotations

import dataclasses
import json
import textwrap
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from test_python_worker import MILLISECOND, Life, failures, worker_of

from wirelab import conform

OK, ERROR, TIMEOUT, DISCONNECTED, WRONG_ANSWER = 0, 1, 2, 3, 6

WORK = """
    import time

    SLOW_S = 0.02

    class Work:
        def __init__(self):
            self.begun = []

        def begin(self, step):
            self.begun.append(step.name)

        def prepare(self, turn):
            assert turn.step.name in self.begun
            return turn

        def judge(self, turn, result):
            assert result == turn.lane
            wrong = FAULT == "wrong" and turn.phase == "measure"
            status = Status.WRONG_ANSWER if wrong else Status.OK
            return Outcome(lambda: {"lane": turn.lane}, status=status, size=turn.lane)

        def explain(self, error):
            status = Status.OK if FAULT == "deny" else Status.DISCONNECTED
            return Failure(status, type(error).__name__, "E7", str(error))

        def fail(self, turn):
            if FAULT in ("raise", "deny") and turn.phase == "measure":
                raise ConnectionError("gone")

    class Awaited(Work):
        async def call(self, turn):
            hangs = FAULT in ("hang", "deaf") and turn.phase == "measure"
            try:
                await asyncio.sleep(60 if hangs else SLOW_S if FAULT == "slow" else 0.0005)
            except asyncio.CancelledError:
                await asyncio.sleep(60 if FAULT == "deaf" else 0)
                raise
            self.fail(turn)
            return turn.lane

    class Blocking(Work):
        def call(self, turn):
            hangs = FAULT == "hang" and turn.phase == "measure"
            time.sleep(60 if hangs else SLOW_S if FAULT == "slow" else 0.0005)
            self.fail(turn)
            return turn.lane

    async def role(worker):
        rounds = lambda step: worker.spec.parameter("rounds", False, step)
        lanes = LANES(worker, WORK(), worker.spec.operations["read"], rounds)
        await lanes.preflight()
        worker.ready("lanes", "1", capabilities=["lanes"])
        await lanes.run()

    main(role)
"""
AWAITED, BLOCKING = ("AsyncLanes", "Awaited"), ("ThreadedLanes", "Blocking")
both = pytest.mark.parametrize("driver", [AWAITED, BLOCKING], ids=["awaited", "blocking"])


def lanes_of(
    tmp_path: Path,
    driver: tuple[str, str],
    loop: str,
    fault: str = "",
    settle: int = 2,
    **changes: Any,
) -> conform.CheckedWorker:
    """A worker of two steps with 2 and 3 lanes; the second one of a closed loop goes in rounds."""
    body = WORK.replace("LANES(", f"{driver[0]}(").replace("WORK()", f"{driver[1]}()")
    sizes = {"settle": settle, "join_ns": None if loop == "closed" else 0}
    steps = [
        {"name": "few", "users": 2, "lanes": 2, "parameters": {}, **sizes},
        {"name": "more", "users": 3, "lanes": 3, "parameters": {"rounds": True}, **sizes},
    ]
    operation = {"every": 1, "items": 1, "preflight": 1, "due": "tick", "record": "samples"}
    return worker_of(
        tmp_path,
        body.replace("FAULT", repr(fault)),
        loop=loop,
        steps=tuple(steps),
        operations={"read": {"code": 1, **operation}},
        **changes,
    )


def records_of(life: Life) -> list[dict[str, int]]:
    names = ("intended", "start", "end", "size", "op", "status", "lane")
    return [dict(zip(names, record, strict=True)) for record in life.records]


def test_a_closed_loop_keeps_the_contract(tmp_path: Path) -> None:
    checks = conform.check(lanes_of(tmp_path, AWAITED, "closed"))
    assert failures(checks) == []
    assert {check.name: check for check in checks}["steps"].detail.startswith("2 steps")


def test_an_open_loop_keeps_the_contract(tmp_path: Path) -> None:
    worker = lanes_of(tmp_path, BLOCKING, "open", cycle={"length": 3, "active": 2})
    assert failures(conform.check(worker)) == []


USERS = """
    import time

    class Users:
        last_ns = 0
        complete = True

        def begin(self, step, *, counts=None):
            self.last_ns = time.monotonic_ns()

        def prepare(self, turn):
            return turn

        async def call(self, turn):
            await asyncio.sleep(0.0005)
            self.last_ns = time.monotonic_ns()
            return turn

        def judge(self, turn, result):
            return Outcome(lambda: {"lane": turn.lane})

        def completed_ns(self, user):
            return None if user == 2 else self.last_ns

        async def join(self, user):
            if user == 2:
                raise ConnectionError("nobody there")

        def explain(self, error):
            return Failure(Status.DISCONNECTED, type(error).__name__, "", str(error))

    async def role(worker):
        assert worker.spec.schedule.loop == worker.spec.parameter("loop", "")
        users, read = Users(), worker.spec.operations["read"]
        lanes = AsyncLanes(worker, users, read, joining=users.join, arrivals=users)
        await lanes.preflight()
        worker.ready("lanes", "1", capabilities=["lanes"])
        await lanes.run()

    main(role)
"""


@pytest.mark.parametrize("loop", ["closed", "open"])
def test_users_connect_and_get_what_others_send(tmp_path: Path, loop: str) -> None:
    each = {"every": 1, "items": 1, "record": "samples", "preflight": 0}
    operations = {
        "read": {"code": 1, "due": "tick", **each, "every": 2, "preflight": 1},
        "connect": {"code": 2, "due": "join", **each},
    }
    if loop == "closed":
        operations["complete"] = {"code": 3, "due": "step", **each}
    worker = lanes_of(tmp_path, AWAITED, loop, parameters={"loop": loop})
    worker = dataclasses.replace(worker, operations=operations)
    (tmp_path / "worker.py").write_text(
        "from wirelab_sdk import *\nimport asyncio\n" + textwrap.dedent(USERS)
    )
    assert failures(conform.check(worker)) == []
    life = Life(tmp_path, worker, 24)
    found: dict[int, Counter[tuple[int, int]]] = {2: Counter(), 3: Counter()}
    for record in records_of(life):
        if record["op"] in found:
            found[record["op"]][record["lane"], record["status"]] += 1
    assert found[2] == {(0, OK): 1, (1, OK): 1, (2, DISCONNECTED): 1}
    got = {(0, OK): 2, (1, OK): 2, (2, TIMEOUT): 1} if loop == "closed" else {}
    assert found[3] == got
    assert [(e["class"], e["operation"]) for e in life.errors] == [("ConnectionError", "connect")]


@both
def test_every_lane_is_due_when_the_contract_says(tmp_path: Path, driver: tuple[str, str]) -> None:
    worker = lanes_of(tmp_path, driver, "open", cycle={"length": 3, "active": 2})
    life = Life(tmp_path, worker, 12)
    period, shifts = 20 * MILLISECOND, [0, 618_033_989, 236_067_978]
    due = set()
    # Those that a step adds are due when it has settled.
    for lane, ticks in enumerate([range(2, 12), range(2, 12), range(8, 12)]):
        shift = shifts[lane] * 3 * period // 10**9
        for tick in ticks:
            if (tick - shift // period) % 3 < 2:
                due.add((lane, life.start_ns + tick * period + shift % period))
    assert (life.code, life.errors) == (0, [])
    assert {(r["lane"], r["intended"]) for r in records_of(life)} == due
    assert len(life.records) == len(due)


@both
def test_the_lanes_of_a_round_wait_for_each_other(tmp_path: Path, driver: tuple[str, str]) -> None:
    life = Life(tmp_path, lanes_of(tmp_path, driver, "closed"), 24)
    assert (life.code, life.violations, life.errors) == (0, [], [])
    begun = next(e for e in life.events if e["event"] == "step" and e["name"] == "few")["end_ns"]
    lanes: list[list[dict[str, int]]] = [[], [], []]
    for record in records_of(life):
        assert record["intended"] == record["start"]
        assert record["size"] == record["lane"]
        if record["start"] >= begun:
            lanes[record["lane"]].append(record)
    rounds = list(zip(*lanes, strict=True))
    assert len(rounds) == 12
    for before, after in pairwise(rounds):
        assert max(r["end"] for r in before) <= min(r["start"] for r in after)


@both
def test_a_lane_answers_once_it_has_ended_what_it_is_at(
    tmp_path: Path, driver: tuple[str, str]
) -> None:
    """Asked before anything has begun: lane 2 is of the second step alone, from tick 12 on."""
    askings = [("read", 0), ("read", 0), ("read", 2)]
    life = Life(tmp_path, lanes_of(tmp_path, driver, "closed"), 24, askings=askings)
    lines = Path(life.spec["paths"]["answers"]).read_text().splitlines()
    given = {line["asked"]: line for line in map(json.loads, lines) if "asked" in line}
    assert set(given) == {0, 1, 2}
    assert {(line["phase"], line["operation"]) for line in given.values()} == {("measure", "read")}
    assert (given[0]["tick"], given[0]["answer"]) == (0, {"lane": 0})
    assert given[1]["none"] == "given"
    assert (given[2]["tick"], given[2]["answer"]) == (12, {"lane": 2})
    records = {(r["start"], r["end"], r["lane"]) for r in records_of(life)}
    for number in (0, 2):
        line = given[number]
        assert (line["start_ns"], line["end_ns"], line["lane"]) in records
        assert line["end_ns"] <= line["pause"][0] <= line["pause"][1]
    # What it had recorded was in the file by then.
    assert [given[0]["records"] >= 1, given[2]["records"] >= 13] == [True, True]


@both
@pytest.mark.parametrize(
    ("fault", "status", "class_name"),
    [
        ("raise", DISCONNECTED, "ConnectionError"),
        ("deny", ERROR, "ConnectionError"),
        ("wrong", WRONG_ANSWER, "WRONG_ANSWER"),
    ],
)
def test_what_fails_is_recorded_in_its_own_words(
    tmp_path: Path, driver: tuple[str, str], fault: str, status: int, class_name: str
) -> None:
    life = Life(tmp_path, lanes_of(tmp_path, driver, "closed", fault), 8)
    assert (life.code, life.violations) == (0, [])
    assert Counter(r["status"] for r in records_of(life)) == {status: 4 * 2 + 4 * 3}
    assert {(e["class"], e["operation"]) for e in life.errors} == {(class_name, "read")}
    assert len(life.errors) == len(life.records)


@pytest.mark.parametrize("fault", ["hang", "deaf"])
def test_an_awaited_call_is_given_up_at_its_limit(tmp_path: Path, fault: str) -> None:
    worker = lanes_of(tmp_path, AWAITED, "open", fault, operation_ns=30 * MILLISECOND)
    life = Life(tmp_path, worker, 12)
    assert life.code == 0
    assert Counter(r["lane"] for r in records_of(life)) == {0: 10, 1: 10, 2: 4}
    assert {r["status"] for r in records_of(life)} == {TIMEOUT}
    assert {e["class"] for e in life.errors} == {"GivenUp"}


def test_a_library_that_swallows_its_cancellation_holds_no_step(tmp_path: Path) -> None:
    worker = lanes_of(tmp_path, AWAITED, "closed", "deaf", operation_ns=30 * MILLISECOND)
    life = Life(tmp_path, worker, 12)
    assert (life.code, life.violations) == (0, [])
    assert {(r["lane"], r["status"]) for r in records_of(life)} == {(n, TIMEOUT) for n in range(3)}
    assert [e["name"] for e in life.events if e["event"] == "step"] == ["few", "more"]


def test_an_awaited_call_is_left_behind_after_a_stop(tmp_path: Path) -> None:
    worker = lanes_of(tmp_path, AWAITED, "closed", "deaf", operation_ns=60_000 * MILLISECOND)
    life = Life(tmp_path, worker, 4, stop_after=0.2)
    assert (life.code, life.violations) == (0, [])
    found = Counter((r["lane"], r["status"]) for r in records_of(life))
    assert found == {(0, TIMEOUT): 1, (1, TIMEOUT): 1}


def test_a_call_is_given_up_once_though_its_limit_comes_later(tmp_path: Path) -> None:
    worker = lanes_of(
        *(tmp_path, AWAITED, "closed", "deaf"),
        **{"operation_ns": 2_000 * MILLISECOND, "stop_ns": 400 * MILLISECOND},
    )
    source = tmp_path / "worker.py"
    leaving = """
    try:
        await lanes.run()
    finally:
        time.sleep(2.5)  # the limit of what was given up passes
        await asyncio.sleep(0.01)
"""
    text = source.read_text("utf-8")
    assert text.count("\n    await lanes.run()\n") == 1
    source.write_text(text.replace("\n    await lanes.run()\n", leaving), "utf-8")
    life = Life(tmp_path, worker, 4, stop_after=0.2)
    assert (life.code, life.violations) == (0, [])
    found = Counter((r["lane"], r["status"]) for r in records_of(life))
    assert found == {(0, TIMEOUT): 1, (1, TIMEOUT): 1}
    assert "Exception in callback" not in life.stderr


def test_threads_that_do_not_return_are_left_behind(tmp_path: Path) -> None:
    life = Life(tmp_path, lanes_of(tmp_path, BLOCKING, "closed", "hang"), 4, stop_after=0.2)
    assert (life.code, life.violations) == (0, [])
    assert Counter((r["lane"], r["status"]) for r in records_of(life)) == {
        (0, TIMEOUT): 1,
        (1, TIMEOUT): 1,
    }
    assert [e["event"] for e in life.events if e["event"] == "step"] == []


@both
def test_settling_that_takes_too_long_is_cut_short(tmp_path: Path, driver: tuple[str, str]) -> None:
    # Of ten ticks that settle, each of 20 ms, no more than 40 ms are left: ten periods and a limit.
    worker = lanes_of(
        *(tmp_path, driver, "closed", "slow"),
        **{"settle": 10, "period_ns": MILLISECOND, "operation_ns": 30 * MILLISECOND},
    )
    life = Life(tmp_path, worker, 60)
    assert (life.code, life.violations) == (0, [])
    begun = [event["begin_ns"] for event in life.events if event["event"] == "step"]
    assert len(begun) == 2
    settled = Counter(r["lane"] for r in records_of(life) if r["end"] <= begun[0])
    # A lane that a starved machine does not run in these 40 ms has settled none.
    assert settled.keys() <= {0, 1}
    assert max(settled.values(), default=0) <= 3
