"""Figures of a cell of a microbenchmark: by its instrument, of a step or of whole processes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wirelab.cells.estimate import metrics_of
from wirelab.cells.microbenchmark.instructions import instruction_metrics
from wirelab.cells.microbenchmark.measured import MeasuredMicrobenchmark, measure_microbenchmark
from wirelab.cells.microbenchmark.own import own_metrics
from wirelab.cells.microbenchmark.times import time_metrics
from wirelab.cells.recorded import RecordedTrial
from wirelab.cells.resource_metrics import resource_metrics
from wirelab.cells.timelines import lines_by_name
from wirelab.gates.facts import TrialFacts
from wirelab.model.metrics import OwnMetric
from wirelab.model.result import CellSeries, Metric
from wirelab.model.scenario import Scenario


@dataclass(frozen=True)
class MicrobenchmarkFigures:
    """Facts, figures, and the remarks of the suite's judge."""

    facts: tuple[TrialFacts, ...]
    metrics: dict[str, Metric]
    series: CellSeries
    remarks: Mapping[str, Any]


def microbenchmark_figures(
    recorded: Sequence[RecordedTrial],
    scenario: Scenario,
    declared: Mapping[str, OwnMetric] | None,
) -> MicrobenchmarkFigures:
    """A step has the times or counts of its loops, the whole trial the resources of its process."""
    trials = [measure_microbenchmark(trial, scenario) for trial in recorded if trial.counts]
    metrics: dict[str, Metric] = {}
    series = CellSeries()
    if trials:
        metrics = _metrics(trials, recorded[0], scenario, declared)
    if trials and not recorded[0].step and not scenario.counts_instructions:
        drawn = [trial.whole.timelines.resources for trial in trials]
        series = CellSeries(resources=lines_by_name(drawn))
    facts = tuple(trial.whole.facts for trial in trials)
    # The same answers are judged alike: the first trial speaks for all.
    return MicrobenchmarkFigures(facts, metrics, series, trials[0].judged.remarks if trials else {})


def _metrics(
    trials: Sequence[MeasuredMicrobenchmark],
    first: RecordedTrial,
    scenario: Scenario,
    declared: Mapping[str, OwnMetric] | None,
) -> dict[str, Metric]:
    if scenario.counts_instructions:
        return metrics_of(instruction_metrics(trials, scenario), scenario) if first.step else {}
    if not first.step:
        return metrics_of(resource_metrics([trial.whole for trial in trials], scenario), scenario)
    times = time_metrics(trials, scenario, first.planned.operations)
    return metrics_of(times, scenario) | own_metrics(trials, scenario, declared)
