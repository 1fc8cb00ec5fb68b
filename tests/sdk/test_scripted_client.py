"""Paced clients of the SDKs from outside: compiled, run as processes, judged by Python."""

from __future__ import annotations

import json
import time
import zlib
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from scripted_worker import (
    HOUR_NS,
    LANGUAGES,
    PATIENCE_S,
    PERIOD_NS,
    compile_worker,
    read_samples,
    running,
)

OK, ERROR, TIMEOUT, REFUSED, ITEM_ERROR = 0, 1, 2, 4, 5


@pytest.fixture(scope="module", params=LANGUAGES)
def client(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command that runs the scripted client."""
    return compile_worker(request.param, tmp_path_factory.mktemp("classes"))


def test_a_trial_from_ready_to_done(client: list[str], tmp_path: Path) -> None:
    with running(client, tmp_path) as worker:
        ready = worker.until("ready")
        assert (ready["contract"], ready["library"]["name"]) == (2, "scripted")
        assert abs(ready["monotonic_ns"] - time.monotonic_ns()) < PATIENCE_S * 1e9, "the clock"
        assert len((tmp_path / "answers").read_text().splitlines()) == 2, "flushed before ready"
        assert (tmp_path / "samples").stat().st_size == 32
        # Before anything has begun: both wait for the end of the first tick.
        for number, operation in enumerate(["write", "read", "read"]):
            worker.ask(operation, number)
        start = worker.start()
        done = worker.until("done")
        assert worker.process.wait(PATIENCE_S) == 0

    assert {"heap_bytes", "heap_kind", "gc_count", "gc_pause_ns"} <= worker.events[-2].keys()
    assert "a library that prints" in worker.stderr()
    records = read_samples(tmp_path / "samples")
    due = [(tick, 1) for tick in range(10)] + [(tick, 2) for tick in range(0, 10, 3)]
    expected = sorted((start + 7 + tick * PERIOD_NS, operation) for tick, operation in due)
    assert sorted((record[0], record[4]) for record in records) == expected
    assert all(record[0] <= record[1] <= record[2] and record[5] == OK for record in records)

    answers = (tmp_path / "answers").read_bytes()
    told = [json.loads(line) for line in answers.splitlines()]
    assert (done["records"], done["answers"]) == (len(records), len(told))
    assert done["checksum"] == f"{zlib.crc32(answers):08x}"
    seen = [(line["phase"], line["operation"], line.get("tick")) for line in told]
    assert seen[:2] == [("preflight", "read", 0), ("preflight", "read", 1)]
    assert seen[2:4] == [("measure", "write", 0), ("measure", "read", 0)]
    assert [line["asked"] for line in told[2:]] == [0, 1, 2]
    assert (told[3]["answer"], told[4]["none"]) == ({"index": 0}, "given")


def test_a_late_tick_is_performed_at_once(client: list[str], tmp_path: Path) -> None:
    slow = {"slow_at": 2, "slow_ns": 5 * PERIOD_NS}
    with running(client, tmp_path, parameters=slow) as worker:
        records = worker.run()
    reads = [record for record in records if record[4] == 1]
    assert len(reads) == 10
    assert {after[0] - before[0] for before, after in pairwise(reads)} == {PERIOD_NS}
    late = [record for record in records if reads[2][0] < record[0] <= reads[2][0] + 5 * PERIOD_NS]
    assert len(late) == 7, "reads of ticks 3 to 7 and writes of 3 and 6"
    assert all(record[1] >= reads[2][2] for record in late), "one tick's calls at a time"


def test_failures_are_recorded_and_said(client: list[str], tmp_path: Path) -> None:
    script = {"throw_at": 1, "bad_at": 4, "hang_at": 6}
    limits = {"ready_ns": HOUR_NS, "operation_ns": 500_000_000, "stop_ns": 1_000_000_000}
    with running(client, tmp_path, parameters=script, limits=limits) as worker:
        reads = [record for record in worker.run() if record[4] == 1]
    statuses = [record[5] for record in reads]
    assert statuses == [OK, ERROR, OK, OK, ITEM_ERROR, OK, TIMEOUT, OK, OK, OK]
    assert reads[6][2] - reads[6][1] >= limits["operation_ns"]
    assert worker.errors() == [
        ["call", "IOException", "Scripted", "read"],
        ["item", "Code", "BadItem", "read"],
        ["call", "OperationLimit", "", "read"],
    ]


def test_timed_connecting_is_an_operation(client: list[str], tmp_path: Path) -> None:
    script = {"connect": "timed", "refusals": 3}
    operations = {"read": {"code": 1}, "connect": {"code": 3}}
    changes: dict[str, Any] = {"parameters": script, "operations": operations, "verify": {}}
    with running(client, tmp_path, **changes) as worker:
        seen = [(record[4], record[5]) for record in worker.run()]
    assert seen == [(3, REFUSED)] * 3 + [(3, OK)] + [(1, OK)] * 6
    assert worker.errors() == [["call", "IOException", "Scripted", "connect"]] * 3


def test_connecting_before_ready_may_take_as_long_as_getting_ready(
    client: list[str], tmp_path: Path
) -> None:
    limits = {"ready_ns": HOUR_NS, "operation_ns": 1_000_000, "stop_ns": 1_000_000_000}
    changes: dict[str, Any] = {"parameters": {"connect_ns": 200_000_000}, "limits": limits}
    with running(client, tmp_path, **changes) as worker:
        assert worker.until("ready")["library"] == {"name": "scripted", "version": "1"}
    assert worker.errors() == []


@pytest.mark.parametrize("how", ["stop", "end of input"])
@pytest.mark.parametrize("when", ["before start", "between ticks", "in a call that hangs"])
def test_stop_ends_the_worker(client: list[str], tmp_path: Path, how: str, when: str) -> None:
    script = {"hang_at": 1} if when == "in a call that hangs" else {}
    period = PERIOD_NS if script else HOUR_NS
    schedule = {"first_ns": 0, "period_ns": period, "count": 3}
    with running(client, tmp_path, parameters=script, schedule=schedule) as worker:
        worker.until("ready")
        if when != "before start":
            worker.start()
            worker.until_said("MEASURE read 1" if script else "MEASURE write 0")
        assert worker.process.poll() is None
        if how == "stop":
            worker.say('{"command": "stop"}')
        else:
            worker.stdin.close()
            worker.process.stdin = None
        done = worker.until("done")
        assert worker.process.wait(PATIENCE_S) == 0
    statuses = [record[5] for record in read_samples(tmp_path / "samples")]
    assert done["records"] == len(statuses)
    expected = {"before start": [], "between ticks": [OK, OK]}
    assert statuses == expected.get(when, [OK, OK, TIMEOUT])


WRONG_CODE = {"operations": {"read": {"code": "1"}}}
FATAL: dict[str, tuple[dict[str, Any], str]] = {
    "refused": ({"parameters": {"refusals": 1}}, ""),
    'operations.read.code: expected an integer, found "1"': (WRONG_CODE, ""),
    "expected a value": ({}, "garbage"),
    'unknown command: {"command": "dance"}': ({}, '{"command": "dance"}'),
}


@pytest.mark.parametrize("message", FATAL)
def test_what_cannot_go_on_is_fatal(client: list[str], tmp_path: Path, message: str) -> None:
    changes, line = FATAL[message]
    with running(client, tmp_path, **changes) as worker:
        if line:
            worker.until("ready")
            worker.say(line)
        error = worker.until("error")
        assert worker.process.wait(PATIENCE_S) == 1
    assert error["scope"] == "fatal"
    assert error["message"].removeprefix("offset 0: ") == message
