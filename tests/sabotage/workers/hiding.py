"""Workers that use a second of processor time where it could be overlooked: ``hiding.py NAME``."""

from __future__ import annotations

import hashlib
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from reference import Reference, read_spec

BURN = """
import time
while time.process_time() < 1.0:
    pass
"""


class Hiding(Reference):
    """Works beside its schedule, and has ended the work when it finishes."""

    def ticks(self, start_ns: int) -> Iterator[tuple[int, int]]:
        self.begin_work()
        yield from super().ticks(start_ns)
        self.end_work()

    def begin_work(self) -> None:
        """Begin to use processor time."""

    def end_work(self) -> None:
        """Wait until it has been used."""


class ManyThreads(Hiding):
    """More threads than its core may have files open; the last one works."""

    def __init__(self, spec: dict[str, Any]) -> None:
        super().__init__(spec)
        threading.stack_size(65536)
        self.over = threading.Event()
        for _ in range(1100):
            threading.Thread(target=self.over.wait, daemon=True).start()
        self.worker = threading.Thread(target=self.work)

    def work(self) -> None:
        data = bytes(1 << 20)
        while time.thread_time() < 1.0:
            hashlib.sha256(data).digest()

    def begin_work(self) -> None:
        self.worker.start()

    def end_work(self) -> None:
        self.worker.join()
        time.sleep(0.3)  # the monitor looks ten times a second
        self.over.set()


class OddRole(Hiding):
    """A child whose role is not UTF-8."""

    environment: dict[bytes, bytes] = {b"WIRELAB_ROLE": b"\xff\xfe"}  # noqa: RUF012

    def begin_work(self) -> None:
        # It lives on for a while: the monitor looks ten times a second.
        script = BURN + "time.sleep(0.3)"
        environment = {**os.environb, **self.environment}
        self.child = subprocess.Popen([sys.executable, "-c", script], env=environment)

    def end_work(self) -> None:
        self.child.wait()


class AnotherRole(OddRole):
    """A child that says it is the server's."""

    environment: dict[bytes, bytes] = {b"WIRELAB_ROLE": b"server"}  # noqa: RUF012


class Escapes(Hiding):
    """An orphan in a session of its own, which has forgotten its trial, and stays."""

    script = BURN + "import os; os.close(3); time.sleep(300)"

    def begin_work(self) -> None:
        self.at_work, written = os.pipe()
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                nothing = os.open(os.devnull, os.O_RDWR)
                for stream in range(3):
                    os.dup2(nothing, stream)
                os.dup2(written, 3)
                os.closerange(4, 100)
                os.execve(sys.executable, [sys.executable, "-c", self.script], {})
            os._exit(0)
        os.close(written)
        os.wait()

    def end_work(self) -> None:
        os.read(self.at_work, 1)  # its end: nobody can wait for the child of another
        time.sleep(0.3)


class LikeTheHost(Escapes):
    """The same on a processor that its role is not on, in bursts, as a service of the machine."""

    script = """
import os, time
while time.process_time() < 1.0:
    until = time.monotonic() + 0.06
    while time.monotonic() < until:
        pass
    time.sleep(0.04)
os.close(3)
time.sleep(300)
"""

    def begin_work(self) -> None:
        own = os.sched_getaffinity(0)
        others = set(range(os.cpu_count() or 1)) - own
        os.sched_setaffinity(0, others or own)
        super().begin_work()
        os.sched_setaffinity(0, own)


class ShortLived(Hiding):
    """A thousand processes, each of which begins and ends between two looks of the monitor.

    Its log says what they have used, by what their parents were told of their ends.
    """

    def begin_work(self) -> None:
        loop = "i=0; while [ $i -lt 1000 ]; do /bin/true; i=$((i+1)); done"
        self.shell = subprocess.Popen(["sh", "-c", loop])

    def end_work(self) -> None:
        self.shell.wait()
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(round((used.ru_utime + used.ru_stime) * 1e9), file=sys.stderr, flush=True)
        time.sleep(0.3)


class KillsTheMonitor(Hiding):
    """Kills whoever looks."""

    number = signal.SIGKILL

    def ticks(self, start_ns: int) -> Iterator[tuple[int, int]]:
        for tick, intended_ns in super().ticks(start_ns):
            if tick == 100:
                os.kill(self.monitor(), self.number)
            yield tick, intended_ns

    @staticmethod
    def monitor() -> int:
        """The child of the core that is called a monitor."""
        core = parent_of(os.getppid())
        for process in Path("/proc").iterdir():
            is_of_the_core = process.name.isdigit() and parent_of(int(process.name)) == core
            if is_of_the_core and b"wirelab.monitor" in (process / "cmdline").read_bytes():
                return int(process.name)
        raise LookupError("nobody looks")


class StopsTheMonitor(KillsTheMonitor):
    """Has whoever looks stand still."""

    number = signal.SIGSTOP


def parent_of(process: int) -> int:
    """The parent of a process, 0 where it is gone."""
    try:
        stat = Path(f"/proc/{process}/stat").read_bytes()
    except OSError:
        return 0
    return int(stat.rpartition(b")")[2].split()[1])


WORKERS: dict[str, type[Reference]] = {
    "many-threads": ManyThreads,
    "odd-role": OddRole,
    "another-role": AnotherRole,
    "escapes": Escapes,
    "like-the-host": LikeTheHost,
    "short-lived": ShortLived,
    "kills-the-monitor": KillsTheMonitor,
    "stops-the-monitor": StopsTheMonitor,
}

if __name__ == "__main__":
    WORKERS[sys.argv[1]](read_spec()).run()
