"""Time in which threads outside of a trial ran too much, from ``host.parquet``.

Their execution decides, and not what they waited for: a thread with 1.7 ms of work in 100 ms
waited 5.6 ms beside nobody and 137 ms beside sixteen threads that computed (two processors), so
that a contender could have its own time left out by keeping many threads ready. What it cannot
bring about is work of others: they take the time that they need, at once or later.

Each process's own clock is what counts, read at both ends of a window
(``wirelab.monitor.execution``). A contender's programs are in none of them, however short they
live and wherever they are: it moves no other program's execution into a window by burning processor
time in it, and takes none out by keeping the machine busy. In runs of earlier versions, whose idle
threads were read once a second, what one of these ran lies somewhere in the second before.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt

from wirelab.monitor.look import PERIOD_NS
from wirelab.samples import parquet
from wirelab.samples.stored import UnreadableFileError

TAKEN_NS = 5_000_000
"""Between two looks, a tenth of a second apart; where there was more, others disturbed."""

HOST_RECORD = "host.parquet"

_UNPLACED_NS = 1_000_000_000
"""Time before a look in which those may have run that were read too late."""

_LOOKED_AT = "monotonic_ns"
_EXECUTION = ("foreign_ran_ns", "foreign_ran_unplaced_ns")
_DEMAND = ("foreign_ns", "foreign_unplaced_ns")
"""With run delay, by which runs were judged that did not record execution alone."""

Ints = npt.NDArray[np.int64]


def foreign_time(trial: Path) -> Mapping[str, Ints]:
    """Times at which the monitor looked at the host, and what others had run by then; empty where
    nothing was kept in the folder of the trial.

    Raises UnreadableFileError for what no monitor has written.
    """
    path = trial / HOST_RECORD
    if not path.is_file():
        return {}
    names = _EXECUTION if parquet.has_columns(path, _EXECUTION) else _DEMAND
    # Idle and stolen time, which are not asked for, are lists with each processor.
    columns = parquet.columns_of(path, [_LOOKED_AT, *names], lists=True)
    if any(not np.issubdtype(column.dtype, np.integer) for column in columns.values()):
        raise UnreadableFileError(f"{path} has columns of other types than the monitor writes")
    at, placed, unplaced = (columns[name].astype(np.int64) for name in (_LOOKED_AT, *names))
    return {"monotonic_ns": at, "placed_ns": placed, "unplaced_ns": unplaced}


def most_taken_ns(monotonic_ns: Ints) -> npt.NDArray[np.float64]:
    """The most that others may take between each two looks.

    In a longer time it is more: who makes the monitor late gets no time left out by it.
    """
    bound: npt.NDArray[np.float64] = TAKEN_NS * np.maximum(1.0, np.diff(monotonic_ns) / PERIOD_NS)
    return bound


def disturbed_windows(monotonic_ns: Ints, placed_ns: Ints, unplaced_ns: Ints) -> Ints:
    """Rows of begin and end of the times between looks in which others ran too much.

    What nobody can place counts at its look; where it alone is too much, the whole second before is
    disturbed.
    """
    windows: Ints = windows_and_taken(monotonic_ns, placed_ns, unplaced_ns)[:, :2]
    return windows


def windows_and_taken(monotonic_ns: Ints, placed_ns: Ints, unplaced_ns: Ints) -> Ints:
    """The same rows, each with the processor time that others took."""
    unplaced = np.diff(unplaced_ns)
    taken = np.diff(placed_ns) + unplaced
    ends = monotonic_ns[1:]
    a_second_before = np.where(unplaced > TAKEN_NS, ends - _UNPLACED_NS, ends)
    begins = np.minimum(monotonic_ns[:-1], a_second_before)
    too_much = (taken > most_taken_ns(monotonic_ns)) & (begins < ends)
    rows: Ints = np.column_stack([begins, ends, taken])[too_much]
    return rows


def disturbed_share(trial: Path, begin_ns: int, end_ns: int) -> float | None:
    """Share of a time that lies in such windows; None where the host was not recorded.

    Without the time until their queues were done, which would depend on the contender.
    """
    try:
        host = foreign_time(trial)
    except UnreadableFileError:
        return None
    if not host or end_ns <= begin_ns:
        return None
    windows = np.clip(disturbed_windows(**host), begin_ns, end_ns)
    windows = windows[np.argsort(windows[:, 0], kind="stable")]
    reach = np.maximum.accumulate(windows[:, 1])
    # Windows overlap: of each, what none before it has reached.
    before = np.append(begin_ns, reach[:-1]) if len(reach) else reach
    new = np.clip(windows[:, 1] - np.maximum(windows[:, 0], before), 0, None)
    return float(new.sum() / (end_ns - begin_ns))
