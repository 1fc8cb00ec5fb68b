"""Records of a trial's monitor: as lines while it runs, as Parquet afterwards.

``monitor.parquet`` has a row a role and look. ``monotonic_ns``; ``role`` (a role's name, ``core``
for wirelab's own processes, ``host`` for the machine); ``cpu_ns``, ``run_delay_ns``,
``switches_voluntary``, ``switches_involuntary`` cumulative over all processes of the role;
``rss_bytes``, ``anon_bytes``, ``processes``, ``threads``, ``descriptors`` (open files) at that
moment (switches, ``anon_bytes`` and ``descriptors`` are read every two seconds: they cost a file a
thread). ``cpu_ns`` is the account of
the role's control group where it has one, ``seen_cpu_ns`` the sum over the processes that were
seen, which is what ``cpu_ns`` is without one. ``threads_raised`` and the like
(``wirelab.monitor.scheduling``; not in runs of earlier versions) are threads whose priority or
processors were not those that the role was given, when they were last looked at: at a random moment
between two looks, up to 64 of them. Rows of the host: ``cpu_ns`` is the busy time of all
processors, ``net_rx_bytes`` and ``net_tx_bytes`` the loopback's counters.

``host.parquet`` has a row a look, all cumulative: ``cpu_idle_ns`` and ``cpu_steal_ns``, a list with
each processor (the kernel counts in steps of 10 ms); ``pressure_cpu_ns``, ``pressure_memory_ns``,
``pressure_io_ns``, time in which some task waited (null without ``/proc/pressure``);
``foreign_ran_ns``, what processes outside of the trial executed since the look before, and
``foreign_ran_unplaced_ns``, what those had executed that were found later than they began, and are
charged to the second before they were found; ``foreign_processes``, how many are looked at;
``kernel_ran_ns``, execution of the kernel's own threads; ``core_ns``, execution and run delay of
wirelab's. A process that begins and ends between two looks is in none of them.

Earlier versions read each thread's ``schedstat``, idle ones once a second: ``foreign_ns`` and
``kernel_ns`` were execution and run delay, and columns with ``unplaced`` in their names were of
threads that had been idle, somewhere in the second before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from wirelab.monitor.census import CORE
from wirelab.monitor.coverage import is_covered
from wirelab.monitor.look import Look
from wirelab.monitor.process_tree import Reading
from wirelab.samples import regular_file
from wirelab.samples.replacing import replacing

_LOOKS_AT_ONCE = 20_000
"""Half an hour of looks."""

_MONITOR = pa.schema(
    [
        ("monotonic_ns", pa.uint64()),
        ("role", pa.string()),
        ("cpu_ns", pa.uint64()),
        ("rss_bytes", pa.uint64()),
        ("anon_bytes", pa.uint64()),
        ("switches_voluntary", pa.uint64()),
        ("switches_involuntary", pa.uint64()),
        ("processes", pa.uint32()),
        ("threads", pa.uint32()),
        ("run_delay_ns", pa.uint64()),
        ("net_rx_bytes", pa.uint64()),
        ("net_tx_bytes", pa.uint64()),
        ("seen_cpu_ns", pa.uint64()),
        ("descriptors", pa.uint32()),
        ("threads_raised", pa.uint32()),
        ("threads_lowered", pa.uint32()),
        ("threads_elsewhere", pa.uint32()),
        ("threads_narrowed", pa.uint32()),
    ]
)


_HOST = pa.schema(
    [
        ("monotonic_ns", pa.uint64()),
        ("cpu_idle_ns", pa.list_(pa.uint64())),
        ("cpu_steal_ns", pa.list_(pa.uint64())),
        ("pressure_cpu_ns", pa.uint64()),
        ("pressure_memory_ns", pa.uint64()),
        ("pressure_io_ns", pa.uint64()),
        ("foreign_ran_ns", pa.uint64()),
        ("foreign_ran_unplaced_ns", pa.uint64()),
        ("foreign_processes", pa.uint32()),
        ("kernel_ran_ns", pa.uint64()),
        ("core_ns", pa.uint64()),
    ]
)


@dataclass(frozen=True)
class Recorded:
    """The looks of one trial, in order."""

    looks: Sequence[Look]

    @staticmethod
    def of(lines: Iterable[bytes]) -> Recorded:
        """Read what a monitor has written; its last line may have been cut off."""
        return Recorded([Look.of(line) for line in lines if line.endswith(b"\n")])

    def between(self, start_ns: int, end_ns: int) -> tuple[Look, Look] | None:
        """The looks nearest to the ends of a window; None where the window is not covered."""
        times = [look.at_ns for look in self.looks]
        if not is_covered(times, start_ns, end_ns):
            return None
        first = min(self.looks, key=lambda look: abs(look.at_ns - start_ns))
        last = min(self.looks, key=lambda look: abs(look.at_ns - end_ns))
        return (first, last) if last.at_ns > first.at_ns else None

    def write(self, folder: Path) -> None:
        """Keep everything as Parquet."""
        self._write(folder / "monitor.parquet", _MONITOR, lambda look: list(_rows(look)))
        self._write(folder / "host.parquet", _HOST, lambda look: [_around(look)])

    def _write(
        self, path: Path, schema: pa.Schema, rows_of: Callable[[Look], list[dict[str, Any]]]
    ) -> None:
        """Write rows by and by: those of a trial of hours take more memory than its looks."""
        regular_file.clear(path)  # a role may have put a folder in its place
        with replacing(path) as file, pq.ParquetWriter(file, schema, compression="zstd") as kept:
            for begin in range(0, max(len(self.looks), 1), _LOOKS_AT_ONCE):
                looks = self.looks[begin : begin + _LOOKS_AT_ONCE]
                rows = [row for look in looks for row in rows_of(look)]
                kept.write_table(pa.Table.from_pylist(rows, schema=schema))


_FIGURES = tuple(field.name for field in fields(Reading))
_of_role = attrgetter(*_FIGURES)


def _around(look: Look) -> dict[str, Any]:
    core = look.roles[CORE]
    return {
        "monotonic_ns": look.at_ns,
        "cpu_idle_ns": look.host.cpu_idle_ns,
        "cpu_steal_ns": look.host.cpu_steal_ns,
        "pressure_cpu_ns": look.host.pressure_ns,
        "pressure_memory_ns": look.host.memory_pressure_ns,
        "pressure_io_ns": look.host.io_pressure_ns,
        "foreign_ran_ns": look.foreign_ran_ns,
        "foreign_ran_unplaced_ns": look.foreign_ran_unplaced_ns,
        "foreign_processes": look.foreign_processes,
        "kernel_ran_ns": look.kernel_ran_ns,
        "core_ns": core.cpu_ns + core.run_delay_ns,
    }


def _rows(look: Look) -> Iterator[dict[str, Any]]:
    nothing = {"net_rx_bytes": 0, "net_tx_bytes": 0}
    for role, reading in look.roles.items():
        yield {"monotonic_ns": look.at_ns, "role": role, **_figures(reading), **nothing}
    traffic = {"net_rx_bytes": look.host.received_bytes, "net_tx_bytes": look.host.sent_bytes}
    of_the_host = _figures(Reading(cpu_ns=look.host.busy_ns))
    yield {"monotonic_ns": look.at_ns, "role": "host", **of_the_host, **traffic}


def _figures(reading: Reading) -> dict[str, int]:
    """The figures by name; ``asdict`` would copy each."""
    return dict(zip(_FIGURES, _of_role(reading), strict=True))
