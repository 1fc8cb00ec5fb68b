"""How far a lane is shifted within its cycle: the same vectors for whoever computes it.

Cycles longer than 9.22 s have products beyond 64 bits. Go is held to big numbers by its own test,
and Rust computes in 128 bits.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from java_worker import compile_worker

from wirelab.conform.lanes import offset_ns
from wirelab.model.load import Cycle
from wirelab.schedule import Schedule
from wirelab_sdk import Operation, Step
from wirelab_sdk.lane_schedule import due_turns
from wirelab_sdk.spec import Schedule as WorkerSchedule

VECTORS: list[dict[str, int]] = json.loads(
    Path(__file__).with_name("lane_shifts.json").read_text("utf-8")
)
SHIFTS = [vector["shift_ns"] for vector in VECTORS]
NODE = """
import { dueTurns } from '%s';
import { readFileSync } from 'node:fs';
for (const { lane, length, period_ns } of JSON.parse(readFileSync('%s', 'utf8'))) {
  const schedule = { first_ns: 0, period_ns, count: length, cycle: { length, active: 1 } };
  const step = { name: '', first: 0, count: length, settle: 0, users: 65536, lanes: 65536 };
  console.log([...dueTurns(schedule, [step], lane)].map(({ afterNs }) => afterNs).join());
}
"""
"""Active for one tick of each cycle, a lane is due once in the first: at its shift."""


def test_the_vectors_reach_beyond_64_bits() -> None:
    whole = [v["lane"] * 618033989 % 10**9 * v["length"] * v["period_ns"] for v in VECTORS]
    assert [number >= 2**63 for number in whole].count(True) == 5
    assert [number // 10**9 for number in whole] == SHIFTS


def test_the_core() -> None:
    found = [
        int(Schedule(v["period_ns"], v["length"], cycle=Cycle(length=v["length"])).shifts(lane)[0])
        for v in VECTORS
        if len(lane := np.array([v["lane"]]))
    ]
    assert found == SHIFTS


def test_the_checker() -> None:
    def schedule(vector: dict[str, int]) -> dict[str, Any]:
        cycle = {"length": vector["length"], "active": 1}
        return {"first_ns": 0, "period_ns": vector["period_ns"], "cycle": cycle}

    found = [offset_ns(schedule(vector), 0, vector["lane"]) for vector in VECTORS]
    assert found == [vector["shift_ns"] % vector["period_ns"] for vector in VECTORS]


def test_the_sdk_in_python() -> None:
    def first_turn(vector: dict[str, int]) -> int:
        length = vector["length"]
        step = Step("", 0, length, 0, 65536, 65536, 0, {})
        schedule = WorkerSchedule(
            loop="open",
            first_ns=0,
            period_ns=vector["period_ns"],
            count=length,
            warmup=0,
            cycle=(length, 1),
            steps=(step,),
        )
        ((intended_ns, _),) = due_turns(schedule, vector["lane"], Operation("echo", 1, 1, 1, None))
        return intended_ns

    assert [first_turn(vector) for vector in VECTORS] == SHIFTS


@pytest.mark.needs("javac")
def test_the_sdk_in_java(tmp_path: Path) -> None:
    asked = "".join(f"{v['lane']} {v['length']} {v['period_ns']}\n" for v in VECTORS)
    command = [*compile_worker(tmp_path), "shifts"]
    said = subprocess.run(command, input=asked, capture_output=True, text=True, check=True).stdout
    assert [int(line) for line in said.split()] == SHIFTS


@pytest.mark.needs("node")
def test_the_sdk_in_javascript() -> None:
    module = Path(__file__).parents[2] / "sdk/node/src/schedule.js"
    script = NODE % (module, Path(__file__).with_name("lane_shifts.json"))
    command = ["node", "--input-type=module", "-e", script]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert [int(line) for line in said.split()] == SHIFTS
