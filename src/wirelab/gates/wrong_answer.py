"""Answers that are wrong."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import EVERY
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words.translation import N_, Words

_SHOWN = 5


class WrongAnswers(Strict):
    """The first wrong answers in words, and how many there are of each kind."""

    findings: list[str]
    count: int
    own_checks: int
    verified: int


def _check(cell: CellFacts) -> Iterator[TypedFinding[WrongAnswers]]:
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
    evidence = WrongAnswers(
        findings=[text for texts in found.values() for text in texts][:_SHOWN],
        count=sum(len(texts) for texts in found.values()),
        own_checks=sum(own.values()),
        verified=sum(record.verified for record in cell.records.values()),
    )
    trials = [planned.id for planned in cell.planned if planned.id in found or planned.id in own]
    yield TypedFinding(Verdict.INVALID, evidence, trials)


def _lines(evidence: WrongAnswers, words: Words) -> list[str]:
    _ = words.gettext
    lines = [
        _("{count} wrong of {verified} answers checked in full").format(
            count=evidence.count, verified=evidence.verified
        )
    ]
    if evidence.own_checks:
        lines.append(
            _("{count} answers the worker itself found wrong").format(count=evidence.own_checks)
        )
    return lines + evidence.findings


GATE = Gate(
    code="wrong-answer",
    title=N_("wrong answers"),
    meaning=N_("Answers were not what they had to be. Speed means nothing then: no figures."),
    remedy=N_("Correct the contender: compare its answers file with the suite's description."),
    looks_at="answers recomputed by the suite's verifier, before and during the measurement",
    verdicts={Verdict.INVALID: "any; the cell has no figures at all"},
    loads=EVERY,
    blames=(Blame.CONTENDER,),
    concerns=Concern.EVERYTHING,
    withholds=True,
    is_outcome=True,
    check=_check,
    evidence=WrongAnswers,
    lines=_lines,
)
