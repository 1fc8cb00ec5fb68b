"""The host's other work during a trial, recorded look by look."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

import wirelab
from monitor.watched import kept, monitored
from wirelab.monitor.census import BESIDE, CORE, FOREIGN, ThreadCensus
from wirelab.monitor.foreign import disturbed_windows, foreign_time
from wirelab.monitor.recorded import Recorded
from wirelab.processes.kept import KeptProcess

CUMULATIVE = ("foreign_ran_ns", "foreign_ran_unplaced_ns", "kernel_ran_ns", "core_ns")

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
    assert rows[-1]["foreign_processes"] > 0
    assert rows[-1]["foreign_ran_ns"] > 0
    for name in CUMULATIVE:
        values = [row[name] for row in rows]
        assert values == sorted(values), name


def test_what_is_below_a_named_process_is_no_foreign_demand(tmp_path: Path) -> None:
    with monitored(tmp_path) as sampler, kept(sampler, "client", BURN) as process:
        process.stdout.readline()
        sampler.stop()
    rows = around(tmp_path)
    assert len(rows) > 1
    assert os.environ["WIRELAB_BESIDE"] == "1"
    seen = sum(path.name.isdigit() for path in Path("/proc").iterdir())
    assert rows[-1]["foreign_processes"] < seen  # but for what has no parent, as in a container


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


ESCAPES = """
import os, sys
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.write(1, b"%d\\n" % os.getpid())
        os.execve(sys.executable, [sys.executable, "-c", "import time; time.sleep(60)"], {})
    os._exit(0)
os.wait()
sys.stdin.read()
"""
"""Starts an orphan in a session of its own, which has forgotten its trial, and says its id."""


def owner_of(pid: int, core: int, keepers: list[int]) -> str:
    """The owner of a process by a census that nothing is beside of."""
    census = ThreadCensus(core)
    for keeper in keepers:
        census.introduce("client", keeper)
    census.look()
    owners = {one.pid: one.owner for one in census.arrived()}
    census.close()
    return owners[pid]


def test_an_orphan_of_a_role_is_the_role_s_and_no_foreign_work() -> None:
    command, keepers = [sys.executable, "-c", ESCAPES], list[int]()
    with subprocess.Popen(["sleep", "60"]) as core:
        role = KeptProcess(
            command, {}, Path.cwd(), mark="run/trial", role="client", introduce=keepers.append
        )
        try:
            orphan = int(role.stdout.readline())
            assert owner_of(orphan, core.pid, keepers) == "client"
            # Where nobody knows of the keeper, the same process is foreign.
            assert owner_of(orphan, core.pid, []) == FOREIGN
        finally:
            role.close()
            for stream in (role.stdin, role.stdout, role.stderr):
                stream.close()
            core.kill()


WAKES_UP = """
import subprocess, sys, time
for _ in range(2):
    time.sleep(1.3)
    begun = time.monotonic_ns(), time.process_time_ns()
    subprocess.run(["true"], check=True)
    while time.process_time_ns() - begun[1] < 60_000_000: pass
    print(begun[0], time.monotonic_ns(), time.process_time_ns() - begun[1], flush=True)
sys.stdin.read()
"""


def wait_for_looks(seen: Path, more: int) -> None:
    """Wait until a monitor that writes there has looked so often again."""
    enough = seen.read_bytes().count(b"\n") + more
    deadline = time.monotonic() + 60
    while seen.read_bytes().count(b"\n") < enough:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_who_wakes_up_after_a_second_is_charged_where_it_ran(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(wirelab.__file__).parents[1])}
    del environment["WIRELAB_BESIDE"]
    seen = tmp_path / "looks"
    look = [sys.executable, "-S", "-P", "-m", "wirelab.monitor.process"]
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with (
        seen.open("wb") as written,
        subprocess.Popen(["cat"], **pipes) as core,
        subprocess.Popen(
            [*look, str(core.pid), str(core.pid)],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=written,
        ) as monitor,
    ):
        wait_for_looks(seen, 1)
        with subprocess.Popen([sys.executable, "-c", WAKES_UP], text=True, **pipes) as program:
            assert program.stdout is not None
            bursts = [tuple(map(int, program.stdout.readline().split())) for _ in range(2)]
            wait_for_looks(seen, 3)
            program.communicate()
        monitor.communicate(b'{"end": true}\n')
    Recorded.of(seen.read_bytes().splitlines(keepends=True)).write(tmp_path)
    host = foreign_time(tmp_path)
    windows = disturbed_windows(**host)
    for begun, ended, ran in bursts:
        # From the last look before it to the first one that began after it.
        before = np.searchsorted(host["monotonic_ns"], begun) - 1
        after = np.searchsorted(host["monotonic_ns"], ended) + 1
        assert host["placed_ns"][after] - host["placed_ns"][before] >= ran > 50_000_000
        assert any(begin < ended and begun < end for begin, end in windows)
