"""Metrics of resources: of the contender's role by their plain names, of others by role.

``total`` is the contender's role with those beside it (such as a broker it needs).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from wirelab.cells.estimate import Estimate
from wirelab.cells.figures import NOT_MEASURED, NOT_REPORTED, TOO_SHORT, UNWATCHED, of_trials
from wirelab.cells.measured import MeasuredTrial
from wirelab.cells.resources import CORE, RoleUse
from wirelab.model.result import Unsupported
from wirelab.model.scenario import Scenario
from wirelab.monitor.look import PERIOD_NS
from wirelab.stats import percentiles
from wirelab.stats.trials import trials_interval

Trials = Sequence[MeasuredTrial]
Uses = Sequence[RoleUse | None]

_A_SECOND = 1_000_000_000 // PERIOD_NS
"""Intervals of the monitor that make a second."""


def resource_metrics(trials: Trials, scenario: Scenario) -> dict[str, Estimate]:
    """CPU, memory, switches, heap and collections of a cell; loopback traffic of the host."""
    subject = scenario.subject_role
    metrics = _own_metrics([trial.uses.get(subject) for trial in trials])
    metrics |= _runtime_metrics(trials)
    for role in _present(trials, scenario):
        if role != subject:
            uses = [trial.uses.get(role) for trial in trials]
            metrics[f"{role}.cpu.mean"] = _mean(uses, lambda use: use.cpu_cores * 100)
            metrics[f"{role}.rss.max"] = _highest(
                [None if use is None else use.rss_max_mb for use in uses]
            )
    if scenario.has_generator:
        metrics |= _total_metrics(trials, scenario)
    core = [trial.uses.get(CORE) for trial in trials]
    metrics["core.cpu.mean"] = _mean(core, lambda use: use.cpu_cores * 100)
    for at, name in enumerate(("rx", "tx")):
        flows = [trial.loopback_mb_per_second for trial in trials]
        metrics[f"net.loopback.{name}"] = of_trials([flow and flow[at] for flow in flows])
    if trials and not any(trial.facts.resolved for trial in trials):
        return _absent_because(TOO_SHORT, metrics)
    if trials and all(trial.facts.unseen_seconds is not None for trial in trials):
        return _absent_because(UNWATCHED, metrics)
    return metrics


def _absent_because(code: str, metrics: Mapping[str, Estimate]) -> dict[str, Estimate]:
    """With the reason why the monitor tells nothing, where it was to tell it."""
    return {
        name: replace(metric, unsupported=Unsupported(code=code))
        if metric.unsupported is not None and metric.unsupported.code == NOT_MEASURED
        else metric
        for name, metric in metrics.items()
    }


def _present(trials: Trials, scenario: Scenario) -> list[str]:
    """The scenario's roles, without optional ones that no trial of the cell had."""
    seen = {role for trial in trials for role in trial.facts.record.roles}
    return [n for n, role in scenario.roles.items() if not role.optional or n in seen]


def _contender_uses(trials: Trials, scenario: Scenario) -> list[list[RoleUse]]:
    """Use of the contender's role and of those beside it, for each trial."""
    subject = scenario.subject_role
    beside = [name for name, role in scenario.roles.items() if role.colocated_with == subject]
    return [
        [use for role in (subject, *beside) if (use := trial.uses.get(role)) is not None]
        for trial in trials
    ]


def _total_metrics(trials: Trials, scenario: Scenario) -> dict[str, Estimate]:
    """Sums of means and of maxima: the memory of both at their worst, though not at once."""
    uses = _contender_uses(trials, scenario)
    cpu = [sum(use.cpu_cores for use in own) * 100 if own else None for own in uses]
    rss = [sum(use.rss_max_mb for use in own) if own else None for own in uses]
    return {"total.cpu.mean": of_trials(cpu), "total.rss.max": _highest(rss)}


def contender_cpu_seconds(trials: Trials, scenario: Scenario) -> list[float | None]:
    """CPU time of the contender, what stands beside it included, over each trial's window.

    None of a closed loop's steps together: what is done between them is in it, and in no count.
    """
    uses = _contender_uses(trials, scenario)
    return [
        sum(use.cpu_cores for use in own) * trial.window.seconds
        if own and len(trial.window.spans) == 1
        else None
        for own, trial in zip(uses, trials, strict=True)
    ]


def role_cpu_seconds(trials: Trials, role: str) -> list[float | None]:
    """CPU time of a role over each trial's window, likewise."""
    return [
        use.cpu_cores * trial.window.seconds
        if (use := trial.uses.get(role)) and len(trial.window.spans) == 1
        else None
        for trial in trials
    ]


def _own_metrics(uses: Uses) -> dict[str, Estimate]:
    return {
        "cpu.mean": _mean(uses, lambda use: use.cpu_cores * 100),
        "cpu.p95": _cpu_percentile(uses),
        "cpu.max": _busiest_second(uses),
        "rss.start": _mean(uses, lambda use: use.rss_start_mb),
        "rss.max": _highest([None if use is None else use.rss_max_mb for use in uses]),
        "rss.growth": of_trials(
            [None if use is None else use.rss_growth_mb for use in uses], signed=True
        ),
        "switches.voluntary.rate": _mean(uses, lambda use: use.voluntary_per_second),
        "switches.involuntary.rate": _mean(uses, lambda use: use.involuntary_per_second),
        "scheduler.delay": _mean(uses, lambda use: use.delay_share * 100),
    }


def _runtime_metrics(trials: Trials) -> dict[str, Estimate]:
    said = [trial.runtime for trial in trials]
    heaps, pauses = [use.heap_max_mb for use in said], [use.gc_pause_ms for use in said]
    counts = [use.gc_count for use in said]
    allocated = [use.allocated_mb_per_second for use in said]
    why = TOO_SHORT if any(use.too_short for use in said) else NOT_REPORTED
    # Few runtimes count it: for the others there is no row in which nothing stands.
    counted = any(rate is not None for rate in allocated)
    return {
        **({"heap.allocated.rate": of_trials(allocated)} if counted else {}),
        "heap.max": of_trials(heaps, max, estimate=False, absent=why),
        "gc.pause.total": of_trials(pauses, absent=why),
        "gc.count": of_trials(counts, absent=why),
        "startup.time": of_trials([trial.startup_ms for trial in trials]),
    }


def _mean(uses: Uses, value: Callable[[RoleUse], float]) -> Estimate:
    return of_trials([None if use is None else value(use) for use in uses])


def _highest(values: Sequence[float | None]) -> Estimate:
    return of_trials(values, max, estimate=False)


def _cpu_percentile(uses: Uses) -> Estimate:
    """p95 of the monitor's intervals, pooled: what the process needs when it needs most."""
    known = [np.sort(use.cpu_intervals) * 100 for use in uses if use is not None]
    metric = of_trials([None if use is None else _p95(use.cpu_intervals) for use in uses])
    if metric.value is None:
        return metric
    pooled = percentiles.pooled(known)
    value = float(percentiles.percentile(pooled, 95))
    interval = trials_interval(value, [float(percentiles.percentile(own, 95)) for own in known])
    return replace(metric, value=value, interval=interval, n=len(pooled))


def _busiest_second(uses: Uses) -> Estimate:
    """The most of any second: single intervals of the monitor are too short to tell a load."""
    seconds = [None if use is None else _of_a_second(use.cpu_intervals) for use in uses]
    return of_trials(seconds, max, estimate=False)


def _of_a_second(intervals: npt.NDArray[np.float64]) -> float | None:
    """The highest mean of as many intervals as a second has; None of less than a second."""
    if len(intervals) < _A_SECOND:
        return None
    means = np.convolve(intervals, np.full(_A_SECOND, 1 / _A_SECOND), "valid")
    return float(means.max()) * 100


def _p95(intervals: npt.NDArray[np.float64]) -> float:
    return float(percentiles.percentile(np.sort(intervals), 95)) * 100
