"""The C SDK, and the agenda of the bare epoll client, against the vectors of the contract."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from c_programs import PROBE, ROOT, compile_c
from vectors import VECTORS, read

EPOLL = ROOT / "bench" / "contenders" / "epoll"


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = tmp_path_factory.mktemp("c") / "vectors"
    flags = ("-std=c11", f"-I{EPOLL}", str(EPOLL / "agenda.c"))
    return compile_c(PROBE.with_name("vectors_probe.c"), program, *flags)


def told(probe: Path, what: str, file: Path) -> list[dict[str, Any]]:
    command = [probe, what, VECTORS, file]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    return [json.loads(line) for line in ended.stdout.split("\n") if line]


def test_schedules_and_commands(probe: Path, tmp_path: Path) -> None:
    (looked_at,) = told(probe, "schedule", tmp_path / "none")
    commands = {"starts": 8, "stops": 2}
    # Of schedules with one step, which is what the bare client plays, all lanes and users.
    agenda = {"sends": 101, "joins": 32}
    assert looked_at == {"schedules": 9, "ticks": 126} | commands | agenda


def test_the_sample_file(probe: Path, tmp_path: Path) -> None:
    told(probe, "samples", tmp_path / "samples")
    vectors: Any = read("samples.json")
    assert len(vectors["records"]) == 7
    expected = vectors["header"] + "".join(record["bytes"] for record in vectors["records"])
    assert (tmp_path / "samples").read_bytes().hex() == expected


def test_answers_that_are_asked_for(probe: Path, tmp_path: Path) -> None:
    told(probe, "asked", tmp_path / "answers")
    found = [json.loads(line) for line in (tmp_path / "answers").read_bytes().splitlines()]
    pauses = [line.pop("pause") for line in found if "answer" in line]
    assert len(pauses) == 10
    assert all(begin <= end for begin, end in pauses)
    assert found == [line for case in read("asked.json")["cases"] for line in case["lines"]]


def test_events(probe: Path, tmp_path: Path) -> None:
    lines = [
        line for line in told(probe, "events", tmp_path / "file") if line["event"] != "runtime"
    ]
    # This SDK drives one lane, which has no steps.
    said = [event for event in read("events.json")["events"] if event["event"] != "step"]
    assert Counter(event["event"] for event in said) == dict.fromkeys(
        ("ready", "progress", "error", "done"), 2
    )
    assert len(lines) == len(said)
    for line, event in zip(lines, said, strict=True):
        assert event.items() <= line.items()
