"""Operations of one trial in its window, all of them and those of quiet time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from wirelab.cells.disturbed import trial_disturbed
from wirelab.cells.intervals import OperationIntervals
from wirelab.cells.kinds import kind_durations
from wirelab.cells.operations import OperationDurations, in_order
from wirelab.cells.recorded import RecordedTrial
from wirelab.cells.recorded_operations import (
    DurationSamples,
    RecordedOperations,
    by_metric,
    durations_of,
)
from wirelab.cells.trial_files import Samples
from wirelab.cells.window import Window
from wirelab.cells.wire import OnTheWire, split_durations
from wirelab.gates.facts import OperationFacts
from wirelab.model.parts import Operation
from wirelab.model.scenario import Scenario
from wirelab.stats.blocks import TimedSamples
from wirelab.stats.disturbed import UNDISTURBED, DisturbedTime


def samples_of(trial: RecordedTrial, window: Window) -> Samples:
    """Records of a trial by intended time, which in a closed loop is that of their start."""
    written = trial.files.samples
    return in_order(written.from_starts() if window.closed else written)


@dataclass(frozen=True)
class TrialOperations:
    """Operations of a trial, or of the step of it that is looked at."""

    trial: RecordedTrial
    scenario: Scenario
    window: Window
    samples: Samples
    """All records of the trial, as ``samples_of`` has them."""
    operations: Mapping[str, Operation]
    sampled: Mapping[str, Operation]
    """Operations with a record each; the others are recorded by the second."""
    recorded: RecordedOperations
    durations: Mapping[str, OperationDurations]
    """Durations of the sampled ones, disturbed or not."""
    quiet: Mapping[str, OperationDurations]
    """Durations in quiet time."""

    @staticmethod
    def of(trial: RecordedTrial, scenario: Scenario, window: Window) -> TrialOperations:
        """Operations of ``trial`` within ``window``."""
        planned = trial.planned
        samples = samples_of(trial, window)
        operations = {name: scenario.operations[name] for name in planned.operations}
        sampled = {name: one for name, one in operations.items() if one.record == "samples"}
        by_name = {name: samples.where(samples.op == one.code) for name, one in sampled.items()}
        by_second = {
            name: trial.files.intervals.get(name, OperationIntervals())
            for name in operations
            if name not in sampled
        }
        disturbed = trial_disturbed(trial, samples, window, scenario)
        limit = scenario.operation_limit
        durations = {name: OperationDurations.of(chosen) for name, chosen in by_name.items()}
        quiet = {
            name: OperationDurations.quiet(chosen, disturbed) if disturbed else durations[name]
            for name, chosen in by_name.items()
        }
        recorded = RecordedOperations(
            by_name,
            by_second,
            trial.files.intervals,
            disturbed,
            {name: own.quiet_seconds(window, disturbed, limit) for name, own in by_second.items()},
            by_tick=not planned.generator,
        )
        return TrialOperations(
            trial,
            scenario,
            window,
            samples,
            operations,
            sampled,
            recorded,
            durations,
            quiet,
        )

    @property
    def disturbed(self) -> DisturbedTime:
        """Time in which nothing has a duration."""
        return self.recorded.disturbed

    @property
    def by_name(self) -> Mapping[str, Samples]:
        """Records of each sampled operation."""
        return self.recorded.sampled

    @property
    def facts(self) -> dict[str, OperationFacts]:
        """Facts of each operation over its window."""
        return {
            name: self.recorded.facts(name, self.scenario, self.window) for name in self.operations
        }

    def times(self) -> tuple[dict[str, DurationSamples], dict[str, DurationSamples]]:
        """Service and response times of every operation within the quiet time of its window."""
        return durations_of(self.quiet, self.recorded, self.operations, self.window)

    def kinds(self, disturbed: DisturbedTime) -> dict[str, TimedSamples]:
        """Service times of the kinds of operations, without disturbed time."""
        return kind_durations(
            self.trial.files.kinds, self.by_name, self.sampled, self.window, disturbed
        )

    def uncensored(self, wire: Mapping[str, OnTheWire]) -> dict[str, DurationSamples]:
        """By metric: all durations, where some were left out or cut off; else nothing."""
        if not self.disturbed:
            return {}
        seconds = dict.fromkeys(self.recorded.by_second)
        whole = replace(self.recorded, disturbed=UNDISTURBED, seconds=seconds)
        found = by_metric(*durations_of(self.durations, whole, self.operations, self.window))
        found |= split_durations(wire, self.sampled, self.window, UNDISTURBED)
        return found | self.kinds(UNDISTURBED)
