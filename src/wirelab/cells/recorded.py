"""The trials of a run with what they left, by cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from wirelab.cells.trial_files import TrialFiles
from wirelab.model.planned import PlannedClosed, PlannedTrial
from wirelab.model.run import Run
from wirelab.model.trial import TrialRecord, TrialStatus
from wirelab.samples.run_folder import RunFolder
from wirelab.stats.fairness import Fairness


@dataclass(frozen=True)
class RecordedTrial:
    """A planned trial with its record and its files, as a whole or one step of it."""

    planned: PlannedTrial
    record: TrialRecord | None
    files: TrialFiles
    step: str = ""
    """The step that is looked at; empty: the whole schedule."""
    is_made_up_for: bool = False
    """It was lost to the host, and another trial of its cell stands in its place."""

    steal: Fairness | None = None
    """The way in which the hypervisor's steal came to the contenders of its table; None: not asked.
    """

    attracts: bool = False
    """Other programs ran oftener while something slow of its contender was under way."""

    @property
    def cell(self) -> str:
        """Identifier of the cell it belongs to."""
        return self.planned.cell_of(self.step)

    @property
    def counts(self) -> bool:
        """Whether it belongs into the figures."""
        return self.has_ended_well and not self.is_made_up_for

    @property
    def has_ended_well(self) -> bool:
        """Whether it has all that a figure needs."""
        return (
            self.planned.included
            and self.record is not None
            and self.record.status is TrialStatus.OK
            and self.record.tick0_ns is not None
            and self.files.has_samples
            and self.has_steps
        )

    @property
    def was_lost(self) -> bool:
        """Whether the host took it, as was decided when it ended."""
        return self.record is not None and self.record.lost

    @property
    def has_steps(self) -> bool:
        """Whether its worker said when each step began and ended, where only it can know."""
        if self.record is None or not isinstance(self.planned.load, PlannedClosed):
            return True
        return set(self.planned.load.step_names) <= self.record.steps.keys()


def recorded_trial(folder: RunFolder, run: Run, planned: PlannedTrial) -> RecordedTrial:
    """A trial of a run with its record, as far as there is one.

    One whose files cannot be read has no figures, and takes none from the others.
    """
    scenario = run.scenarios[planned.scenario]
    record = folder.read_record(planned.id)
    files = TrialFiles(folder.trial(planned.id), scenario.measured_role)
    if record is not None and record.status is TrialStatus.OK and files.unreadable:
        unreadable = {"reason": "unreadable", "detail": files.unreadable}
        record = record.model_copy(update={"status": TrialStatus.FAILED, **unreadable})
    return RecordedTrial(planned, record, files)


def recorded_cells(path: Path, run: Run) -> dict[str, list[RecordedTrial]]:
    """The trials of each cell of the run, in the order of the plan.

    A trial with steps is in the cell of its whole schedule and in one for each step; a probe is
    one of many loads of its only step, and in the cell of its search alone.
    """
    folder = RunFolder(path)
    cells: dict[str, list[RecordedTrial]] = {}
    trials = [recorded_trial(folder, run, planned) for planned in run.plan]
    for trial in _made_up_for(trials):
        planned = trial.planned
        cells.setdefault(planned.cell, []).append(trial)
        for step in planned.load.step_names if planned.probe is None else ():
            part = replace(trial, step=step)
            cells.setdefault(part.cell, []).append(part)
    return cells


def _made_up_for(trials: Sequence[RecordedTrial]) -> list[RecordedTrial]:
    """The trials of a run; those lost to the host are told of which another one that was not lost
    has taken the place.

    The host alone decides that, so that no figure is chosen by what it is. As long as all that
    repeat a trial were lost as well, or did not end well, all of them count: what is left of their
    time is better than nothing.
    """
    first: dict[str, str] = {}
    kept = set()
    for trial in trials:
        planned = trial.planned
        origin = first[planned.id] = first.get(planned.repeats, planned.id)
        if trial.has_ended_well and not trial.was_lost:
            kept.add(origin)
    return [
        replace(trial, is_made_up_for=trial.was_lost and first[trial.planned.id] in kept)
        for trial in trials
    ]
