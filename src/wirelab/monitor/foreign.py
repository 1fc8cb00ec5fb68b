"""Time in which threads outside of a trial demanded too much of the host, from ``host.parquet``.

Foreign demand alone decides: what threads outside of the trial ran and waited for does not depend
on what the contender does, as steal and the processor time of others do.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt

from wirelab.samples import parquet
from wirelab.samples.stored import UnreadableFileError

DEMAND_NS = 5_000_000
"""Between two looks, a tenth of a second apart; where there was more, others disturbed."""

HOST_RECORD = "host.parquet"

_UNPLACED_NS = 1_000_000_000
"""How long before a look an idle thread may have run."""

_COLUMNS = ("monotonic_ns", "foreign_ns", "foreign_unplaced_ns")

Ints = npt.NDArray[np.int64]


def foreign_demand(trial: Path) -> Mapping[str, Ints]:
    """When the monitor looked at the host, and the foreign demand that it had seen by then; empty
    where nothing was kept in the folder of the trial.

    Raises UnreadableFileError for what no monitor has written.
    """
    path = trial / HOST_RECORD
    if not path.is_file():
        return {}
    # Idle and stolen time, which are not asked for, are lists with each processor.
    columns = parquet.columns_of(path, [*_COLUMNS], lists=True)
    if any(not np.issubdtype(column.dtype, np.integer) for column in columns.values()):
        raise UnreadableFileError(f"{path} has columns of other types than the monitor writes")
    return {name: column.astype(np.int64) for name, column in columns.items()}


def disturbed_windows(
    monotonic_ns: Ints, foreign_ns: Ints, foreign_unplaced_ns: Ints
) -> npt.NDArray[np.int64]:
    """Rows of begin and end of the times between looks with too much foreign demand.

    A longer time between two looks is held to as much: nobody knows when in it the demand fell.
    Demand of threads that had been idle counts at its look; where it alone is too much, the whole
    second before is disturbed.
    """
    unplaced = np.diff(foreign_unplaced_ns)
    too_much = np.diff(foreign_ns) + unplaced > DEMAND_NS
    ends = monotonic_ns[1:]
    a_second_before = np.where(unplaced > DEMAND_NS, ends - _UNPLACED_NS, ends)
    begins = np.minimum(monotonic_ns[:-1], a_second_before)
    windows: Ints = np.column_stack([begins, ends])[too_much & (begins < ends)]
    return windows


def disturbed_share(trial: Path, begin_ns: int, end_ns: int) -> float | None:
    """Share of a time that lies in such windows; None where the host was not recorded.

    Without the time until their queues were done, which would depend on the contender.
    """
    try:
        host = foreign_demand(trial)
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
