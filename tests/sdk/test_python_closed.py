"""Closed loops on the Python SDK: the spec's steps, the event, and a whole life."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from test_python_worker import failures, worker_of

from wirelab import conform

CLOSED = """
    import time

    async def role(worker):
        schedule = worker.spec.schedule
        assert schedule.is_closed
        sizes = [worker.spec.parameter("message_bytes", 0, step) for step in schedule.steps]
        assert sizes == [100, 1000], sizes
        worker.ready("turns", "1")
        if await worker.started() is None:
            return
        echo, receipt = (worker.spec.operations[name] for name in ("echo", "receipt"))
        assert not receipt.due(0)

        def turn(operation, lane, since_ns):
            now = time.monotonic_ns()
            worker.recorder.record(since_ns, since_ns, now, operation.code, 0, 0, lane)

        async def turns(step, ticks):
            for tick in ticks:
                await asyncio.sleep(0)
                if worker.stopping:
                    return
                for lane in range(step.lanes):
                    now = time.monotonic_ns()
                    turn(echo, lane, now)

        for step in schedule.steps:
            await turns(step, step.settling)
            begin_ns = time.monotonic_ns()
            await turns(step, step.counting)
            if worker.stopping:
                return
            for user in range(step.users):
                turn(receipt, user, begin_ns)
            worker.step(step.name, begin_ns, time.monotonic_ns())

    main(role)
"""

FOLLOWS = """
    async def call(turn):
        return Outcome(lambda: {})

    async def role(worker):
        worker.ready("paced", "1")
        await worker.follow(lambda: {"echo": call, "receipt": call})

    main(role)
"""


def step(name: str, users: int, **parameters: Any) -> dict[str, Any]:
    sizes = {"users": users, "lanes": 1, "settle": 2, "join_ns": None}
    return {"name": name, **sizes, "parameters": parameters}


def closed(tmp_path: Path, body: str) -> conform.CheckedWorker:
    """A worker of two steps whose lanes wait for their results."""
    operation = {"every": 1, "items": 1, "preflight": 0, "record": "samples"}
    return worker_of(
        tmp_path,
        body,
        loop="closed",
        parameters={"message_bytes": 100},
        steps=(step("small", 1), step("large", 3, message_bytes=1000)),
        operations={
            "echo": {"code": 1, "due": "tick", **operation},
            "receipt": {"code": 2, "due": "step", **operation},
        },
    )


def test_a_closed_loop_keeps_the_contract(tmp_path: Path) -> None:
    checks = conform.check(closed(tmp_path, CLOSED))
    assert failures(checks) == []
    found = {check.name: check for check in checks}
    assert found["steps"].detail.startswith("2 steps")
    # 12 ticks of one lane in each step, and a receipt of each user.
    assert found["schedule"].detail.startswith(f"{2 * 12 + 1 + 3} turns")


def test_times_of_ticks_are_not_made_up_for_a_closed_loop(tmp_path: Path) -> None:
    found = {check.name: check for check in conform.check(closed(tmp_path, FOLLOWS))}
    assert found["done"].outcome == "fail"
    assert "this worker waits for ticks, and a closed loop has none" in found["done"].detail
