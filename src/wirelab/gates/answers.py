"""Gates on what the contender did: trials that failed, wrong or cheap answers, errors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wirelab.gates.facts import CellFacts
from wirelab.model.result import Finding, Verdict
from wirelab.model.run import PlannedTrial, TrialRecord, TrialStatus

_SHOWN = 5


def trial_failed(cell: CellFacts) -> Iterator[Finding]:
    """A trial that failed, or never happened: those that went well are not the whole story.

    Warns while counted trials remain; a cell without any has no figures and is invalid.
    """
    reasons: dict[str, dict[str, str]] = {}
    missing: list[str] = []
    good = {trial.id for trial in cell.trials}
    for planned in cell.planned:
        record = cell.records.get(planned.id)
        if record is None or record.status is TrialStatus.INTERRUPTED:
            if planned.counted:
                missing.append(planned.id)
        elif record.status is TrialStatus.FAILED:
            reasons[planned.id] = {"reason": record.reason, "detail": record.detail}
        elif planned.counted and planned.id not in good:
            reasons[planned.id] = _why_not(cell, planned, record)
    if cell.trials and not reasons and not missing:
        return
    evidence: dict[str, Any] = {"failed": reasons, "missing": missing, "counted": len(good)}
    verdict = Verdict.WARN if cell.trials else Verdict.INVALID
    yield Finding(gate="trial-failed", verdict=verdict, evidence=evidence, trials=list(reasons))


def _why_not(cell: CellFacts, planned: PlannedTrial, record: TrialRecord) -> dict[str, str]:
    """Why a trial that went well is in no figure."""
    unsaid = [step.name for step in planned.steps if step.name not in record.steps]
    if not cell.scenario.is_scheduled and unsaid:
        return {"reason": "no-steps", "detail": ", ".join(unsaid)}
    return {"reason": "no-samples", "detail": "no samples were kept"}


def wrong_answer(cell: CellFacts) -> Iterator[Finding]:
    """An answer that the suite's verifier, or the worker's own check, found wrong: invalid.

    One is enough: there are no figures of a contender that answers wrongly. Trials that are
    not counted are listened to as well.
    """
    found = {
        key: record.wrong_answers for key, record in cell.records.items() if record.wrong_answers
    }
    own = {
        trial.id: wrong
        for trial in cell.trials
        if (wrong := sum(f.statuses.get("wrong-answer", 0) for f in trial.operations.values()))
    }
    if not found and not own:
        return
    evidence = {
        "findings": [text for texts in found.values() for text in texts][:_SHOWN],
        "count": sum(len(texts) for texts in found.values()),
        "own_checks": sum(own.values()),
        "verified": sum(record.verified for record in cell.records.values()),
    }
    trials = [planned.id for planned in cell.planned if planned.id in found or planned.id in own]
    yield Finding(gate="wrong-answer", verdict=Verdict.INVALID, evidence=evidence, trials=trials)


def fast_not_found(cell: CellFacts) -> Iterator[Finding]:
    """Good records whose size is not what the suite's data ask for: invalid.

    A key that is not found costs less than one that is, and a short answer less than a long one.
    """
    operations: dict[str, dict[str, int]] = {}
    trials = []
    for trial in cell.trials:
        for name, sized in trial.record.sized.items():
            if sized.unlike:
                total = operations.setdefault(name, {})
                for key, value in sized.model_dump().items():
                    total[key] = total.get(key, 0) + value
                trials.append(trial.id)
    if operations:
        evidence = {"operations": operations}
        trials = list(dict.fromkeys(trials))
        yield Finding(
            gate="fast-not-found", verdict=Verdict.INVALID, evidence=evidence, trials=trials
        )


def loss_or_error(cell: CellFacts) -> Iterator[Finding]:
    """Failed operations, in a closed loop those that were never done as well: any is shown (warn);
    beyond the scenario's ``bounds.error_ratio`` the cell is invalid. In a faults scenario errors
    are what is looked for, and no finding.
    """
    if not cell.scenario.measures_load:
        return
    bound = cell.scenario.bounds.error_ratio
    operations: dict[str, Any] = {}
    worst = 0.0
    for name in cell.planned[0].operations:
        facts = [trial.operations[name] for trial in cell.trials]
        sent, failed = sum(f.sent for f in facts), sum(f.failed for f in facts)
        if failed:
            statuses: dict[str, int] = {}
            for f in facts:
                for status, count in f.statuses.items():
                    if status != "ok":
                        statuses[status] = statuses.get(status, 0) + count
            worst = max(worst, failed / sent)
            operations[name] = {"failed": failed, "sent": sent, "statuses": statuses}
            if lost := statuses.get("lost"):
                operations[name] |= {"lost": lost, "expected": sent}
    if operations:
        verdict = Verdict.INVALID if worst > bound else Verdict.WARN
        trials = [t.id for t in cell.trials if any(f.failed for f in t.operations.values())]
        evidence = {"operations": operations, "ratio": worst, "bound": bound}
        yield Finding(gate="loss-or-error", verdict=verdict, evidence=evidence, trials=trials)
