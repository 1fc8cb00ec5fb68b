"""Loops: the batches of an operation that a process repeated at a step, and their figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from wirelab.cells.recorded import RecordedTrial
from wirelab.samples.batches import Batch, FailedLoop, read

SETTLED_OVER = 3
"""Batches that must agree before code is warm."""

LEAST_GAPS = 3
"""Gaps between batches of which a quartile says something."""

WHISKER = 3.0
"""Quartile distances from the box beyond which a batch is flagged: "far out" (Tukey 1977). Of a
handful of well-behaved batches, one in twelve lies beyond the usual 1.5."""


@dataclass(frozen=True)
class RecordedLoop:
    """The records of one operation of one step in one trial."""

    prewarm: Sequence[Batch] = ()
    warmup: Sequence[Batch] = ()
    measured: Sequence[Batch] = ()
    audits: Sequence[Batch] = ()
    allocation: Sequence[Batch] = ()
    failure: FailedLoop | None = None

    @property
    def iteration_ns(self) -> float | None:
        """Median time of an iteration over the batches that count."""
        return float(np.median(self._times())) if self.measured else None

    @property
    def best_ns(self) -> float | None:
        """Time of an iteration in the fastest batch that counts: what disturbs only slows down."""
        return float(self._times().min()) if self.measured else None

    @property
    def failed(self) -> str:
        """The reason why it could not be repeated; empty when it could."""
        failure = self.failure
        return f"{failure.error_class}: {failure.message}" if failure else ""

    @property
    def allocated(self) -> float | None:
        """Bytes allocated by an iteration, where the language can tell."""
        for batches in (self.allocation, self.measured):
            known = [b for b in batches if b.allocated_bytes is not None]
            if known:
                iterations = sum(batch.iterations for batch in known)
                return sum(batch.allocated_bytes or 0 for batch in known) / iterations
        return None

    @property
    def paused(self) -> float | None:
        """Share of the measured time that collections took; None where nobody can tell."""
        known = [b for b in self.measured if b.gc_pause_ns is not None]
        spent = sum(batch.end_ns - batch.start_ns for batch in known)
        return sum(batch.gc_pause_ns or 0 for batch in known) / spent if spent else None

    @property
    def compiling(self) -> int:
        """Batches that count during which a compiler of the runtime worked."""
        return sum(bool(batch.compile_ns) for batch in self.measured)

    @property
    def warmup_seconds(self) -> float:
        """Time in its batches before those that count."""
        before = (*self.prewarm, *self.warmup)
        return sum(batch.end_ns - batch.start_ns for batch in before) / 1e9

    @property
    def between_ns(self) -> float | None:
        """Time from the end of a batch to the start of the next one that counts, audits left out:
        the lower quartile, for others of the host only add to it; None of too few."""
        gaps = [
            batch.start_ns - before.end_ns - self._audited_ns(before.end_ns, batch.start_ns)
            for before, batch in pairwise((*self.warmup[-1:], *self.measured))
        ]
        return float(np.percentile(gaps, 25)) if len(gaps) >= LEAST_GAPS else None

    @property
    def batch_ns(self) -> float | None:
        """Median length of the batches that count."""
        lengths = [batch.end_ns - batch.start_ns for batch in self.measured]
        return float(np.median(lengths)) if lengths else None

    @property
    def outliers(self) -> int:
        """Batches far from the others; they count like any other."""
        times = self._times()
        low, high = np.percentile(times, [25, 75]) if len(times) else (0.0, 0.0)
        reach = WHISKER * (high - low)
        return int(np.count_nonzero((times < low - reach) | (times > high + reach)))

    def settled(self, agree: float) -> bool:
        """Whether the last batches of the warm-up agreed within ``agree`` of their median."""
        last = [batch.iteration_ns for batch in self.warmup[-SETTLED_OVER:]]
        if len(last) < SETTLED_OVER:
            return False
        middle = float(np.median(last))
        return all(abs(one - middle) <= agree * middle for one in last)

    def _audited_ns(self, since_ns: int, until_ns: int) -> int:
        """Time of the audits between two moments."""
        return sum(
            audit.end_ns - audit.start_ns
            for audit in self.audits
            if since_ns <= audit.start_ns and audit.end_ns <= until_ns
        )

    def _times(self) -> npt.NDArray[np.float64]:
        return np.array([batch.iteration_ns for batch in self.measured])


def loops_of(trial: RecordedTrial) -> dict[str, RecordedLoop]:
    """The loops of the step that is looked at, by operation, in the order they ran in."""
    path = trial.files.folder / f"{trial.files.role}.batches.jsonl"
    lines: dict[str, list[Batch | FailedLoop]] = {}
    if trial.step and path.is_file():
        for line in read(path):
            if line.step == trial.step:
                lines.setdefault(line.operation, []).append(line)
    return {name: _loop(own) for name, own in lines.items()}


def _loop(lines: Sequence[Batch | FailedLoop]) -> RecordedLoop:
    batches = [line for line in lines if isinstance(line, Batch)]
    failures = [line for line in lines if isinstance(line, FailedLoop)]
    by_phase = {
        phase: [batch for batch in batches if batch.phase == phase]
        for phase in ("prewarm", "warmup", "measure", "audit", "allocation")
    }
    return RecordedLoop(
        by_phase["prewarm"],
        by_phase["warmup"],
        by_phase["measure"],
        by_phase["audit"],
        by_phase["allocation"],
        failures[0] if failures else None,
    )
