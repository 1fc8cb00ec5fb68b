"""The host's other work during a trial, recorded look by look."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from monitor.watched import kept, monitored
from wirelab.monitor.census import BESIDE, CORE, FOREIGN, ThreadCensus
from wirelab.monitor.demand import LOOKS_A_SECOND, Demand
from wirelab.monitor.proc_files import OpenFiles

PLACED = ("foreign_ran_ns", "foreign_ns", "kernel_ns")
UNPLACED = ("foreign_ran_unplaced_ns", "foreign_unplaced_ns", "kernel_unplaced_ns")

BURN = "import time\nwhile time.process_time() < 0.5: pass\nprint(flush=True)\ninput()\n"


def around(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pq.read_table(folder / "host.parquet").to_pylist()
    return found


def test_every_look_tells_of_the_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("WIRELAB_BESIDE")
    with monitored(tmp_path) as sampler, kept(sampler, "client", BURN) as process:
        process.stdout.readline()
        sampler.stop()
    rows = around(tmp_path)
    assert len(rows) > 1
    assert all(len(row["cpu_idle_ns"]) == len(row["cpu_steal_ns"]) for row in rows)
    assert len(rows[0]["cpu_idle_ns"]) == os.cpu_count()
    has_pressure = Path("/proc/pressure/cpu").exists()
    assert all((row["pressure_cpu_ns"] is not None) == has_pressure for row in rows)
    assert rows[-1]["foreign_threads"] > 0
    for name in (*PLACED, *UNPLACED, "core_ns"):
        values = [row[name] for row in rows]
        assert values == sorted(values), name
    for ran, demanded in ("foreign_ran_ns", "foreign_ns"), UNPLACED[:2]:
        assert all(row[ran] <= row[demanded] for row in rows)


def test_what_is_below_a_named_process_is_no_foreign_demand(tmp_path: Path) -> None:
    with monitored(tmp_path) as sampler, kept(sampler, "client", BURN) as process:
        process.stdout.readline()
        sampler.stop()
    rows = around(tmp_path)
    assert len(rows) > 1
    assert os.environ["WIRELAB_BESIDE"] == "1"
    seen = sum(path.name.isdigit() for path in Path("/proc").iterdir())
    assert rows[-1]["foreign_threads"] < seen  # but for what has no parent, as in a container


def test_a_server_of_the_users_own_and_what_it_starts_are_no_foreign_demand() -> None:
    begun = ["sh", "-c", "sleep 60 & echo $!; wait"]
    with (
        subprocess.Popen(begun, stdout=subprocess.PIPE, text=True, start_new_session=True) as own,
        subprocess.Popen(["sleep", "60"]) as core,
    ):
        try:
            assert own.stdout is not None
            child = int(own.stdout.readline())
            census = ThreadCensus(core.pid, [own.pid])
            census.look()
            owners = {one.pid: one.owner for one in census.arrived()}
            census.close()
        finally:
            os.killpg(own.pid, 9)
            core.kill()
    assert (owners[own.pid], owners[child]) == (BESIDE, BESIDE)
    assert owners[core.pid] == CORE
    assert owners[os.getpid()] == FOREIGN


def test_a_thread_is_charged_from_its_start_on() -> None:
    demand = Demand(OpenFiles(1000))
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", BURN], **pipes) as process:  # type: ignore[call-overload]
        process.stdout.readline()
        demand.add(process.pid, process.pid, given_lately=True)
        assert 450_000_000 < demand.placed.ran_ns <= demand.placed.ns
        assert (demand.unplaced.ns, demand.threads) == (0, 1)
        process.communicate(b"\n")
    demand.look()
    assert demand.threads == 0
    demand.close()


def test_what_an_idle_thread_ran_is_charged_to_the_second() -> None:
    demand = Demand(OpenFiles(1000))
    script = "print(flush=True)\ninput()\n" + BURN
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", script], **pipes) as process:  # type: ignore[call-overload]
        process.stdout.readline()
        demand.add(process.pid, process.pid, given_lately=None)
        for _ in range(2 * LOOKS_A_SECOND):
            demand.look()
        assert demand.threads == 1
        placed = demand.placed.ns
        process.stdin.write(b"\n")
        process.stdin.flush()
        process.stdout.readline()
        for _ in range(LOOKS_A_SECOND):
            demand.look()
        assert demand.unplaced.ran_ns > 400_000_000
        assert demand.placed.ns - placed < 100_000_000
        process.communicate(b"\n")
    demand.close()
