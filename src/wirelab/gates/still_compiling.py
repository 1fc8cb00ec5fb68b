"""Compilers that worked while batches counted."""

from __future__ import annotations

from collections.abc import Iterator

from wirelab.gates.facts import CellFacts
from wirelab.gates.gate import Blame, Concern, Gate, TypedFinding
from wirelab.gates.loads import LoadKind
from wirelab.model.result import Verdict
from wirelab.model.units import Strict
from wirelab.words.translation import N_, Words


class Compiling(Strict):
    """Batches during which a compiler worked, of those that count."""

    compiling: int
    batches: int


class CompilingOperations(Strict):
    """By operation: batches during which a compiler worked."""

    operations: dict[str, Compiling]


def _check(cell: CellFacts) -> Iterator[TypedFinding[CompilingOperations]]:
    """A remark: the compiler shares the processor with the loop, and what it makes is faster."""
    counts: dict[str, Compiling] = {}
    for name in cell.planned[0].operations:
        loops = [trial.loops[name] for trial in cell.trials if name in trial.loops]
        if compiling := sum(loop.compiling for loop in loops):
            batches = sum(loop.batches for loop in loops)
            counts[name] = Compiling(compiling=compiling, batches=batches)
    if counts:
        yield TypedFinding(Verdict.VALID, CompilingOperations(operations=counts))


def _lines(evidence: CompilingOperations, words: Words) -> list[str]:
    template = words.gettext("{operation}: during {compiling} of {batches} batches")
    return [
        template.format(
            operation=words.gettext(name), compiling=counts.compiling, batches=counts.batches
        )
        for name, counts in evidence.operations.items()
    ]


GATE = Gate(
    code="still-compiling",
    title=N_("a compiler worked while it was measured"),
    meaning=N_(
        "The runtime compiled methods while batches counted: its compiler took processor time "
        "from the loop, and the code may have become faster among the batches."
    ),
    remedy=N_(
        "Use the publish profile, whose warm-up lasts longer, or a longer `prewarm_ms` in the "
        "contender's manifest."
    ),
    looks_at="the time that the runtime says its compilers worked, batch by batch (C#, Java)",
    verdicts={
        Verdict.VALID: "any batch that counts, unless the iterations are given, as in `million`"
    },
    loads=frozenset({LoadKind.MICROBENCHMARK}),
    blames=(Blame.HARNESS,),
    concerns=Concern.NAMED,
    beside_its_figure=True,
    check=_check,
    evidence=CompilingOperations,
    lines=_lines,
)
