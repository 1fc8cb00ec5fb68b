"""Operations that succeeded while nobody was there who could answer them."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import LoadKind
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words.translation import N_, Words

ENDING_NS = 200_000_000
"""Time in which the last process of a role may still end after it was told to."""


class AnsweredByNobody(Strict):
    """By trial and operation: how many succeeded while the role that answers them was down."""

    trials: dict[str, dict[str, int]]


def _check(cell: CellFacts) -> Iterator[TypedFinding[AnsweredByNobody]]:
    """Good operations that began and ended while a fault held down the role that answers them:
    invalid. A caller who is told what there was before lives through no outage, and does not know
    that there is one.
    """
    found = {trial.id: dict(trial.while_down) for trial in cell.trials if trial.while_down}
    if found:
        yield TypedFinding(Verdict.INVALID, AnsweredByNobody(trials=found), list(found))


def _lines(evidence: AnsweredByNobody, words: Words) -> list[str]:
    said = words.gettext(
        "{trial}: {count} {operation} operations succeeded while nobody was there to answer them"
    )
    return [
        said.format(trial=trial, operation=operation, count=f"{count:,}")
        for trial, operations in evidence.trials.items()
        for operation, count in operations.items()
    ]


GATE = Gate(
    code="answered-while-down",
    title=N_("answers while nobody was there"),
    meaning=N_(
        "Operations succeeded while their server was stopped or killed: their answers are from "
        "before. No figure of this cell is a result."
    ),
    remedy=N_("Look for answers from a cache, and for errors that are hidden from the caller."),
    looks_at="good operations against the times in which a fault held down the role that answers "
    "them, where the scenario names it",
    verdicts={
        Verdict.INVALID: f"any that began {ENDING_NS / 1e9:g} s after the fault and ended "
        "before its end"
    },
    loads=frozenset({LoadKind.FAULTS}),
    blames=(Blame.CONTENDER,),
    concerns=Concern.EVERYTHING,
    is_outcome=True,
    check=_check,
    evidence=AnsweredByNobody,
    lines=_lines,
)
