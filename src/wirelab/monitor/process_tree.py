"""CPU time, memory and scheduling of the processes of each role, read from ``/proc``.

A process belongs to a role when it carries the role's mark in its environment or when its
parent belongs to it. CPU time is summed over threads from ``schedstat`` in nanoseconds
(``/proc/PID/stat`` has a grain of 10 ms); what threads and processes had used when they were
last seen stays in the sum after they end, so it never decreases. At 10 Hz at most 100 ms of a
short-lived thread is missed.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass, field
from pathlib import Path

from wirelab.processes import leftovers

CORE = "core"
"""The role name under which wirelab's own process is measured."""

_PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(slots=True)
class Reading:
    """Figures of one role at one moment; times and switches are cumulative."""

    cpu_ns: int = 0
    run_delay_ns: int = 0
    rss_bytes: int = 0
    anon_bytes: int = 0
    switches_voluntary: int = 0
    switches_involuntary: int = 0
    processes: int = 0
    threads: int = 0


@dataclass(slots=True)
class _Thread:
    """An open ``schedstat``: reading it again costs one system call."""

    fd: int
    cpu_ns: int = 0
    run_delay_ns: int = 0


@dataclass(slots=True)
class _Process:
    pid: int
    statm: int
    threads: dict[int, _Thread] = field(default_factory=dict)
    anon_bytes: int = 0
    switches: tuple[int, int] = (0, 0)

    def close(self) -> None:
        os.close(self.statm)
        for thread in self.threads.values():
            os.close(thread.fd)


class ProcessTree:
    """The processes of one role of a trial."""

    def __init__(self, root: int) -> None:
        self._processes: dict[int, _Process] = {}
        self._ended = Reading()
        self.add(root)

    def add(self, pid: int) -> None:
        """Count ``pid`` and its threads from now on."""
        if pid in self._processes:
            return
        with contextlib.suppress(OSError):
            self._processes[pid] = _Process(pid, os.open(f"/proc/{pid}/statm", os.O_RDONLY))

    def __contains__(self, pid: int) -> bool:
        return pid in self._processes

    def read(self, *, look_for_threads: bool, slowly: bool) -> Reading:
        """Figures now; ``slowly`` reads switches and anonymous memory anew as well."""
        total = Reading(
            cpu_ns=self._ended.cpu_ns,
            run_delay_ns=self._ended.run_delay_ns,
            switches_voluntary=self._ended.switches_voluntary,
            switches_involuntary=self._ended.switches_involuntary,
        )
        for process in list(self._processes.values()):
            try:
                if look_for_threads or slowly or not process.threads:
                    self._find_threads(process)
                if slowly:
                    self._read_status(process)
                self._read_process(process, total)
            except OSError:
                self._bury(process, total)
        return total

    def _read_process(self, process: _Process, total: Reading) -> None:
        pages = os.pread(process.statm, 128, 0).split()
        if not pages or pages[0] == b"0":
            raise ProcessLookupError(process.pid)
        for tid, thread in list(process.threads.items()):
            try:
                used, waited, _ = os.pread(thread.fd, 96, 0).split()
            except (OSError, ValueError):
                self._end_thread(process, tid, total)
                continue
            thread.cpu_ns, thread.run_delay_ns = int(used), int(waited)
            total.cpu_ns += thread.cpu_ns
            total.run_delay_ns += thread.run_delay_ns
        total.rss_bytes += int(pages[1]) * _PAGE
        total.anon_bytes += process.anon_bytes
        total.switches_voluntary += process.switches[0]
        total.switches_involuntary += process.switches[1]
        total.processes += 1
        total.threads += len(process.threads)

    def _find_threads(self, process: _Process) -> None:
        for name in os.listdir(f"/proc/{process.pid}/task"):  # noqa: PTH208
            tid = int(name)
            if tid not in process.threads:
                with contextlib.suppress(OSError):
                    path = f"/proc/{process.pid}/task/{tid}/schedstat"
                    process.threads[tid] = _Thread(os.open(path, os.O_RDONLY))

    def _read_status(self, process: _Process) -> None:
        voluntary = involuntary = 0
        for tid in process.threads:
            with contextlib.suppress(OSError):
                lines = Path(f"/proc/{process.pid}/task/{tid}/status").read_bytes().splitlines()
                voluntary += int(lines[-2].split()[1])
                involuntary += int(lines[-1].split()[1])
        before = process.switches
        process.switches = (max(voluntary, before[0]), max(involuntary, before[1]))
        for line in Path(f"/proc/{process.pid}/status").read_bytes().splitlines():
            if line.startswith(b"RssAnon:"):
                process.anon_bytes = int(line.split()[1]) * 1024

    def _end_thread(self, process: _Process, tid: int, total: Reading) -> None:
        thread = process.threads.pop(tid)
        os.close(thread.fd)
        self._ended.cpu_ns += thread.cpu_ns
        self._ended.run_delay_ns += thread.run_delay_ns
        total.cpu_ns += thread.cpu_ns
        total.run_delay_ns += thread.run_delay_ns

    def _bury(self, process: _Process, total: Reading) -> None:
        for tid in list(process.threads):
            self._end_thread(process, tid, total)
        self._ended.switches_voluntary += process.switches[0]
        self._ended.switches_involuntary += process.switches[1]
        total.switches_voluntary += process.switches[0]
        total.switches_involuntary += process.switches[1]
        process.close()
        del self._processes[process.pid]

    def close(self) -> None:
        """Release the open files."""
        for process in self._processes.values():
            process.close()
        self._processes.clear()


class Newcomers:
    """Finds processes that appeared since the last look, and the role each belongs to.

    The kernel names the latest process or thread id in ``/proc/loadavg``; while that stays the
    same nothing was started, and the list of processes need not be read.
    """

    def __init__(self, trial: str) -> None:
        self._trial = trial.encode()
        self._seen: dict[int, int] = {}
        self._looks = 0
        self._latest = b""
        self._settled = False
        self._loadavg = os.open("/proc/loadavg", os.O_RDONLY)

    def sort_into(self, trees: dict[str, ProcessTree]) -> bool:
        """Add new processes to the tree of their role; whether anything was started at all."""
        latest = os.pread(self._loadavg, 128, 0).split()[-1]
        started = latest != self._latest
        if self._settled and not started:
            return False
        # A process just forked still shows its parent's environment: look at it twice.
        self._settled, self._latest = not started, latest
        self._look(trees)
        return True

    def _look(self, trees: dict[str, ProcessTree]) -> None:
        self._looks += 1
        alive = leftovers.processes()
        for pid in alive:
            if self._seen.setdefault(pid, self._looks) >= self._looks - 1:
                role = self._role_of(pid, trees)
                if role is not None:
                    trees[role].add(pid)
        if len(self._seen) > 2 * len(alive):
            living = set(alive)
            self._seen = {pid: when for pid, when in self._seen.items() if pid in living}

    def close(self) -> None:
        """Release the open file."""
        os.close(self._loadavg)

    def _role_of(self, pid: int, trees: dict[str, ProcessTree]) -> str | None:
        environment = leftovers.environment_of(pid)
        if environment.get(b"WIRELAB_TRIAL") == self._trial:
            role = environment.get(b"WIRELAB_ROLE", b"").decode()
            if role in trees:
                return role
        stat = leftovers.stat_of(pid)
        if stat is None:
            return None
        # The core is the parent of every role; its own figures are those of one process.
        return next(
            (role for role, tree in trees.items() if role != CORE and stat[1] in tree), None
        )
