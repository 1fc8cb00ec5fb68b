"""What only a step of a closed loop has: how long it took, and how evenly it served its users.

Nothing in a closed loop is due at a time, so there are neither response times nor drift nor a
rate that was asked for; but its work is fixed, and the time for it is a figure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from wirelab.cells import statuses
from wirelab.cells.estimate import Estimate
from wirelab.cells.figures import of_trials
from wirelab.cells.operations import within
from wirelab.cells.trial_files import Samples
from wirelab.cells.window import Window
from wirelab.model.parts import Operation
from wirelab.model.scenario import Scenario

NEVER_REACHED = "never-reached"
NOT_SUPPORTED = "not-supported"


@dataclass(frozen=True)
class Served:
    """How the users of a step fared with an operation that each of them does once in it."""

    first_ms: float | None  # of user 0; None: never completed
    last_ms: float | None
    fairness: float | None


@dataclass(frozen=True)
class ClosedFigures:
    """One step of one trial."""

    elapsed: float  # s, from its begin to its end
    marks: Mapping[str, Mapping[int, float]] = field(default_factory=dict)
    """By operation: s until so many of it were completed; those that were reached."""
    asked: Mapping[str, int] = field(default_factory=dict)  # of operations with marks
    served: Mapping[str, Served] = field(default_factory=dict)


def closed_figures(
    window: Window, operations: Mapping[str, Operation], samples: Mapping[str, Samples]
) -> ClosedFigures | None:
    """Figures of a step; None for a window that is not one step of a closed loop.

    ``operations`` are those with samples, ``samples`` theirs, in order.
    """
    if not window.closed or len(window.spans) != 1:
        return None
    marked = {name: operation for name, operation in operations.items() if operation.marks}
    return ClosedFigures(
        elapsed=window.seconds,
        marks={name: _marks(samples[name], own, window) for name, own in marked.items()},
        asked={name: window.expected(operation) for name, operation in marked.items()},
        served={
            name: _served(samples[name], window, window.expected(operation))
            for name, operation in operations.items()
            if operation.due == "step"
        },
    )


def _marks(samples: Samples, operation: Operation, window: Window) -> dict[int, float]:
    """Time until the N-th was completed, over all lanes: since the step began; of users who join,
    who do so before it begins, since the first of them began to.
    """
    inside = within(samples, window.for_operation(operation))
    since = window.begin_ns
    if operation.due == "join" and len(inside):
        since = int(inside.start_ns.min())
    ends = np.sort(inside.end_ns[inside.status == statuses.OK])
    return {n: int(ends[n - 1] - since) / 1e9 for n in operation.marks if n <= len(ends)}


def _served(samples: Samples, window: Window, users: int) -> Served:
    inside = within(samples, window)
    good = inside.where(inside.status == statuses.OK)
    took = dict(zip(good.lane.tolist(), (good.end_ns - good.start_ns).tolist(), strict=True))
    first, last = (took.get(user) for user in (0, users - 1))
    return Served(
        None if first is None else first / 1e6,
        None if last is None else last / 1e6,
        fairness([1 / max(1, ns) for ns in took.values()], users),
    )


def fairness(rates: Sequence[float], users: int) -> float | None:
    """Jain's index (sum x)^2 / (n sum x^2) of the rates x at which users were served, between 1
    (all alike) and 1 / n (one got everything); None where nobody got anything.

    R. Jain, D. Chiu, W. Hawe: A Quantitative Measure of Fairness and Discrimination for Resource
    Allocation in Shared Computer Systems, DEC-TR-301, 1984. The index is of what users *get*, so
    it takes rates, 1 / duration, and not durations: who waits long got little (a duration would
    count that as much), and who never got anything has the rate 0, where a duration has no value.
    """
    total = float(sum(rates))
    squares = float(sum(rate * rate for rate in rates))
    return total * total / (users * squares) if squares > 0 else None


Steps = Sequence[ClosedFigures]


def closed_metrics(
    steps: Steps, scenario: Scenario, operations: Sequence[str]
) -> dict[str, Estimate]:
    """Metrics of a step over its trials: s until its end and its marks, ms of single users."""
    metrics = {"step.elapsed": of_trials([step.elapsed for step in steps])}
    for name in operations:
        operation = scenario.operations[name]
        if operation.record != "samples":
            # Of what is counted by the second nobody knows when the N-th came.
            absent = Estimate.absent(NOT_SUPPORTED)
            metrics |= {f"{name}.elapsed.{n}": absent for n in operation.marks}
            continue
        for n in operation.marks:
            if any(step.asked[name] >= n for step in steps):
                reached = [step.marks[name].get(n) for step in steps]
                metrics[f"{name}.elapsed.{n}"] = of_trials(reached, absent=NEVER_REACHED)
        if operation.due == "step":
            metrics |= _user_metrics(name, [step.served[name] for step in steps])
    return metrics


def _user_metrics(name: str, served: Sequence[Served]) -> dict[str, Estimate]:
    def over_trials(of_one: Callable[[Served], float | None]) -> Estimate:
        return of_trials([of_one(one) for one in served], absent=NEVER_REACHED)

    even = over_trials(lambda one: one.fairness)
    if even.interval is not None:
        low, high = even.interval
        even = replace(even, interval=(low, min(high, 1.0)))
    return {
        f"{name}.first": over_trials(lambda one: one.first_ms),
        f"{name}.last": over_trials(lambda one: one.last_ms),
        f"{name}.fairness": even,
    }
