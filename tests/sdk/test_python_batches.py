"""Microbenchmarks on the Python SDK: batches by a clock of their own, and a worker's whole life."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from test_python_worker import MILLISECOND, failures, worker_of
from vectors import read

from wirelab import conform
from wirelab_sdk import Batches, BatchPlan, Loop
from wirelab_sdk.batch_spec import plan_of

LOOPS = read("batches.json")["loops"]

WORKER = """
    def pool_of(step):
        return {"halves": 2, "thirds": 3}[step]

    def loop_of(step, operation):
        if operation == "absent":
            return None
        if operation == "unprepared":
            raise LookupError("no inputs")
        if operation == "broken":
            return Loop(lambda iterations: 1 // (20 // iterations))
        return Loop(lambda iterations: iterations % 2**32, pool_of(step))

    def role(worker):
        def answer(step):
            given = {"phase": "preflight", "operation": "add", "tick": 0}
            times = {"start_ns": 1, "end_ns": 2}
            worker.answers.add({"step": step, **given, **times, "answer": {}})

        worker.ready("honest", "1", {"operations": ["add", "broken", "unprepared"]})
        worker.follow(loop_of, answer)

    run_batches(role)
"""


def repeating(tmp_path: Path, body: str = WORKER) -> conform.CheckedWorker:
    """A worker with loops of two steps."""
    names = ("absent", "add", "broken", "unprepared")
    operations = {name: {"code": n, "record": "batches"} for n, name in enumerate(names, 1)}
    return worker_of(
        tmp_path,
        body,
        loop="closed",
        loops=("halves", "thirds"),
        operations=operations,
        operation_ns=2000 * MILLISECOND,
    )


@pytest.mark.parametrize("case", LOOPS, ids=[case["name"] for case in LOOPS])
def test_batches_are_those_of_the_contract(case: dict[str, Any]) -> None:
    now = 0
    done = 0

    def run(iterations: int) -> int:
        nonlocal now, done
        now += iterations * case["cost_ns"][min(done, len(case["cost_ns"]) - 1)]
        done += 1
        return iterations % 2**32

    plan = plan_of({"batches": {"steps": [], **case["plan"]}})
    assert plan is not None
    batches = Batches(
        Loop(run, case["inputs"], (lambda: 0) if case["audited"] else None),
        plan,
        lambda: {"gc_count": 0, "gc_pause_ns": 0},
        lambda: True,
        lambda: now,
    )
    batches.take()
    assert [[line["phase"], line["rounds"]] for line in batches.lines] == case["batches"]


def test_each_batch_that_counts_is_audited_after_iterations_of_any_number() -> None:
    ran: list[int] = []
    now = iter(range(0, 10**9, 1000))

    def run(iterations: int) -> int:
        ran.append(iterations)
        return 5

    plan = BatchPlan(steps=(), iterations=0, batch_ns=1, count=40, warmup_ns=1, agree=0.02)
    collector = {"gc_count": 0, "gc_pause_ns": 0}
    loop = Loop(run, inputs=16, audit=lambda: 7)
    batches = Batches(loop, plan, lambda: collector, lambda: True, lambda: next(now))
    batches.take()
    phases = [line["phase"] for line in batches.lines]
    assert phases == [*["warmup"] * (len(phases) - 80), *["measure", "audit"] * 40]
    audits = [line for line in batches.lines if line["phase"] == "audit"]
    assert {(line["rounds"], line["checksum"]) for line in audits} == {(16, 7)}
    assert all(before["end_ns"] <= line["start_ns"] for before, line in pairwise(batches.lines))
    assert len(ran) == len(phases)


def test_nothing_is_begun_after_a_stop() -> None:
    plan = BatchPlan(steps=(), iterations=7, batch_ns=1, count=3, warmup_ns=1, agree=0.02)
    going_on = iter([True, False])
    collector = {"gc_count": 1, "gc_pause_ns": 2}
    batches = Batches(Loop(abs), plan, lambda: collector, lambda: next(going_on))
    batches.take()
    assert [(line["phase"], line["rounds"]) for line in batches.lines] == [("measure", 7)] * 2


def test_a_worker_of_batches_passes_every_check(tmp_path: Path) -> None:
    assert failures(conform.check(repeating(tmp_path))) == []


RELABELLED = (
    WORKER.replace("run_batches(role)", "")
    + """
    def relabelled(worker):
        role(worker)
        path = worker.spec.paths.batches
        lines = path.read_text().splitlines()
        lines[:1] = [json.dumps(json.loads(line) | CHANGED) for line in lines[:1]]
        path.write_text("".join(line + "\\n" for line in lines))

    run_batches(relabelled)
"""
)
"""A worker whose first batch of all prewarms."""


def test_the_checker_knows_what_prewarms(tmp_path: Path) -> None:
    early = "    import json\n    CHANGED = {'phase': 'prewarm'}" + RELABELLED
    assert failures(conform.check(repeating(tmp_path, early))) == []


def test_the_checker_refuses_to_prewarm_when_an_operation_was_timed(tmp_path: Path) -> None:
    late = "    import json\n    CHANGED = {'phase': 'prewarm', 'end_ns': 2**62}" + RELABELLED
    found = failures(conform.check(repeating(tmp_path, late)))
    assert found
    for check in found:
        assert "add of step halves: prewarmed when an operation was timed already" in check


@pytest.mark.parametrize(("asked", "short"), [({"prewarm_ms": 2000}, 5), ({"prewarm_ms": 3}, 3)])
def test_the_checker_prewarms_briefly(tmp_path: Path, asked: dict[str, int], short: int) -> None:
    worker = replace(repeating(tmp_path), parameters=asked)
    spec = conform.make_spec(worker, "life", tmp_path, 2, {}, {})
    assert spec["parameters"] == {"prewarm_ms": short}
    unprepared = conform.make_spec(repeating(tmp_path), "life", tmp_path, 2, {}, {})
    assert "prewarm_ms" not in unprepared["parameters"]


def woken(pid: int, waiting_s: float) -> int:
    """Number of wake-ups of a process that waits."""
    before = switches(pid)
    time.sleep(waiting_s)
    return switches(pid) - before


def switches(pid: int) -> int:
    """Number of times that a process has given up its processor."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("voluntary_ctxt_switches:")[1].split()[0])


class Life:
    """One life of a worker of batches, and what it left.

    ``waiting_s`` before its start, ``woken`` says how often it was woken.
    """

    def __init__(self, tmp_path: Path, waiting_s: float = 0, **plan: Any) -> None:
        worker = repeating(tmp_path)
        spec = conform.make_spec(worker, "life", tmp_path, 2, {}, {})
        spec["batches"] |= plan
        path = tmp_path / "spec.json"
        path.write_text(json.dumps(spec))
        process = conform.Process(worker, path, tmp_path, "life")
        try:
            assert process.event("ready", 20), process.stderr.decode()
            self.woken = woken(process.pid, waiting_s) if waiting_s else 0
            process.send(command="start", monotonic_ns=time.monotonic_ns())
            self.done: Any = process.event("done", 20)
            self.code = process.wait(5)
        finally:
            process.end()
        self.events = [event["event"] for _, event in process.events]
        self.batches = [
            json.loads(line) for line in Path(spec["paths"]["batches"]).read_text().splitlines()
        ]
        self.answers = Path(spec["paths"]["answers"]).read_text().splitlines()


def test_an_operation_that_fails_has_one_line_and_the_others_go_on(tmp_path: Path) -> None:
    life = Life(tmp_path, rounds=20)
    found = [(line["step"], line["operation"], line["phase"]) for line in life.batches]
    assert [one for one in found if one[0] == "halves"] == [
        ("halves", "add", "measure"),
        ("halves", "add", "measure"),
        ("halves", "broken", "measure"),
        ("halves", "broken", "measure"),
        ("halves", "unprepared", "failed"),
    ]
    (tmp_path / "again").mkdir()
    calibrated = Life(tmp_path / "again")
    broken = [line for line in calibrated.batches if line["operation"] == "broken"]
    assert [(line["step"], line["phase"], line["class"]) for line in broken] == [
        ("halves", "failed", "ZeroDivisionError"),
        ("thirds", "failed", "ZeroDivisionError"),
    ]
    assert calibrated.done["batches"] == len(calibrated.batches)


def test_counted_iterations_leave_out_what_depends_on_time(tmp_path: Path) -> None:
    life = Life(tmp_path, rounds=20, counted=True)
    assert (life.code, life.events) == (0, ["ready", "runtime", "done"])
    assert [json.loads(line)["step"] for line in life.answers] == ["halves", "thirds"]
    assert (life.done["answers"], life.done["batches"]) == (2, 10)


def test_a_counted_worker_executes_no_more_while_it_waits_longer(tmp_path: Path) -> None:
    counted = Life(tmp_path, waiting_s=3.5, rounds=20, counted=True)
    (tmp_path / "timed").mkdir()
    timed = Life(tmp_path / "timed", waiting_s=3.5, rounds=20)
    assert timed.woken >= 2
    # It may just have been about to begin its wait.
    assert counted.woken <= 1
