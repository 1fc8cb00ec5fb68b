"""Times in which nobody was answered."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import ORDINARY
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words import numbers
from wirelab.words.translation import N_, Words


class Pauses(Strict):
    """Number and length of the pauses of a trial."""

    pauses: int
    longest_ms: float
    total_ms: float
    seconds: float


class StoodStill(Strict):
    """By trial: its pauses."""

    trials: dict[str, Pauses]


def _check(cell: CellFacts) -> Iterator[TypedFinding[StoodStill]]:
    """Nobody was answered for 100 ms or more although messages were sent meanwhile: warns.

    Percentiles of a long trial can hide this; users cannot. Only where many share one service
    (lanes): a single caller's slow answer is in its own latency.
    """
    if not cell.scenario.steps:
        return
    still: dict[str, Pauses] = {}
    for trial in cell.trials:
        pauses = [pause for facts in trial.operations.values() for pause in facts.pauses]
        if pauses:
            still[trial.id] = Pauses(
                pauses=len(pauses),
                longest_ms=max(pauses),
                total_ms=sum(pauses),
                seconds=trial.window_seconds,
            )
    if still:
        yield TypedFinding(Verdict.WARN, StoodStill(trials=still), list(still))


def _lines(evidence: StoodStill, words: Words) -> list[str]:
    template = words.gettext(
        "{trial}: pauses {n}, longest {longest}, {total} of {seconds} s in all"
    )
    return [
        template.format(
            trial=trial,
            n=of.pauses,
            longest=numbers.milliseconds(of.longest_ms),
            total=numbers.milliseconds(of.total_ms),
            seconds=numbers.brief(of.seconds, digits=3),
        )
        for trial, of in evidence.trials.items()
    ]


GATE = Gate(
    code="stood-still",
    title=N_("stood still"),
    meaning=N_(
        "Nobody was answered for 100 ms or more although messages were sent: percentiles can "
        "hide it, users cannot overlook it."
    ),
    remedy=N_("Look at the pauses of the garbage collector and at what blocks the event loop."),
    looks_at="times in which nobody was answered although messages were sent",
    verdicts={Verdict.WARN: "any of 100 ms or more"},
    loads=ORDINARY,
    blames=(Blame.CONTENDER,),
    concerns=Concern.TIMES,
    check=_check,
    evidence=StoodStill,
    lines=_lines,
)
