"""Sizes of recorded operations beside what the suite's data say they must be.

Answers are written in full at a few ticks only; a size is recorded at every one. Where the data
decide it (records found, bytes of a value), the suite's rule says what it must be, so that cheap
answers cannot pass for fast ones between two that are verified.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from wirelab.model.parts import Operation
from wirelab.model.run import Sized
from wirelab.trial.load import TrialLoad
from wirelab.trial.record_times import RecordTimes

MOST = 5_000
"""Records of an operation that are compared, evenly spread over the trial: enough to find one
wrong answer in a thousand (p > 0.99), and a fraction of a second for the suite's rule."""

Turns = Sequence[tuple[int, int]]
Rule = Callable[[dict[str, Any], str, Turns], Sequence[int | None]]
"""``sizes(spec, operation, turns)`` of a suite: for each (tick, lane) the size of a good record,
None where the data do not say."""


def compare(
    rule: Rule,
    spec: dict[str, Any],
    load: TrialLoad,
    operations: dict[str, Operation],
    *,
    kept: Path,
    tick0_ns: int,
) -> dict[str, Sized]:
    """By operation that is due at ticks: what was recorded with ``ok`` beside what the rule says.

    ``kept`` is the trial's Parquet file of samples, ``tick0_ns`` its first tick.
    """
    names = ["intended_ns", "start_ns", "size", "op", "status", "lane"]
    table = pq.ParquetFile(kept).read(names, use_threads=False)
    columns = {name: table.column(name).to_numpy().astype(np.int64) for name in names}
    found = {}
    for name, operation in operations.items():
        if operation.due != "tick" or operation.record != "samples":
            continue
        own = columns["op"] == operation.code
        of = {column: values[own] for column, values in columns.items()}
        times = RecordTimes(of["lane"], of["intended_ns"] - tick0_ns, of["start_ns"])
        ticks = load.ticks_of(operation, times)
        good = np.flatnonzero((of["status"] == 0) & (ticks >= 0))
        good = good[:: -(-len(good) // MOST) or 1]
        turns = list(zip(ticks[good].tolist(), of["lane"][good].tolist(), strict=True))
        expected = rule(spec, name, turns)
        known = [i for i, size in enumerate(expected) if size is not None]
        if known:
            said = of["size"][good][known]
            right = np.array([expected[i] for i in known], dtype=np.int64)
            found[name] = Sized(
                compared=len(known),
                unlike=int(np.count_nonzero(said != right)),
                recorded=int(said.sum()),
                expected=int(right.sum()),
            )
    return found
