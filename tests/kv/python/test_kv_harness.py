"""The harness of Python clients, with a client of our own that can be told to be wrong."""

from __future__ import annotations

import asyncio
import json
import os
import struct
import sys
import textwrap
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from kv_harness import ExecutorReads, Place, Spans

from wirelab import conform
from wirelab.suite_parts import load_part

ROOT = Path(__file__).parents[3]
SUITE = ROOT / "suites" / "kv"
SDK = ROOT / "sdk" / "python"
MILLISECOND = 1_000_000
OK, ERROR, REFUSED, WRONG_ANSWER = 0, 1, 4, 6

CLIENT = """
    import asyncio, time
    from kv_harness import play, play_blocking
    from kv_harness.data import records
    from wirelab_sdk import explain

    held = {(s, row[0]): row[1:] for s in (1, 5, 8) for row in records(s, 1000).rows()}

    class Local:
        library = ("local", "1")

        def __init__(self):
            self.reads = 0

        def opened(self, endpoint, place):
            assert endpoint == "127.0.0.1:1"
            assert place.limit_s == 1.0
            self.opens = getattr(self, "opens", 0) + 1
            if FAULT == "refused" and self.opens <= 3:
                raise ConnectionRefusedError("nobody listens")
            assert place.parameter("connections", 4) == 4

        def prepare(self, keys):
            assert all(type(s) is int and type(key) is str for s, key in keys)
            return keys

        def read_now(self, keys):
            self.reads += 1
            if FAULT == "collapsed":
                return list({key: held.get(key) for key in keys}.values())
            rows = [held.get(key) for key in keys]
            there = [i for i, row in enumerate(rows) if row is not None]
            if there and (FAULT == "always" or FAULT == "later" and self.reads > 64 * 3):
                rows[there[0]] = (rows[there[0]][0] + 1, *rows[there[0]][1:])
            if there and FAULT == "lost" and self.reads > 64 * 3:
                rows[there[0]] = None
            if there and FAULT == "text" and self.reads > 2:
                rows[there[0]] = ("many", *rows[there[0]][1:])
            if FAULT == "raise" and self.reads > 2:
                raise RuntimeError("the pool is empty")
            return rows

        def explain(self, error):
            return explain(error)

    class Awaited(Local):
        async def open(self, endpoint, place):
            self.opened(endpoint, place)

        async def read(self, keys, spans=None):
            await asyncio.sleep(0)
            return self.read_now(keys)

        async def close(self):
            pass

    class Blocking(Local):
        def open(self, endpoint, place):
            self.opened(endpoint, place)

        def read(self, keys, spans=None):
            return self.read_now(keys)

        def close(self):
            pass

    if BLOCKING:
        play_blocking(Blocking)
    else:
        play(Awaited)
"""
both = pytest.mark.parametrize("blocking", [False, True], ids=["awaited", "blocking"])


verifier: Any = load_part("kv_verify_of_harness", SUITE / "verify.py")


class Life:
    """One life of a worker with that client."""

    def __init__(
        self, tmp_path: Path, count: int, *, blocking: bool = False, loop: str = "closed",
        fault: str = "", barrier: bool = True, preflight: int = 2, **parameters: Any,
    ) -> None:  # fmt: skip
        source = tmp_path / "worker.py"
        body = textwrap.dedent(CLIENT)
        source.write_text(body.replace("FAULT", repr(fault)).replace("BLOCKING", repr(blocking)))
        sizes = {"settle": 2, "join_ns": None if loop == "closed" else 0}
        operation = {
            "every": 1,
            "items": 1,
            "preflight": preflight,
            "due": "tick",
            "record": "samples",
        }
        worker = conform.CheckedWorker(
            command=[sys.executable, str(source)],
            role="client",
            suite="kv",
            environment={
                "PYTHONPATH": os.pathsep.join((str(SDK), str(SUITE / "libraries/python")))
            },
            parameters={"universe": 1000, "barrier": barrier, **parameters},
            operations={"read": {"code": 1, **operation}},
            loop=loop,
            steps=(
                {
                    "name": "a",
                    "users": 3,
                    "lanes": 3,
                    "parameters": {"set": 1, "keys": 60},
                    **sizes,
                },
                {
                    **{"name": "b", "users": 4, "lanes": 4, **sizes},
                    "parameters": {"set": 5, "keys": 20, "keys_are": "repeated"},
                },
            ),
            period_ns=5 * MILLISECOND,
            operation_ns=1000 * MILLISECOND,
            stop_ns=2000 * MILLISECOND,
        )
        scratch = tmp_path / "scratch"
        scratch.mkdir()
        endpoints = {"server": "127.0.0.1:1"}
        self.spec = conform.make_spec(worker, "life", scratch, count, endpoints, {})
        path = scratch / "spec.json"
        path.write_text(json.dumps(self.spec))
        process = conform.Process(worker, path, scratch, f"kv-{os.getpid()}")
        try:
            self.is_ready = process.event("ready", 20) is not None
            if self.is_ready:
                # Before the start: each lane answers when it has ended its first read.
                for lane in range(4):
                    process.send(command="answer", asked=lane, operation="read", lane=lane)
                process.send(command="start", monotonic_ns=time.monotonic_ns() + 20 * MILLISECOND)
                process.event("done", 20)
            self.code = process.wait(5)
        finally:
            process.end()
        self.stderr = process.stderr.decode()
        self.violations = process.violations
        self.events = [event for _, event in process.events]
        self.errors = [event for event in self.events if event["event"] == "error"]
        data = Path(self.spec["paths"]["samples"]).read_bytes()
        names = ("intended", "start", "end", "size", "op", "status", "lane")
        self.records = [
            dict(zip(names, record, strict=True))
            for record in struct.iter_unpack("<QQQIBBH", data[32:])
        ]
        lines = Path(self.spec["paths"]["answers"]).read_text().splitlines()
        self.answers = [line for line in map(json.loads, lines) if "none" not in line]

    @property
    def findings(self) -> list[str]:
        found: list[str] = verifier.verify(self.spec, {}, self.answers)
        return found


@both
@pytest.mark.parametrize("barrier", [True, False], ids=["rounds", "free"])
def test_a_closed_loop_reads_right(tmp_path: Path, *, blocking: bool, barrier: bool) -> None:
    life = Life(tmp_path, 24, blocking=blocking, barrier=barrier)
    assert (life.code, life.violations, life.errors) == (0, [], []), life.stderr
    assert Counter(r["lane"] for r in life.records) == {0: 24, 1: 24, 2: 24, 3: 12}
    assert [e["name"] for e in life.events if e["event"] == "step"] == ["a", "b"]
    assert {a["phase"] for a in life.answers} == {"preflight", "measure"}
    assert life.findings == []
    # ``size`` is the records found: between none and all of them, and not always the same.
    assert all(0 < r["size"] < 60 for r in life.records[: 12 * 3])
    assert {r["size"] for r in life.records[12 * 3 :]} <= {0, 20}


def test_rounds_are_rounds(tmp_path: Path) -> None:
    life = Life(tmp_path, 24, blocking=True)
    rounds = list(
        zip(*([r for r in life.records if r["lane"] == n] for n in range(3)), strict=True)
    )
    assert life.code == 0, life.stderr
    assert len(rounds) == 24
    for before, after in pairwise(rounds):
        assert max(r["end"] for r in before) <= min(r["start"] for r in after)


@both
def test_an_open_loop_reads_right(tmp_path: Path, *, blocking: bool) -> None:
    life = Life(tmp_path, 24, blocking=blocking, loop="open")
    assert (life.code, life.violations, life.errors) == (0, [], []), life.stderr
    assert Counter(r["lane"] for r in life.records) == {0: 22, 1: 22, 2: 22, 3: 10}
    assert all(r["intended"] <= r["start"] for r in life.records)
    assert life.findings == []


@pytest.mark.parametrize("fault", ["later", "lost"])
def test_an_answer_that_changes_is_wrong(tmp_path: Path, fault: str) -> None:
    # Multi-gets repeat after 64: those that were read before the change show it.
    life = Life(tmp_path, 400, fault=fault)
    assert life.code == 0
    kinds = Counter(r["status"] for r in life.records)
    assert set(kinds) == {OK, WRONG_ANSWER}
    assert kinds[OK] >= 64 * 3 - 2
    assert {e["class"] for e in life.errors} == {"WRONG_ANSWER"}


def test_collapsed_keys_are_wrong(tmp_path: Path) -> None:
    # Of 60 keys out of 1,000 some repeat; of one repeated key 20 are to come back.
    life = Life(tmp_path, 24, fault="collapsed")
    assert not life.is_ready
    assert life.code == 1
    assert "wrong answer" in life.errors[0]["message"]


def test_an_answer_that_is_always_wrong_is_the_verifiers(tmp_path: Path) -> None:
    life = Life(tmp_path, 24, fault="always")
    assert {r["status"] for r in life.records} == {OK}
    assert len(life.findings) == sum(a["answer"]["found"] > 0 for a in life.answers) > 2
    assert "checksum" in life.findings[0]


@both
def test_what_the_library_raises_is_recorded(tmp_path: Path, *, blocking: bool) -> None:
    life = Life(tmp_path, 24, blocking=blocking, fault="raise")
    assert (life.code, life.violations) == (0, [])
    assert Counter(r["status"] for r in life.records) == {ERROR: 12 * 3 + 12 * 4}
    assert {(e["class"], e["message"]) for e in life.errors} == {
        ("RuntimeError", "the pool is empty")
    }
    assert [a["phase"] for a in life.answers] == ["preflight"] * 2


@both
def test_a_client_that_connects_in_time_tries_again(tmp_path: Path, *, blocking: bool) -> None:
    life = Life(
        tmp_path, 24, blocking=blocking, fault="refused", preflight=0, connect="timed", loop="open"
    )
    assert (life.code, life.violations) == (0, []), life.stderr
    assert Counter(r["status"] for r in life.records) == {REFUSED: 3, OK: 22 * 3 + 10 - 3}
    assert {e["class"] for e in life.errors} == {"ConnectionRefusedError"}
    assert life.findings == []


def test_text_where_a_number_belongs_is_wrong(tmp_path: Path) -> None:
    life = Life(tmp_path, 24, fault="text")
    assert life.code == 0, life.stderr
    kinds = Counter(r["status"] for r in life.records)
    # Only the empty answers of step b, whose keys are one, can be right.
    assert kinds[WRONG_ANSWER] >= 12 * 3
    assert set(kinds) <= {OK, WRONG_ANSWER}


def test_an_executor_says_where_time_went() -> None:
    def ask(key: int) -> int:
        time.sleep(0.002)
        return key + 1

    async def read(spans: Spans | None) -> list[Any]:
        reads: ExecutorReads[int, int] = ExecutorReads(2, ask, lambda value: [(value,)])
        try:
            return [await reads.read(41, spans), await reads.read(1, spans)]
        finally:
            reads.close()

    spans = Spans()
    began_ns = time.monotonic_ns()
    assert asyncio.run(read(spans)) == [[(42,)], [(2,)]]
    assert spans.call >= 2 * 2 * MILLISECOND
    assert min(spans.hop_out, spans.convert, spans.hop_back) > 0
    total = spans.hop_out + spans.call + spans.convert + spans.hop_back
    assert total <= time.monotonic_ns() - began_ns
    assert asyncio.run(read(None)) == [[(42,)], [(2,)]]


@pytest.mark.parametrize(("parameters", "limit_s"), [({}, 10.0), ({"limit_ms": 1_500}, 1.5)])
def test_a_trial_may_give_clients_a_limit_of_their_own(
    parameters: dict[str, int], limit_s: float
) -> None:
    spec: Any = SimpleNamespace(
        limits=SimpleNamespace(operation_ns=10_000_000_000), parameter=parameters.get
    )
    assert Place(spec).limit_s == limit_s
