"""Instructions of one iteration, from pairs of processes that differ in their iterations alone.

``<operation>.instructions`` is the difference of the instructions of two processes of one block,
divided by the difference of their iterations: the median over the blocks. It has no interval, for
it is counted and not sampled; ``<operation>.instructions.spread`` says how far the blocks lie
apart, in per cent of the median.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from wirelab.cells.estimate import Estimate
from wirelab.cells.figures import NOT_MEASURED, of_trials
from wirelab.cells.microbenchmark.measured import MeasuredMicrobenchmark
from wirelab.cells.microbenchmark.times import why_none
from wirelab.model.planned import PlannedLoops, PlannedTrial
from wirelab.model.scenario import Scenario


def instruction_metrics(
    trials: Sequence[MeasuredMicrobenchmark], scenario: Scenario
) -> dict[str, Estimate]:
    """Metrics of every operation that trials of a step were given."""
    metrics: dict[str, Estimate] = {}
    for name in scenario.operations:
        if any(name in _planned(trial).operations for trial in trials):
            metrics |= _of_operation(name, trials, scenario.measured_role)
    return metrics


def _of_operation(
    name: str, trials: Sequence[MeasuredMicrobenchmark], role: str
) -> dict[str, Estimate]:
    own = [trial for trial in trials if name in _planned(trial).operations]
    loops = [loop for trial in own if (loop := trial.loops.get(name)) is not None]
    of_blocks = _by_block(own, name, role)
    # A pair stands at the place of its longer process.
    pairs = [trial for trial in own if _longer(trial, own)]
    values = [of_blocks.get(_planned(trial).block) if trial in pairs else None for trial in trials]
    known = [value for value in values if value is not None]
    absent = NOT_MEASURED if loops and not any(loop.failure for loop in loops) else why_none(loops)
    counted = of_trials(values, _median, estimate=False, absent=absent)
    if not known:
        return {f"{name}.instructions": counted}
    spread = 100 * (max(known) - min(known)) / _median(known) if len(known) > 1 else None
    return {
        f"{name}.instructions": replace(counted, n=len(known)),
        f"{name}.instructions.spread": of_trials([spread], estimate=False),
    }


def _by_block(trials: Sequence[MeasuredMicrobenchmark], name: str, role: str) -> dict[int, float]:
    """Instructions of an iteration by block, of blocks whose two processes both have a count."""
    counts: dict[int, dict[int, int]] = {}
    for trial in trials:
        record = trial.whole.facts.record.roles.get(role)
        done = trial.loops.get(name)
        if record is None or record.instructions is None or done is None or done.failure:
            continue
        counts.setdefault(_planned(trial).block, {})[_iterations(trial)] = record.instructions
    return {
        block: (executed[max(executed)] - executed[min(executed)]) / (max(executed) - min(executed))
        for block, executed in counts.items()
        if len(executed) == 2
    }


def _longer(trial: MeasuredMicrobenchmark, others: Sequence[MeasuredMicrobenchmark]) -> bool:
    return _iterations(trial) == max(_iterations(other) for other in others)


def _planned(trial: MeasuredMicrobenchmark) -> PlannedTrial:
    return trial.whole.facts.record.planned


def _iterations(trial: MeasuredMicrobenchmark) -> int:
    load = _planned(trial).load
    return load.rounds if isinstance(load, PlannedLoops) else 0


def _median(values: Sequence[float]) -> float:
    return float(np.median(values))
