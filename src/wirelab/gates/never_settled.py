"""Warm-ups that ended at their limit."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import LoadKind
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words.translation import N_, Words


class Unsettled(Strict):
    """Trials whose warm-up did not settle, of so many that were timed."""

    trials: int
    of: int


class UnsettledOperations(Strict):
    """By operation: warm-ups that did not settle."""

    operations: dict[str, Unsettled]


def _check(cell: CellFacts) -> Iterator[TypedFinding[UnsettledOperations]]:
    """Warm-ups that ran into their limit while batches still disagreed: a remark, for the batches
    that count may have become faster (or slower) among themselves.
    """
    counts: dict[str, Unsettled] = {}
    for name in cell.planned[0].operations:
        loops = [trial.loops[name] for trial in cell.trials if name in trial.loops]
        timed = [loop for loop in loops if loop.batches]
        if unsettled := sum(not loop.settled for loop in timed):
            counts[name] = Unsettled(trials=unsettled, of=len(timed))
    if counts:
        yield TypedFinding(Verdict.VALID, UnsettledOperations(operations=counts))


def _lines(evidence: UnsettledOperations, words: Words) -> list[str]:
    template = words.gettext("{operation}: in {trials} of {of} processes")
    return [
        template.format(operation=words.gettext(name), trials=counts.trials, of=counts.of)
        for name, counts in evidence.operations.items()
    ]


GATE = Gate(
    code="never-settled",
    title=N_("warm-up ended at its limit"),
    meaning=N_(
        "The last batches before measuring still differed: the code may have become faster "
        "(or slower) while it was measured."
    ),
    remedy=N_("Use the publish profile, whose warm-up lasts longer, and a quieter machine."),
    looks_at="the last three batches of the warm-up against their median",
    verdicts={Verdict.VALID: "any process in which they still differed"},
    loads=frozenset({LoadKind.MICROBENCHMARK}),
    blames=(Blame.HARNESS,),
    concerns=Concern.NAMED,
    beside_its_figure=True,
    check=_check,
    evidence=UnsettledOperations,
    lines=_lines,
)
