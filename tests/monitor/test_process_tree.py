"""The monitor: whole trees, told apart by the kernel, nothing lost when parts of them end."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from unittest import mock

import pytest

from monitor.watched import kept, monitored, rows
from wirelab.monitor.canary import canary
from wirelab.monitor.host import HostFiles
from wirelab.monitor.proc_files import OpenFiles
from wirelab.monitor.process_tree import ProcessTree

BURN = "import time\nend = time.process_time() + {seconds}\nwhile time.process_time() < end: pass\n"


def test_children_and_threads_count_and_stay_counted_after_their_end(tmp_path: Path) -> None:
    burn = BURN.format(seconds=0.4)
    script = (
        "import subprocess, sys, threading, time\n"
        f"children = [subprocess.Popen([sys.executable, '-c', {burn!r}]) for _ in range(2)]\n"
        "[child.wait() for child in children]\n"
        "print(flush=True)\n"
        "time.sleep(60)\n"
    )
    with monitored(tmp_path) as sampler, kept(sampler, "client", script) as process:
        process.stdout.readline()
        time.sleep(0.3)
        sampler.stop()
    client = rows(tmp_path, "client")
    used = [row["cpu_ns"] for row in client]
    assert used == sorted(used)
    assert used[-1] >= 2 * 0.4e9 * 0.7
    assert max(row["processes"] for row in client) == 3
    assert client[-1]["processes"] == 1
    assert client[-1]["rss_bytes"] > 1_000_000
    assert sampler.failure == ""


def test_lines_that_a_kernel_adds_to_a_status_are_no_switches() -> None:
    """Lines on x86's shadow stacks end what Linux 6.6 and later tell of a thread."""
    added = b"x86_Thread_features:\t\nx86_Thread_features_locked:\t\n"
    plain = Path.read_bytes

    def told(path: Path) -> bytes:
        return plain(path) + (added if path.name == "status" else b"")

    waits = ["sh", "-c", "sleep 0.01; echo; exec sleep 60"]
    with subprocess.Popen(waits, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        tree = ProcessTree(OpenFiles(200))
        try:
            tree.add(process.pid, process.pid)
            with mock.patch.object(Path, "read_bytes", told):
                read = tree.read(slowly=True)
        finally:
            tree.close()
            process.kill()
    assert read.switches_voluntary > 0


def test_open_files_are_counted_with_a_kernel_that_tells_them_and_without() -> None:
    told = Path.stat

    def silent(path: Path, **how: bool) -> os.stat_result:
        """As kernels before 6.2 tell of the folder of open files."""
        found = list(told(path, **how))
        return os.stat_result([*found[:6], 0, *found[7:]])

    script = "import sys; kept = [open('/dev/null') for _ in range(20)]; print(); sys.stdin.read()"
    command = [sys.executable, "-S", "-u", "-c", script]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        tree = ProcessTree(OpenFiles(200))
        try:
            tree.add(process.pid, process.pid)
            assert tree.read(slowly=False).descriptors == 0
            assert tree.read(slowly=True).descriptors == 23
            with mock.patch.object(Path, "stat", silent):
                assert tree.read(slowly=True).descriptors == 23
        finally:
            tree.close()
            process.kill()


def test_the_core_is_measured_apart_from_the_roles(tmp_path: Path) -> None:
    script = BURN.format(seconds=0.5) + "print(flush=True)\n"
    with monitored(tmp_path) as sampler, kept(sampler, "server", script) as process:
        process.stdout.readline()
        sampler.stop()
    core, server = rows(tmp_path, "core"), rows(tmp_path, "server")
    # The monitor itself is wirelab's as well.
    assert all(row["processes"] >= 2 for row in core)
    assert server[-1]["cpu_ns"] > core[-1]["cpu_ns"] - core[0]["cpu_ns"]


def test_threads_started_later_are_found(tmp_path: Path) -> None:
    script = (
        "import hashlib, threading, time\n"
        "time.sleep(0.5)\n"
        "work = lambda: [hashlib.sha256(bytes(1 << 20)).digest() for _ in range(300)]\n"
        "thread = threading.Thread(target=work)\n"
        "thread.start(); thread.join()\n"
        "print(flush=True)\n"
        "time.sleep(60)\n"
    )
    with monitored(tmp_path) as sampler, kept(sampler, "client", script) as process:
        process.stdout.readline()
        time.sleep(0.3)
        sampler.stop()
    client = rows(tmp_path, "client")
    assert max(row["threads"] for row in client) == 2
    assert client[-1]["cpu_ns"] - client[0]["cpu_ns"] > 50_000_000


ESCAPE = """
import os, subprocess, sys
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execve(sys.executable, [sys.executable, "-c", {script!r}], {environment!r})
    os._exit(0)
os.wait()
sys.stdin.read()
"""


@pytest.mark.parametrize(
    "environment",
    [{}, {"WIRELAB_TRIAL": "run/trial", "WIRELAB_ROLE": "server"}, {"WIRELAB_TRIAL": "other"}],
    ids=["cleared", "of another role", "of another trial"],
)
def test_a_process_that_escapes_is_of_its_role_whatever_it_says_of_itself(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    escape = ESCAPE.format(
        script=BURN.format(seconds=0.5) + "print(flush=True)\ntime.sleep(60)\n",
        environment=environment,
    )
    with (
        monitored(tmp_path) as sampler,
        kept(sampler, "server", "import sys; sys.stdin.read()"),
        kept(sampler, "client", escape, {"WIRELAB_TRIAL": "run/trial"}) as client,
    ):
        client.stdout.readline()
        sampler.stop()
        assert client.let_go() == 2
    assert rows(tmp_path, "client")[-1]["processes"] == 2
    assert rows(tmp_path, "client")[-1]["cpu_ns"] > 400_000_000
    assert {row["processes"] for row in rows(tmp_path, "server")[1:]} <= {0, 1}


def test_a_process_whose_first_thread_has_ended_counts_on(tmp_path: Path) -> None:
    script = (
        "import ctypes, threading, time\n"
        "def work():\n"
        "    time.sleep(0.3)\n"
        "    end = time.thread_time() + 0.5\n"
        "    while time.thread_time() < end: pass\n"
        "    print(flush=True)\n"
        "    time.sleep(60)\n"
        "threading.Thread(target=work).start()\n"
        "ctypes.CDLL(None).syscall(60, 0)\n"  # exit of this thread alone
    )
    with monitored(tmp_path) as sampler, kept(sampler, "client", script) as process:
        process.stdout.readline()
        time.sleep(0.3)
        sampler.stop()
    last = rows(tmp_path, "client")[-1]
    assert last["processes"] == 1
    assert last["rss_bytes"] > 1_000_000
    assert last["cpu_ns"] > 450_000_000


def test_more_threads_than_files_may_be_open_are_all_counted(
    tmp_path: Path,
) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    script = (
        "import threading, time\n"
        "threading.stack_size(65536)\n"
        "[threading.Thread(target=time.sleep, args=(60,), daemon=True).start()"
        " for _ in range(400)]\n"
        "print(flush=True)\n" + BURN.format(seconds=0.5) + "print(flush=True)\ntime.sleep(60)\n"
    )
    resource.setrlimit(resource.RLIMIT_NOFILE, (300, hard))
    try:
        with monitored(tmp_path) as sampler, kept(sampler, "client", script) as process:
            process.stdout.readline()
            process.stdout.readline()
            time.sleep(0.3)
            sampler.stop()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert sampler.failure == ""
    last = rows(tmp_path, "client")[-1]
    assert last["threads"] == 401
    assert last["cpu_ns"] > 450_000_000


def test_files_that_may_not_be_kept_open_are_read_all_the_same() -> None:
    tree = ProcessTree(OpenFiles(0))
    tree.add(os.getpid(), os.getpid())
    opened = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    assert tree.read(slowly=True).cpu_ns > 0
    assert len(os.listdir("/proc/self/fd")) == opened  # noqa: PTH208
    tree.close()


def test_a_process_that_is_gone_reads_as_nothing() -> None:
    tree = ProcessTree(OpenFiles(1000))
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        tree.add(process.pid, process.pid)
        assert tree.read(slowly=True).processes == 1
    assert tree.read(slowly=True).processes == 0
    tree.add(process.pid, process.pid)
    assert tree.read(slowly=True).processes == 0
    tree.close()


def test_the_host_moves_on() -> None:
    files = HostFiles(os.getpid())
    first = files.read()
    assert canary([]) > 0
    time.sleep(0.05)
    second = files.read()
    files.close()
    assert second.monotonic_ns > first.monotonic_ns
    assert second.busy_ns + second.idle_ns > first.busy_ns + first.idle_ns
    assert second.steal_ns >= first.steal_ns
    assert len(second.cpu_idle_ns) == len(second.cpu_steal_ns) == os.cpu_count()
