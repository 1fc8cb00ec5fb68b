"""Batches far from the others."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import LoadKind
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words import numbers
from wirelab.words.translation import N_, Words

OUTLIER_SHARE, OUTLIERS = 0.1, 3
"""Share and least number of batches: with more far from the others, the median describes a mixture.
"""


class Outliers(Strict):
    """Batches far from the others, of all that count."""

    outliers: int
    batches: int


class OutliersOfOperations(Strict):
    """By operation: batches far from the others."""

    operations: dict[str, Outliers]


def _check(cell: CellFacts) -> Iterator[TypedFinding[OutliersOfOperations]]:
    """More than a tenth of an operation's batches lie far from the others: warns."""
    many: dict[str, Outliers] = {}
    for name in cell.planned[0].operations:
        loops = [trial.loops[name] for trial in cell.trials if name in trial.loops]
        batches, outliers = sum(one.batches for one in loops), sum(one.outliers for one in loops)
        if outliers >= OUTLIERS and outliers > OUTLIER_SHARE * batches:
            many[name] = Outliers(outliers=outliers, batches=batches)
    if many:
        yield TypedFinding(Verdict.WARN, OutliersOfOperations(operations=many))


def _lines(evidence: OutliersOfOperations, words: Words) -> list[str]:
    template = words.gettext("{operation}: {outliers} of {batches} batches ({share})")
    return [
        template.format(
            operation=words.gettext(name),
            outliers=of.outliers,
            batches=of.batches,
            share=numbers.percent(of.outliers / of.batches),
        )
        for name, of in evidence.operations.items()
    ]


GATE = Gate(
    code="batch-outliers",
    title=N_("many batches far from the others"),
    meaning=N_(
        "More than a tenth of the batches lie far from the rest, so the median describes a "
        "mixture of two speeds. None was left out."
    ),
    remedy=N_(
        "Quieten the machine (`./wl doctor`); look at garbage collections and at the speed of "
        "the processor."
    ),
    looks_at="batches more than three quartile distances from the others",
    verdicts={
        Verdict.WARN: f"more than {numbers.percent(OUTLIER_SHARE, 1)} of them, "
        f"and at least {OUTLIERS}"
    },
    loads=frozenset({LoadKind.MICROBENCHMARK}),
    blames=(Blame.HOST,),
    concerns=Concern.NAMED,
    check=_check,
    evidence=OutliersOfOperations,
    lines=_lines,
)
