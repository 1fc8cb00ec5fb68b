"""Times of a step of a microbenchmark, and what was read beside them.

``<operation>.time`` is the time of one iteration in ns: the median over the fresh processes of each
one's median batch, with Student's t over processes as its interval. Batches are flagged when they
lie far from the others of their process and never left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from wirelab.cells.estimate import Estimate
from wirelab.cells.figures import NOT_MEASURED, of_trials
from wirelab.cells.microbenchmark.loops import RecordedLoop
from wirelab.cells.microbenchmark.measured import MeasuredMicrobenchmark
from wirelab.model.scenario import Scenario

NOT_OFFERED = "not-offered"
FAILED = "failed"


def time_metrics(
    trials: Sequence[MeasuredMicrobenchmark], scenario: Scenario, operations: Sequence[str]
) -> dict[str, Estimate]:
    """Figures of every timed operation of a step."""
    metrics: dict[str, Estimate] = {}
    for name in operations:
        if scenario.operations[name].record == "batches":
            metrics |= _of_loops(name, [trial.loops.get(name) for trial in trials])
    return metrics


def _of_loops(name: str, loops: Sequence[RecordedLoop | None]) -> dict[str, Estimate]:
    had = [loop for loop in loops if loop is not None]
    times = [loop.iteration_ns if loop else None for loop in loops]
    time = of_trials(times, _median, absent=why_none(had))
    if time.value is not None:
        time = replace(time, n=sum(len(loop.measured) for loop in had))
    metrics = {f"{name}.time": time}
    if time.value is None:
        return metrics
    metrics[f"{name}.allocated"] = of_trials(
        [loop.allocated if loop else None for loop in loops], _median, estimate=False
    )
    metrics[f"{name}.gc.share"] = of_trials(
        [_percent(loop.paused) if loop else None for loop in loops]
    )
    metrics[f"{name}.warmup"] = of_trials(
        [loop.warmup_seconds if loop else None for loop in loops], max, estimate=False
    )
    metrics[f"{name}.outlier.count"] = of_trials(
        [loop.outliers if loop else None for loop in loops], sum, estimate=False
    )
    return metrics


def why_none(had: Sequence[RecordedLoop]) -> str:
    """Code of why an operation has no figure, by what the trials have of it."""
    if any(loop.failure for loop in had):
        return FAILED
    return NOT_MEASURED if had else NOT_OFFERED


def _percent(share: float | None) -> float | None:
    return None if share is None else share * 100


def _median(values: Sequence[float]) -> float:
    return float(np.median(values))
