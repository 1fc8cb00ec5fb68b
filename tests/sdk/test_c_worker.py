"""A worker on the C SDK: its files, its events, and how it obeys."""

from __future__ import annotations

import json
import os
import shutil
import struct
import subprocess
import time
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from c_programs import PROBE, compile_c


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compile_c(PROBE, tmp_path_factory.mktemp("c") / "probe", "-std=c11")


def a_spec(folder: Path, **changes: Any) -> dict[str, Any]:
    spec = {
        "contract": 2,
        "role": "client",
        "parameters": {},
        "operations": {"read": {"code": 9, "every": 1, "items": 2}},
        "schedule": {"first_ns": 500, "period_ns": 1_000_000, "count": 5, "warmup": 0},
        "verify": {"preflight": {}},
        "paths": {
            "samples": str(folder / "w.samples"),
            "answers": str(folder / "w.answers.jsonl"),
            "scratch": str(folder),
        },
        "limits": {"ready_ns": 10**10, "operation_ns": 10**9, "stop_ns": 5 * 10**9},
    }
    return {**spec, **changes}


@dataclass
class Outcome:
    code: int
    events: list[dict[str, Any]]
    stderr: str

    def only(self, name: str) -> dict[str, Any]:
        (event,) = [event for event in self.events if event["event"] == name]
        return event


def start_worker(
    program: Path, folder: Path, spec: dict[str, Any] | bytes
) -> subprocess.Popen[bytes]:
    path = folder / "spec.json"
    path.write_bytes(spec if isinstance(spec, bytes) else json.dumps(spec).encode())
    return subprocess.Popen(
        [program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "WIRELAB_SPEC": str(path)},
        cwd=folder,
    )


def tell(worker: subprocess.Popen[bytes], words: bytes) -> None:
    assert worker.stdin is not None
    worker.stdin.write(words)
    worker.stdin.flush()


def say_start(at: int) -> bytes:
    return json.dumps({"command": "start", "monotonic_ns": at}).encode() + b"\n"


def finish(worker: subprocess.Popen[bytes], last_words: bytes = b"") -> Outcome:
    """Says ``last_words``, then ends the worker's input, and waits for it."""
    output, errors = worker.communicate(last_words, timeout=20)
    events = [json.loads(line) for line in output.splitlines()]
    return Outcome(worker.returncode, events, errors.decode())


def perform(program: Path, folder: Path, spec: dict[str, Any], begin: int) -> Outcome:
    """Lets a worker go through its whole schedule, its input staying open."""
    worker = start_worker(program, folder, spec)
    tell(worker, say_start(begin))
    assert worker.stdout is not None
    events = [json.loads(line) for line in worker.stdout]
    rest = finish(worker)
    return Outcome(rest.code, events, rest.stderr)


def test_files_follow_the_contract(probe: Path, tmp_path: Path) -> None:
    begin = time.monotonic_ns() + 20_000_000
    outcome = perform(probe, tmp_path, a_spec(tmp_path), begin)
    assert outcome.code == 0
    content = (tmp_path / "w.samples").read_bytes()
    assert content[:32] == b"WLSAMPLE" + struct.pack("<HHI", 1, 32, 1) + bytes(16)
    records = list(struct.iter_unpack("<QQQIBBH", content[32:]))
    assert [r[0] for r in records] == [begin + 500 + i // 2 * 1_000_000 for i in range(10)]
    assert all(intended <= started <= ended for intended, started, ended, *_ in records)
    assert [r[3:] for r in records] == [(7, 9, 0, 3), (7, 9, 2, 3)] * 5

    answers = (tmp_path / "w.answers.jsonl").read_bytes()
    lines = [json.loads(line) for line in answers.splitlines()]
    assert [(a["phase"], a["operation"], a["tick"], a["answer"]) for a in lines] == [
        ("preflight", "read", 1, [1]),
        ("preflight", "read", 3, [3]),
    ]
    done = outcome.only("done")
    assert done == outcome.events[-1]
    assert (done["records"], done["answers"]) == (10, 2)
    assert done["checksum"] == f"{zlib.crc32(answers):08x}"


def test_more_records_than_memory_are_all_written(probe: Path, tmp_path: Path) -> None:
    schedule = {"first_ns": 0, "period_ns": 1, "count": 2000}
    spec = a_spec(tmp_path, schedule=schedule)
    outcome = perform(probe, tmp_path, spec, time.monotonic_ns())
    content = (tmp_path / "w.samples").read_bytes()
    begin = struct.unpack_from("<Q", content, 32)[0]
    records = list(struct.iter_unpack("<QQQIBBH", content[32:]))
    assert [r[0] - begin for r in records] == [i // 2 for i in range(4000)]
    assert outcome.only("done")["records"] == 4000


def test_events(probe: Path, tmp_path: Path) -> None:
    schedule = {"first_ns": 0, "period_ns": 1, "count": 150}
    spec = a_spec(tmp_path, schedule=schedule)
    events = perform(probe, tmp_path, spec, time.monotonic_ns()).events
    ready = events[0]
    assert ready["event"] == "ready"
    assert ready["contract"] == 2
    assert ready["library"] == {"name": "probe", "version": '1.0 "beta"'}
    assert (ready["facts"], ready["capabilities"]) == ({"fact": 1}, ["able"])
    assert ready["monotonic_ns"] <= time.monotonic_ns()
    errors = [event for event in events if event["event"] == "error"]
    assert len(errors) == 100, "the first 100 of a class are said"
    assert errors[0]["message"] == "line\nbreak"
    assert (errors[0]["class"], errors[0]["scope"]) == ("Late", "call")
    assert [event["event"] for event in events[-2:]] == ["runtime", "done"]


def test_what_a_library_prints_is_no_event(probe: Path, tmp_path: Path) -> None:
    outcome = finish(start_worker(probe, tmp_path, a_spec(tmp_path)), b'{"command":"stop"}\n')
    assert outcome.code == 0
    assert "a library that prints" in outcome.stderr
    assert outcome.only("done")["records"] == 0


@pytest.mark.parametrize("last_words", [b'{"command": "stop"}\n', b""], ids=["stop", "end"])
def test_sleeping_ticker_obeys_stop(probe: Path, tmp_path: Path, last_words: bytes) -> None:
    schedule = {"first_ns": 0, "period_ns": 3600 * 10**9, "count": 3}
    worker = start_worker(probe, tmp_path, a_spec(tmp_path, schedule=schedule))
    tell(worker, say_start(time.monotonic_ns()))
    assert worker.stdout is not None
    seen = [json.loads(worker.stdout.readline())["event"] for _ in range(2)]
    assert seen == ["ready", "error"], "tick 0 was performed, the next is an hour away"
    outcome = finish(worker, last_words)
    assert outcome.code == 0
    assert outcome.only("done")["records"] == 2
    assert (tmp_path / "w.samples").stat().st_size == 32 * 3


def test_commands_may_come_in_pieces_and_together(probe: Path, tmp_path: Path) -> None:
    schedule = {"first_ns": 0, "period_ns": 3600 * 10**9, "count": 3}
    worker = start_worker(probe, tmp_path, a_spec(tmp_path, schedule=schedule))
    command = say_start(time.monotonic_ns())
    for piece in (command[:5], command[5:20], command[20:] + b'{"command"'):
        tell(worker, piece)
        time.sleep(0.02)
    outcome = finish(worker, b':"stop"}\n')
    assert outcome.code == 0
    assert outcome.only("done")["records"] == 2


BROKEN: list[tuple[str, dict[str, Any] | bytes, str]] = [
    ("garbage", b"\x7fELF", "not JSON: wrong character at byte 0"),
    ("truncated", b'{"contract": 2, "ro', "it ends too early at byte 19 of 19"),
    ("empty", b"", "it ends too early at byte 0 of 0"),
    ("version", {"contract": 1}, "contract: this worker speaks version 2"),
    ("role", {"role": "server"}, 'asked for "server", this worker plays "client"'),
    ("type", {"limits": {"operation_ns": "5s", "stop_ns": 1}}, "limits.operation_ns: expected an"),
    ("period", {"schedule": {"period_ns": 0, "count": 5}}, "period_ns at least 1"),
    ("code", {"operations": {"read": {"code": 300}}}, "code must be 1 to 255"),
    ("folder", {"paths": {"samples": "/none/s", "answers": "a"}}, "/none/s: No such file"),
]


@pytest.mark.parametrize(("change", "words"), [b[1:] for b in BROKEN], ids=[b[0] for b in BROKEN])
def test_broken_spec_is_said_plainly(
    probe: Path, tmp_path: Path, change: dict[str, Any] | bytes, words: str
) -> None:
    spec = change if isinstance(change, bytes) else a_spec(tmp_path, **change)
    outcome = finish(start_worker(probe, tmp_path, spec))
    assert outcome.code == 1
    error = outcome.only("error")
    assert error["scope"] == "fatal"
    assert words in error["message"]
    assert words in outcome.stderr


def test_garbage_command_is_said_plainly(probe: Path, tmp_path: Path) -> None:
    outcome = finish(start_worker(probe, tmp_path, a_spec(tmp_path)), b"go!\n")
    assert outcome.code == 1
    assert outcome.only("error")["message"] == "not a command of the contract: go!"


def test_full_disk_is_said_before_ready(probe: Path, tmp_path: Path) -> None:
    spec = a_spec(tmp_path)
    spec["paths"]["samples"] = "/dev/full"
    outcome = finish(start_worker(probe, tmp_path, spec))
    assert outcome.code == 1
    assert [event["event"] for event in outcome.events] == ["error"]
    assert outcome.only("error")["message"].endswith("No space left on device")


def test_disk_that_fills_up_is_said_instead_of_done(probe: Path, tmp_path: Path) -> None:
    spec = a_spec(tmp_path)
    spec["paths"]["answers"] = "/dev/full"
    outcome = perform(probe, tmp_path, spec, time.monotonic_ns())
    assert outcome.code == 1
    assert outcome.events[-1]["message"] == "answers cannot be written: No space left on device"


@pytest.mark.skipif(shutil.which("g++") is None, reason="no C++ compiler")
def test_headers_are_cplusplus_too(tmp_path: Path) -> None:
    compile_c(PROBE, tmp_path / "probe", "-x", "c++", "-std=c++17", "-lstdc++")
