"""One life of a worker of the suite kv that works on YCSB's user table in its own memory."""

from __future__ import annotations

import json
import os
import struct
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kv_harness.popularity import popularity
from kv_harness.user_table import loaded

from wirelab import conform
from wirelab.suite_parts import load_part

ROOT = Path(__file__).parents[2]
SUITE = ROOT / "suites" / "kv"
MILLISECOND = 1_000_000
OK, WRONG_ANSWER = 0, 6
RECORDS, LANES, TICKS = 40, 8, 60
SECRET = bytes(range(32))

verifier: Any = load_part("kv_verify_of_records", SUITE / "verify.py")


def write_table(path: Path) -> Path:
    """The table as it is loaded, a key and its ten fields a line."""
    rows = (b" ".join((key.encode(), *fields)) for key, fields in loaded(RECORDS, SECRET))
    path.write_bytes(b"".join(row + b"\n" for row in rows))
    return path


class RecordLife:
    """It goes through these workloads, eight lanes at a time; each is asked once for an answer."""

    def __init__(
        self,
        folder: Path,
        command: Sequence[str],
        *workloads: str,
        environment: Mapping[str, str] | None = None,
        parameters: Mapping[str, Any] | None = None,
    ) -> None:
        operation = {"every": 1, "items": 1, "preflight": 2, "due": "tick", "record": "samples"}
        worker = conform.CheckedWorker(
            command=list(command),
            role="client",
            suite="kv",
            environment=environment or {},
            parameters=parameters or {},
            operations={"ycsb": {"code": 14, **operation}},
            loop="closed",
            steps=tuple(
                {
                    **{"name": one, "users": LANES, "lanes": LANES, "settle": 2},
                    **{"join_ns": None, "parameters": {"workload": one}},
                }
                for one in workloads
            ),
            period_ns=5 * MILLISECOND,
            operation_ns=10_000 * MILLISECOND,
            stop_ns=2000 * MILLISECOND,
        )
        scratch = folder / "scratch"
        scratch.mkdir()
        facts = {"server": {"popularity": popularity(RECORDS)}}
        endpoints = {"server": "127.0.0.1:1"}
        count = TICKS * len(workloads)
        self.spec = conform.make_spec(worker, "life", scratch, count, endpoints, facts)
        path = scratch / "spec.json"
        path.write_text(json.dumps(self.spec))
        process = conform.Process(worker, path, scratch, f"kv-records-{os.getpid()}")
        try:
            assert process.event("ready", 20) is not None, process.stderr.decode()
            # Before the start: each lane answers when it has ended its first operation.
            for lane in range(LANES):
                process.send(command="answer", asked=lane, operation="ycsb", lane=lane)
            process.send(command="start", monotonic_ns=time.monotonic_ns() + 20 * MILLISECOND)
            process.event("done", 20)
            self.code = process.wait(5)
        finally:
            process.end()
        self.stderr = process.stderr.decode()
        data = Path(self.spec["paths"]["samples"]).read_bytes()
        self.statuses = Counter(r[5] for r in struct.iter_unpack("<QQQIBBH", data[32:]))
        lines = Path(self.spec["paths"]["answers"]).read_text().splitlines()
        self.answers = [line for line in map(json.loads, lines) if "none" not in line]

    @property
    def findings(self) -> list[str]:
        """Findings of the suite's verifier about its answers."""
        return self.findings_with(SECRET)

    def findings_with(self, secret: bytes) -> list[str]:
        """Findings where the table depends on that secret."""
        spec = {**self.spec, "secret": secret.hex()}
        found: list[str] = verifier.verify(spec, {}, self.answers)
        return found


def finds_what_was_written(life: RecordLife, workloads: int) -> None:
    """All of its reads are right, by the worker and by the verifier."""
    assert life.code == 0, life.stderr
    assert life.statuses == {OK: LANES * TICKS * workloads}, (life.statuses, life.stderr)
    assert {one["answer"]["kind"] for one in life.answers} >= {"read"}
    assert life.findings == []
