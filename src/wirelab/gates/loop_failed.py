"""Operations of a microbenchmark that threw."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import LoadKind
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words.translation import N_, Words


class LoopErrors(Strict):
    """By operation: class and message, in the library's words."""

    operations: dict[str, str]


def _check(cell: CellFacts) -> Iterator[TypedFinding[LoopErrors]]:
    """An operation that threw: it has no figure, the other operations of the step have. Warns."""
    failures: dict[str, str] = {}
    for trial in cell.trials:
        for name, loop in trial.loops.items():
            if loop.failure:
                failures.setdefault(name, loop.failure)
    if failures:
        trials = [t.id for t in cell.trials if any(loop.failure for loop in t.loops.values())]
        yield TypedFinding(Verdict.WARN, LoopErrors(operations=failures), trials)


def _lines(evidence: LoopErrors, words: Words) -> list[str]:
    template = words.gettext("{operation} threw {what}")
    return [
        template.format(operation=words.gettext(name), what=what)
        for name, what in evidence.operations.items()
    ]


GATE = Gate(
    code="loop-failed",
    title=N_("operations threw"),
    meaning=N_(
        "The library threw in some operations of this step: they have no figure. The others "
        "do, and count."
    ),
    remedy=N_("Read the error: the library may not support the data, or the contender misuses it."),
    looks_at="operations of a microbenchmark that threw",
    verdicts={Verdict.WARN: "any"},
    loads=frozenset({LoadKind.MICROBENCHMARK, LoadKind.INSTRUCTIONS}),
    blames=(Blame.CONTENDER,),
    concerns=Concern.NAMED,
    check=_check,
    evidence=LoopErrors,
    lines=_lines,
)
