"""Operations of a lane that were under way at once, although the lane waits for each of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from wirelab.model.parts import Operation
from wirelab.model.scenario import Scenario


def waits(scenario: Scenario) -> bool:
    """Whether a lane of a contender's performs an operation only when the one before has ended."""
    measured = scenario.roles[scenario.measured_role]
    return measured.is_contenders and (scenario.is_paced or scenario.is_closed)


def overlapping(kept: Path, operations: Mapping[str, Operation]) -> int:
    """Count operations that begin before the one of their kind before them in their lane ended:
    that makes a lane that was late look as if it had not been. ``kept`` is the Parquet file of
    samples.
    """
    names = ["lane", "op", "start_ns", "end_ns"]
    table = pq.ParquetFile(kept).read(names, use_threads=False)
    columns = [table.column(name).to_numpy().astype(np.int64) for name in names]
    codes = [one.code for one in operations.values() if one.due == "tick"]
    own = np.isin(columns[1], codes)
    lane, op, start, end = (column[own] for column in columns)
    order = np.lexsort((start, op, lane))
    lane, op, start, end = (column[order] for column in (lane, op, start, end))
    same = (lane[1:] == lane[:-1]) & (op[1:] == op[:-1])
    return int(np.count_nonzero(same & (start[1:] < end[:-1])))
