"""The figures of a load cell, by the stable dotted names of their metrics.

What is a total within a trial (``gc.pause.total``, ``gc.count``) is the mean over the trials;
counts of misses and errors are sums over all of them; ``*.max`` is the highest of any trial.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from wirelab.cells.by_block import Groups
from wirelab.cells.closed import closed_metrics
from wirelab.cells.connections import connection_metrics
from wirelab.cells.count_metrics import count_metrics
from wirelab.cells.duration_figures import DurationFigures, percentile_of_all
from wirelab.cells.estimate import Estimate
from wirelab.cells.figures import TOO_FEW_TRIALS, as_least, of_trials, share, total
from wirelab.cells.histogram_figures import HistogramFigures, percentile_of_histograms
from wirelab.cells.kinds import prefix_of
from wirelab.cells.levels import with_uncensored
from wirelab.cells.measured import MeasuredTrial
from wirelab.cells.recorded_operations import DurationSamples
from wirelab.cells.resource_metrics import resource_metrics
from wirelab.cells.split import PARTS, split
from wirelab.cells.timelines import lines_by_name
from wirelab.cells.trends import trend_metrics
from wirelab.cells.wire_metrics import traffic_metrics, was_seen, whole_ones, wire_metrics
from wirelab.gates.facts import OperationFacts
from wirelab.model.parts import Operation
from wirelab.model.result import CellSeries, Curve, Split
from wirelab.model.scenario import Scenario
from wirelab.stats.blocks import TimedSamples
from wirelab.stats.bootstrap import Resampling
from wirelab.stats.histograms import HistogramSamples
from wirelab.stats.trials import variation, variation_interval

Trials = Sequence[MeasuredTrial]


def load_estimates(
    trials: Trials,
    scenario: Scenario,
    operations: Sequence[str],
    seed: Sequence[int],
    groups: Groups,
) -> tuple[dict[str, Estimate], CellSeries]:
    """All figures of a cell of a load scenario, and the curves and lines of its charts.

    ``groups`` are the trials of neighbouring blocks.
    """
    windows = [trial.window for trial in trials]
    alike = not any(window.is_ramp for window in windows)
    resampling = Resampling([window.blocks for window in windows], seed, alike=alike)
    metrics: dict[str, Estimate] = {}
    curves: dict[str, Curve] = {}
    splits: dict[str, Split] = {}

    def describe(name: str, durations: Sequence[DurationSamples]) -> None:
        # One kind at a time: its sorted copies are gone before those of the next are made.
        figures = _figures_of(durations, resampling, groups)
        estimates = figures.estimates(name)
        if any(name in trial.uncensored for trial in trials):
            pairs = zip(trials, durations, strict=True)
            everything = [trial.uncensored.get(name, own) for trial, own in pairs]
            estimates = with_uncensored(
                estimates, name, _percentile_of_all(everything), sum(map(len, everything))
            )
        metrics.update(estimates)
        if drawn := figures.curve():
            curves[name] = drawn

    for name in operations:
        operation = scenario.operations[name]
        describe(f"{name}.latency", [trial.service[name] for trial in trials])
        if scenario.is_scheduled:
            describe(f"{name}.response", [trial.response[name] for trial in trials])
        for kind in (prefix_of(name, kind) for kind in operation.kinds):
            if any(len(trial.uncensored.get(kind, trial.kinds[kind])) for trial in trials):
                describe(kind, [trial.kinds[kind] for trial in trials])
        metrics |= _outcome_metrics(name, trials, operation)
        if was_seen(name, trials):
            for part in (f"{name}.wire.{part}" for part in PARTS):
                describe(part, [trial.split[part] for trial in trials])
            metrics |= wire_metrics(name, trials)
            if made_of := split(whole_ones(name, trials)):
                splits[name] = made_of
        if any(trial.facts.operations[name].counts for trial in trials):
            metrics |= count_metrics(name, trials, operation, scenario)
    if scenario.is_followed:
        metrics |= traffic_metrics(trials)
    if scenario.is_scheduled:
        describe("tick.drift", [trial.drift for trial in trials])
    if steps := [trial.closed for trial in trials if trial.closed is not None]:
        metrics |= closed_metrics(steps, scenario, operations)
    series = CellSeries(
        latency={n: c for n in operations if (c := curves.get(f"{n}.latency"))},
        response={n: c for n in operations if (c := curves.get(f"{n}.response"))},
        drift=curves.get("tick.drift"),
        split=splits,
        operations=lines_by_name([trial.timelines.operations for trial in trials]),
        resources=lines_by_name([trial.timelines.resources for trial in trials]),
        network=[own for trial in trials if (own := trial.timelines.network) is not None],
    )
    metrics |= trend_metrics([trial.trends for trial in trials], operations, scenario)
    metrics |= connection_metrics([trial.opened for trial in trials], scenario)
    return metrics | resource_metrics(trials, scenario), series


def _figures_of(
    durations: Sequence[DurationSamples], resampling: Resampling, groups: Groups
) -> DurationFigures | HistogramFigures:
    if resampling.blocks != [one.blocks for one in durations]:
        # What happens at joining, and what is kept by whole seconds, has a window of its own.
        blocks = [one.blocks for one in durations]
        resampling = Resampling(blocks, resampling.seed, alike=resampling.alike)
    histograms = [one for one in durations if isinstance(one, HistogramSamples)]
    if histograms:
        return HistogramFigures(histograms, resampling, groups)
    return DurationFigures(_timed(durations), resampling, groups)


def _percentile_of_all(
    durations: Sequence[DurationSamples],
) -> Callable[[float], float] | None:
    histograms = [one for one in durations if isinstance(one, HistogramSamples)]
    return (
        percentile_of_histograms(histograms) if histograms else percentile_of_all(_timed(durations))
    )


def _timed(durations: Sequence[DurationSamples]) -> list[TimedSamples]:
    return [one for one in durations if isinstance(one, TimedSamples)]


def _outcome_metrics(name: str, trials: Trials, operation: Operation) -> dict[str, Estimate]:
    facts = [trial.facts.operations[name] for trial in trials]
    done = [f.statuses.get("ok", 0) for f in facts]
    metrics = {
        f"{name}.rate": _rate(name, trials, operation),
        f"{name}.miss.count": total([f.missed for f in facts]),
        f"{name}.error.count": total([f.failed for f in facts]),
        f"{name}.error.ratio": share([f.failed for f in facts], [f.sent for f in facts]),
        f"{name}.cv": _variation(facts),
    }
    due = [f.expected if f.expected is not None else f.sent for f in facts]
    metrics[f"{name}.miss.ratio"] = share([f.missed for f in facts], due)
    if all(f.expected is not None for f in facts):
        metrics[f"{name}.attainment"] = share(done, due)
    return metrics


def _rate(name: str, trials: Trials, operation: Operation) -> Estimate:
    """Items a second; where nothing was due or begun in quiet time in any trial, of all its time:
    a count that was made is told, and ``host-disturbed`` says what it is worth."""
    facts = [trial.facts.operations[name] for trial in trials]
    pairs = list(zip(facts, trials, strict=True))
    quiet = [_quiet_rate(own, trial, operation) for own, trial in pairs]
    everything = [_whole_rate(own, trial, operation) for own, trial in pairs]
    if all(rate is None for rate in quiet) or quiet == everything:
        return of_trials(everything)
    found = replace(of_trials(quiet), uncensored=float(np.mean(everything)))
    unknown = any(own.quiet_rate is not None and own.quiet_rate.at_least for own in facts)
    return as_least(found) if unknown else found


def _quiet_rate(facts: OperationFacts, trial: MeasuredTrial, operation: Operation) -> float | None:
    """Rate of a window disturbed in part: as many as are due a second, times the share that was
    done of those due in quiet time. Its length would not do: it resumes where operations end.
    """
    if trial.window.closed and trial.disturbed and operation.record == "samples":
        rate = facts.quiet_rate
        return None if rate is None else rate.per_second * operation.items
    if facts.quiet is None or facts.expected is None:
        return _whole_rate(facts, trial, operation)
    if not facts.quiet.due:
        return None
    length = facts.seconds or trial.facts.window_seconds
    return facts.quiet.done / facts.quiet.due * facts.expected * operation.items / length


def _whole_rate(facts: OperationFacts, trial: MeasuredTrial, operation: Operation) -> float:
    length = facts.seconds or trial.facts.window_seconds
    return facts.statuses.get("ok", 0) * operation.items / length


def _variation(facts: Sequence[OperationFacts]) -> Estimate:
    means = [f.mean_ms for f in facts if f.mean_ms is not None]
    cv = variation(means)
    if cv is None:
        return Estimate.absent(TOO_FEW_TRIALS, has=len(means), needs=2)
    low, high = variation_interval(cv, len(means))
    return Estimate(cv * 100, (low * 100, high * 100), n=len(means))
