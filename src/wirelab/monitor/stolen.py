"""Time that the hypervisor took of a trial's processors, from ``host.parquet``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from wirelab.monitor.foreign import HOST_RECORD, Ints, most_taken_ns
from wirelab.samples import parquet
from wirelab.samples.stored import UnreadableFileError

_COLUMNS = ("monotonic_ns", "cpu_steal_ns")


def stolen_time(trial: Path) -> Mapping[str, Ints]:
    """Times at which the monitor looked at the host, and what had been taken by then of each
    processor (a column each); empty where nothing was kept in the folder of the trial.

    Raises UnreadableFileError for what no monitor has written.
    """
    path = trial / HOST_RECORD
    if not path.is_file():
        return {}
    columns = parquet.columns_of(path, [*_COLUMNS], lists=True)
    if not np.issubdtype(columns["monotonic_ns"].dtype, np.integer):
        raise UnreadableFileError(f"{path} has columns of other types than the monitor writes")
    each = _table(columns["cpu_steal_ns"])
    if each is None:
        raise UnreadableFileError(f"{path}: cpu_steal_ns is not of as many processors")
    return {"monotonic_ns": columns["monotonic_ns"].astype(np.int64), "stolen_ns": each}


def _table(lists: npt.NDArray[Any]) -> Ints | None:
    """Lists of as many whole numbers as rows of a table; None where they are something else."""
    try:
        each = np.stack(list(lists))
    except (ValueError, TypeError):
        return None
    is_table = each.ndim == 2 and np.issubdtype(each.dtype, np.integer)
    return each.astype(np.int64) if is_table else None


def stolen_windows(monotonic_ns: Ints, stolen_ns: Ints) -> Ints:
    """Rows of begin and end of the times between looks in which more was taken of all processors
    together than others may run."""
    windows: Ints = windows_and_stolen(monotonic_ns, stolen_ns)[:, :2]
    return windows


def windows_and_stolen(monotonic_ns: Ints, stolen_ns: Ints) -> Ints:
    """The same rows, each with the processor time that was taken."""
    taken = np.diff(stolen_ns.sum(axis=1))
    too_much = taken > most_taken_ns(monotonic_ns)
    rows: Ints = np.column_stack([monotonic_ns[:-1], monotonic_ns[1:], taken])[too_much]
    return rows
