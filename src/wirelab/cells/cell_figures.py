"""Figures of one cell, made from its recorded trials in the way of its scenario."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, assert_never
from zlib import crc32

import numpy as np

from wirelab.cells import caller
from wirelab.cells.by_block import IncludedBlocks
from wirelab.cells.estimate import Estimate, metrics_of
from wirelab.cells.fault_figures import fault_metrics
from wirelab.cells.figures import total
from wirelab.cells.measured import MeasuredTrial, measure
from wirelab.cells.metrics import load_estimates
from wirelab.cells.microbenchmark.figures import microbenchmark_figures
from wirelab.cells.probes import capacity_of
from wirelab.cells.recorded import RecordedTrial
from wirelab.cells.resource_metrics import resource_metrics
from wirelab.cells.spikes import spikes_of
from wirelab.cells.stolen import without_tails
from wirelab.cells.sync_calls import sync_metrics
from wirelab.cells.timelines import lines_by_name
from wirelab.gates.facts import PlacedMean, TrialFacts, main_operation
from wirelab.model.capacity import Search
from wirelab.model.result import CallerView, CellSeries, Metric
from wirelab.model.run import Run
from wirelab.model.scenario import Kind, Scenario
from wirelab.model.spikes import Spikes
from wirelab.model.stacks import SampledStacks
from wirelab.samples import stacks


@dataclass(frozen=True)
class Figures:
    """Facts about a cell before its gates have spoken."""

    recorded: Sequence[RecordedTrial]
    facts: tuple[TrialFacts, ...]
    metrics: dict[str, Metric]
    series: CellSeries
    views: list[CallerView]
    remarks: Mapping[str, Any] = field(default_factory=dict)
    searches: tuple[Search, ...] = ()
    spikes: Mapping[str, Spikes] = field(default_factory=dict)
    stacks: SampledStacks | None = None

    def placed_means(self, scenario: Scenario) -> list[PlacedMean]:
        """Place in the run, and mean over the cell's mean, of each included trial."""
        name = main_operation(scenario, self.recorded[0].planned.operations)
        if scenario.kind in (Kind.MICROBENCHMARK, Kind.CAPACITY, Kind.SYNC_CALLS, Kind.STACKS):
            return []  # what drifts over a run shows between processes, and in the interval
        means = [
            (t.record.planned.position, t.operations[name].mean_ms)
            for t in self.facts
            if name in t.operations
        ]
        known = [(place, mean) for place, mean in means if mean is not None]
        whole = float(np.mean([mean for _, mean in known])) if known else 0.0
        if len(known) < 2 or not whole:  # who takes no time is told of by the gate for stamps
            return []
        cell = self.recorded[0].planned.cell
        return [PlacedMean(place, cell, mean / whole) for place, mean in known]


def figures_of(recorded: Sequence[RecordedTrial], run: Run) -> Figures:
    """Measure the included trials of a cell and make its metrics of them."""
    scenario = run.scenarios[recorded[0].planned.scenario]
    match scenario.kind:
        case Kind.LOAD | Kind.CEILING:
            return _figures_of_load(recorded, scenario, run)
        case Kind.FAULTS:
            return _figures_of_faults(recorded, scenario, run)
        case Kind.MICROBENCHMARK:
            return _figures_of_microbenchmark(recorded, scenario, run)
        case Kind.CAPACITY:
            return _figures_of_searches(recorded, run)
        case Kind.SYNC_CALLS:
            return _figures_of_sync_calls(recorded, scenario, run)
        case Kind.STACKS:
            return _figures_of_stacks(recorded, scenario, run)
    assert_never(scenario.kind)


def _figures_of_load(recorded: Sequence[RecordedTrial], scenario: Scenario, run: Run) -> Figures:
    trials = [measure(trial, scenario) for trial in recorded if trial.counts]
    blocks = IncludedBlocks.of_cell(recorded, run)
    estimates: dict[str, Estimate] = {}
    series = CellSeries()
    if trials:
        seed = [run.disclosure.seed, crc32(recorded[0].cell.encode())]
        operations = recorded[0].planned.operations
        estimates, series = load_estimates(trials, scenario, operations, seed, blocks.neighbours())
    facts = tuple(trial.facts for trial in trials)
    metrics = blocks.placed(metrics_of(estimates, scenario), estimates)
    spikes = spikes_of([trial.timed for trial in trials])
    return Figures(recorded, facts, without_tails(metrics, facts), series, [], spikes=spikes)


def _figures_of_faults(recorded: Sequence[RecordedTrial], scenario: Scenario, run: Run) -> Figures:
    """Figures of what callers saw, of trials that hung as well."""
    trials = [measure(trial, scenario) for trial in recorded if trial.counts]
    views = _views(recorded, scenario)
    estimates: dict[str, Estimate] = {}
    series = CellSeries()
    if trials:
        operations = recorded[0].planned.operations
        estimates = _faults_estimates(trials, views, scenario, operations)
        series = CellSeries(
            operations=lines_by_name([trial.timelines.operations for trial in trials]),
            resources=lines_by_name([trial.timelines.resources for trial in trials]),
            network=[own for trial in trials if (own := trial.timelines.network) is not None],
        )
    facts = tuple(trial.facts for trial in trials)
    metrics = IncludedBlocks.of_cell(recorded, run).placed(metrics_of(estimates, scenario))
    return Figures(recorded, facts, metrics, series, views)


def _figures_of_microbenchmark(
    recorded: Sequence[RecordedTrial], scenario: Scenario, run: Run
) -> Figures:
    found = microbenchmark_figures(recorded, scenario, run.metrics)
    metrics = IncludedBlocks.of_cell(recorded, run).placed(found.metrics)
    return Figures(recorded, found.facts, metrics, found.series, [], found.remarks)


def _figures_of_searches(recorded: Sequence[RecordedTrial], run: Run) -> Figures:
    found = capacity_of(recorded, run)
    return Figures(
        recorded, found.facts, found.metrics, CellSeries(), [], found.remarks, found.searches
    )


def _figures_of_sync_calls(
    recorded: Sequence[RecordedTrial], scenario: Scenario, run: Run
) -> Figures:
    """Figures of calls that were counted: under strace nothing is timed."""
    trials = [measure(trial, scenario) for trial in recorded if trial.counts]
    operations, step = recorded[0].planned.operations, recorded[0].step
    estimates = sync_metrics(trials, scenario, operations, step) if trials else {}
    metrics = IncludedBlocks.of_cell(recorded, run).placed(metrics_of(estimates, scenario))
    return Figures(recorded, tuple(trial.facts for trial in trials), metrics, CellSeries(), [])


def _figures_of_stacks(recorded: Sequence[RecordedTrial], scenario: Scenario, run: Run) -> Figures:
    """Processor time by its places: a program that is sampled is not timed."""
    trials = [measure(trial, scenario) for trial in recorded if trial.counts]
    facts = tuple(trial.facts for trial in trials)
    names = recorded[0].planned.operations if trials else []
    estimates = {
        f"{name}.error.count": total([one.operations[name].failed for one in facts])
        for name in names
    }
    metrics = IncludedBlocks.of_cell(recorded, run).placed(metrics_of(estimates, scenario))
    sampled = [
        process.stacks
        for one in facts
        for process in one.record.processes_of(scenario.stacks_of)
        if process.stacks is not None
    ]
    found = stacks.together(sampled) if sampled else None
    return Figures(recorded, facts, metrics, CellSeries(), [], stacks=found)


def _views(recorded: Sequence[RecordedTrial], scenario: Scenario) -> list[CallerView]:
    shown = [
        trial
        for trial in recorded
        if trial.counts
        or (trial.planned.included and trial.record and trial.record.reason in caller.HANG_REASONS)
    ]
    return [view for trial in shown if (view := caller.caller_view(trial, scenario))]


def _faults_estimates(
    trials: Sequence[MeasuredTrial],
    views: Sequence[CallerView],
    scenario: Scenario,
    operations: Sequence[str],
) -> dict[str, Estimate]:
    estimates = fault_metrics(views) | resource_metrics(trials, scenario)
    for name in operations:
        failed = [trial.facts.operations[name].failed for trial in trials]
        estimates[f"{name}.error.count"] = total(failed)
    return estimates
