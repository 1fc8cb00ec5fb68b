"""Figures of each second of a trial, warm-up included, for charts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from wirelab.cells.flow import counted_rate, network_flow, sampled_rate
from wirelab.cells.intervals import OperationIntervals
from wirelab.cells.operations import OperationDurations, block_figures, second_figures
from wirelab.cells.resources import HOST, Rows, second_use
from wirelab.cells.runtime import RuntimeUse, second_heap
from wirelab.cells.window import Window
from wirelab.model.parts import Operation
from wirelab.model.result import Timeline
from wirelab.stats.blocks import BLOCK_NS, TimedSamples
from wirelab.stats.histograms import merged

MAX_POINTS = 600
"""Points of one line: more than a chart has pixels. Longer trials get longer steps."""

UNDER_WAY = "under_way"
"""Operations of a closed loop that were under way, the mean of a point's time: as many as users,
where these wait for nothing but answers."""

_DIGITS = 4
_DECIMALS = 3
"""Decimals of what was counted: its sum over the seconds is the count."""

Columns = Mapping[str, npt.NDArray[np.float64]]


@dataclass(frozen=True)
class TrialTimelines:
    """Lines of one trial."""

    operations: Mapping[str, Timeline] = field(default_factory=dict)
    resources: Mapping[str, Timeline] = field(default_factory=dict)
    network: Timeline | None = None


@dataclass(frozen=True)
class Trace:
    """Source data of the lines of a chart."""

    durations: Mapping[str, OperationDurations]  # by operation, all of the trial
    by_second: Mapping[str, OperationIntervals]  # those that were recorded by the second
    monitored: Mapping[str, Rows]  # by role
    runtime: RuntimeUse
    subject_role: str
    operations: Mapping[str, Operation] = field(default_factory=dict)
    counted: Mapping[str, OperationIntervals] = field(default_factory=dict)  # beside samples too


def trial_timelines(
    trial: str, trace: Trace, window: Window, roles: Sequence[str]
) -> TrialTimelines:
    """Lines of every operation and of ``roles``, from tick 0 to the end of the schedule."""
    edges = _edges(window)
    seconds = [float(at) for at in (edges[:-1] - window.tick0_ns) / 1e9]

    def line(values: Columns, counted: Columns | None = None) -> Timeline:
        rounded = {name: rounded_values(column) for name, column in values.items()}
        whole = {name: _counted_values(column) for name, column in (counted or {}).items()}
        return Timeline(trial=trial, seconds=seconds, values=rounded | whole)

    operations = {}
    for name, whole in trace.durations.items():
        bounds = np.searchsorted(whole.intended_ns, edges)
        figures = second_figures(TimedSamples(whole.service, bounds))
        values = dict(zip(("p50", "p95", "max"), figures.T, strict=True))
        if window.closed:
            values[UNDER_WAY] = _under_way(whole, edges)
        operations[name] = line(values, sampled_rate(whole, trace.operations[name], edges))
    step = int(edges[1] - edges[0]) // BLOCK_NS
    for name, by_second in trace.by_second.items():
        blocks = by_second.all_durations("service", range(step * len(seconds)))
        columns = zip(("p50", "p95", "max"), block_figures(merged(blocks, step)).T, strict=True)
        rate = counted_rate(by_second, trace.operations[name], edges)
        operations[name] = line(dict(columns), rate)
    resources = {}
    for role in roles:
        if role in trace.monitored:
            values = second_use(trace.monitored[role], edges)
            if role == trace.subject_role and trace.runtime.heap:
                values["heap"] = second_heap(trace.runtime.heap, edges)
            resources[role] = line(values)
    flow = network_flow(trace.counted, trace.monitored.get(HOST), edges)
    return TrialTimelines(operations, resources, line(flow) if flow else None)


def _under_way(
    durations: OperationDurations, edges: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:
    """Operations under way between consecutive edges, in the mean of that time."""
    starts = durations.intended_ns - edges[0]
    spent = _passed(starts, edges) - _passed(np.sort(starts + durations.service), edges)
    return np.diff(spent) / np.diff(edges)


def _passed(at: npt.NDArray[np.int64], edges: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Time since each of ``at``, in order and counted from the first edge, summed at the edges."""
    until = edges - edges[0]
    before = np.searchsorted(at, until)
    sums = np.concatenate(([0.0], np.cumsum(at, dtype=np.float64)))
    passed: npt.NDArray[np.float64] = before * until.astype(np.float64) - sums[before]
    return passed


def _edges(window: Window) -> npt.NDArray[np.int64]:
    """The edges of all points, in ns: whole seconds after tick 0, the last at or after the end."""
    length = window.end_ns - window.tick0_ns
    seconds = -(-length // BLOCK_NS)
    step = -(-seconds // MAX_POINTS) * BLOCK_NS
    return window.tick0_ns + np.arange(-(-length // step) + 1) * step


def rounded_values(values: npt.NDArray[np.float64]) -> list[float | None]:
    """Values to four significant digits, None for nan: charts need no more, files do."""
    return [None if np.isnan(value) else float(f"{value:.{_DIGITS}g}") for value in values]


def _counted_values(values: npt.NDArray[np.float64]) -> list[float | None]:
    """Counted values with decimals enough for their sum to be the count."""
    return [round(float(value), _DECIMALS) for value in values]


def lines_by_name(trials: Sequence[Mapping[str, Timeline]]) -> dict[str, list[Timeline]]:
    """The lines of all trials by operation or role."""
    names = dict.fromkeys(name for trial in trials for name in trial)
    return {name: [trial[name] for trial in trials if name in trial] for name in names}
