"""Records of one trial by operation, and the durations within its window that they give."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from wirelab.cells.intervals import OperationIntervals, QuietSeconds
from wirelab.cells.operation_facts import histogram_facts, operation_facts
from wirelab.cells.operations import OperationDurations
from wirelab.cells.trial_files import Samples
from wirelab.cells.window import Window
from wirelab.gates.facts import DROPPED, OperationFacts
from wirelab.model.parts import Operation
from wirelab.model.scenario import Scenario
from wirelab.stats.blocks import TimedSamples
from wirelab.stats.disturbed import DisturbedTime
from wirelab.stats.histograms import HistogramSamples

DurationSamples = TimedSamples | HistogramSamples


@dataclass(frozen=True)
class RecordedOperations:
    """Records of each operation of a trial, one by one or by the second."""

    sampled: Mapping[str, Samples]
    by_second: Mapping[str, OperationIntervals]
    counts: Mapping[str, OperationIntervals]  # beside samples
    disturbed: DisturbedTime
    seconds: Mapping[str, QuietSeconds | None]  # of those; None: all are quiet
    by_tick: bool

    def facts(self, name: str, scenario: Scenario, window: Window) -> OperationFacts:
        """Facts of one operation over its window."""
        operation = scenario.operations[name]
        if name in self.by_second:
            return histogram_facts(operation, self.by_second[name], window, self.seconds[name])
        facts = operation_facts(
            self.sampled[name],
            operation,
            scenario,
            window,
            by_tick=self.by_tick,
            disturbed=self.disturbed,
        )
        if name not in self.counts:
            return facts
        own, known = window.for_operation(operation), self.counts[name]
        counts = known.counts(own)
        quiet = known.quiet_seconds(own, self.disturbed, scenario.operation_limit)
        beside = counts.get(DROPPED, 0) - known.counts(own, quiet).get(DROPPED, 0)
        return replace(
            facts,
            counts=counts,
            # Two counts of one payload, where there are both.
            payload=max(facts.payload, counts.get("bytes", 0)),
            unattributed=facts.unattributed + beside,
        )


def durations_of(
    sampled: Mapping[str, OperationDurations],
    recorded: RecordedOperations,
    operations: Mapping[str, Operation],
    window: Window,
) -> tuple[dict[str, DurationSamples], dict[str, DurationSamples]]:
    """Service and response times of every operation within the quiet time of its window."""
    service: dict[str, DurationSamples] = {}
    response: dict[str, DurationSamples] = {}
    for name, operation in operations.items():
        if name in recorded.by_second:
            by_second, seconds = recorded.by_second[name], recorded.seconds[name]
            service[name] = by_second.durations("service", window, seconds)
            response[name] = by_second.durations("response", window, seconds)
        else:
            own = window.for_operation(operation)
            chosen = sampled[name].within(own)
            service[name], response[name] = chosen.cut(own, recorded.disturbed)
    return service, response


def by_metric(
    service: Mapping[str, DurationSamples], response: Mapping[str, DurationSamples]
) -> dict[str, DurationSamples]:
    """Durations by their metric."""
    return {f"{name}.latency": one for name, one in service.items()} | {
        f"{name}.response": one for name, one in response.items()
    }
