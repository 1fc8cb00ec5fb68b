"""Trials that failed or never happened."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import MEASURED, LoadKind
from wirelab.model.planned import PlannedTrial
from wirelab.model.result import Cell, Verdict
from wirelab.model.trial import OF_THE_HOST, TrialRecord, TrialStatus
from wirelab.model.units import Strict
from wirelab.words.failures import failure_words
from wirelab.words.translation import N_, Words

OF_ITS_SURROUNDINGS = OF_THE_HOST | {"never-ready", "cannot-restart", "no-count", "unreadable"}
"""Reasons of failed trials that the machine may have caused; see ``trial-failures.md``."""


class TrialFailure(Strict):
    """Reason code and sentence of a trial that is in no figure."""

    reason: str
    detail: str


class FailedTrials(Strict):
    """Trials that are in no figure, and how many are."""

    failed: dict[str, TrialFailure]
    missing: list[str]
    included: int


def _check(cell: CellFacts) -> Iterator[TypedFinding[FailedTrials]]:
    """A trial that failed, or never happened: those that went well are not the whole story.

    Warns while included trials remain; a cell without any has no figures and is invalid.
    """
    failed: dict[str, TrialFailure] = {}
    missing: list[str] = []
    good = {trial.id for trial in cell.trials}
    for planned in cell.planned:
        if planned.id in cell.made_up_for:
            continue
        record = cell.records.get(planned.id)
        if record is None or record.status is TrialStatus.INTERRUPTED:
            if planned.included:
                missing.append(planned.id)
        elif record.status is TrialStatus.FAILED:
            failed[planned.id] = TrialFailure(reason=record.reason, detail=record.detail)
        elif planned.included and planned.id not in good:
            failed[planned.id] = _why_not(cell, planned, record)
    if cell.trials and not failed and not missing:
        return
    evidence = FailedTrials(failed=failed, missing=missing, included=len(good))
    yield TypedFinding(Verdict.WARN if cell.trials else Verdict.INVALID, evidence, list(failed))


def _why_not(cell: CellFacts, planned: PlannedTrial, record: TrialRecord) -> TrialFailure:
    """Say why a trial that went well is in no figure."""
    unsaid = [name for name in planned.load.step_names if name not in record.steps]
    if not cell.scenario.is_scheduled and unsaid:
        return TrialFailure(reason="no-steps", detail=", ".join(unsaid))
    return TrialFailure(reason="no-samples", detail="no samples were kept")


def _whom(evidence: FailedTrials) -> Blame:
    """The contender where every trial was run, and none failed for what is around it."""
    if evidence.missing or not evidence.failed:
        return Blame.HARNESS
    reasons = {why.reason for why in evidence.failed.values()}
    return Blame.HOST if reasons & OF_ITS_SURROUNDINGS else Blame.CONTENDER


def never_ran(cell: Cell) -> bool:
    """Tell that a run has not come to a cell: no trial of it has ended well, or failed."""
    for finding in cell.findings:
        if finding.gate == GATE.code:
            found = FailedTrials.model_validate(finding.evidence)
            return not found.failed and found.included == 0
    return False


def _lines(evidence: FailedTrials, words: Words) -> list[str]:
    lines = [
        f"{trial}: {failure_words(why.reason, words)} ({why.detail})"
        if why.detail
        else f"{trial}: {failure_words(why.reason, words)}"
        for trial, why in evidence.failed.items()
    ]
    if evidence.missing:
        missing = ", ".join(evidence.missing)
        lines.append(words.gettext("not run or interrupted: {trials}").format(trials=missing))
    return [*lines, words.gettext("trials left to count: {n}").format(n=evidence.included)]


GATE = Gate(
    code="trial-failed",
    title=N_("trials failed or are missing"),
    meaning=N_("Trials that failed are in no figure, so the others are not the whole story."),
    remedy=N_(
        "Read the trial's standard error in its folder, run `./wl conform` on the contender, "
        "and finish or repeat the run (`./wl run --resume`)."
    ),
    looks_at="trials that failed, were interrupted, or left no samples",
    verdicts={Verdict.WARN: "some included trials", Verdict.INVALID: "all of them"},
    loads=MEASURED | {LoadKind.INSTRUCTIONS, LoadKind.SYNC_CALLS, LoadKind.STACKS},
    blames=(Blame.CONTENDER, Blame.HOST, Blame.HARNESS),
    whom=_whom,
    concerns=Concern.EVERYTHING,
    is_outcome=True,
    check=_check,
    evidence=FailedTrials,
    lines=_lines,
)
