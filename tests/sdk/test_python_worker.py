"""Workers on the Python SDK, started as the core would start them."""

from __future__ import annotations

import json
import os
import re
import struct
import subprocess
import sys
import textwrap
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from wirelab import conform

SDK = Path(__file__).parents[2] / "sdk" / "python"
MILLISECOND = 1_000_000


def worker_of(tmp_path: Path, body: str, **changes: Any) -> conform.CheckedWorker:
    """A worker whose source is ``body``, with two operations on a 20 ms tick."""
    source = tmp_path / "worker.py"
    source.write_text("from wirelab_sdk import *\nimport asyncio\n" + textwrap.dedent(body))
    operation = {"every": 1, "items": 1, "preflight": 1}
    described: dict[str, Any] = {
        "command": [sys.executable, str(source)],
        "role": "client",
        "environment": {"PYTHONPATH": str(SDK)},
        "operations": {"read": {"code": 1, **operation}, "write": {"code": 2, **operation}},
        "period_ns": 20 * MILLISECOND,
        "operation_ns": 200 * MILLISECOND,
        "stop_ns": 2000 * MILLISECOND,
        **changes,
    }
    return conform.CheckedWorker(**described)


class Life:
    """One life of a worker, from ``start`` to its end, and what it left."""

    def __init__(
        self,
        tmp_path: Path,
        worker: conform.CheckedWorker,
        count: int,
        stop_after: float | None = None,
        askings: Sequence[tuple[str, int]] = (),
    ) -> None:
        scratch = tmp_path / "scratch"
        scratch.mkdir()
        self.spec = conform.make_spec(worker, "life", scratch, count, {}, {})
        path = scratch / "spec.json"
        path.write_text(json.dumps(self.spec))
        process = conform.Process(worker, path, scratch, f"life-{os.getpid()}")
        try:
            assert process.event("ready", 20), process.stderr.decode()
            for number, (operation, lane) in enumerate(askings):
                process.send(command="answer", asked=number, operation=operation, lane=lane)
            self.start_ns = time.monotonic_ns() + 50 * MILLISECOND
            process.send(command="start", monotonic_ns=self.start_ns)
            if stop_after is not None:
                time.sleep(stop_after)
                process.send(command="stop")
            began = time.monotonic()
            self.done = process.event("done", 20)
            self.code = process.wait(5)
            self.took_s = time.monotonic() - began
        finally:
            process.end()
        self.stderr = process.stderr.decode()
        self.events = [event for _, event in process.events]
        self.violations = process.violations
        self.errors = [event for event in self.events if event["event"] == "error"]
        data = Path(self.spec["paths"]["samples"]).read_bytes()
        self.records = list(struct.iter_unpack("<QQQIBBH", data[32:]))


HONEST = """
    async def call(turn):
        await asyncio.sleep(0.001)
        return Outcome(lambda: {"tick": turn.tick})

    async def role(worker):
        await worker.preflight({"read": call, "write": call})
        worker.ready("honest", "1")
        await worker.follow(lambda: {"read": call, "write": call})

    main(role)
"""


def failures(checks: list[conform.Check]) -> list[str]:
    return [str(check) for check in checks if check.outcome == "fail"]


def test_an_honest_client_passes_every_check(tmp_path: Path) -> None:
    checks = conform.check(worker_of(tmp_path, HONEST))
    assert failures(checks) == []
    found = {check.name: check.detail for check in checks}
    assert re.match(r"\d+ answers to [1-9] askings, ", found["answers"]), found["answers"]


def test_a_client_of_contract_1_is_told_what_is_spoken(tmp_path: Path) -> None:
    earlier = "from wirelab_sdk import events\nevents.CONTRACT = 1\n"
    checks = conform.check(worker_of(tmp_path, earlier + textwrap.dedent(HONEST)), parts=())
    [told] = [check for check in checks if check.name == "ready"]
    assert told.outcome == "fail"
    assert "contract is 1, not 2: docs/reference/worker-contract.md" in told.detail


ANSWERS_OTHERS = """
    from wirelab_sdk.answers import Answers

    def give(self, *, start_ns, **rest):
        old_give(self, start_ns=start_ns - 1, **rest)

    old_give, Answers.give = Answers.give, give
"""
ANSWERS_NOTHING = """
    from wirelab_sdk.asked import Asked

    def end(self, lane, results):
        old_end(self, lane, {})

    old_end, Asked.end = Asked.end, end
"""
ANSWERS_UNASKED = """
    from wirelab_sdk.asked import Asked

    def hear(self, asking):
        old_hear(self, asking)
        old_hear(self, asking._replace(number=asking.number + 1000))

    old_hear, Asked.hear = Asked.hear, hear
"""


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (ANSWERS_OTHERS, "has the stamps of no record"),
        (ANSWERS_NOTHING, "answers asked for were not given"),
        (ANSWERS_UNASKED, "was not asked for"),
    ],
)
def test_answers_that_are_not_those_asked_for_are_found(
    tmp_path: Path, body: str, words: str
) -> None:
    whole = textwrap.dedent(body) + textwrap.dedent(HONEST)
    checks = conform.check(worker_of(tmp_path, whole), parts=())
    [said] = [check for check in checks if check.name == "answers"]
    assert said.outcome == "fail"
    assert words in said.detail


def test_an_answer_that_cannot_be_given_ends_the_worker_and_is_told(tmp_path: Path) -> None:
    broken = """
        from wirelab_sdk.asked import Asked

        def hear(self, asking):
            raise KeyError(asking.operation)

        Asked.hear = hear
    """
    whole = textwrap.dedent(broken) + textwrap.dedent(HONEST)
    life = Life(tmp_path, worker_of(tmp_path, whole), 5_000, askings=[("read", 0)])
    assert (life.done, life.code) == (None, 1)
    assert [(e["class"], e["scope"], e["message"]) for e in life.errors] == [
        ("KeyError", "fatal", "'read'")
    ]


def test_an_honest_server_passes_every_check(tmp_path: Path) -> None:
    body = """
        async def role(worker):
            async def serve(reader, writer):
                writer.close()
            listener = bound_socket(worker.spec.listen)
            server = await asyncio.start_server(serve, sock=listener)
            worker.ready("honest", "1", endpoint=f"tcp://{address_of(listener)}")
            await worker.stopped()

        main(role)
    """
    assert failures(conform.check(worker_of(tmp_path, body, role="server", measured=False))) == []


def test_a_server_of_several_processes_reports_their_figures_as_its_own(tmp_path: Path) -> None:
    body = """
        async def role(worker):
            worker.report_runtime_of(lambda: {"heap_bytes": 4711, "heap_kind": "of the children"})
            worker.ready("parent", "1", endpoint="tcp://127.0.0.1:1")
            await worker.stopped()

        main(role)
    """
    worker = worker_of(tmp_path, body, role="server", measured=False)
    life = Life(tmp_path, worker, 0, stop_after=1.3)
    readings = [event for event in life.events if event["event"] == "runtime"]
    assert (life.code, life.violations) == (0, [])
    assert len(readings) >= 2
    assert {(r["heap_bytes"], r["heap_kind"]) for r in readings} == {(4711, "of the children")}
    assert all("gc_count" not in r and r["monotonic_ns"] > 0 for r in readings)


def test_a_client_on_ticks_alone_passes_the_checks_of_its_life(tmp_path: Path) -> None:
    body = """
        import time
        async def role(worker):
            worker.ready("ticks", "1")
            async for tick in worker.ticks():
                start = time.monotonic_ns()
                for operation in tick.due:
                    end = time.monotonic_ns()
                    worker.recorder.record(tick.intended_ns, start, end, operation.code)

        main(role)
    """
    worker = worker_of(tmp_path, body)
    life = Life(tmp_path, worker, 10)
    assert (life.code, life.violations) == (0, [])
    period = worker.period_ns
    assert [r[0] for r in life.records[::2]] == [life.start_ns + i * period for i in range(10)]


def test_what_a_library_prints_does_not_reach_the_events(tmp_path: Path) -> None:
    body = HONEST.replace(
        "await asyncio.sleep(0.001)",
        "print('hello'); import os; os.write(1, b'raw'); os.system('echo from a child')",
    )
    life = Life(tmp_path, worker_of(tmp_path, body), 3)
    assert (life.code, life.violations, len(life.records)) == (0, [], 6)
    assert "hello" in life.stderr
    assert "from a child" in life.stderr


def test_operations_of_a_tick_do_not_wait_for_each_other(tmp_path: Path) -> None:
    body = HONEST.replace("asyncio.sleep(0.001)", "asyncio.sleep(0.1)")
    worker = worker_of(tmp_path, body, period_ns=300 * MILLISECOND)
    life = Life(tmp_path, worker, 2)
    assert len(life.records) == 4
    for read, write in zip(life.records[::2], life.records[1::2], strict=True):
        (_, read_start, read_end, *_), (_, write_start, write_end, *_) = read, write
        assert max(read_start, write_start) < min(read_end, write_end)


def test_a_call_without_end_is_given_up_and_recorded_as_timeout(tmp_path: Path) -> None:
    body = HONEST.replace(
        "await asyncio.sleep(0.001)",
        """
        while turn.operation.name == "read" and turn.tick == 1 and turn.phase == "measure":
            try:
                await asyncio.sleep(30)
            except asyncio.CancelledError:
                pass  # a library that swallows its cancellation
        """,
    )
    worker = worker_of(tmp_path, body, period_ns=20 * MILLISECOND)
    life = Life(tmp_path, worker, 5)
    assert life.code == 0
    assert [(r[4], r[5]) for r in life.records] == [
        (1, 0),
        (2, 0),
        (2, 0),
        (1, 2),
        *[(1, 0), (2, 0)] * 3,
    ]
    given_up = life.records[3]
    assert given_up[2] - given_up[1] >= worker.operation_ns
    assert [(e["class"], e["operation"], e["scope"]) for e in life.errors] == [
        ("GivenUp", "read", "call")
    ]


@pytest.mark.parametrize(
    ("raised", "status", "name"),
    [
        ("TimeoutError()", 2, "TimeoutError"),
        ("ConnectionResetError('gone')", 3, "ConnectionResetError"),
        ("ConnectionRefusedError('no')", 4, "ConnectionRefusedError"),
        ("KeyError('x')", 1, "KeyError"),
        ("asyncio.CancelledError()", 1, "CancelledError"),
    ],
)
def test_what_a_call_raises_becomes_a_status_and_an_event(
    tmp_path: Path, raised: str, status: int, name: str
) -> None:
    body = HONEST.replace(
        "await asyncio.sleep(0.001)", f"if turn.phase == 'measure': raise {raised}"
    )
    life = Life(tmp_path, worker_of(tmp_path, body), 3)
    assert (life.code, {r[5] for r in life.records}) == (0, {status})
    assert {event["class"] for event in life.errors} == {name}
    assert life.done is not None
    assert life.done["answers"] == 2


def test_bad_items_are_an_item_error_and_no_more_than_a_hundred_events(tmp_path: Path) -> None:
    body = HONEST.replace(
        'return Outcome(lambda: {"tick": turn.tick})',
        'return Outcome(dict, [ItemError(i, "Code", "BadX", "x" * 99999) for i in range(30)])',
    )
    life = Life(tmp_path, worker_of(tmp_path, body), 3)
    assert {r[5] for r in life.records} == {5}
    assert life.violations == []
    assert len(life.errors) == 100
    assert {event["scope"] for event in life.errors} == {"item"}


def test_stop_in_a_call_without_end_keeps_the_samples_and_the_limit(tmp_path: Path) -> None:
    body = HONEST.replace(
        "await asyncio.sleep(0.001)", "await asyncio.sleep(0 if turn.tick < 3 else 60)"
    )
    worker = worker_of(tmp_path, body, operation_ns=60_000 * MILLISECOND)
    life = Life(tmp_path, worker, 1000, stop_after=0.5)
    assert life.code == 0
    assert life.took_s < worker.stop_ns / 1e9
    assert [r[5] for r in life.records] == [0] * 6 + [2] * 2


def test_a_role_that_fails_says_so_and_exits_with_one(tmp_path: Path) -> None:
    body = HONEST.replace(
        "await worker.follow", "raise RuntimeError('no beans')\n        await worker.follow"
    )
    life = Life(tmp_path, worker_of(tmp_path, body), 3)
    assert (life.code, life.done) == (1, None)
    assert life.errors[-1]["scope"] == "fatal"
    assert life.errors[-1]["message"] == "no beans"
    assert "Traceback" in life.stderr


def test_what_the_library_leaves_running_does_not_delay_the_exit(tmp_path: Path) -> None:
    body = HONEST.replace(
        'worker.ready("honest", "1")',
        """asyncio.get_running_loop().run_in_executor(None, __import__("time").sleep, 60)
        worker.ready("honest", "1")""",
    )
    life = Life(tmp_path, worker_of(tmp_path, body), 3)
    assert life.code == 0
    assert life.took_s < 10


def test_input_that_is_no_pipe_means_stop(tmp_path: Path) -> None:
    """A worker started by hand with its input from /dev/null ends instead of waiting."""
    worker = worker_of(tmp_path, HONEST)
    spec = tmp_path / "spec.json"
    spec.write_text(json.dumps(conform.make_spec(worker, "t", tmp_path, 5, {}, {})))
    finished = subprocess.run(
        list(worker.command),
        env={**os.environ, **worker.environment, "WIRELAB_SPEC": str(spec)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=20,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    assert json.loads(finished.stdout.splitlines()[-1])["event"] == "done"


DENYING = """
    from wirelab_sdk.calls import Failure

    async def call(turn):
        if turn.phase == "measure":
            raise ConnectionError("gone")
        return Outcome(lambda: {"tick": turn.tick})

    async def role(worker):
        await worker.preflight({"read": call, "write": call})
        worker.ready("denying", "1")
        deny = lambda error: Failure(Status.OK, "Denied", "", "nothing was wrong")
        await worker.follow(lambda: {"read": call, "write": call}, explain=deny)

    main(role)
"""


def test_nothing_that_failed_is_good_whatever_its_library_calls_it(tmp_path: Path) -> None:
    life = Life(tmp_path, worker_of(tmp_path, DENYING), 3)
    assert life.code == 0, life.stderr
    assert len(life.records) > 0
    assert {record[5] for record in life.records} == {1}
    assert {error["class"] for error in life.errors} == {"Denied"}
