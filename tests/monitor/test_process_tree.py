"""The probe: whole trees, nothing lost when parts of them end."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq

from wirelab.monitor.host import HostFiles, canary
from wirelab.monitor.process_tree import ProcessTree
from wirelab.monitor.sampler import Sampler

BURN = "import time\nend = time.process_time() + {seconds}\nwhile time.process_time() < end: pass\n"


def marked(role: str) -> dict[str, str]:
    return {**os.environ, "WIRELAB_TRIAL": "run/trial", "WIRELAB_ROLE": role}


def rows(path: Path, role: str) -> list[dict[str, int]]:
    return [row for row in pq.read_table(path).to_pylist() if row["role"] == role]


def test_children_and_threads_count_and_stay_counted_after_their_end(tmp_path: Path) -> None:
    burn = BURN.format(seconds=0.4)
    script = (
        "import subprocess, sys, threading, time\n"
        f"children = [subprocess.Popen([sys.executable, '-c', {burn!r}]) for _ in range(2)]\n"
        "[child.wait() for child in children]\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], env=marked("client")) as process:
        sampler = Sampler("run/trial")
        sampler.watch("client", process.pid)
        sampler.start()
        time.sleep(2.5)
        sampler.stop()
        process.kill()
    sampler.write(tmp_path / "monitor.parquet")
    client = rows(tmp_path / "monitor.parquet", "client")
    used = [row["cpu_ns"] for row in client]
    assert used == sorted(used)
    assert used[-1] >= 2 * 0.4e9 * 0.7
    assert max(row["processes"] for row in client) == 3
    assert client[-1]["processes"] == 1
    assert client[-1]["rss_bytes"] > 1_000_000
    assert sampler.failure is None


def test_the_core_is_measured_apart_from_its_children(tmp_path: Path) -> None:
    script = BURN.format(seconds=0.5)
    with subprocess.Popen([sys.executable, "-c", script], env=marked("server")) as process:
        sampler = Sampler("run/trial")
        sampler.watch("server", process.pid)
        sampler.start()
        time.sleep(0.8)
        sampler.stop()
    sampler.write(tmp_path / "monitor.parquet")
    core = rows(tmp_path / "monitor.parquet", "core")
    server = rows(tmp_path / "monitor.parquet", "server")
    assert all(row["processes"] == 1 for row in core)
    assert server[-1]["cpu_ns"] > core[-1]["cpu_ns"] - core[0]["cpu_ns"]


def test_threads_started_later_are_found(tmp_path: Path) -> None:
    script = (
        "import hashlib, threading, time\n"
        "time.sleep(0.8)\n"
        "work = lambda: [hashlib.sha256(bytes(1 << 20)).digest() for _ in range(300)]\n"
        "thread = threading.Thread(target=work)\n"
        "thread.start(); thread.join()\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], env=marked("client")) as process:
        sampler = Sampler("run/trial")
        sampler.watch("client", process.pid)
        sampler.start()
        time.sleep(2.5)
        sampler.stop()
        process.kill()
    sampler.write(tmp_path / "monitor.parquet")
    client = rows(tmp_path / "monitor.parquet", "client")
    assert max(row["threads"] for row in client) == 2
    assert client[-1]["cpu_ns"] - client[0]["cpu_ns"] > 50_000_000


def test_a_process_that_is_gone_reads_as_nothing() -> None:
    with subprocess.Popen([sys.executable, "-c", "pass"]) as process:
        process.wait()
        tree = ProcessTree(process.pid)
    assert tree.read(look_for_threads=True, slowly=True).processes == 0
    tree.close()


def test_the_host_moves_on() -> None:
    files = HostFiles()
    first = files.read()
    assert canary([]) > 0
    time.sleep(0.05)
    second = files.read()
    files.close()
    assert second.monotonic_ns > first.monotonic_ns
    assert second.busy_ns + second.idle_ns > first.busy_ns + first.idle_ns
    assert second.steal_ns >= first.steal_ns
