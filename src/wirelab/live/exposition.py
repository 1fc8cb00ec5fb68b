"""Figures as Prometheus text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from wirelab.live import families
from wirelab.live.families import Family
from wirelab.live.figures import (
    LiveFigures,
    OperationFigures,
    RoleFigures,
    RunFigures,
    TrialFigures,
)

_NS = 1e9

Value = tuple[Family, tuple[str, ...], float]
"""A family, the values of its labels in their order, and the value."""


@dataclass(frozen=True)
class Exposition(Collector):
    """Collects what ``current`` returns; a registry of its own keeps other metrics out.

    ``stamp`` is the time of the figures in seconds since 1970 for whoever gets them pushed. A
    scraper is given none, because it sets its own and knows how old a target may be.
    """

    current: Callable[[], LiveFigures]
    stamp: float | None = None

    def registry(self) -> CollectorRegistry:
        """A registry with nothing else in it."""
        registry = CollectorRegistry(auto_describe=False)
        registry.register(self)
        return registry

    def collect(self) -> Iterator[Metric]:
        """Families in the order in which they come up, each with all its values."""
        found: dict[str, CounterMetricFamily | GaugeMetricFamily] = {}
        for family, labels, value in values(self.current()):
            if family.name not in found:
                made = CounterMetricFamily if family.kind == "counter" else GaugeMetricFamily
                found[family.name] = made(family.name, family.help, labels=family.labels)
            found[family.name].add_metric(labels, value, timestamp=self.stamp)
        yield from found.values()


def text(figures: LiveFigures, stamp: float | None = None) -> bytes:
    """``figures`` in the text format, each line with the time ``stamp`` in ms where given."""
    return generate_latest(Exposition(lambda: figures, stamp).registry())


def values(figures: LiveFigures) -> Iterator[Value]:
    """Everything there is to say, value by value."""
    if figures.run is not None:
        yield from _of_run(figures.run, figures)
    if figures.trial is not None:
        yield from _of_trial(figures.trial)


def _of_run(run: RunFigures, figures: LiveFigures) -> Iterator[Value]:
    labels = (run.run, run.suite)
    yield families.PLANNED_TRIALS, labels, run.planned
    for status, count in run.ended.items():
        yield families.ENDED_TRIALS, (*labels, status), count
    cost = figures.cost
    yield families.LIVE_CPU, labels, cost.cpu_ns / _NS
    yield families.PUSHES, (*labels, "ok"), cost.pushed
    yield families.PUSHES, (*labels, "failed"), cost.failed


def _of_trial(trial: TrialFigures) -> Iterator[Value]:
    planned = trial.planned
    labels = (trial.run, planned.suite, planned.scenario, planned.contender, planned.id)
    if trial.under_way:
        more = (planned.variant, planned.generator, trial.profile, trial.step)
        yield families.TRIAL_INFO, (*labels, *more), 1
    yield families.ELAPSED, labels, trial.elapsed_ns / _NS
    yield families.SCHEDULED, labels, planned.load.span_ns[1] / _NS
    for operation in trial.operations:
        yield from _labelled(labels, _of_operation(operation))
    for name, role in trial.roles.items():
        yield from _labelled((*labels, name), _of_role(role))


def _labelled(labels: tuple[str, ...], further: Iterable[Value]) -> Iterator[Value]:
    for family, own, value in further:
        yield family, (*labels, *own), value


def _of_operation(operation: OperationFigures) -> Iterator[Value]:
    name = operation.name
    for status, count in operation.statuses.items():
        yield families.OPERATIONS, (name, status), count
    for key, count in operation.totals.items():
        if key in families.COUNTS:
            yield families.COUNTS[key], (name,), count
        else:
            yield families.OTHER, (name, key), count
    if operation.lost is not None:
        yield families.LOST, (name,), operation.lost
    for kind, family in (("service", families.SERVICE), ("response", families.RESPONSE)):
        for level, duration in operation.durations.get(kind, {}).items():
            yield family, (name, f"{level / 100:g}"), duration / _NS


def _of_role(role: RoleFigures) -> Iterator[Value]:
    yield families.CPU, (), role.cpu_ns / _NS
    if role.processes:
        yield families.MEMORY, (), role.rss_bytes
        yield families.PROCESSES, (), role.processes
    for key, number in role.progress.items():
        yield families.PROGRESS, (key,), number
    for key, number in role.runtime.items():
        yield families.RUNTIME, (key,), number
