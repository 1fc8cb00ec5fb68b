"""Whether what disturbed the trials of a run came without regard to who was measured.

Steal is counted where a processor wants to run, so that a contender can bring it about: it is
disturbed time only where it came to all alike. Other programs take the time that they need; that a
contender calls on them is looked for, and accused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from wirelab.cells.disturbed import disturbed_around, is_censored
from wirelab.cells.operations import in_order
from wirelab.cells.recorded import RecordedTrial
from wirelab.cells.window import Window
from wirelab.gates.facts import main_operation
from wirelab.model.run import Run
from wirelab.model.scenario import Scenario
from wirelab.monitor.foreign import Ints, disturbed_windows
from wirelab.monitor.stolen import stolen_windows
from wirelab.stats.disturbed import QuietOperations, quiet_operations
from wirelab.stats.fairness import Fairness, QuietStretches, fairness, is_attracting
from wirelab.stats.survival import Distribution

Cells = Mapping[str, Sequence[RecordedTrial]]

_OLD = (95.0, 75.0, 50.0)
"""Percentiles beyond which an operation takes long: the first one that is reached. Where whatever
takes long meets a window, that is never seen to end."""


@dataclass(frozen=True)
class _TrialDisturbance:
    """One trial, as far as it tells how disturbances came to it."""

    lost: float
    """Share of its time that was stolen."""
    stolen: QuietStretches
    foreign: QuietStretches


@dataclass(frozen=True)
class _DisturbanceCounts:
    """Counts of the disturbances that came to a contender of a table."""

    steal: Fairness | None = None
    attracts: bool = False


class HostFairness:
    """Judges how disturbances came to the contenders of a run; what it saw of a trial is kept."""

    def __init__(self) -> None:
        self._seen: dict[str, _TrialDisturbance] = {}

    def judged(self, cells: Cells, run: Run) -> dict[str, list[RecordedTrial]]:
        """The same cells, whose trials know how disturbances came to their table."""
        tables: dict[tuple[str, str, str], dict[str, Sequence[RecordedTrial]]] = {}
        for trials in cells.values():
            planned = trials[0].planned
            scenario = run.scenarios[planned.scenario]
            if not trials[0].step and is_censored(scenario):
                table = (planned.scenario, planned.variant, planned.generator)
                counted = [trial for trial in trials if trial.counts and trial.files.stolen]
                tables.setdefault(table, {})[planned.contender] = counted
        found: dict[str, _DisturbanceCounts] = {}
        for (name, _, _), by_contender in tables.items():
            contenders = [trials for trials in by_contender.values() if trials]
            judged = self._table(contenders, run.scenarios[name])
            for trials, how in zip(contenders, judged, strict=True):
                found |= {trial.planned.id: how for trial in trials}
        return {
            cell: [
                _knowing(trial, found.get(trial.planned.id, _DisturbanceCounts()))
                for trial in trials
            ]
            for cell, trials in cells.items()
        }

    def _table(
        self, contenders: Sequence[Sequence[RecordedTrial]], scenario: Scenario
    ) -> list[_DisturbanceCounts]:
        """Count the disturbances of each contender of a table, trial by trial."""
        all_trials = [trial for trials in contenders for trial in trials]
        robbed = any(len(stolen_windows(**trial.files.stolen)) for trial in all_trials)
        for trial in all_trials:
            asked = robbed or len(disturbed_windows(**trial.files.host))
            if asked and trial.planned.id not in self._seen:
                self._seen[trial.planned.id] = _seen(trial, scenario)
                trial.files.forget()
        steal = self._steal(contenders) if robbed else [None] * len(contenders)
        attracting = [self._is_attracting(trials) for trials in contenders]
        return [_DisturbanceCounts(*both) for both in zip(steal, attracting, strict=True)]

    def _steal(self, contenders: Sequence[Sequence[RecordedTrial]]) -> list[Fairness]:
        blocks = sorted({trial.planned.block for trials in contenders for trial in trials})
        lost = np.full((len(blocks), len(contenders)), np.nan)
        for column, trials in enumerate(contenders):
            for trial in trials:
                row = blocks.index(trial.planned.block)
                lost[row, column] = self._seen[trial.planned.id].lost
        stretches = [
            QuietStretches.pooled([self._seen[trial.planned.id].stolen for trial in trials])
            for trials in contenders
        ]
        return fairness(stretches, lost)

    def _is_attracting(self, trials: Sequence[RecordedTrial]) -> bool:
        """Whether others ran oftener while something slow of this contender was under way."""
        seen = [self._seen[trial.planned.id] for trial in trials if trial.planned.id in self._seen]
        return bool(seen) and is_attracting(QuietStretches.pooled([one.foreign for one in seen]))


def _knowing(trial: RecordedTrial, how: _DisturbanceCounts) -> RecordedTrial:
    return replace(trial, steal=how.steal, attracts=how.attracts)


def _seen(trial: RecordedTrial, scenario: Scenario) -> _TrialDisturbance:
    if trial.record is None:
        raise ValueError(f"{trial.planned.id} has no record")
    window = Window.of(trial.planned, trial.record)
    span = (window.begin_ns, window.end_ns)
    written = trial.files.samples
    samples = in_order(written.from_starts() if window.closed else written)
    foreign = disturbed_windows(**trial.files.host)
    stolen = stolen_windows(**trial.files.stolen)
    around = disturbed_around(np.concatenate([foreign, stolen]), samples, window, scenario)
    name = main_operation(scenario, trial.planned.operations)
    own = samples.where(samples.op == scenario.operations[name].code)
    quiet = quiet_operations(around, own.intended_ns, own.end_ns)
    strata = window.strata if window.is_ramp else None
    long = long_in_each(quiet, None if strata is None else strata(own.intended_ns[quiet.chosen]))
    by_stolen, by_foreign = (
        QuietStretches.of(
            *(span, around.within(*span), own.intended_ns, quiet, long),
            windows=windows[:, 0],
            strata=strata,
        )
        for windows in (stolen, foreign)
    )
    length = np.clip(stolen[:, 1], *span) - np.clip(stolen[:, 0], *span)
    return _TrialDisturbance(float(length.sum()) / (span[1] - span[0]), by_stolen, by_foreign)


def long_in_each(quiet: QuietOperations, strata: Ints | None) -> int | Ints:
    """The time after which operations are old; of a ramp, that of each one's part of it."""
    if strata is None:
        return _long(Distribution.of(quiet.durations, quiet.ended))
    found = np.zeros(len(strata), dtype=np.int64)
    for number in np.unique(strata):
        own = strata == number
        found[own] = _long(Distribution.of(quiet.durations[own], quiet.ended[own]))
    return found


def _long(took: Distribution) -> int:
    """The time after which an operation is an old one."""
    if not len(took.ordered):
        return 0
    levels = (took.percentile(level) for level in _OLD)
    return next((one.value for one in levels if one.reached), int(took.ordered[0]))
