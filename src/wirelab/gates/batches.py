"""Gates on operations that are repeated in batches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wirelab.gates.facts import CellFacts
from wirelab.model.result import Finding, Verdict

FLOOR_SHARE = 0.5
"""Of the floor. Copying a number of bytes that is known only at run time costs a call of a few
nanoseconds, which a codec of a fixed size is spared; what was not done at all costs less still."""

OUTLIER_SHARE, OUTLIERS = 0.1, 3
"""Of the batches, and at least: with more far from the others, the median describes a mixture."""


def loop_failed(cell: CellFacts) -> Iterator[Finding]:
    """An operation that threw: it has no figure, the other operations of the step have. Warns."""
    failures: dict[str, str] = {}
    for trial in cell.trials:
        for name, loop in trial.loops.items():
            if loop.failure:
                failures.setdefault(name, loop.failure)
    if failures:
        trials = [t.id for t in cell.trials if any(loop.failure for loop in t.loops.values())]
        evidence = {"operations": failures}
        yield Finding(gate="loop-failed", verdict=Verdict.WARN, evidence=evidence, trials=trials)


def below_floor(cell: CellFacts) -> Iterator[Finding]:
    """Twice as fast as copying as many bytes in the same language: invalid, for it was not done."""
    below: dict[str, Any] = {}
    for name, floor in cell.floors.items():
        loops = [trial.loops[name] for trial in cell.trials if name in trial.loops]
        known = [loop.best_ns for loop in loops if loop.best_ns is not None]
        if known and min(known) < FLOOR_SHARE * floor:
            below[name] = {"ns": min(known), "floor_ns": floor}
    if below:
        evidence = {"operations": below}
        yield Finding(gate="below-floor", verdict=Verdict.INVALID, evidence=evidence)


def never_settled(cell: CellFacts) -> Iterator[Finding]:
    """Warm-ups that ran into their limit while batches still disagreed: a remark, for the batches
    that count may have become faster (or slower) among themselves.
    """
    counts: dict[str, Any] = {}
    for name in cell.planned[0].operations:
        loops = [trial.loops[name] for trial in cell.trials if name in trial.loops]
        timed = [loop for loop in loops if loop.batches]
        if unsettled := sum(not loop.settled for loop in timed):
            counts[name] = {"trials": unsettled, "of": len(timed)}
    if counts:
        evidence = {"operations": counts}
        yield Finding(gate="never-settled", verdict=Verdict.VALID, evidence=evidence)


def batch_outliers(cell: CellFacts) -> Iterator[Finding]:
    """More than a tenth of an operation's batches lie far from the others: warns."""
    many: dict[str, Any] = {}
    for name in cell.planned[0].operations:
        loops = [trial.loops[name] for trial in cell.trials if name in trial.loops]
        batches, outliers = sum(one.batches for one in loops), sum(one.outliers for one in loops)
        if outliers >= OUTLIERS and outliers > OUTLIER_SHARE * batches:
            many[name] = {"outliers": outliers, "batches": batches}
    if many:
        yield Finding(gate="batch-outliers", verdict=Verdict.WARN, evidence={"operations": many})
