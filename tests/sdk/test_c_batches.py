"""Microbenchmarks on the C++ part of the C SDK: batches by a false clock, a worker's life."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from c_programs import PROBE, SDK
from test_c_worker import Outcome, a_spec, perform
from vectors import VECTORS, read

pytestmark = pytest.mark.needs("g++")
FLAGS = ["-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror", "-fno-builtin"]


@pytest.fixture(scope="module")
def probe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = tmp_path_factory.mktemp("c") / "batches"
    sources = [PROBE.with_name("batches_probe.cpp"), SDK / "wirelab" / "allocations.cpp"]
    command = ["g++", *FLAGS, f"-I{SDK}", *map(str, sources), "-o", str(program)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return program


def test_batches_are_those_of_the_contract(probe: Path) -> None:
    command = [probe, "vectors", VECTORS / "batches.json"]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    loops = read("batches.json")["loops"]
    taken = [json.loads(line) for line in ended.stdout.splitlines()]
    allocation = [["allocation", 4 * case["inputs"]] for case in loops]
    assert len(loops) == 11
    assert taken == [[*case["batches"], last] for case, last in zip(loops, allocation, strict=True)]


def repeated(
    probe: Path, folder: Path, names: Sequence[str] = ("absent", "broken", "add"), **plan: Any
) -> tuple[list[dict[str, Any]], Outcome]:
    """Lines of the batch file of a whole life, and how it ended."""
    known = {"rounds": 0, "batch_ns": 1000, "count": 2, "warmup_ns": 1, "agree": 0.02}
    spec = a_spec(
        folder,
        batches={"steps": ["a", "b"], **known, **plan},
        operations={name: {"code": n, "record": "batches"} for n, name in enumerate(names, 1)},
    )
    spec["paths"]["batches"] = str(folder / "w.batches.jsonl")
    outcome = perform(probe, folder, spec, 1)
    lines = Path(spec["paths"]["batches"]).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines], outcome


def test_a_worker_writes_its_batches_and_one_line_of_what_failed(
    probe: Path, tmp_path: Path
) -> None:
    lines, outcome = repeated(probe, tmp_path, rounds=7)
    one = [("broken", "failed"), *[("add", "measure")] * 2, ("add", "allocation")]
    found = [(line["step"], line["operation"], line["phase"]) for line in lines]
    assert found == [(step, *rest) for step in "ab" for rest in one]
    assert lines[0]["class"] == "std::out_of_range"
    assert (lines[1]["rounds"], lines[1]["checksum"]) == (7, 2 * 111 + 1)
    assert lines[3]["allocated_bytes"] == 4 * 3 * 100
    done = outcome.only("done")
    assert (outcome.code, done["batches"], done["answers"]) == (0, 8, 2)


def test_with_a_count_of_zero_nothing_is_timed(probe: Path, tmp_path: Path) -> None:
    lines, outcome = repeated(probe, tmp_path, count=0)
    assert lines == []
    assert (outcome.only("done")["batches"], outcome.only("done")["answers"]) == (0, 2)


def test_counted_iterations_leave_out_what_depends_on_time(probe: Path, tmp_path: Path) -> None:
    _, outcome = repeated(probe, tmp_path, ("wait",), rounds=1, count=1, counted=True)
    assert [event["event"] for event in outcome.events] == ["ready", "runtime", "done"]
