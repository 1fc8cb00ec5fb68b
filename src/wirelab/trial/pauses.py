"""Time in which answers were put into words, held against what their lane did meanwhile.

Of a closed loop that time is taken off, so nobody is believed how long it took: a lane that puts an
answer into words has no operation under way, gives one answer after the other, and has done so when
the line is in the file.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from wirelab.model.parts import Operation
from wirelab.model.span import Span
from wirelab.trial.record_times import Ints


class LanePauses:
    """The pauses of each lane, in the order of the answers file, beside its operations at ticks."""

    def __init__(self, lanes: Ints, starts_ns: Ints, ends_ns: Ints) -> None:
        order = np.lexsort((starts_ns, lanes))
        bounds = np.flatnonzero(np.diff(lanes[order])) + 1
        self._at_work: dict[int, tuple[Ints, Ints]] = {}
        for own in np.split(order, bounds):
            if len(own):
                ended_ns = np.maximum.accumulate(ends_ns[own])
                self._at_work[int(lanes[own[0]])] = starts_ns[own], ended_ns
        self._before_ns: defaultdict[int, int] = defaultdict(int)

    @staticmethod
    def of(kept: Path, operations: Mapping[str, Operation]) -> LanePauses:
        """The pauses beside the operations in a Parquet file of samples."""
        names = ["lane", "start_ns", "end_ns", "op"]
        table = pq.ParquetFile(kept).read(names, use_threads=False)
        lane, start, end, op = (table.column(name).to_numpy().astype(np.int64) for name in names)
        own = np.isin(op, [one.code for one in operations.values() if one.due == "tick"])
        return LanePauses(lane[own], start[own], end[own])

    def problem(self, lane: int, pause: Span, seen_ns: int) -> str:
        """Find what is wrong with the next pause of a lane, whose line was seen at ``seen_ns``."""
        begin_ns, end_ns = pause
        before_ns, self._before_ns[lane] = self._before_ns[lane], end_ns
        if begin_ns < before_ns:
            return f"was put into words while lane {lane} was at another answer"
        if end_ns > seen_ns:
            late_ms = (end_ns - seen_ns) / 1e6
            return f"was being put into words for {late_ms:.3f} ms after it was seen in the file"
        if self._is_at_work(lane, pause):
            return f"was being put into words while lane {lane} was at an operation"
        return ""

    def _is_at_work(self, lane: int, pause: Span) -> bool:
        if lane not in self._at_work:
            return False
        starts_ns, ended_ns = self._at_work[lane]
        begun = int(np.searchsorted(starts_ns, pause[1]))
        return begun > 0 and bool(ended_ns[begun - 1] > pause[0])
