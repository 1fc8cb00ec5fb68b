"""What the hypervisor took while trials ran, and what follows for their figures.

Steal is counted where a processor wants to run, so that a contender can bring it about. Windows of
it are disturbed time only where they come without regard to who is measured
(``wirelab.stats.fairness``); otherwise nothing is left out, and tails that may be the hypervisor's
are withheld.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from wirelab.cells.disturbed import disturbed_around, is_censored
from wirelab.cells.operations import in_order
from wirelab.cells.recorded import RecordedTrial
from wirelab.cells.window import Window
from wirelab.gates.facts import StolenShare, TrialFacts, main_operation
from wirelab.gates.steal import withheld_levels
from wirelab.model.result import Metric, Unsupported
from wirelab.model.run import Run
from wirelab.model.scenario import Scenario
from wirelab.monitor.foreign import disturbed_windows
from wirelab.monitor.stolen import stolen_windows
from wirelab.stats.disturbed import quiet_operations
from wirelab.stats.fairness import Fairness, QuietStretches, fairness
from wirelab.stats.survival import Distribution

Cells = Mapping[str, Sequence[RecordedTrial]]

_OLD = (95.0, 75.0, 50.0)
"""Percentiles beyond which an operation takes long: the first one that is reached. Where whatever
takes long meets a window, that is never seen to end."""


@dataclass(frozen=True)
class _Seen:
    """One trial, as far as it tells how steal came to it."""

    lost: float
    stretches: QuietStretches


class Steal:
    """Judges how steal came to the contenders of a run; what it saw of a trial is kept."""

    def __init__(self) -> None:
        self._seen: dict[str, _Seen] = {}

    def judged(self, cells: Cells, run: Run) -> dict[str, list[RecordedTrial]]:
        """The same cells, whose trials know how steal came to their table."""
        tables: dict[tuple[str, str, str], dict[str, Sequence[RecordedTrial]]] = {}
        for trials in cells.values():
            planned = trials[0].planned
            scenario = run.scenarios[planned.scenario]
            if not trials[0].step and is_censored(scenario):
                table = (planned.scenario, planned.variant, planned.generator)
                counted = [trial for trial in trials if trial.counts and trial.files.stolen]
                tables.setdefault(table, {})[planned.contender] = counted
        found = {
            trial.planned.id: how
            for (name, _, _), table in tables.items()
            for trial, how in self._table(table, run.scenarios[name])
        }
        return {
            cell: [replace(trial, steal=found.get(trial.planned.id)) for trial in trials]
            for cell, trials in cells.items()
        }

    def _table(
        self, table: Mapping[str, Sequence[RecordedTrial]], scenario: Scenario
    ) -> list[tuple[RecordedTrial, Fairness]]:
        """The trials of a table, each with how steal came; none where there was no steal."""
        contenders = [trials for trials in table.values() if trials]
        trials = [trial for own in contenders for trial in own]
        if not any(len(stolen_windows(**trial.files.stolen)) for trial in trials):
            return []
        for trial in trials:
            if trial.planned.id not in self._seen:
                self._seen[trial.planned.id] = _seen(trial, scenario)
                trial.files.forget()
        blocks = sorted({trial.planned.block for trial in trials})
        lost = np.full((len(blocks), len(contenders)), np.nan)
        for column, own in enumerate(contenders):
            for trial in own:
                row = blocks.index(trial.planned.block)
                lost[row, column] = self._seen[trial.planned.id].lost
        stretches = [
            QuietStretches.pooled([self._seen[trial.planned.id].stretches for trial in own])
            for own in contenders
        ]
        judged = fairness(stretches, lost)
        return [(trial, how) for own, how in zip(contenders, judged, strict=True) for trial in own]


def _seen(trial: RecordedTrial, scenario: Scenario) -> _Seen:
    if trial.record is None:
        raise ValueError(f"{trial.planned.id} has no record")
    window = Window.of(trial.planned, trial.record)
    span = (window.begin_ns, window.end_ns)
    written = trial.files.samples
    samples = in_order(written.from_starts() if window.closed else written)
    stolen = stolen_windows(**trial.files.stolen)
    windows = np.concatenate([disturbed_windows(**trial.files.host), stolen])
    around = disturbed_around(windows, samples, window, scenario)
    name = main_operation(scenario, trial.planned.operations)
    own = samples.where(samples.op == scenario.operations[name].code)
    quiet = quiet_operations(around, own.intended_ns, own.end_ns)
    took = Distribution.of(quiet.durations, quiet.ended)
    length = np.clip(stolen[:, 1], *span) - np.clip(stolen[:, 0], *span)
    return _Seen(
        lost=float(length.sum()) / (span[1] - span[0]),
        stretches=QuietStretches.of(
            span,
            around.within(*span),
            own.intended_ns,
            quiet,
            _long(took),
            windows=stolen[:, 0],
        ),
    )


def _long(took: Distribution) -> int:
    """The time after which an operation is an old one."""
    if not len(took.ordered):
        return 0
    levels = (took.percentile(level) for level in _OLD)
    return next((one.value for one in levels if one.reached), int(took.ordered[0]))


def stolen_share(trial: RecordedTrial, window: Window) -> StolenShare | None:
    """What the hypervisor took of all processors in a window; None where nobody knows."""
    if not trial.files.stolen:
        return None
    at, stolen = trial.files.stolen["monotonic_ns"], trial.files.stolen["stolen_ns"]
    if len(at) < 2:
        return None
    taken = stolen.sum(axis=1)
    inside = sum(
        float(np.diff(np.interp(np.array(span), at, taken - taken[0]))[0]) for span in window.spans
    )
    share = inside / (window.seconds * 1e9 * stolen.shape[1])
    return StolenShare(share=share, fairness=trial.steal)


def without_tails(metrics: dict[str, Metric], trials: Sequence[TrialFacts]) -> dict[str, Metric]:
    """The same without the percentiles that may be the hypervisor's, and why."""
    levels, how = withheld_levels(trials)
    if how is None:
        return metrics
    reason = Unsupported(code=f"steal-{how}")
    return {
        name: Metric(value=None, unit=metric.unit, unsupported=reason)
        if metric.value is not None and name.endswith(levels)
        else metric
        for name, metric in metrics.items()
    }
