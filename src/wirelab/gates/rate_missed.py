"""Operations issued as often as they were due."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import ORDINARY
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words import numbers
from wirelab.words.translation import N_, Words

RATE_WARN, RATE_INVALID = 0.01, 0.10
"""Share of the scheduled operations that may be missing (or too many): Lancet (ATC'19) checks
the achieved rate against the asked one; 1 % is its order, 10 % is another experiment."""


class IssuedCount(Strict):
    """Operations that were issued, and those that were due."""

    sent: int
    scheduled: int


class MissedRate(Strict):
    """By trial and operation: another number than was due; the worst share."""

    trials: dict[str, dict[str, IssuedCount]]
    worst: float


def _check(cell: CellFacts) -> Iterator[TypedFinding[MissedRate]]:
    """Operations issued in the window against those scheduled: off by more than 1 % warns, by
    more than 10 % is invalid. Judged by operation and trial: trials do not make up for others.
    A closed loop has no rate to miss; what it leaves undone is lost (``loss-or-error``). Where
    others disturbed the host, the quiet time is judged.
    """
    missed: dict[str, dict[str, IssuedCount]] = {}
    worst = 0.0
    for trial in cell.trials:
        for name, facts in trial.operations.items():
            sent, due = facts.sent, facts.expected
            if facts.quiet is not None:
                sent, due = facts.quiet.sent, facts.quiet.due
            off = abs(sent - due) / due if due else 0.0
            if due and off > RATE_WARN:
                issued = IssuedCount(sent=sent, scheduled=due)
                missed.setdefault(trial.id, {})[name] = issued
                worst = max(worst, off)
    if missed:
        verdict = Verdict.INVALID if worst > RATE_INVALID else Verdict.WARN
        yield TypedFinding(verdict, MissedRate(trials=missed, worst=worst), list(missed))


def _lines(evidence: MissedRate, words: Words) -> list[str]:
    template = words.gettext("{trial}: {operation} {sent} of {scheduled} scheduled")
    return [
        template.format(
            trial=trial,
            operation=name,
            sent=f"{issued.sent:,}",
            scheduled=f"{issued.scheduled:,}",
        )
        for trial, operations in evidence.trials.items()
        for name, issued in operations.items()
    ]


GATE = Gate(
    code="rate-missed",
    title=N_("not as many operations as scheduled"),
    meaning=N_("The load was another than planned; its figures do not describe the scenario."),
    remedy=N_("Give the contender more processor, or choose a slower period it can keep."),
    looks_at="operations issued against scheduled, by operation and trial",
    verdicts={
        Verdict.WARN: f"{numbers.percent(RATE_WARN, 1)} off",
        Verdict.INVALID: f"{numbers.percent(RATE_INVALID, 1)} off",
    },
    loads=ORDINARY,
    blames=(Blame.GENERATOR,),
    concerns=Concern.EVERYTHING,
    check=_check,
    evidence=MissedRate,
    lines=_lines,
)
