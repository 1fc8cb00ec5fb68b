"""CPU time, memory and scheduling of the processes of one role, read from ``/proc``.

CPU time is summed over threads from ``schedstat`` in nanoseconds (``/proc/PID/stat`` has a grain of
10 ms); what threads and processes had used when they were last seen stays in the sum after they
end, so it never decreases. At 10 Hz at most 100 ms of a short-lived thread is missed, and all of a
process that begins and ends between two looks: where a role has a control group, its account counts
(``wirelab.monitor.role``).
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from wirelab.monitor.proc_files import GONE, OpenFiles, ProcFile, still_reads

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
    seen_cpu_ns: int = 0
    """Time seen in ``/proc`` alone; ``cpu_ns`` is of the role's control group, where it has one."""
    descriptors: int = 0
    threads_raised: int = 0
    """Threads with a higher priority than the role was given, when they were looked at last."""
    threads_lowered: int = 0
    threads_elsewhere: int = 0
    """Threads that may run on a processor that the role was not given."""
    threads_narrowed: int = 0
    """Threads that may run on fewer processors."""


@dataclass(slots=True)
class _Thread:
    schedstat: ProcFile
    cpu_ns: int = 0
    run_delay_ns: int = 0


@dataclass(slots=True)
class _Process:
    pid: int
    statm: ProcFile
    threads: dict[int, _Thread] = field(default_factory=dict)
    anon_bytes: int = 0
    switches: tuple[int, int] = (0, 0)
    descriptors: int = 0

    def close(self) -> None:
        self.statm.close()
        for thread in self.threads.values():
            thread.schedstat.close()


class ProcessTree:
    """The processes of one role of a trial."""

    def __init__(self, files: OpenFiles) -> None:
        self._files = files
        self._processes: dict[int, _Process] = {}
        self._ended = Reading()

    def add(self, pid: int, tid: int) -> None:
        """Count thread ``tid`` of ``pid`` from now on; one that is gone again is none."""
        with contextlib.suppress(*GONE):
            process = self._processes.get(pid)
            if process is None:
                process = _Process(pid, self._files.open(f"/proc/{pid}/statm"))
                self._processes[pid] = process
            if tid in process.threads:
                if still_reads(process.threads[tid].schedstat):
                    return
                self._end_thread(process, tid)
            path = f"/proc/{pid}/task/{tid}/schedstat"
            process.threads[tid] = _Thread(self._files.open(path))

    def threads(self) -> Iterator[int]:
        """The ids of all threads."""
        for process in self._processes.values():
            yield from process.threads

    def read(self, *, slowly: bool) -> Reading:
        """Figures now; ``slowly`` reads switches, anonymous memory and descriptors anew as well."""
        total = Reading()
        for process in list(self._processes.values()):
            try:
                if slowly:
                    self._read_status(process)
                self._read_process(process, total)
            except GONE:
                self._bury(process)
        total.cpu_ns += self._ended.cpu_ns
        total.seen_cpu_ns = total.cpu_ns
        total.run_delay_ns += self._ended.run_delay_ns
        total.switches_voluntary += self._ended.switches_voluntary
        total.switches_involuntary += self._ended.switches_involuntary
        return total

    def _read_process(self, process: _Process, total: Reading) -> None:
        used = waited = 0
        for tid, thread in list(process.threads.items()):
            try:
                cpu, delay, _ = thread.schedstat.read().split()
            except GONE:
                self._end_thread(process, tid)
                continue
            self._take(thread, int(cpu), int(delay))
            used += thread.cpu_ns
            waited += thread.run_delay_ns
        resident = self._resident(process)
        total.cpu_ns += used
        total.run_delay_ns += waited
        total.rss_bytes += resident * _PAGE
        total.anon_bytes += process.anon_bytes
        total.descriptors += process.descriptors
        total.switches_voluntary += process.switches[0]
        total.switches_involuntary += process.switches[1]
        total.processes += 1
        total.threads += len(process.threads)

    def _take(self, thread: _Thread, cpu: int, delay: int) -> None:
        """Keep what a thread has used; one that took over another's id begins anew."""
        if cpu < thread.cpu_ns:
            self._ended.cpu_ns += thread.cpu_ns
            self._ended.run_delay_ns += thread.run_delay_ns
        thread.cpu_ns, thread.run_delay_ns = cpu, delay

    def _resident(self, process: _Process) -> int:
        """Resident pages; raises ProcessLookupError for a process that has ended.

        One whose first thread has ended lives on in the others, and only they tell of its memory.
        """
        pages = process.statm.read().split()
        if pages and pages[0] != b"0":
            return int(pages[1])
        for tid in process.threads:
            if tid != process.pid:
                with contextlib.suppress(*GONE):
                    path = f"/proc/{process.pid}/task/{tid}/statm"
                    pages = Path(path).read_bytes().split()
                    if pages and pages[0] != b"0":
                        return int(pages[1])
        raise ProcessLookupError(process.pid)

    def _read_status(self, process: _Process) -> None:
        voluntary = involuntary = 0
        for tid in process.threads:
            with contextlib.suppress(*GONE):
                said = Path(f"/proc/{process.pid}/task/{tid}/status").read_bytes()
                voluntary += _count(said, b"\nvoluntary_ctxt_switches:")
                involuntary += _count(said, b"\nnonvoluntary_ctxt_switches:")
        before = process.switches
        process.switches = (max(voluntary, before[0]), max(involuntary, before[1]))
        for line in Path(f"/proc/{process.pid}/status").read_bytes().splitlines():
            if line.startswith(b"RssAnon:"):
                process.anon_bytes = int(line.split()[1]) * 1024
        process.descriptors = _descriptors(process.pid)

    def _end_thread(self, process: _Process, tid: int) -> None:
        thread = process.threads.pop(tid)
        thread.schedstat.close()
        self._ended.cpu_ns += thread.cpu_ns
        self._ended.run_delay_ns += thread.run_delay_ns

    def _bury(self, process: _Process) -> None:
        for tid in list(process.threads):
            self._end_thread(process, tid)
        self._ended.switches_voluntary += process.switches[0]
        self._ended.switches_involuntary += process.switches[1]
        process.close()
        del self._processes[process.pid]

    def close(self) -> None:
        """Release the open files."""
        for process in self._processes.values():
            process.close()
        self._processes.clear()


def _descriptors(pid: int) -> int:
    """Count the files a process has open; 0 where that may not be known, as of another user's."""
    folder = Path(f"/proc/{pid}/fd")
    try:
        # Kernels from 6.2 on tell it as the size of the folder.
        return folder.stat().st_size or sum(1 for _ in folder.iterdir())
    except PermissionError:
        return 0


def _count(said: bytes, name: bytes) -> int:
    """The number of a line, wherever it stands: kernels add lines of their own at the end."""
    _, found, rest = said.partition(name)
    return int(rest.split(None, 1)[0]) if found else 0
