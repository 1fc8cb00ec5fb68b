"""A Node.js client on a machine that was booted 115 days ago, where no double holds its times."""

from __future__ import annotations

import json
import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SDK = HERE.parents[1] / "sdk" / "node" / "index.js"
LONG_AGO = ["unshare", "--time", "--monotonic", "10000000", "--fork"]
PERIOD_NS, COUNT = 10_000_000, 10

CORE = """
import json, subprocess, sys, time
worker = subprocess.Popen(["node", sys.argv[1]], stdin=-1, stdout=-1)
worker.stdout.readline()
start_ns = time.monotonic_ns() + 100_000_000 | 1
worker.stdin.write(b'{"command": "start", "monotonic_ns": %d}\\n' % start_ns)
worker.stdin.flush()
events = [json.loads(line) for line in worker.stdout]
print(json.dumps([start_ns, events]))
sys.exit(worker.wait(60))
"""
"""Says the start in time of the same namespace."""


def _can_be_told_another_time() -> bool:
    return (
        shutil.which("unshare") is not None
        and subprocess.run([*LONG_AGO, "true"], capture_output=True, check=False).returncode == 0
    )


needs_another_time = pytest.mark.skipif(
    not _can_be_told_another_time(), reason="needs the right to make a time namespace"
)


@pytest.mark.needs("node")
@needs_another_time
def test_intended_times_are_exact(tmp_path: Path) -> None:
    spec = {
        "contract": 2,
        **{"trial": "t", "suite": "s", "scenario": "c", "role": "client"},
        **{"parameters": {}, "endpoints": {}, "operations": {"read": {"code": 1}}},
        "schedule": {"loop": "open", "first_ns": 0, "period_ns": PERIOD_NS, "count": COUNT},
        "paths": {name: str(tmp_path / name) for name in ("samples", "answers", "scratch")},
        "limits": {"ready_ns": 10**10, "operation_ns": 10**9, "stop_ns": 10**9},
    }
    file = tmp_path / "spec.json"
    file.write_text(json.dumps(spec), encoding="utf-8")
    ended = subprocess.run(
        [*LONG_AGO, sys.executable, "-c", CORE, HERE / "node_client.mjs"],
        env={**os.environ, "WIRELAB_SPEC": str(file), "WIRELAB_SDK": str(SDK)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    start_ns, events = json.loads(ended.stdout)
    assert start_ns > 2**53
    content = (tmp_path / "samples").read_bytes()[32:]
    records = list(struct.iter_unpack("<QQQIBBH", content))
    due = [start_ns + tick * PERIOD_NS for tick in range(COUNT)]
    assert [record[0] for record in records] == due
    assert all(record[0] <= record[1] <= record[2] for record in records)
    (error,) = [event for event in events if event["event"] == "error"]
    assert (error["message"], error["intended_ns"]) == ("as scripted", due[3])
