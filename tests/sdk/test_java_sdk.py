"""The Java SDK from outside: compiled as it is, run as a process, judged by Python."""

from __future__ import annotations

import base64
import json
import math
import random
import subprocess
import time
import zlib
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from java_worker import HOUR_NS, PATIENCE_S, PERIOD_NS, compile_worker, read_samples, running

OK, ERROR, TIMEOUT, REFUSED, ITEM_ERROR = 0, 1, 2, 4, 5

pytestmark = pytest.mark.needs("javac")


@pytest.fixture(scope="module")
def java(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The command that runs the scripted worker."""
    return compile_worker(tmp_path_factory.mktemp("classes"))


DOCUMENTS = r"""
{"a": [1, -2.5e3, true, null, "x\u00e9\ud83d\ude00"], "b": {"c": ""}, "d": false}
[0, -0, -0.0, 1E5, 1e-9, 0.1, 9223372036854775807, -9223372036854775808, 1e308]
{"é": "😀 \" \\ \/ \b\f\n\r\t", "": [[], {}, [{}]]}
""".encode().split(b"\n")[1:-1]
EDGES = rb"""
[1e999] | [9223372036854775808] | {"a":1,"a":2} | NaN | -Infinity | [01] | [1,] || [1.] | "\ud800"
| "\x" | "\u12" | "\U0041" | {1: 2} | 1 2 | nul | "a | [ | {"a" | +1 | .5 | 1e | - | 'a' | [ ]]
"""[1:-1].split(b"|")
UNTYPED = [b"\xef\xbb\xbf1", b"\xff", b'"\xc3("', b'"\x7f"', b'"\x01"', b" \t\r\n1\n", b"\xc2\xa01"]
TELLING = b'{}[]",:0123456789.eE+-\\u tfn\xc3\x01'


def rewritten(java: list[str], texts: list[bytes]) -> list[str | None]:
    """Each text as the SDK reads and writes it; None where it refuses."""
    sent = b"".join(base64.b64encode(text) + b"\n" for text in texts)
    process = subprocess.run([*java, "json"], input=sent, capture_output=True, check=True)
    lines = process.stdout.split()
    return [None if line == b"refused" else base64.b64decode(line).decode() for line in lines]


def strictly(text: bytes) -> Any:
    """What Python reads, made as strict as the SDK says it is; raises ValueError."""

    def within(holds: bool, value: Any) -> Any:
        if not holds:
            raise ValueError(value)
        return value

    return json.loads(
        text.decode("utf-8"),
        parse_constant=lambda name: within(False, name),
        parse_int=lambda n: within(-(2**63) <= int(n) < 2**63, -0.0 if n == "-0" else int(n)),
        parse_float=lambda text: within(math.isfinite(float(text)), float(text)),
        object_pairs_hook=lambda pairs: within(len(dict(pairs)) == len(pairs), dict(pairs)),
    )


def test_json_is_read_and_refused_as_python_does(java: list[str]) -> None:
    rng = random.Random(4711)
    texts = [*DOCUMENTS, *EDGES, *UNTYPED]
    for _ in range(6000):
        damaged = bytearray(rng.choice(DOCUMENTS))
        for _ in range(rng.randint(1, 3)):
            at = rng.randrange(len(damaged))
            damaged[at : at + rng.randint(0, 2)] = rng.choices(TELLING)
        texts.append(bytes(damaged))
    # Numbers at the edges of double, where a shortest form is hard to find.
    numbers = (math.ldexp(rng.random(), rng.randint(-1074, 1024)) for _ in range(2000))
    texts += [repr(number).encode() for number in numbers]
    assert len(texts) > 8000
    for text, written in zip(texts, rewritten(java, texts), strict=True):
        try:
            expected = strictly(text)
        except ValueError:
            assert written is None, f"{text!r} was read as {written}"
            continue
        assert written is not None, f"{text!r} was refused"
        assert repr(json.loads(written)) == repr(expected), text


def test_a_trial_from_ready_to_done(java: list[str], tmp_path: Path) -> None:
    with running(java, tmp_path) as worker:
        ready = worker.until("ready")
        assert (ready["contract"], ready["library"]["name"]) == (1, "scripted")
        assert abs(ready["monotonic_ns"] - time.monotonic_ns()) < PATIENCE_S * 1e9, "the clock"
        assert len((tmp_path / "answers").read_text().splitlines()) == 2, "flushed before ready"
        assert (tmp_path / "samples").stat().st_size == 32
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
    seen = [(line["phase"], line["operation"], line["tick"]) for line in told]
    assert seen[:2] == [("preflight", "read", 0), ("preflight", "read", 1)]
    assert seen[2:] == [("measure", "write", 3), ("measure", "read", 9)]
    assert told[3]["answer"] == {"index": 9}


def test_a_late_tick_is_performed_at_once(java: list[str], tmp_path: Path) -> None:
    slow = {"slow_at": 2, "slow_ns": 5 * PERIOD_NS}
    with running(java, tmp_path, parameters=slow) as worker:
        records = worker.run()
    reads = [record for record in records if record[4] == 1]
    assert len(reads) == 10
    assert {after[0] - before[0] for before, after in pairwise(reads)} == {PERIOD_NS}
    late = [record for record in records if reads[2][0] < record[0] <= reads[2][0] + 5 * PERIOD_NS]
    assert len(late) == 7, "reads of ticks 3 to 7 and writes of 3 and 6"
    assert all(record[1] >= reads[2][2] for record in late), "one tick's calls at a time"


def test_failures_are_recorded_and_said(java: list[str], tmp_path: Path) -> None:
    script = {"throw_at": 1, "bad_at": 4, "hang_at": 6}
    limits = {"ready_ns": HOUR_NS, "operation_ns": 500_000_000, "stop_ns": 1_000_000_000}
    with running(java, tmp_path, parameters=script, limits=limits) as worker:
        reads = [record for record in worker.run() if record[4] == 1]
    statuses = [record[5] for record in reads]
    assert statuses == [OK, ERROR, OK, OK, ITEM_ERROR, OK, TIMEOUT, OK, OK, OK]
    assert reads[6][2] - reads[6][1] >= limits["operation_ns"]
    assert worker.errors() == [
        ["call", "IOException", "Scripted", "read"],
        ["item", "Code", "BadItem", "read"],
        ["call", "OperationLimit", "", "read"],
    ]


def test_timed_connecting_is_an_operation(java: list[str], tmp_path: Path) -> None:
    script = {"connect": "timed", "refusals": 3}
    operations = {"read": {"code": 1}, "connect": {"code": 3}}
    changes: dict[str, Any] = {"parameters": script, "operations": operations, "verify": {}}
    with running(java, tmp_path, **changes) as worker:
        seen = [(record[4], record[5]) for record in worker.run()]
    assert seen == [(3, REFUSED)] * 3 + [(3, OK)] + [(1, OK)] * 6
    assert worker.errors() == [["call", "IOException", "Scripted", "connect"]] * 3


def test_connecting_before_ready_may_take_as_long_as_getting_ready(
    java: list[str], tmp_path: Path
) -> None:
    limits = {"ready_ns": HOUR_NS, "operation_ns": 1_000_000, "stop_ns": 1_000_000_000}
    changes: dict[str, Any] = {"parameters": {"connect_ns": 200_000_000}, "limits": limits}
    with running(java, tmp_path, **changes) as worker:
        assert worker.until("ready")["library"] == {"name": "scripted", "version": "1"}
    assert worker.errors() == []


@pytest.mark.parametrize("how", ["stop", "end of input"])
@pytest.mark.parametrize("when", ["before start", "between ticks", "in a call that hangs"])
def test_stop_ends_the_worker(java: list[str], tmp_path: Path, how: str, when: str) -> None:
    script = {"hang_at": 1} if when == "in a call that hangs" else {}
    period = PERIOD_NS if script else HOUR_NS
    schedule = {"first_ns": 0, "period_ns": period, "count": 3}
    with running(java, tmp_path, parameters=script, schedule=schedule) as worker:
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
    "offset 0: expected a value": ({}, "garbage"),
    'unknown command: {"command": "dance"}': ({}, '{"command": "dance"}'),
}


@pytest.mark.parametrize("message", FATAL)
def test_what_cannot_go_on_is_fatal(java: list[str], tmp_path: Path, message: str) -> None:
    changes, line = FATAL[message]
    with running(java, tmp_path, **changes) as worker:
        if line:
            worker.until("ready")
            worker.say(line)
        error = worker.until("error")
        assert worker.process.wait(PATIENCE_S) == 1
    assert (error["scope"], error["message"]) == ("fatal", message)
