"""Processes of roles for the monitor's tests, each below a keeper as a trial starts them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow.parquet as pq

from wirelab.monitor.sampler import Sampler
from wirelab.processes.kept import KeptProcess


@contextmanager
def monitored(folder: Path) -> Iterator[Sampler]:
    """A monitor at work; at the end what it saw is in ``folder``."""
    sampler = Sampler(folder)
    sampler.start()
    try:
        yield sampler
    finally:
        sampler.stop()
        sampler.recorded.write(folder)


@contextmanager
def kept(
    sampler: Sampler, role: str, script: str, environment: dict[str, str] | None = None
) -> Iterator[KeptProcess]:
    """A Python script that plays ``role``."""
    process = KeptProcess(
        [sys.executable, "-c", script],
        {**os.environ, **(environment or {})},
        Path.cwd(),
        mark="run/trial",
        role=role,
        introduce=lambda keeper: sampler.watch(role, keeper),
    )
    try:
        yield process
    finally:
        process.close()
        for stream in (process.stdin, process.stdout, process.stderr):
            stream.close()


def rows(folder: Path, role: str) -> list[dict[str, int]]:
    """Rows of a role in ``monitor.parquet``."""
    return [r for r in pq.read_table(folder / "monitor.parquet").to_pylist() if r["role"] == role]
