"""The monitor of a trial: every role's process tree and the host, ten times a second.

Writes ``monitor.parquet``: a row a role and tick. ``monotonic_ns``; ``role`` (a role's name,
``core`` for wirelab itself, ``host`` for the machine); ``cpu_ns``, ``run_delay_ns``,
``switches_voluntary``, ``switches_involuntary`` cumulative over the whole tree; ``rss_bytes``,
``anon_bytes``, ``processes``, ``threads`` at that moment (switches and ``anon_bytes`` are read
every two seconds: they cost a file a thread). Rows of the host: ``cpu_ns`` is the
busy time of all processors, ``net_rx_bytes`` and ``net_tx_bytes`` the loopback's counters.
"""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from wirelab.monitor.host import HostFiles, HostReading
from wirelab.monitor.process_tree import CORE, Newcomers, ProcessTree, Reading
from wirelab.samples.replacing import replacing

PERIOD_NS = 100_000_000
_SLOW_EVERY = 20

_SCHEMA = pa.schema(
    [
        ("monotonic_ns", pa.uint64()),
        ("role", pa.string()),
        ("cpu_ns", pa.uint64()),
        ("rss_bytes", pa.uint64()),
        ("anon_bytes", pa.uint64()),
        ("switches_voluntary", pa.uint64()),
        ("switches_involuntary", pa.uint64()),
        ("processes", pa.uint16()),
        ("threads", pa.uint16()),
        ("run_delay_ns", pa.uint64()),
        ("net_rx_bytes", pa.uint64()),
        ("net_tx_bytes", pa.uint64()),
    ]
)


class Sampler:
    """Samples in a thread of its own between ``start`` and ``stop``, which ends its use."""

    def __init__(self, trial: str) -> None:
        self._trees: dict[str, ProcessTree] = {CORE: ProcessTree(os.getpid())}
        self._newcomers = Newcomers(trial)
        self._host = HostFiles()
        self._rows: list[tuple[int, str, Reading, int, int]] = []
        self._hosts: list[HostReading] = []
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._sample, name="monitor", daemon=True)
        self.failure: Exception | None = None

    def watch(self, role: str, pid: int) -> None:
        """Count ``pid`` and all its descendants as ``role``."""
        with self._lock:
            if role in self._trees:
                self._trees[role].add(pid)
            else:
                self._trees[role] = ProcessTree(pid)

    def start(self) -> None:
        """Begin sampling."""
        self._thread.start()

    def stop(self) -> None:
        """End sampling; what was sampled stays."""
        self._ended.set()
        if self._thread.is_alive():
            self._thread.join()
        for tree in self._trees.values():
            tree.close()
        self._newcomers.close()
        self._host.close()

    def _sample(self) -> None:
        following = time.monotonic_ns()
        number = 0
        try:
            while True:
                self._sample_once(slowly=number % _SLOW_EVERY == 0)
                number += 1
                following += PERIOD_NS
                if self._ended.wait(max(0, following - time.monotonic_ns()) / 1e9):
                    self._sample_once(slowly=True)
                    return
        except OSError as error:
            self.failure = error

    def _sample_once(self, *, slowly: bool) -> None:
        with self._lock:
            started = self._newcomers.sort_into(self._trees)
            host = self._host.read()
            self._hosts.append(host)
            now = time.monotonic_ns()
            for role, tree in self._trees.items():
                self._rows.append(
                    (now, role, tree.read(look_for_threads=started, slowly=slowly), 0, 0)
                )
            memory = Reading(cpu_ns=host.busy_ns)
            self._rows.append((now, "host", memory, host.received_bytes, host.sent_bytes))

    def between(self, start_ns: int, end_ns: int) -> tuple[HostReading, HostReading] | None:
        """The host's readings nearest to the ends of a window; None without two readings."""
        if len(self._hosts) < 2:
            return None
        first = min(self._hosts, key=lambda reading: abs(reading.monotonic_ns - start_ns))
        last = min(self._hosts, key=lambda reading: abs(reading.monotonic_ns - end_ns))
        return (first, last) if last.monotonic_ns > first.monotonic_ns else None

    def cpu_of_roles(self, start_ns: int, end_ns: int) -> int:
        """CPU time in ns that all roles and the core used between two moments."""
        used = 0
        for role in self._trees:
            rows = [row for row in self._rows if row[1] == role]
            if len(rows) >= 2:
                first = min(rows, key=lambda row: abs(row[0] - start_ns))
                last = min(rows, key=lambda row: abs(row[0] - end_ns))
                used += max(0, last[2].cpu_ns - first[2].cpu_ns)
        return used

    def write(self, path: Path) -> None:
        """Keep everything sampled as Parquet."""
        columns = [
            [row[0] for row in self._rows],
            [row[1] for row in self._rows],
            *([getattr(row[2], name) for row in self._rows] for name in _SCHEMA.names[2:10]),
            [row[3] for row in self._rows],
            [row[4] for row in self._rows],
        ]
        table = pa.table(dict(zip(_SCHEMA.names, columns, strict=True)), schema=_SCHEMA)
        with replacing(path) as file:
            pq.write_table(table, file, compression="zstd")
