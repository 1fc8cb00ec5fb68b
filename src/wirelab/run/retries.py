"""Trials that a resumed run carries out again: what failed there was not their contender."""

from __future__ import annotations

from wirelab.model.blame import failed_by_others
from wirelab.model.run import Run
from wirelab.model.scenario import Scenario
from wirelab.model.several import role_of
from wirelab.model.trial import OF_TOO_LITTLE, TrialRecord, TrialStatus
from wirelab.samples.run_folder import RunFolder


def is_over(record: TrialRecord | None, scenario: Scenario) -> bool:
    """Whether a trial is carried out no more: it has happened, and its outcome is its own."""
    if record is None or record.status is TrialStatus.INTERRUPTED:
        return False
    return not failed_by_others(record, scenario)


def failures_before(record: TrialRecord | None) -> list[str]:
    """Failures to be kept by the next attempt at the trial of ``record``."""
    if record is None:
        return []
    failed = record.status is TrialStatus.FAILED
    return [*record.earlier, *([f"{record.reason}: {record.detail}"] if failed else [])]


def tried_again(folder: RunFolder, run: Run) -> list[TrialRecord]:
    """Records of failed trials that resuming the run carries out again."""
    return [
        record
        for trial in run.plan
        if (record := folder.read_record(trial.id)) is not None
        and failed_by_others(record, run.scenarios[trial.scenario])
    ]


def failed(folder: RunFolder, run: Run) -> list[TrialRecord]:
    """Records of failed trials. A probe's failure is an outcome of its search and none of these,
    nor is that of a role to which its scenario gave too little.
    """
    return [
        record
        for trial in run.plan
        if trial.probe is None
        and (record := folder.read_record(trial.id)) is not None
        and record.status is TrialStatus.FAILED
        and not had_too_little(record, run.scenarios[trial.scenario])
    ]


def had_too_little(record: TrialRecord, scenario: Scenario) -> bool:
    """Whether a role failed that the scenario limits, as one does that has too little: whether it
    does is what such a scenario asks.
    """
    limited = scenario.variant(record.planned.variant).limits
    return role_of(record.role, limited) != "" and record.reason in OF_TOO_LITTLE
