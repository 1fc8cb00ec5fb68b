"""Samples of a role that is several processes, put together: each process is a lane."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from wirelab.samples import format as samples
from wirelab.trial.failure import TrialError


def put_together(folder: Path, role: str, names: Sequence[str]) -> Path:
    """Make one Parquet file of those of the processes ``names``, in the order of completion, and
    remove theirs; returns it. Raises TrialError for a process that says more lanes than its one.
    """
    whole = folder / f"{role}.parquet"
    parts = [_lane(folder / f"{name}.parquet", lane, name) for lane, name in enumerate(names)]
    records = np.concatenate(parts)
    samples.write_parquet(records[np.argsort(records["end_ns"], kind="stable")], whole)
    for name in names:
        (folder / f"{name}.parquet").unlink()
    return whole


def _lane(kept: Path, lane: int, name: str) -> samples.Records:
    """Records of a process, as those of the lane."""
    table = pq.ParquetFile(kept).read(use_threads=False)
    records = np.empty(table.num_rows, dtype=samples.RECORD)
    for column in table.column_names:
        records[column] = table.column(column).to_numpy()
    if np.any(records["lane"]):
        said = f"{name} recorded lane {records['lane'].max()}: a process of several has lane 0"
        raise TrialError("sample-file", said, name)
    records["lane"] = lane
    return records
